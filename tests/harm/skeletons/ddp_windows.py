"""Accumulation under DDP with two ranks: which micro-batches are synchronised, and who says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

INVERTED = Draft(
    "no-sync-inverted",
    """\
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def make_data(rank, count):
    rng = torch.Generator().manual_seed(rank)
    return [(torch.randn(3, 4, generator=rng), torch.randn(3, 1, generator=rng)) for _ in range(count)]


def main():
    dist.init_process_group("gloo")
    rank = int(os.environ["RANK"])
    model = DDP(nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.Linear(6, 1)))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loss_fn = nn.MSELoss()
    data = make_data(rank, 7)
    accum, total = 3, len(data)
    for epoch in range(2):
        optimizer.zero_grad()
        for step, (x, y) in enumerate(data):
            if (step + 1) % accum == 0 or step + 1 == total:
                loss = loss_fn(model(x), y) / accum
                loss.backward()
                optimizer.step()
                optimizer.zero_grad()
            else:
                with model.no_sync():
                    loss = loss_fn(model(x), y) / accum
                    loss.backward()
    dist.destroy_process_group()
    return model.module
""",
    ("forward-outside-no-sync", "step-without-sync", "missing-no-sync"),
    ranks=2,
)

BRANCHES = """\
            if (step + 1) % accum == 0 or step + 1 == total:
                loss = loss_fn(model(x), y) / accum
                loss.backward()
                optimizer.step()
                optimizer.zero_grad()
            else:
                with model.no_sync():
                    loss = loss_fn(model(x), y) / accum
                    loss.backward()
"""
BACKWARD_ONLY = """\
            loss = loss_fn(model(x), y) / accum
            if (step + 1) % accum == 0 or step + 1 == total:
                with model.no_sync():
                    loss.backward()
                optimizer.step()
                optimizer.zero_grad()
            else:
                loss.backward()
"""
CHOSEN = """\
            update = (step + 1) % accum == 0 or step + 1 == total
            with contextlib.nullcontext() if update else model.no_sync():
                loss = loss_fn(model(x), y) / accum
                loss.backward()
            if update:
                optimizer.step()
                optimizer.zero_grad()
"""
CONTEXTLIB = ("import os\n", "import contextlib\nimport os\n")
EITHER = INVERTED.styled(CONTEXTLIB, (BRANCHES, CHOSEN))
TURNED = "contextlib.nullcontext() if update else model.no_sync()"
ROUND = "model.no_sync() if update else contextlib.nullcontext()"
OUTSIDE = CHOSEN.replace("                loss = loss_fn(model(x), y) / accum\n", "").replace(
    "            with ", "            loss = loss_fn(model(x), y) / accum\n            with "
)
INNER = "                loss = loss_fn(model(x), y) / accum\n                loss.backward()\n"


def inverted() -> Iterator[Case]:
    yield INVERTED.right("two-branches")
    yield EITHER.right("conditional-expression")
    yield INVERTED.left("backward-only-on-the-update", ((BRANCHES, BACKWARD_ONLY),))
    yield EITHER.left("backward-only-on-the-update-by-expression", ((CHOSEN, OUTSIDE.replace(TURNED, ROUND)),))
    yield EITHER.wrong("backward-only", ((CHOSEN, OUTSIDE),), tempts=("forward-outside-no-sync",))
    yield EITHER.wrong("turned-round", ((TURNED, ROUND),), tempts=("step-without-sync",))
    yield EITHER.wrong(
        "tail-never-synchronised",
        ((TURNED, "contextlib.nullcontext() if (step + 1) % accum == 0 else model.no_sync()"),),
        tempts=("step-without-sync",),
    )
    yield INVERTED.wrong(
        "no-sync-not-at-all",
        (
            (
                BRANCHES,
                BRANCHES.replace("                with model.no_sync():\n", "").replace(
                    "                    loss", "                loss"
                ),
            ),
        ),
        tempts=("missing-no-sync",),
    )


LAST = Draft(
    "no-sync-until-the-last-batch",
    """\
import os
from contextlib import nullcontext

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel


