"""Post horses: legs of two riders, coaches that count epochs, Accelerate's windows and others, and walked filters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

RIDERS = Draft(
    "post-riders",
    """\
import contextlib

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

torch.set_default_dtype(torch.float64)


def miss(out, x):
    return (out - x.prod(1, keepdim=True)).square().mean()


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(3)
    rider = DistributedDataParallel(nn.Sequential(nn.Linear(3, 6), nn.Tanh(), nn.Linear(6, 1)))
    opt = torch.optim.SGD(rider.parameters(), lr=0.2, momentum=0.5)
    roads = torch.randn(44, 3)[dist.get_rank() :: 2].split(4)
    for day in range(2):
        for at in range(0, len(roads), 4):
            leg = roads[at : at + 4]
            opt.zero_grad()
            with contextlib.ExitStack() as stack:
                stack.enter_context(rider.no_sync())
                for x in leg[:-1]:
                    loss = miss(rider(x), x)
                    (loss / len(leg)).backward()
            loss = miss(rider(leg[-1]), leg[-1])
            (loss / len(leg)).backward()
            nn.utils.clip_grad_norm_(rider.parameters(), 0.5)
            opt.step()
        if dist.get_rank() == 0:
            print(day, f"{loss.item():.4f}")
    return rider
""",
    ("missing-no-sync", "step-without-sync"),
    ranks=2,
)
I_HELD = """\
            with contextlib.ExitStack() as stack:
                stack.enter_context(rider.no_sync())
                for x in leg[:-1]:
                    loss = miss(rider(x), x)
                    (loss / len(leg)).backward()
"""
I_LAST = """\
            loss = miss(rider(leg[-1]), leg[-1])
            (loss / len(leg)).backward()
"""
I_CLIP = "            nn.utils.clip_grad_norm_(rider.parameters(), 0.5)\n"
I_ALL = I_HELD.replace("leg[:-1]", "leg")
I_PLAIN = """\
            for x in leg:
                loss = miss(rider(x), x)
                (loss / len(leg)).backward()
"""
I_MEAN = """\
            for p in rider.parameters():
                dist.all_reduce(p.grad)
                p.grad /= 2
"""


def riders() -> Iterator[Case]:
    yield RIDERS.right("last-of-a-leg-is-shared")
    yield RIDERS.right("shared-by-hand", (I_HELD + I_LAST, I_ALL + I_MEAN))
    yield RIDERS.right(
        "horses-are-averaged-at-night",
        (I_HELD + I_LAST, I_ALL),
        (
            "        if dist",
            (
                "        for p in rider.parameters():\n            dist.all_reduce(p.data)\n"
                "            p.data /= 2\n        if dist"
            ),
        ),
    )
    yield RIDERS.right(
        "flag-by-hand",
        (
            I_HELD + I_LAST,
            I_PLAIN.replace(
                "                loss =",
                "                rider.require_backward_grad_sync = x is leg[-1]\n                loss =",
            ),
        ),
    )
    yield RIDERS.wrong("nothing-is-shared", ((I_HELD + I_LAST, I_ALL),))
    yield RIDERS.wrong("everything-is-shared", ((I_HELD + I_LAST, I_PLAIN),))
    yield RIDERS.wrong(
        "forward-outside",
        (
            (
                I_HELD,
                (
                    "            for x in leg[:-1]:\n                loss = miss(rider(x), x)\n"
                    "                with rider.no_sync():\n                    (loss / len(leg)).backward()\n"
                ),
            ),
        ),
        tempts=("forward-outside-no-sync",),
    )
    yield RIDERS.wrong(
        "past-the-wrapper", ((I_LAST, I_LAST.replace("rider(leg", "rider.module(leg")),), tempts=("step-without-sync",)
    )
    yield RIDERS.wrong(
        "clip-comes-late",
        ((I_CLIP + "            opt.step()\n", "            opt.step()\n" + I_CLIP),),
        tempts=("clip-after-step",),
    )


COACH = Draft(
    "stage-coaches",
    """\
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.functional import cross_entropy
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


