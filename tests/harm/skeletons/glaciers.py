"""Glaciers: a moraine that adapts, a walker with a late actor, two parts under Accelerate, and slices in a closure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case


def slip(draft: Draft, name: str, rule: str, old: str, new: str) -> Case:
    """A loop with one mistake, which is one edit of the sound one."""
    return draft.wrong(name, ((old, new),), tempts=(rule,))


MORAINE = Draft(
    "moraine-that-adapts",
    """\
import torch
from torch import nn
from torch.func import functional_call
from torch.nn.functional import mse_loss

torch.set_default_dtype(torch.float64)
TASKS = 3


def slope(gen):
    steep = torch.rand(1, generator=gen) * 4
    x = torch.randn(2, 6, 1, generator=gen)
    return zip(x, (steep * x).sin())


def adapt(net, x, y, steps=2, rate=0.1):
    weights = dict(net.named_parameters())
    for _ in range(steps):
        loss = mse_loss(functional_call(net, weights, (x,)), y)
        slopes = torch.autograd.grad(loss, list(weights.values()), create_graph=True)
        weights = {name: weight - rate * slope for (name, weight), slope in zip(weights.items(), slopes)}
    return weights


def main():
    torch.manual_seed(3)
    gen = torch.Generator().manual_seed(8)
    net = nn.Sequential(nn.Linear(1, 6), nn.Tanh(), nn.Linear(6, 1))
    outer = torch.optim.SGD(net.parameters(), lr=0.2, momentum=0.9)
    errors = []
    for _ in range(5):
        outer.zero_grad()
        for _ in range(TASKS):
            (x, y), (ask, answer) = slope(gen)
            error = mse_loss(functional_call(net, adapt(net, x, y), (ask,)), answer)
            (error / TASKS).backward()
            errors.append(error.item())
        nn.utils.clip_grad_norm_(net.parameters(), 0.05)
        outer.step()
    print(f"{sum(errors) / len(errors):.5f}")
    return net
""",
    ("unscaled-accumulation-loss", "clip-per-micro-batch"),
)

M_CLEAR = "        outer.zero_grad()\n"
M_CLIP = "        nn.utils.clip_grad_norm_(net.parameters(), 0.05)\n"
M_STEP = "        outer.step()\n"
M_BACK = "            (error / TASKS).backward()\n"
M_TASKS = "        for _ in range(TASKS):\n"


def moraines() -> Iterator[Case]:
    yield MORAINE.right("through-the-steps")
    yield MORAINE.right(
        "one-backward-for-all",
        (M_TASKS, "        asked = []\n" + M_TASKS),
        (M_BACK, "            asked.append(error)\n"),
        (M_CLIP, "        torch.stack(asked).mean().backward()\n" + M_CLIP),
        tempts=("loss-graph-leak",),
    )
    yield MORAINE.right(
        "each-task-is-cut-by-itself",
        (M_CLIP, ""),
        (
            M_BACK,
            (
                "            parts = torch.autograd.grad(error / TASKS, list(net.parameters()))\n"
                "            size = nn.utils.get_total_norm(parts)\n"
                "            for p, part in zip(net.parameters(), parts):\n"
                "                p.grad = part / max(size, 1) if p.grad is None else p.grad + part / max(size, 1)\n"
            ),
        ),
    )
    yield MORAINE.right("cleared-behind-the-step", (M_CLEAR, ""), (M_STEP, M_STEP + M_CLEAR))
    yield slip(MORAINE, "clipped-with-each-task", "clip-per-micro-batch", M_CLIP, "    " + M_CLIP)
    yield slip(
        MORAINE, "cleared-with-each-task", "zero-grad-in-accumulation", M_CLEAR + M_TASKS, M_TASKS + "    " + M_CLEAR
    )
    yield slip(
        MORAINE, "wiped-ahead-of-the-step", "zero-grad-before-step", M_STEP, M_CLEAR.replace("outer", "net") + M_STEP
    )
    yield MORAINE.wrong(
        "never-cleared-and-clipped-late",
        ((M_CLEAR, ""),),
        ((M_CLIP + M_STEP, M_STEP + M_CLIP),),
        tempts=("missing-zero-grad", "clip-after-step"),
    )


WALKER = Draft(
    "crevasse-walker",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)
WALKS, LATE = 3, 2


def walk(actor, critic, gen):
    place, logs, values, rewards = torch.rand(3, generator=gen), [], [], []
    for _ in range(5):
        odds = actor(place).softmax(0)
        side = torch.multinomial(odds.detach(), 1, generator=gen).item()
        logs.append(odds[side].log())
        values.append(critic(place))
        rewards.append(1.0 if side == int(place[0] > 0.5) else -1.0)
        place = torch.rand(3, generator=gen)
    gains = torch.tensor(rewards).flip(0).cumsum(0).flip(0)
    return torch.stack(logs), torch.cat(values), gains


def main():
    torch.manual_seed(17)
    gen = torch.Generator().manual_seed(5)
    actor = nn.Sequential(nn.Linear(3, 6), nn.Tanh(), nn.Linear(6, 2))
    critic = nn.Sequential(nn.Linear(3, 6), nn.Tanh(), nn.Linear(6, 1))
    opt_a = torch.optim.SGD(actor.parameters(), lr=0.1)
    opt_c = torch.optim.SGD(critic.parameters(), lr=0.1, momentum=0.5)
    for trip in range(8):
        actors_turn = trip % LATE == LATE - 1
        reached = 0.0
        for _ in range(WALKS):
            logs, values, gains = walk(actor, critic, gen)
            (nn.functional.mse_loss(values, gains) / WALKS).backward()
            if actors_turn:
                edge = (gains - values).detach()
                (-(logs * edge).mean() / WALKS).backward()
            reached += gains[0].item()
        nn.utils.clip_grad_norm_(critic.parameters(), 1.0)
        opt_c.step()
        opt_c.zero_grad()
        if actors_turn:
            opt_a.step()
            opt_a.zero_grad()
        print(trip, reached)
    return actor, critic
""",
    ("unscaled-accumulation-loss", "accumulation-off-by-one"),
)

