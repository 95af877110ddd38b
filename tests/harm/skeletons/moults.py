"""Moults: feathers and a flock on two ranks, a brood that follows its mother, and a nest in bfloat16."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case


def slip(draft: Draft, name: str, rule: str, old: str, new: str) -> Case:
    """A loop with one mistake, which is one edit of the sound one."""
    return draft.wrong(name, ((old, new),), tempts=(rule,))


FEATHERS = Draft(
    "feathers-on-two-ranks",
    """\
import contextlib

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

torch.set_default_dtype(torch.float64)


def main(epochs=2, window=3):
    dist.init_process_group("gloo")
    torch.manual_seed(9)
    data = TensorDataset(torch.randn(32, 4), torch.randn(32, 2))
    sampler = DistributedSampler(data, seed=3)
    loader = DataLoader(data, batch_size=4, sampler=sampler)
    ddp = DDP(nn.Sequential(nn.Linear(4, 6), nn.GELU(), nn.Linear(6, 2)))
    opt = torch.optim.RMSprop(ddp.parameters(), lr=0.01)
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        opt.zero_grad()
        for n, (x, y) in enumerate(loader, 1):
            full = n % window == 0 or n == len(loader)
            with contextlib.ExitStack() as stack:
                if not full:
                    stack.enter_context(ddp.no_sync())
                loss = nn.functional.huber_loss(ddp(x), y)
                (loss / window).backward()
            if full:
                opt.step()
                opt.zero_grad()
    return ddp
""",
    ("missing-no-sync", "step-without-sync"),
    ranks=2,
)

F_FULL = "            full = n % window == 0 or n == len(loader)\n"
F_BLOCK = """\
            with contextlib.ExitStack() as stack:
                if not full:
                    stack.enter_context(ddp.no_sync())
                loss = nn.functional.huber_loss(ddp(x), y)
                (loss / window).backward()
"""
F_LOSS = "                loss = nn.functional.huber_loss(ddp(x), y)\n"
F_HOLD = "                if not full:\n                    stack.enter_context(ddp.no_sync())\n"


def feathers() -> Iterator[Case]:
    yield FEATHERS.right("held-back-on-a-stack")
    yield FEATHERS.right(
        "all-in-no-sync-then-summed",
        (F_BLOCK, F_BLOCK.replace("contextlib.ExitStack() as stack", "ddp.no_sync()").replace(F_HOLD, "")),
        (
            "                opt.step()\n",
            """\
                for p in ddp.parameters():
                    dist.all_reduce(p.grad)
                    p.grad /= dist.get_world_size()
                opt.step()
""",
        ),
        ("import contextlib\n\n", ""),
    )
    yield FEATHERS.right(
        "same-walk-by-choice",
        ("        sampler.set_epoch(epoch)\n", ""),
        ("DistributedSampler(data, seed=3)", "DistributedSampler(data, shuffle=False)"),
        tempts=("missing-set-epoch",),
    )
    yield slip(FEATHERS, "same-walk", "missing-set-epoch", "        sampler.set_epoch(epoch)\n", "")
    yield slip(
        FEATHERS,
        "held-back-in-the-last-window",
        "step-without-sync",
        "                if not full:\n",
        "                if n % window != 0:\n",
    )
    yield slip(
        FEATHERS,
        "every-backward-reduces",
        "missing-no-sync",
        F_BLOCK,
        "            loss = nn.functional.huber_loss(ddp(x), y)\n            (loss / window).backward()\n",
    )
    yield slip(
        FEATHERS,
        "forward-before-the-stack",
        "forward-outside-no-sync",
        F_BLOCK,
        F_LOSS[4:] + F_BLOCK.replace(F_LOSS, ""),
    )
    yield FEATHERS.wrong(
        "last-window-is-left-open",
        ((F_FULL, "            full = n % window == 0\n"), ("        opt.zero_grad()\n        for n", "        for n")),
        fine=((("        opt.zero_grad()\n        for n", "        for n"),),),
        tempts=("dropped-accumulation-tail",),
    )


FLOCK = Draft(
    "flock-without-an-end",
    """\
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

torch.set_default_dtype(torch.float64)


def endless(loader):
    season = 0
    while True:
        loader.sampler.set_epoch(season)
        yield from loader
        season += 1


