import math

import torch
from torch import nn


def flush(net, opt, sched, record):
    nn.utils.clip_grad_value_(net.parameters(), 0.5)
    opt.step()
    sched.step()
    record(list(net.parameters()))
    opt.zero_grad()


def make_sched(opt, epochs, batches, accum):
    updates = epochs * math.ceil(batches / accum)
    return torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.05, total_iters=updates)


def train(record):
    torch.manual_seed(211)
    accum, epochs = 3, 3
    net = nn.Sequential(nn.Linear(4, 10), nn.ReLU(), nn.Linear(10, 2))
    opt = torch.optim.SGD(net.parameters(), lr=0.2, momentum=0.8)
    batches = [(torch.randn(6, 4), torch.randint(0, 2, (6,))) for _ in range(8)]
    sched = make_sched(opt, epochs, len(batches), accum)
    for epoch in range(epochs):
        waiting = 0
        for x, y in batches:
            loss = nn.functional.cross_entropy(net(x), y)
            (loss / accum).backward()
            waiting += 1
            if waiting == accum:
                flush(net, opt, sched, record)
                waiting = 0
        if waiting:
            flush(net, opt, sched, record)


if __name__ == "__main__":
    train(lambda parameters: None)
