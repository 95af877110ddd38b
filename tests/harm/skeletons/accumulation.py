"""Windows of micro-batches: flushed after the loop, closed by the last batch, counted by samples or by chunks."""

from __future__ import annotations

from collections.abc import Iterator

from harm.case import Case, Skeleton, drop, swap

FLUSH = """
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)

ACCUM = 4


def make_batches(count=10):
    g = torch.Generator().manual_seed(7)
    return [(torch.randn(6, 5, generator=g), torch.randn(6, 1, generator=g)) for _ in range(count)]


def train_epoch(model, batches, optimizer):
    model.train()
    optimizer.zero_grad()
    pending = 0
    for x, y in batches:
        loss = F.mse_loss(model(x), y)
        (loss / ACCUM).backward()
        pending += 1
        if pending == ACCUM:
            nn.utils.clip_grad_norm_(model.parameters(), 0.5)
            optimizer.step()
            optimizer.zero_grad()
            pending = 0
    if pending:
        # whatever is left over
        nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        optimizer.step()
        optimizer.zero_grad()


def main():
    model = nn.Sequential(nn.Linear(5, 8), nn.Tanh(), nn.Linear(8, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2, momentum=0.9)
    for epoch in range(2):
        train_epoch(model, make_batches(), optimizer)
    return model
"""

STEP = """            nn.utils.clip_grad_norm_(model.parameters(), 0.5)
            optimizer.step()
            optimizer.zero_grad()
            pending = 0
"""
TAIL = """        nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        optimizer.step()
        optimizer.zero_grad()

"""


def flush_after_loop() -> Iterator[Case]:
    loops = Skeleton("flush-after-loop")
    yield loops.right("tail-over-full-window", FLUSH, "unscaled-accumulation-loss", "dropped-accumulation-tail")
    yield loops.right(
        "tail-scaled-up",
        swap(
            FLUSH,
            "        # whatever is left over\n",
            "        for p in model.parameters():\n            p.grad.mul_(ACCUM / pending)\n",
        ),
        "accumulation-divisor-mismatch",
    )
    by_hand = "            for p in model.parameters():\n                p.grad /= pending\n"
    yield loops.right(
        "divided-at-the-update",
        swap(
            FLUSH,
            "(loss / ACCUM).backward()",
            "loss.backward()",
            STEP,
            by_hand + STEP,
            "        # whatever is left over\n",
            "        for p in model.parameters():\n            p.grad /= pending\n",
        ),
        "unscaled-accumulation-loss",
    )
    yield loops.right(
        "flush-leaves-clearing-to-the-next-epoch",
        swap(FLUSH, TAIL, drop(TAIL, "optimizer.zero_grad()")),
        "missing-zero-grad",
    )
    yield loops.wrong(
        "undivided",
        swap(FLUSH, "(loss / ACCUM).backward()", "loss.backward()"),
        FLUSH,
        tempts=("unscaled-accumulation-loss",),
    )
    yield loops.wrong(
        "never-cleared-inside",
        swap(FLUSH, STEP, drop(STEP, "optimizer.zero_grad()")),
        FLUSH,
        tempts=("missing-zero-grad",),
    )
    late = swap(STEP, "            nn.utils.clip_grad_norm_(model.parameters(), 0.5)\n", "")
    late = swap(
        late, "optimizer.step()\n", "optimizer.step()\n            nn.utils.clip_grad_norm_(model.parameters(), 0.5)\n"
    )
    yield loops.wrong("clip-late-in-window", swap(FLUSH, STEP, late), FLUSH, tempts=("clip-after-step",))
    each = swap(
        FLUSH, "        pending += 1", "        nn.utils.clip_grad_norm_(model.parameters(), 0.5)\n        pending += 1"
    )
    yield loops.wrong(
        "clip-each-micro-batch-too",
        each,
        FLUSH,
        swap(
            FLUSH, STEP, STEP.split("\n", maxsplit=1)[0] + "\n" + STEP
        ),  # a second clip to the same limit does nothing
        tempts=("clip-per-micro-batch",),
    )


