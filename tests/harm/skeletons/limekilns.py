"""Limekilns: a firing curve in a generator, a teacher that follows, bricks on two ranks, casts of a mould, callbacks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

CURVE = Draft(
    "firing-curve",
    """\
import torch
from torch import nn
from torch.optim import lr_scheduler

torch.set_default_dtype(torch.float64)


def firings(kiln, opt, sched, charges, window):
    opt.zero_grad()
    held = []
    for lime, stone in charges:
        loss = nn.functional.huber_loss(kiln(lime), stone)
        (loss / window).backward()
        held.append(loss.item())
        if len(held) == window:
            opt.step()
            sched.step()
            opt.zero_grad()
            yield sum(held) / window
            held.clear()


def main(epochs=3, window=2):
    torch.manual_seed(14)
    charges = [(torch.randn(4, 3), torch.randn(4, 1)) for _ in range(6)]
    kiln = nn.Sequential(nn.Linear(3, 6), nn.Tanh(), nn.Linear(6, 1))
    opt = torch.optim.Adam(kiln.parameters(), lr=0.05)
    updates = epochs * len(charges) // window
    warm = lr_scheduler.LinearLR(opt, 0.2, total_iters=3)
    cool = lr_scheduler.CosineAnnealingLR(opt, T_max=updates - 3)
    sched = lr_scheduler.SequentialLR(opt, [warm, cool], milestones=[3])
    for epoch in range(epochs):
        for value in firings(kiln, opt, sched, charges, window):
            print(f"{epoch} {value:.4f}")
    return kiln
""",
    ("scheduler-per-micro-batch", "scheduler-before-optimizer"),
)
C_STEP = "            opt.step()\n            sched.step()\n"
C_BACK = "        (loss / window).backward()\n"
C_MAKE = """\
    updates = epochs * len(charges) // window
    warm = lr_scheduler.LinearLR(opt, 0.2, total_iters=3)
    cool = lr_scheduler.CosineAnnealingLR(opt, T_max=updates - 3)
    sched = lr_scheduler.SequentialLR(opt, [warm, cool], milestones=[3])
"""
C_CLEAR = "            opt.zero_grad()\n"


def curve() -> Iterator[Case]:
    yield CURVE.right("one-move-an-update")
    yield CURVE.right(
        "curve-counted-in-charges",
        ("epochs * len(charges) // window", "epochs * len(charges)"),
        (C_STEP, "            opt.step()\n"),
        (C_BACK, C_BACK + "        sched.step()\n"),
    )
    yield CURVE.right(
        "curve-that-counts-from-one",
        (C_MAKE, "    sched = lr_scheduler.LambdaLR(opt, lambda n: min(n / 3, 1.0))\n"),
        (C_STEP, "            sched.step()\n            opt.step()\n"),
    )
    yield CURVE.right(
        "rate-set-by-hand-ahead",
        (C_MAKE, ""),
        ("(kiln, opt, sched, charges, window):\n            print", "(kiln, opt, charges, window):\n            print"),
        ("def firings(kiln, opt, sched, charges, window):\n", "def firings(kiln, opt, charges, window, peak=0.05):\n"),
        ("    held = []\n", "    held, fired = [], 0\n"),
        (
            C_STEP,
            """\
            fired += 1
            for group in opt.param_groups:
                group["lr"] = peak * min(1.0, fired / 3)
            opt.step()
""",
        ),
    )
    yield CURVE.wrong("curve-moves-first", ((C_STEP, "            sched.step()\n            opt.step()\n"),))
    yield CURVE.wrong(
        "curve-moves-with-each-charge",
        ((C_STEP, "            opt.step()\n"), (C_BACK, C_BACK + "        sched.step()\n")),
    )
    yield CURVE.wrong(
        "one-charge-too-many",
        (("len(held) == window", "len(held) > window"),),
        fine=((("len(held) == window", "len(held) >= window"),),),
        tempts=("accumulation-off-by-one",),
    )
    yield CURVE.wrong("ash-is-left", ((C_CLEAR, ""),), tempts=("missing-zero-grad",))


GLAZE = Draft(
    "glaze-teacher",
    """\
import copy

import torch
from torch import nn
from torch.nn import functional as F

torch.set_default_dtype(torch.float64)


@torch.no_grad()
def follow(teacher, student, keep=0.8):
    for slow, fast in zip(teacher.parameters(), student.parameters()):
        slow.lerp_(fast, 1 - keep)


