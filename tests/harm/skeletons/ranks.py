"""Two ranks that validate in between, two ranks on a stream, a script for Accelerate, a budget that ends in a window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

EPOCHS = Draft(
    "ranks-that-validate",
    """\
import argparse
from contextlib import nullcontext

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

torch.set_default_dtype(torch.float64)


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--start-epoch", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--grad-accum", type=int, default=2)
    parser.add_argument("--samples", type=int, default=24)
    return parser.parse_args()


def validate(net, loader, criterion):
    net.eval()
    with torch.no_grad():
        total = sum(criterion(net.module(x), y) for x, y in loader) / len(loader)
    dist.all_reduce(total)
    return total.item() / dist.get_world_size()


def main():
    args = parse_args()
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(2)
    x = torch.rand(args.samples + 8, 3)
    data = TensorDataset(x, x.prod(dim=1, keepdim=True))
    train_set = torch.utils.data.Subset(data, range(args.samples))
    val_set = torch.utils.data.Subset(data, range(args.samples, args.samples + 8))
    sampler = DistributedSampler(train_set, shuffle=True)
    loader = DataLoader(train_set, batch_size=3, sampler=sampler)
    val_loader = DataLoader(val_set, batch_size=4, sampler=DistributedSampler(val_set, shuffle=False))
    net = DDP(nn.Sequential(nn.Linear(3, 6), nn.Tanh(), nn.Dropout(0.1), nn.Linear(6, 1)))
    criterion = nn.MSELoss()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.3, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=args.epochs)
    torch.manual_seed(50 + rank)
    for epoch in range(args.start_epoch, args.epochs):
        sampler.set_epoch(epoch)
        net.train()
        for step, (inputs, targets) in enumerate(loader, start=1):
            boundary = step % args.grad_accum == 0 or step == len(loader)
            with nullcontext() if boundary else net.no_sync():
                loss = criterion(net(inputs), targets)
                (loss / args.grad_accum).backward()
            if boundary:
                nn.utils.clip_grad_norm_(net.parameters(), 0.1)
                optimizer.step()
                optimizer.zero_grad()
        scheduler.step()
        score = validate(net, val_loader, criterion)
        if rank == 0:
            print(f"epoch {epoch} loss {loss.item():.4f} val {score:.5f}")
    return net
""",
    ("missing-set-epoch", "missing-no-sync"),
    ranks=2,
)

E_EPOCH = "        sampler.set_epoch(epoch)\n"
E_WITH = """\
            with nullcontext() if boundary else net.no_sync():
                loss = criterion(net(inputs), targets)
                (loss / args.grad_accum).backward()
"""
E_PLAIN = """\
            loss = criterion(net(inputs), targets)
            (loss / args.grad_accum).backward()
"""
E_CLIP = "                nn.utils.clip_grad_norm_(net.parameters(), 0.1)\n"
E_STEP = "                optimizer.step()\n"


def epochs() -> Iterator[Case]:
    yield EPOCHS.right("as-it-is", tempts=("step-without-sync", "missing-set-epoch"))
    yield EPOCHS.right(
        "averaged-now-and-then",
        (
            E_WITH,
            "            with net.no_sync():  # local steps, averaged after each epoch\n" + E_WITH.partition("\n")[2],
        ),
        (
            "        scheduler.step()\n",
            """\
        with torch.no_grad():
            for p in net.parameters():
                dist.all_reduce(p)
                p /= dist.get_world_size()
        scheduler.step()
""",
        ),
        tempts=("step-without-sync",),
    )
    yield EPOCHS.right(
        "epoch-set-at-the-end-for-the-next-one",
        (E_EPOCH, ""),
        ("        scheduler.step()\n", "        scheduler.step()\n        sampler.set_epoch(epoch + 1)\n"),
    )
    yield EPOCHS.wrong("same-order-each-epoch", ((E_EPOCH, ""),))
    yield EPOCHS.wrong("always-in-sync", ((E_WITH, E_PLAIN),), tempts=("missing-no-sync",))
    yield EPOCHS.wrong(
        "forward-in-front-of-the-context",
        (
            (
                E_WITH,
                """\
            loss = criterion(net(inputs), targets)
            with nullcontext() if boundary else net.no_sync():
                (loss / args.grad_accum).backward()
""",
            ),
        ),
        tempts=("forward-outside-no-sync",),
    )
    yield EPOCHS.styled(("default=24", "default=30")).wrong(
        "tail-without-sync",
        ((E_WITH, E_WITH.replace("if boundary", "if step % args.grad_accum == 0")),),
        tempts=("step-without-sync",),
    )


STREAM = Draft(
    "ranks-on-a-stream",
    """\
