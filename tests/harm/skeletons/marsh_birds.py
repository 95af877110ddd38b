"""Marshes: flat cells, two tempos, catches that are skipped, listeners with a shadow, and closures of several parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

HERON = Draft(
    "heron-census",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)
torch.manual_seed(31)

pools = torch.rand(22, 3)
herons = (4 * pools).cos().sum(1, keepdim=True)
net = nn.Sequential(nn.Linear(3, 9), nn.Tanh(), nn.Linear(9, 1))
opt = torch.optim.AdamW(net.parameters(), lr=0.02, weight_decay=0.1)
warm = torch.optim.lr_scheduler.LambdaLR(opt, lambda n: min(1.0, (n + 1) / 4))
BY = 4
trail = []

for night in range(3):
    for at, rows in enumerate(torch.randperm(22).split(4)):
        miss = (net(pools[rows]) - herons[rows]).pow(2).mean()
        (miss / BY).backward()
        trail.append(miss.detach())
        if at % BY == BY - 1:
            norm = nn.utils.clip_grad_norm_(net.parameters(), 0.3)
            opt.step()
            warm.step()
            opt.zero_grad()
    else:
        if (at + 1) % BY:
            nn.utils.clip_grad_norm_(net.parameters(), 0.3)
            opt.step()
            opt.zero_grad()
    print(f"{night}: {norm.item():.4f} {float(sum(trail)) / len(trail):.4f}")


def main():
    return net
""",
    ("dropped-accumulation-tail", "unscaled-accumulation-loss"),
)
H_GUARD = "        if at % BY == BY - 1:\n"
H_CLIP = "            norm = nn.utils.clip_grad_norm_(net.parameters(), 0.3)\n"
H_STEP = "            opt.step()\n            warm.step()\n"
H_ELSE = """\
    else:
        if (at + 1) % BY:
            nn.utils.clip_grad_norm_(net.parameters(), 0.3)
            opt.step()
            opt.zero_grad()
"""


def heron() -> Iterator[Case]:
    yield HERON.right("flushed-by-else-of-the-loop")
    yield HERON.right(
        "windows-reach-over-nights",
        (H_ELSE, ""),
        (H_GUARD, "        seen += 1\n        if seen % BY == 0:\n"),
        ("trail = []\n", "trail = []\nseen = 0\n"),
    )
    yield HERON.right("tail-is-thrown-away", (H_ELSE, "    opt.zero_grad()\n"))
    yield HERON.right("weighed-by-rows", ("(miss / BY)", "(miss * len(rows) / 16)"))
    yield HERON.wrong("undivided", (("(miss / BY).backward()", "miss.backward()"),))
    yield HERON.wrong(
        "first-window-of-one", ((H_GUARD, "        if at % BY == 0:\n"),), tempts=("accumulation-off-by-one",)
    )
    yield HERON.wrong(
        "rate-first",
        ((H_STEP, "            warm.step()\n            opt.step()\n"),),
        tempts=("scheduler-before-optimizer",),
    )
    yield HERON.wrong(
        "clip-last-and-graphs-kept",
        ((H_CLIP + H_STEP, H_STEP + H_CLIP),),
        (("miss.detach())", "miss)"),),
        tempts=("clip-after-step", "loss-graph-leak"),
    )
    yield HERON.wrong(
        "flush-clips-last",
        (
            (
                H_ELSE,
                H_ELSE.replace("            nn.utils.clip_grad_norm_(net.parameters(), 0.3)\n", "").replace(
                    "()\n            opt.zero",
                    "()\n            nn.utils.clip_grad_norm_(net.parameters(), 0.3)\n            opt.zero",
                ),
            ),
        ),
        tempts=("clip-after-step",),
    )


