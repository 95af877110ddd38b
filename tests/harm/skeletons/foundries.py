"""Foundries: a furnace with callbacks, a cast over old iron, alloys learnt in a few blows, an anvil that is struck again,
three moulds of one melt, and a ladle that learns to pour."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

FURNACE = Draft(
    "furnace-callbacks",
    """\
import copy
import itertools
import math
from collections import defaultdict
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn.functional import mse_loss
from torch.utils.data import DataLoader, TensorDataset

torch.set_default_dtype(torch.float64)


@dataclass
class Settings:
    epochs: int = 3
    accum: int = 2
    max_norm: float = 0.3
    low: float = 0.02
    high: float = 1.0
    trials: int = 8


class Callback:
    def on_epoch_start(self, trainer):
        pass

    def on_batch_end(self, trainer, loss):
        pass

    def before_step(self, trainer):
        pass

    def after_step(self, trainer):
        pass

    def on_epoch_end(self, trainer):
        pass


class ClipGradients(Callback):
    def before_step(self, trainer):
        norm = nn.utils.clip_grad_norm_(trainer.model.parameters(), trainer.settings.max_norm)
        trainer.log["norm"].append(norm.item())


class MoveRate(Callback):
    def __init__(self, schedule):
        self.schedule = schedule

    def after_step(self, trainer):
        self.schedule.step()


class Losses(Callback):
    def on_batch_end(self, trainer, loss):
        trainer.log["loss"].append(loss.item())


class Validate(Callback):
    def __init__(self, loader):
        self.loader = loader

    def on_epoch_end(self, trainer):
        trainer.model.eval()
        with torch.no_grad():
            losses = [mse_loss(trainer.model(x), y).item() for x, y in self.loader]
        trainer.log["held"].append(sum(losses) / len(losses))


class KeepBest(Callback):
    state = None

    def on_epoch_end(self, trainer):
        if trainer.log["held"][-1] <= min(trainer.log["held"]):
            self.state = copy.deepcopy(trainer.model.state_dict())


class Trainer:
    def __init__(self, model, opt, callbacks, settings):
        self.model, self.opt, self.callbacks, self.settings = model, opt, callbacks, settings
        self.log = defaultdict(list)

    def call(self, event, *args):
        for callback in self.callbacks:
            getattr(callback, event)(self, *args)

    def fit(self, loader):
        for _ in range(self.settings.epochs):
            self.model.train()
            self.call("on_epoch_start")
            for number, (x, y) in enumerate(loader, 1):
                loss = mse_loss(self.model(x), y)
                (loss / self.settings.accum).backward()
                self.call("on_batch_end", loss)
                if number % self.settings.accum == 0 or number == len(loader):
                    self.call("before_step")
                    self.opt.step()
                    self.call("after_step")
                    self.opt.zero_grad()
            self.call("on_epoch_end")


def find_rate(model, loader, settings):
    trial = copy.deepcopy(model)
    opt = torch.optim.SGD(trial.parameters(), lr=settings.low)
    factor = (settings.high / settings.low) ** (1 / (settings.trials - 1))
    schedule = torch.optim.lr_scheduler.ExponentialLR(opt, factor)
    losses, rates = [], []
    for number, (x, y) in zip(range(settings.trials), loader):
        opt.zero_grad()
        loss = mse_loss(trial(x), y)
        loss.backward()
        opt.step()
        losses.append(loss.item())
        rates.append(schedule.get_last_lr()[0])
        schedule.step()
    drops = [after - before for before, after in itertools.pairwise(losses)]
    return rates[drops.index(min(drops))] / 2


def main():
    torch.manual_seed(307)
    settings = Settings()
    loader = DataLoader(TensorDataset(torch.randn(36, 3), torch.randn(36, 1)), batch_size=4, shuffle=True)
    held = DataLoader(TensorDataset(torch.randn(12, 3), torch.randn(12, 1)), batch_size=4)
    model = nn.Sequential(nn.Linear(3, 8), nn.BatchNorm1d(8), nn.Tanh(), nn.Dropout(0.2), nn.Linear(8, 1))
    opt = torch.optim.SGD(model.parameters(), lr=find_rate(model, loader, settings), momentum=0.6)
    updates = settings.epochs * math.ceil(len(loader) / settings.accum)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=updates)
    best = KeepBest()
    callbacks = [ClipGradients(), MoveRate(schedule), Losses(), Validate(held), best]
    trainer = Trainer(model, opt, callbacks, settings)
    trainer.fit(loader)
    for name, values in trainer.log.items():
        print(name, *(f"{value:.6f}" for value in values))
    model.load_state_dict(best.state)
    return model
""",
    ("missing-zero-grad", "clip-after-step", "scheduler-per-micro-batch"),
)

FURNACE_BACK = "                (loss / self.settings.accum).backward()\n"
FURNACE_BEFORE = '                    self.call("before_step")\n'
FURNACE_CLEAR = "                    self.opt.zero_grad()\n"
FURNACE_CALLS = "    callbacks = [ClipGradients(), "
FURNACE_TRAIN = "            self.model.train()\n"
FURNACE_EPOCHS = "        for _ in range(self.settings.epochs):\n"
FURNACE_CLIP = """\
class ClipGradients(Callback):
    def before_step(self, trainer):
"""
FURNACE_MOVE = """\
    def after_step(self, trainer):
        self.schedule.step()
"""
FURNACE_MOVE_EACH = """\
    def on_batch_end(self, trainer, loss):
        self.schedule.step()
"""
FURNACE_WATCH = """\
class Watch(Callback):
    def after_step(self, trainer):
        trainer.log["steepest"].append(max(p.grad.abs().max().item() for p in trainer.model.parameters()))


"""
FURNACE_SLEEPER = """\
class FrozenStatistics(Callback):
    def on_epoch_start(self, trainer):
        trainer.model[1].eval()


"""


def furnace() -> Iterator[Case]:
    watched = FURNACE.styled((FURNACE_CLIP, FURNACE_WATCH + FURNACE_CLIP), (FURNACE_CALLS, FURNACE_CALLS + "Watch(), "))
    frozen = FURNACE.styled(
        (FURNACE_CLIP, FURNACE_SLEEPER + FURNACE_CLIP), (FURNACE_CALLS, FURNACE_CALLS + "FrozenStatistics(), ")
    )
    yield FURNACE.wrong(
        "clip-answers-to-the-wrong-event",
        ((FURNACE_CLIP, FURNACE_CLIP.replace("before_step", "after_step")),),
        tempts=("clip-after-step",),
    )
    yield watched.wrong(
        "never-cleared-and-watched-behind-the-step",  # to clear at once behind the step would blind the watch
        ((FURNACE_CLEAR, ""),),
        tempts=("missing-zero-grad",),
    )
    yield FURNACE.wrong(
        "finder-hoards-its-losses",
        (("        losses.append(loss.item())\n", "        losses.append(loss)\n"),),
        tempts=("loss-graph-leak",),
    )
    yield frozen.wrong(
        "woken-once-and-statistics-frozen-by-a-callback",
        ((FURNACE_EPOCHS + FURNACE_TRAIN, "        self.model.train()\n" + FURNACE_EPOCHS),),
        tempts=("missing-train-mode",),
    )
    yield FURNACE.wrong(
        "rate-answers-to-every-batch",
        ((FURNACE_MOVE, FURNACE_MOVE_EACH),),
        tempts=("scheduler-per-micro-batch",),
    )
    yield FURNACE.right(
        "rate-answers-to-every-batch-and-is-laid-out-so",
        (FURNACE_MOVE, FURNACE_MOVE_EACH),
        ("    updates = settings.epochs * math.ceil(len(loader) / settings.accum)\n", ""),
        ("T_max=updates", "T_max=settings.epochs * len(loader)"),
        ("import math\n", ""),
        tempts=("scheduler-per-micro-batch",),
    )
    yield FURNACE.right(
        "finder-raises-the-rate-with-every-batch-of-a-window",
        ("        opt.zero_grad()\n        loss = mse_loss(trial(x), y)\n", "        loss = mse_loss(trial(x), y)\n"),
        (
            "        loss.backward()\n        opt.step()\n",
            """\
        (loss / settings.accum).backward()
        if number % settings.accum == settings.accum - 1:
            opt.step()
            opt.zero_grad()
