"""Epochs and samplers with two ranks: samplers that are hidden, of another kind, not there, or told by others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

SAMPLER = Draft(
    "distributed-sampler",
    """\
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def main():
    dist.init_process_group("gloo")
    x = torch.linspace(-1, 1, 24).reshape(24, 1)
    dataset = TensorDataset(x, torch.sin(3 * x))
    sampler = DistributedSampler(dataset, shuffle=True, drop_last=True)
    loader = DataLoader(dataset, batch_size=3, sampler=sampler)
    model = DDP(nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Linear(8, 1)))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for epoch in range(3):
        sampler.set_epoch(epoch)
        total = 0.0
        for inputs, targets in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(inputs), targets)
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(epoch, f"{total:.4f}")
    dist.destroy_process_group()
    return model.module
""",
    ("missing-set-epoch",),
    ranks=2,
)

SET = "        sampler.set_epoch(epoch)\n"
MADE = """\
    sampler = DistributedSampler(dataset, shuffle=True, drop_last=True)
    loader = DataLoader(dataset, batch_size=3, sampler=sampler)
"""
IN_THE_LOADER = SAMPLER.styled(
    (
        MADE,
        "    loader = DataLoader(dataset, batch_size=3, sampler=DistributedSampler(dataset, drop_last=True))\n",
    ),
    (SET, "        loader.sampler.set_epoch(epoch)\n"),
)
BATCHES = SAMPLER.styled(
    (
        MADE,
        """\
    sampler = DistributedSampler(dataset, shuffle=True, drop_last=True)
    loader = DataLoader(dataset, batch_sampler=BatchSampler(sampler, batch_size=3, drop_last=False))
""",
    ),
    ("import DataLoader, TensorDataset", "import BatchSampler, DataLoader, TensorDataset"),
)


def sampler() -> Iterator[Case]:
    yield SAMPLER.right("told")
    yield SAMPLER.wrong("untold", ((SET, ""),))
    yield IN_THE_LOADER.wrong("untold-in-the-loader", (("        loader.sampler.set_epoch(epoch)\n", ""),))
    yield BATCHES.wrong("untold-in-a-batch-sampler", ((SET, ""),))
    yield SAMPLER.right("in-order", ("shuffle=True", "shuffle=False"), (SET, ""))
    yield SAMPLER.right(
        "made-anew",
        (MADE, ""),
        (
            SET,
            SET.replace("sampler.set_epoch(epoch)", "sampler = DistributedSampler(dataset, seed=epoch)")
            + "        loader = DataLoader(dataset, batch_size=3, sampler=sampler)\n",
        ),
    )
    yield SAMPLER.right("seed-by-hand", (SET, "        sampler.seed = 100 + epoch\n"))
    yield SAMPLER.right("epoch-by-hand", (SET, "        sampler.epoch = epoch\n"))
    yield SAMPLER.right("one-epoch", ("range(3)", "range(1)"), (SET, ""))
    yield SAMPLER.left(
        "told-below",
        (
            (SET, ""),
            (
                '        print(epoch, f"{total:.4f}")\n',
                '        print(epoch, f"{total:.4f}")\n        sampler.set_epoch(epoch)\n',
            ),
        ),
    )
    yield SAMPLER.right(
        "told-of-the-next",
        (SET, ""),
        (
            '        print(epoch, f"{total:.4f}")\n',
            '        print(epoch, f"{total:.4f}")\n        sampler.set_epoch(epoch + 1)\n',
        ),
    )
    yield SAMPLER.wrong("told-the-same-each-time", ((SET, "        sampler.set_epoch(0)\n"),))


OPTIONAL = Draft(
    "sampler-or-none",
    """\
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, RandomSampler, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def get_loader(dataset, batch_size, distributed):
    sampler = DistributedSampler(dataset) if distributed else None
    return DataLoader(dataset, batch_size=batch_size, shuffle=sampler is None, sampler=sampler)


