import argparse

import torch

from birds import Homing, flights
from engine import race
from strategies import Eager, Patient


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--flock", type=int, default=5)
    parser.add_argument("--seasons", type=int, default=3)
    args = parser.parse_args()
    torch.manual_seed(2)
    net, training = Homing(), flights(18)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    strategy = Patient(optimizer, args.flock) if args.flock > 1 else Eager(optimizer)
    for season in range(args.seasons):
        print(season, round(race(net, training, strategy), 4))


if __name__ == "__main__":
    main()
