"""Learning to learn, and closures: a wave by its slope, tasks that adapt, spare runners, a hypernet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

WAVE = Draft(
    "wave-by-its-slope",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def fit(net, points, rounds=4):
    optimizer = torch.optim.LBFGS(net.parameters(), lr=0.4, max_iter=3, history_size=4)
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, 2, 0.5)
    told = []

    def residual(x):
        x = x.clone().requires_grad_()
        height = net(x)
        (slope,) = torch.autograd.grad(height.sum(), x, create_graph=True)
        return (slope + height - x.sin()).pow(2).mean() + net(torch.zeros(1, 1)).pow(2).sum()

    def closure():
        optimizer.zero_grad()
        loss = residual(points)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 0.4)
        told.append(loss.item())
        return loss

    for turn in range(rounds):
        optimizer.step(closure)
        schedule.step()
        with torch.no_grad():
            print(turn, len(told), f"{told[-1]:.5f}", f"{net(points).abs().max():.5f}")
    print(f"{sum(told):.5f}")


def main():
    torch.manual_seed(22)
    net = nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Linear(8, 1))
    fit(net, torch.linspace(0, 3, 12)[:, None])
    return net
""",
    ("clip-after-step", "missing-zero-grad"),
)

W_CLEAR = "        optimizer.zero_grad()\n"
W_BACK = "        loss.backward()\n"
W_CLIP = "        nn.utils.clip_grad_norm_(net.parameters(), 0.4)\n"
W_STEP = "        optimizer.step(closure)\n"
W_RATE = "        schedule.step()\n"
W_PARTS = """\
        loss = torch.zeros(())
        for part in points.chunk(3):
            piece = residual(part)
            piece.backward()
            loss += piece.detach()
"""


def wave() -> Iterator[Case]:
    yield WAVE.right("slope-inside-the-closure")
    yield WAVE.right(
        "sum-of-parts-is-what-it-minds",
        ("        loss = residual(points)\n" + W_BACK, W_PARTS),
        tempts=("unscaled-accumulation-loss",),
    )
    yield WAVE.right("cleared-again-behind-all-calls", (W_STEP, W_STEP + W_CLEAR), tempts=("zero-grad-before-step",))
    yield WAVE.right(
        "norm-is-only-looked-at",
        (W_CLIP, ""),
        (W_RATE, W_RATE + "        print(f\"{nn.utils.clip_grad_norm_(net.parameters(), float('inf')):.5f}\")\n"),
    )
    yield WAVE.wrong("clip-behind-the-closure", ((W_CLIP, ""), (W_STEP, W_STEP + W_CLIP)), tempts=("clip-after-step",))
    yield WAVE.wrong("never-cleared", ((W_CLEAR, ""),), tempts=("missing-zero-grad",))
    yield WAVE.wrong("clip-of-nothing", ((W_CLIP, ""), (W_CLEAR, W_CLEAR + W_CLIP)), tempts=("clip-before-backward",))
    yield WAVE.wrong(
        "rate-first-and-losses-with-graphs",
        ((W_STEP + W_RATE, W_RATE + W_STEP),),
        (("told.append(loss.item())", "told.append(loss)"),),
        tempts=("scheduler-before-optimizer", "loss-graph-leak"),
    )
    yield WAVE.wrong(
        "cleared-where-it-clips", ((W_CLEAR, ""), (W_CLIP, W_CLIP + W_CLEAR)), tempts=("zero-grad-before-step",)
    )


