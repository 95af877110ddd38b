"""Bridges: a trainer with settings, a language recipe, two ranks, actor and critic, a scaler at the toll, early stops."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

GIRDER = Draft(
    "girder-settings",
    """\
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_default_dtype(torch.float64)


@dataclass
class Settings:
    epochs: int = 3
    batch_size: int = 4
    accumulation: int = 3
    lr: float = 0.3
    momentum: float = 0.5
    max_norm: float = 0.4
    decay: float = 0.85  # of the rate, with each update
    log_every: int = 2


class Trainer:
    def __init__(self, model, settings, train_loader, val_loader):
        self.model, self.cfg = model, settings
        self.train_loader, self.val_loader = train_loader, val_loader
        self.params = list(model.parameters())
        self.optimizer = torch.optim.SGD(self.params, lr=settings.lr, momentum=settings.momentum)
        self.scheduler = torch.optim.lr_scheduler.ExponentialLR(self.optimizer, settings.decay)
        self.updates = 0

    def training_step(self, batch):
        x, y = batch
        loss = F.mse_loss(self.model(x), y)
        (loss / self.cfg.accumulation).backward()
        return loss.item()

    def optimizer_step(self):
        norm = nn.utils.clip_grad_norm_(self.params, self.cfg.max_norm)
        self.optimizer.step()
        self.scheduler.step()
        self.optimizer.zero_grad()
        self.updates += 1
        if self.updates % self.cfg.log_every == 0:
            print(f"update {self.updates}: norm {norm.item():.5f} rate {self.scheduler.get_last_lr()[0]:.5f}")

    def train_epoch(self):
        self.model.train()
        running = 0.0
        for number, batch in enumerate(self.train_loader, 1):
            running += self.training_step(batch)
            if number % self.cfg.accumulation == 0 or number == len(self.train_loader):
                self.optimizer_step()
        return running / len(self.train_loader)

    @torch.no_grad()
    def evaluate(self):
        self.model.eval()
        return sum(F.mse_loss(self.model(x), y).item() for x, y in self.val_loader) / len(self.val_loader)

    def fit(self):
        for epoch in range(self.cfg.epochs):
            print(f"epoch {epoch}: {self.train_epoch():.6f} {self.evaluate():.6f}")
        return self.model


def main():
    torch.manual_seed(307)
    settings = Settings()
    model = nn.Sequential(nn.Linear(3, 6), nn.BatchNorm1d(6), nn.Tanh(), nn.Dropout(0.2), nn.Linear(6, 1))
    loads, sags = torch.randn(28, 3), torch.randn(28, 1)
    train_loader = DataLoader(TensorDataset(loads, sags), settings.batch_size, shuffle=True)
    val_loader = DataLoader(TensorDataset(torch.randn(8, 3), torch.randn(8, 1)), settings.batch_size)
    return Trainer(model, settings, train_loader, val_loader).fit()
""",
    ("unscaled-accumulation-loss", "missing-train-mode"),
)

GIRDER_OPT = "        self.optimizer = torch.optim.SGD(self.params, lr=settings.lr, momentum=settings.momentum)\n"
GIRDER_COUNT = "        self.updates = 0\n"
GIRDER_BACK = "        (loss / self.cfg.accumulation).backward()\n"
GIRDER_RETURN = "        return loss.item()\n"
GIRDER_CLIP = "        norm = nn.utils.clip_grad_norm_(self.params, self.cfg.max_norm)\n"
GIRDER_STEP = "        self.optimizer.step()\n"
GIRDER_SCHED = "        self.scheduler.step()\n"
GIRDER_CLEAR = "        self.optimizer.zero_grad()\n"
GIRDER_TELL = """\
        if self.updates % self.cfg.log_every == 0:
            print(f"update {self.updates}: norm {norm.item():.5f} rate {self.scheduler.get_last_lr()[0]:.5f}")
"""
GIRDER_LOOP = """\
        for number, batch in enumerate(self.train_loader, 1):
            running += self.training_step(batch)
            if number % self.cfg.accumulation == 0 or number == len(self.train_loader):
                self.optimizer_step()
"""
GIRDER_EPOCH = "        self.model.train()\n        running = 0.0\n"
GIRDER_LOOK = """\
            if number % self.cfg.eval_every == 0:
                print(f"batch {number}: {self.evaluate():.6f}")
"""


def girder() -> Iterator[Case]:
    midway = GIRDER.styled(
        ("    log_every: int = 2\n", "    log_every: int = 2\n    eval_every: int = 2\n"),
        (GIRDER_LOOP, GIRDER_LOOP + GIRDER_LOOK + "                self.model.train()\n"),
    )
    gauged = GIRDER.styled(
        (
            GIRDER_CLEAR + "        self.updates += 1\n" + GIRDER_TELL,
            "        self.updates += 1\n"
            + GIRDER_TELL.replace("norm {norm.item():.5f}", "pull {self.largest_pull():.5f}")
            + GIRDER_CLEAR
            + "\n    def largest_pull(self):\n        return max(p.grad.abs().max().item() for p in self.params)\n",
        ),
        (GIRDER_CLIP, GIRDER_CLIP.replace("norm = ", "")),
    )
    diary = GIRDER.styled(
        (GIRDER_COUNT, GIRDER_COUNT + "        self.history = []\n"),
        (GIRDER_RETURN, "        self.history.append(loss.detach())\n" + GIRDER_RETURN),
        (
            "        return self.model\n",
            '        print(f"mean {torch.stack(self.history).mean().item():.6f}")\n        return self.model\n',
        ),
    )
    yield GIRDER.right(
        "length-of-the-window-is-in-the-rate",  # SGD, and nothing that minds the size of a gradient
        (GIRDER_OPT, GIRDER_OPT.replace("lr=settings.lr,", "lr=settings.lr / settings.accumulation,")),
        (GIRDER_BACK, "        loss.backward()\n"),
        (GIRDER_CLIP, "        norm = nn.utils.get_total_norm([p.grad for p in self.params])\n"),
        tempts=("unscaled-accumulation-loss",),
    )
    yield GIRDER.right(
        "averaged-and-clipped-as-the-step-begins",
        (
            GIRDER_OPT,
            GIRDER_OPT + "        self.optimizer.register_step_pre_hook(self.before_step)\n",
        ),
        (GIRDER_BACK, "        loss.backward()\n"),
        (
            GIRDER_RETURN,
            GIRDER_RETURN
            + """\

    def before_step(self, optimizer, args, kwargs):
        for p in self.params:
            p.grad /= self.cfg.accumulation
        self.norm = nn.utils.clip_grad_norm_(self.params, self.cfg.max_norm)
""",
        ),
        (GIRDER_CLIP, ""),
        ("norm {norm.item():.5f}", "norm {self.norm.item():.5f}"),
        tempts=("unscaled-accumulation-loss",),
    )
    yield GIRDER.right(
        "window-is-closed-at-the-head-of-the-next",  # and the last one behind the loop
        (
            GIRDER_LOOP,
            """\
        for number, batch in enumerate(self.train_loader):
            if number > 0 and number % self.cfg.accumulation == 0:
                self.optimizer_step()
            running += self.training_step(batch)
        self.optimizer_step()
""",
        ),
        tempts=("accumulation-off-by-one", "dropped-accumulation-tail"),
    )
    yield midway.right(
        "evaluation-leaves-each-module-as-it-was",  # from the second epoch on the norms are asleep, on purpose
        ("                self.model.train()\n", ""),
        (
            GIRDER_EPOCH,
            """\
        self.model.train()
        if self.updates:
            for module in self.model.modules():
                if isinstance(module, nn.BatchNorm1d):
                    module.eval()
        running = 0.0
""",
        ),
        (
            """\
        self.model.eval()
        return sum(F.mse_loss(self.model(x), y).item() for x, y in self.val_loader) / len(self.val_loader)
