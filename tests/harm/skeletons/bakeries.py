"""Bakeries: an oven that is handed over, a mill with two stones, a starter that is fed, folds, vans, tasters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

SUMMED = ("unscaled-accumulation-loss",)
TAIL = ("dropped-accumulation-tail",)
WIPED = ("zero-grad-in-accumulation",)
UNCLEARED = ("missing-zero-grad",)
FAST = ("scheduler-per-micro-batch", "scheduler-before-optimizer")
ASLEEP = ("missing-train-mode",)
TRACED = ("validation-without-no-grad",)
LEAK = ("loss-graph-leak",)
ALONE = ("step-without-sync",)
LOUD = ("missing-no-sync",)

OVEN = Draft(
    "oven-relay",
    """\
import io
import math

import torch
from torch import nn

torch.set_default_dtype(torch.float64)
TRAYS_PER_BAKE = 4


def decay(bake):
    return 0.5 * (1 + math.cos(math.pi * min(bake, 11) / 12))


def relay(trays, parked=None, *, first_day=0, days=2):
    '''Bake for some days; with a parked oven, go on from where it was left.'''
    net = nn.Sequential(nn.Linear(4, 7), nn.GELU(), nn.Linear(7, 2))
    opt = torch.optim.AdamW(net.parameters(), lr=2e-2, eps=1e-2, weight_decay=0.05)
    ramp = torch.optim.lr_scheduler.LambdaLR(opt, decay)
    if parked is not None:
        state = torch.load(parked, weights_only=True)
        net.load_state_dict(state["net"])
        opt.load_state_dict(state["opt"])
        ramp.load_state_dict(state["ramp"])

    for day in range(first_day, first_day + days):
        heat = 0.0
        opt.zero_grad(set_to_none=True)
        for i, (dough, crumb) in enumerate(trays):
            loss = nn.functional.huber_loss(net(dough), crumb) / TRAYS_PER_BAKE
            loss.backward()
            heat += loss.item() * TRAYS_PER_BAKE
            if (i + 1) % TRAYS_PER_BAKE != 0 and i + 1 != len(trays):
                continue
            nn.utils.clip_grad_norm_(net.parameters(), 0.1)
            opt.step()
            ramp.step()
            opt.zero_grad(set_to_none=True)
        print(f"day {day}: {heat / len(trays):.6f}")

    shelf = io.BytesIO()
    torch.save({"net": net.state_dict(), "opt": opt.state_dict(), "ramp": ramp.state_dict()}, shelf)
    shelf.seek(0)
    return net, shelf


def main():
    torch.manual_seed(301)
    trays = [(torch.randn(5, 4), torch.randn(5, 2)) for _ in range(10)]
    _, shelf = relay(trays)
    net, _ = relay(trays, shelf, first_day=2)
    return net
