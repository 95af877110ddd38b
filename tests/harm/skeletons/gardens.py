"""Gardens: quiet ranks, shared seeds, breeders and judges, lessons within lessons, scaled losses, own rhythms, time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

ORCHIDS = Draft(
    "orchid-house",
    """\
import contextlib

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as Spread

torch.set_default_dtype(torch.float64)
TRAYS = 3


def trays(bench):
    for number, (soil, bloom) in enumerate(bench, 1):
        yield soil, bloom, number % TRAYS == 0 or number == len(bench)


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(11)
    house = Spread(nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1)))
    opt = torch.optim.SGD(house.parameters(), lr=0.3, momentum=0.5)
    rng = torch.Generator().manual_seed(70 + dist.get_rank())
    bench = [(torch.randn(4, 3, generator=rng), torch.rand(4, 1, generator=rng)) for _ in range(7)]
    opt.zero_grad()
    for week in range(2):
        for soil, bloom, due in trays(bench):
            with contextlib.ExitStack() as stack:
                if not due:
                    stack.enter_context(house.no_sync())
                loss = nn.functional.mse_loss(house(soil), bloom)
                (loss / TRAYS).backward()
            if due:
                nn.utils.clip_grad_norm_(house.parameters(), 0.4)
                opt.step()
                opt.zero_grad()
    dist.destroy_process_group()
    return house.module
""",
    ("forward-outside-no-sync", "missing-no-sync", "step-without-sync"),
    ranks=2,
)

TRAY_DUE = "        yield soil, bloom, number % TRAYS == 0 or number == len(bench)\n"
TRAY_FOR = "        for soil, bloom, due in trays(bench):\n"
TRAY_STACK = """\
            with contextlib.ExitStack() as stack:
                if not due:
                    stack.enter_context(house.no_sync())
                loss = nn.functional.mse_loss(house(soil), bloom)
                (loss / TRAYS).backward()
"""
TRAY_LOUD = """\
            loss = nn.functional.mse_loss(house(soil), bloom)
            (loss / TRAYS).backward()
"""
TRAY_CLIP = "                nn.utils.clip_grad_norm_(house.parameters(), 0.4)\n"
TRAY_STEP = "                opt.step()\n                opt.zero_grad()\n"
TRAY_START = "    opt.zero_grad()\n    for week in range(2):\n"
TRAY_WEEKLY = (TRAY_START, "    for week in range(2):\n        opt.zero_grad()\n")
TRAY_ONLY_FULL = (TRAY_DUE, "        yield soil, bloom, number % TRAYS == 0\n")
TRAY_SHARE = ("(loss / TRAYS).backward()", "(loss / size).backward()")
TRAY_SHARES = (
    (
        TRAY_DUE,
        (
            "        size = len(bench) % TRAYS if number > len(bench) // TRAYS * TRAYS else TRAYS\n"
            "        yield soil, bloom, size, number % TRAYS == 0 or number == len(bench)\n"
        ),
    ),
    (TRAY_FOR, "        for soil, bloom, size, due in trays(bench):\n"),
    TRAY_SHARE,
)


def orchids() -> Iterator[Case]:
    yield ORCHIDS.right("as-it-should-be")
    yield ORCHIDS.wrong("every-tray-synchronised", ((TRAY_STACK, TRAY_LOUD),), tempts=("missing-no-sync",))
    yield ORCHIDS.wrong(
        "forward-ahead-of-the-stack",
        (
            (
                TRAY_STACK,
                (
                    "            loss = nn.functional.mse_loss(house(soil), bloom)\n"
                    "            with contextlib.ExitStack() as stack:\n"
                    "                if not due:\n"
                    "                    stack.enter_context(house.no_sync())\n"
                    "                (loss / TRAYS).backward()\n"
                ),
            ),
        ),
        tempts=("forward-outside-no-sync",),
    )
    yield ORCHIDS.wrong(
        "last-tray-of-the-week-stays-quiet",
        (
            (
                TRAY_DUE,
                ("        full = number % TRAYS == 0\n        yield soil, bloom, full, full or number == len(bench)\n"),
            ),
            (TRAY_FOR, "        for soil, bloom, full, due in trays(bench):\n"),
            ("                if not due:\n", "                if not full:\n"),
        ),
        tempts=("step-without-sync",),
    )
    yield ORCHIDS.wrong(
        "last-tray-leaks-into-the-next-week",
        (TRAY_ONLY_FULL,),
        fine=(TRAY_SHARES, (TRAY_ONLY_FULL, TRAY_WEEKLY)),
        tempts=("dropped-accumulation-tail",),
    )
    yield ORCHIDS.wrong(
        "clip-at-each-tray",
        ((TRAY_CLIP, ""), (TRAY_STACK, TRAY_STACK + TRAY_CLIP[4:])),
        tempts=("clip-per-micro-batch",),
    )
    yield ORCHIDS.right("last-tray-takes-its-true-share", *TRAY_SHARES, tempts=("accumulation-divisor-mismatch",))
    yield ORCHIDS.right(
        "last-tray-averaged-by-hand",
        (
            TRAY_DUE,
            ("        full = number % TRAYS == 0\n        yield soil, bloom, full, full or number == len(bench)\n"),
        ),
        (TRAY_FOR, "        for soil, bloom, full, due in trays(bench):\n"),
        ("                if not due:\n", "                if not full:\n"),
        (
            TRAY_CLIP,
            (
                "                if not full:\n"
                "                    for p in house.parameters():\n"
                "                        dist.all_reduce(p.grad)\n"
                "                        p.grad.div_(dist.get_world_size())\n" + TRAY_CLIP
            ),
        ),
        tempts=("step-without-sync",),
    )
    yield ORCHIDS.right(
        "looked-at-without-the-wrapper",  # no gradient is wanted of this forward
        (
            TRAY_STEP,
            (
                TRAY_STEP + "                with torch.no_grad():\n"
                "                    print(week, f'{house.module(soil).mean():.6f}')\n"
            ),
        ),
        tempts=("step-without-sync",),
    )


SEEDS = Draft(
    "seed-library",
    """\