import os

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel

torch.set_default_dtype(torch.float64)


def text(rank, length=5):
    generator = torch.Generator().manual_seed(rank)
    while True:
        tokens = torch.randint(0, 9, (2, length + 1), generator=generator)
        tokens[:, 1::2] = (tokens[:, :-1:2] + 1) % 9
        yield tokens[:, :-1], tokens[:, 1:]


class Bigram(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(9, 6)
        self.mlp = nn.Sequential(nn.Linear(6, 8), nn.GELU(), nn.Linear(8, 9))

    def forward(self, tokens):
        return self.mlp(self.embed(tokens))


def rate(update, total, warmup=2):
    return (update + 1) / warmup if update < warmup else 1 - (update - warmup) / (total - warmup + 1)


def main():
    rank = int(os.environ["RANK"])
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    ddp = DistributedDataParallel(Bigram())
    total, accum = 6, 3
    optimizer = torch.optim.AdamW(ddp.parameters(), lr=0.05)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda update: rate(update, total))
    stream = text(rank)

    def micro():
        x, y = next(stream)
        loss = F.cross_entropy(ddp(x).flatten(0, 1), y.flatten())
        (loss / accum).backward()
        return loss.detach()

    for update in range(total):
        loss = torch.zeros(())
        with ddp.no_sync():
            for _ in range(accum - 1):
                loss += micro()
        loss += micro()  # this one is all-reduced
        norm = nn.utils.clip_grad_norm_(ddp.parameters(), 0.5)
        optimizer.step()
        scheduler.step()
        optimizer.zero_grad(set_to_none=True)
        if rank == 0:
            print(f"{update} loss {loss.item() / accum:.4f} norm {norm.item():.4f}")
    return ddp
""",
    ("missing-no-sync", "unscaled-accumulation-loss"),
    ranks=2,
)

ST_WINDOW = """\
        with ddp.no_sync():
            for _ in range(accum - 1):
                loss += micro()
        loss += micro()  # this one is all-reduced
"""
ST_CLIP = "        norm = nn.utils.clip_grad_norm_(ddp.parameters(), 0.5)\n"
ST_STEP = "        optimizer.step()\n"
ST_CLEAR = "        optimizer.zero_grad(set_to_none=True)\n"


def stream() -> Iterator[Case]:
    yield STREAM.right("all-but-one-without-sync", tempts=("step-without-sync", "loss-graph-leak"))
    yield STREAM.right(
        "coalesced-by-hand",
        (
            ST_WINDOW,
            """\
        with ddp.no_sync():
            for _ in range(accum):
                loss += micro()
        flat = torch.cat([p.grad.flatten() for p in ddp.parameters()])
        dist.all_reduce(flat)
        for p, part in zip(ddp.parameters(), flat.split([p.numel() for p in ddp.parameters()])):
            p.grad.copy_(part.view_as(p) / dist.get_world_size())
""",
        ),
        tempts=("step-without-sync",),
    )
    yield STREAM.right(
        "local-norm-is-shown",
        (
            "        loss += micro()  # this one is all-reduced\n",
            """\
        local = nn.utils.clip_grad_norm_(ddp.parameters(), float("inf"))
        loss += micro()  # this one is all-reduced
""",
        ),
        ("norm {norm.item():.4f}", "norm {norm.item():.4f} of {local.item():.4f}"),
        tempts=("clip-before-backward", "clip-per-micro-batch"),
    )
    yield STREAM.right(
        "divided-by-the-clip-helper",
        ("        (loss / accum).backward()\n", "        loss.backward()\n"),
        (
            ST_CLIP,
            """\
        grads = [p.grad for p in ddp.parameters()]
        torch._foreach_div_(grads, accum)
        norm = torch.nn.utils.get_total_norm(grads)
        nn.utils.clip_grads_with_norm_(ddp.parameters(), 0.5, norm)
