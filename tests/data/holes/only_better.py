# === only a network that is better goes back to training
import torch
from torch import nn


def score(net, batches):
    net.eval()
    with torch.no_grad():
        return sum((net(x) - y).abs().mean().item() for x, y in batches) / len(batches)


def fit(net, train, val, epochs, patience):
    opt = torch.optim.Adam(net.parameters())
    best, waited = float("inf"), 0
    net.train()
    for epoch in range(epochs):
        for x, y in train:
            opt.zero_grad()
            nn.functional.mse_loss(net(x), y).backward()
            opt.step()
        value = score(net, val)  # <- missing-train-mode
        if value < best:
            best, waited = value, 0
            net.train()
# === the same under a flag
import torch
from torch import nn


def score(net, batches):
    net.eval()
    with torch.no_grad():
        return sum((net(x) - y).abs().mean().item() for x, y in batches) / len(batches)


def fit(net, train, val, epochs, patience):
    opt = torch.optim.Adam(net.parameters())
    best, waited = float("inf"), 0
    net.train()
    for epoch in range(epochs):
        for x, y in train:
            opt.zero_grad()
            nn.functional.mse_loss(net(x), y).backward()
            opt.step()
        value = score(net, val)  # <- missing-train-mode
        improved = value < best
        if improved:
            best = value
            torch.save(net.state_dict(), "best.pt")
            net.train()
# === one that is not better is left as it is
import torch
from torch import nn


def score(net, batches):
    net.eval()
    with torch.no_grad():
        return sum((net(x) - y).abs().mean().item() for x, y in batches) / len(batches)


def fit(net, train, val, epochs, patience):
    opt = torch.optim.Adam(net.parameters())
    best, waited = float("inf"), 0
    net.train()
    for epoch in range(epochs):
        for x, y in train:
            opt.zero_grad()
            nn.functional.mse_loss(net(x), y).backward()
            opt.step()
        value = score(net, val)  # <- missing-train-mode
        if not value < best:
            continue
        best = value
        net.train()
# === only in the other branch
import torch
from torch import nn


def score(net, batches):
    net.eval()
    with torch.no_grad():
        return sum((net(x) - y).abs().mean().item() for x, y in batches) / len(batches)


def fit(net, train, val, epochs, patience):
    opt = torch.optim.Adam(net.parameters())
    best, waited = float("inf"), 0
    net.train()
    for epoch in range(epochs):
        for x, y in train:
            opt.zero_grad()
            nn.functional.mse_loss(net(x), y).backward()
            opt.step()
        value = score(net, val)  # <- missing-train-mode
        if value >= best:
            waited += 1
            if waited > patience:
                break
        else:
            best = value
            net.train()
# === in a method that leaves before it
import torch
from torch import nn


class Runner:
    def __init__(self, net, patience):
        self.net = net
        self.optimizer = torch.optim.Adam(net.parameters())
        self.patience, self.waited = patience, 0
        self.best = float("inf")

    def keep(self, value):
        if value >= self.best:
            self.waited += 1
            return False
        self.best = value
        torch.save(self.net.state_dict(), "best.pt")
        self.net.train()
        return True

    def run(self, train, held_out, epochs):
        for epoch in range(epochs):
            for x, y in train:
                self.optimizer.zero_grad()
                nn.functional.l1_loss(self.net(x), y).backward()
                self.optimizer.step()
            self.net.eval()  # <- missing-train-mode
            with torch.no_grad():
                value = nn.functional.l1_loss(self.net(held_out[0]), held_out[1]).item()
            print(epoch, self.keep(value))
# === right: either way, behind it
import torch
from torch import nn


def score(net, batches):
    net.eval()
    with torch.no_grad():
        return sum((net(x) - y).abs().mean().item() for x, y in batches) / len(batches)


def fit(net, train, val, epochs, patience):
    opt = torch.optim.Adam(net.parameters())
    best, waited = float("inf"), 0
    net.train()
    for epoch in range(epochs):
        for x, y in train:
            opt.zero_grad()
            nn.functional.mse_loss(net(x), y).backward()
            opt.step()
        value = score(net, val)
        if value < best:
            best = value
            net.train()
        net.train()
# === right: in both branches
import torch
from torch import nn


def score(net, batches):
    net.eval()
    with torch.no_grad():
        return sum((net(x) - y).abs().mean().item() for x, y in batches) / len(batches)


