"""A student that a frozen teacher guides, and averages of weights that are kept beside the training."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

STUDENT = Draft(
    "student-on-a-frozen-stem",
    """\
import torch
import torch.nn as nn
import torch.nn.functional as F


def make_net(width):
    stem = nn.Sequential(nn.Linear(8, width), nn.BatchNorm1d(width), nn.ReLU())
    head = nn.Sequential(nn.Dropout(0.25), nn.Linear(width, 4))
    return nn.ModuleDict({"stem": stem, "head": head})


def logits_of(net, x):
    return net["head"](net["stem"](x))


def freeze(module):
    for p in module.parameters():
        p.requires_grad_(False)
    return module.eval()


def kd_loss(student, teacher, y, T=3.0, alpha=0.6):
    soft = F.kl_div(F.log_softmax(student / T, 1), F.softmax(teacher / T, 1), reduction="batchmean") * T * T
    return alpha * soft + (1 - alpha) * F.cross_entropy(student, y)


def accuracy(net, x, y):
    net.eval()
    with torch.no_grad():
        right = (logits_of(net, x).argmax(1) == y).double().mean().item()
    return right


def set_train(net):
    net.train()
    net["stem"].eval()  # keeps the statistics that it came with


def distil(student, teacher, batches, held_out, epochs=3):
    optimizer = torch.optim.SGD([p for p in student.parameters() if p.requires_grad], lr=0.3, momentum=0.9)
    plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, mode="max", factor=0.5, patience=0)
    history = []
    for epoch in range(epochs):
        set_train(student)
        epoch_loss = 0.0
        for x, y in batches:
            loss = kd_loss(logits_of(student, x), logits_of(teacher, x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            epoch_loss += loss.item()
        score = accuracy(student, *held_out)
        plateau.step(score)
        history.append((epoch, round(epoch_loss / len(batches), 4), round(score, 3)))
    return history


def main():
    torch.manual_seed(44)
    torch.set_default_dtype(torch.float64)
    teacher, student = freeze(make_net(20)), make_net(6)
    freeze(student["stem"])
    batches = [(torch.randn(8, 8), torch.randint(0, 4, (8,))) for _ in range(5)]
    held_out = torch.randn(16, 8), torch.randint(0, 4, (16,))
    for row in distil(student, teacher, batches, held_out):
        print(*row)
    return student
""",
    ("missing-train-mode", "validation-without-no-grad"),
)

S_TRAIN = "        set_train(student)\n"
S_START = "    history = []\n"


def student() -> Iterator[Case]:
    yield STUDENT.right("stem-stays-in-eval")
    yield STUDENT.right(
        "whole-student-stays-in-eval",
        (S_TRAIN, ""),
        (S_START, "    student.eval()  # no dropout while it copies the teacher\n" + S_START),
    )
    yield STUDENT.wrong(
        "evaluation-leaves-eval-behind",
        ((S_TRAIN, ""), (S_START, "    set_train(student)\n" + S_START)),
        fine=(
            (
                (S_TRAIN, ""),
                (S_START, "    set_train(student)\n" + S_START),
                ("    net.eval()\n", '    was = net["head"].training\n    net.eval()\n'),
                ("    return right\n", '    net["head"].train(was)\n    return right\n'),
            ),
        ),
        tempts=("missing-train-mode",),
    )
    yield STUDENT.wrong(
        "held-out-with-a-graph",
        (
            (
                "    with torch.no_grad():\n        right = (logits_of(net, x).argmax(1) == y).double().mean().item()\n",
                "    right = (logits_of(net, x).argmax(1) == y).double().mean().item()\n",
            ),
        ),
        tempts=("validation-without-no-grad",),
    )
    yield STUDENT.right(
        "held-out-under-attack",
        (
            "    with torch.no_grad():\n        right = (",
            """\
    x = x.clone().requires_grad_(True)
    (slope,) = torch.autograd.grad(F.cross_entropy(logits_of(net, x), y), x)
    x = (x + 0.1 * slope.sign()).detach()
    with torch.no_grad():
        right = (""",
        ),
        tempts=("validation-without-no-grad",),
    )


AVERAGE = Draft(
    "weights-averaged-late",
    """\
from dataclasses import dataclass, field

import torch
from torch.optim.swa_utils import SWALR, AveragedModel, get_ema_multi_avg_fn, update_bn


@dataclass
class Recipe:
    epochs: int = 4
    swa_start: int = 2
    accumulate: int = 3
    lr: float = 0.2
    swa_lr: float = 0.05
    decay: float = 0.8
    hidden: list = field(default_factory=lambda: [7, 5])


def build(recipe):
    sizes, layers = [4, *recipe.hidden], []
    for a, b in zip(sizes, sizes[1:]):
        layers += [torch.nn.Linear(a, b), torch.nn.BatchNorm1d(b), torch.nn.SiLU()]
    return torch.nn.Sequential(*layers, torch.nn.Linear(sizes[-1], 1))


def main():
    torch.manual_seed(9)
    recipe = Recipe()
    model = build(recipe)
    swa_model = AveragedModel(model)
    ema_model = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(recipe.decay))
    optimizer = torch.optim.SGD(model.parameters(), lr=recipe.lr, weight_decay=1e-3)
    cosine = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=recipe.epochs)
    swa_scheduler = SWALR(optimizer, swa_lr=recipe.swa_lr, anneal_epochs=2)
    loader = [(torch.randn(6, 4), torch.randn(6, 1)) for _ in range(6)]

    for epoch in range(recipe.epochs):
        model.train()
        for i, (x, y) in enumerate(loader):
            loss = torch.nn.functional.mse_loss(model(x), y)
            (loss / recipe.accumulate).backward()
            if not (i + 1) % recipe.accumulate:
                optimizer.step()
                optimizer.zero_grad()
                ema_model.update_parameters(model)
        if epoch < recipe.swa_start:
            cosine.step()
        else:
            swa_model.update_parameters(model)
            swa_scheduler.step()
        print(f"epoch {epoch} loss {loss.item():.4f} lr {optimizer.param_groups[0]['lr']:.4f}")

    update_bn([x for x, _ in loader], swa_model)
    return model, swa_model, ema_model
""",
    ("scheduler-per-micro-batch", "scheduler-before-optimizer"),
)

A_BACKWARD = "            (loss / recipe.accumulate).backward()\n"
A_CLEAR = "                optimizer.zero_grad()\n"
A_EMA = "                ema_model.update_parameters(model)\n"
A_GUARD = "            if not (i + 1) % recipe.accumulate:\n"


def average() -> Iterator[Case]:
    yield AVERAGE.right("two-schedules-one-after-the-other")
    yield AVERAGE.right(
        "cosine-for-each-update-then-the-other-for-each-epoch",
        ("T_max=recipe.epochs)", "T_max=2 * recipe.swa_start)  # two updates an epoch"),
        (
            A_EMA,
            A_EMA + "                if epoch < recipe.swa_start:\n                    cosine.step()\n",
        ),
        (
            "        if epoch < recipe.swa_start:\n            cosine.step()\n        else:\n",
            "        if epoch >= recipe.swa_start:\n",
        ),
    )
    yield AVERAGE.right(
        "last-of-each-window",
        (A_GUARD, "            if i % recipe.accumulate == recipe.accumulate - 1:\n"),
        tempts=("accumulation-off-by-one",),
    )
    yield AVERAGE.wrong(
        "divided-by-all-batches",
        ((A_BACKWARD, "            (loss / len(loader)).backward()\n"),),
        tempts=("accumulation-divisor-mismatch",),
    )
    yield AVERAGE.wrong(
        "undivided-and-not-cleared",
        ((A_BACKWARD, "            loss.backward()\n"),),
        ((A_CLEAR, "                optimizer.zero_grad\n"),),
        tempts=("unscaled-accumulation-loss", "method-not-called"),
    )
    yield AVERAGE.right(
        "divided-in-the-rate",
        (A_BACKWARD, "            loss.backward()\n"),
        (
            "lr=recipe.lr, weight_decay=1e-3)",
            "lr=recipe.lr / recipe.accumulate, weight_decay=1e-3)  # of a sum, so a third",
        ),
        ("swa_lr=recipe.swa_lr, ", "swa_lr=recipe.swa_lr / recipe.accumulate, "),
        tempts=("unscaled-accumulation-loss",),
    )
    yield AVERAGE.wrong(
        "summed-but-not-divided",
        ((A_BACKWARD, "            loss.backward()\n"),),
        tempts=("unscaled-accumulation-loss",),
    )
    yield AVERAGE.wrong(
        "window-begins-with-one",
        ((A_GUARD, "            if not i % recipe.accumulate:\n"),),
        tempts=("accumulation-off-by-one",),
    )
    yield AVERAGE.wrong(
        "cleared-for-each-batch",
        ((A_CLEAR, ""), (A_BACKWARD, "            optimizer.zero_grad()\n" + A_BACKWARD)),
        tempts=("zero-grad-in-accumulation",),
    )
    yield AVERAGE.wrong(
        "clear-is-not-called",
        ((A_CLEAR, "                optimizer.zero_grad\n"),),
        tempts=("method-not-called",),
    )


def cases() -> Iterator[Case]:
    yield from student()
    yield from average()
