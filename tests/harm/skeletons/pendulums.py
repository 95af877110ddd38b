"""Pendulums: passes where gradients are looked at, kept or replaced between the backward and the step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

SWING = Draft(
    "pendulum-fit",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def main():
    torch.manual_seed(21)
    model = nn.Sequential(nn.Linear(2, 6), nn.Tanh(), nn.Linear(6, 1))
    params = list(model.parameters())
    optim = torch.optim.Adam(params, lr=0.03)
    for _ in range(6):
        state = torch.randn(7, 2)
        loss = (model(state) - torch.sin(state[:, :1])).square().mean()
        optim.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(params, 0.2)
        optim.step()
        print(f"{loss.item():.4f}")
    return model
""",
    ("missing-zero-grad", "clip-after-step"),
)

CLEAR = "        optim.zero_grad()\n"
BACK = "        loss.backward()\n"
CLIP = "        nn.utils.clip_grad_norm_(params, 0.2)\n"
STEP = "        optim.step()\n"


def cases() -> Iterator[Case]:
    """Orders of the four calls, and gradients that are used for more than the step."""
    yield SWING.right("as-it-should-be")
    yield SWING.wrong("nothing-cleared", ((CLEAR, ""),), tempts=("missing-zero-grad",))
    yield SWING.wrong("clip-too-early", ((BACK + CLIP, CLIP + BACK),), tempts=("clip-before-backward",))
    yield SWING.wrong("clip-too-late", ((CLIP + STEP, STEP + CLIP),), tempts=("clip-after-step",))
    yield SWING.wrong("cleared-before-use", ((CLEAR + BACK, BACK + CLEAR),), tempts=("zero-grad-before-step",))
    yield SWING.wrong(
        "iterator-used-up",
        (("params = list(model.parameters())", "params = model.parameters()"),),
        tempts=("clip-exhausted-parameters",),
    )
    yield SWING.right("cleared-behind-step", (CLEAR + BACK, BACK), (STEP, STEP + CLEAR))
    yield SWING.right(
        "gradients-assigned",
        (
            CLEAR + BACK,
            "        for p, g in zip(params, torch.autograd.grad(loss, params)):\n            p.grad = g\n",
        ),
        tempts=("missing-zero-grad",),
    )
    yield SWING.right(
        "noise-behind-clip",
        (CLIP, CLIP + "        for p in params:\n            p.grad += 0.01 * torch.randn_like(p)\n"),
    )
    yield SWING.right(
        "gradient-saved-then-cleared",
        (
            BACK,
            BACK
            + "        saved = [p.grad.clone() for p in params]\n"
            + CLEAR
            + "        (0.1 * sum(p.square().sum() for p in params)).backward()\n"
            "        for p, g in zip(params, saved):\n            p.grad.add_(g)\n",
        ),
        tempts=("zero-grad-before-step",),
    )
    yield SWING.right(
        "weights-kept-in-a-ball",
        (
            CLIP + STEP,
            STEP + "        with torch.no_grad():\n            for p in params:\n                p.clamp_(-1, 1)\n",
        ),
    )
