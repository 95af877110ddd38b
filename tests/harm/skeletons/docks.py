"""Docks: tide tables, a crane that learns its shift, customs, two lock gates, a dredger on its toes, ferry lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

TIDES = Draft(
    "tide-table",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)
SPAN = 3


class Table(nn.Module):
    def __init__(self):
        super().__init__()
        self.swell = nn.GRUCell(2, 5)
        self.mark = nn.Linear(5, 1)

    def forward(self, moons, memory):
        marks = []
        for moon in moons:
            memory = self.swell(moon, memory)
            marks.append(self.mark(memory))
        return torch.stack(marks), memory


class Almanac:
    def __init__(self, table):
        self.table = table
        self.opt = torch.optim.SGD(table.parameters(), lr=0.5, momentum=0.4)
        self.plan = torch.optim.lr_scheduler.ExponentialLR(self.opt, 0.8)
        self.missed = 0.0

    def turn(self):
        nn.utils.clip_grad_norm_(self.table.parameters(), 0.5)
        self.opt.step()
        self.plan.step()
        self.opt.zero_grad()

    def year(self, tides):
        memory = torch.zeros(3, 5)
        for week, (moons, marks) in enumerate(tides, 1):
            guess, memory = self.table(moons, memory)
            memory = memory.detach()
            miss = nn.functional.mse_loss(guess, marks)
            (miss / SPAN).backward()
            self.missed += miss.item()
            if week % SPAN == 0 or week == len(tides):
                self.turn()


def main():
    torch.manual_seed(211)
    table = Table()
    almanac = Almanac(table)
    tides = [(torch.randn(4, 3, 2), torch.randn(4, 3, 1)) for _ in range(7)]
    for _ in range(3):
        almanac.year(tides)
    print(f"missed {almanac.missed:.6f}")
    return table
""",
    ("unscaled-accumulation-loss", "dropped-accumulation-tail"),
)

TIDE_CLIP = "        nn.utils.clip_grad_norm_(self.table.parameters(), 0.5)\n"
TIDE_PLAN = "        self.plan.step()\n"
TIDE_CLEAR = "        self.opt.zero_grad()\n"
TIDE_START = "        memory = torch.zeros(3, 5)\n"
TIDE_WEEKS = "enumerate(tides, 1)"
TIDE_GUESS = "            guess, memory = self.table(moons, memory)\n"
TIDE_DETACH = "            memory = memory.detach()\n"
TIDE_BACK = "            (miss / SPAN).backward()\n"
TIDE_DUE = "            if week % SPAN == 0 or week == len(tides):\n"
TIDE_TURN = "                self.turn()\n"
TIDE_OWN_SHARE = (
    TIDE_BACK,
    "            (miss / min(SPAN, len(tides) - (week - 1) // SPAN * SPAN)).backward()\n",
)


def tides() -> Iterator[Case]:
    bare = TIDES.styled((TIDE_CLIP, ""))
    summed = (TIDE_BACK, "            miss.backward()\n")
    wiped = ((TIDE_CLEAR, ""), (TIDE_GUESS, "            self.opt.zero_grad()\n" + TIDE_GUESS))
    yield TIDES.right(
        "as-it-should-be",
        tempts=("unscaled-accumulation-loss", "dropped-accumulation-tail", "scheduler-per-micro-batch"),
    )
    yield bare.wrong("weeks-are-summed", (summed,), fine=((TIDE_OWN_SHARE,),), tempts=("unscaled-accumulation-loss",))
    yield TIDES.wrong(
        "counted-from-nought",
        (
            (TIDE_WEEKS, "enumerate(tides)"),
            (TIDE_DUE, "            if week % SPAN == 0 or week == len(tides) - 1:\n"),
        ),
        tempts=("accumulation-off-by-one",),
    )
    yield TIDES.wrong("wiped-each-week", wiped, tempts=("zero-grad-in-accumulation",))
    yield bare.together(  # as it stands, only the last week counts, but in full
        "wiped-each-week-and-undivided",
        wiped,
        (summed,),
        fine=((TIDE_OWN_SHARE,),),
        tempts=("zero-grad-in-accumulation", "unscaled-accumulation-loss"),
    )
    yield TIDES.wrong(
        "plan-moves-each-week",
        ((TIDE_PLAN, ""), (TIDE_TURN, TIDE_TURN + "            self.plan.step()\n")),
        tempts=("scheduler-per-micro-batch",),
    )
    yield TIDES.wrong(
        "last-week-is-left-to-the-next-year",
        ((TIDE_DUE, "            if week % SPAN == 0:\n"),),
        fine=(
            (TIDE_OWN_SHARE,),
            ((TIDE_DUE, "            if week % SPAN == 0:\n"), (TIDE_START, TIDE_START + TIDE_CLEAR)),
        ),
        tempts=("dropped-accumulation-tail",),
    )
    yield TIDES.right(
        "window-runs-over-the-turn-of-the-year",  # one and twenty weeks in all
        ("        self.missed = 0.0\n", "        self.missed = 0.0\n        self.weeks = 0\n"),
        ("for week, (moons, marks) in enumerate(tides, 1):", "for moons, marks in tides:"),
        (TIDE_DUE, "            self.weeks += 1\n            if self.weeks % SPAN == 0:\n"),
        tempts=("dropped-accumulation-tail", "accumulation-off-by-one"),
    )
    yield TIDES.right(
        "plan-is-laid-out-in-weeks",  # moved with the turns alone it would end half-way
        ("ExponentialLR(self.opt, 0.8)", "OneCycleLR(self.opt, max_lr=0.6, total_steps=21)"),
        (TIDE_PLAN, ""),
        (TIDE_TURN, TIDE_TURN + "            self.plan.step()\n"),
        tempts=("scheduler-per-micro-batch",),
    )
    yield TIDES.right(
        "window-is-differentiated-in-one",  # memory and sum keep their graphs up to the turn
        (TIDE_START, TIDE_START + "        owed = 0.0\n"),
        (TIDE_DETACH, ""),
        (TIDE_BACK, "            owed = owed + miss / SPAN\n"),
        (
            TIDE_TURN,
            "                owed.backward()\n" + TIDE_TURN + "                memory, owed = memory.detach(), 0.0\n",
        ),
        tempts=("loss-graph-leak", "unscaled-accumulation-loss"),
    )


