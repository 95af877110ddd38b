# === right: a sampler is told by what is fetched of it, or nothing is
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler


def feed(loader, first, epochs):
    tell = getattr(loader.sampler, "set_epoch", lambda epoch: None)
    for number in range(first, first + epochs):
        tell(number)
        yield iter(loader)


def train(net, opt, data):
    loader = DataLoader(data, batch_size=8, sampler=DistributedSampler(data))
    for walk in feed(loader, 0, 3):
        for x, y in walk:
            opt.zero_grad()
            nn.functional.mse_loss(net(x), y).backward()
            opt.step()
# === what is fetched of a sampler is never called
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler


def feed(loader, first, epochs):
    tell = getattr(loader.sampler, "set_epoch", lambda epoch: None)
    for number in range(first, first + epochs):  # <- missing-set-epoch
        print(number)
        yield iter(loader)


def train(net, opt, data):
    loader = DataLoader(data, batch_size=8, sampler=DistributedSampler(data))
    for walk in feed(loader, 0, 3):
        for x, y in walk:
            opt.zero_grad()
            nn.functional.mse_loss(net(x), y).backward()
            opt.step()
