"""Trams on two ranks, a bus in a notebook, tumours with two teachers, Accelerate's rows of crops, ponds that adapt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

TRAM = Draft(
    "tram-depot",
    """\
from contextlib import ExitStack

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def drive(line, loader, brakes, gather):
    last = len(loader) - 1
    for stop, (x, y) in enumerate(loader):
        leave = stop % gather == gather - 1 or stop == last
        with ExitStack() as stack:
            if not leave:
                stack.enter_context(line.no_sync())
            loss = torch.nn.functional.mse_loss(line(x), y)
            (loss / gather).backward()
        if leave:
            torch.nn.utils.clip_grad_norm_(line.parameters(), 0.6)
            brakes.step()
            brakes.zero_grad()


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(6)
    data = TensorDataset(torch.randn(28, 3), torch.randn(28, 1))
    line = DistributedDataParallel(torch.nn.Sequential(torch.nn.Linear(3, 5), torch.nn.Tanh(), torch.nn.Linear(5, 1)))
    drivers = DistributedSampler(data, seed=3)
    loader = DataLoader(data, batch_size=2, sampler=drivers)
    brakes = torch.optim.SGD(line.parameters(), lr=0.3)
    for day in range(2):
        drivers.set_epoch(day)
        drive(line, loader, brakes, gather=3)
    return line
""",
    ("missing-no-sync", "step-without-sync"),
    ranks=2,
)
T_DAY = "        drivers.set_epoch(day)\n"
T_LOSS = "            loss = torch.nn.functional.mse_loss(line(x), y)\n            (loss / gather).backward()\n"
T_BLOCK = (
    "        with ExitStack() as stack:\n            if not leave:\n"
    "                stack.enter_context(line.no_sync())\n" + T_LOSS
)
T_IMPORT = "from contextlib import ExitStack\n\n"
T_CLIP = "            torch.nn.utils.clip_grad_norm_(line.parameters(), 0.6)\n"
T_SHARED = ((T_IMPORT, ""), (T_BLOCK, T_LOSS.replace("            ", "        ")))


def tram() -> Iterator[Case]:
    yield TRAM.right("stack-of-contexts")
    yield TRAM.together(
        "every-stop-is-shared-and-clipped",
        (*T_SHARED, ("        if leave:\n" + T_CLIP, T_CLIP[4:] + "        if leave:\n")),
        fine=(T_SHARED,),
        tempts=("missing-no-sync", "clip-per-micro-batch"),
    )
    yield TRAM.right(
        "one-order-for-all-days",
        (T_DAY, ""),
        ("(data, seed=3)", "(data, shuffle=False)"),
        tempts=("missing-set-epoch",),
    )
    yield TRAM.wrong("every-stop-is-shared", T_SHARED)
    yield TRAM.wrong(
        "last-stop-keeps-to-itself",
        (("            if not leave:\n", "            if stop % gather != gather - 1:\n"),),
        tempts=("step-without-sync",),
    )
    yield TRAM.wrong(
        "one-order-and-undivided",
        ((T_DAY, ""),),
        (("(loss / gather)", "loss"),),
        tempts=("missing-set-epoch", "unscaled-accumulation-loss"),
    )
    yield TRAM.wrong(
        "told-a-day-once",
        ((T_DAY, ""), ("    for day in", "    drivers.set_epoch(0)\n    for day in")),
        tempts=("missing-set-epoch",),
    )
    yield TRAM.wrong(
        "forward-ahead-of-the-stack",
        (
            (
                T_BLOCK,
                "        loss = torch.nn.functional.mse_loss(line(x), y)\n"
                + T_BLOCK.replace("            loss = torch.nn.functional.mse_loss(line(x), y)\n", ""),
            ),
        ),
        tempts=("forward-outside-no-sync",),
    )


BUS = Draft(
    "bus-notebook",
    """\
import math

import torch
from torch import nn

torch.set_default_dtype(torch.float64)
torch.manual_seed(8)

ACCUM, EPOCHS, BATCHES = 2, 3, 8
net = nn.Sequential(nn.Linear(4, 7), nn.SiLU(), nn.Linear(7, 1))
opt = torch.optim.AdamW(net.parameters(), lr=0.05)
total_updates = EPOCHS * BATCHES // ACCUM
warmup = 3


def rate(n):
    return (n + 1) / warmup if n < warmup else 0.5 * (1 + math.cos(math.pi * (n - warmup) / (total_updates - warmup)))


sched = torch.optim.lr_scheduler.LambdaLR(opt, rate)
timetable = [(torch.randn(6, 4), torch.rand(6, 1)) for _ in range(BATCHES)]
rates, delays = [], []