CRANE = Draft(
    "crane-shift",
    """\
import copy
import random
from collections import deque

import torch
from torch import nn

torch.set_default_dtype(torch.float64)
LESSONS = 2


class Quay:
    def __init__(self, seed):
        self.draw = random.Random(seed)

    def arrive(self):
        self.crane, self.ship = self.draw.randrange(5), self.draw.randrange(5)
        return self.look()

    def look(self):
        return torch.tensor([self.crane / 4, self.ship / 4, float(self.crane == self.ship)])

    def move(self, way):
        if way == 2:
            return self.look(), 1.0 if self.crane == self.ship else -0.5, True
        self.crane = min(4, max(0, self.crane + (-1, 1)[way]))
        return self.look(), -0.05, False


def main():
    torch.manual_seed(223)
    quay = Quay(223)
    crane = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 3))
    elder = copy.deepcopy(crane)
    weights = list(crane.parameters())
    opt = torch.optim.SGD(weights, lr=0.3, momentum=0.3)
    hold = deque(maxlen=60)
    views = torch.tensor([[a / 4, b / 4, float(a == b)] for a in range(5) for b in range(5)])
    told = []

    def work(bold):
        seen = quay.arrive()
        for _ in range(6):
            with torch.no_grad():
                way = crane(seen).argmax().item()
            if quay.draw.random() < bold:
                way = quay.draw.randrange(3)
            after, pay, over = quay.move(way)
            hold.append((seen, torch.tensor(way), torch.tensor(pay), after, torch.tensor(float(over))))
            seen = after
            if over:
                break

    def surprise():
        seen, ways, pay, after, over = map(torch.stack, zip(*quay.draw.sample(hold, 8)))
        with torch.no_grad():
            worth = pay + 0.9 * (1 - over) * elder(after).max(1).values
        hopes = crane(seen).gather(1, ways[:, None]).squeeze(1)
        return nn.functional.smooth_l1_loss(hopes, worth)

    def learn():
        opt.zero_grad()
        loss = surprise()
        loss.backward()
        nn.utils.clip_grad_norm_(weights, 0.15)
        opt.step()
        told.append(loss.item())

    def trial():
        crane.eval()
        with torch.no_grad():
            ways = crane(views).argmax(1)
        crane.train()
        return (ways[views[:, 2] == 1] == 2).sum().item()

    while len(hold) < 8:
        work(1.0)
    for shift in range(10):
        work(0.9**shift)
        for _ in range(LESSONS):
            learn()
        if shift % 3 == 2:
            elder.load_state_dict(crane.state_dict())
            print(shift, trial())
    print(f"{sum(told):.6f}")
    return crane
""",
    ("missing-zero-grad", "clip-before-backward"),
)

CRANE_OPT = "    opt = torch.optim.SGD(weights, lr=0.3, momentum=0.3)\n"
CRANE_CLEAR = "        opt.zero_grad()\n        loss = surprise()\n"
CRANE_CLIP = "        nn.utils.clip_grad_norm_(weights, 0.15)\n"
CRANE_BACK = "        loss.backward()\n"
CRANE_STEP = "        opt.step()\n"
CRANE_LEARN = CRANE_CLEAR + CRANE_BACK + CRANE_CLIP + CRANE_STEP
CRANE_TOLD = "        told.append(loss.item())\n"
CRANE_DAY = "        for _ in range(LESSONS):\n            learn()\n"
CRANE_JOLT = "        if loss.item() > 1.0:\n"
CRANE_SCALES = (
    "        return self.look(), -0.05, False\n",
    "        return self.look(), 30.0 if self.draw.random() < 0.12 else -0.05, False  # the scales stick at times\n",
)


