"""GradScaler loops whose pieces stand in helper functions, methods and small classes of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

HELPER = Draft(
    "scaler-clip-helper",
    """\
import torch
from torch import nn

LIMIT = 0.4


def clip_gradients(model, optimizer, scaler=None):
    if scaler is not None:
        scaler.unscale_(optimizer)
    return nn.utils.clip_grad_norm_(model.parameters(), LIMIT)


def pretrain(model, data):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
    for x in data:
        optimizer.zero_grad()
        loss = (model(x) - x).square().mean()
        loss.backward()
        clip_gradients(model, optimizer)
        optimizer.step()


def finetune(model, data):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    scaler = torch.amp.GradScaler("cpu", init_scale=256.0)
    for epoch in range(2):
        total = 0.0
        for x in data:
            optimizer.zero_grad()
            with torch.amp.autocast("cpu", dtype=torch.float16):
                loss = (model(x) - x).abs().mean()
            scaler.scale(loss).backward()
            norm = clip_gradients(model, optimizer, scaler)
            scaler.step(optimizer)
            scaler.update()
            total += float(norm)
        print(f"epoch {epoch}: mean gradient norm {total / len(data):.4f}")


def main():
    model = nn.Sequential(nn.Linear(5, 3), nn.Linear(3, 5))
    data = [2 * torch.randn(4, 5) for _ in range(6)]
    pretrain(model, data)
    finetune(model, data)
    return model
""",
    ("clip-scaled-gradients", "double-unscale"),
)

INSIDE = "    if scaler is not None:\n        scaler.unscale_(optimizer)\n"
PLAIN = (
    ("def clip_gradients(model, optimizer, scaler=None):\n" + INSIDE, "def clip_gradients(model):\n"),
    ("        clip_gradients(model, optimizer)\n", "        clip_gradients(model)\n"),
)
CALL = "            norm = clip_gradients(model, optimizer, scaler)\n"
OUTSIDE = HELPER.styled(
    *PLAIN, (CALL, "            scaler.unscale_(optimizer)\n            norm = clip_gradients(model)\n")
)


def helper() -> Iterator[Case]:
    yield HELPER.right("unscales-inside")
    yield OUTSIDE.right("unscaled-by-the-caller")
    yield OUTSIDE.wrong("unscaled-by-nobody", (("            scaler.unscale_(optimizer)\n", ""),))
    yield HELPER.wrong(
        "unscaled-by-both",
        ((CALL, "            scaler.unscale_(optimizer)\n" + CALL),),
        tempts=("double-unscale",),
        raises="RuntimeError",
    )
    yield HELPER.wrong("called-without-the-scaler", ((CALL, CALL.replace(", scaler)", ")")),))
    yield HELPER.right(
        "update-in-a-helper",
        (
            "def pretrain(",
            "def apply(scaler, optimizer):\n    scaler.step(optimizer)\n    scaler.update()\n\n\ndef pretrain(",
        ),
        ("            scaler.step(optimizer)\n            scaler.update()\n", "            apply(scaler, optimizer)\n"),
        tempts=("missing-scaler-update",),
    )
    yield OUTSIDE.right(
        "helper-of-another-kind",
        (
            "    return nn.utils.clip_grad_norm_(model.parameters(), LIMIT)\n",
            """\
    norm = torch.stack([p.grad.norm() for p in model.parameters()]).norm()
    if norm > LIMIT:
        for p in model.parameters():
            p.grad.mul_(LIMIT / norm)
    return norm
""",
        ),
    )


TRAINER = Draft(
    "scaler-trainer-class",
    """\
import contextlib

import torch
import torch.nn.functional as F
from torch import nn, optim


