# === a total over the pieces of a batch is made anew behind each update
import torch
from torch import nn


def train(net, loader, cut):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    total, seen = torch.tensor(0.0), 0
    for epoch in range(3):
        for x, y in loader:
            for piece, part in cut(x, y):
                loss = nn.functional.mse_loss(net(piece), part, reduction="sum")
                total += loss
                seen += len(piece)
                loss.backward()
                mean = total / seen
                optimizer.step()
                optimizer.zero_grad()
                print(mean.item())
                seen, total = 0, torch.tensor(0.0)
# === one that is never made anew
import torch
from torch import nn


def train(net, loader, cut):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    total, seen = torch.tensor(0.0), 0
    for epoch in range(3):
        for x, y in loader:
            for piece, part in cut(x, y):
                loss = nn.functional.mse_loss(net(piece), part, reduction="sum")
                total += loss  # <- loss-graph-leak
                seen += len(piece)
                loss.backward()
                optimizer.step()
                optimizer.zero_grad()
        print(total.item() / seen)
# === a list that the first batch of an epoch makes lives as long as the epoch
import torch
from torch import nn


class Ledger:
    def __init__(self):
        self.rows = {}

    def note(self, name, value):
        self.rows.setdefault(name, []).append(value)  # <- loss-graph-leak

    def mean(self, name):
        values = self.rows.pop(name)
        return float(sum(values) / len(values))


def train(net, loader):
    optimizer, ledger = torch.optim.SGD(net.parameters(), lr=0.1), Ledger()
    for epoch in range(3):
        for x, y in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(net(x), y)
            loss.backward()
            optimizer.step()
            ledger.note("loss", loss)
        print(ledger.mean("loss"))
