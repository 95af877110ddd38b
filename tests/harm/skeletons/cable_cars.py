"""Cable cars: loss scales in windows, for two optimizers, in helpers and behind questions, and autocast on the CPU."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

FUNICULAR = Draft(
    "funicular",
    """\
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Plan:
    window: int = 3
    limit: float = 0.2
    grade: float = 0.1


class Funicular:
    def __init__(self, plan):
        self.plan = plan
        self.car = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
        self.opt = torch.optim.SGD(self.car.parameters(), lr=plan.grade, momentum=0.9)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=512.0, growth_interval=3)
        self.waiting = 0

    def haul(self):
        self.scaler.unscale_(self.opt)
        norm = nn.utils.clip_grad_norm_(self.car.parameters(), self.plan.limit)
        self.scaler.step(self.opt)
        self.scaler.update()
        self.opt.zero_grad()
        self.waiting = 0
        return norm.item()

    def ride(self, cars):
        norms = []
        for x, y in cars:
            loss = nn.functional.mse_loss(self.car(x), y) / self.plan.window
            self.scaler.scale(loss).backward()
            self.waiting += 1
            if self.waiting == self.plan.window:
                norms.append(self.haul())
        if self.waiting:
            norms.append(self.haul())
        return norms


def slope(seed, count=7):
    rng = torch.Generator().manual_seed(seed)
    for car in range(count):
        x = torch.randn(4, 3, generator=rng)
        yield x, x.sum(1, keepdim=True) * (float("inf") if seed == car == 1 else 2.0)


def main():
    torch.manual_seed(1)
    funicular = Funicular(Plan())
    for seed in range(3):
        print(seed, *(f"{norm:.3f}" for norm in funicular.ride(slope(seed))))
    return funicular.car
""",
    ("clip-scaled-gradients", "step-bypasses-scaler"),
)
F_UNSCALE = "        self.scaler.unscale_(self.opt)\n"
F_CLIP = "        norm = nn.utils.clip_grad_norm_(self.car.parameters(), self.plan.limit)\n"
F_STEP = "        self.scaler.step(self.opt)\n"
F_UPDATE = "        self.scaler.update()\n"
F_CLEAR = "        self.opt.zero_grad()\n"


def funicular() -> Iterator[Case]:
    yield FUNICULAR.right("window-and-rest-by-a-method")
    yield FUNICULAR.right(
        "limit-is-scaled-instead",
        (
            F_UNSCALE + F_CLIP,
            "        scale = self.scaler.get_scale()\n" + F_CLIP.replace("limit)", "limit * scale) / scale"),
        ),
    )
    yield FUNICULAR.right(
        "scaler-is-off",
        (F_UNSCALE, ""),
        ("init_scale=512.0, growth_interval=3)", "enabled=False)"),
        ('(float("inf") if seed == car == 1 else 2.0)', "(2.0 + car)"),
    )
    yield FUNICULAR.wrong("clip-of-scaled", ((F_UNSCALE, ""),))
    yield FUNICULAR.wrong("plain-step", ((F_STEP, "        self.opt.step()\n"),))
    yield FUNICULAR.wrong(
        "update-is-forgotten", ((F_UPDATE, ""),), tempts=("missing-scaler-update",), raises="RuntimeError"
    )
    yield FUNICULAR.wrong(
        "clip-behind-the-step", ((F_CLIP + F_STEP + F_UPDATE, F_STEP + F_UPDATE + F_CLIP),), tempts=("clip-after-step",)
    )
    yield FUNICULAR.wrong(
        "unscaled-to-look",
        (
            (
                "            if self.waiting == self.plan.window:\n",
                "            if self.waiting == self.plan.window:\n    "
                + F_UNSCALE.replace("self.scaler", "    self.scaler"),
            ),
        ),
        tempts=("double-unscale",),
        raises="RuntimeError",
    )
    yield FUNICULAR.wrong(
        "cleared-ahead-of-the-step",
        ((F_STEP + F_UPDATE + F_CLEAR, F_CLEAR + F_STEP + F_UPDATE),),
        tempts=("zero-grad-before-step",),
    )


WINCH = Draft(
    "winch-pair",
    """\
import torch
from torch import nn
from torch.nn.functional import binary_cross_entropy_with_logits as bce