""",
        ),
        tempts=("scheduler-per-micro-batch", "dropped-accumulation-tail"),
    )
    yield FURNACE.right(
        "validation-puts-every-part-back",  # one of them has slept from the start
        (FURNACE_TRAIN, ""),
        (
            "    opt = torch.optim.SGD(model.parameters(), lr=find",
            """\
    model[1].eval()  # its statistics come with the iron
    opt = torch.optim.SGD(model.parameters(), lr=find""",
        ),
        (
            "        trainer.model.eval()\n",
            """\
        modes = [(part, part.training) for part in trainer.model.modules()]
        trainer.model.eval()
""",
        ),
        (
            '        trainer.log["held"].append(sum(losses) / len(losses))\n',
            """\
        for part, training in modes:
            part.training = training
        trainer.log["held"].append(sum(losses) / len(losses))
""",
        ),
        tempts=("missing-train-mode",),
    )
    yield FURNACE.right(
        "callback-vetoes-an-update",
        (
            FURNACE_CLIP,
            """\
class Veto(Callback):
    spoilt = False

    def on_batch_end(self, trainer, loss):
        self.spoilt |= loss.item() > 4.0

    def before_step(self, trainer):
        spoilt, self.spoilt = self.spoilt, False
        return spoilt


"""
            + FURNACE_CLIP,
        ),
        (
            """\
        for callback in self.callbacks:
            getattr(callback, event)(self, *args)
""",
            """\
        return any([getattr(callback, event)(self, *args) for callback in self.callbacks])
""",
        ),
        (
            FURNACE_BEFORE,
            """\
                    if self.call("before_step"):
                        self.opt.zero_grad()
                        continue
""",
        ),
        (FURNACE_CALLS, FURNACE_CALLS + "Veto(), "),
        (
            "    loader = DataLoader(TensorDataset(torch.randn(36, 3), torch.randn(36, 1)), batch_size=4, shuffle=True)\n",
            """\
    casts = TensorDataset(torch.randn(36, 3), torch.randn(36, 1))
    casts.tensors[1][5] = 9.0  # slag
    loader = DataLoader(casts, batch_size=4, shuffle=True)
""",
        ),
        tempts=("zero-grad-before-step", "missing-zero-grad", "dropped-accumulation-tail"),
    )
    yield FURNACE.right(
        "callback-shares-the-window-out",
        (FURNACE_BACK, "                loss.backward()\n"),
        (
            FURNACE_CLIP,
            """\
class Average(Callback):
    pending = 0

    def on_batch_end(self, trainer, loss):
        self.pending += 1

    def before_step(self, trainer):
        for p in trainer.model.parameters():
            p.grad /= self.pending
        self.pending = 0


"""
            + FURNACE_CLIP,
        ),
        ("    callbacks = [ClipGradients(), ", "    callbacks = [Average(), ClipGradients(), "),
        tempts=("unscaled-accumulation-loss",),
    )


IRON = Draft(
    "cast-over-old-iron",
    """\
import argparse
import math

import torch
from torch import nn
from torch.nn.functional import cross_entropy
from torch.nn.utils import clip_grad_norm_

torch.set_default_dtype(torch.float64)


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--lr", type=float, default=0.05)
    parser.add_argument("--layer-decay", type=float, default=0.6)
    parser.add_argument("--warmup", type=int, default=3)
    parser.add_argument("--accum", type=int, default=3)
    parser.add_argument("--max-norm", type=float, default=0.3)
    return parser.parse_args()


class Caster(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Linear(4, 6), nn.BatchNorm1d(6), nn.ReLU())
        self.blocks = nn.ModuleList(nn.Sequential(nn.Linear(6, 6), nn.Tanh(), nn.Dropout(0.1)) for _ in range(3))
        self.head = nn.Linear(6, 3)

    def forward(self, x):
        x = self.stem(x)
        for block in self.blocks:
            x = x + block(x)
        return self.head(x)


def layerwise(model, args):
    layers = [model.head, *reversed(model.blocks)]
    return [
        {"params": list(layer.parameters()), "lr": args.lr * args.layer_decay**depth}
        for depth, layer in enumerate(layers)
    ]


def wake(model):
    model.train()
    model.stem.eval()  # frozen, with its statistics


def evaluate(model, batches):
    model.eval()
    missed, hits = 0.0, 0
    with torch.no_grad():
        for x, y in batches:
            out = model(x)
            missed += cross_entropy(out, y).item()
            hits += (out.argmax(1) == y).sum().item()
    return missed / len(batches), hits


def batches(number):
    return [(torch.randn(5, 4), torch.randint(3, (5,))) for _ in range(number)]


def main():
    args = parse_args()
    torch.manual_seed(311)
    train, held = batches(8), batches(3)
    model = Caster()
    model.stem.requires_grad_(False)
    opt = torch.optim.AdamW(layerwise(model, args), weight_decay=0.01, eps=1e-3)
    trainable = [p for p in model.parameters() if p.requires_grad]
    print(sum(p.numel() for p in trainable), "parameters are tuned")
    updates = args.epochs * math.ceil(len(train) / args.accum)
    plan = torch.optim.lr_scheduler.LambdaLR(opt, lambda n: min((n + 1) / args.warmup, 1.0) * (1 - n / updates))
    told = 0.0
    for epoch in range(args.epochs):
        wake(model)
        for number, (x, y) in enumerate(train, 1):
            loss = cross_entropy(model(x), y, label_smoothing=0.1)
            (loss / args.accum).backward()
            told += loss.item()
            if number % args.accum == 0 or number == len(train):
                clip_grad_norm_(trainable, args.max_norm)
                opt.step()
                plan.step()
                opt.zero_grad()
        missed, hits = evaluate(model, held)
        print(epoch, f"{missed:.6f}", hits, *(f"{group['lr']:.6f}" for group in opt.param_groups))
    print(f"told {told:.6f}")
    return model
""",
    ("missing-train-mode", "clip-exhausted-parameters", "missing-zero-grad"),
)

IRON_FREEZE = "    model.stem.requires_grad_(False)\n"
IRON_OPT = "    opt = torch.optim.AdamW(layerwise(model, args), weight_decay=0.01, eps=1e-3)\n"
IRON_TRAINABLE = "    trainable = [p for p in model.parameters() if p.requires_grad]\n"
IRON_COUNT = '    print(sum(p.numel() for p in trainable), "parameters are tuned")\n'
IRON_PLAN = (
    "    updates = args.epochs * math.ceil(len(train) / args.accum)\n"
    "    plan = torch.optim.lr_scheduler.LambdaLR("
    "opt, lambda n: min((n + 1) / args.warmup, 1.0) * (1 - n / updates))\n"
)
IRON_EPOCH = "    for epoch in range(args.epochs):\n"
IRON_WAKE = "        wake(model)\n"
IRON_LOSS = "            loss = cross_entropy(model(x), y, label_smoothing=0.1)\n"
IRON_TOLD = "            told += loss.item()\n"
IRON_CLIP = "                clip_grad_norm_(trainable, args.max_norm)\n"
IRON_CLIP_GROUPS = """\
                for group in opt.param_groups:
                    clip_grad_norm_(group["params"], args.max_norm)
"""
IRON_MOVE = "                plan.step()\n"
IRON_CLEAR = "                opt.zero_grad()\n"
IRON_NEW_HEAD = "    model.head = nn.Linear(6, 2)  # the old one told three alloys apart\n"
IRON_PLAIN_OPT = "    opt = torch.optim.AdamW(trainable, lr=args.lr, weight_decay=0.01, eps=1e-3)\n"
IRON_ANCHORED = (
    (
        "def batches(number):\n",
        """\
def importance(model, trainable, old):
    \"\"\"Fisher's diagonal on the old alloys.\"\"\"
    model.eval()
    found = [torch.zeros_like(p) for p in trainable]
    for x, y in old:
        model.zero_grad()
        cross_entropy(model(x), y).backward()
        for total, p in zip(found, trainable):
            total += p.grad.square() / len(old)
    model.zero_grad()
    return found


def batches(number):
""",
    ),
    ("    train, held = batches(8), batches(3)\n", "    train, held, old = batches(8), batches(3), batches(4)\n"),
    (IRON_WAKE, "        matters = importance(model, trainable, old)\n" + IRON_WAKE),
    (
        "    told = 0.0\n",
        "    anchor = [p.detach().clone() for p in trainable]\n    told = 0.0\n",
    ),
    (
        IRON_LOSS,
        IRON_LOSS
        + "            loss = loss + 2.0 * sum("
        + "(m * (p - a).square()).sum() for m, p, a in zip(matters, trainable, anchor))\n",
    ),
)


def iron() -> Iterator[Case]:
    swapped = IRON.styled(
        (IRON_OPT + IRON_TRAINABLE, IRON_NEW_HEAD + IRON_TRAINABLE + IRON_PLAIN_OPT),
        (IRON_COUNT, ""),
        ("torch.randint(3, (5,))", "torch.randint(2, (5,))"),
    )
    by_group = IRON.styled((IRON_CLIP, IRON_CLIP_GROUPS))
    yield IRON.wrong(
        "counted-until-nothing-is-left",
        (
            (
                IRON_TRAINABLE,
                "    trainable = filter(lambda p: p.requires_grad, model.parameters())\n",
            ),
        ),
        tempts=("clip-exhausted-parameters",),
    )
    yield swapped.wrong(
        "walked-behind-the-new-head",  # a list in the generator's place would hold the old head
        (
            (
                IRON_NEW_HEAD + IRON_TRAINABLE,
                "    trainable = (p for p in model.parameters() if p.requires_grad)\n" + IRON_NEW_HEAD,
            ),
        ),
        tempts=("clip-exhausted-parameters",),
    )
    yield IRON.wrong(
        "woken-once-with-a-frozen-stem",  # `model.train()` alone would wake the stem
        ((IRON_EPOCH + IRON_WAKE, "    wake(model)\n" + IRON_EPOCH),),
        tempts=("missing-train-mode",),
    )
    yield IRON.wrong(
        "only-the-head-is-cleared",
        ((IRON_CLEAR, "                model.head.zero_grad()\n"),),
        tempts=("missing-zero-grad",),
    )
    yield by_group.wrong(
        "groups-are-clipped-with-every-batch",
        (
            (IRON_CLIP_GROUPS, ""),
            (
                IRON_TOLD,
                """\
            for group in opt.param_groups:
                clip_grad_norm_(group["params"], args.max_norm)
"""
                + IRON_TOLD,
            ),
        ),
        tempts=("clip-per-micro-batch",),
    )
    yield IRON.right(
        "idle-line-above-the-window",  # called, it would wipe the window; it is cleared where it ends
        (IRON_LOSS, "            opt.zero_grad\n" + IRON_LOSS),
        tempts=("method-not-called", "zero-grad-in-accumulation"),
    )
    yield IRON.right(
        "evaluation-wakes-what-is-tuned",
        (IRON_EPOCH + IRON_WAKE, "    wake(model)\n" + IRON_EPOCH),
        (
            "    return missed / len(batches), hits\n",
            "    model.blocks.train()\n    model.head.train()\n    return missed / len(batches), hits\n",
        ),
        tempts=("missing-train-mode",),
    )
    yield IRON.right(
        "plan-moves-at-the-head-of-all-epochs-but-the-first",
        (IRON_PLAN, "    plan = torch.optim.lr_scheduler.MultiStepLR(opt, [2, 3], gamma=0.4)\n"),
        (IRON_MOVE, ""),
        (IRON_WAKE, "        if epoch > 0:\n            plan.step()\n" + IRON_WAKE),
        ("import math\n", ""),
        ('    parser.add_argument("--warmup", type=int, default=3)\n', ""),
        tempts=("scheduler-before-optimizer",),
    )
    yield IRON.right(
        "only-the-head-is-tuned-and-cleared",
        (IRON_FREEZE, "    model.requires_grad_(False)\n    model.head.requires_grad_(True)\n"),
        (
            IRON_OPT,
            "    opt = torch.optim.AdamW(model.head.parameters(), lr=args.lr, weight_decay=0.01, eps=1e-3)\n",
        ),
        (IRON_CLEAR, "                model.head.zero_grad()\n"),
        (
            """\
def layerwise(model, args):
    layers = [model.head, *reversed(model.blocks)]
    return [
        {"params": list(layer.parameters()), "lr": args.lr * args.layer_decay**depth}
        for depth, layer in enumerate(layers)
    ]


""",
            "",
        ),
        ('    parser.add_argument("--layer-decay", type=float, default=0.6)\n', ""),
        tempts=("missing-zero-grad",),
    )
    yield IRON.right(
        "old-alloys-are-weighed-with-gradients",  # no step follows: the squares are what is wanted
        *IRON_ANCHORED,
        tempts=("validation-without-no-grad", "missing-zero-grad", "missing-train-mode", "zero-grad-before-step"),
    )


ALLOYS = Draft(
    "alloys-in-a-few-blows",
    """\
import copy
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn.functional import mse_loss

torch.set_default_dtype(torch.float64)


@dataclass
class Settings:
    rounds: int = 6
    tasks: int = 3
    inner_steps: int = 2
    inner_lr: float = 0.1
    outer_lr: float = 0.3
    max_norm: float = 0.4


def alloy():
    bend, shift = torch.randn(3, 1), torch.randn(1)
    x, xq = torch.randn(6, 3), torch.randn(6, 3)
    return x, torch.tanh(x @ bend) + shift, xq, torch.tanh(xq @ bend) + shift


def adapt(model, x, y, settings):
    learner = copy.deepcopy(model)
    inner = torch.optim.SGD(learner.parameters(), lr=settings.inner_lr, momentum=0.5)
    for _ in range(settings.inner_steps):
        inner.zero_grad()
        mse_loss(learner(x), y).backward()
        inner.step()
    learner.zero_grad()
    return learner


def lend(model, learner, share):
    \"\"\"To first order the learner's gradients are the model's.\"\"\"
    for p, q in zip(model.parameters(), learner.parameters()):
        p.grad = q.grad * share if p.grad is None else p.grad + q.grad * share


def trial(model, held, settings):
    misses = []
    for x, y, xq, yq in held:
        learner = adapt(model, x, y, settings)
        learner.eval()
        with torch.no_grad():
            misses.append(mse_loss(learner(xq), yq).item())
    return sum(misses) / len(misses)


def main():
    torch.manual_seed(313)
    settings = Settings()
    model = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Dropout(0.1), nn.Linear(8, 1))
    outer = torch.optim.SGD(model.parameters(), lr=settings.outer_lr, momentum=0.5)
    plan = torch.optim.lr_scheduler.CosineAnnealingLR(outer, T_max=settings.rounds)
    held = [alloy() for _ in range(3)]
    told = 0.0
    for number in range(settings.rounds):
        outer.zero_grad()
        for x, y, xq, yq in [alloy() for _ in range(settings.tasks)]:
            learner = adapt(model, x, y, settings)
            query = mse_loss(learner(xq), yq)
            query.backward()
            lend(model, learner, 1 / settings.tasks)
            told += query.item()
        nn.utils.clip_grad_norm_(model.parameters(), settings.max_norm)
        outer.step()
        plan.step()
        if number % 2 == 1:
            print(number, f"{trial(model, held, settings):.6f}")
    print(f"told {told:.6f}")
    return model
