"""Loops under Accelerate: what it gates, what it divides, and what it leaves to the loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

ACCUMULATE = Draft(
    "accelerate-accumulate",
    """\
import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    accelerator = Accelerator(cpu=True, gradient_accumulation_steps=2)
    features = torch.randn(24, 6)
    dataset = TensorDataset(features, features[:, :2].sum(dim=1, keepdim=True))
    model = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
    lr_scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.1, total_iters=8)
    model, optimizer, train_dataloader, lr_scheduler = accelerator.prepare(
        model, optimizer, DataLoader(dataset, batch_size=4), lr_scheduler
    )
    max_grad_norm = 1.5
    global_step = 0
    for epoch in range(2):
        model.train()
        for step, batch in enumerate(train_dataloader):
            with accelerator.accumulate(model):
                inputs, targets = batch
                loss = nn.functional.mse_loss(model(inputs), targets)
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(model.parameters(), max_grad_norm)
                optimizer.step()
                lr_scheduler.step()
                optimizer.zero_grad()
            if accelerator.sync_gradients:
                global_step += 1
        accelerator.print(epoch, global_step, f"{loss.detach().item():.4f}")
    return accelerator.unwrap_model(model)
""",
    ("zero-grad-in-accumulation", "clip-per-micro-batch", "scheduler-per-micro-batch", "unscaled-accumulation-loss"),
)

CLIP = """\
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(model.parameters(), max_grad_norm)
"""
LOSS = "                loss = nn.functional.mse_loss(model(inputs), targets)\n"
BACK = "                accelerator.backward(loss)\n"
ZERO = "                optimizer.zero_grad()\n"
TORCH_CLIP = CLIP.replace("accelerator.clip", "nn.utils.clip")
UNPREPARED = ACCUMULATE.styled(
    (
        """\
    model, optimizer, train_dataloader, lr_scheduler = accelerator.prepare(
        model, optimizer, DataLoader(dataset, batch_size=4), lr_scheduler
    )
""",
        (
            "    train_dataloader = DataLoader(dataset, batch_size=4)\n"
            "    model, optimizer, train_dataloader = accelerator.prepare(model, optimizer, train_dataloader)\n"
        ),
    ),
    ("                lr_scheduler.step()\n", ""),
    ("                global_step += 1\n", "                global_step += 1\n                lr_scheduler.step()\n"),
)
INSIDE = (
    "                global_step += 1\n                lr_scheduler.step()\n",
    "                global_step += 1\n",
)


def accumulate() -> Iterator[Case]:
    yield ACCUMULATE.right("as-documented")
    yield ACCUMULATE.right("torch-clip-in-fp32", (CLIP, TORCH_CLIP), tempts=("clip-scaled-gradients",))
    yield ACCUMULATE.wrong(
        "clip-each-micro-batch",
        ((CLIP, "                accelerator.clip_grad_norm_(model.parameters(), max_grad_norm)\n"),),
        tempts=("clip-per-micro-batch",),
    )
    yield ACCUMULATE.wrong(
        "torch-clip-each-micro-batch",
        ((CLIP, "                nn.utils.clip_grad_norm_(model.parameters(), max_grad_norm)\n"),),
        tempts=("clip-per-micro-batch",),
    )
    yield ACCUMULATE.wrong(
        "cleared-at-the-top",
        ((ZERO, ""), (LOSS, "                optimizer.zero_grad()\n" + LOSS)),
        tempts=("zero-grad-in-accumulation",),
    )
    yield ACCUMULATE.wrong(
        "model-cleared-at-the-end",
        ((ZERO, "                model.zero_grad()\n"),),
        tempts=("zero-grad-in-accumulation",),
    )
    yield ACCUMULATE.wrong(
        "divided-twice",
        ((BACK, "                accelerator.backward(loss / accelerator.gradient_accumulation_steps)\n"),),
        tempts=("accumulation-divisor-mismatch",),
    )
    yield ACCUMULATE.wrong(
        "clip-after-the-step",
        ((CLIP, ""), ("                optimizer.step()\n", "                optimizer.step()\n" + CLIP)),
        tempts=("clip-after-step",),
    )
    yield ACCUMULATE.wrong(
        "backward-past-accelerate",
        ((BACK, "                loss.backward()\n"),),
        tempts=("unscaled-accumulation-loss",),
    )
    yield ACCUMULATE.right(
        "window-of-one",
        ("gradient_accumulation_steps=2", "gradient_accumulation_steps=1"),
        (CLIP, "                accelerator.clip_grad_norm_(model.parameters(), max_grad_norm)\n"),
    )
    yield UNPREPARED.right("scheduler-unprepared")
    yield UNPREPARED.wrong(
        "scheduler-unprepared-each-micro-batch",
        (
            INSIDE,
            (
                "                optimizer.step()\n",
                "                optimizer.step()\n                lr_scheduler.step()\n",
            ),
        ),
        tempts=("scheduler-per-micro-batch",),
    )
    yield ACCUMULATE.right(
        "all-under-one-guard",
        (
            CLIP
            + """\
                optimizer.step()
                lr_scheduler.step()
                optimizer.zero_grad()
