"""A plain warm-up and a scaled stage share one helper."""
import torch
from torch import nn


def apply(opt, net, record):
    opt.step()
    record(list(net.parameters()))
    opt.zero_grad(set_to_none=True)


def train(record):
    torch.manual_seed(14)
    net = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.05)
    scaler = torch.amp.GradScaler("cpu", init_scale=8.0, growth_interval=5)

    def error():
        x = torch.randn(10, 3)
        return nn.functional.mse_loss(net(x), x[:, :1] - x[:, 1:2])

    for _ in range(8):
        error().backward()
        apply(opt, net, record)
    for _ in range(24):
        scaler.scale(error()).backward()
        apply(opt, net, record)


if __name__ == "__main__":
    train(lambda parameters: None)
