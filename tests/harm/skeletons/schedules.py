"""Schedules counted in micro-batches, updates or epochs; made early or late; moved by a metric."""

from __future__ import annotations

from collections.abc import Iterator

from harm.case import Case, Skeleton, drop, swap

COSINE = """
import torch
from torch import nn
from torch.optim.lr_scheduler import CosineAnnealingLR

torch.set_default_dtype(torch.float64)


def main():
    config = {"epochs": 2, "accumulate_grad_batches": 4, "lr": 0.1}
    torch.manual_seed(1)
    loader = [(torch.randn(4, 3), torch.randn(4, 1)) for _ in range(8)]
    model = nn.Linear(3, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=config["lr"], momentum=0.9)
    # T_max counts micro-batches, and so do the calls
    scheduler = CosineAnnealingLR(optimizer, T_max=len(loader) * config["epochs"])
    n = config["accumulate_grad_batches"]
    lrs = []
    for epoch in range(config["epochs"]):
        for i, (x, y) in enumerate(loader):
            loss = nn.functional.mse_loss(model(x), y) / n
            loss.backward()
            if (i + 1) % n == 0:
                optimizer.step()
                optimizer.zero_grad()
            scheduler.step()
            lrs.append(scheduler.get_last_lr()[0])
    print(" ".join(f"{lr:.4f}" for lr in lrs[::4]))
    return model
"""


def counted_in_micro_batches() -> Iterator[Case]:
    loops = Skeleton("counted-in-micro-batches")
    yield loops.right("cosine", COSINE, "scheduler-per-micro-batch", "scheduler-before-optimizer")
    yield loops.right(
        "total-steps-in-a-name",
        swap(
            COSINE,
            '    scheduler = CosineAnnealingLR(optimizer, T_max=len(loader) * config["epochs"])\n',
            '    total_steps = config["epochs"] * len(loader)\n'
            "    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=0.2, total_steps=total_steps)\n",
            "            scheduler.step()\n",
            "            if epoch * len(loader) + i < total_steps - 1:\n                scheduler.step()\n",
        ),
        "scheduler-per-micro-batch",
    )
    yield loops.right(
        "lambda-of-micro-batches",
        swap(
            COSINE,
            '    scheduler = CosineAnnealingLR(optimizer, T_max=len(loader) * config["epochs"])\n',
            "    warm = len(loader) // 2\n"
            "    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda i: min(1.0, (i + 1) / warm))\n",
        ),
        "scheduler-per-micro-batch",
    )
    in_updates = swap(
        COSINE,
        "    # T_max counts micro-batches, and so do the calls\n",
        "",
        'T_max=len(loader) * config["epochs"]',
        'T_max=len(loader) * config["epochs"] // config["accumulate_grad_batches"]',
        "                optimizer.zero_grad()\n            scheduler.step()\n",
        "                optimizer.zero_grad()\n                scheduler.step()\n",
    )
    yield loops.right("counted-in-updates", in_updates, "scheduler-per-micro-batch")
    yield loops.wrong(
        "counted-in-updates-moved-in-micro-batches",
        swap(in_updates, "                scheduler.step()\n", "            scheduler.step()\n"),
        in_updates,
        COSINE,
        tempts=("scheduler-per-micro-batch",),
    )
    yield loops.wrong(
        "scheduler-in-front",
        swap(
            in_updates,
            "                optimizer.step()\n"
            "                optimizer.zero_grad()\n"
            "                scheduler.step()\n",
            "                scheduler.step()\n"
            "                optimizer.step()\n"
            "                optimizer.zero_grad()\n",
        ),
        in_updates,
        tempts=("scheduler-before-optimizer",),
    )


