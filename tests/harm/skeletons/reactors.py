"""A reactor, a catalyst, a spectrometer, a crystal and a force field: windows, pairs, a scaler, closures, evaluations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

REACTOR = Draft(
    "reactor-with-failing-probe",
    """\
import math

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


class Reactor:
    def __init__(self, every=3):
        torch.manual_seed(2)
        self.rates = nn.Sequential(nn.Linear(3, 6), nn.Tanh(), nn.Linear(6, 3))
        self.opt = torch.optim.RMSprop(self.rates.parameters(), lr=0.01)
        self.every = self.left = every
        self.lost = 0

    def probe(self, run, count=11):
        gen = torch.Generator().manual_seed(run)
        for n in range(count):
            c = torch.rand(5, 3, generator=gen)
            yield c, torch.full_like(c, math.nan) if n == 4 else 4 * c.roll(1, 1) * c - c

    def close(self):
        nn.utils.clip_grad_norm_(self.rates.parameters(), 0.2)
        self.opt.step()
        self.opt.zero_grad()
        self.left = self.every

    def run(self, number):
        for c, change in self.probe(number):
            loss = (self.rates(c) - change).square().mean()
            if not torch.isfinite(loss):
                self.lost += 1
                continue
            (loss / self.every).backward()
            self.left -= 1
            if self.left:
                continue
            self.close()
        else:
            if self.left < self.every:
                self.close()


def main():
    reactor = Reactor()
    for number in range(3):
        reactor.run(number)
    print(reactor.lost)
    return reactor.rates
""",
    ("dropped-accumulation-tail", "accumulation-off-by-one"),
)

R_CLIP = "        nn.utils.clip_grad_norm_(self.rates.parameters(), 0.2)\n"
R_STEP = "        self.opt.step()\n"
R_CLEAR = "        self.opt.zero_grad()\n"
R_BACK = "            (loss / self.every).backward()\n"
R_LEFT = "        self.left = self.every\n"
R_ELSE = "        else:\n            if self.left < self.every:\n                self.close()\n"


def reactor() -> Iterator[Case]:
    yield REACTOR.right("as-it-is")
    yield REACTOR.right("window-reaches-into-the-next-run", (R_ELSE, ""))
    yield REACTOR.right(
        "window-with-a-failure-is-given-up",
        (
            "                self.lost += 1\n",
            "                self.lost += 1\n        " + R_CLEAR + "        " + R_LEFT,
        ),
        tempts=("zero-grad-in-accumulation",),
    )
    yield REACTOR.right(
        "cleared-when-a-window-opens",
        (R_STEP + R_CLEAR, R_STEP),
        (R_BACK, "            if self.left == self.every:\n        " + R_CLEAR + R_BACK),
        tempts=("zero-grad-in-accumulation", "missing-zero-grad"),
    )
    yield REACTOR.wrong(
        "counted-below-nothing",
        (("            if self.left:\n", "            if self.left >= 0:\n"),),
        tempts=("accumulation-off-by-one",),
    )
    yield REACTOR.wrong(
        "cleared-with-each-probe",
        ((R_STEP + R_CLEAR, R_STEP), (R_BACK, "    " + R_CLEAR + R_BACK)),
        tempts=("zero-grad-in-accumulation",),
    )
    yield REACTOR.wrong("clip-behind-the-step", ((R_CLIP + R_STEP, R_STEP + R_CLIP),), tempts=("clip-after-step",))
    yield REACTOR.wrong(
        "never-cleared-and-undivided",
        ((R_STEP + R_CLEAR, R_STEP),),
        (("(loss / self.every).backward()", "loss.backward()"),),
        tempts=("missing-zero-grad", "unscaled-accumulation-loss"),
    )


CATALYST = Draft(
    "catalyst-with-two-heads",
    """\
import torch
from torch import nn
from torch.nn import functional as F
from torch.optim.lr_scheduler import ExponentialLR

torch.set_default_dtype(torch.float64)
PARTS = 2


def feeds(day, count=6):
    gen = torch.Generator().manual_seed(day)
    for _ in range(count):
        feed = torch.rand(7, 4, generator=gen)
        yield feed, {"turnover": feed.prod(1, keepdim=True), "purity": feed.amax(1, keepdim=True)}


