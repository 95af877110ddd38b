"""Loss scales that overflow, two ranks that listen to speech, Accelerate with an average of weights, a student of two ranks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

OVERFLOW = Draft(
    "skipped-by-the-scaler",
    """\
import torch
from torch import nn
from torch.amp import GradScaler, autocast


class Meter:
    def __init__(self):
        self.rows = []

    def __call__(self, **row):
        self.rows.append(row)
        print(" ".join(f"{k}:{float(v):.3g}" for k, v in row.items()))


def optimize(model, optimizer, scaler, scheduler, limit):
    scaler.unscale_(optimizer)
    norm = nn.utils.clip_grad_norm_(model.parameters(), limit)
    before = scaler.get_scale()
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad()
    skipped = scaler.get_scale() < before
    if not skipped:
        scheduler.step()
    return norm, skipped


def main():
    torch.manual_seed(2)
    model = nn.Sequential(nn.Linear(6, 10), nn.ReLU(), nn.Linear(10, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 3, gamma=0.5)
    scaler = GradScaler("cpu", init_scale=2.0**20, growth_interval=3)
    meter = Meter()
    data = [(torch.randn(4, 6), torch.randn(4, 1)) for _ in range(6)]
    acc = 2
    for epoch in range(4):
        for i, (x, y) in enumerate(data):
            with autocast("cpu", dtype=torch.float16):
                loss = nn.functional.mse_loss(model(x), y) / acc
            scaler.scale(loss).backward()
            if i % acc == acc - 1:
                norm, skipped = optimize(model, optimizer, scaler, scheduler, 0.5)
                if not skipped:
                    meter(loss=loss.item() * acc, norm=norm, scale=scaler.get_scale())
    return model
""",
    ("missing-scaler-update", "clip-scaled-gradients"),
)

O_UNSCALE = "    scaler.unscale_(optimizer)\n"
O_CLIP = "    norm = nn.utils.clip_grad_norm_(model.parameters(), limit)\n"
O_UPDATE = "    scaler.update()\n"
O_MOVE = "    if not skipped:\n        scheduler.step()\n"


def skipped_by_the_scaler() -> Iterator[Case]:
    loops = OVERFLOW
    yield loops.right("as-it-is")
    yield loops.wrong("clips-what-is-scaled", ((O_UNSCALE, ""),))
    yield loops.wrong(
        "stepped-past-the-scaler",
        (("    scaler.step(optimizer)\n", "    optimizer.step()\n"),),
        tempts=("step-bypasses-scaler",),
    )
    yield loops.wrong(
        "cleared-each",
        (
            ("    optimizer.zero_grad()\n", ""),
            ("            with autocast", "            optimizer.zero_grad()\n            with autocast"),
        ),
        tempts=("zero-grad-in-accumulation",),
    )
    yield loops.right(
        "schedule-moves-though-skipped",
        (O_MOVE, "    scheduler.step()\n"),
        tempts=("scheduler-before-optimizer",),
    )
    yield loops.right(
        "gives-up-by-hand",
        (
            O_CLIP,
            O_CLIP
            + "    if not torch.isfinite(norm):\n        optimizer.zero_grad()\n        scaler.update(scaler.get_scale() / 4)\n        return norm, True\n",
        ),
        tempts=("missing-scaler-update", "double-unscale"),
    )
    yield loops.right(
        "limit-in-scaled-units",
        (O_UNSCALE, ""),
        (
            O_CLIP,
            "    norm = nn.utils.clip_grad_norm_(model.parameters(), limit * scaler.get_scale()) / scaler.get_scale()\n",
        ),
    )
    yield loops.right(
        "unscaled-by-hand",
        (
            O_UNSCALE,
            "    inverse = 1.0 / scaler.get_scale()\n    found = False\n    for p in model.parameters():\n        p.grad.mul_(inverse)\n        found = found or not bool(p.grad.isfinite().all())\n",
        ),
        (
            "    scaler.step(optimizer)\n    scaler.update()\n",
            "    if not found:\n        optimizer.step()\n    scaler.update(before / 2 if found else before)\n",
        ),
        tempts=("step-bypasses-scaler", "clip-scaled-gradients"),
    )
    yield loops.right(
        "updated-by-the-caller",
        ("    before = scaler.get_scale()\n", ""),
        (O_UPDATE, ""),
        ("    skipped = scaler.get_scale() < before\n" + O_MOVE, ""),
        ("    return norm, skipped\n", "    return norm\n"),
        (
            "                norm, skipped = optimize(model, optimizer, scaler, scheduler, 0.5)\n",
            "                before = scaler.get_scale()\n                norm = optimize(model, optimizer, scaler, scheduler, 0.5)\n                scaler.update()\n                skipped = scaler.get_scale() < before\n                if not skipped:\n                    scheduler.step()\n",
        ),
    )


SPEECH = Draft(
    "speech-on-two-ranks",
    """\
import os
from contextlib import ExitStack, nullcontext

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

torch.set_default_dtype(torch.float64)


class Executor:
    def __init__(self, accum=3, clip=0.6):
        self.accum, self.clip, self.step = accum, clip, 0

    def train(self, model, optimizer, scheduler, loader, rank):
        model.train()
        num_seen = 0
        total = 0.0
        for i, (feats, target) in enumerate(loader):
            last = (i + 1) % self.accum == 0
            context = nullcontext if last else model.no_sync
            with context():
                loss = nn.functional.mse_loss(model(feats), target) / self.accum
                loss.backward()
            total += loss.item() * self.accum
            num_seen += len(feats)
            if last:
                grad_norm = nn.utils.clip_grad_norm_(model.parameters(), self.clip)
                if torch.isfinite(grad_norm):
                    optimizer.step()
                optimizer.zero_grad()
                scheduler.step()
                self.step += 1
        if rank == 0:
            print(f"seen {num_seen} loss {total / len(loader):.4f}")

    def cv(self, model, loader):
        model.eval()
        with torch.no_grad():
            total = sum(nn.functional.mse_loss(model.module(x), y) for x, y in loader)
        dist.all_reduce(total)
        return total.item()


def main():
    rank = int(os.environ["RANK"])
    dist.init_process_group("gloo")
    model = DDP(nn.Sequential(nn.Linear(4, 6), nn.Dropout(0.1), nn.Tanh(), nn.Linear(6, 2)))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.8)
    torch.manual_seed(100 + rank)
    data = [(torch.randn(3, 4), torch.randn(3, 2)) for _ in range(8)]
    executor = Executor()
    for epoch in range(2):
        executor.train(model, optimizer, scheduler, data[:6], rank)
        print(f"{epoch} cv {executor.cv(model, data[6:]):.4f}")
    return model
