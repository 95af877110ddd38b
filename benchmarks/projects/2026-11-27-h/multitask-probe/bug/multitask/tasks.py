from abc import ABC, abstractmethod

import torch
from torch.nn import functional as F


class Task(ABC):
    weight: float = 1.0

    @abstractmethod
    def loss(self, net, x, y): ...

    def contribute(self, net, x, y, scale):
        loss = self.weight * self.loss(net, x, y)
        scale(loss).backward()
        return loss.item()


class Classify(Task):
    def loss(self, net, x, y):
        return F.cross_entropy(net.classify(net.trunk(x)), y)


class Restore(Task):
    weight = 0.5

    def __init__(self, noise=0.3):
        self.noise = noise

    def loss(self, net, x, y):
        noisy = x + self.noise * torch.randn_like(x)
        return F.mse_loss(net.restore(net.trunk(noisy)), x)

    def contribute(self, net, x, y, scale):
        losses = []
        for _ in range(2):
            loss = self.weight * self.loss(net, x, y) / 2
            loss.backward()
            losses.append(loss.item())
        return sum(losses)
