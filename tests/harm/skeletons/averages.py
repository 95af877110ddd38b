"""Weights that are averaged, one cycle of the rate, updates that are generated, a recipe in nested functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

SWA = Draft(
    "averaged-weights",
    """\
import torch
from torch import nn
from torch.optim.lr_scheduler import CosineAnnealingLR
from torch.optim.swa_utils import SWALR, AveragedModel, update_bn
from torch.utils.data import DataLoader, TensorDataset

torch.set_default_dtype(torch.float64)


def check(network, x, y):
    network.eval()
    with torch.no_grad():
        return nn.functional.cross_entropy(network(x), y).item()


def train_epoch(network, loader, optimizer, loss_fn):
    network.train()
    total = 0.0
    for x, y in loader:
        optimizer.zero_grad()
        loss = loss_fn(network(x), y)
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 0.5)
        optimizer.step()
        total += loss.item()
    return total / len(loader)


def main():
    torch.manual_seed(14)
    network = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Dropout(0.1), nn.Linear(8, 3))
    x, y = torch.randn(30, 4), torch.randint(0, 3, (30,))
    loader = DataLoader(TensorDataset(x[:24], y[:24]), batch_size=6)
    optimizer = torch.optim.SGD(network.parameters(), lr=0.3, momentum=0.9)
    swa_network = AveragedModel(network)
    epochs, swa_start = 6, 3
    cosine = CosineAnnealingLR(optimizer, T_max=epochs)
    swa_schedule = SWALR(optimizer, anneal_epochs=2, swa_lr=0.05)
    for epoch in range(epochs):
        loss = train_epoch(network, loader, optimizer, nn.CrossEntropyLoss())
        if epoch >= swa_start:
            swa_network.update_parameters(network)
            swa_schedule.step()
        else:
            cosine.step()
        print(f"{epoch} {float(loss):.4f} {check(network, x[24:], y[24:]):.4f}")
    update_bn(loader, swa_network)
    print(f"averaged {check(swa_network, x[24:], y[24:]):.4f}")
    return network, swa_network
""",
    ("missing-train-mode", "scheduler-before-optimizer"),
)

SWA_CLIP = "        nn.utils.clip_grad_norm_(network.parameters(), 0.5)\n"
SWA_MOVE = """\
        if epoch >= swa_start:
            swa_network.update_parameters(network)
            swa_schedule.step()
        else:
            cosine.step()
"""


def averaged() -> Iterator[Case]:
    yield SWA.right("two-schedules-take-turns")
    yield SWA.right(
        "average-checked-each-epoch-in-eval",
        (
            "            swa_network.update_parameters(network)\n",
            "            swa_network.update_parameters(network)\n            check(swa_network, x[:6], y[:6])\n",
        ),
    )
    yield SWA.right(
        "trained-on-with-frozen-statistics",
        ("    network.train()\n    total", "    network.train(epoch < 3)\n    total"),
        (
            "def train_epoch(network, loader, optimizer, loss_fn):",
            "def train_epoch(network, loader, optimizer, loss_fn, epoch):",
        ),
        ("optimizer, nn.CrossEntropyLoss())", "optimizer, nn.CrossEntropyLoss(), epoch)"),
    )
    yield SWA.right(
        "rate-set-in-front-of-each-epoch",
        (SWA_MOVE, "        if epoch >= swa_start:\n            swa_network.update_parameters(network)\n"),
        (
            "        loss = train_epoch(",
            "        for group in optimizer.param_groups:\n            group['lr'] = 0.05 if epoch > swa_start else 0.3 * (1 - epoch / epochs)\n        loss = train_epoch(",
        ),
        (
            "    cosine = CosineAnnealingLR(optimizer, T_max=epochs)\n    swa_schedule = SWALR(optimizer, anneal_epochs=2, swa_lr=0.05)\n",
            "",
        ),
    )
    yield SWA.wrong("check-leaves-eval", (("    network.train()\n    total", "    total"),))


CYCLE = Draft(
    "one-cycle-by-batch",
    """\
import math

import torch
from torch import nn
from torch.optim import SGD
from torch.optim.lr_scheduler import OneCycleLR

torch.set_default_dtype(torch.float64)


class Mixer(nn.Module):
    def __init__(self, width=5):
        super().__init__()
        self.tokens = nn.Linear(3, 3)
        self.channels = nn.Linear(width, width)
        self.head = nn.Linear(width, 2)

    def forward(self, x):
        x = x + self.tokens(x.transpose(1, 2)).transpose(1, 2).relu()
        x = x + self.channels(x).relu()
        return self.head(x.mean(dim=1))


