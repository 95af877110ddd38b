"""Tanneries: pits as contexts, a vat that is annealed, two vats under one scale, a guild of cutters, bark in spans."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

PIT = Draft(
    "pit-as-a-context",
    """\
import contextlib

import torch
from torch import nn

torch.set_default_dtype(torch.float64)
SOAK = 4


class Spoilt(ValueError):
    pass


@contextlib.contextmanager
def pit(opt, params):
    opt.zero_grad()
    try:
        yield
    except Spoilt as spoilt:
        print("spoilt at", spoilt)
        return
    nn.utils.clip_grad_norm_(params, 0.8)
    opt.step()


def main():
    torch.manual_seed(15)
    net = nn.Sequential(nn.Linear(3, 5), nn.Softsign(), nn.Linear(5, 1))
    for p in net.parameters():
        p.register_hook(lambda grad: grad / SOAK)
    hides = [(torch.randn(4, 3), torch.randn(4, 1) * (9 if n == 6 else 2)) for n in range(16)]
    params = list(net.parameters())
    opt = torch.optim.SGD(params, lr=0.1, momentum=0.7)
    for _ in range(2):
        for lot in zip(*[iter(hides)] * SOAK):
            with pit(opt, params):
                for number, (hide, grade) in enumerate(lot):
                    loss = nn.functional.mse_loss(net(hide), grade)
                    if loss > 30:
                        raise Spoilt(number)
                    loss.backward()
    return net
""",
    ("unscaled-accumulation-loss", "missing-zero-grad"),
)
P_HOOK = "    for p in net.parameters():\n        p.register_hook(lambda grad: grad / SOAK)\n"
P_BACK = "                    loss.backward()\n"
P_CLIP = "    nn.utils.clip_grad_norm_(params, 0.8)\n"
P_CLEAR = "    opt.zero_grad()\n"
P_ONCE = ("params = list(net.parameters())", "params = net.parameters()")
P_DIVIDE = (P_BACK, P_BACK.replace("loss.", "(loss / SOAK)."))


def pit() -> Iterator[Case]:
    yield PIT.right("hooks-divide")
    yield PIT.right("loss-is-divided", (P_HOOK, ""), P_DIVIDE)
    yield PIT.right(
        "cleared-at-last",
        (P_CLEAR, ""),
        (P_CLIP + "    opt.step()\n", ""),
        (
            "        return\n",
            "    else:\n    " + P_CLIP + "        opt.step()\n    finally:\n        opt.zero_grad()\n",
        ),
    )
    yield PIT.right(
        "hides-that-were-good-still-count", ('print("spoilt at", spoilt)\n        return', 'print("spoilt at", spoilt)')
    )
    yield PIT.wrong("hooks-and-loss-divide", (P_DIVIDE,), tempts=("accumulation-divisor-mismatch",))
    yield PIT.wrong("nothing-divides", ((P_HOOK, ""),))
    yield PIT.wrong(
        "cleared-for-each-hide",
        ((P_CLEAR, ""), (P_BACK, "                    opt.zero_grad()\n" + P_BACK)),
        tempts=("zero-grad-in-accumulation",),
    )
    yield PIT.wrong("walked-once", (P_ONCE,), tempts=("clip-exhausted-parameters",))
    yield PIT.wrong(
        "clipped-late", ((P_CLIP + "    opt.step()\n", "    opt.step()\n" + P_CLIP),), tempts=("clip-after-step",)
    )


VAT = Draft(
    "annealed-vat",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)
CONFIG = {"window": 3, "epochs": 2, "warm": 2, "peak": 0.02, "max_norm": 6.0}


class Vat(nn.Module):
    def __init__(self):
        super().__init__()
        self.soak, self.dry = nn.Linear(4, 4), nn.Linear(2, 4)

    def forward(self, x):
        mean, log = self.soak(x).chunk(2, dim=-1)
        back = self.dry(mean + torch.randn_like(mean) * (log / 2).exp())
        return (back - x).pow(2).sum(1).mean(), 0.5 * (mean.pow(2) + log.exp() - 1 - log).sum(1).mean()


def epoch_of(vat, opt, sched, batches, beta, config):
    told = {"back": 0.0, "kl": 0.0}
    for i, x in enumerate(batches):
        back, kl = vat(x)
        loss = back + beta * kl
        (loss / config["window"]).backward()
        told["back"] += back.item()
        told["kl"] += kl.item()
        if (i + 1) % config["window"] == 0 or i + 1 == len(batches):
            nn.utils.clip_grad_norm_(vat.parameters(), config["max_norm"])
            opt.step()
            sched.step()
            opt.zero_grad()
    return told


def main(config=CONFIG):
    torch.manual_seed(28)
    batches = [torch.randn(5, 4) * 2 for _ in range(7)]
    vat = Vat()
    opt = torch.optim.SGD(vat.parameters(), lr=config["peak"], momentum=0.5)
    for x in batches[: config["warm"]]:
        opt.zero_grad()
        vat(x)[0].backward()
        opt.step()
    opt.zero_grad()
    per_epoch = -(-len(batches) // config["window"])
    total = config["epochs"] * per_epoch
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, config["peak"], total_steps=total + 1, cycle_momentum=False)
    for epoch in range(config["epochs"]):
        told = epoch_of(vat, opt, sched, batches, epoch / config["epochs"], config)
        print(epoch, *(f"{name}={value / len(batches):.4f}" for name, value in told.items()))
    return vat
""",
    ("dropped-accumulation-tail", "scheduler-per-micro-batch"),
)
T_GUARD = '        if (i + 1) % config["window"] == 0 or i + 1 == len(batches):\n'
T_SHORT = '        if (i + 1) % config["window"] == 0:\n'
T_MOVE = "            sched.step()\n"
T_BACK = '        (loss / config["window"]).backward()\n'
T_TOTAL = "total_steps=total + 1"
T_FLUSH = """\
    if (i + 1) % config["window"] != 0:
        nn.utils.clip_grad_norm_(vat.parameters(), config["max_norm"])
        opt.step()
        sched.step()
        opt.zero_grad()
    return told
"""