def crane() -> Iterator[Case]:
    jolted = CRANE.styled(
        CRANE_SCALES,
        (
            CRANE_LEARN,
            "        loss = surprise()\n"
            + CRANE_BACK
            + CRANE_JOLT
            + "            opt.zero_grad()\n            return\n"
            + CRANE_CLIP
            + CRANE_STEP
            + "        opt.zero_grad()\n",
        ),
    )
    yield CRANE.wrong(
        "clipped-ahead-of-the-backward",
        ((CRANE_BACK + CRANE_CLIP, CRANE_CLIP + CRANE_BACK),),
        tempts=("clip-before-backward",),
    )
    yield CRANE.wrong(
        "weights-are-used-up",
        (("weights = list(crane.parameters())", "weights = crane.parameters()"),),
        tempts=("clip-exhausted-parameters",),
    )
    yield CRANE.wrong(
        "cleared-by-name-only",
        ((CRANE_CLEAR, "        opt.zero_grad\n        loss = surprise()\n"),),
        tempts=("method-not-called", "missing-zero-grad"),
    )
    yield jolted.wrong(
        "load-that-was-dropped-is-carried-on",  # what the backward left before the lesson is given up
        ((CRANE_JOLT + "            opt.zero_grad()\n", CRANE_JOLT),),
        fine=(
            (
                ("        loss = surprise()\n", CRANE_CLEAR),
                (CRANE_STEP + "        opt.zero_grad()\n", CRANE_STEP),
                (CRANE_JOLT + "            opt.zero_grad()\n", CRANE_JOLT),
            ),
        ),
        tempts=("missing-zero-grad",),
    )
    yield CRANE.wrong(
        "trial-with-gradients",
        (
            (
                "        with torch.no_grad():\n            ways = crane(views).argmax(1)\n",
                "        ways = crane(views).argmax(1)\n",
            ),
        ),
        tempts=("validation-without-no-grad",),
    )
    yield CRANE.right(
        "load-is-dropped-ahead-of-the-backward",  # nothing is left behind
        CRANE_SCALES,
        (
            CRANE_LEARN,
            (
                "        loss = surprise()\n"
                + CRANE_JOLT
                + "            return\n"
                + CRANE_BACK
                + CRANE_CLIP
                + CRANE_STEP
                + "        opt.zero_grad()\n"
            ),
        ),
        tempts=("missing-zero-grad",),
    )
    yield CRANE.right(
        "arm-and-hook-of-their-own-pace",  # two optimizers, one clear of them all
        (
            CRANE_OPT,
            (
                "    arm = torch.optim.SGD(weights[:2], lr=0.3, momentum=0.3)\n"
                "    hook = torch.optim.Adagrad(weights[2:], lr=0.05)\n"
            ),
        ),
        (CRANE_CLEAR, "        crane.zero_grad()\n        loss = surprise()\n"),
        (CRANE_STEP, "        arm.step()\n        hook.step()\n"),
        tempts=("missing-zero-grad",),
    )
    yield CRANE.right(
        "apprentice-hands-its-gradients-over",  # laid in place of the old ones, none is cleared
        (
            CRANE_LEARN,
            """\
        apprentice = copy.deepcopy(crane)
        apprentice.zero_grad()
        loss = surprise(apprentice)
        loss.backward()
        for p, q in zip(weights, apprentice.parameters()):
            p.grad = q.grad.clamp(-0.1, 0.1)
"""
            + CRANE_STEP,
        ),
        ("    def surprise():\n", "    def surprise(who):\n"),
        ("        hopes = crane(seen)", "        hopes = who(seen)"),
        tempts=("missing-zero-grad", "zero-grad-before-step"),
    )
    yield CRANE.right(
        "lessons-of-a-shift-are-stepped-as-one",
        (CRANE_LEARN, "        loss = surprise() / LESSONS\n" + CRANE_BACK),
        (CRANE_DAY, "        opt.zero_grad()\n" + CRANE_DAY + CRANE_CLIP + CRANE_STEP),
        tempts=("missing-zero-grad", "unscaled-accumulation-loss", "zero-grad-in-accumulation"),
    )
    yield CRANE.right(
        "learnt-by-a-closure",
        (CRANE_OPT, '    opt = torch.optim.LBFGS(weights, max_iter=2, line_search_fn="strong_wolfe")\n'),
        (
            CRANE_LEARN,
            """\
        rewind = quay.draw.getstate()

        def again():
            quay.draw.setstate(rewind)
            opt.zero_grad()
            loss = surprise()
            loss.backward()
            return loss

        loss = opt.step(again)
""",
        ),
        tempts=("missing-zero-grad", "zero-grad-before-step"),
    )


