"""Harbours: ranks, resumed voyages, closures, modes, hooks, bad records, logs and gradients kept by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

LOCK = Draft(
    "lock-keeper",
    """\
import contextlib
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

torch.set_default_dtype(torch.float64)


class Keeper:
    def __init__(self, chambers):
        self.chambers = chambers
        self.gate = DistributedDataParallel(nn.Sequential(nn.Linear(3, 5), nn.Tanh(), nn.Linear(5, 1)))
        self.opt = torch.optim.SGD(self.gate.parameters(), lr=0.3)

    def quiet(self, last):
        return contextlib.nullcontext() if last else self.gate.no_sync()

    def fill(self, boat, toll, last):
        with self.quiet(last):
            loss = nn.functional.mse_loss(self.gate(boat), toll)
            (loss / self.chambers).backward()
        return loss.item()

    def open(self):
        self.opt.step()
        self.opt.zero_grad()


def main():
    dist.init_process_group("gloo")
    rng = torch.Generator().manual_seed(30 + int(os.environ["RANK"]))
    keeper = Keeper(chambers=2)
    for hour in range(3):
        for n in range(keeper.chambers):
            boat = torch.randn(4, 3, generator=rng)
            keeper.fill(boat, boat.prod(1, keepdim=True), n == keeper.chambers - 1)
        keeper.open()
    dist.destroy_process_group()
    return keeper.gate.module
""",
    ("forward-outside-no-sync", "missing-no-sync", "step-without-sync"),
    ranks=2,
)

FILL = """\
        with self.quiet(last):
            loss = nn.functional.mse_loss(self.gate(boat), toll)
            (loss / self.chambers).backward()
"""
FILL_LOUD = """\
        loss = nn.functional.mse_loss(self.gate(boat), toll)
        (loss / self.chambers).backward()
"""
QUIET = "contextlib.nullcontext() if last else self.gate.no_sync()"
OPEN = "        self.opt.step()\n        self.opt.zero_grad()\n"


def lock() -> Iterator[Case]:
    yield LOCK.right("as-it-should-be")
    yield LOCK.wrong(
        "forward-outside",
        (
            (
                FILL,
                (
                    "        loss = nn.functional.mse_loss(self.gate(boat), toll)\n        with self.quiet(last):\n"
                    "            (loss / self.chambers).backward()\n"
                ),
            ),
        ),
        tempts=("forward-outside-no-sync",),
    )
    yield LOCK.wrong("every-chamber-synchronised", ((FILL, FILL_LOUD),), tempts=("missing-no-sync",))
    yield LOCK.wrong(
        "last-one-quiet",
        ((QUIET, "self.gate.no_sync() if last else contextlib.nullcontext()"),),
        tempts=("step-without-sync",),
    )
    yield LOCK.wrong("never-loud", ((QUIET, "self.gate.no_sync()"),), tempts=("step-without-sync",))
    yield LOCK.wrong("sum-of-chambers", (("(loss / self.chambers).backward()", "loss.backward()"),))
    yield LOCK.wrong("never-emptied", ((OPEN, "        self.opt.step()\n"),), tempts=("missing-zero-grad",))
    yield LOCK.right(
        "averaged-by-hand-as-the-gate-opens",
        (QUIET, "self.gate.no_sync()"),
        (
            OPEN,
            "        for p in self.gate.parameters():\n            dist.all_reduce(p.grad)\n"
            "            p.grad /= dist.get_world_size()\n" + OPEN,
        ),
        tempts=("step-without-sync",),
    )
    yield LOCK.right(
        "weights-averaged-in-the-evening",
        (QUIET, "self.gate.no_sync()"),
        (
            "        keeper.open()\n",
            (
                "        keeper.open()\n    with torch.no_grad():\n        for p in keeper.gate.parameters():\n"
                "            dist.all_reduce(p)\n            p /= dist.get_world_size()\n"
            ),
        ),
        tempts=("step-without-sync",),
    )
    yield LOCK.right(
        "one-chamber",
        ("Keeper(chambers=2)", "Keeper(chambers=1)"),
        (FILL, FILL_LOUD.replace("(loss / self.chambers)", "loss")),
    )
    yield LOCK.right(
        "gate-told-by-its-flag",
        (FILL, "        self.gate.require_backward_grad_sync = last\n" + FILL_LOUD),
        tempts=("missing-no-sync",),
    )


FERRY = Draft(
    "ferry-resumed",
    """\
import copy

import torch
from torch import nn

torch.set_default_dtype(torch.float64)
CARGO = 3