def glazes(seed, count=4):
    rng = torch.Generator().manual_seed(seed)
    for _ in range(count):
        x = torch.randn(6, 4, generator=rng)
        yield x, (x.sum(1) > 0).long()


def accuracy(net, seed=99):
    net.eval()
    hits = []
    with torch.no_grad():
        for x, y in glazes(seed):
            hits.append((net(x).argmax(1) == y).double().mean())
    return torch.stack(hits).mean().item()


def main():
    torch.manual_seed(23)
    student = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Dropout(0.3), nn.Linear(8, 2))
    teacher = copy.deepcopy(student).requires_grad_(False).eval()
    opt = torch.optim.SGD(student.parameters(), lr=0.2)
    for epoch in range(3):
        student.train()
        for x, y in glazes(epoch):
            logits = student(x)
            soft = teacher(x).softmax(1)
            loss = F.cross_entropy(logits, y) + F.kl_div(logits.log_softmax(1), soft, reduction="batchmean")
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(student.parameters(), 0.4)
            opt.step()
            follow(teacher, student)
        print(f"{epoch} {accuracy(student):.3f} {accuracy(teacher):.3f}")
    return student, teacher
""",
    ("missing-train-mode", "validation-without-no-grad"),
)
Z_TRAIN = "        student.train()\n"
Z_EPOCHS = "    for epoch in range(3):\n"
Z_CLIP = "            nn.utils.clip_grad_norm_(student.parameters(), 0.4)\n"
Z_WALK = """\
    with torch.no_grad():
        for x, y in glazes(seed):
            hits.append((net(x).argmax(1) == y).double().mean())
"""
Z_OPEN = Z_WALK.replace("    with torch.no_grad():\n", "").replace("        for", "    for").replace("   hits", "hits")
Z_ONCE = ((Z_TRAIN, ""), (Z_EPOCHS, "    student.train()\n" + Z_EPOCHS))


def glaze() -> Iterator[Case]:
    yield GLAZE.right("awake-in-each-epoch")
    yield GLAZE.right(
        "found-mode-is-restored",
        *Z_ONCE,
        ("    net.eval()\n", "    found = net.training\n    net.eval()\n"),
        ("    return torch.stack", "    net.train(found)\n    return torch.stack"),
    )
    yield GLAZE.right("only-the-teacher-is-asked", *Z_ONCE, ("{accuracy(student):.3f} ", ""))
    yield GLAZE.right("a-copy-is-asked", *Z_ONCE, ("accuracy(student)", "accuracy(copy.deepcopy(student))"))
    yield GLAZE.wrong("awake-only-once", Z_ONCE)
    held = GLAZE.styled((Z_TRAIN, Z_TRAIN + "        student[1].eval()\n"))
    yield held.right("statistics-held-still")
    yield held.wrong(
        "statistics-held-still-and-the-rest-too",
        (
            (Z_TRAIN + "        student[1].eval()\n", ""),
            (Z_EPOCHS, "    student.train()\n    student[1].eval()\n" + Z_EPOCHS),
        ),
    )
    yield GLAZE.wrong("train-is-only-named", ((Z_TRAIN, Z_TRAIN.replace("()", "")),), tempts=("method-not-called",))
    yield GLAZE.wrong(
        "asked-with-graphs-and-clipped-late",
        ((Z_WALK, Z_OPEN),),
        ((Z_CLIP, ""), ("            follow(", Z_CLIP + "            follow(")),
        tempts=("validation-without-no-grad", "clip-after-step"),
    )


BRICKS = Draft(
    "brick-piles",
    """\
import torch
import torch.distributed as dist
from torch.nn.functional import mse_loss
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

torch.set_default_dtype(torch.float64)
PILE = 3


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(3)
    net = DistributedDataParallel(torch.nn.Sequential(torch.nn.Linear(3, 5), torch.nn.ELU(), torch.nn.Linear(5, 1)))
    opt = torch.optim.Adam(net.parameters(), lr=0.05)
    bricks = TensorDataset(torch.randn(20, 3), torch.randn(20, 1))
    sampler = DistributedSampler(bricks, seed=5)
    loader = DataLoader(bricks, batch_size=2, sampler=sampler)
    for epoch in range(2):
        sampler.set_epoch(epoch)
        pile = []
        for number, brick in enumerate(loader, 1):
            pile.append(brick)
            if len(pile) < PILE and number < len(loader):
                continue
            *early, (x, y) = pile
            for a, b in early:
                with net.no_sync():
                    loss = mse_loss(net(a), b)
                    (loss / len(pile)).backward()
            (mse_loss(net(x), y) / len(pile)).backward()
            opt.step()
            opt.zero_grad()
            pile.clear()
    return net