import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

torch.set_default_dtype(torch.float64)


def agree(params):
    for p in params:
        dist.all_reduce(p.grad)
        p.grad /= dist.get_world_size()


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(21)
    library = TensorDataset(torch.randn(18, 2), torch.randn(18, 1))
    sampler = DistributedSampler(library, seed=5)
    drawers = DataLoader(library, batch_size=3, sampler=sampler)
    sorter = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1))
    opt = torch.optim.SGD(sorter.parameters(), lr=0.3)
    for season in range(3):
        sampler.set_epoch(season)
        for seed, crop in drawers:
            opt.zero_grad()
            nn.functional.mse_loss(sorter(seed), crop).backward()
            agree(sorter.parameters())
            nn.utils.clip_grad_norm_(sorter.parameters(), 0.5)
            opt.step()
    dist.destroy_process_group()
    return sorter
""",
    ("missing-set-epoch", "step-without-sync"),
    ranks=2,
)

SEED_SAMPLER = "    sampler = DistributedSampler(library, seed=5)\n"
SEED_DRAWERS = "    drawers = DataLoader(library, batch_size=3, sampler=sampler)\n"
SEED_SEASON = "        sampler.set_epoch(season)\n"
SEED_CLEAR = "            opt.zero_grad()\n"
SEED_BACK = "            nn.functional.mse_loss(sorter(seed), crop).backward()\n"
SEED_AGREE = "            agree(sorter.parameters())\n"
SEED_CLIP = "            nn.utils.clip_grad_norm_(sorter.parameters(), 0.5)\n"
SEED_STEP = "            opt.step()\n"
SEED_AGREEMENT = "    for p in params:\n        dist.all_reduce(p.grad)\n        p.grad /= dist.get_world_size()\n"


def seeds() -> Iterator[Case]:
    yield SEEDS.right("as-it-should-be")
    yield SEEDS.wrong("same-order-each-season", ((SEED_SEASON, ""),), tempts=("missing-set-epoch",))
    yield SEEDS.wrong(
        "agreed-behind-the-step",
        ((SEED_AGREE, ""), (SEED_STEP, SEED_STEP + SEED_AGREE)),
        fine=(((SEED_AGREE + SEED_CLIP, SEED_CLIP + SEED_AGREE),),),
        tempts=("step-without-sync",),
    )
    yield SEEDS.wrong(
        "cleared-behind-the-agreement",
        ((SEED_CLEAR, ""), (SEED_AGREE, SEED_AGREE + SEED_CLEAR)),
        tempts=("zero-grad-before-step",),
    )
    yield SEEDS.right(
        "next-season-told-at-the-end-of-this-one",
        (SEED_SEASON, ""),
        (SEED_STEP, SEED_STEP + "        sampler.set_epoch(season + 1)\n"),
        tempts=("missing-set-epoch",),
    )
    yield SEEDS.right(
        "never-shuffled",
        (SEED_SAMPLER, SEED_SAMPLER.replace("seed=5", "shuffle=False")),
        (SEED_SEASON, ""),
        tempts=("missing-set-epoch",),
    )
    yield SEEDS.right(
        "new-sampler-each-season",
        (SEED_SAMPLER + SEED_DRAWERS, ""),
        (
            SEED_SEASON,
            (
                "        sampler = DistributedSampler(library, seed=5 + season)\n"
                "        drawers = DataLoader(library, batch_size=3, sampler=sampler)\n"
            ),
        ),
        tempts=("missing-set-epoch",),
    )
    yield SEEDS.right(
        "all-gradients-in-one-parcel",
        (
            SEED_AGREEMENT,
            (
                "    grads = [p.grad for p in params]\n"
                "    parcel = nn.utils.parameters_to_vector(grads)\n"
                "    dist.all_reduce(parcel)\n"
                "    nn.utils.vector_to_parameters(parcel / dist.get_world_size(), grads)\n"
            ),
        ),
        tempts=("step-without-sync",),
    )
    yield SEEDS.right(
        "agreed-by-a-hook-of-the-optimizer",
        (SEED_AGREE + SEED_CLIP, ""),
        (
            "    for season",
            "    opt.register_step_pre_hook(lambda *_: agree(sorter.parameters()))\n    for season",
        ),
        tempts=("step-without-sync",),
    )
    yield SEEDS.right(
        "summed-over-ranks-of-a-shared-loss",
        ("        p.grad /= dist.get_world_size()\n", ""),
        (
            SEED_BACK,
            "            (nn.functional.mse_loss(sorter(seed), crop) / dist.get_world_size()).backward()\n",
        ),
    )


ROSES = Draft(
    "rose-hybrids",
    """\