def build():
    torch.manual_seed(5)
    ferry = nn.Linear(4, 2)
    opt = torch.optim.SGD(ferry.parameters(), lr=0.2, momentum=0.6)
    sched = torch.optim.lr_scheduler.StepLR(opt, 1, gamma=0.8)
    return ferry, opt, sched


def sail(ferry, opt, sched, freight, first, until):
    opt.zero_grad()
    for n, (load, port) in enumerate(freight):
        if n < first:
            continue
        if n >= until:
            break
        loss = nn.functional.cross_entropy(ferry(load), port)
        (loss / CARGO).backward()
        if (n + 1) % CARGO != 0:
            continue
        nn.utils.clip_grad_norm_(ferry.parameters(), 0.1)
        opt.step()
        sched.step()
        opt.zero_grad()
    return copy.deepcopy([part.state_dict() for part in (ferry, opt, sched)])


def main():
    freight = [(torch.randn(6, 4), torch.randint(2, (6,))) for _ in range(12)]
    saved = sail(*build(), freight, 0, 6)
    parts = build()
    for part, state in zip(parts, saved):
        part.load_state_dict(state)
    sail(*parts, freight, 6, 12)
    print(parts[2].get_last_lr())
    return parts[0]
""",
    ("accumulation-off-by-one", "dropped-accumulation-tail"),
)

FERRY_GUARD = "        if (n + 1) % CARGO != 0:\n            continue\n"
FERRY_BACK = "        (loss / CARGO).backward()\n"
FERRY_CLIP = "        nn.utils.clip_grad_norm_(ferry.parameters(), 0.1)\n"
FERRY_STEP = "        opt.step()\n"
FERRY_SCHED = "        sched.step()\n"
FERRY_CLEAR = "        opt.zero_grad()\n    return"


def ferry() -> Iterator[Case]:
    yield FERRY.right("as-it-should-be")
    yield FERRY.wrong(
        "rate-at-each-load",
        ((FERRY_STEP + FERRY_SCHED, FERRY_STEP), (FERRY_BACK, FERRY_BACK + FERRY_SCHED)),
        tempts=("scheduler-per-micro-batch",),
    )
    yield FERRY.wrong(
        "clip-at-each-load",
        ((FERRY_BACK + FERRY_GUARD + FERRY_CLIP, FERRY_BACK + FERRY_CLIP + FERRY_GUARD),),
        tempts=("clip-per-micro-batch",),
    )
    yield FERRY.wrong(
        "guard-turned-by-one",
        (("(n + 1) % CARGO != 0", "n % CARGO != 0"),),
        tempts=("accumulation-off-by-one",),
    )
    yield FERRY.wrong("never-unloaded", ((FERRY_CLEAR, "    return"),), tempts=("missing-zero-grad",))
    yield FERRY.wrong(
        "unloaded-at-each-load",
        ((FERRY_BACK, "        opt.zero_grad()\n" + FERRY_BACK),),
        tempts=("zero-grad-in-accumulation",),
    )
    yield FERRY.right(
        "stopped-within-a-window",  # the first voyage ends with a load that the second one clears
        ("freight, 0, 6)", "freight, 0, 7)"),
        tempts=("dropped-accumulation-tail",),
    )
    yield FERRY.right(
        "rates-caught-up-before-the-voyage",
        (
            "    sail(*parts, freight, 6, 12)\n",
            (
                "    fresh = build()\n    for part, state in zip(fresh[:2], saved):\n"
                "        part.load_state_dict(state)\n    sched = torch.optim.lr_scheduler.StepLR(fresh[1], 1, gamma=0.8)\n"
                "    fresh[1].param_groups[0]['lr'] = 0.2\n    for _ in range(6 // CARGO):\n        sched.step()\n"
                "    parts = (*fresh[:2], sched)\n    sail(*parts, freight, 6, 12)\n"
            ),
        ),
        tempts=("scheduler-before-optimizer",),
    )
    yield FERRY.right(
        "window-counted-from-the-resumed-load",
        ("(n + 1) % CARGO != 0", "(n - first) % CARGO != CARGO - 1"),
    )


ORGAN = Draft(
    "organ-closure",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def main():
    organ = nn.Sequential(nn.Linear(2, 6), nn.Tanh(), nn.Linear(6, 1))
    opt = torch.optim.SGD(organ.parameters(), lr=0.4, momentum=0.5)
    heard = 0

    def rehearse(air, pitch):
        def once():
            nonlocal heard
            heard += 1
            opt.zero_grad()
            loss = (organ(air) - pitch).pow(2).mean()
            loss.backward()
            nn.utils.clip_grad_norm_(organ.parameters(), 0.2)
            return loss

        return opt.step(once)

    for bar in range(6):
        air = torch.rand(5, 2)
        print(bar, f"{rehearse(air, 2 * air.sum(1, keepdim=True)):.6f}", heard)
    return organ
""",
    ("missing-zero-grad", "clip-after-step"),
)

