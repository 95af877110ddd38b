"""Finance: option books under a loss scale, averaged portfolios, desks in two processes, thawing scores, traders."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

BOOK = Draft(
    "option-book",
    """\
import torch
from torch.amp import GradScaler, autocast
from torch.nn.utils import clip_grad_norm_

torch.manual_seed(90)
LEGS, SPOT = 2, torch.Generator().manual_seed(6)
pricer = torch.nn.Sequential(torch.nn.Linear(3, 8), torch.nn.Tanh(), torch.nn.Linear(8, 1))
hedge = torch.nn.Linear(3, 1)
prices = torch.optim.SGD(pricer.parameters(), lr=0.2)
hedges = torch.optim.SGD(hedge.parameters(), lr=0.1)
scaler = GradScaler("cpu", init_scale=1024.0, growth_interval=2)


def main():
    paid = 0.0
    for day in range(8):
        terms = torch.rand(6, 3, generator=SPOT)
        payoff = (terms.sum(1, keepdim=True) - 1.2).clamp(min=0)
        with autocast("cpu", dtype=torch.float16):
            quote = pricer(terms)
            residue = payoff - quote.detach() - hedge(terms)
            price_loss = (quote.float() - payoff).square().mean()
            hedge_loss = residue.float().abs().mean()
        scaler.scale(price_loss / LEGS).backward()
        scaler.scale(hedge_loss / LEGS).backward()
        paid += price_loss.item()
        if day % LEGS == LEGS - 1:
            scaler.unscale_(prices)
            scaler.unscale_(hedges)
            clip_grad_norm_(pricer.parameters(), 0.1)
            clip_grad_norm_(hedge.parameters(), 0.1)
            scaler.step(prices)
            scaler.step(hedges)
            scaler.update()
            prices.zero_grad()
            hedges.zero_grad()
    print(f"{paid:.3f} {scaler.get_scale():.0f}")
    return pricer, hedge
""",
    ("missing-scaler-update", "clip-scaled-gradients"),
)

B_TAKE = "            scaler.unscale_(prices)\n"
B_TAKE_H = "            scaler.unscale_(hedges)\n"
B_STEPS = "            scaler.step(prices)\n            scaler.step(hedges)\n            scaler.update()\n"
B_CLIPS = (
    "            clip_grad_norm_(pricer.parameters(), 0.1)\n            clip_grad_norm_(hedge.parameters(), 0.1)\n"
)
B_NO_CLIP = ("            clip_grad_norm_(hedge.parameters(), 0.1)\n", "")


def book() -> Iterator[Case]:
    yield BOOK.right("as-it-is")
    yield BOOK.right(
        "bounds-in-units-of-the-scale",
        (B_TAKE + B_TAKE_H, ""),
        (B_CLIPS, B_CLIPS.replace("0.1)", "0.1 * scaler.get_scale())")),
        tempts=("clip-scaled-gradients",),
    )
    yield BOOK.right(
        "hedge-without-a-scale",
        ("scaler.scale(hedge_loss / LEGS)", "(hedge_loss / LEGS)"),
        (B_TAKE_H, ""),
        ("            scaler.step(hedges)\n", "            hedges.step()\n"),
        tempts=("step-bypasses-scaler", "unscaled-backward"),
    )
    yield BOOK.wrong("hedge-clipped-with-its-scale", ((B_TAKE_H, ""),), tempts=("clip-scaled-gradients",))
    yield BOOK.wrong(
        "updated-between-the-two",
        ((B_STEPS, "            scaler.step(prices)\n            scaler.update()\n            scaler.step(hedges)\n"),),
        tempts=("missing-scaler-update",),
        raises="RuntimeError",
    )
    yield BOOK.wrong(
        "hedge-steps-plainly-unclipped",
        ((B_TAKE_H, ""), B_NO_CLIP, ("scaler.step(hedges)", "hedges.step()")),
        fine=(((B_TAKE_H, ""), B_NO_CLIP),),
        tempts=("step-bypasses-scaler",),
    )
    yield BOOK.wrong(
        "hedge-goes-back-unscaled",
        (("scaler.scale(hedge_loss / LEGS)", "(hedge_loss / LEGS)"),),
        tempts=("unscaled-backward",),
    )
    yield BOOK.wrong("taken-twice", ((B_CLIPS, B_CLIPS + B_TAKE),), tempts=("double-unscale",), raises="RuntimeError")


AVERAGED = Draft(
    "portfolio-with-a-shadow",
    """\
