"""Small workshops: configurations as dataclasses, streams in while-loops, pairs of optimizers, hooks that divide."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

KILN = Draft(
    "kiln-dataclass",
    """\
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn.functional import smooth_l1_loss

torch.set_default_dtype(torch.float64)


@dataclass(frozen=True)
class Firing:
    rate: float = 0.3
    every: int = 3
    limit: float = 0.05
    rounds: int = 2


def main(cfg=Firing()):
    kiln = nn.Sequential(nn.Linear(4, 6), nn.SiLU(), nn.Linear(6, 1))
    opt = torch.optim.SGD(kiln.parameters(), lr=cfg.rate)
    loads = [(torch.randn(5, 4), 2 * torch.randn(5, 1)) for _ in range(6)]
    for number in range(cfg.rounds):
        for count, (clay, glaze) in enumerate(loads, start=1):
            loss = smooth_l1_loss(kiln(clay), glaze)
            (loss / cfg.every).backward()
            if full := count % cfg.every == 0:
                nn.utils.clip_grad_norm_(kiln.parameters(), cfg.limit); opt.step(); opt.zero_grad()
            print(number, count, full, f"{loss.item():.5f}")
    return kiln
""",
    ("unscaled-accumulation-loss", "clip-per-micro-batch"),
)

KILN_BACK = "            (loss / cfg.every).backward()\n"
KILN_CLIP = "nn.utils.clip_grad_norm_(kiln.parameters(), cfg.limit)"
KILN_SUITE = f"                {KILN_CLIP}; opt.step(); opt.zero_grad()\n"
KILN_UNDIVIDED = ("(loss / cfg.every).backward()", "loss.backward()")


def kiln() -> Iterator[Case]:
    yield KILN.right("as-it-should-be")
    yield KILN.wrong("sum-of-loads", (KILN_UNDIVIDED,))
    yield KILN.wrong(
        "divided-by-the-other-field",
        (("loss / cfg.every", "loss / cfg.rounds"),),
        tempts=("accumulation-divisor-mismatch",),
    )
    yield KILN.wrong(
        "clip-last-in-the-row",
        ((KILN_SUITE, f"                opt.step(); {KILN_CLIP}; opt.zero_grad()\n"),),
        tempts=("clip-after-step",),
    )
    yield KILN.wrong(
        "clip-at-each-load",
        (
            (KILN_BACK, KILN_BACK + f"            {KILN_CLIP}\n"),
            (KILN_SUITE, "                opt.step(); opt.zero_grad()\n"),
        ),
        tempts=("clip-per-micro-batch",),
    )
    yield KILN.wrong(
        "cleared-ahead-of-the-row",
        ((KILN_SUITE, f"                {KILN_CLIP}; opt.zero_grad(); opt.step()\n"),),
        tempts=("zero-grad-before-step",),
    )
    yield KILN.right("window-of-one", KILN_UNDIVIDED, ("every: int = 3", "every: int = 1"))
    yield KILN.right(
        "rate-property-carries-the-window",
        KILN_UNDIVIDED,
        (
            "    rounds: int = 2\n",
            "    rounds: int = 2\n\n    @property\n    def per_load(self):\n        return self.rate / self.every\n",
        ),
        ("lr=cfg.rate)", "lr=cfg.per_load)"),
        ("nn.utils.clip_grad_norm_(kiln.parameters(), cfg.limit); ", ""),
    )
    yield KILN.right(
        "limit-stretched-by-the-window",
        KILN_UNDIVIDED,
        ("cfg.limit); opt.step()", "cfg.limit * cfg.every); opt.step()"),
        ("lr=cfg.rate)", "lr=cfg.rate / cfg.every)"),
    )
    yield KILN.right(
        "backward-is-given-the-share",
        ("(loss / cfg.every).backward()", "loss.backward(torch.ones_like(loss) / cfg.every)"),
    )


WEAVER = Draft(
    "weaver-stream",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)
PICKS, TOTAL = 3, 12


def main():
    loom = nn.Sequential(nn.Linear(3, 7), nn.Tanh(), nn.Linear(7, 2))
    opt = torch.optim.Adam(loom.parameters(), lr=0.05)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.7)
    threads = [(torch.randn(4, 3), torch.randint(0, 2, (4,))) for _ in range(5)]
    stream, done = iter(threads), 0
    while done < TOTAL:
        opt.zero_grad()
        for _ in range(PICKS):
            try:
                warp, weft = next(stream)
            except StopIteration:
                stream = iter(threads)
                warp, weft = next(stream)
            loss = nn.functional.cross_entropy(loom(warp), weft)
            (loss / PICKS).backward()
            done += 1
        else:
            nn.utils.clip_grad_value_(loom.parameters(), 0.02)
            opt.step()
            sched.step()
    else:
        print("woven", done, sched.get_last_lr())
    return loom
""",
    ("missing-zero-grad", "zero-grad-in-accumulation"),
)

