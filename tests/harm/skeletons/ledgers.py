"""Finance: a curve by closures, hedgers on two ranks, risk in bfloat16, quotes taken up, a maker and its auditor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

CURVE = Draft(
    "curve-by-closures",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)
MONTHS = torch.tensor([3.0, 6.0, 12.0, 24.0, 60.0, 120.0]) / 12


class Curve(nn.Module):
    def __init__(self):
        super().__init__()
        self.weights = nn.Parameter(torch.tensor([2.0, -1.0, 0.5]))
        self.decay = nn.Parameter(torch.tensor(0.8))

    def forward(self, years):
        pace = years * nn.functional.softplus(self.decay)
        fall = torch.exp(-pace)
        slope = (1 - fall) / pace
        return torch.stack([torch.ones_like(years), slope, slope - fall], -1) @ self.weights


def calibrate(curve, yields, rounds=4, limit=0.7):
    opt = torch.optim.LBFGS(curve.parameters(), max_iter=2, line_search_fn="strong_wolfe")
    sched = torch.optim.lr_scheduler.StepLR(opt, step_size=2, gamma=0.5)
    trace = []

    def closure():
        opt.zero_grad()
        loss = (curve(MONTHS) - yields).square().mean()
        loss.backward()
        nn.utils.clip_grad_norm_(curve.parameters(), limit)
        return loss

    for _ in range(rounds):
        trace.append(opt.step(closure).item())
        sched.step()
    return trace


def main():
    curve = Curve()
    for day in range(3):
        yields = 3.0 + 0.4 * day - 2.0 * torch.exp(-MONTHS / (1 + day))
        print(day, *(f"{miss:.5f}" for miss in calibrate(curve, yields)))
    return curve
""",
    ("zero-grad-before-step", "clip-before-backward"),
)

V_CLEAR = "        opt.zero_grad()\n"
V_LOSS = "        loss = (curve(MONTHS) - yields).square().mean()\n"
V_BACK = "        loss.backward()\n"
V_CLIP = "        nn.utils.clip_grad_norm_(curve.parameters(), limit)\n"
V_TURN = "        trace.append(opt.step(closure).item())\n"


def curved() -> Iterator[Case]:
    yield CURVE.right("as-it-is")
    yield CURVE.right(
        "one-backward-for-each-term",
        (
            V_LOSS + V_BACK,
            (
                "        loss = 0.0\n        for years, met in zip(MONTHS, yields):\n"
                "            part = (curve(years) - met).square() / len(MONTHS)\n            part.backward()\n"
                "            loss += part.detach()\n"
            ),
        ),
        tempts=("unscaled-accumulation-loss",),
    )
    yield CURVE.right(
        "closure-asks-whether-to-go-back",
        (V_CLEAR + V_LOSS + V_BACK, V_LOSS + "        if torch.is_grad_enabled():\n    " + V_CLEAR + "    " + V_BACK),
    )
    yield CURVE.wrong("cleared-behind-the-backward", ((V_CLEAR + V_LOSS + V_BACK, V_LOSS + V_BACK + V_CLEAR),))
    yield CURVE.wrong("never-cleared", ((V_CLEAR, ""),), tempts=("missing-zero-grad",))
    yield CURVE.right("cleared-by-the-curve", (V_CLEAR, "        curve.zero_grad()\n"))
    yield CURVE.wrong("clipped-too-early", ((V_BACK + V_CLIP, V_CLIP + V_BACK),))
    yield CURVE.wrong(
        "rate-first-and-a-trace-of-graphs",
        ((V_TURN + "        sched.step()\n", "        sched.step()\n" + V_TURN),),
        (("(closure).item()", "(closure)"),),
        tempts=("scheduler-before-optimizer", "loss-graph-leak"),
    )


