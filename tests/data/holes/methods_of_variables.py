# === a method of its own that a variable holds trains, and nothing is cleared
import torch


class Trainer:
    def __init__(self, epochs):
        self.epochs = epochs
        self.criterion = torch.nn.MSELoss()

    def train(self, model, loaders):
        model.train()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for epoch in range(self.epochs):
            self._pass(model, loaders["train"], "train", optimizer)
            self._pass(model, loaders["val"], "val", None)

    def _pass(self, model, loader, mode, optimizer):
        if mode == "train":
            turn = self._turn
        else:
            turn = self._score
        for x, y in loader:
            turn(model=model, batch=(x, y), optimizer=optimizer)

    def _turn(self, model, batch, optimizer):
        x, y = batch
        self.criterion(model(x), y).backward()
        optimizer.step()  # <- missing-zero-grad

    def _score(self, model, batch, optimizer):
        x, y = batch
        with torch.no_grad():
            return self.criterion(model(x), y).item()
# === right: it clears
import torch


class Trainer:
    def __init__(self, epochs):
        self.epochs = epochs
        self.criterion = torch.nn.MSELoss()

    def train(self, model, loaders):
        model.train()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for epoch in range(self.epochs):
            self._pass(model, loaders["train"], "train", optimizer)
            self._pass(model, loaders["val"], "val", None)

    def _pass(self, model, loader, mode, optimizer):
        if mode == "train":
            turn = self._turn
        else:
            turn = self._score
        for x, y in loader:
            turn(model=model, batch=(x, y), optimizer=optimizer)

    def _turn(self, model, batch, optimizer):
        x, y = batch
        optimizer.zero_grad()
        self.criterion(model(x), y).backward()
        optimizer.step()

    def _score(self, model, batch, optimizer):
        x, y = batch
        with torch.no_grad():
            return self.criterion(model(x), y).item()
# === the rest of one epoch is added to the next, by a method that a variable holds
import torch


class Trainer:
    def __init__(self, net, loader, accum):
        self.net, self.loader, self.accum = net, loader, accum
        self.opt = torch.optim.AdamW(net.parameters())

    def fit(self, epochs):
        for epoch in range(epochs):
            self.one_epoch()

    def one_epoch(self):
        work = self.micro_batch
        for i, (x, y) in enumerate(self.loader):
            work(i, x, y)

    def micro_batch(self, i, x, y):
        loss = torch.nn.functional.cross_entropy(self.net(x), y) / self.accum
        loss.backward()
        if (i + 1) % self.accum == 0:  # <- dropped-accumulation-tail
            self.opt.step()
            self.opt.zero_grad()
# === right: the last of an epoch steps, too
import torch


class Trainer:
    def __init__(self, net, loader, accum):
        self.net, self.loader, self.accum = net, loader, accum
        self.opt = torch.optim.AdamW(net.parameters())

    def fit(self, epochs):
        for epoch in range(epochs):
            self.one_epoch()

    def one_epoch(self):
        work = self.micro_batch
        for i, (x, y) in enumerate(self.loader):
            work(i, x, y)

    def micro_batch(self, i, x, y):
        loss = torch.nn.functional.cross_entropy(self.net(x), y) / self.accum
        loss.backward()
        if (i + 1) % self.accum == 0 or i + 1 == len(self.loader):
            self.opt.step()
            self.opt.zero_grad()