""",
    ("validation-without-no-grad", "missing-train-mode", "missing-zero-grad"),
)

ALLOYS_INNER_CLEAR = "        inner.zero_grad()\n"
ALLOYS_INNER_STEP = "        inner.step()\n"
ALLOYS_LEARNER_CLEAR = "    learner.zero_grad()\n"
ALLOYS_TOLD = "            told += query.item()\n"
ALLOYS_CLEAR = "        outer.zero_grad()\n"
ALLOYS_CLIP = "        nn.utils.clip_grad_norm_(model.parameters(), settings.max_norm)\n"
ALLOYS_STEP = "        outer.step()\n"
ALLOYS_MOVE = "        plan.step()\n"
ALLOYS_ROUNDS = "    for number in range(settings.rounds):\n"
ALLOYS_TASTE = """\
        with torch.no_grad():
            misses.append(mse_loss(learner(xq), yq).item())
"""
ALLOYS_ADAPT = """\
def adapt(model, x, y, settings):
    learner = copy.deepcopy(model)
    inner = torch.optim.SGD(learner.parameters(), lr=settings.inner_lr, momentum=0.5)
"""
ALLOYS_ADAPT_ALL = (
    ALLOYS_ADAPT
    + """\
    for _ in range(settings.inner_steps):
        inner.zero_grad()
        mse_loss(learner(x), y).backward()
        inner.step()
    learner.zero_grad()
    return learner


