"""A sculptor of point clouds and a judge; the sculptor's gradients are to be held short."""
import torch
from torch import nn
from torch.nn import functional as F


def advance(optimizer, objective, limited=None):
    optimizer.zero_grad()
    value = objective()
    value.backward()
    if limited is not None:
        nn.utils.clip_grad_norm_(limited, 0.02)
    optimizer.step()
    return value.item()


class Judge(nn.Module):
    def __init__(self):
        super().__init__()
        self.point = nn.Linear(2, 12)
        self.verdict = nn.Linear(12, 1)

    def forward(self, cloud):
        return self.verdict(F.relu(self.point(cloud)).amax(1))


def ring(n):
    angle = torch.rand(n, 9, 1) * 6.283
    return torch.cat([angle.cos(), angle.sin()], 2)


def train(record):
    torch.manual_seed(41)
    sculptor = nn.Sequential(nn.Linear(3, 20), nn.ReLU(), nn.Linear(20, 18), nn.Unflatten(1, (9, 2)))
    judge = Judge()
    of_sculptor = torch.optim.SGD(sculptor.parameters(), lr=0.2)
    of_judge = torch.optim.SGD(judge.parameters(), lr=0.2)
    for _ in range(25):
        z = torch.randn(10, 3)
        real, made = ring(10), sculptor(z).detach()
        advance(of_judge, lambda: F.softplus(judge(made)).mean() + F.softplus(-judge(real)).mean())
        record(list(judge.parameters()))
        advance(of_sculptor, lambda: F.softplus(-judge(sculptor(z))).mean(), list(sculptor.parameters()))
        record(list(sculptor.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