def main():
    torch.manual_seed(9)
    trunk = nn.Sequential(nn.Linear(4, 8), nn.SiLU())
    heads = nn.ModuleDict({"turnover": nn.Linear(8, 1), "purity": nn.Linear(8, 1)})
    opts = {name: torch.optim.Adam(head.parameters(), lr=0.02) for name, head in heads.items()}
    opts["trunk"] = torch.optim.SGD(trunk.parameters(), lr=0.1, momentum=0.9)
    plans = [ExponentialLR(opt, 0.9) for opt in opts.values()]
    for day in range(2):
        for number, (feed, out) in enumerate(feeds(day), start=1):
            h = trunk(feed)
            terms = {name: F.mse_loss(head(h), out[name]) for name, head in heads.items()}
            loss = sum(terms.values())
            (loss / PARTS).backward()
            if number % PARTS == 0:
                for opt in opts.values():
                    opt.step()
                for opt in opts.values():
                    opt.zero_grad()
        for plan in plans:
            plan.step()
        print(day, f"{loss.item():.5f}")
    return trunk, heads
""",
    ("missing-zero-grad", "unscaled-accumulation-loss"),
)

K_EACH = "                for opt in opts.values():\n"
K_STEP = K_EACH + "                    opt.step()\n"
K_CLEAR = K_EACH + "                    opt.zero_grad()\n"
K_PLAN = "        for plan in plans:\n            plan.step()\n"
K_DAY = "    for day in range(2):\n"
K_TRUNK = "            h = trunk(feed)\n"
GATED = CATALYST.styled(
    (K_PLAN, ""), (K_STEP, K_STEP + "                for plan in plans:\n                    plan.step()\n")
)


def catalyst() -> Iterator[Case]:
    yield CATALYST.right("as-it-is")
    yield CATALYST.right(
        "stepped-and-cleared-in-one-walk", (K_STEP + K_CLEAR, K_STEP + "                    opt.zero_grad()\n")
    )
    yield CATALYST.right(
        "one-head-rests-on-the-first-day",
        (K_STEP, '                if day == 0:\n                    heads["purity"].zero_grad()\n' + K_STEP),
        tempts=("zero-grad-before-step",),
    )
    yield CATALYST.right(
        "heads-go-with-each-feed",
        (
            "            if number % PARTS == 0:\n" + K_STEP + K_CLEAR,
            """\
            for name in heads:
                opts[name].step()
                opts[name].zero_grad()
            if number % PARTS == 0:
                opts["trunk"].step()
                opts["trunk"].zero_grad()
""",
        ),
        tempts=("zero-grad-in-accumulation", "accumulation-divisor-mismatch"),
    )
    yield CATALYST.wrong(
        "only-the-trunk-is-cleared",
        ((K_CLEAR, '                opts["trunk"].zero_grad()\n'),),
        tempts=("missing-zero-grad",),
    )
    yield CATALYST.wrong("clear-is-only-named", (("opt.zero_grad()", "opt.zero_grad"),), tempts=("method-not-called",))
    yield CATALYST.wrong(
        "plans-move-at-dawn-and-heads-add-up",
        ((K_PLAN, ""), (K_DAY, K_DAY + K_PLAN)),
        ((K_CLEAR, "                trunk.zero_grad()\n"),),
        tempts=("scheduler-before-optimizer", "missing-zero-grad"),
    )
    yield CATALYST.wrong(
        "cleared-in-front-of-each-step",
        ((K_STEP + K_CLEAR, K_CLEAR + "                    opt.step()\n"),),
        tempts=("zero-grad-before-step",),
    )
    yield GATED.wrong(
        "plans-move-with-each-feed",
        (
            ("                for plan in plans:\n                    plan.step()\n", ""),
            (K_CLEAR, K_CLEAR + "            for plan in plans:\n                plan.step()\n"),
        ),
        tempts=("scheduler-per-micro-batch",),
    )


SPECTRA = Draft(
    "spectra-with-a-burnt-line",
    """\
import torch
from torch import nn
from torch.amp import GradScaler
from torch.nn.utils import clip_grad_norm_

PAIR = 2


def lines(sheet, count=8):
    gen = torch.Generator().manual_seed(sheet)
    for n in range(count):
        wave = torch.rand(6, 4, generator=gen)
        yield wave, (9 * wave).cos().mean(1, keepdim=True) + (float("inf") if n == 5 else 0)


def main():
    torch.manual_seed(4)
    net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    scaler = GradScaler("cpu", init_scale=2.0**12, growth_interval=3)
    for sheet in range(2):
        for n, (wave, shape) in enumerate(lines(sheet), 1):
            loss = nn.functional.mse_loss(net(wave), shape)
            scaler.scale(loss / PAIR).backward()
            if n % PAIR == 0:
                scaler.unscale_(opt)
                norm = clip_grad_norm_(net.parameters(), 0.3)
                scaler.step(opt)
                scaler.update()
                opt.zero_grad()
                print(f"{norm:.4f}")
    return net
