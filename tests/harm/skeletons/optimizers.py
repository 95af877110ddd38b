"""Several optimizers: windows of their own, turns, parts of a network, a trunk in common."""

from __future__ import annotations

from collections.abc import Iterator

from harm.case import Case, Skeleton, drop, swap

WINDOWS = """
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def batches(n):
    g = torch.Generator().manual_seed(31)
    return [(torch.randn(4, 3, generator=g), torch.randint(0, 2, (4,), generator=g)) for _ in range(n)]


def main():
    backbone = nn.Linear(3, 6)
    head = nn.Linear(6, 2)
    slow = torch.optim.SGD(backbone.parameters(), lr=0.05)
    fast = torch.optim.SGD(head.parameters(), lr=0.1)
    every = 4

    for epoch in range(2):
        for step, (x, y) in enumerate(batches(8)):
            loss = nn.functional.cross_entropy(head(torch.relu(backbone(x))), y)
            loss.backward()
            fast.step()
            fast.zero_grad()
            if (step + 1) % every == 0:
                for p in backbone.parameters():
                    p.grad /= every
                slow.step()
                slow.zero_grad()
        print(epoch, loss.item())
    return backbone, head
"""


def two_windows() -> Iterator[Case]:
    loops = Skeleton("two-windows")
    yield loops.right("as-it-is", WINDOWS, "unscaled-accumulation-loss", "zero-grad-in-accumulation")
    yield loops.right(
        "slow-one-sums-on-purpose",
        swap(
            WINDOWS,
            "                for p in backbone.parameters():\n                    p.grad /= every\n",
            "",
            "slow = torch.optim.SGD(backbone.parameters(), lr=0.05)",
            "slow = torch.optim.SGD(backbone.parameters(), lr=0.05 / 4)  # sums of 4",
        ),
        "unscaled-accumulation-loss",
    )
    yield loops.right(
        "hook-divides-for-the-trunk",
        swap(
            WINDOWS,
            "                for p in backbone.parameters():\n                    p.grad /= every\n",
            "",
            "    every = 4\n",
            "    every = 4\n    for p in backbone.parameters():\n        p.register_hook(lambda g: g / every)\n",
        ),
        "unscaled-accumulation-loss",
    )
    everything = swap(
        WINDOWS,
        "            fast.zero_grad()\n",
        "            fast.zero_grad()\n            backbone.zero_grad(set_to_none=False)\n",
    )
    yield loops.wrong("trunk-cleared-each-time", everything, WINDOWS, tempts=("zero-grad-in-accumulation",))
    yield loops.wrong("fast-never-cleared", drop(WINDOWS, "fast.zero_grad()"), WINDOWS, tempts=("missing-zero-grad",))
    yield loops.wrong("slow-never-cleared", drop(WINDOWS, "slow.zero_grad()"), WINDOWS, tempts=("missing-zero-grad",))
    both = drop(WINDOWS, "fast.zero_grad()", "slow.zero_grad()")
    yield loops.wrong(
        "neither-cleared",
        both,
        WINDOWS,
        drop(WINDOWS, "fast.zero_grad()"),
        drop(WINDOWS, "slow.zero_grad()"),
        tempts=("missing-zero-grad",),
    )


TURNS = """
import itertools

import torch
import torch.nn as nn

torch.set_default_dtype(torch.float64)


class Encoder(nn.Sequential):
    def __init__(self):
        super().__init__(nn.Linear(5, 4), nn.Tanh(), nn.Linear(4, 2))


class Decoder(nn.Sequential):
    def __init__(self):
        super().__init__(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 5))


def main():
    # EM-like: encoder and decoder take turns
    torch.manual_seed(2)
    data = torch.randn(10, 6, 5)
    enc, dec = Encoder(), Decoder()
    opts = [torch.optim.Adam(enc.parameters(), 1e-2), torch.optim.Adam(dec.parameters(), 1e-2)]
    turn = itertools.cycle(opts)
    mse = nn.MSELoss()
    for i, x in enumerate(data):
        opt = next(turn)
        loss = mse(dec(enc(x)), x)
        for o in opts:
            o.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(opt.param_groups[0]["params"], 0.1)
        opt.step()
    return enc, dec
"""


