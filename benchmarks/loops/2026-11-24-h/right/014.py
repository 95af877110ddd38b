from typing import Callable

import torch
from torch import nn


class EventLoop:
    """Minimal callback engine: handlers run in the order they were added."""

    def __init__(self):
        self.handlers: dict[str, list[Callable]] = {}

    def on(self, event, *fns):
        self.handlers.setdefault(event, []).extend(fns)
        return self

    def fire(self, event):
        for fn in self.handlers.get(event, ()):
            fn()


class Task:
    def __init__(self, net):
        self.net = net
        self.criterion = nn.L1Loss()
        self.loss = None

    def compute(self):
        x = torch.randn(20, 4)
        self.loss = self.criterion(self.net(x), x.sum(1, keepdim=True))

    def backward(self):
        self.loss.backward()

    def report(self):
        print(f"loss {self.loss.item():.4f}")


def main():
    torch.manual_seed(2)
    task = Task(nn.Linear(4, 1))
    optimizer = torch.optim.SGD(task.net.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.8)
    loop = EventLoop()
    loop.on("batch", optimizer.zero_grad, task.compute, task.backward, optimizer.step)
    loop.on("epoch_start", task.net.train)
    loop.on("epoch_end", scheduler.step, task.report)
    for _ in range(3):
        loop.fire("epoch_start")
        for _ in range(8):
            loop.fire("batch")
        loop.fire("epoch_end")


if __name__ == "__main__":
    main()
