# === a method of the network's own goes through its layers under no_grad
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(4)])

    def classify(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


def main(loader, held_out, criterion):
    net = Net()
    optimizer = torch.optim.Adam(net.parameters())
    for _ in range(10):
        net.train()
        for x, y in loader:
            optimizer.zero_grad()
            criterion(net.classify(x), y).backward()
            optimizer.step()
        net.eval()
        with torch.no_grad():
            print(sum((net.classify(x).argmax(1) == y).sum().item() for x, y in held_out))
# === and with gradients on
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(4)])

    def classify(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


def main(loader, held_out, criterion):
    net = Net()
    optimizer = torch.optim.Adam(net.parameters())
    for _ in range(10):
        net.train()
        for x, y in loader:
            optimizer.zero_grad()
            criterion(net.classify(x), y).backward()
            optimizer.step()
        net.eval()
        right = 0
        for x, y in held_out:
            right += (net.classify(x).argmax(1) == y).sum().item()  # <- validation-without-no-grad
        print(right)
# === layers by their names, and by their numbers
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleDict({"body": nn.Linear(3, 3), "head": nn.Linear(3, 2)})
        self.more = nn.ModuleList([nn.Linear(3, 3), nn.Linear(3, 3)])

    def encode(self, x):
        return self.parts["body"](x)

    def classify(self, x):
        return self.parts["head"](self.encode(x))

    def deepen(self, x):
        for number in range(len(self.more)):
            x = self.more[number](x)
        return x


def main(loader, held_out, criterion):
    net = Net()
    optimizer = torch.optim.Adam(net.parameters())
    for _ in range(10):
        net.train()
        for x, y in loader:
            optimizer.zero_grad()
            criterion(net.classify(net.deepen(x)), y).backward()
            optimizer.step()
        net.eval()
        right = 0
        for x, y in held_out:
            right += (net.classify(x).argmax(1) == y).sum().item()  # <- validation-without-no-grad
        for x, _ in held_out:
            right += net.deepen(x).norm().item()  # <- validation-without-no-grad
        print(right)
# === the layers of a network that nothing trains
import torch
from torch import nn


class Features(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3), nn.Linear(3, 3)])

    def all_of_them(self, x):
        found = []
        for layer in self.layers:
            x = layer(x)
            found.append(x)
        return found


def main(net, loader, held_out):
    features = Features()
    features.eval()
    optimizer = torch.optim.Adam(net.parameters())
    for _ in range(10):
        net.train()
        for x, y in loader:
            optimizer.zero_grad()
            loss = sum((one - two).abs().mean() for one, two in zip(features.all_of_them(net(x)), features.all_of_them(y)))
            loss.backward()
            optimizer.step()
        net.eval()
        for x, _ in held_out:
            with torch.no_grad():
                out = net(x)
            print(features.all_of_them(out)[-1].norm().item())
# === layers of a list, trained beside a head while an evaluation asks a frozen list
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.ModuleList([nn.Linear(3, 3), nn.Linear(3, 3)])
        self.head = nn.Linear(3, 2)
        for parameter in self.stem.parameters():
            parameter.requires_grad = False

    def embed(self, x):
        for layer in self.stem:
            x = layer(x)
        return x

    def classify(self, x):
        return self.head(self.embed(x))


def main(loader, held_out, criterion):
    net = Net()
    optimizer = torch.optim.Adam(net.head.parameters())
    for _ in range(10):
        net.train()
        for x, y in loader:
            optimizer.zero_grad()
            criterion(net.classify(x), y).backward()
            optimizer.step()
        net.eval()
        for x, _ in held_out:
            print(net.embed(x).norm().item())
