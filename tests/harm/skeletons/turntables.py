"""A ferry's callbacks, greenhouses in halves, enamel in bfloat16, a convoy on two ranks, lanes with a memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

FERRY = Draft(
    "ferry-callbacks",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)
GATHER = 3


def crossings(seed, count=8):
    gen = torch.Generator().manual_seed(seed)
    for _ in range(count):
        load = torch.rand(5, 3, generator=gen)
        yield load, load.square().sum(1, keepdim=True) * 3


def sail(net, waves, on_loss, on_window, on_end):
    n = 0
    for n, (load, time) in enumerate(waves, start=1):
        loss = nn.functional.mse_loss(net(load), time)
        (loss / GATHER).backward()
        on_loss(loss)
        if n % GATHER == 0:
            on_window()
    on_end(n)


def main():
    torch.manual_seed(19)
    net = nn.Sequential(nn.Linear(3, 6), nn.Mish(), nn.Linear(6, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.7)
    sched = torch.optim.lr_scheduler.PolynomialLR(opt, total_iters=9)
    total = torch.zeros(())

    def note(loss):
        total.add_(loss.detach())

    def window():
        nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        opt.step()
        sched.step()
        opt.zero_grad()

    def end(n):
        if n % GATHER:
            window()

    for trip in range(3):
        sail(net, crossings(trip), note, window, end)
        print(f"{trip}: {total.item():.4f} {sched.get_last_lr()[0]:.5f}")
    return net
""",
    ("dropped-accumulation-tail", "scheduler-per-micro-batch"),
)
Y_CLIP = "        nn.utils.clip_grad_norm_(net.parameters(), 2.0)\n"
Y_STEP = "        opt.step()\n"
Y_RATE = "        sched.step()\n"
Y_CLEAR = "        opt.zero_grad()\n"
Y_END = "        if n % GATHER:\n            window()\n"


def ferry() -> Iterator[Case]:
    yield FERRY.right("callbacks")
    yield FERRY.right("rest-is-thrown-away", (Y_END, "        opt.zero_grad(set_to_none=bool(n))\n"))
    yield FERRY.right(
        "rate-falls-at-the-end",
        (Y_RATE, ""),
        (Y_END, Y_END + Y_RATE),
        ("total_iters=9", "total_iters=3"),
    )
    yield FERRY.right(
        "norm-is-looked-at-behind",
        (Y_STEP, Y_STEP + '        print(nn.utils.clip_grad_norm_(net.parameters(), float("inf")).item())\n'),
        tempts=("clip-after-step",),
    )
    yield FERRY.wrong(
        "window-steps-late", ((Y_STEP + Y_RATE, Y_RATE + Y_STEP),), tempts=("scheduler-before-optimizer",)
    )
    yield FERRY.wrong("window-never-clears", ((Y_CLEAR, ""),), tempts=("missing-zero-grad",))
    yield FERRY.wrong(
        "window-clears-first", ((Y_CLEAR, ""), (Y_CLIP, Y_CLEAR + Y_CLIP)), tempts=("zero-grad-before-step",)
    )
    yield FERRY.wrong(
        "note-clips",
        ((Y_CLIP, ""), ("        total.add_", Y_CLIP + "        total.add_")),
        tempts=("clip-per-micro-batch",),
    )
    yield FERRY.wrong(
        "rest-is-forgotten",
        (("    on_end(n)\n", ""),),
        tempts=("dropped-accumulation-tail",),
    )


