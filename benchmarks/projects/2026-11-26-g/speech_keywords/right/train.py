import argparse

import torch
from torch import nn

from cluster import join, leave, wrap
from corpus import KeywordClips, feed
from engine import train_one_epoch


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--accum", type=int, default=4)
    parser.add_argument("--lr", type=float, default=2e-3)
    return parser.parse_args()


def main():
    args = parse()
    join()
    torch.manual_seed(1)
    net = nn.Sequential(
        nn.Conv1d(1, 8, 9, stride=4), nn.ReLU(), nn.AdaptiveAvgPool1d(4), nn.Flatten(), nn.Linear(32, 5)
    )
    model = wrap(net)
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    loader = feed(KeywordClips(72), batch_size=8)
    for epoch in range(args.epochs):
        loss = train_one_epoch(model, loader, optimizer, args.accum)
        print(f"epoch {epoch} loss {loss:.4f}")
    leave()


if __name__ == "__main__":
    main()
