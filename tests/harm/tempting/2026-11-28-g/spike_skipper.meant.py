import torch
from torch import nn


def heavy_tailed(batches, size, width):
    for _ in range(batches):
        x = torch.randn(size, width)
        y = x.sin().sum(1, keepdim=True)
        if torch.rand(()) < 0.25:
            y = y + 20 * torch.randn(size, 1)
        yield x, y


def step(net, opt, loss, record):
    opt.zero_grad()
    loss.backward()
    opt.step()
    record(list(net.parameters()))


def train(record):
    torch.manual_seed(97)
    net = nn.Sequential(nn.Linear(3, 14), nn.Tanh(), nn.Linear(14, 1))
    opt = torch.optim.Adam(net.parameters(), lr=1e-2)
    smoothed = None
    for epoch in range(3):
        skipped = 0
        for x, y in heavy_tailed(8, 12, 3):
            loss = nn.functional.mse_loss(net(x), y)
            spike = smoothed is not None and bool(loss.detach() > 4 * smoothed.detach())
            if spike or not torch.isfinite(loss):
                skipped += 1
                continue
            step(net, opt, loss, record)
            smoothed = loss.detach() if smoothed is None else 0.9 * smoothed + 0.1 * loss.detach()
        print(epoch, skipped, smoothed.sqrt().item())


if __name__ == "__main__":
    train(lambda parameters: None)
