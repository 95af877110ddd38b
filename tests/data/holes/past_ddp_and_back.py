# === right: a function of autograd gets the wrapper, and calls it forwards and on the way back
import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Field(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(4, 1)

    def forward(self, x):
        return self.net(x)


class Adjoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, field, flat):
        ctx.field = field
        with torch.no_grad():
            return field(x)

    @staticmethod
    def backward(ctx, grad):
        with torch.enable_grad():
            out = ctx.field(ctx.saved_tensors[0])
        return torch.autograd.grad(out, tuple(ctx.field.parameters()), grad)


def solve(field, x):
    if not isinstance(field, nn.Module):
        raise TypeError("a network is wanted")
    flat = torch.cat([p.reshape(-1) for p in field.parameters()])
    return Adjoint.apply(x, field, flat)


def train(loader):
    field = DDP(Field())
    optimizer = torch.optim.Adam(field.parameters(), lr=1e-3)
    for x in loader:
        optimizer.zero_grad()
        y = solve(field, x)
        loss = field.module.net(y).mean()
        loss.backward()
        optimizer.step()
# === right: a network is handed to a function of autograd by its name
import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Field(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(4, 1)

    def forward(self, x):
        return self.net(x)


class Adjoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, field):
        ctx.field = field
        with torch.no_grad():
            return field(x)

    @staticmethod
    def backward(ctx, grad):
        return grad, None


def train(loader):
    field = DDP(Field())
    optimizer = torch.optim.Adam(field.parameters(), lr=1e-3)
    run = Adjoint.apply
    for x in loader:
        optimizer.zero_grad()
        loss = field.module.net(run(x, field)).mean()
        loss.backward()
        optimizer.step()
# === a function of autograd gets no network, and all of it goes past the wrapper
import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Field(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(4, 1)

    def forward(self, x):
        return self.net(x)


class Straight(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.round()

    @staticmethod
    def backward(ctx, grad):
        return grad


def train(loader):
    field = DDP(Field())
    optimizer = torch.optim.Adam(field.parameters(), lr=1e-3)
    for x in loader:
        optimizer.zero_grad()
        loss = field.module.net(Straight.apply(x)).mean()
        loss.backward()
        optimizer.step()  # <- step-without-sync
# === a function of autograd gets the wrapper to look at, and what it gives is only logged
import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Field(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(4, 1)

    def forward(self, x):
        return self.net(x)


class Adjoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, field):
        ctx.field = field
        return field(x)

    @staticmethod
    def backward(ctx, grad):
        return grad, None


def train(loader, writer):
    field = DDP(Field())
    optimizer = torch.optim.Adam(field.parameters(), lr=1e-3)
    for x in loader:
        optimizer.zero_grad()
        loss = field.module.net(x).mean()
        loss.backward()
        optimizer.step()  # <- step-without-sync
        with torch.no_grad():
            writer.add_scalar("field", Adjoint.apply(x, field).mean())
