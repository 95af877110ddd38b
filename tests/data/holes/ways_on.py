# Guards that raise on what the source seems to show, and loops over what seems to be empty; epochs that call themselves.

# === refused although filled out of sight: wrong
import torch


def split(items):
    groups = {}
    for item in items:
        groups[item["kind"]].append(item)
    kept = []
    for _, group in sorted(groups.items()):
        kept.extend(group)
    return kept


def train(net, items, steps):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    kept = split(items)
    if len(kept) == 0:
        raise ValueError("nothing is left")
    for _ in range(steps):
        loss = net(draw(kept)).mean()
        loss.backward()
        optimizer.step()  # <- missing-zero-grad

# === refused although filled out of sight: right
import torch


def split(items):
    groups = {}
    for item in items:
        groups[item["kind"]].append(item)
    kept = []
    for _, group in sorted(groups.items()):
        kept.extend(group)
    return kept


def train(net, items, steps):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    kept = split(items)
    if len(kept) == 0:
        raise ValueError("nothing is left")
    for _ in range(steps):
        optimizer.zero_grad()
        loss = net(draw(kept)).mean()
        loss.backward()
        optimizer.step()

# === the last batch instead of none: wrong
import torch


def train(net, loader, epochs):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(epochs):
        last = None
        for batch in loader:
            if batch is None:
                if last is None:
                    raise RuntimeError("too small")
                batch = last
            else:
                last = batch
            loss = net(batch["x"]).mean()
            loss.backward()
            optimizer.step()  # <- missing-zero-grad

# === a loader that is not given raises, and nothing else trains: right
import torch


def train(net, given):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    loader = None
    if given is not None:
        loader = torch.utils.data.DataLoader(given)
    if loader is None:
        raise ValueError("no data")
    for batch in loader:
        optimizer.zero_grad()
        net(batch).mean().backward()
        optimizer.step()

# === lists that others fill: wrong
import torch


class Folds:
    def __init__(self, net):
        self.net = net
        self.optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        self.train_loaders = []
        self.valid_loaders = []

    def fit(self, epochs):
        for fold, (train, valid) in enumerate(zip(self.train_loaders, self.valid_loaders)):
            for epoch in range(epochs):
                for batch in train:
                    loss = self.net(batch).mean()
                    loss.backward()
                    self.optimizer.step()  # <- missing-zero-grad

# === lists that others fill: right
import torch


class Folds:
    def __init__(self, net):
        self.net = net
        self.optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        self.train_loaders = []
        self.valid_loaders = []

    def fit(self, epochs):
        for fold, (train, valid) in enumerate(zip(self.train_loaders, self.valid_loaders)):
            for epoch in range(epochs):
                for batch in train:
                    self.optimizer.zero_grad()
                    loss = self.net(batch).mean()
                    loss.backward()
                    self.optimizer.step()

# === an epoch that calls itself to evaluate: wrong
import torch


class Trainer:
    def __init__(self, net, loader, valid, window):
        self.net, self.loader, self.valid, self.window = net, loader, valid, window
        self.optimizer = torch.optim.SGD(net.parameters(), lr=0.1)

    def epoch(self, training=True):
        for number, batch in enumerate(self.loader if training else self.valid):
            loss = self.net(batch).mean() / self.window
            if training:
                loss.backward()
                if (number + 1) % self.window == 0:  # <- dropped-accumulation-tail
                    self.optimizer.step()
                    self.optimizer.zero_grad()
                if number % 100 == 0:
                    self.evaluate()

    def evaluate(self):
        with torch.no_grad():
            self.epoch(training=False)

    def train(self, epochs):
        for _ in range(epochs):
            self.epoch()

# === an epoch that calls itself to evaluate: right
import torch


class Trainer:
    def __init__(self, net, loader, valid, window):
        self.net, self.loader, self.valid, self.window = net, loader, valid, window
        self.optimizer = torch.optim.SGD(net.parameters(), lr=0.1)

    def epoch(self, training=True):
        for number, batch in enumerate(self.loader if training else self.valid):
            loss = self.net(batch).mean() / self.window
            if training:
                loss.backward()
                if (number + 1) % self.window == 0 or number + 1 == len(self.loader):
                    self.optimizer.step()
                    self.optimizer.zero_grad()
                if number % 100 == 0:
                    self.evaluate()

    def evaluate(self):
        with torch.no_grad():
            self.epoch(training=False)

    def train(self, epochs):
        for _ in range(epochs):
            self.epoch()