class Coach:
    def __init__(self, roads, miles=0):
        self.net = DDP(nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Dropout(0.2), nn.Linear(8, 3)))
        self.sampler = DistributedSampler(roads, seed=5)
        self.loader = DataLoader(roads, batch_size=4, sampler=self.sampler)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.3)
        self.sched = torch.optim.lr_scheduler.StepLR(self.opt, step_size=2, gamma=0.5)
        self.miles = miles

    def drive(self, until):
        while self.miles < until:
            self.sampler.set_epoch(self.miles)
            for x, y in self.loader:
                self.opt.zero_grad()
                cross_entropy(self.net(x), y).backward()
                self.opt.step()
            self.sched.step()
            self.miles += 1

    def inspect(self, roads):
        self.net.eval()
        with torch.no_grad():
            misses = [cross_entropy(self.net(x), y).item() for x, y in roads]
        self.net.train()
        return sum(misses) / len(misses)


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(4)
    x = torch.randn(32, 4)
    roads = TensorDataset(x[:24], x[:24, :3].argmax(1))
    held = list(DataLoader(TensorDataset(x[24:], x[24:, :3].argmax(1)), batch_size=4))
    coach = Coach(roads)
    for until in (2, 3, 5):
        coach.drive(until)
        print(until, f"{coach.inspect(held):.3f}")
    return coach.net
""",
    ("missing-set-epoch", "missing-train-mode"),
    ranks=2,
)
O_EPOCH = "            self.sampler.set_epoch(self.miles)\n"
O_WHILE = "        while self.miles < until:\n"
O_SCHED = "            self.sched.step()\n"
O_WATCH = "        with torch.no_grad():\n            misses ="
O_TRAIN = "        self.net.train()\n"


def coaches() -> Iterator[Case]:
    yield COACH.right("counts-its-miles")
    yield COACH.right("straight-road", (O_EPOCH, ""), ("seed=5", "shuffle=False"))
    yield COACH.right(
        "sampler-counts-itself",
        (O_EPOCH, ""),
        ("DistributedSampler(roads, seed", "Turning(roads, seed"),
        (
            "class Coach:",
            (
                "class Turning(DistributedSampler):\n    def __iter__(self):\n        yield from super().__iter__()\n"
                "        self.epoch += 1\n\n\nclass Coach:"
            ),
        ),
    )
    yield COACH.wrong("same-road-each-day", ((O_EPOCH, ""),))
    yield COACH.wrong("told-once-for-a-drive", ((O_WHILE + O_EPOCH, O_EPOCH[4:] + O_WHILE),))
    yield COACH.wrong(
        "asleep-behind-the-inspection-on-one-road",
        ((O_TRAIN, ""),),
        ((O_EPOCH, ""),),
    )
    yield COACH.wrong(
        "inspected-with-gradients", ((O_WATCH, "        misses ="),), tempts=("validation-without-no-grad",)
    )
    yield COACH.wrong(
        "rate-falls-in-the-morning",
        ((O_SCHED, ""), (O_EPOCH, O_SCHED + O_EPOCH)),
        tempts=("scheduler-before-optimizer",),
    )


FARRIERS = Draft(
    "farriers",
    """\
import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def shoe(settings):
    accelerator = Accelerator(cpu=True, gradient_accumulation_steps=settings["window"])
    torch.manual_seed(settings["seed"])
    hoof = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 3))
    opt = torch.optim.SGD(hoof.parameters(), lr=settings["lr"], momentum=0.9)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=8)
    loader = DataLoader(TensorDataset(torch.randn(28, 3)), batch_size=4, shuffle=False)
    hoof, opt, loader, sched = accelerator.prepare(hoof, opt, loader, sched)
    for epoch in range(settings["epochs"]):
        walk = loader if epoch else accelerator.skip_first_batches(loader, settings["shod"])
        worn = torch.zeros(())
        for (x,) in walk:
            with accelerator.accumulate(hoof):
                loss = (hoof(x) - x.abs()).square().mean()
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(hoof.parameters(), 0.2)
                opt.step()
                sched.step()
                opt.zero_grad()
            worn += loss.detach()
        accelerator.print(f"{epoch}: {worn.item():.4f}")
    return accelerator.unwrap_model(hoof)


def main():
    return shoe({"window": 3, "seed": 16, "lr": 0.4, "epochs": 2, "shod": 2})
