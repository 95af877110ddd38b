"""Frozen parts and modes: a probe on a still trunk, a vigil on two ranks, a sentry, contexts of a vault."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

PROBE = Draft(
    "probe-on-a-still-trunk",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


class Probed(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(4, 9), nn.BatchNorm1d(9), nn.ReLU(), nn.Dropout(0.3))
        self.head = nn.Sequential(nn.Dropout(0.1), nn.Linear(9, 2))
        self.trunk.requires_grad_(False)

    def train(self, mode=True):
        super().train(mode)
        self.trunk.eval()
        return self

    def forward(self, x):
        return self.head(self.trunk(x))


def awake(model):
    return [weight for weight in model.parameters() if weight.requires_grad]


def measure(model, batches):
    model.eval()
    right = 0.0
    with torch.no_grad():
        for x, y in batches:
            right += nn.functional.cross_entropy(model(x), y).item()
    return right / len(batches)


def main():
    torch.manual_seed(71)
    x = torch.randn(48, 4)
    batches = list(zip(x.split(6), (x.sum(1) > 0).long().split(6)))
    model = Probed()
    optimizer = torch.optim.SGD(awake(model), lr=0.3, momentum=0.5)
    for epoch in range(4):
        model.train()
        if epoch == 2:
            model.trunk[0].requires_grad_(True)
            optimizer.add_param_group({"params": list(model.trunk[0].parameters()), "lr": 0.1})
        for x, y in batches[:6]:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(x), y)
            loss.backward()
            nn.utils.clip_grad_norm_(awake(model), 0.2)
            optimizer.step()
        print(epoch, f"{loss.item():.4f} {measure(model, batches[6:]):.4f}")
    return model
""",
    ("missing-train-mode", "clip-exhausted-parameters"),
)

A_TRAIN = "        model.train()\n"
A_LOOP = "    for epoch in range(4):\n"
A_CLEAR = "            optimizer.zero_grad()\n"
A_CLIP = "            nn.utils.clip_grad_norm_(awake(model), 0.2)\n"
A_STEP = "            optimizer.step()\n"
A_MODE = """\
    def train(self, mode=True):
        super().train(mode)
        self.trunk.eval()
        return self

"""
A_MEASURED = """\
    with torch.no_grad():
        for x, y in batches:
            right += nn.functional.cross_entropy(model(x), y).item()
"""
A_FILTER = (
    (
        "    optimizer = torch.optim.SGD(awake(model), ",
        (
            "    weights = filter(lambda weight: weight.requires_grad, model.parameters())\n"
            "    optimizer = torch.optim.SGD(weights, "
        ),
    ),
    ("clip_grad_norm_(awake(model), ", "clip_grad_norm_(weights, "),
)


def probe() -> Iterator[Case]:
    yield PROBE.right("trunk-sleeps-by-a-method")
    yield PROBE.right(
        "trunk-sleeps-by-the-loop",
        (A_MODE, ""),
        (A_TRAIN, A_TRAIN + "        model.trunk.eval()\n"),
        tempts=("missing-train-mode",),
    )
    yield PROBE.right("all-of-it-asleep", (A_TRAIN, "        model.eval()\n"), tempts=("missing-train-mode",))
    yield PROBE.right(
        "only-the-head-is-woken",
        (A_TRAIN, "        model.head.train()\n"),
        ("    model = Probed()\n", "    model = Probed().eval()\n"),
    )
    yield PROBE.wrong(
        "woken-once", ((A_TRAIN, ""), (A_LOOP, "    model.train()\n" + A_LOOP)), tempts=("missing-train-mode",)
    )
    yield PROBE.wrong("a-filter-that-is-spent", A_FILTER, tempts=("clip-exhausted-parameters",))
    yield PROBE.wrong(
        "measured-with-graphs",
        (
            (
                A_MEASURED,
                A_MEASURED.replace("    with torch.no_grad():\n", "")
                .replace("        ", "    ", 1)
                .replace("            ", "        "),
            ),
        ),
        tempts=("validation-without-no-grad",),
    )
    yield PROBE.wrong(
        "cleared-by-the-epoch-and-clip-behind",
        ((A_CLEAR, ""), (A_TRAIN, A_TRAIN + "        optimizer.zero_grad()\n")),
        ((A_CLIP + A_STEP, A_STEP + A_CLIP),),
        tempts=("missing-zero-grad", "clip-after-step"),
    )