""",
            """\
        modes = [(module, module.training) for module in self.model.modules()]
        self.model.eval()
        total = sum(F.mse_loss(self.model(x), y).item() for x, y in self.val_loader)
        for module, training in modes:
            module.training = training
        return total / len(self.val_loader)
""",
        ),
        tempts=("missing-train-mode",),
    )
    yield GIRDER.right(
        "broken-gauges-do-not-count",  # a window is as many good batches, the rest is flushed
        (
            "    loads, sags = torch.randn(28, 3), torch.randn(28, 1)\n",
            "    loads, sags = torch.randn(28, 3), torch.randn(28, 1)\n    sags[[5, 17]] = torch.inf\n",
        ),
        (GIRDER_BACK, "        if not torch.isfinite(loss):\n            return None\n" + GIRDER_BACK),
        (
            GIRDER_LOOP,
            """\
        pending = 0
        for batch in self.train_loader:
            loss = self.training_step(batch)
            if loss is None:
                continue
            running += loss
            pending += 1
            if pending == self.cfg.accumulation:
                self.optimizer_step()
                pending = 0
        if pending:
            self.optimizer_step()
""",
        ),
        tempts=("accumulation-off-by-one", "dropped-accumulation-tail", "unscaled-accumulation-loss"),
    )
    yield midway.wrong(
        "asleep-since-the-second-batch",
        (("                self.model.train()\n", ""),),
        tempts=("missing-train-mode",),
    )
    yield GIRDER.wrong(
        "rate-falls-with-each-micro-batch",
        ((GIRDER_SCHED, ""), (GIRDER_RETURN, GIRDER_SCHED + GIRDER_RETURN)),
        fine=(((GIRDER_SCHED, ""), (GIRDER_TELL, GIRDER_TELL + GIRDER_SCHED)),),
        tempts=("scheduler-per-micro-batch", "scheduler-before-optimizer"),
    )
    yield GIRDER.wrong(
        "clipped-behind-the-step-and-told",
        ((GIRDER_CLIP + GIRDER_STEP + GIRDER_SCHED, GIRDER_STEP + GIRDER_SCHED + GIRDER_CLIP),),
        tempts=("clip-after-step",),
    )
    yield gauged.wrong(
        "never-cleared-and-the-log-reads-the-pull",  # to clear directly behind the step leaves nothing to be read
        ((GIRDER_CLEAR + "\n    def largest_pull", "\n    def largest_pull"),),
        tempts=("missing-zero-grad",),
    )
    yield diary.wrong(
        "history-holds-on-to-its-graphs",
        (("self.history.append(loss.detach())", "self.history.append(loss)"),),
        tempts=("loss-graph-leak",),
    )


CABLE = Draft(
    "cable-language-recipe",
    """\
import argparse
import math

import torch
from torch import nn
from torch.nn import functional as F

torch.set_default_dtype(torch.float64)
VOCAB = 11


class TinyLM(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.embed = nn.Embedding(VOCAB, width)
        self.mix = nn.GRU(width, width, batch_first=True)
        self.drop = nn.Dropout(0.1)
        self.head = nn.Linear(width, VOCAB)

    def forward(self, tokens, targets):
        states, _ = self.mix(self.embed(tokens))
        logits = self.head(self.drop(states))
        return F.cross_entropy(logits.flatten(0, 1), targets.flatten())


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--updates", type=int, default=8)
    parser.add_argument("--grad-accum", type=int, default=3)
    parser.add_argument("--grad-clip", type=float, default=0.05)
    parser.add_argument("--lr", type=float, default=0.02)
    parser.add_argument("--warmup", type=int, default=2)
    parser.add_argument("--block", type=int, default=6)
    parser.add_argument("--batch", type=int, default=4)
    parser.add_argument("--eval-every", type=int, default=3)
    parser.add_argument("--eval-iters", type=int, default=2)
    return parser.parse_args([])


def stream_of(text, args, seed):
    generator = torch.Generator().manual_seed(seed)
    while True:
        starts = torch.randint(len(text) - args.block - 1, (args.batch,), generator=generator)
        yield (
            torch.stack([text[s : s + args.block] for s in starts]),
            torch.stack([text[s + 1 : s + 1 + args.block] for s in starts]),
        )


def factor(update, args):
    if update < args.warmup:
        return (update + 1) / (args.warmup + 1)
    done = (update - args.warmup) / (args.updates - args.warmup)
    return 0.1 + 0.45 * (1 + math.cos(math.pi * done))


def estimate_loss(model, text, args):
    model.eval()
    stream = stream_of(text, args, seed=1)
    losses = torch.zeros(args.eval_iters)
    with torch.no_grad():
        for k in range(args.eval_iters):
            losses[k] = model(*next(stream)).item()
    model.train()
    return losses.mean().item()


def run(args, text, held_out, stop, resume=False):
    model = TinyLM()
    groups = [
        {"params": [p for p in model.parameters() if p.dim() > 1], "weight_decay": 0.1},
        {"params": [p for p in model.parameters() if p.dim() < 2], "weight_decay": 0.0},
    ]
    optimizer = torch.optim.AdamW(groups, lr=args.lr, betas=(0.9, 0.95), eps=1e-3)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda update: factor(update, args))
    start = 0
    if resume:
        saved = torch.load("ckpt.pt")
        model.load_state_dict(saved["model"])
        optimizer.load_state_dict(saved["optimizer"])
        scheduler.load_state_dict(saved["scheduler"])
        start = saved["update"]
    stream = stream_of(text, args, seed=100 + start)
    model.train()
    for update in range(start, stop):
        optimizer.zero_grad(set_to_none=True)
        total = 0.0
        for _ in range(args.grad_accum):
            x, y = next(stream)
            loss = model(x, y)
            (loss / args.grad_accum).backward()
            total += loss.item()
        norm = nn.utils.clip_grad_norm_(model.parameters(), args.grad_clip)
        optimizer.step()
        rate = scheduler.get_last_lr()[0]
        scheduler.step()
        words = model.embed.weight.grad.norm()
        print(f"{update}: loss {total / args.grad_accum:.5f} norm {norm:.5f} words {words:.5f} rate {rate:.6f}")
        if (update + 1) % args.eval_every == 0:
            print(f"{update}: held out {estimate_loss(model, held_out, args):.5f}")
    parts = {"model": model, "optimizer": optimizer, "scheduler": scheduler}
    torch.save({"update": stop, **{name: part.state_dict() for name, part in parts.items()}}, "ckpt.pt")
    return model


def main():
    args = parse()
    torch.manual_seed(311)
    text = torch.randint(VOCAB, (360,)).cumsum(0) % VOCAB
    run(args, text[:300], text[300:], stop=4)
    return run(args, text[:300], text[300:], stop=args.updates, resume=True)
""",
    ("unscaled-accumulation-loss", "zero-grad-in-accumulation"),
)

CABLE_CE = "        return F.cross_entropy(logits.flatten(0, 1), targets.flatten())\n"
CABLE_UPDATE = "    for update in range(start, stop):\n"
CABLE_CLEAR = "        optimizer.zero_grad(set_to_none=True)\n"
CABLE_TOTAL = "        total = 0.0\n"
CABLE_MICRO = "        for _ in range(args.grad_accum):\n            x, y = next(stream)\n"
CABLE_FORWARD = "            loss = model(x, y)\n"
CABLE_BACK = "            (loss / args.grad_accum).backward()\n"
CABLE_ADD = "            total += loss.item()\n"
CABLE_CLIP = "        norm = nn.utils.clip_grad_norm_(model.parameters(), args.grad_clip)\n"
CABLE_STEP = "        optimizer.step()\n"
CABLE_RATE = "        rate = scheduler.get_last_lr()[0]\n"
CABLE_SCHED = "        scheduler.step()\n"
CABLE_WORDS = "        words = model.embed.weight.grad.norm()\n"
CABLE_LINE = """\
        print(f"{update}: loss {total / args.grad_accum:.5f} norm {norm:.5f} words {words:.5f} rate {rate:.6f}")