LAST = """
from argparse import Namespace

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_default_dtype(torch.float64)


def main():
    args = Namespace(lr=0.1, accum_steps=4, epochs=2, max_norm=0.05)
    torch.manual_seed(3)
    data = TensorDataset(torch.randn(42, 4), torch.randint(0, 3, (42,)))
    loader = DataLoader(data, batch_size=4, shuffle=True)
    net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 3))
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.AdamW(net.parameters(), lr=args.lr)

    for epoch in range(args.epochs):
        net.train()
        running = 0.0
        for i, (inputs, targets) in enumerate(loader):
            loss = criterion(net(inputs), targets)
            loss = loss / args.accum_steps
            loss.backward()
            running += loss.item() * args.accum_steps

            if (i + 1) % args.accum_steps == 0 or (i + 1) == len(loader):
                nn.utils.clip_grad_norm_(net.parameters(), args.max_norm)
                optimizer.step()
                optimizer.zero_grad()
        print(f"epoch {epoch}: {running / len(loader):.6f}")
    return net
"""


def last_batch_steps() -> Iterator[Case]:
    loops = Skeleton("last-batch-steps")
    yield loops.right("as-it-is", LAST, "accumulation-divisor-mismatch", "dropped-accumulation-tail")
    yield loops.right(
        "counted-from-one",
        swap(
            LAST,
            "enumerate(loader)",
            "enumerate(loader, 1)",
            "(i + 1) % args.accum_steps == 0 or (i + 1) ==",
            "i % args.accum_steps == 0 or i ==",
        ),
        "accumulation-off-by-one",
    )
    yield loops.right(
        "last-index",
        swap(LAST, "or (i + 1) == len(loader)", "or i == len(loader) - 1"),
        "accumulation-off-by-one",
        "dropped-accumulation-tail",
    )
    aware = "            size = min(args.accum_steps, len(loader) - i // args.accum_steps * args.accum_steps)\n"
    yield loops.right(
        "divides-by-what-is-left",
        swap(
            LAST,
            "            loss = loss / args.accum_steps\n",
            aware + "            loss = loss / size\n",
            "loss.item() * args.accum_steps",
            "loss.item() * size",
        ),
        "accumulation-divisor-mismatch",
        "unscaled-accumulation-loss",
    )
    undivided = swap(
        LAST, "            loss = loss / args.accum_steps\n", "", "loss.item() * args.accum_steps", "loss.item()"
    )
    yield loops.wrong("undivided", undivided, LAST, tempts=("unscaled-accumulation-loss",))
    late = drop(LAST, "nn.utils.clip_grad_norm_(net.parameters(), args.max_norm)")
    late = swap(
        late,
        "                optimizer.zero_grad()\n",
        "                optimizer.zero_grad()\n"
        "                nn.utils.clip_grad_norm_(net.parameters(), args.max_norm)\n",
    )
    yield loops.wrong("clip-after-clearing", late, LAST, tempts=("clip-after-step",))
    each = drop(LAST, "optimizer.zero_grad()")
    each = swap(each, "            loss = criterion", "            optimizer.zero_grad()\n            loss = criterion")
    yield loops.wrong("cleared-each-time", each, LAST, tempts=("zero-grad-in-accumulation",))
    yield loops.wrong(
        "cleared-each-time-and-undivided",
        swap(each, "            loss = loss / args.accum_steps\n", "", "loss.item() * args.accum_steps", "loss.item()"),
        LAST,
        undivided,  # the reset alone
        tempts=("zero-grad-in-accumulation", "unscaled-accumulation-loss"),
    )
    early = swap(LAST, "(i + 1) % args.accum_steps == 0 or (i + 1)", "i % args.accum_steps == 0 or (i + 1)")
    yield loops.wrong("first-window-of-one", early, LAST, tempts=("accumulation-off-by-one",))


COUNTDOWN = '''
import random

import torch
import torch.nn as nn

torch.set_default_dtype(torch.float64)


class Settings:
    batches = 12
    grad_acc = 3
    lr = 5e-2


def batches(seed):
    """An endless stream is too long for a test."""
    rng = torch.Generator().manual_seed(seed)
    for _ in range(Settings.batches):
        x = torch.randn(4, 3, generator=rng)
        yield x, x.sum(1, keepdim=True)


def train(model, optimizer, epochs=2):
    losses = []
    for epoch in range(epochs):
        left = Settings.grad_acc
        optimizer.zero_grad()
        for x, y in batches(epoch):
            err = ((model(x) - y) ** 2).mean() / Settings.grad_acc
            err.backward()
            losses.append(err.item())
            left -= 1
            if left > 0:
                continue
            torch.nn.utils.clip_grad_value_(model.parameters(), 0.3)
            optimizer.step()
            optimizer.zero_grad()
            left = Settings.grad_acc
    return losses


def main():
    random.seed(1)
    model = nn.Sequential(nn.Linear(3, 6), nn.ELU(), nn.Linear(6, 1))
    opt = torch.optim.RMSprop(model.parameters(), lr=Settings.lr)
    history = train(model, opt)
    print("%d losses, last %.5f" % (len(history), history[-1]))
    return model
'''


