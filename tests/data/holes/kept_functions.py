"""Functions under other names: in a variable, a dictionary, an attribute, or handed out by a factory."""

# === a factory hands out what another name is given to
import torch
import torch.nn.functional as F


def make_epoch_fn(args):
    def run(model, loader, optimizer):
        model.train()
        for x, y in loader:
            optimizer.zero_grad()
            loss = F.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()

    return run


def main(args, loader):
    model = torch.nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 3)
    epoch_fn = make_epoch_fn(args)
    for epoch in range(args.epochs):
        scheduler.step()  # <- scheduler-before-optimizer
        epoch_fn(model, loader, optimizer)

# === right: a factory hands out what another name is given to
import torch
import torch.nn.functional as F


def make_epoch_fn(args):
    def run(model, loader, optimizer):
        model.train()
        for x, y in loader:
            loss = F.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()

    return run


def main(args, loader):
    model = torch.nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 3)
    epoch_fn = make_epoch_fn(args)
    for epoch in range(args.epochs):
        epoch_fn(model, loader, optimizer)
        scheduler.step()

# === a partial
import functools
import torch
import torch.nn.functional as F


def train_step(model, optimizer, x, y):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    return loss


def train(loader, epochs):
    model = torch.nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    advance = functools.partial(train_step, model, optimizer)
    for epoch in range(epochs):
        total = 0.0
        for x, y in loader:
            loss = advance(x, y)
            total += loss  # <- loss-graph-leak
        print(total)

# === a dictionary of functions
import torch
import torch.nn.functional as F


def plain(model, optimizer, batch):
    x, y = batch
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()  # <- missing-zero-grad


def mixed(model, optimizer, batch):
    x, _ = batch
    optimizer.zero_grad()
    F.mse_loss(model(x), x).backward()
    optimizer.step()


WAYS = {"plain": plain, "mixed": mixed}


def main(args, loader):
    model = torch.nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    way = WAYS[args.way]
    for epoch in range(args.epochs):
        for batch in loader:
            way(model, optimizer, batch)

# === right: a dictionary of functions, cleared by the loop
import torch
import torch.nn.functional as F


def plain(model, optimizer, batch):
    x, y = batch
    F.cross_entropy(model(x), y).backward()
    optimizer.step()


def mixed(model, optimizer, batch):
    x, _ = batch
    F.mse_loss(model(x), x).backward()
    optimizer.step()


def main(args, loader):
    model = torch.nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    ways = {"plain": plain, "mixed": mixed}
    for epoch in range(args.epochs):
        for batch in loader:
            optimizer.zero_grad()
            ways[args.way](model, optimizer, batch)
