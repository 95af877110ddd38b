import argparse

import torch
from torch import nn
from torch.optim.lr_scheduler import OneCycleLR


def parse(argv=()):
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--accum", type=int, default=2)
    parser.add_argument("--max-lr", type=float, default=0.2)
    return parser.parse_args(list(argv))


def build(args, batches_per_epoch):
    model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    horizon = args.epochs * batches_per_epoch
    schedule = OneCycleLR(optimizer, max_lr=args.max_lr, total_steps=horizon, pct_start=0.3)
    return model, optimizer, schedule


def make_loader(count):
    out = []
    for _ in range(count):
        x = torch.randn(8, 4)
        out.append((x, (x[:, 0] * x[:, 1] > 0).long()))
    return out


def train(record):
    args = parse()
    torch.manual_seed(77)
    loader = make_loader(8)
    model, optimizer, schedule = build(args, len(loader))
    rates = []
    for epoch in range(args.epochs):
        optimizer.zero_grad()
        for i, (x, y) in enumerate(loader):
            loss = nn.functional.cross_entropy(model(x), y) / args.accum
            loss.backward()
            if (i + 1) % args.accum == 0 or i + 1 == len(loader):
                optimizer.step()
                optimizer.zero_grad()
                record(list(model.parameters()))
            if schedule.last_epoch < schedule.total_steps - 1:
                schedule.step()
            rates.append(schedule.get_last_lr()[0])
        print(epoch, f"{loss.item() * args.accum:.4f}", f"{rates[-1]:.5f}")


if __name__ == "__main__":
    train(lambda parameters: None)