LOOM_CLIP = "            nn.utils.clip_grad_value_(loom.parameters(), 0.02)\n"
LOOM_STEP = "            opt.step()\n"
LOOM_SCHED = "            sched.step()\n"
LOOM_BACK = "            (loss / PICKS).backward()\n"
LOOM_CLEAR = "        opt.zero_grad()\n        for _ in range(PICKS):\n"


def weaver() -> Iterator[Case]:
    yield WEAVER.right("as-it-should-be")
    yield WEAVER.wrong("never-cleared", ((LOOM_CLEAR, "        for _ in range(PICKS):\n"),))
    yield WEAVER.wrong(
        "cleared-at-each-pick",
        ((LOOM_CLEAR, "        for _ in range(PICKS):\n            opt.zero_grad()\n"),),
        tempts=("zero-grad-in-accumulation",),
    )
    yield WEAVER.wrong(
        "rate-at-each-pick",
        ((LOOM_BACK, LOOM_BACK + LOOM_SCHED), (LOOM_STEP + LOOM_SCHED, LOOM_STEP)),
        tempts=("scheduler-per-micro-batch",),
    )
    yield WEAVER.wrong(
        "rate-ahead-of-the-step",
        ((LOOM_STEP + LOOM_SCHED, LOOM_SCHED + LOOM_STEP),),
        tempts=("scheduler-before-optimizer",),
    )
    yield WEAVER.wrong(
        "clear-not-called",
        ((LOOM_CLEAR, LOOM_CLEAR.replace("grad()", "grad")),),
        tempts=("method-not-called", "missing-zero-grad"),
    )
    yield WEAVER.right(
        "rate-counted-in-picks",
        (LOOM_BACK, LOOM_BACK + LOOM_SCHED),
        (LOOM_STEP + LOOM_SCHED, LOOM_STEP),
        ("ExponentialLR(opt, 0.7)", "LambdaLR(opt, lambda pick: 0.7 ** (max(pick - 1, 0) // PICKS))"),
        tempts=("scheduler-per-micro-batch", "scheduler-before-optimizer"),
    )
    yield WEAVER.right(
        "cleared-at-the-first-pick",
        (LOOM_CLEAR, "        for pick in range(PICKS):\n            if not pick: opt.zero_grad()\n"),
    )
    yield WEAVER.right(
        "broken-thread-leaves-the-window",
        ("PICKS, TOTAL = 3, 12\n", "PICKS, TOTAL, TORN = 3, 12, (4,)\n"),
        (
            LOOM_BACK,
            "            if done in TORN:\n                done += PICKS\n                break\n" + LOOM_BACK,
        ),
        tempts=("dropped-accumulation-tail", "missing-zero-grad"),
    )
    yield WEAVER.right(
        "momentum-of-gradients-on-purpose",
        (
            LOOM_CLEAR,
            (
                "        [p.grad.mul_(0.25) for p in loom.parameters() if p.grad is not None]\n"
                "        for _ in range(PICKS):\n"
            ),
        ),
        tempts=("missing-zero-grad",),
    )


