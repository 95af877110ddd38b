# === losses of a validation in a list, with their graph
import torch
import torch.nn.functional as F
from torch import nn


def evaluate(net, held_out):
    net.eval()
    losses = []
    for x in held_out.split(5):
        losses.append(F.mse_loss(net(x), x))  # <- loss-graph-leak, validation-without-no-grad
    net.train()
    return torch.stack(losses).mean().item()


net = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
data, held_out = torch.randn(40, 4), torch.randn(20, 4)
for epoch in range(4):
    for x in data.split(8):
        opt.zero_grad()
        F.mse_loss(net(x), x).backward()
        opt.step()
    print(evaluate(net, held_out))
# === a sum of the losses of a validation, weighed by the size of the batch
from torch import nn


class Trainer:
    def __init__(self, net, optimizer):
        self.net, self.optimizer = net, optimizer
        self.criterion = nn.CrossEntropyLoss()

    def run(self, train, val, epochs):
        for _ in range(epochs):
            self.net.train()
            for x, y in train:
                self.optimizer.zero_grad()
                loss = self.criterion(self.net(x), y)
                loss.backward()
                self.optimizer.step()
            self.net.eval()
            total = 0.0
            for x, y in val:
                scores = self.net(x)  # <- validation-without-no-grad
                total += self.criterion(scores, y) * x.size(0)  # <- loss-graph-leak
            print(total / len(val))
# === gradients are on, and yet only numbers are kept
from torch import nn


def run(net, optimizer, train, val, epochs):
    criterion = nn.CrossEntropyLoss()
    for _ in range(epochs):
        net.train()
        for x, y in train:
            optimizer.zero_grad()
            criterion(net(x), y).backward()
            optimizer.step()
        net.eval()
        total, losses = 0.0, []
        for x, y in val:
            loss = criterion(net(x).detach(), y)  # <- validation-without-no-grad
            total += loss.item()
            losses.append(loss)
        print(total / len(val), losses[-1])
# === right: no gradients in the helper's caller
import torch
from torch import nn


def validate(net, val, criterion):
    net.eval()
    total = 0.0
    for x, y in val:
        total += criterion(net(x), y)
    return total / len(val)


def run(net, optimizer, train, val, epochs):
    criterion = nn.CrossEntropyLoss()
    for _ in range(epochs):
        net.train()
        for x, y in train:
            optimizer.zero_grad()
            criterion(net(x), y).backward()
            optimizer.step()
        with torch.no_grad():
            print(validate(net, val, criterion))
# === right: batch norm rests, and the sum of the losses runs backward
from torch import nn


def adapt(net, optimizer, train, support, epochs):
    criterion = nn.CrossEntropyLoss()
    for _ in range(epochs):
        net.train()
        for x, y in train:
            optimizer.zero_grad()
            criterion(net(x), y).backward()
            optimizer.step()
        net.eval()
        total = 0.0
        for x, y in support:
            total += criterion(net(x), y)
        optimizer.zero_grad()
        total.backward()
        optimizer.step()
# === gradients are on, and yet nothing is kept longer than its batch
from torch import nn


def run(net, optimizer, train, val, epochs):
    criterion = nn.CrossEntropyLoss()
    for _ in range(epochs):
        net.train()
        for x, y in train:
            optimizer.zero_grad()
            criterion(net(x), y).backward()
            optimizer.step()
        net.eval()
        for x, y in val:
            parts = []
            parts.append(criterion(net(x).detach(), y))  # <- validation-without-no-grad
            print(sum(parts))
# === the layers of one batch are summed, and the number alone is kept
import torch
from torch import nn


class Detector:
    def __init__(self, net, loader):
        self.net = net
        self.loader = loader
        self.optimizer = torch.optim.Adam(net.parameters())
        self.criterion = nn.MSELoss()

    def validate(self):
        self.net.eval()
        losses = []
        for x in self.loader:
            out, layers = self.net(x)  # <- validation-without-no-grad
            apart = 0.0
            for layer in range(len(layers)):
                apart += layers[layer].pow(2).mean()
            losses.append((self.criterion(out, x) - apart / len(layers)).item())
        return sum(losses)

    def fit(self):
        for _ in range(10):
            self.net.train()
            for x in self.loader:
                self.optimizer.zero_grad()
                self.criterion(self.net(x)[0], x).backward()
                self.optimizer.step()
            self.validate()
# === right: each loss of the evaluation goes backward, and what that leaves is cleared
import torch
import torch.nn.functional as F
from torch import nn

from gathering import shared


def loss_of(model, x, y):
    rows = torch.cat([each.to(x.device) for each in shared(model(x))])
    return F.cross_entropy(rows, y)


def fit(model, loader, held, epochs):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        model.train()
        for x, y in loader:
            opt.zero_grad()
            loss_of(model, x, y).backward()
            opt.step()
        model.eval()
        total = 0.0
        for x, y in held:
            loss = loss_of(model, x, y)
            loss.backward()
            model.zero_grad()
            total += loss.item()
        print(total)
# === the backward is that of the training
import torch
import torch.nn.functional as F
from torch import nn


def fit(model, loader, held, epochs):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        for x, y in loader:
            model.eval()
            print(F.cross_entropy(model(held), y).item())  # <- validation-without-no-grad
            model.train()
            opt.zero_grad()
            F.cross_entropy(model(x), y).backward()
            opt.step()
