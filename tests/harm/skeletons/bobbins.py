"""Physics and astronomy: orbits by closures, a heated rod, spectra under Accelerate, pendulums, faint stars."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

ORBIT = Draft(
    "orbit-by-closure",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def sights(seed, count=12):
    day = torch.rand(count, 1, generator=torch.Generator().manual_seed(seed))
    return day, 0.4 + 0.3 * torch.cos(5 * day)


def fit(net, rounds=3):
    optimizer = torch.optim.LBFGS(net.parameters(), lr=0.1, max_iter=4)
    day, distance = sights(1)
    track = []

    def closure():
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(net(day), distance)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 0.3)
        return loss

    for turn in range(rounds):
        net.train()
        track.append(optimizer.step(closure).item())
        net.eval()
        with torch.no_grad():
            miss = sum((net(late) - far).abs().mean().item() for late, far in map(sights, (2, 3)))
        print(f"{turn}: {miss:.5f} {min(track):.5f}")
    return net


def main():
    torch.manual_seed(3)
    return fit(nn.Sequential(nn.Linear(1, 6), nn.BatchNorm1d(6), nn.Tanh(), nn.Linear(6, 1)))
""",
    ("missing-zero-grad", "zero-grad-before-step", "clip-after-step", "validation-without-no-grad"),
)

O_CLEAR = "        optimizer.zero_grad()\n"
O_BACK = "        loss.backward()\n"
O_CLIP = "        nn.utils.clip_grad_norm_(net.parameters(), 0.3)\n"
O_STEP = "        track.append(optimizer.step(closure).item())\n"
O_LOSS = "        loss = nn.functional.mse_loss(net(day), distance)\n        loss.backward()\n"
O_HALVES = """\
        loss = 0.0
        for part in (slice(0, 6), slice(6, 12)):
            chi = (net(day[part]) - distance[part]).square().sum()
            chi.backward()
            loss += chi.detach()
"""


def orbit() -> Iterator[Case]:
    yield ORBIT.right("as-it-is")
    yield ORBIT.right("chi-square-of-two-halves", (O_LOSS, O_HALVES), tempts=("unscaled-accumulation-loss",))
    yield ORBIT.right("cleared-between-forward-and-backward", (O_CLEAR, ""), (O_BACK, O_CLEAR + O_BACK))
    yield ORBIT.right("norm-read-behind-the-step", (O_STEP, O_STEP + O_CLIP.replace("0.3", "float('inf')")))
    yield ORBIT.wrong("closure-clears-nothing", ((O_CLEAR, ""),))
    yield ORBIT.wrong("cleared-outside-of-the-closure", ((O_CLEAR, ""), (O_STEP, O_CLEAR + O_STEP)))
    yield ORBIT.wrong("clip-outside-of-the-closure", ((O_CLIP, ""), (O_STEP, O_STEP + O_CLIP)))
    yield ORBIT.wrong(
        "track-of-graphs", (("optimizer.step(closure).item()", "optimizer.step(closure)"),), tempts=("loss-graph-leak",)
    )
    yield ORBIT.wrong("measured-with-gradients", (("        with torch.no_grad():\n            miss", "        miss"),))


ROD = Draft(
    "heated-rod",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def slopes(out, *at):
    return torch.autograd.grad(out.sum(), at, create_graph=True)


def inside(rod, gen):
    x, t = (torch.rand(8, 1, generator=gen).requires_grad_() for _ in range(2))
    heat = rod(torch.cat([x, t], 1))
    x_slope, t_slope = slopes(heat, x, t)
    return (t_slope - 0.1 * slopes(x_slope, x)[0]).square().mean()


def ends(rod, gen):
    t = torch.rand(4, 1, generator=gen)
    return rod(torch.cat([torch.zeros(4, 1), t], 1)).square().mean()


def start(rod, gen):
    x = torch.rand(6, 1, generator=gen)
    return (rod(torch.cat([x, torch.zeros(6, 1)], 1)) - torch.sin(3.1416 * x)).square().mean()


TERMS = [inside, ends, start]


def main(callbacks=()):
    torch.manual_seed(40)
    gen = torch.Generator().manual_seed(41)
    rod = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))
    weights = nn.ParameterList(nn.Parameter(torch.ones(())) for _ in TERMS)
    descend = torch.optim.Adam(rod.parameters(), lr=0.02)
    ascend = torch.optim.SGD(weights.parameters(), lr=0.1, maximize=True)
    decay = torch.optim.lr_scheduler.StepLR(descend, 4, 0.5)
    history = []
    for step in range(10):
        for term, weight in zip(TERMS, weights):
            loss = weight * term(rod, gen)
            loss.backward()
            history.append(loss.item())
        nn.utils.clip_grad_norm_(rod.parameters(), 1.0)
        descend.step()
        ascend.step()
        decay.step()
        descend.zero_grad()
        ascend.zero_grad()
        if history[-1] < 1e-6:
            break
    else:
        print(f"{sum(history):.4f} {decay.get_last_lr()[0]:.4f}")
    return rod, weights