def train(model, batches, *, epochs, accumulation, max_lr):
    updates_per_epoch = math.ceil(len(batches) / accumulation)
    optimizer = SGD(
        [
            {"params": [*model.tokens.parameters(), *model.channels.parameters()], "lr": max_lr / 4},
            {"params": model.head.parameters(), "lr": max_lr},
        ],
        lr=max_lr,
    )
    schedule = OneCycleLR(
        optimizer, max_lr=[max_lr / 4, max_lr], epochs=epochs, steps_per_epoch=updates_per_epoch, pct_start=0.4
    )
    for epoch in range(epochs):
        for number, (x, y) in enumerate(batches, start=1):
            loss = nn.functional.cross_entropy(model(x), y)
            loss.backward(torch.tensor(1.0 / accumulation))
            if number % accumulation != 0:
                continue
            nn.utils.clip_grad_norm_(model.head.parameters(), 0.2)
            nn.utils.clip_grad_norm_([*model.tokens.parameters(), *model.channels.parameters()], 0.1)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad()
        rates = " ".join(f"{rate:.5f}" for rate in schedule.get_last_lr())
        print(f"epoch {epoch} loss {loss.item():.4f} rates {rates}")


def main():
    torch.manual_seed(9)
    model = Mixer()
    batches = [(torch.randn(4, 3, 5), torch.randint(0, 2, (4,))) for _ in range(8)]
    train(model, batches, epochs=3, accumulation=2, max_lr=0.4)
    return model
""",
    ("scheduler-per-micro-batch", "scheduler-before-optimizer"),
)

C_GUARD = "            if number % accumulation != 0:\n                continue\n"
C_BACKWARD = "            loss.backward(torch.tensor(1.0 / accumulation))\n"
C_MOVE = "            schedule.step()\n"
C_CLIPS = """\
            nn.utils.clip_grad_norm_(model.head.parameters(), 0.2)
            nn.utils.clip_grad_norm_([*model.tokens.parameters(), *model.channels.parameters()], 0.1)
"""


def one_cycle() -> Iterator[Case]:
    yield CYCLE.right("a-move-for-each-update", tempts=("unscaled-accumulation-loss", "clip-per-micro-batch"))
    yield CYCLE.right(
        "length-in-batches-and-a-move-for-each",
        ("steps_per_epoch=updates_per_epoch", "steps_per_epoch=len(batches)"),
        ("    updates_per_epoch = math.ceil(len(batches) / accumulation)\n", ""),
        (
            C_GUARD,
            C_GUARD.replace("                continue", "                schedule.step()\n                continue"),
        ),
    )
    yield CYCLE.right(
        "length-and-moves-known-to-a-lambda",
        (
            """\
    schedule = OneCycleLR(
        optimizer, max_lr=[max_lr / 4, max_lr], epochs=epochs, steps_per_epoch=updates_per_epoch, pct_start=0.4
    )
""",
            """\
    total = epochs * len(batches)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda batch: 1.0 - batch / (total + 1))
""",
        ),
        ("    updates_per_epoch = math.ceil(len(batches) / accumulation)\n", ""),
        (C_MOVE, ""),
        (C_GUARD, "            batch = number + epoch * len(batches)\n" + C_GUARD),
        (
            "            optimizer.zero_grad()\n",
            "            while schedule.last_epoch < batch:\n                schedule.step()\n            optimizer.zero_grad()\n",
        ),
    )
    yield CYCLE.right(
        "divided-at-the-step",
        (C_BACKWARD, "            loss.backward()\n"),
        (
            "            optimizer.step()\n",
            "            for group in optimizer.param_groups:\n                for p in group['params']:\n                    p.grad.div_(accumulation)\n            optimizer.step()\n",
        ),
        (C_CLIPS, ""),
        tempts=("unscaled-accumulation-loss",),
    )
    yield CYCLE.wrong(
        "moves-for-each-batch-until-it-ends",
        ((C_MOVE, ""), (C_GUARD, C_MOVE + C_GUARD)),
        raises="ValueError",
    )
    yield CYCLE.wrong(
        "moves-in-front-of-the-step",
        (
            (
                "            optimizer.step()\n            schedule.step()\n",
                "            schedule.step()\n            optimizer.step()\n",
            ),
        ),
        tempts=("scheduler-before-optimizer",),
    )
    yield CYCLE.wrong("clipped-each", ((C_CLIPS, ""), (C_GUARD, C_CLIPS + C_GUARD)), tempts=("clip-per-micro-batch",))
    yield CYCLE.wrong(
        "summed", ((C_BACKWARD, "            loss.backward()\n"),), tempts=("unscaled-accumulation-loss",)
    )
    yield CYCLE.left(
        "length-in-batches-moves-in-updates",
        (("steps_per_epoch=updates_per_epoch", "steps_per_epoch=len(batches)"),),
    )


GENERATOR = Draft(
    "updates-that-are-generated",
    """\
