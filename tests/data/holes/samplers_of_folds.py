# === each run makes its own sampler, and the passes over it are told nothing
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler


def run(net, opt, data, ranks):
    sampler = None if ranks is None else DistributedSampler(data, num_replicas=ranks[0], rank=ranks[1])
    loader = DataLoader(data, batch_size=8, sampler=sampler, shuffle=sampler is None)
    for _ in range(3):  # <- missing-set-epoch
        for x, y in loader:
            opt.zero_grad()
            nn.functional.mse_loss(net(x), y).backward()
            opt.step()


def train(net, opt, data):
    for ranks in (None, (2, 0)):
        run(net, opt, data, ranks)
# === right: each run tells its own
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler


def run(net, opt, data, ranks):
    sampler = None if ranks is None else DistributedSampler(data, num_replicas=ranks[0], rank=ranks[1])
    loader = DataLoader(data, batch_size=8, sampler=sampler, shuffle=sampler is None)
    for epoch in range(3):
        if sampler is not None:
            sampler.set_epoch(epoch)
        for x, y in loader:
            opt.zero_grad()
            nn.functional.mse_loss(net(x), y).backward()
            opt.step()


def train(net, opt, data):
    for ranks in (None, (2, 0)):
        run(net, opt, data, ranks)
# === one for all runs, of which each tells it nothing
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler


def run(net, opt, loader):
    for x, y in loader:
        opt.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        opt.step()


def train(net, opt, data):
    loader = DataLoader(data, batch_size=8, sampler=DistributedSampler(data))
    for epoch in range(3):  # <- missing-set-epoch
        run(net, opt, loader)
# === right: the loop around counts the epochs, and the one inside goes through phases
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler


def train(net, opt, data):
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=8, sampler=sampler)
    for epoch in range(3):
        sampler.set_epoch(epoch)
        for x, y in loader:
            opt.zero_grad()
            nn.functional.mse_loss(net(x), y).backward()
            opt.step()
