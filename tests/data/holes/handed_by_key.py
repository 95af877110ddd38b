# === losses are handed what their signature asks for
import inspect

from torch import nn, optim
from torch.nn.parallel import DistributedDataParallel


class Near(nn.Module):
    def forward(self, made, meant):
        return (made - meant).square().mean()


class Total:
    def __init__(self, names):
        self.names = names
        self.near = Near()

    def of(self, given):
        whole = 0.0
        for name in self.names:
            loss = self.near
            wanted = [one.name for one in inspect.signature(loss.forward).parameters.values()]
            whole += loss(**{word: given[word] for word in wanted if word in given})
        return whole


def train(names, stream, updates, accum):
    total = Total(names)
    net = DistributedDataParallel(nn.Linear(4, 4))
    opt = optim.SGD(net.parameters(), lr=0.1)
    for _ in range(updates):
        for _ in range(accum):
            x, y = next(stream)
            loss = total.of({"made": net(x), "meant": y})
            (loss / accum).backward()  # <- missing-no-sync
        opt.step()
        opt.zero_grad()
# === the same, and all but the last wait
import contextlib
import inspect

from torch import nn, optim
from torch.nn.parallel import DistributedDataParallel


class Near(nn.Module):
    def forward(self, made, meant):
        return (made - meant).square().mean()


class Total:
    def __init__(self, names):
        self.names = names
        self.near = Near()

    def of(self, given):
        whole = 0.0
        for name in self.names:
            loss = self.near
            wanted = [one.name for one in inspect.signature(loss.forward).parameters.values()]
            whole += loss(**{word: given[word] for word in wanted if word in given})
        return whole


def train(names, stream, updates, accum):
    total = Total(names)
    net = DistributedDataParallel(nn.Linear(4, 4))
    opt = optim.SGD(net.parameters(), lr=0.1)
    for _ in range(updates):
        for k in range(accum):
            x, y = next(stream)
            with contextlib.nullcontext() if k == accum - 1 else net.no_sync():
                loss = total.of({"made": net(x), "meant": y})
                (loss / accum).backward()
        opt.step()
        opt.zero_grad()
# === a frozen network is handed over under the name that another one is made by
from torch import nn, optim
from torch.nn.parallel import DistributedDataParallel
from transformers import AutoModel


def hold_still(model):
    for weight in model.parameters():
        weight.requires_grad = False


def build():
    model = nn.Linear(4, 4)
    return DistributedDataParallel(model)


class Trainer:
    def __init__(self, device):
        found = AutoModel.from_pretrained("some/encoder")
        self.inner = found.to(device)
        hold_still(self.inner)

    def train(self, stream, updates, accum):
        self.net = build()
        opt = optim.SGD(self.net.parameters(), lr=0.1)
        for _ in range(updates):
            for _ in range(accum):
                x, y = next(stream)
                loss = nn.functional.mse_loss(self.net(self.inner(x)), y)
                (loss / accum).backward()  # <- missing-no-sync
            opt.step()
            opt.zero_grad()


if __name__ == "__main__":
    Trainer("cuda").train(iter([]), 100, 4)
# === the same, and it waits
from contextlib import nullcontext

from torch import nn, optim
from torch.nn.parallel import DistributedDataParallel
from transformers import AutoModel


def hold_still(model):
    for weight in model.parameters():
        weight.requires_grad = False


def build():
    model = nn.Linear(4, 4)
    return DistributedDataParallel(model)


class Trainer:
    def __init__(self, device):
        found = AutoModel.from_pretrained("some/encoder")
        self.inner = found.to(device)
        hold_still(self.inner)

    def train(self, stream, updates, accum):
        self.net = build()
        opt = optim.SGD(self.net.parameters(), lr=0.1)
        for _ in range(updates):
            for k in range(accum):
                x, y = next(stream)
                with nullcontext() if k == accum - 1 else self.net.no_sync():
                    loss = nn.functional.mse_loss(self.net(self.inner(x)), y)
                    (loss / accum).backward()
            opt.step()
            opt.zero_grad()


if __name__ == "__main__":
    Trainer("cuda").train(iter([]), 100, 4)
