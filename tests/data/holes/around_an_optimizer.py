# === a scaler steps what is around an optimizer, whose own method clears
import torch
from torch import nn


class Lookahead:
    def __init__(self, base, every=4):
        self.base, self.every, self.count = base, every, 0

    @property
    def param_groups(self):
        return self.base.param_groups

    def zero_grad(self):
        self.base.zero_grad()

    def step(self, closure=None):
        loss = self.base.step(closure)
        self.count += 1
        return loss


def train(net, loader, criterion):
    opt = Lookahead(torch.optim.SGD(net.parameters(), lr=0.002, momentum=0.9))
    scaler = torch.amp.GradScaler()
    for x, y in loader:
        with torch.autocast("cuda", dtype=torch.float16):
            loss = criterion(net(x), y)
        opt.zero_grad()
        scaler.scale(loss).backward()
        scaler.unscale_(opt)
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        scaler.step(opt)
        scaler.update()

# === it is stepped past the scaler
import torch
from torch import nn


class Lookahead:
    def __init__(self, base, every=4):
        self.base, self.every, self.count = base, every, 0

    @property
    def param_groups(self):
        return self.base.param_groups

    def zero_grad(self):
        self.base.zero_grad()

    def step(self, closure=None):
        loss = self.base.step(closure)  # <- step-bypasses-scaler
        self.count += 1
        return loss


def fit(net, loader, criterion):
    opt = Lookahead(torch.optim.SGD(net.parameters(), lr=0.002))
    scaler = torch.amp.GradScaler()
    for x, y in loader:
        opt.zero_grad()
        scaler.scale(criterion(net(x), y)).backward()
        opt.step()
        scaler.update()

# === it is clipped in scaled units
import torch
from torch import nn


class Lookahead:
    def __init__(self, base, every=4):
        self.base, self.every, self.count = base, every, 0

    @property
    def param_groups(self):
        return self.base.param_groups

    def zero_grad(self):
        self.base.zero_grad()

    def step(self, closure=None):
        loss = self.base.step(closure)
        self.count += 1
        return loss


def fit(net, loader, criterion):
    opt = Lookahead(torch.optim.SGD(net.parameters(), lr=0.002))
    scaler = torch.amp.GradScaler()
    for x, y in loader:
        opt.zero_grad()
        scaler.scale(criterion(net(x), y)).backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)  # <- clip-scaled-gradients
        scaler.step(opt)
        scaler.update()

# === with a scaler that is off
import torch
from torch import nn


class Lookahead:
    def __init__(self, base, every=4):
        self.base, self.every, self.count = base, every, 0

    @property
    def param_groups(self):
        return self.base.param_groups

    def zero_grad(self):
        self.base.zero_grad()

    def step(self, closure=None):
        loss = self.base.step(closure)
        self.count += 1
        return loss


def fit(net, loader, criterion):
    opt = Lookahead(torch.optim.SGD(net.parameters(), lr=0.002))
    scaler = torch.amp.GradScaler(enabled=False)
    for x, y in loader:
        opt.zero_grad()
        scaler.scale(criterion(net(x), y)).backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        scaler.step(opt)
        scaler.update()