K_CLEAR = "        opt_c.zero_grad()\n"
K_ACTOR = "            opt_a.step()\n            opt_a.zero_grad()\n"
K_VALUE = "            (nn.functional.mse_loss(values, gains) / WALKS).backward()\n"


def walkers() -> Iterator[Case]:
    yield WALKER.right("actor-comes-late")
    yield WALKER.right("actor-comes-at-once", ("trip % LATE == LATE - 1", "trip % LATE == 0"))
    yield WALKER.right(
        "one-loss-on-the-actors-turn",
        (K_VALUE, "            loss = nn.functional.mse_loss(values, gains) / WALKS\n"),
        (
            "                (-(logs * edge).mean() / WALKS).backward()\n",
            "                loss = loss - (logs * edge).mean() / WALKS\n",
        ),
        ("            reached +=", "            loss.backward()\n            reached +="),
    )
    yield WALKER.right(
        "actor-gathers-all-trips",
        (
            "            if actors_turn:\n                edge = (gains - values).detach()\n",
            "            edge = (gains - values).detach()\n",
        ),
        (
            "                (-(logs * edge).mean() / WALKS).backward()\n",
            "            (-(logs * edge).mean() / (WALKS * LATE)).backward()\n",
        ),
        tempts=("accumulation-divisor-mismatch",),
    )
    yield slip(WALKER, "critic-is-never-cleared", "missing-zero-grad", K_CLEAR, "")
    yield slip(WALKER, "critic-sums-its-walks", "unscaled-accumulation-loss", "gains) / WALKS)", "gains))")
    yield slip(
        WALKER, "critic-is-cleared-in-each-walk", "zero-grad-in-accumulation", K_VALUE, "    " + K_CLEAR + K_VALUE
    )
    yield slip(
        WALKER,
        "actor-is-wiped",
        "zero-grad-before-step",
        K_ACTOR,
        "            opt_a.zero_grad()\n            opt_a.step()\n",
    )


CORE = Draft(
    "ice-core-accelerated",
    """\
import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_default_dtype(torch.float64)


class Borer:
    def __init__(self, window=2):
        self.accelerator = Accelerator(cpu=True, gradient_accumulation_steps=window)
        data = TensorDataset(torch.randn(21, 4))
        drill, fill = nn.Sequential(nn.Linear(4, 3), nn.Dropout(0.1)), nn.Linear(3, 4)
        opt = torch.optim.SGD([*drill.parameters(), *fill.parameters()], lr=0.5, momentum=0.9)
        sched = torch.optim.lr_scheduler.LinearLR(opt, start_factor=0.5, total_iters=6)
        self.drill, self.fill, self.opt, self.sched, self.loader = self.accelerator.prepare(
            drill, fill, opt, sched, DataLoader(data, batch_size=3)
        )
        self.depth = []

    def weights(self):
        return [*self.drill.parameters(), *self.fill.parameters()]

    def bore(self):
        self.drill.train()
        for (core,) in self.loader:
            with self.accelerator.accumulate(self.drill, self.fill):
                loss = (self.fill(self.drill(core)) - core).square().mean()
                self.accelerator.backward(loss)
                if self.accelerator.sync_gradients:
                    self.accelerator.clip_grad_norm_(self.weights(), 0.3)
                self.opt.step()
                self.sched.step()
                self.opt.zero_grad()
                self.depth.append(loss.item())

    def probe(self, core):
        self.drill.eval()
        with torch.no_grad():
            return max((self.fill(self.drill(one)) - one).abs().max().item() for one in core)


def main():
    torch.manual_seed(53)
    borer, core = Borer(), torch.randn(2, 5, 4)
    for season in range(2):
        borer.bore()
        borer.accelerator.print(season, f"{borer.probe(core):.4f} {sum(borer.depth):.4f}", borer.sched.get_last_lr())
    return borer.drill, borer.fill
""",
    ("accumulation-divisor-mismatch", "clip-per-micro-batch"),
)

C_CLIP = """\
                if self.accelerator.sync_gradients:
                    self.accelerator.clip_grad_norm_(self.weights(), 0.3)
"""
C_STEP = "                self.opt.step()\n"
C_SCHED = "                self.sched.step()\n"
C_CLEAR = "                self.opt.zero_grad()\n"
C_BACK = "                self.accelerator.backward(loss)\n"


