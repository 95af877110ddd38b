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
# === a network's own generate is scored on all the data, with gradients on
import torch
from torch import nn
from torch.nn import functional as F


class Captioner(nn.Module):
    def __init__(self, words):
        super().__init__()
        self.head = nn.Linear(64, words)

    def forward(self, x):
        return self.head(x)

    def generate(self, x):
        return self.head(x).argmax(-1)


def evaluate(net, held_out):
    net.eval()
    hits = 0
    for x, y in held_out:
        hits += (net.generate(x) == y).sum().item()  # <- validation-without-no-grad
    return hits


def main(loader, held_out):
    net = Captioner(1000)
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(20):
        net.train()
        for x, y in loader:
            optimizer.zero_grad()
            F.cross_entropy(net(x), y).backward()
            optimizer.step()
        print(epoch, evaluate(net, held_out))
# === right: a network's own generate switches gradients off
import torch
from torch import nn
from torch.nn import functional as F


class Captioner(nn.Module):
    def __init__(self, words):
        super().__init__()
        self.head = nn.Linear(64, words)

    def forward(self, x):
        return self.head(x)

    @torch.no_grad()
    def generate(self, x):
        return self.head(x).argmax(-1)


def evaluate(net, held_out):
    net.eval()
    hits = 0
    for x, y in held_out:
        hits += (net.generate(x) == y).sum().item()
    return hits


def main(loader, held_out):
    net = Captioner(1000)
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(20):
        net.train()
        for x, y in loader:
            optimizer.zero_grad()
            F.cross_entropy(net(x), y).backward()
            optimizer.step()
        print(epoch, evaluate(net, held_out))
# === right: a helper of the evaluation shows what the network makes of a few
import torch
from torch import nn
from torch.nn import functional as F


class Painter(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(64, 64)

    def forward(self, x):
        return self.head(x)

    def generate(self, x):
        return self.head(x)


def show_samples(net, few):
    for x in few:
        save(net.generate(x))


def test(net, few):
    net.eval()
    show_samples(net, few)


def main(loader, few):
    net = Painter()
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(20):
        net.train()
        for x, y in loader:
            optimizer.zero_grad()
            F.mse_loss(net(x), y).backward()
            optimizer.step()
        test(net, few)
# === right: what a network's own generate makes is trained on
import torch
from torch import nn


class Forger(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(16, 64)

    def forward(self, z):
        return self.head(z)

    def generate(self, z):
        return self.head(z)


def evaluate(net, critic, noise, optimizer):
    net.eval()
    for z in noise:
        optimizer.zero_grad()
        critic(net.generate(z)).mean().backward()
        optimizer.step()


def main(critic, noise):
    net = Forger()
    optimizer = torch.optim.Adam(net.parameters())
    for _ in range(20):
        net.eval()
        evaluate(net, critic, noise, optimizer)
# === a trainer of images validates
import torch
from torch.nn import functional as F


class ImageTrainer:
    def __init__(self, net, loader, held_out):
        self.net, self.loader, self.held_out = net, loader, held_out
        self.optimizer = torch.optim.Adam(net.parameters())

    def fit(self):
        for _ in range(20):
            self.net.train()
            for x, y in self.loader:
                self.optimizer.zero_grad()
                F.cross_entropy(self.net(x), y).backward()
                self.optimizer.step()
            print(self.validate())

    def validate(self):
        self.net.eval()
        return sum(F.cross_entropy(self.net(x), y).item() for x, y in self.held_out)  # <- validation-without-no-grad
# === right: a trainer of images shows some
import torch
from torch.nn import functional as F


class ImageTrainer:
    def __init__(self, net, loader, held_out):
        self.net, self.loader, self.held_out = net, loader, held_out
        self.optimizer = torch.optim.Adam(net.parameters())

    def fit(self):
        for _ in range(20):
            self.net.train()
            for x, y in self.loader:
                self.optimizer.zero_grad()
                F.cross_entropy(self.net(x), y).backward()
                self.optimizer.step()
            self.look()

    def look(self):
        self.net.eval()
        for x, _ in self.held_out:
            save(self.net(x))
# === the accuracy, by a short name
import torch
from torch.nn import functional as F


def checkAcc(net, held_out):
    hits = 0
    for x, y in held_out:
        hits += (net(x).argmax(-1) == y).sum().item()  # <- validation-without-no-grad
    return hits


def main(net, loader, held_out):
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(20):
        for x, y in loader:
            optimizer.zero_grad()
            F.cross_entropy(net(x), y).backward()
            optimizer.step()
        print(epoch, checkAcc(net, held_out))
# === right: what only begins like it is no accuracy
import torch
from torch.nn import functional as F


def accumulate_features(net, held_out):
    return [net(x) for x, _ in held_out]


def main(net, loader, held_out):
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(20):
        for x, y in loader:
            optimizer.zero_grad()
            F.cross_entropy(net(x), y).backward()
            optimizer.step()
        accumulate_features(net, held_out)
