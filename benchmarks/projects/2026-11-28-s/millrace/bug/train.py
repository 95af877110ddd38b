import argparse

import torch

from engine import score, train_epoch
from utils.data import make_loaders, reshuffle
from utils.dist import start, stop, wrap
from wheel import FlowNet


def parse():
    ap = argparse.ArgumentParser("predict the flow of a mill race")
    ap.add_argument("--epochs", type=int, default=3)
    ap.add_argument("--first-epoch", type=int, default=0)
    ap.add_argument("--window", type=int, default=4)
    ap.add_argument("--lr", type=float, default=0.05)
    return ap.parse_args()


def main():
    args = parse()
    torch.manual_seed(4)
    start()
    loader, held = make_loaders(batch_size=8)
    model = wrap(FlowNet())
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9)
    reshuffle(loader, args.first_epoch)
    for epoch in range(args.first_epoch, args.epochs):
        mean = train_epoch(model, loader, optimizer, args.window)
        print(f"epoch {epoch}: train {mean:.4f} held out {score(model, held):.4f}")
    stop()


if __name__ == "__main__":
    main()
