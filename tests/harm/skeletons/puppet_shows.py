"""Puppet shows: a critic with a penalty, shadows of a teacher, copies that rehearse, a falling curtain."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

STRINGS = Draft(
    "marionettes",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


class Stage:
    def __init__(self):
        self.puppet = nn.Sequential(nn.Linear(2, 6), nn.Tanh(), nn.Linear(6, 2))
        self.critic = nn.Sequential(nn.Linear(2, 6), nn.Softplus(), nn.Linear(6, 1))
        self.pull = torch.optim.SGD(self.puppet.parameters(), lr=0.2)
        self.frown = torch.optim.SGD(self.critic.parameters(), lr=0.1, momentum=0.5)

    def penalty(self, real, fake):
        mix = (0.3 * real + 0.7 * fake).requires_grad_()
        (slope,) = torch.autograd.grad(self.critic(mix).sum(), mix, create_graph=True)
        return (slope.norm(dim=1) - 1).square().mean()

    def judge(self, real):
        with torch.no_grad():
            fake = self.puppet(torch.randn(6, 2))
        self.frown.zero_grad()
        gap = self.critic(fake).mean() - self.critic(real).mean()
        (gap + 2 * self.penalty(real, fake)).backward()
        self.frown.step()
        return gap.item()

    def play(self):
        self.pull.zero_grad()
        loss = -self.critic(self.puppet(torch.randn(6, 2))).mean()
        loss.backward()
        nn.utils.clip_grad_norm_(self.puppet.parameters(), 0.1)
        self.pull.step()


def main():
    torch.manual_seed(20)
    stage = Stage()
    for act in range(4):
        gaps = [stage.judge(torch.randn(6, 2) + 2) for _ in range(3)]
        stage.play()
        print(act, f"{float(sum(gaps)) / 3:.4f}")
    return stage.puppet, stage.critic
""",
    ("missing-zero-grad", "clip-before-backward"),
)
G_FROWN = "        self.frown.zero_grad()\n"
G_STEP = "        self.frown.step()\n"
G_PULL = "        self.pull.zero_grad()\n"
G_CLIP = "        nn.utils.clip_grad_norm_(self.puppet.parameters(), 0.1)\n"
G_BACK = "        loss.backward()\n"
G_ACT = "        gaps = [stage"


def strings() -> Iterator[Case]:
    yield STRINGS.right("critic-and-puppet")
    yield STRINGS.right(
        "critic-looks-away",
        (G_FROWN, ""),
        (G_STEP, G_STEP + G_FROWN),
        ("        loss = -self", "        self.critic.requires_grad_(False)\n        loss = -self"),
        ("        self.pull.step()\n", "        self.pull.step()\n        self.critic.requires_grad_(True)\n"),
    )
    yield STRINGS.right(
        "gradient-for-the-puppet-alone",
        (G_FROWN, ""),
        (G_STEP, G_STEP + G_FROWN),
        (G_BACK, "        loss.backward(inputs=list(self.puppet.parameters()))\n"),
    )
    yield STRINGS.wrong("critic-is-cleared-behind-itself", ((G_FROWN, ""), (G_STEP, G_STEP + G_FROWN)))
    yield STRINGS.wrong(
        "critic-is-cleared-by-act", ((G_FROWN, ""), (G_ACT, "        stage.frown.zero_grad()\n" + G_ACT))
    )
    yield STRINGS.wrong("critic-is-never-cleared", ((G_FROWN, ""),))
    yield STRINGS.wrong("strings-are-clipped-first", ((G_BACK + G_CLIP, G_CLIP + G_BACK),))
    yield STRINGS.wrong(
        "puppet-is-cleared-last",
        ((G_PULL, ""), ("        self.pull.step()\n", G_PULL + "        self.pull.step()\n")),
        tempts=("zero-grad-before-step",),
    )