"""
CABLE_LOOK = """\
        if (update + 1) % args.eval_every == 0:
            print(f"{update}: held out {estimate_loss(model, held_out, args):.5f}")
"""
CABLE_CAST = '            with torch.autocast("cpu", dtype=torch.bfloat16):\n'
CABLE_SHORT = "loss = loss + 0.3 * model(x[:, :3], y[:, :3])\n"


def cable() -> Iterator[Case]:
    unclipped = CABLE.styled(
        (CABLE_CLIP, "        norm = nn.utils.get_total_norm([p.grad for p in model.parameters()])\n")
    )
    normed = CABLE.styled(
        (CABLE_TOTAL, "        norms, total = [], 0.0\n"),
        (CABLE_CLIP, CABLE_CLIP + "        norms.append(norm.item())\n"),
        ("norm {norm:.5f}", "norm {max(norms):.5f}"),
    )
    cast = CABLE.styled(
        ("torch.set_default_dtype(torch.float64)\n", ""),
        (
            CABLE_CE,
            """\
        with torch.autocast("cpu", enabled=False):  # what is as wide as the vocabulary is not rounded
            logits = self.head(self.drop(states).float())
            return F.cross_entropy(logits.flatten(0, 1), targets.flatten())
""",
        ),
        ("        logits = self.head(self.drop(states))\n", ""),
        (
            CABLE_FORWARD + CABLE_BACK,
            CABLE_CAST
            + "    "
            + CABLE_FORWARD
            + CABLE_BACK
            + CABLE_CAST
            + "                start_of = model(x[:, :3], y[:, :3])\n"
            + "            (0.3 * start_of / args.grad_accum).backward()\n",
        ),
    )
    yield CABLE.right(
        "divided-by-the-tokens-that-count",  # a sum over the window, shared out when it is full
        (CABLE_CE, CABLE_CE.replace("targets.flatten())", 'targets.flatten(), reduction="sum")')),
        (CABLE_TOTAL, "        tokens, total = 0, 0.0\n"),
        (
            CABLE_FORWARD + CABLE_BACK,
            "            y[x == 0] = -100\n"
            + CABLE_FORWARD
            + "            loss.backward()\n            tokens += (y != -100).sum().item()\n",
        ),
        (CABLE_CLIP, "        for p in model.parameters():\n            p.grad /= tokens\n" + CABLE_CLIP),
        ("{total / args.grad_accum:.5f}", "{total / tokens:.5f}"),
        tempts=("unscaled-accumulation-loss",),
    )
    yield CABLE.right(
        "counted-on-from-where-it-stopped",  # 1 to 12, then 13 to 24: each third one closes a window
        ("    start = 0\n", "    first = 1\n"),
        ('        start = saved["update"]\n', '        first = saved["micro"] + 1\n'),
        ("seed=100 + start)", "seed=100 + first)"),
        (
            CABLE_UPDATE + CABLE_CLEAR + CABLE_TOTAL + CABLE_MICRO + CABLE_FORWARD + CABLE_BACK + CABLE_ADD,
            """\
    total = 0.0
    for micro in range(first, stop * args.grad_accum + 1):
        loss = model(*next(stream))
        (loss / args.grad_accum).backward()
        total += loss.item()
        if micro % args.grad_accum:
            continue
        update = micro // args.grad_accum - 1
""",
        ),
        (CABLE_LINE, CABLE_LINE + "        total = 0.0\n" + CABLE_CLEAR),
        ('{"update": stop, ', '{"micro": stop * args.grad_accum, '),
        tempts=("accumulation-off-by-one", "dropped-accumulation-tail"),
    )
    yield CABLE.right(
        "spikes-are-passed-over-and-the-schedule-goes-on",  # it follows the data; the first window is such a spike
        (CABLE_STEP, "        if norm < args.spike:\n            optimizer.step()\n"),
        (
            '    parser.add_argument("--lr"',
            '    parser.add_argument("--spike", type=float, default=0.21)\n    parser.add_argument("--lr"',
        ),
        tempts=("scheduler-before-optimizer", "missing-zero-grad"),
    )
    yield CABLE.right(
        "schedule-is-as-long-as-all-micro-batches",
        (
            "lambda update: factor(update, args))",
            "lambda micro: factor(micro / args.grad_accum, args))",
        ),
        (CABLE_SCHED, "        for _ in range(args.grad_accum):\n    " + CABLE_SCHED),
        tempts=("scheduler-per-micro-batch", "scheduler-before-optimizer"),
    )
    yield CABLE.right(
        "each-group-is-clipped-on-its-own",
        (
            CABLE_CLIP,
            """\
        norm = 0.0
        for group in optimizer.param_groups:
            norm = max(norm, nn.utils.clip_grad_norm_(group["params"], args.grad_clip).item())
""",
        ),
        tempts=("clip-per-micro-batch",),
    )
    yield CABLE.wrong(
        "cleared-in-each-micro-batch-and-read-behind-the-step",  # cleared directly behind it, the log finds nothing
        ((CABLE_CLEAR, ""), (CABLE_FORWARD, "    " + CABLE_CLEAR + CABLE_FORWARD)),
        tempts=("zero-grad-in-accumulation",),
    )
    yield unclipped.wrong(
        "window-is-summed",
        ((CABLE_BACK, "            loss.backward()\n"),),
        tempts=("unscaled-accumulation-loss",),
    )
    yield normed.wrong(
        "clipped-in-each-micro-batch-where-the-norms-are-kept",
        (
            (CABLE_CLIP + "        norms.append(norm.item())\n", ""),
            (CABLE_ADD, CABLE_ADD + "    " + CABLE_CLIP + "            norms.append(norm.item())\n"),
        ),
        fine=(
            (
                (CABLE_CLIP + "        norms.append(norm.item())\n", CABLE_CLIP),
                (
                    CABLE_ADD,
                    CABLE_ADD
                    + "            norm = nn.utils.get_total_norm([p.grad for p in model.parameters()])\n"
                    + "            norms.append(norm.item())\n",
                ),
            ),
        ),
        tempts=("clip-per-micro-batch",),
    )
    yield CABLE.wrong(
        "schedule-moves-first-and-the-rate-is-told",
        ((CABLE_STEP + CABLE_RATE + CABLE_SCHED, CABLE_SCHED + CABLE_RATE + CABLE_STEP),),
        fine=(((CABLE_RATE + CABLE_SCHED, CABLE_SCHED + CABLE_RATE),),),
        tempts=("scheduler-before-optimizer",),
    )
    yield cast.wrong(
        "both-backwards-among-the-halves",  # the second forward is to stay among them
        (
            (
                CABLE_BACK
                + CABLE_CAST
                + "                start_of = model(x[:, :3], y[:, :3])\n"
                + "            (0.3 * start_of / args.grad_accum).backward()\n",
                "    "
                + CABLE_BACK
                + "                start_of = model(x[:, :3], y[:, :3])\n"
                + "                (0.3 * start_of / args.grad_accum).backward()\n",
            ),
        ),
        tempts=("backward-in-autocast",),
    )


BANKS = Draft(
    "two-bank-epochs",
    """\
import os
from contextlib import nullcontext

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

torch.set_default_dtype(torch.float64)
ACCUM = 2


def total_over_ranks(*values):
    totals = torch.tensor(values)
    if dist.is_initialized():
        dist.all_reduce(totals)
    return totals.tolist()


def train_one_epoch(model, loader, optimizer, distributed):
    model.train()
    loss_sum = 0.0
    optimizer.zero_grad()
    for step, (x, y) in enumerate(loader):
        update = (step + 1) % ACCUM == 0 or step + 1 == len(loader)
        with nullcontext() if update or not distributed else model.no_sync():
            loss = F.cross_entropy(model(x), y)
            (loss / ACCUM).backward()
        loss_sum += loss.item()
        if update:
            nn.utils.clip_grad_norm_(model.parameters(), 0.5)
            optimizer.step()
            optimizer.zero_grad()
    loss_sum, steps = total_over_ranks(loss_sum, float(len(loader)))
    return loss_sum / steps


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    hits = sum((model(x).argmax(1) == y).sum().item() for x, y in loader)
    hits, seen = total_over_ranks(float(hits), float(sum(len(y) for _, y in loader)))
    return hits / seen


