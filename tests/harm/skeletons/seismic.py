"""A seismic picker trained with a loss scale on the processor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

PICKER = Draft(
    "seismic-picker",
    """\
import torch
from torch import nn


def main():
    torch.manual_seed(4)
    picker = nn.Sequential(nn.Linear(6, 10), nn.ReLU(), nn.Linear(10, 1))
    optimizer = torch.optim.SGD(picker.parameters(), lr=0.2, momentum=0.9)
    scaler = torch.amp.GradScaler("cpu", init_scale=128.0, growth_interval=2)
    traces, onsets = torch.randn(8, 5, 6), torch.randn(8, 5, 1)
    for trace, onset in zip(traces, onsets):
        optimizer.zero_grad()
        with torch.autocast("cpu", dtype=torch.float16):
            loss = nn.functional.mse_loss(picker(trace), onset)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(picker.parameters(), 0.3)
        scaler.step(optimizer)
        scaler.update()
    return picker
""",
    ("clip-scaled-gradients", "double-unscale"),
)

UNSCALE = "        scaler.unscale_(optimizer)\n"
CLIP = "        nn.utils.clip_grad_norm_(picker.parameters(), 0.3)\n"
STEP = "        scaler.step(optimizer)\n"
UPDATE = "        scaler.update()\n"
SCALED = "        scaler.scale(loss).backward()\n"


def cases() -> Iterator[Case]:
    """Mistakes around the scale, and scales that are undone by hand."""
    yield PICKER.right("as-it-should-be")
    yield PICKER.wrong("clip-of-scaled", ((UNSCALE, ""),), tempts=("clip-scaled-gradients",))
    yield PICKER.wrong("clip-before-unscale", ((UNSCALE + CLIP, CLIP + UNSCALE),), tempts=("clip-scaled-gradients",))
    yield PICKER.wrong("clip-behind-scaled-step", ((CLIP + STEP, STEP + CLIP),), tempts=("clip-after-step",))
    yield PICKER.wrong(
        "plain-backward",
        ((SCALED, "        loss.backward()\n"),),
        tempts=("unscaled-backward",),
        raises="AssertionError",
    )
    yield PICKER.right(
        "scale-in-the-limit",
        (UNSCALE, ""),
        ("picker.parameters(), 0.3", "picker.parameters(), 0.3 * scaler.get_scale()"),
    )
    yield PICKER.right("no-clip-no-unscale", (UNSCALE + CLIP, ""))
    yield PICKER.right(
        "scale-kept-constant",
        ("growth_interval=2", "growth_interval=10**9"),
        ("init_scale=128.0", "init_scale=64.0"),
    )
    yield PICKER.right(
        "norm-of-unscaled-logged",
        (CLIP, CLIP.replace("nn.utils", "norm = nn.utils")),
        (UPDATE, UPDATE + '        print(f"{float(norm):.3f} {scaler.get_scale()}")\n'),
    )
    yield PICKER.wrong(
        "update-forgotten", ((STEP + UPDATE, STEP),), tempts=("missing-scaler-update",), raises="RuntimeError"
    )
    yield PICKER.wrong(
        "unscaled-twice", ((UNSCALE, UNSCALE + UNSCALE),), tempts=("double-unscale",), raises="RuntimeError"
    )
