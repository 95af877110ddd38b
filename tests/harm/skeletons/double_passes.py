"""Updates that take more than one pass: a step to the worst neighbour, closures, and learning to learn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

NEIGHBOUR = Draft(
    "worst-neighbour",
    """\
import contextlib

import torch
from torch import nn

RHO = 0.08


@contextlib.contextmanager
def worst_neighbour(parameters, rho=RHO):
    '''Moves the parameters uphill for the time of the block.'''
    parameters = list(parameters)
    norm = torch.linalg.vector_norm(torch.stack([p.grad.norm() for p in parameters]))
    moves = [p.grad * (rho / (norm + 1e-12)) for p in parameters]
    with torch.no_grad():
        for p, move in zip(parameters, moves):
            p.add_(move)
    try:
        yield float(norm)
    finally:
        with torch.no_grad():
            for p, move in zip(parameters, moves):
                p.sub_(move)


def main():
    torch.set_default_dtype(torch.float64)
    torch.manual_seed(20)
    net = nn.Sequential(nn.Linear(5, 11), nn.GELU(), nn.Linear(11, 2))
    loss_fn = nn.CrossEntropyLoss(label_smoothing=0.1)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.4, momentum=0.9)
    rates = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.7)
    x, y = torch.randn(32, 5), torch.randint(0, 2, (32,))
    for epoch in range(3):
        for rows in torch.randperm(32).split(8):
            loss = loss_fn(net(x[rows]), y[rows])
            loss.backward()
            with worst_neighbour(net.parameters()) as norm:
                optimizer.zero_grad()
                loss_fn(net(x[rows]), y[rows]).backward()
            nn.utils.clip_grad_norm_(net.parameters(), max_norm=0.2)
            optimizer.step()
            optimizer.zero_grad()
        rates.step()
        print(f"epoch {epoch} loss {loss.item():.4f} norm {norm:.4f}")
    return net
""",
    ("zero-grad-before-step", "missing-zero-grad"),
)

N_INSIDE = "                optimizer.zero_grad()\n"
N_CLIP = "            nn.utils.clip_grad_norm_(net.parameters(), max_norm=0.2)\n"
N_STEP = "            optimizer.step()\n"
N_CLEAR = "            optimizer.zero_grad()\n        rates"


def neighbour() -> Iterator[Case]:
    yield NEIGHBOUR.right("cleared-between-the-passes", tempts=("zero-grad-before-step", "unscaled-accumulation-loss"))
    yield NEIGHBOUR.right(
        "both-slopes-count",
        (N_INSIDE, "                # half of each slope, as in the paper on flat and low minima\n"),
        (
            "y[rows]).backward()\n            nn",
            "y[rows]).backward()\n            for p in net.parameters():\n                p.grad.mul_(0.5)\n            nn",
        ),
        tempts=("unscaled-accumulation-loss",),
    )
    yield NEIGHBOUR.right(
        "both-passes-limited",
        (
            "            loss.backward()\n",
            "            loss.backward()\n            nn.utils.clip_grad_norm_(net.parameters(), max_norm=1.0)\n",
        ),
        tempts=("clip-before-backward", "zero-grad-before-step"),
    )
    yield NEIGHBOUR.wrong(
        "never-cleared-behind-the-step", ((N_STEP + N_CLEAR, N_STEP + "        rates"),), tempts=("missing-zero-grad",)
    )
    yield NEIGHBOUR.wrong(
        "cleared-in-front-of-the-step",
        ((N_STEP + N_CLEAR, "            optimizer.zero_grad()\n" + N_STEP + "        rates"),),
        tempts=("zero-grad-before-step",),
    )
    yield NEIGHBOUR.wrong("limited-behind-the-step", ((N_CLIP + N_STEP, N_STEP + N_CLIP),), tempts=("clip-after-step",))
    yield NEIGHBOUR.wrong(
        "rate-falls-first",
        (
            ("        rates.step()\n", ""),
            ("        for rows in", "        rates.step()\n        for rows in"),
        ),
        tempts=("scheduler-before-optimizer",),
    )


CLOSURE = Draft(
    "coarse-then-fine-fit",
    """\
import torch