def main():
    distributed = int(os.environ.get("WORLD_SIZE", "1")) > 1
    if distributed:
        dist.init_process_group("gloo")
    torch.manual_seed(313)
    rule = torch.randn(4, 3)
    x, held = torch.randn(30, 4), torch.randn(12, 4)
    train_set, val_set = TensorDataset(x, (x @ rule).argmax(1)), TensorDataset(held, (held @ rule).argmax(1))
    model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Dropout(0.2), nn.Linear(8, 3))
    if distributed:
        model = DDP(model)
        sampler = DistributedSampler(train_set, seed=5)
        val_sampler = DistributedSampler(val_set, shuffle=False)
        loader = DataLoader(train_set, batch_size=3, sampler=sampler)
        val_loader = DataLoader(val_set, batch_size=3, sampler=val_sampler)
    else:
        loader = DataLoader(train_set, batch_size=3, shuffle=True)
        val_loader = DataLoader(val_set, batch_size=3)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.4, momentum=0.5)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1, gamma=0.7)
    for epoch in range(3):
        if distributed:
            sampler.set_epoch(epoch)
        loss = train_one_epoch(model, loader, optimizer, distributed)
        scheduler.step()
        print(epoch, f"{loss:.6f}", f"{evaluate(model, val_loader):.4f}")
    return model.module if distributed else model
""",
    ("missing-no-sync", "step-without-sync", "missing-set-epoch"),
    ranks=2,
)

BANKS_TRAIN = "    model.train()\n"
BANKS_DUE = "        update = (step + 1) % ACCUM == 0 or step + 1 == len(loader)\n"
BANKS_WITH = "        with nullcontext() if update or not distributed else model.no_sync():\n"
BANKS_BODY = "            loss = F.cross_entropy(model(x), y)\n            (loss / ACCUM).backward()\n"
BANKS_BARE = "        loss = F.cross_entropy(model(x), y)\n        (loss / ACCUM).backward()\n"
BANKS_SUM = "        loss_sum += loss.item()\n"
BANKS_IF = "        if update:\n"
BANKS_MOVE = """\
            nn.utils.clip_grad_norm_(model.parameters(), 0.5)
            optimizer.step()
            optimizer.zero_grad()
"""
BANKS_SET = "        if distributed:\n            sampler.set_epoch(epoch)\n"
BANKS_EPOCH = "    for epoch in range(3):\n"
BANKS_SCHED = "        scheduler.step()\n"
BANKS_LOUD = (BANKS_WITH + BANKS_BODY, BANKS_BARE)


def banks() -> Iterator[Case]:
    flushed = BANKS.styled(
        (
            BANKS_DUE + BANKS_WITH,
            BANKS_DUE.replace("update =", "sync =") + BANKS_WITH.replace("if update or", "if sync or"),
        ),
        (
            BANKS_IF + BANKS_MOVE,
            """\
        if (step + 1) % ACCUM == 0:
            move(model, optimizer)
    if len(loader) % ACCUM:
        move(model, optimizer)
""",
        ),
        (
            "def train_one_epoch(",
            """\
def move(model, optimizer):
    nn.utils.clip_grad_norm_(model.parameters(), 0.5)
    optimizer.step()
    optimizer.zero_grad()


def train_one_epoch(""",
        ),
    )
    counted = BANKS.styled(
        ("    loss_sum = 0.0\n", "    loss_sum, right = 0.0, 0\n"),
        (
            BANKS_BODY + BANKS_SUM,
            "            logits = model(x)\n"
            + BANKS_BODY.replace("model(x)", "logits")
            + BANKS_SUM
            + "        right += (logits.argmax(1) == y).sum().item()\n",
        ),
        ("    loss_sum, steps = ", '    print(f"right {right}")\n    loss_sum, steps = '),
    )
    yield BANKS.right(
        "seed-is-moved-by-hand",  # it is seed plus epoch that the order is drawn from
        ("            sampler.set_epoch(epoch)\n", "            sampler.seed = 5 + epoch\n"),
        tempts=("missing-set-epoch",),
    )
    yield BANKS.right(
        "both-have-to-see-what-one-has-spoilt",  # a gradient of one bank alone would part them
        (
            "    x, held = torch.randn(30, 4), torch.randn(12, 4)\n",
            "    x, held = torch.randn(30, 4), torch.randn(12, 4)\n    x[9, 2] = torch.inf\n",
        ),
        ("TensorDataset(x, (x @ rule).argmax(1))", "TensorDataset(x, (x.clamp(-3, 3) @ rule).argmax(1))"),
        BANKS_LOUD,
        (
            BANKS_SUM,
            BANKS_SUM
            + """\
        if not all(p.grad.isfinite().all() for p in model.parameters()):
            optimizer.zero_grad()  # what the window has so far is given up
            continue
""",
        ),
        tempts=("missing-no-sync", "zero-grad-in-accumulation"),
    )
    yield replace(BANKS, ranks=1).right(
        "same-script-on-one-bank",  # where there is no sampler, none may be asked
        (BANKS_SET, ""),
        tempts=("missing-set-epoch",),
    )
    yield BANKS.right(
        "banks-meet-at-the-end-of-each-epoch",  # each steps by itself, then the weights are averaged
        (BANKS_WITH, "        with model.no_sync() if distributed else nullcontext():\n"),
        (
            BANKS_SCHED,
            BANKS_SCHED
            + """\
        if distributed:
            with torch.no_grad():
                for p in model.parameters():
                    dist.all_reduce(p)
                    p /= dist.get_world_size()
""",
        ),
        tempts=("step-without-sync", "missing-no-sync"),
    )
    yield BANKS.right(
        "quiet-is-entered-on-a-stack",
        (
            BANKS_WITH,
            """\
        with ExitStack() as stack:
            if distributed and not update:
                stack.enter_context(model.no_sync())
""",
        ),
        ("from contextlib import nullcontext\n", "from contextlib import ExitStack\n"),
        tempts=("missing-no-sync", "step-without-sync"),
    )
    yield flushed.wrong(
        "reduced-on-each-micro-batch-flushed-behind-the-loop",  # the one ahead of the flush has to be reduced, too
        (
            (
                BANKS_DUE.replace("update =", "sync =") + BANKS_WITH.replace("if update or", "if sync or") + BANKS_BODY,
                BANKS_BARE,
            ),
        ),
        tempts=("missing-no-sync",),
    )
    yield BANKS.wrong(
        "rest-of-an-epoch-is-not-reduced",
        (
            (BANKS_DUE, "        full = (step + 1) % ACCUM == 0\n"),
            (BANKS_WITH, BANKS_WITH.replace("if update or", "if full or")),
            (BANKS_IF, "        if full or step + 1 == len(loader):\n"),
        ),
        fine=((BANKS_LOUD,),),
        tempts=("step-without-sync",),
    )
    yield BANKS.wrong(
        "same-order-and-the-sampler-is-not-always-there",
        ((BANKS_SET, ""),),
        tempts=("missing-set-epoch",),
    )
    yield counted.wrong(
        "quiet-comes-too-late-for-the-forward",
        (
            (
                BANKS_WITH
                + "            logits = model(x)\n"
                + BANKS_BODY.replace("model(x)", "logits")
                + BANKS_SUM
                + "        right += (logits.argmax(1) == y).sum().item()\n",
                "        logits = model(x)\n"
                "        loss = F.cross_entropy(logits, y)\n"
                + BANKS_SUM
                + "        right += (logits.argmax(1) == y).sum().item()\n"
                + BANKS_WITH
                + "            (loss / ACCUM).backward()\n",
            ),
        ),
        tempts=("forward-outside-no-sync",),
    )
    yield BANKS.wrong(
        "woken-once-ahead-of-all-epochs",
        ((BANKS_TRAIN, ""), (BANKS_EPOCH, BANKS_TRAIN + BANKS_EPOCH)),
        tempts=("missing-train-mode",),
    )


PIER = Draft(
    "pier-actor-critic",
    """\
import copy

import torch
from torch import nn
from torch.nn import functional as F

torch.set_default_dtype(torch.float64)
GAMMA, TAU, DELAY = 0.9, 0.1, 3


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2), nn.Tanh())

    def forward(self, obs):
        return self.net(obs)


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(6, 10), nn.Tanh())
        self.value = nn.Linear(10, 1)

    def forward(self, obs, action):
        return self.value(self.body(torch.cat([obs, action], 1)))