EPOCHS = """
import torch
import torch.nn as nn
import torch.optim as optim
from torch.optim import lr_scheduler

torch.set_default_dtype(torch.float64)


def train(net, trainloader, opt, criterion, epoch):
    net.train()
    train_loss = 0
    for batch_idx, (inputs, targets) in enumerate(trainloader):
        opt.zero_grad()
        outputs = net(inputs)
        loss = criterion(outputs, targets)
        loss.backward()
        opt.step()
        train_loss += loss.item()
    print('Epoch: %d | Loss: %.4f | lr %.5f' % (epoch, train_loss / (batch_idx + 1), opt.param_groups[0]['lr']))


def test(net, testloader, criterion):
    net.eval()
    test_loss = 0
    with torch.no_grad():
        for inputs, targets in testloader:
            test_loss += criterion(net(inputs), targets).item()
    return test_loss / len(testloader)


def main():
    torch.manual_seed(0)
    data = [(torch.randn(5, 4), torch.randint(0, 2, (5,))) for _ in range(7)]
    net = nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Dropout(0.5), nn.Linear(6, 2))
    criterion = nn.CrossEntropyLoss()
    opt = optim.SGD(net.parameters(), lr=0.1)
    scheduler = lr_scheduler.StepLR(opt, step_size=2, gamma=0.1)
    for epoch in range(4):
        train(net, data[:5], opt, criterion, epoch)
        loss = test(net, data[5:], criterion)
        scheduler.step()
    print('%.5f' % loss)
    return net
"""


def per_epoch() -> Iterator[Case]:
    loops = Skeleton("per-epoch-schedule")
    yield loops.right("as-it-is", EPOCHS, "scheduler-before-optimizer", "missing-train-mode")
    yield loops.right(
        "plateau",
        swap(
            EPOCHS,
            "StepLR(opt, step_size=2, gamma=0.1)",
            "ReduceLROnPlateau(opt, patience=0, factor=0.5)",
            "scheduler.step()",
            "scheduler.step(loss)",
        ),
        "scheduler-before-optimizer",
    )
    yield loops.right(
        "step-of-epoch-after",
        swap(EPOCHS, "        scheduler.step()\n", "        scheduler.step(epoch + 1)\n"),
        "scheduler-before-optimizer",
    )
    yield loops.right(
        "step-of-epoch-at-the-top",
        swap(
            EPOCHS,
            "        scheduler.step()\n",
            "",
            "        train(net, data[:5]",
            "        scheduler.step(epoch)\n        train(net, data[:5]",
        ),
        "scheduler-before-optimizer",
    )
    yield loops.right(
        "warmup-at-the-top-by-hand",
        swap(
            EPOCHS,
            "        scheduler.step()\n",
            "",
            "        train(net, data[:5]",
            "        for group in opt.param_groups:\n"
            "            group['lr'] = 0.1 * min(1.0, (epoch + 1) / 3)\n"
            "        train(net, data[:5]",
        ),
        "scheduler-before-optimizer",
    )
    yield loops.wrong(
        "at-the-top",
        swap(
            EPOCHS,
            "        scheduler.step()\n",
            "",
            "        train(net, data[:5]",
            "        scheduler.step()\n        train(net, data[:5]",
        ),
        EPOCHS,
        tempts=("scheduler-before-optimizer",),
    )
    yield loops.wrong(
        "not-called",
        swap(EPOCHS, "        scheduler.step()\n", "        scheduler.step\n"),
        EPOCHS,
        tempts=("method-not-called",),
    )
    yield loops.wrong("no-train-mode", drop(EPOCHS, "net.train()"), EPOCHS, tempts=("missing-train-mode",))
    yield loops.wrong(
        "train-not-called",
        swap(EPOCHS, "net.train()", "net.train"),
        EPOCHS,
        tempts=("method-not-called", "missing-train-mode"),
    )
    yield loops.wrong(
        "test-keeps-graphs",
        swap(
            EPOCHS,
            "    with torch.no_grad():\n"
            "        for inputs, targets in testloader:\n"
            "            test_loss += criterion(net(inputs), targets).item()\n",
            "    for inputs, targets in testloader:\n        test_loss += criterion(net(inputs), targets).item()\n",
        ),
        EPOCHS,
        tempts=("validation-without-no-grad",),
    )