SONAR = Draft(
    "sonar-pair",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def main():
    torch.manual_seed(7)
    hull, keel = nn.Linear(4, 6), nn.Linear(4, 6)
    ear = nn.Linear(6, 1)
    pair = fast, slow = (
        torch.optim.SGD([*hull.parameters(), *ear.parameters()], lr=0.2, momentum=0.5),
        torch.optim.AdamW(keel.parameters(), lr=0.03),
    )
    pings = torch.randn(8, 5, 4)
    echoes = pings.mean(2, keepdim=True).sin()

    def heard(ping, echo):
        return (ear(torch.tanh(hull(ping) + keel(ping))) - echo).square().mean()

    def clear():
        for one in pair:
            one.zero_grad()

    for k, (ping, echo) in enumerate(zip(pings, echoes)):
        clear()
        loss = heard(ping, echo)
        loss.backward()
        nn.utils.clip_grad_norm_([*hull.parameters(), *ear.parameters()], 0.1)
        nn.utils.clip_grad_norm_(keel.parameters(), 0.05)
        fast.step(), slow.step()
        print(k, round(float(loss), 6))
    return hull, keel, ear
""",
    ("missing-zero-grad",),
)

SONAR_EAR = "        nn.utils.clip_grad_norm_([*hull.parameters(), *ear.parameters()], 0.1)\n"
SONAR_KEEL = "        nn.utils.clip_grad_norm_(keel.parameters(), 0.05)\n"
SONAR_CLIPS = SONAR_EAR + SONAR_KEEL
SONAR_STEP = "        fast.step(), slow.step()\n"
SONAR_BACK = "        loss = heard(ping, echo)\n        loss.backward()\n"
SONAR_HELPER = "        for one in pair:\n            one.zero_grad()\n"


def sonar() -> Iterator[Case]:
    yield SONAR.right("as-it-should-be")
    yield SONAR.wrong("slow-never-cleared", ((SONAR_HELPER, "        fast.zero_grad()\n"),))
    yield SONAR.wrong(
        "keel-clipped-behind",
        ((SONAR_KEEL + SONAR_STEP, SONAR_STEP + SONAR_KEEL),),
        tempts=("clip-after-step",),
    )
    yield SONAR.wrong(
        "clips-ahead-of-the-backward",
        ((SONAR_BACK + SONAR_CLIPS, SONAR_CLIPS + SONAR_BACK),),
        fine=(
            ((SONAR_BACK + SONAR_CLIPS, SONAR_EAR + SONAR_BACK + SONAR_KEEL),),
            ((SONAR_BACK + SONAR_CLIPS, SONAR_KEEL + SONAR_BACK + SONAR_EAR),),
        ),
        tempts=("clip-before-backward",),
    )
    yield SONAR.wrong(
        "cleared-behind-the-backward",
        (("        clear()\n" + SONAR_BACK, SONAR_BACK + "        clear()\n"),),
        tempts=("zero-grad-before-step",),
    )
    yield SONAR.right(
        "slow-moves-at-every-second-ping",
        (SONAR_HELPER, "        fast.zero_grad()\n"),
        (SONAR_STEP, "        fast.step()\n        if k % 2:\n            slow.step(); slow.zero_grad()\n"),
        (SONAR_KEEL, ""),
        ("lr=0.03", "lr=0.015"),
        tempts=("unscaled-accumulation-loss", "missing-zero-grad"),
    )
    yield SONAR.right(
        "keel-halved-where-it-steps",
        (SONAR_HELPER, "        fast.zero_grad()\n"),
        (
            SONAR_STEP,
            (
                "        fast.step()\n        if k % 2:\n            for p in keel.parameters(): p.grad /= 2\n"
                "            slow.step(); slow.zero_grad()\n"
            ),
        ),
        (SONAR_KEEL, ""),
        tempts=("unscaled-accumulation-loss", "missing-zero-grad"),
    )
    yield SONAR.right(
        "keel-clipped-between-the-steps",
        (SONAR_KEEL + SONAR_STEP, "        fast.step()\n" + SONAR_KEEL + "        slow.step()\n"),
        tempts=("clip-after-step",),
    )


POTTERY = Draft(
    "pottery-gan",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


class Studio:
    def __init__(self):
        self.maker = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 3))
        self.judge = nn.Sequential(nn.Linear(3, 8), nn.LeakyReLU(0.1), nn.Linear(8, 1))
        self.made = torch.optim.RMSprop(self.maker.parameters(), lr=0.01)
        self.judged = torch.optim.RMSprop(self.judge.parameters(), lr=0.02)
        self.bce = nn.BCEWithLogitsLoss()

    def teach_judge(self, real, fake):
        self.judged.zero_grad()
        self.bce(self.judge(real), torch.ones(len(real), 1)).backward()
        self.bce(self.judge(fake.detach()), torch.zeros(len(fake), 1)).backward()
        nn.utils.clip_grad_norm_(self.judge.parameters(), 0.2)
        self.judged.step()

    def teach_maker(self, fake):
        self.made.zero_grad()
        verdict = self.bce(self.judge(fake), torch.ones(len(fake), 1))
        verdict.backward()
        nn.utils.clip_grad_norm_(self.maker.parameters(), 0.1)
        self.made.step()
        return verdict.item()


def main():
    studio = Studio()
    for turn in range(5):
        real = torch.randn(6, 3).abs()
        fake = studio.maker(torch.randn(6, 2))
        studio.teach_judge(real, fake)
        print(turn, f"{studio.teach_maker(fake):.5f}")
    return studio.maker, studio.judge
""",
    ("missing-zero-grad", "unscaled-accumulation-loss"),
)

