"""Vineyards: late harvests, barrel rounds, grafted vines, cellar bells, growing rows, hillsides and their seasons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

HARVEST = Draft(
    "late-harvest",
    """\
import torch
from torch import nn
from torch.nn.functional import mse_loss

torch.set_default_dtype(torch.float64)
WEEKS = 3
CRATES = 2


class SAM(torch.optim.Optimizer):
    def __init__(self, params, base, rho=0.05, **kwargs):
        super().__init__(params, dict(rho=rho, **kwargs))
        self.base = base(self.param_groups, **kwargs)
        self.param_groups = self.base.param_groups

    @torch.no_grad()
    def first_step(self, zero_grad=False):
        grapes = [p for group in self.param_groups for p in group["params"]]
        norm = torch.stack([p.grad.norm() for p in grapes]).norm()
        for p in grapes:
            self.state[p]["nudge"] = p.grad * (self.param_groups[0]["rho"] / (norm + 1e-12))
            p.add_(self.state[p]["nudge"])
        if zero_grad:
            self.zero_grad()

    @torch.no_grad()
    def second_step(self, zero_grad=False):
        for group in self.param_groups:
            for p in group["params"]:
                p.sub_(self.state[p]["nudge"])
        self.base.step()
        if zero_grad:
            self.zero_grad()


def main():
    torch.manual_seed(11)
    vine = nn.Sequential(nn.Linear(3, 6), nn.Tanh(), nn.Linear(6, 1))
    crates = [(torch.randn(4, 3), torch.randn(4, 1)) for _ in range(8)]
    sam = SAM(vine.parameters(), torch.optim.SGD, rho=0.2, lr=0.4, momentum=0.6)
    updates = WEEKS * len(crates) // CRATES
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(sam.base, T_max=updates)
    sugar = 0.0
    for week in range(WEEKS):
        for start in range(0, len(crates), CRATES):
            window = crates[start : start + CRATES]
            for grapes, must in window:
                loss = mse_loss(vine(grapes), must) / len(window)
                loss.backward()
                sugar += loss.item()
            sam.first_step(zero_grad=True)
            for grapes, must in window:
                (mse_loss(vine(grapes), must) / len(window)).backward()
            nn.utils.clip_grad_norm_(vine.parameters(), 0.3)
            sam.second_step(zero_grad=True)
            sched.step()
    print(f"sugar {sugar:.6f}")
    return vine
""",
    ("missing-zero-grad", "zero-grad-in-accumulation"),
)

HARVEST_PLAIN = "                loss = mse_loss(vine(grapes), must) / len(window)\n"
HARVEST_CLIMB = "            sam.first_step(zero_grad=True)\n"
HARVEST_AGAIN = "                (mse_loss(vine(grapes), must) / len(window)).backward()\n"
HARVEST_CLIP = "            nn.utils.clip_grad_norm_(vine.parameters(), 0.3)\n"
HARVEST_STEP = "            sam.second_step(zero_grad=True)\n"
HARVEST_SCHED = "            sched.step()\n"


def harvest() -> Iterator[Case]:
    unclipped = HARVEST.styled((HARVEST_CLIP, ""), ("lr=0.4, momentum=0.6", "lr=0.04, momentum=0.6"))
    yield HARVEST.right("as-it-should-be", tempts=("missing-zero-grad", "unscaled-accumulation-loss"))
    yield unclipped.wrong(
        "second-picking-is-summed",
        ((HARVEST_AGAIN, "                mse_loss(vine(grapes), must).backward()\n"),),
        tempts=("unscaled-accumulation-loss",),
    )
    yield HARVEST.right(
        "first-picking-is-summed",  # the climb has the length of rho, whatever the gradient's
        (HARVEST_PLAIN, "                loss = mse_loss(vine(grapes), must)\n"),
        ("sugar += loss.item()", "sugar += loss.item() / len(window)"),
        tempts=("unscaled-accumulation-loss",),
    )
    yield HARVEST.wrong(
        "second-picking-stays-in-the-basket",
        ((HARVEST_STEP, "            sam.second_step()\n"),),
        tempts=("missing-zero-grad",),
    )
    yield HARVEST.left(
        "first-picking-stays-in-the-basket",  # both pulls are learnt from: forgotten, or meant
        ((HARVEST_CLIMB, "            sam.first_step()\n"),),
        tempts=("missing-zero-grad",),
    )
    yield HARVEST.right(
        "mean-of-both-pickings",
        (HARVEST_PLAIN, "                loss = mse_loss(vine(grapes), must) / (2 * len(window))\n"),
        (HARVEST_CLIMB, "            sam.first_step()\n"),
        (HARVEST_AGAIN, "                (mse_loss(vine(grapes), must) / (2 * len(window))).backward()\n"),
        tempts=("missing-zero-grad", "accumulation-divisor-mismatch"),
    )
    yield HARVEST.wrong(
        "basket-emptied-at-every-crate",
        ((HARVEST_AGAIN, "                sam.zero_grad()\n" + HARVEST_AGAIN),),
        tempts=("zero-grad-in-accumulation",),
    )
    yield HARVEST.wrong(
        "clipped-behind-the-second-step",
        (
            (HARVEST_CLIP + HARVEST_STEP, "            sam.second_step()\n" + HARVEST_CLIP),
            (HARVEST_SCHED, HARVEST_SCHED + "            sam.zero_grad()\n"),
        ),
        tempts=("clip-after-step",),
    )
    yield HARVEST.wrong(
        "clipped-at-every-crate",
        ((HARVEST_CLIP, "    " + HARVEST_CLIP),),
        tempts=("clip-per-micro-batch",),
    )
    yield HARVEST.together(
        "season-is-counted-in-crates",  # so long as its length and its steps are counted alike
        (("    updates = WEEKS * len(crates) // CRATES\n", "    updates = WEEKS * len(crates)\n"),),
        ((HARVEST_SCHED, ""), (HARVEST_AGAIN, HARVEST_AGAIN + "    " + HARVEST_SCHED)),
        tempts=("scheduler-per-micro-batch", "scheduler-before-optimizer"),
    )


BARREL = Draft(
    "barrel-round",
    """\
