"""Turbines: a rotor with options, windows that are contexts, one cycle in two runs, and updates that are yielded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case


def slip(draft: Draft, name: str, rule: str, old: str, new: str) -> Case:
    """A loop with one mistake, which is one edit of the sound one."""
    return draft.wrong(name, ((old, new),), tempts=(rule,))


ROTOR = Draft(
    "rotor-by-options",
    """\
import argparse

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--accum", type=int, default=2)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--batches", type=int, default=6)
    parser.add_argument("--warmup", type=int, default=4)
    parser.add_argument("--max-norm", type=float, default=0.3)
    return parser.parse_args([])


def train_one_epoch(args, model, batches, opt, sched):
    model.train()
    stats = {"loss": 0.0, "norm": 0.0}
    for step, (x, y) in enumerate(batches):
        loss = nn.functional.l1_loss(model(x), y)
        stats["loss"] += loss.item()
        loss = loss / args.accum
        loss.backward()
        if (step + 1) % args.accum != 0:
            continue
        if args.max_norm > 0:
            stats["norm"] += nn.utils.clip_grad_norm_(model.parameters(), args.max_norm).item()
        opt.step()
        sched.step()
        opt.zero_grad()
    return stats


@torch.no_grad()
def evaluate(model, batches):
    model.eval()
    return sum(nn.functional.l1_loss(model(x), y).item() for x, y in batches)


def main():
    args = options()
    torch.manual_seed(13)
    batches = list(zip(torch.randn(args.batches, 4, 3), torch.randn(args.batches, 4, 1)))
    model = nn.Sequential(nn.Linear(3, 8), nn.Dropout(0.25), nn.ReLU(), nn.Linear(8, 1))
    opt = torch.optim.SGD(model.parameters(), lr=0.4, momentum=0.5)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda done: min(1.0, (done + 1) / args.warmup))
    for epoch in range(args.epochs):
        stats = train_one_epoch(args, model, batches, opt, sched)
        print(epoch, *(f"{key} {value:.4f}" for key, value in stats.items()), f"{evaluate(model, batches[:2]):.4f}")
    return model
""",
    ("dropped-accumulation-tail", "scheduler-before-optimizer"),
)

R_GUARD = "        if (step + 1) % args.accum != 0:\n"
R_STEP = "        opt.step()\n"
R_SCHED = "        sched.step()\n"
R_BACK = "        loss.backward()\n"
R_AWAKE = "    model.train()\n    stats"


def rotors() -> Iterator[Case]:
    yield ROTOR.right("leaves-what-is-unfinished")
    yield ROTOR.right(
        "warm-up-is-counted-from-one",
        (R_STEP + R_SCHED, R_SCHED + R_STEP),
        ("(done + 1) / args.warmup", "done / args.warmup"),
        tempts=("scheduler-before-optimizer",),
    )
    yield ROTOR.right(
        "unfinished-window-is-thrown-away",
        ('"--batches", type=int, default=6', '"--batches", type=int, default=7'),
        (R_AWAKE, "    model.train()\n    opt.zero_grad()\n    stats"),
    )
    yield ROTOR.right("window-of-one", ('"--accum", type=int, default=2', '"--accum", type=int, default=1'))
    yield slip(ROTOR, "rate-moves-first", "scheduler-before-optimizer", R_STEP + R_SCHED, R_SCHED + R_STEP)
    yield ROTOR.wrong(
        "rate-moves-ahead-of-the-guard",
        ((R_SCHED, ""), (R_BACK, R_BACK + R_SCHED)),
        tempts=("scheduler-per-micro-batch", "scheduler-before-optimizer"),
    )
    yield ROTOR.wrong(
        "awake-once",
        ((R_AWAKE, "    stats"), ("    for epoch in range", "    model.train()\n    for epoch in range")),
        tempts=("missing-train-mode",),
    )
    seven = ROTOR.styled(
        ('"--batches", type=int, default=6', '"--batches", type=int, default=7'),
        (R_GUARD, "        if (step + 1) % args.accum != 0 and (step + 1) != len(batches):\n"),
    )
    yield slip(
        seven,
        "seventh-stays-behind",
        "dropped-accumulation-tail",
        "        if (step + 1) % args.accum != 0 and (step + 1) != len(batches):\n",
        R_GUARD,
    )
    yield slip(
        seven, "guard-counts-from-zero", "accumulation-off-by-one", "if (step + 1) % args.accum", "if step % args.accum"
    )


BLADE = Draft(
    "blade-under-a-context",
    """\
