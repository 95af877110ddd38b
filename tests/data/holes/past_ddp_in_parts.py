# === the parts of the network inside DDP are called in turn
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(4, 4), nn.ReLU())
        self.decoder = nn.Sequential(nn.Linear(4, 2))

    def forward(self, x):
        return self.decoder(self.encoder(x))


def train(loader, rank):
    model = DDP(Net(), device_ids=[rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        hidden = model.module.encoder(x)
        F.cross_entropy(model.module.decoder(hidden), y).backward()
        optimizer.step()  # <- step-without-sync
        optimizer.zero_grad()
# === the parts are called by the name that the network had before
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(4, 4), nn.ReLU())
        self.decoder = nn.Sequential(nn.Linear(4, 2))

    def forward(self, x):
        return self.decoder(self.encoder(x))


def train(loader, rank):
    net = Net()
    model = DDP(net, device_ids=[rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        F.cross_entropy(net.decoder(net.encoder(x)), y).backward()
        optimizer.step()  # <- step-without-sync
        optimizer.zero_grad()
# === right: the wrapper is called, and a part judges what it gives
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(4, 4), nn.ReLU())
        self.decoder = nn.Sequential(nn.Linear(4, 2))

    def forward(self, x):
        return self.decoder(self.encoder(x))


def train(loader, rank):
    model = DDP(Net(), device_ids=[rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        out = model(x)
        again = model.module.decoder(out.repeat(1, 2))
        (F.cross_entropy(out, y) + F.cross_entropy(again, y)).backward()
        optimizer.step()
        optimizer.zero_grad()
# === right: a part is called for another loss beside the wrapper
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(4, 4), nn.ReLU())
        self.decoder = nn.Sequential(nn.Linear(4, 2))

    def forward(self, x):
        return self.decoder(self.encoder(x))


def train(loader, rank):
    model = DDP(Net(), device_ids=[rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        F.cross_entropy(model(x), y).backward(retain_graph=True)
        model.module.encoder(x).pow(2).mean().backward()
        optimizer.step()
        optimizer.zero_grad()
# === right: the parts that are called have wrappers of their own
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(4, 4), nn.ReLU())
        self.decoder = nn.Sequential(nn.Linear(4, 2))

    def forward(self, x):
        return self.decoder(self.encoder(x))


def train(loader, rank):
    net = Net()
    net.encoder = DDP(net.encoder, device_ids=[rank])
    net.decoder = DDP(net.decoder, device_ids=[rank])
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in loader:
        F.cross_entropy(net.decoder(net.encoder(x)), y).backward()
        optimizer.step()
        optimizer.zero_grad()
# === right: the parts are called and their gradients reduced by hand
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(4, 4), nn.ReLU())
        self.decoder = nn.Sequential(nn.Linear(4, 2))

    def forward(self, x):
        return self.decoder(self.encoder(x))


def train(loader, rank):
    model = DDP(Net(), device_ids=[rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        F.cross_entropy(model.module.decoder(model.module.encoder(x)), y).backward()
        for p in model.parameters():
            torch.distributed.all_reduce(p.grad)
            p.grad /= torch.distributed.get_world_size()
        optimizer.step()
        optimizer.zero_grad()
# === right: a part of the network is asked without gradients, a head of its own is trained
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(4, 4), nn.ReLU())
        self.decoder = nn.Sequential(nn.Linear(4, 2))

    def forward(self, x):
        return self.decoder(self.encoder(x))


def train(loader, rank):
    model = DDP(Net(), device_ids=[rank])
    head = nn.Linear(4, 2)
    optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
    for x, y in loader:
        with torch.no_grad():
            hidden = model.module.encoder(x)
        F.cross_entropy(head(hidden), y).backward()
        optimizer.step()
        optimizer.zero_grad()
# === right: the loss is computed inside the forward of the network
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(4, 4), nn.ReLU())
        self.decoder = nn.Sequential(nn.Linear(4, 2))

    def forward(self, x):
        return self.decoder(self.encoder(x))


class Judged(nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, x, y):
        loss = F.cross_entropy(self.net.decoder(self.net.encoder(x)), y)
        loss.backward()
        return loss.detach()


def train(loader, rank):
    model = DDP(Judged(Net()), device_ids=[rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        model(x, y)
        optimizer.step()
        optimizer.zero_grad()
