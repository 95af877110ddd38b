"""Theatres: a prompter's notebook, a box office, an understudy, a critic, and lamps that a closure sets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

PROMPTER = Draft(
    "prompters-notebook",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)
torch.manual_seed(4)

ACCUM = 4
net = nn.Sequential(nn.Linear(4, 10), nn.Tanh(), nn.Dropout(0.2), nn.Linear(10, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.2, momentum=0.9)
acts = [torch.randn(5, 4) for _ in range(11)]
cues = [act.prod(1, keepdim=True) for act in acts]
dress = torch.randn(9, 4)
curve = []

for night in range(3):
    net.train()
    for i, (act, cue) in enumerate(zip(acts, cues)):
        loss = nn.functional.mse_loss(net(act), cue)
        (loss / ACCUM).backward()
        curve.append(loss.item())
        if (i + 1) % ACCUM == 0 or i + 1 == len(acts):
            opt.step()
            opt.zero_grad()
    net.eval()
    missed = 0
    with torch.no_grad():
        for part in dress.split(3):
            missed += int((net(part).sign() != part.prod(1, keepdim=True).sign()).sum())
    print(night, missed)


def main():
    print(f"{sum(curve[:11]) / 11:.4f} -> {sum(curve[-11:]) / 11:.4f}")
    return net
""",
    ("dropped-accumulation-tail", "missing-train-mode"),
)

P_GUARD = "        if (i + 1) % ACCUM == 0 or i + 1 == len(acts):\n"
P_STILL = """\
    with torch.no_grad():
        for part in dress.split(3):
            missed += int((net(part).sign() != part.prod(1, keepdim=True).sign()).sum())
"""
P_LOUD = """\
    for part in dress.split(3):
        missed += int((net(part).sign() != part.prod(1, keepdim=True).sign()).sum())
"""


def prompter() -> Iterator[Case]:
    yield PROMPTER.right("as-it-is")
    yield PROMPTER.right(
        "asleep-from-the-first-night", ("for night in", "net.eval()\nfor night in"), ("    net.train()\n", "")
    )
    yield PROMPTER.right(
        "last-window-by-what-it-holds",
        (
            "        (loss / ACCUM).backward()\n",
            "        held = min(ACCUM, len(acts) - i // ACCUM * ACCUM)\n        (loss / held).backward()\n",
        ),
        tempts=("accumulation-divisor-mismatch",),
    )
    yield PROMPTER.right(
        "rest-is-thrown-away",
        (P_GUARD, "        if (i + 1) % ACCUM == 0:\n"),
        ("    net.train()\n", "    net.train()\n    opt.zero_grad()\n"),
    )
    yield PROMPTER.wrong("never-woken", (("    net.train()\n", ""),), tempts=("missing-train-mode",))
    yield PROMPTER.wrong("dress-rehearsal-with-graphs", ((P_STILL, P_LOUD),), tempts=("validation-without-no-grad",))
    yield PROMPTER.wrong("curve-of-graphs", (("loss.item()", "loss"),), tempts=("loss-graph-leak",))
    yield PROMPTER.wrong(
        "rest-leaks-into-the-next-night",
        ((P_GUARD, "        if (i + 1) % ACCUM == 0:\n"),),
        fine=(
            (
                ("enumerate(zip(acts, cues))", "enumerate(zip(acts, cues), night * len(acts))"),
                (P_GUARD, "        if (i + 1) % ACCUM == 0:\n"),
            ),
        ),
        tempts=("dropped-accumulation-tail",),
    )
    yield PROMPTER.wrong(
        "first-act-alone-and-undivided",
        (("(i + 1) % ACCUM", "i % ACCUM"),),
        (("(loss / ACCUM)", "loss"),),
        tempts=("accumulation-off-by-one", "unscaled-accumulation-loss"),
    )
    yield PROMPTER.wrong("cleared-in-name-only", (("opt.zero_grad()", "opt.zero_grad"),), tempts=("method-not-called",))