class Field(torch.nn.Module):
    def __init__(self, width=10):
        super().__init__()
        self.body = torch.nn.Sequential(
            torch.nn.Linear(1, width), torch.nn.Tanh(), torch.nn.Linear(width, 1)
        )

    def forward(self, t):
        return 1 + t * self.body(t)


def residual(field, t):
    '''u' = -u with u(0) = 1'''
    t = t.requires_grad_(True)
    u = field(t)
    (du,) = torch.autograd.grad(u.sum(), t, create_graph=True)
    return (du + u).square().mean()


def coarse(field, points, steps):
    adam = torch.optim.Adam(field.parameters(), lr=0.02)
    for step in range(steps):
        adam.zero_grad()
        loss = residual(field, points)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(field.parameters(), 0.5)
        adam.step()
    return loss.item()


def fine(field, points, rounds):
    lbfgs = torch.optim.LBFGS(field.parameters(), lr=0.5, max_iter=4, history_size=5)
    trace = []

    def closure():
        lbfgs.zero_grad()
        loss = residual(field, points)
        loss.backward()
        trace.append(loss.item())
        return loss

    for _ in range(rounds):
        lbfgs.step(closure)
    return trace


def main():
    torch.set_default_dtype(torch.float64)
    torch.manual_seed(1)
    field, points = Field(), torch.linspace(0, 2, 20)[:, None]
    print(f"coarse {coarse(field, points, steps=15):.5f}")
    trace = fine(field, points, rounds=5)
    print(f"fine {trace[0]:.5f} -> {trace[-1]:.5f} in {len(trace)} evaluations")
    return field
""",
    ("missing-zero-grad", "zero-grad-before-step"),
)

F_CLEAR = "        adam.zero_grad()\n"
F_STEP = "        adam.step()\n"
F_CLIP = "        torch.nn.utils.clip_grad_norm_(field.parameters(), 0.5)\n"
F_CLOSURE = "        lbfgs.zero_grad()\n"
F_LOSS = "        loss = residual(field, points)\n        loss.backward()\n        trace"


def closure() -> Iterator[Case]:
    yield CLOSURE.right("all-in-the-closure")
    yield CLOSURE.right(
        "last-slope-kept-for-the-report",
        (F_CLEAR, ""),
        ("    for step in range(steps):\n", "    for step in range(steps):\n        field.zero_grad()\n"),
        (
            "    return loss.item()\n",
            "    norm = torch.nn.utils.clip_grad_norm_(field.parameters(), float('inf'))\n    print(f'last slope {float(norm):.5f}')\n    return loss.item()\n",
        ),
        tempts=("clip-after-step", "missing-zero-grad"),
    )
    yield CLOSURE.right(
        "closures-in-both-parts",
        (
            F_CLEAR + "        loss = residual(field, points)\n        loss.backward()\n" + F_CLIP + F_STEP,
            """\

        def closure():
            adam.zero_grad()
            value = residual(field, points)
            value.backward()
            torch.nn.utils.clip_grad_norm_(field.parameters(), 0.5)
            return value

        loss = adam.step(closure)
""",
        ),
    )
    yield CLOSURE.wrong("closure-does-not-clear", ((F_CLOSURE, ""),), tempts=("missing-zero-grad",))
    yield CLOSURE.wrong("coarse-part-does-not-clear", ((F_CLEAR, ""),), tempts=("missing-zero-grad",))
    yield CLOSURE.wrong(
        "coarse-part-limits-nothing",
        ((F_CLIP, ""), (F_CLEAR, F_CLEAR + F_CLIP)),
        tempts=("clip-before-backward",),
    )


TASKS = Draft(
    "learning-to-learn",
    """\
import copy
import math
import random

import torch
from torch import nn

INNER_STEPS, META_BATCH = 3, 4


def task(rng):
    a, b = rng.uniform(0.5, 2.0), rng.uniform(0, math.pi)
    x = torch.tensor([[rng.uniform(-3, 3)] for _ in range(12)])
    y = a * torch.sin(x + b)
    return (x[:6], y[:6]), (x[6:], y[6:])


