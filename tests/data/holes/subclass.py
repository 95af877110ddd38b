# === subclass that passes attributes on
import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel


class MyDDP(DistributedDataParallel):
    def __getattr__(self, name):
        try:
            return super().__getattr__(name)
        except AttributeError:
            return getattr(self.module, name)


def train(model, loader, optimizer, accum):
    model = MyDDP(model)
    for i, (x, y) in enumerate(loader):
        (F.cross_entropy(model(x), y) / accum).backward()  # <- missing-no-sync
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === subclass with an init, forward outside
import contextlib

import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP


class Parallel(DDP):
    def __init__(self, module, rank):
        super().__init__(module, device_ids=[rank], find_unused_parameters=True)
        self.rank = rank


def train(net, rank, loader, optimizer, accum):
    net = Parallel(net, rank)
    for i, (x, y) in enumerate(loader):
        last = (i + 1) % accum == 0 or i + 1 == len(loader)
        loss = F.cross_entropy(net(x), y) / accum  # <- forward-outside-no-sync
        with contextlib.nullcontext() if last else net.no_sync():
            loss.backward()
        if last:
            optimizer.step()
            optimizer.zero_grad()
# === empty subclass of a subclass
import torch
import torch.nn as nn
import torch.nn.functional as F


class Base(nn.parallel.DistributedDataParallel):
    pass


class Wrapped(Base):
    def training_loss(self, x, y):
        return F.cross_entropy(self(x), y)


def train(model, loader, accum):
    wrapped = Wrapped(model)
    optimizer = torch.optim.SGD(wrapped.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        loss = wrapped.training_loss(x, y) / accum
        loss.backward()  # <- missing-no-sync
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === subclass, no_sync inverted
import contextlib

import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel


class Net(DistributedDataParallel):
    """With the state of the wrapped module under its own names."""

    def state_dict(self, *args, **kwargs):
        return self.module.state_dict(*args, **kwargs)


def train(module, loader, optimizer, accum):
    model = Net(module, device_ids=[0])
    for i, (x, y) in enumerate(loader):
        last = (i + 1) % accum == 0 or i + 1 == len(loader)
        with model.no_sync() if last else contextlib.nullcontext():
            (F.cross_entropy(model(x), y) / accum).backward()
        if last:
            optimizer.step()  # <- step-without-sync
            optimizer.zero_grad()
# === right: subclass with no_sync
import contextlib

import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel


class MyDDP(DistributedDataParallel):
    def __getattr__(self, name):
        try:
            return super().__getattr__(name)
        except AttributeError:
            return getattr(self.module, name)


def train(model, loader, optimizer, accum):
    model = MyDDP(model)
    for i, (x, y) in enumerate(loader):
        last = (i + 1) % accum == 0 or i + 1 == len(loader)
        with contextlib.nullcontext() if last else model.no_sync():
            (F.cross_entropy(model(x), y) / accum).backward()
        if last:
            optimizer.step()
            optimizer.zero_grad()
# === right: a project's own class of that name that reduces by hand
import torch
import torch.distributed as dist
import torch.nn.functional as F


class DistributedDataParallel(torch.nn.Module):
    def __init__(self, module):
        super().__init__()
        self.module = module

    def forward(self, *inputs):
        return self.module(*inputs)

    def reduce(self):
        for p in self.module.parameters():
            dist.all_reduce(p.grad)
            p.grad /= dist.get_world_size()


def train(model, loader, optimizer, accum):
    model = DistributedDataParallel(model)
    for i, (x, y) in enumerate(loader):
        (F.cross_entropy(model(x), y) / accum).backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            model.reduce()
            optimizer.step()
            optimizer.zero_grad()
# === a subclass with a forward of its own
import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel


class WithLoss(DistributedDataParallel):
    def forward(self, x, y):
        out = super().forward(x)
        return F.cross_entropy(out, y)


def train(model, loader, accum):
    model = WithLoss(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        loss = model(x, y) / accum
        loss.backward()  # <- missing-no-sync
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === right: a trainer that has a forward is no network
import torch
from networks import define_D, define_G

from models.base_model import BaseModel


class CycleModel(BaseModel):
    def __init__(self, opt):
        BaseModel.__init__(self, opt)
        self.netG, self.netD = define_G(opt), define_D(opt)
        self.optimizer_G = torch.optim.Adam(self.netG.parameters(), lr=opt.lr)
        self.optimizer_D = torch.optim.Adam(self.netD.parameters(), lr=opt.lr)

    def forward(self):
        self.fake = self.netG(self.real)

    def backward_D(self):
        self.loss_D = (self.netD(self.fake.detach()) - self.netD(self.real)).mean()
        self.loss_D.backward()

    def backward_G(self):
        self.loss_G = -self.netD(self.fake).mean()
        self.loss_G.backward()

    def optimize_parameters(self):
        self.forward()
        self.set_requires_grad(self.netD, True)
        self.backward_D()
        self.optimizer_D.step()
        self.optimizer_D.zero_grad()
        self.set_requires_grad(self.netD, False)
        self.backward_G()
        torch.nn.utils.clip_grad_norm_(self.netG.parameters(), 1.0)
        self.optimizer_G.step()
        self.optimizer_G.zero_grad()
# === a trainer that has a forward clips behind the step
import torch
from networks import define_D, define_G

from models.base_model import BaseModel


class CycleModel(BaseModel):
    def __init__(self, opt):
        BaseModel.__init__(self, opt)
        self.netG, self.netD = define_G(opt), define_D(opt)
        self.optimizer_G = torch.optim.Adam(self.netG.parameters(), lr=opt.lr)
        self.optimizer_D = torch.optim.Adam(self.netD.parameters(), lr=opt.lr)

    def forward(self):
        self.fake = self.netG(self.real)

    def backward_D(self):
        self.loss_D = (self.netD(self.fake.detach()) - self.netD(self.real)).mean()
        self.loss_D.backward()

    def backward_G(self):
        self.loss_G = -self.netD(self.fake).mean()
        self.loss_G.backward()

    def optimize_parameters(self):
        self.forward()
        self.set_requires_grad(self.netD, True)
        self.backward_D()
        self.optimizer_D.step()
        self.optimizer_D.zero_grad()
        self.set_requires_grad(self.netD, False)
        self.backward_G()
        self.optimizer_G.step()
        torch.nn.utils.clip_grad_norm_(self.netG.parameters(), 1.0)  # <- clip-after-step
        self.optimizer_G.zero_grad()