""",
    ("missing-no-sync", "forward-outside-no-sync"),
    ranks=2,
)

SP_CONTEXT = "            context = nullcontext if last else model.no_sync\n"
SP_WITH = """\
            with context():
                loss = nn.functional.mse_loss(model(feats), target) / self.accum
                loss.backward()
"""
SP_PLAIN = """\
            loss = nn.functional.mse_loss(model(feats), target) / self.accum
            loss.backward()
"""
SP_MOVE = "                scheduler.step()\n"


def speech_on_two_ranks() -> Iterator[Case]:
    loops = SPEECH
    yield loops.right("as-it-is", tempts=("step-without-sync", "scheduler-before-optimizer"))
    yield loops.wrong("always-in-sync", ((SP_CONTEXT + SP_WITH, SP_PLAIN),))
    yield loops.wrong(
        "forward-outside",
        (
            (
                SP_WITH,
                """\
            loss = nn.functional.mse_loss(model(feats), target) / self.accum
            with context():
                loss.backward()
""",
            ),
        ),
    )
    yield loops.wrong(
        "never-in-sync", ((SP_CONTEXT, "            context = model.no_sync\n"),), tempts=("step-without-sync",)
    )
    yield loops.wrong(
        "inverted",
        ((SP_CONTEXT, "            context = model.no_sync if last else nullcontext\n"),),
        tempts=("step-without-sync",),
    )
    yield loops.wrong(
        "summed",
        (("target) / self.accum\n", "target)\n"), ("loss.item() * self.accum", "loss.item()")),
        fine=(
            (
                ("target) / self.accum\n", "target)\n"),
                ("loss.item() * self.accum", "loss.item()"),
                ("                loss.backward()\n", "                (loss / self.accum).backward()\n"),
            ),
        ),
        tempts=("unscaled-accumulation-loss",),
    )
    yield loops.wrong("trained-in-eval", (("        model.train()\n", ""),), tempts=("missing-train-mode",))
    yield loops.right(
        "averaged-by-hand",
        (SP_CONTEXT, "            context = model.no_sync\n"),
        (
            "                grad_norm",
            "                for p in model.parameters():\n                    dist.all_reduce(p.grad)\n                    p.grad /= dist.get_world_size()\n                grad_norm",
        ),
        tempts=("step-without-sync",),
    )
    yield loops.right(
        "stack-of-contexts",
        (
            SP_WITH,
            """\
            with ExitStack() as stack:
                if not last:
                    stack.enter_context(model.no_sync())
                loss = nn.functional.mse_loss(model(feats), target) / self.accum
                loss.backward()