CUSTOMS = Draft(
    "customs-house",
    """\
import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_default_dtype(torch.float64)


def main():
    torch.manual_seed(227)
    accelerator = Accelerator(cpu=True, gradient_accumulation_steps=2)
    crates = TensorDataset(torch.randn(20, 3), torch.randn(20, 1))
    loader = DataLoader(crates, batch_size=4, shuffle=True)
    goods_held, duty_held = torch.randn(6, 3), torch.randn(6, 1)
    clerk = nn.Sequential(nn.Linear(3, 6), nn.Tanh(), nn.Dropout(0.25), nn.Linear(6, 1))
    opt = torch.optim.SGD(clerk.parameters(), lr=0.4, momentum=0.5)
    plan = torch.optim.lr_scheduler.StepLR(opt, 2, gamma=0.7)
    clerk, opt, loader, plan = accelerator.prepare(clerk, opt, loader, plan)
    for day in range(3):
        clerk.train()
        for goods, duty in loader:
            with accelerator.accumulate(clerk):
                miss = nn.functional.mse_loss(clerk(goods), duty)
                accelerator.backward(miss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(clerk.parameters(), 0.5)
                opt.step()
                plan.step()
                opt.zero_grad()
        clerk.eval()
        with torch.no_grad():
            wrong = nn.functional.mse_loss(clerk(goods_held), duty_held)
        accelerator.print(day, f"{wrong:.6f}")
    return accelerator.unwrap_model(clerk)
""",
    ("unscaled-accumulation-loss", "zero-grad-in-accumulation", "scheduler-per-micro-batch"),
)

CUSTOMS_PREPARE = "    clerk, opt, loader, plan = accelerator.prepare(clerk, opt, loader, plan)\n"
CUSTOMS_TRAIN = "    for day in range(3):\n        clerk.train()\n"
CUSTOMS_ROW = "        for goods, duty in loader:\n"
CUSTOMS_FORWARD = "                miss = nn.functional.mse_loss(clerk(goods), duty)\n"
CUSTOMS_BACK = "                accelerator.backward(miss)\n"
CUSTOMS_SYNC = "                if accelerator.sync_gradients:\n"
CUSTOMS_CLIP = "                    accelerator.clip_grad_norm_(clerk.parameters(), 0.5)\n"
CUSTOMS_STEP = "                opt.step()\n"
CUSTOMS_PLAN = "                plan.step()\n"
CUSTOMS_CLEAR = "                opt.zero_grad()\n"
CUSTOMS_INSIDE = (
    "            with accelerator.accumulate(clerk):\n"
    + CUSTOMS_FORWARD
    + CUSTOMS_BACK
    + CUSTOMS_SYNC
    + CUSTOMS_CLIP
    + CUSTOMS_STEP
    + CUSTOMS_PLAN
    + CUSTOMS_CLEAR
)
CUSTOMS_BARE_PLAN = (CUSTOMS_PREPARE, "    clerk, opt, loader = accelerator.prepare(clerk, opt, loader)\n")


def customs() -> Iterator[Case]:
    bare_plan = CUSTOMS.styled(
        CUSTOMS_BARE_PLAN,
        (CUSTOMS_PLAN, "                if accelerator.sync_gradients:\n                    plan.step()\n"),
    )
    yield CUSTOMS.right("as-it-should-be")  # what was prepared keeps count itself
    yield CUSTOMS.wrong("days-pile-up", ((CUSTOMS_CLEAR, ""),), tempts=("missing-zero-grad",))
    yield CUSTOMS.styled((CUSTOMS_SYNC + CUSTOMS_CLIP, "")).wrong(
        "divided-by-both",
        ((CUSTOMS_BACK, "                accelerator.backward(miss / accelerator.gradient_accumulation_steps)\n"),),
        tempts=("accumulation-divisor-mismatch",),
    )
    yield CUSTOMS.wrong(
        "cleared-at-the-head-of-the-block",  # on the closing crate it wipes the one before
        ((CUSTOMS_CLEAR, ""), (CUSTOMS_FORWARD, CUSTOMS_CLEAR + CUSTOMS_FORWARD)),
        tempts=("zero-grad-in-accumulation",),
    )
    yield CUSTOMS.wrong(
        "clipped-after-each-crate",
        ((CUSTOMS_SYNC + CUSTOMS_CLIP, CUSTOMS_CLIP.removeprefix("    ")),),
        tempts=("clip-per-micro-batch",),
    )
    yield bare_plan.wrong(
        "plan-that-nobody-prepared",
        (("                if accelerator.sync_gradients:\n                    plan.step()\n", CUSTOMS_PLAN),),
        tempts=("scheduler-per-micro-batch",),
    )
    yield CUSTOMS.wrong(
        "never-back-from-the-audit",
        ((CUSTOMS_TRAIN, "    clerk.train()\n    for day in range(3):\n"),),
        tempts=("missing-train-mode",),
    )
    yield CUSTOMS.right(
        "plan-and-optimizer-behind-the-same-gate",  # neither is prepared, both wait for the sync
        (CUSTOMS_PREPARE, "    clerk, loader = accelerator.prepare(clerk, loader)\n"),
        (
            CUSTOMS_STEP + CUSTOMS_PLAN + CUSTOMS_CLEAR,
            "                    opt.step()\n                    plan.step()\n                    opt.zero_grad()\n",
        ),
    )
    yield CUSTOMS.left(
        "optimizer-that-nobody-prepared",  # steps on every crate, with halves
        ((CUSTOMS_PREPARE, "    clerk, loader, plan = accelerator.prepare(clerk, loader, plan)\n"),),
    )
    yield CUSTOMS.right(
        "window-kept-by-hand",  # nobody else divides here
        ("Accelerator(cpu=True, gradient_accumulation_steps=2)", "Accelerator(cpu=True)"),
        (CUSTOMS_ROW, "        for number, (goods, duty) in enumerate(loader, 1):\n"),
        (
            CUSTOMS_INSIDE,
            """\
            miss = nn.functional.mse_loss(clerk(goods), duty)
            accelerator.backward(miss / 2)
            if number % 2 and number < len(loader):
                continue
            accelerator.clip_grad_norm_(clerk.parameters(), 0.5)
            opt.step()
            plan.step()
            opt.zero_grad()
""",
        ),
        tempts=("accumulation-off-by-one", "dropped-accumulation-tail", "accumulation-divisor-mismatch"),
    )


