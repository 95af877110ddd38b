"""Sharpness-aware minimisation on two rings."""
import torch
from torch import nn


class SAM:
    def __init__(self, params, rho, **kw):
        self.params = list(params)
        self.base = torch.optim.SGD(self.params, **kw)
        self.rho = rho

    def zero_grad(self):
        self.base.zero_grad()

    @torch.no_grad()
    def climb(self):
        norm = torch.stack([p.grad.norm() for p in self.params]).norm()
        self.shift = [p.grad * (self.rho / (norm + 1e-12)) for p in self.params]
        for p, e in zip(self.params, self.shift):
            p.add_(e)
        self.zero_grad()

    @torch.no_grad()
    def descend(self):
        for p, e in zip(self.params, self.shift):
            p.sub_(e)
        self.base.step()
        self.zero_grad()


def rings(n):
    a = torch.rand(n) * 6.2832
    lab = torch.randint(0, 2, (n,))
    r = 1 + lab + 0.15 * torch.randn(n)
    return torch.stack([r * a.cos(), r * a.sin()], 1), lab


def main():
    torch.manual_seed(0)
    x, y = rings(320)
    net = nn.Sequential(nn.Linear(2, 32), nn.ReLU(), nn.Linear(32, 2))
    sam = SAM(net.parameters(), rho=0.05, lr=0.2, momentum=0.9)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(sam.base, T_max=6)
    ce = nn.CrossEntropyLoss()
    for epoch in range(6):
        for sel in torch.randperm(320).split(40):
            loss = ce(net(x[sel]), y[sel])
            loss.backward()
            sam.climb()
            ce(net(x[sel]), y[sel]).backward()
            sam.descend()
        sched.step()
        print(f"epoch {epoch} loss {loss.item():.4f} lr {sched.get_last_lr()[0]:.3f}")


if __name__ == "__main__":
    main()
