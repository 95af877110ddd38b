"""A filter over what is trainable; the embedding thaws in the middle."""
import torch
from torch import nn


def trainable(net):
    return filter(lambda p: p.requires_grad, net.parameters())


def train(record):
    torch.manual_seed(3)
    net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
    net[0].weight.requires_grad_(False)
    net[0].bias.requires_grad_(False)
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    for turn in range(40):
        if turn == 15:
            net[0].requires_grad_(True)
        x = torch.randn(8, 4)
        y = 5 * x.sum(1, keepdim=True)
        opt.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        nn.utils.clip_grad_norm_(trainable(net), 1.0)
        opt.step()
        record(list(net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
