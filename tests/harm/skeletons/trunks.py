"""Several tasks on one trunk: gradients that meet, two optimizers, one scaler for both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

TASKS = Draft(
    "two-heads-one-scaler",
    """\
import torch
import torch.nn.functional as F
from torch import nn


def make():
    trunk = nn.Sequential(nn.Linear(6, 12), nn.Tanh())
    heads = nn.ModuleDict({"depth": nn.Linear(12, 1), "label": nn.Linear(12, 4)})
    return trunk, heads


def scenes(count):
    rng = torch.Generator().manual_seed(4)
    for _ in range(count):
        x = torch.randn(8, 6, generator=rng)
        yield x, {"depth": x.sum(1, keepdim=True), "label": x[:, :4].argmax(1)}


CRITERIA = {"depth": F.smooth_l1_loss, "label": F.cross_entropy}
WEIGHTS = {"depth": 0.3, "label": 1.0}


def train_step(trunk, heads, optimizers, scaler, x, targets):
    for optimizer in optimizers:
        optimizer.zero_grad()
    shared = trunk(x)
    losses = {task: CRITERIA[task](heads[task](shared), target) for task, target in targets.items()}
    total = sum(WEIGHTS[task] * loss for task, loss in losses.items())
    scaler.scale(total).backward()
    for optimizer, net in zip(optimizers, (trunk, heads)):
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(net.parameters(), 0.1)
        scaler.step(optimizer)
    scaler.update()
    return {task: loss.item() for task, loss in losses.items()}


def main():
    torch.manual_seed(23)
    trunk, heads = make()
    optimizers = [
        torch.optim.SGD(trunk.parameters(), lr=0.1, momentum=0.9),
        torch.optim.AdamW(heads.parameters(), lr=0.02),
    ]
    scaler = torch.amp.GradScaler("cpu", init_scale=64.0, growth_interval=3)
    for number, (x, targets) in enumerate(scenes(5)):
        shown = train_step(trunk, heads, optimizers, scaler, x, targets)
        print(number, " ".join(f"{task}={value:.4f}" for task, value in shown.items()))
    return trunk, heads
""",
    ("double-unscale", "missing-scaler-update", "unscaled-accumulation-loss"),
)

H_CLEAR = "    for optimizer in optimizers:\n        optimizer.zero_grad()\n"
H_BACK = "    scaler.scale(total).backward()\n"
H_CLIP = "        nn.utils.clip_grad_norm_(net.parameters(), 0.1)\n"
H_STEP = "        scaler.step(optimizer)\n"
H_UPDATE = "    scaler.update()\n"


def cases() -> Iterator[Case]:
    yield TASKS.right("one-update-for-two-steps")
    yield TASKS.right(
        "scaled-by-hand",
        (H_BACK, "    (total * scaler.scale(torch.ones(()))).backward()\n"),
        tempts=("unscaled-backward",),
    )
    yield TASKS.right(
        "each-task-goes-back-for-itself",
        (
            "    total = sum(WEIGHTS[task] * loss for task, loss in losses.items())\n" + H_BACK,
            """\
    *early, last = [WEIGHTS[task] * loss for task, loss in losses.items()]
    for part in early:
        scaler.scale(part).backward(retain_graph=True)
    scaler.scale(last).backward()  # a sum over the tasks, not a mean: the weights say so
""",
        ),
        tempts=("unscaled-accumulation-loss",),
    )
    yield TASKS.right(
        "depth-is-limited-before-labels-come",
        (
            "    total = sum(WEIGHTS[task] * loss for task, loss in losses.items())\n" + H_BACK,
            """\
    scaler.scale(WEIGHTS["depth"] * losses["depth"]).backward(retain_graph=True)
    # depth may not pull harder than this at the trunk, whatever the labels want
    nn.utils.clip_grad_norm_(trunk.parameters(), 0.02 * scaler.get_scale())
    scaler.scale(WEIGHTS["label"] * losses["label"]).backward()
""",
        ),
        tempts=("clip-before-backward", "clip-scaled-gradients", "unscaled-accumulation-loss"),
    )
    yield TASKS.wrong(
        "limit-behind-the-step-and-nothing-cleared",
        ((H_CLIP + H_STEP, H_STEP + H_CLIP),),
        ((H_CLEAR, ""),),
        tempts=("clip-after-step", "missing-zero-grad"),
    )
    yield TASKS.wrong(
        "backward-of-the-bare-total",
        ((H_BACK, "    total.backward()\n"),),
        tempts=("unscaled-backward",),
        raises="AssertionError",
    )