""",
        ),
        (SP_CONTEXT, ""),
        tempts=("missing-no-sync",),
    )
    yield loops.right(
        "last-of-the-epoch-too",
        ("data[:6], rank)", "data[:7], rank)"),
        ("last = (i + 1) % self.accum == 0", "last = (i + 1) % self.accum == 0 or i + 1 == len(loader)"),
        ("data[6:])", "data[7:])"),
        tempts=("accumulation-divisor-mismatch", "step-without-sync"),
    )
    # A rank that has joined gives zeros: what is all-reduced again and again is halved again and again.
    yield loops.styled(
        (
            "        executor.train(model, optimizer, scheduler, data[:6], rank)\n",
            "        with model.join():\n            executor.train(model, optimizer, scheduler, data[: 6 - 3 * rank], rank)\n",
        ),
    ).wrong("ranks-of-unequal-length-join", ((SP_CONTEXT + SP_WITH, SP_PLAIN),))


ACCELERATE = Draft(
    "accelerate-with-ema",
    """\
import copy

import torch
import torch.nn.functional as F
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class EMAModel:
    def __init__(self, parameters, decay=0.8):
        self.shadow = [p.clone().detach() for p in parameters]
        self.decay = decay

    @torch.no_grad()
    def step(self, parameters):
        for s, p in zip(self.shadow, parameters):
            s.sub_((1 - self.decay) * (s - p))


def log_validation(unet, x):
    unet.eval()
    with torch.no_grad():
        out = unet(x).abs().mean().item()
    unet.train()
    return out


def main():
    accelerator = Accelerator(gradient_accumulation_steps=2, cpu=True)
    unet = nn.Sequential(nn.Linear(5, 8), nn.SiLU(), nn.Dropout(0.1), nn.Linear(8, 5))
    optimizer = torch.optim.SGD(unet.parameters(), lr=0.3, momentum=0.9)
    lr_scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda s: 1 / (1 + 0.5 * s))
    dataloader = DataLoader(TensorDataset(torch.randn(20, 5)), batch_size=4)
    ema = EMAModel(unet.parameters())
    unet, optimizer, dataloader, lr_scheduler = accelerator.prepare(unet, optimizer, dataloader, lr_scheduler)
    global_step, max_train_steps = 0, 5
    for epoch in range(3):
        unet.train()
        train_loss = 0.0
        for step, (latents,) in enumerate(dataloader):
            with accelerator.accumulate(unet):
                noise = torch.cos(11 * latents)
                loss = F.mse_loss(unet(latents + 0.5 * noise), noise)
                avg_loss = accelerator.gather(loss.detach().repeat(4)).mean()
                train_loss += avg_loss.item() / accelerator.gradient_accumulation_steps
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(unet.parameters(), 0.1)
                optimizer.step()
                lr_scheduler.step()
                optimizer.zero_grad()
            if accelerator.sync_gradients:
                ema.step(unet.parameters())
                global_step += 1
                print(global_step, f"{train_loss:.4f}", f"{lr_scheduler.get_last_lr()[0]:.4f}")
                train_loss = 0.0
                if global_step % 2 == 0:
                    print("validation", f"{log_validation(unet, torch.ones(2, 5)):.4f}")
            if global_step >= max_train_steps:
                break
    return accelerator.unwrap_model(unet)
