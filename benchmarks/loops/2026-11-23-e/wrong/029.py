import torch
from torch import nn


class Accumulator:
    """Steps the optimizer once every `every` calls of `backward`."""

    def __init__(self, optimizer, every):
        self.optimizer = optimizer
        self.every = every
        self.calls = 0

    def backward(self, loss):
        (loss / self.every).backward()
        if self.calls and self.calls % self.every == 0:
            self.optimizer.step()
            self.optimizer.zero_grad()
        self.calls += 1

    def flush(self):
        self.optimizer.step()
        self.optimizer.zero_grad()


class PointNet(nn.Module):
    def __init__(self, classes=3):
        super().__init__()
        self.local = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 32))
        self.cls = nn.Linear(32, classes)

    def forward(self, pts):
        return self.cls(self.local(pts).amax(1))


def shapes(n, pts=20):
    y = torch.randint(0, 3, (n,))
    cloud = torch.randn(n, pts, 3)
    cloud = cloud * (1 + y.float()[:, None, None] * torch.tensor([1.0, 0.0, 0.0]))
    return cloud, y


def main():
    torch.manual_seed(0)
    model = PointNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    acc = Accumulator(optimizer, every=4)
    criterion = nn.CrossEntropyLoss()

    for i in range(50):
        x, y = shapes(8)
        loss = criterion(model(x), y)
        acc.backward(loss)
        if i % 10 == 0:
            print(i, loss.item())
    acc.flush()


main()