import torch
from torch import nn
from torch.nn.functional import mse_loss

torch.set_default_dtype(torch.float64)


def main():
    torch.manual_seed(13)
    barrel = nn.Sequential(nn.Linear(3, 5), nn.BatchNorm1d(5), nn.Tanh(), nn.Linear(5, 1))
    casks = [(torch.randn(6, 3), torch.randn(6, 1)) for _ in range(3)]
    glass, score = torch.randn(8, 3), torch.randn(8, 1)
    opt = torch.optim.LBFGS(barrel.parameters(), lr=0.5, max_iter=3, history_size=4)
    fade = torch.optim.lr_scheduler.ExponentialLR(opt, 0.7)
    notes = []

    def closure():
        opt.zero_grad()
        total = 0.0
        for wood, wine in casks:
            loss = mse_loss(barrel(wood), wine) / len(casks)
            loss.backward()
            total += loss.item()
        nn.utils.clip_grad_norm_(barrel.parameters(), 0.8)
        return total

    for turn in range(4):
        barrel.train()
        notes.append(opt.step(closure))
        fade.step()
        barrel.eval()
        with torch.no_grad():
            taste = mse_loss(barrel(glass), score)
        notes.append(taste.item())
    print(*(f"{note:.6f}" for note in notes))
    return barrel
""",
    ("missing-zero-grad", "missing-train-mode"),
)

BARREL_CLEAR = "        opt.zero_grad()\n"
BARREL_LOOP = """\
        for wood, wine in casks:
            loss = mse_loss(barrel(wood), wine) / len(casks)
            loss.backward()
            total += loss.item()
"""
BARREL_CLIP = "        nn.utils.clip_grad_norm_(barrel.parameters(), 0.8)\n"
BARREL_TRAIN = "        barrel.train()\n"
BARREL_STEP = "        notes.append(opt.step(closure))\n"
BARREL_FADE = "        fade.step()\n"
BARREL_TURN = "    for turn in range(4):\n"


def barrel() -> Iterator[Case]:
    yield BARREL.right("as-it-should-be")
    yield BARREL.wrong(
        "rinsed-outside-the-closure",  # which is called three times for each step
        ((BARREL_CLEAR, ""), (BARREL_STEP, BARREL_CLEAR + BARREL_STEP)),
        fine=(((BARREL_STEP, BARREL_CLEAR + BARREL_STEP),),),
        tempts=("missing-zero-grad",),
    )
    yield BARREL.right(
        "one-look-for-each-turn",  # the closure is called once for each step: rinsed outside is rinsed
        ("max_iter=3", "max_iter=1"),
        (BARREL_CLEAR, ""),
        (BARREL_STEP, BARREL_CLEAR + BARREL_STEP),
        tempts=("missing-zero-grad",),
    )
    yield BARREL.wrong(
        "rinse-is-not-called",
        ((BARREL_CLEAR, "        opt.zero_grad\n"),),
        tempts=("method-not-called", "missing-zero-grad"),
    )
    yield BARREL.wrong(
        "clipped-while-empty",
        (
            (BARREL_CLEAR, BARREL_CLEAR + BARREL_CLIP),
            (BARREL_CLIP + "        return total\n", "        return total\n"),
        ),
        tempts=("clip-before-backward",),
    )
    yield BARREL.wrong(
        "never-back-from-the-taste",
        ((BARREL_TURN + BARREL_TRAIN, "    barrel.train()\n" + BARREL_TURN),),
        tempts=("missing-train-mode",),
    )
    yield BARREL.right(
        "one-backward-for-all-casks",  # the total is what is differentiated
        (
            BARREL_LOOP,
            """\
        for wood, wine in casks:
            total += mse_loss(barrel(wood), wine)
        total = total / len(casks)
        total.backward()