def fit(net, train, val, epochs, patience):
    opt = torch.optim.Adam(net.parameters())
    best, waited = float("inf"), 0
    net.train()
    for epoch in range(epochs):
        for x, y in train:
            opt.zero_grad()
            nn.functional.mse_loss(net(x), y).backward()
            opt.step()
        value = score(net, val)
        if value < best:
            best = value
            torch.save(net.state_dict(), "best.pt")
            net.train()
        else:
            waited += 1
            net.train()
# === right: where it is not better, training ends
import torch
from torch import nn


def score(net, batches):
    net.eval()
    with torch.no_grad():
        return sum((net(x) - y).abs().mean().item() for x, y in batches) / len(batches)


def fit(net, train, val, epochs, patience):
    opt = torch.optim.Adam(net.parameters())
    best, waited = float("inf"), 0
    net.train()
    for epoch in range(epochs):
        for x, y in train:
            opt.zero_grad()
            nn.functional.mse_loss(net(x), y).backward()
            opt.step()
        value = score(net, val)
        if value >= best:
            break
        best = value
        net.train()
# === right: behind what counts
import torch
from torch import nn


def score(net, batches):
    net.eval()
    with torch.no_grad():
        return sum((net(x) - y).abs().mean().item() for x, y in batches) / len(batches)


def fit(net, train, val, epochs, patience):
    opt = torch.optim.Adam(net.parameters())
    best, waited = float("inf"), 0
    net.train()
    for epoch in range(epochs):
        for x, y in train:
            opt.zero_grad()
            nn.functional.mse_loss(net(x), y).backward()
            opt.step()
        value = score(net, val)
        if value >= best:
            waited += 1
            if waited > patience:
                break
        net.train()
# === right: in each branch that goes on
import torch
from torch import nn


def score(net, batches):
    net.eval()
    with torch.no_grad():
        return sum((net(x) - y).abs().mean().item() for x, y in batches) / len(batches)


def fit(net, train, val, epochs, patience):
    opt = torch.optim.Adam(net.parameters())
    best, waited = float("inf"), 0
    net.train()
    for epoch in range(epochs):
        for x, y in train:
            opt.zero_grad()
            nn.functional.mse_loss(net(x), y).backward()
            opt.step()
        value = score(net, val)
        if value < best:
            best = value
            net.train()
        elif epoch > 3:
            return best
        else:
            net.train()
# === right: one that is better is looked at once more
import torch
from torch import nn


def score(net, batches):
    net.eval()
    with torch.no_grad():
        return sum((net(x) - y).abs().mean().item() for x, y in batches) / len(batches)


def fit(net, train, val, epochs, patience):
    opt = torch.optim.Adam(net.parameters())
    best, waited = float("inf"), 0
    net.train()
    for epoch in range(epochs):
        for x, y in train:
            opt.zero_grad()
            nn.functional.mse_loss(net(x), y).backward()
            opt.step()
        value = score(net, val)
        net.train()
        if value < best:
            best = value
            net.eval()
            print(score(net, train))
            net.train()
# === right: a method that leaves, and training behind it
import torch
from torch import nn


class Runner:
    def __init__(self, net, patience):
        self.net = net
        self.optimizer = torch.optim.Adam(net.parameters())
        self.patience, self.waited = patience, 0
        self.best = float("inf")

    def keep(self, value):
        if value >= self.best:
            self.waited += 1
            return False
        self.best = value
        torch.save(self.net.state_dict(), "best.pt")
        self.net.train()
        return True

    def run(self, train, held_out, epochs):
        for epoch in range(epochs):
            for x, y in train:
                self.optimizer.zero_grad()
                nn.functional.l1_loss(self.net(x), y).backward()
                self.optimizer.step()
            self.net.eval()
            with torch.no_grad():
                value = nn.functional.l1_loss(self.net(held_out[0]), held_out[1]).item()
            print(epoch, self.keep(value))
            self.net.train()
# === right: a method that leaves, and ends the training
import torch
from torch import nn


class Runner:
    def __init__(self, net, patience):
        self.net = net
        self.optimizer = torch.optim.Adam(net.parameters())
        self.patience, self.waited = patience, 0
        self.best = float("inf")

    def keep(self, value):
        if value >= self.best:
            self.waited += 1
            return True
        self.best = value
        torch.save(self.net.state_dict(), "best.pt")
        self.net.train()
        return False

    def run(self, train, held_out, epochs):
        for epoch in range(epochs):
            for x, y in train:
                self.optimizer.zero_grad()
                nn.functional.l1_loss(self.net(x), y).backward()
                self.optimizer.step()
            self.net.eval()
            with torch.no_grad():
                value = nn.functional.l1_loss(self.net(held_out[0]), held_out[1]).item()
            if self.keep(value):
                break