OFFICE = Draft(
    "box-office-with-torn-tickets",
    """\
from dataclasses import dataclass

import torch
from torch.nn.utils import clip_grad_norm_

torch.set_default_dtype(torch.float64)


@dataclass
class Settings:
    window: int = 3
    max_norm: float = 0.4
    rate: float = 0.3


class BoxOffice:
    def __init__(self, settings):
        torch.manual_seed(12)
        self.settings = settings
        self.net = torch.nn.Sequential(torch.nn.Linear(3, 7), torch.nn.Sigmoid(), torch.nn.Linear(7, 1))
        self.opt = torch.optim.SGD(self.net.parameters(), lr=settings.rate)
        self.sched = torch.optim.lr_scheduler.StepLR(self.opt, 2, 0.7)
        self.pending = 0
        self.norms = []

    def queue(self, night):
        gen = torch.Generator().manual_seed(night)
        for number in range(11):
            seats = torch.rand(4, 3, generator=gen)
            price = 3 * (5 * seats).sin().sum(1, keepdim=True)
            if number == 4:
                price[0] = float("nan")
            yield seats, price

    def close_window(self):
        norm = clip_grad_norm_(self.net.parameters(), self.settings.max_norm)
        self.norms.append(norm.item())
        self.opt.step()
        self.sched.step()
        self.opt.zero_grad()
        self.pending = 0

    def sell(self, night):
        for seats, price in self.queue(night):
            loss = torch.nn.functional.mse_loss(self.net(seats), price)
            if not torch.isfinite(loss):
                continue
            (loss / self.settings.window).backward()
            self.pending += 1
            if self.pending == self.settings.window:
                self.close_window()
        if self.pending:
            self.close_window()


def main():
    office = BoxOffice(Settings())
    for night in range(2):
        office.sell(night)
    print(*(f"{norm:.4f}" for norm in office.norms))
    return office.net
""",
    ("unscaled-accumulation-loss", "dropped-accumulation-tail"),
)

O_CLIP = "        norm = clip_grad_norm_(self.net.parameters(), self.settings.max_norm)\n"
O_MEASURE = O_CLIP.replace("self.settings.max_norm", 'float("inf")')
O_NOTE = "        self.norms.append(norm.item())\n"
O_STEP = "        self.opt.step()\n"
O_FLUSH = "        if self.pending:\n            self.close_window()\n"
O_UNDIVIDED = ("(loss / self.settings.window).backward()", "loss.backward()")
O_SKIP = "                continue\n"
O_BACK = "            (loss / self.settings.window).backward()\n"


def box_office() -> Iterator[Case]:
    yield OFFICE.right("as-it-is")
    yield OFFICE.right("rest-waits-for-the-next-night", (O_FLUSH, ""), tempts=("dropped-accumulation-tail",))
    yield OFFICE.right(
        "mean-of-what-came",
        O_UNDIVIDED,
        (O_CLIP, "        for weight in self.net.parameters():\n            weight.grad.div_(self.pending)\n" + O_CLIP),
    )
    yield OFFICE.right(
        "torn-tickets-count",
        ("            if not torch", "            self.pending += 1\n            if not torch"),
        ("            self.pending += 1\n            if self", "            if self"),
        tempts=("accumulation-off-by-one",),
    )
    yield OFFICE.left(
        "torn-ticket-ends-the-window",
        ((O_SKIP, "                self.opt.zero_grad()\n                self.pending = 0\n" + O_SKIP),),
        tempts=("zero-grad-in-accumulation",),
    )
    yield OFFICE.wrong(
        "norm-behind-the-step", ((O_CLIP + O_NOTE + O_STEP, O_STEP + O_CLIP + O_NOTE),), tempts=("clip-after-step",)
    )
    yield OFFICE.wrong(
        "clipped-per-visitor",
        ((O_CLIP + O_NOTE, ""), (O_BACK, O_BACK + "    " + O_CLIP + "    " + O_NOTE)),
        fine=(((O_CLIP + O_NOTE, O_CLIP), (O_BACK, O_BACK + "    " + O_MEASURE + "    " + O_NOTE)),),
        tempts=("clip-per-micro-batch",),
    )
    yield OFFICE.wrong("sum-of-visitors", (O_UNDIVIDED,), tempts=("unscaled-accumulation-loss",))
    yield OFFICE.wrong(
        "one-visitor-too-many",
        (("self.pending == self.settings.window", "self.pending > self.settings.window"),),
        tempts=("accumulation-off-by-one",),
    )