JUDGE_CLEAR = "        self.judged.zero_grad()\n"
JUDGE_CLIP = "        nn.utils.clip_grad_norm_(self.judge.parameters(), 0.2)\n"
JUDGE_STEP = "        self.judged.step()\n"
MAKER_CLEAR = "        self.made.zero_grad()\n"
MAKER_CLIP = "        nn.utils.clip_grad_norm_(self.maker.parameters(), 0.1)\n"
MAKER_STEP = "        self.made.step()\n"
VERDICT = "        verdict.backward()\n"


def pottery() -> Iterator[Case]:
    yield POTTERY.right("as-it-should-be")
    yield POTTERY.wrong("judge-never-cleared", ((JUDGE_CLEAR, ""),))
    yield POTTERY.wrong("maker-never-cleared", ((MAKER_CLEAR, ""),))
    yield POTTERY.wrong("both-never-cleared", ((JUDGE_CLEAR, ""),), ((MAKER_CLEAR, ""),))
    yield POTTERY.wrong(
        "judge-clipped-behind", ((JUDGE_CLIP + JUDGE_STEP, JUDGE_STEP + JUDGE_CLIP),), tempts=("clip-after-step",)
    )
    yield POTTERY.wrong(
        "maker-cleared-for-its-step",
        ((MAKER_CLEAR, ""), (VERDICT + MAKER_CLIP, VERDICT + MAKER_CLEAR + MAKER_CLIP)),
        tempts=("zero-grad-before-step",),
    )
    yield POTTERY.left(
        "judge-cleared-behind-its-step",  # the maker's backward leaves its gradients in the judge
        ((JUDGE_CLEAR, ""), (JUDGE_STEP, JUDGE_STEP + JUDGE_CLEAR)),
    )
    yield POTTERY.right(
        "judge-cleared-behind-its-step-and-closed-to-the-maker",
        (JUDGE_CLEAR, ""),
        (JUDGE_STEP, JUDGE_STEP + JUDGE_CLEAR),
        (VERDICT, "        verdict.backward(inputs=list(self.maker.parameters()))\n"),
    )
    yield POTTERY.right(
        "both-cleared-through-their-modules",
        (MAKER_CLEAR, ""),
        (JUDGE_CLEAR, "        for part in (self.maker, self.judge): part.zero_grad()\n"),
    )
    yield POTTERY.right(
        "judge-with-a-memory-of-the-maker",
        (
            JUDGE_CLEAR,
            "        for p in self.judge.parameters():\n            p.grad = None if p.grad is None else -p.grad\n",
        ),
        tempts=("missing-zero-grad",),
    )