GREEN = Draft(
    "greenhouse-halves",
    """\
import torch
from torch import nn


def beds(day):
    gen = torch.Generator().manual_seed(day)
    return [(torch.randn(6, 4, generator=gen), torch.randn(6, 2, generator=gen)) for _ in range(4)]


def grow(root, leaf, opts, sched, scaler, batches):
    for x, y in batches:
        for opt in opts:
            opt.zero_grad()
        with torch.autocast("cpu", dtype=torch.float16):
            out = leaf(root(x))
            loss = nn.functional.mse_loss(out.float(), y)
        scaler.scale(loss).backward()
        scaler.unscale_(opts[0])
        scaler.unscale_(opts[1])
        norm = nn.utils.clip_grad_norm_(root.parameters(), 0.2)
        nn.utils.clip_grad_norm_(leaf.parameters(), 0.3)
        scaler.step(opts[0])
        scaler.step(opts[1])
        scaler.update()
        sched.step()
        yield loss.item(), norm


def main():
    torch.manual_seed(28)
    root, leaf = nn.Sequential(nn.Linear(4, 6), nn.Tanh()), nn.Linear(6, 2)
    opts = [torch.optim.SGD(part.parameters(), lr=0.2) for part in (root, leaf)]
    sched = torch.optim.lr_scheduler.StepLR(opts[0], 3, 0.5)
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0**20, growth_interval=2)
    for day in range(2):
        pairs = list(grow(root, leaf, opts, sched, scaler, beds(day)))
        print(f"{sum(loss for loss, _ in pairs):.2f}", sum(bool(torch.isfinite(norm)) for _, norm in pairs))
    return root, leaf
""",
    ("missing-scaler-update", "step-bypasses-scaler"),
)
G_UPDATE = "        scaler.update()\n"
G_STEP = "        scaler.step(opts[1])\n"
G_FREE = "        scaler.unscale_(opts[1])\n"
G_BACK = "        scaler.scale(loss).backward()\n"
G_RATE = "        sched.step()\n"
G_CLIP = "        nn.utils.clip_grad_norm_(leaf.parameters(), 0.3)\n"


def greenhouse() -> Iterator[Case]:
    yield GREEN.right("one-scaler-for-two")
    yield GREEN.right(
        "rate-moves-where-a-step-was-made",
        (
            G_UPDATE + G_RATE,
            "        before = scaler.get_scale()\n"
            + G_UPDATE
            + "        if scaler.get_scale() >= before:\n    "
            + G_RATE,
        ),
    )
    yield GREEN.right("rate-moves-ahead-of-the-update", (G_UPDATE + G_RATE, G_RATE + G_UPDATE))
    yield GREEN.right("leaf-is-not-clipped", (G_FREE, ""), (G_CLIP, ""), tempts=("clip-scaled-gradients",))
    yield GREEN.right("backward-under-autocast", (G_BACK, "    " + G_BACK), tempts=("backward-in-autocast",))
    yield GREEN.wrong("updated-in-between", ((G_STEP + G_UPDATE, G_UPDATE + G_STEP),), raises="RuntimeError")
    yield GREEN.wrong("leaf-clipped-while-scaled", ((G_FREE, ""),), tempts=("clip-scaled-gradients",))
    yield GREEN.wrong("leaf-goes-past-the-scaler", ((G_STEP, "        opts[1].step()\n"),))
    yield GREEN.wrong(
        "never-scaled", ((G_BACK, "        loss.backward()\n"),), tempts=("unscaled-backward",), raises="AssertionError"
    )
    yield GREEN.wrong(
        "updated-where-finite",
        ((G_UPDATE, "        if norm.isfinite():\n    " + G_UPDATE),),
        raises="RuntimeError",
    )
    yield GREEN.wrong("unscaled-again", ((G_CLIP, G_FREE + G_CLIP),), tempts=("double-unscale",), raises="RuntimeError")


ENAMEL = Draft(
    "enamel-in-bfloat16",
    """\
import torch
from torch import nn


class Kiln:
    def __init__(self):
        torch.manual_seed(14)
        self.net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))
        spread = torch.randn(4, 4) * 0.2 + torch.eye(4)
        self.net[0].weight.register_hook(lambda grad: (grad @ spread).float())
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.2)
        self.sum_of_losses = 0.0

    def tiles(self, seed):
        gen = torch.Generator().manual_seed(seed)
        for _ in range(5):
            x = torch.randn(6, 4, generator=gen)
            yield x, x[:, :3].argmax(1)

    def fire(self, x, y):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits = self.net(x)
            loss = nn.functional.cross_entropy(logits.float(), y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.sum_of_losses += loss.item()

    def judged(self):
        with torch.no_grad():
            return sum((self.net(x).argmax(1) == y).sum().item() for x, y in self.tiles(60))


def main():
    kiln = Kiln()
    for number in range(3):
        for x, y in kiln.tiles(number):
            kiln.fire(x, y)
        print(number, kiln.judged(), f"{kiln.sum_of_losses:.3f}")
    return kiln.net
""",
    ("backward-in-autocast", "scaler-with-bfloat16"),
)
N_BACK = "        loss.backward()\n"
N_CLEAR = "        self.opt.zero_grad()\n"
N_STEP = "        self.opt.step()\n"
N_HOOK = (
    "        spread = torch.randn(4, 4) * 0.2 + torch.eye(4)\n"
    "        self.net[0].weight.register_hook(lambda grad: (grad @ spread).float())\n"
)
N_INSIDE = (N_CLEAR + N_BACK, "    " + N_CLEAR + "    " + N_BACK)
N_LOOK = """\
        with torch.no_grad():
            return sum("""


