"""A curriculum whose windows grow, and a loop that skips what is not finite."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

GROWING = Draft(
    "growing-windows",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def main():
    torch.manual_seed(17)
    net = nn.Linear(3, 2)
    opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    for stage, width in enumerate((1, 2, 4)):
        opt.zero_grad()
        for k in range(8):
            x = torch.randn(4, 3)
            if stage == 1 and k in (2, 3):
                x[0, 0] = float("inf")
            loss = (net(x) - x[:, :2]).square().mean()
            if torch.isfinite(loss):
                (loss / width).backward()
            if (k + 1) % width == 0:
                opt.step()
                opt.zero_grad()
    return net
""",
    ("accumulation-divisor-mismatch", "accumulation-off-by-one"),
)

UPDATE = "                opt.step()\n                opt.zero_grad()\n"


def cases() -> Iterator[Case]:
    """Windows of another length in each stage."""
    yield GROWING.right("as-it-should-be")
    yield GROWING.wrong("undivided", (("(loss / width)", "loss"),), tempts=("unscaled-accumulation-loss",))
    yield GROWING.wrong("divided-by-the-largest", (("(loss / width)", "(loss / 8)"),))
    yield GROWING.wrong("guard-one-early", (("(k + 1) % width", "k % width"),))
    yield GROWING.wrong(
        "cleared-nowhere-inside", ((UPDATE, "                opt.step()\n"),), tempts=("missing-zero-grad",)
    )
    yield GROWING.right("counted-down", ("(k + 1) % width == 0", "k % width == width - 1"))