HEDGERS = Draft(
    "hedgers-on-two-ranks",
    """\
from contextlib import ExitStack

import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

torch.set_default_dtype(torch.float64)
CONFIG = {"accum": 3, "epochs": 2, "batch": 2, "optim": {"lr": 0.1, "momentum": 0.9}}


def fit(ddp, data, config):
    sampler = DistributedSampler(data, seed=4)
    loader = DataLoader(data, batch_size=config["batch"], sampler=sampler)
    optimizer = torch.optim.SGD(ddp.parameters(), **config["optim"])
    for epoch in range(config["epochs"]):
        sampler.set_epoch(epoch)
        for i, (paths, payoff) in enumerate(loader):
            last = (i + 1) % config["accum"] == 0 or i + 1 == len(loader)
            with ExitStack() as stack:
                if not last:
                    stack.enter_context(ddp.no_sync())
                loss = (ddp(paths) - payoff).square().mean()
                (loss / config["accum"]).backward()
            if last:
                optimizer.step()
                optimizer.zero_grad()


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(19)
    ddp = nn.parallel.DistributedDataParallel(nn.Sequential(nn.Linear(4, 6), nn.Softplus(), nn.Linear(6, 1)))
    paths = torch.randn(20, 4)
    fit(ddp, TensorDataset(paths, paths.cumsum(1).amax(1, keepdim=True).relu()), CONFIG)
    return ddp
""",
    ("missing-no-sync", "step-without-sync"),
    ranks=2,
)

H_EPOCH = "        sampler.set_epoch(epoch)\n"
H_HELD = """\
            with ExitStack() as stack:
                if not last:
                    stack.enter_context(ddp.no_sync())
"""
H_LOSS = "                loss = (ddp(paths) - payoff).square().mean()\n"
H_BACK = '                (loss / config["accum"]).backward()\n'
H_FLAG = "            ddp.require_backward_grad_sync = last\n" + (H_LOSS + H_BACK).replace("    " * 4, "    " * 3)


def hedged() -> Iterator[Case]:
    yield HEDGERS.right("as-it-is")
    yield HEDGERS.right("switched-by-its-flag", (H_HELD + H_LOSS + H_BACK, H_FLAG))
    yield HEDGERS.right(
        "walk-of-a-later-epoch",
        (H_EPOCH, ""),
        ("        for i, (paths", "        loader.sampler.set_epoch(100 + epoch)\n        for i, (paths"),
        tempts=("missing-set-epoch",),
    )
    yield HEDGERS.right(
        "each-epoch-has-a-sampler-of-its-own",
        (H_EPOCH, ""),
        ("    sampler = DistributedSampler(data, seed=4)\n", ""),
        ('    loader = DataLoader(data, batch_size=config["batch"], sampler=sampler)\n', ""),
        (
            '    for epoch in range(config["epochs"]):\n',
            (
                '    for epoch in range(config["epochs"]):\n        sampler = DistributedSampler(data, seed=epoch)\n'
                '        loader = DataLoader(data, config["batch"], sampler=sampler)\n'
            ),
        ),
        tempts=("missing-set-epoch",),
    )
    yield HEDGERS.wrong(
        "told-once",
        ((H_EPOCH, ""), ("    for epoch in range", "    sampler.set_epoch(0)\n    for epoch in range")),
        tempts=("missing-set-epoch",),
    )
    yield HEDGERS.wrong(
        "short-window-is-held", (("                if not last:", '                if (i + 1) % config["accum"]:'),)
    )
    yield HEDGERS.wrong("last-one-is-held", (("                if not last:", "                if last:"),))
    yield HEDGERS.wrong(
        "forward-is-early", ((H_HELD + H_LOSS, H_LOSS[4:] + H_HELD),), tempts=("forward-outside-no-sync",)
    )
    yield HEDGERS.wrong(
        "all-reach-the-others-and-nothing-is-divided",
        ((H_HELD, "            if True:\n"),),
        ((H_BACK, "                loss.backward()\n"),),
        tempts=("missing-no-sync", "unscaled-accumulation-loss"),
    )


