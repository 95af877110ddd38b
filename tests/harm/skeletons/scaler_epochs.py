"""Epoch functions with a GradScaler: a window of micro-batches, a clip, a schedule that heeds skipped steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

EPOCH = Draft(
    "scaler-epoch-function",
    """\
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def make_loader():
    images = torch.randn(24, 8)
    targets = (images.sum(dim=1) > 0).long()
    return DataLoader(TensorDataset(images, targets), batch_size=3)


def train_one_epoch(model, loader, criterion, optimizer, scaler, max_norm, accum_steps):
    model.train()
    optimizer.zero_grad()
    running = 0.0
    for step, (images, targets) in enumerate(loader):
        with torch.amp.autocast("cpu", dtype=torch.float16):
            logits = model(images)
            loss = criterion(logits, targets)
        scaler.scale(loss / accum_steps).backward()
        running += loss.item()
        if (step + 1) % accum_steps == 0:
            scaler.unscale_(optimizer)
            torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()
    return running / len(loader)


def main():
    loader = make_loader()
    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5, momentum=0.9)
    scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
    for epoch in range(2):
        mean = train_one_epoch(model, loader, criterion, optimizer, scaler, 0.5, 4)
        print(f"epoch {epoch}: loss {mean:.4f}")
    return model
""",
    ("clip-scaled-gradients",),
)

UNSCALE = "            scaler.unscale_(optimizer)\n"
CLIP = "            torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)\n"
STEP = "            scaler.step(optimizer)\n            scaler.update()\n"
ZERO = "            optimizer.zero_grad()\n"
NO_CLIP = EPOCH.styled((UNSCALE + CLIP, ""))
RAGGED = EPOCH.styled(
    ("torch.randn(24, 8)", "torch.randn(30, 8)"),
    ("(step + 1) % accum_steps == 0:", "(step + 1) % accum_steps == 0 or step + 1 == len(loader):"),
)


def epoch_function() -> Iterator[Case]:
    yield EPOCH.right("window", tempts=("clip-scaled-gradients", "missing-zero-grad"))
    yield EPOCH.right(
        "limit-in-scaled-units",
        (UNSCALE + CLIP, CLIP.replace("max_norm)", "max_norm * scaler.get_scale())")),
    )
    yield RAGGED.right("tail-flushed-inside", tempts=("dropped-accumulation-tail",))
    yield EPOCH.right(
        "tail-flushed-after",
        ("torch.randn(24, 8)", "torch.randn(30, 8)"),
        (
            "    return running / len(loader)\n",
            """\
    if len(loader) % accum_steps != 0:
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()
    return running / len(loader)
""",
        ),
        tempts=("double-unscale", "missing-scaler-update"),
    )
    yield EPOCH.wrong("clip-of-scaled", ((UNSCALE, ""),))
    yield EPOCH.wrong(
        "loss-not-divided",
        (("scaler.scale(loss / accum_steps)", "scaler.scale(loss)"),),
        tempts=("unscaled-accumulation-loss",),
    )
    yield EPOCH.wrong(
        "update-forgotten",
        (("            scaler.update()\n", ""),),
        tempts=("missing-scaler-update",),
        raises="RuntimeError",
    )
    yield NO_CLIP.wrong(
        "step-past-the-scaler", ((STEP, "            optimizer.step()\n"),), tempts=("step-bypasses-scaler",)
    )
    yield EPOCH.wrong(
        "zeroed-each-micro-batch",
        (
            (STEP + ZERO, STEP),
            ("        with torch.amp", "        optimizer.zero_grad()\n        with torch.amp"),
        ),
        tempts=("zero-grad-in-accumulation",),
    )
    yield EPOCH.wrong(
        "unscaled-each-micro-batch",
        (
            (UNSCALE, ""),
            (
                "        running += loss.item()\n",
                "        scaler.unscale_(optimizer)\n        running += loss.item()\n",
            ),
        ),
        tempts=("double-unscale",),
        raises="RuntimeError",
    )
    yield EPOCH.together(
        "clip-late-and-of-scaled",
        ((UNSCALE + CLIP + STEP, STEP + CLIP),),
        tempts=("clip-after-step", "clip-scaled-gradients"),
    )
    yield EPOCH.wrong(
        "window-begins-at-nought",
        (("(step + 1) % accum_steps", "step % accum_steps"),),
        tempts=("accumulation-off-by-one",),
    )
    yield EPOCH.together(
        "undivided-and-clip-of-scaled",
        (("scaler.scale(loss / accum_steps)", "scaler.scale(loss)"),),
        ((UNSCALE, ""),),
        fine=((("scaler.scale(loss / accum_steps)", "scaler.scale(loss)"),),),
        tempts=("unscaled-accumulation-loss", "clip-scaled-gradients"),
    )


SCHEDULED = Draft(
    "scaler-skipped-schedule",
    """\
