# === right: both halves of an update in one loop
import torch
from sam import SAM


def train(net, loader, criterion):
    opt = SAM(net.parameters(), torch.optim.SGD, lr=0.1)
    for x, y in loader:
        for i in range(2):
            loss = criterion(net(x), y)
            opt.zero_grad()
            loss.backward()
            if i == 0:
                opt.first_step(zero_grad=True)
            else:
                opt.second_step(zero_grad=True)
# === right: the second half clears at its head
import torch
from sam import SAM


def train(net, loader, criterion):
    opt = SAM(net.parameters(), torch.optim.SGD, lr=0.1)
    for x, y in loader:
        for half in range(2):
            opt.zero_grad()
            criterion(net(x), y).backward()
            if half == 0:
                opt.first_step()
            else:
                opt.second_step()
# === another optimizer clears in each of two turns, and steps in the second
import torch


def train(net, loader, criterion):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in loader:
        for i in range(2):
            loss = criterion(net(x[i::2]), y[i::2]) / 2
            opt.zero_grad()  # <- zero-grad-in-accumulation
            loss.backward()
            if i == 1:
                opt.step()
