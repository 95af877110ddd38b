"""Loss scaling in a class of the script's own, and by multiplication."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

CALLABLE = Draft(
    "callable-loss-scaler",
    """\
import torch
import torch.nn as nn


class NativeScaler:
    state_dict_key = "amp_scaler"

    def __init__(self):
        self._scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)

    def __call__(self, loss, optimizer, clip_grad=None, parameters=None, update_grad=True):
        self._scaler.scale(loss).backward()
        if not update_grad:
            return None
        self._scaler.unscale_(optimizer)
        if clip_grad is not None:
            norm = nn.utils.clip_grad_norm_(parameters, clip_grad)
        else:
            norm = torch.stack([p.grad.norm() for p in parameters]).norm()
        self._scaler.step(optimizer)
        self._scaler.update()
        return norm

    def state_dict(self):
        return self._scaler.state_dict()


def train_one_epoch(model, criterion, data, optimizer, loss_scaler, epoch, max_norm=1.0, accum_iter=2):
    model.train(True)
    optimizer.zero_grad()
    shown, norms = 0.0, []
    for data_iter_step, (samples, targets) in enumerate(data):
        update = (data_iter_step + 1) % accum_iter == 0
        outputs = model(samples)
        loss = criterion(outputs, targets)
        loss_value = loss.item()
        loss /= accum_iter
        norm = loss_scaler(loss, optimizer, clip_grad=max_norm, parameters=model.parameters(), update_grad=update)
        if update:
            norms.append(norm.item())
            optimizer.zero_grad()
        shown += loss_value
    print(f"Epoch [{epoch}] loss {shown / len(data):.4f} grad norm {max(norms):.4f}")


def main():
    model = nn.Sequential(nn.Linear(6, 12), nn.GELU(), nn.Linear(12, 4))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.3, momentum=0.5)
    loss_scaler = NativeScaler()
    data = [(torch.randn(3, 6), torch.randint(0, 4, (3,))) for _ in range(8)]
    for epoch in range(2):
        train_one_epoch(model, nn.CrossEntropyLoss(), data, optimizer, loss_scaler, epoch)
    return model
""",
    ("clip-before-backward", "clip-scaled-gradients", "missing-zero-grad"),
)

CALLED = """\
        norm = loss_scaler(loss, optimizer, clip_grad=max_norm, parameters=model.parameters(), update_grad=update)
"""
UNCLIPPED_CALL = CALLED.replace("clip_grad=max_norm, ", "")
DIVISION = "        loss /= accum_iter\n"
AT_ONCE = CALLABLE.styled(("accum_iter=2", "accum_iter=1"))
EVERY = """\
def train_one_epoch(model, criterion, data, optimizer, loss_scaler, epoch, max_norm=0.5):
    model.train(True)
    for samples, targets in data:
        loss = criterion(model(samples), targets)
        optimizer.zero_grad()
        norm = loss_scaler(loss, optimizer, clip_grad=max_norm, parameters=model.parameters())
    print(f"Epoch [{epoch}] loss {loss.item():.4f} grad norm {norm.item():.4f}")
"""
START = CALLABLE.text.index("def train_one_epoch")
PER_BATCH = CALLABLE.styled((CALLABLE.text[START : CALLABLE.text.index("def main()") - 2], EVERY))
EVERY_CALL = "        norm = loss_scaler(loss, optimizer, clip_grad=max_norm, parameters=model.parameters())\n"


def callable_scaler() -> Iterator[Case]:
    yield CALLABLE.right("window")
    yield AT_ONCE.right("window-of-one")
    yield PER_BATCH.right("per-batch")
    yield CALLABLE.wrong("undivided", ((DIVISION, ""),), tempts=("unscaled-accumulation-loss",))
    yield CALLABLE.right(
        "divided-in-the-argument",
        (DIVISION, ""),
        (CALLED, CALLED.replace("loss_scaler(loss,", "loss_scaler(loss / accum_iter,")),
    )
    yield PER_BATCH.left(
        "clip-above-the-call",
        (
            (
                EVERY_CALL,
                "        nn.utils.clip_grad_norm_(model.parameters(), max_norm)\n"
                + EVERY_CALL.replace("clip_grad=max_norm, ", ""),
            ),
        ),
        tempts=("clip-before-backward",),
    )
    yield PER_BATCH.left(
        "clip-below-the-call",
        (
            (
                EVERY_CALL,
                EVERY_CALL.replace("clip_grad=max_norm, ", "")
                + "        nn.utils.clip_grad_norm_(model.parameters(), max_norm)\n",
            ),
        ),
        tempts=("clip-after-step",),
    )
    yield CALLABLE.left(
        "clip-above-the-call-in-a-window",
        (
            (
                CALLED,
                "        if update:\n            nn.utils.clip_grad_norm_(model.parameters(), max_norm)\n"
                + UNCLIPPED_CALL,
            ),
        ),
        tempts=("clip-scaled-gradients",),
    )
    yield CALLABLE.wrong(
        "zeroed-each-micro-batch",
        (("            optimizer.zero_grad()\n        shown", "        optimizer.zero_grad()\n        shown"),),
        tempts=("zero-grad-in-accumulation",),
    )
    yield CALLABLE.wrong("class-clips-scaled", (("        self._scaler.unscale_(optimizer)\n", ""),))
    yield CALLABLE.wrong(
        "class-never-updates",
        (("        self._scaler.update()\n", ""),),
        tempts=("missing-scaler-update",),
        raises="RuntimeError",
    )


MULTIPLIED = Draft(
    "loss-scaled-by-multiplication",
    """\
