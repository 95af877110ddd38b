# === a loader of one's own fetches ahead until nothing is left
import torch
from torch.utils.data import DataLoader


class Ahead:
    def __init__(self, loader):
        self.loader = loader
        self.stream = torch.cuda.Stream()

    def __len__(self):
        return len(self.loader)

    def __iter__(self):
        source = iter(self.loader)
        self.fetch(source)
        batch = self.ready(source)
        while batch is not None:
            yield batch
            batch = self.ready(source)

    def fetch(self, source):
        try:
            self.batch = next(source)
        except StopIteration:
            self.batch = None
            return
        with torch.cuda.stream(self.stream):
            self.batch = move(self.batch)

    def ready(self, source):
        torch.cuda.current_stream().wait_stream(self.stream)
        batch = self.batch
        self.fetch(source)
        return batch


def main(data, model, accum):
    optimizer = torch.optim.Adam(model.parameters())
    loader = Ahead(DataLoader(data, batch_size=8))
    for _ in range(3):
        for i, batch in enumerate(loader):
            loss = torch.nn.functional.cross_entropy(model(batch[0]), batch[1])
            loss.backward()  # <- unscaled-accumulation-loss
            if (i + 1) % accum == 0:  # <- dropped-accumulation-tail
                optimizer.step()
                optimizer.zero_grad()


# === right: it fetches ahead, and the rest is stepped
import torch
from torch.utils.data import DataLoader


class Ahead:
    def __init__(self, loader):
        self.loader = loader
        self.stream = torch.cuda.Stream()

    def __len__(self):
        return len(self.loader)

    def __iter__(self):
        source = iter(self.loader)
        self.fetch(source)
        batch = self.ready(source)
        while batch is not None:
            yield batch
            batch = self.ready(source)

    def fetch(self, source):
        try:
            self.batch = next(source)
        except StopIteration:
            self.batch = None
            return
        with torch.cuda.stream(self.stream):
            self.batch = move(self.batch)

    def ready(self, source):
        torch.cuda.current_stream().wait_stream(self.stream)
        batch = self.batch
        self.fetch(source)
        return batch


def main(data, model, accum):
    optimizer = torch.optim.Adam(model.parameters())
    loader = Ahead(DataLoader(data, batch_size=8))
    for _ in range(3):
        for i, batch in enumerate(loader):
            loss = torch.nn.functional.cross_entropy(model(batch[0]), batch[1])
            (loss / accum).backward()
            if (i + 1) % accum == 0 or i + 1 == len(loader):
                optimizer.step()
                optimizer.zero_grad()


# === it asks an iterator until that stops
import torch
from torch.utils.data import DataLoader


class Ahead:
    def __init__(self, loader):
        self.loader, self.rounds = loader, 0

    def __len__(self):
        return len(self.loader)

    def __iter__(self):
        self.rounds += 1
        source = iter(self.loader)
        while True:
            try:
                batch = next(source)
            except StopIteration:
                return
            yield batch


def main(data, model, accum):
    optimizer = torch.optim.Adam(model.parameters())
    loader = Ahead(DataLoader(data, batch_size=8))
    for _ in range(3):
        for i, batch in enumerate(loader):
            loss = torch.nn.functional.cross_entropy(model(batch[0]), batch[1])
            loss.backward()  # <- unscaled-accumulation-loss
            if (i + 1) % accum == 0:  # <- dropped-accumulation-tail
                optimizer.step()
                optimizer.zero_grad()


# === right: it asks an iterator, and the rest is stepped
import torch
from torch.utils.data import DataLoader


class Ahead:
    def __init__(self, loader):
        self.loader, self.rounds = loader, 0

    def __len__(self):
        return len(self.loader)

    def __iter__(self):
        self.rounds += 1
        source = iter(self.loader)
        while True:
            try:
                batch = next(source)
            except StopIteration:
                return
            yield batch


def main(data, model, accum):
    optimizer = torch.optim.Adam(model.parameters())
    loader = Ahead(DataLoader(data, batch_size=8))
    for _ in range(3):
        for i, batch in enumerate(loader):
            loss = torch.nn.functional.cross_entropy(model(batch[0]), batch[1])
            (loss / accum).backward()
            if (i + 1) % accum == 0 or i + 1 == len(loader):
                optimizer.step()
                optimizer.zero_grad()


# === right: it begins anew and has no end
import torch
from torch.utils.data import DataLoader


class Forever:
    def __init__(self, loader):
        self.loader, self.rounds = loader, 0
        self.source = iter(loader)

    def __iter__(self):
        self.rounds += 1
        while True:
            try:
                batch = next(self.source)
            except StopIteration:
                self.source = iter(self.loader)
                batch = next(self.source)
            yield batch


def main(data, model, accum):
    optimizer = torch.optim.Adam(model.parameters())
    loader = Forever(DataLoader(data, batch_size=8))
    for i, batch in enumerate(loader):
        loss = torch.nn.functional.cross_entropy(model(batch[0]), batch[1])
        (loss / accum).backward()
        if (i + 1) % accum == 0:
            optimizer.step()
            optimizer.zero_grad()


# === right: it serves a number of batches
import torch
from torch.utils.data import DataLoader


class Turns:
    def __init__(self, loader, count):
        self.loader, self.count, self.rounds = loader, count, 0

    def __len__(self):
        return self.count

    def __iter__(self):
        self.rounds += 1
        source, served = iter(self.loader), 0
        while served < self.count:
            try:
                batch = next(source)
            except StopIteration:
                source = iter(self.loader)
                batch = next(source)
            served += 1
            yield batch


def main(data, model, accum, count):
    optimizer = torch.optim.Adam(model.parameters())
    loader = Turns(DataLoader(data, batch_size=8), count)
    for _ in range(3):
        for i, batch in enumerate(loader):
            loss = torch.nn.functional.cross_entropy(model(batch[0]), batch[1])
            (loss / accum).backward()
            if (i + 1) % accum == 0 or i + 1 == len(loader):
                optimizer.step()
                optimizer.zero_grad()