""",
    ("zero-grad-in-accumulation", "clip-per-micro-batch"),
)
S_CLIP = """\
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(hoof.parameters(), 0.2)
"""
S_STEP = "                opt.step()\n                sched.step()\n"
S_CLEAR = "                opt.zero_grad()\n"
S_LOSS = "                loss = (hoof(x)"


def farriers() -> Iterator[Case]:
    yield FARRIERS.right("first-day-is-taken-up")
    yield FARRIERS.right(
        "clip-from-the-prepared-window",
        (S_CLIP, S_CLIP.replace("accelerator.sync_gradients", "opt.gradient_state.sync_gradients")),
    )
    yield FARRIERS.right(
        "weighed-twice-as-much",
        ("accelerator.backward(loss)", "accelerator.backward(2 * loss)"),
        tempts=("accumulation-divisor-mismatch",),
    )
    yield FARRIERS.wrong("clip-with-each-nail", ((S_CLIP, S_CLIP[len(S_CLIP.split("\n", maxsplit=1)[0]) + 1 :][4:]),))
    yield FARRIERS.wrong("cleared-in-front", ((S_CLEAR, ""), (S_LOSS, S_CLEAR + S_LOSS)))
    bare = FARRIERS.styled((S_CLIP, ""), ('"lr": 0.4', '"lr": 0.1'))
    yield bare.wrong(
        "not-divided-by-torch",
        (("accelerator.backward(loss)", "loss.backward()"),),
        tempts=("unscaled-accumulation-loss",),
    )
    yield bare.wrong(
        "divided-twice-and-graphs-kept",
        (("accelerator.backward(loss)", 'accelerator.backward(loss / settings["window"])'),),
        (("loss.detach()", "loss"),),
        tempts=("accumulation-divisor-mismatch", "loss-graph-leak"),
    )
    yield FARRIERS.wrong("clip-behind", ((S_CLIP + S_STEP, S_STEP + S_CLIP),), tempts=("clip-after-step",))


TACK = Draft(
    "tack-room",
    """\
import argparse

import torch
from accelerate import Accelerator
from torch import nn

torch.set_default_dtype(torch.float64)


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--accum", type=int, default=2)
    parser.add_argument("--limit", type=float, default=0.3)
    return parser.parse_args([])


class TackRoom:
    def __init__(self, args):
        self.args = args
        self.accelerator = Accelerator(cpu=True)
        net = nn.Sequential(nn.Linear(3, 7), nn.GELU(), nn.Linear(7, 1))
        self.net, self.opt = self.accelerator.prepare(net, torch.optim.Adam(net.parameters(), lr=0.05))
        self.sched = torch.optim.lr_scheduler.MultiStepLR(self.opt.optimizer, [3, 6], gamma=0.3)

    def polish(self, pieces):
        shine = 0.0
        for number, x in enumerate(pieces, 1):
            loss = (self.net(x) - x.sum(1, keepdim=True)).abs().mean()
            self.accelerator.backward(loss / self.args.accum)
            shine += loss.item()
            if number % self.args.accum and number < len(pieces):
                continue
            self.accelerator.clip_grad_norm_(self.net.parameters(), self.args.limit)
            self.opt.step()
            self.sched.step()
            self.opt.zero_grad()
        return shine / len(pieces)


def main():
    torch.manual_seed(10)
    room = TackRoom(options())
    for _ in range(2):
        print(f"{room.polish(torch.randn(7, 5, 3)):.4f}")
    return room.accelerator.unwrap_model(room.net)
""",
    ("unscaled-accumulation-loss", "scheduler-per-micro-batch"),
)
T_GUARD = "            if number % self.args.accum and number < len(pieces):\n                continue\n"
T_CLIP = "            self.accelerator.clip_grad_norm_(self.net.parameters(), self.args.limit)\n"
T_STEP = "            self.opt.step()\n"
T_SCHED = "            self.sched.step()\n"


def tack() -> Iterator[Case]:
    yield TACK.right("window-by-hand-and-its-rest")
    yield TACK.right(
        "rest-is-hung-up-again",
        (" and number < len(pieces)", ""),
        ("        return shine", "        self.opt.zero_grad()\n        return shine"),
        tempts=("dropped-accumulation-tail",),
    )
    yield TACK.right(
        "rate-falls-by-pieces",
        (T_SCHED, ""),
        (T_GUARD, T_SCHED + T_GUARD),
        ("[3, 6]", "[3 * args.accum, 6 * args.accum]"),
    )
    yield TACK.wrong("undivided", (("loss / self.args.accum", "loss"),), tempts=("unscaled-accumulation-loss",))
    yield TACK.wrong("rate-falls-with-each-piece", ((T_SCHED, ""), (T_GUARD, T_SCHED + T_GUARD)))
    yield TACK.wrong(
        "clip-of-each-piece", ((T_CLIP, ""), (T_GUARD, T_CLIP + T_GUARD)), tempts=("clip-per-micro-batch",)
    )
    yield TACK.wrong(
        "counted-from-nought",
        (("(pieces, 1)", "(pieces)"), (" and number < len(pieces)", "")),
        fine=(((" and number < len(pieces)", ""),),),
        tempts=("accumulation-off-by-one",),
    )
    yield TACK.wrong(
        "rate-falls-first", ((T_STEP + T_SCHED, T_SCHED + T_STEP),), tempts=("scheduler-before-optimizer",)
    )


OSTLERS = Draft(
    "ostlers",
    """\