class Driver:
    def __init__(self, data, parts=2):
        self.net = nn.Sequential(nn.Linear(3, 5), nn.Tanh(), nn.Linear(5, 1))
        self.ddp = DistributedDataParallel(self.net)
        self.opt = torch.optim.SGD(self.ddp.parameters(), lr=0.2, momentum=0.9)
        self.stream = endless(DataLoader(data, batch_size=3, sampler=DistributedSampler(data)))
        self.parts = parts

    def micro(self, x, y, last):
        self.ddp.require_backward_grad_sync = last
        loss = nn.functional.mse_loss(self.ddp(x), y)
        (loss / self.parts).backward()
        return loss.detach()

    def update(self):
        total = torch.zeros(())
        for part in range(self.parts):
            x, y = next(self.stream)
            total += self.micro(x, y, part == self.parts - 1)
        nn.utils.clip_grad_norm_(self.net.parameters(), 0.2)
        self.opt.step()
        self.opt.zero_grad()
        return total / self.parts


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(71)
    x = torch.randn(24, 3)
    driver = Driver(TensorDataset(x, x.sum(1, keepdim=True).sin()))
    for number in range(5):
        mean = driver.update()
        dist.all_reduce(mean)
        if dist.get_rank() == 0:
            print(number, f"{mean.item() / dist.get_world_size():.5f}")
    return driver.net
""",
    ("step-without-sync", "missing-no-sync"),
    ranks=2,
)

K_LAST = "        self.ddp.require_backward_grad_sync = last\n"
K_CLIP = "        nn.utils.clip_grad_norm_(self.net.parameters(), 0.2)\n"
K_STEP = "        self.opt.step()\n"


def flocks() -> Iterator[Case]:
    yield FLOCK.right("held-back-by-a-flag")
    yield FLOCK.right(
        "norm-of-each-part-is-only-measured",
        (
            "        return loss.detach()\n",
            (
                '        self.norm = nn.utils.clip_grad_norm_(self.net.parameters(), float("inf"))\n'
                "        return loss.detach()\n"
            ),
        ),
        tempts=("clip-per-micro-batch",),
    )
    yield FLOCK.right(
        "weights-are-averaged-once-in-a-while",
        ("part == self.parts - 1)", "False)"),
        (
            "        self.opt.zero_grad()\n",
            (
                "        self.opt.zero_grad()\n"
                "        with torch.no_grad():\n"
                "            for p in self.net.parameters():\n"
                "                dist.all_reduce(p)\n"
                "                p /= dist.get_world_size()\n"
            ),
        ),
    )
    yield FLOCK.left("past-the-wrapper", (("self.ddp(x)", "self.ddp.module(x)"),), tempts=("step-without-sync",))
    yield slip(FLOCK, "first-part-is-shared", "step-without-sync", "part == self.parts - 1)", "part == 0)")
    yield slip(FLOCK, "every-part-is-shared", "missing-no-sync", K_LAST, "")
    yield slip(FLOCK, "one-season-for-ever", "missing-set-epoch", "        loader.sampler.set_epoch(season)\n", "")
    yield slip(FLOCK, "clipped-behind-the-step", "clip-after-step", K_CLIP + K_STEP, K_STEP + K_CLIP)


BROOD = Draft(
    "brood-that-follows-its-mother",
    """\
import copy
from itertools import cycle

import torch
import torch.nn.functional as F
from torch import nn

torch.set_default_dtype(torch.float64)


def follow(mother, chick, keep):
    with torch.no_grad():
        for old, new in zip(mother.parameters(), chick.parameters()):
            old.mul_(keep).add_(new, alpha=1 - keep)


def test(net, birds):
    net.eval()
    with torch.no_grad():
        hits = sum((net(x).argmax(1) == y).sum().item() for x, y in birds)
    return hits


def main():
    torch.manual_seed(83)
    named = [(x, (x.sum(1) > 0).long()) for x in torch.randn(2, 6, 4)]
    unnamed = torch.randn(7, 6, 4)
    chick = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.3), nn.ReLU(), nn.Linear(8, 2))
    mother = copy.deepcopy(chick).requires_grad_(False)
    opt = torch.optim.SGD(chick.parameters(), lr=0.3, momentum=0.9, nesterov=True)
    for season in range(3):
        chick.train()
        mother.train()
        ramp = min(1.0, (season + 1) / 2)
        costs = []
        for (x, y), other in zip(cycle(named), unnamed):
            opt.zero_grad()
            F.cross_entropy(chick(x), y).backward()
            apart = F.mse_loss(chick(other).softmax(1), mother(other + 0.1).softmax(1))
            (ramp * apart).backward()
            opt.step()
            follow(mother, chick, keep=0.8)
            costs.append(apart.item())
        print(season, test(chick, named), test(mother, named), f"{sum(costs):.5f}")
    return chick, mother
