"""Scans in a clinic: a notebook with a flush, a scale with an overflow, two heads, a pupil that sleeps, and bfloat16."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

VOLUME = Draft(
    "slices-in-a-notebook",
    """\
import torch
import torch.nn as nn

torch.set_default_dtype(torch.float64)
torch.manual_seed(3)
EVERY = 3
volume = torch.randn(11, 2, 1, 6, 6)
labels = (volume.mean((2, 3, 4)) > 0).double()
net = nn.Sequential(nn.Conv2d(1, 3, 3), nn.ReLU(), nn.Flatten(1), nn.Linear(48, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.2, momentum=0.9)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=8)

for epoch in range(2):
    seen = 0.0
    held = 0
    for images, truth in zip(volume, labels):
        loss = nn.functional.binary_cross_entropy_with_logits(net(images).squeeze(1), truth)
        (loss / EVERY).backward()
        seen += loss.item()
        held += 1
        if held == EVERY:
            nn.utils.clip_grad_norm_(net.parameters(), 0.05)
            opt.step()
            sched.step()
            opt.zero_grad()
            held = 0
    if held:
        for p in net.parameters():
            p.grad.mul_(EVERY / held)
        nn.utils.clip_grad_norm_(net.parameters(), 0.05)
        opt.step()
        sched.step()
        opt.zero_grad()
    print(f"epoch {epoch} loss {seen / len(volume):.4f} rate {sched.get_last_lr()[0]:.4f}")


def main():
    return net
""",
    ("dropped-accumulation-tail", "unscaled-accumulation-loss"),
)
REST = """\
    if held:
        for p in net.parameters():
            p.grad.mul_(EVERY / held)
        nn.utils.clip_grad_norm_(net.parameters(), 0.05)
        opt.step()
        sched.step()
        opt.zero_grad()
"""
SHARE = "        for p in net.parameters():\n            p.grad.mul_(EVERY / held)\n"
UNDIVIDED = ("(loss / EVERY).backward()", "loss.backward()")
COUNT = "        held += 1\n        if held == EVERY:\n"
WINDOW_CLIP = COUNT + "            nn.utils.clip_grad_norm_(net.parameters(), 0.05)\n"


def volume() -> Iterator[Case]:
    yield VOLUME.right("rest-weighs-as-much")
    yield VOLUME.wrong("undivided", (UNDIVIDED,), tempts=("unscaled-accumulation-loss",))
    yield VOLUME.right(
        "divided-by-what-is-held",
        UNDIVIDED,
        (SHARE, "        for p in net.parameters():\n            p.grad.div_(held)\n"),
        (COUNT, COUNT + "            for p in net.parameters():\n                p.grad.div_(held)\n"),
    )
    yield VOLUME.wrong(
        "rest-stays-in-the-gradients",
        ((REST, REST.replace("        opt.zero_grad()\n", "")),),
        tempts=("missing-zero-grad",),
    )
    yield VOLUME.right(
        "rest-is-cleared-by-the-next-epoch",
        (REST, REST.replace("        opt.zero_grad()\n", "")),
        ("    seen = 0.0\n", "    seen = 0.0\n    opt.zero_grad()\n"),
        tempts=("missing-zero-grad",),
    )
    yield VOLUME.right(
        "window-goes-on-in-the-next-epoch",
        (REST, ""),
        ("    held = 0\n    for", "    for"),
        ("for epoch in range(2):\n", "held = 0\nfor epoch in range(2):\n"),
    )
    yield VOLUME.wrong("one-more-is-held", (("held == EVERY", "held > EVERY"),), tempts=("accumulation-off-by-one",))
    yield VOLUME.right("counted-by-a-walrus", (COUNT, "        if (held := held + 1) == EVERY:\n"))
    yield VOLUME.wrong(
        "each-slice-is-clipped",
        ((WINDOW_CLIP, COUNT.replace("+= 1\n", "+= 1\n        nn.utils.clip_grad_norm_(net.parameters(), 0.05)\n")),),
        tempts=("clip-per-micro-batch",),
    )


RETINA = Draft(
    "retina-under-a-scale",
    """\
import torch
from torch import nn


def photographs(count=7):
    gen = torch.Generator().manual_seed(4)
    for n in range(count):
        x = torch.randn(4, 5, generator=gen)
        yield (x * 1e30 if n == 3 else x), x.sum(1, keepdim=True)


def updater(net, opt, scaler, limit):
    def update():
        scaler.unscale_(opt)
        norm = nn.utils.clip_grad_norm_(net.parameters(), limit)
        scaler.step(opt)
        scaler.update()
        opt.zero_grad()
        return norm.item()

    return update