import itertools
from collections.abc import Iterator
from typing import NamedTuple

import torch
from torch import Tensor, nn

torch.set_default_dtype(torch.float64)


class Event(NamedTuple):
    update: int
    loss: float
    norm: float


def batches(generator: torch.Generator) -> Iterator[tuple[Tensor, Tensor]]:
    while True:
        x = torch.randn(4, 3, generator=generator)
        yield x, (x[:, :1] * x[:, 1:2]).tanh()


def updates(net: nn.Module, optimizer: torch.optim.Optimizer, stream, window: int) -> Iterator[Event]:
    \"\"\"Train for ever; hand out control after each update.\"\"\"
    for number in itertools.count(1):
        net.train()
        losses = []
        for x, y in itertools.islice(stream, window):
            loss = (net(x) - y).square().mean()
            (loss / window).backward()
            losses.append(loss.item())
        norm = nn.utils.clip_grad_norm_(net.parameters(), 0.1)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        yield Event(number, float(sum(losses)) / window, norm.item())


def validate(net: nn.Module, x: Tensor, y: Tensor) -> float:
    net.eval()
    with torch.no_grad():
        return (net(x) - y).abs().mean().item()


def main() -> nn.Module:
    net = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Dropout(0.1), nn.Linear(8, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.4, momentum=0.9)
    decay = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.7)
    stream = batches(torch.Generator().manual_seed(2))
    best = float("inf")
    for event in updates(net, optimizer, stream, window=3):
        decay.step()
        if event.update % 2 == 0:
            error = validate(net, *next(batches(torch.Generator().manual_seed(99))))
            print(f"{event.update}: {event.loss:.4f} {event.norm:.4f} {error:.4f}")
            if error > 1.5 * best or event.update >= 6:
                break
            best = min(best, error)
    return net
""",
    ("missing-zero-grad", "missing-train-mode"),
)

G_STEP = "        optimizer.step()\n"
G_CLEAR = "        optimizer.zero_grad(set_to_none=True)\n"
G_CLIP = "        norm = nn.utils.clip_grad_norm_(net.parameters(), 0.1)\n"
G_YIELD = "        yield Event(number, float(sum(losses)) / window, norm.item())\n"


def generated() -> Iterator[Case]:
    yield GENERATOR.right("as-it-is", tempts=("scheduler-before-optimizer",))
    yield GENERATOR.right(
        "consumer-steps-and-clears",
        (G_STEP + G_CLEAR, ""),
        ("        decay.step()\n", "        optimizer.step()\n        optimizer.zero_grad()\n        decay.step()\n"),
    )
    yield GENERATOR.right(
        "consumer-reads-the-gradients",
        (G_CLEAR, ""),
        (G_YIELD, G_YIELD + "        # whoever asked for this update may have looked at the gradients\n" + G_CLEAR),
        (
            "        decay.step()\n",
            '        decay.step()\n        print("largest", f"{max(p.grad.abs().max().item() for p in net.parameters()):.4f}")\n',
        ),
        tempts=("missing-zero-grad", "zero-grad-in-accumulation"),
    )
    yield GENERATOR.wrong(
        "in-train-only-once",
        (
            ("        net.train()\n        losses", "        losses"),
            ("    for number in itertools", "    net.train()\n    for number in itertools"),
        ),
        tempts=("missing-train-mode",),
    )
    yield GENERATOR.wrong("never-cleared", ((G_CLEAR, ""),))
    yield GENERATOR.wrong("clip-behind", ((G_CLIP + G_STEP, G_STEP + G_CLIP),), tempts=("clip-after-step",))
    yield GENERATOR.wrong(
        "window-keeps-graphs",
        (
            (
                "        losses = []\n        for x, y",
                "        for x, y",
            ),
            ("    for number in itertools", "    losses = []\n    for number in itertools"),
            ("losses.append(loss.item())", "losses.append(loss)"),
            ("float(sum(losses)) / window, norm", "float(sum(losses[-window:])) / window, norm"),
        ),
        tempts=("loss-graph-leak",),
    )


RECIPE = Draft(
    "recipe-in-nested-functions",
    """\
import copy
from dataclasses import dataclass

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


@dataclass(frozen=True)
class Recipe:
    lr: float = 0.2
    micro: int = 2
    clip: float = 0.6
    decay: float = 0.8
    epochs: int = 2
    seed: int = 7