import torch
from torch import nn
from torch.nn.functional import softplus

torch.set_default_dtype(torch.float64)


class Hybrids:
    def __init__(self):
        self.breeder = nn.Sequential(nn.Linear(2, 5), nn.Tanh(), nn.Linear(5, 3))
        self.judge = nn.Sequential(nn.Linear(3, 5), nn.Tanh(), nn.Linear(5, 1))
        self.opts = {
            "breeder": torch.optim.SGD(self.breeder.parameters(), lr=0.3, momentum=0.5),
            "judge": torch.optim.SGD(self.judge.parameters(), lr=0.2, momentum=0.5),
        }

    def show(self, roses):
        self.opts["judge"].zero_grad()
        bred = self.breeder(torch.randn(len(roses), 2)).detach()
        softplus(-self.judge(roses)).mean().backward()
        softplus(self.judge(bred)).mean().backward()
        nn.utils.clip_grad_norm_(self.judge.parameters(), 0.3)
        self.opts["judge"].step()

    def breed(self, count):
        self.opts["breeder"].zero_grad()
        softplus(-self.judge(self.breeder(torch.randn(count, 2)))).mean().backward()
        self.opts["breeder"].step()


def main():
    torch.manual_seed(3)
    hybrids = Hybrids()
    for spring in range(4):
        hybrids.show(1 + 0.3 * torch.randn(6, 3))
        hybrids.breed(6)
    return nn.ModuleList([hybrids.breeder, hybrids.judge])
