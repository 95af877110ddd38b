"""While-loops with counters of their own: windows that cross epochs, guards that look one off, bare names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

COUNTED = Draft(
    "window-counted-by-hand",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)

EVERY = 4
TOTAL_UPDATES = 6


def readings():
    rng = torch.Generator().manual_seed(12)
    x = torch.randn(42, 7, generator=rng)
    return list(zip(x.split(3), x.pow(2).mean(1, keepdim=True).split(3)))


def main():
    torch.manual_seed(33)
    model = nn.Sequential(nn.Linear(7, 9), nn.SiLU(), nn.Dropout(0.2), nn.Linear(9, 1))
    optimizer = torch.optim.NAdam(model.parameters(), lr=0.02)
    scheduler = torch.optim.lr_scheduler.PolynomialLR(optimizer, total_iters=TOTAL_UPDATES, power=0.9)
    data = readings()
    position = micro = updates = 0
    running = 0.0
    optimizer.zero_grad()
    while updates < TOTAL_UPDATES:
        if position == len(data):
            position = 0  # the window goes on with the first reading
        x, y = data[position]
        position += 1
        model.train()
        loss = nn.functional.mse_loss(model(x), y)
        (loss / EVERY).backward()
        running += loss.item()
        micro += 1
        if micro < EVERY:
            continue
        nn.utils.clip_grad_norm_(model.parameters(), 0.15)
        optimizer.step()
        scheduler.step()
        optimizer.zero_grad()
        micro = 0
        updates += 1
        print(f"update {updates} at {position} loss {running / EVERY:.5f} rate {scheduler.get_last_lr()[0]:.5f}")
        running = 0.0
    return model
""",
    ("dropped-accumulation-tail", "accumulation-off-by-one"),
)

W_BACK = "        (loss / EVERY).backward()\n"
W_RUNNING = "        running += loss.item()\n"
W_GUARD = "        micro += 1\n        if micro < EVERY:\n            continue\n"
W_CLIP = "        nn.utils.clip_grad_norm_(model.parameters(), 0.15)\n"
W_STEP = "        optimizer.step()\n"
W_SCHEDULE = "        scheduler.step()\n"
W_CLEAR = "        scheduler.step()\n        optimizer.zero_grad()\n"


def cases() -> Iterator[Case]:
    yield COUNTED.right("window-crosses-the-end-of-the-data")
    yield COUNTED.right(
        "bare-name-in-the-window",
        ("        model.train()\n", "        model.train()\n        optimizer.zero_grad\n"),
        tempts=("method-not-called", "zero-grad-in-accumulation"),
    )
    yield COUNTED.right(
        "counts-down-to-nothing",
        ("position = micro = updates = 0\n", "position = updates = 0\n    left = EVERY\n"),
        (W_GUARD, "        left -= 1\n        if left:\n            continue\n"),
        ("        micro = 0\n", "        left = EVERY\n"),
        tempts=("accumulation-off-by-one",),
    )
    yield COUNTED.right(
        "counter-starts-at-one-and-is-looked-at-before-it-moves",
        ("position = micro = updates = 0\n", "position = updates = 0\n    micro = 1\n"),
        (W_GUARD, "        if micro % EVERY:\n            micro += 1\n            continue\n        micro += 1\n"),
        ("        micro = 0\n", ""),
        tempts=("accumulation-off-by-one",),
    )
    yield COUNTED.wrong(
        "limit-and-rate-in-each-pass",
        ((W_CLIP, ""), (W_RUNNING, W_CLIP + W_RUNNING)),
        ((W_STEP + W_SCHEDULE, W_STEP), (W_BACK, W_BACK + W_SCHEDULE)),
        tempts=("clip-per-micro-batch", "scheduler-per-micro-batch"),
    )
    yield COUNTED.wrong(
        "clear-is-named-and-not-called",
        ((W_CLEAR, W_CLEAR.replace("zero_grad()", "zero_grad")),),
        tempts=("method-not-called", "missing-zero-grad"),
    )
