"""Parts of what a network returns: who goes backward from what was made of one alone has shown that it has a graph."""

# === of one part by a criterion that nobody can look into, in turns
import torch


def train(net, loader, criterion, optimizer, measure):
    for i, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        out, extra = net(x)
        loss = criterion(out, y) / 2
        loss.backward()
        optimizer.step()
        if i == 0:
            everything = out
        else:
            everything = torch.cat((everything, out), dim=0)  # <- loss-graph-leak
    return measure(everything)

# === by a criterion of one's own that has no parameters
import torch
from torch import nn


class Overlap(nn.Module):
    def __init__(self, power=2, floor=1e-6):
        super(Overlap, self).__init__()
        self.power, self.floor = power, floor

    def forward(self, found, meant):
        both = (found * meant).sum(1)
        whole = found.pow(self.power).sum(1) + meant.pow(self.power).sum(1)
        return 1 - (2 * both / (whole + self.floor)).mean()


class Each(nn.Module):
    def __init__(self, **settings):
        super(Each, self).__init__()
        self.settings = settings

    def forward(self, found, meant):
        overlap = Overlap(**self.settings)
        found = torch.softmax(found, dim=1)
        total = 0
        for i in range(meant.shape[1]):
            total += overlap(found[:, i], meant[:, i])
        return total / meant.shape[1]


def train(net, loader, optimizer):
    criterion, plain, outs, more = Each(), Overlap(), [], []
    for x, y in loader:
        optimizer.zero_grad()
        out, extra = net(x)
        (plain(out, y) + plain(2 * out, y)).backward()
        optimizer.step()
        outs.append(torch.sigmoid(out))  # <- loss-graph-leak
    for x, y in loader:
        optimizer.zero_grad()
        out, extra = net(x)
        criterion(out, y).backward()
        optimizer.step()
        more.append(out)  # <- loss-graph-leak
    return outs, more

# === right: another part, one of two that are given, and what is cut off
def train(net, loader, criterion, optimizer):
    others, several, cut, kinds = [], [], [], []
    for x, y in loader:
        optimizer.zero_grad()
        out, extra, right = net(x)
        criterion(out, y).backward()
        optimizer.step()
        others.append(extra)
        cut.append(out.detach())
        kinds.append(out.argmax(1))
    for x, y in loader:
        optimizer.zero_grad()
        out, extra, right = net(x)
        criterion(extra, right, y).backward()
        optimizer.step()
        several.append(right)
    return others, several, cut, kinds

# === right: by a criterion that has parameters, which a gradient may come to
from torch import nn


class Weighed(nn.Module):
    def __init__(self, size):
        super(Weighed, self).__init__()
        self.layer = nn.Linear(size, 1)

    def forward(self, score, y):
        return (self.layer(score) - y).pow(2).mean()


def train(net, loader, optimizer, size):
    criterion, scores = Weighed(size), []
    for x, y in loader:
        optimizer.zero_grad()
        out, score = net(x)
        criterion(score, y).backward()
        optimizer.step()
        scores.append(score)
    return scores