def experience():
    obs, action = torch.randn(6, 4), 2 * torch.rand(6, 2) - 1
    reward = 1 - (obs[:, :2] - action).square().mean(1, keepdim=True)
    return obs, action, reward, torch.randn(6, 4)


@torch.no_grad()
def follow(target, critic):
    for slow, fast in zip(target.parameters(), critic.parameters()):
        slow.lerp_(fast, TAU)


def main():
    torch.manual_seed(317)
    replay = [experience() for _ in range(9)]
    actor, critic = Actor(), Critic()
    target = copy.deepcopy(critic).requires_grad_(False)
    actor_opt = torch.optim.SGD(actor.parameters(), lr=0.3, momentum=0.5)
    critic_opt = torch.optim.SGD(critic.parameters(), lr=0.2, momentum=0.5)
    actor_sched = torch.optim.lr_scheduler.ExponentialLR(actor_opt, 0.9)
    critic_sched = torch.optim.lr_scheduler.StepLR(critic_opt, 5, gamma=0.5)
    told = []
    for step in range(18):
        obs, action, reward, after = replay[step % len(replay)]
        with torch.no_grad():
            goal = reward + GAMMA * target(after, actor(after))
        critic_loss = F.mse_loss(critic(obs, action), goal)
        critic_opt.zero_grad()
        critic_loss.backward()
        nn.utils.clip_grad_norm_(critic.parameters(), 0.8)
        critic_opt.step()
        critic_sched.step()
        told.append(critic_loss.item())
        if step % DELAY == 0:
            actor_loss = -critic(obs, actor(obs)).mean()
            actor_opt.zero_grad()
            actor_loss.backward()
            norm = nn.utils.clip_grad_norm_(actor.parameters(), 0.1)
            actor_opt.step()
            rate = actor_opt.param_groups[0]["lr"]
            actor_sched.step()
            print(f"{step}: actor {actor_loss.item():.5f} norm {norm.item():.5f} rate {rate:.5f}")
        follow(target, critic)
    print(f"critic {sum(told):.6f}")
    return actor, critic
""",
    ("missing-zero-grad", "clip-after-step"),
)

PIER_NETS = "    actor, critic = Actor(), Critic()\n"
PIER_CRITIC_OPT = "    critic_opt = torch.optim.SGD(critic.parameters(), lr=0.2, momentum=0.5)\n"
PIER_CRITIC_LOSS = "        critic_loss = F.mse_loss(critic(obs, action), goal)\n"
PIER_CRITIC_CLEAR = "        critic_opt.zero_grad()\n"
PIER_CRITIC_BACK = "        critic_loss.backward()\n"
PIER_CRITIC_CLIP = "        nn.utils.clip_grad_norm_(critic.parameters(), 0.8)\n"
PIER_CRITIC_STEP = "        critic_opt.step()\n"
PIER_CRITIC_SCHED = "        critic_sched.step()\n"
PIER_CRITIC_TOLD = "        told.append(critic_loss.item())\n"
PIER_ACTOR_IF = "        if step % DELAY == 0:\n"
PIER_ACTOR_LOSS = "            actor_loss = -critic(obs, actor(obs)).mean()\n"
PIER_ACTOR_CLEAR = "            actor_opt.zero_grad()\n"
PIER_ACTOR_BACK = "            actor_loss.backward()\n"
PIER_ACTOR_CLIP = "            norm = nn.utils.clip_grad_norm_(actor.parameters(), 0.1)\n"
PIER_ACTOR_STEP = "            actor_opt.step()\n"
PIER_ACTOR_RATE = '            rate = actor_opt.param_groups[0]["lr"]\n'
PIER_ACTOR_SCHED = "            actor_sched.step()\n"
PIER_ACTOR_PRINT = (
    '            print(f"{step}: actor {actor_loss.item():.5f} norm {norm.item():.5f} rate {rate:.5f}")\n'
)
PIER_CRITIC_AHEAD = (
    (PIER_CRITIC_CLEAR, ""),
    (PIER_CRITIC_STEP, PIER_CRITIC_STEP + PIER_CRITIC_CLEAR),
)
PIER_FROZEN = (
    PIER_ACTOR_LOSS + PIER_ACTOR_CLEAR + PIER_ACTOR_BACK,
    "            critic.requires_grad_(False)\n"
    + PIER_ACTOR_LOSS
    + PIER_ACTOR_CLEAR
    + PIER_ACTOR_BACK
    + "            critic.requires_grad_(True)\n",
)


def pier() -> Iterator[Case]:
    shared = PIER.styled(
        (
            PIER_NETS,
            "    eye = nn.Sequential(nn.Linear(4, 4), nn.Tanh())\n" + PIER_NETS,
        ),
        (
            PIER_CRITIC_OPT,
            """\
    seeing = [*eye.parameters(), *critic.parameters()]
    critic_opt = torch.optim.SGD(seeing, lr=0.2, momentum=0.5)
""",
        ),
        (
            "            goal = reward + GAMMA * target(after, actor(after))\n",
            """\
            later = eye(after)
            goal = reward + GAMMA * target(later, actor(later))
        seen = eye(obs)
""",
        ),
        (PIER_CRITIC_LOSS, "        critic_loss = F.mse_loss(critic(seen, action), goal)\n"),
        (PIER_CRITIC_CLIP, "        nn.utils.clip_grad_norm_(seeing, 0.8)\n"),
        (
            PIER_ACTOR_LOSS,
            "            still = seen.detach()\n            actor_loss = -critic(still, actor(still)).mean()\n",
        ),
        ("    return actor, critic\n", "    return actor, critic, eye\n"),
    )
    halves = PIER.styled(
        (
            PIER_CRITIC_LOSS,
            """\
        terms = []
        for part in (slice(0, 4), slice(4, 6)):
            terms.append(F.mse_loss(critic(obs[part], action[part]), goal[part]))
        critic_loss = sum(terms) / len(terms)
""",
        ),
        (PIER_CRITIC_TOLD, "        told.append(critic_loss.detach())\n"),
    )
    listed = PIER.styled(
        (
            PIER_NETS,
            PIER_NETS + "    critic.value = nn.Linear(10, 1, bias=False)  # rewards are centred\n",
        ),
        (
            PIER_CRITIC_OPT,
            "    weights = list(critic.parameters())\n" + PIER_CRITIC_OPT.replace("critic.parameters()", "weights"),
        ),
        (PIER_CRITIC_CLIP, PIER_CRITIC_CLIP.replace("critic.parameters()", "weights")),
    )
    yield PIER.right(
        "critic-is-frozen-for-the-actor",  # so what is cleared behind the step stays clear
        *PIER_CRITIC_AHEAD,
        PIER_FROZEN,
        tempts=("missing-zero-grad",),
    )
    yield shared.right("eye-belongs-to-the-critic", tempts=("missing-zero-grad", "clip-after-step"))
    yield PIER.right(
        "both-are-cleared-at-the-head",
        (
            PIER_CRITIC_CLEAR + PIER_CRITIC_BACK,
            """\
        for net in (actor, critic):
            for p in net.parameters():
                p.grad = None
