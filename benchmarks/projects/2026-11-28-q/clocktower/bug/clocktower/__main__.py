import argparse

import torch

from clocktower.factory import make_optimizer, make_schedule, make_weights, make_works
from clocktower.movement import wind


def main():
    parser = argparse.ArgumentParser(prog="clocktower")
    parser.add_argument("--turns", type=int, default=4)
    parser.add_argument("--limit", type=float, default=0.25)
    args = parser.parse_args()
    torch.manual_seed(12)
    works = make_works()
    weights = make_weights(works)
    optimizer = make_optimizer(weights)
    pendulum = make_schedule(optimizer)
    angle = torch.linspace(0, 6, 96).reshape(-1, 1)
    beats = list(zip(angle.split(12), angle.sin().split(12)))
    wind(works, weights, optimizer, pendulum, beats, args.turns, args.limit)


if __name__ == "__main__":
    main()