for epoch in range(EPOCHS):
    for i, (x, late) in enumerate(timetable):
        loss = nn.functional.l1_loss(net(x), late)
        delays.append(loss.item())
        (loss / ACCUM).backward()
        if (i + 1) % ACCUM == 0:
            nn.utils.clip_grad_norm_(net.parameters(), 0.3)
            opt.step()
            rates.append(opt.param_groups[0]["lr"])
            sched.step()
            opt.zero_grad()

print([round(r, 5) for r in rates], round(sum(delays), 4))


def main():
    return net
""",
    ("scheduler-per-micro-batch", "scheduler-before-optimizer"),
)
B_SCHED = "            sched.step()\n"
B_STEP = "            opt.step()\n"
B_RATE = '            rates.append(opt.param_groups[0]["lr"])\n'
B_CLEAR = "            opt.zero_grad()\n"
B_CLIP = "            nn.utils.clip_grad_norm_(net.parameters(), 0.3)\n"
B_BACK = "        (loss / ACCUM).backward()\n"
B_GUARD = "        if (i + 1) % ACCUM == 0:\n"


def bus() -> Iterator[Case]:
    yield BUS.right("flat-cells")
    yield BUS.right(
        "schedule-counts-batches",
        ("total_updates = EPOCHS * BATCHES // ACCUM\nwarmup = 3", "total_updates = EPOCHS * BATCHES\nwarmup = 6"),
        (B_SCHED, ""),
        (B_CLEAR, B_CLEAR + "        sched.step()\n"),
    )
    yield BUS.right(
        "first-rate-is-nought",
        ("return (n + 1) / warmup", "return n / warmup"),
        (B_SCHED, ""),
        (B_STEP, B_SCHED + B_STEP),
    )
    yield BUS.wrong("rate-moves-ahead-of-the-step", ((B_STEP + B_RATE + B_SCHED, B_SCHED + B_STEP + B_RATE),))
    yield BUS.wrong("rate-moves-with-each-batch", ((B_SCHED, ""), (B_CLEAR, B_CLEAR + "        sched.step()\n")))
    yield BUS.wrong(
        "rate-moves-ahead-and-cleared-with-each-batch",
        ((B_STEP + B_RATE + B_SCHED, B_SCHED + B_STEP + B_RATE),),
        ((B_BACK, "        opt.zero_grad()\n" + B_BACK),),
        tempts=("zero-grad-in-accumulation", "scheduler-before-optimizer"),
    )
    yield BUS.wrong(
        "first-bus-leaves-alone", ((B_GUARD, "        if i % ACCUM == 0:\n"),), tempts=("accumulation-off-by-one",)
    )
    yield BUS.wrong(
        "clip-ahead-of-the-backward",
        ((B_CLIP, ""), (B_BACK, B_CLIP.replace("            ", "        ") + B_BACK)),
        tempts=("clip-before-backward",),
    )


TUMOUR = Draft(
    "tumour-contours",
    """\
import copy

import torch
from torch import nn
from torch.nn import functional as F

torch.set_default_dtype(torch.float64)


def block():
    return nn.Sequential(nn.Linear(4, 6), nn.BatchNorm1d(6), nn.ReLU(), nn.Dropout(0.1), nn.Linear(6, 2))


@torch.no_grad()
def drift(shadow, student, keep=0.9):
    for s, p in zip(shadow.parameters(), student.parameters()):
        s.lerp_(p, 1 - keep)
    for s, p in zip(shadow.buffers(), student.buffers()):
        s.copy_(p)


def slices(seed):
    gen = torch.Generator().manual_seed(seed)
    return [torch.randn(8, 4, generator=gen) for _ in range(4)]


def check(shadow, scans):
    shadow.eval()
    with torch.no_grad():
        agreed = [shadow(x).softmax(-1).amax(-1).mean() for x in scans]
    return torch.stack(agreed).mean()


def main():
    torch.manual_seed(40)
    student, expert = block(), block().eval()
    expert.requires_grad_(False)
    shadow = copy.deepcopy(student).requires_grad_(False)
    opt = torch.optim.SGD(student.parameters(), lr=0.2, momentum=0.9)
    kd_total = 0.0
    for epoch in range(3):
        student.train()
        shadow.train()
        for x in slices(epoch):
            out = student(x)
            hard = F.cross_entropy(out, (x[:, 0] > 0).long())
            soft = F.kl_div(out.log_softmax(-1), expert(x).softmax(-1), reduction="batchmean")
            like = F.mse_loss(out, shadow(x + 0.01))
            loss = hard + 0.5 * soft + 0.25 * like
            opt.zero_grad()
            loss.backward()
            opt.step()
            drift(shadow, student)
            kd_total += soft.detach()
        print(f"{check(shadow, slices(50)):.4f} {check(student, slices(50)):.4f}")
    print(f"{kd_total.item():.4f}")
    return student, shadow
