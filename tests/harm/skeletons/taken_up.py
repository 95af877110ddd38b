"""Runs that an option takes up at a number that is written there: a fresh run begins at 0, and a repair has to fit both."""

from __future__ import annotations

from collections.abc import Iterator

from harm.case import Case, Skeleton, drop, swap

PLAIN = """
import copy

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def rows(seed, count=12):
    gen = torch.Generator().manual_seed(seed)
    for _ in range(count):
        x = torch.randn(4, 3, generator=gen)
        yield x, x.prod(1, keepdim=True)


def train(resume=None, accum=4):
    torch.manual_seed(5)
    model = nn.Sequential(nn.Linear(3, 6), nn.Tanh(), nn.Linear(6, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    seen = 0
    if resume:
        model.load_state_dict(resume)
        seen = 8
    for epoch in range(2):
        for x, y in rows(epoch):
            loss = nn.functional.mse_loss(model(x), y)
            (loss / accum).backward()
            if (seen + 1) % accum == 0:
                optimizer.step()
                optimizer.zero_grad()
            seen += 1
    return model


def main():
    first = train()
    return first, train(copy.deepcopy(first.state_dict()))
"""

HELD = """
import copy

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


class Trainer:
    def __init__(self, state=None, every=3):
        torch.manual_seed(8)
        self.net = nn.Sequential(nn.Linear(2, 5), nn.SiLU(), nn.Linear(5, 1))
        self.opt = torch.optim.Adam(self.net.parameters(), lr=0.02)
        self.every = every
        self.done = 0
        if state is not None:
            self.take_up(state)

    def take_up(self, state):
        self.net.load_state_dict(state)
        self.done = 1

    def fit(self, count=12):
        gen = torch.Generator().manual_seed(self.done)
        for _ in range(count):
            x = torch.rand(5, 2, generator=gen)
            loss = nn.functional.mse_loss(self.net(x), x.sum(1, keepdim=True).sin()) / self.every
            loss.backward()
            self.done += 1
            if self.done % self.every == 0:
                self.opt.step()
                self.opt.zero_grad()
        return self.net


def main():
    first = Trainer().fit()
    return first, Trainer(copy.deepcopy(first.state_dict())).fit(11)
"""


def taken_up_by_an_option() -> Iterator[Case]:
    loops = Skeleton("taken-up-by-an-option")
    yield loops.right("as-it-is", PLAIN, "accumulation-off-by-one")
    yield loops.right("taken-up-at-one", swap(PLAIN, "seen = 8", "seen = 1"), "accumulation-off-by-one")
    yield loops.right(
        "counted-ahead",
        swap(
            drop(PLAIN, "seen += 1"),
            "            if (seen + 1) % accum == 0:",
            "            seen += 1\n            if seen % accum == 0:",
        ),
        "accumulation-off-by-one",
    )
    yield loops.right(
        "warm-start-adds-one", swap(PLAIN, "        seen = 8", "        seen += 1"), "accumulation-off-by-one"
    )
    asked = swap(
        swap(PLAIN, "seen = 8", "seen = 1"),
        "import copy\n",
        "import argparse\n",
        "def train(resume=None, accum=4):",
        "def train(resume, accum=4):",
        "    first = train()\n    return first, train(copy.deepcopy(first.state_dict()))\n",
        "    parser = argparse.ArgumentParser()\n"
        '    parser.add_argument("--resume", default="")\n'
        "    options = parser.parse_args([])\n"
        "    return train(options.resume)\n",
    )
    yield loops.right("an-option-asks", asked, "accumulation-off-by-one")
    yield loops.right(
        "an-option-adds-one", swap(asked, "        seen = 1\n", "        seen += 1\n"), "accumulation-off-by-one"
    )
    yield loops.wrong(
        "an-option-asks-undivided",
        swap(asked, "(loss / accum)", "loss"),
        asked,
        tempts=("unscaled-accumulation-loss",),
    )
    yield loops.wrong("undivided", swap(PLAIN, "(loss / accum)", "loss"), PLAIN, tempts=("unscaled-accumulation-loss",))
    yield loops.wrong(
        "cleared-with-each-batch",
        swap(PLAIN, "                optimizer.zero_grad()\n", "            optimizer.zero_grad()\n"),
        PLAIN,
        tempts=("zero-grad-in-accumulation",),
    )
    yield loops.wrong(
        "first-window-of-one",
        swap(PLAIN, "(seen + 1) % accum", "seen % accum"),
        PLAIN,
        tempts=("accumulation-off-by-one",),
    )