VIGIL = Draft(
    "vigil-on-two-ranks",
    """\
from contextlib import ExitStack

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP

torch.set_default_dtype(torch.float64)


class Vigil:
    def __init__(self, parts):
        self.parts = parts
        self.trunk = torch.nn.Sequential(torch.nn.Linear(3, 6), torch.nn.BatchNorm1d(6), torch.nn.ReLU()).eval()
        self.head = DDP(torch.nn.Sequential(torch.nn.Linear(6, 6), torch.nn.Dropout(0.2), torch.nn.Linear(6, 2)))
        self.optimizer = torch.optim.SGD(self.head.parameters(), lr=0.4)
        self.told = 0.0

    @torch.no_grad()
    def features(self, x):
        return self.trunk(x)

    def watch(self, x, y):
        self.optimizer.zero_grad()
        for number, (part, kind) in enumerate(zip(x.chunk(self.parts), y.chunk(self.parts)), start=1):
            with ExitStack() as stack:
                if number < self.parts:
                    stack.enter_context(self.head.no_sync())
                loss = F.cross_entropy(self.head(self.features(part)), kind)
                (loss / self.parts).backward()
            self.told += loss.item()
        torch.nn.utils.clip_grad_norm_(self.head.parameters(), 0.3)
        self.optimizer.step()

    @torch.no_grad()
    def report(self, x):
        self.head.eval()
        share = self.head.module(self.features(x)).softmax(1)[:, 0].mean()
        self.head.train()
        dist.all_reduce(share)
        if dist.get_rank() == 0:
            print(f"{share.item() / 2:.5f} {self.told:.4f}")


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(80)
    vigil = Vigil(parts=3)
    rng = torch.Generator().manual_seed(dist.get_rank())
    for night in range(4):
        x = torch.randn(9, 3, generator=rng)
        vigil.watch(x, (x.prod(1) > 0).long())
        vigil.report(x)
    return vigil.trunk, vigil.head
""",
    ("missing-no-sync", "step-without-sync"),
    ranks=2,
)

V_ASK = "                if number < self.parts:\n"
V_ENTER = "                    stack.enter_context(self.head.no_sync())\n"
V_BACK = "                (loss / self.parts).backward()\n"
V_CLIP = "        torch.nn.utils.clip_grad_norm_(self.head.parameters(), 0.3)\n"
V_CLEAR = "        self.optimizer.zero_grad()\n"
V_SLEEP = ("        self.head.train()\n", "")
V_AVERAGE = """\
        for weight in self.head.parameters():
            dist.all_reduce(weight.grad)
            weight.grad /= dist.get_world_size()
"""


def vigil() -> Iterator[Case]:
    yield VIGIL.right("a-stack-that-holds-back")
    yield VIGIL.right(
        "all-held-back-and-averaged",
        (V_ASK + V_ENTER, V_ENTER[4:]),
        (V_CLIP, V_AVERAGE + V_CLIP),
        tempts=("step-without-sync",),
    )
    yield VIGIL.right(
        "woken-when-it-watches",
        V_SLEEP,
        (V_CLEAR, "        self.head.train()\n" + V_CLEAR),
        tempts=("missing-train-mode",),
    )
    yield VIGIL.wrong("all-held-back", ((V_ASK + V_ENTER, V_ENTER[4:]),), tempts=("step-without-sync",))
    yield VIGIL.wrong("first-one-speaks", ((V_ASK, "                if number > 1:\n"),), tempts=("step-without-sync",))
    yield VIGIL.wrong("asleep-behind-the-report", (V_SLEEP,), tempts=("missing-train-mode",))
    yield VIGIL.wrong(
        "undivided", ((V_BACK, "                loss.backward()\n"),), tempts=("unscaled-accumulation-loss",)
    )


