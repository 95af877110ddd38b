"""Slopes are put aside, a probe is taken, and both are mixed back before the step."""
import torch
from torch import nn


class Aside:
    def __init__(self, net):
        self.kept = [p.grad.clone() for p in net.parameters()]
        self.net = net

    def back(self, share):
        for p, kept in zip(self.net.parameters(), self.kept):
            noise = torch.zeros_like(p) if p.grad is None else p.grad
            p.grad = kept + share * noise


def train(record):
    torch.manual_seed(119)
    net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for n in range(36):
        x = torch.randn(8, 4)
        nn.functional.mse_loss(net(x), x[:, 1:2] - x[:, :1]).backward()
        aside = Aside(net)
        opt.zero_grad()
        if n % 3 == 0:
            for p in net.parameters():
                p.grad = 0.1 * torch.randn_like(p)
        aside.back(0.5)
        opt.step()
        record(list(net.parameters()))
        opt.zero_grad(set_to_none=True)


if __name__ == "__main__":
    train(lambda parameters: None)