UNDERSTUDY = Draft(
    "understudy-that-follows",
    """\
import copy

import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)


def lines_of(count, seed):
    gen = torch.Generator().manual_seed(seed)
    return [torch.randn(6, 5, generator=gen) for _ in range(count)]


@torch.no_grad()
def follow(teacher, student, decay):
    for slow, fast in zip(teacher.parameters(), student.parameters()):
        slow.mul_(decay).add_(fast, alpha=1 - decay)


def rehearse(student, teacher, lines, accum):
    opt = torch.optim.AdamW(student.parameters(), lr=0.05)
    updates = 2 * len(lines) // accum
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda done: 1 - done / updates)
    spread = 0.0
    for _ in range(2):
        for n, line in enumerate(lines, 1):
            with torch.no_grad():
                wanted = (2 * teacher(line)).softmax(-1)
            heard = student(line.roll(1, 0) * 0.5 + line).log_softmax(-1)
            loss = F.kl_div(heard, wanted, reduction="batchmean")
            (loss / accum).backward()
            spread += loss.item()
            if n % accum == 0:
                torch.nn.utils.clip_grad_value_(student.parameters(), 0.01)
                opt.step()
                sched.step()
                opt.zero_grad()
                follow(teacher, student, 0.9)
    return spread / len(lines)


def main():
    torch.manual_seed(6)
    teacher = torch.nn.Sequential(torch.nn.Linear(5, 7), torch.nn.ReLU(), torch.nn.Linear(7, 4))
    student = copy.deepcopy(teacher)
    print(f"{rehearse(student, teacher, lines_of(8, 3), 4):.4f}")
    return student, teacher
""",
    ("scheduler-per-micro-batch", "unscaled-accumulation-loss"),
)

U_CLIP = "                torch.nn.utils.clip_grad_value_(student.parameters(), 0.01)\n"
U_STEP = "                opt.step()\n"
U_SCHED = "                sched.step()\n"
U_CLEAR = "                opt.zero_grad()\n"
U_FOLLOW = "                follow(teacher, student, 0.9)\n"
U_OFTEN = (U_STEP + U_SCHED + U_CLEAR + U_FOLLOW, U_STEP + U_CLEAR + U_FOLLOW + "            sched.step()\n")


def understudy() -> Iterator[Case]:
    yield UNDERSTUDY.right("as-it-is")
    yield UNDERSTUDY.right("rate-that-counts-lines", ("2 * len(lines) // accum", "2 * len(lines)"), U_OFTEN)
    yield UNDERSTUDY.right("follows-each-line", (U_FOLLOW, "            follow(teacher, student, 0.97)\n"))
    yield UNDERSTUDY.right(
        "teacher-is-detached",
        (
            "            with torch.no_grad():\n                wanted = (2 * teacher(line)).softmax(-1)\n",
            "            wanted = (2 * teacher(line)).softmax(-1).detach()\n",
        ),
        tempts=("validation-without-no-grad",),
    )
    yield UNDERSTUDY.wrong(
        "rate-moves-with-each-line",
        (U_OFTEN,),
        fine=((("2 * len(lines) // accum", "2 * len(lines)"), U_OFTEN),),
        tempts=("scheduler-per-micro-batch",),
    )
    yield UNDERSTUDY.wrong(
        "clip-behind-the-one-who-follows",
        ((U_CLIP, ""), (U_CLEAR + U_FOLLOW, U_FOLLOW + U_CLIP + U_CLEAR)),
        tempts=("clip-after-step",),
    )
    yield UNDERSTUDY.wrong(
        "cleared-ahead-of-the-step",
        ((U_CLIP + U_STEP, U_CLIP + U_CLEAR + U_STEP), (U_SCHED + U_CLEAR, U_SCHED)),
        tempts=("zero-grad-before-step",),
    )
    yield UNDERSTUDY.wrong(
        "divided-by-all-lines", (("(loss / accum)", "(loss / len(lines))"),), tempts=("accumulation-divisor-mismatch",)
    )


