# === two losses go back in a list, and none is divided
import torch
import torch.nn.functional as F


def train(net, loader, parts=4):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for i, (x, y, z) in enumerate(loader):
        kind, size = net(x)
        losses = [F.cross_entropy(kind, y), F.mse_loss(size, z)]
        torch.autograd.backward(losses)  # <- unscaled-accumulation-loss
        if (i + 1) % parts == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === right: two losses go back in a list, each divided
import torch
import torch.nn.functional as F


def train(net, loader, parts=4):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for i, (x, y, z) in enumerate(loader):
        kind, size = net(x)
        losses = [F.cross_entropy(kind, y), F.mse_loss(size, z)]
        torch.autograd.backward([loss / parts for loss in losses])
        if (i + 1) % parts == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === two networks go back together, and the first is never cleared
import torch
import torch.nn.functional as F


def train(one, two, loader):
    first = torch.optim.SGD(one.parameters(), lr=0.1)
    second = torch.optim.SGD(two.parameters(), lr=0.1)
    for x, y in loader:
        torch.autograd.backward([F.mse_loss(one(x), y), F.mse_loss(two(x), y)])
        first.step()  # <- missing-zero-grad
        second.step()
        second.zero_grad()
# === right: two networks go back together, and both are cleared
import torch
import torch.nn.functional as F


def train(one, two, loader):
    first = torch.optim.SGD(one.parameters(), lr=0.1)
    second = torch.optim.SGD(two.parameters(), lr=0.1)
    for x, y in loader:
        torch.autograd.backward([F.mse_loss(one(x), y), F.mse_loss(two(x), y)])
        first.step()
        second.step()
        first.zero_grad()
        second.zero_grad()
# === right: shares are given to the backward
import torch
import torch.nn.functional as F


def train(net, loader, parts=4):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    share = torch.tensor(1 / parts)
    for i, (x, y, z) in enumerate(loader):
        kind, size = net(x)
        losses = [F.cross_entropy(kind, y), F.mse_loss(size, z)]
        torch.autograd.backward(losses, grad_tensors=[share, share])
        if (i + 1) % parts == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