SENTRY = Draft(
    "sentry-with-options",
    """\
import argparse

import torch
from torch import nn


def options(arguments):
    parser = argparse.ArgumentParser()
    parser.add_argument("--accum", type=int, default=3)
    parser.add_argument("--clip", type=float, default=2.0)
    parser.add_argument("--no-amp", dest="amp", action="store_false")
    parser.add_argument("--warmup", type=int, default=4)
    parser.add_argument("--epochs", type=int, default=2)
    return parser.parse_args(arguments)


def sightings(epoch, count=8):
    rng = torch.Generator().manual_seed(epoch)
    x = torch.randn(count, 5, 4, generator=rng)
    x[6, 0] *= 1e3
    return list(zip(x, x.pow(2).sum(-1, keepdim=True)))


def apply(args, net, optimizer, scaler, schedule):
    if args.clip > 0:
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(net.parameters(), args.clip)
    scaler.step(optimizer)
    scaler.update()
    schedule.step()
    optimizer.zero_grad()


def train(args):
    torch.manual_seed(90)
    net = nn.Sequential(nn.Linear(4, 8), nn.GELU(), nn.Linear(8, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda done: min(1.0, (done + 1) / args.warmup))
    scaler = torch.amp.GradScaler("cpu", enabled=args.amp, init_scale=2.0**122, growth_interval=2)
    for epoch in range(args.epochs):
        seen, told = sightings(epoch), 0.0
        for number, (x, y) in enumerate(seen, start=1):
            loss = nn.functional.huber_loss(net(x), y, delta=5.0)
            scaler.scale(loss / args.accum).backward()
            told += loss.item()
            if number % args.accum == 0 or number == len(seen):
                apply(args, net, optimizer, scaler, schedule)
        print(epoch, f"{told:.3f}", scaler.get_scale(), schedule.get_last_lr())
    return net


def main():
    return train(options([]))
""",
    ("clip-scaled-gradients", "double-unscale", "missing-scaler-update"),
)

Y_UNSCALE = "        scaler.unscale_(optimizer)\n"
Y_STEP = "    scaler.step(optimizer)\n"
Y_UPDATE = "    scaler.update()\n"
Y_RATE = "    schedule.step()\n"
Y_SCALED = "            scaler.scale(loss / args.accum).backward()\n"
Y_ASK = "            if number % args.accum == 0 or number == len(seen):\n"


def sentry() -> Iterator[Case]:
    yield SENTRY.right("scale-is-found-on-the-way")
    yield SENTRY.right(
        "without-a-scale-and-without-a-window",
        ("options([])", 'options(["--no-amp", "--accum", "1"])'),
        ("            scaler.scale(loss / args.accum)", "            scaler.scale(loss)"),
        tempts=("unscaled-accumulation-loss",),
    )
    yield SENTRY.right(
        "a-plain-way-beside-it",
        (
            Y_SCALED,
            (
                "            share = loss / args.accum\n"
                "            (scaler.scale(share) if args.amp else share).backward()\n"
            ),
        ),
        (Y_STEP, "    if args.amp:\n        scaler.step(optimizer)\n    else:\n        optimizer.step()\n"),
        (Y_UNSCALE, "        if args.amp:\n            scaler.unscale_(optimizer)\n"),
        tempts=("step-bypasses-scaler", "unscaled-backward"),
    )
    yield SENTRY.right(
        "rate-between-step-and-update",
        (Y_UPDATE + Y_RATE, Y_RATE + Y_UPDATE),
        tempts=("missing-scaler-update", "scheduler-before-optimizer"),
    )
    yield SENTRY.wrong("clip-of-scaled-ones", ((Y_UNSCALE, ""),), tempts=("clip-scaled-gradients",))
    yield SENTRY.wrong("steps-by-itself", ((Y_STEP, "    optimizer.step()\n"),), tempts=("step-bypasses-scaler",))
    yield SENTRY.wrong(
        "unscaled-with-each-sighting",
        ((Y_UNSCALE, ""), (Y_ASK, "            scaler.unscale_(optimizer)\n" + Y_ASK)),
        tempts=("double-unscale",),
        raises="RuntimeError",
    )
    yield SENTRY.wrong(
        "updated-by-the-epoch",
        ((Y_UPDATE, ""), ("        print(epoch,", "        scaler.update()\n        print(epoch,")),
        tempts=("missing-scaler-update",),
        raises="RuntimeError",
    )
    yield SENTRY.wrong(
        "divided-twice",
        (
            ("            loss = nn", "            loss = 1 / args.accum * nn"),
            ("told += loss.item()", "told += loss.item() * args.accum"),
        ),
        tempts=("accumulation-divisor-mismatch",),
    )