RISK = Draft(
    "default-risk-in-bfloat16",
    """\
import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils import clip_grad_norm_


def loans(year, count=6):
    dice = torch.Generator().manual_seed(year)
    for _ in range(count):
        x = torch.randn(8, 6, generator=dice)
        yield x, (x[:, :2].sum(1, keepdim=True) > 0).float()


def main(dtype=torch.bfloat16):
    torch.manual_seed(44)
    net = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 1))
    fair = torch.linalg.qr(torch.randn(16, 9))[0]
    net[2].weight.register_hook(lambda grad: (grad @ fair @ fair.T).type_as(grad))
    opt = torch.optim.SGD(net.parameters(), lr=0.5)
    scaler = torch.amp.GradScaler("cpu", enabled=dtype == torch.float16)
    losses = []
    for year in range(2):
        for x, y in loans(year):
            opt.zero_grad()
            with torch.autocast("cpu", dtype=dtype):
                score = net(x)
                loss = F.binary_cross_entropy_with_logits(score.float(), y)
            scaler.scale(loss).backward()
            scaler.unscale_(opt)
            clip_grad_norm_(net.parameters(), 0.2)
            scaler.step(opt)
            scaler.update()
            losses.append(loss.item())
    print(f"{sum(losses):.2f}")
    return net
""",
    ("backward-in-autocast", "scaler-with-bfloat16"),
)

K_SCALER = '    scaler = torch.amp.GradScaler("cpu", enabled=dtype == torch.float16)\n'
K_BACK = "            scaler.scale(loss).backward()\n"
K_UNSCALE = "            scaler.unscale_(opt)\n"
K_CLIP = "            clip_grad_norm_(net.parameters(), 0.2)\n"
K_STEP = "            scaler.step(opt)\n            scaler.update()\n"
K_LOSS = "                loss = F.binary_cross_entropy_with_logits(score.float(), y)\n"
HALF = RISK.styled(("dtype=torch.bfloat16", "dtype=torch.float16"))
PLAIN = RISK.styled(
    (K_SCALER, ""), (K_BACK, "            loss.backward()\n"), (K_UNSCALE, ""), (K_STEP, "            opt.step()\n")
)


def risked() -> Iterator[Case]:
    yield RISK.right("as-it-is")
    yield HALF.right("in-float16")
    yield PLAIN.right(
        "penalty-in-the-block",
        ("                score = net(x)\n", "                score = net(x.requires_grad_())\n"),
        (
            K_LOSS,
            K_LOSS + "                slope = torch.autograd.grad(score.sum(), x, create_graph=True)[0]\n"
            "                loss = loss + 0.1 * slope.square().mean()\n",
        ),
    )
    yield PLAIN.right(
        "backward-in-a-block-that-is-off",
        (
            "            loss.backward()\n",
            '                with torch.autocast("cpu", enabled=False):\n                    loss.backward()\n',
        ),
    )
    yield RISK.wrong("backward-in-the-block", ((K_BACK, "    " + K_BACK),))
    yield PLAIN.wrong(
        "all-in-the-block",
        (
            (
                "            loss.backward()\n" + K_CLIP + "            opt.step()\n",
                "                loss.backward()\n    " + K_CLIP + "                opt.step()\n",
            ),
        ),
    )
    yield RISK.wrong(
        "scaler-for-nothing",
        ((K_SCALER, '    scaler = torch.amp.GradScaler("cpu")\n'),),
        tempts=("scaler-with-bfloat16",),
    )
    yield HALF.wrong("clip-of-scaled", ((K_UNSCALE, ""),), tempts=("clip-scaled-gradients",))
    yield HALF.wrong(
        "update-once-a-year",
        ((K_STEP, "            scaler.step(opt)\n"), ("    print(f", "        scaler.update()\n    print(f")),
        tempts=("missing-scaler-update",),
        raises="RuntimeError",
    )