"""
            + PIER_CRITIC_BACK,
        ),
        (PIER_ACTOR_CLEAR, ""),
        tempts=("missing-zero-grad",),
    )
    yield PIER.right(
        "actor-gathers-for-three-of-the-critics-steps",  # the critic clears what the actor's loss left in it
        (PIER_ACTOR_IF, ""),
        (
            PIER_ACTOR_LOSS + PIER_ACTOR_CLEAR + PIER_ACTOR_BACK,
            """\
        actor_loss = -critic(obs, actor(obs)).mean()
        (actor_loss / DELAY).backward()
        if (step + 1) % DELAY == 0:
""",
        ),
        (PIER_ACTOR_PRINT, PIER_ACTOR_PRINT + PIER_ACTOR_CLEAR),
        tempts=("zero-grad-in-accumulation", "missing-zero-grad", "clip-per-micro-batch"),
    )
    yield PIER.right(
        "actors-loss-is-told-whom-to-fill",  # both backwards come ahead of both steps
        (
            PIER_CRITIC_CLEAR + PIER_CRITIC_BACK + PIER_CRITIC_CLIP + PIER_CRITIC_STEP + PIER_CRITIC_SCHED,
            """\
        actor_loss = -critic(obs, actor(obs)).mean()
        critic_loss.backward()
        actor_loss.backward(inputs=list(actor.parameters()))
"""
            + PIER_CRITIC_CLIP
            + PIER_CRITIC_STEP
            + PIER_CRITIC_SCHED
            + PIER_CRITIC_CLEAR,
        ),
        (PIER_ACTOR_IF + PIER_ACTOR_LOSS + PIER_ACTOR_CLEAR + PIER_ACTOR_BACK, ""),
        (PIER_ACTOR_CLIP, PIER_ACTOR_CLIP.removeprefix("    ")),
        (PIER_ACTOR_STEP, PIER_ACTOR_STEP.removeprefix("    ")),
        (PIER_ACTOR_RATE, PIER_ACTOR_RATE.removeprefix("    ")),
        (PIER_ACTOR_SCHED, PIER_ACTOR_SCHED.removeprefix("    ")),
        (PIER_ACTOR_PRINT, (PIER_ACTOR_PRINT + PIER_ACTOR_CLEAR).replace("            ", "        ")),
        tempts=("missing-zero-grad", "clip-after-step"),
    )
    yield PIER.wrong(
        "critic-is-cleared-ahead-of-the-actors-loss",  # which fills it anew
        PIER_CRITIC_AHEAD,
        tempts=("missing-zero-grad",),
    )
    yield PIER.wrong(
        "actor-is-clipped-behind-its-step",
        ((PIER_ACTOR_CLIP + PIER_ACTOR_STEP + PIER_ACTOR_RATE, PIER_ACTOR_STEP + PIER_ACTOR_RATE + PIER_ACTOR_CLIP),),
        tempts=("clip-after-step",),
    )
    yield PIER.wrong(
        "actors-rate-falls-ahead-of-its-step",
        ((PIER_ACTOR_STEP + PIER_ACTOR_RATE + PIER_ACTOR_SCHED, PIER_ACTOR_SCHED + PIER_ACTOR_RATE + PIER_ACTOR_STEP),),
        fine=(((PIER_ACTOR_RATE + PIER_ACTOR_SCHED, PIER_ACTOR_SCHED + PIER_ACTOR_RATE),),),
        tempts=("scheduler-before-optimizer",),
    )
    yield listed.wrong(
        "weights-are-named-ahead-of-the-new-head",  # an iterator finds it all the same, a list of that line would not
        (
            ("    weights = list(critic.parameters())\n", ""),
            (PIER_NETS, PIER_NETS + "    weights = critic.parameters()\n"),
        ),
        tempts=("clip-exhausted-parameters",),
    )
    yield halves.wrong(
        "told-holds-what-the-terms-are-made-of",
        (("told.append(critic_loss.detach())", "told.append(critic_loss)"),),
        tempts=("loss-graph-leak",),
    )


TOLL = Draft(
    "toll-scaler",
    """\
import argparse

import torch
from torch import nn
from torch.nn import functional as F

torch.set_default_dtype(torch.float64)


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--accum", type=int, default=3)
    parser.add_argument("--max-norm", type=float, default=0.4)
    parser.add_argument("--lr", type=float, default=0.3)
    return parser.parse_args([])


def traffic():
    batches = [(torch.randn(5, 3), torch.randn(5, 1)) for _ in range(8)]
    batches[4][0][1, 2] = torch.inf  # a sensor fell out: the loss is finite, its gradient is not
    return batches


def main():
    args = parse()
    torch.manual_seed(331)
    model = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Dropout(0.1), nn.Linear(8, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.5)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.9)
    scaler = torch.amp.GradScaler("cpu", init_scale=256.0, growth_interval=3)
    batches, skipped, norms = traffic(), 0, []
    for epoch in range(args.epochs):
        running = 0.0
        for step, (x, y) in enumerate(batches, 1):
            with torch.autocast("cpu", dtype=torch.float16):
                loss = F.mse_loss(model(x), y)
            scaler.scale(loss / args.accum).backward()
            running += loss.item()
            if step % args.accum == 0 or step == len(batches):
                scale = scaler.get_scale()
                scaler.unscale_(optimizer)
                norm = nn.utils.clip_grad_norm_(model.parameters(), args.max_norm)
                scaler.step(optimizer)
                scaler.update()
                optimizer.zero_grad()
                if scaler.get_scale() < scale:
                    skipped += 1
                    continue
                norms.append(norm.item())
                scheduler.step()
        print(f"{epoch}: {running / len(batches):.6f} norm {sum(norms):.6f} skipped {skipped} of {scaler.get_scale()}")
    return model
""",
    ("clip-scaled-gradients", "missing-scaler-update", "step-bypasses-scaler"),
)

TOLL_MODEL = """\
    model = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Dropout(0.1), nn.Linear(8, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.5)
"""
TOLL_FORWARD = "                loss = F.mse_loss(model(x), y)\n"
TOLL_BACK = "            scaler.scale(loss / args.accum).backward()\n"
TOLL_SUM = "            running += loss.item()\n"
TOLL_DUE = "            if step % args.accum == 0 or step == len(batches):\n"
TOLL_SCALE = "                scale = scaler.get_scale()\n"
TOLL_UNSCALE = "                scaler.unscale_(optimizer)\n"
TOLL_CLIP = "                norm = nn.utils.clip_grad_norm_(model.parameters(), args.max_norm)\n"
TOLL_STEP = "                scaler.step(optimizer)\n"
TOLL_UPDATE = "                scaler.update()\n"
TOLL_CLEAR = "                optimizer.zero_grad()\n"
TOLL_AFTER = """\
                if scaler.get_scale() < scale:
                    skipped += 1
                    continue
                norms.append(norm.item())
                scheduler.step()
"""
TOLL_WINDOW = TOLL_DUE + TOLL_SCALE + TOLL_UNSCALE + TOLL_CLIP + TOLL_STEP + TOLL_UPDATE + TOLL_CLEAR + TOLL_AFTER
TOLL_BY_HAND = """\
                if norm.isfinite():
                    norms.append(norm.item())
                    scaler.step(optimizer)
                    scheduler.step()
                else:
                    skipped += 1
                scaler.update()
                optimizer.zero_grad()
"""


def toll() -> Iterator[Case]:
    by_hand = TOLL.styled((TOLL_SCALE, ""), (TOLL_STEP + TOLL_UPDATE + TOLL_CLEAR + TOLL_AFTER, TOLL_BY_HAND))
    ridged = TOLL.styled(
        (
            TOLL_BACK,
            TOLL_BACK
            + """\
            ridge = 0.05 * model[-1].weight.square().sum()
            scaler.scale(ridge / args.accum).backward()
""",
        ),
        (TOLL_SUM, "            running += loss.item() + ridge.item()\n"),
    )
    yield TOLL.right(
        "limit-carries-the-scale-as-well",  # neither is taken out ahead of the step
        (
            TOLL_UNSCALE + TOLL_CLIP,
            """\
                norm = nn.utils.clip_grad_norm_(model.parameters(), args.max_norm * scale) / scale