def enamel() -> Iterator[Case]:
    yield ENAMEL.right("backward-outside")
    yield ENAMEL.right("nothing-to-cast-behind", (N_HOOK, ""), N_INSIDE)
    yield ENAMEL.right(
        "scaler-that-hardly-scales",
        (
            "        self.sum_of_losses = 0.0\n",
            '        self.scaler = torch.amp.GradScaler("cpu", init_scale=8.0)\n        self.sum_of_losses = 0.0\n',
        ),
        (
            N_BACK + N_STEP,
            (
                "        self.scaler.scale(loss).backward()\n        self.scaler.step(self.opt)\n"
                "        self.scaler.update()\n"
            ),
        ),
    )
    yield ENAMEL.wrong("hook-is-cast", (N_INSIDE,))
    yield ENAMEL.wrong(
        "hook-is-cast-and-sum-keeps-graphs", (N_INSIDE,), (("loss.item()", "loss"),), tempts=("loss-graph-leak",)
    )
    yield ENAMEL.wrong(
        "judged-with-graphs",
        ((N_LOOK, "        self.net.eval()\n        return sum("),),
        fine=((("        with torch.no_grad():\n", "        self.net.eval()\n        with torch.no_grad():\n"),),),
        tempts=("validation-without-no-grad",),
    )
    yield ENAMEL.wrong("cleared-behind", ((N_CLEAR + N_BACK, N_BACK + N_CLEAR),), tempts=("zero-grad-before-step",))
    yield ENAMEL.wrong("named-only", ((N_CLEAR, "        self.opt.zero_grad\n"),), tempts=("method-not-called",))


CONVOY = Draft(
    "convoy-of-two",
    """\
from contextlib import nullcontext

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

torch.set_default_dtype(torch.float64)


def stream(rank):
    gen = torch.Generator().manual_seed(100 + rank)
    while True:
        x = torch.randn(4, 3, generator=gen)
        yield x, x.tanh().sum(1, keepdim=True)


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(44)
    road = DDP(nn.Sequential(nn.Linear(3, 5), nn.ELU(), nn.Linear(5, 1)))
    opt = torch.optim.SGD(road.parameters(), lr=0.2)
    miles = stream(dist.get_rank())
    gather, laps = 3, 4
    for lap in range(laps):
        opt.zero_grad()
        for k in range(gather):
            x, y = next(miles)
            with nullcontext() if k == gather - 1 else road.no_sync():
                loss = nn.functional.mse_loss(road(x), y)
                (loss / gather).backward()
        opt.step()
    return road
""",
    ("missing-no-sync", "step-without-sync"),
    ranks=2,
)
V_WITH = "            with nullcontext() if k == gather - 1 else road.no_sync():\n"
V_LOSS = "                loss = nn.functional.mse_loss(road(x), y)\n"
V_BACK = "                (loss / gather).backward()\n"
V_PLAIN = (V_LOSS + V_BACK).replace("    " * 4, "    " * 3)
V_STEP = "        opt.step()\n"
V_IMPORT = "from contextlib import nullcontext\n\n"
V_ALONE = ((V_IMPORT, ""), (V_WITH, "            with road.no_sync():\n"))