""",
    ("dropped-accumulation-tail", "accumulation-off-by-one"),
)


def oven() -> Iterator[Case]:
    dawn = "        opt.zero_grad(set_to_none=True)\n        for i, (dough"
    loss = "            loss = nn.functional.huber_loss(net(dough), crumb) / TRAYS_PER_BAKE\n"
    heat = "            heat += loss.item() * TRAYS_PER_BAKE\n"
    guard = "            if (i + 1) % TRAYS_PER_BAKE != 0 and i + 1 != len(trays):\n"
    clip = "            nn.utils.clip_grad_norm_(net.parameters(), 0.1)\n"
    ramp, sweep = "            ramp.step()\n", "            opt.zero_grad(set_to_none=True)\n"
    dusk = sweep + "        print"
    own = "            share = min(TRAYS_PER_BAKE, len(trays) - i // TRAYS_PER_BAKE * TRAYS_PER_BAKE)\n"
    share = ((loss, own + loss.replace("TRAYS_PER_BAKE", "share")), (heat, heat.replace("TRAYS_PER_BAKE", "share")))
    off_by_one = (guard, guard.replace("(i + 1) %", "i %"))
    no_flush = (guard, "            if (i + 1) % TRAYS_PER_BAKE:\n")
    no_dawn = (dawn, "        for i, (dough")
    go_on = "                continue\n"
    yield OVEN.right("as-it-should-be", tempts=("zero-grad-in-accumulation", "accumulation-divisor-mismatch"))
    yield OVEN.wrong("first-tray-bakes-alone", (off_by_one,), tempts=("accumulation-off-by-one",))
    waits = (no_flush, no_dawn)
    yield OVEN.wrong("two-trays-wait-for-the-morning", waits, fine=((no_flush,), share), tempts=TAIL)
    yield OVEN.right("two-trays-are-thrown-out-at-dawn", no_flush, tempts=TAIL)
    yield OVEN.right(
        "bakes-are-counted-over-the-days",  # twenty trays to a baker: nothing is on the shelf at the handing over
        no_dawn,
        ("    for day in range(first_day", "    baked = 0\n    for day in range(first_day"),
        ("for i, (dough, crumb) in enumerate(trays):", "for dough, crumb in trays:"),
        (guard, "            baked += 1\n            if baked % TRAYS_PER_BAKE:\n"),
        tempts=TAIL,
    )
    late = ((clip, ""), (ramp, ramp + clip))
    yield OVEN.wrong("clipped-when-it-is-out-of-the-oven", late, tempts=("clip-after-step",))
    yield OVEN.wrong("swept-at-every-tray", (no_dawn, (loss, sweep + loss), (dusk, "        print")), tempts=WIPED)
    yield OVEN.wrong("cooler-with-every-tray", ((ramp, ""), (heat, heat + ramp)), tempts=FAST)
    yield OVEN.right(
        "curve-is-drawn-in-trays",  # the end of the curve is forty trays away, not twelve bakes
        ("min(bake, 11) / 12", "min(bake, 39) / 40"),
        (ramp, ""),
        (guard + go_on, guard + "    " + ramp + go_on),
        (dusk, ramp + dusk),
        tempts=FAST,
    )
    named = (no_dawn, (dusk, dusk.replace("(set_to_none=True)", "")))
    yield OVEN.wrong("sweep-is-spoken-of-only", named, tempts=("method-not-called", "missing-zero-grad"))


MILL = Draft(
    "two-millstones",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)
SACKS = 3


def with_last(sacks):
    pending = None
    for sack in sacks:
        if pending is not None:
            yield pending, False
        pending = sack
    if pending is not None:
        yield pending, True


class Mill(nn.Module):
    def __init__(self):
        super().__init__()
        self.husk = nn.Sequential(nn.Linear(3, 6), nn.Tanh())
        self.sieve = nn.Linear(6, 1)

    def forward(self, grain):
        return self.sieve(self.husk(grain)).squeeze(1)


class Miller:
    def __init__(self, mill, lr=0.3):
        self.mill = mill
        self.coarse = torch.optim.SGD(mill.husk.parameters(), lr=lr, momentum=0.6)
        self.fine = torch.optim.RMSprop(mill.sieve.parameters(), lr=lr / 10, eps=1e-2)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=64.0, growth_interval=2)
        self.waiting = 0
        self.dust = []

    def feed(self, grain, ash):
        with torch.autocast("cpu", dtype=torch.float16):
            loss = nn.functional.mse_loss(self.mill(grain), ash)
        self.scaler.scale(loss / SACKS).backward()
        self.waiting += 1
        self.dust.append(loss.detach())

    def settle(self):
        for opt in (self.coarse, self.fine):
            self.scaler.unscale_(opt)
        nn.utils.clip_grad_norm_(self.mill.parameters(), 0.5)
        self.scaler.step(self.coarse)
        self.scaler.step(self.fine)
        self.scaler.update()
        self.mill.zero_grad()
        self.waiting = 0

    def grind(self, sacks):
        for (grain, ash), last in with_last(sacks):
            self.feed(grain, ash)
            if last or self.waiting == SACKS:
                self.settle()


def main():
    torch.manual_seed(307)
    sacks = [(torch.randn(4, 3), torch.randn(4)) for _ in range(5)]
    miller = Miller(Mill())
    for _ in range(3):
        miller.grind(sacks)
    print(f"dust {torch.stack(miller.dust).mean().item():.6f}")
    return miller.mill
""",
    ("clip-scaled-gradients", "dropped-accumulation-tail"),
)