HERD = Draft(
    "reindeer-that-adapt",
    """\
import torch
from torch import nn
from torch.func import functional_call

torch.set_default_dtype(torch.float64)
TASKS = 3


def adapt(net, x, y, steps=2, rate=0.2):
    weights = dict(net.named_parameters())
    for _ in range(steps):
        loss = nn.functional.mse_loss(functional_call(net, weights, (x,)), y)
        slopes = torch.autograd.grad(loss, list(weights.values()), create_graph=True)
        weights = {name: weight - rate * slope for (name, weight), slope in zip(weights.items(), slopes)}
    return weights


def tasks(rng, count):
    for _ in range(count):
        a, b = torch.rand(2, generator=rng)
        x = 2 * torch.randn(8, 1, generator=rng)
        y = a * torch.sin(x + 3 * b)
        yield x[:4], y[:4], x[4:], y[4:]


def trial(net):
    net.eval()
    total = 0.0
    for x, y, more_x, more_y in tasks(torch.Generator().manual_seed(77), 2):
        weights = adapt(net, x, y)
        with torch.no_grad():
            total += nn.functional.mse_loss(functional_call(net, weights, (more_x,)), more_y).item()
    net.train()
    return total


def main():
    torch.manual_seed(33)
    rng = torch.Generator().manual_seed(2)
    net = nn.Sequential(nn.Linear(1, 10), nn.Tanh(), nn.Dropout(0.1), nn.Linear(10, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.3, momentum=0.5)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=5)
    for season in range(5):
        optimizer.zero_grad()
        score = 0.0
        for x, y, more_x, more_y in tasks(rng, TASKS):
            weights = adapt(net, x, y)
            loss = nn.functional.mse_loss(functional_call(net, weights, (more_x,)), more_y)
            (loss / TASKS).backward()
            score += loss.item()
        nn.utils.clip_grad_norm_(net.parameters(), 0.1)
        optimizer.step()
        schedule.step()
        print(season, f"{score:.4f} {trial(net):.4f}")
    return net
""",
    ("validation-without-no-grad", "unscaled-accumulation-loss"),
)

D_CLEAR = "        optimizer.zero_grad()\n"
D_TURN = "        for x, y, more_x, more_y in tasks(rng, TASKS):\n"
D_CLIP = "        nn.utils.clip_grad_norm_(net.parameters(), 0.1)\n"
D_RATE = "        schedule.step()\n"
D_SCORE = "            score += loss.item()\n"
D_BACK = "            (loss / TASKS).backward()\n"
D_SLEEP = ("    net.train()\n    return total", "    return total")


def herd() -> Iterator[Case]:
    yield HERD.right("a-trial-needs-slopes-too")
    yield HERD.right(
        "one-backward-for-all-tasks",
        (D_BACK + D_SCORE, "            losses.append(loss)\n"),
        ("        score = 0.0\n", "        losses = []\n"),
        (D_CLIP, "        torch.stack(losses).mean().backward()\n        score = sum(losses).item()\n" + D_CLIP),
        tempts=("loss-graph-leak",),
    )
    yield HERD.right(
        "dropout-only-in-trials-is-off",
        D_SLEEP,
        (D_CLEAR, "        net.train()\n" + D_CLEAR),
        tempts=("missing-train-mode",),
    )
    yield HERD.right(
        "rate-falls-by-the-task",
        (D_RATE, ""),
        (D_SCORE, D_SCORE + "            schedule.step()\n"),
        ("T_max=5", "T_max=5 * TASKS"),
        tempts=("scheduler-per-micro-batch", "scheduler-before-optimizer"),
    )
    yield HERD.wrong("asleep-behind-a-trial", (D_SLEEP,), tempts=("missing-train-mode",))
    yield HERD.wrong(
        "sum-over-tasks", ((D_BACK, "            loss.backward()\n"),), tempts=("unscaled-accumulation-loss",)
    )
    yield HERD.wrong(
        "only-the-last-task-counts",
        ((D_CLEAR, ""), (D_TURN, D_TURN + "            optimizer.zero_grad()\n")),
        tempts=("zero-grad-in-accumulation",),
    )
    yield HERD.wrong(
        "score-holds-adaptations", ((D_SCORE, "            score += loss\n"),), tempts=("loss-graph-leak",)
    )
    yield HERD.wrong(
        "clip-with-each-task", ((D_CLIP, ""), (D_BACK, D_BACK + "    " + D_CLIP)), tempts=("clip-per-micro-batch",)
    )