""",
        ),
    )
    yield STREAM.wrong(
        "always-in-sync", ((ST_WINDOW, "        for _ in range(accum):\n            loss += micro()\n"),)
    )
    yield STREAM.wrong(
        "never-in-sync",
        (
            (
                ST_WINDOW,
                "        with ddp.no_sync():\n            for _ in range(accum):\n                loss += micro()\n",
            ),
        ),
        tempts=("step-without-sync",),
    )
    yield STREAM.wrong("summed", (("        (loss / accum).backward()\n", "        loss.backward()\n"),))
    yield STREAM.wrong(
        "clipped-in-front-of-the-last",
        ((ST_CLIP, ""), ("        loss += micro()  # this", ST_CLIP + "        loss += micro()  # this")),
        tempts=("clip-before-backward",),
    )
    yield STREAM.wrong(
        "cleared-in-front-of-the-last",
        (
            (ST_CLEAR, ""),
            ("        loss += micro()  # this", "        optimizer.zero_grad()\n        loss += micro()  # this"),
        ),
        tempts=("zero-grad-in-accumulation",),
    )
    running = (
        ("        loss = torch.zeros(())\n", ""),
        ("    for update in range(total):\n", "    loss = torch.zeros(())\n    for update in range(total):\n"),
        ("{loss.item() / accum:.4f}", "{loss.item() / accum / (update + 1):.4f}"),
    )
    yield STREAM.styled(*running).wrong(
        "mean-so-far-keeps-graphs",
        (("        return loss.detach()\n", "        return loss\n"),),
        tempts=("loss-graph-leak",),
    )


SCRIPT = Draft(
    "accelerate-fine-tuning",
    """\
import math

import torch
from accelerate import Accelerator
from accelerate.utils import set_seed
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

config = dict(lr=0.1, epochs=2, batch_size=4, accumulate=2, max_norm=0.3, warmup=2)


def get_loaders(accelerator):
    generator = torch.Generator().manual_seed(5)
    x = torch.randn(40, 6, generator=generator)
    y = (x[:, 0] * x[:, 1] > 0).long()
    train = DataLoader(TensorDataset(x[:32], y[:32]), batch_size=config["batch_size"])
    evaluation = DataLoader(TensorDataset(x[32:], y[32:]), batch_size=8)
    return train, evaluation


def evaluate(accelerator, model, loader):
    model.eval()
    right = seen = 0
    for x, y in loader:
        with torch.no_grad():
            guess = model(x).argmax(dim=-1)
        guess, y = accelerator.gather_for_metrics((guess, y))
        right += (guess == y).sum().item()
        seen += len(y)
    return right / seen


def main():
    accelerator = Accelerator(gradient_accumulation_steps=config["accumulate"], cpu=True)
    set_seed(4)
    train_dataloader, eval_dataloader = get_loaders(accelerator)
    model = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Dropout(0.1), nn.Linear(8, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=config["lr"], momentum=0.9)
    model, optimizer, train_dataloader, eval_dataloader = accelerator.prepare(
        model, optimizer, train_dataloader, eval_dataloader
    )
    updates = config["epochs"] * math.ceil(len(train_dataloader) / config["accumulate"])
    # not prepared: it counts updates
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer.optimizer, 1.0, 0.1, total_iters=updates)
    for epoch in range(config["epochs"]):
        model.train()
        total_loss = 0
        for x, y in train_dataloader:
            with accelerator.accumulate(model):
                loss = nn.functional.cross_entropy(model(x), y)
                total_loss += loss.detach().float()
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(model.parameters(), config["max_norm"])
                optimizer.step()
                if accelerator.sync_gradients:
                    schedule.step()
                optimizer.zero_grad()
        accelerator.print(
            f"epoch {epoch}: loss {total_loss.item() / len(train_dataloader):.4f} "
            f"accuracy {evaluate(accelerator, model, eval_dataloader):.3f} lr {schedule.get_last_lr()[0]:.4f}"
        )
    return accelerator.unwrap_model(model)
""",
    ("scheduler-per-micro-batch", "zero-grad-in-accumulation"),
)

SC_CLIP = """\
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(model.parameters(), config["max_norm"])
"""
SC_MOVE = """\
                if accelerator.sync_gradients:
                    schedule.step()
