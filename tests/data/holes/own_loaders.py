# === a distributed sampler of one's own shuffles by the epoch
import torch
from torch.utils.data import DataLoader, DistributedSampler


class Buckets(DistributedSampler):
    def __init__(self, data, size):
        super().__init__(data, shuffle=True)
        self.size = size

    def __iter__(self):
        generator = torch.Generator()
        generator.manual_seed(self.epoch)
        order = torch.randperm(len(self.dataset), generator=generator).tolist()
        return iter([order[at : at + self.size] for at in range(0, len(order), self.size)])


def fit(net, data, optimizer):
    loader = DataLoader(data, batch_sampler=Buckets(data, 8))
    for epoch in range(9):  # <- missing-set-epoch
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()


# === right: it is told the epoch
import torch
from torch.utils.data import DataLoader, DistributedSampler


class Buckets(DistributedSampler):
    def __init__(self, data, size):
        super().__init__(data, shuffle=True)
        self.size = size

    def __iter__(self):
        generator = torch.Generator()
        generator.manual_seed(self.epoch)
        order = torch.randperm(len(self.dataset), generator=generator).tolist()
        return iter([order[at : at + self.size] for at in range(0, len(order), self.size)])


def fit(net, data, optimizer):
    loader = DataLoader(data, batch_sampler=Buckets(data, 8))
    for epoch in range(9):
        loader.batch_sampler.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()


# === right: it counts the epochs itself
import torch
from torch.utils.data import DataLoader, DistributedSampler


class Buckets(DistributedSampler):
    def __init__(self, data, size):
        super().__init__(data, shuffle=True)
        self.size = size

    def __iter__(self):
        generator = torch.Generator()
        generator.manual_seed(self.epoch)
        order = torch.randperm(len(self.dataset), generator=generator).tolist()
        self.epoch += 1
        return iter([order[at : at + self.size] for at in range(0, len(order), self.size)])


def fit(net, data, optimizer):
    loader = DataLoader(data, batch_sampler=Buckets(data, 8))
    for epoch in range(9):
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()


# === right: its shuffle is not that of the epoch
import torch
from torch.utils.data import DataLoader, DistributedSampler


class Buckets(DistributedSampler):
    def __init__(self, data, size):
        super().__init__(data, shuffle=True)
        self.size = size

    def __iter__(self):
        generator = torch.Generator()
        generator.manual_seed(torch.seed())
        order = torch.randperm(len(self.dataset), generator=generator).tolist()
        return iter([order[at : at + self.size] for at in range(0, len(order), self.size)])


def fit(net, data, optimizer):
    loader = DataLoader(data, batch_sampler=Buckets(data, 8))
    for epoch in range(9):
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()


# === right: it does not shuffle
import torch
from torch.utils.data import DataLoader, DistributedSampler


class Buckets(DistributedSampler):
    def __init__(self, data, size):
        super().__init__(data, shuffle=False)
        self.size = size

    def __iter__(self):
        generator = torch.Generator()
        generator.manual_seed(self.epoch)
        order = torch.randperm(len(self.dataset), generator=generator).tolist()
        return iter([order[at : at + self.size] for at in range(0, len(order), self.size)])


def fit(net, data, optimizer):
    loader = DataLoader(data, batch_sampler=Buckets(data, 8))
    for epoch in range(9):
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()


# === right: it keeps the epoch in a field of its own
import torch
from torch.utils.data import DataLoader, DistributedSampler


class Resumed(DistributedSampler):
    def __init__(self, data, start):
        super().__init__(data)
        self.start = start

    def set_epoch(self, epoch):
        self._seen = epoch + self.start
        super().set_epoch(self._seen)


def fit(net, data, optimizer):
    sampler = Resumed(data, 3)
    loader = DataLoader(data, sampler=sampler)
    for epoch in range(9):
        sampler.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()


# === a loader class of one's own holds a distributed sampler
import torch
from torch.utils.data import DataLoader, DistributedSampler