class Trainer:
    def __init__(self, model, lr=0.05, amp=True, grad_clip=0.5, accumulate=2, milestones=(3, 5)):
        self.model = model
        self.amp = amp
        self.grad_clip = grad_clip
        self.accumulate = accumulate
        self.optimizer = optim.SGD(model.parameters(), lr=lr, momentum=0.8)
        self.scheduler = optim.lr_scheduler.MultiStepLR(self.optimizer, milestones=list(milestones), gamma=0.5)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=1024.0, enabled=amp)
        self.updates = 0

    def _precision(self):
        return torch.amp.autocast("cpu", dtype=torch.float16) if self.amp else contextlib.nullcontext()

    def _forward(self, batch):
        x, y = batch
        with self._precision():
            return F.cross_entropy(self.model(x), y)

    def _backward(self, loss):
        self.scaler.scale(loss / self.accumulate).backward()

    def _update(self):
        self.scaler.unscale_(self.optimizer)
        nn.utils.clip_grad_norm_(self.model.parameters(), self.grad_clip)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad()
        self.scheduler.step()
        self.updates += 1

    def fit(self, batches, epochs):
        self.model.train()
        for epoch in range(epochs):
            losses = []
            for number, batch in enumerate(batches, start=1):
                loss = self._forward(batch)
                self._backward(loss)
                losses.append(loss.item())
                if number % self.accumulate == 0:
                    self._update()
            print(epoch, round(sum(losses) / len(losses), 4), self.updates)


def main():
    model = nn.Sequential(nn.Linear(7, 9), nn.ReLU(), nn.Linear(9, 3))
    batches = [(torch.randn(4, 7), torch.randint(0, 3, (4,))) for _ in range(6)]
    Trainer(model).fit(batches, epochs=2)
    return model
""",
    ("clip-scaled-gradients", "missing-scaler-update"),
)

OFF = ("    Trainer(model).fit(", "    Trainer(model, amp=False).fit(")
SELF_UNSCALE = "        self.scaler.unscale_(self.optimizer)\n"
SELF_CLIP = "        nn.utils.clip_grad_norm_(self.model.parameters(), self.grad_clip)\n"
SELF_STEP = "        self.scaler.step(self.optimizer)\n        self.scaler.update()\n"
SELF_SCALED = "        self.scaler.scale(loss / self.accumulate).backward()\n"


def trainer() -> Iterator[Case]:
    yield TRAINER.right("methods")
    yield TRAINER.styled(OFF).right("switched-off")
    yield TRAINER.wrong("clip-of-scaled", ((SELF_UNSCALE, ""),))
    yield TRAINER.styled(OFF).right("clip-of-scaled-when-switched-off", (SELF_UNSCALE, ""))
    yield TRAINER.wrong("no-update", (("        self.scaler.update()\n", ""),), raises="RuntimeError")
    yield TRAINER.wrong(
        "undivided",
        ((SELF_SCALED, "        self.scaler.scale(loss).backward()\n"),),
        tempts=("unscaled-accumulation-loss",),
    )
    yield TRAINER.right(
        "divided-at-the-update",
        (SELF_SCALED, "        self.scaler.scale(loss).backward()\n"),
        (
            SELF_UNSCALE,
            SELF_UNSCALE
            + "        for parameter in self.model.parameters():\n            parameter.grad.div_(self.accumulate)\n",
        ),
        tempts=("unscaled-accumulation-loss",),
    )
    yield TRAINER.styled((SELF_UNSCALE + SELF_CLIP, "")).wrong(
        "step-past-the-scaler", ((SELF_STEP, "        self.optimizer.step()\n"),), tempts=("step-bypasses-scaler",)
    )
    yield TRAINER.wrong(
        "unscaled-in-backward-too",
        ((SELF_SCALED, SELF_SCALED + SELF_UNSCALE),),
        tempts=("double-unscale",),
        raises="RuntimeError",
    )
    yield TRAINER.right(
        "schedule-by-updates",
        ("        self.scheduler.step()\n", ""),
        (
            "                    self._update()\n",
            """\
                    self._update()
                if number % self.accumulate == 0:
                    self.scheduler.step()
""",
        ),
        tempts=("scheduler-per-micro-batch",),
    )
    yield TRAINER.wrong(
        "schedule-per-micro-batch",
        (
            ("        self.scheduler.step()\n", ""),
            (
                "                losses.append(loss.item())\n",
                "                losses.append(loss.item())\n                self.scheduler.step()\n",
            ),
        ),
        fine=(
            (
                ("        self.scheduler.step()\n", ""),
                (
                    "                    self._update()\n",
                    "                    self._update()\n                    self.scheduler.step()\n",
                ),
            ),
        ),
        tempts=("scheduler-per-micro-batch",),
    )


def cases() -> Iterator[Case]:
    yield from helper()
    yield from trainer()
