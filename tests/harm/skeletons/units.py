"""Windows in other units, gradients that outlive a run, limits learned from norms, a trunk with two optimizers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

COUNTING = Draft(
    "counting-from-elsewhere",
    """\
import torch
import torch.nn as nn

ACCUM_ITER = 3
device = "cpu"


class Counter:
    def __init__(self):
        self.n = 0

    def tick(self):
        self.n += 1
        return self.n


def epoch_of(net, data, opt, scaler, counter, verbose=True):
    net.train()
    seen = []
    for it, (inp, tgt) in enumerate(data):
        inp, tgt = inp.to(device), tgt.to(device)
        with torch.autocast(device, dtype=torch.float16):
            out = net(inp)
            loss = nn.functional.huber_loss(out.float(), tgt)
            raw = loss.item()
            loss = loss / ACCUM_ITER
        scaler.scale(loss).backward()
        seen.append(raw)
        if (it + 1) % ACCUM_ITER == 0:
            scaler.unscale_(opt)
            gnorm = nn.utils.clip_grad_norm_(net.parameters(), 0.3)
            scaler.step(opt)
            scaler.update()
            opt.zero_grad(set_to_none=True)
            k = counter.tick()
            if verbose and k % 2 == 0:
                print(f"{k} it={it} gnorm={gnorm:.3f} loss={sum(seen) / len(seen):.3f}")
                seen.clear()


def main():
    torch.manual_seed(14)
    net = nn.Sequential(nn.Linear(6, 9), nn.ReLU6(), nn.Linear(9, 2))
    opt = torch.optim.SGD([{"params": net[0].parameters(), "lr": 0.1}, {"params": net[2].parameters()}], lr=0.3, momentum=0.8)
    scaler = torch.amp.GradScaler(device, init_scale=2.0**9, growth_interval=4)
    counter = Counter()
    data = [(torch.randn(4, 6), torch.randn(4, 2)) for _ in range(9)]
    for _ in range(2):
        epoch_of(net, data, opt, scaler, counter)
    print("updates", counter.n)
    return net
""",
    ("accumulation-off-by-one", "unscaled-accumulation-loss"),
)

C_IF = "        if (it + 1) % ACCUM_ITER == 0:\n"
C_DIVIDED = "            loss = loss / ACCUM_ITER\n"
C_BACK = "        scaler.scale(loss).backward()\n"
C_UNSCALE = "            scaler.unscale_(opt)\n"
C_NORM = "            gnorm = nn.utils.clip_grad_norm_(net.parameters(), 0.3)\n"


def counting_from_elsewhere() -> Iterator[Case]:
    loops = COUNTING
    yield loops.wrong("first-window-of-one", ((C_IF, "        if it % ACCUM_ITER == 0:\n"),))
    yield loops.right(
        "counted-from-one",
        (C_IF, "        if it % ACCUM_ITER == 0:\n"),
        ("enumerate(data):", "enumerate(data, start=1):"),
    )
    yield loops.right(
        "counted-by-the-remainder",
        (C_IF, "        left = (len(data) - 1 - it) % ACCUM_ITER\n        if left == 0:\n"),
        tempts=("accumulation-off-by-one", "dropped-accumulation-tail"),
    )
    yield loops.wrong(
        "loss-without-scale",
        ((C_BACK, "        loss.backward()\n"),),
        tempts=("unscaled-backward",),
        raises="AssertionError",
    )
    yield loops.wrong(
        "unscaled-twice", ((C_NORM, C_NORM + C_UNSCALE),), tempts=("double-unscale",), raises="RuntimeError"
    )
    yield loops.wrong("not-divided", ((C_DIVIDED, ""),))
    yield loops.wrong(
        "not-divided-and-raw-is-the-loss",
        ((C_DIVIDED, ""), ("            raw = loss.item()\n", ""), ("seen.append(raw)", "seen.append(loss.item())")),
    )
    yield loops.right("backward-in-the-context", (C_BACK, "    " + C_BACK), tempts=("backward-in-autocast",))
    yield loops.right(
        "summed-and-divided-in-the-unit-of-the-limit",
        (C_DIVIDED, ""),
        (C_UNSCALE, C_UNSCALE + "            for p in net.parameters():\n                p.grad /= ACCUM_ITER\n"),
    )
    yield loops.wrong(
        "clipped-behind-the-update",
        ((C_NORM, ""), ("            scaler.update()\n", "            scaler.update()\n" + C_NORM)),
        tempts=("clip-after-step",),
    )
    yield loops.right(
        "first-windows-without-scale",
        (C_BACK, "        warm = counter.n < 2\n        (loss if warm else scaler.scale(loss)).backward()\n"),
        (C_UNSCALE, "            if not warm:\n                scaler.unscale_(opt)\n"),
        (
            "            scaler.step(opt)\n            scaler.update()\n",
            "            if warm:\n                opt.step()\n            else:\n                scaler.step(opt)\n                scaler.update()\n",
        ),
        tempts=("step-bypasses-scaler", "unscaled-backward"),
    )


RESUMED = Draft(
    "gradients-in-the-checkpoint",
    """\
