"""Trainings in stages: windows that grow from stage to stage, and a warm-up in front of the main loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

GROWING = Draft(
    "stages-of-growing-windows",
    """\
import io

import torch
from torch import nn

torch.set_default_dtype(torch.float64)

STAGES = [  # (epochs, length of the sequences, batches for each update)
    (1, 4, 1),
    (2, 6, 2),
    (2, 9, 4),
]
BATCHES = 10


def lesson(length, seed):
    rng = torch.Generator().manual_seed(seed)
    for _ in range(BATCHES):
        x = torch.randn(3, length, 2, generator=rng)
        yield x, x.cumsum(1)[..., :1].tanh()


class Tracker(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(2, 7, batch_first=True)
        self.out = nn.Linear(7, 1)

    def forward(self, x):
        return self.out(self.rnn(x)[0])


class Run:
    def __init__(self):
        self.model = Tracker()
        self.opt = torch.optim.SGD(self.model.parameters(), lr=0.3, momentum=0.8)
        self.sched = torch.optim.lr_scheduler.ExponentialLR(self.opt, 0.97)
        self.updates = 0

    def update(self):
        nn.utils.clip_grad_norm_(self.model.parameters(), 2.0)
        self.opt.step()
        self.sched.step()
        self.opt.zero_grad()
        self.updates += 1

    def epoch(self, batches, every):
        total, count = 0.0, 0
        rest = BATCHES % every
        for count, (x, y) in enumerate(batches, 1):
            size = rest if count > BATCHES - rest else every
            loss = (self.model(x) - y).square().mean()
            (loss / size).backward()
            total += loss.item()
            if count % every == 0:
                self.update()
        if count % every:
            self.update()
        return total / count

    def save(self):
        buffer = io.BytesIO()
        parts = {"model": self.model, "opt": self.opt, "sched": self.sched}
        torch.save({name: part.state_dict() for name, part in parts.items()} | {"updates": self.updates}, buffer)
        return buffer.getvalue()

    @classmethod
    def resume(cls, saved):
        run = cls()
        state = torch.load(io.BytesIO(saved), weights_only=True)
        run.model.load_state_dict(state["model"])
        run.opt.load_state_dict(state["opt"])
        run.sched.load_state_dict(state["sched"])
        run.updates = state["updates"]
        return run


def main():
    torch.manual_seed(23)
    run = Run()
    for number, (epochs, length, every) in enumerate(STAGES):
        for epoch in range(epochs):
            mean = run.epoch(lesson(length, seed=10 * number + epoch), every)
            print(f"stage {number} epoch {epoch}: {mean:.4f} after {run.updates} updates")
        run = Run.resume(run.save())
    return run.model
""",
    ("dropped-accumulation-tail", "accumulation-divisor-mismatch"),
)

W_UPDATE = "            if count % every == 0:\n                self.update()\n"
W_FLUSH = "        if count % every:\n            self.update()\n"
W_BACKWARD = "            (loss / size).backward()\n"
W_SIZE = "        rest = BATCHES % every\n"
W_SIZES = "            size = rest if count > BATCHES - rest else every\n"
W_CLEAR = "        self.opt.zero_grad()\n"
W_SCHED = "        self.sched.step()\n"
W_CLIP = "        nn.utils.clip_grad_norm_(self.model.parameters(), 2.0)\n"
PLAIN = GROWING.styled((W_SIZE, ""), (W_SIZES, ""), ("loss / size", "loss / every"))


def growing() -> Iterator[Case]:
    yield GROWING.right("rest-has-its-own-divisor")
    yield GROWING.left("rest-counts-less", ((W_SIZE, ""), (W_SIZES, ""), ("loss / size", "loss / every")))
    yield PLAIN.right(
        "rest-counts-less-on-purpose",
        (
            "        self.sched.step()\n",
            "        self.sched.step()  # the last update of an epoch is a small one on purpose\n",
        ),
    )
    yield GROWING.right(
        "condition-takes-the-rest-along",
        (W_FLUSH, ""),
        ("            if count % every == 0:\n", "            if count % every == 0 or count == BATCHES:\n"),
    )
    yield PLAIN.right(
        "rest-thrown-away",
        (W_FLUSH, W_CLEAR.replace("self", "# an odd rest is not worth an update\n        self")),
        tempts=("dropped-accumulation-tail",),
    )
    yield PLAIN.wrong(
        "rest-forgotten",
        ((W_FLUSH, ""),),
        fine=(
            ((W_BACKWARD.replace("size", "every"), W_SIZES.replace("rest", "(BATCHES % every)") + W_BACKWARD),),
            ((W_FLUSH, W_CLEAR),),
        ),
        tempts=("dropped-accumulation-tail",),
    )
    yield GROWING.wrong(
        "rest-and-windows-undivided",
        (
            (W_SIZE, ""),
            (W_SIZES, ""),
            (W_BACKWARD, "            loss.backward()\n"),
        ),
        fine=(((W_SIZE, ""), (W_SIZES, ""), ("loss / size", "loss / every")),),
        tempts=("unscaled-accumulation-loss",),
    )
    yield GROWING.wrong(
        "rate-moves-with-each-batch",
        ((W_SCHED, ""), (W_BACKWARD, W_BACKWARD + "    " + W_SCHED)),
        tempts=("scheduler-per-micro-batch",),
    )
    yield GROWING.wrong(
        "cleared-with-each-batch",
        ((W_CLEAR, ""), (W_BACKWARD, "    " + W_CLEAR + W_BACKWARD)),
        tempts=("zero-grad-in-accumulation",),
    )


WARMUP = Draft(
    "warm-up-in-front-of-the-loop",
    """\
import copy
import math

import torch
from torch import nn


def cosine(step, steps, peak):
    return peak * 0.5 * (1 + math.cos(math.pi * step / steps))


def set_lr(optimizer, lr):
    for group in optimizer.param_groups:
        group["lr"] = lr


def forever(x, y, size):
    while True:
        for rows in torch.randperm(len(x)).split(size):
            yield x[rows], y[rows]


def validate(model, x, y):
    model.eval()
    with torch.no_grad():
        error = (model(x) - y).abs().mean().item()
    model.train()
    return error


def warm_up(model, head, batches, steps, peak):
    '''Only the new head learns, with a rate that rises.'''
    for p in model.parameters():
        p.requires_grad_(False)
    for p in head.parameters():
        p.requires_grad_(True)
    optimizer = torch.optim.SGD(head.parameters(), lr=peak / steps)
    for step in range(steps):
        set_lr(optimizer, peak * (step + 1) / steps)
        x, y = next(batches)
        optimizer.zero_grad()
        nn.functional.l1_loss(model(x), y).backward()
        optimizer.step()
    for p in model.parameters():
        p.requires_grad_(True)


def main():
    torch.manual_seed(33)
    model = nn.Sequential(nn.Linear(5, 9), nn.BatchNorm1d(9), nn.ReLU(), nn.Dropout(0.3), nn.Linear(9, 1))
    x, y = torch.randn(48, 5), torch.randn(48, 1)
    batches = forever(x[:32], y[:32], size=8)
    warm_up(model, model[-1], batches, steps=4, peak=0.2)

    steps, every, eval_every, patience = 12, 2, 4, 2
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2, momentum=0.9, weight_decay=1e-3)
    best, best_state, bad, step = math.inf, None, 0, 0
    while step < steps and bad < patience:
        set_lr(optimizer, cosine(step, steps, peak=0.2))
        optimizer.zero_grad()
        for _ in range(every):
            inputs, target = next(batches)
            loss = nn.functional.l1_loss(model(inputs), target) / every
            loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 0.3)
        if torch.isfinite(norm):
            optimizer.step()
        step += 1
        if step % eval_every == 0:
            error = validate(model, x[32:], y[32:])
            print(f"step {step} error {error:.4f} norm {norm.item():.3f}")
            bad = 0 if error < best else bad + 1
            if error < best:
                best, best_state = error, copy.deepcopy(model.state_dict())
    model.load_state_dict(best_state)
    model.eval()
    return model