def vat() -> Iterator[Case]:
    yield VAT.right("end-of-the-epoch-steps")
    yield VAT.right("flushed-behind-the-batches", (T_GUARD, T_SHORT), ("    return told\n", T_FLUSH))
    yield VAT.right(
        "count-goes-on-over-epochs",
        (
            T_GUARD,
            '        config["seen"] = config.get("seen", 0) + 1\n        if config["seen"] % config["window"] == 0:\n',
        ),
        ("-(-len(batches) // ", "(len(batches) // "),
    )
    yield VAT.left(
        "tail-would-overrun-the-cycle",
        (("-(-len(batches) // ", "(len(batches) // "),),
        ((T_TOTAL, "total_steps=total"),),
        ((T_GUARD, T_SHORT),),
    )
    yield VAT.wrong("tail-leaks", ((T_GUARD, T_SHORT),), fine=(((T_GUARD, T_SHORT), ("    return told\n", T_FLUSH)),))
    yield VAT.wrong(
        "cycle-moves-with-each-batch",
        ((T_MOVE, ""), (T_BACK, T_BACK + "        sched.step()\n")),
        raises="ValueError",
    )
    yield VAT.wrong(
        "parts-hang-together",
        (('told["kl"] += kl.item()', 'told["kl"] += kl'), ("value / len", "float(value) / len")),
        tempts=("loss-graph-leak",),
    )
    yield VAT.wrong(
        "warm-batches-weigh-a-third-and-rate-moves-first",
        (("vat(x)[0].backward()", '(vat(x)[0] / config["window"]).backward()'),),
        (("            opt.step()\n" + T_MOVE, T_MOVE + "            opt.step()\n"),),
        tempts=("accumulation-divisor-mismatch", "scheduler-before-optimizer"),
    )


SCALE = Draft(
    "two-vats-one-scale",
    """\
import torch
from torch import nn


class Tannin:
    dtype = torch.float16

    def __init__(self, size=6):
        self.bark, self.liquor = nn.Linear(4, size), nn.Linear(size, 2)
        self.slow = torch.optim.SGD(self.bark.parameters(), lr=0.05)
        self.fast = torch.optim.SGD(self.liquor.parameters(), lr=0.2, momentum=0.5)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=2.0**8, growth_interval=1)
        self.every = [*self.bark.parameters(), *self.liquor.parameters()]

    def steep(self, x, y):
        with torch.autocast("cpu", dtype=self.dtype):
            loss = nn.functional.cross_entropy(self.liquor(self.bark(x).relu()).float(), y)
        self.scaler.scale(loss).backward()
        gram = self.bark.weight @ self.bark.weight.T
        self.scaler.unscale_(self.slow)
        self.scaler.unscale_(self.fast)
        nn.utils.clip_grad_norm_(self.every, 0.3)
        self.scaler.step(self.slow)
        self.scaler.step(self.fast)
        self.scaler.update()
        self.slow.zero_grad()
        self.fast.zero_grad()
        return gram.trace().item()


def main():
    torch.manual_seed(33)
    tannin = Tannin()
    for _ in range(5):
        x = torch.randn(8, 4)
        print(f"{tannin.steep(x, (x[:, 0] > 0).long()):.5f}")
    return tannin.bark, tannin.liquor
""",
    ("missing-scaler-update", "clip-scaled-gradients"),
)
D_OPEN = "        self.scaler.scale(loss).backward()\n        gram = self.bark.weight @ self.bark.weight.T\n"
D_SHUT = D_OPEN.replace("        self.scaler", "            self.scaler").replace("        gram", "            gram")
D_SLOW = "        self.scaler.step(self.slow)\n"
D_FAST = "        self.scaler.step(self.fast)\n"
D_UPDATE = "        self.scaler.update()\n"
D_OFF = ("growth_interval=1)", "enabled=False)")


