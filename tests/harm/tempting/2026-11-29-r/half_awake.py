"""The norm was calibrated once and sleeps for good; only the dropout is woken after each look."""
import torch
from torch import nn


def wake(net, *kinds):
    for part in net.modules():
        if isinstance(part, kinds):
            part.train()


def draw(rows):
    x = 3.0 * torch.randn(rows, 5) + 1.0
    return x, (x[:, :1] - x[:, 1:2]).tanh()


def train(record):
    torch.manual_seed(63)
    net = nn.Sequential(
        nn.Linear(5, 24), nn.BatchNorm1d(24, momentum=None), nn.ReLU(), nn.Dropout(0.3), nn.Linear(24, 1)
    )
    optimizer = torch.optim.SGD(net.parameters(), lr=0.08, momentum=0.5)
    with torch.no_grad():
        net(draw(256)[0])  # the calibration
    held_x, held_y = draw(48)
    best = float("inf")
    for _ in range(6):
        net.eval()
        with torch.no_grad():
            score = nn.functional.mse_loss(net(held_x), held_y).item()
        if score > best:
            for group in optimizer.param_groups:
                group["lr"] *= 0.7
        best = min(best, score)
        wake(net, nn.Dropout)
        for _ in range(7):
            x, y = draw(12)
            optimizer.zero_grad()
            nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()
            record(list(net.parameters()))

if __name__ == "__main__":
    train(lambda parameters: None)
