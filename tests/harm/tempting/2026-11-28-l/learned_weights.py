"""Weights of the groups are learned from how a look-ahead network does on held-out batches."""
import torch
from torch import nn
from torch.func import functional_call
from torch.nn import functional as F

AHEAD = 0.3


def group_loss(net, weights, x, y, group):
    each = F.mse_loss(net(x), y, reduction="none").squeeze(1)
    return (torch.softmax(weights, 0)[group] * each).mean() * len(weights)


def validate(net, held, params):
    net.eval()
    total = 0.0
    for x, y in held:
        total = total + F.mse_loss(functional_call(net, params, (x,)), y)
    return total / len(held)


def train(record):
    torch.manual_seed(12)
    net = nn.Sequential(nn.Linear(4, 12), nn.Tanh(), nn.Dropout(0.2), nn.Linear(12, 1))
    weights = torch.zeros(3, requires_grad=True)
    inner, outer = torch.optim.SGD(net.parameters(), lr=0.1), torch.optim.Adam([weights], lr=0.05)
    held = [(x, x.sum(1, keepdim=True)) for x in torch.randn(3, 16, 4)]
    for _ in range(12):
        x, group = torch.randn(24, 4), torch.randint(3, (24,))
        y = x.sum(1, keepdim=True) + (group == 2).float().unsqueeze(1) * 3 * torch.randn(24, 1)
        net.train()
        named = dict(net.named_parameters())
        loss = group_loss(net, weights, x, y, group)
        grads = torch.autograd.grad(loss, list(named.values()), create_graph=True)
        ahead = {name: p - AHEAD * g for (name, p), g in zip(named.items(), grads)}
        outer.zero_grad()
        validate(net, held, ahead).backward(inputs=[weights])
        outer.step()
        record([weights])
        net.train()
        inner.zero_grad()
        group_loss(net, weights.detach(), x, y, group).backward()
        inner.step()
        record(list(net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