""",
    ("missing-zero-grad", "zero-grad-before-step"),
)

JUDGE_CLEAR = '        self.opts["judge"].zero_grad()\n'
JUDGE_TRUE = "        softplus(-self.judge(roses)).mean().backward()\n"
JUDGE_FALSE = "        softplus(self.judge(bred)).mean().backward()\n"
JUDGE_CLIP = "        nn.utils.clip_grad_norm_(self.judge.parameters(), 0.3)\n"
JUDGE_STEP = '        self.opts["judge"].step()\n'
BREED_CLEAR = '        self.opts["breeder"].zero_grad()\n'
BREED_BACK = "        softplus(-self.judge(self.breeder(torch.randn(count, 2)))).mean().backward()\n"
BREED_STEP = '        self.opts["breeder"].step()\n'
BREED_ALONE = BREED_BACK.replace("backward()", "backward(inputs=list(self.breeder.parameters()))")


def roses() -> Iterator[Case]:
    yield ROSES.right("as-it-should-be")
    yield ROSES.wrong("judge-never-cleared", ((JUDGE_CLEAR, ""),), tempts=("missing-zero-grad",))
    yield ROSES.wrong(
        "neither-cleared",
        ((JUDGE_CLEAR, ""),),
        ((BREED_CLEAR, ""),),
        tempts=("missing-zero-grad",),
    )
    yield ROSES.wrong(
        "judge-cleared-between-true-and-false",
        ((JUDGE_CLEAR, ""), (JUDGE_TRUE, JUDGE_TRUE + JUDGE_CLEAR)),
        tempts=("zero-grad-before-step", "zero-grad-in-accumulation"),
    )
    yield ROSES.right(
        "judge-cleared-by-the-breeder",  # what the breeder's backward has left in the judge
        (JUDGE_CLEAR, ""),
        (BREED_STEP, BREED_STEP + JUDGE_CLEAR),
        tempts=("missing-zero-grad",),
    )
    yield ROSES.right(
        "judge-learns-of-two-springs",  # the breeder's backward leaves the judge's gradients alone
        (JUDGE_CLEAR, ""),
        (BREED_BACK, BREED_ALONE),
        (JUDGE_TRUE, JUDGE_TRUE.replace("softplus(-self.judge(roses))", "(0.5 * softplus(-self.judge(roses)))")),
        (JUDGE_FALSE, JUDGE_FALSE.replace("softplus(self.judge(bred))", "(0.5 * softplus(self.judge(bred)))")),
        (JUDGE_CLIP + JUDGE_STEP, ""),
        (
            "    def breed",
            "    def award(self):\n" + JUDGE_CLIP + JUDGE_STEP + JUDGE_CLEAR + "\n    def breed",
        ),
        (
            "        hybrids.breed(6)\n",
            "        hybrids.breed(6)\n        if spring % 2:\n            hybrids.award()\n",
        ),
        tempts=("zero-grad-in-accumulation", "missing-zero-grad"),
    )
    yield ROSES.right(
        "weights-of-the-judge-bounded",
        (JUDGE_CLIP, ""),
        (
            JUDGE_STEP,
            (
                JUDGE_STEP + "        with torch.no_grad():\n"
                "            for p in self.judge.parameters():\n                p.clamp_(-0.4, 0.4)\n"
            ),
        ),
        tempts=("clip-after-step",),
    )
    yield ROSES.right(
        "pull-on-the-judge-told",  # cleared early so that only the breeder's pull is in the number
        (JUDGE_CLEAR, ""),
        (JUDGE_STEP, JUDGE_STEP + JUDGE_CLEAR),
        (
            BREED_STEP,
            (
                BREED_STEP + "        pull = sum(p.grad.square().sum() for p in self.judge.parameters())\n"
                "        print(f'{pull:.8f}')\n" + JUDGE_CLEAR
            ),
        ),
    )


BEDS = Draft(
    "raised-beds",
    """\
import torch
from torch import nn
from torch.func import functional_call

torch.set_default_dtype(torch.float64)
BEDS = 4
DIGS = 2


def dig(plan, seeds, yields):
    fast = dict(plan.named_parameters())
    for _ in range(DIGS):
        loss = nn.functional.mse_loss(functional_call(plan, fast, (seeds,)), yields)
        grads = torch.autograd.grad(loss, list(fast.values()), create_graph=True)
        fast = {name: p - 0.2 * g for (name, p), g in zip(fast.items(), grads)}
    return fast