SHADOW = Draft(
    "shadow-screen",
    """\
import torch
from torch import nn
from torch.nn import functional as F

torch.set_default_dtype(torch.float64)
OPTIONS = {"window": 2, "soft": 0.7, "lr": 0.3, "limit": 2.0}


def scenes(act, count=5):
    return torch.randn(count, 6, 4, generator=torch.Generator().manual_seed(act)).unbind()


def figure(width):
    return nn.Sequential(nn.Linear(4, width), nn.BatchNorm1d(width), nn.Tanh(), nn.Linear(width, 3))


def show(teacher, student, window, soft, lr, limit):
    opt = torch.optim.SGD(student.parameters(), lr=lr)
    teacher.eval()
    for act in range(3):
        student.train()
        dark = 0.0
        for i, x in enumerate(scenes(act), 1):
            with torch.no_grad():
                shape = teacher(x).softmax(1)
            out = student(x)
            far = F.kl_div(out.log_softmax(1), shape, reduction="batchmean") * soft
            off = F.cross_entropy(out, x[:, :3].argmax(1)) * (1 - soft)
            (far / window).backward(retain_graph=True)
            (off / window).backward()
            dark += far.detach() + off.detach()
            if i % window == 0 or i == 5:
                nn.utils.clip_grad_norm_(student.parameters(), limit)
                opt.step()
                opt.zero_grad()
        student.eval()
        with torch.no_grad():
            seen = [(student(x).argmax(1) == x[:, :3].argmax(1)).sum().item() for x in scenes(9)]
        print(act, f"{dark.item():.4f}", sum(seen))


def main():
    torch.manual_seed(26)
    teacher, student = figure(12), figure(4)
    show(teacher, student, **OPTIONS)
    return teacher, student
""",
    ("unscaled-accumulation-loss", "missing-train-mode"),
)
H_OFF = "            (off / window).backward()\n"
H_TRAIN = "        student.train()\n"
H_SEEN = "        with torch.no_grad():\n            seen ="


def shadow() -> Iterator[Case]:
    yield SHADOW.right("two-terms-one-window")
    yield SHADOW.right(
        "teacher-is-frozen",
        ("    teacher.eval()\n", "    teacher.eval().requires_grad_(False)\n"),
        ("            with torch.no_grad():\n                shape", "            shape"),
    )
    yield SHADOW.right("norm-of-the-student-sleeps", (H_TRAIN, H_TRAIN + "        student[1].eval()\n"))
    yield SHADOW.right(
        "terms-weigh-with-the-act",
        (H_OFF, "            (off * (act + 1) / window).backward()\n"),
        tempts=("accumulation-divisor-mismatch",),
    )
    yield SHADOW.wrong("stays-dark", ((H_TRAIN, ""),))
    yield SHADOW.wrong("one-term-undivided", ((H_OFF, "            off.backward()\n"),))
    yield SHADOW.wrong(
        "cleared-between-the-terms",
        ((H_OFF, "            opt.zero_grad()\n" + H_OFF),),
        tempts=("zero-grad-in-accumulation",),
    )
    yield SHADOW.wrong(
        "dark-with-graphs",
        ((H_TRAIN, ""),),
        ((H_SEEN, "        seen ="),),
        (("far.detach() + off.detach()", "far + off"),),
        tempts=("missing-train-mode", "validation-without-no-grad", "loss-graph-leak"),
    )


HANDS = Draft(
    "hand-me-downs",
    """\
import copy

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def miss(net, task):
    x, phase = task
    return (net(x) - torch.sin(x + phase)).square().mean()


def rehearse(net, task, steps=2):
    pupil = copy.deepcopy(net)
    inner = torch.optim.SGD(pupil.parameters(), lr=0.1)
    for _ in range(steps):
        inner.zero_grad()
        miss(pupil, task).backward()
        inner.step()
    inner.zero_grad()
    miss(pupil, task).backward()
    return [p.grad for p in pupil.parameters()]


def main():
    torch.manual_seed(30)
    net = nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Linear(8, 1))
    outer = torch.optim.SGD(net.parameters(), lr=0.3, momentum=0.5)
    sched = torch.optim.lr_scheduler.PolynomialLR(outer, total_iters=5)
    for season in range(4):
        outer.zero_grad(set_to_none=False)
        for phase in (0.0, 0.7, 1.9):
            task = torch.rand(6, 1) * 4 - 2, phase
            for p, grad in zip(net.parameters(), rehearse(net, task)):
                p.grad = grad / 3 if p.grad is None else p.grad + grad / 3
        nn.utils.clip_grad_norm_(net.parameters(), 0.2)
        outer.step()
        sched.step()
    return net
""",
    ("missing-zero-grad", "scheduler-before-optimizer"),
)
M_INNER = "        inner.zero_grad()\n        miss(pupil, task).backward()\n        inner.step()\n"
M_CLIP = "        nn.utils.clip_grad_norm_(net.parameters(), 0.2)\n"
M_STEP = "        outer.step()\n"
M_SCHED = "        sched.step()\n"
M_CLEAR = "        outer.zero_grad(set_to_none=False)\n"