""",
    ("missing-train-mode", "unscaled-accumulation-loss"),
)

D_WAKE = "        chick.train()\n        mother.train()\n"
D_CLEAR = "            opt.zero_grad()\n"
D_NAMED = "            F.cross_entropy(chick(x), y).backward()\n"


def broods() -> Iterator[Case]:
    yield BROOD.right("two-terms-of-one-update")
    yield BROOD.right("mother-watches-asleep", (D_WAKE, "        chick.train()\n        mother.eval()\n"))
    yield BROOD.right(
        "named-birds-have-an-update-of-their-own",
        (D_NAMED, D_NAMED + "            opt.step()\n" + D_CLEAR),
        tempts=("zero-grad-in-accumulation", "unscaled-accumulation-loss"),
    )
    yield BROOD.right(
        "halves-of-a-mean",
        (D_NAMED, "            F.cross_entropy(chick(x), y).div(2).backward()\n"),
        ("(ramp * apart).backward()", "(ramp * apart / 2).backward()"),
        tempts=("accumulation-divisor-mismatch",),
    )
    yield slip(BROOD, "chick-is-woken-once", "missing-train-mode", "        chick.train()\n", "")
    yield slip(
        BROOD,
        "tested-with-graphs",
        "validation-without-no-grad",
        "    with torch.no_grad():\n        hits",
        "    if birds:\n        hits",
    )
    yield slip(BROOD, "never-cleared", "missing-zero-grad", D_CLEAR, "")
    yield slip(BROOD, "waking-is-only-named", "method-not-called", "        chick.train()\n", "        chick.train\n")


NEST = Draft(
    "nest-in-bfloat16",
    """\
import torch
from torch import nn


class Nest(nn.Module):
    def __init__(self):
        super().__init__()
        self.twigs, self.lining = nn.Linear(5, 6), nn.Linear(6, 3)
        self.register_buffer("lean", torch.eye(6) + 0.3 * torch.randn(6, 6))

    def forward(self, x):
        hidden = self.twigs(x).float()
        if hidden.requires_grad:
            hidden.register_hook(lambda slope: (slope @ self.lean).to(slope))
        return self.lining(hidden.tanh())


def main():
    torch.manual_seed(97)
    eggs = list(zip(torch.randn(9, 8, 5), torch.randint(0, 3, (9, 8))))
    nest = Nest()
    opt = torch.optim.SGD(nest.parameters(), lr=0.5)
    weighed = 0.0
    for n, (x, y) in enumerate(eggs, 1):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits = nest(x)
            loss = nn.functional.cross_entropy(logits.float(), y)
        (loss / 3).backward()
        weighed += loss.item()
        if n % 3 == 0:
            opt.step()
            opt.zero_grad()
    print(f"{weighed:.2f}")
    return nest
""",
    ("backward-in-autocast", "scaler-with-bfloat16"),
)

N_BACK = "        (loss / 3).backward()\n"
N_OPT = "    opt = torch.optim.SGD(nest.parameters(), lr=0.5)\n"
N_SCALER = '    scaler = torch.amp.GradScaler("cpu", init_scale=1024.0, enabled=False)\n'
N_STEP = "            opt.step()\n"


def nests() -> Iterator[Case]:
    yield NEST.right("backward-outside")
    yield NEST.right(
        "backward-under-a-context-that-is-off",
        (N_BACK, '            with torch.autocast("cpu", enabled=False):\n        ' + N_BACK),
    )
    yield NEST.right(
        "counted-from-zero",
        ("enumerate(eggs, 1)", "enumerate(eggs)"),
        ("n % 3 == 0", "n % 3 == 2"),
        tempts=("accumulation-off-by-one",),
    )
    yield slip(NEST, "backward-inside", "backward-in-autocast", N_BACK, "    " + N_BACK)
    yield NEST.wrong(
        "backward-and-sum-inside",
        ((N_BACK, "    " + N_BACK),),
        (("            opt.zero_grad()\n", ""),),
        tempts=("backward-in-autocast", "missing-zero-grad"),
    )
    scaled = NEST.styled(
        (N_OPT, N_OPT + N_SCALER),
        (N_BACK, "        scaler.scale(loss / 3).backward()\n"),
        (N_STEP, "            scaler.step(opt)\n            scaler.update()\n"),
    )
    yield scaled.right("scaler-is-off")
    yield slip(scaled, "scaler-is-on", "scaler-with-bfloat16", ", enabled=False", "")
    half = scaled.styled((", enabled=False", ""), ("dtype=torch.bfloat16", "dtype=torch.float16"))
    yield half.right("half-wants-a-scale", tempts=("scaler-with-bfloat16",))
    yield slip(
        half,
        "half-steps-past-the-scale",
        "step-bypasses-scaler",
        "            scaler.step(opt)\n            scaler.update()\n",
        N_STEP,
    )
    yield slip(half, "first-window-of-one", "accumulation-off-by-one", "enumerate(eggs, 1)", "enumerate(eggs)")


def cases() -> Iterator[Case]:
    yield from feathers()
    yield from flocks()
    yield from broods()
    yield from nests()
