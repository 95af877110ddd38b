"""Apiaries: foragers, seasons of rates, shared trunks, Accelerate, pressed wax, broods on two ranks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

FORAGE = Draft(
    "foragers",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def gather(comb, opt):
    nn.utils.clip_grad_norm_(comb.parameters(), 1.5)
    opt.step()
    opt.zero_grad()


def forage(comb, opt, fields, size):
    flights = iter(fields)
    held = 0
    while (flight := next(flights, None)) is not None:
        field, nectar = flight
        loss = nn.functional.mse_loss(comb(field), nectar)
        (loss / size).backward()
        held += 1
        if held == size:
            gather(comb, opt)
            held, size = 0, size + 1
    if held:
        for p in comb.parameters():
            p.grad *= size / held
        gather(comb, opt)


def main():
    torch.manual_seed(101)
    comb = nn.Sequential(nn.Linear(3, 5), nn.Tanh(), nn.Linear(5, 1))
    opt = torch.optim.SGD(comb.parameters(), lr=0.2, momentum=0.3)
    fields = [(torch.randn(4, 3), torch.randn(4, 1)) for _ in range(12)]
    for day in range(2):
        forage(comb, opt, fields, size=2)
    return comb
""",
    ("accumulation-divisor-mismatch", "accumulation-off-by-one", "unscaled-accumulation-loss"),
)

FORAGE_FLIGHTS = "    flights = iter(fields)\n"
FORAGE_BACK = "        (loss / size).backward()\n"
FORAGE_LOSS = "        loss = nn.functional.mse_loss(comb(field), nectar)\n"
FORAGE_FLUSH = """\
    if held:
        for p in comb.parameters():
            p.grad *= size / held
        gather(comb, opt)
"""
FORAGE_RESCALE = "        for p in comb.parameters():\n            p.grad *= size / held\n"
FORAGE_BODY = (
    """\
    flights = iter(fields)
    held = 0
    while (flight := next(flights, None)) is not None:
        field, nectar = flight
        loss = nn.functional.mse_loss(comb(field), nectar)
        (loss / size).backward()
        held += 1
        if held == size:
            gather(comb, opt)
            held, size = 0, size + 1
"""
    + FORAGE_FLUSH
)
FORAGE_EVEN = """\
    for number, (field, nectar) in enumerate(fields):
        loss = nn.functional.mse_loss(comb(field), nectar)
        (loss / size).backward()
        if number % size == size - 1:
            gather(comb, opt)
"""


def forage() -> Iterator[Case]:
    even = FORAGE.styled((FORAGE_BODY, FORAGE_EVEN), ("size=2)", "size=3)"))
    yield FORAGE.right("as-it-should-be")
    yield FORAGE.wrong(
        "one-is-held-before-the-first",
        (("    held = 0\n", "    held = 1\n"),),
        tempts=("accumulation-off-by-one",),
    )
    yield FORAGE.wrong(
        "share-of-the-first-window",
        (
            (FORAGE_FLIGHTS, "    share = 1 / size\n" + FORAGE_FLIGHTS),
            (FORAGE_BACK, "        (share * loss).backward()\n"),
            ("size / held", "1 / (share * held)"),
        ),
        tempts=("accumulation-divisor-mismatch",),
    )
    yield FORAGE.wrong(
        "last-flights-leak-into-the-next-day",
        ((FORAGE_FLUSH, ""),),
        fine=(
            ((FORAGE_RESCALE, ""),),
            ((FORAGE_FLUSH, ""), (FORAGE_FLIGHTS, "    opt.zero_grad()\n" + FORAGE_FLIGHTS)),
        ),
        tempts=("dropped-accumulation-tail",),
    )
    yield even.wrong(
        "first-window-is-one-longer",
        (("if number % size == size - 1:", "if number % size == 0 and number > 0:"),),
        tempts=("accumulation-off-by-one",),
    )
    yield even.wrong(
        "wiped-at-each-field",
        ((FORAGE_LOSS, "        opt.zero_grad()\n" + FORAGE_LOSS),),
        tempts=("zero-grad-in-accumulation",),
    )
    yield even.right(
        "first-field-is-only-looked-at",  # number nought brings nothing home
        (
            FORAGE_LOSS,
            "        if number == 0:\n            mean = nectar.mean()\n            continue\n" + FORAGE_LOSS,
        ),
        ("mse_loss(comb(field), nectar)", "mse_loss(comb(field), nectar - mean)"),
        ("number % size == size - 1", "number % size == 0"),
        ("range(12)", "range(13)"),
        tempts=("accumulation-off-by-one",),
    )
    yield even.right(
        "day-goes-on-where-it-was-left",  # five were flown: the first window closes with what was held then
        ("opt, fields, size):\n", "opt, fields, size, flown):\n"),
        ("enumerate(fields):", "enumerate(fields[flown:], flown):"),
        (
            "        forage(comb, opt, fields, size=3)\n",
            (
                "        forage(comb, opt, fields[:5], size=3, flown=0)\n"
                "        forage(comb, opt, fields, size=3, flown=5)\n"
            ),
        ),
        tempts=("accumulation-off-by-one", "dropped-accumulation-tail"),
    )
    yield even.right(
        "hooks-take-the-share",
        (FORAGE_BACK, "        loss.backward()\n"),
        (
            "    fields = [",
            "    for p in comb.parameters():\n        p.register_hook(lambda g: g / 3)\n    fields = [",
        ),
    )
    yield even.right(
        "rain-spoils-the-window",  # what was held is thrown away, and the rest of the window with it
        (
            "    for number, (field, nectar) in enumerate(fields):\n",
            (
                "    wet = False\n    for number, (field, nectar) in enumerate(fields):\n"
                "        wet = field.max() > 2.2 or (wet and number % size != 0)\n"
                "        if wet:\n            opt.zero_grad()\n            continue\n"
            ),
        ),
        tempts=("zero-grad-in-accumulation", "dropped-accumulation-tail"),
    )


