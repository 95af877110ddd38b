"""Who clears one of several parts, or some, lets these rest: the step has the others. All of them are another matter."""

# === right: one layer that is drawn rests
import random

import torch


def train(net, layers, optimizer, loader):
    for x, y in loader:
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(net(x), y).backward()
        random.choice(layers).zero_grad()
        optimizer.step()
# === right: layers rest in turn
import torch
from torch import nn


def train(loader):
    net = nn.Sequential(*[nn.Linear(4, 4) for _ in range(4)])
    layers = [one for one in net if isinstance(one, nn.Linear)]
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for step, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(net(x), y).backward()
        resting = layers[step % len(layers)]
        resting.zero_grad(set_to_none=True)
        optimizer.step()
# === right: the first of some layers rests
import torch
from torch import nn


def train(loader):
    net = nn.Sequential(*[nn.Linear(4, 4) for _ in range(4)])
    layers = [one for one in net if isinstance(one, nn.Linear)]
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(net(x), y).backward()
        next(iter(layers)).zero_grad()
        optimizer.step()
# === right: two that are drawn rest, those of a list that was handed over
import torch


def train(net, layers, optimizer, loader, rng):
    for x, y in loader:
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(net(x), y).backward()
        for layer in rng.sample(layers, 2):
            layer.zero_grad()
        optimizer.step()
# === right: a loop over all of them clears where its number says so
import torch


def train(net, layers, optimizer, loader):
    for step, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(net(x), y).backward()
        for i, layer in enumerate(layers):
            if i == step % 4:
                layer.zero_grad()
        optimizer.step()
# === right: the first half rests
import torch


def train(net, layers, optimizer, loader):
    for x, y in loader:
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(net(x), y).backward()
        for layer in layers[:2]:
            for p in layer.parameters():
                p.grad = None
        optimizer.step()
# === right: by a name that is drawn
import torch


def train(net, names, optimizer, loader, rng):
    for x, y in loader:
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(net(x), y).backward()
        getattr(net, rng.choice(names)).zero_grad()
        optimizer.step()
# === right: a helper picks the layer
import torch
from layers import pick_layer


def train(net, optimizer, loader):
    for step, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(net(x), y).backward()
        pick_layer(net, step).zero_grad()
        optimizer.step()
# === right: in each micro-batch of a window a layer that is drawn forgets
import torch
from torch import nn


def train(loader, rng):
    net = nn.Sequential(*[nn.Linear(4, 4) for _ in range(4)])
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for step, (x, y) in enumerate(loader):
        rng.choice(list(net)).zero_grad()
        (torch.nn.functional.cross_entropy(net(x), y) / 4).backward()
        if (step + 1) % 4 == 0:
            optimizer.step()
            optimizer.zero_grad()
# === right: the head takes the last micro-batch of a window alone
import torch


def train(net, optimizer, loader):
    for step, (x, y) in enumerate(loader):
        net.head.zero_grad()
        (torch.nn.functional.cross_entropy(net(x), y) / 4).backward()
        if (step + 1) % 4 == 0:
            optimizer.step()
            optimizer.zero_grad()
# === right: the first loss is for all but the head
import torch


def train(net, optimizer, loader):
    for x, y, z in loader:
        optimizer.zero_grad()
        out = net(x)
        torch.nn.functional.cross_entropy(out, y).backward(retain_graph=True)
        net.head.zero_grad()
        torch.nn.functional.mse_loss(out, z).backward()
        optimizer.step()
# === all of a list are cleared
import torch


def train(net, layers, optimizer, loader):
    for x, y in loader:
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(net(x), y).backward()
        for layer in layers:
            layer.zero_grad()  # <- zero-grad-before-step
        optimizer.step()
# === all of a list are cleared, in a branch
import torch


def train(net, layers, optimizer, loader):
    for step, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(net(x), y).backward()
        if step % 2 == 0:
            for layer in layers:
                layer.zero_grad()  # <- zero-grad-before-step
        optimizer.step()
# === the one of several is the whole that the loss came from
import torch


def train(nets, optimizers, loader, k):
    for x, y in loader:
        loss = torch.nn.functional.cross_entropy(nets[k](x), y)
        loss.backward()
        nets[k].zero_grad()  # <- zero-grad-before-step
        optimizers[k].step()
# === the optimizer has the one of several that is cleared, and no other
import torch
from torch import nn


def train(loader):
    nets = [nn.Linear(4, 4), nn.Linear(4, 4)]
    optimizer = torch.optim.SGD(nets[0].parameters(), lr=0.1)
    for x, y in loader:
        torch.nn.functional.cross_entropy(nets[1](nets[0](x)), y).backward()
        nets[0].zero_grad()  # <- zero-grad-before-step
        optimizer.step()
# === both parts are cleared, one after the other
import torch
from torch import nn


def train(loader, epochs):
    body, head = nn.Linear(4, 4), nn.Linear(4, 2)
    optimizer = torch.optim.SGD([*body.parameters(), *head.parameters()], lr=0.1)
    for step, (x, y) in enumerate(loader):
        body.zero_grad()
        head.zero_grad()  # <- zero-grad-in-accumulation
        (torch.nn.functional.cross_entropy(head(body(x)), y) / 4).backward()
        if (step + 1) % 4 == 0:
            optimizer.step()
            optimizer.zero_grad()
