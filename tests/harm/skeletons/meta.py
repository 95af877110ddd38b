"""Learning to learn: inner loops on copies, outer steps on what the copies have learnt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

REPTILE = Draft(
    "outer-step-from-copies",
    """\
import copy
import math

import torch
from torch import nn, optim

torch.set_default_dtype(torch.float64)

META_BATCH, INNER_STEPS, ROUNDS = 3, 4, 3


def sine_task(rng):
    shift, height = torch.rand(2, generator=rng) * torch.tensor([math.pi, 4.0])
    x = torch.rand(10, 1, generator=rng) * 6 - 3
    return x, height * torch.sin(x + shift)


def make_net():
    return nn.Sequential(nn.Linear(1, 12), nn.Tanh(), nn.Linear(12, 1))


def adapt(net, x, y):
    learner = copy.deepcopy(net)
    inner = optim.SGD(learner.parameters(), lr=0.02)
    for _ in range(INNER_STEPS):
        inner.zero_grad()
        nn.functional.mse_loss(learner(x), y).backward()
        nn.utils.clip_grad_norm_(learner.parameters(), 1.0)
        inner.step()
    return learner


def main():
    torch.manual_seed(17)
    rng = torch.Generator().manual_seed(3)
    net = make_net()
    outer = optim.Adam(net.parameters(), lr=0.05)
    fade = optim.lr_scheduler.ExponentialLR(outer, gamma=0.8)
    for number in range(ROUNDS):
        outer.zero_grad()
        after = 0.0
        for _ in range(META_BATCH):
            x, y = sine_task(rng)
            learner = adapt(net, x[:5], y[:5])
            query = nn.functional.mse_loss(learner(x[5:]), y[5:]) / META_BATCH
            gradients = torch.autograd.grad(query, list(learner.parameters()))
            for slow, gradient in zip(net.parameters(), gradients):
                slow.grad = gradient if slow.grad is None else slow.grad + gradient
            after += query.item()
        outer.step()
        fade.step()
        print(f"{number}: query loss {after:.5f}, rate {outer.param_groups[0]['lr']:.4f}")
    return net
""",
    ("missing-zero-grad", "zero-grad-in-accumulation", "unscaled-accumulation-loss"),
)

M_INNER_CLEAR = "        inner.zero_grad()\n"
M_CLIP = "        nn.utils.clip_grad_norm_(learner.parameters(), 1.0)\n"
M_INNER_STEP = "        inner.step()\n"
M_OUTER_CLEAR = "        outer.zero_grad()\n"
M_OUTER = "        outer.step()\n"
M_FADE = "        fade.step()\n"
M_GRADS = """\
            gradients = torch.autograd.grad(query, list(learner.parameters()))
            for slow, gradient in zip(net.parameters(), gradients):
                slow.grad = gradient if slow.grad is None else slow.grad + gradient
"""


def cases() -> Iterator[Case]:
    yield REPTILE.right("gradients-of-the-copies-are-gathered")
    yield REPTILE.right(
        "inner-slopes-grow-on-purpose",
        (M_INNER_CLEAR, ""),
        (
            M_INNER_STEP,
            M_INNER_STEP + "        # nothing cleared: the sum of slopes is the momentum of the fast learner\n",
        ),
        tempts=("missing-zero-grad",),
    )
    yield REPTILE.right(
        "difference-stands-in-for-the-slope",
        (
            M_GRADS,
            """\
            for slow, fast in zip(net.parameters(), learner.parameters()):
                difference = (slow - fast).detach() / META_BATCH
                slow.grad = difference if slow.grad is None else slow.grad + difference
""",
        ),
        (
            "            query = nn.functional.mse_loss(learner(x[5:]), y[5:]) / META_BATCH\n",
            """\
            with torch.no_grad():
                query = nn.functional.mse_loss(learner(x[5:]), y[5:]) / META_BATCH
""",
        ),
        tempts=("missing-zero-grad", "zero-grad-before-step", "validation-without-no-grad"),
    )
    yield REPTILE.wrong(
        "inner-limit-comes-late",
        ((M_CLIP + M_INNER_STEP, M_INNER_STEP + M_CLIP),),
        tempts=("clip-after-step",),
    )
    yield REPTILE.wrong(
        "outer-slopes-pile-up",
        ((M_OUTER_CLEAR, ""),),
        tempts=("missing-zero-grad",),
    )
    yield REPTILE.wrong(
        "rate-fades-in-front-of-the-tasks-end",
        ((M_OUTER + M_FADE, M_FADE + M_OUTER),),
        ((M_CLIP, ""), (M_INNER_CLEAR, M_INNER_CLEAR + M_CLIP)),
        tempts=("scheduler-before-optimizer", "clip-before-backward"),
    )