def countdown() -> Iterator[Case]:
    loops = Skeleton("countdown")
    yield loops.right("as-it-is", COUNTDOWN, "zero-grad-in-accumulation", "accumulation-off-by-one")
    yield loops.right(
        "cleared-before-the-window",
        swap(
            COUNTDOWN,
            "            optimizer.step()\n            optimizer.zero_grad()\n",
            "            optimizer.step()\n",
            "        for x, y in batches(epoch):\n",
            "        for x, y in batches(epoch):\n"
            "            if left == Settings.grad_acc:\n"
            "                optimizer.zero_grad()\n",
        ),
        "missing-zero-grad",
        "zero-grad-in-accumulation",
    )
    yield loops.right(
        "counter-carried-over-epochs",
        swap(
            COUNTDOWN,
            "        left = Settings.grad_acc\n        optimizer.zero_grad()\n        for",
            "        for",
            "    losses = []\n",
            "    losses = []\n    left = Settings.grad_acc\n    optimizer.zero_grad()\n",
            "batches = 12",
            "batches = 10",
        ),
        "dropped-accumulation-tail",
    )
    yield loops.wrong(
        "undivided",
        swap(
            COUNTDOWN,
            ".mean() / Settings.grad_acc",
            ".mean()",
            "losses.append(err.item())",
            "losses.append(err.item() / Settings.grad_acc)",
        ),
        COUNTDOWN,
        tempts=("unscaled-accumulation-loss",),
    )
    yield loops.wrong(
        "cleared-before-each-backward",
        swap(COUNTDOWN, "            err.backward()", "            optimizer.zero_grad()\n            err.backward()"),
        COUNTDOWN,
        tempts=("zero-grad-in-accumulation",),
    )
    yield loops.wrong(
        "cleared-before-the-step",
        swap(
            COUNTDOWN,
            "            optimizer.step()\n            optimizer.zero_grad()\n",
            "            optimizer.zero_grad()\n            optimizer.step()\n",
        ),
        COUNTDOWN,
        tempts=("zero-grad-before-step",),
    )


CHUNKS = """
from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn


@dataclass
class TrainConfig:
    batch_size: int = 16
    micro_batch_size: int = 4
    learning_rate: float = 1e-2
    num_epochs: int = 2
    max_grad_norm: float = 0.25

    @property
    def num_chunks(self) -> int:
        return self.batch_size // self.micro_batch_size


class Regressor(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Linear(4, 8)
        self.head = nn.Linear(8, 1)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(torch.tanh(self.body(x)))


def train_batch(model: nn.Module, x: Tensor, y: Tensor, optimizer: torch.optim.Optimizer, cfg: TrainConfig) -> float:
    optimizer.zero_grad(set_to_none=True)
    total = 0.0
    for xs, ys in zip(x.chunk(cfg.num_chunks), y.chunk(cfg.num_chunks)):
        loss = nn.functional.huber_loss(model(xs), ys) / cfg.num_chunks
        loss.backward()
        total += loss.item()
    nn.utils.clip_grad_norm_(model.parameters(), cfg.max_grad_norm)
    optimizer.step()
    return total


def main() -> nn.Module:
    torch.set_default_dtype(torch.float64)
    cfg = TrainConfig()
    model = Regressor()
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg.learning_rate)
    for epoch in range(cfg.num_epochs):
        for _ in range(3):
            x = torch.randn(cfg.batch_size, 4)
            value = train_batch(model, x, x.mean(dim=1, keepdim=True), optimizer, cfg)
        print(f"{epoch=} {value:.6f}")
    return model
"""