""",
    ("missing-train-mode", "loss-graph-leak"),
)
U_TRAIN = "        student.train()\n        shadow.train()\n"
U_CLEAR = "            opt.zero_grad()\n"
U_BACK = "            loss.backward()\n"
U_DRIFT = "            drift(shadow, student)\n"


def tumour() -> Iterator[Case]:
    yield TUMOUR.right("two-teachers", tempts=("unscaled-accumulation-loss", "missing-train-mode"))
    yield TUMOUR.right("shadow-is-never-woken", ("        shadow.train()\n", ""))
    yield TUMOUR.right(
        "cleared-behind-the-drift", (U_CLEAR, ""), (U_DRIFT, U_DRIFT + U_CLEAR), tempts=("missing-zero-grad",)
    )
    yield TUMOUR.right(
        "norms-of-the-student-sleep",
        ("        student.train()\n", "        student.train()\n        student[1].eval()\n"),
    )
    yield TUMOUR.wrong(
        "woken-once-and-graphs-kept",
        ((U_TRAIN, ""), ("    kd_total = 0.0\n", "    student.train()\n    shadow.train()\n    kd_total = 0.0\n")),
        (("soft.detach()", "soft"),),
        fine=(
            (("        shadow.train()\n", ""),),
            (("        shadow.train()\n", ""), ("soft.detach()", "soft")),
        ),
    )
    yield TUMOUR.wrong("soft-losses-keep-graphs", (("soft.detach()", "soft"),))
    yield TUMOUR.wrong(
        "checks-with-graphs",
        (("    with torch.no_grad():\n        agreed =", "    agreed ="),),
        tempts=("validation-without-no-grad",),
    )
    yield TUMOUR.wrong(
        "cleared-in-between", ((U_CLEAR, ""), (U_BACK, U_BACK + U_CLEAR)), tempts=("zero-grad-before-step",)
    )


CROPS = Draft(
    "crop-rows",
    """\
import torch
from accelerate import Accelerator
from torch.utils.data import DataLoader, TensorDataset


class Rows:
    config = {"lr": 0.1, "accum": 3, "epochs": 2}

    def __init__(self):
        torch.manual_seed(12)
        c = self.config
        self.acc = Accelerator(cpu=True, gradient_accumulation_steps=c["accum"])
        field = TensorDataset(torch.randn(26, 4), torch.randint(0, 2, (26,)))
        net = torch.nn.Sequential(torch.nn.Linear(4, 6), torch.nn.Tanh(), torch.nn.Linear(6, 2))
        opt = torch.optim.SGD(net.parameters(), lr=c["lr"], momentum=0.9)
        sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.7)
        prepared = self.acc.prepare(net, opt, sched, DataLoader(field, batch_size=4))
        self.net, self.opt, self.sched, self.loader = prepared

    def row(self, x, y):
        with self.acc.accumulate(self.net):
            loss = torch.nn.functional.cross_entropy(self.net(x), y)
            self.acc.backward(loss)
            if self.acc.sync_gradients:
                self.acc.clip_grad_norm_(self.net.parameters(), 0.2)
            self.opt.step()
            self.sched.step()
            self.opt.zero_grad()
        return loss.detach()

    def fit(self):
        for _ in range(self.config["epochs"]):
            seen = sum(self.row(x, y) for x, y in self.loader)
            self.acc.print(f"{seen.item():.4f} {self.sched.get_last_lr()[0]:.5f}")
        return self.net


def main():
    return Rows().fit()
""",
    ("unscaled-accumulation-loss", "scheduler-per-micro-batch"),
)
R_CLIP = (
    "            if self.acc.sync_gradients:\n                self.acc.clip_grad_norm_(self.net.parameters(), 0.2)\n"
)
R_LATE = "            self.opt.step()\n            self.sched.step()\n"
R_CLEAR = "            self.opt.zero_grad()\n"
R_BACK = "            self.acc.backward(loss)\n"


def crops() -> Iterator[Case]:
    yield CROPS.right("accelerates-window")
    yield CROPS.wrong(
        "schedule-written-first",
        ((R_LATE, "            self.sched.step()\n            self.opt.step()\n"),),
        tempts=("scheduler-before-optimizer",),
    )
    yield CROPS.right(
        "rate-falls-by-epoch",
        ("            self.sched.step()\n", ""),
        ("            self.acc.print", "            self.sched.step()\n            self.acc.print"),
    )
    yield CROPS.right(
        "counted-by-hand",
        (', gradient_accumulation_steps=c["accum"])', ")\n        self.done = 0"),
        ("        with self.acc.accumulate(self.net):\n", "        self.done += 1\n        if True:\n"),
        ("self.acc.backward(loss)", 'self.acc.backward(loss / self.config["accum"])'),
        (
            R_CLIP + R_LATE + R_CLEAR,
            (
                '            if self.done % self.config["accum"] == 0:\n'
                "                self.acc.clip_grad_norm_(self.net.parameters(), 0.2)\n"
                "                self.opt.step()\n                self.sched.step()\n"
                "                self.opt.zero_grad()\n"
            ),
        ),
        tempts=("accumulation-divisor-mismatch", "dropped-accumulation-tail"),
    )
    yield CROPS.wrong(
        "divided-once-more",
        (("backward(loss)", 'backward(loss / self.config["accum"])'),),
        tempts=("accumulation-divisor-mismatch",),
    )
    yield CROPS.wrong(
        "clipped-with-each-row", ((R_CLIP, R_CLIP.splitlines()[1][4:] + "\n"),), tempts=("clip-per-micro-batch",)
    )
    yield CROPS.wrong(
        "cleared-at-the-head", ((R_CLEAR, ""), (R_BACK, R_CLEAR + R_BACK)), tempts=("zero-grad-in-accumulation",)
    )
    yield CROPS.wrong("never-cleared", ((R_CLEAR, ""),), tempts=("missing-zero-grad",))


POND = Draft(
    "ponds-that-adapt",
    """\
