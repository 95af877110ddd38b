"""Islands: a helm that turns late, fish that are weighed, parrots, hatcheries, pearl divers, lava and its stages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

SUMMED = ("unscaled-accumulation-loss",)
TAIL = ("dropped-accumulation-tail",)
WIPED = ("zero-grad-in-accumulation",)
UNCLEARED = ("missing-zero-grad",)
UNCALLED = ("method-not-called",)
USED_UP = ("clip-exhausted-parameters",)
FAST = ("scheduler-per-micro-batch", "scheduler-before-optimizer")
AHEAD = ("scheduler-before-optimizer",)
ASLEEP = ("missing-train-mode",)
TRACED = ("validation-without-no-grad",)
LEAK = ("loss-graph-leak",)

HELM = Draft(
    "helm-turns-late",
    """\
import torch
from torch import nn
from torch.nn.functional import mse_loss

torch.set_default_dtype(torch.float64)
REACH = 2


class Boat(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRU(2, 5)
        self.head = nn.Linear(5, 1)

    def forward(self, wind, memory=None):
        seen, memory = self.cell(wind, memory)
        return self.head(seen), memory


class Helm:
    def __init__(self, boat):
        self.boat = boat
        self.opt = torch.optim.SGD(boat.parameters(), lr=0.5, momentum=0.4)
        self.sched = torch.optim.lr_scheduler.StepLR(self.opt, 4, gamma=0.6)
        self.due = False

    def turn(self):
        if not self.due:
            return
        nn.utils.clip_grad_norm_(self.boat.parameters(), 0.3)
        self.opt.step()
        self.sched.step()
        self.opt.zero_grad()
        self.due = False

    def sail(self, legs):
        memory, wake = None, []
        for n, (wind, drift) in enumerate(legs):
            self.turn()  # what the last reach has left
            guess, memory = self.boat(wind, memory)
            memory = memory.detach()
            loss = mse_loss(guess, drift)
            (loss / REACH).backward()
            wake.append(loss.item())
            self.due = (n + 1) % REACH == 0 or n + 1 == len(legs)
        self.turn()
        return sum(wake) / len(wake)


def main():
    torch.manual_seed(401)
    legs = [(torch.randn(4, 3, 2), torch.randn(4, 3, 1)) for _ in range(7)]
    boat = Boat()
    helm = Helm(boat)
    for day in range(3):
        print(day, f"{helm.sail(legs):.6f}")
    return boat
""",
    ("clip-before-backward", "scheduler-before-optimizer", "accumulation-off-by-one"),
)


def helm() -> Iterator[Case]:
    clip, step = "        nn.utils.clip_grad_norm_(self.boat.parameters(), 0.3)\n", "        self.opt.step()\n"
    sched, clear = "        self.sched.step()\n", "        self.opt.zero_grad()\n"
    start, back = "        memory, wake = None, []\n", "            (loss / REACH).backward()\n"
    summed = (back, "            loss.backward()\n")
    due = "            self.due = (n + 1) % REACH == 0 or n + 1 == len(legs)\n"
    no_flush = (due, "            self.due = (n + 1) % REACH == 0\n")
    own = (back, "            (loss / min(REACH, len(legs) - n // REACH * REACH)).backward()\n")
    home = "        self.turn()\n        return"
    yield HELM.right("as-it-should-be")
    yield HELM.wrong(
        "first-leg-is-a-reach", ((due, due.replace("(n + 1) %", "n %")),), tempts=("accumulation-off-by-one",)
    )
    swept = (no_flush, (start, start + clear))
    yield HELM.wrong("last-leg-is-owed-to-the-morning", (no_flush,), fine=((own,), swept), tempts=TAIL)
    # its last reach is turned for in the morning, but for the last day's
    yield HELM.left("last-turn-waits-for-the-morning", ((home, "        return"),), tempts=TAIL)
    wiped = ((clear, ""), (back, "    " + clear + back))
    yield HELM.wrong("each-leg-is-forgotten", wiped, tempts=WIPED)
    yield HELM.wrong("held-when-it-has-turned", ((clip + step, step + clip),), tempts=("clip-after-step",))
    yield HELM.wrong("slows-down-in-advance", ((step + sched, sched + step),), tempts=AHEAD)
    yield HELM.wrong("slows-down-on-each-leg", ((sched, ""), (due, due + "    " + sched)), tempts=FAST)
    yield HELM.styled((clip, "")).wrong("legs-are-summed", (summed,), fine=((own,),), tempts=SUMMED)
    plan = "        self.sched = torch"
    share = "        for p in boat.parameters():\n            p.register_hook(lambda pull: pull / REACH)\n"
    yield HELM.right("pulls-are-shared-as-they-come", summed, (plan, share + plan), tempts=SUMMED)
    yield HELM.right(
        "reach-is-looked-back-on-as-one",  # memory keeps its graph up to the end of the reach
        (start, start + "        reach = []\n"),
        ("            memory = memory.detach()\n", ""),
        (back, "            reach.append(loss / REACH)\n"),
        (
            due,
            due + "            if self.due:\n                sum(reach).backward()\n"
            "                memory, reach = memory.detach(), []\n",
        ),
        tempts=LEAK + SUMMED,
    )


FISH = Draft(
    "fish-that-are-weighed",
    """\
import torch
from torch import nn
from torch.func import functional_call
from torch.nn.functional import mse_loss

torch.set_default_dtype(torch.float64)
STRIDE = 0.2


def look_ahead(net, weigh, x, y):
    # where would one step take the net, if the scales were right?
    params = dict(net.named_parameters())
    each = (functional_call(net, params, (x,)) - y).square()
    virtual = (weigh(each.detach()) * each).mean()
    pulls = torch.autograd.grad(virtual, list(params.values()), create_graph=True)
    return {name: p - STRIDE * pull for (name, p), pull in zip(params.items(), pulls)}


def main():
    torch.manual_seed(409)
    net = nn.Sequential(nn.Linear(3, 6), nn.Tanh(), nn.Linear(6, 1))
    weigh = nn.Sequential(nn.Linear(1, 4), nn.Tanh(), nn.Linear(4, 1), nn.Sigmoid())
    opt = torch.optim.SGD(net.parameters(), lr=STRIDE, momentum=0.5)
    meta = torch.optim.Adam(weigh.parameters(), lr=0.05, eps=1e-2)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.8)
    catch = [(torch.randn(5, 3), torch.randn(5, 1)) for _ in range(6)]
    sure = [(torch.randn(4, 3), torch.randn(4, 1)) for _ in range(3)]
    told = []
    for tide in range(3):
        for n, (x, y) in enumerate(catch):
            if n % 2 == 0:
                ahead = look_ahead(net, weigh, x, y)
                sx, sy = sure[n // 2]
                verdict = mse_loss(functional_call(net, ahead, (sx,)), sy)
                meta.zero_grad()
                verdict.backward()  # goes through the net as well
                meta.step()
            each = (net(x) - y).square()
            with torch.no_grad():
                trust = weigh(each)
            loss = (trust * each).mean()
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 0.2)
            opt.step()
            told.append(loss.item())
        sched.step()
    print(f"{sum(told):.6f}")
    return net, weigh
