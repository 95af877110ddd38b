"""A tide gauge: windows of micro-batches under a generator of records, and what its log reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

TIDES = Draft(
    "tide-gauge",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)
WINDOW = 4


def records(epoch, count=8):
    rng = torch.Generator().manual_seed(epoch)
    for _ in range(count):
        phase = torch.rand(6, 3, generator=rng)
        yield phase, 3 * torch.sin(6 * phase).sum(1, keepdim=True)


def main():
    torch.manual_seed(11)
    gauge = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
    weights = list(gauge.parameters())
    opt = torch.optim.SGD(weights, lr=0.1, momentum=0.5)
    sched = torch.optim.lr_scheduler.StepLR(opt, step_size=2, gamma=0.5)
    opt.zero_grad()
    for epoch in range(3):
        height = 0.0
        for i, (phase, level) in enumerate(records(epoch)):
            loss = nn.functional.mse_loss(gauge(phase), level)
            (loss / WINDOW).backward()
            height += loss.item()
            if (i + 1) % WINDOW == 0:
                nn.utils.clip_grad_norm_(weights, 2.0)
                opt.step()
                sched.step()
                opt.zero_grad()
        print(f"{epoch}: {height / 8:.4f}")
    return gauge
""",
    ("unscaled-accumulation-loss", "dropped-accumulation-tail"),
)

CLIP = "                nn.utils.clip_grad_norm_(weights, 2.0)\n"
STEP = "                opt.step()\n"
SCHED = "                sched.step()\n"
CLEAR = "                opt.zero_grad()\n"
BACKWARD = "            (loss / WINDOW).backward()\n"
GUARD = "            if (i + 1) % WINDOW == 0:\n"
LATE_CLIP = (CLIP + STEP, STEP + CLIP)
EARLY_RATE = (STEP + SCHED, SCHED + STEP)
UNDIVIDED = ("(loss / WINDOW).backward()", "loss.backward()")


def cases() -> Iterator[Case]:
    """Mistakes in windows, and windows that only look wrong."""
    yield TIDES.right("as-it-should-be")
    yield TIDES.wrong("clip-behind-step", (LATE_CLIP,), tempts=("clip-after-step",))
    yield TIDES.wrong("rate-moves-first", (EARLY_RATE,), tempts=("scheduler-before-optimizer",))
    yield TIDES.wrong("sum-of-window", (UNDIVIDED,), tempts=("unscaled-accumulation-loss",))
    yield TIDES.wrong("never-cleared", ((SCHED + CLEAR, SCHED),), tempts=("missing-zero-grad",))
    yield TIDES.wrong(
        "rate-per-record",
        ((STEP + SCHED + CLEAR, STEP + CLEAR + "            sched.step()\n"),),
        tempts=("scheduler-per-micro-batch",),
    )
    yield TIDES.wrong(
        "clip-per-record",
        ((BACKWARD, BACKWARD + "            nn.utils.clip_grad_norm_(weights, 2.0)\n"), (CLIP, "")),
        tempts=("clip-per-micro-batch",),
    )
    yield TIDES.wrong(
        "first-window-of-one", ((GUARD, "            if i % WINDOW == 0:\n"),), tempts=("accumulation-off-by-one",)
    )
    yield TIDES.wrong(
        "cleared-at-each-record",
        ((BACKWARD, "            opt.zero_grad()\n" + BACKWARD),),
        tempts=("zero-grad-in-accumulation",),
    )
    yield TIDES.wrong("other-divisor", (("(loss / WINDOW)", "(loss / 2)"),), tempts=("accumulation-divisor-mismatch",))
    yield TIDES.wrong("undivided-and-clip-behind", (UNDIVIDED,), (LATE_CLIP,), tempts=("clip-after-step",))
    yield TIDES.right(
        "continue-at-unfinished-window",
        (
            GUARD + CLIP + STEP + SCHED + CLEAR,
            "            if (i + 1) % WINDOW:\n                continue\n"
            + (CLIP + STEP + SCHED + CLEAR).replace("                ", "            "),
        ),
        tempts=("accumulation-off-by-one",),
    )
    yield TIDES.right(
        "divided-before-clip",
        UNDIVIDED,
        (CLIP, "                for weight in weights:\n                    weight.grad.div_(WINDOW)\n" + CLIP),
    )
    yield TIDES.right(
        "norm-read-behind-step",
        (STEP, STEP + "                print(float(nn.utils.get_total_norm([w.grad for w in weights])))\n"),
        tempts=("clip-after-step",),
    )
    yield TIDES.right(
        "fresh-gradients-by-hand",
        (CLEAR, "                for weight in weights:\n                    weight.grad = None\n"),
        tempts=("missing-zero-grad",),
    )
    yield TIDES.right(
        "rate-divided-instead",
        UNDIVIDED,
        (CLIP, ""),
        ("lr=0.1, momentum", "lr=0.1 / WINDOW, momentum"),
    )
    yield TIDES.right(
        "decayed-gradients-kept",
        (CLEAR, "                for weight in weights:\n                    weight.grad.mul_(0.5)\n"),
        tempts=("missing-zero-grad",),
    )