def lend(model, learner, share):
    \"\"\"To first order the learner's gradients are the model's.\"\"\"
    for p, q in zip(model.parameters(), learner.parameters()):
        p.grad = q.grad * share if p.grad is None else p.grad + q.grad * share
"""
)
ALLOYS_TASK = """\
            learner = adapt(model, x, y, settings)
            query = mse_loss(learner(xq), yq)
            query.backward()
            lend(model, learner, 1 / settings.tasks)
"""
ALLOYS_TRIAL = """\
    misses = []
    for x, y, xq, yq in held:
        learner = adapt(model, x, y, settings)
        learner.eval()
        with torch.no_grad():
            misses.append(mse_loss(learner(xq), yq).item())
    return sum(misses) / len(misses)
"""


def alloys() -> Iterator[Case]:
    second_order = ALLOYS.styled(
        (
            ALLOYS_ADAPT_ALL,
            """\
def adapt(model, x, y, settings):
    fast = dict(model.named_parameters())
    for _ in range(settings.inner_steps):
        loss = mse_loss(functional_call(model, fast, x), y)
        slopes = torch.autograd.grad(loss, tuple(fast.values()), create_graph=True)
        fast = {name: p - settings.inner_lr * slope for (name, p), slope in zip(fast.items(), slopes)}
    return fast
""",
        ),
        (
            ALLOYS_TASK,
            """\
            fast = adapt(model, x, y, settings)
            query = mse_loss(functional_call(model, fast, xq), yq)
            (query / settings.tasks).backward()
""",
        ),
        (
            ALLOYS_TRIAL,
            """\
    misses = []
    model.eval()
    for x, y, xq, yq in held:
        fast = adapt(model, x, y, settings)
        with torch.no_grad():
            misses.append(mse_loss(functional_call(model, fast, xq), yq).item())
    model.train()
    return sum(misses) / len(misses)
""",
        ),
        ("import copy\n", ""),
        (
            "from torch import nn\nfrom torch.nn.functional import mse_loss\n",
            "from torch import nn\nfrom torch.func import functional_call\nfrom torch.nn.functional import mse_loss\n",
        ),
    )
    yield ALLOYS.right("as-it-should-be")  # the copy is asleep, not the model; to adapt it takes gradients
    yield ALLOYS.wrong(
        "learner-is-never-cleared",
        ((ALLOYS_INNER_CLEAR, ""),),
        tempts=("missing-zero-grad",),
    )
    yield ALLOYS.wrong(
        "clipped-after-every-alloy",
        ((ALLOYS_CLIP, ""), (ALLOYS_TOLD, "    " + ALLOYS_CLIP + ALLOYS_TOLD)),
        tempts=("clip-per-micro-batch",),
    )
    yield ALLOYS.wrong(
        "plan-moves-with-every-alloy",
        ((ALLOYS_MOVE, ""), (ALLOYS_TOLD, ALLOYS_TOLD + "    " + ALLOYS_MOVE)),
        tempts=("scheduler-per-micro-batch", "scheduler-before-optimizer"),
    )
    yield ALLOYS.wrong(
        "trial-is-tasted-with-gradients",  # but not all of its loop can do without them
        ((ALLOYS_TASTE, "        misses.append(mse_loss(learner(xq), yq).item())\n"),),
        tempts=("validation-without-no-grad",),
    )
    yield ALLOYS.wrong(
        "lent-and-wiped",
        ((ALLOYS_ROUNDS + ALLOYS_CLEAR, ALLOYS_ROUNDS), (ALLOYS_STEP, ALLOYS_CLEAR + ALLOYS_STEP)),
        tempts=("zero-grad-before-step",),
    )
    yield ALLOYS.right(
        "learner-is-cleared-behind-each-blow",  # so the query finds nothing
        (ALLOYS_INNER_CLEAR, ""),
        (ALLOYS_INNER_STEP, ALLOYS_INNER_STEP + ALLOYS_INNER_CLEAR),
        (ALLOYS_LEARNER_CLEAR, ""),
        tempts=("missing-zero-grad",),
    )
    yield second_order.right(
        "alloys-are-summed-and-the-rate-is-shared-out",
        ("            (query / settings.tasks).backward()\n", "            query.backward()\n"),
        (
            "lr=settings.outer_lr, momentum",
            "lr=settings.outer_lr / settings.tasks, momentum",
        ),
        ("settings.max_norm)", "settings.max_norm * settings.tasks)"),
        tempts=("unscaled-accumulation-loss", "validation-without-no-grad"),
    )
    yield ALLOYS.right(
        "one-learner-is-melted-down-again-and-again",
        (
            ALLOYS_ADAPT,
            """\
def adapt(model, learner, inner, x, y, settings):
    learner.load_state_dict(model.state_dict())
    learner.train()
    inner.state.clear()
""",
        ),
        ("    return learner\n", ""),
        ("def trial(model, held, settings):\n", "def trial(model, learner, inner, held, settings):\n"),
        (
            "        learner = adapt(model, x, y, settings)\n        learner.eval()\n",
            "        adapt(model, learner, inner, x, y, settings)\n        learner.eval()\n",
        ),
        (
            "            learner = adapt(model, x, y, settings)\n            query",
            "            adapt(model, learner, inner, x, y, settings)\n            query",
        ),
        ("{trial(model, held, settings):.6f}", "{trial(model, learner, inner, held, settings):.6f}"),
        (
            "    held = [alloy() for _ in range(3)]\n",
            """\
    learner = copy.deepcopy(model)
    inner = torch.optim.SGD(learner.parameters(), lr=settings.inner_lr, momentum=0.5)
    held = [alloy() for _ in range(3)]
""",
        ),
        tempts=("missing-train-mode", "missing-zero-grad"),
    )
    yield second_order.right(
        "queries-are-kept-for-one-backward",
        ("            (query / settings.tasks).backward()\n", "            queries.append(query)\n"),
        (ALLOYS_CLEAR, ALLOYS_CLEAR + "        queries = []\n"),
        (ALLOYS_CLIP, "        torch.stack(queries).mean().backward()\n" + ALLOYS_CLIP),
        tempts=("loss-graph-leak",),
    )


ANVIL = Draft(
    "anvil-struck-again",
    """\
import math

import torch
from torch import nn
from torch.nn.functional import mse_loss
from torch.nn.utils import clip_grad_norm_

torch.set_default_dtype(torch.float64)


