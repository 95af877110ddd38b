# === each item of a list is an epoch, whose rest goes into the next one
import torch
import torch.nn as nn


def once(net, sgd, stream):
    total = 0.0
    for number, (x, y) in enumerate(stream()):
        loss = nn.functional.mse_loss(net(x), y)
        (loss / 4).backward()
        total += loss.item()
        if (number + 1) % 4 == 0:  # <- dropped-accumulation-tail
            sgd.step()
            sgd.zero_grad()
    return total


def main(stream):
    net = nn.Linear(3, 1)
    sgd = torch.optim.SGD(net.parameters(), lr=0.1)
    return [once(net, sgd, stream) for _ in range(5)]

# === the same, with an update of what is left
import torch
import torch.nn as nn


def once(net, sgd, stream):
    total = 0.0
    for number, (x, y) in enumerate(stream()):
        loss = nn.functional.mse_loss(net(x), y)
        (loss / 4).backward()
        total += loss.item()
        if (number + 1) % 4 == 0:
            sgd.step()
            sgd.zero_grad()
    if (number + 1) % 4 != 0:
        sgd.step()
        sgd.zero_grad()
    return total


def main(stream):
    net = nn.Linear(3, 1)
    sgd = torch.optim.SGD(net.parameters(), lr=0.1)
    return [once(net, sgd, stream) for _ in range(5)]

# === each item of a list is a batch, counted over all epochs
import torch
import torch.nn as nn


class Fit:
    def __init__(self, net):
        self.net, self.done = net, 0
        self.sgd = torch.optim.SGD(net.parameters(), lr=0.1)

    def turn(self, x, y):
        loss = nn.functional.mse_loss(self.net(x), y)
        (loss / 4).backward()
        self.done += 1
        if self.done % 4 == 0:
            self.sgd.step()
            self.sgd.zero_grad()
        return loss.item()


def main(loader):
    fit = Fit(nn.Linear(3, 1))
    for epoch in range(5):
        losses = [fit.turn(x, y) for x, y in loader]
        print(epoch, sum(losses))

# === each item of a list is a batch, and each epoch begins to count anew
import torch
import torch.nn as nn


class Fit:
    def __init__(self, net):
        self.net, self.done = net, 0
        self.sgd = torch.optim.SGD(net.parameters(), lr=0.1)

    def turn(self, x, y):
        loss = nn.functional.mse_loss(self.net(x), y)
        (loss / 4).backward()
        self.done += 1
        if self.done % 4 == 0:  # <- dropped-accumulation-tail
            self.sgd.step()
            self.sgd.zero_grad()
        return loss.item()


def main(loader):
    fit = Fit(nn.Linear(3, 1))
    for epoch in range(5):
        fit.done = 0
        losses = [fit.turn(x, y) for x, y in loader]
        print(epoch, sum(losses))

# === several backwards of one batch in a list
import torch
import torch.nn as nn


def sent(loss):
    loss.backward()
    return loss.item()


def main(net, loader):
    sgd = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in loader:
        sgd.zero_grad()
        heads = net(x)
        sums = [sent(nn.functional.mse_loss(head, y)) for head in heads]
        sgd.step()
        print(sums)

# === the folds of a list, each with a network of its own
import torch
import torch.nn as nn


def fold(part, loader):
    net = nn.Linear(3, 1)
    sgd = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in loader(part):
        sgd.zero_grad()
        loss = nn.functional.mse_loss(net(x), y)
        loss.backward()
        sgd.step()
    return loss.item()


def main(loader):
    scores = [fold(part, loader) for part in range(5)]
    print(sum(scores) / 5)