ONCE_CLEAR = "            opt.zero_grad()\n"
ONCE_BACK = "            loss.backward()\n"
ONCE_CLIP = "            nn.utils.clip_grad_norm_(organ.parameters(), 0.2)\n"
ONCE_STEP = "        return opt.step(once)\n"


def organ() -> Iterator[Case]:
    yield ORGAN.right("as-it-should-be")
    yield ORGAN.wrong("never-cleared", ((ONCE_CLEAR, ""),))
    yield ORGAN.wrong(
        "clip-ahead-of-the-backward",
        ((ONCE_BACK + ONCE_CLIP, ONCE_CLIP + ONCE_BACK),),
        tempts=("clip-before-backward",),
    )
    yield ORGAN.wrong(
        "clip-behind-the-step",
        (
            (ONCE_CLIP, ""),
            (
                ONCE_STEP,
                (
                    "        loss = opt.step(once)\n        nn.utils.clip_grad_norm_(organ.parameters(), 0.2)\n"
                    "        return loss\n"
                ),
            ),
        ),
        tempts=("clip-after-step",),
    )
    yield ORGAN.wrong(
        "cleared-behind-the-backward",
        ((ONCE_CLEAR, ""), (ONCE_CLIP, ONCE_CLIP + ONCE_CLEAR)),
        tempts=("zero-grad-before-step",),
    )
    yield ORGAN.wrong("clear-not-called", ((ONCE_CLEAR, ONCE_CLEAR.replace("()", "")),), tempts=("method-not-called",))
    yield ORGAN.right("cleared-by-the-caller", (ONCE_CLEAR, ""), (ONCE_STEP, "        opt.zero_grad()\n" + ONCE_STEP))
    yield ORGAN.right(
        "searched-along-the-line",
        (
            "torch.optim.SGD(organ.parameters(), lr=0.4, momentum=0.5)",
            "torch.optim.LBFGS(organ.parameters(), lr=0.4, max_iter=3)",
        ),
        (ONCE_CLIP, ""),
        tempts=("zero-grad-before-step",),
    )
    yield ORGAN.right(
        "two-voices-in-one-closure",
        (
            ONCE_BACK,
            (
                "            loss.backward()\n            drone = 0.1 * organ(-air).abs().mean()\n"
                "            drone.backward()\n"
            ),
        ),
        tempts=("unscaled-accumulation-loss",),
    )