import math

import torch
from torch import nn


class Window:
    def __init__(self, net, rate, parts):
        self.net, self.parts, self.norms = net, parts, []
        self.opt = torch.optim.SGD(net.parameters(), lr=rate, momentum=0.9)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=2.0**126, backoff_factor=2.0**-60, growth_interval=3)

    def __enter__(self):
        self.opt.zero_grad()
        return self

    def pull(self, loss):
        if not math.isfinite(loss.item()):
            raise ArithmeticError(f"a loss of {loss.item()}")
        self.scaler.scale(loss / self.parts).backward()

    def __exit__(self, kind, error, trace):
        if kind is not None:
            return issubclass(kind, ArithmeticError)
        self.scaler.unscale_(self.opt)
        norm = nn.utils.clip_grad_norm_(self.net.parameters(), 0.2)
        self.scaler.step(self.opt)
        self.scaler.update()
        self.norms.append(norm.item())
        return False


def main():
    torch.manual_seed(29)
    net = nn.Sequential(nn.Linear(4, 6), nn.ELU(), nn.Linear(6, 1))
    window = Window(net, rate=0.3, parts=3)
    strains = torch.randn(8, 3, 5, 4)
    strains[4, 1, 0] = math.inf
    for parts in strains:
        with window:
            for x in parts:
                window.pull((net(x) - x.square().sum(1, keepdim=True)).square().mean())
    print(*(f"{norm:.3f}" for norm in window.norms), math.log2(window.scaler.get_scale()))
    return net
""",
    ("clip-scaled-gradients", "missing-scaler-update"),
)

B_ENTER = "        self.opt.zero_grad()\n"
B_PULL = "        self.scaler.scale(loss / self.parts).backward()\n"
B_UNSCALE = "        self.scaler.unscale_(self.opt)\n"
B_STEP = "        self.scaler.step(self.opt)\n"
B_UPDATE = "        self.scaler.update()\n"


def blades() -> Iterator[Case]:
    yield BLADE.right("given-up-at-a-bad-strain")
    yield BLADE.right(
        "cleared-on-every-way-out",
        (B_ENTER, ""),
        ("        if kind is not None:\n", "        if kind is not None:\n            self.opt.zero_grad()\n"),
        (B_UPDATE, B_UPDATE + B_ENTER),
        tempts=("missing-zero-grad",),
    )
    yield BLADE.right(
        "steps-on-finite-norms-only",
        (B_STEP, "        if math.isfinite(norm):\n    " + B_STEP),
        tempts=("missing-scaler-update",),
    )
    yield BLADE.left(
        "what-was-pulled-before-is-kept", ((B_ENTER, ""), (B_UPDATE, B_UPDATE + B_ENTER)), tempts=("missing-zero-grad",)
    )
    yield BLADE.right(
        "one-part-less-in-a-bad-window",
        ('            raise ArithmeticError(f"a loss of {loss.item()}")\n', "            return\n"),
    )
    yield BLADE.wrong(
        "cleared-at-each-pull", ((B_ENTER, ""), (B_PULL, B_ENTER + B_PULL)), tempts=("zero-grad-in-accumulation",)
    )
    yield slip(BLADE, "clip-meets-the-scale", "clip-scaled-gradients", B_UNSCALE, "")
    yield slip(BLADE, "infinite-step", "step-bypasses-scaler", B_STEP, "        self.opt.step()\n")
    yield BLADE.wrong(
        "scale-waits-for-a-finite-norm",
        ((B_STEP + B_UPDATE, "        if math.isfinite(norm):\n    " + B_STEP + "    " + B_UPDATE),),
        fine=(((B_STEP, "        if math.isfinite(norm):\n    " + B_STEP),),),
        tempts=("missing-scaler-update",),
        raises="RuntimeError",
    )


GUSTS = Draft(
    "gusts-in-one-cycle",
    """\