SLED = Draft(
    "sled-with-spare-runners",
    """\
import copy
from typing import NamedTuple

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


class Track(NamedTuple):
    practice: list
    snow: torch.Tensor
    ice: torch.Tensor

    @classmethod
    def drawn(cls, rng, rides=3):
        slope = torch.randn(2, 1, generator=rng)
        snows = [torch.randn(4, 2, generator=rng) for _ in range(rides + 1)]
        *practice, last = [(snow, (snow @ slope).tanh()) for snow in snows]
        return cls(practice, *last)


class Sled:
    def __init__(self):
        self.base = nn.Sequential(nn.Linear(2, 7), nn.Dropout(0.15), nn.ELU(), nn.Linear(7, 1))
        self.outer = torch.optim.RMSprop(self.base.parameters(), lr=0.01)
        self.falls = torch.optim.lr_scheduler.ExponentialLR(self.outer, gamma=0.7)

    def practise(self, track):
        runner = copy.deepcopy(self.base)
        inner = torch.optim.SGD(runner.parameters(), lr=0.1)
        for snow, ice in track.practice:
            inner.zero_grad()
            nn.functional.mse_loss(runner(snow), ice).backward()
            inner.step()
        inner.zero_grad()
        return runner

    def ride(self, track):
        runner = self.practise(track)
        loss = nn.functional.mse_loss(runner(track.snow), track.ice)
        loss.backward()
        for mine, theirs in zip(self.base.parameters(), runner.parameters()):
            mine.grad = theirs.grad if mine.grad is None else mine.grad + theirs.grad
        return loss.item()

    def season(self, tracks):
        told = 0.0
        for track in tracks:
            told += self.ride(track)
        for weight in self.base.parameters():
            weight.grad /= len(tracks)
        self.outer.step()
        self.outer.zero_grad()
        self.falls.step()
        return told

    @torch.no_grad()
    def glide(self, track):
        self.base.eval()
        loss = nn.functional.mse_loss(self.base(track.snow), track.ice)
        self.base.train()
        return loss.item()


def main():
    torch.manual_seed(44)
    sled, rng = Sled(), torch.Generator().manual_seed(5)
    for winter in range(4):
        told = sled.season([Track.drawn(rng) for _ in range(3)])
        print(winter, f"{told:.4f} {sled.glide(Track.drawn(rng)):.4f}")
    return sled.base
""",
    ("missing-zero-grad", "unscaled-accumulation-loss"),
)

E_INNER = "            inner.zero_grad()\n"
E_BEHIND = "        inner.zero_grad()\n        return runner"
E_OUTER = "        self.outer.step()\n        self.outer.zero_grad()\n"
E_FALLS = "        self.falls.step()\n"
E_SLEEP = ("        self.base.train()\n        return", "        return")


def sled() -> Iterator[Case]:
    yield SLED.right("gradients-of-runners-for-the-base")
    yield SLED.right(
        "cleared-behind-each-practice",
        (E_INNER, ""),
        (
            "            inner.step()\n        inner.zero_grad()\n",
            "            inner.step()\n            inner.zero_grad()\n",
        ),
    )
    yield SLED.right(
        "way-of-the-runner-in-place-of-its-slope",
        (
            "            mine.grad = theirs.grad if mine.grad is None else mine.grad + theirs.grad\n",
            (
                "            way = mine.detach() - theirs.detach()\n"
                "            mine.grad = way if mine.grad is None else mine.grad + way\n"
            ),
        ),
        tempts=("missing-zero-grad", "validation-without-no-grad"),
    )
    yield SLED.right(
        "runners-are-woken",
        E_SLEEP,
        ("copy.deepcopy(self.base)", "copy.deepcopy(self.base).train()"),
        tempts=("missing-train-mode",),
    )
    yield SLED.wrong("runner-keeps-its-slopes", ((E_INNER, ""),), tempts=("missing-zero-grad",))
    yield SLED.wrong(
        "base-keeps-its-slopes", ((E_OUTER, "        self.outer.step()\n"),), tempts=("missing-zero-grad",)
    )
    yield SLED.wrong("runners-of-a-sleeping-base", (E_SLEEP,), tempts=("missing-train-mode",))
    yield SLED.wrong(
        "falls-ahead-and-told-with-graphs",
        ((E_FALLS, ""), (E_OUTER, E_FALLS + E_OUTER)),
        (("        return loss.item()\n\n    def season", "        return loss\n\n    def season"),),
        tempts=("scheduler-before-optimizer", "loss-graph-leak"),
    )