def micro_chunks() -> Iterator[Case]:
    loops = Skeleton("micro-chunks")
    yield loops.right("as-it-is", CHUNKS, "missing-zero-grad", "unscaled-accumulation-loss")
    yield loops.right(
        "weighted-by-size",
        swap(CHUNKS, "/ cfg.num_chunks\n        loss.backward", "* (len(xs) / len(x))\n        loss.backward"),
        "unscaled-accumulation-loss",
        "accumulation-divisor-mismatch",
    )
    yield loops.right(
        "summed-then-divided-by-rows",
        swap(
            CHUNKS, "huber_loss(model(xs), ys) / cfg.num_chunks", 'huber_loss(model(xs), ys, reduction="sum") / len(x)'
        ),
        "unscaled-accumulation-loss",
    )
    yield loops.wrong(
        "undivided",
        swap(CHUNKS, "ys) / cfg.num_chunks", "ys)", "total += loss.item()", "total += loss.item() / cfg.num_chunks"),
        CHUNKS,
        tempts=("unscaled-accumulation-loss",),
    )
    yield loops.wrong(
        "total-keeps-graphs",
        swap(CHUNKS, "loss.item()", "loss"),
        CHUNKS,
        tempts=("loss-graph-leak",),
    )
    inside = drop(CHUNKS, "optimizer.zero_grad(set_to_none=True)")
    inside = swap(inside, "        loss = nn.f", "        optimizer.zero_grad(set_to_none=True)\n        loss = nn.f")
    yield loops.wrong("cleared-per-chunk", inside, CHUNKS, tempts=("zero-grad-in-accumulation",))
    clip = "    nn.utils.clip_grad_norm_(model.parameters(), cfg.max_grad_norm)\n"
    yield loops.wrong(
        "clipped-per-chunk",
        swap(CHUNKS, clip, "", "        total += loss.item()\n", "        total += loss.item()\n    " + clip),
        CHUNKS,
        tempts=("clip-per-micro-batch",),
    )
    yield loops.wrong(
        "clipped-in-front",
        swap(CHUNKS, clip, "", "    total = 0.0\n", clip + "    total = 0.0\n"),
        CHUNKS,
        tempts=("clip-before-backward",),
    )


SAMPLES = """
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def ragged(seed):
    gen = torch.Generator().manual_seed(seed)
    for size in (5, 3, 8, 4, 4, 6, 2, 8):
        x = torch.randn(size, 3, generator=gen)
        yield x, (x[:, :1] > 0).double()


class Trainer:
    \"\"\"Steps whenever 16 samples have been seen, however the batches fall.\"\"\"

    def __init__(self, net, lr, samples_per_update=16):
        self.net = net
        self.opt = torch.optim.SGD(net.parameters(), lr=lr)
        self.samples_per_update = samples_per_update
        self.seen = 0
        self.n_updates = 0

    def train(self, data):
        for x, y in data:
            loss = nn.functional.binary_cross_entropy_with_logits(self.net(x), y, reduction="sum")
            (loss / self.samples_per_update).backward()
            self.seen += len(x)
            if self.seen >= self.samples_per_update:
                self.update()

    def update(self):
        nn.utils.clip_grad_norm_(self.net.parameters(), 0.1)
        self.opt.step()
        self.opt.zero_grad()
        self.seen = 0
        self.n_updates += 1


def main():
    net = nn.Sequential(nn.Linear(3, 5), nn.Tanh(), nn.Linear(5, 1))
    trainer = Trainer(net, 0.3)
    for epoch in range(2):
        trainer.train(ragged(epoch))
    print(trainer.n_updates)
    return net
"""


def sample_window() -> Iterator[Case]:
    loops = Skeleton("sample-window")
    yield loops.right("as-it-is", SAMPLES, "unscaled-accumulation-loss", "dropped-accumulation-tail")
    yield loops.right(
        "divided-by-what-was-seen",
        swap(
            SAMPLES,
            "(loss / self.samples_per_update).backward()",
            "loss.backward()",
            "        nn.utils.clip",
            "        for p in self.net.parameters():\n            p.grad.div_(self.seen)\n        nn.utils.clip",
        ),
        "unscaled-accumulation-loss",
        "accumulation-divisor-mismatch",
    )
    yield loops.right(
        "remainder-kept",
        swap(
            SAMPLES,
            "self.seen = 0\n        self.n_updates += 1",
            "self.seen -= self.samples_per_update\n        self.n_updates += 1",
        ),
        "accumulation-off-by-one",
    )
    yield loops.wrong("never-cleared", drop(SAMPLES, "self.opt.zero_grad()"), SAMPLES, tempts=("missing-zero-grad",))
    yield loops.wrong(
        "clear-not-called",
        swap(SAMPLES, "self.opt.zero_grad()", "self.opt.zero_grad"),
        SAMPLES,
        tempts=("method-not-called",),
    )
    yield loops.wrong(
        "clip-late",
        swap(
            drop(SAMPLES, "nn.utils.clip_grad_norm_(self.net.parameters(), 0.1)"),
            "        self.opt.step()\n",
            "        self.opt.step()\n        nn.utils.clip_grad_norm_(self.net.parameters(), 0.1)\n",
        ),
        SAMPLES,
        tempts=("clip-after-step",),
    )