GATES = Draft(
    "lock-gates",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)
SPAN = 3


def canal(length):
    water = [(torch.randn(4, 3), torch.randn(4, 1)) for _ in range(length)]
    water[10][0][2, 1] = float("inf")  # a broken gauge
    return water


def main():
    torch.manual_seed(229)
    sluice = nn.Sequential(nn.Linear(3, 5), nn.Tanh())
    gate = nn.Linear(5, 1)
    low = torch.optim.SGD(sluice.parameters(), lr=0.3, momentum=0.4)
    high = torch.optim.SGD(gate.parameters(), lr=0.2)
    scaler = torch.amp.GradScaler("cpu", init_scale=16.0, growth_interval=2)
    water = canal(20)
    saved = {"step": 6}
    missed = 0.0
    for step in range(saved["step"], 18):
        level, wanted = water[step]
        with torch.autocast("cpu", dtype=torch.float16):
            miss = nn.functional.mse_loss(gate(sluice(level)), wanted)
        scaler.scale(miss / SPAN).backward()
        missed += miss.item()
        if (step + 1) % SPAN:
            continue
        scaler.unscale_(low)
        scaler.unscale_(high)
        nn.utils.clip_grad_norm_(sluice.parameters(), 0.2)
        nn.utils.clip_grad_norm_(gate.parameters(), 0.4)
        scaler.step(low)
        scaler.step(high)
        scaler.update()
        low.zero_grad()
        high.zero_grad()
    print(f"{missed:.6f} {scaler.get_scale()}")
    return nn.ModuleList([sluice, gate])
""",
    ("clip-scaled-gradients", "accumulation-off-by-one", "double-unscale"),
)

GATE_RANGE = '    saved = {"step": 6}\n    missed = 0.0\n    for step in range(saved["step"], 18):\n'
GATE_FORWARD = "            miss = nn.functional.mse_loss(gate(sluice(level)), wanted)\n"
GATE_BACK = "        scaler.scale(miss / SPAN).backward()\n"
GATE_SKIP = "        if (step + 1) % SPAN:\n"
GATE_UNSCALE = "        scaler.unscale_(low)\n        scaler.unscale_(high)\n"
GATE_CLIPS = """\
        nn.utils.clip_grad_norm_(sluice.parameters(), 0.2)
        nn.utils.clip_grad_norm_(gate.parameters(), 0.4)
