# === a validation by name alone, every so many epochs and not in the first
import torch


class Trainer:
    def __init__(self, net, loader, files):
        self.net, self.loader, self.files = net, loader, files
        self.optimizer = torch.optim.Adam(net.parameters())

    def train(self, epochs):
        for epoch in range(epochs):
            for x, y in self.loader:
                loss = (self.net(x) - y).abs().mean()
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
            if epoch % 2000 == 0 and epoch != 0:
                self.validation_for_speech()

    def validation_for_speech(self):
        for file in self.files:
            y = self.net(load(file))  # <- validation-without-no-grad
            write(file, y.cpu().detach().numpy())
# === a test by name alone, every tenth epoch
import torch
from torch.nn import functional as F


def test(net, loader):
    right = 0
    for x, y in loader:
        right += (net(x).argmax(-1) == y).sum().item()  # <- validation-without-no-grad
    return right


def main(net, loader, held_out):
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(200):
        for x, y in loader:
            optimizer.zero_grad()
            F.cross_entropy(net(x), y).backward()
            optimizer.step()
        if (epoch + 1) % 10 == 0:
            print(epoch, test(net, held_out))
# === a test by name alone, every thousandth step
import torch
from torch.nn import functional as F


def test(net, loader):
    right = 0
    for x, y in loader:
        right += (net(x).argmax(-1) == y).sum().item()  # <- validation-without-no-grad
    return right


def main(net, loader, held_out):
    optimizer = torch.optim.Adam(net.parameters())
    for step, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        F.cross_entropy(net(x), y).backward()
        optimizer.step()
        if step % 1000 == 999:
            print(step, test(net, held_out))
# === right: without gradients, every tenth epoch
import torch
from torch.nn import functional as F


@torch.no_grad()
def test(net, loader):
    right = 0
    for x, y in loader:
        right += (net(x).argmax(-1) == y).sum().item()
    return right


def main(net, loader, held_out):
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(200):
        for x, y in loader:
            optimizer.zero_grad()
            F.cross_entropy(net(x), y).backward()
            optimizer.step()
        if (epoch + 1) % 10 == 0:
            print(epoch, test(net, held_out))
# === right: samples for the ear, every tenth epoch
import torch
from torch.nn import functional as F


def generate(net, loader):
    for x, y in loader:
        play(net(x))


def main(net, loader, held_out):
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(200):
        for x, y in loader:
            optimizer.zero_grad()
            F.cross_entropy(net(x), y).backward()
            optimizer.step()
        if (epoch + 1) % 10 == 0:
            generate(net, held_out)
# === right: what is measured now and then is trained on
import torch
from torch.nn import functional as F


def test(net, loader):
    return sum(F.cross_entropy(net(x), y) for x, y in loader)


def main(net, loader, held_out):
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(200):
        for x, y in loader:
            optimizer.zero_grad()
            F.cross_entropy(net(x), y).backward()
            optimizer.step()
        if (epoch + 1) % 10 == 0:
            optimizer.zero_grad()
            test(net, held_out).backward()
            optimizer.step()
# === right: the test ends the training, and nothing is left of a window
import torch
from torch.nn import functional as F


@torch.no_grad()
def test(net, loader):
    return sum((net(x).argmax(-1) == y).sum().item() for x, y in loader)


def main(net, loader, held_out):
    optimizer = torch.optim.Adam(net.parameters())
    for step, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        F.cross_entropy(net(x), y).backward()
        optimizer.step()
        if step % 1000 == 999:
            if test(net, held_out) > 900:
                break
# === a method of the network that is called for an evaluation, now and then
import torch
from torch import nn


class Ranker(nn.Module):
    def __init__(self):
        super().__init__()
        self.table, self.out = nn.Embedding(9, 4), nn.Linear(4, 9)

    def forward(self, rows):
        return self.out(self.table(rows).mean(1))

    def forward_eval(self, rows):
        return self.out(self.table(rows).mean(1))


def evaluate(ranker, held):
    hits = 0
    for rows, target in held:
        hits += (ranker.forward_eval(rows).argmax(1) == target).sum().item()  # <- validation-without-no-grad
    return hits


def main(loader, held):
    ranker = Ranker()
    optimizer = torch.optim.Adam(ranker.parameters())
    done = 0
    for epoch in range(9):
        for rows, target in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(ranker(rows), target).backward()
            optimizer.step()
            done += 1
            if done % 2000 == 0:
                print(evaluate(ranker, held))
# === the same under no_grad
import torch
from torch import nn


class Ranker(nn.Module):
    def __init__(self):
        super().__init__()
        self.table, self.out = nn.Embedding(9, 4), nn.Linear(4, 9)

    def forward(self, rows):
        return self.out(self.table(rows).mean(1))

    def forward_eval(self, rows):
        return self.out(self.table(rows).mean(1))


@torch.no_grad()
def evaluate(ranker, held):
    hits = 0
    for rows, target in held:
        hits += (ranker.forward_eval(rows).argmax(1) == target).sum().item()
    return hits


def main(loader, held):
    ranker = Ranker()
    optimizer = torch.optim.Adam(ranker.parameters())
    done = 0
    for epoch in range(9):
        for rows, target in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(ranker(rows), target).backward()
            optimizer.step()
            done += 1
            if done % 2000 == 0:
                print(evaluate(ranker, held))