def hands() -> Iterator[Case]:
    yield HANDS.right("copies-come-with-gradients")
    yield HANDS.right(
        "copy-is-cleaned-first",
        (
            M_INNER + "    inner.zero_grad()\n",
            M_INNER.replace("        inner.zero_grad()\n", "") + "        inner.zero_grad()\n",
        ),
        ("    inner = torch", "    pupil.zero_grad()\n    inner = torch"),
    )
    yield HANDS.right(
        "clip-of-each-pupil",
        ("    return [p.grad", "    nn.utils.clip_grad_norm_(pupil.parameters(), 0.5)\n    return [p.grad"),
        tempts=("clip-after-step",),
    )
    yield HANDS.wrong("rehearsals-add-up", ((M_INNER, M_INNER.replace("        inner.zero_grad()\n", "")),))
    yield HANDS.wrong("seasons-add-up", ((M_CLEAR, ""),))
    yield HANDS.wrong("rate-falls-first", ((M_STEP + M_SCHED, M_SCHED + M_STEP),))
    yield HANDS.wrong("clip-comes-late", ((M_CLIP + M_STEP, M_STEP + M_CLIP),), tempts=("clip-after-step",))
    yield HANDS.wrong(
        "cleared-before-the-step", ((M_CLEAR, ""), (M_STEP, M_CLEAR + M_STEP)), tempts=("zero-grad-before-step",)
    )


VOICES = Draft(
    "ventriloquist",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


class Voice(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 8), nn.Tanh())
        self.says, self.hopes = nn.Linear(8, 4), nn.Linear(8, 1)

    def forward(self, x):
        h = self.body(x)
        return self.says(h).log_softmax(1), self.hopes(h).squeeze(1)


def main():
    torch.manual_seed(19)
    voice = Voice()
    opt = torch.optim.Adam(voice.parameters(), lr=0.03)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, gamma=0.7)
    for evening in range(3):
        seen = torch.randn(12, 3)
        with torch.no_grad():
            logs, hopes = voice(seen)
            said = logs.exp().multinomial(1)
            old, applause = logs.gather(1, said), seen.sum(1) * (said.squeeze(1) - 1)
            edge = (applause - hopes).unsqueeze(1)
        for turn in range(5):
            for rows in torch.randperm(12).split(4):
                logs, hopes = voice(seen[rows])
                shift = logs.gather(1, said[rows]) - old[rows]
                ratio = shift.exp()
                gain = torch.min(ratio * edge[rows], ratio.clamp(0.8, 1.2) * edge[rows]).mean()
                loss = 0.5 * (hopes - applause[rows]).square().mean() - gain
                opt.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(voice.parameters(), 0.4)
                opt.step()
            if (far := -shift.mean().item()) > 0.06:
                break
        else:
            print("said all")
        sched.step()
        print(f"{evening} {turn} {far:.4f}")
    return voice
""",
    ("missing-zero-grad", "clip-before-backward"),
)
V_CLEAR = "                opt.zero_grad()\n"
V_BACK = "                loss.backward()\n"
V_CLIP = "                nn.utils.clip_grad_norm_(voice.parameters(), 0.4)\n"
V_STEP = "                opt.step()\n"
V_TURN = "        for turn in range(5):\n"
V_SCHED = "        sched.step()\n"


def voices() -> Iterator[Case]:
    yield VOICES.right("stops-when-far")
    yield VOICES.right(
        "stops-in-front-of-the-step",
        (V_CLIP, V_CLIP + "                if shift.abs().max() > 0.4:\n                    break\n"),
    )
    yield VOICES.right(
        "whole-turn-weighs-its-rows",
        (V_CLEAR + V_BACK + V_CLIP + V_STEP, "                (loss * len(rows) / len(seen)).backward()\n"),
        (
            "            if (far",
            (V_CLIP + V_STEP + V_CLEAR).replace("                ", "            ") + "            if (far",
        ),
        tempts=("accumulation-divisor-mismatch",),
    )
    yield VOICES.wrong("cleared-by-evening", ((V_CLEAR, ""), (V_TURN, "        opt.zero_grad()\n" + V_TURN)))
    yield VOICES.wrong("clip-of-nothing", ((V_BACK + V_CLIP, V_CLIP + V_BACK),))
    yield VOICES.wrong("clip-behind-the-step", ((V_CLIP + V_STEP, V_STEP + V_CLIP),), tempts=("clip-after-step",))
    yield VOICES.wrong(
        "rate-falls-at-nightfall", ((V_SCHED, ""), (V_TURN, V_SCHED + V_TURN)), tempts=("scheduler-before-optimizer",)
    )
    yield VOICES.wrong("rate-is-only-named", ((V_SCHED, V_SCHED.replace("()", "")),), tempts=("method-not-called",))


CURTAIN = Draft(
    "falling-curtain",
    """\
