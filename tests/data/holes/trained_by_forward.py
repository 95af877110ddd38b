# === a network whose forward trains it is evaluated with gradients on
import torch
from torch import nn


class Learner(nn.Module):
    def __init__(self, net, lr):
        super().__init__()
        self.net = net
        self.opt = torch.optim.Adam(net.parameters(), lr=lr)
        self.seen = 0

    def forward(self, pair):
        x, wanted = pair
        self.opt.zero_grad()
        loss = nn.functional.mse_loss(self.net(x), wanted)
        if self.training:
            loss.backward()
            self.opt.step()
            self.seen += 1
        return float(loss)


def fit(net, pairs, held_out):
    learner = Learner(net, 0.01).cuda()
    for _ in range(20):
        learner.train()
        for pair in pairs:
            learner(pair)
        learner.eval()
        for pair in held_out:
            print(learner(pair))  # <- validation-without-no-grad
# === right: nothing has gradients while it is evaluated
import torch
from torch import nn


class Learner(nn.Module):
    def __init__(self, net, lr):
        super().__init__()
        self.net = net
        self.opt = torch.optim.Adam(net.parameters(), lr=lr)
        self.seen = 0

    def forward(self, pair):
        x, wanted = pair
        self.opt.zero_grad()
        loss = nn.functional.mse_loss(self.net(x), wanted)
        if self.training:
            loss.backward()
            self.opt.step()
            self.seen += 1
        return float(loss)


def fit(net, pairs, held_out):
    learner = Learner(net, 0.01).cuda()
    for _ in range(20):
        learner.train()
        for pair in pairs:
            learner(pair)
        learner.eval()
        with torch.no_grad():
            for pair in held_out:
                print(learner(pair))
# === right: its forward keeps gradients out while it is evaluated
import torch
from torch import nn


class Learner(nn.Module):
    def __init__(self, net, lr):
        super().__init__()
        self.net = net
        self.opt = torch.optim.Adam(net.parameters(), lr=lr)
        self.seen = 0

    def forward(self, pair):
        x, wanted = pair
        self.opt.zero_grad()
        with torch.set_grad_enabled(self.training):
            loss = nn.functional.mse_loss(self.net(x), wanted)
        if self.training:
            loss.backward()
            self.opt.step()
            self.seen += 1
        return float(loss)


def fit(net, pairs, held_out):
    learner = Learner(net, 0.01).cuda()
    for _ in range(20):
        learner.train()
        for pair in pairs:
            learner(pair)
        learner.eval()
        for pair in held_out:
            print(learner(pair))
# === it is evaluated now and then, at a count that is far away
import torch
from torch import nn


class Learner(nn.Module):
    def __init__(self, net, lr):
        super().__init__()
        self.net = net
        self.opt = torch.optim.Adam(net.parameters(), lr=lr)
        self.seen = 0

    def forward(self, pair):
        x, wanted = pair
        self.opt.zero_grad()
        loss = nn.functional.mse_loss(self.net(x), wanted)
        if self.training:
            loss.backward()
            self.opt.step()
            self.seen += 1
        return float(loss)


def fit(net, pairs, held_out):
    learner = Learner(net, 0.01)
    learner.train()
    while learner.seen < 90_000:
        for pair in pairs:
            learner(pair)
            if learner.seen % 3_000 == 0:
                learner.eval()
                for pair in held_out:
                    print(learner(pair))  # <- validation-without-no-grad
                learner.train()
# === right: now and then, and nothing has gradients
import torch
from torch import nn


class Learner(nn.Module):
    def __init__(self, net, lr):
        super().__init__()
        self.net = net
        self.opt = torch.optim.Adam(net.parameters(), lr=lr)
        self.seen = 0

    def forward(self, pair):
        x, wanted = pair
        self.opt.zero_grad()
        loss = nn.functional.mse_loss(self.net(x), wanted)
        if self.training:
            loss.backward()
            self.opt.step()
            self.seen += 1
        return float(loss)


def fit(net, pairs, held_out):
    learner = Learner(net, 0.01)
    learner.train()
    while learner.seen < 90_000:
        for pair in pairs:
            learner(pair)
            if learner.seen % 3_000 == 0:
                learner.eval()
                with torch.no_grad():
                    for pair in held_out:
                        print(learner(pair))
                learner.train()
# === right: now and then, and its forward keeps gradients out
import torch
from torch import nn


class Learner(nn.Module):
    def __init__(self, net, lr):
        super().__init__()
        self.net = net
        self.opt = torch.optim.Adam(net.parameters(), lr=lr)
        self.seen = 0

    def forward(self, pair):
        x, wanted = pair
        self.opt.zero_grad()
        with torch.set_grad_enabled(self.training):
            loss = nn.functional.mse_loss(self.net(x), wanted)
        if self.training:
            loss.backward()
            self.opt.step()
            self.seen += 1
        return float(loss)


def fit(net, pairs, held_out):
    learner = Learner(net, 0.01)
    learner.train()
    while learner.seen < 90_000:
        for pair in pairs:
            learner(pair)
            if learner.seen % 3_000 == 0:
                learner.eval()
                for pair in held_out:
                    print(learner(pair))
                learner.train()
# === right: its forward trains it in evaluation mode, too
import torch
from torch import nn


class Learner(nn.Module):
    def __init__(self, net, lr):
        super().__init__()
        self.net = net
        self.opt = torch.optim.Adam(net.parameters(), lr=lr)
        self.seen = 0

    def forward(self, pair):
        x, wanted = pair
        self.opt.zero_grad()
        loss = nn.functional.mse_loss(self.net(x), wanted)
        loss.backward()
        self.opt.step()
        self.seen += 1
        return float(loss)


def fit(net, pairs, held_out):
    learner = Learner(net, 0.01)
    learner.train()
    while learner.seen < 90_000:
        for pair in pairs:
            learner(pair)
            if learner.seen % 3_000 == 0:
                learner.eval()
                for pair in held_out:
                    print(learner(pair))
                learner.train()