def bed(plan):
    slope = 0.5 + torch.rand(1)
    seeds, later = torch.randn(2, 5, 1)
    fast = dig(plan, seeds, slope * seeds)
    return nn.functional.mse_loss(functional_call(plan, fast, (later,)), slope * later)


def main():
    torch.manual_seed(8)
    plan = nn.Sequential(nn.Linear(1, 6), nn.Tanh(), nn.Linear(6, 1))
    opt = torch.optim.SGD(plan.parameters(), lr=0.3)
    for year in range(3):
        opt.zero_grad()
        for _ in range(BEDS):
            loss = bed(plan)
            (loss / BEDS).backward()
        nn.utils.clip_grad_norm_(plan.parameters(), 0.3)
        opt.step()
    return plan
""",
    ("unscaled-accumulation-loss", "zero-grad-in-accumulation"),
)

BED_CLEAR = "        opt.zero_grad()\n"
BED_FOR = "        for _ in range(BEDS):\n"
BED_LOSS = "            loss = bed(plan)\n"
BED_BACK = "            (loss / BEDS).backward()\n"
BED_CLIP = "        nn.utils.clip_grad_norm_(plan.parameters(), 0.3)\n"
BED_STEP = "        opt.step()\n"
BED_WINDOW = BED_CLEAR + BED_FOR + BED_LOSS + BED_BACK


def beds() -> Iterator[Case]:
    yield BEDS.right("as-it-should-be")
    yield BEDS.styled((BED_CLIP, "")).wrong(
        "divided-by-the-digs",
        ((BED_BACK, "            (loss / DIGS).backward()\n"),),
        tempts=("accumulation-divisor-mismatch",),
    )
    yield BEDS.wrong(
        "cleared-at-each-bed",
        ((BED_CLEAR + BED_FOR, BED_FOR + "    " + BED_CLEAR),),
        tempts=("zero-grad-in-accumulation",),
    )
    yield BEDS.wrong(
        "clip-at-each-bed",
        ((BED_CLIP, ""), (BED_BACK, BED_BACK + "    " + BED_CLIP)),
        tempts=("clip-per-micro-batch",),
    )
    yield BEDS.right(
        "one-backward-for-all-beds",
        (
            BED_FOR + BED_LOSS + BED_BACK,
            (
                "        losses = []\n        for _ in range(BEDS):\n            losses.append(bed(plan))\n"
                "        torch.stack(losses).mean().backward()\n"
            ),
        ),
        tempts=("loss-graph-leak",),
    )
    yield BEDS.right(
        "moved-towards-the-dug-beds",  # the gradient is the way there and no backward fills it
        ("import torch\n", "import copy\n\nimport torch\n"),
        (
            BED_WINDOW,
            """\
        opt.zero_grad(set_to_none=False)
        for _ in range(BEDS):
            spade = copy.deepcopy(plan)
            inner = torch.optim.SGD(spade.parameters(), lr=0.2)
            slope, seeds = 0.5 + torch.rand(1), torch.randn(5, 1)
            for _ in range(DIGS):
                inner.zero_grad()
                nn.functional.mse_loss(spade(seeds), slope * seeds).backward()
                inner.step()
            for p, new in zip(plan.parameters(), spade.parameters()):
                way = (p - new).detach() / BEDS
                p.grad = way if p.grad is None else p.grad + way
""",
        ),
        tempts=("zero-grad-before-step", "missing-zero-grad"),
    )
    yield BEDS.right(
        "gradients-of-the-beds-handed-over",
        (
            BED_WINDOW,
            """\
        shares = [torch.zeros_like(p) for p in plan.parameters()]
        for _ in range(BEDS):
            for share, g in zip(shares, torch.autograd.grad(bed(plan), list(plan.parameters()))):
                share += g / BEDS
        for p, share in zip(plan.parameters(), shares):
            p.grad = share