""",
    ("missing-train-mode", "missing-zero-grad"),
)

X_CLEAR = "        optimizer.zero_grad()\n        for _ in range(every):\n"
X_CLIP = "        norm = nn.utils.clip_grad_norm_(model.parameters(), 0.3)\n"
X_LOSS = "            loss.backward()\n"
X_STEP = "        if torch.isfinite(norm):\n            optimizer.step()\n"
X_TRAIN = "    model.train()\n    return error\n"
X_EVAL = "    with torch.no_grad():\n        error = (model(x) - y).abs().mean().item()\n"


def warmup() -> Iterator[Case]:
    yield WARMUP.right("evaluated-in-the-middle")
    yield WARMUP.right(
        "cleared-before-the-norm-is-looked-at",
        (X_CLEAR, "        for _ in range(every):\n"),
        (
            X_STEP,
            "        if torch.isfinite(norm):\n            optimizer.step()\n        optimizer.zero_grad()\n",
        ),
        (
            "        x, y = next(batches)\n        optimizer.zero_grad()\n",
            "        x, y = next(batches)\n        head.zero_grad()\n",
        ),
        (
            "    best, best_state, bad",
            "    optimizer.zero_grad()  # the warm-up has left some in the head\n    best, best_state, bad",
        ),
    )
    yield WARMUP.wrong(
        "validated-with-a-graph",
        ((X_EVAL, "    error = (model(x) - y).abs().mean().item()\n"),),
        tempts=("validation-without-no-grad",),
    )
    yield WARMUP.right(
        "train-mode-at-the-top-of-each-step",
        (X_TRAIN, "    return error\n"),
        ("        set_lr(optimizer, cosine(", "        model.train()\n        set_lr(optimizer, cosine("),
        tempts=("missing-train-mode",),
    )
    yield WARMUP.wrong(
        "graph-and-eval-left-behind",
        ((X_EVAL, "    error = (model(x) - y).abs().mean().item()\n"),),
        ((X_TRAIN, "    return error\n"),),
        tempts=("validation-without-no-grad", "missing-train-mode"),
    )
    yield WARMUP.styled((X_CLIP, X_CLIP.replace("0.3", "30.0"))).wrong(
        "halves-are-summed",
        (("target) / every\n", "target)\n"),),
        tempts=("unscaled-accumulation-loss",),
    )
    yield WARMUP.wrong("stays-in-eval", ((X_TRAIN, "    return error\n"),), tempts=("missing-train-mode",))
    yield WARMUP.wrong(
        "window-never-cleared",
        ((X_CLEAR, "        for _ in range(every):\n"),),
        fine=(((X_CLEAR, "        for _ in range(every):\n"), (X_STEP, X_STEP + "        optimizer.zero_grad()\n")),),
        tempts=("missing-zero-grad",),
    )
    yield WARMUP.wrong(
        "limited-for-each-batch",
        ((X_CLIP, ""), (X_LOSS, X_LOSS + "    " + X_CLIP)),
        tempts=("clip-per-micro-batch",),
    )
    yield WARMUP.right(
        "finite-or-cleared",
        (X_STEP, X_STEP + "        else:\n            optimizer.zero_grad()\n            continue\n"),
        tempts=("zero-grad-before-step", "missing-zero-grad"),
    )


def cases() -> Iterator[Case]:
    yield from growing()
    yield from warmup()
