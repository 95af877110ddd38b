# === right: on the way past the wrapper there is no optimizer
import torch
from torch.nn.parallel import DistributedDataParallel


class Both(torch.nn.Module):
    def __init__(self, net, table):
        super().__init__()
        self.net, self.table = net, table

    def forward(self, x):
        return self.net(self.table(x))


def fit(args, make, net, table, loader):
    model = DistributedDataParallel(Both(net, table))
    if args.plain:
        NotImplementedError("not supported")
    else:
        optimizer = make(model.parameters(), lr=args.lr)
    for x, y in loader:
        if args.plain:
            out = model.module.net(x)
        else:
            out = model(x)
        torch.nn.functional.mse_loss(out, y).backward()
        optimizer.step()
        optimizer.zero_grad()


# === right: the same, where somebody is only told
import torch
from torch.nn.parallel import DistributedDataParallel


class Both(torch.nn.Module):
    def __init__(self, net, table):
        super().__init__()
        self.net, self.table = net, table

    def forward(self, x):
        return self.net(self.table(x))


def fit(args, make, net, table, loader):
    model = DistributedDataParallel(Both(net, table))
    if args.plain:
        print("not supported")
    else:
        optimizer = make(model.parameters(), lr=args.lr)
    for x, y in loader:
        if args.plain:
            out = model.module.net(x)
        else:
            out = model(x)
        torch.nn.functional.mse_loss(out, y).backward()
        optimizer.step()
        optimizer.zero_grad()


# === on the way past the wrapper there is another optimizer
import torch
from torch.nn.parallel import DistributedDataParallel


class Both(torch.nn.Module):
    def __init__(self, net, table):
        super().__init__()
        self.net, self.table = net, table

    def forward(self, x):
        return self.net(self.table(x))


def fit(args, make, net, table, loader):
    model = DistributedDataParallel(Both(net, table))
    if args.plain:
        optimizer = make(model.module.net.parameters(), lr=args.lr)
    else:
        optimizer = make(model.parameters(), lr=args.lr)
    for x, y in loader:
        if args.plain:
            out = model.module.net(x)
        else:
            out = model(x)
        torch.nn.functional.mse_loss(out, y).backward()
        optimizer.step()  # <- step-without-sync
        optimizer.zero_grad()


# === the optimizer was there before
import torch
from torch.nn.parallel import DistributedDataParallel


class Both(torch.nn.Module):
    def __init__(self, net, table):
        super().__init__()
        self.net, self.table = net, table

    def forward(self, x):
        return self.net(self.table(x))


def fit(args, make, net, table, loader):
    model = DistributedDataParallel(Both(net, table))
    optimizer = make(model.parameters(), lr=0.1)
    if args.plain:
        print("as before")
    else:
        optimizer = make(model.parameters(), lr=args.lr)
    for x, y in loader:
        if args.plain:
            out = model.module.net(x)
        else:
            out = model(x)
        torch.nn.functional.mse_loss(out, y).backward()
        optimizer.step()  # <- step-without-sync
        optimizer.zero_grad()