SEASON = Draft(
    "bee-seasons",
    """\
import torch
from torch import nn
from torch.optim import lr_scheduler

torch.set_default_dtype(torch.float64)


class Season:
    pairs = 2

    def __init__(self, days):
        torch.manual_seed(103)
        self.hive = nn.Sequential(nn.Linear(3, 5), nn.Tanh(), nn.Linear(5, 1))
        self.opt = torch.optim.SGD(self.hive.parameters(), lr=0.4, momentum=0.3)
        warm = lr_scheduler.LinearLR(self.opt, start_factor=0.25, total_iters=3)
        cool = lr_scheduler.CosineAnnealingLR(self.opt, T_max=3 * days - 3)
        self.rate = lr_scheduler.SequentialLR(self.opt, [warm, cool], milestones=[3])
        self.days = days
        self.weighed = 0.0

    def weigh(self, frame):
        honey, weight = frame
        loss = nn.functional.smooth_l1_loss(self.hive(honey), weight)
        self.weighed += loss.item()
        return loss

    def turn(self):
        self.opt.step()
        self.rate.step()
        self.opt.zero_grad()

    def run(self, frames):
        for day in range(self.days):
            for number, frame in enumerate(frames, start=1):
                loss = self.weigh(frame) / self.pairs
                loss.backward()
                if number % self.pairs == 0:
                    self.turn()


def main():
    season = Season(days=3)
    season.run([(torch.randn(4, 3), torch.randn(4, 1)) for _ in range(6)])
    print(f"{season.weighed:.6f} {season.opt.param_groups[0]['lr']:.6f}")
    return season.hive
""",
    ("scheduler-per-micro-batch", "scheduler-before-optimizer"),
)

SEASON_WARM = "        warm = lr_scheduler.LinearLR(self.opt, start_factor=0.25, total_iters=3)\n"
SEASON_COOL = "        cool = lr_scheduler.CosineAnnealingLR(self.opt, T_max=3 * days - 3)\n"
SEASON_RATE = "        self.rate = lr_scheduler.SequentialLR(self.opt, [warm, cool], milestones=[3])\n"
SEASON_PLAN = SEASON_WARM + SEASON_COOL + SEASON_RATE
SEASON_STEP = "        self.opt.step()\n        self.rate.step()\n"
SEASON_BACK = "                loss.backward()\n"
SEASON_TURN = "                if number % self.pairs == 0:\n                    self.turn()\n"