GLASS = Draft(
    "glass-two-furnaces",
    """\
import torch
from torch import nn


def main():
    torch.manual_seed(1)
    melt, blow = nn.Linear(6, 8), nn.Linear(8, 2)
    hot = torch.optim.SGD(melt.parameters(), lr=0.1)
    cold = torch.optim.SGD(blow.parameters(), lr=0.05, momentum=0.9)
    scaler = torch.amp.GradScaler("cpu", init_scale=256.0, growth_interval=2)
    for number in range(6):
        sand, shape = torch.randn(5, 6), torch.randn(5, 2)
        hot.zero_grad()
        cold.zero_grad()
        with torch.autocast("cpu", dtype=torch.float16):
            glass = blow(torch.relu(melt(sand)))
            loss = nn.functional.l1_loss(glass.float(), shape)
        scaler.scale(loss).backward()
        scaler.unscale_(hot)
        nn.utils.clip_grad_norm_(melt.parameters(), 0.05)
        scaler.unscale_(cold)
        nn.utils.clip_grad_norm_(blow.parameters(), 0.1)
        scaler.step(hot)
        scaler.step(cold)
        scaler.update()
        print(number, scaler.get_scale())
    return melt, blow
""",
    ("clip-scaled-gradients", "double-unscale"),
)

HOT = "        scaler.unscale_(hot)\n"
COLD = "        scaler.unscale_(cold)\n"
HOT_CLIP = "        nn.utils.clip_grad_norm_(melt.parameters(), 0.05)\n"
COLD_CLIP = "        nn.utils.clip_grad_norm_(blow.parameters(), 0.1)\n"
HOT_STEP = "        scaler.step(hot)\n"
COLD_STEP = "        scaler.step(cold)\n"
GLASS_UPDATE = "        scaler.update()\n"


def glass() -> Iterator[Case]:
    yield GLASS.right("as-it-should-be")
    yield GLASS.wrong("cold-clipped-scaled", ((COLD, ""),), tempts=("clip-scaled-gradients",))
    yield GLASS.wrong("both-clipped-scaled", ((HOT, ""),), ((COLD, ""),), tempts=("clip-scaled-gradients",))
    yield GLASS.wrong("hot-unscaled-late", ((HOT + HOT_CLIP, HOT_CLIP + HOT),), tempts=("clip-scaled-gradients",))
    yield GLASS.wrong(
        "cold-steps-by-itself",
        ((COLD + COLD_CLIP, ""), (COLD_STEP, "        cold.step()\n")),
        fine=(((COLD + COLD_CLIP, ""),),),
        tempts=("step-bypasses-scaler",),
    )
    yield GLASS.wrong(
        "wrong-one-unscaled-twice",
        ((COLD, HOT),),
        tempts=("double-unscale", "clip-scaled-gradients"),
        raises="RuntimeError",
    )
    yield GLASS.right(
        "one-call-clips-both",
        (
            HOT_CLIP + COLD + COLD_CLIP,
            COLD + "        both = (*melt.parameters(), *blow.parameters())\n"
            "        nn.utils.clip_grad_norm_(both, 0.1)\n",
        ),
    )
    yield GLASS.right(
        "unscaled-cold-steps-by-itself",
        (COLD_STEP, "        cold.step()\n"),
        tempts=("step-bypasses-scaler",),
    )
    yield GLASS.right(
        "cold-clip-in-scaled-units",
        (COLD + COLD_CLIP, COLD_CLIP.replace("0.1)", "scaler.get_scale() * 0.1)")),
        tempts=("clip-scaled-gradients",),
    )
    yield GLASS.right(
        "cold-is-only-measured",
        (
            COLD + COLD_CLIP,
            "        size = nn.utils.clip_grad_norm_(blow.parameters(), float('inf')) / scaler.get_scale()\n",
        ),
        ("print(number, scaler", "print(number, f'{size:.3f}', scaler"),
        tempts=("clip-scaled-gradients",),
    )


def cases() -> Iterator[Case]:
    """Every skeleton of this module."""
    yield from kiln()
    yield from weaver()
    yield from sonar()
    yield from pottery()
    yield from glass()