""",
            """\
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(model.parameters(), max_grad_norm)
                    optimizer.step()
                    lr_scheduler.step()
                    optimizer.zero_grad()
""",
        ),
    )


MANUAL = Draft(
    "accelerate-window-by-hand",
    """\
import contextlib

import torch
import torch.nn.functional as F
from accelerate import Accelerator


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inp = torch.nn.Linear(4, 7)
        self.out = torch.nn.Linear(7, 2)

    def forward(self, x):
        return self.out(torch.relu(self.inp(x)))


def training_function(args):
    accelerator = Accelerator(cpu=True)
    model = Net()
    optimizer = torch.optim.AdamW(model.parameters(), lr=args["lr"])
    batches = [(torch.randn(3, 4), torch.randint(0, 2, (3,))) for _ in range(args["batches"])]
    model, optimizer = accelerator.prepare(model, optimizer)
    every = args["accumulate"]
    model.train()
    for epoch in range(2):
        shown = 0.0
        for step, (x, y) in enumerate(batches):
            last = (step + 1) % every == 0 or step == len(batches) - 1
            with contextlib.nullcontext() if last else accelerator.no_sync(model):
                loss = F.cross_entropy(model(x), y)
                accelerator.backward(loss / every)
            shown += loss.item()
            if last:
                accelerator.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                optimizer.zero_grad()
        accelerator.print(f"epoch {epoch}: {shown / len(batches):.5f}")
    return accelerator.unwrap_model(model)


def main():
    return training_function({"lr": 0.02, "batches": 8, "accumulate": 4})
""",
    ("unscaled-accumulation-loss", "accumulation-divisor-mismatch", "missing-no-sync"),
)

HELD = """\
            with contextlib.nullcontext() if last else accelerator.no_sync(model):
                loss = F.cross_entropy(model(x), y)
                accelerator.backward(loss / every)
"""
LET_GO = "            loss = F.cross_entropy(model(x), y)\n            accelerator.backward(loss / every)\n"


def manual() -> Iterator[Case]:
    yield MANUAL.right("divided-by-hand")
    yield MANUAL.right("without-no-sync", (HELD, LET_GO), tempts=("missing-no-sync",))
    yield MANUAL.right(
        "divided-by-accelerate",
        ("Accelerator(cpu=True)", 'Accelerator(cpu=True, gradient_accumulation_steps=args["accumulate"])'),
        ("accelerator.backward(loss / every)", "accelerator.backward(loss)"),
    )
    yield MANUAL.wrong("undivided", (("accelerator.backward(loss / every)", "accelerator.backward(loss)"),))
    yield MANUAL.styled(
        ("Accelerator(cpu=True)", 'Accelerator(cpu=True, gradient_accumulation_steps=args["accumulate"])'),
        ("accelerator.backward(loss / every)", "accelerator.backward(loss)"),
    ).wrong("divided-by-both", (("accelerator.backward(loss)", "accelerator.backward(loss / every)"),))
    yield MANUAL.right(
        "backward-alone-held-back",
        (
            HELD,
            HELD.replace(
                "            with", "            loss = F.cross_entropy(model(x), y)\n            with"
            ).replace("                loss = F.cross_entropy(model(x), y)\n", ""),
        ),
        tempts=("forward-outside-no-sync",),
    )
    yield MANUAL.wrong(
        "cleared-each-micro-batch",
        (
            ("                optimizer.zero_grad()\n", ""),
            ("            last = (step", "            optimizer.zero_grad()\n            last = (step"),
        ),
        tempts=("zero-grad-in-accumulation",),
    )
    yield MANUAL.right(
        "norm-measured-each-micro-batch",
        (
            "            shown += loss.item()\n",
            """\
            shown += loss.item()
            accelerator.clip_grad_norm_(model.parameters(), float("inf"))
