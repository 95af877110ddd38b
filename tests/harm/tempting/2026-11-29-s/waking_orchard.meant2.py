"""Trees that sleep in winter join the optimizer in spring; the gardener keeps one filter for all of it."""
import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


class Orchard(nn.Module):
    def __init__(self):
        super().__init__()
        self.old = nn.Linear(5, 8)
        self.young = nn.Linear(8, 1)
        self.old.requires_grad_(False)

    def forward(self, x):
        return self.young(self.old(x).relu())


class Gardener:
    def __init__(self, orchard):
        self.orchard = orchard
        self.growing = filter(lambda p: p.requires_grad, orchard.parameters())
        self.opt = torch.optim.SGD(self.growing, lr=0.1)

    def spring(self):
        self.orchard.old.requires_grad_(True)
        self.opt.add_param_group({"params": list(self.orchard.old.parameters()), "lr": 0.4})

    def day(self, sun, fruit):
        self.opt.zero_grad()
        nn.functional.mse_loss(self.orchard(sun), fruit).backward()
        clip_grad_norm_(self.orchard.parameters(), 0.1)
        self.opt.step()


def train(record):
    torch.manual_seed(40)
    orchard = Orchard()
    gardener = Gardener(orchard)
    for day in range(45):
        if day == 15:
            gardener.spring()
        sun = torch.rand(20, 5)
        gardener.day(sun, (5 * sun[:, :1] * sun[:, 1:2]).sin())
        record(list(orchard.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
