"""Birds and leaves: spans of calls with a flush, a trainer with listeners, a scaled notebook, a closure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case


def slip(draft: Draft, name: str, rule: str, old: str, new: str) -> Case:
    """A loop with one mistake, which is one edit of the sound one."""
    return draft.wrong(name, ((old, new),), tempts=(rule,))


OWLS = Draft(
    "owl-calls-by-spans",
    """\
import math

import torch
from torch import nn
from torch.nn import functional as F

torch.set_default_dtype(torch.float64)
SPAN = 3


def calls(night, count=8):
    gen = torch.Generator().manual_seed(100 + night)
    for number in range(count):
        pitch = torch.rand(4, 1, 1, generator=gen) * 3
        wave = torch.sin(pitch * torch.linspace(0, 6, 16)) + 0.1 * torch.randn(4, 1, 16, generator=gen)
        if (night, number) == (1, 4):
            wave[0] = math.nan
        yield wave, pitch.reshape(-1).round().long()


def main():
    torch.manual_seed(2)
    net = nn.Sequential(
        nn.Conv1d(1, 4, 5, stride=2), nn.ReLU(), nn.AdaptiveAvgPool1d(2), nn.Flatten(), nn.Linear(8, 4)
    )
    opt = torch.optim.SGD(net.parameters(), lr=0.3, momentum=0.8)
    for night in range(3):
        heard, waiting = 0.0, 0
        for wave, kind in calls(night):
            loss = F.cross_entropy(net(wave), kind)
            if not torch.isfinite(loss):
                continue
            (loss / SPAN).backward()
            heard += loss.item()
            waiting += 1
            if waiting == SPAN:
                nn.utils.clip_grad_norm_(net.parameters(), 0.5)
                opt.step()
                opt.zero_grad()
                waiting = 0
        if waiting:
            for p in net.parameters():
                p.grad *= SPAN / waiting
            opt.step()
            opt.zero_grad()
        print(f"night {night}: {heard:.4f}")
    return net
""",
    ("dropped-accumulation-tail", "unscaled-accumulation-loss"),
)

O_CLIP = "                nn.utils.clip_grad_norm_(net.parameters(), 0.5)\n"
O_REST = """\
        if waiting:
            for p in net.parameters():
                p.grad *= SPAN / waiting
            opt.step()
            opt.zero_grad()
"""
O_UNDIVIDED = ("            (loss / SPAN).backward()\n", "            loss.backward()\n")


def owls() -> Iterator[Case]:
    yield OWLS.right("bad-call-is-left-out")
    yield OWLS.right(
        "divided-by-what-waited",
        O_UNDIVIDED,
        (O_CLIP, "                for p in net.parameters():\n                    p.grad /= waiting\n" + O_CLIP),
        ("p.grad *= SPAN / waiting", "p.grad /= waiting"),
    )
    yield OWLS.right("rest-is-thrown-away", (O_REST, "        opt.zero_grad()\n"))
    yield OWLS.right(
        "span-reaches-over-the-night",
        (
            "    for night in range(3):\n        heard, waiting = 0.0, 0\n",
            "    waiting = 0\n    for night in range(3):\n        heard = 0.0\n",
        ),
        (O_REST, ""),
        ("    return net\n", "    if waiting:\n        opt.step()\n    return net\n"),
    )
    yield slip(
        OWLS,
        "rest-stays-in-the-gradients",
        "missing-zero-grad",
        O_REST,
        O_REST.replace("            opt.zero_grad()\n", ""),
    )
    yield slip(
        OWLS,
        "cleared-at-each-call",
        "zero-grad-in-accumulation",
        "            loss = F",
        "            opt.zero_grad()\n            loss = F",
    )
    yield slip(OWLS, "one-call-too-many", "accumulation-off-by-one", "if waiting == SPAN:", "if waiting > SPAN:")
    yield OWLS.wrong(
        "rest-is-forgotten",
        ((O_REST, ""),),
        fine=(
            (("            for p in net.parameters():\n                p.grad *= SPAN / waiting\n", ""),),
            (("            for p in net.parameters():\n                p.grad *= SPAN / waiting\n", O_CLIP[4:]),),
        ),
        tempts=("dropped-accumulation-tail",),
    )


PLANKTON = Draft(
    "plankton-callbacks",
    """\
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.set_default_dtype(torch.float64)


class Callback:
    def before_update(self, run):
        pass

    def after_update(self, run):
        pass

    def after_epoch(self, run):
        pass


class Clip(Callback):
    def before_update(self, run):
        nn.utils.clip_grad_norm_(run.net.parameters(), 0.3)


class Decay(Callback):
    def __init__(self, opt):
        self.schedule = torch.optim.lr_scheduler.StepLR(opt, step_size=2, gamma=0.5)

    def after_update(self, run):
        self.schedule.step()


class Census(Callback):
    def __init__(self, samples):
        self.samples = samples
        self.history = []

    def after_update(self, run):
        self.history.append(run.loss.item())

    def after_epoch(self, run):
        run.net.eval()
        with torch.no_grad():
            right = sum((run.net(x).argmax(1) == y).sum().item() for x, y in self.samples)
        run.net.train()
        print(run.epoch, right, f"{sum(self.history):.4f}")


