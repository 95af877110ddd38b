"""Weights of the training samples' groups are learned from what they do to the validation."""
import torch
from torch import nn
from torch.func import functional_call
from torch.nn import functional as F


def look_ahead(net, x, y, group, mix, lr):
    weights = dict(net.named_parameters())
    each = F.mse_loss(net(x), y, reduction="none").squeeze(1)
    loss = (each * torch.softmax(mix, 0)[group]).mean()
    grads = torch.autograd.grad(loss, list(weights.values()), create_graph=True)
    return {k: w - lr * g for (k, w), g in zip(weights.items(), grads)}


def validate(net, weights, held):
    net.eval()
    total = 0.0
    for x, y in held:
        total = total + F.mse_loss(functional_call(net, weights, x), y)
    net.train()
    return total / len(held)


def train(record):
    torch.manual_seed(53)
    net = nn.Sequential(nn.Linear(3, 10), nn.Tanh(), nn.Dropout(0.1), nn.Linear(10, 1))
    mix = torch.zeros(2, requires_grad=True)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    outer = torch.optim.Adam([mix], lr=0.1)
    held = [(x, x.sum(1, keepdim=True)) for x in torch.randn(3, 8, 3)]
    for _ in range(10):
        x = torch.randn(12, 3)
        group = torch.randint(0, 2, (12,))
        y = torch.where(group[:, None] == 0, x.sum(1, keepdim=True), torch.randn(12, 1))
        outer.zero_grad()
        (mix.grad,) = torch.autograd.grad(validate(net, look_ahead(net, x, y, group, mix, 0.1), held), mix)
        outer.step()
        record([mix])
        opt.zero_grad()
        each = F.mse_loss(net(x), y, reduction="none").squeeze(1)
        (each * torch.softmax(mix.detach(), 0)[group]).mean().backward()
        opt.step()
        record(list(net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