def main():
    torch.manual_seed(9)
    make = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 2))
    judge = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))
    opt_make = torch.optim.SGD(make.parameters(), lr=0.3)
    opt_judge = torch.optim.SGD(judge.parameters(), lr=0.2, momentum=0.5)
    scaler = torch.amp.GradScaler("cpu", init_scale=256.0)
    yes, no = torch.ones(8, 1), torch.zeros(8, 1)

    for turn in range(6):
        real = torch.randn(8, 2) * 0.5 + 2
        fake = make(torch.randn(8, 2))
        opt_judge.zero_grad()
        d_loss = bce(judge(real), yes) + bce(judge(fake.detach()), no)
        scaler.scale(d_loss).backward()
        scaler.unscale_(opt_judge)
        nn.utils.clip_grad_norm_(judge.parameters(), 0.3)
        scaler.step(opt_judge)

        opt_make.zero_grad()
        g_loss = bce(judge(fake), yes)
        scaler.scale(g_loss).backward()
        scaler.step(opt_make)
        scaler.update()
        print(f"{turn}: {d_loss.item():.3f} {g_loss.item():.3f}")
    return make, judge
""",
    ("missing-zero-grad", "missing-scaler-update"),
)
W_CLIP = "        nn.utils.clip_grad_norm_(judge.parameters(), 0.3)\n"
W_STEP = "        scaler.step(opt_judge)\n"
W_CLEAR = "        opt_judge.zero_grad()\n"
W_LAST = "        scaler.step(opt_make)\n        scaler.update()\n"


def winch() -> Iterator[Case]:
    yield WINCH.right("one-scaler-for-two")
    yield WINCH.right(
        "judge-holds-still",
        (W_CLEAR, "        judge.requires_grad_(True)\n"),
        (W_STEP, W_STEP + W_CLEAR + "        judge.requires_grad_(False)\n"),
    )
    yield WINCH.right("updated-for-each", (W_STEP, W_STEP + "        scaler.update()\n"))
    yield WINCH.right(
        "limit-that-measures", ("(), 0.3)", '(), float("inf"))'), ("        scaler.unscale_(opt_judge)\n", "")
    )
    yield WINCH.wrong("judge-is-cleared-too-early", ((W_CLEAR, ""), (W_STEP, W_STEP + W_CLEAR)))
    yield WINCH.wrong(
        "maker-is-not-scaled",
        (("scaler.scale(g_loss).backward()", "g_loss.backward()"),),
        tempts=("unscaled-backward",),
    )
    yield WINCH.wrong(
        "maker-steps-plainly", (("scaler.step(opt_make)", "opt_make.step()"),), tempts=("step-bypasses-scaler",)
    )
    yield WINCH.wrong("judge-is-clipped-late", ((W_CLIP + W_STEP, W_STEP + W_CLIP),), tempts=("clip-after-step",))
    yield WINCH.wrong(
        "never-updated", ((W_LAST, W_LAST.replace("        scaler.update()\n", "")),), raises="RuntimeError"
    )


DOORS = Draft(
    "gondola-doors",
    """\
import torch
from torch import nn
from torch.nn.functional import smooth_l1_loss


class Door(nn.Module):
    def __init__(self):
        super().__init__()
        self.rail, self.slack, self.leaf = nn.Linear(4, 16), nn.Dropout(0.2), nn.Linear(16, 1)

    def forward(self, x):
        h = self.slack(self.rail(x).tanh())
        with torch.autocast("cpu", enabled=False):
            return self.leaf(h.float())


def gusts(seed, count=4):
    rng = torch.Generator().manual_seed(seed)
    winds = [torch.randn(8, 4, generator=rng) for _ in range(count)]
    return [(wind, wind.prod(1, keepdim=True)) for wind in winds]


def main():
    torch.manual_seed(12)
    door = Door()
    opt = torch.optim.SGD(door.parameters(), lr=0.2, momentum=0.9)
    scaler = torch.amp.GradScaler("cpu", init_scale=1024.0, enabled=False)
    for day in range(3):
        door.train()
        for wind, swing in gusts(day):
            opt.zero_grad()
            for x, y in zip(wind.chunk(2), swing.chunk(2)):
                with torch.autocast("cpu", dtype=torch.bfloat16):
                    loss = smooth_l1_loss(door(x), y)
                scaler.scale(loss / 2).backward()
            scaler.step(opt)
            scaler.update()
        door.eval()
        with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
            print(day, f"{sum(smooth_l1_loss(door(x), y).item() for x, y in gusts(50)):.3f}")
    return door