import copy
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn

torch.set_default_dtype(torch.float64)


@dataclass
class Plan:
    window: int = 4
    warm: int = 3
    decay: float = 0.8
    months: int = 11
    years: int = 2
    seen: list[float] = field(default_factory=list)

    def rate(self, updates: int) -> float:
        return min(1.0, (updates + 1) / self.warm)


def market(year: int, months: int) -> list[Tensor]:
    rng = torch.Generator().manual_seed(1900 + year)
    return [0.05 * torch.randn(12, 5, generator=rng) for _ in range(months)]


def follow(shadow: nn.Module, net: nn.Module, decay: float) -> None:
    with torch.no_grad():
        for slow, fast in zip(shadow.parameters(), net.parameters(), strict=True):
            slow.lerp_(fast, 1 - decay)


def main() -> tuple[nn.Module, nn.Module]:
    plan = Plan()
    torch.manual_seed(33)
    net = nn.Sequential(nn.Linear(5, 8), nn.Tanh(), nn.Linear(8, 5), nn.Softmax(-1))
    shadow = copy.deepcopy(net).requires_grad_(False)
    optimizer = torch.optim.SGD(net.parameters(), lr=2.0, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, plan.rate)
    for year in range(plan.years):
        months = market(year, plan.months)
        for i, returns in enumerate(months):
            gain = (net(returns) * returns.roll(-1, 0)).sum(-1)
            loss = gain.var() - gain.mean()
            (loss / plan.window).backward()
            if (i + 1) % plan.window == 0 or (i + 1) == len(months):
                optimizer.step()
                follow(shadow, net, plan.decay)
                plan.seen.append(scheduler.get_last_lr()[0])
                scheduler.step()
                optimizer.zero_grad()
    print([round(rate, 4) for rate in plan.seen])
    return net, shadow
""",
    ("dropped-accumulation-tail", "accumulation-off-by-one", "zero-grad-in-accumulation", "scheduler-before-optimizer"),
)

A_GUARD = "            if (i + 1) % plan.window == 0 or (i + 1) == len(months):\n"
A_BARE = (A_GUARD, "            if (i + 1) % plan.window == 0:\n")
A_STEP = "                optimizer.step()\n"
A_FOLLOW = "                follow(shadow, net, plan.decay)\n"
A_SEEN = "                plan.seen.append(scheduler.get_last_lr()[0])\n"
A_SCHED = "                scheduler.step()\n"
A_ALL = A_STEP + A_FOLLOW + A_SEEN + A_SCHED
A_CLEAR = "                optimizer.zero_grad()\n"


def averaged() -> Iterator[Case]:
    yield AVERAGED.right("as-it-is")
    yield AVERAGED.right("rest-of-the-year-is-cleared", A_BARE, (A_CLEAR, A_CLEAR + "        net.zero_grad()\n"))
    yield AVERAGED.right(
        "months-counted-over-the-years",
        ("    for year in", "    i = 0\n    for year in"),
        ("for i, returns in enumerate(months):", "for returns in months:"),
        (A_GUARD, "            i += 1\n            if i % plan.window == 0:\n"),
    )
    yield AVERAGED.wrong(
        "rate-moves-before-it-is-written-down",
        ((A_ALL, A_SCHED + A_STEP + A_FOLLOW + A_SEEN),),
        fine=(((A_ALL, A_STEP + A_SCHED + A_FOLLOW + A_SEEN),),),
    )
    yield AVERAGED.wrong(
        "first-window-is-longer",
        ((A_GUARD, "            if i > 0 and i % plan.window == 0 or (i + 1) == len(months):\n"),),
    )
    yield AVERAGED.wrong(
        "cleared-behind-the-backward",
        ((A_CLEAR, ""), ("            (loss / plan", "            optimizer.zero_grad()\n            (loss / plan")),
    )
    yield AVERAGED.wrong("divided-by-the-months", (("(loss / plan.window)", "(loss / len(months))"),))
    yield AVERAGED.wrong(
        "rest-leaks-into-the-next-year", (A_BARE,), fine=((A_BARE, (A_CLEAR, A_CLEAR + "        net.zero_grad()\n")),)
    )


DESKS = Draft(
    "two-desks",
    """\