""",
        ),
        (BARREL_STEP, "        notes.append(opt.step(closure).item())\n"),
        tempts=("loss-graph-leak", "unscaled-accumulation-loss"),
    )
    yield BARREL.right(
        "gradients-are-written-over",
        (BARREL_CLEAR, ""),
        (
            BARREL_LOOP,
            """\
        staves = list(barrel.parameters())
        loss = torch.stack([mse_loss(barrel(wood), wine) for wood, wine in casks]).mean()
        for p, pull in zip(staves, torch.autograd.grad(loss, staves)):
            p.grad = pull
        total += loss.item()
""",
        ),
        tempts=("missing-zero-grad",),
    )
    yield BARREL.styled((BARREL_CLIP, "")).left(
        "casks-are-summed",  # after its first move the method does not mind the scale
        (("mse_loss(barrel(wood), wine) / len(casks)", "mse_loss(barrel(wood), wine)"),),
        tempts=("unscaled-accumulation-loss",),
    )
    yield BARREL.wrong(
        "faded-ahead-of-the-step",
        ((BARREL_FADE, ""), (BARREL_TRAIN, BARREL_TRAIN + BARREL_FADE)),
        tempts=("scheduler-before-optimizer",),
    )


GRAFT = Draft(
    "grafted-vine",
    """\
import torch
import torch.nn.functional as F
from torch import nn

torch.set_default_dtype(torch.float64)


class Grafted(nn.Module):
    def __init__(self):
        super().__init__()
        self.stock = nn.Sequential(nn.Linear(4, 6), nn.BatchNorm1d(6), nn.Tanh())
        self.scion = nn.Sequential(nn.Linear(6, 6), nn.BatchNorm1d(6), nn.Tanh(), nn.Linear(6, 3))
        self.stock.requires_grad_(False)

    def train(self, mode=True):
        super().train(mode)
        self.stock.eval()
        return self

    def forward(self, leaf):
        return self.scion(self.stock(leaf))


def inspect(vine, plots):
    vine.eval()
    with torch.no_grad():
        blight = sum(F.cross_entropy(vine(leaf), kind).item() for leaf, kind in plots)
    vine.train()
    return blight / len(plots)


def main():
    torch.manual_seed(20)
    vine = Grafted()
    bend = torch.randn(4, 3)
    rows = [(leaf, (leaf @ bend).argmax(1)) for leaf in torch.randn(6, 6, 4)]
    plots = [(leaf, (leaf @ bend).argmax(1)) for leaf in torch.randn(2, 8, 4)]
    knots = [p for p in vine.parameters() if p.requires_grad]
    opt = torch.optim.SGD(knots, lr=0.4, momentum=0.5, weight_decay=0.01)
    sched = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, factor=0.5, patience=0, threshold=0.02)
    book = []
    for season in range(3):
        vine.train()
        for day, (leaf, kind) in enumerate(rows):
            opt.zero_grad()
            loss = F.cross_entropy(vine(leaf), kind)
            loss.backward()
            nn.utils.clip_grad_norm_(knots, 0.25)
            opt.step()
            book.append(loss.item())
            if day % 2 == 1:
                sched.step(inspect(vine, plots))
    print(f"{sum(book):.6f}", opt.param_groups[0]["lr"])
    return vine
""",
    ("missing-train-mode", "scheduler-before-optimizer"),
)

GRAFT_TRAIN_METHOD = """\
    def train(self, mode=True):
        super().train(mode)
        self.stock.eval()
        return self

"""
GRAFT_NO_GRAD = """\
    with torch.no_grad():
        blight = sum(F.cross_entropy(vine(leaf), kind).item() for leaf, kind in plots)
