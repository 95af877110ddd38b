"""Meters of timm, which add up what they are given as it is."""

# === alone, and by names
from collections import defaultdict
import torch.nn.functional as F
from timm.utils import AverageMeter


def train(net, loader, optimizer, accum):
    whole, parts, some = AverageMeter(), defaultdict(AverageMeter), {}
    for i, (x, y) in enumerate(loader):
        first, second = F.mse_loss(net(x), y), F.l1_loss(net(x), y)
        loss = (first + second) / accum
        loss.backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
        whole.update(loss * accum, len(x))  # <- loss-graph-leak
        parts["first"].update(first)  # <- loss-graph-leak
        for name, value in (("first", first), ("second", second)):
            if name not in some:
                some[name] = AverageMeter()
            some[name].update(value, n=len(x))  # <- loss-graph-leak
    return whole.avg, parts, some

# === begun anew every hundred batches
import torch.nn.functional as F
from timm.utils.metrics import AverageMeter


class Trainer:
    def __init__(self, net, optimizer):
        self.net, self.optimizer = net, optimizer
        self.losses = AverageMeter()

    def fit(self, loader):
        for i, (x, y) in enumerate(loader):
            self.optimizer.zero_grad()
            loss = F.cross_entropy(self.net(x), y)
            loss.backward()
            self.optimizer.step()
            self.losses.update(loss)  # <- loss-graph-leak
            if i % 100 == 0:
                print(self.losses.avg)
                self.losses.reset()

# === right: numbers, what is cut off, and what no backward goes through
import time
import torch
import torch.nn.functional as F
from timm.utils import AverageMeter, accuracy


def train(net, loader, optimizer):
    losses, cut, norms, right, took = (AverageMeter() for _ in range(5))
    end = time.time()
    for x, y in loader:
        optimizer.zero_grad()
        out = net(x)
        loss = F.cross_entropy(out, y)
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        losses.update(loss.item(), x.size(0))
        cut.update(loss.detach(), x.size(0))
        norms.update(norm)
        right.update(accuracy(out, y)[0], x.size(0))
        took.update(time.time() - end)
        end = time.time()
    return losses.avg, cut.avg, norms.avg, right.avg


@torch.no_grad()
def evaluate(net, loader):
    net.eval()
    losses = AverageMeter()
    for x, y in loader:
        losses.update(F.cross_entropy(net(x), y), x.size(0))
    return losses.avg

# === right: one for each batch, or begun anew there
import torch.nn.functional as F
from timm.utils import AverageMeter


def train(net, loader, optimizer, log):
    whole = AverageMeter()
    for views, y in loader:
        one = AverageMeter()
        whole.reset()
        for x in views:
            loss = F.cross_entropy(net(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            one.update(loss)
            whole.update(loss)
        log(one.avg, whole.avg)