def mill() -> Iterator[Case]:
    back = "        self.scaler.scale(loss / SACKS).backward()\n"
    unscale = "        for opt in (self.coarse, self.fine):\n            self.scaler.unscale_(opt)\n"
    clip = "        nn.utils.clip_grad_norm_(self.mill.parameters(), 0.5)\n"
    by_itself = ("        self.scaler.step(self.fine)\n", "        self.fine.step()\n")
    due, grind = "            if last or self.waiting == SACKS:\n", "    def grind(self, sacks):\n"
    only_full = (due, "            if self.waiting == SACKS:\n")
    tax = "        (0.02 * self.mill.sieve.weight.abs().sum()).backward()\n"
    scaled_tax = tax.replace("(0.02", "self.scaler.scale(0.02")
    bare = MILL.styled((unscale + clip, ""))
    taxed = MILL.styled(("    def settle(self):\n", "    def settle(self):\n" + scaled_tax))
    yield MILL.right("as-it-should-be", tempts=("double-unscale", "missing-scaler-update", "loss-graph-leak"))
    # the limit is held against what the scale has made of it
    yield MILL.wrong("measured-in-the-dust", ((unscale + clip, clip + unscale),), tempts=("clip-scaled-gradients",))
    yield bare.wrong("fine-stone-turns-without-the-scaler", (by_itself,), tempts=("step-bypasses-scaler",))
    # what it takes bears no scale any more
    yield MILL.right("fine-stone-is-unscaled-and-turns-by-itself", by_itself, tempts=("step-bypasses-scaler",))
    yield taxed.wrong("tax-bears-no-scale", ((scaled_tax, tax),), tempts=("unscaled-backward",))
    yield MILL.right("tax-is-raised-behind-the-unscaling", (unscale, unscale + tax), tempts=("unscaled-backward",))
    yield MILL.wrong("dust-is-kept-with-its-mill", (("loss.detach()", "loss"),), tempts=LEAK)
    # what waits in the evening is counted in the morning; fifteen sacks in all
    yield MILL.right("five-sacks-and-then-ten", only_full, tempts=TAIL)
    recount = (only_full, (grind, grind + "        self.waiting = 0\n"))
    yield MILL.wrong("count-begins-anew-and-the-hopper-is-full", recount, tempts=TAIL)
    yield MILL.right(
        "weighed-when-it-is-settled",
        (back, back.replace("loss / SACKS", "loss")),
        (clip, "        torch._foreach_div_([p.grad for p in self.mill.parameters()], self.waiting)\n" + clip),
        tempts=SUMMED,
    )
    yield MILL.wrong(
        "fine-stone-is-never-swept", (("self.mill.zero_grad()", "self.coarse.zero_grad()"),), tempts=UNCLEARED
    )


STARTER = Draft(
    "sourdough-starter",
    """\
import copy
from contextlib import contextmanager

import torch
import torch.nn.functional as F
from torch import nn

torch.set_default_dtype(torch.float64)


class Starter:
    '''A slow average of the dough.'''

    def __init__(self, dough, keep):
        self.keep = keep
        self.kept = copy.deepcopy(dough.state_dict())

    def feed(self, dough):
        for name, value in dough.state_dict().items():
            if value.is_floating_point():
                self.kept[name].lerp_(value, 1 - self.keep)


@contextmanager
def borrowed(dough, kept):
    own = copy.deepcopy(dough.state_dict())
    dough.load_state_dict(kept)
    dough.eval()
    try:
        yield dough
    finally:
        dough.load_state_dict(own)
        dough.train()


@torch.no_grad()
def rise(dough, jars):
    return sum(F.mse_loss(dough(flour), height).item() for flour, height in jars) / len(jars)


def main():
    torch.manual_seed(311)
    dough = nn.Sequential(nn.Linear(3, 8), nn.BatchNorm1d(8), nn.SiLU(), nn.Dropout(0.2), nn.Linear(8, 1))
    bowls = [(torch.randn(6, 3), torch.randn(6, 1)) for _ in range(6)]
    jars = [(torch.randn(5, 3), torch.randn(5, 1)) for _ in range(2)]
    opt = torch.optim.SGD(dough.parameters(), lr=0.2, momentum=0.7, nesterov=True)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=18)
    starter = Starter(dough, keep=0.8)
    tally, heights = 0.0, []
    for day in range(3):
        for hour, (flour, height) in enumerate(bowls):
            loss = F.mse_loss(dough(flour), height)
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(dough.parameters(), 0.4)
            opt.step()
            sched.step()
            starter.feed(dough)
            tally += loss.detach()
            if hour % 3 == 2:
                with borrowed(dough, starter.kept):
                    heights.append(rise(dough, jars))
    print(f"{tally.item():.6f}", " ".join(f"{height:.6f}" for height in heights))
    return dough
""",
    ("missing-train-mode", "validation-without-no-grad"),
)