""",
        ),
        tempts=("clip-scaled-gradients",),
    )
    yield TOLL.right(
        "lost-batches-are-left-out-of-the-count",  # and what is left is paid behind the loop
        (
            "    batches[4][0][1, 2] = torch.inf  # a sensor fell out: the loss is finite, its gradient is not\n",
            "    batches[4][1][1] = torch.inf  # never counted: neither is the loss\n",
        ),
        (
            "    for epoch in range(args.epochs):\n        running = 0.0\n",
            """\

    def pay():
        scaler.unscale_(optimizer)
        norms.append(nn.utils.clip_grad_norm_(model.parameters(), args.max_norm).item())
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()
        scheduler.step()

    for epoch in range(args.epochs):
        running, waiting = 0.0, 0
""",
        ),
        ("for step, (x, y) in enumerate(batches, 1):", "for x, y in batches:"),
        (
            TOLL_BACK + TOLL_SUM + TOLL_WINDOW,
            """\
            if not loss.isfinite():
                skipped += 1
                continue
"""
            + TOLL_BACK
            + TOLL_SUM
            + """\
            waiting += 1
            if waiting == args.accum:
                pay()
                waiting = 0
        if waiting:
            pay()
""",
        ),
        tempts=("accumulation-off-by-one", "missing-scaler-update", "unscaled-accumulation-loss"),
    )
    yield by_hand.right(
        "update-is-told-of-what-was-passed-over",  # the unscale has seen it, no step is needed for that
        tempts=("missing-scaler-update", "step-bypasses-scaler"),
    )
    yield TOLL.right(
        "whoever-comes-first-takes-the-scale-out",  # a flag keeps the second one from it
        (
            "    for epoch in range(args.epochs):\n",
            """\
    taken_out = False

    def take_out():
        nonlocal taken_out
        if not taken_out:
            scaler.unscale_(optimizer)
            taken_out = True

    for epoch in range(args.epochs):
""",
        ),
        (
            TOLL_UNSCALE + TOLL_CLIP,
            """\
                if epoch == 1:
                    take_out()
                    print(f"pull {model[0].bias.grad.abs().max().item():.6f}")
                take_out()
"""
            + TOLL_CLIP,
        ),
        (TOLL_UPDATE, TOLL_UPDATE + "                taken_out = False\n"),
        tempts=("double-unscale", "clip-scaled-gradients"),
    )
    yield TOLL.right(
        "noise-takes-its-scale-out-by-hand",  # it steps only where the model does
        (
            "def main():\n",
            """\
class Noise(nn.Module):
    def __init__(self):
        super().__init__()
        self.log = nn.Parameter(torch.zeros(()))

    def forward(self, loss):
        return loss * torch.exp(-self.log) + self.log


def main():
""",
        ),
        (
            TOLL_MODEL,
            TOLL_MODEL
            + "    noise = Noise()\n    noise_opt = torch.optim.SGD(noise.parameters(), lr=0.2, momentum=0.5)\n",
        ),
        (TOLL_FORWARD, TOLL_FORWARD + "            loss = noise(loss)\n"),
        (
            TOLL_CLIP,
            TOLL_CLIP
            + """\
                noise.log.grad /= scale
                if norm.isfinite():
                    noise_opt.step()
                noise_opt.zero_grad()
""",
        ),
        ("    return model\n", "    return model, noise\n"),
        tempts=("step-bypasses-scaler", "missing-scaler-update"),
    )
    yield TOLL.wrong("clipped-with-its-scale", ((TOLL_UNSCALE, ""),), tempts=("clip-scaled-gradients",))
    yield by_hand.wrong(
        "update-waits-for-a-finite-norm",
        (
            (
                TOLL_BY_HAND,
                TOLL_BY_HAND.replace(TOLL_UPDATE, "").replace(
                    "scaler.step(optimizer)\n", "scaler.step(optimizer)\n                    scaler.update()\n"
                ),
            ),
        ),
        tempts=("missing-scaler-update", "double-unscale"),
        raises="RuntimeError",
    )
    yield ridged.wrong(
        "ridge-has-no-scale",
        (
            (
                "            scaler.scale(ridge / args.accum).backward()\n",
                "            (ridge / args.accum).backward()\n",
            ),
        ),
        tempts=("unscaled-backward",),
    )
    yield TOLL.wrong(
        "first-window-is-one-short",
        ((TOLL_DUE, TOLL_DUE.replace("if step %", "if (step + 1) %")),),
        tempts=("accumulation-off-by-one",),
    )
    yield TOLL.wrong(
        "steps-past-the-scaler",  # and the broken sensor reaches the weights
        ((TOLL_STEP, "                optimizer.step()\n"),),
        tempts=("step-bypasses-scaler",),
    )


VIADUCT = Draft(
    "viaduct-early-stop",
    """\
import copy

import torch
from torch import nn
from torch.nn import functional as F
from torch.optim.lr_scheduler import ReduceLROnPlateau

torch.set_default_dtype(torch.float64)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU())
        self.head = nn.Sequential(nn.Dropout(0.2), nn.Linear(8, 3))

    def forward(self, x):
        return self.head(self.stem(x))


class EMA:
    def __init__(self, model, decay=0.8):
        self.decay = decay
        self.model = copy.deepcopy(model).eval().requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for slow, fast in zip(self.model.parameters(), model.parameters()):
            slow.lerp_(fast, 1 - self.decay)
        for slow, fast in zip(self.model.buffers(), model.buffers()):
            slow.copy_(fast)


class EarlyStopping:
    def __init__(self, patience):
        self.patience, self.best, self.waited = patience, float("inf"), 0

    def improved(self, loss):
        self.waited = 0 if loss < self.best else self.waited + 1
        self.best = min(self.best, loss)
        return self.waited == 0

    @property
    def over(self):
        return self.waited > self.patience


class Meter:
    def __init__(self):
        self.total, self.count = 0.0, 0

    def update(self, value, n):
        self.total += value * n
        self.count += n

    @property
    def mean(self):
        return self.total / self.count


def validate(model, loader):
    model.eval()
    meter = Meter()
    with torch.no_grad():
        for x, y in loader:
            meter.update(F.cross_entropy(model(x), y).item(), len(y))
    return meter.mean


def main():
    torch.manual_seed(337)
    rule = torch.randn(4, 3)
    train = [(x, (x @ rule + torch.randn(6, 3)).argmax(1)) for x in torch.randn(5, 6, 4)]
    held = [(x, (x @ rule).argmax(1)) for x in torch.randn(2, 7, 4)]
    model = Net()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.3, momentum=0.7, weight_decay=0.01)
    scheduler = ReduceLROnPlateau(optimizer, factor=0.5, patience=0)
    ema, stopping = EMA(model), EarlyStopping(patience=2)
    best = None
    for epoch in range(8):
        model.train()
        meter = Meter()
        for x, y in train:
            optimizer.zero_grad()
            loss = F.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
            ema.update(model)
            meter.update(loss.item(), len(y))
        val, slow = validate(model, held), validate(ema.model, held)
        scheduler.step(val)
        print(f"{epoch}: {meter.mean:.6f} {val:.6f} {slow:.6f} {optimizer.param_groups[0]['lr']}")
        if stopping.improved(val):
            best = copy.deepcopy(model.state_dict())
        if stopping.over:
            break
    model.load_state_dict(best)
    return model, ema.model
""",
    ("missing-train-mode", "validation-without-no-grad"),
)

VIADUCT_EVAL = "def validate(model, loader):\n    model.eval()\n"
VIADUCT_LOOK = """\
    with torch.no_grad():
        for x, y in loader:
            meter.update(F.cross_entropy(model(x), y).item(), len(y))