""",
        ),
        tempts=("clip-per-micro-batch",),
    )


OBJECT = Draft(
    "accelerate-trainer-class",
    """\
import copy

import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader


class Average:
    def __init__(self, model, decay):
        self.model = copy.deepcopy(model).eval().requires_grad_(False)
        self.decay = decay

    @torch.no_grad()
    def update(self, model):
        for kept, new in zip(self.model.parameters(), model.parameters()):
            kept.mul_(self.decay).add_(new, alpha=1 - self.decay)


class Trainer:
    def __init__(self, model, samples, accumulate):
        self.accelerator = Accelerator(cpu=True, gradient_accumulation_steps=accumulate)
        self.average = Average(model, 0.8)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
        loader = DataLoader(samples, batch_size=3)
        self.model, self.optimizer, self.loader = self.accelerator.prepare(model, optimizer, loader)
        self.steps = 0

    def train(self, max_steps):
        self.model.train()
        while self.steps < max_steps:
            for sample in self.loader:
                with self.accelerator.accumulate(self.model):
                    loss = self.loss(sample)
                    self.accelerator.backward(loss)
                    if not torch.isfinite(loss):
                        self.optimizer.zero_grad()
                        print("skipped")
                        continue
                    if self.accelerator.sync_gradients:
                        norm = self.accelerator.clip_grad_norm_(self.model.parameters(), 0.4)
                    self.optimizer.step()
                    self.optimizer.zero_grad()
                if self.accelerator.sync_gradients:
                    self.steps += 1
                    self.average.update(self.accelerator.unwrap_model(self.model))
                    self.accelerator.print(self.steps, f"{loss.item():.4f} {norm.item():.4f}")
                if self.steps >= max_steps:
                    break

    def loss(self, sample):
        noise = 0.1 * torch.ones_like(sample)
        return (self.model(sample + noise) - sample).square().mean()


def main():
    trainer = Trainer(nn.Sequential(nn.Linear(4, 3), nn.Tanh(), nn.Linear(3, 4)), torch.randn(18, 4), accumulate=3)
    trainer.train(max_steps=4)
    return trainer.accelerator.unwrap_model(trainer.model), trainer.average.model
""",
    ("clip-per-micro-batch", "zero-grad-in-accumulation", "missing-train-mode"),
)

WITH_CLIP = """\
                    if self.accelerator.sync_gradients:
                        norm = self.accelerator.clip_grad_norm_(self.model.parameters(), 0.4)
"""


def trainer() -> Iterator[Case]:
    yield OBJECT.right("stops-by-updates")
    yield OBJECT.wrong(
        "clip-each-micro-batch",
        ((WITH_CLIP, "                    norm = self.accelerator.clip_grad_norm_(self.model.parameters(), 0.4)\n"),),
    )
    yield OBJECT.left(
        "average-each-micro-batch",
        (
            ("                    self.average.update(self.accelerator.unwrap_model(self.model))\n", ""),
            (
                "                if self.accelerator.sync_gradients:\n                    self.steps += 1\n",
                """\
                self.average.update(self.accelerator.unwrap_model(self.model))
                if self.accelerator.sync_gradients:
                    self.steps += 1
