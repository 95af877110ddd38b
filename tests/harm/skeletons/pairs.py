"""Two students that teach each other, and a run that is broken off and goes on from what was saved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

MUTUAL = Draft(
    "students-that-teach-each-other",
    """\
import torch
import torch.nn.functional as F
from torch import nn
from torch.amp import GradScaler, autocast


def network(width):
    return nn.Sequential(nn.Linear(5, width), nn.ReLU(), nn.Linear(width, 3))


def divergence(student, teacher):
    return F.kl_div(F.log_softmax(student, dim=1), F.softmax(teacher.detach(), dim=1), reduction="batchmean")


class MutualLearning:
    def __init__(self, one, two, window, limit):
        self.students = {"one": one, "two": two}
        self.optimizers = {
            name: torch.optim.SGD(net.parameters(), lr=0.2, momentum=0.9) for name, net in self.students.items()
        }
        self.scaler = GradScaler("cpu", init_scale=64.0)
        self.window, self.limit = window, limit
        self.seen = 0

    def observe(self, x, y):
        with autocast("cpu", dtype=torch.float16):
            logits = {name: net(x).float() for name, net in self.students.items()}
        losses = {}
        for name, mine in logits.items():
            (other,) = (theirs for key, theirs in logits.items() if key != name)
            losses[name] = F.cross_entropy(mine, y) + divergence(mine, other)
            self.scaler.scale(losses[name] / self.window).backward()
        self.seen += 1
        if self.seen % self.window == 0:
            self.update()
        return {name: loss.item() for name, loss in losses.items()}

    def update(self):
        for name, optimizer in self.optimizers.items():
            self.scaler.unscale_(optimizer)
            nn.utils.clip_grad_norm_(self.students[name].parameters(), self.limit)
            self.scaler.step(optimizer)
        self.scaler.update()
        for optimizer in self.optimizers.values():
            optimizer.zero_grad()


def main():
    torch.manual_seed(18)
    learning = MutualLearning(network(8), network(6), window=2, limit=0.5)
    for number in range(10):
        losses = learning.observe(torch.randn(6, 5), torch.randint(0, 3, (6,)))
        print(number, " ".join(f"{name} {value:.3f}" for name, value in losses.items()))
    return tuple(learning.students.values())
""",
    ("clip-scaled-gradients", "zero-grad-in-accumulation"),
)

M_UNSCALE = "            self.scaler.unscale_(optimizer)\n"
M_CLIP = "            nn.utils.clip_grad_norm_(self.students[name].parameters(), self.limit)\n"
M_UPDATE = "        self.scaler.update()\n"
M_CLEAR = "        for optimizer in self.optimizers.values():\n            optimizer.zero_grad()\n"
M_BACKWARD = "            self.scaler.scale(losses[name] / self.window).backward()\n"


def mutual() -> Iterator[Case]:
    yield MUTUAL.right("one-scale-for-both", tempts=("missing-scaler-update", "unscaled-accumulation-loss"))
    yield MUTUAL.right(
        "cleared-when-a-window-begins",
        (M_CLEAR, ""),
        (
            "        with autocast",
            "        if self.seen % self.window == 0:\n            for net in self.students.values():\n                net.zero_grad()\n        with autocast",
        ),
        tempts=("missing-zero-grad",),
    )
    yield MUTUAL.right(
        "both-losses-in-one-backward",
        (M_BACKWARD, ""),
        (
            "        self.seen += 1\n",
            "        self.scaler.scale(sum(losses.values()) / self.window).backward()\n        self.seen += 1\n",
        ),
        tempts=("accumulation-divisor-mismatch",),
    )
    yield MUTUAL.right(
        "second-one-learns-half-as-often",
        (
            "        for name, optimizer in self.optimizers.items():\n",
            "        turns = self.seen // self.window\n        ready = [name for name in self.optimizers if name == 'one' or turns % 2 == 0]\n        for name in ready:\n            optimizer = self.optimizers[name]\n",
        ),
        (
            M_CLEAR,
            "        for name in ready:  # the second one's windows are twice as long\n            self.optimizers[name].zero_grad()\n",
        ),
        (
            M_BACKWARD,
            "            size = self.window * (1 if name == 'one' else 2)\n            self.scaler.scale(losses[name] / size).backward()\n",
        ),
        tempts=("missing-zero-grad", "accumulation-divisor-mismatch"),
    )
    yield MUTUAL.wrong("clipped-while-scaled", ((M_UNSCALE, ""),))
    yield MUTUAL.wrong(
        "updated-inside-for-each-micro-batch",
        ((M_UPDATE, ""), ("        return {name: loss.item()", M_UPDATE + "        return {name: loss.item()")),
        tempts=("missing-scaler-update",),
        raises="AssertionError",
    )
    yield MUTUAL.wrong(
        "only-one-is-cleared",
        ((M_CLEAR, '        self.optimizers["one"].zero_grad()\n'),),
        tempts=("missing-zero-grad",),
    )
    yield MUTUAL.wrong(
        "cleared-in-front-of-each-backward",
        ((M_CLEAR, ""), (M_BACKWARD, "            self.optimizers[name].zero_grad()\n" + M_BACKWARD)),
    )
    yield MUTUAL.wrong(
        "second-one-past-the-scale",
        (
            (
                M_BACKWARD,
                '            loss = losses[name] / self.window\n            (self.scaler.scale(loss) if name == "one" else loss).backward()\n',
            ),
        ),
        tempts=("unscaled-backward",),
    )


SAVED = Draft(
    "broken-off-and-gone-on",
    """\