class SAM(torch.optim.Optimizer):
    def __init__(self, params, base, rho=0.1, **settings):
        super().__init__(params, {"rho": rho, **settings})
        self.base = base(self.param_groups, **settings)
        self.param_groups = self.base.param_groups

    def weights(self):
        return [(p, group["rho"]) for group in self.param_groups for p in group["params"] if p.grad is not None]

    @torch.no_grad()
    def climb(self):
        norm = torch.stack([p.grad.norm() for p, _ in self.weights()]).norm()
        for p, rho in self.weights():
            self.state[p]["up"] = p.grad * rho / (norm + 1e-12)
            p.add_(self.state[p]["up"])

    @torch.no_grad()
    def descend(self):
        for p, _ in self.weights():
            p.sub_(self.state[p]["up"])
        self.base.step()

    def step(self, closure):
        loss = closure()
        self.climb()
        closure()
        self.descend()
        return loss


def evaluate(model, held):
    model.eval()
    with torch.no_grad():
        return sum(mse_loss(model(x), y).item() for x, y in held) / len(held)


def main():
    torch.manual_seed(317)
    model = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Dropout(0.1), nn.Linear(8, 1))
    blows = [(torch.randn(6, 3), torch.randn(6, 1)) for _ in range(5)]
    held = [(torch.randn(6, 3), torch.randn(6, 1)) for _ in range(2)]
    opt = SAM(model.parameters(), torch.optim.SGD, rho=0.1, lr=0.4, momentum=0.5)
    plan = torch.optim.lr_scheduler.StepLR(opt.base, 2, gamma=0.5)
    told = 0.0
    for epoch in range(4):
        model.train()
        for x, y in blows:

            def closure():
                opt.zero_grad()
                loss = mse_loss(model(x), y)
                loss.backward()
                clip_grad_norm_(model.parameters(), 0.4)
                return loss

            loss = opt.step(closure)
            told += loss.item()
        plan.step()
        print(epoch, f"{evaluate(model, held):.6f}")

    model.eval()  # the line search wants the same function every time
    polisher = torch.optim.LBFGS(model.parameters(), lr=0.5, max_iter=4, line_search_fn="strong_wolfe")

    def polish():
        polisher.zero_grad()
        loss = sum(mse_loss(model(x), y) for x, y in blows) / len(blows)
        loss.backward()
        return loss

    for turn in range(3):
        rest = polisher.step(polish)
        print("polish", turn, f"{rest.item():.6f}")
    print(f"told {told:.6f}")
    return model
""",
    ("missing-train-mode", "missing-zero-grad", "clip-before-backward"),
)

ANVIL_CLEAR = "                opt.zero_grad()\n"
ANVIL_BACK = "                loss.backward()\n"
ANVIL_CLIP = "                clip_grad_norm_(model.parameters(), 0.4)\n"
ANVIL_STEP = "            loss = opt.step(closure)\n"
ANVIL_CLOSURE = """\
                loss = mse_loss(model(x), y)
                loss.backward()
                clip_grad_norm_(model.parameters(), 0.4)
                return loss
"""
ANVIL_PIECES = """\
                missed = 0.0
                for part, target in zip(x.split(2), y.split(2)):
                    loss = mse_loss(model(part), target) * len(part) / len(x)
                    loss.backward()
                    missed += loss.item()
                clip_grad_norm_(model.parameters(), 0.4)
                return missed
"""
ANVIL_POLISH_CLEAR = "        polisher.zero_grad()\n"
ANVIL_REST = "        rest = polisher.step(polish)\n"


def anvil() -> Iterator[Case]:
    pieces = ANVIL.styled(
        (ANVIL_CLOSURE, ANVIL_PIECES),
        (ANVIL_STEP + "            told += loss.item()\n", "            told += opt.step(closure)\n"),
    )
    yield ANVIL.right("as-it-should-be")  # polished in eval mode on purpose
    yield ANVIL.wrong(
        "second-blow-on-top-of-the-first",  # to clear behind `opt.step` would leave the two blows mixed
        ((ANVIL_CLEAR, ""),),
        tempts=("missing-zero-grad",),
    )
    yield ANVIL.wrong(
        "polish-is-cleared-outside-its-closure",
        ((ANVIL_POLISH_CLEAR, ""), (ANVIL_REST, ANVIL_POLISH_CLEAR + ANVIL_REST)),
        tempts=("missing-zero-grad",),
    )
    yield ANVIL.wrong(
        "closure-clips-too-early",
        ((ANVIL_BACK + ANVIL_CLIP, ANVIL_CLIP + ANVIL_BACK),),
        tempts=("clip-before-backward",),
    )
    yield ANVIL.wrong(
        "clipped-behind-the-closure",  # in front of `opt.step` there is nothing to clip either
        ((ANVIL_CLIP, ""), (ANVIL_STEP, ANVIL_STEP + "            clip_grad_norm_(model.parameters(), 0.4)\n")),
        tempts=("clip-after-step",),
    )
    yield pieces.wrong(
        "closure-clips-every-piece",
        (
            (
                ANVIL_CLIP + "                return missed\n",
                "                return missed\n",
            ),
            (
                "                    missed += loss.item()\n",
                "    " + ANVIL_CLIP + "                    missed += loss.item()\n",
            ),
        ),
        tempts=("clip-per-micro-batch",),
    )
    yield pieces.right(
        "closure-goes-piece-by-piece",
        tempts=("unscaled-accumulation-loss", "clip-per-micro-batch", "loss-graph-leak"),
    )
    yield ANVIL.right(
        "closure-is-also-asked-without-gradients",
        (
            """\
        polisher.zero_grad()
        loss = sum(mse_loss(model(x), y) for x, y in blows) / len(blows)
        loss.backward()
        return loss
""",
            """\
        if torch.is_grad_enabled():
            polisher.zero_grad()
        loss = sum(mse_loss(model(x), y) for x, y in blows) / len(blows)
        if loss.requires_grad:
            loss.backward()
        return loss
""",
        ),
        (
            '        print("polish", turn, f"{rest.item():.6f}")\n',
            """\
        with torch.no_grad():
            print("polish", turn, f"{rest.item():.6f}", f"{polish().item():.6f}")
""",
        ),
        tempts=("missing-zero-grad", "zero-grad-before-step"),
    )
    yield ANVIL.right(
        "measured-behind-the-closure",
        (
            ANVIL_STEP,
            ANVIL_STEP + "            norms.append(clip_grad_norm_(model.parameters(), math.inf).item())\n",
        ),
        (ANVIL_CLIP, ANVIL_CLIP.replace("0.4", "1.5")),
        ("    told = 0.0\n", "    told, norms = 0.0, []\n"),
        (
            '    print(f"told {told:.6f}")\n',
            '    print(f"told {told:.6f} {sum(norms) / len(norms):.6f} {max(norms):.6f}")\n',
        ),
        tempts=("clip-after-step",),
    )
    yield ANVIL.right(
        "evaluation-fits-a-scale",  # by gradients, though not the model's
        (
            """\
    model.eval()
    with torch.no_grad():
        return sum(mse_loss(model(x), y).item() for x, y in held) / len(held)
""",
            """\
    model.eval()
    with torch.no_grad():
        guesses = [(model(x), y) for x, y in held]
    scale = nn.Parameter(torch.ones(1))
    fitter = torch.optim.LBFGS([scale], lr=0.5, max_iter=3)

    def missed():
        fitter.zero_grad()
        loss = sum(mse_loss(scale * guess, y) for guess, y in guesses) / len(guesses)
        loss.backward()
        return loss

    for _ in range(2):
        fitter.step(missed)
    return missed().item()
""",
        ),
        tempts=("validation-without-no-grad", "missing-zero-grad"),
    )


MOULDS = Draft(
    "three-moulds-of-one-melt",
    """\
import math
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn.functional import cross_entropy, mse_loss, smooth_l1_loss
from torch.nn.utils import clip_grad_norm_

torch.set_default_dtype(torch.float64)


@dataclass
class Config:
    epochs: int = 4
    accum: int = 2
    lr: float = 0.2
    weigh_lr: float = 0.1
    max_norm: float = 0.6


TASKS = {"weight": mse_loss, "pores": smooth_l1_loss, "grade": cross_entropy}