""",
    ("backward-in-autocast", "scaler-with-bfloat16"),
)
D_BACK = "                scaler.scale(loss / 2).backward()\n"
D_LOSS = "                    loss = smooth_l1_loss(door(x), y)\n"


def doors() -> Iterator[Case]:
    yield DOORS.right("leaf-in-full-precision")
    yield DOORS.right(
        "nothing-is-cast",
        ("dtype=torch.bfloat16):\n" + D_LOSS + D_BACK, "enabled=False):\n" + D_LOSS + "    " + D_BACK),
    )
    yield DOORS.right(
        "plain-without-scaler",
        ('    scaler = torch.amp.GradScaler("cpu", init_scale=1024.0, enabled=False)\n', ""),
        ("scaler.scale(loss / 2).backward()", "(loss / 2).backward()"),
        ("            scaler.step(opt)\n            scaler.update()\n", "            opt.step()\n"),
    )
    yield DOORS.right(
        "term-that-is-not-halved",
        (D_BACK, D_BACK + "            (0.01 * sum(p.square().sum() for p in door.parameters())).backward()\n"),
        tempts=("unscaled-accumulation-loss",),
    )
    yield DOORS.wrong("backward-under-the-roof", ((D_BACK, "    " + D_BACK),))
    yield DOORS.wrong("scaler-is-on", ((", enabled=False)\n    for", ")\n    for"),), tempts=("scaler-with-bfloat16",))
    yield DOORS.wrong(
        "under-the-roof-and-undivided",
        ((D_BACK, "    " + D_BACK.replace("loss / 2", "loss")),),
        fine=(((D_BACK, "    " + D_BACK),), ((D_BACK, D_BACK.replace("loss / 2", "loss")),)),
        tempts=("backward-in-autocast", "unscaled-accumulation-loss"),
    )
    yield DOORS.wrong(
        "watched-with-gradients",
        (("with torch.no_grad(), torch", "with torch"),),
        tempts=("validation-without-no-grad",),
    )
    yield DOORS.wrong("asleep-from-the-second-day", (("        door.train()\n", ""),), tempts=("missing-train-mode",))


RELAY = Draft(
    "ropeway-relay",
    """\
import torch
from torch import nn


def descend(loss, net, opt, scaler=None, limit=None):
    opt.zero_grad()
    if scaler is None:
        loss.backward()
    else:
        scaler.scale(loss).backward()
        scaler.unscale_(opt)
    if limit is not None:
        nn.utils.clip_grad_norm_(net.parameters(), limit)
    if scaler is None:
        opt.step()
    else:
        scaler.step(opt)
        scaler.update()


def stations(seed, count):
    rng = torch.Generator().manual_seed(seed)
    return torch.randn(count, 6, 3, generator=rng)


def main():
    torch.manual_seed(77)
    net = nn.Sequential(nn.Linear(3, 10), nn.Softplus(), nn.Linear(10, 3))
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for x in stations(0, 3):
        descend((net(x) - x).abs().mean(), net, opt, limit=0.3)
    scaler = torch.amp.GradScaler("cpu", init_scale=128.0)
    for number, x in enumerate(stations(1, 5)):
        loss = (net(x) - x).square().mean()
        if number == 2:
            loss = loss * float("inf")
        descend(loss, net, opt, scaler, limit=0.2)
    return net
""",
    ("step-bypasses-scaler", "unscaled-backward"),
)
L_UNSCALE = "        scaler.unscale_(opt)\n"
L_CLIP = "    if limit is not None:\n        nn.utils.clip_grad_norm_(net.parameters(), limit)\n"
L_STEP = """\
    if scaler is None:
        opt.step()
    else:
        scaler.step(opt)
        scaler.update()