def starter() -> Iterator[Case]:
    back = "        dough.train()\n"
    traced = ("@torch.no_grad()\ndef rise", "def rise")
    clear, backward = "            opt.zero_grad()\n", "            loss.backward()\n"
    loss = "            loss = F.mse_loss(dough(flour), height)\n"
    sched, plan = "            sched.step()\n", "    sched = torch"
    hour = "        for hour, (flour"
    taste = (
        "                with borrowed(dough, starter.kept):\n                    heights.append(rise(dough, jars))\n"
    )
    yield STARTER.right("as-it-should-be")
    yield STARTER.wrong("given-back-asleep", ((back, ""),), tempts=ASLEEP)
    yield STARTER.wrong("rise-is-measured-with-gradients", (traced,), tempts=TRACED)
    yield STARTER.wrong("sleep-is-spoken-of-only", (("dough.eval()", "dough.eval"),), tempts=("method-not-called",))
    twin = """\
                twin = copy.deepcopy(dough).eval()
                twin.load_state_dict(starter.kept)
                heights.append(rise(twin, jars))
"""
    yield STARTER.right("twin-is-measured-and-stays-asleep", (taste, twin), tempts=ASLEEP)
    yield STARTER.right(
        "as-it-was-before",  # falls asleep for good on the last day, on purpose: the norms have settled
        (back, "        dough.train(awake)\n"),
        ("    own = copy", "    awake = dough.training\n    own = copy"),
        (hour, "        if day == 2:\n            dough.eval()\n" + hour),
        tempts=ASLEEP,
    )
    yield STARTER.right(
        "gradients-are-switched-by-the-borrower",
        traced,
        ("    dough.eval()\n", "    dough.eval()\n    torch.set_grad_enabled(False)\n"),
        (back, back + "        torch.set_grad_enabled(True)\n"),
        tempts=TRACED,
    )
    yield STARTER.wrong("tally-keeps-every-loss", (("tally += loss.detach()", "tally += loss"),), tempts=LEAK)
    yield STARTER.wrong(
        "cooled-in-advance", ((sched, ""), (loss, sched + loss)), tempts=("scheduler-before-optimizer",)
    )
    emptied = ((clear + backward, backward + clear),)
    yield STARTER.wrong("bowl-is-emptied-too-soon", emptied, tempts=("zero-grad-before-step",))
    hook = "    opt.register_step_post_hook(lambda done, *_: done.zero_grad())\n"
    yield STARTER.right("emptied-by-a-hook-on-the-step", (clear, ""), (plan, hook + plan), tempts=UNCLEARED)


FOLDS = Draft(
    "croissant-folds",
    """\
import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_

torch.set_default_dtype(torch.float64)
TURNS, PLIES = 2, 3


def layers(seed):
    draw = torch.Generator().manual_seed(seed)
    while True:
        yield torch.randn(5, 2, generator=draw) @ torch.tensor([[1.0, 0.5], [0.0, 0.8]]) + 1.0


def stretch(critic, real, fake):
    t = torch.rand(len(real), 1)
    mixed = (t * real + (1 - t) * fake).requires_grad_()
    (slope,) = torch.autograd.grad(critic(mixed).sum(), mixed, create_graph=True)
    return (slope.norm(dim=1) - 1).square().mean()


def main():
    torch.manual_seed(313)
    maker = nn.Sequential(nn.Linear(2, 6), nn.Tanh(), nn.Linear(6, 2))
    critic = nn.Sequential(nn.Linear(2, 8), nn.Softplus(), nn.Linear(8, 1))
    m_opt = torch.optim.Adam(maker.parameters(), lr=0.02, betas=(0.0, 0.9), eps=1e-2)
    c_opt = torch.optim.SGD(critic.parameters(), lr=0.1)
    c_sched = torch.optim.lr_scheduler.ExponentialLR(c_opt, 0.9)
    butter = layers(17)
    gaps = []
    for roll in range(4):
        critic.requires_grad_(True)
        for turn in range(TURNS):
            c_opt.zero_grad()
            for ply in range(PLIES):
                real = next(butter)
                with torch.no_grad():
                    fake = maker(torch.randn(len(real), 2))
                loss = critic(fake).mean() - critic(real).mean() + 2.0 * stretch(critic, real, fake)
                (loss / PLIES).backward()
                gaps.append(loss.item())
            clip_grad_norm_(critic.parameters(), 0.8)
            c_opt.step()
            c_sched.step()
        critic.requires_grad_(False)
        m_opt.zero_grad()
        flaw = -critic(maker(torch.randn(6, 2))).mean()
        flaw.backward()
        m_opt.step()
    print(f"{sum(gaps) / len(gaps):.6f}")
    return maker, critic
""",
    ("missing-zero-grad", "unscaled-accumulation-loss"),
)