def train(recipe: Recipe, batches):
    torch.manual_seed(recipe.seed)
    net = nn.Sequential(nn.Linear(3, 6), nn.GELU(), nn.Linear(6, 1))
    average = copy.deepcopy(net).requires_grad_(False).eval()
    optimizer = torch.optim.SGD(net.parameters(), lr=recipe.lr, momentum=0.9)
    updates = skipped = 0

    def forward_backward(x, y):
        loss = nn.functional.huber_loss(net(x), y)
        (loss / recipe.micro).backward()
        return loss.item()

    @torch.no_grad()
    def blend():
        for mean, p in zip(average.parameters(), net.parameters()):
            mean.lerp_(p, 1 - recipe.decay)

    def update():
        nonlocal updates, skipped
        norm = nn.utils.clip_grad_norm_(net.parameters(), recipe.clip)
        if torch.isfinite(norm):
            optimizer.step()
            blend()
            updates += 1
        else:
            skipped += 1
        optimizer.zero_grad()
        return norm.item()

    for epoch in range(recipe.epochs):
        for i, (x, y) in enumerate(batches):
            loss = forward_backward(x, y)
            if (i + 1) % recipe.micro == 0:
                print(f"{epoch}.{i} loss {loss:.4f} norm {update():.4f}")
    print(f"{updates} updates, {skipped} skipped")
    return net, average


def main():
    torch.manual_seed(1)
    batches = [(torch.randn(4, 3), torch.randn(4, 1)) for _ in range(8)]
    batches[3][0][1, 1] = float("inf")  # a broken sensor
    return train(Recipe(), batches)
""",
    ("clip-after-step", "zero-grad-in-accumulation"),
)

RE_CLIP = "        norm = nn.utils.clip_grad_norm_(net.parameters(), recipe.clip)\n"
RE_CLEAR = "        optimizer.zero_grad()\n"


def recipe() -> Iterator[Case]:
    yield RECIPE.right("skips-what-is-not-finite", tempts=("missing-zero-grad", "zero-grad-before-step"))
    yield RECIPE.right(
        "norm-measured-behind-the-step",
        (RE_CLIP, ""),
        (
            "        if torch.isfinite(norm):\n            optimizer.step()\n",
            "        if all(p.grad.isfinite().all() for p in net.parameters()):\n            optimizer.step()\n",
        ),
        (RE_CLEAR, '        norm = nn.utils.clip_grad_norm_(net.parameters(), float("inf"))\n' + RE_CLEAR),
        tempts=("clip-after-step",),
    )
    yield RECIPE.right(
        "bad-micro-batch-is-left-out",
        (
            "        (loss / recipe.micro).backward()\n",
            "        if loss.isfinite():\n            (loss / recipe.micro).backward()\n",
        ),
        tempts=("unscaled-accumulation-loss", "zero-grad-in-accumulation"),
    )
    yield RECIPE.right(
        "decayed-between-the-windows",
        (
            RE_CLEAR,
            "        for p in net.parameters():  # a trace of the past, as in TD(lambda)\n            p.grad = torch.nan_to_num(p.grad, 0.0, 0.0, 0.0) * 0.5\n",
        ),
        tempts=("missing-zero-grad",),
    )
    yield RECIPE.wrong(
        "cleared-only-when-stepped",
        ((RE_CLEAR, ""), ("            blend()\n", "            blend()\n            optimizer.zero_grad()\n")),
        tempts=("missing-zero-grad",),
    )
    yield RECIPE.wrong(
        "clip-behind",
        (
            (RE_CLIP, ""),
            (
                "        if torch.isfinite(norm):\n",
                "        if all(p.grad.isfinite().all() for p in net.parameters()):\n",
            ),
            (RE_CLEAR, RE_CLIP + RE_CLEAR),
        ),
        fine=(
            (
                (
                    "        if torch.isfinite(norm):\n",
                    "        if all(p.grad.isfinite().all() for p in net.parameters()):\n",
                ),
            ),
        ),
    )
    yield RECIPE.wrong(
        "cleared-in-each-forward-backward",
        (
            (RE_CLEAR, ""),
            ("        loss = nn.functional.huber", "        optimizer.zero_grad()\n        loss = nn.functional.huber"),
        ),
    )
    yield RECIPE.wrong(
        "summed",
        (("        (loss / recipe.micro).backward()\n", "        loss.backward()\n"),),
        tempts=("unscaled-accumulation-loss",),
    )


def cases() -> Iterator[Case]:
    yield from averaged()
    yield from one_cycle()
    yield from generated()
    yield from recipe()