""",
    ("missing-no-sync", "step-without-sync"),
    ranks=2,
)
B_EARLY = """\
            for a, b in early:
                with net.no_sync():
                    loss = mse_loss(net(a), b)
                    (loss / len(pile)).backward()
"""
B_LAST = "            (mse_loss(net(x), y) / len(pile)).backward()\n"
B_SPLIT = "            *early, (x, y) = pile\n"


def bricks() -> Iterator[Case]:
    yield BRICKS.right("last-of-the-pile-reaches-all")
    yield BRICKS.right(
        "summed-by-hand",
        (B_SPLIT, ""),
        ("in early", "in pile"),
        (
            B_LAST,
            """\
            for p in net.parameters():
                dist.all_reduce(p.grad)
                p.grad /= dist.get_world_size()
""",
        ),
    )
    yield BRICKS.right("never-mixed", ("seed=5", "shuffle=False"), ("        sampler.set_epoch(epoch)\n", ""))
    yield BRICKS.wrong("none-reaches-the-others", ((B_SPLIT, ""), ("in early", "in pile"), (B_LAST, "")))
    yield BRICKS.wrong(
        "all-reach-the-others",
        (
            (
                B_EARLY,
                """\
            for a, b in early:
                loss = mse_loss(net(a), b)
                (loss / len(pile)).backward()
""",
            ),
        ),
    )
    yield BRICKS.wrong(
        "forward-ahead-and-mixed-once",
        (
            (
                "                with net.no_sync():\n                    loss = mse_loss(net(a), b)\n",
                "                loss = mse_loss(net(a), b)\n                with net.no_sync():\n",
            ),
        ),
        (("    for epoch", "    sampler.set_epoch(1)\n    for epoch"), ("        sampler.set_epoch(epoch)\n", "")),
        tempts=("forward-outside-no-sync", "missing-set-epoch"),
    )
    yield BRICKS.wrong("pile-on-pile", (("            opt.zero_grad()\n", ""),), tempts=("missing-zero-grad",))


CAST = Draft(
    "slip-casts",
    """\
import copy

import torch
from torch import nn

torch.set_default_dtype(torch.float64)
CASTS = 3


def shape(rng):
    bend = torch.rand(1, generator=rng) * 3
    x = torch.rand(8, 1, generator=rng)
    y = (bend * x).sin()
    return x[:4], y[:4], x[4:], y[4:]


def adapt(mould, x, y):
    cast = copy.deepcopy(mould)
    inner = torch.optim.SGD(cast.parameters(), lr=0.2)
    for _ in range(2):
        inner.zero_grad()
        nn.functional.mse_loss(cast(x), y).backward()
        inner.step()
    inner.zero_grad()
    return cast


def main():
    torch.manual_seed(8)
    rng = torch.Generator().manual_seed(1)
    mould = nn.Sequential(nn.Linear(1, 6), nn.Tanh(), nn.Linear(6, 1))
    outer = torch.optim.Adam(mould.parameters(), lr=0.05)
    scores = []
    for _ in range(4):
        for _ in range(CASTS):
            x, y, test_x, test_y = shape(rng)
            cast = adapt(mould, x, y)
            loss = nn.functional.mse_loss(cast(test_x), test_y)
            (loss / CASTS).backward()
            scores.append(loss.detach())
            for p, q in zip(mould.parameters(), cast.parameters()):
                p.grad = q.grad if p.grad is None else p.grad + q.grad
        nn.utils.clip_grad_norm_(mould.parameters(), 0.1)
        outer.step()
        outer.zero_grad()
    print(f"{torch.stack(scores).mean().item():.5f}")
    return mould
""",
    ("unscaled-accumulation-loss", "missing-zero-grad"),
)
K_CLIP = "        nn.utils.clip_grad_norm_(mould.parameters(), 0.1)\n"
K_TURN = "        for _ in range(CASTS):\n"
K_CLEAR = "        outer.zero_grad()\n"
K_SUM = ("(loss / CASTS).backward()", "loss.backward()")
K_GATHER = """\
            for p, q in zip(mould.parameters(), cast.parameters()):
                p.grad = q.grad if p.grad is None else p.grad + q.grad
"""


def cast() -> Iterator[Case]:
    yield CAST.right("first-order")
    yield CAST.right(
        "dragged-towards-the-casts",
        ("            (loss / CASTS).backward()\n", ""),
        (
            "p.grad = q.grad if p.grad is None else p.grad + q.grad",
            """\
