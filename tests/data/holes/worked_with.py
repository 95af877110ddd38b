# === the one network of the file that has the methods a function calls: two losses of it, which share an encoder
import torch
from torch import nn


class Twins(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.encoder = nn.Linear(size, 4)
        self.first = nn.Linear(4, size)
        self.second = nn.Linear(4, size)

    def losses(self, batch):
        one = self.first(self.encoder(batch))
        two = self.second(self.encoder(batch))
        both = self.second(self.encoder(one))
        error = torch.mean((batch - both) ** 2)
        return torch.mean((batch - one) ** 2) + error, torch.mean((batch - two) ** 2) - error

    def report(self, epoch):
        print(epoch)


def training(epochs, model, loader, opt_func=torch.optim.Adam):
    opt_a = opt_func(list(model.encoder.parameters()) + list(model.first.parameters()))
    opt_b = opt_func(list(model.encoder.parameters()) + list(model.second.parameters()))
    for epoch in range(epochs):
        for batch in loader:
            loss, _ = model.losses(batch)
            loss.backward()
            opt_a.step()  # <- missing-zero-grad
            opt_a.zero_grad()
            _, loss = model.losses(batch)
            loss.backward()
            opt_b.step()  # <- missing-zero-grad
            opt_b.zero_grad()
        model.report(epoch)


# === right: each loss goes through its own decoder
import torch
from torch import nn


class Twins(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.encoder = nn.Linear(size, 4)
        self.first = nn.Linear(4, size)
        self.second = nn.Linear(4, size)

    def losses(self, batch):
        one = self.first(self.encoder(batch))
        two = self.second(self.encoder(batch))
        return torch.mean((batch - one) ** 2), torch.mean((batch - two) ** 2)

    def report(self, epoch):
        print(epoch)


def training(epochs, model, loader, opt_func=torch.optim.Adam):
    opt_a = opt_func(list(model.encoder.parameters()) + list(model.first.parameters()))
    opt_b = opt_func(list(model.encoder.parameters()) + list(model.second.parameters()))
    for epoch in range(epochs):
        for batch in loader:
            loss, _ = model.losses(batch)
            loss.backward()
            opt_a.step()
            opt_a.zero_grad()
            _, loss = model.losses(batch)
            loss.backward()
            opt_b.step()
            opt_b.zero_grad()
        model.report(epoch)


# === right: two networks of the file have these methods, and nobody says which one it is
import torch
from torch import nn


class Apart(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.encoder = nn.Linear(size, 4)
        self.first = nn.Linear(4, size)
        self.second = nn.Linear(4, size)

    def losses(self, batch):
        one = self.first(self.encoder(batch))
        two = self.second(self.encoder(batch))
        return torch.mean((batch - one) ** 2), torch.mean((batch - two) ** 2)

    def report(self, epoch):
        print(epoch)


class Twins(Apart):
    def losses(self, batch):
        one = self.first(self.encoder(batch))
        two = self.second(self.encoder(batch))
        error = torch.mean((batch - self.second(self.encoder(one))) ** 2)
        return torch.mean((batch - one) ** 2) + error, torch.mean((batch - two) ** 2) - error


def training(epochs, model, loader, opt_func=torch.optim.Adam):
    opt_a = opt_func(list(model.encoder.parameters()) + list(model.first.parameters()))
    opt_b = opt_func(list(model.encoder.parameters()) + list(model.second.parameters()))
    for epoch in range(epochs):
        for batch in loader:
            loss, _ = model.losses(batch)
            loss.backward()
            opt_a.step()
            opt_a.zero_grad()
            _, loss = model.losses(batch)
            loss.backward()
            opt_b.step()
            opt_b.zero_grad()
        model.report(epoch)
