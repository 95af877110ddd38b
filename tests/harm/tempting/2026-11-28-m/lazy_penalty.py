"""Critic with a lazy gradient penalty: it comes every fourth turn, four times as heavy."""
import torch
from torch import nn

LAZY = 4
GAMMA = 0.5


def penalty(critic, real):
    real = real.detach().requires_grad_(True)
    (slope,) = torch.autograd.grad(critic(real).sum(), real, create_graph=True)
    return slope.pow(2).sum(1).mean()


def train(record):
    torch.manual_seed(19)
    critic = nn.Sequential(nn.Linear(3, 16), nn.Softplus(), nn.Linear(16, 1))
    opt = torch.optim.Adam(critic.parameters(), lr=0.01, betas=(0.0, 0.99))
    for turn in range(20):
        real = torch.randn(12, 3) + 1.0
        fake = torch.randn(12, 3) - 1.0
        opt.zero_grad(set_to_none=True)
        loss = nn.functional.softplus(critic(fake)).mean() + nn.functional.softplus(-critic(real)).mean()
        loss.backward()
        if turn % LAZY == 0:
            (penalty(critic, real) * (GAMMA / 2) * LAZY).backward()
        opt.step()
        record(list(critic.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