way = (p - q).detach() / CASTS
                p.grad = way if p.grad is None else p.grad + way""",
        ),
    )
    yield CAST.right("mould-clears-itself", (K_CLEAR, ""), (K_TURN, "        mould.zero_grad()\n" + K_TURN))
    yield CAST.wrong("undivided", (K_SUM,))
    yield CAST.wrong("inner-steps-pile-up", (("        inner.zero_grad()\n        nn", "        nn"),))
    yield CAST.wrong("last-inner-gradient-stays", (("    inner.zero_grad()\n    return cast", "    return cast"),))
    yield CAST.wrong(
        "clipped-ahead-of-the-casts",
        ((K_CLIP, ""), (K_CLEAR, ""), (K_TURN, K_CLEAR + K_CLIP + K_TURN)),
        tempts=("clip-before-backward",),
    )
    yield CAST.wrong(
        "cleared-between-casts-and-scores-hang",
        ((K_CLEAR, ""), (K_GATHER, "    " + K_CLEAR + K_GATHER)),
        (("scores.append(loss.detach())", "scores.append(loss)"),),
        tempts=("zero-grad-in-accumulation", "loss-graph-leak"),
    )


SMOKE = Draft(
    "smoke-signals",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


class Accumulate:
    def __init__(self, every):
        self.every = every

    def scored(self, run):
        run.loss = run.loss / self.every

    def learned(self, run):
        if run.number % self.every == 0:
            run.tell("ready")
            run.opt.step()
            run.opt.zero_grad()
            run.tell("updated")


class Damper:
    def ready(self, run):
        nn.utils.clip_grad_norm_(run.net.parameters(), 0.2)

    def updated(self, run):
        run.sched.step()


class Smoke:
    def __init__(self):
        self.seen = []

    def learned(self, run):
        self.seen.append(run.loss.item())


class Run:
    def __init__(self, net, *listeners):
        self.net, self.listeners = net, listeners
        self.opt = torch.optim.SGD(net.parameters(), lr=0.3, momentum=0.6)
        self.sched = torch.optim.lr_scheduler.StepLR(self.opt, 2, 0.5)

    def tell(self, event):
        for listener in self.listeners:
            getattr(listener, event, lambda run: None)(self)

    def fit(self, batches, epochs):
        for _ in range(epochs):
            for self.number, (x, y) in enumerate(batches, 1):
                self.loss = nn.functional.mse_loss(self.net(x), y)
                self.tell("scored")
                self.loss.backward()
                self.tell("learned")


def main():
    torch.manual_seed(2)
    batches = [(torch.randn(3, 2), torch.randn(3, 1)) for _ in range(6)]
    smoke = Smoke()
    run = Run(nn.Sequential(nn.Linear(2, 4), nn.Mish(), nn.Linear(4, 1)), Accumulate(3), Damper(), smoke)
    run.fit(batches, epochs=2)
    print(f"{sum(smoke.seen):.4f}")
    return run.net
""",
    ("accumulation-off-by-one", "unscaled-accumulation-loss"),
)
A_READY = '            run.tell("ready")\n            run.opt.step()\n'


def smoke() -> Iterator[Case]:
    yield SMOKE.right("told-by-listeners")
    yield SMOKE.right("counted-from-zero", ("(batches, 1)", "(batches)"), ("run.number %", "(run.number + 1) %"))
    yield SMOKE.right(
        "divided-by-the-damper",
        ("        run.loss = run.loss / self.every\n", "        pass\n"),
        (A_READY, "            for p in run.net.parameters():\n                p.grad /= self.every\n" + A_READY),
    )
    yield SMOKE.wrong("count-begins-at-zero", (("(batches, 1)", "(batches)"),))
    yield SMOKE.wrong(
        "clipped-when-all-is-over",
        ((A_READY, "            run.opt.step()\n" + '            run.tell("ready")\n'),),
        tempts=("clip-after-step",),
    )
    yield SMOKE.wrong(
        "cleared-when-scored-and-smoke-hangs",
        (("        run.loss = run.loss", "        run.opt.zero_grad()\n        run.loss = run.loss"),),
        (("run.loss.item()", "run.loss"),),
        tempts=("zero-grad-in-accumulation", "loss-graph-leak"),
    )
    yield SMOKE.wrong(
        "clear-is-only-named", (("run.opt.zero_grad()", "run.opt.zero_grad"),), tempts=("method-not-called",)
    )


def cases() -> Iterator[Case]:
    yield from curve()
    yield from glaze()
    yield from bricks()
    yield from cast()
    yield from smoke()