"""
GATE_STEPS = "        scaler.step(low)\n        scaler.step(high)\n"
GATE_UPDATE = "        scaler.update()\n"
GATE_CLEARS = "        low.zero_grad()\n        high.zero_grad()\n"


def gates() -> Iterator[Case]:
    bare = GATES.styled((GATE_UNSCALE + GATE_CLIPS, ""))
    ridged = GATES.styled(
        (GATE_FORWARD, GATE_FORWARD + "            ridge = 0.05 * gate.weight.square().sum()\n"),
        (GATE_BACK, GATE_BACK + "        scaler.scale(ridge / SPAN).backward()\n"),
    )
    yield GATES.right(
        "resumed-one-later",  # 7, 8 and 9 are the first window
        (GATE_RANGE, GATE_RANGE.replace("6", "7").replace("18", "19")),
        (GATE_SKIP, "        if step % SPAN:\n"),
        tempts=("accumulation-off-by-one",),
    )
    yield GATES.wrong(
        "counted-from-nought",
        ((GATE_SKIP, "        if step % SPAN:\n"),),
        tempts=("accumulation-off-by-one",),
    )
    yield GATES.wrong(
        "upper-gate-clipped-while-scaled",
        ((GATE_UNSCALE, "        scaler.unscale_(low)\n"),),
        tempts=("clip-scaled-gradients",),
    )
    yield GATES.wrong(
        "scaler-hears-nothing",
        ((GATE_UPDATE, ""),),
        tempts=("missing-scaler-update",),
        raises="RuntimeError",
    )
    yield bare.wrong(
        "upper-gate-steps-past-the-scaler",
        ((GATE_STEPS, "        scaler.step(low)\n        high.step()\n"),),
        tempts=("step-bypasses-scaler",),
    )
    yield GATES.left(
        "scaler-moves-between-the-gates",  # and the upper one is unscaled a second time
        ((GATE_STEPS, "        scaler.step(low)\n        scaler.update()\n        scaler.step(high)\n"),),
        tempts=("missing-scaler-update", "double-unscale"),
    )
    yield GATES.wrong(
        "backward-among-the-halves",
        ((GATE_FORWARD + GATE_BACK, GATE_FORWARD + "    " + GATE_BACK),),
        tempts=("backward-in-autocast",),
    )
    yield ridged.together(  # one with the scale and one without would be worse than none
        "neither-loss-carries-the-scale",
        ((GATE_BACK, "        (miss / SPAN).backward()\n"),),
        (("        scaler.scale(ridge / SPAN).backward()\n", "        (ridge / SPAN).backward()\n"),),
        tempts=("unscaled-backward",),
        raises="AssertionError",
    )
    yield GATES.right(
        "scale-taken-out-by-hand",  # both gates wait or none; the scaler is told its scale and never asked to step
        (
            GATE_UNSCALE + GATE_CLIPS + GATE_STEPS + GATE_UPDATE,
            """\
        scale = scaler.get_scale()
        pulls = [p.grad.div_(scale) for p in (*sluice.parameters(), *gate.parameters())]
        if all(pull.isfinite().all() for pull in pulls):
            nn.utils.clip_grad_norm_(sluice.parameters(), 0.2)
            nn.utils.clip_grad_norm_(gate.parameters(), 0.4)
            low.step()
            high.step()
            scaler.update(scale)
        else:
            scaler.update(scale / 2)
""",
        ),
        tempts=("step-bypasses-scaler", "clip-scaled-gradients"),
    )
    yield GATES.right(
        "both-gates-in-turn",
        (
            GATE_UNSCALE + GATE_CLIPS + GATE_STEPS + GATE_UPDATE + GATE_CLEARS,
            """\
        for opt, leaf, limit in ((low, sluice, 0.2), (high, gate, 0.4)):
            scaler.unscale_(opt)
            nn.utils.clip_grad_norm_(leaf.parameters(), limit)
            scaler.step(opt)
            opt.zero_grad()
        scaler.update()
""",
        ),
        tempts=("missing-scaler-update", "double-unscale", "missing-zero-grad"),
    )


DREDGER = Draft(
    "dredger-crew",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)
REACH = 0.2


class Dredger(nn.Module):
    def __init__(self):
        super().__init__()
        self.sonar = nn.Sequential(nn.Linear(3, 6), nn.BatchNorm1d(6), nn.Tanh()).requires_grad_(False)
        self.bucket = nn.Sequential(nn.Linear(6, 6), nn.Dropout(0.3), nn.Tanh(), nn.Linear(6, 1))

    def train(self, mode=True):
        super().train(mode)
        self.sonar.eval()
        return self

    def forward(self, mud):
        return self.bucket(self.sonar(mud))


class Survey:
    def __init__(self, every, mud, depth):
        self.every, self.mud, self.depth = every, mud, depth
        self.found = []

    def after(self, crew):
        if crew.count % self.every:
            return
        crew.dredger.eval()
        with torch.no_grad():
            miss = nn.functional.mse_loss(crew.dredger(self.mud), self.depth)
        crew.dredger.train()
        self.found.append(f"{miss.item():.6f}")


class Crew:
    def __init__(self, dredger, *callbacks):
        self.dredger = dredger
        self.callbacks = callbacks
        self.weights = [p for p in dredger.parameters() if p.requires_grad]
        self.opt = torch.optim.SGD(self.weights, lr=0.4, momentum=0.5)
        self.plan = torch.optim.lr_scheduler.StepLR(self.opt, 3, gamma=0.6)
        self.count = 0

    @torch.no_grad()
    def climb(self):
        size = torch.stack([p.grad.norm() for p in self.weights]).norm()
        ways = [REACH * p.grad / size for p in self.weights]
        for p, way in zip(self.weights, ways):
            p.add_(way)
        return ways

    @torch.no_grad()
    def descend(self, ways):
        for p, way in zip(self.weights, ways):
            p.sub_(way)

    def dig(self, mud, depth):
        self.opt.zero_grad()
        nn.functional.mse_loss(self.dredger(mud), depth).backward()
        ways = self.climb()
        self.opt.zero_grad()
        nn.functional.mse_loss(self.dredger(mud), depth).backward()
        self.descend(ways)
        nn.utils.clip_grad_norm_(self.weights, 0.4)
        self.opt.step()
        self.plan.step()
        self.count += 1
        for callback in self.callbacks:
            callback.after(self)


def main():
    torch.manual_seed(233)
    dredger = Dredger()
    dredger.train()
    survey = Survey(2, torch.randn(8, 3), torch.randn(8, 1))
    crew = Crew(dredger, survey)
    bay = sorted(((torch.randn(6, 3), torch.randn(6, 1)) for _ in range(6)), key=lambda spot: spot[1].norm())
    for reach in (2, 4, 6):
        for mud, depth in bay[:reach]:
            crew.dig(mud, depth)
    print(*survey.found)
    return dredger
""",
    ("zero-grad-before-step", "missing-train-mode"),
)