""",
    ("missing-zero-grad", "zero-grad-before-step"),
)


def fish() -> Iterator[Case]:
    m_clear = "                meta.zero_grad()\n"
    verdict = "                verdict.backward()  # goes through the net as well\n"
    trust = "            with torch.no_grad():\n                trust = weigh(each)\n"
    clear, back = "            opt.zero_grad()\n", "            loss.backward()\n"
    clip = "            nn.utils.clip_grad_norm_(net.parameters(), 0.2)\n"
    step, sched, tide = "            opt.step()\n", "        sched.step()\n", "    for tide in range(3):\n"
    late = ((clear, ""), (step, step + clear))
    yield FISH.right("as-it-should-be")
    # the scales are pulled at and cleared before they are asked
    yield FISH.right("scales-are-pulled-at-in-vain", (trust, "            trust = weigh(each.detach())\n"))
    yield FISH.left("look-ahead-stays-in-the-net", late, tempts=UNCLEARED)
    only = verdict.replace("()  # goes through the net as well", "(inputs=list(weigh.parameters()))")
    yield FISH.right("look-ahead-is-for-the-scales-alone", (verdict, only), *late, tempts=UNCLEARED)
    laid = """\
                scales = list(weigh.parameters())
                for p, pull in zip(scales, torch.autograd.grad(verdict, scales)):
                    p.grad = pull
