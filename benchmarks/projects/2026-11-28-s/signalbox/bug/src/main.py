import argparse

import torch

from lever.levers import LeverNet, timetable
from lever.precision import Precision
from lever.shift import work


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--shifts", type=int, default=2)
    ap.add_argument("--max-norm", type=float, default=1.0)
    args = ap.parse_args()
    torch.manual_seed(90)
    net = LeverNet()
    optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
    precision = Precision("cpu", torch.float16)
    params = net.parameters()
    for shift in range(args.shifts):
        loss = work(net, timetable(6), optimizer, precision, params, args.max_norm)
        print(f"shift {shift}: {loss:.4f}")


if __name__ == "__main__":
    main()