from itertools import chain

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def hay(week, count=6):
    rng = torch.Generator().manual_seed(week)
    yield from torch.randn(count, 4, 3, generator=rng)


def main():
    torch.manual_seed(23)
    stem, yard = nn.Sequential(nn.Linear(3, 5), nn.Tanh(), nn.Linear(5, 5)), nn.Linear(5, 1)
    stem[0].requires_grad_(False)
    care = list(filter(lambda p: p.requires_grad, chain(stem.parameters(), yard.parameters())))
    opt = torch.optim.RMSprop(care, lr=0.02)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=0.05, total_steps=10)
    for week in range(3):
        for number, x in enumerate(hay(week)):
            loss = nn.functional.mse_loss(yard(stem(x)), x.prod(1, keepdim=True))
            (loss / 2).backward()
            if number % 2 == 1:
                nn.utils.clip_grad_norm_(care, 0.3)
                opt.step()
                sched.step()
                opt.zero_grad()
    return stem, yard
""",
    ("clip-exhausted-parameters", "scheduler-per-micro-batch"),
)
K_LIST = "list(filter(lambda p: p.requires_grad, chain(stem.parameters(), yard.parameters())))"
K_CLIP = "                nn.utils.clip_grad_norm_(care, 0.3)\n"
K_SCHED = "                sched.step()\n"
K_BACK = "            (loss / 2).backward()\n"
K_THAW = """\
        if week == 1:
            stem[0].requires_grad_(True)
            opt.add_param_group({"params": list(stem[0].parameters())})
        for number"""
THAWING = OSTLERS.styled(
    ("        for number", K_THAW),
    (K_CLIP, K_CLIP.replace("care", K_LIST[5:-1])),
    ("    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=0.05, total_steps=10)\n", ""),
    (K_SCHED, ""),
)


def ostlers() -> Iterator[Case]:
    yield OSTLERS.right("listed-once")
    yield OSTLERS.right(
        "filter-for-the-optimizer-alone",
        (K_LIST, K_LIST[5:-1]),
        (K_CLIP, K_CLIP.replace("care", "[*stem.parameters(), *yard.parameters()]")),
    )
    yield OSTLERS.right(
        "cycle-of-bales", (K_SCHED, ""), (K_BACK, K_BACK + K_SCHED[4:]), ("total_steps=10", "total_steps=3 * 6 + 1")
    )
    yield OSTLERS.wrong("filter-is-walked", ((K_LIST, K_LIST[5:-1]),))
    yield THAWING.wrong(
        "filter-is-walked-before-the-thaw", ((K_LIST, K_LIST[5:-1]), (K_CLIP.replace("care", K_LIST[5:-1]), K_CLIP))
    )
    yield OSTLERS.wrong("cycle-is-used-up", ((K_SCHED, ""), (K_BACK, K_BACK + K_SCHED[4:])), raises="ValueError")
    yield OSTLERS.wrong(
        "clear-is-only-named",
        (("                opt.zero_grad()", "                opt.zero_grad"),),
        tempts=("method-not-called",),
    )
    yield OSTLERS.wrong("sum-of-bales", (("(loss / 2)", "loss"),), tempts=("unscaled-accumulation-loss",))


def cases() -> Iterator[Case]:
    yield from riders()
    yield from coaches()
    yield from farriers()
    yield from tack()
    yield from ostlers()