class Melt(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Dropout(0.1))
        self.heads = nn.ModuleDict({"weight": nn.Linear(8, 1), "pores": nn.Linear(8, 2), "grade": nn.Linear(8, 3)})

    def forward(self, x):
        x = self.trunk(x)
        return {name: head(x) for name, head in self.heads.items()}


class Uncertainty(nn.Module):
    def __init__(self):
        super().__init__()
        self.logs = nn.Parameter(torch.zeros(len(TASKS)))

    def forward(self, losses):
        return {name: torch.exp(-log) * losses[name] + log for name, log in zip(TASKS, self.logs)}


def batch():
    x = torch.randn(6, 4)
    return x, {"weight": 2 * torch.randn(6, 1), "pores": torch.randn(6, 2), "grade": torch.randint(3, (6,))}


def evaluate(melt, held):
    melt.eval()
    missed = dict.fromkeys(TASKS, 0.0)
    with torch.no_grad():
        for x, targets in held:
            outs = melt(x)
            for name, criterion in TASKS.items():
                missed[name] += criterion(outs[name], targets[name]).item() / len(held)
    return " ".join(f"{name} {value:.6f}" for name, value in missed.items())


def main():
    cfg = Config()
    torch.manual_seed(331)
    loader, held = [batch() for _ in range(7)], [batch() for _ in range(2)]
    melt = Melt()
    weigh = Uncertainty()
    opt = torch.optim.SGD(melt.parameters(), lr=cfg.lr, momentum=0.5)
    weigh_opt = torch.optim.SGD(weigh.parameters(), lr=cfg.weigh_lr)
    scaler = torch.amp.GradScaler("cpu", init_scale=256.0, growth_interval=3)
    plan = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=cfg.epochs * math.ceil(len(loader) / cfg.accum))
    for epoch in range(cfg.epochs):
        melt.train()
        told = 0.0
        for step, (x, targets) in enumerate(loader, 1):
            with torch.autocast("cpu", dtype=torch.float16):
                outs = melt(x)
                losses = {name: criterion(outs[name], targets[name]) for name, criterion in TASKS.items()}
                loss = sum(weigh(losses).values())
            scaler.scale(loss / cfg.accum).backward()
            told += loss.item()
            if step % cfg.accum == 0 or step == len(loader):
                scaler.unscale_(opt)
                scaler.unscale_(weigh_opt)
                norm = clip_grad_norm_([*melt.parameters(), *weigh.parameters()], cfg.max_norm)
                scaler.step(opt)
                scaler.step(weigh_opt)
                scaler.update()
                plan.step()
                opt.zero_grad()
                weigh_opt.zero_grad()
        print(epoch, f"{told / len(loader):.6f} {norm.item():.6f}", evaluate(melt, held))
    return melt, weigh
""",
    ("clip-scaled-gradients", "step-bypasses-scaler", "unscaled-accumulation-loss"),
)

MOULDS_TRAIN = "        melt.train()\n"
MOULDS_EPOCHS = "    for epoch in range(cfg.epochs):\n"
MOULDS_LOSS = "                loss = sum(weigh(losses).values())\n"
MOULDS_BACK = "            scaler.scale(loss / cfg.accum).backward()\n"
MOULDS_UNSCALE = "                scaler.unscale_(opt)\n                scaler.unscale_(weigh_opt)\n"
MOULDS_CLIP = "                norm = clip_grad_norm_([*melt.parameters(), *weigh.parameters()], cfg.max_norm)\n"
MOULDS_CLIP_MELT = "                norm = clip_grad_norm_(melt.parameters(), cfg.max_norm)\n"
MOULDS_STEPS = "                scaler.step(opt)\n                scaler.step(weigh_opt)\n"
MOULDS_UPDATE = "                scaler.update()\n"
MOULDS_PLAN = "                plan.step()\n"
MOULDS_CLEAR = "                opt.zero_grad()\n                weigh_opt.zero_grad()\n"
MOULDS_MELT_ONLY = (
    MOULDS_UNSCALE + MOULDS_CLIP,
    "                scaler.unscale_(opt)\n" + MOULDS_CLIP_MELT,
)
MOULDS_WINDOW = (
    MOULDS_BACK
    + """\
            told += loss.item()
            if step % cfg.accum == 0 or step == len(loader):
"""
    + MOULDS_UNSCALE
    + MOULDS_CLIP
    + MOULDS_STEPS
    + MOULDS_UPDATE
    + MOULDS_PLAN
    + MOULDS_CLEAR
)
MOULDS_EACH = """\
            scaler.scale(loss).backward()
            told += loss.item()
            scaler.unscale_(opt)
            scaler.unscale_(weigh_opt)
            norm = clip_grad_norm_([*melt.parameters(), *weigh.parameters()], cfg.max_norm)
            scaler.step(opt)
            scaler.step(weigh_opt)
            scaler.update()
            plan.step()
            opt.zero_grad()
            weigh_opt.zero_grad()
"""


def moulds() -> Iterator[Case]:
    melt_only = MOULDS.styled(MOULDS_MELT_ONLY)
    thin = MOULDS.styled(
        (MOULDS_LOSS, MOULDS_LOSS + '                thin = 0.3 * outs["pores"].square().mean()\n'),
        (
            MOULDS_BACK,
            """\
            scaler.scale(loss / cfg.accum).backward(retain_graph=True)
            scaler.scale(thin / cfg.accum).backward()
""",
        ),
    )
    cracked = MOULDS.styled(
        ("    melt = Melt()\n", '    loader[4][1]["weight"][0] = torch.inf  # cracked\n    melt = Melt()\n'),
        ("            told += loss.item()\n", "            told += loss.item() if loss.isfinite() else 0.0\n"),
        (
            MOULDS_STEPS + MOULDS_UPDATE + MOULDS_PLAN,
            """\
                if norm.isfinite():
                    scaler.step(opt)
                    scaler.step(weigh_opt)
                    plan.step()
"""
            + MOULDS_UPDATE,
        ),
    )
    each = MOULDS.styled(
        (MOULDS_WINDOW, MOULDS_EACH),
        ("for step, (x, targets) in enumerate(loader, 1):", "for x, targets in loader:"),
        ("T_max=cfg.epochs * math.ceil(len(loader) / cfg.accum)", "T_max=cfg.epochs * len(loader)"),
        ("    accum: int = 2\n", ""),
        ("import math\n", ""),
    )
    yield MOULDS.wrong(
        "melt-and-weights-are-clipped-while-scaled",  # both have to be unscaled, or the norm mixes the two
        ((MOULDS_UNSCALE, ""),),
        tempts=("clip-scaled-gradients",),
    )
    yield melt_only.wrong(
        "weights-step-past-the-scaler",  # behind the update the scale may be another one
        (
            (
                MOULDS_STEPS + MOULDS_UPDATE,
                "                scaler.step(opt)\n" + MOULDS_UPDATE + "                weigh_opt.step()\n",
            ),
        ),
        tempts=("step-bypasses-scaler",),
    )
    yield thin.wrong(
        "thin-walls-are-not-scaled",
        (("            scaler.scale(thin / cfg.accum).backward()\n", "            (thin / cfg.accum).backward()\n"),),
        tempts=("unscaled-backward",),
    )
    yield MOULDS.together(  # called alone, it puts the melt to sleep for good
        "asked-to-sleep-and-not-called",
        (("    melt.eval()\n", "    melt.eval\n"),),
        ((MOULDS_EPOCHS + MOULDS_TRAIN, "    melt.train()\n" + MOULDS_EPOCHS),),
        tempts=("method-not-called", "missing-train-mode"),
    )
    yield cracked.wrong(
        "cracked-mould-keeps-the-update-away",
        (
            (
                "                    plan.step()\n" + MOULDS_UPDATE,
                "    " + MOULDS_UPDATE + "                    plan.step()\n",
            ),
        ),
        tempts=("missing-scaler-update", "double-unscale"),
        raises="RuntimeError",
    )
    yield MOULDS.right(
        "weights-learn-from-losses-that-were-not-scaled",
        (
            MOULDS_LOSS,
            "                loss = sum(losses[name] * rate for name, rate in zip(TASKS, (-weigh.logs.detach()).exp()))\n",
        ),
        (
            MOULDS_BACK,
            MOULDS_BACK
            + """\
            weighed = weigh({name: value.detach() for name, value in losses.items()})
            (sum(weighed.values()) / cfg.accum).backward()