REEDS = Draft(
    "reed-cutters",
    """\
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils import clip_grad_norm_

torch.set_default_dtype(torch.float64)


class Cutters:
    def __init__(self, tempo=3):
        self.stem = nn.Sequential(nn.Linear(4, 6), nn.Tanh())
        self.blade = nn.Linear(6, 3)
        self.slow = torch.optim.SGD(self.stem.parameters(), lr=0.2, momentum=0.8)
        self.fast = torch.optim.Adam(self.blade.parameters(), lr=0.05)
        self.tempo = tempo
        self.turn = 0

    def cut(self, x, y):
        loss = F.cross_entropy(self.blade(self.stem(x)), y)
        loss.backward()
        clip_grad_norm_(self.blade.parameters(), 0.2)
        self.fast.step()
        self.fast.zero_grad()
        self.turn += 1
        if self.turn == self.tempo:
            self.rest()
        return loss.item()

    def rest(self):
        for p in self.stem.parameters():
            p.grad /= self.turn
        clip_grad_norm_(self.stem.parameters(), 0.1)
        self.slow.step()
        self.slow.zero_grad()
        self.turn = 0

    def season(self, seed, count=8):
        rng = torch.Generator().manual_seed(seed)
        rows = [torch.randn(5, 4, generator=rng) for _ in range(count)]
        total = sum(self.cut(x, x[:, :3].argmax(1)) for x in rows)
        if self.turn:
            self.rest()
        return total / count


def main():
    torch.manual_seed(2)
    cutters = Cutters()
    for seed in range(3):
        print(f"{cutters.season(seed):.5f}")
    return cutters.stem, cutters.blade
""",
    ("missing-zero-grad", "zero-grad-in-accumulation"),
)
R_DIVIDE = "        for p in self.stem.parameters():\n            p.grad /= self.turn\n"
R_FAST = "        self.fast.step()\n        self.fast.zero_grad()\n"
R_REST = "        if self.turn:\n            self.rest()\n"


def reeds() -> Iterator[Case]:
    yield REEDS.right("two-tempos")
    yield REEDS.right("blade-alone-is-cleared", (R_FAST, "        self.fast.step()\n        self.blade.zero_grad()\n"))
    yield REEDS.right(
        "stem-takes-the-sum", (R_DIVIDE, ""), ("lr=0.2,", "lr=0.2 / tempo,"), tempts=("unscaled-accumulation-loss",)
    )
    yield REEDS.right(
        "rest-is-given-up",
        (R_REST, "        if self.turn:\n            self.slow.zero_grad()\n            self.turn = 0\n"),
    )
    yield REEDS.right(
        "stem-remembers",
        ("        self.slow.zero_grad()\n", "        for p in self.stem.parameters():\n            p.grad.mul_(0.3)\n"),
    )
    yield REEDS.wrong("blade-is-never-cleared", ((R_FAST, "        self.fast.step()\n"),))
    yield REEDS.wrong("stem-is-never-cleared", (("        self.slow.zero_grad()\n", ""),))
    yield REEDS.wrong(
        "stem-is-cleared-with-each-cut",
        (("        loss.backward()\n", "        self.slow.zero_grad()\n        loss.backward()\n"),),
    )
    yield REEDS.wrong(
        "blade-is-cleared-too-early",
        ((R_FAST, "        self.fast.zero_grad()\n        self.fast.step()\n"),),
        tempts=("zero-grad-before-step",),
    )