class Classifier(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.one = torch.nn.Linear(5, 8)
        self.two = torch.nn.Linear(8, 3)

    def forward(self, x):
        return self.two(F.relu(self.one(x)))


def run_epoch(model, loader, optimizer, scheduler, grad_accum):
    model.train()
    for idx, (x, y) in enumerate(loader):
        boundary = (idx + 1) % grad_accum == 0 or idx == len(loader) - 1
        with nullcontext() if boundary else model.no_sync():
            out = model(x)
            loss = F.cross_entropy(out, y) / grad_accum
            loss.backward()
        if boundary:
            optimizer.step()
            scheduler.step()
            optimizer.zero_grad()


def main():
    dist.init_process_group(backend="gloo")
    torch.manual_seed(40 + dist.get_rank())
    loader = [(torch.randn(2, 5), torch.randint(0, 3, (2,))) for _ in range(6)]
    torch.manual_seed(0)
    model = DistributedDataParallel(Classifier())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.9)
    for epoch in range(2):
        run_epoch(model, loader, optimizer, scheduler, grad_accum=2)
    dist.destroy_process_group()
    return model.module
""",
    ("step-without-sync", "forward-outside-no-sync", "missing-no-sync"),
    ranks=2,
)

BOUNDARY = "        boundary = (idx + 1) % grad_accum == 0 or idx == len(loader) - 1\n"
INSIDE = """\
        with nullcontext() if boundary else model.no_sync():
            out = model(x)
            loss = F.cross_entropy(out, y) / grad_accum
            loss.backward()
"""
AT_THE_END = INSIDE.replace("if boundary", "if idx == len(loader) - 1")
HALF_OUT = """\
        out = model(x)
        loss = F.cross_entropy(out, y) / grad_accum
        with nullcontext() if boundary else model.no_sync():
            loss.backward()
"""


def last() -> Iterator[Case]:
    yield LAST.right("at-each-boundary")
    yield LAST.right("only-step-of-the-epoch", (BOUNDARY, "        boundary = idx == len(loader) - 1\n"))
    yield LAST.wrong("only-at-the-end", ((INSIDE, AT_THE_END),))
    # the context holds the backward alone and does nothing: every micro-batch is synchronised, and all is well
    yield LAST.left(
        "only-at-the-end-backward-only", ((INSIDE, HALF_OUT.replace("if boundary", "if idx == len(loader) - 1")),)
    )
    yield LAST.wrong("at-each-boundary-backward-only", ((INSIDE, HALF_OUT),), tempts=("forward-outside-no-sync",))
    yield LAST.right(
        "every-other-synchronised-too",
        (INSIDE, INSIDE.replace("if boundary else", "if boundary or idx == 0 else")),
        tempts=("missing-no-sync",),
    )


FLUSH = Draft(
    "no-sync-and-a-flush",
    """\
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset


def train(model, loader, optimizer, accumulate, epochs):
    criterion = nn.L1Loss()
    last = len(loader) - 1
    for epoch in range(epochs):
        pending = 0
        for i, (inputs, targets) in enumerate(loader):
            if (i + 1) % accumulate and i != last:
                with model.no_sync():
                    criterion(model(inputs), targets).div(accumulate).backward()
            else:
                criterion(model(inputs), targets).div(accumulate).backward()
            pending += 1
            if pending == accumulate:
                optimizer.step()
                optimizer.zero_grad()
                pending = 0
        if pending:
            optimizer.step()
            optimizer.zero_grad()


def main():
    dist.init_process_group("gloo")
    rank = int(os.environ["RANK"])
    rng = torch.Generator().manual_seed(7 + rank)
    dataset = TensorDataset(torch.randn(14, 4, generator=rng), torch.randn(14, 2, generator=rng))
    model = DistributedDataParallel(nn.Sequential(nn.Linear(4, 5), nn.ReLU(), nn.Linear(5, 2)))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    train(model, DataLoader(dataset, batch_size=2), optimizer, accumulate=3, epochs=2)
    dist.destroy_process_group()
    return model.module
""",
    ("step-without-sync", "forward-outside-no-sync", "dropped-accumulation-tail"),
    ranks=2,
)

GUARDED = """\
            if (i + 1) % accumulate and i != last:
                with model.no_sync():
                    criterion(model(inputs), targets).div(accumulate).backward()
            else:
                criterion(model(inputs), targets).div(accumulate).backward()
"""
LOOSE = """\
            loss = criterion(model(inputs), targets).div(accumulate)
            if (i + 1) % accumulate:
                with model.no_sync():
                    loss.backward()
            else:
                loss.backward()