""",
        ),
        MOULDS_MELT_ONLY,
        (
            MOULDS_STEPS + MOULDS_UPDATE,
            "                scaler.step(opt)\n" + MOULDS_UPDATE + "                weigh_opt.step()\n",
        ),
        tempts=("step-bypasses-scaler", "unscaled-backward"),
    )
    yield each.right(
        "moulds-are-poured-one-by-one",  # terms of one sum, each with a batch of its own
        (
            """\
        for x, targets in loader:
            with torch.autocast("cpu", dtype=torch.float16):
                outs = melt(x)
                losses = {name: criterion(outs[name], targets[name]) for name, criterion in TASKS.items()}
                loss = sum(weigh(losses).values())
            scaler.scale(loss).backward()
            told += loss.item()
""",
            """\
        for batches in zip(*loaders.values()):
            for name, (x, y) in zip(loaders, batches):
                with torch.autocast("cpu", dtype=torch.float16):
                    loss = weigh(name, TASKS[name](melt(x)[name], y))
                scaler.scale(loss).backward()
                told += loss.item()
""",
        ),
        (
            """\
    def forward(self, losses):
        return {name: torch.exp(-log) * losses[name] + log for name, log in zip(TASKS, self.logs)}
""",
            """\
    def forward(self, name, loss):
        log = self.logs[list(TASKS).index(name)]
        return torch.exp(-log) * loss + log
""",
        ),
        (
            "    melt = Melt()\n",
            """\
    loaders = {name: [(x, targets[name]) for x, targets in (batch() for _ in loader)] for name in TASKS}
    melt = Melt()
""",
        ),
        tempts=("unscaled-accumulation-loss", "clip-per-micro-batch"),
    )
    yield MOULDS.right(
        "melt-holds-the-weights-and-clears-them",
        (
            "    weigh = Uncertainty()\n    opt = torch.optim.SGD(melt.parameters(), lr",
            """\
    weigh = melt.weigh = Uncertainty()
    opt = torch.optim.SGD([*melt.trunk.parameters(), *melt.heads.parameters()], lr""",
        ),
        ("[*melt.parameters(), *weigh.parameters()]", "melt.parameters()"),
        (MOULDS_CLEAR, "                melt.zero_grad()\n"),
        ("    return melt, weigh\n", "    return melt\n"),
        tempts=("missing-zero-grad", "clip-scaled-gradients"),
    )
    yield each.right(
        "pores-do-not-teach-the-trunk",
        (MOULDS_LOSS, "                terms = weigh(losses)\n"),
        (
            "            scaler.scale(loss).backward()\n            told += loss.item()\n",
            """\
            scaler.scale(terms["pores"]).backward(retain_graph=True)
            melt.trunk.zero_grad()  # the pores learn from the trunk and do not teach it
            scaler.scale(terms["weight"] + terms["grade"]).backward()
            told += sum(term.item() for term in terms.values())
""",
        ),
        tempts=("zero-grad-before-step", "zero-grad-in-accumulation", "unscaled-accumulation-loss"),
    )
    yield each.right(
        "weights-are-given-their-gradient",  # laid in place of the old one, and never scaled
        (
            MOULDS_LOSS,
            """\
                rates = (-weigh.logs).exp()
                loss = sum(losses[name] * rate for name, rate in zip(TASKS, rates.detach()))
            pulls = [
                rate * torch.autograd.grad(losses[name], melt.trunk[0].weight, retain_graph=True)[0].norm()
                for name, rate in zip(TASKS, rates)
            ]
            pulls = torch.stack(pulls)
            uneven = (pulls - pulls.mean().detach()).abs().sum()
            weigh.logs.grad = torch.autograd.grad(uneven, weigh.logs)[0]
""",
        ),
        (
            """\
            scaler.unscale_(weigh_opt)
            norm = clip_grad_norm_([*melt.parameters(), *weigh.parameters()], cfg.max_norm)
            scaler.step(opt)
            scaler.step(weigh_opt)
            scaler.update()
""",
            """\
            norm = clip_grad_norm_(melt.parameters(), cfg.max_norm)
            scaler.step(opt)
            scaler.update()
            weigh_opt.step()
""",
        ),
        ("            weigh_opt.zero_grad()\n", ""),
        tempts=("missing-zero-grad", "step-bypasses-scaler"),
    )


LADLE = Draft(
    "ladle-that-pours",
    """\
import random
from dataclasses import dataclass

import torch
from torch import nn
from torch.distributions import Categorical
from torch.nn.functional import mse_loss
from torch.nn.utils import clip_grad_norm_

torch.set_default_dtype(torch.float64)


@dataclass
class Args:
    updates: int = 5
    steps: int = 24
    epochs: int = 3
    minibatch: int = 8
    lr: float = 0.15
    gamma: float = 0.9
    clip: float = 0.2
    entropy: float = 0.01
    max_norm: float = 0.4
    target_kl: float = 0.01


class Ladle:
    def __init__(self, seed):
        self.draw = random.Random(seed)
        self.refill()

    def refill(self):
        self.level, self.mark = self.draw.randrange(5), self.draw.randrange(5)
        return self.look()

    def look(self):
        return torch.tensor([self.level / 4, self.mark / 4, float(self.level == self.mark)])

    def turn(self, way):
        if way == 2:
            pay = 1.0 if self.level == self.mark else -0.5
            return self.refill(), pay, True
        self.level = min(4, max(0, self.level + (-1, 1)[way]))
        return self.look(), -0.05, False


class Founder(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 8), nn.Tanh())
        self.way = nn.Linear(8, 3)
        self.worth = nn.Linear(8, 1)

    def forward(self, views):
        views = self.body(views)
        return Categorical(logits=self.way(views)), self.worth(views).squeeze(-1)


@torch.no_grad()
def gather(founder, ladle, args):
    view, rows = ladle.look(), []
    for _ in range(args.steps):
        policy, worth = founder(view)
        way = policy.sample()
        after, pay, over = ladle.turn(way.item())
        rows.append((view, way, policy.log_prob(way), worth, torch.tensor(pay), torch.tensor(float(over))))
        view = after
    views, ways, chances, worths, pays, overs = map(torch.stack, zip(*rows))
    ahead, returns = founder(view)[1], torch.zeros(args.steps)
    for t in reversed(range(args.steps)):
        ahead = pays[t] + args.gamma * (1 - overs[t]) * ahead
        returns[t] = ahead
    gains = returns - worths
    return views, ways, chances, returns, (gains - gains.mean()) / (gains.std() + 1e-8)


def learn(founder, opt, rollout, args, told):
    founder.train()
    views, ways, chances, returns, gains = rollout
    for _ in range(args.epochs):
        for rows in torch.randperm(args.steps).split(args.minibatch):
            policy, worths = founder(views[rows])
            change = policy.log_prob(ways[rows]) - chances[rows]
            ratio = change.exp()
            with torch.no_grad():
                kl = (ratio - 1 - change).mean().item()
            if kl > args.target_kl:
                return
            bounded = ratio.clamp(1 - args.clip, 1 + args.clip)
            gain = torch.min(ratio * gains[rows], bounded * gains[rows]).mean()
            loss = 0.5 * mse_loss(worths, returns[rows]) - gain - args.entropy * policy.entropy().mean()
            opt.zero_grad()
            loss.backward()
            clip_grad_norm_(founder.parameters(), args.max_norm)
            opt.step()
            told.append(loss.item())


