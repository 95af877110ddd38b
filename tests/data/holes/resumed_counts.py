# === right: a resumed count tells in both branches, and steps in one of them
import torch
from torch.nn.parallel import DistributedDataParallel


def fit(net, loader, saved, every, total):
    model = DistributedDataParallel(net)
    optimizer = torch.optim.AdamW(model.parameters())
    count = torch.load(saved)["count"] if saved else 0
    updates = 0
    while True:
        for x, y in loader:
            if (count + 1) % every != 0:
                with model.no_sync():
                    loss = torch.nn.functional.mse_loss(model(x), y) / every
                    loss.backward()
            else:
                loss = torch.nn.functional.mse_loss(model(x), y) / every
                loss.backward()
                optimizer.step()
                optimizer.zero_grad()
                updates += 1
            count += 1
            if updates >= total:
                return
# === the same, where nothing is divided
import torch
from torch.nn.parallel import DistributedDataParallel


def fit(net, loader, saved, every, total):
    model = DistributedDataParallel(net)
    optimizer = torch.optim.AdamW(model.parameters())
    count = torch.load(saved)["count"] if saved else 0
    updates = 0
    while True:
        for x, y in loader:
            if (count + 1) % every != 0:
                with model.no_sync():
                    loss = torch.nn.functional.mse_loss(model(x), y)
                    loss.backward()  # <- unscaled-accumulation-loss
            else:
                loss = torch.nn.functional.mse_loss(model(x), y)
                loss.backward()
                optimizer.step()
                optimizer.zero_grad()
                updates += 1
            count += 1
            if updates >= total:
                return
# === right: the count comes from who calls
import torch


def fit(net, loader, every, count):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(4):
        for x, y in loader:
            loss = torch.nn.functional.mse_loss(net(x), y) / every
            if count % every == every - 1:
                loss.backward()
                optimizer.step()
                optimizer.zero_grad()
            else:
                loss.backward()
            count += 1
# === the same count, where nothing is divided
import torch


def fit(net, loader, every, count):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(4):
        for x, y in loader:
            loss = torch.nn.functional.mse_loss(net(x), y)
            if count % every == every - 1:
                loss.backward()
                optimizer.step()
                optimizer.zero_grad()
            else:
                loss.backward()  # <- unscaled-accumulation-loss
            count += 1
# === right: two losses in turn, from a resumed count
import torch


def fit(net, other, loader, saved, every):
    one = torch.optim.SGD(net.parameters(), lr=0.1)
    two = torch.optim.SGD(other.parameters(), lr=0.1)
    count = torch.load(saved)["count"]
    for x, y in loader:
        if count % every == 0:
            one.zero_grad()
            torch.nn.functional.mse_loss(net(x), y).backward()
            one.step()
        else:
            two.zero_grad()
            torch.nn.functional.mse_loss(other(x), y).backward()
            two.step()
        count += 1
# === right: a run goes on in the midst of a window, with the gradients that were kept
import torch
import torch.nn.functional as F


class Run:
    def __init__(self, net, every):
        self.net, self.every, self.done = net, every, 0
        self.opt = torch.optim.SGD(net.parameters(), lr=0.1)

    def take_up(self, kept):
        self.net.load_state_dict(kept["net"])
        self.done = kept["done"]
        for p, grad in zip(self.net.parameters(), kept["grads"]):
            p.grad = grad

    def go(self, stream):
        for at, (x, y) in enumerate(stream[self.done :], start=self.done):
            (F.cross_entropy(self.net(x), y) / self.every).backward()
            if (at + 1) % self.every:
                continue
            self.opt.step()
            self.opt.zero_grad()


def train(net, stream):
    state = {"net": net.state_dict(), "done": 6, "grads": [torch.zeros_like(p) for p in net.parameters()]}
    run = Run(net, every=4)
    run.take_up(state)
    run.go(stream)

# === a run goes on in the midst of a window, and nobody has kept its gradients
import torch
import torch.nn.functional as F


class Run:
    def __init__(self, net, every):
        self.net, self.every, self.done = net, every, 0
        self.opt = torch.optim.SGD(net.parameters(), lr=0.1)

    def take_up(self, kept):
        self.net.load_state_dict(kept["net"])
        self.done = kept["done"]

    def go(self, stream):
        for at, (x, y) in enumerate(stream[self.done :], start=self.done):
            (F.cross_entropy(self.net(x), y) / self.every).backward()
            if (at + 1) % self.every:  # <- accumulation-off-by-one
                continue
            self.opt.step()
            self.opt.zero_grad()


def train(net, stream):
    state = {"net": net.state_dict(), "done": 6, "grads": [torch.zeros_like(p) for p in net.parameters()]}
    run = Run(net, every=4)
    run.take_up(state)
    run.go(stream)