"""
GRAFT_BACK_TO_TRAIN = "    vine.train()\n    return blight"
GRAFT_SEASON = "    for season in range(3):\n        vine.train()\n"
GRAFT_CLEAR = "            opt.zero_grad()\n"
GRAFT_KNOTS = "    knots = [p for p in vine.parameters() if p.requires_grad]\n"
GRAFT_PLATEAU = "            if day % 2 == 1:\n                sched.step(inspect(vine, plots))\n"


def graft() -> Iterator[Case]:
    yield GRAFT.right("as-it-should-be", tempts=("missing-train-mode", "scheduler-per-micro-batch"))
    yield GRAFT.wrong(
        "inspected-and-left-asleep",
        ((GRAFT_BACK_TO_TRAIN, "    return blight"),),
        tempts=("missing-train-mode",),
    )
    yield GRAFT.wrong(
        "sleep-is-not-called",  # the norms would learn from the plots
        (("    vine.eval()\n", "    vine.eval\n"),),
        tempts=("method-not-called",),
    )
    yield GRAFT.right(
        "only-the-scion-wakes",  # a train() of the whole would let the stock's norms drift
        (GRAFT_TRAIN_METHOD, ""),
        ("    vine = Grafted()\n", "    vine = Grafted().eval()\n"),
        (GRAFT_BACK_TO_TRAIN, "    vine.scion.train()\n    return blight"),
        (GRAFT_SEASON, GRAFT_SEASON.replace("vine.train()", "vine.scion.train()")),
        tempts=("missing-train-mode",),
    )
    yield GRAFT.right(
        "norms-settle-in-the-first-season",  # its learning goes on with the statistics that it has
        (GRAFT_BACK_TO_TRAIN, "    vine.train(awake)\n    return blight"),
        ("    vine.eval()\n", "    awake = vine.training\n    vine.eval()\n"),
        (GRAFT_SEASON, GRAFT_SEASON.replace("vine.train()", "vine.train(season == 0)")),
        tempts=("missing-train-mode",),
    )
    yield GRAFT.wrong(
        "inspected-with-gradients",
        ((GRAFT_NO_GRAD, GRAFT_NO_GRAD.replace("    with torch.no_grad():\n    ", "")),),
        tempts=("validation-without-no-grad",),
    )
    yield GRAFT.right(
        "how-much-each-leaf-matters",  # what is found takes a gradient
        (
            GRAFT_NO_GRAD,
            """\
    blight = 0.0
    for leaf, kind in plots:
        leaf = leaf.clone().requires_grad_()
        loss = F.cross_entropy(vine(leaf), kind)
        blight += torch.autograd.grad(loss, leaf)[0].norm().item()
""",
        ),
        tempts=("validation-without-no-grad",),
    )
    yield GRAFT.wrong(
        "knots-are-used-up",
        ((GRAFT_KNOTS, "    knots = filter(lambda p: p.requires_grad, vine.parameters())\n"),),
        tempts=("clip-exhausted-parameters",),
    )
    yield GRAFT.right(
        "knots-are-found-anew",
        (GRAFT_KNOTS, "\n    def knots():\n        return (p for p in vine.parameters() if p.requires_grad)\n\n"),
        ("torch.optim.SGD(knots,", "torch.optim.SGD(knots(),"),
        ("clip_grad_norm_(knots,", "clip_grad_norm_(knots(),"),
        tempts=("clip-exhausted-parameters",),
    )
    yield GRAFT.right(
        "inspected-ahead-of-the-day",  # the rate is for the step to come, of the vine that was inspected
        (GRAFT_PLATEAU, ""),
        (GRAFT_CLEAR, GRAFT_PLATEAU.replace("== 1", "== 0") + GRAFT_CLEAR),
        tempts=("scheduler-before-optimizer",),
    )


BELLS = Draft(
    "cellar-bells",
    """\
import torch
from torch import nn
from torch.nn.functional import mse_loss

torch.set_default_dtype(torch.float64)
SPAN = 2


class Bell:
    def batch_begins(self, cellar): ...

    def gradients_ready(self, cellar): ...

    def step_done(self, cellar): ...

    def batch_ends(self, cellar): ...


class Clip(Bell):
    def gradients_ready(self, cellar):
        cellar.scaler.unscale_(cellar.opt)
        nn.utils.clip_grad_norm_(cellar.model.parameters(), 0.3)


class Clean(Bell):
    def step_done(self, cellar):
        cellar.opt.zero_grad()


class Warm(Bell):
    def __init__(self, opt):
        self.sched = torch.optim.lr_scheduler.LinearLR(opt, start_factor=0.25, total_iters=6)

    def step_done(self, cellar):
        self.sched.step()


