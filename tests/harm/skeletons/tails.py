"""Ragged ends: divisors that know the tail, tails dropped on purpose, divisors that are known only at the update."""

from __future__ import annotations

from collections.abc import Iterator

from harm.case import Case, Skeleton, drop, swap

DIVISOR = """
import math

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_default_dtype(torch.float64)


def build(seed: int = 0):
    gen = torch.Generator().manual_seed(seed)
    x = torch.randn(33, 6, generator=gen)
    y = x @ torch.randn(6, 2, generator=gen)
    return DataLoader(TensorDataset(x, y), batch_size=3)


def fit(model, loader, optimizer, accumulate=4, epochs=2):
    n_batches = len(loader)
    n_updates = math.ceil(n_batches / accumulate)
    for epoch in range(epochs):
        optimizer.zero_grad()
        for step, (x, y) in enumerate(loader):
            window = step // accumulate
            is_tail = window == n_updates - 1
            size = n_batches - window * accumulate if is_tail else accumulate
            loss = nn.functional.mse_loss(model(x), y)
            loss = loss / size
            loss.backward()
            if (step + 1) % accumulate == 0 or step == n_batches - 1:
                optimizer.step()
                optimizer.zero_grad()


def main():
    model = nn.Linear(6, 2)
    fit(model, build(), torch.optim.SGD(model.parameters(), lr=0.1))
    return model
"""


def tail_divisor() -> Iterator[Case]:
    loops = Skeleton("tail-divisor")
    yield loops.right("as-it-is", DIVISOR, "accumulation-divisor-mismatch", "unscaled-accumulation-loss")
    yield loops.right(
        "in-one-expression",
        swap(
            drop(
                DIVISOR,
                "window = step // accumulate",
                "is_tail = window == n_updates - 1",
                "size = n_batches - window * accumulate if is_tail else accumulate",
            ),
            "loss = loss / size",
            "loss = loss / min(accumulate, n_batches - step + step % accumulate)",
        ),
        "accumulation-divisor-mismatch",
    )
    yield loops.right(
        "multiplied-by-a-share",
        swap(DIVISOR, "loss = loss / size", "loss *= 1.0 / size"),
        "unscaled-accumulation-loss",
    )
    undivided = drop(DIVISOR, "loss = loss / size")
    yield loops.wrong(
        "size-computed-and-never-used",
        undivided,
        DIVISOR,
        swap(DIVISOR, "loss / size", "loss / accumulate"),
        tempts=("unscaled-accumulation-loss",),
    )
    yield loops.wrong(
        "cleared-in-front-of-the-backward",
        swap(DIVISOR, "            loss.backward()", "            optimizer.zero_grad()\n            loss.backward()"),
        DIVISOR,
        tempts=("zero-grad-in-accumulation",),
    )
    yield loops.wrong(
        "clear-not-called",
        swap(
            DIVISOR,
            "optimizer.step()\n                optimizer.zero_grad()",
            "optimizer.step()\n                optimizer.zero_grad",
        ),
        DIVISOR,
        tempts=("method-not-called",),
    )


DROPPED = """
import itertools
import torch, torch.nn as nn
torch.set_default_dtype(torch.float64)

def grouper(iterable, n):
    # full groups only: a short last group would get too large a learning rate
    it = iter(iterable)
    while True:
        group = list(itertools.islice(it, n))
        if len(group) < n: return
        yield group

class Data:
    def __init__(self, n=11): self.n = n
    def __len__(self): return self.n
    def __iter__(self):
        g = torch.Generator().manual_seed(11)
        for _ in range(self.n):
            x = torch.randn(5, 2, generator=g)
            yield x, torch.sin(x).sum(1, keepdim=True)

def main():
    data = Data()
    net = nn.Sequential(nn.Linear(2, 7), nn.SiLU(), nn.Linear(7, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.2, momentum=0.5)
    K = 3
    for epoch in range(2):
        for group in grouper(data, K):
            opt.zero_grad()
            for x, y in group:
                loss = (net(x) - y).abs().mean() / K
                loss.backward()
            opt.step()
    return net
"""