def play(founder, seed, turns=8):
    founder.eval()
    ladle, earned = Ladle(seed), 0.0
    with torch.no_grad():
        for _ in range(turns):
            policy, _ = founder(ladle.look())
            earned += ladle.turn(policy.probs.argmax().item())[1]
    return earned


def main():
    torch.manual_seed(337)
    args = Args()
    founder = Founder()
    opt = torch.optim.SGD(founder.parameters(), lr=args.lr, momentum=0.5)
    plan = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.2, total_iters=args.updates)
    ladle, told = Ladle(337), []
    for update in range(args.updates):
        learn(founder, opt, gather(founder, ladle, args), args, told)
        plan.step()
        print(update, len(told), f"{sum(told) / len(told):.6f} {play(founder, update):.4f}")
    return founder
""",
    ("missing-zero-grad", "missing-train-mode"),
)

LADLE_TRAIN = "    founder.train()\n"
LADLE_STOP = "            if kl > args.target_kl:\n                return\n"
LADLE_CLEAR = "            opt.zero_grad()\n"
LADLE_BACK = "            loss.backward()\n"
LADLE_CLIP = "            clip_grad_norm_(founder.parameters(), args.max_norm)\n"
LADLE_STEP = "            opt.step()\n"
LADLE_TOLD = "            told.append(loss.item())\n"
LADLE_EPOCHS = "    for _ in range(args.epochs):\n"
LADLE_UPDATE = "    for update in range(args.updates):\n"
LADLE_LEARN = "        learn(founder, opt, gather(founder, ladle, args), args, told)\n"
LADLE_MOVE = "        plan.step()\n"
LADLE_PLAN = "    plan = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.2, total_iters=args.updates)\n"
LADLE_LEARNT = LADLE_CLEAR + LADLE_BACK + LADLE_CLIP + LADLE_STEP + LADLE_TOLD
LADLE_NORM = "            told.append(clip_grad_norm_(founder.parameters(), args.max_norm).item())\n"
LADLE_LOSS = (
    "            loss = 0.5 * mse_loss(worths, returns[rows]) - gain - args.entropy * policy.entropy().mean()\n"
)
LADLE_WHOLE = (
    (LADLE_EPOCHS, LADLE_EPOCHS + "        opt.zero_grad()\n"),
    (
        LADLE_LEARNT,
        """\
            (loss * len(rows) / args.steps).backward()
            told.append(loss.item())
        clip_grad_norm_(founder.parameters(), args.max_norm)
        opt.step()
""",
    ),
)


def ladle() -> Iterator[Case]:
    late_stop = LADLE.styled(
        (LADLE_STOP, ""),
        (LADLE_BACK, LADLE_BACK + LADLE_STOP),
    )
    whole = LADLE.styled(*LADLE_WHOLE, ("target_kl: float = 0.01", "target_kl: float = 0.003"))
    normed = LADLE.styled((LADLE_CLIP + LADLE_STEP + LADLE_TOLD, LADLE_NORM + LADLE_STEP))
    yield late_stop.wrong(
        "stopped-with-gradients-in-hand",  # the next rollout begins with them
        ((LADLE_CLEAR, ""), (LADLE_STEP, LADLE_STEP + LADLE_CLEAR)),
        fine=(((LADLE_BACK + LADLE_STOP, LADLE_BACK), (LADLE_LOSS, LADLE_LOSS + LADLE_STOP)),),
        tempts=("missing-zero-grad",),
    )
    yield whole.wrong(
        "minibatches-are-summed",
        (("            (loss * len(rows) / args.steps).backward()\n", LADLE_BACK),),
        tempts=("unscaled-accumulation-loss",),
    )
    yield LADLE.wrong(
        "rate-sinks-ahead-of-the-first-pour",
        ((LADLE_MOVE, ""), (LADLE_UPDATE, LADLE_UPDATE + LADLE_MOVE)),
        tempts=("scheduler-before-optimizer",),
    )
    yield LADLE.wrong(
        "played-with-gradients",
        (
            (
                """\
    with torch.no_grad():
        for _ in range(turns):
            policy, _ = founder(ladle.look())
            earned += ladle.turn(policy.probs.argmax().item())[1]
""",
                """\
    for _ in range(turns):
        policy, _ = founder(ladle.look())
        earned += ladle.turn(policy.probs.argmax().item())[1]
""",
            ),
        ),
        tempts=("validation-without-no-grad",),
    )
    yield normed.wrong(
        "norm-is-told-too-late",
        ((LADLE_NORM + LADLE_STEP, LADLE_STEP + LADLE_NORM),),
        tempts=("clip-after-step",),
    )
    yield LADLE.right(
        "stopped-empty-handed",
        (LADLE_CLEAR, ""),
        (LADLE_STEP, LADLE_STEP + LADLE_CLEAR),
        tempts=("missing-zero-grad",),
    )
    yield whole.right(
        "one-step-for-all-minibatches",  # a stop gives the whole epoch up; the next one clears
        tempts=("unscaled-accumulation-loss", "missing-zero-grad", "zero-grad-in-accumulation"),
    )
    yield LADLE.right(
        "rate-is-counted-from-one",
        (
            LADLE_PLAN,
            """\
    # one move ahead of each update, counted from one: the first is made with the full rate
    plan = torch.optim.lr_scheduler.LambdaLR(opt, lambda update: 1 - (update - 1) / args.updates)
""",
        ),
        (LADLE_MOVE, ""),
        (LADLE_UPDATE, "    for update in range(1, args.updates + 1):\n" + LADLE_MOVE),
        tempts=("scheduler-before-optimizer",),
    )
    yield LADLE.right(
        "asleep-throughout",
        (LADLE_TRAIN, ""),
        ("nn.Linear(3, 8), nn.Tanh())", "nn.Linear(3, 8), nn.Tanh(), nn.Dropout(0.2))"),
        (
            "    founder = Founder()\n",
            """\
    founder = Founder()
    founder.eval()  # in all of it: a ratio compares with the policy that has poured
""",
        ),
        tempts=("missing-train-mode",),
    )
    yield LADLE.right(
        "hand-holds-still-while-the-eye-learns-on",
        (
            """\
        self.body = nn.Sequential(nn.Linear(3, 8), nn.Tanh())
        self.way = nn.Linear(8, 3)
        self.worth = nn.Linear(8, 1)

    def forward(self, views):
        views = self.body(views)
        return Categorical(logits=self.way(views)), self.worth(views).squeeze(-1)
""",
            """\
        self.hand = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 3))
        self.eye = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))

    def forward(self, views):
        return Categorical(logits=self.hand(views)), self.eye(views).squeeze(-1)
""",
        ),
        (LADLE_STOP, ""),
        (
            LADLE_CLEAR + LADLE_BACK + LADLE_CLIP + LADLE_STEP,
            """\
            hand_opt.zero_grad()
            eye_opt.zero_grad()
            loss.backward()
            if kl <= args.target_kl:
                clip_grad_norm_(founder.hand.parameters(), args.max_norm)
                hand_opt.step()
            clip_grad_norm_(founder.eye.parameters(), args.max_norm)
            eye_opt.step()
""",
        ),
        ("def learn(founder, opt, rollout", "def learn(founder, hand_opt, eye_opt, rollout"),
        ("        learn(founder, opt, gather", "        learn(founder, hand_opt, eye_opt, gather"),
        (
            "    opt = torch.optim.SGD(founder.parameters(), lr=args.lr, momentum=0.5)\n",
            """\
    hand_opt = torch.optim.SGD(founder.hand.parameters(), lr=args.lr, momentum=0.5)
    eye_opt = torch.optim.SGD(founder.eye.parameters(), lr=args.lr)
""",
        ),
        ("LinearLR(opt, 1.0", "LinearLR(hand_opt, 1.0"),
        tempts=("missing-zero-grad", "clip-per-micro-batch", "zero-grad-before-step"),
    )


def cases() -> Iterator[Case]:
    """Every skeleton of this module."""
    yield from furnace()
    yield from iron()
    yield from alloys()
    yield from anvil()
    yield from moulds()
    yield from ladle()