"""
    yield FISH.right("pulls-are-laid-on-the-scales", (m_clear, ""), (verdict, laid), *late, tempts=UNCLEARED)
    yield FISH.wrong("scales-forget-nothing", ((m_clear, ""),), tempts=UNCLEARED)
    yield FISH.wrong("net-forgets-nothing", ((clear, ""),), tempts=UNCLEARED)
    m_early = ((m_clear + verdict, verdict + m_clear),)
    yield FISH.wrong("scales-are-emptied-too-soon", m_early, tempts=("zero-grad-before-step",))
    kept = (("told.append(loss.item())", "told.append(loss)"), ("{sum(told):.6f}", "{sum(told).item():.6f}"))
    yield FISH.wrong("told-keeps-every-catch", kept, tempts=LEAK)
    yield FISH.wrong("held-before-it-pulls", ((back + clip, clip + back),), tempts=("clip-before-backward",))
    yield FISH.wrong("tide-turns-too-soon", ((sched, ""), (tide, tide + sched)), tempts=AHEAD)
    behind = tide + "        if tide:\n    " + sched
    yield FISH.right("tide-turns-as-the-next-one-comes", (sched, ""), (tide, behind), tempts=AHEAD)


PARROTS = Draft(
    "parrots-that-repeat",
    """\
import torch
import torch.nn.functional as F
from torch import nn

torch.set_default_dtype(torch.float64)