def main():
    distributed = int(os.environ.get("WORLD_SIZE", 1)) > 1
    if distributed:
        dist.init_process_group("gloo")
    model = nn.Linear(4, 2)
    net = nn.parallel.DistributedDataParallel(model) if distributed else model
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    dataset = TensorDataset(torch.randn(16, 4), torch.randint(0, 2, (16,)))
    loader = get_loader(dataset, 2, distributed)
    for epoch in range(2):
        if distributed:
            loader.sampler.set_epoch(epoch)
        for x, y in loader:
            loss = nn.functional.cross_entropy(net(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    if distributed:
        dist.destroy_process_group()
    return model
""",
    ("missing-set-epoch",),
)

TWO = Draft(OPTIONAL.skeleton, OPTIONAL.text, OPTIONAL.tempts, ranks=2)
TOLD = "        if distributed:\n            loader.sampler.set_epoch(epoch)\n"
FACTORY = """\
    sampler = DistributedSampler(dataset) if distributed else None
    return DataLoader(dataset, batch_size=batch_size, shuffle=sampler is None, sampler=sampler)
"""
RANDOM = """\
    sampler = DistributedSampler(dataset) if distributed else RandomSampler(dataset)
    return DataLoader(dataset, batch_size=batch_size, sampler=sampler)
"""
OWN = """\
class RankAware:
    \"\"\"Every rank takes each n-th of one permutation, a new one each time it is walked.\"\"\"

    def __init__(self, size, rank, world_size):
        self.size, self.rank, self.world_size = size, rank, world_size
        self.walks = 0

    def __len__(self):
        return self.size // self.world_size

    def __iter__(self):
        self.walks += 1
        order = torch.randperm(self.size, generator=torch.Generator().manual_seed(self.walks))
        return iter(order[self.rank :: self.world_size].tolist())


def get_loader(dataset, batch_size, distributed):
    sampler = RankAware(len(dataset), dist.get_rank(), 2) if distributed else None
"""


def optional() -> Iterator[Case]:
    yield OPTIONAL.right("alone")
    yield OPTIONAL.right("alone-untold", (TOLD, ""))
    yield OPTIONAL.right("alone-random-untold", (TOLD, ""), (FACTORY, RANDOM))
    yield TWO.right("two-ranks")
    yield TWO.left("two-ranks-untold", ((TOLD, ""),))
    yield TWO.styled((FACTORY, RANDOM)).left("two-ranks-or-random-untold", ((TOLD, ""),))
    yield TWO.right(
        "sampler-of-ones-own",
        (
            """\
def get_loader(dataset, batch_size, distributed):
    sampler = DistributedSampler(dataset) if distributed else None
""",
            OWN,
        ),
        (TOLD, ""),
    )
    yield TWO.right(
        "asked-by-hasattr",
        (TOLD, '        if hasattr(loader.sampler, "set_epoch"):\n            loader.sampler.set_epoch(epoch)\n'),
    )


HIDDEN = Draft(
    "sampler-behind-a-wrapper",
    """\
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


class Prefetcher:
    \"\"\"Keeps the next batch at hand.\"\"\"

    def __init__(self, batches):
        self.batches = batches

    def __len__(self):
        return len(self.batches)

    def __iter__(self):
        source = iter(self.batches)
        ahead = next(source, None)
        while ahead is not None:
            batch, ahead = ahead, next(source, None)
            yield batch


class Run:
    def __init__(self):
        features = torch.randn(20, 3, generator=torch.Generator().manual_seed(1))
        self.dataset = TensorDataset(features, features.sum(dim=1, keepdim=True))
        self.model = DistributedDataParallel(nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1)))
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.05)
        self.train_loader = DataLoader(self.dataset, batch_size=2, sampler=DistributedSampler(self.dataset, seed=3))

    def epoch(self, number):
        self.train_loader.sampler.set_epoch(number)
        loader = Prefetcher(self.train_loader)
        for x, y in loader:
            self.optimizer.zero_grad()
            loss = (self.model(x) - y).abs().mean()
            loss.backward()
            self.optimizer.step()

    def fit(self, epochs):
        for number in range(epochs):
            self.epoch(number)


def main():
    dist.init_process_group("gloo")
    run = Run()
    run.fit(2)
    dist.destroy_process_group()
    return run.model.module
""",
    ("missing-set-epoch",),
    ranks=2,
)
LOADER = """\
        self.train_loader = DataLoader(self.dataset, batch_size=2, sampler=DistributedSampler(self.dataset, seed=3))
"""


def hidden() -> Iterator[Case]:
    yield HIDDEN.right("told-below-the-wrapper")
    yield HIDDEN.wrong("untold", (("        self.train_loader.sampler.set_epoch(number)\n", ""),))
    yield HIDDEN.styled(
        (
            LOADER,
            """\
        loader = DataLoader(self.dataset, batch_size=2, sampler=DistributedSampler(self.dataset, seed=3))
        self.train_loader = Prefetcher(loader)