from contextlib import ExitStack

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def quotes(desk, count=10):
    rng = torch.Generator().manual_seed(40 + desk)
    for _ in range(count):
        book = torch.randn(3, 4, generator=rng)
        yield book, book.max(1, keepdim=True).values


def main(window=4):
    dist.init_process_group("gloo")
    torch.manual_seed(1)
    desk = DistributedDataParallel(torch.nn.Sequential(torch.nn.Linear(4, 6), torch.nn.SiLU(), torch.nn.Linear(6, 1)))
    optimizer = torch.optim.SGD(desk.parameters(), lr=0.2)
    for evening in range(2):
        pending, spread = 0, 0.0
        for n, (book, best) in enumerate(quotes(dist.get_rank() + 2 * evening), start=1):
            last = n % window == 0 or n == 10
            with ExitStack() as stack:
                if not last:
                    stack.enter_context(desk.no_sync())
                loss = torch.nn.functional.huber_loss(desk(book), best)
                (loss / window).backward()
            spread += loss.item()
            pending += 1
            if last:
                if pending < window:
                    for weight in desk.parameters():
                        weight.grad.mul_(window / pending)
                torch.nn.utils.clip_grad_norm_(desk.parameters(), 0.3)
                optimizer.step()
                optimizer.zero_grad()
                pending = 0
        print(f"{evening}: {spread:.4f}")
    return desk
""",
    ("missing-no-sync", "step-without-sync"),
    ranks=2,
)

D_LOSS = "                loss = torch.nn.functional.huber_loss(desk(book), best)\n"
D_STACK = """\
            with ExitStack() as stack:
                if not last:
                    stack.enter_context(desk.no_sync())
"""
D_BACK = "                (loss / window).backward()\n"
D_CLIP = "                torch.nn.utils.clip_grad_norm_(desk.parameters(), 0.3)\n"


def desks() -> Iterator[Case]:
    yield DESKS.right("as-it-is")
    yield DESKS.right(
        "clipped-alone-then-averaged",
        (D_STACK, "            with desk.no_sync():\n"),
        (
            D_CLIP,
            D_CLIP
            + "                for weight in desk.parameters():\n                    dist.all_reduce(weight.grad)\n"
            "                    weight.grad /= 2\n",
        ),
        ("from contextlib import ExitStack\n\n", ""),
        tempts=("step-without-sync",),
    )
    yield DESKS.wrong(
        "forward-in-front-of-the-stack",
        ((D_STACK + D_LOSS, D_LOSS[4:] + D_STACK),),
        tempts=("forward-outside-no-sync",),
    )
    yield DESKS.wrong("rest-is-held-back", (("if not last:", "if n % window:"),), tempts=("step-without-sync",))
    yield DESKS.wrong(
        "each-quote-is-told",
        ((D_STACK + D_LOSS + D_BACK, D_LOSS[4:] + D_BACK[4:]), ("from contextlib import ExitStack\n\n", "")),
        tempts=("missing-no-sync",),
    )
    yield DESKS.left(
        "past-the-wrapper", (("huber_loss(desk(book)", "huber_loss(desk.module(book)"),), tempts=("step-without-sync",)
    )


SCORES = Draft(
    "score-that-thaws",
    """\
import itertools

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