import math

import torch
from torch import nn

torch.set_default_dtype(torch.float64)
EPOCHS, GUSTS, ACCUM = 4, 5, 2


def gusts(epoch):
    gen = torch.Generator().manual_seed(epoch)
    for _ in range(GUSTS):
        wind = torch.rand(6, 2, generator=gen)
        yield wind, (wind[:, :1] * 4).sin() + wind[:, 1:]


def fit(net, until, state=None):
    opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    total = EPOCHS * math.ceil(GUSTS / ACCUM)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=0.3, total_steps=total)
    begin = 0
    if state is not None:
        opt.load_state_dict(state["opt"])
        sched.load_state_dict(state["sched"])
        begin = state["epoch"]
    for epoch in range(begin, until):
        for n, (wind, power) in enumerate(gusts(epoch), start=1):
            loss = nn.functional.mse_loss(net(wind), power)
            (loss / ACCUM).backward()
            if n % ACCUM == 0 or n == GUSTS:
                opt.step()
                sched.step()
                opt.zero_grad()
        print(epoch, f"{loss.item():.5f} {sched.get_last_lr()[0]:.5f}")
    return {"opt": opt.state_dict(), "sched": sched.state_dict(), "epoch": until}


def main():
    torch.manual_seed(37)
    net = nn.Sequential(nn.Linear(2, 8), nn.Sigmoid(), nn.Linear(8, 1))
    state = fit(net, 2)
    fit(net, EPOCHS, state)
    return net
""",
    ("scheduler-per-micro-batch", "dropped-accumulation-tail"),
)

G_GUARD = "            if n % ACCUM == 0 or n == GUSTS:\n"
G_REST = "                opt.step()\n                sched.step()\n                opt.zero_grad()\n"
G_PRINT = "        print(epoch"


def gusts() -> Iterator[Case]:
    yield GUSTS.right("two-halves-of-a-cycle")
    yield GUSTS.right(
        "rest-behind-an-else",
        (G_GUARD, "            if n % ACCUM == 0:\n"),
        (G_PRINT, "        else:\n            if n % ACCUM:\n" + G_REST + G_PRINT),
    )
    yield GUSTS.right(
        "cycle-of-gusts",
        ("total = EPOCHS * math.ceil(GUSTS / ACCUM)", "total = EPOCHS * GUSTS"),
        (G_REST, "                opt.step()\n                opt.zero_grad()\n            sched.step()\n"),
        ("import math\n\n", ""),
    )
    yield GUSTS.right(
        "whole-windows-only",
        (G_GUARD, "            if n % ACCUM == 0:\n"),
        ("math.ceil(GUSTS / ACCUM)", "(GUSTS // ACCUM)"),
        (G_PRINT, "        opt.zero_grad()\n" + G_PRINT),
        ("import math\n\n", ""),
    )
    yield GUSTS.right(
        "windows-run-on-through-the-epochs",
        (G_GUARD, "            if (epoch * GUSTS + n) % ACCUM == 0:\n"),
        ("EPOCHS * math.ceil(GUSTS / ACCUM)", "EPOCHS * GUSTS // ACCUM"),
        ("import math\n\n", ""),
    )
    yield GUSTS.wrong(
        "cycle-is-used-up",
        ((G_REST, "                opt.step()\n                opt.zero_grad()\n            sched.step()\n"),),
        tempts=("scheduler-per-micro-batch",),
        raises="ValueError",
    )
    yield slip(GUSTS, "fifth-gust-is-left", "dropped-accumulation-tail", G_GUARD, "            if n % ACCUM == 0:\n")
    yield slip(GUSTS, "one-is-added", "accumulation-off-by-one", "if n % ACCUM == 0", "if (n + 1) % ACCUM == 0")
    yield slip(
        GUSTS,
        "rate-moves-first",
        "scheduler-before-optimizer",
        "                opt.step()\n                sched.step()\n",
        "                sched.step()\n                opt.step()\n",
    )
    yield slip(GUSTS, "divided-by-the-epoch", "accumulation-divisor-mismatch", "(loss / ACCUM)", "(loss / GUSTS)")


YAW = Draft(
    "yaw-that-is-yielded",
    """\