""",
            ),
        ),
    )
    yield OBJECT.wrong(
        "cleared-at-the-top",
        (
            (
                "                    self.optimizer.step()\n                    self.optimizer.zero_grad()\n",
                "                    self.optimizer.step()\n",
            ),
            (
                "                    loss = self.loss(sample)\n",
                "                    self.optimizer.zero_grad()\n                    loss = self.loss(sample)\n",
            ),
        ),
        tempts=("zero-grad-in-accumulation",),
    )
    yield OBJECT.wrong(
        "divided-twice",
        (
            (
                "self.accelerator.backward(loss)",
                "self.accelerator.backward(loss / self.accelerator.gradient_accumulation_steps)",
            ),
        ),
        tempts=("accumulation-divisor-mismatch",),
    )
    yield OBJECT.wrong(
        "norm-after-the-step",
        (
            (WITH_CLIP, ""),
            ("                    self.optimizer.step()\n", "                    self.optimizer.step()\n" + WITH_CLIP),
        ),
        tempts=("clip-after-step",),
    )


PAIR = Draft(
    "accelerate-two-networks",
    """\
import torch
from accelerate import Accelerator
from torch import nn


def main():
    accelerator = Accelerator(cpu=True, gradient_accumulation_steps=2)
    prior = nn.Linear(5, 2)
    decoder = nn.Sequential(nn.Linear(2, 6), nn.SiLU(), nn.Linear(6, 5))
    opt_prior = torch.optim.SGD(prior.parameters(), lr=0.2)
    opt_decoder = torch.optim.SGD(decoder.parameters(), lr=0.1)
    loader = torch.utils.data.DataLoader(torch.randn(24, 5), batch_size=4)
    prior, decoder, opt_prior, opt_decoder, loader = accelerator.prepare(prior, decoder, opt_prior, opt_decoder, loader)
    train_loss = 0.0
    for epoch in range(2):
        for x in loader:
            with accelerator.accumulate(prior, decoder):
                loss = (decoder(prior(x)) - x).abs().mean()
                train_loss += accelerator.gather(loss.detach()).mean().item() / 2
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    params = [*prior.parameters(), *decoder.parameters()]
                    accelerator.clip_grad_norm_(params, 0.1)
                for optimizer in (opt_prior, opt_decoder):
                    optimizer.step()
                    optimizer.zero_grad()
            if accelerator.sync_gradients:
                accelerator.print(f"{train_loss:.5f}")
                train_loss = 0.0
    return accelerator.unwrap_model(prior), accelerator.unwrap_model(decoder)
""",
    ("clip-per-micro-batch", "missing-zero-grad", "unscaled-accumulation-loss"),
)

EACH = """\
                for optimizer in (opt_prior, opt_decoder):
                    optimizer.step()
                    optimizer.zero_grad()
"""


def pair() -> Iterator[Case]:
    yield PAIR.right("both-accumulated")
    yield PAIR.wrong(
        "one-never-cleared",
        (
            (
                EACH,
                """\
                opt_prior.step()
                opt_decoder.step()
                opt_prior.zero_grad()
""",
            ),
        ),
        tempts=("missing-zero-grad",),
    )
    yield PAIR.wrong(
        "clip-each-micro-batch",
        (
            (
                (
                    "                if accelerator.sync_gradients:\n"
                    "                    params = [*prior.parameters(), *decoder.parameters()]\n"
                    "                    accelerator.clip"
                ),
                (
                    "                params = [*prior.parameters(), *decoder.parameters()]\n"
                    "                accelerator.clip"
                ),
            ),
        ),
    )
    yield PAIR.right(
        "cleared-first",
        (
            EACH,
            """\
                for optimizer in (opt_prior, opt_decoder):
                    optimizer.step()
                for optimizer in (opt_prior, opt_decoder):
                    optimizer.zero_grad()
""",
        ),
    )
    yield PAIR.wrong(
        "networks-cleared-at-the-top",
        (
            (
                EACH,
                "                for optimizer in (opt_prior, opt_decoder):\n                    optimizer.step()\n",
            ),
            (
                "                loss = (decoder",
                (
                    "                prior.zero_grad()\n"
                    "                decoder.zero_grad()\n"
                    "                loss = (decoder"
                ),
            ),
        ),
        tempts=("zero-grad-in-accumulation",),
    )


def cases() -> Iterator[Case]:
    yield from accumulate()
    yield from manual()
    yield from trainer()
    yield from pair()
