"""Curriculum by difficulty; a level that has no examples yet is passed over."""
import torch
from torch import nn


def puzzles(n=90):
    x = torch.randn(n, 6)
    level = (x.abs().sum(1) - 2).clamp(0, 5).long()
    return x, x.prod(1, keepdim=True).tanh(), level


class Solver(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Sequential(nn.Linear(6, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh())
        self.outer = nn.Linear(32, 1)

    def forward(self, x):
        return self.outer(self.inner(x))


def chosen(level, epoch):
    """Two epochs for each level, and a bit of everything below it."""
    wanted = epoch // 2
    if not (level == wanted).any():
        return None
    return torch.nonzero(level <= wanted).flatten()


def train(record, epochs=10):
    torch.manual_seed(16)
    x, y, level = puzzles()
    keep = level != 1
    x, y, level = x[keep], y[keep], level[keep]
    net = Solver()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.2, momentum=0.9)
    decay = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.75)
    for epoch in range(epochs):
        decay.step()
        rows = chosen(level, epoch)
        if rows is None:
            print(epoch, "passed over")
            continue
        rows = rows[torch.randperm(len(rows))]
        for part in rows.split(12):
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(net(x[part]), y[part])
            loss.backward()
            optimizer.step()
            record(list(net.parameters()))
        print(epoch, len(rows), f"{loss.item():.4f}", f"{decay.get_last_lr()[0]:.4f}")


if __name__ == "__main__":
    train(lambda parameters: None)