""",
        ),
        tempts=("missing-zero-grad",),
    )
    yield BEDS.right(
        "looked-over-by-digging",  # what is looked at needs the gradients of its inner lesson
        (
            BED_STEP,
            (BED_STEP + "        plan.eval()\n        print(year, f'{bed(plan).item():.6f}')\n        plan.train()\n"),
        ),
        tempts=("validation-without-no-grad",),
    )


DEW = Draft(
    "dew-on-ferns",
    """\
import math

import torch
from torch import nn

torch.set_default_dtype(torch.float64)
NIGHTS = 3


def main():
    torch.manual_seed(17)
    fern = nn.Sequential(nn.Linear(3, 6), nn.Tanh(), nn.Linear(6, 3))
    opt = torch.optim.SGD(fern.parameters(), lr=0.4, momentum=0.5)
    scaler = torch.amp.GradScaler("cpu", init_scale=64.0)
    dew = torch.randn(10, 4, 3)
    dew[4, 0, 0] = math.inf
    kept = 0
    for drops in dew:
        loss = (fern(drops) - drops.mean(1, keepdim=True)).pow(2).mean()
        if not torch.isfinite(loss):
            continue
        scaler.scale(loss / NIGHTS).backward()
        kept += 1
        if kept % NIGHTS:
            continue
        scaler.unscale_(opt)
        nn.utils.clip_grad_norm_(fern.parameters(), 0.3)
        scaler.step(opt)
        scaler.update()
        opt.zero_grad()
    print(kept, scaler.get_scale())
    return fern
""",
    ("clip-scaled-gradients", "missing-scaler-update"),
)

DEW_BACK = "        scaler.scale(loss / NIGHTS).backward()\n"
DEW_DRIFT = """\
        drift = (fern(drops) - fern(drops.flip(0))).abs().mean()
        scaler.scale(drift / NIGHTS).backward()
"""
DEW_UNSCALE = "        scaler.unscale_(opt)\n"
DEW_CLIP = "        nn.utils.clip_grad_norm_(fern.parameters(), 0.3)\n"
DEW_STEP = "        scaler.step(opt)\n"
DEW_UPDATE = "        scaler.update()\n"
DEW_BAD = "        if not torch.isfinite(loss):\n            continue\n"


def dew() -> Iterator[Case]:
    drifting = DEW.styled((DEW_BACK, DEW_BACK + DEW_DRIFT))
    bare = DEW.styled((DEW_UNSCALE + DEW_CLIP, ""))
    measured = DEW.styled(
        (
            DEW_UNSCALE,
            (
                DEW_UNSCALE + "        size = torch.stack([p.grad.norm() for p in fern.parameters()]).norm()\n"
                "        print(f'{size:.6f}')\n"
            ),
        )
    )
    yield DEW.right("as-it-should-be")
    yield DEW.wrong(
        "clip-still-scaled",
        ((DEW_UNSCALE, ""),),
        fine=(((DEW_UNSCALE, ""), (DEW_CLIP, DEW_CLIP.replace("0.3", "0.3 * scaler.get_scale()"))),),
        tempts=("clip-scaled-gradients",),
    )
    yield bare.wrong(
        "stepped-past-the-scaler",
        ((DEW_STEP + DEW_UPDATE, "        opt.step()\n"),),
        tempts=("step-bypasses-scaler",),
    )
    yield DEW.wrong(
        "scaler-never-told",
        ((DEW_UPDATE, ""),),
        tempts=("missing-scaler-update",),
        raises="RuntimeError",
    )
    yield measured.wrong(
        "unscaled-to-measure-and-to-clip",
        ((DEW_CLIP, DEW_UNSCALE + DEW_CLIP),),
        tempts=("double-unscale",),
        raises="RuntimeError",
    )
    yield bare.wrong(
        "sum-of-nights",
        ((DEW_BACK, DEW_BACK.replace(" / NIGHTS", "")),),
        tempts=("unscaled-accumulation-loss",),
    )
    yield drifting.wrong(
        "drift-not-scaled",
        ((DEW_DRIFT, DEW_DRIFT.replace("scaler.scale(drift / NIGHTS)", "(drift / NIGHTS)")),),
        tempts=("unscaled-backward",),
    )
    yield measured.right("unscaled-once-to-measure-and-to-clip", tempts=("double-unscale",))
    yield DEW.right(
        "limit-scaled-instead-of-gradients",
        (DEW_UNSCALE, ""),
        (DEW_CLIP, DEW_CLIP.replace("0.3", "0.3 * scaler.get_scale()")),
        tempts=("clip-scaled-gradients",),
    )
    yield DEW.right(
        "stepped-by-hand-where-finite",  # the gradients are unscaled already and the scaler is told
        (
            DEW_CLIP + DEW_STEP,
            "        if torch.isfinite(nn.utils.clip_grad_norm_(fern.parameters(), 0.3)):\n            opt.step()\n",
        ),
        tempts=("step-bypasses-scaler", "missing-scaler-update"),
    )
    yield DEW.right(
        "frost-empties-the-window",
        (
            DEW_BAD,
            DEW_BAD.replace("continue", "opt.zero_grad()\n            kept -= kept % NIGHTS\n            continue"),
        ),
        ("torch.randn(10, 4, 3)", "torch.randn(11, 4, 3)"),
        tempts=("zero-grad-in-accumulation",),
    )


WATER = Draft(
    "garden-waterings",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def main():
    torch.manual_seed(29)
    garden = nn.ModuleDict({"roots": nn.Linear(3, 4), "leaves": nn.Linear(4, 1)})
    opts = {name: torch.optim.SGD(part.parameters(), lr=0.3, momentum=0.4) for name, part in garden.items()}
    every = {"roots": 2, "leaves": 1}
    for day in range(1, 9):
        rain, growth = torch.randn(5, 3), torch.rand(5, 1)
        loss = nn.functional.mse_loss(garden["leaves"](torch.tanh(garden["roots"](rain))), growth)
        loss.backward()
        for name, opt in opts.items():
            if day % every[name] != 0:
                continue
            for p in garden[name].parameters():
                p.grad /= every[name]
            nn.utils.clip_grad_norm_(garden[name].parameters(), 0.2)
            opt.step()
            opt.zero_grad()
    return garden
""",
    ("unscaled-accumulation-loss", "missing-zero-grad"),
)

