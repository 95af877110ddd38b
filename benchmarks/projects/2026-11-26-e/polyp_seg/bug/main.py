import argparse

import torch

from polyps.task import PolypRunner, SmallUNet, loaders


def parse():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=3)
    ap.add_argument("--batch-size", type=int, default=8)
    ap.add_argument("--lr", type=float, default=0.05)
    ap.add_argument("--max-norm", type=float, default=0.5)
    return ap.parse_args()


if __name__ == "__main__":
    args = parse()
    torch.manual_seed(0)
    net = SmallUNet()
    runner = PolypRunner(net, torch.optim.SGD(net.parameters(), lr=args.lr), max_norm=args.max_norm)
    for epoch, loss, dice in runner.fit(*loaders(args.batch_size), args.epochs):
        print(f"epoch {epoch} loss {loss:.4f} dice {dice:.4f}")
