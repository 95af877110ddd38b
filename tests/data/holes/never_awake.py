"""What was put to sleep before it is ever trained, and is never woken, is trained so on purpose."""

# === right: the encoder sleeps from the start, the decoder is woken each epoch
import torch
from torch import nn
import torch.nn.functional as F


class Part(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.line, self.drop = nn.Linear(size, size), nn.Dropout(0.1)

    def forward(self, x):
        return self.drop(self.line(x))


class Net(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.encoder = Part(size)
        self.decoder = Part(size)


class Tuner:
    def __init__(self, size):
        self.net = Net(size)
        self.opt = torch.optim.Adam(self.net.parameters())

    def fit(self, loader, held, epochs):
        self.net.encoder.eval()
        for epoch in range(epochs):
            self.net.decoder.train()
            for x in loader:
                self.opt.zero_grad()
                F.mse_loss(self.net.decoder(self.net.encoder(x)), x).backward()
                self.opt.step()
            self.net.eval()
            with torch.no_grad():
                for x in held:
                    print(F.mse_loss(self.net.decoder(self.net.encoder(x)), x))
# === the decoder is woken once
import torch
from torch import nn
import torch.nn.functional as F


class Part(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.line, self.drop = nn.Linear(size, size), nn.Dropout(0.1)

    def forward(self, x):
        return self.drop(self.line(x))


class Net(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.encoder = Part(size)
        self.decoder = Part(size)


class Tuner:
    def __init__(self, size):
        self.net = Net(size)
        self.opt = torch.optim.Adam(self.net.parameters())

    def fit(self, loader, held, epochs):
        self.net.encoder.eval()
        self.net.decoder.train()
        for epoch in range(epochs):
            for x in loader:
                self.opt.zero_grad()
                F.mse_loss(self.net.decoder(self.net.encoder(x)), x).backward()
                self.opt.step()
            self.net.eval()  # <- missing-train-mode
            with torch.no_grad():
                for x in held:
                    print(F.mse_loss(self.net.decoder(self.net.encoder(x)), x))
# === all of it is woken once, behind the encoder's rest
import torch
from torch import nn
import torch.nn.functional as F


class Part(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.line, self.drop = nn.Linear(size, size), nn.Dropout(0.1)

    def forward(self, x):
        return self.drop(self.line(x))


class Net(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.encoder = Part(size)
        self.decoder = Part(size)


class Tuner:
    def __init__(self, size):
        self.net = Net(size)
        self.opt = torch.optim.Adam(self.net.parameters())

    def fit(self, loader, held, epochs):
        self.net.encoder.eval()
        self.net.train()
        for epoch in range(epochs):
            for x in loader:
                self.opt.zero_grad()
                F.mse_loss(self.net.decoder(self.net.encoder(x)), x).backward()
                self.opt.step()
            self.net.eval()  # <- missing-train-mode
            with torch.no_grad():
                for x in held:
                    print(F.mse_loss(self.net.decoder(self.net.encoder(x)), x))
# === right: a finished network is tuned to each picture anew
import torch
import torch.nn.functional as F


def tune(net, picture, code, rate, turns):
    opt = torch.optim.Adam(net.parameters(), lr=rate)
    for _ in range(turns):
        opt.zero_grad()
        F.mse_loss(net(code), picture).backward()
        opt.step()
    return net


def main(net, weights, pictures, codes):
    net.eval()
    for picture, code in zip(pictures, codes):
        net.load_state_dict(weights)
        net.eval()
        with torch.no_grad():
            print(F.mse_loss(net(code), picture))
        net = tune(net, picture, code, 1e-4, 200)
# === it is evaluated behind its training in each turn
import torch
import torch.nn.functional as F


def tune(net, pictures, opt):
    for picture in pictures:
        opt.zero_grad()
        F.mse_loss(net(picture), picture).backward()
        opt.step()


def main(net, pictures, opt, turns):
    net.train()
    for _ in range(turns):
        tune(net, pictures, opt)
        net.eval()  # <- missing-train-mode
        with torch.no_grad():
            print(F.mse_loss(net(pictures[0]), pictures[0]))
# === a look before the training, and one in each turn
import torch
import torch.nn.functional as F


def tune(net, pictures, opt):
    for picture in pictures:
        opt.zero_grad()
        F.mse_loss(net(picture), picture).backward()
        opt.step()


def main(net, pictures, opt, turns):
    net.eval()
    with torch.no_grad():
        print(F.mse_loss(net(pictures[0]), pictures[0]))
    for _ in range(turns):
        tune(net, pictures, opt)
        net.eval()  # <- missing-train-mode
        with torch.no_grad():
            print(F.mse_loss(net(pictures[0]), pictures[0]))
# === right: a wrapper's own `train()` lets the network rest, and a turn asks it twice
import torch
from torch import nn
import torch.nn.functional as F


class Wrapper:
    def __init__(self, net):
        self.net = net
        self.opt = torch.optim.Adam(net.parameters())
        self.train()

    def train(self):
        self.grows = True
        self.net.eval()
        return self

    def turn(self, x, y):
        keys = self.net(x)
        kept = [key for key in keys]
        loss = F.cross_entropy(self.net(y), y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()


def main(loader, epochs):
    wrapper = Wrapper(nn.Sequential(nn.Linear(8, 8), nn.BatchNorm1d(8)))
    for epoch in range(epochs):
        wrapper.train()
        for x, y in loader:
            wrapper.turn(x, y)
# === a wrapper's own `check()` puts it to sleep behind each epoch
import torch
from torch import nn
import torch.nn.functional as F


class Wrapper:
    def __init__(self, net):
        self.net = net
        self.opt = torch.optim.Adam(net.parameters())
        self.net.train()

    def check(self, held):
        self.net.eval()
        with torch.no_grad():
            for x, y in held:
                print(F.cross_entropy(self.net(x), y))

    def turn(self, x, y):
        loss = F.cross_entropy(self.net(x), y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()


def main(loader, held, epochs):
    wrapper = Wrapper(nn.Sequential(nn.Linear(8, 8), nn.BatchNorm1d(8)))
    for epoch in range(epochs):
        for x, y in loader:
            wrapper.turn(x, y)
        wrapper.check(held)  # <- missing-train-mode
# === right: the whole of it sleeps, its loss is looked at once before, and its parts are asked by its own method
import torch
from torch import nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(size, size), nn.Dropout(0.1))

    def loss(self, x):
        return F.mse_loss(self.encoder(x), x)


def score(net, held):
    net.eval()
    with torch.no_grad():
        return sum(F.mse_loss(net.encoder(x), x) for x in held)


def main(loader, held, first, every):
    net = Net(8)
    print("before", score(net, held))
    opt = torch.optim.Adam(net.parameters())
    net.eval()  # the statistics stay as they are
    print("first", net.loss(first).item())
    for step, x in enumerate(loader):
        opt.zero_grad()
        net.loss(x).backward()
        opt.step()
        if step % every == 0:
            print(score(net, held))
# === the whole of it is only put to sleep to be looked at
import torch
from torch import nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(size, size), nn.Dropout(0.1))

    def loss(self, x):
        return F.mse_loss(self.encoder(x), x)


def score(net, held):
    net.eval()
    with torch.no_grad():
        return sum(F.mse_loss(net.encoder(x), x) for x in held)


def main(loader, held, every):
    net = Net(8)
    net.train()
    opt = torch.optim.Adam(net.parameters())
    for step, x in enumerate(loader):
        opt.zero_grad()
        net.loss(x).backward()
        opt.step()
        if step % every == 0:
            print(score(net, held))  # <- missing-train-mode
