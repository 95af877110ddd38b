import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Accumulated(nn.Module):
    def __init__(self, inner, parts):
        super().__init__()
        self.inner = inner
        self.parts = parts

    def forward(self, out, target):
        return self.inner(out, target) / self.parts


def fit(net, loader, parts, epochs):
    criterion = Accumulated(nn.MSELoss(), parts)
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
    for epoch in range(1, epochs + 1):
        total = 0.0
        for n, (x, y) in enumerate(loader, 1):
            loss = criterion(net(x), y)
            loss.backward()
            total += loss.item()
            if n % parts == 0 or n == len(loader):
                optimizer.step()
                optimizer.zero_grad()
        print(epoch, total * parts / n)


if __name__ == "__main__":
    x = torch.randn(100, 5)
    fit(nn.Linear(5, 1), DataLoader(TensorDataset(x, x.sum(1, keepdim=True)), 10, shuffle=True), parts=3, epochs=3)