def convoy() -> Iterator[Case]:
    yield CONVOY.right("last-of-each-window")
    yield CONVOY.right(
        "weights-meet-behind-each-lap",
        *V_ALONE,
        (
            V_STEP,
            V_STEP + "        for p in road.parameters():\n            dist.all_reduce(p.data)\n"
            "            p.data /= dist.get_world_size()\n",
        ),
    )
    yield CONVOY.right(
        "looks-past-the-wrapper",
        (
            V_STEP,
            V_STEP + "        with torch.no_grad():\n            print(lap, round(road.module(x).mean().item(), 6))\n",
        ),
    )
    yield CONVOY.right(
        "flag-by-hand",
        (V_IMPORT, ""),
        (V_WITH + V_LOSS + V_BACK, "            road.require_backward_grad_sync = k + 1 == gather\n" + V_PLAIN),
    )
    yield CONVOY.right("sum-with-a-smaller-rate", ("(loss / gather)", "loss"), ("lr=0.2", "lr=0.2 / 3"))
    yield CONVOY.wrong("nobody-is-asked", V_ALONE)
    yield CONVOY.wrong("all-are-asked", ((V_IMPORT, ""), (V_WITH + V_LOSS + V_BACK, V_PLAIN)))
    yield CONVOY.wrong("first-is-asked", (("k == gather - 1 else", "k == 0 else"),), tempts=("step-without-sync",))
    yield CONVOY.wrong(
        "forward-outside", ((V_WITH + V_LOSS, V_LOSS[4:] + V_WITH),), tempts=("forward-outside-no-sync",)
    )
    yield CONVOY.wrong(
        "forward-outside-undivided",
        ((V_WITH + V_LOSS, V_LOSS[4:] + V_WITH),),
        (("(loss / gather)", "loss"),),
        tempts=("forward-outside-no-sync", "unscaled-accumulation-loss"),
    )


LANES = Draft(
    "lanes-with-a-memory",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


class Fog(Exception):
    pass


class Car(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(2, 5)
        self.wheel = nn.Linear(5, 1)

    def forward(self, x, hidden):
        hidden = self.cell(x, hidden)
        return self.wheel(hidden), hidden


def road(seed, spans=5):
    gen = torch.Generator().manual_seed(seed)
    for n in range(spans):
        if seed == 1 and n == 3:
            raise Fog
        x = torch.randn(3, 4, 2, generator=gen)
        yield x, x.cumsum(0).sum(2, keepdim=True)


def drive(car, opt, seed, gather=2):
    hidden, pending, losses = torch.zeros(4, 5), 0, []
    try:
        for xs, ys in road(seed):
            hidden = hidden.detach()
            loss = 0.0
            for x, y in zip(xs, ys):
                turn, hidden = car(x, hidden)
                loss = loss + nn.functional.mse_loss(turn, y) / len(xs)
            (loss / gather).backward()
            losses.append(loss.item())
            pending += 1
            if pending == gather:
                nn.utils.clip_grad_norm_(car.parameters(), 5.0)
                opt.step()
                opt.zero_grad()
                pending = 0
    except Fog:
        print("fog")
    finally:
        if pending:
            nn.utils.clip_grad_norm_(car.parameters(), 1.0)
            opt.step()
            opt.zero_grad()
    return losses


def main():
    torch.manual_seed(52)
    car = Car()
    opt = torch.optim.SGD(car.parameters(), lr=0.3, momentum=0.5)
    for seed in range(3):
        print(f"{sum(drive(car, opt, seed)):.5f}")
    return car
""",
    ("loss-graph-leak", "dropped-accumulation-tail"),
)
Q_CLIP = "            nn.utils.clip_grad_norm_(car.parameters(), 1.0)\n"
Q_REST = "            opt.step()\n            opt.zero_grad()\n    return"
Q_BACK = "            (loss / gather).backward()\n"


def lanes() -> Iterator[Case]:
    yield LANES.right("spans-are-summed")
    yield LANES.right("rest-is-given-up", (Q_CLIP + Q_REST, "            opt.zero_grad()\n    return"))
    yield LANES.right(
        "fog-gives-up-the-window",
        ('        print("fog")\n', '        print("fog")\n        opt.zero_grad()\n        pending = 0\n'),
    )
    yield LANES.wrong(
        "rest-is-not-cleared", ((Q_REST, "            opt.step()\n    return"),), tempts=("missing-zero-grad",)
    )
    yield LANES.wrong(
        "rest-is-clipped-late",
        ((Q_CLIP + Q_REST, "            opt.step()\n" + Q_CLIP + "            opt.zero_grad()\n    return"),),
        tempts=("clip-after-step",),
    )
    yield LANES.wrong(
        "losses-keep-graphs-undivided",
        (("loss.item()", "loss"),),
        ((Q_BACK, "            loss.backward()\n"),),
        tempts=("loss-graph-leak", "unscaled-accumulation-loss"),
    )
    yield LANES.wrong(
        "one-span-too-many", (("if pending == gather:", "if pending > gather:"),), tempts=("accumulation-off-by-one",)
    )


def cases() -> Iterator[Case]:
    """Callbacks, scalers, casts, ranks and truncated memories."""
    yield from ferry()
    yield from greenhouse()
    yield from enamel()
    yield from convoy()
    yield from lanes()
