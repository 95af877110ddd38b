"""Rungs of the ladder thaw one after the other."""
import torch
from torch import nn


class Ladder(nn.Module):
    def __init__(self, rungs):
        super().__init__()
        self.rungs = nn.ModuleList(nn.Linear(6, 6) for _ in range(rungs))
        self.top = nn.Linear(6, 1)
        self.rungs.requires_grad_(False)

    @property
    def awake(self):
        return filter(lambda p: p.requires_grad, self.parameters())

    def thaw(self, number):
        self.rungs[number].requires_grad_(True)
        return self.rungs[number].parameters()

    def forward(self, x):
        for rung in self.rungs:
            x = x + torch.relu(rung(x))
        return self.top(x)


def train(record):
    torch.manual_seed(80)
    ladder = Ladder(3)
    optimizer = torch.optim.SGD(ladder.awake, lr=0.1)
    print(sum(p.numel() for p in ladder.awake), "parameters to begin with")
    x = torch.randn(64, 6)
    y = 4 * x.cumsum(1)[:, -1:].cos()
    for step in range(36):
        if step in (9, 18, 27):
            fresh = ladder.thaw(3 - step // 9)
            optimizer.add_param_group({"params": list(fresh), "lr": 0.03})
        rows = torch.randint(0, 64, (16,))
        optimizer.zero_grad()
        nn.functional.mse_loss(ladder(x[rows]), y[rows]).backward()
        nn.utils.clip_grad_norm_(ladder.awake, 1.0)
        optimizer.step()
        record(list(ladder.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
