"""What a context reads of an iterator ahead of its `yield`, it has read once; what it reads behind it again is empty."""

# === right: the list is made ahead of the yield, the clip stands behind it
from contextlib import contextmanager

import torch
from torch.nn.utils import clip_grad_norm_


@contextmanager
def limited(parameters, most):
    parameters = list(parameters)
    yield
    clip_grad_norm_(parameters, most)


def train(model, optimizer, batches):
    for x, y in batches:
        optimizer.zero_grad()
        with limited(model.parameters(), 1.0):
            torch.nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()


# === right: a method that lists what it was given by name, in a try
import contextlib

import torch


class Runner:
    def __init__(self, net, opt):
        self.net, self.opt = net, opt

    @contextlib.contextmanager
    def limits(self, *, of, most=0.3):
        held = [p for p in of if p.requires_grad]
        try:
            yield held
        finally:
            torch.nn.utils.clip_grad_norm_(held, most)

    def train(self, batches):
        for x, y in batches:
            self.opt.zero_grad()
            with self.limits(of=filter(lambda p: p.requires_grad, self.net.parameters())):
                torch.nn.functional.cross_entropy(self.net(x), y).backward()
            self.opt.step()


# === right: a generator of batches that lists parameters under no_grad
import torch


def batches(loader, weights):
    weights = list(weights)
    with torch.enable_grad():
        for x, y in loader:
            yield x, y
            torch.nn.utils.clip_grad_value_(weights, 0.1)


def train(model, optimizer, loader):
    for x, y in batches(loader, model.parameters()):
        optimizer.step()
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(x), y).backward()


# === the iterator is read ahead of the yield and once more behind it
from contextlib import contextmanager

import torch
from torch.nn.utils import clip_grad_norm_


@contextmanager
def limited(parameters, most):
    print(sum(p.numel() for p in parameters))
    yield
    clip_grad_norm_(parameters, most)  # <- clip-exhausted-parameters


def train(model, optimizer, batches):
    for x, y in batches:
        optimizer.zero_grad()
        with limited(model.parameters(), 1.0):
            torch.nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()


# === the context has read what is clipped behind it
from contextlib import contextmanager

import torch
from torch.nn.utils import clip_grad_norm_


@contextmanager
def halved(parameters):
    parameters = list(parameters)
    yield
    for p in parameters:
        p.grad.mul_(0.5)


def train(model, optimizer, batches):
    for x, y in batches:
        optimizer.zero_grad()
        weights = model.parameters()
        with halved(weights):
            torch.nn.functional.cross_entropy(model(x), y).backward()
        clip_grad_norm_(weights, 1.0)  # <- clip-exhausted-parameters
        optimizer.step()