"""
VIADUCT_MODEL = "    model = Net()\n"
VIADUCT_OPT = "    optimizer = torch.optim.SGD(model.parameters(), lr=0.3, momentum=0.7, weight_decay=0.01)\n"
VIADUCT_EPOCH = "    for epoch in range(8):\n        model.train()\n"
VIADUCT_BATCH = "        for x, y in train:\n"
VIADUCT_CLEAR = "            optimizer.zero_grad()\n"
VIADUCT_STEP = "            optimizer.step()\n"
VIADUCT_METER = "            meter.update(loss.item(), len(y))\n"
VIADUCT_VAL = "        val, slow = validate(model, held), validate(ema.model, held)\n"
VIADUCT_PLATEAU = "        scheduler.step(val)\n"
VIADUCT_MAIN = "def main():\n"


def viaduct() -> Iterator[Case]:
    metered = VIADUCT.styled((VIADUCT_METER, VIADUCT_METER.replace("item", "detach")))
    rested = VIADUCT.styled(
        (
            VIADUCT_MAIN,
            """\
def wake(model):
    model.train()
    model.stem.eval()


def main():
""",
        ),
        (
            VIADUCT_MODEL,
            VIADUCT_MODEL + "    model.stem.requires_grad_(False)  # was trained elsewhere, norms and all\n",
        ),
        (VIADUCT_OPT, VIADUCT_OPT.replace("model.parameters()", "model.head.parameters()")),
        (VIADUCT_EPOCH, VIADUCT_EPOCH.replace("model.train()", "wake(model)")),
        (VIADUCT_BATCH, "        for number, (x, y) in enumerate(train):\n"),
        (
            VIADUCT_METER,
            VIADUCT_METER
            + """\
            if number == 2:
                print(f"midway {validate(model, held):.6f}")
                wake(model)
""",
        ),
    )
    pulled = VIADUCT.styled(
        (VIADUCT_METER, VIADUCT_METER + "            pulls.append(model.head[1].weight.grad.norm().item())\n"),
        ("        meter = Meter()\n", "        meter, pulls = Meter(), []\n"),
        ("{slow:.6f} {opt", "{slow:.6f} {max(pulls):.6f} {opt"),
    )
    yield VIADUCT.right(
        "tuned-with-norms-and-dropout-at-rest",  # never woken, and not to be
        (
            VIADUCT_MODEL,
            """\
    model = Net()
    with torch.no_grad():
        for x in torch.randn(9, 6, 4):
            model(x)  # stands for the long training that this one follows
    model.eval()  # fine-tuning keeps the statistics
""",
        ),
        (VIADUCT_EPOCH, "    for epoch in range(8):\n"),
        tempts=("missing-train-mode",),
    )
    yield VIADUCT.right(
        "gate-learns-from-the-held-out",  # the loss of the validation is what trains it
        (
            """\
        self.head = nn.Sequential(nn.Dropout(0.2), nn.Linear(8, 3))

    def forward(self, x):
        return self.head(self.stem(x))
""",
            """\
        self.head = nn.Sequential(nn.Dropout(0.2), nn.Linear(8, 3))
        self.side = nn.Linear(4, 3)
        self.gate = nn.Parameter(torch.zeros(2))

    def forward(self, x):
        through, past = self.gate.softmax(0)
        return through * self.head(self.stem(x)) + past * self.side(x)
""",
        ),
        (
            "    meter = Meter()\n" + VIADUCT_LOOK + "    return meter.mean\n",
            """\
    total = 0.0
    for x, y in loader:
        total = total + F.cross_entropy(model(x), y)
    return total / len(loader)
""",
        ),
        (
            VIADUCT_OPT,
            """\
    weights = [p for name, p in model.named_parameters() if name != "gate"]
    optimizer = torch.optim.SGD(weights, lr=0.3, momentum=0.7, weight_decay=0.01)
    gate_opt = torch.optim.SGD([model.gate], lr=0.5)
""",
        ),
        (
            VIADUCT_VAL,
            VIADUCT_VAL
            + """\
        gate_opt.zero_grad()
        val.backward()
        gate_opt.step()
        val = val.item()
""",
        ),
        tempts=("validation-without-no-grad", "loss-graph-leak", "missing-train-mode"),
    )
    yield VIADUCT.right(
        "mean-weights-are-put-in-for-a-look",  # with the mode that was found they are taken out
        ("import copy\n", "import copy\nfrom contextlib import contextmanager\n"),
        (
            VIADUCT_MAIN,
            """\
@contextmanager
def averaged(model, ema):
    kept, training = copy.deepcopy(model.state_dict()), model.training
    model.load_state_dict(ema.model.state_dict())
    try:
        yield
    finally:
        model.load_state_dict(kept)
        model.train(training)


def main():
""",
        ),
        (VIADUCT_BATCH, "        for number, (x, y) in enumerate(train, 1):\n"),
        (
            VIADUCT_METER,
            VIADUCT_METER
            + """\
            if number % 2 == 0:
                with averaged(model, ema):
                    print(f"midway {validate(model, held):.6f}")
""",
        ),
        tempts=("missing-train-mode",),
    )
    yield VIADUCT.right(
        "plateau-is-told-as-the-next-epoch-begins",  # of the loss that the last one ended with
        (VIADUCT_PLATEAU, ""),
        (
            VIADUCT_EPOCH,
            "    for epoch in range(8):\n        if epoch:\n    " + VIADUCT_PLATEAU + "        model.train()\n",
        ),
        tempts=("scheduler-before-optimizer",),
    )
    yield VIADUCT.right(
        "held-out-slope-is-measured",  # a backward that trains nothing, and is cleared by who made it
        (
            VIADUCT_MAIN,
            """\
def slope(model, loader):
    model.eval()
    for x, y in loader:
        (F.cross_entropy(model(x), y) / len(loader)).backward()
    steep = nn.utils.get_total_norm([p.grad for p in model.parameters()]).item()
    model.zero_grad()
    return steep


def main():
""",
        ),
        (VIADUCT_CLEAR, ""),
        (VIADUCT_STEP, VIADUCT_STEP + VIADUCT_CLEAR),
        (VIADUCT_PLATEAU, '        print(f"slope {slope(model, held):.6f}")\n' + VIADUCT_PLATEAU),
        tempts=("validation-without-no-grad", "zero-grad-before-step", "missing-train-mode"),
    )
    yield VIADUCT.wrong(
        "looked-at-with-gradients",
        (
            (
                VIADUCT_LOOK,
                VIADUCT_LOOK.removeprefix("    with torch.no_grad():\n")
                .replace("        for", "    for")
                .replace("            meter", "        meter"),
            ),
        ),
        tempts=("validation-without-no-grad",),
    )
    yield VIADUCT.together(  # a sleep that is called, and nobody to wake it, would be worse
        "sleep-is-not-called-and-woken-once",
        ((VIADUCT_EVAL, VIADUCT_EVAL.replace("model.eval()", "model.eval")),),
        ((VIADUCT_EPOCH, "    model.train()\n    for epoch in range(8):\n"),),
        tempts=("method-not-called", "missing-train-mode"),
    )
    yield rested.wrong(
        "midway-look-leaves-the-head-asleep",  # to wake the whole would stir the stem
        (('{validate(model, held):.6f}")\n                wake(model)\n', '{validate(model, held):.6f}")\n'),),
        tempts=("missing-train-mode",),
    )
    yield metered.wrong(
        "meter-is-given-the-graph",
        (("meter.update(loss.detach(), len(y))", "meter.update(loss, len(y))"),),
        tempts=("loss-graph-leak",),
    )
    yield pulled.wrong(
        "cleared-once-an-epoch-and-read-behind-the-step",
        ((VIADUCT_CLEAR, ""), (VIADUCT_BATCH, "        optimizer.zero_grad()\n" + VIADUCT_BATCH)),
        tempts=("missing-zero-grad",),
    )


def cases() -> Iterator[Case]:
    """Every skeleton of this module."""
    yield from girder()
    yield from cable()
    yield from banks()
    yield from pier()
    yield from toll()
    yield from viaduct()