""",
    ("unscaled-accumulation-loss", "missing-zero-grad", "clip-after-step"),
)

H_CLIP = "        nn.utils.clip_grad_norm_(rod.parameters(), 1.0)\n"
H_STEPS = "        descend.step()\n        ascend.step()\n"
H_CLEARS = "        descend.zero_grad()\n        ascend.zero_grad()\n"
H_BACK = "            loss.backward()\n"


def rod() -> Iterator[Case]:
    yield ROD.right("each-term-goes-back-alone")
    yield ROD.right(
        "ascent-by-the-sign",
        (", maximize=True", ""),
        (H_CLIP, "        for weight in weights:\n            weight.grad.neg_()\n" + H_CLIP),
    )
    yield ROD.right(
        "terms-are-summed-first",
        ("        for term, weight", "        total = 0.0\n        for term, weight"),
        (H_BACK, "            total = total + loss\n"),
        (H_CLIP, "        total.backward()\n" + H_CLIP),
        tempts=("loss-graph-leak",),
    )
    yield ROD.right(
        "weights-remember",
        (H_CLEARS, "        descend.zero_grad()\n        for weight in weights:\n            weight.grad *= 0.5\n"),
    )
    yield ROD.right(
        "clip-in-front-of-the-ascent",
        (H_CLIP + H_STEPS, "        nn.utils.clip_grad_norm_(weights.parameters(), 0.3)\n" + H_CLIP + H_STEPS),
    )
    yield ROD.wrong("clip-between-the-steps", ((H_CLIP + H_STEPS, H_STEPS.replace("\n", "\n" + H_CLIP, 1)),))
    yield ROD.wrong("only-one-is-cleared", ((H_CLEARS, "        descend.zero_grad()\n"),))
    yield ROD.wrong("history-of-graphs", (("append(loss.item())", "append(loss)"),), tempts=("loss-graph-leak",))
    yield ROD.wrong(
        "decay-in-front",
        ((H_STEPS + "        decay.step()\n", "        decay.step()\n" + H_STEPS),),
        tempts=("scheduler-before-optimizer",),
    )


SPECTRA = Draft(
    "spectra-of-two-gases",
    """\
import torch
from accelerate import Accelerator
from torch.utils.data import DataLoader, TensorDataset

OPTIONS = {"window": 3, "nights": 2, "peak": 0.4, "max_norm": 0.13}


class Survey:
    def __init__(self, options):
        torch.manual_seed(60)
        self.options = options
        self.accelerator = Accelerator(cpu=True, gradient_accumulation_steps=options["window"])
        lines = torch.rand(20, 8)
        gas = (lines[:, 2] > lines[:, 5]).long()
        net = torch.nn.Sequential(torch.nn.Linear(8, 6), torch.nn.Dropout(0.1), torch.nn.ReLU(), torch.nn.Linear(6, 2))
        optimizer = torch.optim.SGD(net.parameters(), lr=options["peak"], momentum=0.9)
        self.net, self.optimizer, self.loader = self.accelerator.prepare(
            net, optimizer, DataLoader(TensorDataset(lines, gas), batch_size=4)
        )

    def observe(self, lines, gas):
        with self.accelerator.accumulate(self.net):
            loss = torch.nn.functional.cross_entropy(self.net(lines), gas)
            self.accelerator.backward(loss)
            if self.accelerator.sync_gradients:
                self.accelerator.clip_grad_norm_(self.net.parameters(), self.options["max_norm"])
            self.optimizer.step()
            self.optimizer.zero_grad()
        return loss.item()

    def run(self):
        for night in range(self.options["nights"]):
            spent = [self.observe(lines, gas) for lines, gas in self.loader]
            self.net.eval()
            with torch.no_grad():
                sure = [self.net(lines).softmax(-1).amax(-1).mean().item() for lines, _ in self.loader]
            self.net.train()
            self.accelerator.print(f"{night}: {sum(spent):.3f} {sum(sure):.3f}")
        return self.accelerator.unwrap_model(self.net)


def main():
    return Survey(OPTIONS).run()
