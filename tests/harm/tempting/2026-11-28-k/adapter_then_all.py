"""Adapters first, then everything; the trainable weights are what requires a gradient."""
import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


class Block(nn.Module):
    def __init__(self, width, rank=2):
        super().__init__()
        self.full = nn.Linear(width, width)
        self.low = nn.Sequential(nn.Linear(width, rank, bias=False), nn.Linear(rank, width, bias=False))
        nn.init.zeros_(self.low[1].weight)

    def forward(self, x):
        return torch.relu(self.full(x) + self.low(x))


def freeze(net):
    for block in net[:-1]:
        block.full.requires_grad_(False)


def melt(net, optimizer, lr):
    added = [block.full for block in net[:-1]]
    for layer in added:
        layer.requires_grad_(True)
        optimizer.add_param_group({"params": list(layer.parameters()), "lr": lr})


def train(record, epochs=5, melt_at=2, max_norm=0.2):
    torch.manual_seed(18)
    net = nn.Sequential(Block(8), Block(8), nn.Linear(8, 1))
    freeze(net)
    trainable = filter(lambda p: p.requires_grad, net.parameters())
    optimizer = torch.optim.SGD(trainable, lr=0.02, momentum=0.8)
    x = torch.randn(60, 8)
    y = 3 * x[:, :1].abs() + x[:, 1:2]
    for epoch in range(epochs):
        if epoch == melt_at:
            melt(net, optimizer, lr=0.01)
        total = 0.0
        for rows in torch.randperm(len(x)).split(12):
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(net(x[rows]), y[rows])
            loss.backward()
            clip_grad_norm_(trainable, max_norm)
            optimizer.step()
            record(list(net.parameters()))
            total += loss.item()
        print(epoch, f"{total / 5:.4f}")


if __name__ == "__main__":
    train(lambda parameters: None)
