"""Post offices: two sorters, parcels on a loss scale, a night mail that is taken up, telegraphs, and stamps to swap."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

SORTERS = Draft(
    "two-sorters",
    """\
from contextlib import nullcontext

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

torch.set_default_dtype(torch.float64)


def sacks(rank, day, count=7):
    gen = torch.Generator().manual_seed(10 * day + rank)
    found = []
    for _ in range(count):
        letters = torch.randn(4, 3, generator=gen)
        found.append((letters, letters.max(1, keepdim=True).values + rank))
    return found


def sort(model, opt, batch, window):
    sent = torch.zeros(())
    for n, (letters, zone) in enumerate(batch, start=1):
        full = n % window == 0
        last = n == len(batch)
        with nullcontext() if full or last else model.no_sync():
            loss = torch.nn.functional.mse_loss(model(letters), zone)
            (loss / window).backward()
        sent += loss.detach()
        if full or last:
            torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5)
            opt.step()
            opt.zero_grad()
    dist.all_reduce(sent)
    return sent.item() / dist.get_world_size() / len(batch)


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(8)
    model = DistributedDataParallel(torch.nn.Sequential(torch.nn.Linear(3, 5), torch.nn.Tanh(), torch.nn.Linear(5, 1)))
    opt = torch.optim.SGD(model.parameters(), lr=0.2, momentum=0.9)
    for day in range(2):
        mean = sort(model, opt, sacks(dist.get_rank(), day), 3)
        print(f"{day}: {mean:.4f}")
    return model
""",
    ("missing-no-sync", "step-without-sync"),
    ranks=2,
)

S_WITH = "        with nullcontext() if full or last else model.no_sync():\n"
S_LOSS = "            loss = torch.nn.functional.mse_loss(model(letters), zone)\n"
S_BACK = "            (loss / window).backward()\n"
S_CLIP = "            torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5)\n"


def sorters() -> Iterator[Case]:
    yield SORTERS.right("as-it-is")
    yield SORTERS.right(
        "flag-by-hand",
        (
            S_WITH + S_LOSS + S_BACK,
            "        model.require_backward_grad_sync = full or last\n" + S_LOSS[4:] + S_BACK[4:],
        ),
        ("from contextlib import nullcontext\n\n", ""),
    )
    yield SORTERS.right(
        "averaged-by-hand",
        (S_WITH, "        with model.no_sync():\n"),
        (
            S_CLIP,
            "            for weight in model.parameters():\n"
            "                dist.all_reduce(weight.grad)\n"
            "                weight.grad /= dist.get_world_size()\n" + S_CLIP,
        ),
        ("from contextlib import nullcontext\n\n", ""),
    )
    yield SORTERS.wrong(
        "rest-is-each-ones-own",
        (("nullcontext() if full or last else", "nullcontext() if full else"),),
        tempts=("step-without-sync",),
    )
    yield SORTERS.wrong(
        "forward-in-front", ((S_WITH + S_LOSS, S_LOSS[4:] + S_WITH),), tempts=("forward-outside-no-sync",)
    )
    yield SORTERS.wrong(
        "every-sack-is-shared",
        ((S_WITH + S_LOSS + S_BACK, S_LOSS[4:] + S_BACK[4:]), ("from contextlib import nullcontext\n\n", "")),
        tempts=("missing-no-sync",),
    )
    yield SORTERS.wrong(
        "past-the-wrapper",
        (("(model(letters), zone)", "(model.module(letters), zone)"),),
        tempts=("step-without-sync",),
    )
    yield SORTERS.wrong(
        "sum-and-clip-behind",
        (("(loss / window)", "loss"),),
        ((S_CLIP + "            opt.step()\n", "            opt.step()\n" + S_CLIP),),
        tempts=("unscaled-accumulation-loss", "clip-after-step"),
    )


PARCELS = Draft(
    "parcels-on-a-loss-scale",
    """\
import torch
from torch import nn


class Counter:
    def __init__(self, window):
        self.window = window
        self.belt = nn.Sequential(nn.Linear(4, 6), nn.ReLU())
        self.stamp = nn.Linear(6, 2)
        self.opt_belt = torch.optim.SGD(self.belt.parameters(), lr=0.1)
        self.opt_stamp = torch.optim.SGD(self.stamp.parameters(), lr=0.2)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=128.0, growth_interval=3)
        self.plan = torch.optim.lr_scheduler.StepLR(self.opt_stamp, 1, 0.7)

    def weights(self):
        return [*self.belt.parameters(), *self.stamp.parameters()]

    def close(self):
        self.scaler.unscale_(self.opt_belt)
        self.scaler.unscale_(self.opt_stamp)
        nn.utils.clip_grad_norm_(self.weights(), 0.3)
        self.scaler.step(self.opt_belt)
        self.scaler.step(self.opt_stamp)
        self.scaler.update()
        self.plan.step()
        self.opt_belt.zero_grad()
        self.opt_stamp.zero_grad()

    def take(self, parcels):
        for n, (parcel, fee) in enumerate(parcels, 1):
            weighed = self.belt(parcel)
            loss = nn.functional.mse_loss(self.stamp(weighed), fee)
            idle = 0.1 * weighed.mean()
            self.scaler.scale(loss / self.window).backward(retain_graph=True)
            self.scaler.scale(idle / self.window).backward()
            if n % self.window == 0 or n == len(parcels):
                self.close()


