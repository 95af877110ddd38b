"""Stones that were thrown too flat tell nothing and are left out; the others are gathered."""
import random

import torch
from torch import nn
from torch.nn import functional as F


class Throws:
    def __init__(self, count, seed):
        self.items = [self.throw() for _ in range(count)]
        self.rng = random.Random(seed)

    @staticmethod
    def throw():
        speed = torch.rand(8, 2) * 3
        return {"speed": speed, "hops": (speed[:, :1] * speed[:, 1:]).sqrt(), "angle": float(torch.rand(()))}

    def __len__(self):
        return len(self.items)

    def __iter__(self):
        self.rng.shuffle(self.items)
        return iter(self.items)


def run_epoch(net, optimizer, throws, window, record):
    thrown = 0
    for item in throws:
        if item["angle"] < 0.25:
            continue
        loss = F.l1_loss(net(item["speed"]), item["hops"])
        (loss / window).backward()
        thrown += 1
        if thrown % window == 0:
            optimizer.step()
            record(list(net.parameters()))
            optimizer.zero_grad()
    return thrown


def train(record):
    torch.manual_seed(209)
    net = nn.Sequential(nn.Linear(2, 12), nn.Tanh(), nn.Linear(12, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    throws = Throws(18, seed=6)
    for _ in range(6):
        run_epoch(net, optimizer, throws, 4, record)

if __name__ == "__main__":
    train(lambda parameters: None)