def alternating() -> Iterator[Case]:
    loops = Skeleton("taking-turns")
    yield loops.right("as-it-is", TURNS, "missing-zero-grad", "zero-grad-in-accumulation")
    yield loops.right(
        "each-keeps-what-it-saw-meanwhile",
        swap(
            TURNS,
            "        for o in opts:\n            o.zero_grad()\n",
            "",
            "        opt.step()\n",
            "        opt.step()\n        opt.zero_grad()\n",
        ),
        "missing-zero-grad",
        "unscaled-accumulation-loss",
    )
    yield loops.right(
        "pairs-of-steps",
        swap(
            TURNS,
            "        opt = next(turn)\n"
            "        loss = mse(dec(enc(x)), x)\n"
            "        for o in opts:\n"
            "            o.zero_grad()\n"
            "        loss.backward()\n",
            "        opt = opts[i // 2 % 2]\n"
            "        loss = mse(dec(enc(x)), x)\n"
            "        enc.zero_grad()\n"
            "        dec.zero_grad()\n"
            "        loss.backward()\n",
        ),
        "missing-zero-grad",
    )
    yield loops.wrong(
        "clip-late",
        swap(
            TURNS,
            '        nn.utils.clip_grad_norm_(opt.param_groups[0]["params"], 0.1)\n        opt.step()\n',
            '        opt.step()\n        nn.utils.clip_grad_norm_(opt.param_groups[0]["params"], 0.1)\n',
        )
        .replace("1e-2", "2e-2")
        .replace("torch.optim.Adam", "torch.optim.SGD"),
        TURNS.replace("1e-2", "2e-2").replace("torch.optim.Adam", "torch.optim.SGD"),
        tempts=("clip-after-step",),
    )
    yield loops.wrong(
        "never-cleared",
        swap(TURNS, "        for o in opts:\n            o.zero_grad()\n", ""),
        TURNS,
        swap(
            TURNS,
            "        for o in opts:\n            o.zero_grad()\n",
            "",
            "        opt.step()\n",
            "        opt.step()\n        opt.zero_grad()\n",
        ),
        tempts=("missing-zero-grad",),
    )


HEAD = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_default_dtype(torch.float64)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU())
        self.fc = nn.Linear(8, 3)

    def forward(self, x):
        return self.fc(self.features(x))


def main():
    torch.manual_seed(8)
    ds = TensorDataset(torch.randn(30, 4), torch.randint(0, 3, (30,)))
    train_loader = DataLoader(ds, batch_size=5, shuffle=True)
    model = Net()
    # linear probe: only the classifier is trained
    optimizer = torch.optim.SGD(model.fc.parameters(), lr=0.2, momentum=0.9)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(2):
        model.eval()
        model.fc.train()
        epoch_loss = 0
        for images, labels in train_loader:
            optimizer.zero_grad()
            with torch.no_grad():
                feats = model.features(images)
            loss = criterion(model.fc(feats), labels)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.fc.parameters(), 0.5)
            optimizer.step()
            epoch_loss += loss.item() * images.size(0)
        print('Epoch {} loss {:.6f}'.format(epoch, epoch_loss / len(ds)))
    return model
"""


def head_only() -> Iterator[Case]:
    loops = Skeleton("head-only")
    yield loops.right("features-under-no-grad", HEAD, "missing-train-mode")
    whole = swap(
        HEAD,
        "            with torch.no_grad():\n"
        "                feats = model.features(images)\n"
        "            loss = criterion(model.fc(feats), labels)\n",
        "            loss = criterion(model(images), labels)\n",
    )
    yield loops.right("trunk-gradients-are-left-to-pile-up", whole, "missing-zero-grad", "missing-train-mode")
    yield loops.right(
        "clip-over-all-but-steps-the-head",
        swap(
            whole,
            "model.fc.parameters(), 0.5",
            "model.parameters(), 0.5",
            "    # linear",
            "    model.features.requires_grad_(False)\n    # linear",
        ),
        "clip-exhausted-parameters",
    )
    clip = "            torch.nn.utils.clip_grad_norm_(model.fc.parameters(), 0.5)\n"
    yield loops.wrong(
        "clip-late",
        swap(HEAD, clip, "", "            optimizer.step()\n", "            optimizer.step()\n" + clip),
        HEAD,
        tempts=("clip-after-step",),
    )
    yield loops.wrong(
        "cleared-before-the-loop-only",
        swap(
            drop(HEAD, "optimizer.zero_grad()"),
            "        epoch_loss = 0\n",
            "        epoch_loss = 0\n        optimizer.zero_grad()\n",
        ),
        HEAD,
        tempts=("missing-zero-grad",),
    )
    yield loops.wrong(
        "sum-keeps-graphs",
        swap(HEAD, "loss.item() * images.size(0)", "loss * images.size(0)"),
        HEAD,
        tempts=("loss-graph-leak",),
    )
    yield loops.wrong(
        "shared-generator",
        swap(
            HEAD,
            "    # linear",
            "    trainable = model.fc.parameters()\n    # linear",
            "SGD(model.fc.parameters()",
            "SGD(trainable",
            "(model.fc.parameters(), 0.5)",
            "(trainable, 0.5)",
        ),
        HEAD,
        tempts=("clip-exhausted-parameters",),
    )


LIST = """
from typing import List

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