class Score(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Linear(5, 7), nn.BatchNorm1d(7), nn.ReLU())
        self.head = nn.Linear(7, 2)

    def forward(self, x):
        return self.head(self.stem(x))


def applicants(wave):
    rng = torch.Generator().manual_seed(wave)
    for _ in range(5):
        x = torch.randn(6, 5, generator=rng)
        yield x, (x[:, 0] * x[:, 1] > 0).long()


def main():
    torch.manual_seed(14)
    score = Score()
    for weight in score.stem.parameters():
        weight.requires_grad = False
    held = [weight for weight in score.parameters() if weight.requires_grad]
    optimizer = torch.optim.SGD(held, lr=0.5)
    weigh = nn.CrossEntropyLoss()
    score.train()
    for wave in range(4):
        if wave == 2:
            for weight in score.stem.parameters():
                weight.requires_grad = True
            optimizer.add_param_group({"params": list(score.stem.parameters()), "lr": 0.1})
            held.extend(score.stem.parameters())
        score.stem.train(wave >= 2)
        for x, y in applicants(wave):
            optimizer.zero_grad()
            loss = weigh(score(x), y)
            loss.backward()
            nn.utils.clip_grad_norm_(held, 0.1)
            optimizer.step()
        score.eval()
        with torch.no_grad():
            wrong = sum((score(x).argmax(1) != y).sum().item() for x, y in applicants(99))
        score.train()
        print(wave, wrong)
    return score
""",
    ("clip-exhausted-parameters", "missing-train-mode", "clip-before-backward"),
)

S_HELD = "    held = [weight for weight in score.parameters() if weight.requires_grad]\n"
S_MORE = "            held.extend(score.stem.parameters())\n"
S_CLIP = "            nn.utils.clip_grad_norm_(held, 0.1)\n"
S_CHAIN = (
    (S_HELD, "    held = itertools.chain(score.head.parameters(), score.stem.parameters())\n"),
    (S_MORE, ""),
    ("torch.optim.SGD(held, lr=0.5)", "torch.optim.SGD(score.head.parameters(), lr=0.5)"),
)
S_LIST = (
    (S_HELD, "    held = list(itertools.chain(score.head.parameters(), score.stem.parameters()))\n"),
    *S_CHAIN[1:],
)


def scores() -> Iterator[Case]:
    yield SCORES.right("as-it-is")
    yield SCORES.right(
        "filter-made-anew-at-each-clip",
        (S_HELD, ""),
        (S_MORE, ""),
        ("torch.optim.SGD(held, lr=0.5)", "torch.optim.SGD(score.head.parameters(), lr=0.5)"),
        (S_CLIP, S_CLIP.replace("held", "filter(lambda w: w.requires_grad, score.parameters())")),
    )
    yield SCORES.right("stem-sleeps-on", ("        score.stem.train(wave >= 2)\n", "        score.stem.eval()\n"))
    yield SCORES.right("only-the-head-is-clipped", (S_MORE, ""))
    yield SCORES.wrong("chain-walked-by-the-first-clip", S_CHAIN, fine=(S_LIST,))
    yield SCORES.wrong(
        "filter-eaten-by-the-optimizer",
        ((S_HELD, "    held = filter(lambda weight: weight.requires_grad, score.parameters())\n"), (S_MORE, "")),
        fine=(((S_MORE, ""),),),
    )
    yield SCORES.wrong(
        "sleeps-from-the-second-wave-on", (("applicants(99))\n        score.train()\n", "applicants(99))\n"),)
    )
    yield SCORES.wrong(
        "clip-ahead-of-backward",
        (("            loss.backward()\n" + S_CLIP, S_CLIP + "            loss.backward()\n"),),
    )


TRADER = Draft(
    "trader-by-trial",
    """\
import torch
from torch import nn
from torch.distributions import Categorical

torch.set_default_dtype(torch.float64)


class Exchange:
    def __init__(self, seed):
        self.walk = torch.randn(12, 3, generator=torch.Generator().manual_seed(seed)).cumsum(0)

    def day(self, choices):
        for now, then in zip(self.walk, self.walk[1:]):
            order = yield now
            choices.append((order.item() - 1) * (then - now).mean().item())