def main():
    torch.manual_seed(2)
    net = nn.Sequential(nn.Linear(5, 6), nn.Tanh(), nn.Linear(6, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.05)
    scaler = torch.amp.GradScaler("cpu", init_scale=1024.0, growth_interval=2)
    update = updater(net, opt, scaler, 0.5)
    for x, y in photographs():
        loss = nn.functional.mse_loss(net(x) + 1e-20 * x.pow(2).sum(), y)
        scaler.scale(loss).backward()
        print(f"{update():.2f}")
    return net
""",
    ("clip-scaled-gradients", "missing-scaler-update"),
)
UNSCALE = "        scaler.unscale_(opt)\n"
STEP = "        scaler.step(opt)\n"
UPDATE = "        scaler.update()\n"
ASKED = "        if norm.isfinite():\n            scaler.step(opt)\n"


def retina() -> Iterator[Case]:
    yield RETINA.right("one-overflow")
    yield RETINA.right("asked-by-hand-too", (STEP, ASKED))
    yield RETINA.styled((STEP, ASKED)).wrong(
        "a-skip-forgets-the-scale",
        ((UPDATE, "            scaler.update()\n"),),
        tempts=("missing-scaler-update",),
        raises="RuntimeError",
    )
    yield RETINA.wrong("clip-sees-the-scale", ((UNSCALE, ""),), tempts=("clip-scaled-gradients",))
    yield RETINA.wrong(
        "unscaled-by-both",
        (("        print(f", "        scaler.unscale_(opt)\n        print(f"),),
        tempts=("double-unscale",),
        raises="RuntimeError",
    )
    yield RETINA.wrong("overflow-is-written", ((STEP, "        opt.step()\n"),), tempts=("step-bypasses-scaler",))
    yield RETINA.wrong(
        "never-scaled",
        (("scaler.scale(loss).backward()", "loss.backward()"),),
        tempts=("unscaled-backward",),
        raises="AssertionError",
    )
    yield RETINA.wrong(
        "update-without-parentheses",
        ((UPDATE, "        scaler.update\n"),),
        tempts=("method-not-called", "missing-scaler-update"),
        raises="RuntimeError",
    )
    yield RETINA.wrong(
        "cleared-too-early",
        ((STEP + UPDATE + "        opt.zero_grad()\n", "        opt.zero_grad()\n" + STEP + UPDATE),),
        tempts=("zero-grad-before-step",),
    )
    yield RETINA.right(
        "a-scale-by-hand",
        (UNSCALE, "        for p in net.parameters():\n            p.grad.div_(scaler.get_scale())\n"),
        (STEP, "        if norm.isfinite():\n            opt.step()\n"),
        (UPDATE, "        scaler.update(scaler.get_scale() * (1.0 if norm.isfinite() else 0.5))\n"),
        tempts=("clip-scaled-gradients", "step-bypasses-scaler"),
    )
    yield RETINA.right(
        "limit-grows-with-the-scale",
        (UNSCALE, ""),
        ("net.parameters(), limit)", "net.parameters(), limit * scaler.get_scale()) / scaler.get_scale()"),
        tempts=("clip-scaled-gradients",),
    )


WARD = Draft(
    "ward-of-two-heads",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


class Ward(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Linear(4, 6)
        self.dose = nn.Linear(6, 1)
        self.risk = nn.Linear(6, 1)

    def forward(self, x):
        found = self.trunk(x).tanh()
        return self.dose(found), self.risk(found)


def treat(ward, opts, turns):
    history = []
    for turn in range(turns):
        x = torch.rand(5, 4, generator=torch.Generator().manual_seed(turn)) - 0.5
        dose, risk = ward(x)
        loss = nn.functional.mse_loss(dose, x.sum(1, keepdim=True))
        loss = loss + 0.5 * nn.functional.binary_cross_entropy_with_logits(risk, (x[:, :1] > 0).double())
        loss.backward()
        nn.utils.clip_grad_norm_(ward.parameters(), 0.1)
        for opt in opts.values():
            opt.step()
        for opt in opts.values():
            opt.zero_grad()
        history.append(loss.detach())
    return history


def main():
    torch.manual_seed(7)
    ward = Ward()
    heads = [*ward.dose.parameters(), *ward.risk.parameters()]
    opts = {
        "trunk": torch.optim.SGD(ward.trunk.parameters(), lr=0.3),
        "heads": torch.optim.AdamW(heads, lr=0.02),
    }
    print(torch.stack(treat(ward, opts, 8)))
    return ward
""",
    ("missing-zero-grad",),
)
CLIP = "        nn.utils.clip_grad_norm_(ward.parameters(), 0.1)\n"
STEPS = "        for opt in opts.values():\n            opt.step()\n"
CLEARS = "        for opt in opts.values():\n            opt.zero_grad()\n"
SOMETIMES = """\
        opts["trunk"].step()
        opts["trunk"].zero_grad()
        if turn % 2:
            opts["heads"].step()
            opts["heads"].zero_grad()
"""


