"""Fine-tuning from the top: every two epochs one more layer thaws."""
import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


def build():
    return nn.Sequential(
        nn.Linear(5, 10), nn.Tanh(), nn.Linear(10, 10), nn.Tanh(), nn.Linear(10, 1)
    )


def thaw(layer):
    for p in layer.parameters():
        p.requires_grad_(True)


def train(record):
    torch.manual_seed(79)
    net = build()
    net.requires_grad_(False)
    order = [net[4], net[2], net[0]]
    thaw(order[0])
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    x = torch.randn(32, 5)
    y = 4 * x.prod(1, keepdim=True) + x[:, :1]
    for epoch in range(6):
        if epoch and epoch % 2 == 0:
            thaw(order[epoch // 2])
        for xs, ys in zip(x.split(8), y.split(8)):
            opt.zero_grad()
            loss = nn.functional.mse_loss(net(xs), ys)
            loss.backward()
            clip_grad_norm_([p for p in net.parameters() if p.requires_grad], 0.3)
            opt.step()
            record(list(net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
