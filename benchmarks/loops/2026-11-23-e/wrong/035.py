from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class Schedule:
    warmup: int = 4
    total: int = 16


@dataclass
class Config:
    world: int = 1
    global_batch: int = 32
    micro_batch: int = 4
    lr: float = 0.02
    schedule: Schedule = field(default_factory=Schedule)

    @property
    def accumulation(self):
        return self.global_batch // (self.micro_batch * self.world)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inp = nn.Linear(5, 20)
        self.hid = nn.Linear(20, 20)
        self.out = nn.Linear(20, 1)

    def forward(self, x):
        h = torch.relu(self.inp(x))
        h = h + torch.relu(self.hid(h))
        return self.out(h)


def sample(n):
    x = torch.rand(n, 5) * 2 - 1
    return x, (x ** 2).sum(-1, keepdim=True)


def main(cfg=Config()):
    torch.manual_seed(0)
    net = Net()
    opt = torch.optim.SGD(net.parameters(), lr=cfg.lr, momentum=0.9)

    def factor(s):
        return min((s + 1) / cfg.schedule.warmup, max(0.1, 1 - s / cfg.schedule.total))

    sched = torch.optim.lr_scheduler.LambdaLR(opt, factor)
    for update in range(cfg.schedule.total):
        opt.zero_grad()
        for _ in range(cfg.accumulation):
            x, y = sample(cfg.micro_batch)
            loss = nn.functional.l1_loss(net(x), y) / cfg.accumulation
            loss.backward()
            sched.step()
        opt.step()
        if update % 4 == 0:
            print(update, loss.item() * cfg.accumulation, sched.get_last_lr()[0])


if __name__ == "__main__":
    main()