SNOW = Draft(
    "snow-from-a-hypernet",
    """\
import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)
WINDOW = 3


def forecasts(year, days=11):
    rng = torch.Generator().manual_seed(year)
    for day in range(days):
        place, x = torch.rand(2, generator=rng), torch.randn(5, 4, generator=rng)
        y = x[:, :3] * place.sum() - x[:, 1:]
        yield place, x, y * (float("nan") if day == 4 else 1.0)


def main():
    torch.manual_seed(55)
    hyper = torch.nn.Sequential(torch.nn.Linear(2, 9), torch.nn.Mish(), torch.nn.Linear(9, 15))
    optimizer = torch.optim.SGD(hyper.parameters(), lr=0.05, nesterov=True, momentum=0.8)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 0.25, 1.0, total_iters=4)
    for year in (2001, 2002):
        left, told = WINDOW, []
        for place, x, y in forecasts(year):
            weight, bias = hyper(place).split([12, 3])
            loss = F.mse_loss(F.linear(x, weight.view(3, 4), bias), y)
            if not torch.isfinite(loss):
                continue
            (loss / WINDOW).backward()
            told.append(loss.item())
            left -= 1
            if left == 0:
                torch.nn.utils.clip_grad_norm_(hyper.parameters(), 0.6)
                optimizer.step()
                schedule.step()
                optimizer.zero_grad()
                left = WINDOW
        else:
            if left < WINDOW:
                optimizer.step()
                optimizer.zero_grad()
        print(year, f"{sum(told) / len(told):.4f}", schedule.get_last_lr())
    return hyper
""",
    ("accumulation-off-by-one", "dropped-accumulation-tail"),
)

N_BACK = "            (loss / WINDOW).backward()\n"
N_CLIP = "                torch.nn.utils.clip_grad_norm_(hyper.parameters(), 0.6)\n"
N_RATE = "                schedule.step()\n"
N_CLEAR = "                optimizer.zero_grad()\n                left"
N_REST = """\
        else:
            if left < WINDOW:
                optimizer.step()
                optimizer.zero_grad()
"""


def snow() -> Iterator[Case]:
    yield SNOW.right("counted-down-without-the-odd-day")
    yield SNOW.right("rest-is-thrown-away", (N_REST, "        optimizer.zero_grad()\n"))
    yield SNOW.right(
        "rest-waits-for-new-year",
        (N_REST, ""),
        ("        left, told = WINDOW, []\n", "        told = []\n"),
        ("    for year in (", "    left = WINDOW\n    for year in ("),
    )
    yield SNOW.right(
        "rest-weighs-as-much",
        (
            N_REST,
            N_REST.replace(
                "                optimizer.step",
                """\
                for p in hyper.parameters():
                    p.grad *= WINDOW / (WINDOW - left)
                optimizer.step""",
            ),
        ),
        tempts=("accumulation-divisor-mismatch",),
    )
    yield SNOW.wrong(
        "below-nought",
        (("            if left == 0:\n", "            if left < 0:\n"),),
        tempts=("accumulation-off-by-one",),
    )
    yield SNOW.wrong(
        "halves-of-three", ((N_BACK, "            (loss / 2).backward()\n"),), tempts=("accumulation-divisor-mismatch",)
    )
    yield SNOW.wrong(
        "rate-by-the-day",
        ((N_RATE, ""), ("            left -= 1\n", "            left -= 1\n            schedule.step()\n")),
        tempts=("scheduler-per-micro-batch", "scheduler-before-optimizer"),
    )
    yield SNOW.wrong(
        "cleared-by-the-day",
        ((N_CLEAR, "                left"), (N_BACK, "            optimizer.zero_grad()\n" + N_BACK)),
        tempts=("zero-grad-in-accumulation",),
    )
    yield SNOW.wrong(
        "rest-runs-into-new-year",
        ((N_REST, ""),),
        fine=(((N_REST, "        optimizer.zero_grad()\n"),),),
        tempts=("dropped-accumulation-tail",),
    )
    yield SNOW.wrong(
        "undivided-and-clip-behind",
        ((N_BACK, "            loss.backward()\n"),),
        ((N_CLIP, ""), (N_RATE, N_RATE + N_CLIP)),
        tempts=("unscaled-accumulation-loss", "clip-after-step"),
    )


def cases() -> Iterator[Case]:
    yield from wave()
    yield from herd()
    yield from sled()
    yield from snow()
