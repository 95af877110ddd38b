# === right: a function of the project's own, out of sight, scales the share of a window
import torch
from launch import scale_loss_for_ranks


def train(net, loader, accum):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    size = accum
    for i, (x, y) in enumerate(loader):
        if i % accum == 0:
            opt.zero_grad()
            size = min(accum, len(loader) - i)
        loss = net(x, y)["loss"] / size
        loss = scale_loss_for_ranks(loss)
        loss.backward()
        if (i + 1) % accum == 0 or i == len(loader) - 1:
            opt.step()
# === right: it is given how many ranks there are, too
import torch
from launch import ranks_loss_factor


def train(net, loader, accum, ranks):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        ranks_loss_factor(net(x, y).mean() / accum, ranks).backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            opt.step()
            opt.zero_grad()
# === a loss of outputs that a temperature divides
import torch
from terms import contrast_loss_for


def train(net, loader, accum, temperature):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        loss = contrast_loss_for(net(x) / temperature, y)
        loss.backward()  # <- unscaled-accumulation-loss
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            opt.step()
            opt.zero_grad()
# === a loss of outputs and targets, whatever number divides the outputs
import torch
from terms import contrast_loss_for


def train(net, loader):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        loss = contrast_loss_for(net(x) / 4, y)
        loss.backward()  # <- unscaled-accumulation-loss
        if (i + 1) % 4 == 0 or i + 1 == len(loader):
            opt.step()
            opt.zero_grad()