EELS = Draft(
    "eel-traps",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def catches(night, count=8):
    rng = torch.Generator().manual_seed(night)
    for trap in range(count):
        x = torch.randn(4, 2, generator=rng)
        weight = x.abs().sum(1, keepdim=True)
        if (trap + night) % 5 == 2:
            weight[0] = float("nan")
        yield x, 3 * weight


def learn(net, opt, nights, size=3):
    held = 0
    for night in range(nights):
        for x, weight in catches(night):
            loss = nn.functional.smooth_l1_loss(net(x), weight)
            if not torch.isfinite(loss):
                continue
            (loss / size).backward()
            held += 1
            if held < size:
                continue
            norm = nn.utils.clip_grad_norm_(net.parameters(), 0.5)
            opt.step()
            opt.zero_grad()
            held = 0
            yield norm.item()


def main():
    torch.manual_seed(14)
    net = nn.Sequential(nn.Linear(2, 7), nn.ELU(), nn.Linear(7, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    for number, norm in enumerate(learn(net, opt, nights=4)):
        print(f"{number}: {norm:.4f}")
        if number == 6:
            break
    return net
""",
    ("accumulation-off-by-one", "dropped-accumulation-tail"),
)
E_SKIP = "            if not torch.isfinite(loss):\n                continue\n"
E_NORM = "            norm = nn.utils.clip_grad_norm_(net.parameters(), 0.5)\n"
E_GIVE = "    opt.zero_grad()\n                held = 0\n            "
E_STEP = "            opt.step()\n"
E_CLEAR = "            opt.zero_grad()\n"


def eels() -> Iterator[Case]:
    yield EELS.right("updates-are-yielded")
    yield EELS.right(
        "bad-trap-ends-the-window",
        (
            E_SKIP,
            E_SKIP.replace("    continue", "    opt.zero_grad()\n                held = 0\n                continue"),
        ),
        tempts=("zero-grad-in-accumulation",),
    )
    yield EELS.right(
        "steep-window-is-left-out",
        (
            E_NORM,
            E_NORM + E_SKIP.replace("not torch.isfinite(loss)", "norm > 2.2").replace("    cont", E_GIVE + "    cont"),
        ),
        tempts=("zero-grad-in-accumulation", "zero-grad-before-step"),
    )
    yield EELS.right(
        "bad-traps-count",
        ("            held += 1\n            if held", "            if held"),
        (E_SKIP, "            held += 1\n" + E_SKIP),
    )
    yield EELS.right(
        "flushed-behind-the-nights",
        (
            "            yield norm.item()\n",
            "            yield norm.item()\n    if held:\n        opt.step()\n        opt.zero_grad()\n",
        ),
        ("        if number == 6:\n            break\n", ""),
    )
    yield EELS.wrong("window-one-too-long", (("if held < size", "if held <= size"),))
    yield EELS.wrong(
        "undivided", (("(loss / size).backward()", "loss.backward()"),), tempts=("unscaled-accumulation-loss",)
    )
    yield EELS.wrong("clip-behind-step", ((E_NORM + E_STEP, E_STEP + E_NORM),), tempts=("clip-after-step",))
    yield EELS.wrong("never-cleared", ((E_STEP + E_CLEAR, E_STEP),), tempts=("missing-zero-grad",))
    yield EELS.wrong(
        "cleared-at-each-trap",
        (("            loss = nn", "            opt.zero_grad()\n            loss = nn"), (E_STEP + E_CLEAR, E_STEP)),
        tempts=("zero-grad-in-accumulation",),
    )


CALLS = Draft(
    "bittern-calls",
    """\
import copy

import torch
from torch import nn
from torch.nn import functional as F

torch.set_default_dtype(torch.float64)


class Ear(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 8)
        self.norm = nn.BatchNorm1d(8)
        self.drop = nn.Dropout(0.3)
        self.head = nn.Linear(8, 1)

    def forward(self, x):
        return self.head(self.drop(self.norm(self.body(x)).relu()))


class Shadow:
    def __init__(self, net):
        self.net = copy.deepcopy(net).eval().requires_grad_(False)

    def after_step(self, net):
        for kept, new in zip(self.net.state_dict().values(), net.state_dict().values()):
            kept.copy_(new if kept.dtype == torch.long else kept.lerp(new, 0.3))

    def after_epoch(self, net):
        pass


class Check:
    def __init__(self, held):
        self.held = held

    def after_step(self, net):
        pass

    def after_epoch(self, net):
        net.eval()
        with torch.no_grad():
            miss = sum(F.mse_loss(net(x), y).item() for x, y in self.held)
        net.train()
        print(f"held out: {miss:.4f}")


def rows(seed, count=5):
    rng = torch.Generator().manual_seed(seed)
    sounds = [torch.randn(6, 4, generator=rng) for _ in range(count)]
    return [(x, x.prod(1, keepdim=True)) for x in sounds]


def fit(net, opt, listeners):
    net.train()
    for epoch in range(3):
        running = 0.0
        for x, y in rows(epoch):
            opt.zero_grad()
            loss = F.mse_loss(net(x), y)
            loss.backward()
            opt.step()
            running = running + loss.detach()
            for listener in listeners:
                listener.after_step(net)
        print(f"{epoch}: {running.item() / 5:.4f}")
        for listener in listeners:
            listener.after_epoch(net)


def main():
    torch.manual_seed(6)
    net = Ear()
    shadow = Shadow(net)
    fit(net, torch.optim.Adam(net.parameters(), lr=0.05), [shadow, Check(rows(9))])
    return net, shadow.net
""",
    ("missing-train-mode", "validation-without-no-grad"),
)
C_EVAL = """\
        net.eval()
        with torch.no_grad():
            miss = sum(F.mse_loss(net(x), y).item() for x, y in self.held)
        net.train()
"""
C_BARE = C_EVAL.replace("        with torch.no_grad():\n            miss", "        miss")
C_HEAD = "    for epoch in range(3):\n"


def calls() -> Iterator[Case]:
    yield CALLS.right("listeners")
    yield CALLS.right(
        "mode-is-put-back", (C_EVAL, "        was = net.training\n" + C_EVAL.replace("train()", "train(was)"))
    )
    yield CALLS.right("dropout-is-sampled", (C_EVAL, C_EVAL.replace("net.eval()", "net.norm.eval()")))
    yield CALLS.right(
        "norm-sleeps", ("    net.train()\n" + C_HEAD, C_HEAD + "        net.train()\n        net.norm.eval()\n")
    )
    yield CALLS.wrong("stays-asleep", ((C_EVAL, C_EVAL.replace("        net.train()\n", "")),))
    yield CALLS.wrong("graphs-for-nothing", ((C_EVAL, C_BARE),))
    yield CALLS.wrong(
        "eval-is-only-named", ((C_EVAL, C_EVAL.replace("net.eval()", "net.eval")),), tempts=("method-not-called",)
    )
    yield CALLS.wrong(
        "asleep-with-graphs-and-a-growing-sum",
        ((C_EVAL, C_BARE.replace("        net.train()\n", "")),),
        (("running + loss.detach()", "running + loss"),),
        fine=(
            ((C_EVAL, C_BARE),),
            ((C_EVAL, C_EVAL.replace("        net.train()\n", "")),),
            ((C_EVAL, C_BARE), ("running + loss.detach()", "running + loss")),
        ),
    )
    yield CALLS.wrong("zero-grad-is-only-named", (("opt.zero_grad()", "opt.zero_grad"),), tempts=("method-not-called",))


POOLS = Draft(
    "tidal-pools",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def main():
    torch.manual_seed(40)
    xs = torch.linspace(-2, 2, 15).unsqueeze(1)
    ys = torch.sin(3 * xs)
    net = nn.Sequential(nn.Linear(1, 6), nn.Tanh(), nn.Linear(6, 1))
    opt = torch.optim.LBFGS(net.parameters(), lr=0.5, max_iter=4, history_size=5)
    for stage in range(3):
        weight = 0.1 ** (stage + 1)
        asked = []

        def closure():
            opt.zero_grad()
            total = 0.0
            for x, y in zip(xs.split(5), ys.split(5)):
                part = nn.functional.mse_loss(net(x), y) / 3
                part.backward()
                total += part.item()
            penalty = weight * sum(p.pow(2).sum() for p in net.parameters())
            penalty.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 0.4)
            asked.append(total + penalty.item())
            return asked[-1]

        opt.step(closure)
        print(stage, len(asked), f"{min(asked):.4f}")
    return net
""",
    ("clip-before-backward", "missing-zero-grad"),
)
P_CLIP = "            nn.utils.clip_grad_norm_(net.parameters(), 0.4)\n"
P_CLEAR = "            opt.zero_grad()\n"
P_STEP = "        opt.step(closure)\n"
P_PART = "                part.backward()\n"


def pools() -> Iterator[Case]:
    yield POOLS.right("parts-in-a-closure")
    yield POOLS.right(
        "norm-is-measured-behind",
        (
            P_STEP,
            P_STEP
            + '        print(f"{nn.utils.clip_grad_norm_(net.parameters(), float("inf")).item():.4f}")\n'.replace(
                '"inf"', "'inf'"
            ),
        ),
        tempts=("clip-after-step",),
    )
    yield POOLS.wrong(
        "clip-ahead-of-the-backwards",
        (
            (P_CLEAR, P_CLEAR + P_CLIP),
            ("            penalty.backward()\n" + P_CLIP, "            penalty.backward()\n"),
        ),
    )
    yield POOLS.wrong(
        "clip-behind-the-step",
        ((P_CLIP, ""), (P_STEP, P_STEP + P_CLIP.replace("    nn", "nn"))),
        tempts=("clip-after-step",),
    )
    yield POOLS.wrong("cleared-outside", ((P_CLEAR, ""), (P_STEP, "        opt.zero_grad()\n" + P_STEP)))
    yield POOLS.wrong(
        "clip-by-part",
        ((P_CLIP, ""), (P_PART, P_PART + P_CLIP.replace("nn.utils", "    nn.utils"))),
        tempts=("clip-per-micro-batch",),
    )
    yield POOLS.wrong("cleared-behind", ((P_CLEAR, ""), (P_CLIP, P_CLEAR + P_CLIP)), tempts=("zero-grad-before-step",))


def cases() -> Iterator[Case]:
    yield from heron()
    yield from reeds()
    yield from eels()
    yield from calls()
    yield from pools()