class MultiTask:
    def __init__(self, trunk: nn.Module, heads: List[nn.Module], lr: float):
        self.trunk, self.heads = trunk, heads
        self.optimizers = [torch.optim.SGD(m.parameters(), lr=lr) for m in (trunk, *heads)]
        self.schedulers = [torch.optim.lr_scheduler.MultiStepLR(o, [2, 4], gamma=0.3) for o in self.optimizers]

    def zero_grad(self):
        for optimizer in self.optimizers:
            optimizer.zero_grad()

    def step(self):
        for optimizer in self.optimizers:
            optimizer.step()

    def step_schedulers(self):
        for scheduler in self.schedulers:
            scheduler.step()

    def train_batch(self, x, ys):
        self.zero_grad()
        shared = torch.tanh(self.trunk(x))
        losses = [nn.functional.mse_loss(head(shared), y) for head, y in zip(self.heads, ys)]
        total = sum(losses)
        total.backward()
        self.step()
        return [loss.item() for loss in losses]


def main():
    torch.manual_seed(14)
    task = MultiTask(nn.Linear(3, 5), [nn.Linear(5, 1), nn.Linear(5, 2)], lr=0.1)
    for epoch in range(3):
        record = []
        for _ in range(4):
            record.append(task.train_batch(torch.randn(6, 3), [torch.randn(6, 1), torch.randn(6, 2)]))
        task.step_schedulers()
        print(epoch, ["%.5f" % v for v in record[-1]])
    return task.trunk, *task.heads
"""


def list_of_optimizers() -> Iterator[Case]:
    loops = Skeleton("list-of-optimizers")
    yield loops.right("as-it-is", LIST, "missing-zero-grad")
    yield loops.right(
        "one-backward-each",
        swap(
            LIST,
            "        total = sum(losses)\n        total.backward()\n",
            "        for loss in losses[:-1]:\n"
            "            loss.backward(retain_graph=True)\n"
            "        losses[-1].backward()\n",
        ),
        "unscaled-accumulation-loss",
        "zero-grad-in-accumulation",
    )
    yield loops.right(
        "schedulers-per-batch",
        swap(
            LIST,
            "        task.step_schedulers()\n",
            "",
            "        self.step()\n",
            "        self.step()\n        self.step_schedulers()\n",
        ),
        "scheduler-per-micro-batch",
    )
    yield loops.wrong("never-cleared", drop(LIST, "self.zero_grad()"), LIST, tempts=("missing-zero-grad",))
    yield loops.wrong(
        "cleared-between",
        swap(
            drop(LIST, "self.zero_grad()"), "        self.step()\n", "        self.zero_grad()\n        self.step()\n"
        ),
        LIST,
        tempts=("zero-grad-before-step",),
    )
    yield loops.wrong(
        "schedulers-at-the-top-of-the-epoch",
        swap(
            LIST,
            "        task.step_schedulers()\n",
            "",
            "        record = []\n",
            "        task.step_schedulers()\n        record = []\n",
        ),
        LIST,
        tempts=("scheduler-before-optimizer",),
    )
    yield loops.wrong(
        "losses-kept-whole",
        swap(LIST, "[loss.item() for loss in losses]", "[loss for loss in losses]"),
        LIST,
        tempts=("loss-graph-leak",),
    )


def cases() -> Iterator[Case]:
    yield from two_windows()
    yield from alternating()
    yield from head_only()
    yield from list_of_optimizers()