from dataclasses import dataclass

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


@dataclass(frozen=True)
class Plan:
    parts: int = 3
    limit: float = 0.4
    patience: int = 3
    turns: int = 60


def updates(net, opt, plan, gen):
    opt.zero_grad()
    for turn in range(1, plan.turns + 1):
        x = torch.randn(5, 3, generator=gen)
        loss = (net(x) - x.prod(1, keepdim=True)).abs().mean()
        (loss / plan.parts).backward()
        if turn % plan.parts == 0:
            nn.utils.clip_grad_norm_(net.parameters(), plan.limit)
            opt.step()
            opt.zero_grad()
            yield loss.item()


def measure(net, held_out):
    net.eval()
    with torch.no_grad():
        error = sum((net(x) - y).abs().mean().item() for x, y in held_out)
    net.train()
    return error


def main():
    torch.manual_seed(43)
    plan, gen = Plan(), torch.Generator().manual_seed(1)
    net = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Dropout(0.1), nn.Linear(8, 1))
    opt = torch.optim.Adam(net.parameters(), lr=0.02)
    sched = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, factor=0.5, patience=0)
    held_out = [(x, x.prod(1, keepdim=True)) for x in torch.randn(2, 6, 3)]
    best, bad = float("inf"), 0
    for number, loss in enumerate(updates(net, opt, plan, gen)):
        error = measure(net, held_out)
        sched.step(error)
        bad = 0 if error < best else bad + 1
        best = min(best, error)
        if bad > plan.patience:
            print("given up at", number, f"{loss:.4f}")
            break
    else:
        print("ran to its end")
    print(f"{best:.5f}")
    return net
""",
    ("missing-train-mode", "missing-zero-grad"),
)

Y_CLIP = "            nn.utils.clip_grad_norm_(net.parameters(), plan.limit)\n"
Y_CLEAR = "            opt.zero_grad()\n"
Y_YIELD = "            yield loss.item()\n"
Y_BACK = "        (loss / plan.parts).backward()\n"


def yaws() -> Iterator[Case]:
    yield YAW.right("stops-when-nobody-asks-on")
    yield YAW.right("cleared-when-asked-on", (Y_CLEAR + Y_YIELD, Y_YIELD + Y_CLEAR))
    yield YAW.right(
        "gradients-are-looked-at-by-the-caller",
        (Y_CLEAR + Y_YIELD, Y_YIELD + Y_CLEAR),
        ('f"{best:.5f}"', 'f"{best:.5f}", [p.grad is None for p in net.parameters()]'),
    )
    yield YAW.right(
        "measured-asleep-and-trained-so",
        ("    net.eval()\n    with", "    with"),
        ("    net.train()\n    return error", "    return error"),
        ("    opt = torch.optim.Adam", "    net.eval()\n    opt = torch.optim.Adam"),
    )
    yield slip(
        YAW, "asleep-from-the-first-measure-on", "missing-train-mode", "    net.train()\n    return", "    return"
    )
    yield slip(
        YAW, "cleared-at-each-turn", "zero-grad-in-accumulation", "        x = torch", Y_CLEAR[4:] + "        x = torch"
    )
    yield YAW.wrong(
        "clipped-before-the-last-backward",
        ((Y_CLIP, ""), (Y_BACK, "        if turn % plan.parts == 0:\n" + Y_CLIP + Y_BACK)),
        tempts=("clip-before-backward",),
    )
    yield slip(YAW, "sleep-is-only-named", "method-not-called", "    net.eval()\n", "    net.eval\n")


def cases() -> Iterator[Case]:
    yield from rotors()
    yield from blades()
    yield from gusts()
    yield from yaws()
