# === a generator makes windows of a number that the caller gives, undivided
import torch.nn.functional as F


def groups(loader, size):
    group = []
    for batch in loader:
        group.append(batch)
        if len(group) == size:
            yield group
            group = []
    if group:
        yield group


def train(model, optimizer, loader, n):
    for group in groups(loader, n):
        optimizer.zero_grad()
        for x, y in group:
            F.cross_entropy(model(x), y).backward()  # <- unscaled-accumulation-loss
        optimizer.step()


def main(model, optimizer, loader):
    train(model, optimizer, loader, 12)
# === a generator makes windows of a number that the caller gives, divided by their length
import torch.nn.functional as F


def groups(loader, size):
    group = []
    for batch in loader:
        group.append(batch)
        if len(group) == size:
            yield group
            group = []
    if group:
        yield group


def train(model, optimizer, loader, n):
    for group in groups(loader, n):
        optimizer.zero_grad()
        for x, y in group:
            (F.cross_entropy(model(x), y) / len(group)).backward()
        optimizer.step()


def main(model, optimizer, loader):
    train(model, optimizer, loader, 12)
# === pieces of several tensors, divided by the number of windows in a day
import torch


def train(model, criterion, optimizer, loader, pieces=2):
    for batch in loader:
        optimizer.zero_grad()
        parts = list(zip(*(t.chunk(pieces) for t in batch)))
        for x, y in parts:
            (criterion(model(x), y) / 6).backward()  # <- accumulation-divisor-mismatch
        optimizer.step()
# === pieces of several tensors, divided by their number
import torch


def train(model, criterion, optimizer, loader, pieces=2):
    for batch in loader:
        optimizer.zero_grad()
        parts = list(zip(*(t.chunk(pieces) for t in batch)))
        for x, y in parts:
            (criterion(model(x), y) / len(parts)).backward()
        optimizer.step()
# === batches in a list, the rest of which fills no window
def train(model, criterion, optimizer, make, options):
    for epoch in range(options.epochs):
        batches = list(make(epoch))
        for i, (x, y) in enumerate(batches, 1):
            (criterion(model(x), y) / options.accum).backward()
            if i % options.accum == 0:  # <- dropped-accumulation-tail
                optimizer.step()
                optimizer.zero_grad()
# === batches in a list, those that fill windows
def train(model, criterion, optimizer, make, options):
    for epoch in range(options.epochs):
        batches = list(make(epoch))
        whole = len(batches) // options.accum * options.accum
        for i, (x, y) in enumerate(batches[:whole], 1):
            (criterion(model(x), y) / options.accum).backward()
            if i % options.accum == 0:
                optimizer.step()
                optimizer.zero_grad()
# === a count in another method, a number of updates in the test that calls it
class Trainer:
    def __init__(self, net, optimizer, criterion, stream, whole=512, part=64):
        self.net, self.optimizer, self.criterion, self.stream = net, optimizer, criterion, stream
        self.size = whole // part
        self.pending = self.updates = 0

    def add(self, x, y):
        self.criterion(self.net(x), y).backward()  # <- unscaled-accumulation-loss
        self.pending += 1

    def spend(self):
        if self.pending < self.size:
            return False
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.pending = 0
        self.updates += 1
        return True

    def run(self, most):
        while self.updates < most:
            self.add(*next(self.stream))
            if self.spend() and self.updates % 50 == 0:
                print(self.updates)
# === the same, divided
class Trainer:
    def __init__(self, net, optimizer, criterion, stream, whole=512, part=64):
        self.net, self.optimizer, self.criterion, self.stream = net, optimizer, criterion, stream
        self.size = whole // part
        self.pending = self.updates = 0

    def add(self, x, y):
        (self.criterion(self.net(x), y) / self.size).backward()
        self.pending += 1

    def spend(self):
        if self.pending < self.size:
            return False
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.pending = 0
        self.updates += 1
        return True

    def run(self, most):
        while self.updates < most:
            self.add(*next(self.stream))
            if self.spend() and self.updates % 50 == 0:
                print(self.updates)
# === the window is a quotient of two arguments with a long name
import argparse

settings = argparse.ArgumentParser("a program with a very long description that stands before all of its arguments")
settings.add_argument("--virtual-batch-size-of-every-update", type=int)
settings.add_argument("--batch-size-of-every-micro-batch", type=int)


def train(model, criterion, loader, optimizer):
    args = settings.parse_args()
    every = args.virtual_batch_size_of_every_update // args.batch_size_of_every_micro_batch
    for i, (x, y) in enumerate(loader):
        last = (i + 1) % every == 0 or i == len(loader) - 1
        criterion(model(x), y).backward()  # <- unscaled-accumulation-loss
        if last:
            optimizer.step()
            optimizer.zero_grad()
# === the window is a quotient of two arguments with a long name, and divides
import argparse

settings = argparse.ArgumentParser("a program with a very long description that stands before all of its arguments")
settings.add_argument("--virtual-batch-size-of-every-update", type=int)
settings.add_argument("--batch-size-of-every-micro-batch", type=int)


def train(model, criterion, loader, optimizer):
    args = settings.parse_args()
    every = args.virtual_batch_size_of_every_update // args.batch_size_of_every_micro_batch
    for i, (x, y) in enumerate(loader):
        last = (i + 1) % every == 0 or i == len(loader) - 1
        (criterion(model(x), y) / every).backward()
        if last:
            optimizer.step()
            optimizer.zero_grad()
# === counted from one and once more, the loop ends after so many windows
import torch


def train(model, criterion, loader, micro=4, updates=1000):
    optimizer = torch.optim.Adam(model.parameters())
    for i, (x, y) in enumerate(loader, 1):
        (criterion(model(x), y) / micro).backward()
        if (i + 1) % micro == 0:  # <- accumulation-off-by-one
            optimizer.step()
            optimizer.zero_grad()
        if i >= updates * micro:
            break
# === counted from one, the loop ends after so many windows
import torch


def train(model, criterion, loader, micro=4, updates=1000):
    optimizer = torch.optim.Adam(model.parameters())
    for i, (x, y) in enumerate(loader, 1):
        (criterion(model(x), y) / micro).backward()
        if i % micro == 0:
            optimizer.step()
            optimizer.zero_grad()
        if i >= updates * micro:
            break
# === a counter has to exceed a window that is not called so
class Learner:
    def __init__(self, net, optimizer, criterion, feed, every):
        self.net, self.optimizer, self.criterion, self.feed, self.every = net, optimizer, criterion, feed, every
        self.pending = 0

    def learn(self):
        for x, y in self.feed:
            (self.criterion(self.net(x), y) / self.every).backward()
            self.pending += 1
            if self.pending > self.every:  # <- accumulation-off-by-one
                self.optimizer.step()
                self.optimizer.zero_grad()
                self.pending = 0
# === a counter that is one ahead has to exceed a window that is not called so
class Learner:
    def __init__(self, net, optimizer, criterion, feed, every):
        self.net, self.optimizer, self.criterion, self.feed, self.every = net, optimizer, criterion, feed, every
        self.pending = 1

    def learn(self):
        for x, y in self.feed:
            (self.criterion(self.net(x), y) / self.every).backward()
            self.pending += 1
            if self.pending > self.every:
                self.optimizer.step()
                self.optimizer.zero_grad()
                self.pending = 1