""",
    ("unscaled-accumulation-loss", "zero-grad-in-accumulation"),
)

A_CLIP = """\
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(unet.parameters(), 0.1)
"""
A_STEP = "                optimizer.step()\n"
A_CLEAR = "                optimizer.zero_grad()\n"


def accelerate_with_ema() -> Iterator[Case]:
    loops = ACCELERATE
    yield loops.right("as-it-is", tempts=("scheduler-per-micro-batch", "unscaled-accumulation-loss"))
    yield loops.wrong("clip-behind", ((A_CLIP, ""), (A_STEP, A_STEP + A_CLIP)), tempts=("clip-after-step",))
    yield loops.wrong(
        "clip-each",
        ((A_CLIP, "                nn.utils.clip_grad_norm_(unet.parameters(), 0.1)\n"),),
        tempts=("clip-per-micro-batch",),
    )
    yield loops.wrong("never-cleared", ((A_CLEAR, ""),), tempts=("missing-zero-grad",))
    yield loops.wrong(
        "validation-stays-in-eval",
        (("    unet.train()\n    return out", "    return out"),),
        tempts=("missing-train-mode",),
    )
    yield loops.right(
        "cleared-when-synchronised",
        (A_CLEAR, "                if accelerator.sync_gradients:\n                    unet.zero_grad()\n"),
    )
    yield loops.right(
        "schedule-outside-of-accumulate",
        ("                lr_scheduler.step()\n", ""),
        ("                ema.step(", "                lr_scheduler.step()\n                ema.step("),
        tempts=("scheduler-per-micro-batch",),
    )


STUDENT = Draft(
    "student-of-two-ranks",
    """\
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

torch.set_default_dtype(torch.float64)


class Distiller:
    def __init__(self, teacher, student):
        self.features = {}
        self.teacher = teacher.eval()
        self.student = DistributedDataParallel(student)
        self.teacher[1].register_forward_hook(self.keep("teacher"))
        self.student.module[1].register_forward_hook(self.keep("student"))
        self.optimizer = torch.optim.SGD(self.student.parameters(), lr=0.1)

    def keep(self, name):
        def hook(module, inputs, output):
            self.features[name] = output

        return hook

    def loss(self, x, y):
        with torch.no_grad():
            soft = self.teacher(x).softmax(-1)
        logits = self.student(x)
        kd = nn.functional.kl_div(logits.log_softmax(-1), soft, reduction="batchmean")
        hint = nn.functional.mse_loss(self.features["student"], self.features["teacher"])
        return nn.functional.cross_entropy(logits, y) + kd + hint


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(6)
    make = lambda: nn.Sequential(nn.Linear(4, 6), nn.BatchNorm1d(6), nn.ReLU(), nn.Linear(6, 3))
    teacher, student = make(), make()
    dataset = TensorDataset(torch.randn(24, 4), torch.randint(0, 3, (24,)))
    sampler = DistributedSampler(dataset, shuffle=True)
    loader = DataLoader(dataset, batch_size=4, sampler=sampler)
    distiller = Distiller(teacher, student)
    for epoch in range(3):
        sampler.set_epoch(epoch)
        distiller.student.train()
        for x, y in loader:
            distiller.optimizer.zero_grad()
            loss = distiller.loss(x, y)
            loss.backward()
            distiller.optimizer.step()
        value = loss.detach().clone()
        dist.all_reduce(value, op=dist.ReduceOp.SUM)
        if os.environ["RANK"] == "0":
            print(f"epoch {epoch} {value.item() / 2:.4f}")
    return distiller.student
""",
    ("missing-set-epoch", "missing-train-mode"),
    ranks=2,
)


def student_of_two_ranks() -> Iterator[Case]:
    loops = STUDENT
    yield loops.right("teacher-in-eval-on-purpose")
    yield loops.wrong("same-order-each-epoch", (("        sampler.set_epoch(epoch)\n", ""),))
    yield loops.wrong(
        "never-cleared", (("            distiller.optimizer.zero_grad()\n", ""),), tempts=("missing-zero-grad",)
    )
    yield loops.right(
        "in-order-without-shuffle",
        ("        sampler.set_epoch(epoch)\n", ""),
        ("DistributedSampler(dataset, shuffle=True)", "DistributedSampler(dataset, shuffle=False)"),
    )
    yield loops.right(
        "order-by-the-loader-of-each-epoch",
        (
            "        sampler.set_epoch(epoch)\n",
            "        sampler = DistributedSampler(dataset, shuffle=True, seed=epoch)\n        loader = DataLoader(dataset, batch_size=4, sampler=sampler)\n",
        ),
    )
    yield loops.right(
        "student-tuned-with-frozen-statistics",
        ("        distiller.student.train()\n", "        distiller.student.train(epoch == 0)\n"),
    )


def cases() -> Iterator[Case]:
    yield from skipped_by_the_scaler()
    yield from speech_on_two_ranks()
    yield from accelerate_with_ema()
    yield from student_of_two_ranks()
