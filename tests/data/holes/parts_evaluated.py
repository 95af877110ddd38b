# === a method runs a part of a network that is trained
import torch
from torch import nn


class Layers(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(width, width) for _ in range(3)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.encoder = Layers(width)
        self.decoder = Layers(width)

    def forward(self, x):
        return self.decoder(self.encoder(x))

    def answer(self, x):
        return [one.argmax() for one in self.encoder(x)]


def measure(net, held_out):
    net.eval()
    right = 0
    for x, y in held_out:
        right += (torch.stack(net.answer(x)) == y).sum().item()  # <- validation-without-no-grad
    return right


def main(config, loader, held_out):
    net = Net(8)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(config.epochs):
        net.train()
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(net(x), y).backward()
            optimizer.step()
        measure(net, held_out)


# === a method runs a part of a network that may be wrapped
import torch
from torch import nn


class Layers(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(width, width) for _ in range(3)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.encoder = Layers(width)
        self.decoder = Layers(width)

    def forward(self, x):
        return self.decoder(self.encoder(x))

    def answer(self, x):
        return [one.argmax() for one in self.encoder(x)]


def measure(net, held_out):
    net.eval()
    right = 0
    for x, y in held_out:
        right += (torch.stack(net.answer(x)) == y).sum().item()  # <- validation-without-no-grad
    return right


def main(config, loader, held_out):
    net = Net(8)
    if config.gpus > 1:
        net = nn.DataParallel(net)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(config.epochs):
        net.train()
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(net(x), y).backward()
            optimizer.step()
        measure(net, held_out)


# === right: the part that a method runs holds still
import torch
from torch import nn


class Layers(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(width, width) for _ in range(3)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.encoder = Layers(width)
        self.decoder = Layers(width)
        for weight in self.encoder.parameters():
            weight.requires_grad = False

    def forward(self, x):
        return self.decoder(self.encoder(x))

    def answer(self, x):
        return [one.argmax() for one in self.encoder(x)]


def measure(net, held_out):
    net.eval()
    right = 0
    for x, y in held_out:
        right += (torch.stack(net.answer(x)) == y).sum().item()
    return right


def main(config, loader, held_out):
    net = Net(8)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(config.epochs):
        net.train()
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(net(x), y).backward()
            optimizer.step()
        measure(net, held_out)


# === right: the method that runs a part keeps no graph
import torch
from torch import nn


class Layers(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(width, width) for _ in range(3)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.encoder = Layers(width)
        self.decoder = Layers(width)

    def forward(self, x):
        return self.decoder(self.encoder(x))

    @torch.no_grad()
    def answer(self, x):
        return [one.argmax() for one in self.encoder(x)]


def measure(net, held_out):
    net.eval()
    right = 0
    for x, y in held_out:
        right += (torch.stack(net.answer(x)) == y).sum().item()
    return right


def main(config, loader, held_out):
    net = Net(8)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(config.epochs):
        net.train()
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(net(x), y).backward()
            optimizer.step()
        measure(net, held_out)


# === right: another part of the network is trained
import torch
from torch import nn


class Layers(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(width, width) for _ in range(3)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.encoder = Layers(width)
        self.decoder = Layers(width)

    def forward(self, x):
        return self.decoder(self.encoder(x))

    def answer(self, x):
        return [one.argmax() for one in self.encoder(x)]


def measure(net, held_out):
    net.eval()
    right = 0
    for x, y in held_out:
        right += (torch.stack(net.answer(x)) == y).sum().item()
    return right


def main(config, loader, held_out):
    net = Net(8)
    optimizer = torch.optim.SGD(net.decoder.parameters(), lr=0.1)
    for epoch in range(config.epochs):
        net.train()
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(net.decoder(x), y).backward()
            optimizer.step()
        measure(net, held_out)