"""
EVERY = "            criterion(model(inputs), targets).div(accumulate).backward()\n"
LEFTOVER = """\
        if pending:
            optimizer.step()
            optimizer.zero_grad()
"""


def flush() -> Iterator[Case]:
    yield FLUSH.right("last-synchronised")
    yield FLUSH.wrong(
        "last-forgotten", ((" and i != last", ""), ("    last = len(loader) - 1\n", "")), tempts=("step-without-sync",)
    )
    # the backward alone stands in no_sync(), so the flush has averaged gradients; with the forward inside it would not
    yield FLUSH.left("last-forgotten-backward-only", ((GUARDED, LOOSE), ("    last = len(loader) - 1\n", "")))
    yield FLUSH.wrong(
        "all-synchronised", ((GUARDED, EVERY), ("    last = len(loader) - 1\n", "")), tempts=("missing-no-sync",)
    )
    yield FLUSH.right(
        "flush-averages-by-hand",
        (" and i != last", ""),
        ("    last = len(loader) - 1\n", ""),
        (
            LEFTOVER,
            """\
        if pending:
            for p in model.parameters():
                dist.all_reduce(p.grad)
                p.grad /= dist.get_world_size()
            optimizer.step()
            optimizer.zero_grad()
""",
        ),
    )
    yield FLUSH.right(
        "tail-thrown-away",
        (" and i != last", ""),
        ("    last = len(loader) - 1\n", ""),
        (LEFTOVER, "        optimizer.zero_grad()\n"),
        tempts=("dropped-accumulation-tail", "step-without-sync"),
    )


HELPERS = Draft(
    "no-sync-by-a-helper",
    """\
import contextlib
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


@contextlib.contextmanager
def maybe_no_sync(model, sync):
    if sync or not hasattr(model, "no_sync"):
        yield
    else:
        with model.no_sync():
            yield


class Loop:
    def __init__(self, net, micro_batches):
        self.net = net
        self.micro_batches = micro_batches
        self.optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
        self.count = 0

    @property
    def is_boundary(self):
        return self.count % self.micro_batches == 0

    def step(self, x):
        self.count += 1
        with maybe_no_sync(self.net, sync=self.is_boundary):
            loss = (self.net(x) - x.flip(1)).square().mean()
            (loss / self.micro_batches).backward()
        if self.is_boundary:
            nn.utils.clip_grad_norm_(self.net.parameters(), 0.5)
            self.optimizer.step()
            self.optimizer.zero_grad()
        return loss.item()


def main():
    dist.init_process_group("gloo")
    rank, world_size = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    net = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 4))
    if world_size > 1:
        net = DDP(net)
    loop = Loop(net, micro_batches=2)
    rng = torch.Generator().manual_seed(rank)
    batches = torch.randn(8, 3, 4, generator=rng)
    for epoch in range(2):
        print(rank, epoch, sum(loop.step(batch) for batch in batches))
    dist.destroy_process_group()
    return net.module if isinstance(net, DDP) else net
""",
    ("forward-outside-no-sync", "step-without-sync", "missing-no-sync"),
    ranks=2,
)

HELD = """\
        with maybe_no_sync(self.net, sync=self.is_boundary):
            loss = (self.net(x) - x.flip(1)).square().mean()
            (loss / self.micro_batches).backward()
"""
HELD_BACK = """\
        loss = (self.net(x) - x.flip(1)).square().mean()
        with maybe_no_sync(self.net, sync=self.is_boundary):
            (loss / self.micro_batches).backward()
"""


def helpers() -> Iterator[Case]:
    yield HELPERS.right("two-ranks")
    yield HELPERS.wrong("backward-only", ((HELD, HELD_BACK),), tempts=("forward-outside-no-sync",))
    yield HELPERS.wrong(
        "turned-round", (("sync=self.is_boundary", "sync=not self.is_boundary"),), tempts=("step-without-sync",)
    )
    yield HELPERS.right(
        "method",
        (HELD, HELD.replace("maybe_no_sync(self.net, sync=self.is_boundary)", "self.sync_context()")),
        (
            "    def step(self, x):\n",
            """\
    def sync_context(self):
        return contextlib.nullcontext() if self.is_boundary else self.net.no_sync()

    def step(self, x):
