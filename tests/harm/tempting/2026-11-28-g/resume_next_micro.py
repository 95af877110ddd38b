import argparse

import torch
from torch import nn


def parse(argv=()):
    parser = argparse.ArgumentParser()
    parser.add_argument("--accum", type=int, default=4)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--lr", type=float, default=0.03)
    return parser.parse_args(list(argv))


CHECKPOINT = {"next_micro": 13, "epoch": 1, "seed": 77}


def build(cfg):
    net = nn.Sequential(nn.Linear(4, 6), nn.SiLU(), nn.Linear(6, 2))
    return net, torch.optim.Adam(net.parameters(), lr=cfg.lr)


def train(record):
    cfg = parse()
    torch.manual_seed(CHECKPOINT["seed"])
    net, opt = build(cfg)
    x = torch.randn(8, 10, 4)
    y = (x.sum(-1) > 0).long()
    upcoming = CHECKPOINT["next_micro"]
    first = CHECKPOINT["epoch"]
    for epoch in range(first, first + cfg.epochs):
        running = 0.0
        for it, (inputs, labels) in enumerate(zip(x, y), start=upcoming):
            loss = nn.functional.cross_entropy(net(inputs), labels)
            (loss / cfg.accum).backward()
            running += loss.item()
            if it % cfg.accum:
                continue
            opt.step()
            record(list(net.parameters()))
            opt.zero_grad()
        upcoming = it + 1
        print(epoch, running / len(x))


if __name__ == "__main__":
    train(lambda parameters: None)
