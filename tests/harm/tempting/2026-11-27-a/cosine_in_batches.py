import math
from types import SimpleNamespace

import torch
from torch import nn, optim


class Experiment:
    def __init__(self, cfg):
        self.cfg = cfg
        self.batches = [(torch.randn(8, 5), torch.randint(0, 3, (8,))) for _ in range(cfg.batches)]
        self.net = nn.Sequential(nn.Linear(5, 12), nn.GELU(), nn.Linear(12, 3))
        self.opt = optim.SGD(self.net.parameters(), lr=cfg.lr, momentum=0.9)
        self.horizon = cfg.epochs * len(self.batches)
        self.cosine = optim.lr_scheduler.LambdaLR(self.opt, self.shape)
        self.rates = []

    def shape(self, seen):
        if seen < self.cfg.warm:
            return (seen + 1) / self.cfg.warm
        return 0.5 * (1 + math.cos(math.pi * (seen - self.cfg.warm) / (self.horizon - self.cfg.warm)))

    def one_epoch(self, record):
        self.net.train()
        for i, (x, y) in enumerate(self.batches):
            loss = nn.functional.cross_entropy(self.net(x), y)
            loss.div(self.cfg.accum).backward()
            last = i + 1 == len(self.batches)
            if (i + 1) % self.cfg.accum == 0 or last:
                self.opt.step()
                record(list(self.net.parameters()))
                self.opt.zero_grad(set_to_none=True)
            self.cosine.step()
            self.rates.append(self.cosine.get_last_lr()[0])


def train(record):
    torch.manual_seed(105)
    cfg = SimpleNamespace(epochs=3, batches=11, accum=3, lr=0.1, warm=6)
    experiment = Experiment(cfg)
    for _ in range(cfg.epochs):
        experiment.one_epoch(record)


if __name__ == "__main__":
    train(lambda parameters: None)