class Clips(DataLoader):
    def reseed(self, epoch):
        self.sampler.set_epoch(epoch)


def fit(net, data, optimizer):
    loader = Clips(data, sampler=DistributedSampler(data))
    print(len(loader.dataset))
    for epoch in range(9):  # <- missing-set-epoch
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()


# === right: its method tells the sampler
import torch
from torch.utils.data import DataLoader, DistributedSampler


class Clips(DataLoader):
    def reseed(self, epoch):
        self.sampler.set_epoch(epoch)


def fit(net, data, optimizer):
    loader = Clips(data, sampler=DistributedSampler(data))
    for epoch in range(9):
        loader.reseed(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()


# === right: it tells the sampler where a pass begins
import torch
from torch.utils.data import DataLoader, DistributedSampler


class Clips(DataLoader):
    def __init__(self, data):
        super().__init__(data, batch_size=8, sampler=DistributedSampler(data))
        self.passes = 0

    def __iter__(self):
        self.sampler.set_epoch(self.passes)
        self.passes += 1
        return super().__iter__()


def fit(net, data, optimizer):
    loader = Clips(data)
    for epoch in range(9):
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()


# === a loader class makes its own distributed sampler
import torch
from torch.utils.data import DataLoader, DistributedSampler


class Clips(DataLoader):
    def __init__(self, data, size):
        sampler = DistributedSampler(data)
        super().__init__(data, batch_size=size, sampler=sampler)


def fit(net, data, optimizer):
    loader = Clips(data, 8)
    for epoch in range(9):  # <- missing-set-epoch
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()


# === torch's batch sampler holds the distributed one
import torch
from torch.utils.data import BatchSampler, DataLoader, DistributedSampler


def fit(net, data, optimizer):
    batches = BatchSampler(DistributedSampler(data), 8, drop_last=True)
    loader = DataLoader(data, batch_sampler=batches)
    for epoch in range(9):  # <- missing-set-epoch
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()


# === right: the one inside is told
import torch
from torch.utils.data import BatchSampler, DataLoader, DistributedSampler


def fit(net, data, optimizer):
    batches = BatchSampler(DistributedSampler(data), 8, drop_last=True)
    loader = DataLoader(data, batch_sampler=batches)
    for epoch in range(9):
        loader.batch_sampler.sampler.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()


# === a batch sampler of one's own holds the distributed one
import torch
from torch.utils.data import BatchSampler, DataLoader, DistributedSampler


class Grouped(BatchSampler):
    def __init__(self, sampler, groups, size):
        self.sampler, self.groups, self.size = sampler, groups, size

    def __iter__(self):
        gathered = []
        for index in self.sampler:
            gathered.append(index)
            if len(gathered) == self.size:
                yield gathered
                gathered = []


def fit(net, data, optimizer):
    loader = DataLoader(data, batch_sampler=Grouped(DistributedSampler(data), data.groups, 8))
    for epoch in range(9):  # <- missing-set-epoch
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()


# === right: batches of a loader of one's own are numbered from one
import torch
from torch.utils.data import DataLoader


class Feed:
    def __init__(self, loader):
        self.loader, self.rounds = loader, 0

    def __len__(self):
        return len(self.loader)

    def __iter__(self):
        self.rounds += 1
        for one in self.loader:
            yield one


def main(data, model, accum):
    optimizer = torch.optim.Adam(model.parameters())
    loader = Feed(DataLoader(data, batch_size=8))
    for _ in range(3):
        for i, (x, y) in enumerate(loader, 1):
            loss = torch.nn.functional.cross_entropy(model(x), y)
            (loss / accum).backward()
            if i % accum == 0 or i == len(loader):
                optimizer.step()
                optimizer.zero_grad()


# === they are numbered from nought
import torch
from torch.utils.data import DataLoader


class Feed:
    def __init__(self, loader):
        self.loader, self.rounds = loader, 0

    def __len__(self):
        return len(self.loader)

    def __iter__(self):
        self.rounds += 1
        for one in self.loader:
            yield one


def main(data, model, accum):
    optimizer = torch.optim.Adam(model.parameters())
    loader = Feed(DataLoader(data, batch_size=8))
    for _ in range(3):
        for i, (x, y) in enumerate(loader):
            loss = torch.nn.functional.cross_entropy(model(x), y)
            (loss / accum).backward()
            if i % accum == 0:  # <- accumulation-off-by-one, dropped-accumulation-tail
                optimizer.step()
                optimizer.zero_grad()


# === right: they are handed on all together
import torch
from torch.utils.data import DataLoader


class Feed:
    def __init__(self, loader):
        self.loader, self.rounds = loader, 0

    def __len__(self):
        return len(self.loader)

    def __iter__(self):
        self.rounds += 1
        yield from self.loader


def main(data, model, accum):
    optimizer = torch.optim.Adam(model.parameters())
    loader = Feed(DataLoader(data, batch_size=8))
    for _ in range(3):
        for i, (x, y) in enumerate(loader, start=1):
            loss = torch.nn.functional.cross_entropy(model(x), y)
            (loss / accum).backward()
            if i % accum == 0 or i == len(loader):
                optimizer.step()
                optimizer.zero_grad()


# === the same, and no loss is divided
import torch
from torch.utils.data import DataLoader


class Feed:
    def __init__(self, loader):
        self.loader, self.rounds = loader, 0

    def __len__(self):
        return len(self.loader)

    def __iter__(self):
        self.rounds += 1
        yield from self.loader


def main(data, model, accum):
    optimizer = torch.optim.Adam(model.parameters())
    loader = Feed(DataLoader(data, batch_size=8))
    for _ in range(3):
        for i, (x, y) in enumerate(loader, start=1):
            loss = torch.nn.functional.cross_entropy(model(x), y)
            loss.backward()  # <- unscaled-accumulation-loss
            if i % accum == 0 or i == len(loader):
                optimizer.step()
                optimizer.zero_grad()


# === a sampler is told the epoch once, before the loop
import torch
from torch.utils.data import DataLoader, DistributedSampler


def fit(net, data, optimizer, listeners):
    sampler = DistributedSampler(data)
    loader = DataLoader(data, sampler=sampler, batch_size=8)
    for _ in [0]:
        sampler.set_epoch(0)
    for epoch in range(9):  # <- missing-set-epoch
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()


# === right: it is told in a loop over listeners, in each epoch
import torch
from torch.utils.data import DataLoader, DistributedSampler


def fit(net, data, optimizer, listeners):
    sampler = DistributedSampler(data)
    loader = DataLoader(data, sampler=sampler, batch_size=8)
    for epoch in range(9):
        for _ in [0]:
            sampler.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()


# === right: a loader of one's own around another one
import torch
from torch.utils.data import DataLoader


class Feed:
    def __init__(self, loader):
        self.loader, self.rounds = loader, 0

    def __len__(self):
        return len(self.loader)

    def __iter__(self):
        self.rounds += 1
        for one in self.loader:
            yield one


class Ahead:
    def __init__(self, feed):
        self.feed, self.seen = feed, 0

    def __len__(self):
        return len(self.feed)

    def __iter__(self):
        for one in self.feed:
            self.seen += 1
            yield one


def main(data, model, accum):
    optimizer = torch.optim.Adam(model.parameters())
    loader = Ahead(Feed(DataLoader(data, batch_size=8)))
    for _ in range(3):
        for i, (x, y) in enumerate(loader, 1):
            loss = torch.nn.functional.cross_entropy(model(x), y)
            (loss / accum).backward()
            if i % accum == 0 or i == len(loader):
                optimizer.step()
                optimizer.zero_grad()


# === around another one, and no loss is divided
import torch
from torch.utils.data import DataLoader


class Feed:
    def __init__(self, loader):
        self.loader, self.rounds = loader, 0

    def __len__(self):
        return len(self.loader)

    def __iter__(self):
        self.rounds += 1
        for one in self.loader:
            yield one


class Ahead:
    def __init__(self, feed):
        self.feed, self.seen = feed, 0

    def __len__(self):
        return len(self.feed)

    def __iter__(self):
        for one in self.feed:
            self.seen += 1
            yield one


def main(data, model, accum):
    optimizer = torch.optim.Adam(model.parameters())
    loader = Ahead(Feed(DataLoader(data, batch_size=8)))
    for _ in range(3):
        for i, (x, y) in enumerate(loader, 1):
            loss = torch.nn.functional.cross_entropy(model(x), y)
            loss.backward()  # <- unscaled-accumulation-loss
            if i % accum == 0 or i == len(loader):
                optimizer.step()
                optimizer.zero_grad()


# === right: one of its own kind
import torch
from torch.utils.data import DataLoader


class Feed:
    def __init__(self, loader):
        self.loader, self.rounds = loader, 0

    def __len__(self):
        return len(self.loader)

    def __iter__(self):
        self.rounds += 1
        for one in self.loader:
            yield one


def main(data, model, accum):
    optimizer = torch.optim.Adam(model.parameters())
    loader = Feed(Feed(DataLoader(data, batch_size=8)))
    for _ in range(3):
        for i, (x, y) in enumerate(loader, 1):
            loss = torch.nn.functional.cross_entropy(model(x), y)
            (loss / accum).backward()
            if i % accum == 0 or i == len(loader):
                optimizer.step()
                optimizer.zero_grad()


# === of its own kind, and no loss is divided
import torch
from torch.utils.data import DataLoader


class Feed:
    def __init__(self, loader):
        self.loader, self.rounds = loader, 0

    def __len__(self):
        return len(self.loader)

    def __iter__(self):
        self.rounds += 1
        for one in self.loader:
            yield one


def main(data, model, accum):
    optimizer = torch.optim.Adam(model.parameters())
    loader = Feed(Feed(DataLoader(data, batch_size=8)))
    for _ in range(3):
        for i, (x, y) in enumerate(loader, 1):
            loss = torch.nn.functional.cross_entropy(model(x), y)
            loss.backward()  # <- unscaled-accumulation-loss
            if i % accum == 0 or i == len(loader):
                optimizer.step()
                optimizer.zero_grad()


# === right: a loader without an end has no epochs, and leaves no rest
import torch
from torch.utils.data import DataLoader


class Feed:
    def __init__(self, loader):
        self.loader, self.rounds = loader, 0

    def __iter__(self):
        while True:
            self.rounds += 1
            for one in self.loader:
                yield one


def main(data, model, accum, steps):
    optimizer = torch.optim.Adam(model.parameters())
    loader = Feed(DataLoader(data, batch_size=8))
    for i, (x, y) in enumerate(loader):
        loss = torch.nn.functional.cross_entropy(model(x), y)
        (loss / accum).backward()
        if (i + 1) % accum == 0:
            optimizer.step()
            optimizer.zero_grad()
        if i + 1 == steps * accum:
            break


# === a sampler is told where it begins, once
import torch
from torch.utils.data import DataLoader, DistributedSampler


def fit(net, data, optimizer, start, epochs):
    sampler = DistributedSampler(data)
    loader = DataLoader(data, sampler=sampler, batch_size=8)
    sampler.set_epoch(start)
    for epoch in range(start, epochs):  # <- missing-set-epoch
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()


# === right: the first epoch is told before the loop, each other one at the end of the one before
import torch
from torch.utils.data import DataLoader, DistributedSampler


def fit(net, data, optimizer, start, epochs):
    sampler = DistributedSampler(data)
    loader = DataLoader(data, sampler=sampler, batch_size=8)
    sampler.set_epoch(start)
    for epoch in range(start, epochs):
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()
        sampler.set_epoch(epoch + 1)