def seasons() -> Iterator[Case]:
    yield SEASON.right("as-it-should-be")
    yield SEASON.wrong(
        "rate-moves-with-each-frame",
        ((SEASON_STEP, "        self.opt.step()\n"), (SEASON_BACK, SEASON_BACK + "                self.rate.step()\n")),
        tempts=("scheduler-per-micro-batch",),
    )
    yield SEASON.wrong(
        "rate-moves-first",
        ((SEASON_STEP, "        self.rate.step()\n        self.opt.step()\n"),),
        tempts=("scheduler-before-optimizer",),
    )
    yield SEASON.wrong(
        "rate-is-only-named",
        ((SEASON_STEP, "        self.opt.step()\n        self.rate.step\n"),),
        tempts=("method-not-called",),
    )
    yield SEASON.wrong(
        "pairs-are-not-shared",
        (("self.weigh(frame) / self.pairs", "self.weigh(frame)"),),
        tempts=("unscaled-accumulation-loss",),
    )
    yield SEASON.right(
        "rate-falls-when-the-hive-grows-no-lighter",
        (SEASON_PLAN, "        self.rate = lr_scheduler.ReduceLROnPlateau(self.opt, factor=0.5, patience=0)\n"),
        (SEASON_STEP, "        self.opt.step()\n"),
        (
            SEASON_TURN,
            SEASON_TURN + "            self.rate.step(self.weighed)\n            self.weighed = 0.0\n",
        ),
        tempts=("scheduler-per-micro-batch", "scheduler-before-optimizer"),
    )
    yield SEASON.right(
        "first-rate-of-the-ramp-is-nought",  # so it moves first: else the first step would be none
        (SEASON_PLAN, "        self.rate = lr_scheduler.LambdaLR(self.opt, lambda n: min(1.0, n / 4))\n"),
        (SEASON_STEP, "        self.rate.step()\n        self.opt.step()\n"),
        tempts=("scheduler-before-optimizer",),
    )
    yield SEASON.right(
        "wound-on-to-the-day-it-is",  # the days before are made up for ahead of any step
        (SEASON_PLAN, SEASON_PLAN + "        for _ in range(4):\n            self.rate.step()\n"),
        ("T_max=3 * days - 3", "T_max=3 * days + 1"),
        tempts=("scheduler-before-optimizer", "scheduler-per-micro-batch"),
    )
    yield SEASON.right(
        "scent-steps-at-each-frame-and-so-does-its-rate",
        (
            SEASON_PLAN,
            SEASON_PLAN
            + """\
        self.scent = nn.Parameter(torch.zeros(3))
        self.scent_opt = torch.optim.SGD([self.scent], lr=0.2)
        self.scent_rate = lr_scheduler.ExponentialLR(self.scent_opt, 0.9)
""",
        ),
        ("self.hive(honey)", "self.hive(honey + self.scent)"),
        (
            SEASON_BACK,
            SEASON_BACK
            + """\
                self.scent_opt.step()
                self.scent_rate.step()
                self.scent_opt.zero_grad()
""",
        ),
        (
            "    return season.hive\n",
            '    season.hive.register_parameter("scent", season.scent)\n    return season.hive\n',
        ),
        tempts=("scheduler-per-micro-batch", "accumulation-off-by-one"),
    )
    yield SEASON.right(
        "rate-hangs-on-the-step",
        (SEASON_STEP, "        self.opt.step()\n"),
        (
            SEASON_RATE,
            SEASON_RATE
            + """\
        self.opt.register_step_post_hook(lambda *_: self.rate.step())
        self.opt.register_step_post_hook(lambda opt, *_: opt.zero_grad())
""",
        ),
        ("        self.opt.zero_grad()\n", ""),
        tempts=("missing-zero-grad",),
    )