TANNERY = Draft(
    "tannery-modes",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


class Hide(nn.Module):
    def __init__(self):
        super().__init__()
        self.soak = nn.Linear(3, 6)
        self.norm = nn.BatchNorm1d(6)
        self.drop = nn.Dropout(0.3)
        self.cut = nn.Linear(6, 1)

    def forward(self, x):
        return self.cut(self.drop(torch.relu(self.norm(self.soak(x)))))


def inspect(hide, skins, grades):
    hide.eval()
    with torch.no_grad():
        return float((hide(skins) - grades).abs().mean())


def main():
    hide = Hide()
    opt = torch.optim.Adam(hide.parameters(), lr=0.03)
    skins, grades = torch.randn(4, 6, 3), torch.randn(4, 6, 1)
    for day in range(3):
        hide.train()
        for skin, grade in zip(skins, grades):
            opt.zero_grad()
            ((hide(skin) - grade) ** 2).mean().backward()
            opt.step()
        print(day, f"{inspect(hide, skins[0], grades[0]):.5f}")
    return hide
""",
    ("missing-train-mode", "validation-without-no-grad"),
)

DAY = "    for day in range(3):\n        hide.train()\n"
NO_GRAD = "    with torch.no_grad():\n        return float((hide(skins) - grades).abs().mean())\n"


def tannery() -> Iterator[Case]:
    yield TANNERY.right("as-it-should-be")
    yield TANNERY.wrong("trained-once", ((DAY, "    hide.train()\n    for day in range(3):\n"),))
    yield TANNERY.wrong("never-put-back", ((DAY, "    for day in range(3):\n"),))
    yield TANNERY.wrong(
        "train-not-called",
        ((DAY, DAY.replace("train()", "train")),),
        tempts=("method-not-called",),
    )
    yield TANNERY.wrong(
        "inspected-with-gradients",
        ((NO_GRAD, "    return float((hide(skins) - grades).abs().mean())\n"),),
        tempts=("validation-without-no-grad",),
    )
    yield TANNERY.wrong(
        "both-forgotten",
        ((DAY, "    hide.train()\n    for day in range(3):\n"),),
        ((NO_GRAD, "    return float((hide(skins) - grades).abs().mean())\n"),),
    )
    yield TANNERY.right(
        "norm-frozen-from-the-start",
        (DAY, "    hide.norm.eval()\n    for day in range(3):\n"),
        ("    hide.eval()\n", "    hide.drop.eval()\n"),
        (
            "        return float((hide(skins) - grades).abs().mean())\n",
            "        grade = float((hide(skins) - grades).abs().mean())\n    hide.drop.train()\n    return grade\n",
        ),
        tempts=("missing-train-mode",),
    )
    yield TANNERY.left(
        "norm-to-be-frozen-and-all-left-in-eval",  # to train all of it would thaw the norm
        ((DAY, "    hide.train()\n    hide.norm.eval()\n    for day in range(3):\n"),),
        fine=(((DAY, "    for day in range(3):\n        hide.train()\n        hide.norm.eval()\n"),),),
    )
    yield TANNERY.right(
        "mode-handed-back",
        (DAY, "    for day in range(3):\n"),
        ("    hide.eval()\n", "    was = hide.training\n    hide.eval()\n"),
        (
            "        return float((hide(skins) - grades).abs().mean())\n",
            "        grade = float((hide(skins) - grades).abs().mean())\n    hide.train(was)\n    return grade\n",
        ),
    )
    yield TANNERY.right(
        "thickness-felt-by-the-gradient",
        (
            NO_GRAD,
            (
                "    skins = skins.clone().requires_grad_()\n    out = (hide(skins) - grades).abs().mean()\n"
                "    return float(torch.autograd.grad(out, skins)[0].norm())\n"
            ),
        ),
    )


SHARES = Draft(
    "brewery-hooks",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)
VATS = 4


def main():
    brew = nn.Sequential(nn.Linear(3, 5), nn.GELU(), nn.Linear(5, 1))
    opt = torch.optim.SGD(brew.parameters(), lr=0.2)
    tasted = []
    for day in range(3):
        opt.zero_grad()
        for vat in range(VATS):
            mash = torch.randn(4, 3)
            loss = nn.functional.mse_loss(brew(mash), mash.norm(dim=1, keepdim=True))
            (loss / VATS).backward()
            tasted.append(loss.detach())
        nn.utils.clip_grad_norm_(brew.parameters(), 2.0)
        opt.step()
        print(day, f"{torch.stack(tasted).mean().item():.5f}")
        tasted.clear()
    return brew
""",
    ("unscaled-accumulation-loss", "loss-graph-leak"),
)

VAT_BACK = "            (loss / VATS).backward()\n"
VAT_WHOLE = "            loss.backward()\n"
VAT_CLIP = "        nn.utils.clip_grad_norm_(brew.parameters(), 2.0)\n"
VAT_OPT = "    opt = torch.optim.SGD(brew.parameters(), lr=0.2)\n"
VAT_CLEAR = "        opt.zero_grad()\n        for vat"
VAT_TASTE = "            tasted.append(loss.detach())\n"