class Taste(Bell):
    def __init__(self, glass, score):
        self.glass, self.score, self.notes = glass, score, []

    def batch_ends(self, cellar):
        if cellar.number % 4 == 0:
            cellar.model.eval()
            with torch.no_grad():
                self.notes.append(mse_loss(cellar.model(self.glass), self.score).item())
            cellar.model.train()


class Cellar:
    def __init__(self, model, opt, *bells):
        self.model, self.opt, self.bells, self.number = model, opt, bells, 0
        self.scaler = torch.amp.GradScaler("cpu", init_scale=64.0, growth_interval=3)

    def ring(self, event):
        for bell in self.bells:
            getattr(bell, event)(self)

    def fit(self, casks, rounds):
        self.model.train()
        for _ in range(rounds):
            for self.number, (must, wine) in enumerate(casks, 1):
                self.ring("batch_begins")
                with torch.autocast("cpu", dtype=torch.float16):
                    loss = mse_loss(self.model(must), wine)
                self.scaler.scale(loss / SPAN).backward()
                if self.number % SPAN == 0:
                    self.ring("gradients_ready")
                    self.scaler.step(self.opt)
                    self.scaler.update()
                    self.ring("step_done")
                self.ring("batch_ends")


def main():
    torch.manual_seed(19)
    model = nn.Sequential(nn.Linear(3, 6), nn.Tanh(), nn.Dropout(0.2), nn.Linear(6, 1))
    opt = torch.optim.SGD(model.parameters(), lr=0.4, momentum=0.5)
    casks = [(torch.randn(4, 3), torch.randn(4, 1)) for _ in range(8)]
    taste = Taste(torch.randn(6, 3), torch.randn(6, 1))
    cellar = Cellar(model, opt, Clip(), Clean(), Warm(opt), taste)
    cellar.fit(casks, 3)
    print(*(f"{note:.6f}" for note in taste.notes))
    return model
""",
    ("missing-zero-grad", "clip-scaled-gradients"),
)

BELLS_CLIP_CLASS = """\
class Clip(Bell):
    def gradients_ready(self, cellar):
        cellar.scaler.unscale_(cellar.opt)
        nn.utils.clip_grad_norm_(cellar.model.parameters(), 0.3)


"""
BELLS_UNSCALE = "        cellar.scaler.unscale_(cellar.opt)\n"
BELLS_CLEAN = """\
class Clean(Bell):
    def step_done(self, cellar):
        cellar.opt.zero_grad()
"""
BELLS_SCHED = """\
    def step_done(self, cellar):
        self.sched.step()
"""
BELLS_GAUGE_CLASS = """\
class Gauge(Bell):
    def gradients_ready(self, cellar):
        print(f"{max(p.grad.norm().item() for p in cellar.model.parameters()):.6f}")


"""


def bells() -> Iterator[Case]:
    gauged = BELLS.styled(
        (BELLS_CLEAN, BELLS_GAUGE_CLASS + BELLS_CLEAN), ("Clip(), Clean()", "Clip(), Gauge(), Clean()")
    )
    yield BELLS.right("as-it-should-be")
    yield BELLS.wrong("clip-rings-while-scaled", ((BELLS_UNSCALE, ""),), tempts=("clip-scaled-gradients",))
    yield gauged.wrong(
        "gauge-unscales-once-more",
        (
            (
                "        print(f",
                "        cellar.scaler.unscale_(cellar.opt)\n        print(f",
            ),
        ),
        tempts=("double-unscale",),
        raises="RuntimeError",
    )
    yield gauged.right(
        "gauge-divides-the-scale-out-itself",  # and rings ahead of the clip
        ("p.grad.norm().item() for p in", "p.grad.norm().item() / cellar.scaler.get_scale() for p in"),
        ("Clip(), Gauge(), Clean()", "Gauge(), Clip(), Clean()"),
        tempts=("double-unscale", "clip-scaled-gradients"),
    )
    yield BELLS.wrong(
        "cleaned-as-each-batch-begins",
        ((BELLS_CLEAN, BELLS_CLEAN.replace("step_done", "batch_begins")),),
        tempts=("zero-grad-in-accumulation",),
    )
    yield BELLS.right(
        "cleaned-as-the-window-begins",
        (
            BELLS_CLEAN,
            """\
class Clean(Bell):
    def batch_begins(self, cellar):
        if cellar.number % SPAN == 1:
            cellar.opt.zero_grad()