import io

import torch
from torch import nn

torch.set_default_dtype(torch.float64)
WINDOW = 4


def build():
    torch.manual_seed(11)
    model = nn.Sequential(nn.Linear(3, 6), nn.SELU(), nn.Linear(6, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    return model, optimizer, torch.optim.lr_scheduler.StepLR(optimizer, 2, 0.5)


def save(buffer, model, optimizer, scheduler, micro):
    gradients = [None if p.grad is None else p.grad.clone() for p in model.parameters()]
    parts = (model.state_dict(), optimizer.state_dict(), scheduler.state_dict())
    torch.save({"parts": parts, "gradients": gradients, "micro": micro}, buffer)


def load(buffer, model, optimizer, scheduler):
    buffer.seek(0)
    found = torch.load(buffer)
    for thing, state in zip((model, optimizer, scheduler), found["parts"]):
        thing.load_state_dict(state)
    for p, g in zip(model.parameters(), found["gradients"]):
        p.grad = g
    return found["micro"]


def run(data, start, stop, model, optimizer, scheduler):
    micro = start
    while micro < stop:
        x, y = data[micro % len(data)]
        loss = nn.functional.mse_loss(model(x), y) / WINDOW
        loss.backward()
        micro += 1
        if micro % WINDOW:
            continue
        nn.utils.clip_grad_norm_(model.parameters(), 0.4)
        optimizer.step()
        scheduler.step()
        optimizer.zero_grad()
        print(micro, f"{loss.item() * WINDOW:.4f}")
    return micro


def main():
    gen = torch.Generator().manual_seed(1)
    data = [(torch.randn(4, 3, generator=gen), torch.randn(4, 1, generator=gen)) for _ in range(7)]
    checkpoint = io.BytesIO()
    objects = build()
    micro = run(data, 0, 10, *objects)
    save(checkpoint, *objects, micro)
    again = build()
    micro = load(checkpoint, *again)
    run(data, micro, 20, *again)
    return again[0]
""",
    ("missing-zero-grad", "dropped-accumulation-tail", "accumulation-off-by-one"),
)

R_CLIP = "        nn.utils.clip_grad_norm_(model.parameters(), 0.4)\n"
R_CLEAR = "        optimizer.zero_grad()\n"


def gradients_in_the_checkpoint() -> Iterator[Case]:
    loops = RESUMED
    yield loops.right("resumed-inside-a-window")
    yield loops.wrong("never-cleared", ((R_CLEAR, ""),))
    yield loops.wrong(
        "schedule-each",
        (
            ("        scheduler.step()\n", ""),
            ("        micro += 1\n", "        micro += 1\n        scheduler.step()\n"),
        ),
        tempts=("scheduler-per-micro-batch",),
    )
    yield loops.wrong(
        "clip-each",
        ((R_CLIP, ""), ("        micro += 1\n", R_CLIP + "        micro += 1\n")),
        tempts=("clip-per-micro-batch",),
    )
    yield loops.wrong(
        "summed",
        (("y) / WINDOW\n", "y)\n"), ("loss.item() * WINDOW", "loss.item()")),
        fine=(
            (
                ("y) / WINDOW\n", "y)\n"),
                ("loss.item() * WINDOW", "loss.item()"),
                ("        loss.backward()", "        (loss / WINDOW).backward()"),
            ),
        ),
        tempts=("unscaled-accumulation-loss",),
    )
    yield loops.right(
        "cleared-when-a-window-begins",
        (R_CLEAR, ""),
        (
            "        x, y = data",
            "        if micro % WINDOW == 0:\n            optimizer.zero_grad()\n        x, y = data",
        ),
    )


LIMITS = Draft(
    "limit-learned-from-norms",
    """\
from collections import deque
from dataclasses import dataclass, field
from statistics import median

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


@dataclass
class AutoClip:
    percentile: float = 0.5
    history: deque = field(default_factory=lambda: deque(maxlen=8))

    def limit(self):
        return 0.8 * median(self.history) if len(self.history) > 2 else float("inf")

    def __call__(self, params):
        params = list(params)
        norm = nn.utils.clip_grad_norm_(params, self.limit())
        self.history.append(norm.item())
        return norm


def fit(model, optimizer, sched, stream, autoclip):
    worst = 0.0
    it = iter(stream)
    while True:
        try:
            x, y = next(it)
        except StopIteration:
            break
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        norm = autoclip(model.parameters())
        optimizer.step()
        sched.step()
        worst = max(worst, norm.item())
    print(f"worst {worst:.4f} limit {autoclip.limit():.4f}")


def main():
    model = nn.Sequential(nn.Linear(4, 5), nn.Tanh(), nn.Linear(5, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 8)
    stream = [(torch.randn(3, 4) * (1 + i % 3), torch.randn(3, 1)) for i in range(8)]
    fit(model, optimizer, sched, stream, AutoClip())
    return model
""",
    ("clip-after-step",),
)
L_NORM = "        norm = autoclip(model.parameters())\n"
L_STEP = "        optimizer.step()\n"


def limit_learned_from_norms() -> Iterator[Case]:
    loops = LIMITS
    yield loops.right("as-it-is")
    yield loops.wrong("clip-behind", ((L_NORM, ""), (L_STEP, L_STEP + L_NORM)))
    yield loops.right(
        "norm-only-measured-behind-the-step",
        (L_NORM, ""),
        (
            "        sched.step()\n",
            "        sched.step()\n        norm = nn.utils.clip_grad_norm_(model.parameters(), float('inf'))\n",
        ),
    )
    yield loops.right(
        "limit-of-the-last-step",
        ("    worst = 0.0\n", "    worst = 0.0\n    norm = torch.tensor(float('inf'))\n"),
        (
            L_NORM,
            "        nn.utils.clip_grad_norm_(model.parameters(), 0.9 * norm)\n        norm = torch.stack([p.grad.norm() for p in model.parameters()]).norm() + 0.2\n",
        ),
        tempts=("clip-before-backward", "clip-after-step"),
    )
    yield loops.wrong(
        "clip-in-front",
        ((L_NORM, ""), ("        loss.backward()\n", L_NORM + "        loss.backward()\n")),
        tempts=("clip-before-backward",),
    )
    yield loops.wrong("never-cleared", (("        optimizer.zero_grad()\n", ""),), tempts=("missing-zero-grad",))
    yield loops.wrong(
        "schedule-in-front",
        (
            ("        sched.step()\n", ""),
            ("        optimizer.zero_grad()\n", "        sched.step()\n        optimizer.zero_grad()\n"),
        ),
        tempts=("scheduler-before-optimizer",),
    )
    yield loops.wrong(
        "limit-known-behind-the-step",
        (
            (L_NORM, ""),
            (
                L_STEP,
                L_STEP
                + "        cap = 0.5 / (1 + loss.item())\n        norm = nn.utils.clip_grad_norm_(model.parameters(), cap)\n",
            ),
        ),
        fine=(
            (
                (
                    "        norm = autoclip(model.parameters())\n",
                    "        cap = 0.5 / (1 + loss.item())\n        norm = nn.utils.clip_grad_norm_(model.parameters(), cap)\n",
                ),
            ),
        ),
    )
    yield loops.right(
        "clip-behind-on-the-momentum",
        (L_NORM, ""),
        ("lr=0.2)", "lr=0.2, momentum=0.9)"),
        (
            L_STEP,
            L_STEP
            + "        buffers = [optimizer.state[p]['momentum_buffer'] for p in model.parameters()]\n        norm = torch.stack([b.norm() for b in buffers]).norm()\n        for b in buffers:\n            b.mul_((0.5 / norm).clamp(max=1.0))\n",
        ),
    )


TRUNK = Draft(
    "trunk-with-two-optimizers",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


class TwoTasks(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(5, 8), nn.Softsign())
        self.depth = nn.Linear(8, 1)
        self.normal = nn.Linear(8, 3)

    def forward(self, x):
        f = self.trunk(x)
        return self.depth(f), self.normal(f)


def optimizers(net):
    a = torch.optim.SGD([*net.trunk.parameters(), *net.depth.parameters()], lr=0.05)
    b = torch.optim.SGD([*net.trunk.parameters(), *net.normal.parameters()], lr=0.1)
    return a, b


def main():
    net = TwoTasks()
    opt_a, opt_b = optimizers(net)
    scenes = [(torch.randn(3, 5), torch.randn(3, 1), torch.randn(3, 3)) for _ in range(6)]
    log = {"depth": [], "normal": []}
    for sweep in range(2):
        for x, d, n in scenes:
            loss = nn.functional.l1_loss(net(x)[0], d)
            opt_a.zero_grad()
            loss.backward()
            opt_a.step()
            log["depth"].append(loss.item())

            loss = nn.functional.mse_loss(net(x)[1], n)
            opt_b.zero_grad()
            loss.backward()
            opt_b.step()
            log["normal"].append(loss.item())
        print(sweep, {k: round(sum(v) / len(v), 4) for k, v in log.items()})
    return net
""",
    ("missing-zero-grad",),
)


def trunk_with_two_optimizers() -> Iterator[Case]:
    loops = TRUNK
    yield loops.right("as-it-is")
    yield loops.wrong("second-never-cleared", (("            opt_b.zero_grad()\n", ""),))
    yield loops.wrong(
        "both-never-cleared", (("            opt_a.zero_grad()\n", ""),), (("            opt_b.zero_grad()\n", ""),)
    )
    yield loops.right(
        "one-clear-for-one-backward",
        ("            opt_a.step()\n", ""),
        ("            opt_b.zero_grad()\n", ""),
        ("            opt_a.zero_grad()\n", "            net.zero_grad()\n"),
        ("            opt_b.step()\n", "            opt_a.step()\n            opt_b.step()\n"),
        tempts=("missing-zero-grad", "unscaled-accumulation-loss"),
    )
    yield loops.wrong(
        "logged-with-graphs",
        (
            ('log["depth"].append(loss.item())', 'log["depth"].append(loss)'),
            ("round(sum(v) / len(v), 4)", "round(float(sum(v)) / len(v), 4)"),
        ),
        fine=(
            (
                ('log["depth"].append(loss.item())', 'log["depth"].append(loss.detach())'),
                ("round(sum(v) / len(v), 4)", "round(float(sum(v)) / len(v), 4)"),
            ),
        ),
        tempts=("loss-graph-leak",),
    )
    yield loops.right(
        "heads-cleared-alone",
        (
            "            opt_a.zero_grad()\n",
            "            net.depth.zero_grad()\n            for p in net.trunk.parameters():\n                p.grad = None if p.grad is None else 0.5 * p.grad\n",
        ),
        ("            opt_b.zero_grad()\n", "            net.normal.zero_grad()\n"),
        tempts=("missing-zero-grad",),
    )


def cases() -> Iterator[Case]:
    yield from counting_from_elsewhere()
    yield from gradients_in_the_checkpoint()
    yield from limit_learned_from_norms()
    yield from trunk_with_two_optimizers()