WATER_DAY = "    for day in range(1, 9):\n"
WATER_BACK = "        loss.backward()\n"
WATER_SHARE = "            for p in garden[name].parameters():\n                p.grad /= every[name]\n"
WATER_CLIP = "            nn.utils.clip_grad_norm_(garden[name].parameters(), 0.2)\n"
WATER_CLEAR = "            opt.zero_grad()\n"
WATER_RATES = "lr=0.3, momentum=0.4) for name"


def water() -> Iterator[Case]:
    yield WATER.right("as-it-should-be")
    yield WATER.wrong("never-cleared", ((WATER_CLEAR, ""),), tempts=("missing-zero-grad",))
    yield WATER.wrong(
        "whole-garden-cleared-each-day",
        ((WATER_CLEAR, ""), (WATER_BACK, "        garden.zero_grad()\n" + WATER_BACK)),
        tempts=("zero-grad-in-accumulation",),
    )
    yield WATER.right(
        "rate-takes-the-share",
        (WATER_SHARE, ""),
        (WATER_CLIP, ""),
        (WATER_RATES, "lr=0.3 / (2 if name == 'roots' else 1), momentum=0.4) for name"),
    )
    yield WATER.right(
        "half-of-the-pull-is-kept",  # the memory of a momentum, in the gradients themselves
        (WATER_RATES, "lr=0.2) for name"),
        (
            WATER_CLEAR,
            "            for p in garden[name].parameters():\n                p.grad *= 0.5\n",
        ),
        tempts=("missing-zero-grad",),
    )
    yield WATER.right(
        "leaves-cleared-daily-and-roots-when-watered",
        (WATER_CLEAR, ""),
        (
            WATER_BACK,
            (
                '        garden["leaves"].zero_grad()\n        if day % every["roots"] == 1:\n'
                '            garden["roots"].zero_grad()\n' + WATER_BACK
            ),
        ),
        tempts=("zero-grad-in-accumulation", "missing-zero-grad"),
    )
    yield WATER.right(
        "roots-rest-on-odd-days",
        (WATER_SHARE, ""),
        (WATER_CLEAR, ""),
        (WATER_DAY, WATER_DAY + '        garden["roots"].requires_grad_(day % every["roots"] == 0)\n'),
        (WATER_BACK, "        garden.zero_grad()\n" + WATER_BACK),
        tempts=("zero-grad-in-accumulation",),
    )


