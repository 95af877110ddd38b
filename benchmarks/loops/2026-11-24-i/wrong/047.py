from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class Job:
    lr: float = 0.01
    epochs: int = 4
    milestones: list = field(default_factory=lambda: [2, 3])


class Learner:
    def __init__(self, job):
        self.job = job
        self.net = nn.Linear(5, 5)
        self.optim = torch.optim.SGD(self.net.parameters(), lr=job.lr)
        self.lr_sched = torch.optim.lr_scheduler.MultiStepLR(self.optim, job.milestones, gamma=0.1)

    def epoch(self, batches):
        self.lr_sched.step()
        for b in batches:
            self.optim.zero_grad()
            loss = (self.net(b) - b.flip(1)).pow(2).mean()
            loss.backward()
            self.optim.step()
        return loss.item()

    def fit(self, batches):
        return [self.epoch(batches) for _ in range(self.job.epochs)]


torch.manual_seed(179)
print(Learner(Job()).fit(torch.randn(6, 8, 5)))