""",
    ("clip-scaled-gradients", "missing-scaler-update"),
)

S_UNSCALE = "                scaler.unscale_(opt)\n"
S_STEP = "                scaler.step(opt)\n"
S_UPDATE = "                scaler.update()\n"
S_CLIP = "                norm = clip_grad_norm_(net.parameters(), 0.3)\n"
S_BACK = "            scaler.scale(loss / PAIR).backward()\n"


def spectra() -> Iterator[Case]:
    yield SPECTRA.right("as-it-is")
    yield SPECTRA.right(
        "limit-is-scaled-instead",
        (S_UNSCALE, "                scale = scaler.get_scale()\n"),
        ("net.parameters(), 0.3)", "net.parameters(), 0.3 * scale) / scale"),
    )
    yield SPECTRA.right(
        "unscaled-by-hand",
        (S_UNSCALE, "                for p in net.parameters():\n                    p.grad /= scaler.get_scale()\n"),
        (S_STEP + S_UPDATE, "                if norm.isfinite():\n                    opt.step()\n"),
        tempts=("step-bypasses-scaler", "clip-scaled-gradients"),
    )
    yield SPECTRA.right(
        "scaler-that-is-off",
        ("init_scale=2.0**12, growth_interval=3", "enabled=False"),
        (S_STEP, "                if norm.isfinite():\n                    opt.step()\n"),
        tempts=("step-bypasses-scaler", "missing-scaler-update"),
    )
    yield SPECTRA.wrong("clipped-while-scaled", ((S_UNSCALE, ""),), tempts=("clip-scaled-gradients",))
    yield SPECTRA.wrong(
        "update-is-skipped-with-the-step",
        (
            (
                S_STEP + S_UPDATE,
                "                if norm.isfinite():\n                    scaler.step(opt)\n                    scaler.update()\n",
            ),
        ),
        tempts=("missing-scaler-update",),
        raises="RuntimeError",
    )
    yield SPECTRA.wrong(
        "stepped-past-the-scaler", ((S_STEP, "                opt.step()\n"),), tempts=("step-bypasses-scaler",)
    )
    yield SPECTRA.wrong(
        "unscaled-with-each-line",
        ((S_BACK, S_BACK + "            scaler.unscale_(opt)\n"), (S_UNSCALE, "")),
        tempts=("double-unscale",),
        raises="RuntimeError",
    )
    yield SPECTRA.wrong(
        "first-lines-go-unscaled",
        (
            (
                S_BACK,
                """\
            if n % PAIR:
                (loss / PAIR).backward()
            else:
                scaler.scale(loss / PAIR).backward()
""",
            ),
        ),
        tempts=("unscaled-backward",),
    )
    yield SPECTRA.wrong(
        "sum-of-lines-and-clip-behind",
        (("scaler.scale(loss / PAIR)", "scaler.scale(loss)"),),
        ((S_CLIP + S_STEP, S_STEP + S_CLIP),),
        tempts=("unscaled-accumulation-loss", "clip-after-step"),
    )


CRYSTAL = Draft(
    "crystal-by-lbfgs",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def relax(net, turns=4):
    opt = torch.optim.LBFGS(net.parameters(), lr=0.5, max_iter=3)
    cool = torch.optim.lr_scheduler.StepLR(opt, step_size=2, gamma=0.5)
    trail = []
    for turn in range(turns):
        sites = torch.rand(8, 3, generator=torch.Generator().manual_seed(turn))
        wells = (5 * sites).sin().sum(1, keepdim=True)

        def closure():
            opt.zero_grad()
            energy = 0.0
            for some, deep in zip(sites.chunk(2), wells.chunk(2)):
                loss = nn.functional.mse_loss(net(some), deep) / 2
                loss.backward()
                energy += loss.detach()
            nn.utils.clip_grad_norm_(net.parameters(), 0.7)
            return energy

        trail.append(opt.step(closure))
        cool.step()
    return trail


def main():
    torch.manual_seed(6)
    net = nn.Sequential(nn.Linear(3, 5), nn.Tanh(), nn.Linear(5, 1))
    print(*(f"{energy:.4f}" for energy in relax(net)))
    return net
""",
    ("clip-before-backward", "missing-zero-grad"),
)

C_CLEAR = "            opt.zero_grad()\n"
C_CLIP = "            nn.utils.clip_grad_norm_(net.parameters(), 0.7)\n"
C_STEP = "        trail.append(opt.step(closure))\n"
C_COOL = "        cool.step()\n"
C_LOSS = "deep) / 2\n"
WOLFE = CRYSTAL.styled((C_CLIP, ""), ("max_iter=3)", 'max_iter=3, line_search_fn="strong_wolfe")'))


