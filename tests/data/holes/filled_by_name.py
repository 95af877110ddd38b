# === a switch on the way weights are filled is none of those that scenarios are spent on
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.cfg = cfg
        self.fc = nn.Linear(8, 1)
        self.fill(self.fc)

    def fill(self, module):
        if self.cfg.first == "plain":
            getattr(nn.init, self.cfg.first_fill)(module.weight)
        if self.cfg.second == "plain":
            getattr(nn.init, self.cfg.second_fill)(module.weight)
        if self.cfg.third == "plain":
            getattr(nn.init, self.cfg.third_fill)(module.weight)
        if self.cfg.fourth == "plain":
            getattr(torch.nn.init, self.cfg.fourth_fill)(module.bias)
        if self.cfg.fifth == "plain":
            getattr(torch.nn.init, self.cfg.fifth_fill)(module.bias)
        if self.cfg.sixth == "plain":
            getattr(torch.nn.init, self.cfg.sixth_fill)(module.bias)
        if self.cfg.seventh == "plain":
            getattr(torch.nn.init, self.cfg.seventh_fill)(module.bias)

    def forward(self, x):
        return self.fc(x)


class Trainer:
    def __init__(self, cfg):
        self.net = Net(cfg)
        self.optimizer = torch.optim.AdamW(self.net.parameters())

    def step(self):
        self.optimizer.step()

    def fit(self, loader, cfg, log):
        for x in loader:
            log("step")
            self.optimizer.zero_grad()
            loss = self.net(x).mean()
            if cfg.careful:
                loss.backward()
                nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
            else:
                nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)  # <- clip-before-backward
                loss.backward()
            self.step()


# === right: no way of filling weights changes a loop
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.fc = nn.Linear(8, 1)
        if cfg.kind == "orthogonal":
            getattr(nn.init, "orthogonal_")(self.fc.weight)
        else:
            getattr(nn.init, cfg.kind)(self.fc.weight)

    def forward(self, x):
        return self.fc(x)


def fit(loader, cfg, name="step"):
    net = Net(cfg)
    optimizer = torch.optim.AdamW(net.parameters())
    for x in loader:
        optimizer.zero_grad()
        net(x).mean().backward()
        optimizer.step()