MOONS = Draft(
    "moon-almanac",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)
SPAN = 4


def main():
    torch.manual_seed(31)
    cell, page = nn.GRUCell(2, 5), nn.Linear(5, 1)
    almanac = nn.ModuleList([cell, page])
    opt = torch.optim.SGD(almanac.parameters(), lr=0.5)
    state = torch.zeros(3, 5)
    kept, seen = [], 0.0
    for moon in torch.randn(12, 3, 2):
        state = cell(moon, state)
        kept.append((page(state) - moon.sum(1, keepdim=True)).pow(2).mean())
        if len(kept) == SPAN:
            opt.zero_grad()
            loss = torch.stack(kept).mean()
            loss.backward()
            nn.utils.clip_grad_norm_(almanac.parameters(), 0.6)
            opt.step()
            seen += loss.item()
            kept.clear()
            state = state.detach()
    print(f"{seen:.6f}")
    return almanac
""",
    ("loss-graph-leak",),
)

MOON_KEPT = "        kept.append((page(state) - moon.sum(1, keepdim=True)).pow(2).mean())\n"
MOON_CLEAR = "            opt.zero_grad()\n"
MOON_LOSS = "            loss = torch.stack(kept).mean()\n            loss.backward()\n"
MOON_CLIP = "            nn.utils.clip_grad_norm_(almanac.parameters(), 0.6)\n"
MOON_SEEN = "            seen += loss.item()\n"


def moons() -> Iterator[Case]:
    yield MOONS.right("as-it-should-be")
    yield MOONS.wrong("graphs-in-the-sum", ((MOON_SEEN, "            seen += loss\n"),))
    yield MOONS.wrong(
        "graphs-in-the-chronicle",
        (
            (MOON_SEEN, "            chronicle.append(loss)\n            seen = sum(chronicle)\n"),
            ("    kept, seen = [], 0.0\n", "    kept, seen, chronicle = [], 0.0, []\n"),
        ),
    )
    yield MOONS.wrong(
        "clip-ahead-of-the-backward",
        ((MOON_CLIP, ""), (MOON_LOSS, MOON_CLIP + MOON_LOSS)),
        tempts=("clip-before-backward",),
    )
    yield MOONS.right(
        "sum-kept-outside-of-the-graph",
        (MOON_SEEN, "            with torch.no_grad():\n                seen += loss\n"),
    )
    yield MOONS.right(
        "sum-is-what-is-learnt-of",
        ("    kept, seen = [], 0.0\n", "    kept, seen, span = 0, 0.0, 0.0\n"),
        (MOON_KEPT, MOON_KEPT.replace("kept.append(", "kept += 1\n        span += ").replace("mean())", "mean()")),
        ("if len(kept) == SPAN", "if kept == SPAN"),
        (MOON_LOSS, MOON_LOSS.replace("torch.stack(kept).mean()", "span / SPAN")),
        ("            kept.clear()\n", "            kept, span = 0, 0.0\n"),
    )
    yield MOONS.right(
        "back-through-time-at-each-moon",  # each moon goes back to the first of its span
        (MOON_KEPT, MOON_KEPT + "        (kept[-1] / SPAN).backward(retain_graph=True)\n"),
        (MOON_CLEAR + MOON_LOSS, ""),
        (MOON_SEEN, MOON_SEEN.replace("loss.item()", "sum(k.item() for k in kept) / SPAN") + MOON_CLEAR),
        tempts=("loss-graph-leak", "unscaled-accumulation-loss"),
    )
    yield MOONS.right(
        "last-moons-not-learnt-of",
        ("torch.randn(12, 3, 2)", "torch.randn(14, 3, 2)"),
        tempts=("dropped-accumulation-tail",),
    )


def cases() -> Iterator[Case]:
    """Every skeleton of this module."""
    yield from orchids()
    yield from seeds()
    yield from roses()
    yield from beds()
    yield from dew()
    yield from water()
    yield from moons()