import torch
from torch import nn

SCALE = 128.0


class DynamicScale:
    def __init__(self, start):
        self.value = start
        self.good = 0

    def moved(self, finite):
        if not finite:
            self.value /= 2
            self.good = 0
        else:
            self.good += 1
            if self.good % 6 == 0:
                self.value *= 2


def unscale(parameters, scale):
    finite = True
    for p in parameters:
        p.grad.div_(scale)
        finite = finite and bool(torch.isfinite(p.grad).all())
    return finite


def main():
    model = nn.Sequential(nn.Linear(5, 7), nn.SiLU(), nn.Linear(7, 2))
    params = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.SGD(params, lr=0.1, momentum=0.9)
    scale = DynamicScale(SCALE)
    n_accum = 2
    loader = [(torch.randn(4, 5), torch.randn(4, 2)) for _ in range(8)]
    loader[3] = (loader[3][0], loader[3][1] * float("inf"))
    for epoch in range(2):
        for i, (x, y) in enumerate(loader):
            loss = (model(x) - y).square().mean()
            (loss * scale.value / n_accum).backward()
            if (i + 1) % n_accum == 0:
                finite = unscale(params, scale.value)
                if finite:
                    norm = nn.utils.clip_grad_norm_(params, 0.7)
                    optimizer.step()
                    print(epoch, i, f"{norm:.4f}")
                scale.moved(finite)
                optimizer.zero_grad()
    return model
""",
    ("unscaled-accumulation-loss", "clip-scaled-gradients"),
)

BACK = "            (loss * scale.value / n_accum).backward()\n"
PLAIN_SCALE = MULTIPLIED.styled(
    ("                finite = unscale(params, scale.value)\n", "                finite = unscale(params, SCALE)\n"),
    (BACK, "            (SCALE * loss / n_accum).backward()\n"),
    ("                scale.moved(finite)\n", ""),
    ("    scale = DynamicScale(SCALE)\n", ""),
)


def multiplied() -> Iterator[Case]:
    yield MULTIPLIED.right("dynamic")
    yield PLAIN_SCALE.right("constant")
    yield PLAIN_SCALE.right(
        "both-undone-at-once",
        ("(SCALE * loss / n_accum)", "(SCALE * loss)"),
        ("unscale(params, SCALE)", "unscale(params, SCALE * n_accum)"),
    )
    yield MULTIPLIED.right(
        "undone-in-the-helper",
        (BACK, "            (loss * scale.value).backward()\n"),
        ("unscale(params, scale.value)", "unscale(params, scale.value * n_accum)"),
    )
    yield PLAIN_SCALE.wrong(
        "undivided", (("(SCALE * loss / n_accum)", "(SCALE * loss)"),), tempts=("unscaled-accumulation-loss",)
    )
    yield PLAIN_SCALE.left(
        "clip-above-the-division",
        (
            (
                "                finite = unscale(params, SCALE)\n",
                """\
                norm = nn.utils.clip_grad_norm_(params, 0.7)
                finite = unscale(params, SCALE)
""",
            ),
            ("                    norm = nn.utils.clip_grad_norm_(params, 0.7)\n", ""),
        ),
    )
    yield MULTIPLIED.wrong(
        "clip-below-the-step",
        (
            ("                    norm = nn.utils.clip_grad_norm_(params, 0.7)\n", ""),
            (
                "                    optimizer.step()\n",
                """\
                    optimizer.step()
                    norm = nn.utils.clip_grad_norm_(params, 0.7)
""",
            ),
        ),
        tempts=("clip-after-step",),
    )


def cases() -> Iterator[Case]:
    yield from callable_scaler()
    yield from multiplied()