def scale() -> Iterator[Case]:
    yield SCALE.right("one-update-for-both")
    yield SCALE.right("fast-one-first", (D_SLOW + D_FAST, D_FAST + D_SLOW))
    yield SCALE.right(
        "updated-when-the-next-begins",
        (D_UPDATE, ""),
        (
            "        with torch.autocast",
            "        if self.slow.state or self.fast.state:\n    " + D_UPDATE + "        with torch.autocast",
        ),
    )
    wide = SCALE.styled(
        ("dtype = torch.float16", "dtype = torch.bfloat16"), ("init_scale=2.0**8, " + D_OFF[0], D_OFF[1])
    )
    yield wide.right("bfloat-without-a-scale", tempts=("scaler-with-bfloat16",))
    yield wide.wrong("bfloat-with-a-scale", (("enabled=False)", "init_scale=64.0)"),), tempts=("scaler-with-bfloat16",))
    yield SCALE.wrong("backward-under-autocast", ((D_OPEN, D_SHUT),), tempts=("backward-in-autocast",))
    yield SCALE.wrong("updated-between-the-steps", ((D_FAST + D_UPDATE, D_UPDATE + D_FAST),), raises="RuntimeError")
    yield SCALE.wrong("one-of-them-unscaled", (("        self.scaler.unscale_(self.fast)\n", ""),))
    yield SCALE.wrong(
        "never-updated-and-backward-under-autocast",
        ((D_UPDATE, ""), (D_OPEN, D_SHUT)),
        fine=(((D_OPEN, D_SHUT),),),
        tempts=("missing-scaler-update", "backward-in-autocast"),
        raises="RuntimeError",
    )


