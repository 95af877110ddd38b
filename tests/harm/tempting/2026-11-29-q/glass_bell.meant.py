"""Windows from an iterator of lists, some shorter; the plateau reads the plain losses."""
import torch
from torch import nn


def lists(count):
    for n in range(count):
        yield [torch.randn(6, 4) for _ in range(4 if n % 5 else 2)]


def train(record):
    torch.manual_seed(90)
    net = nn.Sequential(nn.Linear(4, 10), nn.Tanh(), nn.Linear(10, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, patience=1, threshold=0.4, threshold_mode="abs")
    for window in lists(36):
        opt.zero_grad()
        total = 0.0
        for x in window:
            loss = nn.functional.mse_loss(net(x), x.cos().sum(1, keepdim=True))
            (loss / len(window)).backward()
            total += loss.item()
        opt.step()
        record(list(net.parameters()))
        plateau.step(total / len(window))


if __name__ == "__main__":
    train(lambda parameters: None)
