# === a network gets another name where it is put into evaluation mode, in the loop over the data
import torch
from torch.nn import functional as F


def score(model, held_out):
    right = 0
    for x, y in held_out:
        judge = model.eval()
        right += (judge(x).argmax(1) == y).sum().item()  # <- validation-without-no-grad
    return right


def main(model, loader, held_out):
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(9):
        for x, y in loader:
            optimizer.zero_grad()
            model = model.train()
            F.cross_entropy(model(x), y).backward()
            optimizer.step()
        print(score(model, held_out))
# === right: under no_grad
import torch
from torch.nn import functional as F


@torch.no_grad()
def score(model, held_out):
    right = 0
    for x, y in held_out:
        judge = model.eval()
        right += (judge(x).argmax(1) == y).sum().item()
    return right


def main(model, loader, held_out):
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(9):
        for x, y in loader:
            optimizer.zero_grad()
            model = model.train()
            F.cross_entropy(model(x), y).backward()
            optimizer.step()
        print(score(model, held_out))
# === right: the other name is that of a copy, which nothing trains
import copy

import torch
from torch.nn import functional as F


def score(model, held_out):
    right = 0
    judge = copy.deepcopy(model).requires_grad_(False).eval()
    for x, y in held_out:
        right += (judge(x).argmax(1) == y).sum().item()
    return right


def main(model, loader, held_out):
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(9):
        model.train()
        for x, y in loader:
            optimizer.zero_grad()
            F.cross_entropy(model(x), y).backward()
            optimizer.step()
        print(score(model, held_out))
# === right: what it is given wants gradients, and gets them
import torch
from torch.nn import functional as F


def fool(model, held_out):
    right = 0
    for x, y in held_out:
        judge = model.eval()
        x = x.clone().requires_grad_()
        slope = torch.autograd.grad(F.cross_entropy(judge(x), y), x)[0]
        right += slope.abs().max().item()
    return right


def main(model, loader, held_out):
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(9):
        for x, y in loader:
            optimizer.zero_grad()
            model = model.train()
            F.cross_entropy(model(x), y).backward()
            optimizer.step()
        print(fool(model, held_out))
# === its other name is set before the loop over the data
import torch
from torch.nn import functional as F


class Study:
    def __init__(self, net, held_out):
        self.net, self.held_out = net, held_out
        self.optimizer = torch.optim.Adam(net.parameters())

    def study(self, batches):
        for _ in range(9):
            self.net.train()
            for x, y in batches:
                self.optimizer.zero_grad()
                F.mse_loss(self.net(x), y).backward()
                self.optimizer.step()
            asked = self.net.eval()
            total = 0.0
            for x, y in self.held_out:
                total += F.mse_loss(asked(x), y).item()  # <- validation-without-no-grad
            print(total)