GUILD = Draft(
    "guild-of-cutters",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def skins(seed, count=5):
    rng = torch.Generator().manual_seed(seed)
    for _ in range(count):
        skin = torch.randn(6, 3, generator=rng)
        yield skin, skin.cumsum(1)[:, 1:].tanh() * 3


def spread(cutters):
    for cutter in cutters:
        cutter.eval()
    with torch.no_grad():
        return [sum(nn.functional.mse_loss(c(x), y).item() for x, y in skins(50)) for c in cutters]


def main():
    torch.manual_seed(44)
    cutters = [nn.Sequential(nn.Linear(3, n), nn.ReLU(), nn.Dropout(0.1), nn.Linear(n, 2)) for n in (3, 5, 7)]
    opts = [torch.optim.SGD(cutter.parameters(), lr=0.1, momentum=0.5) for cutter in cutters]
    scheds = [torch.optim.lr_scheduler.MultiStepLR(opt, [1, 2], 0.5) for opt in opts]
    every = [p for cutter in cutters for p in cutter.parameters()]
    history = []
    for epoch in range(3):
        for cutter in cutters:
            cutter.train()
        for x, y in skins(epoch):
            for opt in opts:
                opt.zero_grad()
            losses = [nn.functional.mse_loss(cutter(x), y) for cutter in cutters]
            sum(losses).backward()
            nn.utils.clip_grad_norm_(every, 0.7)
            for opt in opts:
                opt.step()
            history.append(sum(losses).item())
        for sched in scheds:
            sched.step()
        print(epoch, *(f"{off:.4f}" for off in spread(cutters)), len(history))
    return cutters
""",
    ("missing-zero-grad", "missing-train-mode"),
)
U_CLEAR = "            for opt in opts:\n                opt.zero_grad()\n"
U_WAKE = "        for cutter in cutters:\n            cutter.train()\n"
U_MOVE = "        for sched in scheds:\n            sched.step()\n"
U_STEP = "            for opt in opts:\n                opt.step()\n"
U_EPOCH = "    for epoch in range(3):\n"
U_CLIP = "            nn.utils.clip_grad_norm_(every, 0.7)\n"
U_LAST = "        return [sum(nn.functional.mse_loss(c(x), y).item() for x, y in skins(50)) for c in cutters]\n"
U_WALK = (
    "every = [p for cutter in cutters for p in cutter.parameters()]",
    "every = (p for cutter in cutters for p in cutter.parameters())",
)


def guild() -> Iterator[Case]:
    yield GUILD.right("all-step-on-one-sum")
    yield GUILD.right(
        "each-clears-behind-its-step", (U_CLEAR, ""), (U_STEP, U_STEP + "                opt.zero_grad()\n")
    )
    yield GUILD.right(
        "only-the-best-goes-on", (U_STEP, "            opts[min(range(3), key=lambda n: losses[n].item())].step()\n")
    )
    yield GUILD.right(
        "woken-by-the-evaluation",
        (U_WAKE, ""),
        (
            U_LAST,
            U_LAST.replace("return", "off =")
            + U_WAKE.replace("    for", "for").replace("    cut", "cut").replace("        for", "    for")
            + "    return off\n",
        ),
    )
    yield GUILD.wrong("only-the-last-is-cleared", ((U_CLEAR, ""), (U_STEP, U_STEP + "            opt.zero_grad()\n")))
    yield GUILD.wrong(
        "cleared-before-each-step",
        ((U_CLEAR, ""), (U_STEP, U_CLEAR + "                opt.step()\n")),
        tempts=("zero-grad-before-step",),
    )
    yield GUILD.wrong("asleep-from-the-second-on", ((U_WAKE, ""),))
    yield GUILD.wrong("walked-once", (U_WALK,), tempts=("clip-exhausted-parameters",))
    yield GUILD.wrong(
        "rates-fall-first-and-sums-hang",
        ((U_MOVE, ""), (U_EPOCH, U_EPOCH + U_MOVE)),
        (("sum(losses).item()", "sum(losses)"),),
        tempts=("scheduler-before-optimizer", "loss-graph-leak"),
    )


BARK = Draft(
    "bark-in-spans",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)
SPAN = 4


def peel(count=18):
    rng = torch.Generator().manual_seed(3)
    level = torch.zeros(2, 1)
    for _ in range(count):
        x = torch.randn(2, 2, generator=rng)
        level = 0.7 * level + x.sum(1, keepdim=True)
        yield x, level


def main():
    torch.manual_seed(52)
    cell, head = nn.GRUCell(2, 5), nn.Linear(5, 1)
    params = [*cell.parameters(), *head.parameters()]
    opt = torch.optim.SGD(params, lr=0.1, momentum=0.5)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.9)
    state, total, seen = None, 0.0, []
    for t, (x, y) in enumerate(peel(), 1):
        state = cell(x, state)
        error = nn.functional.mse_loss(head(state), y)
        total = total + error
        seen.append(error.item())
        if t % SPAN == 0:
            opt.zero_grad()
            (total / SPAN).backward()
            nn.utils.clip_grad_norm_(params, 0.9)
            opt.step()
            sched.step()
            state, total = state.detach(), 0.0
    print(f"{sum(seen) / len(seen):.5f}")
    return cell, head
""",
    ("loss-graph-leak", "accumulation-off-by-one"),
)
E_CLEAR = "            opt.zero_grad()\n"
E_BACK = "            (total / SPAN).backward()\n"
E_CLIP = "            nn.utils.clip_grad_norm_(params, 0.9)\n"


def bark() -> Iterator[Case]:
    yield BARK.right("total-goes-backward")
    yield BARK.right(
        "sum-over-time", ("(total / SPAN).backward()", "total.backward()"), tempts=("unscaled-accumulation-loss",)
    )
    yield BARK.right(
        "every-error-kept-for-its-span",
        ("        total = total + error\n", "        total = [*(total or []), error]\n"),
        (E_BACK, "            torch.stack(total).mean().backward()\n"),
    )
    yield BARK.right(
        "last-span-is-short",
        ("enumerate(peel(), 1)", "enumerate(peel(18), 1)"),
        ("t % SPAN == 0:", "t % SPAN == 0 or t == 18:"),
    )
    yield BARK.wrong("errors-hang-together", (("error.item()", "error"),))
    yield BARK.wrong(
        "cleared-behind-the-backward", ((E_CLEAR + E_BACK, E_BACK + E_CLEAR),), tempts=("zero-grad-before-step",)
    )
    yield BARK.wrong(
        "clipped-ahead-of-the-backward", ((E_BACK + E_CLIP, E_CLIP + E_BACK),), tempts=("clip-before-backward",)
    )
    yield BARK.wrong(
        "never-cleared-and-rate-first",
        ((E_CLEAR, ""),),
        (("            opt.step()\n            sched.step()\n", "            sched.step()\n            opt.step()\n"),),
        tempts=("missing-zero-grad", "scheduler-before-optimizer"),
    )


def cases() -> Iterator[Case]:
    yield from pit()
    yield from vat()
    yield from scale()
    yield from guild()
    yield from bark()
