"""Sharpness-aware minimisation: two passes, the first only moves the weights uphill."""
import torch
import torch.nn as nn


class SAM:
    def __init__(self, params, base, rho=0.05):
        self.params = list(params)
        self.base = base
        self.rho = rho
        self.kept = {}

    @torch.no_grad()
    def ascend(self):
        norm = torch.stack([p.grad.norm() for p in self.params]).norm() + 1e-12
        for p in self.params:
            self.kept[p] = p.detach().clone()
            p.add_(p.grad, alpha=float(self.rho / norm))
        self.zero_grad()

    @torch.no_grad()
    def descend(self):
        for p in self.params:
            p.copy_(self.kept[p])
        self.base.step()
        self.zero_grad()

    def zero_grad(self):
        self.base.zero_grad()


def main():
    torch.manual_seed(14)
    x = torch.randn(72, 6)
    y = (x[:, :2].prod(1) > 0).long()
    net = nn.Sequential(nn.Linear(6, 24), nn.Tanh(), nn.Linear(24, 2))
    sgd = torch.optim.SGD(net.parameters(), lr=0.2, momentum=0.9)
    sam = SAM(net.parameters(), sgd)
    cosine = torch.optim.lr_scheduler.CosineAnnealingLR(sgd, 5)
    ce = nn.CrossEntropyLoss()
    for epoch in range(5):
        total = 0.0
        for xb, yb in zip(x.chunk(6), y.chunk(6)):
            first = ce(net(xb), yb)
            first.backward()
            sam.ascend()
            ce(net(xb), yb).backward()
            sam.descend()
            total += first.item()
        cosine.step()
    print("loss", round(total / 6, 4))


if __name__ == "__main__":
    main()