def shares() -> Iterator[Case]:
    yield SHARES.right("as-it-should-be")
    yield SHARES.wrong("sum-of-vats", ((VAT_BACK, VAT_WHOLE),))
    yield SHARES.wrong(
        "graphs-tasted", ((VAT_TASTE, "            tasted.append(loss)\n"),), tempts=("loss-graph-leak",)
    )
    yield SHARES.wrong(
        "graphs-tasted-and-sum-of-vats",
        ((VAT_TASTE, "            tasted.append(loss)\n"),),
        ((VAT_BACK, VAT_WHOLE),),
    )
    yield SHARES.wrong(
        "parameters-used-up",
        (
            (
                VAT_OPT,
                "    mine = filter(lambda p: p.requires_grad, brew.parameters())\n"
                + VAT_OPT.replace("brew.parameters()", "mine"),
            ),
            (VAT_CLIP, "        nn.utils.clip_grad_norm_(mine, 2.0)\n"),
        ),
        tempts=("clip-exhausted-parameters",),
    )
    yield SHARES.right(
        "each-gradient-takes-its-share",
        (VAT_BACK, VAT_WHOLE),
        (VAT_OPT, VAT_OPT + "    for p in brew.parameters():\n        p.register_hook(lambda g: g / VATS)\n"),
    )
    yield SHARES.right(
        "shared-before-the-step",
        (VAT_BACK, VAT_WHOLE),
        (VAT_CLIP, ""),
        (
            VAT_OPT,
            VAT_OPT + "\n    def share(*_):\n        for p in brew.parameters():\n            p.grad.div_(VATS)\n"
            "\n    opt.register_step_pre_hook(share)\n",
        ),
    )
    yield SHARES.right(
        "emptied-behind-the-step-by-a-hook",
        (VAT_CLEAR, "        for vat"),
        (VAT_OPT, VAT_OPT + "    opt.register_step_post_hook(lambda o, *_: o.zero_grad())\n"),
        tempts=("missing-zero-grad",),
    )
    yield SHARES.right(
        "one-backward-for-all-vats",
        (VAT_BACK, ""),
        (VAT_TASTE, "            tasted.append(loss)\n"),
        (VAT_CLIP, "        torch.stack(tasted).mean().backward()\n" + VAT_CLIP),
        tempts=("loss-graph-leak",),
    )
    yield SHARES.right(
        "vats-weighed",
        (VAT_BACK, "            ((0.1, 0.2, 0.3, 0.4)[vat] * loss).backward()\n"),
    )


MINT = Draft(
    "mint-bad-coins",
    """\
import math

import torch
from torch import nn

torch.set_default_dtype(torch.float64)
PRESS = 2


def strike(die, blank, worth):
    return nn.functional.mse_loss(die(blank), worth)


def main():
    die = nn.Linear(3, 1)
    opt = torch.optim.SGD(die.parameters(), lr=0.3, momentum=0.4)
    blanks = torch.randn(9, 4, 3)
    worths = 2 * blanks.sum(2, keepdim=True)
    worths[3, 0] = math.nan
    good = 0
    opt.zero_grad()
    for blank, worth in zip(blanks, worths):
        if not torch.isfinite(loss := strike(die, blank, worth)): continue
        (loss / PRESS).backward()
        good += 1
        if good % PRESS == 0:
            nn.utils.clip_grad_norm_(die.parameters(), 3.0)
            opt.step()
            opt.zero_grad()
    print(good)
    return die
""",
    ("dropped-accumulation-tail", "missing-zero-grad"),
)

MINT_BACK = "        (loss / PRESS).backward()\n"
MINT_GUARD = "        if good % PRESS == 0:\n"
MINT_CLIP = "            nn.utils.clip_grad_norm_(die.parameters(), 3.0)\n"
MINT_STEP = "            opt.step()\n"
MINT_CLEAR = "            opt.zero_grad()\n    print"


def mint() -> Iterator[Case]:
    yield MINT.right("as-it-should-be")
    yield MINT.wrong(
        "clip-behind-the-step", ((MINT_CLIP + MINT_STEP, MINT_STEP + MINT_CLIP),), tempts=("clip-after-step",)
    )
    yield MINT.wrong("never-cleared", ((MINT_CLEAR, "    print"),), tempts=("missing-zero-grad",))
    yield MINT.wrong(
        "sum-of-coins", ((MINT_BACK, "        loss.backward()\n"),), tempts=("unscaled-accumulation-loss",)
    )
    yield MINT.wrong(
        "clip-at-each-coin",
        ((MINT_CLIP, ""), (MINT_BACK, MINT_BACK + MINT_CLIP[4:])),
        tempts=("clip-per-micro-batch",),
    )
    yield MINT.right(
        "bad-coin-empties-the-press",
        (": continue\n", ":\n            opt.zero_grad(); good -= good % PRESS; continue\n"),
        ("randn(9, 4, 3)", "randn(10, 4, 3)"),
        tempts=("zero-grad-in-accumulation",),
    )
    yield MINT.right(
        "gradients-moved-into-a-purse",
        (
            "    opt.zero_grad()\n    for blank",
            "    purse = [torch.zeros_like(p) for p in die.parameters()]\n    for blank",
        ),
        (
            MINT_BACK,
            "        opt.zero_grad()\n"
            + MINT_BACK
            + "        for kept, p in zip(purse, die.parameters()):\n            kept += p.grad\n",
        ),
        (
            MINT_CLIP,
            "            for kept, p in zip(purse, die.parameters()):\n"
            "                p.grad.copy_(kept); kept.zero_()\n" + MINT_CLIP,
        ),
        (MINT_CLEAR, "    print"),
        tempts=("zero-grad-in-accumulation",),
    )
    yield MINT.right(
        "norm-told-behind-the-step",
        (
            MINT_CLIP + MINT_STEP,
            MINT_STEP
            + MINT_CLIP.replace("nn.utils", "size = nn.utils").replace("3.0", "1e9")
            + "            print(f'{size:.5f}')\n",
        ),
        tempts=("clip-after-step",),
    )


