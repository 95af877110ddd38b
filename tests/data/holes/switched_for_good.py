# === gradients are switched off by a helper, for as long as nobody switches them on
import torch
from torch import nn


class Trainer:
    def __init__(self, net, loader, held):
        self.net, self.loader, self.held = net, loader, held
        self.optimizer = torch.optim.SGD(net.parameters(), lr=0.1)

    def mode(self, training):
        if training:
            self.net.train()
            torch.set_grad_enabled(True)
        else:
            self.net.eval()
            torch.set_grad_enabled(False)

    def fit(self, epochs):
        for _ in range(epochs):
            self.mode(True)
            for x, y in self.loader:
                self.optimizer.zero_grad()
                nn.functional.mse_loss(self.net(x), y).backward()
                self.optimizer.step()
            self.mode(False)
            total = 0.0
            for x, y in self.held:
                total += nn.functional.mse_loss(self.net(x), y).item()
            print(total)
# === only the mode is switched, and gradients are switched on
import torch
from torch import nn


class Trainer:
    def __init__(self, net, loader, held):
        self.net, self.loader, self.held = net, loader, held
        self.optimizer = torch.optim.SGD(net.parameters(), lr=0.1)

    def mode(self, training):
        torch.set_grad_enabled(True)
        if training:
            self.net.train()
        else:
            self.net.eval()

    def fit(self, epochs):
        for _ in range(epochs):
            self.mode(True)
            for x, y in self.loader:
                self.optimizer.zero_grad()
                nn.functional.mse_loss(self.net(x), y).backward()
                self.optimizer.step()
            self.mode(False)
            total = 0.0
            for x, y in self.held:
                total += nn.functional.mse_loss(self.net(x), y).item()  # <- validation-without-no-grad
            print(total)
# === `enable_grad` without a `with` switches nothing on
import torch
from torch import nn


def fit(net, loader, held):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(3):
        net.train()
        torch.set_grad_enabled(True)
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()
        net.eval()
        off(net)
        for x, y in held:
            print(nn.functional.mse_loss(net(x), y).item())


def off(net):
    torch.set_grad_enabled(False)
    torch.enable_grad()