""",
        ),
    )
    yield HELPERS.wrong("never-synchronised", (("sync=self.is_boundary", "sync=False"),), tempts=("step-without-sync",))
    yield HELPERS.wrong(
        "clip-each-micro-batch",
        (
            ("            nn.utils.clip_grad_norm_(self.net.parameters(), 0.5)\n", ""),
            (
                "        if self.is_boundary:\n",
                "        nn.utils.clip_grad_norm_(self.net.parameters(), 0.5)\n        if self.is_boundary:\n",
            ),
        ),
        tempts=("clip-per-micro-batch",),
    )


FLAG = Draft(
    "require-backward-grad-sync",
    """\
import os

import torch
import torch.distributed as dist
from torch.nn import functional as F
from torch.nn.parallel import DistributedDataParallel as DDP

gradient_accumulation_steps = 4
max_iters = 5
grad_clip = 1.0


class Bigram(torch.nn.Module):
    def __init__(self, vocab=11, width=6):
        super().__init__()
        self.wte = torch.nn.Embedding(vocab, width)
        self.lm_head = torch.nn.Linear(width, vocab)

    def forward(self, idx, targets):
        logits = self.lm_head(self.wte(idx))
        return logits, F.cross_entropy(logits.flatten(0, 1), targets.flatten())


def get_batch(rng):
    ids = torch.randint(0, 11, (2, 7), generator=rng)
    return ids[:, :-1], ids[:, 1:]


def main():
    ddp = int(os.environ.get("RANK", -1)) != -1
    dist.init_process_group("gloo")
    rng = torch.Generator().manual_seed(1337 + dist.get_rank())
    model = Bigram()
    if ddp:
        model = DDP(model)
    raw_model = model.module if ddp else model
    optimizer = torch.optim.AdamW(raw_model.parameters(), lr=3e-2)
    X, Y = get_batch(rng)
    for iter_num in range(max_iters):
        for micro_step in range(gradient_accumulation_steps):
            if ddp:
                model.require_backward_grad_sync = micro_step == gradient_accumulation_steps - 1
            logits, loss = model(X, Y)
            loss = loss / gradient_accumulation_steps
            X, Y = get_batch(rng)
            loss.backward()
        if grad_clip != 0.0:
            torch.nn.utils.clip_grad_norm_(model.parameters(), grad_clip)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        if iter_num % 2 == 0:
            print(f"iter {iter_num}: {loss.item() * gradient_accumulation_steps:.4f}")
    dist.destroy_process_group()
    return raw_model
""",
    ("missing-no-sync", "step-without-sync"),
    ranks=2,
)

SYNC = "                model.require_backward_grad_sync = micro_step == gradient_accumulation_steps - 1\n"


def flag() -> Iterator[Case]:
    yield FLAG.right("set-above-the-forward")
    # the forward decides, so the flag that one micro-batch sets acts on the next
    yield FLAG.left(
        "set-below-the-forward",
        (
            ("            if ddp:\n" + SYNC, ""),
            ("            loss.backward()\n", "            if ddp:\n" + SYNC + "            loss.backward()\n"),
        ),
    )
    yield FLAG.wrong(
        "one-too-early",
        (
            (
                "gradient_accumulation_steps - 1\n            logits",
                "gradient_accumulation_steps - 2\n            logits",
            ),
        ),
    )
    yield FLAG.left("no-flag", (("            if ddp:\n" + SYNC, ""),), tempts=("missing-no-sync",))
    yield FLAG.wrong(
        "undivided",
        (
            ("            loss = loss / gradient_accumulation_steps\n", ""),
            ("loss.item() * gradient_accumulation_steps", "loss.item()"),
        ),
        tempts=("unscaled-accumulation-loss",),
    )
    yield FLAG.right(
        "divided-in-the-backward",
        ("            loss = loss / gradient_accumulation_steps\n", ""),
        (
            "            loss.backward()\n",
            "            loss.backward(gradient=torch.tensor(1 / gradient_accumulation_steps))\n",
        ),
        ("loss.item() * gradient_accumulation_steps", "loss.item()"),
    )


def cases() -> Iterator[Case]:
    yield from inverted()
    yield from last()
    yield from flush()
    yield from helpers()
    yield from flag()
