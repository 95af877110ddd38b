"""Markets: a buyer who haggles, spices on a scale, crates of sheets, permits that thaw, and an auction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

HAGGLE = Draft(
    "haggling-buyer",
    """\
import torch
from torch import nn
from torch.distributions import Categorical

torch.set_default_dtype(torch.float64)


class Stall:
    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)

    def open(self):
        self.left = 4
        self.mood = torch.rand(3, generator=self.gen)
        return self.mood

    def offer(self, bid):
        gain = float(self.mood[bid]) - 0.3
        self.left -= 1
        self.mood = torch.rand(3, generator=self.gen)
        return self.mood, gain, self.left == 0


def returns_of(gains, discount=0.9):
    total, found = 0.0, []
    for gain in reversed(gains):
        total = gain + discount * total
        found.append(total)
    return torch.tensor(found[::-1])


def main(deals=9, batch=3):
    torch.manual_seed(1)
    buyer = nn.Sequential(nn.Linear(3, 6), nn.Tanh(), nn.Linear(6, 3))
    worth = nn.Linear(3, 1)
    opt_b = torch.optim.SGD(buyer.parameters(), lr=0.5)
    opt_w = torch.optim.SGD(worth.parameters(), lr=0.2)
    updates = deals // batch
    cool = torch.optim.lr_scheduler.LinearLR(opt_b, 1.0, 0.1, total_iters=updates)
    stall, takings, regrets = Stall(4), 0.0, []
    for deal in range(deals):
        mood, done = stall.open(), False
        seen, logs, gains = [], [], []
        while not done:
            dist = Categorical(logits=buyer(mood))
            bid = dist.sample()
            seen.append(mood)
            logs.append(dist.log_prob(bid))
            mood, gain, done = stall.offer(bid)
            gains.append(gain)
        gains = returns_of(gains)
        opt_w.zero_grad()
        guess = worth(torch.stack(seen)).squeeze(1)
        nn.functional.mse_loss(guess, gains).backward()
        opt_w.step()
        takings += gains[0].item()
        loss = -(torch.stack(logs) * (gains - guess.detach())).mean()
        (loss / batch).backward()
        regrets.append(loss.item())
        if (deal + 1) % batch == 0:
            nn.utils.clip_grad_norm_(buyer.parameters(), 0.05)
            opt_b.step()
            cool.step()
            opt_b.zero_grad()
    print(f"{takings / deals:.4f} {sum(regrets) / deals:.4f}")
    return buyer, worth
""",
    ("zero-grad-in-accumulation", "loss-graph-leak"),
)

H_CLIP = "            nn.utils.clip_grad_norm_(buyer.parameters(), 0.05)\n"
H_STEP = "            opt_b.step()\n"
H_COOL = "            cool.step()\n"
H_WIPE = "            opt_b.zero_grad()\n"
H_BACK = "        (loss / batch).backward()\n"
H_WORTH = "        opt_w.zero_grad()\n"


def haggling() -> Iterator[Case]:
    yield HAGGLE.right("as-it-is")
    yield HAGGLE.right(
        "one-backward-for-three-deals",
        ("Stall(4), 0.0, []\n", "Stall(4), 0.0, []\n    pooled = []\n"),
        (H_BACK, "        pooled.append(loss)\n"),
        (H_CLIP, "            torch.stack(pooled).mean().backward()\n            pooled.clear()\n" + H_CLIP),
    )
    yield HAGGLE.right(
        "sum-over-a-deal",
        ("guess.detach())).mean()", "guess.detach())).sum()"),
        (H_BACK, "        loss.backward()\n"),
        tempts=("unscaled-accumulation-loss",),
    )
    yield HAGGLE.wrong(
        "both-wiped-with-each-deal",
        ((H_WORTH, H_WORTH + "        opt_b.zero_grad()\n"), (H_COOL + H_WIPE, H_COOL)),
        tempts=("zero-grad-in-accumulation",),
    )
    yield HAGGLE.wrong("regrets-with-graphs", (("loss.item()", "loss"),), tempts=("loss-graph-leak",))
    yield HAGGLE.wrong(
        "cools-with-each-deal",
        ((H_STEP + H_COOL + H_WIPE, H_STEP + H_WIPE + "        cool.step()\n"),),
        tempts=("scheduler-per-micro-batch",),
    )
    yield HAGGLE.wrong(
        "clipped-with-each-deal",
        ((H_CLIP, ""), (H_BACK, H_BACK + "        nn.utils.clip_grad_norm_(buyer.parameters(), 0.05)\n")),
        (("(deal + 1) % batch", "deal % batch"),),
        tempts=("clip-per-micro-batch", "accumulation-off-by-one"),
    )


SPICES = Draft(
    "spices-on-a-scale",
    """\