def ward() -> Iterator[Case]:
    yield WARD.right("two-optimizers-in-a-dictionary")
    yield WARD.wrong("only-one-is-cleared", ((CLEARS, '        opts["trunk"].zero_grad()\n'),))
    yield WARD.right("cleared-as-each-steps", (STEPS + CLEARS, STEPS + "            opt.zero_grad()\n"))
    yield WARD.wrong(
        "clip-between-the-steps",
        ((CLIP + STEPS, STEPS + CLIP.replace("        nn", "            nn")),),
        tempts=("clip-after-step",),
    )
    yield WARD.wrong(
        "cleared-as-each-is-about-to-step",
        ((STEPS + CLEARS, STEPS.replace("opt.step()", "opt.zero_grad()\n            opt.step()")),),
        tempts=("zero-grad-before-step",),
    )
    yield WARD.right(
        "heads-move-half-as-often",
        (CLIP + STEPS + CLEARS, SOMETIMES),
        tempts=("unscaled-accumulation-loss", "clip-per-micro-batch"),
    )
    yield WARD.styled((CLIP + STEPS + CLEARS, SOMETIMES)).wrong(
        "heads-move-half-as-often-and-keep",
        (('            opts["heads"].zero_grad()\n', ""),),
        tempts=("missing-zero-grad",),
    )
    yield WARD.wrong("history-keeps-graphs", (("loss.detach()", "loss"),), tempts=("loss-graph-leak",))
    yield WARD.right(
        "gradients-put-aside-and-back",
        (
            STEPS,
            "        kept = [p.grad.sign() * p.grad.abs().sqrt() for p in ward.parameters()]\n"
            + CLEARS
            + "        for p, grad in zip(ward.parameters(), kept):\n            p.grad = grad\n"
            + STEPS,
        ),
        tempts=("zero-grad-before-step",),
    )


PUPIL = Draft(
    "pupil-with-a-sleeping-stem",
    """\
import copy

import torch
from torch import nn
from torch.nn import functional as F

torch.set_default_dtype(torch.float64)


class Pupil(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Linear(4, 6), nn.BatchNorm1d(6))
        self.head = nn.Sequential(nn.ReLU(), nn.BatchNorm1d(6), nn.Linear(6, 3))

    def forward(self, x):
        return self.head(self.stem(x))


class Lesson:
    def __init__(self, pupil):
        self.pupil = pupil
        self.teacher = copy.deepcopy(pupil).eval().requires_grad_(False)
        self.opt = torch.optim.Adam(pupil.parameters(), lr=0.03)
        self.sched = torch.optim.lr_scheduler.ExponentialLR(self.opt, gamma=0.7)

    def follow(self):
        for old, new in zip(self.teacher.parameters(), self.pupil.parameters()):
            old.lerp_(new.detach(), 0.1)

    def examine(self, cells):
        self.pupil.eval()
        with torch.no_grad():
            return sum(F.cross_entropy(self.pupil(x), y).item() for x, y in cells)

    def teach(self, cells, epochs=3):
        for epoch in range(epochs):
            self.pupil.train()
            self.pupil.stem.eval()
            for x, y in cells:
                out = self.pupil(x)
                soft = self.teacher(x).softmax(1)
                loss = F.cross_entropy(out, y) + 0.5 * F.cross_entropy(out, soft)
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
                self.follow()
            self.sched.step()
            print(f"{epoch}: {self.examine(cells):.4f}")


def main():
    torch.manual_seed(9)
    cells = [(x, x[:, :3].argmax(1)) for x in torch.randn(4, 6, 4)]
    lesson = Lesson(Pupil())
    lesson.teach(cells)
    return lesson.pupil, lesson.teacher
""",
    ("missing-train-mode", "validation-without-no-grad"),
)
WAKE = "            self.pupil.train()\n"
SLEEP = "            self.pupil.stem.eval()\n"
GUARDED = """\
        with torch.no_grad():
            return sum(F.cross_entropy(self.pupil(x), y).item() for x, y in cells)
"""
BARE = "        return sum(F.cross_entropy(self.pupil(x), y).item() for x, y in cells)\n"