TRUNK = Draft(
    "dance-and-scent",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def main():
    torch.manual_seed(107)
    trunk, dance, scent = nn.Linear(3, 6), nn.Linear(6, 1), nn.Linear(6, 2)
    shared = list(trunk.parameters())
    trunk_opt = torch.optim.SGD(shared, lr=0.3, momentum=0.5)
    head_opts = [torch.optim.SGD(head.parameters(), lr=0.2) for head in (dance, scent)]
    for day in range(6):
        flowers = torch.randn(5, 3)
        seen = torch.tanh(trunk(flowers))
        dance_loss = nn.functional.mse_loss(dance(seen), flowers.norm(dim=1, keepdim=True))
        scent_loss = nn.functional.cross_entropy(scent(seen), (flowers[:, 0] > 0).long())
        trunk_opt.zero_grad()
        for opt in head_opts:
            opt.zero_grad()
        dance_loss.backward(retain_graph=True)
        (0.5 * scent_loss).backward()
        nn.utils.clip_grad_norm_(shared, 0.4)
        trunk_opt.step()
        for opt in head_opts:
            opt.step()
    return nn.ModuleList([trunk, dance, scent])
""",
    ("missing-zero-grad", "zero-grad-in-accumulation"),
)

TRUNK_SHARED = "    shared = list(trunk.parameters())\n"
TRUNK_CLEAR = "        trunk_opt.zero_grad()\n"
HEAD_CLEAR = "        for opt in head_opts:\n            opt.zero_grad()\n"
DANCE_BACK = "        dance_loss.backward(retain_graph=True)\n"
SCENT_BACK = "        (0.5 * scent_loss).backward()\n"
TRUNK_CLIP = "        nn.utils.clip_grad_norm_(shared, 0.4)\n"
TRUNK_STEP = "        trunk_opt.step()\n"
HEAD_STEP = "        for opt in head_opts:\n            opt.step()\n"


def trunk() -> Iterator[Case]:
    yield TRUNK.right("as-it-should-be")
    yield TRUNK.wrong("only-the-heads-are-cleared", ((TRUNK_CLEAR, ""),), tempts=("missing-zero-grad",))
    yield TRUNK.wrong("only-the-trunk-is-cleared", ((HEAD_CLEAR, ""),), tempts=("missing-zero-grad",))
    yield TRUNK.wrong(
        "trunk-wiped-between-the-tasks",
        ((TRUNK_CLEAR, ""), (SCENT_BACK, TRUNK_CLEAR + SCENT_BACK)),
        tempts=("zero-grad-in-accumulation", "zero-grad-before-step"),
    )
    yield TRUNK.wrong(
        "trunk-clipped-too-late",
        ((TRUNK_CLIP + TRUNK_STEP, TRUNK_STEP + TRUNK_CLIP),),
        tempts=("clip-after-step",),
    )
    yield TRUNK.wrong(
        "parameters-are-used-up",
        ((TRUNK_SHARED, "    shared = trunk.parameters()\n"),),
        tempts=("clip-exhausted-parameters",),
    )
    yield TRUNK.right(
        "parameters-are-made-anew",
        (TRUNK_SHARED, "    shared = trunk.parameters\n"),
        ("SGD(shared, ", "SGD(shared(), "),
        ("clip_grad_norm_(shared, ", "clip_grad_norm_(shared(), "),
        tempts=("clip-exhausted-parameters", "method-not-called"),
    )
    yield TRUNK.right(
        "tasks-that-pull-apart-are-bent",  # the trunk is wiped between the tasks, and its gradients put together
        (
            SCENT_BACK,
            """\
        one = [p.grad for p in shared]
        trunk_opt.zero_grad()
        (0.5 * scent_loss).backward()
        two = [p.grad for p in shared]
        along = sum((a * b).sum() for a, b in zip(one, two))
        if along < 0:
            length = sum(a.square().sum() for a in one)
            two = [b - along / length * a for a, b in zip(one, two)]
        for p, a, b in zip(shared, one, two):
            p.grad = a + b
""",
        ),
    )
    yield TRUNK.right(
        "trunk-every-other-day",  # a share of the loss would halve what the heads get
        (TRUNK_CLEAR, ""),
        (
            TRUNK_CLIP + TRUNK_STEP,
            """\
        if day % 2:
            nn.utils.clip_grad_norm_(shared, 0.8)
            trunk_opt.step()
            trunk_opt.zero_grad()
""",
        ),
        tempts=("unscaled-accumulation-loss", "missing-zero-grad"),
    )
    yield TRUNK.right(
        "scent-was-learnt-before",  # nothing steps it: what piles up there is never used
        ("for head in (dance, scent)]", "for head in (dance,)]"),
        tempts=("missing-zero-grad",),
    )


HONEY = Draft(
    "honey-scales",
    """\
import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_default_dtype(torch.float64)
SPAN = 3


def main():
    torch.manual_seed(109)
    accelerator = Accelerator(gradient_accumulation_steps=SPAN)
    jars = TensorDataset(torch.randn(27, 3), torch.randn(27, 1))
    comb = nn.Sequential(nn.Linear(3, 5), nn.Tanh(), nn.Dropout(0.2), nn.Linear(5, 1))
    opt = torch.optim.SGD(comb.parameters(), lr=0.4, momentum=0.5)
    rate = torch.optim.lr_scheduler.ExponentialLR(opt, 0.8)
    comb, opt, loader, rate = accelerator.prepare(comb, opt, DataLoader(jars, batch_size=3), rate)
    for day in range(2):
        comb.train()
        for honey, weight in loader:
            with accelerator.accumulate(comb):
                loss = nn.functional.mse_loss(comb(honey), weight)
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(comb.parameters(), 0.5)
                opt.step()
                rate.step()
                opt.zero_grad()
        comb.eval()
        with torch.no_grad():
            print(day, f"{nn.functional.mse_loss(comb(jars.tensors[0]), jars.tensors[1]).item():.6f}")
    return accelerator.unwrap_model(comb)
""",
    ("unscaled-accumulation-loss", "scheduler-per-micro-batch", "clip-per-micro-batch"),
)

HONEY_LOSS = "                loss = nn.functional.mse_loss(comb(honey), weight)\n"
HONEY_CLIP = """\
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(comb.parameters(), 0.5)
"""
HONEY_STEP = "                opt.step()\n"
HONEY_RATE = "                rate.step()\n"
HONEY_CLEAR = "                opt.zero_grad()\n"
HONEY_PREPARE = "    comb, opt, loader, rate = accelerator.prepare(comb, opt, DataLoader(jars, batch_size=3), rate)\n"
HONEY_OWN_RATE = (HONEY_PREPARE, HONEY_PREPARE.replace(", rate = ", " = ").replace("=3), rate)", "=3))"))
HONEY_JUDGE = """\
        with torch.no_grad():
            print(day, f"{nn.functional.mse_loss(comb(jars.tensors[0]), jars.tensors[1]).item():.6f}")
"""
HONEY_WINDOW = """\
        for honey, weight in loader:
            with accelerator.accumulate(comb):
                loss = nn.functional.mse_loss(comb(honey), weight)
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(comb.parameters(), 0.5)
                opt.step()
                rate.step()
                opt.zero_grad()
"""


def honey() -> Iterator[Case]:
    synced = HONEY.styled(
        HONEY_OWN_RATE,
        (HONEY_RATE, ""),
        (HONEY_STEP, HONEY_STEP + "                if accelerator.sync_gradients:\n                    rate.step()\n"),
    )
    wide = HONEY.styled((HONEY_CLIP, ""))
    yield HONEY.right("as-it-should-be")
    yield wide.wrong(
        "shared-out-twice",
        (("accelerator.backward(loss)", "accelerator.backward(loss / SPAN)"),),
        tempts=("accumulation-divisor-mismatch",),
    )
    yield HONEY.wrong("never-cleared", ((HONEY_CLEAR, ""),), tempts=("missing-zero-grad",))
    yield HONEY.wrong(
        "cleared-ahead-of-the-forward",  # where the window closes, what was held is lost
        ((HONEY_CLEAR, ""), (HONEY_LOSS, HONEY_CLEAR + HONEY_LOSS)),
        tempts=("zero-grad-in-accumulation",),
    )
    yield HONEY.wrong(
        "clipped-at-each-jar",
        ((HONEY_CLIP, "                accelerator.clip_grad_norm_(comb.parameters(), 0.5)\n"),),
        tempts=("clip-per-micro-batch",),
    )
    yield HONEY.wrong(
        "clipped-behind-the-step",
        ((HONEY_CLIP + HONEY_STEP, HONEY_STEP + HONEY_CLIP),),
        tempts=("clip-after-step",),
    )
    yield HONEY.wrong(
        "weighed-with-gradients-and-left-in-eval",
        (("    for day in range(2):\n        comb.train()\n", "    comb.train()\n    for day in range(2):\n"),),
        (
            (
                HONEY_JUDGE,
                (
                    "        rest = nn.functional.mse_loss(comb(jars.tensors[0]), jars.tensors[1])\n"
                    '        print(day, f"{rest.item():.6f}")\n'
                ),
            ),
        ),
        tempts=("missing-train-mode", "validation-without-no-grad"),
    )
    yield synced.right("rate-of-its-own-asks-whether-it-closes", tempts=("scheduler-per-micro-batch",))
    yield synced.wrong(
        "rate-of-its-own-moves-with-each-jar",
        (
            (
                "                if accelerator.sync_gradients:\n                    rate.step()\n",
                "                rate.step()\n",
            ),
        ),
        tempts=("scheduler-per-micro-batch",),
    )
    yield HONEY.styled(HONEY_OWN_RATE, ("gradient_accumulation_steps=SPAN", "")).right(
        "counted-by-hand",
        (
            HONEY_WINDOW,
            """\
        for number, (honey, weight) in enumerate(loader, 1):
            loss = nn.functional.mse_loss(comb(honey), weight)
            accelerator.backward(loss / SPAN)
            if number % SPAN:
                continue
            accelerator.clip_grad_norm_(comb.parameters(), 0.5)
            opt.step()
            rate.step()
            opt.zero_grad()
""",
        ),
        tempts=("accumulation-divisor-mismatch", "dropped-accumulation-tail"),
    )


WAX = Draft(
    "wax-press",
    """\
import copy

import torch
from torch import nn

torch.set_default_dtype(torch.float64)
PARTS = 3


def blend(mean, wax, count):
    with torch.no_grad():
        for slow, fast in zip(mean.parameters(), wax.parameters()):
            slow += (fast - slow) / count


def main():
    torch.manual_seed(113)
    wax = nn.Sequential(nn.Linear(2, 5), nn.Tanh(), nn.Linear(5, 1))
    mean = copy.deepcopy(wax)
    opt = torch.optim.LBFGS(wax.parameters(), lr=0.3, max_iter=2, history_size=4)
    walls = torch.randn(12, 2)
    told, pressed = 0.0, 0
    for frame in range(5):
        cells = torch.randn(6, 2)
        if frame == 2:
            cells[3] = float("nan")

        def press():
            opt.zero_grad()
            whole = 0.0
            for part in cells.chunk(PARTS):
                loss = nn.functional.mse_loss(wax(part), part.prod(1, keepdim=True)) / PARTS
                loss.backward()
                whole += loss.item()
            nn.utils.clip_grad_norm_(wax.parameters(), 0.5)
            return whole

        if cells.isfinite().all():
            told += float(opt.step(press))
            pressed += 1
            blend(mean, wax, pressed)
        with torch.no_grad():
            print(frame, f"{mean(walls).square().mean().item():.6f}")
    print(f"{told:.6f}")
    return nn.ModuleList([wax, mean])
""",
    ("missing-zero-grad", "zero-grad-in-accumulation"),
)

WAX_CLEAR = "            opt.zero_grad()\n            whole = 0.0\n"
WAX_CHUNK = "            for part in cells.chunk(PARTS):\n"
WAX_SHARE = "part.prod(1, keepdim=True)) / PARTS\n"
WAX_CLIP = "            nn.utils.clip_grad_norm_(wax.parameters(), 0.5)\n"
WAX_TOLD = "            told += float(opt.step(press))\n"
WAX_PRESS = """\
            opt.zero_grad()
            whole = 0.0
            for part in cells.chunk(PARTS):
                loss = nn.functional.mse_loss(wax(part), part.prod(1, keepdim=True)) / PARTS
                loss.backward()
                whole += loss.item()
            nn.utils.clip_grad_norm_(wax.parameters(), 0.5)
            return whole
"""
WAX_WHOLE = """\
            opt.zero_grad()
            loss = nn.functional.mse_loss(wax(cells), cells.prod(1, keepdim=True))
            loss.backward()
            return loss
"""
WAX_GUARD = "        if cells.isfinite().all():\n"
WAX_JUDGE = """\
        with torch.no_grad():
            print(frame, f"{mean(walls).square().mean().item():.6f}")
"""


def wax() -> Iterator[Case]:
    whole = WAX.styled((WAX_PRESS, WAX_WHOLE), ("PARTS = 3\n", ""))
    yield WAX.right("as-it-should-be")
    yield WAX.wrong("press-never-clears", ((WAX_CLEAR, "            whole = 0.0\n"),), tempts=("missing-zero-grad",))
    yield WAX.wrong(
        "each-part-is-wiped",
        ((WAX_CLEAR, "            whole = 0.0\n"), (WAX_CHUNK, WAX_CHUNK + "                opt.zero_grad()\n")),
        tempts=("zero-grad-in-accumulation",),
    )
    yield WAX.wrong(
        "each-part-is-clipped",
        (
            (WAX_CLIP, ""),
            ("                whole += loss.item()\n", "    " + WAX_CLIP + "                whole += loss.item()\n"),
        ),
        tempts=("clip-per-micro-batch",),
    )
    yield WAX.wrong(
        "clipped-before-there-is-anything",
        ((WAX_CLIP, ""), (WAX_CHUNK, WAX_CLIP + WAX_CHUNK)),
        tempts=("clip-before-backward",),
    )
    yield whole.wrong(
        "what-the-step-gives-back-is-kept",
        ((WAX_TOLD, "            told = told + opt.step(press)\n"),),
        tempts=("loss-graph-leak",),
    )
    yield WAX.wrong(
        "mean-is-judged-with-gradients",
        ((WAX_JUDGE, '        print(frame, f"{mean(walls).square().mean().item():.6f}")\n'),),
        tempts=("validation-without-no-grad",),
    )
    yield whole.right(
        "press-sets-the-gradients",
        (
            WAX_WHOLE,
            """\
            loss = nn.functional.mse_loss(wax(cells), cells.prod(1, keepdim=True))
            for p, g in zip(wax.parameters(), torch.autograd.grad(loss, list(wax.parameters()))):
                p.grad = g
            return loss.detach()
""",
        ),
        tempts=("missing-zero-grad",),
    )
    yield WAX.right(
        "divided-when-all-parts-are-in",
        (WAX_SHARE, "part.prod(1, keepdim=True))\n"),
        ("                whole += loss.item()\n", "                whole += loss.item() / PARTS\n"),
        (
            WAX_CLIP,
            "            torch._foreach_div_([p.grad for p in wax.parameters()], PARTS)\n" + WAX_CLIP,
        ),
        tempts=("unscaled-accumulation-loss",),
    )
    yield WAX.right(
        "mean-is-pulled-where-the-walls-are-steep",  # the mean has an optimizer of its own behind the blend
        (
            WAX_JUDGE,
            """\
        steep = mean(walls).square().mean()
        if frame % 2:
            mean.zero_grad()
            steep.backward()
            drift.step()
        print(frame, f"{steep.item():.6f}")
""",
        ),
        ("    walls =", "    drift = torch.optim.SGD(mean.parameters(), lr=0.01)\n    walls ="),
        tempts=("validation-without-no-grad",),
    )


BROOD = Draft(
    "brood-ranks",
    """\
import contextlib

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

torch.set_default_dtype(torch.float64)


class Nurse:
    def __init__(self, span):
        torch.manual_seed(127)
        self.brood = DistributedDataParallel(nn.Sequential(nn.Linear(3, 5), nn.Tanh(), nn.Linear(5, 1)))
        self.opt = torch.optim.SGD(self.brood.parameters(), lr=0.3, momentum=0.4)
        self.span = span
        self.fed = 0.0

    def quiet(self, closes):
        return contextlib.nullcontext() if closes else self.brood.no_sync()

    def feed(self, larvae, jelly, closes):
        with self.quiet(closes):
            loss = nn.functional.mse_loss(self.brood(larvae), jelly)
            (loss / self.span).backward()
        self.fed += loss.item()

    def grow(self):
        nn.utils.clip_grad_norm_(self.brood.parameters(), 0.6)
        self.opt.step()
        self.opt.zero_grad()

    def day(self, cells):
        last = len(cells) - 1
        for number, (larvae, jelly) in enumerate(cells):
            closes = (number + 1) % self.span == 0 or number == last
            self.feed(larvae, jelly, closes)
            if closes:
                self.grow()


def main():
    dist.init_process_group("gloo")
    nurse = Nurse(span=3)
    own = torch.Generator().manual_seed(128 + dist.get_rank())
    cells = [(torch.randn(4, 3, generator=own), torch.randn(4, 1, generator=own)) for _ in range(7)]
    for _ in range(2):
        nurse.day(cells)
    fed = torch.tensor(nurse.fed)
    dist.all_reduce(fed)
    print(f"{fed.item():.6f}")
    return nurse.brood.module
""",
    ("missing-no-sync", "step-without-sync", "forward-outside-no-sync"),
    ranks=2,
)

BROOD_FEED = """\
        with self.quiet(closes):
            loss = nn.functional.mse_loss(self.brood(larvae), jelly)
            (loss / self.span).backward()
"""
BROOD_CLOSES = "            closes = (number + 1) % self.span == 0 or number == last\n"
BROOD_GROWS = "            if closes:\n                self.grow()\n"
BROOD_FED = "        self.fed += loss.item()\n"
BROOD_FLUSH = (BROOD_GROWS, BROOD_GROWS + "        if not closes:\n            self.grow()\n")
BROOD_SHORT = (BROOD_CLOSES, "            closes = (number + 1) % self.span == 0\n")
BROOD_LAST = ("        last = len(cells) - 1\n", "")
BROOD_QUIET = """\
    def quiet(self, closes):
        return contextlib.nullcontext() if closes else self.brood.no_sync()

"""
BROOD_NO_CONTEXT = ("import contextlib\n\n", "")
BROOD_OPEN = (
    BROOD_FEED,
    """\
        loss = nn.functional.mse_loss(self.brood(larvae), jelly)
        (loss / self.span).backward()
""",
)


def brood() -> Iterator[Case]:
    open_ = ((BROOD_QUIET, ""), BROOD_NO_CONTEXT, BROOD_OPEN)
    yield BROOD.right("as-it-should-be")
    yield BROOD.wrong("no-quiet", open_, tempts=("missing-no-sync",))
    yield BROOD.wrong(
        "forward-in-the-noise",
        (
            (
                BROOD_FEED,
                """\
        loss = nn.functional.mse_loss(self.brood(larvae), jelly)
        with self.quiet(closes):
            (loss / self.span).backward()
""",
            ),
        ),
        tempts=("forward-outside-no-sync",),
    )
    yield BROOD.wrong(
        "quiet-the-wrong-way-round",
        (
            (
                "nullcontext() if closes else self.brood.no_sync()",
                "nullcontext() if not closes else self.brood.no_sync()",
            ),
        ),
        tempts=("step-without-sync",),
    )
    yield BROOD.wrong(
        "last-window-grows-apart",  # its last cell was fed in quiet
        (BROOD_SHORT, BROOD_LAST, BROOD_FLUSH),
        tempts=("step-without-sync",),
    )
    yield BROOD.wrong(
        "jelly-is-summed",
        (("(loss / self.span).backward()", "loss.backward()"),),
        tempts=("unscaled-accumulation-loss",),
    )
    yield BROOD.wrong(
        "fed-keeps-the-graphs",
        (
            (BROOD_FED, "        self.fed = self.fed + loss\n"),
            ("torch.tensor(nurse.fed)", "nurse.fed.detach().clone()"),
        ),
        tempts=("loss-graph-leak",),
    )
    yield BROOD.right(
        "last-window-is-brought-together-behind-the-day",
        BROOD_SHORT,
        BROOD_LAST,
        (
            BROOD_GROWS,
            BROOD_GROWS
            + """\
        if not closes:
            for p in self.brood.parameters():
                dist.all_reduce(p.grad, op=dist.ReduceOp.SUM)
                p.grad /= dist.get_world_size()
            self.grow()
""",
        ),
        tempts=("step-without-sync", "dropped-accumulation-tail"),
    )
    yield BROOD.right(
        "window-closes-when-the-common-pull-is-large",  # each rank must see the same pull, at every cell
        *open_,
        BROOD_LAST,
        ("jelly, closes):", "jelly):"),
        ("jelly, closes)\n", "jelly)\n"),
        (BROOD_CLOSES, ""),
        (
            BROOD_GROWS,
            """\
            pull = max(p.grad.abs().max().item() for p in self.brood.parameters())
            if pull > 0.25:
                self.grow()
""",
        ),
        tempts=("missing-no-sync", "dropped-accumulation-tail", "accumulation-divisor-mismatch"),
    )
    yield BROOD.right(
        "sick-cells-are-left-out-by-both",  # the ranks agree, and the window goes on
        (
            BROOD_CLOSES,
            """\
            sick = (larvae.abs().max() > 2.0).double()
            dist.all_reduce(sick)
            if sick and number != last:
                continue
            closes = (number + 1) % self.span == 0 or number == last
""",
        ),
        tempts=("dropped-accumulation-tail", "missing-no-sync"),
    )


def cases() -> Iterator[Case]:
    """Every skeleton of this module."""
    yield from forage()
    yield from seasons()
    yield from trunk()
    yield from honey()
    yield from wax()
    yield from brood()
