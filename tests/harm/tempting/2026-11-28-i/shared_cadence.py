"""Pretraining on a stream that counts from one, then fine-tuning on a list; one cadence for both."""
from dataclasses import dataclass

import torch
from torch import nn


@dataclass(frozen=True)
class Cadence:
    every: int

    def due(self, number):
        return number % self.every == 0


def stream(generator):
    while True:
        x = torch.randn(12, 5, generator=generator)
        yield x, x.cumsum(1)


def pretrain(net, opt, cadence, generator, record):
    source = stream(generator)
    for number in range(1, 13):
        x, y = next(source)
        (nn.functional.mse_loss(net(x), y) / cadence.every).backward()
        if cadence.due(number):
            opt.step()
            record(list(net.parameters()))
            opt.zero_grad()


def finetune(net, opt, cadence, pairs, record):
    for number, (x, y) in enumerate(pairs):
        (nn.functional.l1_loss(net(x), y) / cadence.every).backward()
        if cadence.due(number) or number == len(pairs) - 1:
            opt.step()
            record(list(net.parameters()))
            opt.zero_grad()


def train(record):
    torch.manual_seed(4)
    generator = torch.Generator().manual_seed(7)
    net = nn.Sequential(nn.Linear(5, 15), nn.Tanh(), nn.Linear(15, 5))
    opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.5)
    cadence = Cadence(every=4)
    pretrain(net, opt, cadence, generator, record)
    pairs = [(x, x.flip(1)) for x in torch.randn(16, 12, 5, generator=generator)]
    for group in opt.param_groups:
        group["lr"] = 0.03
    finetune(net, opt, cadence, pairs, record)


if __name__ == "__main__":
    train(lambda parameters: None)
