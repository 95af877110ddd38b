"""Quarries: a saw with two rates, blasts in chunks, a lorry that comes back, a crusher with Accelerate, veins by options."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

SAW = Draft(
    "stone-saw",
    """\
import torch
from torch import nn, optim

torch.set_default_dtype(torch.float64)


class Saw(nn.Module):
    def __init__(self):
        super().__init__()
        self.frame = nn.Linear(4, 6)
        self.blade = nn.Linear(6, 2)

    def forward(self, x):
        return self.blade(torch.tanh(self.frame(x)))


def cut(saw, slabs, slow=4):
    fine = optim.SGD(saw.blade.parameters(), lr=0.1)
    rough = optim.Adam(saw.frame.parameters(), lr=0.02)
    dull = optim.lr_scheduler.StepLR(rough, 1, gamma=0.6)
    for turn, (x, y) in enumerate(slabs):
        fine.zero_grad()
        loss = nn.functional.cross_entropy(saw(x), y)
        loss.backward()
        nn.utils.clip_grad_norm_(saw.blade.parameters(), 0.2)
        fine.step()
        if turn % slow == slow - 1:
            for p in saw.frame.parameters():
                p.grad /= slow
            rough.step()
            dull.step()
            rough.zero_grad()


def main():
    torch.manual_seed(17)
    saw = Saw()
    cut(saw, [(torch.randn(5, 4), torch.randint(0, 2, (5,))) for _ in range(12)])
    return saw
""",
    ("zero-grad-in-accumulation", "missing-zero-grad"),
)
SAW_FINE = "        fine.zero_grad()\n"
SAW_ROUGH = "            rough.zero_grad()\n"
SAW_CLIP = "        nn.utils.clip_grad_norm_(saw.blade.parameters(), 0.2)\n"
SAW_GUARD = "        if turn % slow == slow - 1:\n"
SAW_MEAN = "            for p in saw.frame.parameters():\n                p.grad /= slow\n"


def saw() -> Iterator[Case]:
    yield SAW.right("blade-each-turn-frame-each-fourth")
    yield SAW.right(
        "blade-cleared-behind-its-step", (SAW_FINE, ""), ("        fine.step()\n", "        fine.step()\n" + SAW_FINE)
    )
    yield SAW.right("frame-learns-from-the-last-slab-only", (SAW_FINE, "        saw.zero_grad()\n"), (SAW_MEAN, ""))
    yield SAW.right(
        "frame-held-still-at-first",
        (SAW_CLIP, "        if turn < 4:\n            rough.zero_grad(set_to_none=False)\n" + SAW_CLIP),
        tempts=("zero-grad-before-step",),
    )
    yield SAW.wrong("frame-never-cleared", ((SAW_ROUGH, ""),))
    yield SAW.wrong("blade-never-cleared", ((SAW_FINE, ""),))
    yield SAW.wrong("blade-cleared-with-the-frame", ((SAW_FINE, ""), (SAW_ROUGH, SAW_ROUGH + "    " + SAW_FINE)))
    yield SAW.wrong(
        "frame-turns-too-early-and-blade-clipped-late",
        ((SAW_GUARD, "        if turn % slow == 0:\n"),),
        ((SAW_CLIP + "        fine.step()\n", "        fine.step()\n" + SAW_CLIP),),
        tempts=("accumulation-off-by-one", "clip-after-step"),
    )


BLAST = Draft(
    "blast-in-chunks",
    """\
import itertools

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def holes(seed, count=10):
    rng = torch.Generator().manual_seed(seed)
    for _ in range(count):
        depth = torch.rand(4, 3, generator=rng)
        yield depth, depth.prod(1, keepdim=True) * 5


def main(charge=4):
    torch.manual_seed(5)
    rock = nn.Sequential(nn.Linear(3, 6), nn.SiLU(), nn.Dropout(0.2), nn.Linear(6, 1))
    optimizer = torch.optim.SGD(rock.parameters(), lr=0.05, momentum=0.9)
    for shift in range(2):
        drilled = holes(shift)
        thrown = []
        while chunk := list(itertools.islice(drilled, charge)):
            optimizer.zero_grad()
            for depth, width in chunk:
                loss = nn.functional.mse_loss(rock(depth), width)
                (loss / len(chunk)).backward()
                thrown.append(loss.item())
            nn.utils.clip_grad_norm_(rock.parameters(), 1.0)
            optimizer.step()
        rock.eval()
        with torch.no_grad():
            left = [nn.functional.mse_loss(rock(depth), width).item() for depth, width in holes(7, 3)]
        rock.train()
        print(f"{shift} {max(thrown):.4f} {max(left):.4f}")
    return rock
