# === right: a generator hands on numbers that begin at one
import torch.nn.functional as F


def numbered(batches):
    yield from enumerate(batches, start=1)


def train(net, optimizer, loader, accum=4):
    for n, (x, y) in numbered(loader):
        (F.cross_entropy(net(x), y) / accum).backward()
        if n % accum == 0 or n == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === a generator hands on numbers that begin at nought
import torch.nn.functional as F


def numbered(batches):
    yield from enumerate(batches)


def train(net, optimizer, loader, accum=4):
    for n, (x, y) in numbered(loader):
        (F.cross_entropy(net(x), y) / accum).backward()
        if n % accum == 0:  # <- accumulation-off-by-one, dropped-accumulation-tail
            optimizer.step()
            optimizer.zero_grad()
# === right: a method hands on the batches of one
import torch.nn.functional as F


class Feed:
    def __init__(self, batches):
        self.batches = batches

    def pairs(self):
        yield from self.batches


def train(net, optimizer, batches, accum=4):
    for n, (x, y) in enumerate(Feed(batches).pairs()):
        (F.cross_entropy(net(x), y) / accum).backward()
        if (n + 1) % accum == 0 or n + 1 == len(batches):
            optimizer.step()
            optimizer.zero_grad()