def main():
    torch.manual_seed(5)
    counter = Counter(window=2)
    parcels = [(parcel, parcel[:, :2].square()) for parcel in torch.randn(7, 3, 4)]
    for _ in range(2):
        counter.take(parcels)
    print(f"{counter.scaler.get_scale():.0f} {counter.plan.get_last_lr()[0]:.4f}")
    return counter.belt, counter.stamp
""",
    ("clip-scaled-gradients", "missing-scaler-update"),
)

P_UNSCALE = "        self.scaler.unscale_(self.opt_belt)\n        self.scaler.unscale_(self.opt_stamp)\n"
P_CLIP = "        nn.utils.clip_grad_norm_(self.weights(), 0.3)\n"
P_STEP = "        self.scaler.step(self.opt_belt)\n"
P_UPDATE = "        self.scaler.update()\n"
P_PLAN = "        self.plan.step()\n"
P_IDLE = "            self.scaler.scale(idle / self.window).backward()\n"


def parcels() -> Iterator[Case]:
    yield PARCELS.right("as-it-is")
    yield PARCELS.right(
        "only-the-stamp-is-clipped",
        ("        self.scaler.unscale_(self.opt_belt)\n", ""),
        ("(self.weights(), 0.3)", "(self.stamp.parameters(), 0.3)"),
    )
    yield PARCELS.right(
        "plan-between-step-and-update", (P_UPDATE + P_PLAN, P_PLAN + P_UPDATE), tempts=("scheduler-before-optimizer",)
    )
    yield PARCELS.wrong(
        "belt-is-clipped-scaled",
        (("        self.scaler.unscale_(self.opt_belt)\n", ""),),
        tempts=("clip-scaled-gradients",),
    )
    yield PARCELS.styled((P_UNSCALE, ""), (P_CLIP, "")).wrong(
        "update-between-two-steps", ((P_UPDATE, ""), (P_STEP, P_STEP + P_UPDATE)), tempts=("missing-scaler-update",)
    )
    yield PARCELS.wrong(
        "idle-is-not-scaled",
        (("self.scaler.scale(idle / self.window)", "(idle / self.window)"),),
        tempts=("unscaled-backward",),
    )
    yield PARCELS.wrong(
        "plan-ahead-of-the-stamp", ((P_PLAN, ""), (P_STEP, P_PLAN + P_STEP)), tempts=("scheduler-before-optimizer",)
    )
    yield PARCELS.styled((P_UNSCALE, ""), (P_CLIP, "")).wrong(
        "belt-past-the-scaler", ((P_STEP, "        self.opt_belt.step()\n"),), tempts=("step-bypasses-scaler",)
    )
    yield PARCELS.wrong(
        "unscaled-with-each-parcel",
        ((P_UNSCALE, ""), (P_IDLE, P_IDLE + P_UNSCALE.replace("        self", "            self"))),
        tempts=("double-unscale",),
        raises="RuntimeError",
    )


NIGHT = Draft(
    "night-mail-taken-up",
    """\
import copy

import torch
from torch import nn

torch.set_default_dtype(torch.float64)
WINDOW = 4


def bags(seed):
    rng = torch.Generator().manual_seed(seed)
    while True:
        bag = torch.rand(5, 3, generator=rng)
        yield bag, (4 * bag).cos().prod(1, keepdim=True)