import torch
from torch import nn


def weighings(day, count=6):
    gen = torch.Generator().manual_seed(day)
    for number in range(count):
        spice = torch.randn(4, 3, generator=gen)
        if (day, number) == (1, 2):
            spice = spice * 1e30
        yield spice, spice.clamp(-1, 1).sum(1, keepdim=True)


def main():
    torch.manual_seed(3)
    net = nn.Sequential(nn.Linear(3, 6), nn.ReLU(), nn.Linear(6, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.5)
    scaler = torch.amp.GradScaler("cpu", init_scale=256.0, growth_interval=4)
    for day in range(2):
        norms = []
        for spice, weight in weighings(day):
            opt.zero_grad()
            loss = nn.functional.mse_loss(net(spice), weight)
            scaler.scale(loss).backward()
            scaler.unscale_(opt)
            norm = nn.utils.clip_grad_norm_(net.parameters(), 0.5)
            norms.append(norm.item())
            scaler.step(opt)
            scaler.update()
        print(day, *(f"{norm:.3f}" for norm in norms))
    return net
""",
    ("clip-scaled-gradients", "step-bypasses-scaler"),
)

S_UNSCALE = "            scaler.unscale_(opt)\n"
S_CLIP = "            norm = nn.utils.clip_grad_norm_(net.parameters(), 0.5)\n"
S_NOTE = "            norms.append(norm.item())\n"
S_STEP = "            scaler.step(opt)\n"
S_UPDATE = "            scaler.update()\n"
S_WIPE = "            opt.zero_grad()\n"


def spices() -> Iterator[Case]:
    yield SPICES.right("as-it-is")
    yield SPICES.right(
        "limit-times-the-scale",
        (S_UNSCALE, "            scale = scaler.get_scale()\n"),
        ("net.parameters(), 0.5)", "net.parameters(), 0.5 * scale) / scale"),
    )
    yield SPICES.right(
        "asks-before-it-steps",
        (S_STEP, "            if torch.isfinite(norm):\n                scaler.step(opt)\n"),
        tempts=("missing-scaler-update",),
    )
    yield SPICES.right(
        "norm-is-only-measured", (S_UNSCALE, ""), ("net.parameters(), 0.5)", 'net.parameters(), float("inf"))')
    )
    yield SPICES.wrong("scaled-norm-is-clipped", ((S_UNSCALE, ""),), tempts=("clip-scaled-gradients",))
    yield SPICES.wrong(
        "unscaled-behind-the-clip", ((S_UNSCALE + S_CLIP, S_CLIP + S_UNSCALE),), tempts=("clip-scaled-gradients",)
    )
    yield SPICES.wrong(
        "unscaled-again-for-the-log", ((S_NOTE, S_UNSCALE + S_NOTE),), tempts=("double-unscale",), raises="RuntimeError"
    )
    yield SPICES.wrong("past-the-scaler", ((S_STEP, "            opt.step()\n"),), tempts=("step-bypasses-scaler",))
    yield SPICES.wrong(
        "update-is-skipped-too",
        ((S_STEP + S_UPDATE, "            if torch.isfinite(norm):\n    " + S_STEP + "    " + S_UPDATE),),
        tempts=("missing-scaler-update",),
        raises="RuntimeError",
    )
    yield SPICES.wrong(
        "never-scaled",
        (("scaler.scale(loss).backward()", "loss.backward()"),),
        tempts=("unscaled-backward",),
        raises="AssertionError",
    )
    yield SPICES.wrong(
        "wiped-ahead-of-the-scaler", ((S_WIPE, ""), (S_NOTE, S_NOTE + S_WIPE)), tempts=("zero-grad-before-step",)
    )


CRATES = Draft(
    "crates-of-price-sheets",
    """\
import torch
from torch.nn import functional as F

torch.set_default_dtype(torch.float64)


def crates(sheets, size):
    crate = []
    for sheet in sheets:
        crate.append(sheet)
        if len(crate) == size:
            yield crate
            crate = []
    if crate:
        yield crate


def week(net, opt, sheets, size):
    total = torch.zeros(())
    for crate in crates(sheets, size):
        opt.zero_grad()
        for goods, price in crate:
            loss = F.huber_loss(net(goods), price)
            (loss / len(crate)).backward()
            total += loss.detach()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.5)
        opt.step()
    return total / len(sheets)