"""
L_BACK = "    if scaler is None:\n        loss.backward()\n    else:\n        scaler.scale(loss).backward()\n"


def relay() -> Iterator[Case]:
    yield RELAY.right("helper-with-and-without")
    yield RELAY.right("unscaled-by-the-step", (L_UNSCALE, ""), ("opt, scaler, limit=0.2)", "opt, scaler)"))
    yield RELAY.right(
        "always-a-scaler",
        (L_BACK + L_UNSCALE, "    scaler.scale(loss).backward()\n    scaler.unscale_(opt)\n"),
        (L_STEP, "    scaler.step(opt)\n    scaler.update()\n"),
        ("scaler=None, limit", "scaler, limit"),
        ("net, opt, limit=0.3)", 'net, opt, torch.amp.GradScaler("cpu", enabled=False), limit=0.3)'),
    )
    yield RELAY.wrong(
        "steps-plainly", ((L_STEP, "    opt.step()\n    if scaler is not None:\n        scaler.update()\n"),)
    )
    yield RELAY.wrong("clips-what-is-scaled", ((L_UNSCALE, ""),), tempts=("clip-scaled-gradients",))
    yield RELAY.wrong("clips-behind", ((L_CLIP + L_STEP, L_STEP + L_CLIP),), tempts=("clip-after-step",))
    yield RELAY.wrong(
        "updates-only-without",
        ((L_STEP, L_STEP.replace("        scaler.update()\n", "")),),
        tempts=("missing-scaler-update",),
        raises="RuntimeError",
    )


LIFT = Draft(
    "lift-attendant",
    """\
import torch
from torch import nn


def loads(seed, count=8):
    rng = torch.Generator().manual_seed(seed)
    for load in range(count):
        x = torch.rand(5, 2, generator=rng)
        yield x, x.sum(1, keepdim=True).exp() * (float("inf") if seed and load == 3 * seed else 1.0)


def shift(net, opt, scaler, sched, loads, window=3, patience=1):
    done = bad = 0
    while (load := next(loads, None)) is not None:
        x, y = load
        loss = nn.functional.mse_loss(net(x), y)
        scaler.scale(loss / window).backward()
        done += 1
        if done % window:
            continue
        scaler.unscale_(opt)
        norm = nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        if torch.isfinite(norm):
            scaler.step(opt)
            sched.step()
        else:
            bad += 1
        scaler.update()
        opt.zero_grad()
        if bad == patience:
            return done
    opt.zero_grad()
    return done


def main():
    torch.manual_seed(8)
    net = nn.Sequential(nn.Linear(2, 6), nn.SiLU(), nn.Linear(6, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.3)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, gamma=0.8)
    scaler = torch.amp.GradScaler("cpu", init_scale=64.0)
    print([shift(net, opt, scaler, sched, loads(seed)) for seed in range(3)])
    return net
""",
    ("missing-scaler-update", "double-unscale"),
)
A_ASK = """\
        if torch.isfinite(norm):
            scaler.step(opt)
            sched.step()
        else:
            bad += 1
        scaler.update()
"""
A_GUARD = "        if done % window:\n            continue\n"
A_UNSCALE = "        scaler.unscale_(opt)\n"


def lift() -> Iterator[Case]:
    yield LIFT.right("asked-and-updated")
    yield LIFT.right(
        "scaler-asks-alone", (A_ASK, "        scaler.step(opt)\n        sched.step()\n        scaler.update()\n")
    )
    yield LIFT.right(
        "guard-of-the-last", ("        done += 1\n" + A_GUARD, A_GUARD.replace("done %", "(done := done + 1) %"))
    )
    yield LIFT.right(
        "rest-of-a-shift-stays", ("    opt.zero_grad()\n    return done\n", "    return done\n"), ("count=8", "count=9")
    )
    yield LIFT.wrong(
        "update-under-the-question",
        (
            (
                A_ASK,
                A_ASK.replace("        scaler.update()\n", "").replace(
                    "            sched", "            scaler.update()\n            sched"
                ),
            ),
        ),
        raises="RuntimeError",
    )
    yield LIFT.wrong("unscaled-with-each-load", ((A_GUARD + A_UNSCALE, A_UNSCALE + A_GUARD),), raises="RuntimeError")
    yield LIFT.wrong("undivided", (("loss / window", "loss"),), tempts=("unscaled-accumulation-loss",))
    yield LIFT.wrong(
        "first-window-too-short",
        ((A_GUARD, A_GUARD.replace("done %", "(done + 1) %")),),
        tempts=("accumulation-off-by-one",),
    )
    yield LIFT.wrong(
        "never-cleared",
        (
            ("        scaler.update()\n        opt.zero_grad()\n", "        scaler.update()\n"),
            ("    opt.zero_grad()\n    return done\n", "    return done\n"),
            ("count=8", "count=9"),
        ),
        fine=((("    opt.zero_grad()\n    return done\n", "    return done\n"), ("count=8", "count=9")),),
        tempts=("missing-zero-grad",),
    )


def cases() -> Iterator[Case]:
    yield from funicular()
    yield from winch()
    yield from doors()
    yield from relay()
    yield from lift()