import torch
from torch import nn
from torch.func import functional_call

torch.set_default_dtype(torch.float64)


def pond(gen):
    warm = torch.rand(1, generator=gen) * 2
    x = torch.randn(10, 2, generator=gen)
    return x, torch.sin(x.sum(1, keepdim=True) * warm)


def adapted(net, x, y, lr=0.1, turns=2):
    fast = dict(net.named_parameters())
    for _ in range(turns):
        loss = nn.functional.mse_loss(functional_call(net, fast, (x,)), y)
        grads = torch.autograd.grad(loss, fast.values(), create_graph=True)
        fast = {name: w - lr * g for (name, w), g in zip(fast.items(), grads)}
    return fast


def main():
    torch.manual_seed(3)
    gen = torch.Generator().manual_seed(1)
    net = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))
    meta = torch.optim.Adam(net.parameters(), lr=0.01)
    tasks = 3
    for outer in range(5):
        meta.zero_grad()
        queries = []
        for _ in range(tasks):
            x, y = pond(gen)
            fast = adapted(net, x[:5], y[:5])
            query = nn.functional.mse_loss(functional_call(net, fast, (x[5:],)), y[5:])
            (query / tasks).backward()
            queries.append(query.item())
        nn.utils.clip_grad_norm_(net.parameters(), 0.5)
        meta.step()
        print(f"{outer}: {sum(queries) / tasks:.4f}")
    return net
""",
    ("unscaled-accumulation-loss", "loss-graph-leak"),
)
O_BACK = "            (query / tasks).backward()\n"
O_CLEAR = "        meta.zero_grad()\n"
O_CLIP = "        nn.utils.clip_grad_norm_(net.parameters(), 0.5)\n"
O_STEP = "        meta.step()\n"


def ponds() -> Iterator[Case]:
    yield POND.right("tasks-in-a-window")
    yield POND.right(
        "one-backward-of-the-mean",
        (O_BACK, ""),
        ("queries.append(query.item())", "queries.append(query)"),
        (O_CLIP, "        (sum(queries) / tasks).backward()\n" + O_CLIP),
    )
    yield POND.right("weighed-by-its-features", ("(query / tasks)", "(query.sum() / x.shape[1])"))
    yield POND.right("first-order-only", ("create_graph=True", "create_graph=False"))
    yield POND.right(
        "cleared-behind-the-step", (O_CLEAR, ""), (O_STEP, O_STEP + O_CLEAR), tempts=("missing-zero-grad",)
    )
    yield POND.wrong("undivided", (("(query / tasks)", "query"),))
    yield POND.wrong("queries-keep-graphs", (("query.item()", "query"),))
    yield POND.wrong(
        "cleared-with-each-pond",
        ((O_CLEAR, ""), (O_BACK, "    " + O_CLEAR + O_BACK)),
        tempts=("zero-grad-in-accumulation",),
    )
    yield POND.wrong(
        "clipped-with-each-pond", ((O_CLIP, ""), (O_BACK, O_BACK + "    " + O_CLIP)), tempts=("clip-per-micro-batch",)
    )
    yield POND.wrong(
        "cleared-once",
        ((O_CLEAR, ""), ("    tasks = 3\n", "    tasks = 3\n    meta.zero_grad()\n")),
        tempts=("missing-zero-grad",),
    )


def cases() -> Iterator[Case]:
    """Ranks, cells, teachers, Accelerate and meta learning."""
    yield from tram()
    yield from bus()
    yield from tumour()
    yield from crops()
    yield from ponds()
