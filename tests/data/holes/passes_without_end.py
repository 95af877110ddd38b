# === a generator goes through a loader time and again, and nobody tells the sampler
import torch
from torch.utils import data


def sampler_of(dataset, distributed):
    if distributed:
        return data.distributed.DistributedSampler(dataset, shuffle=True)
    return data.RandomSampler(dataset)


def forever(loader):
    while True:  # <- missing-set-epoch
        for batch in loader:
            yield batch


class Trainer:
    def __init__(self, args, net, dataset, held):
        self.net = net
        self.opt = torch.optim.Adam(net.parameters())
        self.loader = data.DataLoader(dataset, 8, sampler=sampler_of(dataset, args.gpus > 1), drop_last=True)
        self.val_loader = data.DataLoader(held, 8, sampler=sampler_of(held, args.gpus > 1))

    def train(self, steps):
        loader = forever(self.loader)
        for i in range(steps):
            x, y = next(loader)
            self.opt.zero_grad()
            torch.nn.functional.mse_loss(self.net(x), y).backward()
            self.opt.step()


# === right: the generator tells it
import torch
from torch.utils import data


def sampler_of(dataset, distributed):
    if distributed:
        return data.distributed.DistributedSampler(dataset, shuffle=True)
    return data.RandomSampler(dataset)


def forever(loader):
    epoch = 0
    while True:
        loader.sampler.set_epoch(epoch)
        epoch += 1
        for batch in loader:
            yield batch


class Trainer:
    def __init__(self, args, net, dataset, held):
        self.net = net
        self.opt = torch.optim.Adam(net.parameters())
        self.loader = data.DataLoader(dataset, 8, sampler=sampler_of(dataset, args.gpus > 1), drop_last=True)
        self.val_loader = data.DataLoader(held, 8, sampler=sampler_of(held, args.gpus > 1))

    def train(self, steps):
        loader = forever(self.loader)
        for i in range(steps):
            x, y = next(loader)
            self.opt.zero_grad()
            torch.nn.functional.mse_loss(self.net(x), y).backward()
            self.opt.step()


# === right: who draws tells it
import torch
from torch.utils import data


def sampler_of(dataset, distributed):
    if distributed:
        return data.distributed.DistributedSampler(dataset, shuffle=True)
    return data.RandomSampler(dataset)


def forever(loader):
    while True:
        for batch in loader:
            yield batch


class Trainer:
    def __init__(self, args, net, dataset, held):
        self.net = net
        self.opt = torch.optim.Adam(net.parameters())
        self.loader = data.DataLoader(dataset, 8, sampler=sampler_of(dataset, args.gpus > 1), drop_last=True)
        self.val_loader = data.DataLoader(held, 8, sampler=sampler_of(held, args.gpus > 1))

    def train(self, steps):
        loader = forever(self.loader)
        for i in range(steps):
            self.loader.sampler.set_epoch(i // len(self.loader))
            x, y = next(loader)
            self.opt.zero_grad()
            torch.nn.functional.mse_loss(self.net(x), y).backward()
            self.opt.step()


# === right: it is only looked at
import torch
from torch.utils import data


def sampler_of(dataset, distributed):
    if distributed:
        return data.distributed.DistributedSampler(dataset, shuffle=True)
    return data.RandomSampler(dataset)


def forever(loader):
    while True:
        for batch in loader:
            yield batch


class Trainer:
    def __init__(self, args, net, dataset, held):
        self.net = net
        self.opt = torch.optim.Adam(net.parameters())
        self.dataset = dataset
        self.val_loader = data.DataLoader(held, 8, sampler=sampler_of(held, args.gpus > 1))

    def train(self, steps):
        seen = forever(self.val_loader)
        for x, y in data.DataLoader(self.dataset, 8, shuffle=True):
            self.opt.zero_grad()
            torch.nn.functional.mse_loss(self.net(x), y).backward()
            self.opt.step()
            self.net.eval()
            with torch.no_grad():
                print(self.net(next(seen)[0]))
            self.net.train()