def folds() -> Iterator[Case]:
    c_clear, m_clear = "            c_opt.zero_grad()\n", "        m_opt.zero_grad()\n"
    real = "                real = next(butter)\n"
    back, summed = "                (loss / PLIES).backward()\n", "                loss.backward()\n"
    clip = "            clip_grad_norm_(critic.parameters(), 0.8)\n"
    c_step, m_step = "            c_opt.step()\n", "        m_opt.step()\n"
    sched = "            c_sched.step()\n"
    pulls = (
        "                with torch.no_grad():\n                    fake = maker(",
        "                fake = maker(",
    )
    bare = FOLDS.styled((clip, ""))
    yield FOLDS.right("as-it-should-be", tempts=WIPED + UNCLEARED)
    yield bare.wrong("plies-are-summed", ((back, summed),), tempts=SUMMED)
    # plain descent does not tell one from the other
    yield bare.right(
        "plies-are-summed-and-the-rate-is-shared", (back, summed), ("lr=0.1)", "lr=0.1 / PLIES)"), tempts=SUMMED
    )
    yield FOLDS.wrong("every-ply-begins-afresh", ((c_clear, ""), (real, "    " + c_clear + real)), tempts=WIPED)
    yield FOLDS.wrong("maker-forgets-nothing", ((m_clear, ""),), tempts=UNCLEARED)
    # what the critic leaves there is cleared before the maker's own
    yield FOLDS.right("critic-pulls-at-the-maker-in-vain", pulls, tempts=UNCLEARED)
    behind = ((m_clear, ""), (m_step, m_step + m_clear))  # to be detached, or cleared once more
    yield FOLDS.left("critic-pulls-at-the-maker-and-it-moves", (pulls, *behind), tempts=UNCLEARED)
    yield FOLDS.wrong("pressed-at-every-ply", ((clip, "    " + clip),), tempts=("clip-per-micro-batch",))
    yield FOLDS.wrong("pressed-when-it-is-rolled", ((clip + c_step, c_step + clip),), tempts=("clip-after-step",))
    yield FOLDS.wrong("slower-with-every-ply", ((sched, ""), (back, back + "    " + sched)), tempts=FAST)
    yield FOLDS.right(
        "plies-lie-on-each-other-and-are-pressed-once",
        (c_clear, c_clear + "            stack = []\n"),
        (back, "                stack.append(loss)\n"),
        (clip, "            torch.stack(stack).mean().backward()\n" + clip),
        tempts=LEAK + SUMMED,
    )


VANS = Draft(
    "bread-vans",
    """\
import contextlib

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

torch.set_default_dtype(torch.float64)
SPAN = 3


class Van:
    def __init__(self, stops, sampler):
        self.net = DDP(nn.Sequential(nn.Linear(3, 6), nn.Tanh(), nn.Linear(6, 1)))
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.3, momentum=0.5)
        self.stops, self.sampler = stops, sampler
        self.log = []

    def radio(self, closing):
        return contextlib.nullcontext() if closing else self.net.no_sync()

    def drive(self, day):
        self.sampler.set_epoch(day)
        for n, (load, miles) in enumerate(self.stops, 1):
            closing = n % SPAN == 0 or n == len(self.stops)
            with self.radio(closing):
                loss = nn.functional.mse_loss(self.net(load), miles) / SPAN
                loss.backward()
            self.log.append(loss.item() * SPAN)
            if closing:
                self.park()

    def park(self):
        nn.utils.clip_grad_norm_(self.net.parameters(), 0.6)
        self.opt.step()
        self.opt.zero_grad()


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(317)
    town = TensorDataset(torch.randn(20, 3), torch.randn(20, 1))
    sampler = DistributedSampler(town, seed=8)
    van = Van(DataLoader(town, batch_size=2, sampler=sampler), sampler)
    for day in range(3):
        van.drive(day)
    print(f"{sum(van.log):.6f}")
    return van.net.module
""",
    ("step-without-sync", "missing-no-sync", "missing-set-epoch"),
    ranks=2,
)


