import argparse

import torch
from torch import nn

from data import cave_loader
from engine import evaluate, train_epoch
from utils.dist import init_distributed, is_main, shutdown, wrap


def parse_args():
    parser = argparse.ArgumentParser("rind classification")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--accum", type=int, default=4)
    parser.add_argument("--lr", type=float, default=0.05)
    return parser.parse_args()


def main():
    args = parse_args()
    torch.manual_seed(11)
    init_distributed()
    net = nn.Sequential(nn.Linear(6, 24), nn.ReLU(), nn.Dropout(0.1), nn.Linear(24, 3))
    model = wrap(net)
    train_loader = cave_loader("train", batch_size=8)
    val_loader = cave_loader("val", batch_size=32)
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(args.epochs):
        loss = train_epoch(model, train_loader, criterion, optimizer, args.accum)
        accuracy = evaluate(model, val_loader)
        if is_main():
            print(f"epoch {epoch} loss {loss:.3f} acc {accuracy:.2f}")
    shutdown()


if __name__ == "__main__":
    main()