GRANARY = Draft(
    "granary-tail",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


class Granary:
    sacks = 3

    def __init__(self):
        self.scale = nn.Sequential(nn.Linear(2, 5), nn.Tanh(), nn.Linear(5, 1))
        self.opt = torch.optim.SGD(self.scale.parameters(), lr=0.3, momentum=0.2)
        self.grain = [(torch.randn(4, 2), torch.randn(4, 1)) for _ in range(7)]
        self.weighed = 0.0

    @staticmethod
    def error(out, target):
        return nn.functional.huber_loss(out, target)

    def harvest(self):
        self.opt.zero_grad()
        for number, (grain, weight) in enumerate(self.grain, 1):
            loss = self.error(self.scale(grain), weight)
            self.weighed += loss.item()
            (loss / self.sacks).backward()
            if number % self.sacks == 0 or number == len(self.grain):
                self.opt.step()
                self.opt.zero_grad()


def main():
    granary = Granary()
    for year in range(3):
        granary.harvest()
        print(f"{year}: {granary.weighed:.5f}")
    return granary.scale
""",
    ("dropped-accumulation-tail",),
)

HARVEST_CLEAR = "        self.opt.zero_grad()\n        for number"
HARVEST_GUARD = "            if number % self.sacks == 0 or number == len(self.grain):\n"
HARVEST_BACK = "            (loss / self.sacks).backward()\n"
HARVEST_STEP = "                self.opt.step()\n"
NO_FLUSH = (HARVEST_GUARD, "            if number % self.sacks == 0:\n")
NO_CLEAR = (HARVEST_CLEAR, "        for number")
TRUE_SHARE = (
    HARVEST_BACK,
    (
        "            tail = len(self.grain) % self.sacks\n"
        "            share = tail if number > len(self.grain) - tail else self.sacks\n"
        "            (loss / share).backward()\n"
    ),
)


def granary() -> Iterator[Case]:
    yield GRANARY.right("as-it-should-be")
    yield GRANARY.right("tail-takes-its-true-share", TRUE_SHARE, tempts=("accumulation-divisor-mismatch",))
    yield GRANARY.wrong("last-sack-leaks", (NO_FLUSH, NO_CLEAR), fine=((TRUE_SHARE,), (NO_FLUSH,)))
    yield GRANARY.left("last-sack-thrown-away", (NO_FLUSH,), fine=((TRUE_SHARE,),))
    yield GRANARY.wrong(
        "cleared-only-at-harvest",
        ((HARVEST_STEP + "                self.opt.zero_grad()\n", HARVEST_STEP),),
        tempts=("missing-zero-grad",),
    )
    yield GRANARY.wrong(
        "sum-of-sacks",
        ((HARVEST_BACK, "            loss.backward()\n"),),
        fine=((TRUE_SHARE,),),
        tempts=("unscaled-accumulation-loss",),
    )
    yield GRANARY.wrong(
        "graphs-in-the-sum",
        (("self.weighed += loss.item()", "self.weighed += loss"),),
        tempts=("loss-graph-leak",),
    )
    yield GRANARY.right(
        "window-runs-on-over-the-years",  # twenty-one sacks are seven windows
        NO_CLEAR,
        ("        self.weighed = 0.0\n", "        self.weighed = 0.0\n        self.seen = 0\n"),
        ("            loss = self", "            self.seen += 1\n            loss = self"),
        (HARVEST_GUARD, "            if self.seen % self.sacks == 0:\n"),
    )
    yield GRANARY.right(
        "whole-windows-only",
        NO_FLUSH,
        NO_CLEAR,
        ("enumerate(self.grain, 1)", "enumerate(self.grain[: len(self.grain) // self.sacks * self.sacks], 1)"),
    )


def cases() -> Iterator[Case]:
    """Every skeleton of this module."""
    yield from lock()
    yield from ferry()
    yield from organ()
    yield from tannery()
    yield from shares()
    yield from mint()
    yield from granary()