""",
    ("accumulation-divisor-mismatch", "unscaled-accumulation-loss", "clip-per-micro-batch"),
)

X_BACK = "            self.accelerator.backward(loss)\n"
X_CLEAR = "            self.optimizer.zero_grad()\n"
X_GATE = "            if self.accelerator.sync_gradients:\n                self.acc"
X_MEAN = "                sure = ["


def spectra() -> Iterator[Case]:
    yield SPECTRA.right("as-it-is")
    yield SPECTRA.right(
        "clip-of-torch-under-the-gate", ("self.accelerator.clip_grad_norm_(", "torch.nn.utils.clip_grad_norm_(")
    )
    yield SPECTRA.right(
        "cleared-when-the-gradients-are-in-step",
        (X_CLEAR, "            if self.accelerator.sync_gradients:\n                self.net.zero_grad()\n"),
        tempts=("zero-grad-in-accumulation",),
    )
    yield SPECTRA.right(
        "share-of-two-terms", (X_BACK, "            self.accelerator.backward(loss / 3 + 2 * loss.square() / 3)\n")
    )
    yield SPECTRA.wrong(
        "divided-for-the-second-time", ((X_BACK, X_BACK.replace("(loss)", '(loss / self.options["window"])')),)
    )
    yield SPECTRA.wrong(
        "divided-and-returned",
        ((X_BACK, '            loss = loss / self.options["window"]\n' + X_BACK),),
        fine=(((X_BACK, X_BACK + '            loss = loss / self.options["window"]\n'),),),
    )
    yield SPECTRA.wrong("clip-per-batch", ((X_GATE, "            self.acc"),))
    yield SPECTRA.wrong("plain-backward", ((X_BACK, "            loss.backward()\n"),))
    yield SPECTRA.wrong(
        "cleared-at-the-head", ((X_CLEAR, ""), ("            loss = torch", X_CLEAR + "            loss = torch"))
    )
    yield SPECTRA.wrong(
        "sleeps-from-the-second-night-on", (("            self.net.train()\n", ""),), tempts=("missing-train-mode",)
    )


SWING = Draft(
    "pendulums-that-teach",
    """\
from copy import deepcopy

import torch
from torch import nn, optim

torch.set_default_dtype(torch.float64)


def pendulum(number):
    gen = torch.Generator().manual_seed(number)
    length = 0.5 + torch.rand((), generator=gen)
    time = torch.rand(10, 1, generator=gen)
    return time, torch.cos(6 * time / length.sqrt())


def learn(net, time, angle, turns):
    quick = optim.SGD(net.parameters(), lr=0.1)
    for _ in range(turns):
        quick.zero_grad()
        (net(time) - angle).square().mean().backward()
        nn.utils.clip_grad_norm_(net.parameters(), 0.3)
        quick.step()
    return net


def main(tasks=3, inner=3):
    torch.manual_seed(19)
    teacher = nn.Sequential(nn.Linear(1, 7), nn.Tanh(), nn.Linear(7, 1))
    slow = optim.SGD(teacher.parameters(), lr=1.0, momentum=0.3)
    fade = optim.lr_scheduler.LinearLR(slow, 1.0, 0.2, total_iters=4)
    far = 0.0
    slow.zero_grad()
    for number in range(12):
        pupil = learn(deepcopy(teacher), *pendulum(number), inner)
        with torch.no_grad():
            for old, new in zip(teacher.parameters(), pupil.parameters()):
                step = (old - new) / tasks
                old.grad = step if old.grad is None else old.grad + step
                far += step.norm().item()
        if number % tasks == tasks - 1:
            nn.utils.clip_grad_norm_(teacher.parameters(), 0.05)
            slow.step()
            fade.step()
            slow.zero_grad()
    print(f"{far:.4f} {fade.get_last_lr()}")
    return teacher
""",
    ("missing-zero-grad", "unscaled-accumulation-loss", "scheduler-per-micro-batch"),
)

W_QUICK = "        quick.zero_grad()\n"
W_VALUE = "        nn.utils.clip_grad_norm_(net.parameters(), 0.3)\n        quick.step()\n"
W_CLIP = "            nn.utils.clip_grad_norm_(teacher.parameters(), 0.05)\n"
W_STEP = "            slow.step()\n"
W_CLEAR = "            slow.zero_grad()\n    print"
W_BACK = "        (net(time) - angle).square().mean().backward()\n"


def swing() -> Iterator[Case]:
    yield SWING.right("as-it-is")
    yield SWING.right("sum-of-the-tasks", ("(old - new) / tasks", "old - new"), ("lr=1.0", "lr=1.0 / tasks"))
    yield SWING.right(
        "cleared-by-the-first-task", (W_CLEAR, "    print"), ("if old.grad is None", "if number % tasks == 0")
    )
    yield SWING.right(
        "pupil-adds-up-its-turns",
        (W_QUICK, ""),
        ("lr=0.1", "lr=0.1 / turns"),
        (W_BACK, "        nn.functional.mse_loss(net(time), angle).backward()\n"),
    )
    yield SWING.right(
        "one-clear-for-the-pupil",
        (W_QUICK, ""),
        ("    for _ in range(turns):", "    net.zero_grad()\n    for _ in range(turns):"),
        ("quick.step()\n", "quick.step()\n        net.zero_grad()\n"),
    )
    yield SWING.wrong("pupil-never-clears", ((W_QUICK, ""),))
    yield SWING.wrong(
        "clipped-behind-the-step",
        ((W_VALUE, "        quick.step()\n" + W_VALUE.replace("        quick.step()\n", "")),),
        tempts=("clip-after-step",),
    )
    yield SWING.wrong(
        "clipped-ahead-of-backward",
        ((W_BACK + W_VALUE, W_VALUE.replace("        quick.step()\n", W_BACK + "        quick.step()\n")),),
        tempts=("clip-before-backward",),
    )
    yield SWING.wrong(
        "teacher-fades-first",
        ((W_CLIP + W_STEP + "            fade.step()\n", "            fade.step()\n" + W_CLIP + W_STEP),),
        tempts=("scheduler-before-optimizer",),
    )
    yield SWING.wrong("teacher-clipped-late", ((W_CLIP + W_STEP, W_STEP + W_CLIP),), tempts=("clip-after-step",))


STARS = Draft(
    "faint-stars",
    """\