""",
    ("unscaled-accumulation-loss", "accumulation-divisor-mismatch"),
)
BL_CLEAR = "            optimizer.zero_grad()\n"
BL_CLIP = "            nn.utils.clip_grad_norm_(rock.parameters(), 1.0)\n"
BL_BACK = "                (loss / len(chunk)).backward()\n"
BL_LOOK = """\
        with torch.no_grad():
            left = [nn.functional.mse_loss(rock(depth), width).item() for depth, width in holes(7, 3)]
"""
BL_OPEN = BL_LOOK.partition("\n")[2].replace("            left", "        left")


def blast() -> Iterator[Case]:
    yield BLAST.right("mean-of-what-a-chunk-holds")
    yield BLAST.right("last-chunk-weighs-less", ("len(chunk)", "charge"), tempts=("accumulation-divisor-mismatch",))
    yield BLAST.right(
        "largest-of-a-chunk",
        (BL_CLEAR, BL_CLEAR + "            worst = []\n"),
        (BL_BACK, "                worst.append(loss)\n"),
        (BL_CLIP, "            torch.stack(worst).max().backward()\n" + BL_CLIP),
        tempts=("loss-graph-leak",),
    )
    yield BLAST.right(
        "half-asleep-on-purpose",
        ("        rock.train()\n", ""),
        ("    optimizer =", "    rock.eval()\n    optimizer ="),
        tempts=("missing-train-mode",),
    )
    yield BLAST.wrong("sum-of-a-chunk", (("(loss / len(chunk))", "loss"),))
    yield BLAST.wrong(
        "cleared-at-each-hole",
        ((BL_CLEAR, ""), (BL_BACK, "                optimizer.zero_grad()\n" + BL_BACK)),
        tempts=("zero-grad-in-accumulation",),
    )
    yield BLAST.wrong("stays-asleep", (("        rock.train()\n", ""),), tempts=("missing-train-mode",))
    yield BLAST.wrong(
        "clipped-at-each-hole-and-looked-at-with-graphs",
        ((BL_CLIP, ""), (BL_BACK, BL_BACK + "    " + BL_CLIP)),
        ((BL_LOOK, BL_OPEN),),
        tempts=("clip-per-micro-batch", "validation-without-no-grad"),
    )
    yield BLAST.wrong(
        "cleared-when-the-shift-begins",
        ((BL_CLEAR, ""), ("        thrown = []\n", "        thrown = []\n        optimizer.zero_grad()\n")),
        tempts=("missing-zero-grad",),
    )


LORRY = Draft(
    "lorry-comes-back",
    """\
import copy

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


class Empty(Exception):
    pass


def loads(start, count=11):
    for number in range(start, count):
        rng = torch.Generator().manual_seed(number)
        stone = torch.randn(4, 3, generator=rng)
        yield stone, stone.abs().sum(1, keepdim=True)
    raise Empty


class Lorry:
    def __init__(self, state=None, window=3):
        torch.manual_seed(19)
        self.net = nn.Sequential(nn.Linear(3, 5), nn.CELU(), nn.Linear(5, 1))
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.02, momentum=0.8)
        self.window, self.hauled = window, 0
        if state:
            self.net.load_state_dict(state["net"])
            self.opt.load_state_dict(state["opt"])
            self.hauled = state["hauled"]

    def tip(self):
        nn.utils.clip_grad_norm_(self.net.parameters(), 6.0)
        self.opt.step()
        self.opt.zero_grad()

    def haul(self, until=99):
        try:
            for stone, weight in loads(self.hauled):
                loss = nn.functional.mse_loss(self.net(stone), weight) / self.window
                loss.backward()
                self.hauled += 1
                if self.hauled % self.window:
                    continue
                self.tip()
                if self.hauled >= until:
                    break
        except Empty:
            print("empty after", self.hauled)
        finally:
            if self.hauled % self.window:
                self.tip()
        state = {"net": self.net.state_dict(), "opt": self.opt.state_dict(), "hauled": self.hauled}
        return copy.deepcopy(state)


def main():
    whole, first = Lorry(), Lorry()
    whole.haul()
    second = Lorry(first.haul(until=6))
    second.haul()
    return whole.net, second.net
""",
    ("accumulation-off-by-one", "dropped-accumulation-tail"),
)
L_DOWN = "                self.hauled += 1\n"
L_ASK = "                if self.hauled % self.window:\n                    continue\n"
L_END = "        finally:\n            if self.hauled % self.window:\n                self.tip()\n"
L_TIP = "        nn.utils.clip_grad_norm_(self.net.parameters(), 6.0)\n        self.opt.step()\n        self.opt.zero_grad()\n"
L_LATE = """\
        self.opt.step()
        nn.utils.clip_grad_norm_(self.net.parameters(), 6.0)
        self.opt.zero_grad()