def crystal() -> Iterator[Case]:
    yield CRYSTAL.right("as-it-is")
    yield WOLFE.right("objective-is-a-sum", (C_LOSS, "deep)\n"), tempts=("unscaled-accumulation-loss",))
    yield CRYSTAL.wrong(
        "closure-is-cleared-from-outside",
        ((C_CLEAR, ""), (C_STEP, "        opt.zero_grad()\n" + C_STEP)),
        tempts=("missing-zero-grad",),
    )
    yield CRYSTAL.wrong(
        "clip-ahead-of-the-parts", ((C_CLIP, ""), (C_CLEAR, C_CLEAR + C_CLIP)), tempts=("clip-before-backward",)
    )
    yield CRYSTAL.wrong(
        "clip-behind-the-search",
        ((C_CLIP, ""), (C_STEP, C_STEP + "        nn.utils.clip_grad_norm_(net.parameters(), 0.7)\n")),
        tempts=("clip-after-step",),
    )
    yield CRYSTAL.wrong(
        "trail-of-graphs", (("energy += loss.detach()", "energy += loss"),), tempts=("loss-graph-leak",)
    )
    yield CRYSTAL.wrong("cooled-first", ((C_STEP + C_COOL, C_COOL + C_STEP),), tempts=("scheduler-before-optimizer",))


FORCES = Draft(
    "force-field-with-dropout",
    """\
import torch
from torch import nn
from torch.nn.functional import mse_loss

torch.set_default_dtype(torch.float64)


def geometries(seed, count=4):
    gen = torch.Generator().manual_seed(seed)
    for _ in range(count):
        x = torch.randn(5, 3, generator=gen)
        yield x, x.square().sum(1, keepdim=True), -2 * x


def forces(net, x):
    x = x.clone().requires_grad_()
    (slope,) = torch.autograd.grad(net(x).sum(), x, create_graph=net.training)
    return -slope


def train(net, opt, batches):
    for x, energy, force in batches:
        opt.zero_grad()
        loss = mse_loss(net(x), energy) + mse_loss(forces(net, x), force)
        loss.backward()
        opt.step()
        yield loss.item()


def force_error(net, batches):
    net.eval()
    return sum(mse_loss(forces(net, x), force).item() for x, _, force in batches)


def energy_error(net, batches):
    net.eval()
    total = 0.0
    with torch.no_grad():
        for x, energy, _ in batches:
            total += mse_loss(net(x), energy).item()
    return total


def main():
    torch.manual_seed(8)
    net = nn.Sequential(nn.Linear(3, 9), nn.Softplus(), nn.Dropout(0.2), nn.Linear(9, 1))
    opt = torch.optim.Adam(net.parameters(), lr=0.02)
    for epoch in range(3):
        net.train()
        losses = list(train(net, opt, geometries(epoch)))
        print(f"{sum(losses) / len(losses):.4f}")
        print(f"{force_error(net, geometries(50)):.4f} {energy_error(net, geometries(51)):.4f}")
    return net
""",
    ("validation-without-no-grad", "missing-train-mode"),
)

F_TRAIN = "        net.train()\n"
F_EPOCH = "    for epoch in range(3):\n"
F_WITH = """\
    with torch.no_grad():
        for x, energy, _ in batches:
            total += mse_loss(net(x), energy).item()
"""
F_BARE = "    for x, energy, _ in batches:\n        total += mse_loss(net(x), energy).item()\n"


def force_field() -> Iterator[Case]:
    yield FORCES.right("as-it-is")
    yield FORCES.right("last-epochs-without-dropout", (F_TRAIN, "        net.train(epoch < 1)\n"))
    yield FORCES.right(
        "woken-by-the-last-look", (F_TRAIN, ""), ("    return total\n", "    net.train()\n    return total\n")
    )
    yield FORCES.wrong("energies-keep-graphs", ((F_WITH, F_BARE),), tempts=("validation-without-no-grad",))
    yield FORCES.wrong(
        "woken-once", ((F_EPOCH + F_TRAIN, "    net.train()\n" + F_EPOCH),), tempts=("missing-train-mode",)
    )
    yield FORCES.wrong("waking-is-only-named", ((F_TRAIN, "        net.train\n"),), tempts=("method-not-called",))
    yield FORCES.wrong(
        "losses-are-handed-out-whole", (("yield loss.item()", "yield loss"),), tempts=("loss-graph-leak",)
    )
    yield FORCES.wrong(
        "adds-up-and-energies-keep-graphs",
        (("        opt.zero_grad()\n", ""),),
        ((F_WITH, F_BARE),),
        tempts=("missing-zero-grad", "validation-without-no-grad"),
    )


def cases() -> Iterator[Case]:
    yield from reactor()
    yield from catalyst()
    yield from spectra()
    yield from crystal()
    yield from force_field()