class Trainer:
    def __init__(self, net, opt, loader, callbacks, window=2):
        self.net, self.opt, self.loader = net, opt, loader
        self.callbacks, self.window = callbacks, window

    def tell(self, event):
        for callback in self.callbacks:
            getattr(callback, event)(self)

    def fit(self, epochs):
        self.net.train()
        for self.epoch in range(epochs):
            for number, (x, y) in enumerate(self.loader, 1):
                self.loss = F.cross_entropy(self.net(x), y)
                (self.loss / self.window).backward()
                if number % self.window == 0 or number == len(self.loader):
                    self.tell("before_update")
                    self.opt.step()
                    self.opt.zero_grad()
                    self.tell("after_update")
            self.tell("after_epoch")
        return self.net


def main():
    torch.manual_seed(31)
    images, labels = torch.randn(20, 1, 6, 6), torch.randint(0, 3, (20,))
    head = nn.Sequential(nn.Flatten(), nn.Dropout(0.3), nn.Linear(48, 3))
    net = nn.Sequential(nn.Conv2d(1, 3, 3), nn.BatchNorm2d(3), nn.ReLU(), head)
    opt = torch.optim.SGD(net.parameters(), lr=0.2, momentum=0.9)
    loader = DataLoader(TensorDataset(images, labels), batch_size=4)
    census = Census([(images[:4], labels[:4]), (images[4:8], labels[4:8])])
    return Trainer(net, opt, loader, [Clip(), Decay(opt), census]).fit(3)
""",
    ("missing-train-mode", "scheduler-per-micro-batch"),
)

P_UPDATE = """\
                    self.tell("before_update")
                    self.opt.step()
                    self.opt.zero_grad()
                    self.tell("after_update")
"""
P_AWAKE = "        run.net.train()\n        print"


def plankton() -> Iterator[Case]:
    yield PLANKTON.right("told-by-name")
    yield PLANKTON.right(
        "stem-sleeps-on",
        ("        self.net.train()\n", "        self.net.train()\n        self.net[1].eval()\n"),
        (P_AWAKE, "        run.net.train()\n        run.net[1].eval()\n        print"),
    )
    yield PLANKTON.right(
        "norms-are-measured-behind-the-update",
        (
            "                    self.opt.zero_grad()\n" + '                    self.tell("after_update")\n',
            '                    self.tell("after_update")\n                    self.opt.zero_grad()\n',
        ),
        (
            "self.history.append(run.loss.item())",
            'self.history.append(nn.utils.clip_grad_norm_(run.net.parameters(), float("inf")).item())',
        ),
        tempts=("clip-after-step",),
    )
    yield slip(PLANKTON, "never-woken", "missing-train-mode", P_AWAKE, "        print")
    yield slip(
        PLANKTON,
        "census-with-graphs",
        "validation-without-no-grad",
        "        with torch.no_grad():\n",
        "        if self.samples:\n",
    )
    yield slip(
        PLANKTON,
        "graphs-in-the-history",
        "loss-graph-leak",
        "self.history.append(run.loss.item())",
        "self.history.append(run.loss)",
    )
    yield slip(
        PLANKTON,
        "clip-is-told-too-late",
        "clip-after-step",
        P_UPDATE,
        '                    self.opt.step()\n                    self.tell("before_update")\n'
        '                    self.opt.zero_grad()\n                    self.tell("after_update")\n',
    )
    yield slip(PLANKTON, "clearing-is-only-named", "method-not-called", "self.opt.zero_grad()", "self.opt.zero_grad")


LEAVES = Draft(
    "leaf-photos-notebook",
    """\
import torch
from torch import nn
from torch.nn import functional as F


def main():
    torch.manual_seed(4)
    photos = torch.rand(30, 12)
    species = photos.view(30, 3, 4).sum(2).argmax(1)
    net = nn.Sequential(nn.Linear(12, 10), nn.ReLU(), nn.Linear(10, 3))
    opt = torch.optim.SGD(net.parameters(), lr=0.5, momentum=0.9)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.9)
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0**20, growth_interval=4)
    every, micro = 2, 5
    norms = []
    for epoch in range(3):
        for n, rows in enumerate(torch.randperm(30).split(micro)):
            with torch.autocast("cpu", dtype=torch.float16):
                logits = net(photos[rows])
            loss = F.cross_entropy(logits.float(), species[rows])
            scaler.scale(loss / every).backward()
            if (n + 1) % every == 0:
                scaler.unscale_(opt)
                norm = nn.utils.clip_grad_norm_(net.parameters(), 0.1)
                scaler.step(opt)
                scaler.update()
                opt.zero_grad()
                if norm.isfinite():
                    norms.append(norm.item())
        sched.step()
        print(epoch, f"{sum(norms):.3f}", sched.get_last_lr()[0])
    return net