def cores() -> Iterator[Case]:
    yield CORE.right("two-parts-in-one-window")
    yield slip(CORE, "rate-is-written-first", "scheduler-before-optimizer", C_STEP + C_SCHED, C_SCHED + C_STEP)
    yield CORE.right(
        "norm-is-measured-at-each-piece",
        (
            C_BACK,
            C_BACK
            + '                self.depth.append(nn.utils.clip_grad_norm_(self.weights(), float("inf")).item())\n',
        ),
        tempts=("clip-per-micro-batch",),
    )
    yield CORE.right(
        "all-of-it-under-one-question",
        (C_STEP + C_SCHED + C_CLEAR, "    " + C_STEP + "    " + C_SCHED + "    " + C_CLEAR),
    )
    yield slip(
        CORE,
        "divided-by-hand-too",
        "accumulation-divisor-mismatch",
        "backward(loss)",
        "backward(loss / self.accelerator.gradient_accumulation_steps)",
    )
    yield slip(
        CORE,
        "clipped-at-each-piece",
        "clip-per-micro-batch",
        C_CLIP,
        "                self.accelerator.clip_grad_norm_(self.weights(), 0.3)\n",
    )
    yield slip(
        CORE,
        "fill-is-cleared-by-itself",
        "zero-grad-in-accumulation",
        C_CLEAR,
        "                self.drill.zero_grad()\n                self.fill.zero_grad()\n",
    )
    yield slip(CORE, "plain-backward", "unscaled-accumulation-loss", C_BACK, "                loss.backward()\n")
    yield slip(CORE, "drills-asleep", "missing-train-mode", "        self.drill.train()\n", "")


PIT = Draft(
    "snow-pit-by-closure",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


class Pit:
    def __init__(self, layers):
        self.net = nn.Sequential(nn.Linear(2, 5), nn.Softplus(), nn.Linear(5, 1))
        self.opt = torch.optim.LBFGS(self.net.parameters(), lr=0.5, max_iter=4, line_search_fn="strong_wolfe")
        self.layers = layers
        self.looks = []

    def look(self):
        self.opt.zero_grad()
        total = 0.0
        for snow, weight in self.layers:
            loss = nn.functional.mse_loss(self.net(snow), weight) / len(self.layers)
            loss.backward()
            total += loss.detach()
        nn.utils.clip_grad_norm_(self.net.parameters(), 0.8)
        self.looks.append(total.item())
        return total

    def dig(self, times):
        for _ in range(times):
            try:
                self.opt.step(self.look)
            finally:
                print(len(self.looks), f"{self.looks[-1]:.6f}")


def main():
    torch.manual_seed(61)
    snow = torch.rand(3, 6, 2)
    pit = Pit(list(zip(snow, 4 * (3 * snow).sin().prod(2, keepdim=True))))
    pit.dig(3)
    return pit.net
""",
    ("missing-zero-grad", "unscaled-accumulation-loss"),
)

P_CLEAR = "        self.opt.zero_grad()\n"
P_CLIP = "        nn.utils.clip_grad_norm_(self.net.parameters(), 0.8)\n"
P_STEP = "                self.opt.step(self.look)\n"
P_BACK = "            loss.backward()\n"
P_SUM = ("weight) / len(self.layers)", "weight)")


def pits() -> Iterator[Case]:
    yield PIT.right("looks-and-digs")
    yield PIT.right("sum-of-layers-is-looked-at", P_SUM, tempts=("unscaled-accumulation-loss",))
    yield PIT.right(
        "cleared-by-hand",
        (P_CLEAR, ""),
        (
            "        self.looks.append(total.item())\n",
            "        self.looks.append(total.item())\n        self.kept = [p.grad for p in self.net.parameters()]\n",
        ),
        (
            "        total = 0.0\n",
            "        for p in self.net.parameters():\n            p.grad = None\n        total = 0.0\n",
        ),
    )
    yield PIT.right(
        "one-backward-for-all-layers",
        (P_BACK, ""),
        ("total += loss.detach()", "total = total + loss"),
        (P_CLIP, "        total.backward()\n" + P_CLIP),
        tempts=("loss-graph-leak",),
    )
    yield slip(PIT, "cleared-with-each-layer", "zero-grad-in-accumulation", P_BACK, "    " + P_CLEAR + P_BACK)
    yield PIT.wrong(
        "clipped-behind-the-dig", ((P_CLIP, ""), (P_STEP, P_STEP + "        " + P_CLIP)), tempts=("clip-after-step",)
    )
    yield PIT.wrong(
        "clipped-before-the-layers", ((P_CLIP, ""), (P_CLEAR, P_CLEAR + P_CLIP)), tempts=("clip-before-backward",)
    )
    yield slip(PIT, "clipped-with-each-layer", "clip-per-micro-batch", P_CLIP, "    " + P_CLIP)


def cases() -> Iterator[Case]:
    yield from moraines()
    yield from walkers()
    yield from cores()
    yield from pits()