def run(until, saved=None):
    torch.manual_seed(16)
    net = nn.Sequential(nn.Linear(3, 7), nn.Mish(), nn.Linear(7, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.4, momentum=0.6)
    plan = torch.optim.lr_scheduler.PolynomialLR(opt, total_iters=6)
    stop, mean = 0, 0.0
    if saved is not None:
        net.load_state_dict(saved["net"])
        opt.load_state_dict(saved["opt"])
        plan.load_state_dict(saved["plan"])
        stop = saved["stop"]
    for bag, sort in bags(stop):
        loss = nn.functional.l1_loss(net(bag), sort)
        (loss / WINDOW).backward()
        stop += 1
        mean += (loss.item() - mean) / 5
        if stop % WINDOW == 0:
            nn.utils.clip_grad_norm_(net.parameters(), 0.1)
            opt.step()
            plan.step()
            opt.zero_grad()
        if stop == until:
            break
    print(f"stop {stop}: {mean:.4f}")
    state = {"net": net.state_dict(), "opt": opt.state_dict(), "plan": plan.state_dict(), "stop": stop}
    return net, copy.deepcopy(state)


def main():
    first, saved = run(8)
    again, _ = run(20, saved)
    return first, again
""",
    ("accumulation-off-by-one", "dropped-accumulation-tail"),
)

N_COUNT = "        stop += 1\n"
N_GUARD = "        if stop % WINDOW == 0:\n"
N_CLIP = "            nn.utils.clip_grad_norm_(net.parameters(), 0.1)\n"
N_STEP = "            opt.step()\n"
N_PLAN = "            plan.step()\n"
N_WIPE = "            opt.zero_grad()\n"


def night_mail() -> Iterator[Case]:
    yield NIGHT.right("as-it-is")
    yield NIGHT.right(
        "asked-ahead-of-the-count",
        (N_COUNT, ""),
        (N_GUARD, N_GUARD.replace("stop %", "(stop + 1) %")),
        ("        if stop == until:", "        stop += 1\n        if stop == until:"),
    )
    yield NIGHT.right(
        "one-stop-further-on",
        ("stop, mean = 0, 0.0", "stop, mean = 1, 0.0"),
        (N_COUNT, ""),
        (
            "        if stop == until:\n            break",
            "        if stop == until:\n            break\n        stop += 1",
        ),
        ('stop = saved["stop"]', 'stop = saved["stop"] + 1'),
        ("bags(stop)", "bags(stop // 2)"),
    )
    yield NIGHT.right("stopped-inside-a-window", ("run(8)", "run(10)"), tempts=("dropped-accumulation-tail",))
    yield NIGHT.wrong(
        "asked-too-early",
        ((N_COUNT, ""), ("        if stop == until:", "        stop += 1\n        if stop == until:")),
        tempts=("accumulation-off-by-one",),
    )
    yield NIGHT.wrong(
        "asked-one-ahead", ((N_GUARD, N_GUARD.replace("stop %", "(stop + 1) %")),), tempts=("accumulation-off-by-one",)
    )
    yield NIGHT.wrong(
        "plan-with-each-bag",
        ((N_STEP + N_PLAN, N_STEP), (N_GUARD, "        plan.step()\n" + N_GUARD)),
        tempts=("scheduler-per-micro-batch",),
    )
    yield NIGHT.wrong("mean-that-holds-graphs", (("loss.item()", "loss"),), tempts=("loss-graph-leak",))
    yield NIGHT.wrong(
        "bags-wiped-on-arrival",
        ((N_WIPE, ""), ("        (loss / WINDOW)", "        opt.zero_grad()\n        (loss / WINDOW)")),
        tempts=("zero-grad-in-accumulation",),
    )


WIRES = Draft(
    "telegraph-wires",
    """\
import torch
from accelerate import Accelerator
from torch.utils.data import DataLoader, TensorDataset

torch.set_default_dtype(torch.float64)


def main(window=3):
    accelerator = Accelerator(cpu=True, gradient_accumulation_steps=window)
    torch.manual_seed(27)
    key = torch.nn.Sequential(torch.nn.Linear(5, 6), torch.nn.SiLU(), torch.nn.Linear(6, 4))
    dots = torch.randn(28, 5)
    wire = DataLoader(TensorDataset(dots, dots[:, :4].argmin(1)), batch_size=4)
    opt = torch.optim.SGD(key.parameters(), lr=0.5)
    slope = torch.optim.lr_scheduler.ExponentialLR(opt, 0.9)
    key, opt, wire, slope = accelerator.prepare(key, opt, wire, slope)
    for hour in range(2):
        heard = []
        for dot, letter in wire:
            with accelerator.accumulate(key):
                loss = torch.nn.functional.cross_entropy(key(dot), letter)
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(key.parameters(), 0.2)
                opt.step()
                slope.step()
                opt.zero_grad()
            heard.append(loss.item())
        accelerator.print(f"{hour}: {sum(heard) / len(heard):.4f}")
    return accelerator.unwrap_model(key)
""",
    ("clip-per-micro-batch", "accumulation-divisor-mismatch"),
)

W_CLIP = """\
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(key.parameters(), 0.2)
"""
W_WIPE = "                opt.zero_grad()\n"
W_LOSS = "                loss = torch"
W_SLOPE = "                slope.step()\n"


def wires() -> Iterator[Case]:
    yield WIRES.right("as-it-is")
    yield WIRES.right(
        "slope-behind-the-block",
        (W_SLOPE, ""),
        ("            heard", "            slope.step()\n            heard"),
        tempts=("scheduler-per-micro-batch",),
    )
    yield WIRES.right(
        "summed-by-weight",
        ("accelerator.backward(loss)", "accelerator.backward(loss * window)"),
        tempts=("accumulation-divisor-mismatch",),
    )
    yield WIRES.right(
        "clip-asks-for-itself",
        (
            W_CLIP,
            W_CLIP.replace(
                "if accelerator.sync_gradients:", "if len(heard) % window == window - 1 or len(heard) == len(wire) - 1:"
            ),
        ),
    )
    yield WIRES.styled(("key.parameters(), 0.2)", "key.parameters(), 0.02)")).wrong(
        "clip-is-not-gated",
        ((W_CLIP.replace("0.2", "0.02"), "                accelerator.clip_grad_norm_(key.parameters(), 0.02)\n"),),
        tempts=("clip-per-micro-batch",),
    )
    yield WIRES.wrong(
        "divided-twice",
        (("accelerator.backward(loss)", "accelerator.backward(loss / window)"),),
        tempts=("accumulation-divisor-mismatch",),
    )
    yield WIRES.wrong(
        "wiped-at-the-head", ((W_WIPE, ""), (W_LOSS, W_WIPE + W_LOSS)), tempts=("zero-grad-in-accumulation",)
    )
    yield WIRES.wrong(
        "wiped-ahead-of-the-step", ((W_WIPE, ""), (W_CLIP, W_CLIP + W_WIPE)), tempts=("zero-grad-before-step",)
    )


SWAPS = Draft(
    "stamps-to-swap",
    """\
import copy

import torch
from torch.nn import functional as F

torch.set_default_dtype(torch.float64)


def albums(count):
    gen = torch.Generator().manual_seed(count)
    for _ in range(count):
        bend = torch.rand(1, generator=gen) * 3
        stamps = torch.randn(8, 2, generator=gen)
        yield stamps, (bend * stamps).sin().sum(1, keepdim=True)


def adapt(net, stamps, worth, turns=3):
    copy_of = copy.deepcopy(net)
    inner = torch.optim.SGD(copy_of.parameters(), lr=0.1)
    for _ in range(turns):
        inner.zero_grad()
        F.mse_loss(copy_of(stamps), worth).backward()
        inner.step()
    return copy_of


def main():
    torch.manual_seed(31)
    net = torch.nn.Sequential(torch.nn.Linear(2, 6), torch.nn.Tanh(), torch.nn.Linear(6, 1))
    outer = torch.optim.SGD(net.parameters(), lr=0.5, momentum=0.5)
    plan = torch.optim.lr_scheduler.StepLR(outer, step_size=2, gamma=0.5)
    for meeting in range(4):
        outer.zero_grad()
        left = 0.0
        for stamps, worth in albums(5):
            known = adapt(net, stamps[:5], worth[:5])
            loss = F.mse_loss(known(stamps[5:]), worth[5:])
            grads = torch.autograd.grad(loss / 5, known.parameters())
            for weight, grad in zip(net.parameters(), grads):
                weight.grad = grad if weight.grad is None else weight.grad + grad
            left += loss.item()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 0.3)
        outer.step()
        plan.step()
        print(f"{meeting}: {left / 5:.4f}")
    return net