WARMUP = """
from functools import partial

import torch
from torch import nn
from torch.optim.lr_scheduler import LambdaLR, SequentialLR, LinearLR, ConstantLR

torch.set_default_dtype(torch.float64)


def warm(step: int, *, warmup: int, total: int) -> float:
    if step < warmup:
        return (step + 1) / warmup
    return max(0.0, (total - step) / (total - warmup))


def make_optimizer(model: nn.Module, total: int):
    decay = [p for p in model.parameters() if p.ndim > 1]
    rest = [p for p in model.parameters() if p.ndim <= 1]
    optimizer = torch.optim.AdamW([{"params": decay, "weight_decay": 0.1}, {"params": rest, "weight_decay": 0.0}], lr=0.05)
    return optimizer, LambdaLR(optimizer, partial(warm, warmup=2, total=total))


def main():
    torch.manual_seed(10)
    model = nn.Sequential(nn.Linear(3, 6), nn.GELU(), nn.Linear(6, 1))
    accumulation, epochs, n_batches = 2, 2, 8
    num_update_steps = epochs * n_batches // accumulation
    optimizer, scheduler = make_optimizer(model, num_update_steps)
    completed = 0
    for epoch in range(epochs):
        for step in range(n_batches):
            x = torch.randn(4, 3)
            loss = nn.functional.mse_loss(model(x), x[:, :1])
            (loss / accumulation).backward()
            if (step + 1) % accumulation:
                continue
            nn.utils.clip_grad_norm_(model.parameters(), 2.0)
            optimizer.step()
            scheduler.step()
            optimizer.zero_grad()
            completed += 1
    print(completed, scheduler.get_last_lr())
    return model
"""


def warmup() -> Iterator[Case]:
    loops = Skeleton("warmup-then-decay")
    move = "            optimizer.step()\n            scheduler.step()\n"
    yield loops.right("as-it-is", WARMUP, "scheduler-before-optimizer")
    yield loops.right(
        "sequential",
        swap(
            WARMUP,
            "LambdaLR(optimizer, partial(warm, warmup=2, total=total))",
            "SequentialLR(optimizer, [LinearLR(optimizer, 0.1, total_iters=2), ConstantLR(optimizer, 1.0, total)], [2])",
        ),
        "scheduler-before-optimizer",
    )
    yield loops.right(
        "kick-off-before-the-first-update",
        swap(
            WARMUP,
            "    completed = 0\n",
            "    scheduler.last_epoch = 0\n"
            "    for group, base in zip(optimizer.param_groups, scheduler.base_lrs):\n"
            "        group['lr'] = base * warm(0, warmup=2, total=num_update_steps)\n"
            "    completed = 0\n",
        ),
        "scheduler-before-optimizer",
    )
    yield loops.wrong(
        "in-front-of-the-guard",
        swap(
            drop(WARMUP, "scheduler.step()"),
            "            if (step + 1) % acc",
            "            scheduler.step()\n            if (step + 1) % acc",
        ),
        WARMUP,
        tempts=("scheduler-per-micro-batch", "scheduler-before-optimizer"),
    )
    yield loops.wrong(
        "scheduler-first",
        swap(WARMUP, move, "            scheduler.step()\n            optimizer.step()\n"),
        WARMUP,
        tempts=("scheduler-before-optimizer",),
    )
    yield loops.wrong(
        "scheduler-first-and-undivided",
        swap(
            WARMUP,
            move,
            "            scheduler.step()\n            optimizer.step()\n",
            "(loss / accumulation).backward()",
            "loss.backward()",
        ),
        WARMUP,
        swap(WARMUP, "(loss / accumulation).backward()", "loss.backward()"),
        swap(WARMUP, move, "            scheduler.step()\n            optimizer.step()\n"),
        tempts=("scheduler-before-optimizer", "unscaled-accumulation-loss"),
    )


def cases() -> Iterator[Case]:
    yield from counted_in_micro_batches()
    yield from per_epoch()
    yield from warmup()
