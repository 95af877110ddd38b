"""A penalty whose size follows the unscaled norm has a backward of its own."""
import torch
from torch import nn


def tariff(net, norm):
    return sum(p.abs().sum() for p in net.parameters()) * min(1e-2, 1e-3 * norm)


def train(record):
    torch.manual_seed(110)
    net = nn.Sequential(nn.Linear(5, 9), nn.ReLU(), nn.Linear(9, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cpu", init_scale=1024.0, growth_interval=10)
    for _ in range(32):
        x = torch.randn(12, 5)
        opt.zero_grad()
        scaler.scale(nn.functional.mse_loss(net(x), x[:, :1] * 2)).backward()
        scaler.unscale_(opt)
        norm = torch.stack([p.grad.norm() for p in net.parameters()]).norm().item()
        tariff(net, norm).backward()
        scaler.step(opt)
        record(list(net.parameters()))
        scaler.update()


if __name__ == "__main__":
    train(lambda parameters: None)