VAULT = Draft(
    "vault-with-two-contexts",
    """\
import contextlib

import torch
from torch import nn


class Bolt(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight):
        ctx.save_for_backward(x, weight)
        return x @ weight

    @staticmethod
    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        return grad.float() @ weight.float().T, x.float().T @ grad.float()


class Vault(nn.Module):
    def __init__(self):
        super().__init__()
        self.bars, self.drop = nn.Linear(5, 8), nn.Dropout(0.2)
        self.bolt = nn.Parameter(0.3 * torch.randn(8, 2))

    def forward(self, x):
        return Bolt.apply(self.drop(torch.tanh(self.bars(x))), self.bolt)


@contextlib.contextmanager
def resting(net):
    was = net.training
    net.eval()
    try:
        with torch.no_grad():
            yield net
    finally:
        net.train(was)


def autocast():
    return torch.autocast("cpu", dtype=torch.bfloat16)


def main():
    torch.manual_seed(98)
    net, told = Vault(), []
    optimizer = torch.optim.SGD(net.parameters(), lr=0.2, momentum=0.5)
    x, y = torch.randn(40, 5), torch.randint(0, 2, (40,))
    for turn, (part, kind) in enumerate(zip(x.split(8), y.split(8))):
        optimizer.zero_grad(set_to_none=True)
        with autocast():
            loss = nn.functional.cross_entropy(net(part).float(), kind)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 0.5)
        optimizer.step()
        told.append(loss.item())
        if turn % 2:
            with resting(net), autocast():
                print(turn, f"{nn.functional.cross_entropy(net(x).float(), y).item():.4f}")
    print(f"{sum(told):.3f}")
    return net
""",
    ("backward-in-autocast", "missing-train-mode"),
)

X_CLEAR = "        optimizer.zero_grad(set_to_none=True)\n"
X_BACK = "        loss.backward()\n"
X_CLIP = "        nn.utils.clip_grad_norm_(net.parameters(), 0.5)\n"
X_STEP = "        optimizer.step()\n"
X_REST = """\
    try:
        with torch.no_grad():
            yield net
    finally:
        net.train(was)
"""
X_LEFT = "    with torch.no_grad():\n        yield net\n"


def vault() -> Iterator[Case]:
    yield VAULT.right("mode-is-put-back")
    yield VAULT.right(
        "woken-at-the-head",
        (X_REST, X_LEFT),
        ("    was = net.training\n", ""),
        (X_CLEAR, "        net.train()\n" + X_CLEAR),
    )
    yield VAULT.right("cast-again-behind", (X_STEP, "        with autocast():\n            optimizer.step()\n"))
    yield VAULT.right(
        "rest-without-sleep",
        ("    net.eval()\n", ""),
        ("        net.train(was)\n", "        assert net.training is was\n"),
    )
    yield VAULT.wrong("backward-under-the-cast", ((X_BACK, "    " + X_BACK),), tempts=("backward-in-autocast",))
    yield VAULT.wrong(
        "never-woken", ((X_REST, X_LEFT), ("    was = net.training\n", "")), tempts=("missing-train-mode",)
    )
    yield VAULT.wrong(
        "backward-under-the-cast-and-clip-behind",
        ((X_BACK, "    " + X_BACK),),
        ((X_CLIP + X_STEP, X_STEP + X_CLIP),),
        tempts=("backward-in-autocast", "clip-after-step"),
    )
    yield VAULT.wrong(
        "told-with-graphs-and-cleared-once",
        (("told.append(loss.item())", "told.append(loss)"),),
        ((X_CLEAR, ""), ("    for turn, (", "    optimizer.zero_grad()\n    for turn, (")),
        tempts=("loss-graph-leak", "missing-zero-grad"),
    )


def cases() -> Iterator[Case]:
    yield from probe()
    yield from vigil()
    yield from sentry()
    yield from vault()