def drop_tail() -> Iterator[Case]:
    loops = Skeleton("drop-tail-on-purpose")
    yield loops.right("as-it-is", DROPPED, "dropped-accumulation-tail")
    group = (
        "        for group in grouper(data, K):\n"
        "            opt.zero_grad()\n"
        "            for x, y in group:\n"
        "                loss = (net(x) - y).abs().mean() / K\n"
        "                loss.backward()\n"
        "            opt.step()\n"
    )
    counted = (
        "        opt.zero_grad()\n"
        "        for i, (x, y) in enumerate(data):\n"
        "            if i >= len(data) // K * K: break  # incomplete\n"
        "            loss = (net(x) - y).abs().mean() / K\n            loss.backward()\n"
        "            if i % K == K - 1:\n                opt.step(); opt.zero_grad()\n"
    )
    yield loops.right(
        "break-in-front-of-the-tail",
        swap(DROPPED, group, counted),
        "dropped-accumulation-tail",
        "accumulation-off-by-one",
    )
    cleared = swap(counted, "            if i >= len(data) // K * K: break  # incomplete\n", "")
    yield loops.right("tail-thrown-away-at-the-epoch", swap(DROPPED, group, cleared), "dropped-accumulation-tail")
    yield loops.right(
        "sum-of-a-group-in-one-backward",
        swap(
            DROPPED,
            "            for x, y in group:\n"
            "                loss = (net(x) - y).abs().mean() / K\n"
            "                loss.backward()\n",
            "            losses = [(net(x) - y).abs().mean() for x, y in group]\n"
            "            torch.stack(losses).mean().backward()\n",
        ),
        "unscaled-accumulation-loss",
        "loss-graph-leak",
    )
    yield loops.wrong(
        "undivided", swap(DROPPED, ".mean() / K", ".mean()"), DROPPED, tempts=("unscaled-accumulation-loss",)
    )
    yield loops.wrong(
        "cleared-between-backward-and-step",
        swap(
            DROPPED,
            "            opt.zero_grad()\n",
            "",
            "            opt.step()\n",
            "            opt.zero_grad()\n            opt.step()\n",
        ),
        DROPPED,
        tempts=("zero-grad-before-step",),
    )
    one_line = swap(counted, "opt.step(); opt.zero_grad()", "opt.zero_grad(); opt.step()")
    yield loops.wrong(
        "semicolons-in-the-wrong-order",
        swap(DROPPED, group, one_line),
        swap(DROPPED, group, counted),
        tempts=("zero-grad-before-step",),
    )


RUNNING = """
# Adapted from our 2019 code base: gradients are summed over a variable number of sentences
import torch
import torch.nn.functional as F
from torch.autograd import Variable

torch.set_default_dtype(torch.float64)
PAD = 0


def corpus():
    torch.manual_seed(21)
    out = []
    for n in (7, 3, 5, 9, 2, 6, 4, 8):
        src = torch.randint(1, 9, (n, 4))
        tgt = torch.where(torch.rand(n, 4) < 0.25, torch.zeros(1, dtype=torch.long), src)
        out.append((src, tgt))
    return out


class Tagger(torch.nn.Module):
    def __init__(self):
        super(Tagger, self).__init__()
        self.emb = torch.nn.Embedding(9, 5)
        self.out = torch.nn.Linear(5, 9)

    def forward(self, s):
        return self.out(self.emb(s))


def update(model, optim, denom):
    for p in model.parameters():
        if p.grad is not None:
            p.grad.data.div_(max(denom, 1))
    torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
    optim.step()
    model.zero_grad()


def main():
    data = corpus()
    model = Tagger()
    optim = torch.optim.Adagrad(model.parameters(), lr=0.5)
    for ep in range(2):
        denom, count = 0, 0
        for src, tgt in data:
            logits = model(Variable(src))
            loss = F.cross_entropy(logits.reshape(-1, 9), tgt.reshape(-1), ignore_index=PAD, reduction='sum')
            loss.backward()
            denom += int((tgt != PAD).sum())
            count += 1
            if count == 3:
                update(model, optim, denom)
                denom, count = 0, 0
        if count > 0:
            update(model, optim, denom)
        print('epoch', ep, 'loss', round(loss.item(), 6))
    return model
"""


def running_divisor() -> Iterator[Case]:
    loops = Skeleton("running-divisor")
    yield loops.right("tokens-at-the-update", RUNNING, "unscaled-accumulation-loss", "missing-zero-grad")
    yield loops.right(
        "old-reduction-flags",
        swap(RUNNING, "reduction='sum'", "size_average=False"),
        "unscaled-accumulation-loss",
    )
    yield loops.right(
        "mean-times-tokens",
        swap(RUNNING, ", reduction='sum')", ") * (tgt != PAD).sum()"),
        "unscaled-accumulation-loss",
        "accumulation-divisor-mismatch",
    )
    yield loops.right(
        "learning-rate-of-sums",
        swap(
            drop(RUNNING, "            p.grad.data.div_(max(denom, 1))", "        if p.grad is not None:"),
            "    for p in model.parameters():\n",
            "    # the learning rate was tuned for sums\n",
            "lr=0.5",
            "lr=0.05",
        ),
        "unscaled-accumulation-loss",
    )
    yield loops.wrong(
        "model-cleared-nowhere", drop(RUNNING, "model.zero_grad()"), RUNNING, tempts=("missing-zero-grad",)
    )
    yield loops.wrong(
        "helper-clears-first",
        swap(RUNNING, "    optim.step()\n    model.zero_grad()\n", "    model.zero_grad()\n    optim.step()\n"),
        RUNNING,
        tempts=("zero-grad-before-step",),
    )


def cases() -> Iterator[Case]:
    yield from tail_divisor()
    yield from drop_tail()
    yield from running_divisor()