DREDGER_OVERRIDE = """\
    def train(self, mode=True):
        super().train(mode)
        self.sonar.eval()
        return self

"""
DREDGER_LOOK = """\
        with torch.no_grad():
            miss = nn.functional.mse_loss(crew.dredger(self.mud), self.depth)
"""
DREDGER_BACK_TO_WORK = "        crew.dredger.train()\n"
DREDGER_FIRST = """\
        self.opt.zero_grad()
        nn.functional.mse_loss(self.dredger(mud), depth).backward()
        ways = self.climb()
"""
DREDGER_SECOND = """\
        self.opt.zero_grad()
        nn.functional.mse_loss(self.dredger(mud), depth).backward()
        self.descend(ways)
"""
DREDGER_CLIP = "        nn.utils.clip_grad_norm_(self.weights, 0.4)\n"
DREDGER_STEP = "        self.opt.step()\n"
DREDGER_PLAN = "        self.plan.step()\n"


def dredger() -> Iterator[Case]:
    yield DREDGER.right("as-it-should-be")  # the climb's gradients are wiped ahead of the step, and have to be
    yield DREDGER.wrong("never-back-from-the-survey", ((DREDGER_BACK_TO_WORK, ""),), tempts=("missing-train-mode",))
    yield DREDGER.wrong(
        "survey-with-gradients",
        ((DREDGER_LOOK, "        miss = nn.functional.mse_loss(crew.dredger(self.mud), self.depth)\n"),),
        tempts=("validation-without-no-grad",),
    )
    yield DREDGER.wrong(
        "plan-ahead-of-the-step",
        ((DREDGER_STEP + DREDGER_PLAN, DREDGER_PLAN + DREDGER_STEP),),
        tempts=("scheduler-before-optimizer",),
    )
    yield DREDGER.wrong(
        "clipped-behind-the-step",
        ((DREDGER_CLIP + DREDGER_STEP, DREDGER_STEP + DREDGER_CLIP),),
        tempts=("clip-after-step",),
    )
    yield DREDGER.wrong(
        "first-clear-by-name-only",  # the climb follows what the last dig left
        ((DREDGER_FIRST, DREDGER_FIRST.replace("zero_grad()", "zero_grad")),),
        tempts=("method-not-called", "missing-zero-grad"),
    )
    yield DREDGER.left(
        "second-clear-is-not-there",  # steps on both slopes; some do so on purpose
        ((DREDGER_SECOND, DREDGER_SECOND.removeprefix("        self.opt.zero_grad()\n")),),
        tempts=("missing-zero-grad", "unscaled-accumulation-loss"),
    )
    yield DREDGER.right(
        "plan-moves-at-the-head-of-the-next-dig",  # not on the first
        (DREDGER_PLAN, ""),
        (DREDGER_FIRST, "        if self.count:\n            self.plan.step()\n" + DREDGER_FIRST),
        tempts=("scheduler-before-optimizer",),
    )
    yield DREDGER.right(
        "sonar-is-held-still-by-hand",  # it is never put back
        (DREDGER_OVERRIDE, ""),
        ("    dredger.train()\n    survey", "    dredger.sonar.eval()\n    survey"),
        ("        crew.dredger.eval()\n", "        crew.dredger.bucket.eval()\n"),
        (DREDGER_BACK_TO_WORK, "        crew.dredger.bucket.train()\n"),
        tempts=("missing-train-mode",),
    )
    yield DREDGER.right(
        "climbs-with-a-calm-bucket",  # without the dropout, on purpose; the dig itself has it
        (DREDGER_FIRST, "        self.dredger.eval()\n" + DREDGER_FIRST + "        self.dredger.train()\n"),
        tempts=("missing-train-mode", "validation-without-no-grad", "zero-grad-before-step"),
    )


FERRIES = Draft(
    "ferry-lines",
    """\
from itertools import islice

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

torch.set_default_dtype(torch.float64)
SPAN = 3


def legs(loader):
    crossings = iter(loader)
    while leg := list(islice(crossings, SPAN)):
        yield leg


def delay(ferry, crossing):
    load, hours = crossing
    return nn.functional.mse_loss(ferry(load), hours)


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(239)
    lines = TensorDataset(torch.randn(20, 3), torch.randn(20, 1))
    sampler = DistributedSampler(lines, seed=4)
    loader = DataLoader(lines, batch_size=2, sampler=sampler)
    ferry = DistributedDataParallel(nn.Sequential(nn.Linear(3, 5), nn.Tanh(), nn.Linear(5, 1)))
    opt = torch.optim.SGD(ferry.parameters(), lr=0.3, momentum=0.4)
    for trip in range(3):
        sampler.set_epoch(trip)
        for leg in legs(loader):
            opt.zero_grad()
            with ferry.no_sync():
                for crossing in leg[:-1]:
                    (delay(ferry, crossing) / len(leg)).backward()
            (delay(ferry, leg[-1]) / len(leg)).backward()
            nn.utils.clip_grad_norm_(ferry.parameters(), 1.0)
            opt.step()
    return ferry.module
""",
    ("step-without-sync", "missing-no-sync", "missing-set-epoch"),
    ranks=2,
)