# === the whole network by another name
import torch


def train(net, optimizer, loader):
    for x, y in loader:
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(net(x), y).backward()
        unwrap(net).zero_grad()  # <- zero-grad-before-step
        optimizer.step()
# === the whole network in each micro-batch
import torch


def train(nets, optimizer, loader):
    net = nets["actor"]
    for step, (x, y) in enumerate(loader):
        nets["actor"].zero_grad()  # <- zero-grad-in-accumulation
        (torch.nn.functional.cross_entropy(net(x), y) / 4).backward()
        if (step + 1) % 4 == 0:
            optimizer.step()
            optimizer.zero_grad()
# === what was picked before the loop is the very network that goes forward
from torch import nn


def train(folds, k, optimizer, loader):
    model = folds[k]
    crit = nn.MSELoss()
    for i, (x, y) in enumerate(loader):
        model.zero_grad()  # <- zero-grad-in-accumulation
        loss = crit(model(x), y) / 4
        loss.backward()
        if (i + 1) % 4 == 0:
            optimizer.step()
# === so is what was drawn there
import random

from torch import nn


def train(folds, optimizer, loader):
    model = random.choice(folds)
    crit = nn.MSELoss()
    for i, (x, y) in enumerate(loader):
        for p in model.parameters():  # <- zero-grad-in-accumulation
            p.grad = None
        loss = crit(model(x), y) / 4
        loss.backward()
        if (i + 1) % 4 == 0:
            optimizer.step()
# === and what a factory made an optimizer of
from torch import nn


def train(folds, k, loaders, make):
    model, loader = folds[k], loaders[k]
    optimizer = make(model)
    crit = nn.MSELoss()
    for x, y in loader:
        loss = crit(model(x), y)
        loss.backward()
        model.zero_grad()  # <- zero-grad-before-step
        optimizer.step()
# === right: one that is drawn for each batch, of those that go forward in turn
import random

from torch import nn


def train(folds, optimizer, loader):
    crit = nn.MSELoss()
    for x, y in loader:
        loss = crit(random.choice(folds)(x), y)
        loss.backward()
        random.choice(folds).zero_grad()
        optimizer.step()
# === right: a layer that was picked before the loop is a part of what goes forward
from torch import nn


def train(net, layers, k, optimizer, loader):
    crit, layer = nn.MSELoss(), layers[k]
    for x, y in loader:
        optimizer.zero_grad()
        crit(net(layer(x)), y).backward()
        layer.zero_grad()
        optimizer.step()
# === right: those rest that a filter gives
import torch


def train(net, optimizer, loader, keep):
    for x, y in loader:
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(net(x), y).backward()
        for block in filter(lambda block: block not in keep, net.children()):
            block.zero_grad()
        optimizer.step()
# === right: those that stand before another
from itertools import takewhile

import torch


def train(net, optimizer, loader, keep):
    for x, y in loader:
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(net(x), y).backward()
        for block in takewhile(lambda block: block is not keep, net.children()):
            block.zero_grad()
        optimizer.step()
# === right: those from another on
import itertools

import torch


def train(net, optimizer, loader, keep):
    for x, y in loader:
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(net(x), y).backward()
        for block in itertools.dropwhile(lambda block: block is not keep, net.children()):
            block.zero_grad()
        optimizer.step()
# === right: those that are marked
import itertools

import torch


def train(net, optimizer, loader, keep):
    for x, y in loader:
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(net(x), y).backward()
        for block in itertools.compress(net.children(), keep):
            block.zero_grad()
        optimizer.step()
# === right: those that are not marked
import itertools

import torch


def train(net, optimizer, loader, keep):
    for x, y in loader:
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(net(x), y).backward()
        for block in itertools.filterfalse(keep, net.children()):
            block.zero_grad()
        optimizer.step()
# === right: a difference of sets
import torch


def train(net, optimizer, loader, keep):
    for x, y in loader:
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(net(x), y).backward()
        for block in set(net.children()) - set(keep):
            block.zero_grad()
        optimizer.step()
# === right: the same by its method
import torch


def train(net, optimizer, loader, keep):
    for x, y in loader:
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(net(x), y).backward()
        for block in set(net.children()).difference(keep):
            block.zero_grad()
        optimizer.step()
# === right: those in both
import torch


def train(net, optimizer, loader, keep):
    for x, y in loader:
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(net(x), y).backward()
        for block in set(net.children()) & set(keep):
            block.zero_grad()
        optimizer.step()
# === all of two sets are cleared
import torch


def train(net, optimizer, loader, keep):
    for x, y in loader:
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(net(x), y).backward()
        for block in set(net.children()) | set(keep):
            block.zero_grad()  # <- zero-grad-before-step
        optimizer.step()
# === all that learn are cleared
import torch


def train(net, optimizer, loader, keep):
    for x, y in loader:
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(net(x), y).backward()
        for block in filter(lambda p: p.requires_grad, net):
            block.zero_grad()  # <- zero-grad-before-step
        optimizer.step()