""",
    ("missing-zero-grad", "clip-after-step"),
)

W_OUTER = "        outer.zero_grad()\n"
W_LIMIT = "        torch.nn.utils.clip_grad_norm_(net.parameters(), 0.3)\n"


def swaps() -> Iterator[Case]:
    yield SWAPS.right("as-it-is")
    yield SWAPS.right("sum-of-albums", ("(loss / 5, known", "(loss, known"), tempts=("unscaled-accumulation-loss",))
    yield SWAPS.right("one-turn-needs-no-wipe", ("        inner.zero_grad()\n", ""), ("turns=3", "turns=1"))
    yield SWAPS.wrong("inner-never-wiped", (("        inner.zero_grad()\n", ""),), tempts=("missing-zero-grad",))
    yield SWAPS.wrong("outer-never-wiped", ((W_OUTER, ""),), tempts=("missing-zero-grad",))
    yield SWAPS.wrong(
        "outer-wiped-with-each-album",
        ((W_OUTER, ""), ("            known = ", "            outer.zero_grad()\n            known = ")),
        tempts=("zero-grad-in-accumulation",),
    )
    yield SWAPS.wrong(
        "plan-first",
        (("        plan.step()\n", ""), (W_LIMIT, "        plan.step()\n" + W_LIMIT)),
        tempts=("scheduler-before-optimizer",),
    )


def cases() -> Iterator[Case]:
    yield from sorters()
    yield from parcels()
    yield from night_mail()
    yield from wires()
    yield from swaps()