""",
    ("clip-scaled-gradients", "missing-scaler-update"),
)

L_UNSCALE = "                scaler.unscale_(opt)\n"
L_STEP = "                scaler.step(opt)\n"
L_UPDATE = "                scaler.update()\n"
L_CLIP = "                norm = nn.utils.clip_grad_norm_(net.parameters(), 0.1)\n"
L_BACKWARD = "            scaler.scale(loss / every).backward()\n"


def leaves() -> Iterator[Case]:
    yield LEAVES.right("first-updates-overflow")
    yield LEAVES.right(
        "unscaled-by-hand",
        (
            L_UNSCALE + L_CLIP + L_STEP + L_UPDATE,
            """\
                for p in net.parameters():
                    p.grad /= scaler.get_scale()
"""
            + L_CLIP
            + "                if norm.isfinite():\n                    opt.step()\n"
            "                scaler.update(scaler.get_scale() / (1 if norm.isfinite() else 2))\n",
        ),
        tempts=("step-bypasses-scaler", "clip-scaled-gradients"),
    )
    yield LEAVES.right(
        "limit-carries-the-scale",
        (
            L_UNSCALE + L_CLIP,
            (
                "                scale = scaler.get_scale()\n"
                "                norm = nn.utils.clip_grad_norm_(net.parameters(), 0.1 * scale) / scale\n"
            ),
        ),
    )
    yield slip(LEAVES, "clip-meets-the-scale", "clip-scaled-gradients", L_UNSCALE, "")
    yield slip(LEAVES, "overflow-reaches-the-weights", "step-bypasses-scaler", L_STEP, "                opt.step()\n")
    yield LEAVES.wrong("scale-never-moves", ((L_UPDATE, ""),), tempts=("missing-scaler-update",), raises="RuntimeError")
    yield LEAVES.wrong(
        "unscaled-for-each-photo",
        ((L_UNSCALE, ""), (L_BACKWARD, L_BACKWARD + "            scaler.unscale_(opt)\n")),
        tempts=("double-unscale",),
        raises="RuntimeError",
    )
    guarded = "                if norm.isfinite():\n                    scaler.step(opt)\n"
    yield LEAVES.wrong(
        "good-norms-only",
        ((L_STEP + L_UPDATE, guarded + "    " + L_UPDATE),),
        fine=(((L_STEP, guarded),),),
        tempts=("missing-scaler-update",),
        raises="RuntimeError",
    )


WINGS = Draft(
    "wing-beats-by-closure",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def beats(count, seed):
    rng = torch.Generator().manual_seed(seed)
    for _ in range(count):
        t = torch.rand(5, 2, generator=rng)
        yield t, torch.cos(5 * t[:, :1]) * t[:, 1:]


def make_learner(net, opt, parts, limit):
    turn, norm = 0, 0.0

    def learn(t, lift):
        nonlocal turn, norm
        loss = (net(t) - lift).square().mean()
        loss.div(parts).backward()
        turn += 1
        if turn % parts == 0:
            norm = nn.utils.clip_grad_norm_(net.parameters(), limit).item()
            opt.step()
            opt.zero_grad()
        return loss.item(), norm

    return learn


def main():
    torch.manual_seed(14)
    net = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))
    opt = torch.optim.AdamW(net.parameters(), lr=0.03, weight_decay=0.1)
    learn = make_learner(net, opt, parts=4, limit=0.2)
    total, seen = 0.0, 0
    for flight in range(2):
        for t, lift in beats(10, flight):
            loss, norm = learn(t, lift)
            total += loss
            seen += 1
        print(f"{flight} {total / seen:.5f} {norm:.5f}")
    return net
""",
    ("unscaled-accumulation-loss", "accumulation-off-by-one"),
)

W_STEP = "            opt.step()\n"
W_CLEAR = "            opt.zero_grad()\n"


def wings() -> Iterator[Case]:
    yield WINGS.right("turns-go-on-over-the-flights")
    yield WINGS.right("counted-down-from-the-end", ("turn, norm = 0, 0.0", "turn, norm = -20, 0.0"))
    yield WINGS.right(
        "counted-behind-the-update",
        ("        turn += 1\n", ""),
        ("        if turn % parts == 0:", "        if turn % parts == parts - 1:"),
        ("        return loss.item(), norm", "        turn += 1\n        return loss.item(), norm"),
    )
    yield WINGS.right(
        "cleared-when-a-window-opens",
        (W_CLEAR, ""),
        ("        loss = (net", "        if turn % parts == 0:\n            opt.zero_grad()\n        loss = (net"),
    )
    yield slip(
        WINGS,
        "counted-before-and-one-added",
        "accumulation-off-by-one",
        "        if turn % parts == 0:",
        "        if (turn + 1) % parts == 0:",
    )
    yield slip(WINGS, "sum-of-parts", "unscaled-accumulation-loss", "loss.div(parts).backward()", "loss.backward()")
    yield slip(WINGS, "swapped-at-the-end", "zero-grad-before-step", W_STEP + W_CLEAR, W_CLEAR + W_STEP)
    yield slip(WINGS, "losses-with-their-graphs", "loss-graph-leak", "return loss.item(), norm", "return loss, norm")


def cases() -> Iterator[Case]:
    yield from owls()
    yield from plankton()
    yield from leaves()
    yield from wings()