TROUPE = Draft(
    "troupe-and-critic",
    """\
import torch
import torch.nn.functional as F
from torch import nn

torch.set_default_dtype(torch.float64)


class Troupe:
    def __init__(self):
        self.actor = nn.Sequential(nn.Linear(2, 6), nn.Tanh(), nn.Linear(6, 3))
        self.critic = nn.Sequential(nn.Linear(3, 6), nn.LeakyReLU(0.2), nn.Linear(6, 1))
        self.opt_a = torch.optim.SGD(self.actor.parameters(), lr=0.3)
        self.opt_c = torch.optim.SGD(self.critic.parameters(), lr=0.3)
        self.fade = torch.optim.lr_scheduler.ExponentialLR(self.opt_c, 0.8)

    def review(self, scene, noise):
        with torch.no_grad():
            played = self.actor(noise)
        self.opt_c.zero_grad()
        loss = F.softplus(-self.critic(scene)).mean() + F.softplus(self.critic(played)).mean()
        loss.backward()
        nn.utils.clip_grad_norm_(self.critic.parameters(), 0.2)
        self.opt_c.step()
        return loss.item()

    def play(self, noise):
        self.opt_a.zero_grad()
        loss = F.softplus(-self.critic(self.actor(noise))).mean()
        loss.backward()
        self.opt_a.step()
        return loss.item()

    def season(self, evenings):
        for evening in range(evenings):
            gen = torch.Generator().manual_seed(evening)
            for _ in range(3):
                scene = torch.randn(5, 3, generator=gen) + 1
                verdict = self.review(scene, torch.randn(5, 2, generator=gen))
                applause = self.play(torch.randn(5, 2, generator=gen))
            self.fade.step()
            print(f"{evening}: {verdict:.4f} {applause:.4f}")


def main():
    torch.manual_seed(2)
    troupe = Troupe()
    troupe.season(3)
    return troupe.actor, troupe.critic
""",
    ("missing-zero-grad",),
)

T_CLEAR = "        self.opt_c.zero_grad()\n"
T_STEP = "        self.opt_c.step()\n"
T_CLIP = "        nn.utils.clip_grad_norm_(self.critic.parameters(), 0.2)\n"
T_BACK = "        loss.backward()\n" + T_CLIP
T_PLAY = "        loss.backward()\n        self.opt_a.step()\n"


def troupe() -> Iterator[Case]:
    yield TROUPE.right("as-it-is")
    yield TROUPE.right("wiped-in-the-actors-turn", (T_CLEAR, ""), (T_PLAY, T_PLAY + T_CLEAR))
    yield TROUPE.right(
        "wiped-between-backward-and-step",
        (T_CLEAR, ""),
        (T_PLAY, T_PLAY.replace("()\n        self.opt_a", "()\n" + T_CLEAR + "        self.opt_a")),
        tempts=("zero-grad-before-step",),
    )
    yield TROUPE.right(
        "critic-is-frozen-meanwhile",
        (T_CLEAR, ""),
        (T_STEP, T_STEP + T_CLEAR),
        (
            "        self.opt_a.zero_grad()\n",
            "        self.opt_a.zero_grad()\n        self.critic.requires_grad_(False)\n",
        ),
        (T_PLAY, T_PLAY + "        self.critic.requires_grad_(True)\n"),
    )
    yield TROUPE.wrong("critic-never-wiped", ((T_CLEAR, ""),), tempts=("missing-zero-grad",))
    yield TROUPE.wrong(
        "critic-wiped-too-early", ((T_CLEAR, ""), (T_STEP, T_STEP + T_CLEAR)), tempts=("missing-zero-grad",)
    )
    yield TROUPE.wrong(
        "critic-wiped-ahead-of-its-step", ((T_CLEAR, ""), (T_BACK, T_BACK + T_CLEAR)), tempts=("zero-grad-before-step",)
    )
    yield TROUPE.wrong(
        "praise-clipped-in-advance", ((T_CLIP, ""), (T_CLEAR, T_CLEAR + T_CLIP)), tempts=("clip-before-backward",)
    )
    yield TROUPE.wrong(
        "fades-before-the-first-scene",
        (
            ("            self.fade.step()\n", ""),
            ("            for _ in range(3):\n", "            self.fade.step()\n            for _ in range(3):\n"),
        ),
        (("        self.opt_a.zero_grad()\n", ""),),
        tempts=("scheduler-before-optimizer", "missing-zero-grad"),
    )