FERRY_SAMPLER = """\
    sampler = DistributedSampler(lines, seed=4)
    loader = DataLoader(lines, batch_size=2, sampler=sampler)
"""
FERRY_SET = "        sampler.set_epoch(trip)\n"
FERRY_QUIET = """\
            with ferry.no_sync():
                for crossing in leg[:-1]:
                    (delay(ferry, crossing) / len(leg)).backward()
"""
FERRY_LAST = "            (delay(ferry, leg[-1]) / len(leg)).backward()\n"
FERRY_LOUD = (
    FERRY_QUIET + FERRY_LAST,
    "            for crossing in leg:\n                (delay(ferry, crossing) / len(leg)).backward()\n",
)
FERRY_ALONE = (FERRY_QUIET + FERRY_LAST, FERRY_QUIET.replace("leg[:-1]", "leg"))


def ferries() -> Iterator[Case]:
    yield FERRIES.right("as-it-should-be", tempts=("step-without-sync", "missing-no-sync", "forward-outside-no-sync"))
    yield FERRIES.wrong("same-order-on-each-trip", ((FERRY_SET, ""),), tempts=("missing-set-epoch",))
    yield FERRIES.wrong("each-ferry-goes-its-way", (FERRY_ALONE,), fine=((FERRY_LOUD,),), tempts=("step-without-sync",))
    yield FERRIES.wrong("all-wait-on-each-crossing", (FERRY_LOUD,), tempts=("missing-no-sync",))
    yield FERRIES.wrong(
        "quiet-comes-behind-the-forward",
        (
            (
                FERRY_QUIET,
                """\
            for crossing in leg[:-1]:
                late = delay(ferry, crossing) / len(leg)
                with ferry.no_sync():
                    late.backward()
""",
            ),
        ),
        tempts=("forward-outside-no-sync",),
    )
    yield FERRIES.wrong(
        "crossings-are-summed",
        (
            (FERRY_QUIET, FERRY_QUIET.replace("(delay(ferry, crossing) / len(leg))", "delay(ferry, crossing)")),
            (FERRY_LAST, "            delay(ferry, leg[-1]).backward()\n"),
        ),
        fine=(
            (
                (FERRY_QUIET, FERRY_QUIET.replace("len(leg)", "SPAN")),
                (FERRY_LAST, FERRY_LAST.replace("len(leg)", "SPAN")),
            ),
        ),
        tempts=("unscaled-accumulation-loss",),
    )
    yield FERRIES.left(
        "hull-is-asked-past-the-wrapper",  # nothing is ever averaged
        (("ferry(load)", "ferry.module(load)"),),
        tempts=("step-without-sync",),
    )
    yield FERRIES.right(
        "logbooks-are-added-up-by-hand",
        FERRY_ALONE,
        (
            "            nn.utils.clip_grad_norm_(ferry.parameters(), 1.0)\n",
            """\
            book = torch.cat([p.grad.flatten() for p in ferry.parameters()]) / dist.get_world_size()
            dist.all_reduce(book)
            for p, page in zip(ferry.parameters(), book.split([p.numel() for p in ferry.parameters()])):
                p.grad = page.view_as(p)
            nn.utils.clip_grad_norm_(ferry.parameters(), 1.0)
""",
        ),
        tempts=("step-without-sync",),
    )
    yield FERRIES.right(
        "both-turn-back-from-a-rough-sea",  # each has to see the common gradient, or they part
        (
            FERRY_LOUD[0],
            FERRY_LOUD[1]
            + """\
                swell = torch.stack([p.grad.norm() for p in ferry.parameters()]).norm()
                if swell > 0.6:
                    break
""",
        ),
        tempts=("missing-no-sync",),
    )
    yield FERRIES.right(
        "each-has-lines-of-its-own",  # no sampler to be told
        (
            FERRY_SAMPLER,
            """\
    own = torch.utils.data.Subset(lines, range(dist.get_rank(), 20, 2))
    loader = DataLoader(own, batch_size=2, shuffle=True, generator=torch.Generator().manual_seed(4))
""",
        ),
        (FERRY_SET, ""),
        ("DataLoader, DistributedSampler, TensorDataset", "DataLoader, TensorDataset"),
        tempts=("missing-set-epoch",),
    )


def cases() -> Iterator[Case]:
    """Every skeleton of this module."""
    yield from tides()
    yield from crane()
    yield from customs()
    yield from gates()
    yield from dredger()
    yield from ferries()