def taken_up_by_a_method() -> Iterator[Case]:
    loops = Skeleton("taken-up-by-a-method")
    yield loops.right("as-it-is", HELD, "accumulation-off-by-one")
    yield loops.right(
        "in-the-constructor",
        swap(
            HELD,
            "            self.take_up(state)\n",
            "            self.net.load_state_dict(state)\n            self.done = 1\n",
        ),
        "accumulation-off-by-one",
    )
    behind = swap(
        drop(HELD, "self.done += 1"),
        "            if self.done % self.every == 0:\n                self.opt.step()\n                self.opt.zero_grad()\n",
        "            if (self.done + 1) % self.every == 0:\n"
        "                self.opt.step()\n"
        "                self.opt.zero_grad()\n"
        "            self.done += 1\n",
    )
    yield loops.right("counted-behind", behind, "accumulation-off-by-one")
    yield loops.wrong(
        "counted-behind-and-shifted",
        swap(behind, "(self.done + 1) % self.every", "self.done % self.every"),
        behind,
        tempts=("accumulation-off-by-one",),
    )
    yield loops.wrong(
        "undivided", swap(HELD, ".sin()) / self.every", ".sin())"), HELD, tempts=("unscaled-accumulation-loss",)
    )
    yield loops.wrong("never-cleared", drop(HELD, "self.opt.zero_grad()"), HELD, tempts=("missing-zero-grad",))


ATTACK = """
import torch
from torch import nn
from torch.nn import functional as F

torch.set_default_dtype(torch.float64)


def rows(seed, count=8):
    gen = torch.Generator().manual_seed(seed)
    for _ in range(count):
        x = torch.randn(6, 4, generator=gen)
        yield x, (x.sum(1) > 0).long()


def main(steps=3, size=0.05):
    torch.manual_seed(3)
    net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(2):
        for x, y in rows(epoch):
            delta = torch.zeros_like(x, requires_grad=True)
            for _ in range(steps):
                F.cross_entropy(net(x + delta), y).backward()
                delta.data = delta.data + size * delta.grad.sign()
                delta.grad.zero_()
            optimizer.zero_grad()
            loss = F.cross_entropy(net(x + delta.detach()), y)
            loss.backward()
            optimizer.step()
    return net
"""


def attacked_before_it_learns() -> Iterator[Case]:
    loops = Skeleton("attacked-before-it-learns")
    yield loops.right("as-it-is", ATTACK, "missing-zero-grad")
    yield loops.wrong("never-cleared", drop(ATTACK, "optimizer.zero_grad()"), ATTACK, tempts=("missing-zero-grad",))
    yield loops.wrong(
        "cleared-ahead-of-the-attack",
        swap(
            drop(ATTACK, "optimizer.zero_grad()"),
            "            delta = torch.zeros_like",
            "            optimizer.zero_grad()\n            delta = torch.zeros_like",
        ),
        ATTACK,
        tempts=("missing-zero-grad",),
    )
    helper = swap(
        ATTACK,
        "            delta = torch.zeros_like(x, requires_grad=True)\n"
        "            for _ in range(steps):\n"
        "                F.cross_entropy(net(x + delta), y).backward()\n"
        "                delta.data = delta.data + size * delta.grad.sign()\n"
        "                delta.grad.zero_()\n",
        "            delta = attack(net, x, y, steps, size)\n",
        "def main(steps=3, size=0.05):",
        "def attack(net, x, y, steps, size):\n"
        "    delta = torch.zeros_like(x, requires_grad=True)\n"
        "    for _ in range(steps):\n"
        "        F.cross_entropy(net(x + delta), y).backward()\n"
        "        delta.data = delta.data + size * delta.grad.sign()\n"
        "        delta.grad.zero_()\n"
        "    return delta\n\n\n"
        "def main(steps=3, size=0.05):",
    )
    yield loops.right("by-a-helper", helper, "missing-zero-grad")
    yield loops.wrong(
        "by-a-helper-never-cleared", drop(helper, "optimizer.zero_grad()"), helper, tempts=("missing-zero-grad",)
    )


def cases() -> Iterator[Case]:
    yield from taken_up_by_an_option()
    yield from taken_up_by_a_method()
    yield from attacked_before_it_learns()
