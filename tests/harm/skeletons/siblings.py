"""Closures and two optimizers over one encoder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

SHARED = Draft(
    "encoder-and-two-heads",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def main():
    torch.manual_seed(6)
    encoder, left, right = nn.Linear(4, 5), nn.Linear(5, 1), nn.Linear(5, 1)
    slow = torch.optim.SGD(encoder.parameters(), lr=0.02)
    fast = torch.optim.Adam([*left.parameters(), *right.parameters()], lr=0.05)
    for turn in range(6):
        code = torch.tanh(encoder(torch.randn(6, 4)))
        first = left(code).square().mean()
        second = (right(code) - 1).abs().mean()
        slow.zero_grad()
        fast.zero_grad()
        first.backward(retain_graph=True)
        second.backward()
        slow.step()
        fast.step()
    return encoder, left, right
""",
    ("missing-zero-grad", "unscaled-accumulation-loss"),
)


def cases() -> Iterator[Case]:
    """Gradients that one optimizer gathers for longer than the other."""
    yield SHARED.right("as-it-should-be")
    yield SHARED.wrong("one-of-two-cleared", (("        fast.zero_grad()\n", ""),))
    yield SHARED.wrong("neither-cleared", (("        slow.zero_grad()\n", ""),), (("        fast.zero_grad()\n", ""),))
    yield SHARED.right(
        "encoder-every-second-turn",
        ("        slow.zero_grad()\n", ""),
        ("        slow.step()\n", "        if turn % 2:\n            slow.step()\n            slow.zero_grad()\n"),
    )
    yield SHARED.right(
        "second-task-for-its-head-only",
        ("        second.backward()\n", "        second.backward(inputs=list(right.parameters()))\n"),
    )
    yield SHARED.right(
        "cleared-through-modules",
        (
            "        slow.zero_grad()\n        fast.zero_grad()\n",
            "        for part in (encoder, left, right):\n            part.zero_grad()\n",
        ),
    )