"""


def lorry() -> Iterator[Case]:
    yield LORRY.right("what-is-left-is-tipped")
    yield LORRY.right(
        "asked-before-it-is-counted", (L_DOWN, ""), (L_ASK, L_DOWN + L_ASK.replace("window:", "window > 0:"))
    )
    yield LORRY.right("what-is-left-is-lost", (L_END, "        finally:\n            self.opt.zero_grad()\n"))
    yield LORRY.right(
        "load-is-weighed-when-tipped",
        (" / self.window\n", "\n"),
        (L_TIP, "        for p in self.net.parameters():\n            p.grad.div_(self.window)\n" + L_TIP),
        tempts=("unscaled-accumulation-loss",),
    )
    yield LORRY.wrong("one-ahead", ((L_ASK, L_ASK.replace("self.hauled % ", "(self.hauled + 1) % ")),))
    yield LORRY.wrong("sum-of-loads", ((" / self.window\n", "\n"),), tempts=("unscaled-accumulation-loss",))
    yield LORRY.wrong(
        "weighed-twice",
        (("                loss.backward()", "                (loss / self.window).backward()"),),
        tempts=("accumulation-divisor-mismatch",),
    )
    yield LORRY.wrong("tipped-before-it-is-clipped", ((L_TIP, L_LATE),), tempts=("clip-after-step",))
    yield LORRY.wrong("bed-is-never-swept", (("        self.opt.zero_grad()\n", ""),), tempts=("missing-zero-grad",))


CRUSHER = Draft(
    "crusher-accelerated",
    """\
import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

JAWS = 2


def feed(seed):
    rng = torch.Generator().manual_seed(seed)
    return TensorDataset(torch.randn(24, 3, generator=rng), torch.randn(24, 1, generator=rng) * 2)


class Crusher:
    def __init__(self):
        torch.manual_seed(41)
        self.accelerator = Accelerator(cpu=True, gradient_accumulation_steps=JAWS)
        net = nn.Sequential(nn.Linear(3, 6), nn.ReLU(), nn.Dropout(0.2), nn.Linear(6, 1))
        opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
        sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.8)
        loader = DataLoader(feed(1), batch_size=4)
        self.net, self.opt, self.sched, self.loader = self.accelerator.prepare(net, opt, sched, loader)

    def rubble(self):
        self.net.eval()
        x, y = feed(2).tensors
        with torch.no_grad():
            total = sum(nn.functional.mse_loss(self.net(a), b).item() for a, b in zip(x.split(8), y.split(8)))
        return total / 3

    def crush(self, epochs):
        for epoch in range(epochs):
            self.net.train()
            dust = 0.0
            for x, y in self.loader:
                with self.accelerator.accumulate(self.net):
                    loss = nn.functional.mse_loss(self.net(x), y)
                    dust += loss.item()
                    self.accelerator.backward(loss)
                    if self.accelerator.sync_gradients:
                        self.accelerator.clip_grad_norm_(self.net.parameters(), 0.3)
                    self.opt.step()
                    self.sched.step()
                    self.opt.zero_grad()
            self.accelerator.print(f"{epoch} {dust:.3f} {self.rubble():.3f}")


def main():
    crusher = Crusher()
    crusher.crush(2)
    return crusher.accelerator.unwrap_model(crusher.net)
""",
    ("clip-per-micro-batch", "scheduler-per-micro-batch"),
)
R_CLIP = """\
                    if self.accelerator.sync_gradients:
                        self.accelerator.clip_grad_norm_(self.net.parameters(), 0.3)
"""
R_EACH = "                    self.accelerator.clip_grad_norm_(self.net.parameters(), 0.3)\n"
R_CLEAR = "                    self.opt.zero_grad()\n"
R_LOSS = "                    loss = nn"
R_TRAIN = "            self.net.train()\n"


def crusher() -> Iterator[Case]:
    yield CRUSHER.right("all-between-the-jaws", tempts=("unscaled-accumulation-loss", "zero-grad-in-accumulation"))
    yield CRUSHER.right(
        "norm-is-only-measured",
        (
            R_CLIP,
            R_CLIP + '                    self.accelerator.clip_grad_norm_(self.net.parameters(), float("inf"))\n',
        ),
    )
    yield CRUSHER.right(
        "weighed-back-to-a-sum",
        ("self.accelerator.backward(loss)", "self.accelerator.backward(loss * JAWS)"),
        (R_CLIP, ""),
        ("lr=0.1", "lr=0.1 / JAWS"),
        tempts=("accumulation-divisor-mismatch",),
    )
    yield CRUSHER.right(
        "awake-again-behind-the-look",
        (R_TRAIN, ""),
        ("        return total", "        self.net.train()\n        return total"),
        tempts=("missing-train-mode",),
    )
    plain = CRUSHER.styled((R_CLIP, ""))
    yield plain.wrong(
        "divided-twice", (("backward(loss)", "backward(loss / JAWS)"),), tempts=("accumulation-divisor-mismatch",)
    )
    yield CRUSHER.wrong("clipped-with-each-bite", ((R_CLIP, R_EACH),))
    yield CRUSHER.wrong(
        "cleared-at-the-top-and-asleep",
        ((R_CLEAR, ""), (R_LOSS, R_CLEAR + R_LOSS)),
        ((R_TRAIN, ""),),
        tempts=("zero-grad-in-accumulation", "missing-train-mode"),
    )
    yield CRUSHER.wrong("dust-hangs-together", (("loss.item()", "loss"),), tempts=("loss-graph-leak",))


VEIN = Draft(
    "vein-by-options",
    """\