QUOTES = Draft(
    "quotes-taken-up",
    """\
import copy

import torch
from torch import nn
from torch.nn.functional import huber_loss

torch.set_default_dtype(torch.float64)


class MarketClosed(Exception):
    pass


def quotes(since, until, close):
    for minute in range(since, until):
        if minute == close:
            raise MarketClosed(minute)
        dice = torch.Generator().manual_seed(minute)
        book = torch.randn(4, 3, generator=dice)
        yield book, 4 * book.tanh().sum(1, keepdim=True)


def follow(saved=None, until=16, close=None, accum=4):
    torch.manual_seed(27)
    net = nn.Sequential(nn.Linear(3, 6), nn.Tanh(), nn.Linear(6, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.2, momentum=0.9)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda update: 0.9**update)
    done = 0
    if saved is not None:
        for part, state in zip((net, opt, sched), saved["states"]):
            part.load_state_dict(state)
        done = saved["done"]
    feed = iter(quotes(done, until, close))
    try:
        while (quote := next(feed, None)) is not None:
            loss = huber_loss(net(quote[0]), quote[1])
            (loss / accum).backward()
            done += 1
            if done % accum == 0:
                nn.utils.clip_grad_norm_(net.parameters(), 0.3)
                opt.step()
                sched.step()
                opt.zero_grad()
                saved = {"done": done, "states": copy.deepcopy([p.state_dict() for p in (net, opt, sched)])}
    except MarketClosed as closed:
        print(f"closed at {closed}, {done % accum} quotes lost")
    finally:
        print(f"{done}: {loss.item():.4f} at {sched.get_last_lr()[0]:.4f}")
    return net, saved


def main():
    first, saved = follow(close=10)
    return first, follow(saved)[0]
""",
    ("accumulation-off-by-one", "dropped-accumulation-tail"),
)

Q_GUARD = "            if done % accum == 0:\n"
Q_CLIP = "                nn.utils.clip_grad_norm_(net.parameters(), 0.3)\n"
Q_STEP = "                opt.step()\n"
Q_RATE = "                sched.step()\n"
Q_CLEAR = "                opt.zero_grad()\n"
Q_BACK = "            (loss / accum).backward()\n"


def quoted() -> Iterator[Case]:
    yield QUOTES.right("as-it-is")
    yield QUOTES.right(
        "counted-down",
        ("    done = 0\n", "    done, left = 0, accum\n"),
        (
            Q_GUARD + Q_CLIP,
            "            left -= 1\n            if not left:\n                left = accum\n" + Q_CLIP,
        ),
    )
    yield QUOTES.right(
        "unfinished-window-is-used",
        (
            "    finally:\n",
            (
                "        for p in net.parameters():\n            p.grad.mul_(accum / (done % accum))\n"
                "        opt.step()\n    finally:\n"
            ),
        ),
    )
    yield QUOTES.right("schedule-counts-updates-behind-the-clearing", (Q_RATE + Q_CLEAR, Q_CLEAR + Q_RATE))
    yield QUOTES.wrong("one-ahead", ((Q_GUARD, "            if (done + 1) % accum == 0:\n"),))
    yield QUOTES.wrong(
        "rate-of-each-quote", ((Q_RATE, ""), (Q_BACK, Q_BACK + Q_RATE[4:])), tempts=("scheduler-per-micro-batch",)
    )
    yield QUOTES.wrong(
        "cleared-for-each-quote", ((Q_CLEAR, ""), (Q_BACK, Q_CLEAR[4:] + Q_BACK)), tempts=("zero-grad-in-accumulation",)
    )
    yield QUOTES.wrong(
        "undivided-and-rate-first",
        (("(loss / accum).backward()", "loss.backward()"),),
        ((Q_STEP + Q_RATE, Q_RATE + Q_STEP),),
        tempts=("unscaled-accumulation-loss", "scheduler-before-optimizer"),
    )


