import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class SAM:
    """Sharpness-aware minimisation around a base optimizer."""

    def __init__(self, params, base, rho=0.05):
        self.params = list(params)
        self.base = base
        self.rho = rho
        self.eps = {}

    @torch.no_grad()
    def ascend(self):
        norm = torch.stack([p.grad.norm() for p in self.params]).norm()
        for p in self.params:
            e = p.grad * (self.rho / (norm + 1e-12))
            p.add_(e)
            self.eps[p] = e
        self.base.zero_grad()

    @torch.no_grad()
    def descend(self):
        for p in self.params:
            p.sub_(self.eps.pop(p))
        self.base.step()
        self.base.zero_grad()


def main():
    torch.manual_seed(0)
    x = torch.randn(200, 8)
    y = (x[:, 0] + x[:, 1] * x[:, 2] > 0).long()
    loader = DataLoader(TensorDataset(x, y), batch_size=25, shuffle=True)
    model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 2))
    base = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    sam = SAM(model.parameters(), base)
    ce = nn.CrossEntropyLoss()

    for epoch in range(4):
        model.train()
        total = 0.0
        for xb, yb in loader:
            loss = ce(model(xb), yb)
            loss.backward()
            sam.ascend()

            ce(model(xb), yb).backward()
            sam.descend()
            total += loss.item()
        print(epoch, total / len(loader))


if __name__ == "__main__":
    main()