import argparse
import contextlib
import math

import torch
from torch import nn


def options(*words):
    parser = argparse.ArgumentParser()
    parser.add_argument("--accum", type=int, default=2)
    parser.add_argument("--amp", action="store_true")
    parser.add_argument("--clip", type=float, default=0.4)
    return parser.parse_args(words)


def probes(count=8):
    rng = torch.Generator().manual_seed(77)
    for number in range(count):
        x = torch.randn(4, 3, generator=rng)
        yield x, x.mean(1, keepdim=True) + {3: math.nan, 5: 4e3}.get(number, 0.0)


def follow(args):
    torch.manual_seed(10)
    net = nn.Sequential(nn.Linear(3, 6), nn.Sigmoid(), nn.Linear(6, 1))
    opt = torch.optim.Adagrad(net.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cpu", init_scale=256.0, enabled=args.amp)
    taken = 0
    for x, y in probes():
        with torch.autocast("cpu", dtype=torch.float16) if args.amp else contextlib.nullcontext():
            loss = nn.functional.mse_loss(net(x).float(), y)
        if not loss.isfinite():
            print("passed over", taken)
            continue
        scaler.scale(loss / args.accum).backward()
        taken += 1
        if taken == args.accum:
            scaler.unscale_(opt)
            nn.utils.clip_grad_norm_(net.parameters(), args.clip)
            scaler.step(opt)
            scaler.update()
            opt.zero_grad()
            taken = 0
    opt.zero_grad()
    return net


def main():
    return follow(options()), follow(options("--amp", "--accum", "3", "--clip", "0.1"))
""",
    ("missing-scaler-update", "dropped-accumulation-tail"),
)
V_SCALED = "        scaler.scale(loss / args.accum).backward()\n"
V_UNSCALE = "            scaler.unscale_(opt)\n"
V_CLIP = "            nn.utils.clip_grad_norm_(net.parameters(), args.clip)\n"
V_STEP = "            scaler.step(opt)\n            scaler.update()\n"
V_IF = "            if args.amp:\n"
V_PLAIN = (
    V_IF
    + "                scaler.step(opt)\n                scaler.update()\n            else:\n                opt.step()\n"
)


def vein() -> Iterator[Case]:
    yield VEIN.right("bad-probes-are-not-counted")
    yield VEIN.right(
        "every-call-under-the-switch",
        (", enabled=args.amp)", ")"),
        (V_SCALED, "        (scaler.scale(loss / args.accum) if args.amp else loss / args.accum).backward()\n"),
        (V_UNSCALE, V_IF + "    " + V_UNSCALE),
        (V_STEP, V_PLAIN),
        tempts=("step-bypasses-scaler", "unscaled-backward"),
    )
    yield VEIN.right(
        "limit-grows-with-the-scale",
        (V_UNSCALE, ""),
        ("args.clip)\n            scaler", "args.clip * scaler.get_scale())\n            scaler"),
        tempts=("clip-scaled-gradients",),
    )
    yield VEIN.right(
        "bfloat-and-the-scaler-is-off",
        ("torch.float16", "torch.bfloat16"),
        ("enabled=args.amp", "enabled=False"),
        tempts=("scaler-with-bfloat16",),
    )
    yield VEIN.wrong("scaled-limit", ((V_UNSCALE, ""),), tempts=("clip-scaled-gradients",))
    yield VEIN.wrong(
        "plain-backward",
        ((V_SCALED, "        (loss / args.accum).backward()\n"),),
        tempts=("unscaled-backward",),
        raises="AssertionError",
    )
    yield VEIN.wrong(
        "plain-step",
        ((V_STEP, "            opt.step()\n            scaler.update()\n"),),
        tempts=("step-bypasses-scaler",),
    )
    yield VEIN.wrong(
        "clipped-late-and-more-than-asked",
        ((V_CLIP + V_STEP, V_STEP + V_CLIP),),
        (("taken == args.accum", "taken > args.accum"),),
        tempts=("clip-after-step", "accumulation-off-by-one"),
    )


def cases() -> Iterator[Case]:
    yield from saw()
    yield from blast()
    yield from lorry()
    yield from crusher()
    yield from vein()