FLOOR = Draft(
    "maker-and-its-auditor",
    """\
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn

torch.set_default_dtype(torch.float64)


@dataclass
class Part:
    net: nn.Module
    opt: torch.optim.Optimizer
    sched: torch.optim.lr_scheduler.LRScheduler

    @classmethod
    def made(cls, net, rate):
        opt = torch.optim.SGD(net.parameters(), lr=rate, momentum=0.5)
        return cls(net, opt, torch.optim.lr_scheduler.ExponentialLR(opt, gamma=0.7))


def sessions(epoch):
    dice = torch.Generator().manual_seed(50 + epoch)
    for _ in range(5):
        book = torch.randn(4, 3, generator=dice)
        yield book, torch.cat([book.sin(), book.cos()], dim=1)


def main(turns=2):
    torch.manual_seed(12)
    maker = Part.made(nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 6)), 0.02)
    auditor = Part.made(nn.Sequential(nn.Linear(6, 8), nn.LeakyReLU(), nn.Linear(8, 1)), 0.05)
    for epoch in range(2):
        for book, prices in sessions(epoch):
            for turn in range(turns):
                fake = maker.net(book + turn).detach()
                auditor.opt.zero_grad()
                F.relu(1 - auditor.net(prices)).mean().backward()
                F.relu(1 + auditor.net(fake)).mean().backward()
                auditor.opt.step()
            maker.opt.zero_grad()
            fake = maker.net(book)
            loss = F.l1_loss(fake, prices) - auditor.net(fake).mean()
            loss.backward()
            maker.opt.step()
        auditor.sched.step()
        maker.sched.step()
    return maker.net, auditor.net
""",
    ("missing-zero-grad", "unscaled-accumulation-loss"),
)

E_CLEAR = "                auditor.opt.zero_grad()\n"
E_STEP = "                auditor.opt.step()\n"
M_CLEAR = "            maker.opt.zero_grad()\n"
M_UPDATE = "            loss.backward()\n            maker.opt.step()\n"
M_LOSS = "            loss = F.l1_loss(fake, prices) - auditor.net(fake).mean()\n"
BEHIND = ((E_CLEAR, ""), (E_STEP, E_STEP + E_CLEAR))


def audited() -> Iterator[Case]:
    yield FLOOR.right("as-it-is")
    yield FLOOR.wrong("auditor-is-cleared-behind-its-step", BEHIND)
    yield FLOOR.right(
        "auditor-is-cleared-behind-its-step-and-frozen",
        *BEHIND,
        (M_LOSS, "            auditor.net.requires_grad_(False)\n" + M_LOSS),
        (M_UPDATE, M_UPDATE + "            auditor.net.requires_grad_(True)\n"),
    )
    yield FLOOR.right(
        "auditor-is-cleared-between-backward-and-step",
        *BEHIND,
        (M_UPDATE, M_UPDATE.replace("ward()\n", "ward()\n            auditor.opt.zero_grad()\n")),
        tempts=("zero-grad-before-step",),
    )
    yield FLOOR.wrong("auditor-is-never-cleared", ((E_CLEAR, ""),))
    yield FLOOR.wrong(
        "auditor-is-cleared-between-real-and-fake",
        (
            (E_CLEAR, ""),
            ("                F.relu(1 + auditor.net", E_CLEAR + "                F.relu(1 + auditor.net"),
        ),
        tempts=("zero-grad-in-accumulation",),
    )
    yield FLOOR.wrong(
        "maker-is-cleared-by-its-net-too-late",
        ((M_CLEAR, ""), (M_UPDATE, M_UPDATE.replace("ward()\n", "ward()\n            maker.net.zero_grad()\n"))),
        tempts=("zero-grad-before-step",),
    )
    yield FLOOR.right("critic-reaches-the-maker", (".detach()", ""))
    yield FLOOR.wrong(
        "critic-reaches-the-maker-behind-its-clearing",
        ((M_CLEAR, ""), (M_UPDATE, M_UPDATE + M_CLEAR), (".detach()", "")),
        fine=(((".detach()", ""),),),  # cleared in front of its own loss, it may be reached
    )


def cases() -> Iterator[Case]:
    yield from curved()
    yield from hedged()
    yield from risked()
    yield from quoted()
    yield from audited()