""",
        ),
        tempts=("zero-grad-in-accumulation", "missing-zero-grad"),
    )
    yield BELLS.wrong(
        "warmer-with-every-batch",
        ((BELLS_SCHED, BELLS_SCHED.replace("step_done", "batch_ends")),),
        tempts=("scheduler-per-micro-batch",),
    )
    yield BELLS.right(
        "no-warmer-for-a-step-that-was-skipped",
        ("    casks = [", "    lees = torch.full((4, 3), torch.inf)\n    casks = ["),
        (
            "for _ in range(8)]\n    taste",
            "for _ in range(7)]\n    casks.insert(3, (lees, torch.randn(4, 1)))\n    taste",
        ),
        (
            BELLS_SCHED,
            """\
    def batch_begins(self, cellar):
        self.scale = cellar.scaler.get_scale()

    def step_done(self, cellar):
        if cellar.scaler.get_scale() >= self.scale:
            self.sched.step()
""",
        ),
        tempts=("scheduler-per-micro-batch", "scheduler-before-optimizer"),
    )
    yield BELLS.wrong(
        "taste-leaves-it-asleep",
        (("            cellar.model.train()\n", ""),),
        tempts=("missing-train-mode",),
    )
    yield BELLS.right(
        "scaler-is-switched-off",  # bfloat16, and every call of the scaler passes through
        ("dtype=torch.float16", "dtype=torch.bfloat16"),
        ("growth_interval=3)", "growth_interval=3, enabled=False)"),
        tempts=("scaler-with-bfloat16", "double-unscale"),
    )


ROWS = Draft(
    "growing-rows",
    """\
import math

import torch
from torch import nn
from torch.nn.functional import smooth_l1_loss

torch.set_default_dtype(torch.float64)
SPANS = (2, 3, 4)


def steeper_first(plots):
    return sorted(plots, key=lambda plot: plot[0].square().sum().item())


def rate(update):
    return min(1.0, (update + 1) / 4) * math.exp(-0.15 * max(0, update - 4))