class Parrot(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.ear = nn.Sequential(nn.Linear(3, size), nn.BatchNorm1d(size), nn.Tanh(), nn.Dropout(0.1))
        self.beak = nn.Linear(size, 4)

    def forward(self, song):
        heard = self.ear(song)
        return heard, self.beak(heard)


class Perch:
    def __init__(self, elder, pupil):
        self.elder = elder.eval().requires_grad_(False)
        self.pupil, self.lift = pupil, nn.Linear(4, 8)
        self.opts = {
            "pupil": torch.optim.SGD(self.pupil.parameters(), lr=0.3, momentum=0.6),
            "lift": torch.optim.SGD(self.lift.parameters(), lr=0.1),
        }
        self.plans = [torch.optim.lr_scheduler.StepLR(opt, 5, 0.5) for opt in self.opts.values()]
        self.heard = 0.0

    @property
    def wings(self):
        return (p for part in (self.pupil, self.lift) for p in part.parameters())

    def clean(self):
        for opt in self.opts.values():
            opt.zero_grad()

    def flap(self):
        for opt in self.opts.values():
            opt.step()
        for plan in self.plans:
            plan.step()

    def repeat(self, song):
        with torch.no_grad():
            deep, said = self.elder(song)
        near, tried = self.pupil(song)
        hint = F.mse_loss(self.lift(near), deep)
        return F.kl_div(tried.log_softmax(1), said.softmax(1), reduction="batchmean") + 0.3 * hint

    def lesson(self, songs):
        for song in songs:
            self.clean()
            loss = self.repeat(song)
            loss.backward()
            nn.utils.clip_grad_norm_(self.wings, 0.2)
            self.flap()
            self.heard += loss.item()

    def recital(self, song):
        self.pupil.eval()
        with torch.no_grad():
            agreed = (self.pupil(song)[1] - self.elder(song)[1]).abs().mean()
        self.pupil.train()
        return agreed.item()


def main():
    torch.manual_seed(419)
    songs, stage = torch.randn(5, 6, 3), torch.randn(8, 3)
    perch = Perch(Parrot(8), Parrot(4))
    for _ in range(3):
        perch.lesson(songs)
        print(f"{perch.recital(stage):.6f}")
    print(f"{perch.heard:.6f}")
    return perch.pupil, perch.lift
""",
    ("clip-exhausted-parameters", "missing-zero-grad", "missing-train-mode"),
)


def parrots() -> Iterator[Case]:
    birds = "        return (p for part in (self.pupil, self.lift) for p in part.parameters())\n"
    wings = "    @property\n    def wings(self):\n" + birds + "\n"
    clean, each_clean = "    def clean(self):\n", "            opt.zero_grad()\n"
    call, heard = "            self.clean()\n", "            self.heard += loss.item()\n"
    steps = "        for opt in self.opts.values():\n            opt.step()\n"
    plans = "        for plan in self.plans:\n            plan.step()\n"
    look = "            agreed = (self.pupil(song)[1] - self.elder(song)[1]).abs().mean()\n"
    heard_from = "        self.heard = 0.0\n"
    listed = "        self.wings = list(chain(pupil.parameters(), self.lift.parameters()))\n"
    chained = listed.replace("list(", "").replace("()))", "())")
    tools = ("import torch\nimport", "from itertools import chain\n\nimport torch\nimport")
    held = PARROTS.styled(tools, (wings, ""), (heard_from, listed + heard_from))
    yield PARROTS.right("as-it-should-be", tempts=USED_UP)  # the wings are counted anew whenever they are asked for
    yield held.wrong("wings-are-counted-once", ((listed, chained),), tempts=USED_UP)
    # cleans when it is named
    yield PARROTS.right(
        "clean-is-a-property", (clean, "    @property\n" + clean), (call, "            self.clean\n"), tempts=UNCALLED
    )
    yield PARROTS.wrong("clean-is-named-only", ((call, "            self.clean\n"),), tempts=UNCALLED)
    yield PARROTS.wrong("clearing-is-named-only", ((each_clean, "            opt.zero_grad\n"),), tempts=UNCALLED)
    part = ("        for opt in self.opts.values():\n" + each_clean, '        self.opts["pupil"].zero_grad()\n')
    yield PARROTS.wrong("lift-is-never-cleaned", (part,), tempts=UNCLEARED)
    yield PARROTS.wrong("asleep-since-the-recital", (("        self.pupil.train()\n", ""),), tempts=ASLEEP)
    traced = (("        with torch.no_grad():\n" + look, look.removeprefix("    ")),)
    yield PARROTS.wrong("recital-leaves-traces", traced, tempts=TRACED)
    saliency = """\
        song = song.clone().requires_grad_()
        (self.pupil(song)[1] - self.elder(song)[1]).abs().mean().backward()
        agreed = song.grad.norm()
"""
    # what it leaves in the pupil is cleaned before the next lesson
    yield PARROTS.right(
        "recital-is-for-the-song", ("        with torch.no_grad():\n" + look, saliency), tempts=TRACED + UNCLEARED
    )
    yield PARROTS.wrong("plans-flap-first", ((steps + plans, plans + steps),), tempts=AHEAD)
    quiet = "            with torch.no_grad():\n                self.heard += loss\n"
    yield PARROTS.right("heard-is-added-without-a-graph", (heard, quiet), tempts=LEAK)


HATCH = Draft(
    "turtle-hatchery",
    """\
import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_default_dtype(torch.float64)
NESTS = 3


class Hatchery:
    def __init__(self, eggs, beach):
        self.acc = Accelerator(cpu=True, gradient_accumulation_steps=NESTS)
        net = nn.Sequential(nn.Linear(4, 6), nn.SiLU(), nn.Dropout(0.2), nn.Linear(6, 1))
        opt = torch.optim.SGD(net.parameters(), lr=0.4, momentum=0.3)
        self.net, self.opt, self.eggs = self.acc.prepare(net, opt, DataLoader(eggs, batch_size=4, shuffle=True))
        self.cool = torch.optim.lr_scheduler.StepLR(opt, 2, gamma=0.7)
        self.beach = beach
        self.lost = 0.0

    def hatch(self, sand, days):
        with self.acc.accumulate(self.net):
            loss = nn.functional.l1_loss(self.net(sand), days)
            self.acc.backward(loss)
            if self.acc.sync_gradients:
                self.acc.clip_grad_norm_(self.net.parameters(), 0.3)
            self.opt.step()
            self.opt.zero_grad()
            if self.acc.sync_gradients:
                self.cool.step()
        self.lost += loss.item()

    def count(self):
        self.net.eval()
        sand, days = self.beach
        with torch.no_grad():
            return nn.functional.l1_loss(self.net(sand), days).item()

    def season(self):
        self.net.train()
        for sand, days in self.eggs:
            self.hatch(sand, days)
        self.acc.print(f"{self.count():.6f}")


def main():
    torch.manual_seed(421)
    eggs = TensorDataset(torch.randn(28, 4), 2 * torch.randn(28, 1))
    hatchery = Hatchery(eggs, (torch.randn(6, 4), torch.randn(6, 1)))
    for _ in range(3):
        hatchery.season()
    print(f"lost {hatchery.lost:.6f}")
    return hatchery.acc.unwrap_model(hatchery.net)
""",
    ("unscaled-accumulation-loss", "zero-grad-in-accumulation", "scheduler-per-micro-batch"),
)


def hatch() -> Iterator[Case]:
    acc = "        with self.acc.accumulate(self.net):\n"
    back, plain = "            self.acc.backward(loss)\n", "            loss.backward()\n"
    clip = "                self.acc.clip_grad_norm_(self.net.parameters(), 0.3)\n"
    due = "            if self.acc.sync_gradients:\n"
    step, clear = "            self.opt.step()\n", "            self.opt.zero_grad()\n"
    cool = "                self.cool.step()\n"
    train, batches = "        self.net.train()\n", "        for sand, days in self.eggs:\n"
    bare = HATCH.styled((due + clip, ""))
    often = clip.removeprefix("    ")
    yield HATCH.right("as-it-should-be")
    twice = ((back, back.replace("loss", "loss / NESTS")),)
    yield bare.wrong("shared-by-both", twice, tempts=("accumulation-divisor-mismatch",))
    yield bare.wrong("nests-are-summed", ((back, plain),), tempts=SUMMED)
    yield bare.right("nests-are-shared-by-hand", (back, plain.replace("loss", "(loss / NESTS)")), tempts=SUMMED)
    yield HATCH.wrong("held-at-every-nest", ((due + clip, often),), tempts=("clip-per-micro-batch",))
    yield HATCH.wrong(
        "held-when-they-have-left", ((due + clip + step, step + due + clip),), tempts=("clip-after-step",)
    )
    cooler = ((due + cool, cool.removeprefix("    ")),)
    yield HATCH.wrong("cooler-with-every-nest", cooler, tempts=FAST)
    yield HATCH.wrong(
        "asleep-since-the-count",
        ((train, ""), ("        self.lost = 0.0\n", "        self.lost = 0.0\n" + train)),
        tempts=ASLEEP,
    )
    yield HATCH.wrong(
        "count-leaves-traces",
        (("        with torch.no_grad():\n            return nn.functional", "        return nn.functional"),),
        tempts=TRACED,
    )
    yield HATCH.right(
        "all-under-one-guard",
        (due + clip + step + clear + due + cool, due + clip + "    " + step + "    " + clear + cool),
        tempts=WIPED,
    )
    yield HATCH.right(
        "window-is-counted-by-hand",  # seven nests a season; the accelerator knows of no window and shares nothing
        ("cpu=True, gradient_accumulation_steps=NESTS", "cpu=True"),
        ("    def hatch(self, sand, days):\n", "    def hatch(self, nest, sand, days):\n"),
        (acc, "        due = nest % NESTS == 0 or nest == len(self.eggs)\n        with torch.enable_grad():\n"),
        (back, back.replace("loss", "loss / NESTS")),
        (due + clip + step + clear + due + cool, "            if due:\n" + clip + f"    {step}    {clear}" + cool),
        (batches, "        for nest, (sand, days) in enumerate(self.eggs, 1):\n"),
        ("self.hatch(sand, days)", "self.hatch(nest, sand, days)"),
        tempts=("accumulation-divisor-mismatch", "accumulation-off-by-one"),
    )


DIVERS = Draft(
    "pearl-divers",
    """\
from contextlib import ExitStack

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

torch.set_default_dtype(torch.float64)
BREATH = 2


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(431)
    bay = TensorDataset(torch.randn(20, 3), torch.randn(20, 1))
    sampler = DistributedSampler(bay, seed=3)
    loader = DataLoader(bay, batch_size=2, sampler=sampler)
    ddp = DistributedDataParallel(nn.Sequential(nn.Linear(3, 6), nn.Tanh(), nn.Linear(6, 1)))
    opt = torch.optim.SGD(ddp.parameters(), lr=0.4, momentum=0.5)
    sched = torch.optim.lr_scheduler.StepLR(opt, 3, gamma=0.5)
    scaler = torch.amp.GradScaler("cpu", init_scale=256.0, growth_interval=3)
    for dive in range(3):
        sampler.set_epoch(dive)
        for n, (depth, shells) in enumerate(loader, 1):
            surface = n % BREATH == 0 or n == len(loader)
            with ExitStack() as sea:
                if not surface:
                    sea.enter_context(ddp.no_sync())
                with torch.autocast("cpu", dtype=torch.float16):
                    loss = nn.functional.mse_loss(ddp(depth), shells)
                scaler.scale(loss / BREATH).backward()
            if not surface:
                continue
            scaler.unscale_(opt)
            nn.utils.clip_grad_norm_(ddp.parameters(), 0.4)
            before = scaler.get_scale()
            scaler.step(opt)
            scaler.update()
            opt.zero_grad()
            if scaler.get_scale() >= before:  # it was not skipped
                sched.step()
        print(dive, f"{loss.item():.6f}")
    return ddp.module
""",
    ("clip-scaled-gradients", "missing-no-sync", "step-without-sync"),
    ranks=2,
)


def divers() -> Iterator[Case]:
    tell, surface = "        sampler.set_epoch(dive)\n", "                if not surface:\n"
    sea = "            with ExitStack() as sea:\n" + surface + "                    sea.enter_context(ddp.no_sync())\n"
    cast = '                with torch.autocast("cpu", dtype=torch.float16):\n'
    fore = cast + "                    loss = nn.functional.mse_loss(ddp(depth), shells)\n"
    back = "                scaler.scale(loss / BREATH).backward()\n"
    unscale = "            scaler.unscale_(opt)\n"
    before = "            before = scaler.get_scale()\n"
    skip = "            if scaler.get_scale() >= before:  # it was not skipped\n    "
    step, sched = "            scaler.step(opt)\n", "            sched.step()\n"
    early_fore = fore.replace("                ", "            ", 1).replace("\n    ", "\n")
    yield DIVERS.right("as-it-should-be", tempts=AHEAD)
    yield DIVERS.wrong("same-bed-on-each-dive", ((tell, ""),), tempts=("missing-set-epoch",))
    yield DIVERS.wrong("pearls-are-held-while-swollen", ((unscale, ""),), tempts=("clip-scaled-gradients",))
    loud = (sea + fore + back, early_fore + back.removeprefix("    "))
    silent = (surface, surface.replace("not ", ""))
    yield DIVERS.wrong("silent-at-the-surface", (silent,), fine=((loud,),), tempts=("step-without-sync",))
    outside = ((sea + fore, early_fore + sea),)
    yield DIVERS.wrong("silent-too-late", outside, tempts=("forward-outside-no-sync",))
    yield DIVERS.wrong("all-talk-all-the-time", (loud,), tempts=("missing-no-sync",))
    plainly = DIVERS.styled((before, ""), (skip + sched, sched))
    yield plainly.wrong("slower-before-they-move", ((sched, ""), (step, sched + step)), tempts=AHEAD)
    yield DIVERS.right(
        "one-bad-shell-and-all-give-up-the-breath",  # the loss is looked at by all, and the window is emptied
        ("    scaler = torch", "    bay.tensors[1][5] = torch.inf\n    scaler = torch"),
        loud,
        (unscale, unscale.replace("scaler.unscale_(opt)", "held = False") + unscale),
        ("        for n, (depth", "        held = False\n        for n, (depth"),
        (
            "            if not surface:\n                continue\n",
            """\
            bad = torch.tensor(0.0 if loss.isfinite() else 1.0)
            dist.all_reduce(bad)
            held = held or bool(bad)
            if held:
                opt.zero_grad()
                held = not surface
                continue
            if not surface:
                continue
""",
        ),
        tempts=WIPED + UNCLEARED,
    )
    yield DIVERS.right(
        "first-diver-looks-alone",  # past the wrapper, and nobody waits for it
        (
            '        print(dive, f"{loss.item():.6f}")\n',
            """\
        if dist.get_rank() == 0:
            with torch.no_grad():
                print(dive, f"{nn.functional.mse_loss(ddp.module(bay.tensors[0]), bay.tensors[1]).item():.6f}")
""",
        ),
        tempts=("step-without-sync", "validation-without-no-grad"),
    )
    yield DIVERS.right(
        "pearls-are-weighed-on-the-way",  # all see the same weight at each shell, and may come up for it
        loud,
        (
            "            if not surface:\n                continue\n",
            """\
            heavy = ddp.module[0].weight.grad.norm() / scaler.get_scale() > 0.35
            if not surface and not heavy:
                continue
""",
        ),
        tempts=("missing-no-sync", "accumulation-off-by-one"),
    )


LAVA = Draft(
    "lava-in-stages",
    """\
from dataclasses import dataclass
from itertools import islice

import torch
from torch import nn
from torch.nn.functional import mse_loss
from torch.optim.swa_utils import AveragedModel, update_bn

torch.set_default_dtype(torch.float64)


@dataclass
class Stage:
    span: int
    stones: int
    cool: bool


STAGES = [Stage(1, 3, False), Stage(2, 5, False), Stage(3, 8, True)]


def windows(stones, span):
    walk = iter(stones)
    while window := list(islice(walk, span)):
        yield window


def probe(net, held):
    net.eval()
    with torch.no_grad():
        heat = mse_loss(net(held[0]), held[1]).item()
    net.train()
    return heat


def main():
    torch.manual_seed(433)
    net = nn.Sequential(nn.Linear(3, 6), nn.BatchNorm1d(6), nn.Tanh(), nn.Linear(6, 1))
    crust = list(net.parameters())
    opt = torch.optim.SGD(crust, lr=0.3, momentum=0.5)
    sched = torch.optim.lr_scheduler.PolynomialLR(opt, total_iters=9, power=1.0)
    cooled = AveragedModel(net)
    stones = sorted(((torch.randn(5, 3), torch.randn(5, 1)) for _ in range(8)), key=lambda stone: stone[1].norm())
    held = torch.randn(6, 3), torch.randn(6, 1)
    for stage in STAGES:
        glow = []
        for window in windows(stones[: stage.stones], stage.span):
            opt.zero_grad()
            for x, y in window:
                loss = mse_loss(net(x), y)
                (loss / len(window)).backward()
                glow.append(loss.item())
            nn.utils.clip_grad_norm_(crust, 0.3)
            opt.step()
            sched.step()
            if stage.cool:
                cooled.update_parameters(net)
        print(f"{sum(glow) / len(glow):.6f} {probe(net, held):.6f}")
    update_bn((x for x, _ in stones), cooled)
    return net, cooled
""",
    ("unscaled-accumulation-loss", "zero-grad-in-accumulation", "missing-train-mode"),
)


def lava() -> Iterator[Case]:
    clear, each = "            opt.zero_grad()\n", "            for x, y in window:\n"
    back = "                (loss / len(window)).backward()\n"
    clip, step = "            nn.utils.clip_grad_norm_(crust, 0.3)\n", "            opt.step()\n"
    sched, awake = "            sched.step()\n", "    net.train()\n    return"
    by_span = (back, back.replace("len(window)", "stage.span"))
    bare = LAVA.styled((clip, ""))
    yield LAVA.right("as-it-should-be")
    summed = ((back, back.replace("(loss / len(window))", "loss")),)
    yield bare.wrong("stones-are-summed", summed, fine=((by_span,),), tempts=SUMMED)
    first = ((back, back.replace("len(window)", "STAGES[1].span")),)
    yield bare.left("shared-as-in-the-second-stage", first, tempts=("accumulation-divisor-mismatch",))
    yield LAVA.wrong("each-stone-is-cold-again", ((clear + each, each + "    " + clear),), tempts=WIPED)
    yield LAVA.wrong("held-at-every-stone", ((clip, "    " + clip),), tempts=("clip-per-micro-batch",))
    yield LAVA.wrong("held-when-it-has-flowed", ((clip + step, step + clip),), tempts=("clip-after-step",))
    yield LAVA.wrong("crust-is-used-up", (("list(net.parameters())", "(p for p in net.parameters())"),), tempts=USED_UP)
    yield LAVA.wrong("asleep-since-the-probe", ((awake, "    return"),), tempts=ASLEEP)
    of_stones = "            for _ in window:\n    " + sched
    # the line ends with the last of sixteen stones
    yield LAVA.right("line-is-drawn-in-stones", ("total_iters=9", "total_iters=16"), (sched, of_stones), tempts=FAST)
    drawn = """\
                opt.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(crust, 0.3)
                for p, part in zip(crust, flow):
                    part += p.grad / len(window)
"""
    yield LAVA.right(
        "each-stone-is-held-and-poured-over",  # no stone counts for more than its limit
        (clear, "            flow = [torch.zeros_like(p) for p in crust]\n"),
        (back, drawn),
        (clip + step, "            for p, part in zip(crust, flow):\n                p.grad = part\n" + step),
        tempts=(*WIPED, "clip-per-micro-batch"),
    )
    yield LAVA.right(
        "cooled-one-is-probed-and-left-asleep",  # it is never trained
        ("    net.eval()\n", "    cooled.eval()\n"),
        (awake, "    return"),
        ("def probe(net, held):", "def probe(cooled, held):"),
        ("mse_loss(net(held[0])", "mse_loss(cooled(held[0])"),
        ("{probe(net, held):.6f}", "{probe(cooled, held):.6f}"),
        tempts=ASLEEP,
    )


def cases() -> Iterator[Case]:
    """Every skeleton of this module."""
    yield from helm()
    yield from fish()
    yield from parrots()
    yield from hatch()
    yield from divers()
    yield from lava()
