import argparse

import torch

from bellows.iron import IronNet, ingots
from bellows.smith import Smith


def main():
    ap = argparse.ArgumentParser("bellows")
    ap.add_argument("--heats", type=int, default=3)
    ap.add_argument("--lr", type=float, default=0.05)
    args = ap.parse_args()
    torch.manual_seed(60)
    net = IronNet()
    optimizer = torch.optim.SGD(net.parameters(), lr=args.lr, momentum=0.9, nesterov=True)
    smith = Smith(net, optimizer, held=ingots(2, seed=62))
    smith.fit(ingots(7, seed=61), args.heats)
    print(smith.report())


if __name__ == "__main__":
    main()
