from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class Experiment:
    width: int = 24
    epochs: int = 5
    lr: float = 0.2
    log: list = field(default_factory=list)

    def __post_init__(self):
        self.net = nn.Sequential(nn.Linear(8, self.width), nn.Tanh(), nn.Linear(self.width, 8))
        self.sgd = torch.optim.SGD(self.net.parameters(), lr=self.lr)
        self.schedule = torch.optim.lr_scheduler.MultiStepLR(self.sgd, milestones=[2, 4], gamma=0.1)

    def train(self, batches):
        for epoch in range(self.epochs):
            acc = 0.0
            for x in batches:
                self.sgd.zero_grad()
                loss = nn.functional.mse_loss(self.net(x), x.roll(1, dims=1))
                loss.backward()
                self.sgd.step()
                acc += loss.item()
            self.schedule.step
            self.log.append((epoch, acc / len(batches), self.sgd.param_groups[0]["lr"]))
        return self.log


torch.manual_seed(43)
for row in Experiment().train([torch.randn(20, 8) for _ in range(8)]):
    print(*row)
