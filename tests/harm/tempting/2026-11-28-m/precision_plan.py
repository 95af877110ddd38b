"""One trainer for three precisions; the plan knows which of them needs a loss scale."""
from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class Plan:
    precision: str = "bf16"
    lr: float = 0.05
    limit: float = 1.0
    types: dict = field(default_factory=lambda: {"fp16": torch.float16, "bf16": torch.bfloat16})

    @property
    def dtype(self):
        return self.types.get(self.precision)

    @property
    def scaled(self):
        return self.dtype is torch.float16


class Runner:
    def __init__(self, plan):
        self.plan = plan
        self.net = nn.Sequential(nn.Linear(4, 8), nn.GELU(), nn.Linear(8, 1))
        self.opt = torch.optim.SGD(self.net.parameters(), lr=plan.lr)
        self.scaler = torch.amp.GradScaler("cpu", enabled=plan.scaled)

    def turn(self, x, y):
        self.opt.zero_grad()
        with torch.autocast("cpu", dtype=self.plan.dtype, enabled=self.plan.dtype is not None):
            out = self.net(x)
        loss = nn.functional.mse_loss(out.float(), y)
        self.scaler.scale(loss).backward()
        self.scaler.unscale_(self.opt)
        nn.utils.clip_grad_norm_(self.net.parameters(), self.plan.limit)
        self.scaler.step(self.opt)
        self.scaler.update()
        return list(self.net.parameters())


def train(record):
    torch.manual_seed(13)
    runner = Runner(Plan())
    for _ in range(15):
        x = torch.randn(8, 4)
        record(runner.turn(x, x.prod(1, keepdim=True)))


if __name__ == "__main__":
    train(lambda parameters: None)