def main():
    torch.manual_seed(14)
    net = torch.nn.Sequential(torch.nn.Linear(4, 6), torch.nn.GELU(), torch.nn.Linear(6, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.5)
    rate = torch.optim.lr_scheduler.MultiStepLR(opt, milestones=[1, 3], gamma=0.3)
    goods = [torch.randn(3, 4) * (0.2 + n % 5) for n in range(8)]
    sheets = [(one, one.abs().sum(1, keepdim=True)) for one in goods]
    for number in range(4):
        mean = week(net, opt, sheets, 3)
        rate.step()
        print(f"week {number}: {mean.item():.4f}")
    return net
""",
    ("unscaled-accumulation-loss", "dropped-accumulation-tail"),
)

C_WIPE = "        opt.zero_grad()\n"
C_CLIP = "        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.5)\n"
C_STEP = "        opt.step()\n"
C_SEEN = "            total += loss.detach()\n"


def price_sheets() -> Iterator[Case]:
    yield CRATES.right("as-it-is")
    yield CRATES.right(
        "short-crate-by-the-full-size", ("/ len(crate)", "/ size"), tempts=("accumulation-divisor-mismatch",)
    )
    yield CRATES.right(
        "whole-crate-at-once",
        (C_WIPE, C_WIPE + "        held = 0\n"),
        ("            (loss / len(crate)).backward()\n", "            held = held + loss / len(crate)\n"),
        (C_CLIP, "        held.backward()\n" + C_CLIP),
        tempts=("loss-graph-leak",),
    )
    yield CRATES.wrong("sum-of-sheets", (("(loss / len(crate))", "loss"),), tempts=("unscaled-accumulation-loss",))
    yield CRATES.wrong(
        "wiped-with-each-sheet",
        ((C_WIPE, ""), ("            loss = F", "            opt.zero_grad()\n            loss = F")),
        tempts=("zero-grad-in-accumulation",),
    )
    yield CRATES.wrong(
        "clipped-with-each-sheet", ((C_SEEN + C_CLIP, C_SEEN + "    " + C_CLIP),), tempts=("clip-per-micro-batch",)
    )
    yield CRATES.wrong(
        "clipped-ahead-of-the-sheets", ((C_CLIP, ""), (C_WIPE, C_WIPE + C_CLIP)), tempts=("clip-before-backward",)
    )
    yield CRATES.wrong(
        "rate-falls-a-week-early",
        (
            (
                "        mean = week(net, opt, sheets, 3)\n        rate.step()\n",
                "        rate.step()\n        mean = week(net, opt, sheets, 3)\n",
            ),
        ),
        tempts=("scheduler-before-optimizer",),
    )


PERMITS = Draft(
    "permits-that-thaw",
    """\
import argparse

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


class Clerk(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(4, 6), nn.Dropout(0.3), nn.Tanh())
        self.head = nn.Linear(6, 3)

    def forward(self, form):
        return self.head(self.trunk(form))


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--thaw", type=int, default=2)
    parser.add_argument("--lr", type=float, default=0.5)
    parser.add_argument("--clip", type=float, default=0.1)
    return parser.parse_args([])


def check(clerk, forms, stamps):
    clerk.eval()
    with torch.no_grad():
        right = [(clerk(form).argmax(1) == stamp).double().mean() for form, stamp in zip(forms, stamps)]
    return torch.stack(right).mean().item()


def main():
    args = options()
    torch.manual_seed(20)
    clerk = Clerk()
    clerk.trunk.requires_grad_(False)
    weights = [p for p in clerk.parameters() if p.requires_grad]
    opt = torch.optim.SGD(weights, lr=args.lr)
    forms = torch.randn(20, 4).split(5)
    stamps = [form[:, :3].argmax(1) for form in forms]
    for epoch in range(4):
        clerk.train()
        if epoch == args.thaw:
            clerk.trunk.requires_grad_(True)
            opt.add_param_group({"params": clerk.trunk.parameters(), "lr": args.lr / 2})
        for form, stamp in zip(forms, stamps):
            loss = nn.functional.cross_entropy(clerk(form), stamp)
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_([p for p in clerk.parameters() if p.requires_grad], args.clip)
            opt.step()
        print(f"{epoch}: {check(clerk, forms, stamps):.2f}")
    return clerk
""",
    ("clip-exhausted-parameters", "missing-train-mode"),
)

K_LIST = "    weights = [p for p in clerk.parameters() if p.requires_grad]\n"
K_ANEW = "([p for p in clerk.parameters() if p.requires_grad], args.clip)"
K_FILTER = "    weights = filter(lambda p: p.requires_grad, clerk.parameters())\n"
K_THAW = """\
        if epoch == args.thaw:
            clerk.trunk.requires_grad_(True)
            opt.add_param_group({"params": clerk.trunk.parameters(), "lr": args.lr / 2})
"""


def permits() -> Iterator[Case]:
    yield PERMITS.right("as-it-is")
    yield PERMITS.right("only-the-head-is-clipped", (K_ANEW, "(weights, args.clip)"))
    yield PERMITS.right("filtered-for-the-optimizer-only", (K_LIST, K_FILTER))
    yield PERMITS.right(
        "trunk-stays-asleep",
        ("        clerk.train()\n", "        clerk.train()\n        clerk.trunk.eval()\n"),
        tempts=("missing-train-mode",),
    )
    yield PERMITS.wrong(
        "filter-walked-by-the-optimizer",
        ((K_LIST, K_FILTER), (K_ANEW, "(weights, args.clip)")),
        tempts=("clip-exhausted-parameters",),
    )
    yield PERMITS.styled((K_THAW, "")).wrong(
        "never-thaws-and-walked",
        ((K_LIST, K_FILTER), (K_ANEW, "(weights, args.clip)")),
        tempts=("clip-exhausted-parameters",),
    )
    yield PERMITS.wrong("checked-and-never-woken", (("        clerk.train()\n", ""),), tempts=("missing-train-mode",))
    yield PERMITS.wrong(
        "checked-with-graphs",
        (("    with torch.no_grad():\n        right = ", "    right = "),),
        tempts=("validation-without-no-grad",),
    )


AUCTION = Draft(
    "auction-with-listeners",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


class Cap:
    def __init__(self, limit):
        self.limit = limit

    def before_step(self, sale):
        nn.utils.clip_grad_norm_(sale.net.parameters(), self.limit)


class Sweep:
    def after_step(self, sale):
        sale.opt.zero_grad()


class Cooling:
    def __init__(self, opt):
        self.plan = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=3)

    def after_day(self, sale):
        self.plan.step()


class Auction:
    def __init__(self, net, opt, listeners):
        self.net, self.opt, self.listeners = net, opt, listeners

    def tell(self, event):
        for listener in self.listeners:
            if hear := getattr(listener, event, None):
                hear(self)

    def day(self, lots):
        for lot, bid in lots:
            nn.functional.mse_loss(self.net(lot), bid).backward()
            self.tell("before_step")
            self.opt.step()
            self.tell("after_step")
        self.tell("after_day")


def main():
    torch.manual_seed(33)
    net = nn.Sequential(nn.Linear(3, 5), nn.ELU(), nn.Linear(5, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.3)
    sale = Auction(net, opt, [Cap(0.3), Sweep(), Cooling(opt)])
    lots = [(lot, lot.norm(dim=1, keepdim=True)) for lot in torch.randn(5, 4, 3)]
    for _ in range(3):
        sale.day(lots)
    return net
""",
    ("clip-after-step", "missing-zero-grad"),
)