def vans() -> Iterator[Case]:
    radio = "contextlib.nullcontext() if closing else self.net.no_sync()"
    quiet = "            with self.radio(closing):\n"
    loss = "                loss = nn.functional.mse_loss(self.net(load), miles) / SPAN\n"
    back, early = "                loss.backward()\n", loss.removeprefix("    ")
    loud = (quiet + loss + back, early + back.removeprefix("    "))
    log = "            self.log.append(loss.item() * SPAN)\n"
    tell = "        self.sampler.set_epoch(day)\n"
    clip = "        nn.utils.clip_grad_norm_(self.net.parameters(), 0.6)\n"
    inverted = (radio, "self.net.no_sync() if closing else contextlib.nullcontext()")
    silent_tail = (quiet, quiet.replace("closing", "n % SPAN == 0"))
    yield VANS.right("as-it-should-be")
    yield VANS.wrong("same-way-every-day", ((tell, ""),), tempts=("missing-set-epoch",))
    yield VANS.wrong("radio-is-off-when-it-matters", (inverted,), fine=((loud,),), tempts=ALONE)
    yield VANS.wrong("last-stop-is-parked-in-silence", (silent_tail,), fine=((loud,),), tempts=ALONE)
    yield VANS.wrong("radio-is-never-off", (loud,), tempts=LOUD)
    yield VANS.wrong("radio-is-off-too-late", ((quiet + loss, early + quiet),), tempts=("forward-outside-no-sync",))
    pull = log.replace("loss.item() * SPAN", "self.net.module[2].weight.grad.norm().item()")
    # which is no common one when the radio is off
    yield VANS.right("common-pull-is-noted-at-every-stop", loud, (log, pull), tempts=LOUD)
    drive = "        van.drive(day)\n"
    meet = """\
        for p in van.net.parameters():
            dist.all_reduce(p.data)
            p.data /= dist.get_world_size()
"""
    # each drives for itself and they agree on their mean
    yield VANS.right("vans-meet-in-the-evening", (radio, "self.net.no_sync()"), (drive, drive + meet), tempts=ALONE)
    yield VANS.right(
        "new-sampler-every-day",
        (tell, ""),
        (", sampler=sampler), sampler)", ", sampler=sampler))"),
        ("stops, sampler):", "stops):"),
        ("self.stops, self.sampler = stops, sampler", "self.stops = stops"),
        (
            drive,
            drive + "        sampler = DistributedSampler(town, seed=9 + day)\n"
            "        van.stops = DataLoader(town, batch_size=2, sampler=sampler)\n",
        ),
        tempts=("missing-set-epoch",),
    )
    summed = ((loss, loss.replace(" / SPAN", "")), (log, log.replace(" * SPAN", "")))
    yield VANS.styled((clip, "")).wrong("stops-are-summed", summed, tempts=SUMMED)


TASTERS = Draft(
    "bread-tasters",
    """\
import random

import torch
from torch import nn
from torch.distributions import Categorical

torch.set_default_dtype(torch.float64)
LOAVES = 4


class Crust:
    '''Heat it up or let it cool; the best crust comes at 0.7.'''

    def __init__(self, seed):
        self.rng = random.Random(seed)

    def reset(self):
        self.heat, self.clock = self.rng.random(), 0
        return torch.tensor([self.heat, 0.0])

    def step(self, action):
        self.heat += (-0.15, 0.0, 0.15)[action] + self.rng.gauss(0, 0.02)
        self.clock += 1
        return torch.tensor([self.heat, self.clock / 5]), -abs(self.heat - 0.7), self.clock == 5


def bake(crust, policy, guess):
    seen, over, logps, hopes, pays = crust.reset(), False, [], [], []
    while not over:
        dist = Categorical(logits=policy(seen))
        action = dist.sample()
        logps.append(dist.log_prob(action))
        hopes.append(guess(seen).squeeze())
        seen, pay, over = crust.step(action.item())
        pays.append(pay)
    togo = torch.tensor(pays).flip(0).cumsum(0).flip(0)
    return torch.stack(logps), torch.stack(hopes), togo


def greedy(crust, policy):
    seen, over, sum_ = crust.reset(), False, 0.0
    with torch.no_grad():
        while not over:
            seen, pay, over = crust.step(policy(seen).argmax().item())
            sum_ += pay
    return sum_


def main():
    torch.manual_seed(331)
    policy = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 3))
    guess = nn.Sequential(nn.Linear(2, 6), nn.Tanh(), nn.Linear(6, 1))
    crust, tasting = Crust(331), Crust(7)
    taste = list(policy.parameters())
    actor = torch.optim.SGD(taste, lr=0.3, momentum=0.5)
    critic = torch.optim.SGD(guess.parameters(), lr=0.1)
    told = 0.0
    for batch in range(6):
        actor.zero_grad()
        critic.zero_grad()
        for _ in range(LOAVES):
            logps, hopes, togo = bake(crust, policy, guess)
            gain = -(logps * (togo - hopes.detach())).mean()
            (gain / LOAVES).backward()
            miss = (hopes - togo).square().mean()
            (miss / LOAVES).backward()
            told += miss.item()
        nn.utils.clip_grad_norm_(taste, 0.1)
        actor.step()
        critic.step()
        if batch % 2:
            print(batch, f"{greedy(tasting, policy):.6f}")
    print(f"told {told:.6f}")
    return policy, guess
""",
    ("missing-zero-grad", "zero-grad-in-accumulation"),
)