LAMPS = Draft(
    "lamps-set-by-a-closure",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def main():
    torch.manual_seed(9)
    lamp = nn.Sequential(nn.Linear(2, 6), nn.Tanh(), nn.Linear(6, 1))
    tint = nn.Linear(1, 1)
    opt = torch.optim.LBFGS(lamp.parameters(), lr=0.5, max_iter=4)
    shade = torch.optim.SGD(tint.parameters(), lr=0.1)
    spots = torch.rand(12, 2)
    light = 4 * (spots[:, :1] * spots[:, 1:]).sqrt()
    glow = []

    def closure():
        opt.zero_grad()
        at = spots.clone().requires_grad_()
        beam = lamp(at)
        (slope,) = torch.autograd.grad(beam.sum(), at, create_graph=True)
        loss = (tint(beam) - light).pow(2).mean() + 0.01 * slope.pow(2).mean()
        loss.backward()
        nn.utils.clip_grad_norm_(lamp.parameters(), 0.5)
        return loss

    for _ in range(5):
        glow.append(float(opt.step(closure)))
        with torch.no_grad():
            beam = lamp(spots)
        shade.zero_grad()
        loss = (tint(beam) - light).pow(2).mean()
        loss.backward()
        shade.step()
    print(*(f"{value:.3f}" for value in glow))
    return lamp, tint
""",
    ("clip-before-backward", "missing-zero-grad"),
)

L_CLIP = "        nn.utils.clip_grad_norm_(lamp.parameters(), 0.5)\n"
L_CLEAR = "        shade.zero_grad()\n"


def lamps() -> Iterator[Case]:
    yield LAMPS.right("as-it-is")
    yield LAMPS.right("tint-wiped-in-the-closure", (L_CLEAR, ""), (L_CLIP, L_CLIP + "        tint.zero_grad()\n"))
    yield LAMPS.right("closure-wipes-the-lamp", ("        opt.zero_grad()\n", "        lamp.zero_grad()\n"))
    yield LAMPS.wrong("tint-never-wiped", ((L_CLEAR, ""),), tempts=("missing-zero-grad",))
    yield LAMPS.wrong(
        "tint-wiped-behind-its-step",
        ((L_CLEAR, ""), ("        shade.step()\n", "        shade.step()\n" + L_CLEAR)),
        tempts=("missing-zero-grad",),
    )
    yield LAMPS.wrong(
        "closure-clips-in-advance",
        (("        loss.backward()\n" + L_CLIP, L_CLIP + "        loss.backward()\n"),),
        tempts=("clip-before-backward",),
    )
    yield LAMPS.wrong("closure-never-wipes", (("        opt.zero_grad()\n", ""),), tempts=("missing-zero-grad",))
    yield LAMPS.wrong(
        "glow-of-graphs", (("float(opt.step(closure))", "opt.step(closure)"),), tempts=("loss-graph-leak",)
    )


def cases() -> Iterator[Case]:
    yield from prompter()
    yield from box_office()
    yield from understudy()
    yield from troupe()
    yield from lamps()