class Trader:
    def __init__(self, turns=4, limit=0.02):
        self.policy = nn.Sequential(nn.Linear(3, 10), nn.Tanh(), nn.Linear(10, 3))
        self.value = nn.Linear(3, 1)
        self.opt = torch.optim.Adam(self.policy.parameters(), lr=0.03)
        self.opt_v = torch.optim.SGD(self.value.parameters(), lr=0.05)
        self.turns, self.limit = turns, limit

    @torch.no_grad()
    def act(self, exchange):
        gains, states, orders = [], [], []
        day = exchange.day(gains)
        state = next(day)
        while state is not None:
            order = Categorical(logits=self.policy(state)).sample()
            states.append(state)
            orders.append(order)
            try:
                state = day.send(order)
            except StopIteration:
                state = None
        return torch.stack(states), torch.stack(orders), torch.tensor(gains).flip(0).cumsum(0).flip(0)

    def learn(self, states, orders, returns):
        with torch.no_grad():
            before = Categorical(logits=self.policy(states)).log_prob(orders)
            edge = returns - self.value(states).squeeze(1)
        for turn in range(self.turns):
            ratio = (Categorical(logits=self.policy(states)).log_prob(orders) - before).exp()
            if (ratio - 1 - ratio.log()).mean().item() > self.limit:
                break
            self.opt.zero_grad()
            (-torch.min(ratio * edge, ratio.clamp(0.8, 1.2) * edge).mean()).backward()
            nn.utils.clip_grad_norm_(self.policy.parameters(), 0.5)
            self.opt.step()
        else:
            self.limit *= 0.9
        self.opt_v.zero_grad()
        (self.value(states).squeeze(1) - returns).square().mean().backward()
        nn.utils.clip_grad_norm_(self.value.parameters(), 0.5)
        self.opt_v.step()
        return turn


def main():
    torch.manual_seed(8)
    trader = Trader()
    for seed in range(4):
        turns = trader.learn(*trader.act(Exchange(seed)))
        print(seed, turns, round(trader.limit, 5))
    return trader.policy, trader.value
""",
    ("missing-zero-grad", "clip-after-step"),
)

P_CLEAR = "            self.opt.zero_grad()\n"
P_CLIP = "            nn.utils.clip_grad_norm_(self.policy.parameters(), 0.5)\n"
P_BACK = "            (-torch.min(ratio * edge, ratio.clamp(0.8, 1.2) * edge).mean()).backward()\n"
Q_CLEAR = "        self.opt_v.zero_grad()\n"
Q_CLIP = "        nn.utils.clip_grad_norm_(self.value.parameters(), 0.5)\n"


def trader() -> Iterator[Case]:
    yield TRADER.right("as-it-is")
    yield TRADER.right(
        "cleared-in-front-of-the-break",
        (P_CLEAR, ""),
        ("            ratio = (Cat", P_CLEAR + "            ratio = (Cat"),
    )
    yield TRADER.wrong("policy-never-cleared", ((P_CLEAR, ""),))
    yield TRADER.wrong(
        "cleared-behind-the-backward", ((P_CLEAR + P_BACK, P_BACK + P_CLEAR),), tempts=("zero-grad-before-step",)
    )
    yield TRADER.wrong(
        "clips-behind-both-steps",
        ((P_CLIP + "            self.opt.step()\n", "            self.opt.step()\n" + P_CLIP),),
        ((Q_CLIP + "        self.opt_v.step()\n", "        self.opt_v.step()\n" + Q_CLIP),),
    )
    yield TRADER.wrong(
        "cleared-once-a-day",
        ((P_CLEAR, ""), ("        for turn in", "        self.opt.zero_grad()\n        for turn in")),
    )


def cases() -> Iterator[Case]:
    yield from book()
    yield from averaged()
    yield from desks()
    yield from scores()
    yield from trader()
