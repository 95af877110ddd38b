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


FLUSHED = Draft(
    "flushed-by-a-helper",
    """\
import math

import torch
from torch import nn

torch.set_default_dtype(torch.float64)
ACCUM = 3


def flush(opt):
    opt.step()
    opt.zero_grad()


def main():
    model = nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.Linear(6, 1))
    opt = torch.optim.SGD(model.parameters(), lr=0.3, momentum=0.5)
    data = [(torch.randn(5, 4), torch.randn(5, 1)) for _ in range(8)]
    sched = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.1, total_iters=3 * math.ceil(len(data) / ACCUM))
    told, limit = [], 0.2
    for epoch in range(3):
        waiting = 0
        for x, y in data:
            loss = nn.functional.mse_loss(model(x), y)
            (loss / ACCUM).backward()
            told.append(loss.item())
            waiting += 1
            if waiting == ACCUM:
                nn.utils.clip_grad_norm_(model.parameters(), limit)
                flush(opt)
                sched.step()
                waiting = 0
        if waiting:
            nn.utils.clip_grad_norm_(model.parameters(), limit)
            flush(opt)
            sched.step()
    print(f"{sum(told):.6f}")
    return model
""",
    ("scheduler-per-micro-batch", "clip-per-micro-batch"),
)

IN_LOOP = """\
                nn.utils.clip_grad_norm_(model.parameters(), limit)
                flush(opt)
                sched.step()
                waiting = 0
"""
BEHIND = """\
            nn.utils.clip_grad_norm_(model.parameters(), limit)
            flush(opt)
            sched.step()
    print"""
COUNTS = "            waiting += 1\n"
CLIPS = "            nn.utils.clip_grad_norm_(model.parameters(), limit)\n"
MOVES = "                sched.step()\n"
EACH = ((IN_LOOP, IN_LOOP.replace(MOVES, "") + "            sched.step()\n"), (BEHIND, BEHIND.replace(MOVES[4:], "")))
PARTLY = (
    (IN_LOOP, IN_LOOP.replace("    " + CLIPS, "")),
    (BEHIND, BEHIND.replace(CLIPS, "")),
    (COUNTS, CLIPS + COUNTS),
)


def flushed() -> Iterator[Case]:
    yield FLUSHED.right("as-it-is")
    yield FLUSHED.wrong("rate-moves-with-each-batch", EACH)
    yield FLUSHED.wrong("clipped-with-each-batch", PARTLY)
    yield FLUSHED.wrong("clipped-with-each-batch-as-well", ((COUNTS, CLIPS + COUNTS),))
    yield FLUSHED.wrong(
        "rate-moves-with-each-batch-and-behind",
        ((IN_LOOP, IN_LOOP.replace(MOVES, "") + "            sched.step()\n"),),
    )
    yield FLUSHED.right(
        "plan-is-as-long-as-all-batches",
        *EACH,
        ("3 * math.ceil(len(data) / ACCUM)", "3 * len(data)"),
    )
    yield FLUSHED.right(
        "parts-have-limits-of-their-own",
        (COUNTS, CLIPS.replace("limit", "9.0") + COUNTS),
    )
    yield FLUSHED.right(
        "limit-falls-with-each-batch",
        *PARTLY[:2],
        (COUNTS, CLIPS + "            limit *= 0.98\n" + COUNTS),
    )
    yield FLUSHED.right(
        "rate-is-noted-for-each-batch",
        *EACH,
        ("            told.append(loss.item())\n", "            told.append(loss.item() * sched.get_last_lr()[0])\n"),
    )


PRESSED = Draft(
    "limit-in-a-closure",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)
PARTS = 3


def main():
    nets = nn.ModuleList([nn.Linear(2, 4), nn.Linear(4, 1)])
    opt = torch.optim.LBFGS(nets.parameters(), lr=0.3, max_iter=2, history_size=4)
    told = 0.0
    for frame in range(4):
        cells = torch.randn(6, 2)

        def press():
            opt.zero_grad()
            whole = 0.0
            for part in cells.chunk(PARTS):
                loss = nn.functional.mse_loss(nets[1](nets[0](part).tanh()), part.prod(1, keepdim=True)) / PARTS
                loss.backward()
                whole += loss.item()
            nn.utils.clip_grad_norm_(nets.parameters(), 0.1)
            return whole

        told += float(opt.step(press))
    print(f"{told:.6f}")
    return nets
""",
    ("clip-per-micro-batch", "clip-before-backward"),
)

PRESS = "            nn.utils.clip_grad_norm_(nets.parameters(), 0.1)\n"
BACK = "                loss.backward()\n"
BEGINS = "            whole = 0.0\n"


def pressed() -> Iterator[Case]:
    yield PRESSED.right("as-it-is")
    yield PRESSED.wrong("clipped-with-each-part", ((PRESS, ""), (BACK, BACK + "    " + PRESS)))
    yield PRESSED.wrong("clipped-before-there-is-anything", ((PRESS, ""), (BEGINS, PRESS + BEGINS)))
    each = "            for net in nets:\n                nn.utils.clip_grad_norm_(net.parameters(), 0.1)\n"
    yield PRESSED.styled((PRESS, each)).left(
        "each-net-is-clipped-with-each-part",
        (
            (each, ""),
            (BACK, BACK + each.replace("            ", "                ", 1).replace("\n    ", "\n        ")),
        ),
    )
    yield PRESSED.right(
        "limit-is-that-of-the-part",
        (PRESS, ""),
        (BACK, BACK + "    " + PRESS.replace("0.1", "0.1 / len(part)")),
    )
    yield PRESSED.right(
        "parts-until-one-is-large",
        (PRESS, ""),
        (BACK, BACK + "    " + PRESS + "                if loss > 9:\n                    return whole\n"),
    )


def cases() -> Iterator[Case]:
    yield from checked()
    yield from flushed()
    yield from pressed()