def adapt(model, support):
    learner = copy.deepcopy(model)
    inner = torch.optim.SGD(learner.parameters(), lr=0.05)
    x, y = support
    for _ in range(INNER_STEPS):
        inner.zero_grad()
        nn.functional.mse_loss(learner(x), y).backward()
        inner.step()
    learner.zero_grad()
    return learner


def meta_train(model, iterations):
    rng = random.Random(6)
    outer = torch.optim.Adam(model.parameters(), lr=0.01)
    for iteration in range(iterations):
        outer.zero_grad()
        meta_loss = 0.0
        for _ in range(META_BATCH):
            support, (x, y) = task(rng)
            learner = adapt(model, support)
            loss = nn.functional.mse_loss(learner(x), y) / META_BATCH
            loss.backward()
            for mine, theirs in zip(model.parameters(), learner.parameters()):
                mine.grad = theirs.grad.clone() if mine.grad is None else mine.grad + theirs.grad
            meta_loss += loss.item()
        nn.utils.clip_grad_norm_(model.parameters(), 0.7)
        outer.step()
        print(f"iteration {iteration}: {meta_loss:.4f}")


def main():
    torch.manual_seed(6)
    model = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))
    meta_train(model, iterations=4)
    return model
""",
    ("missing-zero-grad", "zero-grad-in-accumulation"),
)

M_OUTER = "        outer.zero_grad()\n"
M_CLIP = "        nn.utils.clip_grad_norm_(model.parameters(), 0.7)\n"
M_STEP = "        outer.step()\n"


def tasks() -> Iterator[Case]:
    yield TASKS.right("first-order", tempts=("accumulation-divisor-mismatch", "zero-grad-in-accumulation"))
    yield TASKS.right(
        "moved-towards-the-learners",
        (
            "            loss = nn.functional.mse_loss(learner(x), y) / META_BATCH\n            loss.backward()\n",
            "            with torch.no_grad():\n                loss = nn.functional.mse_loss(learner(x), y) / META_BATCH\n",
        ),
        (
            "                mine.grad = theirs.grad.clone() if mine.grad is None else mine.grad + theirs.grad\n",
            "                way = (mine.detach() - theirs.detach()) / META_BATCH\n                mine.grad = way if mine.grad is None else mine.grad + way\n",
        ),
        tempts=("missing-zero-grad", "clip-before-backward"),
    )
    yield TASKS.right(
        "adapted-without-an-optimizer",
        (
            """\
        inner.zero_grad()
        nn.functional.mse_loss(learner(x), y).backward()
        inner.step()
    learner.zero_grad()
""",
            """\
        slopes = torch.autograd.grad(nn.functional.mse_loss(learner(x), y), list(learner.parameters()))
        with torch.no_grad():
            for p, slope in zip(learner.parameters(), slopes):
                p -= 0.05 * slope
""",
        ),
        ("    inner = torch.optim.SGD(learner.parameters(), lr=0.05)\n", ""),
        tempts=("missing-zero-grad",),
    )
    yield TASKS.right(
        "sum-over-tasks-limited",
        (" / META_BATCH\n            loss.backward", "\n            loss.backward"),
        ("            meta_loss += loss.item()\n", "            meta_loss += loss.item() / META_BATCH\n"),
        (M_CLIP, "        for p in model.parameters():\n            p.grad.div_(META_BATCH)\n" + M_CLIP),
        tempts=("unscaled-accumulation-loss",),
    )
    yield TASKS.wrong("outer-never-cleared", ((M_OUTER, ""),), tempts=("missing-zero-grad",))
    yield TASKS.wrong(
        "outer-cleared-for-each-task",
        (
            (M_OUTER, ""),
            (
                "            support, (x, y) = task(rng)\n",
                "            outer.zero_grad()\n            support, (x, y) = task(rng)\n",
            ),
        ),
        tempts=("zero-grad-in-accumulation",),
    )
    yield TASKS.wrong(
        "inner-never-cleared",
        (("        inner.zero_grad()\n", ""),),
        tempts=("missing-zero-grad",),
    )
    yield TASKS.wrong("outer-limited-too-late", ((M_CLIP + M_STEP, M_STEP + M_CLIP),), tempts=("clip-after-step",))


def cases() -> Iterator[Case]:
    yield from neighbour()
    yield from closure()
    yield from tasks()