import copy

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_default_dtype(torch.float64)


class Run:
    def __init__(self, accumulate=2, eval_every=3):
        self.model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Dropout(0.1), nn.Linear(8, 1))
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.2, momentum=0.9)
        self.scheduler = torch.optim.lr_scheduler.LambdaLR(self.optimizer, lambda update: 0.9**update)
        self.accumulate, self.eval_every = accumulate, eval_every
        self.epoch = self.batch = self.updates = 0

    def state_dict(self):
        parts = {name: copy.deepcopy(getattr(self, name).state_dict()) for name in ("model", "optimizer", "scheduler")}
        return parts | {"epoch": self.epoch, "batch": self.batch, "updates": self.updates}

    def load_state_dict(self, state):
        for name in ("model", "optimizer", "scheduler"):
            getattr(self, name).load_state_dict(state[name])
        self.epoch, self.batch, self.updates = state["epoch"], state["batch"], state["updates"]

    def evaluate(self, x, y):
        self.model.eval()
        with torch.no_grad():
            print(f"update {self.updates} error {(self.model(x) - y).abs().mean().item():.4f}")
        self.model.train()

    def train(self, loader, held_out, epochs, until=None):
        self.model.train()
        while self.epoch < epochs:
            for number, (x, y) in enumerate(loader):
                if number < self.batch:
                    continue  # seen before the run was broken off
                loss = nn.functional.mse_loss(self.model(x), y)
                (loss / self.accumulate).backward()
                self.batch += 1
                if self.batch % self.accumulate == 0:
                    nn.utils.clip_grad_norm_(self.model.parameters(), 0.4)
                    self.optimizer.step()
                    self.scheduler.step()
                    self.optimizer.zero_grad()
                    self.updates += 1
                    if self.updates % self.eval_every == 0:
                        self.evaluate(*held_out)
                    if self.updates == until:
                        return self.state_dict()
            self.epoch, self.batch = self.epoch + 1, 0
        return self.state_dict()


def main():
    torch.manual_seed(36)
    x, y = torch.randn(28, 4), torch.randn(28, 1)
    loader = DataLoader(TensorDataset(x[:24], y[:24]), batch_size=4)
    held_out = x[24:], y[24:]
    state = Run().train(loader, held_out, epochs=3, until=4)
    run = Run()
    run.load_state_dict(state)
    run.train(loader, held_out, epochs=3)
    return run.model
""",
    ("missing-train-mode", "scheduler-per-micro-batch"),
)

R_CLIP = "                    nn.utils.clip_grad_norm_(self.model.parameters(), 0.4)\n"
R_STEP = "                    self.optimizer.step()\n"
R_MOVE = "                    self.scheduler.step()\n"
R_CLEAR = "                    self.optimizer.zero_grad()\n"


def saved() -> Iterator[Case]:
    yield SAVED.right("saved-between-two-windows", tempts=("accumulation-off-by-one", "dropped-accumulation-tail"))
    yield SAVED.right(
        "cleared-in-front-of-a-window",
        (R_CLEAR, ""),
        (
            "                loss = nn",
            "                if self.batch % self.accumulate == 0:\n                    self.optimizer.zero_grad()\n                loss = nn",
        ),
        tempts=("missing-zero-grad", "zero-grad-in-accumulation"),
    )
    yield SAVED.right(
        "skipped-batches-take-no-part-in-the-window",
        (
            "                if number < self.batch:\n                    continue  # seen before the run was broken off\n",
            "                if number < self.batch or y.mean() > 0.9:\n                    self.batch = max(self.batch, number + 1)\n                    continue\n",
        ),
        (
            "                self.batch += 1\n                if self.batch % self.accumulate == 0:\n",
            "                self.batch += 1\n                self.pending = (self.pending + 1) % self.accumulate\n                if not self.pending:\n",
        ),
        (
            "        self.epoch = self.batch = self.updates = 0\n",
            "        self.epoch = self.batch = self.updates = self.pending = 0\n",
        ),
        tempts=("accumulation-divisor-mismatch",),
    )
    yield SAVED.wrong(
        "evaluation-leaves-eval",
        (
            (
                '            print(f"update {self.updates} error {(self.model(x) - y).abs().mean().item():.4f}")\n        self.model.train()\n',
                '            print(f"update {self.updates} error {(self.model(x) - y).abs().mean().item():.4f}")\n',
            ),
        ),
    )
    yield SAVED.wrong(
        "schedule-moves-each",
        (
            (R_MOVE, ""),
            (
                "                self.batch += 1\n",
                "                self.batch += 1\n                self.scheduler.step()\n",
            ),
        ),
    )
    yield SAVED.wrong(
        "clip-and-step-change-places",
        ((R_CLIP + R_STEP, R_STEP + R_CLIP),),
        tempts=("clip-after-step",),
    )
    yield SAVED.wrong(
        "cleared-only-when-evaluated",
        (
            (R_CLEAR, ""),
            (
                "                        self.evaluate(*held_out)\n",
                "                        self.optimizer.zero_grad()\n                        self.evaluate(*held_out)\n",
            ),
        ),
        tempts=("missing-zero-grad",),
    )


def cases() -> Iterator[Case]:
    yield from mutual()
    yield from saved()