import torch
from torch.nn import functional as F

torch.manual_seed(70)
plates = [(torch.rand(4, 6), torch.rand(4, 1)) for _ in range(9)]
star = torch.nn.Sequential(torch.nn.Linear(6, 8), torch.nn.ReLU(), torch.nn.Linear(8, 1))
noise = torch.nn.Linear(6, 1)
optimizer = torch.optim.SGD([*star.parameters(), *noise.parameters()], lr=0.3)
scaler = torch.amp.GradScaler("cpu", init_scale=2.0**17, growth_interval=2)


def magnitude(plate, bright):
    with torch.autocast("cpu", dtype=torch.float16):
        spread = F.softplus(noise(plate)).float()
        return ((star(plate).float() - bright).square() / spread + spread.log()).mean()


def close():
    scaler.unscale_(optimizer)
    norm = torch.nn.utils.clip_grad_norm_(star.parameters(), 0.4)
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad()
    return norm.item()


def main():
    norms, waiting = [], 0
    for night in range(2):
        for plate, bright in plates:
            loss = magnitude(plate, bright)
            if not torch.isfinite(loss):
                continue
            scaler.scale(loss / 4).backward()
            waiting += 1
            if waiting == 4:
                norms.append(close())
                waiting = 0
    if waiting:
        norms.append(close())
    print(*(f"{norm:.2f}" for norm in norms), scaler.get_scale())
    return star, noise
""",
    ("clip-scaled-gradients", "missing-scaler-update", "unscaled-backward"),
)

F_TAKE = "    scaler.unscale_(optimizer)\n"
F_CLIP = "    norm = torch.nn.utils.clip_grad_norm_(star.parameters(), 0.4)\n"
F_STEP = "    scaler.step(optimizer)\n"
F_SCALED = "            scaler.scale(loss / 4).backward()\n"


def stars() -> Iterator[Case]:
    yield STARS.right("as-it-is")
    yield STARS.right(
        "rest-is-given-up", ("    if waiting:\n        norms.append(close())\n", "    optimizer.zero_grad()\n")
    )
    yield STARS.right(
        "true-gradients-by-hand", (F_TAKE, ""), (F_CLIP, F_CLIP.replace("0.4", "0.4 * scaler.get_scale()"))
    )
    yield STARS.right(
        "backward-under-autocast",
        (
            F_SCALED,
            '            with torch.autocast("cpu", dtype=torch.float16):\n    '
            + F_SCALED
            + "                bright = star(plate).detach().mean().float()\n",
        ),
        tempts=("backward-in-autocast",),
    )
    yield STARS.wrong("clipped-with-the-scale", ((F_TAKE, ""),))
    yield STARS.wrong(
        "clipped-behind-and-not-taken", ((F_TAKE + F_CLIP + F_STEP, F_STEP + F_CLIP),), fine=(((F_TAKE, ""),),)
    )
    yield STARS.wrong(
        "scale-thrown-away", ((F_SCALED, "            scaler.scale(loss / 4)\n            (loss / 4).backward()\n"),)
    )
    yield STARS.wrong("never-updated", (("    scaler.update()\n", ""),), raises="RuntimeError")
    yield STARS.wrong("past-the-scaler", ((F_STEP, "    optimizer.step()\n"),), tempts=("step-bypasses-scaler",))
    yield STARS.wrong(
        "divided-by-the-plates", (("loss / 4", "loss / len(plates)"),), tempts=("accumulation-divisor-mismatch",)
    )


def cases() -> Iterator[Case]:
    yield from orbit()
    yield from rod()
    yield from spectra()
    yield from swing()
    yield from stars()