A_CAP = "    def before_step(self, sale):\n        nn"
A_SWEEP = "    def after_step(self, sale):\n        sale.opt.zero_grad()"


def auction() -> Iterator[Case]:
    yield AUCTION.right("as-it-is")
    yield AUCTION.right(
        "order-of-listeners", ("[Cap(0.3), Sweep(), Cooling(opt)]", "[Sweep(), Cooling(opt), Cap(0.3)]")
    )
    yield AUCTION.right(
        "swept-at-the-head",
        (A_SWEEP, A_SWEEP.replace("after_step", "after_day")),
        ("            nn.functional.mse_loss", "            self.opt.zero_grad()\n            nn.functional.mse_loss"),
    )
    yield AUCTION.wrong(
        "cap-listens-too-late", ((A_CAP, A_CAP.replace("before", "after")),), tempts=("clip-after-step",)
    )
    yield AUCTION.wrong(
        "swept-once-a-day", ((A_SWEEP, A_SWEEP.replace("after_step", "after_day")),), tempts=("missing-zero-grad",)
    )
    yield AUCTION.wrong(
        "swept-too-soon", ((A_SWEEP, A_SWEEP.replace("after_step", "before_step")),), tempts=("zero-grad-before-step",)
    )
    yield AUCTION.wrong(
        "sweeps-in-name-only", (("sale.opt.zero_grad()", "sale.opt.zero_grad"),), tempts=("method-not-called",)
    )


def cases() -> Iterator[Case]:
    yield from haggling()
    yield from spices()
    yield from price_sheets()
    yield from permits()
    yield from auction()