import torch
import torch.nn.functional as F
from torch.optim.lr_scheduler import LambdaLR


class Regressor(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = torch.nn.Linear(6, 12)
        self.head = torch.nn.Linear(12, 1)

    def forward(self, x):
        return self.head(torch.tanh(self.hidden(x)))


def batches(count):
    for number in range(count):
        x = torch.randn(4, 6)
        y = x.mean(dim=1, keepdim=True)
        if number == 3:
            y = y * float("inf")
        yield x, y


def main():
    model = Regressor()
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    scheduler = LambdaLR(optimizer, lambda update: 0.9**update)
    grad_scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
    data = list(batches(8))
    for epoch in range(2):
        for x, y in data:
            optimizer.zero_grad(set_to_none=True)
            loss = F.smooth_l1_loss(model(x), y)
            grad_scaler.scale(loss).backward()
            grad_scaler.step(optimizer)
            scale_before = grad_scaler.get_scale()
            grad_scaler.update()
            if grad_scaler.get_scale() >= scale_before:
                scheduler.step()
        print(epoch, scheduler.get_last_lr(), grad_scaler.get_scale())
    return model
""",
    ("scheduler-before-optimizer", "missing-scaler-update"),
)

HEEDED = """\
            scale_before = grad_scaler.get_scale()
            grad_scaler.update()
            if grad_scaler.get_scale() >= scale_before:
                scheduler.step()
"""


def skipped_schedule() -> Iterator[Case]:
    yield SCHEDULED.right("heeded")
    yield SCHEDULED.right(
        "skip-in-a-name",
        (
            HEEDED,
            HEEDED.replace(
                "if grad_scaler.get_scale() >= scale_before:",
                "skipped = scale_before > grad_scaler.get_scale()\n            if not skipped:",
            ),
        ),
    )
    yield SCHEDULED.right(
        "scheduler-before-update", (HEEDED, "            scheduler.step()\n            grad_scaler.update()\n")
    )
    yield SCHEDULED.wrong(
        "update-only-when-logged",
        (
            ("            grad_scaler.update()\n", ""),
            ("        print(epoch,", "        grad_scaler.update()\n        print(epoch,"),
        ),
        tempts=("missing-scaler-update",),
        raises="RuntimeError",
    )
    yield SCHEDULED.styled((HEEDED, "            grad_scaler.update()\n            scheduler.step()\n")).wrong(
        "scheduler-first",
        (
            ("            scheduler.step()\n", ""),
            (
                "            grad_scaler.step(optimizer)\n",
                "            scheduler.step()\n            grad_scaler.step(optimizer)\n",
            ),
        ),
        tempts=("scheduler-before-optimizer",),
    )
    yield SCHEDULED.wrong(
        "scaling-dropped",
        (
            (
                "            grad_scaler.scale(loss).backward()\n",
                "            grad_scaler.scale(loss)\n            loss.backward()\n",
            ),
        ),
        tempts=("unscaled-backward",),
    )


def cases() -> Iterator[Case]:
    yield from epoch_function()
    yield from skipped_schedule()