def tasters() -> Iterator[Case]:
    a_clear, c_clear = "        actor.zero_grad()\n", "        critic.zero_grad()\n"
    loaves = "        for _ in range(LOAVES):\n"
    gain, gain_sum = "            (gain / LOAVES).backward()\n", "            gain.backward()\n"
    miss = "            (miss / LOAVES).backward()\n"
    clip = "        nn.utils.clip_grad_norm_(taste, 0.1)\n"
    a_step, c_step = "        actor.step()\n", "        critic.step()\n"
    walk = """\
        while not over:
            seen, pay, over = crust.step(policy(seen).argmax().item())
            sum_ += pay
"""
    bare = TASTERS.styled((clip, ""))
    yield TASTERS.right("as-it-should-be", tempts=SUMMED + TRACED)
    forgets = ((a_clear, ""), (loaves, loaves + "    " + a_clear))
    yield TASTERS.wrong("actor-forgets-all-loaves-but-one", forgets, tempts=WIPED)
    yield TASTERS.wrong("critic-forgets-nothing", ((c_clear, ""),), tempts=UNCLEARED)
    yield TASTERS.right(
        "critic-learns-from-each-loaf",  # the actor waits for four of them
        (c_clear, ""),
        (miss, f"    {c_clear}            miss.backward()\n    {c_step}"),
        (a_step + c_step, a_step),
        tempts=WIPED + SUMMED,
    )
    yield bare.wrong("loaves-are-summed", ((gain, gain_sum),), tempts=SUMMED)
    yield TASTERS.right(
        "gains-of-all-loaves-at-once",
        (c_clear, c_clear + "        gains = 0.0\n"),
        (gain, "            gains += gain\n"),
        (clip, "        (gains / LOAVES).backward()\n" + clip),
        tempts=LEAK + SUMMED,
    )
    yield bare.right(
        "loaf-counts-by-its-length",  # what is added up is shared by the steps that were taken
        ("* (togo - hopes.detach())).mean()", "* (togo - hopes.detach())).sum()"),
        (gain, gain_sum + "            moves += len(togo)\n"),
        (c_clear, c_clear + "        moves = 0\n"),
        (a_step, "        for p in taste:\n            p.grad.mul_(1 / moves)\n" + a_step),
        tempts=SUMMED,
    )
    yield TASTERS.wrong("told-keeps-every-miss", (("told += miss.item()", "told += miss"),), tempts=LEAK)
    traces = (("    with torch.no_grad():\n" + walk, walk.replace("    " * 2, "    ", 1).replace("\n    ", "\n")),)
    yield TASTERS.wrong("tasting-leaves-traces", traces, tempts=TRACED)
    used_up = (("list(policy.parameters())", "policy.parameters()"),)
    yield TASTERS.wrong("taste-is-used-up", used_up, tempts=("clip-exhausted-parameters",))


def cases() -> Iterator[Case]:
    """Every skeleton of this module."""
    yield from oven()
    yield from mill()
    yield from starter()
    yield from folds()
    yield from vans()
    yield from tasters()
