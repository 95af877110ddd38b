# === a generator moves the rate ahead of each epoch that it hands out
import torch
from torch.optim.lr_scheduler import StepLR


def epochs_of(sgd, count):
    rate = StepLR(sgd, step_size=2)
    for epoch in range(count):
        rate.step()  # <- scheduler-before-optimizer
        yield epoch


def fit(net, batches, criterion):
    sgd = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in epochs_of(sgd, 6):
        for x, y in batches:
            sgd.zero_grad()
            criterion(net(x), y).backward()
            sgd.step()

# === a generator moves the rate behind each
import torch
from torch.optim.lr_scheduler import StepLR


def epochs_of(sgd, count):
    rate = StepLR(sgd, step_size=2)
    for epoch in range(count):
        yield epoch
        rate.step()


def fit(net, batches, criterion):
    sgd = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in epochs_of(sgd, 6):
        for x, y in batches:
            sgd.zero_grad()
            criterion(net(x), y).backward()
            sgd.step()

# === a generator moves the rate ahead of each batch, and of no first one
import torch
from torch.optim.lr_scheduler import StepLR


def paced(sgd, batches):
    rate = StepLR(sgd, step_size=100)
    begun = False
    for batch in batches:
        if begun:
            rate.step()
        begun = True
        yield batch


def fit(net, batches, criterion):
    sgd = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in paced(sgd, batches):
        sgd.zero_grad()
        criterion(net(x), y).backward()
        sgd.step()

# === a generator moves the rate ahead of each batch
import torch
from torch.optim.lr_scheduler import StepLR


def paced(sgd, batches):
    rate = StepLR(sgd, step_size=100)
    for batch in batches:
        rate.step()  # <- scheduler-before-optimizer
        yield batch


def fit(net, batches, criterion):
    sgd = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in paced(sgd, batches):
        sgd.zero_grad()
        criterion(net(x), y).backward()
        sgd.step()

# === a generator that counts on through a loop of its own, and yields behind it
import torch
from torch.optim.lr_scheduler import StepLR


def resumed(sgd, start, count):
    rate = StepLR(sgd, step_size=2)
    for past in range(start):
        rate.step()
    for epoch in range(start, count):
        yield epoch
        rate.step()


def fit(net, batches, criterion, start):
    sgd = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in resumed(sgd, start, 6):
        for x, y in batches:
            sgd.zero_grad()
            criterion(net(x), y).backward()
            sgd.step()