def main():
    torch.manual_seed(23)
    vine = nn.Sequential(nn.Linear(3, 5), nn.SiLU(), nn.Linear(5, 2))
    plots = steeper_first([(torch.randn(4, 3), 2 * torch.randn(4, 2)) for _ in range(10)])
    opt = torch.optim.AdamW(vine.parameters(), lr=0.05, eps=1e-2, weight_decay=0.01)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, rate)
    told = 0.0
    for week, span in enumerate(SPANS):
        rows = plots[: 7 + week + week // 2]
        for number, (soil, crop) in enumerate(rows, 1):
            loss = smooth_l1_loss(vine(soil), crop)
            (loss / span).backward()
            told += loss.item()
            if number % span == 0 or number == len(rows):
                nn.utils.clip_grad_norm_(vine.parameters(), 0.1)
                opt.step()
                opt.zero_grad()
                sched.step()
    print(f"told {told:.6f} {sched.get_last_lr()[0]:.6f}")
    return vine
""",
    ("unscaled-accumulation-loss", "dropped-accumulation-tail"),
)

ROWS_BACK = "            (loss / span).backward()\n"
ROWS_TOLD = "            told += loss.item()\n"
ROWS_IF = "            if number % span == 0 or number == len(rows):\n"
ROWS_CLIP = "                nn.utils.clip_grad_norm_(vine.parameters(), 0.1)\n"
ROWS_SCHED = "                sched.step()\n"
ROWS_FOR = "        for number, (soil, crop) in enumerate(rows, 1):\n"
ROWS_TAIL = (
    "            size = min(span, len(rows) - (number - 1) // span * span)\n            (loss / size).backward()\n"
)
ROWS_HAIL = """\
            if torch.isfinite(loss):
                (loss / span).backward()
                told += loss.item()
"""
ROWS_HAND = """\
                for p in vine.parameters():
                    p.grad /= waiting
"""


def rows() -> Iterator[Case]:
    tail = ((ROWS_BACK, ROWS_TAIL),)
    bare = ROWS.styled((ROWS_CLIP, ""))
    from_nought = ROWS.styled(
        (ROWS_FOR, "        for number, (soil, crop) in enumerate(rows):\n"),
        (ROWS_IF, "            if (number + 1) % span == 0 or number + 1 == len(rows):\n"),
    )
    hail = ROWS.styled(
        ("    opt = torch", "    plots[3][1][0, 0] = torch.inf\n    opt = torch"),
        (ROWS_BACK + ROWS_TOLD, ROWS_HAIL),
    )
    even = ROWS.styled(("[: 7 + week + week // 2]", "[: 2 * span]"))
    yield ROWS.right("as-it-should-be")
    yield bare.wrong(
        "rows-are-summed",
        ((ROWS_BACK, "            loss.backward()\n"),),
        fine=(tail,),
        tempts=("unscaled-accumulation-loss",),
    )
    yield bare.wrong(
        "divided-by-the-first-week",
        ((ROWS_BACK, "            (loss / SPANS[0]).backward()\n"),),
        fine=(tail,),
        tempts=("accumulation-divisor-mismatch",),
    )
    yield ROWS.wrong(
        "tail-waits-for-the-next-week",
        ((ROWS_IF, "            if number % span == 0:\n"),),
        fine=(tail,),
        tempts=("dropped-accumulation-tail",),
    )
    yield even.right(
        "no-week-has-a-tail",
        (ROWS_IF, "            if number % span == 0:\n"),
        tempts=("dropped-accumulation-tail",),
    )
    yield from_nought.wrong(
        "first-row-goes-alone",
        (("if (number + 1) % span == 0 or", "if number % span == 0 or"),),
        tempts=("accumulation-off-by-one",),
    )
    yield ROWS.wrong(
        "rate-moves-with-every-row",
        ((ROWS_SCHED, ROWS_SCHED.removeprefix("    ")),),
        tempts=("scheduler-per-micro-batch",),
    )
    yield ROWS.right(
        "shared-out-by-hand",
        ("    told = 0.0\n", "    told = 0.0\n    waiting = 0\n"),
        (ROWS_BACK, "            loss.backward()\n            waiting += 1\n"),
        (ROWS_CLIP, ROWS_HAND + ROWS_CLIP),
        (ROWS_SCHED, ROWS_SCHED + "                waiting = 0\n"),
        tempts=("unscaled-accumulation-loss",),
    )
    yield ROWS.right(
        "window-reaches-over-the-week",  # it is counted, and shared by what it holds
        ("    told = 0.0\n", "    told = 0.0\n    waiting = 0\n"),
        (ROWS_BACK, "            loss.backward()\n            waiting += 1\n"),
        (ROWS_IF, "            if waiting >= span:\n"),
        (ROWS_CLIP, ROWS_HAND + ROWS_CLIP),
        (ROWS_SCHED, ROWS_SCHED + "                waiting = 0\n"),
        tempts=("dropped-accumulation-tail", "unscaled-accumulation-loss"),
    )
    yield hail.left(
        "hail-on-the-row-that-closes",  # its window is not closed but grows
        ((ROWS_HAIL, "            if not torch.isfinite(loss):\n                continue\n" + ROWS_BACK + ROWS_TOLD),),
        tempts=("accumulation-off-by-one", "dropped-accumulation-tail"),
    )


HILLS = Draft(
    "hillside-seasons",
    """\
import torch
from torch import nn
from torch.nn.functional import linear, mse_loss

torch.set_default_dtype(torch.float64)
SLOPES = 3


class Hill(nn.Module):
    def __init__(self):
        super().__init__()
        self.root = nn.Sequential(nn.Linear(2, 6), nn.Tanh(), nn.Dropout(0.1))
        self.leaf = nn.Linear(6, 1)
        self.pace = nn.Parameter(torch.tensor([-2.0, -2.0]))

    @property
    def wood(self):
        return [*self.root.parameters(), *self.leaf.parameters()]

    def forward(self, sun, leaf):
        return linear(self.root(sun), *leaf)

    def adapt(self, sun, fruit):
        leaf = [self.leaf.weight, self.leaf.bias]
        for _ in range(2):
            pulls = torch.autograd.grad(mse_loss(self(sun, leaf), fruit), leaf, create_graph=True)
            leaf = [p - rate * g for p, rate, g in zip(leaf, self.pace.exp(), pulls)]
        return leaf


def slope():
    bend = torch.randn(2, 1)
    early, late = torch.randn(5, 2), torch.randn(5, 2)
    return early, torch.sin(early @ bend), late, torch.sin(late @ bend)


def trial(hill, held):
    hill.eval()
    early, fruit, late, wine = held
    leaf = hill.adapt(early, fruit)
    with torch.no_grad():
        return mse_loss(hill(late, leaf), wine).item()


def main():
    torch.manual_seed(29)
    hill = Hill()
    held = slope()
    opt = torch.optim.SGD(hill.wood, lr=0.4, momentum=0.4)
    pace_opt = torch.optim.SGD([hill.pace], lr=2.0)
    warm = torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(opt, 3)
    drop = torch.optim.lr_scheduler.StepLR(pace_opt, 2, 0.5)
    lost = 0.0
    for season in range(6):
        hill.train()
        for _ in range(SLOPES):
            early, fruit, late, wine = slope()
            leaf = hill.adapt(early, fruit)
            loss = mse_loss(hill(late, leaf), wine) / SLOPES
            loss.backward()
            lost += loss.item()
        nn.utils.clip_grad_norm_(hill.wood, 0.2)
        opt.step()
        pace_opt.step()
        opt.zero_grad()
        pace_opt.zero_grad()
        warm.step()
        drop.step()
        if season % 2 == 1:
            print(season, f"{trial(hill, held):.6f}")
    print(f"lost {lost:.6f}")
    return hill
""",
    ("missing-zero-grad", "validation-without-no-grad"),
)

HILLS_TRAIN = "        hill.train()\n"
HILLS_SEASON = "    for season in range(6):\n"
HILLS_LOST = "            lost += loss.item()\n"
HILLS_CLIP = "        nn.utils.clip_grad_norm_(hill.wood, 0.2)\n"
HILLS_STEP = "        opt.step()\n        pace_opt.step()\n"
HILLS_CLEAR = "        opt.zero_grad()\n        pace_opt.zero_grad()\n"
HILLS_WARM = "        warm.step()\n"
HILLS_DROP = "        drop.step()\n"
HILLS_PRINT = 'print(f"lost {lost:.6f}")'


def hills() -> Iterator[Case]:
    yield HILLS.right("as-it-should-be")  # the trial cannot adapt without gradients
    yield HILLS.wrong(
        "pace-is-never-cleared",
        ((HILLS_CLEAR, "        opt.zero_grad()\n"),),
        tempts=("missing-zero-grad",),
    )
    yield HILLS.right(
        "hill-clears-wood-and-pace",
        (HILLS_CLEAR, "        hill.zero_grad()\n"),
        tempts=("missing-zero-grad",),
    )
    yield HILLS.right(
        "pace-waits-for-two-seasons",  # its gradients are kept meanwhile, and halved
        (HILLS_STEP, "        opt.step()\n"),
        (
            HILLS_CLEAR,
            """\
        opt.zero_grad()
        if season % 2 == 1:
            hill.pace.grad /= 2
            pace_opt.step()
            pace_opt.zero_grad()
            drop.step()
""",
        ),
        (HILLS_WARM + HILLS_DROP, HILLS_WARM),
        tempts=("missing-zero-grad", "unscaled-accumulation-loss"),
    )
    yield HILLS.wrong(
        "lost-holds-every-slope",
        ((HILLS_LOST, "            lost += loss\n"), (HILLS_PRINT, 'print(f"lost {lost.item():.6f}")')),
        tempts=("loss-graph-leak",),
    )
    yield HILLS.wrong(
        "warmth-comes-ahead-of-the-step",
        ((HILLS_WARM, ""), (HILLS_CLIP, HILLS_CLIP + HILLS_WARM)),
        tempts=("scheduler-before-optimizer",),
    )
    yield HILLS.wrong(
        "pace-drops-on-every-slope",
        ((HILLS_DROP, ""), (HILLS_LOST, HILLS_LOST + "    " + HILLS_DROP)),
        tempts=("scheduler-per-micro-batch", "scheduler-before-optimizer"),
    )
    yield HILLS.wrong(
        "asleep-since-the-first-trial",
        ((HILLS_SEASON + HILLS_TRAIN, HILLS_TRAIN.removeprefix("    ") + HILLS_SEASON),),
        tempts=("missing-train-mode",),
    )
    yield HILLS.left(
        "trial-is-tasted-with-gradients",  # its adapting needs them, and what it tastes is one number more
        (
            (
                "    with torch.no_grad():\n        return mse_loss(hill(late, leaf), wine).item()\n",
                "    return mse_loss(hill(late, leaf), wine).item()\n",
            ),
        ),
        tempts=("validation-without-no-grad",),
    )
    yield HILLS.right(
        "wood-is-moved-by-hand",  # what its gradients keep of the last season is the momentum
        ("    opt = torch.optim.SGD(hill.wood, lr=0.4, momentum=0.4)\n", ""),
        ("    warm = torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(opt, 3)\n", ""),
        (
            HILLS_STEP,
            """\
        with torch.no_grad():
            for p in hill.wood:
                p -= 0.2 * p.grad
                p.grad.mul_(0.4)
        pace_opt.step()
""",
        ),
        (HILLS_CLEAR, "        pace_opt.zero_grad()\n"),
        (HILLS_WARM, ""),
        (HILLS_CLIP, ""),
        tempts=("missing-zero-grad",),
    )


def cases() -> Iterator[Case]:
    """Every skeleton of this module."""
    yield from harvest()
    yield from barrel()
    yield from graft()
    yield from bells()
    yield from rows()
    yield from hills()
