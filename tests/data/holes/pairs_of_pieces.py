# === right: a list of pairs, one of the columns of a size that is seen
import torch
from torch import nn


def train(net, opt):
    x = torch.randn(60, 4)
    y = x[:, :3].argmax(1)
    batches = list(zip(x.split(6), y.split(6)))
    for _ in range(3):
        for i, (xb, yb) in enumerate(batches):
            (nn.functional.cross_entropy(net(xb), yb) / 3).backward()
            if (i + 1) % 3 == 0 or i + 1 == len(batches):
                opt.step()
                opt.zero_grad()
# === a list of pairs, and what is left of an epoch
import torch
from torch import nn


def train(net, opt):
    x = torch.randn(60, 4)
    y = x[:, :3].argmax(1)
    batches = list(zip(x.split(6), y.split(6)))
    for _ in range(3):
        for i, (xb, yb) in enumerate(batches):
            (nn.functional.cross_entropy(net(xb), yb) / 3).backward()
            if (i + 1) % 3 == 0:  # <- dropped-accumulation-tail
                opt.step()
                opt.zero_grad()
# === right: a schedule that is as long as batches are counted one by one
import torch
from torch import nn


def horizon(batches, epochs):
    return epochs * sum(1 for _ in batches)


def train(net, batches, epochs=2):
    opt = torch.optim.SGD(net.parameters(), lr=0.01)
    plan = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=0.3, total_steps=horizon(batches, epochs))
    for _ in range(epochs):
        for i, (xb, yb) in enumerate(batches):
            (nn.functional.cross_entropy(net(xb), yb) / 3).backward()
            if (i + 1) % 3 == 0 or i + 1 == len(batches):
                opt.step()
                opt.zero_grad()
            plan.step()
# === a schedule that is as long as those of the batches that count
import torch
from torch import nn


def updates(batches, epochs):
    return epochs * sum(1 for i, _ in enumerate(batches) if i % 3 == 2)


def train(net, batches, epochs=2):
    opt = torch.optim.SGD(net.parameters(), lr=0.01)
    plan = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=0.3, total_steps=updates(batches, epochs))
    for _ in range(epochs):
        for i, (xb, yb) in enumerate(batches):
            (nn.functional.cross_entropy(net(xb), yb) / 3).backward()
            if (i + 1) % 3 == 0 or i + 1 == len(batches):
                opt.step()
                opt.zero_grad()
            plan.step()  # <- scheduler-per-micro-batch
# === right: an odd number of pairs, whose last is asked for by its place
import torch
from torch import nn


def lessons(x, y, size):
    return list(zip(x.split(size), y.split(size)))


def teach(net, opt, plan):
    final = len(plan) - 1
    for i, (x, y) in enumerate(plan):
        (nn.functional.mse_loss(net(x), y) / 3).backward()
        if not (i + 1) % 3 or i == final:
            opt.step()
            opt.zero_grad()


def train(net, opt):
    x = torch.randn(66, 4)
    y = torch.stack([x[:, 0] * x[:, 1], x[:, 2].sin()], 1)
    plan = lessons(x, y, 6)
    for _ in range(3):
        teach(net, opt, plan)
