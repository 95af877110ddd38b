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
# === right: a class of one's own around another optimizer
import torch


class Sharp(torch.optim.Optimizer):
    def __init__(self, params, base, rho=0.05, **given):
        super().__init__(params, {"rho": rho, **given})
        self.base = base(self.param_groups, **given)

    def first_step(self, zero_grad=False):
        for group in self.param_groups:
            for p in group["params"]:
                with torch.no_grad():
                    self.state[p]["moved"] = p.grad * group["rho"]
                    p.add_(self.state[p]["moved"])
        if zero_grad:
            self.zero_grad()

    def second_step(self, zero_grad=False):
        for group in self.param_groups:
            for p in group["params"]:
                with torch.no_grad():
                    p.sub_(self.state[p]["moved"])
        self.base.step()
        if zero_grad:
            self.zero_grad()


def train(net, loader, criterion):
    opt = Sharp(net.parameters(), torch.optim.SGD, lr=0.1)
    for x, y in loader:
        for i in range(2):
            loss = criterion(net(x), y)
            opt.zero_grad()
            loss.backward()
            if i == 0:
                opt.first_step(zero_grad=True)
            else:
                opt.second_step(zero_grad=True)
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