NEXT_ITER = """
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_default_dtype(torch.float64)

max_iters = 6
micro_steps = 2
log_interval = 2


def get_loader():
    x = torch.linspace(-1, 1, 40).reshape(20, 2)
    return DataLoader(TensorDataset(x, x.prod(1, keepdim=True)), batch_size=4, shuffle=True)


def main():
    torch.manual_seed(1337)
    model = nn.Sequential(nn.Linear(2, 8), nn.GELU(), nn.Linear(8, 1))
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.02, betas=(0.9, 0.95))
    loader = get_loader()
    it = iter(loader)
    iter_num = 0
    while True:
        for micro_step in range(micro_steps):
            try:
                X, Y = next(it)
            except StopIteration:
                it = iter(loader)
                X, Y = next(it)
            loss = nn.functional.mse_loss(model(X), Y)
            loss = loss / micro_steps  # scale the loss to account for gradient accumulation
            loss.backward()
        grad_norm = nn.utils.clip_grad_norm_(model.parameters(), 0.02)
        optimizer.step()
        # flush the gradients as soon as we can, no need for this memory anymore
        optimizer.zero_grad(set_to_none=True)
        if iter_num % log_interval == 0:
            lossf = loss.item() * micro_steps
            print(f"iter {iter_num}: loss {lossf:.4f}, norm {grad_norm:.4f}")
        iter_num += 1
        if iter_num > max_iters:
            break
    return model
"""


def next_iter() -> Iterator[Case]:
    loops = Skeleton("next-iter")
    yield loops.right("as-it-is", NEXT_ITER, "loss-graph-leak", "dropped-accumulation-tail")
    yield loops.right(
        "micro-batches-summed-in-a-list",
        swap(
            NEXT_ITER,
            "        for micro_step in range(micro_steps):\n",
            "        losses = []\n        for micro_step in range(micro_steps):\n",
            "            loss.backward()\n",
            "            losses.append(loss)\n        sum(losses).backward()\n",
        ),
        "loss-graph-leak",
    )
    undivided = swap(
        drop(NEXT_ITER, "loss = loss / micro_steps  # scale the loss to account for gradient accumulation"),
        "loss.item() * micro_steps",
        "loss.item()",
    )
    yield loops.wrong("undivided", undivided, NEXT_ITER, tempts=("unscaled-accumulation-loss",))
    clip = "        grad_norm = nn.utils.clip_grad_norm_(model.parameters(), 0.02)\n"
    yield loops.wrong(
        "clip-late-norm-logged",
        swap(NEXT_ITER, clip, "", "        optimizer.step()\n", "        optimizer.step()\n" + clip),
        NEXT_ITER,
        tempts=("clip-after-step",),
    )
    yield loops.wrong(
        "clip-in-micro-loop-norm-logged",
        swap(NEXT_ITER, clip, "", "            loss.backward()\n", "            loss.backward()\n    " + clip),
        NEXT_ITER,
        tempts=("clip-per-micro-batch",),
    )
    yield loops.wrong(
        "never-cleared",
        drop(NEXT_ITER, "optimizer.zero_grad(set_to_none=True)"),
        NEXT_ITER,
        tempts=("missing-zero-grad",),
    )
    yield loops.right(
        "log-uses-the-last-micro-loss",
        swap(NEXT_ITER, "lossf = loss.item() * micro_steps", "lossf = float(loss.detach()) * micro_steps"),
        "loss-graph-leak",
    )


def cases() -> Iterator[Case]:
    yield from flush_after_loop()
    yield from last_batch_steps()
    yield from countdown()
    yield from micro_chunks()
    yield from sample_window()
    yield from next_iter()