def pupil() -> Iterator[Case]:
    yield PUPIL.right("stem-sleeps-on-purpose")
    yield PUPIL.wrong("never-woken", ((WAKE, ""),), tempts=("missing-train-mode",))
    yield PUPIL.wrong(
        "never-woken-stem-put-to-sleep-once",
        (
            (WAKE + SLEEP, ""),
            ("        self.pupil = pupil\n", "        self.pupil = pupil\n        pupil.stem.eval()\n"),
        ),
        tempts=("missing-train-mode",),
    )
    yield PUPIL.right(
        "modes-are-put-back-one-by-one",
        (WAKE + SLEEP, ""),
        ("        self.pupil = pupil\n", "        self.pupil = pupil\n        pupil.stem.eval()\n"),
        (
            "        self.pupil.eval()\n" + GUARDED,
            "        found = [(part, part.training) for part in self.pupil.modules()]\n        self.pupil.eval()\n"
            + GUARDED.replace("return sum", "total = sum")
            + "        for part, mode in found:\n            part.training = mode\n        return total\n",
        ),
    )
    yield PUPIL.right(
        "sleeps-all-the-time",
        (WAKE + SLEEP, ""),
        (
            "    def teach(self, cells, epochs=3):\n",
            "    def teach(self, cells, epochs=3):\n        self.pupil.eval()\n",
        ),
    )
    yield PUPIL.wrong("examined-with-gradients", ((GUARDED, BARE),), tempts=("validation-without-no-grad",))
    yield PUPIL.right(
        "examined-for-its-slopes",
        (
            GUARDED,
            """\
        total = 0.0
        for x, y in cells:
            x = x.clone().requires_grad_()
            (slope,) = torch.autograd.grad(F.cross_entropy(self.pupil(x), y), x)
            total += slope.norm().item()
        return total
""",
        ),
        tempts=("validation-without-no-grad",),
    )
    yield PUPIL.wrong("never-cleared", (("                self.opt.zero_grad()\n", ""),), tempts=("missing-zero-grad",))


LESION = Draft(
    "lesions-in-bfloat16",
    """\
import torch
from torch import nn

MIX = torch.linspace(-1, 1, 36).reshape(6, 6)


def losses(net, opt, patches):
    net[0].weight.register_hook(lambda grad: (MIX @ grad).float())
    for x, y in patches:
        opt.zero_grad()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            out = net(x)
            loss = nn.functional.mse_loss(out.float(), y)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 0.3)
        opt.step()
        yield loss.item()


def main():
    torch.manual_seed(12)
    net = nn.Sequential(nn.Linear(4, 6), nn.GELU(), nn.Linear(6, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.2)
    patches = [(x, x.sin().sum(1, keepdim=True)) for x in torch.randn(6, 8, 4)]
    print(f"{sum(losses(net, opt, patches)) / 6:.3f}")
    return net
""",
    ("backward-in-autocast",),
)
BACKWARD = "        loss.backward()\n"
UPDATES = BACKWARD + "        nn.utils.clip_grad_norm_(net.parameters(), 0.3)\n        opt.step()\n"
INSIDE = "\n".join("    " + row if row else row for row in UPDATES.split("\n"))
SCALER = (
    "    for x, y in patches:\n",
    '    scaler = torch.amp.GradScaler("cpu", init_scale=256.0)\n    for x, y in patches:\n',
)
SCALED = (
    UPDATES,
    """\
        scaler.scale(loss).backward()
        scaler.unscale_(opt)
        nn.utils.clip_grad_norm_(net.parameters(), 0.3)
        scaler.step(opt)
        scaler.update()
""",
)


def lesion() -> Iterator[Case]:
    yield LESION.right("backward-outside")
    yield LESION.wrong("backward-inside", ((BACKWARD, "    " + BACKWARD),))
    yield LESION.wrong("all-inside", ((UPDATES, INSIDE),))
    yield LESION.right("inside-where-it-is-off", ("dtype=torch.bfloat16", "enabled=False"), (UPDATES, INSIDE))
    yield LESION.wrong("clip-is-late", ((UPDATES, UPDATES.replace(BACKWARD, BACKWARD + "        opt.step()\n")[:-19]),))
    yield LESION.wrong(
        "clip-is-early",
        (
            ("        nn.utils.clip_grad_norm_(net.parameters(), 0.3)\n", ""),
            (BACKWARD, "        nn.utils.clip_grad_norm_(net.parameters(), 0.3)\n" + BACKWARD),
        ),
        tempts=("clip-before-backward",),
    )
    yield LESION.styled((SCALER[0], SCALER[1].replace("256.0", "256.0, enabled=False")), SCALED).wrong(
        "scale-for-nothing", ((", enabled=False", ""),), tempts=("scaler-with-bfloat16",)
    )


def cases() -> Iterator[Case]:
    yield from volume()
    yield from retina()
    yield from ward()
    yield from pupil()
    yield from lesion()