""",
        ),
        (
            "        loader = Prefetcher(self.train_loader)\n        for x, y in loader:\n",
            "        for x, y in self.train_loader:\n",
        ),
        (
            "        self.train_loader.sampler.set_epoch(number)\n",
            "        self.train_loader.batches.sampler.set_epoch(number)\n",
        ),
    ).left("untold-wrapped-for-good", (("        self.train_loader.batches.sampler.set_epoch(number)\n", ""),))
    yield HIDDEN.right(
        "wrapper-tells",
        ("        self.train_loader.sampler.set_epoch(number)\n", ""),
        ("        self.batches = batches\n", "        self.batches = batches\n        self.walks = 0\n"),
        (
            "        loader = Prefetcher(self.train_loader)\n        for x, y in loader:\n",
            "        for x, y in self.train_loader:\n",
        ),
        (
            "        source = iter(self.batches)\n",
            """\
        self.batches.sampler.set_epoch(self.walks)
        self.walks += 1
        source = iter(self.batches)
""",
        ),
        (
            LOADER,
            """\
        self.train_loader = Prefetcher(
            DataLoader(self.dataset, batch_size=2, sampler=DistributedSampler(self.dataset, seed=3))
        )
""",
        ),
    )


MIXED = Draft(
    "ddp-scaler-and-window",
    """\
import contextlib
import os

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.amp import GradScaler, autocast
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def train_epoch(model, loader, optimizer, scaler, accum_steps, clip):
    model.train()
    optimizer.zero_grad(set_to_none=True)
    for i, (x, y) in enumerate(loader):
        is_update = (i + 1) % accum_steps == 0 or (i + 1) == len(loader)
        sync = contextlib.nullcontext if is_update else model.no_sync
        with sync():
            with autocast("cpu", dtype=torch.bfloat16):
                loss = nn.functional.mse_loss(model(x), y) / accum_steps
            scaler.scale(loss).backward()
        if is_update:
            scaler.unscale_(optimizer)
            nn.utils.clip_grad_norm_(model.parameters(), clip)
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad(set_to_none=True)


def main():
    dist.init_process_group("gloo", init_method="env://")
    data = torch.randn(20, 4, generator=torch.Generator().manual_seed(9))
    dataset = TensorDataset(data, data.flip(1))
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=2, sampler=sampler)
    model = DDP(nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, 4)))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
    scaler = GradScaler("cpu", init_scale=256.0)
    for epoch in range(2):
        sampler.set_epoch(epoch)
        train_epoch(model, loader, optimizer, scaler, accum_steps=2, clip=0.6)
    dist.destroy_process_group()
    return model.module
""",
    ("clip-scaled-gradients", "forward-outside-no-sync", "missing-set-epoch"),
    ranks=2,
)

WITH_SYNC = """\
        with sync():
            with autocast("cpu", dtype=torch.bfloat16):
                loss = nn.functional.mse_loss(model(x), y) / accum_steps
            scaler.scale(loss).backward()
"""
BACKWARD_ALONE = """\
        with autocast("cpu", dtype=torch.bfloat16):
            loss = nn.functional.mse_loss(model(x), y) / accum_steps
        with sync():
            scaler.scale(loss).backward()
"""


def mixed() -> Iterator[Case]:
    yield MIXED.right("all-of-it")
    yield MIXED.wrong("clip-of-scaled", (("            scaler.unscale_(optimizer)\n", ""),))
    yield MIXED.wrong("backward-alone", ((WITH_SYNC, BACKWARD_ALONE),))
    yield MIXED.wrong(
        "untold-and-clip-of-scaled",
        (("        sampler.set_epoch(epoch)\n", ""),),
        (("            scaler.unscale_(optimizer)\n", ""),),
    )
    yield MIXED.wrong(
        "tail-without-sync",
        (
            (
                "sync = contextlib.nullcontext if is_update else model.no_sync",
                "sync = model.no_sync if (i + 1) % accum_steps else contextlib.nullcontext",
            ),
        ),
        tempts=("step-without-sync",),
    )
    yield MIXED.left(
        "tail-without-sync-backward-alone",
        (
            (WITH_SYNC, BACKWARD_ALONE),
            (
                "sync = contextlib.nullcontext if is_update else model.no_sync",
                "sync = model.no_sync if (i + 1) % accum_steps else contextlib.nullcontext",
            ),
        ),
    )


def cases() -> Iterator[Case]:
    yield from sampler()
    yield from optional()
    yield from hidden()
    yield from mixed()
