"""Helpers that hold what their caller knows by another name: who evaluates, who flushes, who keeps a part asleep."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

ASLEEP = Draft(
    "checked-by-a-method",
    """\
import copy

import torch
from torch import nn
from torch.nn import functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(5, 8), nn.BatchNorm1d(8), nn.ReLU())
        self.head = nn.Sequential(nn.Linear(8, 8), nn.Dropout(0.3), nn.Linear(8, 3))

    def forward(self, x):
        return self.head(self.trunk(x))


class Solver:
    def __init__(self, net):
        self.net = net
        self.opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)

    def step(self, x, y):
        self.opt.zero_grad()
        F.cross_entropy(self.net(x), y).backward()
        self.opt.step()

    def check(self, batches):
        self.net.eval()
        with torch.no_grad():
            return sum(F.cross_entropy(self.net(x), y).item() for x, y in batches) / len(batches)


def batches_of(count):
    return [(torch.randn(10, 5) * 2 + 1, torch.randint(0, 3, (10,))) for _ in range(count)]


def main():
    solver, shown, hidden = Solver(Net()), batches_of(5), batches_of(2)
    for epoch in range(5):
        solver.net.train()
        for x, y in shown:
            solver.step(x, y)
        print(epoch, f"{solver.check(hidden):.5f}")
    return solver.net
""",
    ("missing-train-mode",),
)

WAKES = "    for epoch in range(5):\n        solver.net.train()\n"
NEVER = (WAKES, "    solver.net.train()\n    for epoch in range(5):\n")
KEPT = "        self.net = net\n"
MADE = "solver, shown, hidden = Solver(Net()), batches_of(5), batches_of(2)\n"
CALLED = "            solver.step(x, y)\n"
LOOP = ASLEEP.text[ASLEEP.text.index(WAKES) :]

FITS = """\
    def fit(self, shown, hidden):
        for epoch in range(5):
            self.net.train()
            self.net.trunk.eval()
            for x, y in shown:
                self.step(x, y)
            self.check(hidden)


"""


def checked() -> Iterator[Case]:
    yield ASLEEP.right("as-it-is")
    yield ASLEEP.wrong("asleep-since-the-first-check", (NEVER,))
    yield ASLEEP.wrong(
        "named-and-not-called",
        (NEVER, ("        self.net.eval()\n", "        self.net.eval\n")),
        tempts=("method-not-called", "missing-train-mode"),
    )
    helper = ASLEEP.styled(
        (
            "    def check(self, batches):\n        self.net.eval()\n",
            "    def check(self, batches):\n        asleep(self.net)\n",
        ),
        ("class Solver:", "def asleep(what):\n    what.eval()\n\n\nclass Solver:"),
    )
    yield helper.wrong("put-to-sleep-by-a-helper", (NEVER,))
    trunk = ASLEEP.styled(
        (KEPT, KEPT + "        self.net.trunk.eval()\n"),
        (WAKES, WAKES + "        solver.net.trunk.eval()\n"),
    )
    both = WAKES + "        solver.net.trunk.eval()\n"
    yield trunk.left("trunk-is-held-by-its-owner", (((both, NEVER[1])),))
    within = ASLEEP.styled(
        (KEPT, KEPT + "        self.net.trunk.eval()\n"),
        (
            "def batches_of",
            FITS + "def batches_of",
        ),
        (LOOP, "    solver.fit(shown, hidden)\n    return solver.net\n"),
    )
    yield within.wrong(
        "trunk-is-held-and-the-owner-fits",
        (("            self.net.train()\n            self.net.trunk.eval()\n", ""),),
    )
    main = ASLEEP.styled((WAKES, WAKES + "        solver.net.trunk.eval()\n"))
    yield main.wrong(
        "trunk-is-held-by-the-script",
        ((both, "    solver.net.train()\n    solver.net.trunk.eval()\n    for epoch in range(5):\n"),),
    )
    yield main.styled((both, both + "        if epoch > 1:\n            solver.net.trunk.train()\n")).left(
        "trunk-is-held-until-the-third-epoch",
        (
            (
                both + "        if epoch > 1:\n",
                "    solver.net.train()\n    solver.net.trunk.eval()\n    for epoch in range(5):\n        if epoch == 2:\n",
            ),
        ),
    )
    flag = "        if freeze:\n            solver.net.trunk.eval()\n"
    flagged = ASLEEP.styled(
        (WAKES, WAKES + flag), ("def main():\n", "def main(freeze=bool(len(list(range(3))) == 3)):\n")
    )
    yield flagged.left(
        "trunk-is-held-where-a-flag-says-so",
        (
            (
                WAKES + flag,
                "    solver.net.train()\n    if freeze:\n        solver.net.trunk.eval()\n    for epoch in range(5):\n",
            ),
        ),
    )
    yield ASLEEP.right(
        "a-copy-is-checked",
        NEVER,
        (
            '{solver.check(hidden):.5f}")\n',
            '{Solver(copy.deepcopy(solver.net)).check(hidden):.5f}")\n',
        ),
    )
    twin = ASLEEP.styled(
        (MADE, MADE + "    twin = Solver(Net())\n"),
        (WAKES, WAKES + "        twin.net.train()\n"),
        (CALLED, CALLED + "            twin.step(x, y)\n"),
        ("    return solver.net\n", "        twin.check(hidden)\n    return nn.ModuleList([solver.net, twin.net])\n"),
    )
    yield twin.wrong(
        "two-of-a-kind",
        (
            (
                WAKES + "        twin.net.train()\n",
                "    solver.net.train()\n    twin.net.train()\n    for epoch in range(5):\n",
            ),
        ),
        fine=(
            ((WAKES + "        twin.net.train()\n", WAKES),),
            ((WAKES, "    solver.net.train()\n    for epoch in range(5):\n"),),
        ),
    )


def cases() -> Iterator[Case]:
    yield from checked()
