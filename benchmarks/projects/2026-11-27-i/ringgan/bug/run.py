import argparse

import torch

from game import turn
from monitor import Monitor
from nets import D, G
from optims import Duo

ap = argparse.ArgumentParser()
ap.add_argument("--turns", type=int, default=400)
ap.add_argument("--seed", type=int, default=3)


def main(opt):
    torch.manual_seed(opt.seed)
    gen, disc = G(), D()
    duo, monitor = Duo(gen, disc), Monitor()
    for t in range(opt.turns):
        turn(gen, disc, duo, monitor)
        if (t + 1) % 40 == 0:
            print(t + 1, monitor.summary())


if __name__ == "__main__":
    main(ap.parse_args())