"""
SC_CLEAR = "                optimizer.zero_grad()\n"


def accelerate_script() -> Iterator[Case]:
    yield SCRIPT.right("schedule-of-updates-is-not-prepared")
    yield SCRIPT.right(
        "schedule-of-batches-for-each-batch",
        (SC_MOVE, "                schedule.step()\n"),
        (
            '    updates = config["epochs"] * math.ceil(len(train_dataloader) / config["accumulate"])\n    # not prepared: it counts updates\n',
            '    batches = config["epochs"] * len(train_dataloader)\n    # not prepared: it counts batches\n',
        ),
        ("total_iters=updates", "total_iters=batches"),
        ("import math\n\n", ""),
    )
    yield SCRIPT.right(
        "network-cleared-when-in-sync",
        (SC_CLEAR, "                if accelerator.sync_gradients:\n                    model.zero_grad()\n"),
    )
    yield SCRIPT.wrong(
        "network-cleared-each",
        ((SC_CLEAR, "                model.zero_grad()\n"),),
        tempts=("zero-grad-in-accumulation",),
    )
    yield SCRIPT.wrong("schedule-of-updates-for-each-batch", ((SC_MOVE, "                schedule.step()\n"),))
    yield SCRIPT.wrong("clip-behind", ((SC_CLIP, ""), (SC_MOVE, SC_CLIP + SC_MOVE)), tempts=("clip-after-step",))


BUDGET = Draft(
    "budget-that-ends-in-a-window",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


class Budget:
    def __init__(self, updates, patience=2):
        self.left, self.patience = updates, patience
        self.best, self.bad = float("inf"), 0

    def spent(self):
        self.left -= 1
        return self.left <= 0

    def hopeless(self, value):
        self.bad = 0 if value < self.best else self.bad + 1
        self.best = min(self.best, value)
        return self.bad > self.patience


def score(net, x, y):
    was = net.training
    net.eval()
    with torch.no_grad():
        value = nn.functional.l1_loss(net(x), y).item()
    net.train(was)
    return value


def fit(net, batches, held_out, budget, window=3):
    optimizer = torch.optim.RMSprop(net.parameters(), lr=0.02)
    pending = epoch = 0
    while True:
        # seven batches in windows of three: a window may go on in the next epoch
        for x, y in batches:
            loss = nn.functional.l1_loss(net(x), y)
            (loss / window).backward()
            pending += 1
            if pending < window:
                continue
            nn.utils.clip_grad_norm_(net.parameters(), 0.5)
            optimizer.step()
            optimizer.zero_grad()
            pending = 0
            if budget.spent():
                return epoch
        epoch += 1
        value = score(net, *held_out)
        print(f"after {epoch}: {value:.4f}, {pending} pending, loss {loss.item():.4f}")
        if budget.hopeless(value):
            return epoch


def main():
    torch.manual_seed(40)
    net = nn.Sequential(nn.Linear(4, 7), nn.ReLU(), nn.Dropout(0.1), nn.Linear(7, 1))
    batches = [(torch.randn(5, 4), torch.randn(5, 1)) for _ in range(8)]
    print("epochs", fit(net, batches[:7], batches[7], Budget(updates=9)))
    return net
""",
    ("dropped-accumulation-tail", "zero-grad-in-accumulation"),
)

B_STEPS = """\
            nn.utils.clip_grad_norm_(net.parameters(), 0.5)
            optimizer.step()
            optimizer.zero_grad()
"""
B_CLIP = "            nn.utils.clip_grad_norm_(net.parameters(), 0.5)\n"


def budget() -> Iterator[Case]:
    yield BUDGET.right("windows-go-on-in-the-next-epoch", tempts=("dropped-accumulation-tail", "missing-train-mode"))
    yield BUDGET.right(
        "each-epoch-begins-anew",
        (
            "        # seven batches in windows of three: a window may go on in the next epoch\n",
            "        optimizer.zero_grad()\n        pending = 0\n",
        ),
    )
    yield BUDGET.right(
        "what-is-pending-is-stepped-with-its-own-share",
        (
            "        epoch += 1\n",
            """\
        if pending:
            for p in net.parameters():
                p.grad *= window / pending
            optimizer.step()
            optimizer.zero_grad()
            pending = 0
        epoch += 1
""",
        ),
        ("        # seven batches in windows of three: a window may go on in the next epoch\n", ""),
        tempts=("accumulation-divisor-mismatch",),
    )
    yield BUDGET.wrong(
        "cleared-at-the-epoch-though-pending-goes-on",
        (
            (
                "        # seven batches in windows of three: a window may go on in the next epoch\n",
                "        # seven batches in windows of three: a window may go on in the next epoch\n        optimizer.zero_grad()\n",
            ),
        ),
    )
    yield BUDGET.wrong(
        "clipped-each",
        ((B_CLIP, ""), ("            pending += 1\n", B_CLIP + "            pending += 1\n")),
        tempts=("clip-per-micro-batch",),
    )
    yield BUDGET.wrong(
        "score-leaves-eval",
        (("    net.train(was)\n", ""), ("    was = net.training\n", "")),
        tempts=("missing-train-mode",),
    )


def cases() -> Iterator[Case]:
    yield from epochs()
    yield from stream()
    yield from accelerate_script()
    yield from budget()