import torch
from torch import nn
from torch.optim.lr_scheduler import ExponentialLR, LinearLR, SequentialLR

torch.set_default_dtype(torch.float64)


class Curtain(Exception):
    pass


def scenes(night, fall, count=7):
    rng = torch.Generator().manual_seed(night)
    for number in range(count):
        if number == fall:
            raise Curtain
        yield torch.randn(4, 2, generator=rng)


def play(net, opt, sched, scenes, window=2):
    pending = 0
    try:
        for x in scenes:
            loss = nn.functional.l1_loss(net(x), x.square())
            (loss / window).backward()
            pending += 1
            if pending >= window:
                opt.step()
                sched.step()
                opt.zero_grad()
                pending = 0
    except Curtain:
        return False
    finally:
        if pending:
            opt.step()
        opt.zero_grad()
    return True


def main():
    torch.manual_seed(33)
    net = nn.Sequential(nn.Linear(2, 7), nn.Tanh(), nn.Linear(7, 2))
    opt = torch.optim.SGD(net.parameters(), lr=0.2, momentum=0.6)
    sched = SequentialLR(opt, [LinearLR(opt, 0.25, total_iters=3), ExponentialLR(opt, 0.8)], milestones=[3])
    for night, fall in enumerate((None, 5, 2)):
        print(play(net, opt, sched, scenes(night, fall)))
    return net
""",
    ("zero-grad-before-step", "scheduler-per-micro-batch"),
)
U_LAST = "        if pending:\n            opt.step()\n        opt.zero_grad()\n"
U_SCHED = "                sched.step()\n"
U_STEP = "                opt.step()\n"
U_CLEAR = "                opt.zero_grad()\n"
U_PENDING = "            pending += 1\n"


def curtain() -> Iterator[Case]:
    yield CURTAIN.right("rest-in-finally")
    yield CURTAIN.right("rest-is-given-up", (U_LAST, "        opt.zero_grad()\n"))
    yield CURTAIN.right(
        "rest-is-weighed",
        (
            "        if pending:\n",
            "        if pending:\n            for p in net.parameters():\n                p.grad *= window / pending\n",
        ),
        tempts=("accumulation-divisor-mismatch",),
    )
    yield CURTAIN.right("rate-falls-by-night", (U_SCHED, ""), (U_LAST, U_LAST + "        sched.step()\n"))
    yield CURTAIN.wrong(
        "rest-is-cleared-first", ((U_LAST, "        opt.zero_grad()\n        if pending:\n            opt.step()\n"),)
    )
    yield CURTAIN.wrong("rate-falls-by-scene", ((U_SCHED, ""), (U_PENDING, "            sched.step()\n" + U_PENDING)))
    yield CURTAIN.wrong(
        "window-too-long", (("pending >= window", "pending > window"),), tempts=("accumulation-off-by-one",)
    )
    yield CURTAIN.wrong(
        "undivided-and-rate-first",
        (("(loss / window).backward()", "loss.backward()"),),
        ((U_STEP + U_SCHED, U_SCHED + U_STEP),),
        tempts=("unscaled-accumulation-loss", "scheduler-before-optimizer"),
    )
    yield CURTAIN.wrong("never-cleared-in-the-play", ((U_SCHED + U_CLEAR, U_SCHED),), tempts=("missing-zero-grad",))


def cases() -> Iterator[Case]:
    yield from strings()
    yield from shadow()
    yield from hands()
    yield from voices()
    yield from curtain()
