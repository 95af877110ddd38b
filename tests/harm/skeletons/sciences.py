"""Equations at points, gradients that are kept private, nodes of one graph, densities in blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

POINTS = Draft(
    "equation-at-points",
    """\
import math

import torch
import torch.nn as nn
from torch.autograd import grad

torch.set_default_dtype(torch.float64)


class Field(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, width), nn.Tanh(), nn.Dropout(0.05), nn.Linear(width, 1))

    def forward(self, t):
        return self.net(t)


def residual(field, t):
    \"\"\"u'' + u = 0\"\"\"
    t = t.clone().requires_grad_(True)
    u = field(t)
    (du,) = grad(u.sum(), t, create_graph=True)
    (ddu,) = grad(du.sum(), t, create_graph=True)
    return ddu + u


def validate(field, n=9):
    field.eval()
    t = torch.linspace(0, 2, n)[:, None]
    worst = residual(field, t).abs().max().item()
    field.train()
    return worst


def main():
    torch.manual_seed(10)
    field = Field()
    optimizer = torch.optim.Adam(field.parameters(), lr=0.02)
    plan = torch.optim.lr_scheduler.MultiStepLR(optimizer, [6, 9], gamma=0.2)
    history = []
    start = torch.zeros(1, 1)
    for iteration in range(12):
        optimizer.zero_grad()
        inside = residual(field, 2 * torch.rand(8, 1)).pow(2).mean()
        inside.backward()
        value = 10 * (field(start) - 1).pow(2).mean()
        value.backward()
        t = torch.rand(4, 1)
        measured = (field(t) - torch.cos(t)).pow(2).mean()
        measured.backward()
        nn.utils.clip_grad_norm_(field.parameters(), 5.0)
        optimizer.step()
        plan.step()
        history.append((inside.item(), value.item(), measured.item()))
        if iteration % 4 == 3:
            print(f"{iteration} worst {validate(field):.4f}")
    inside, value, measured = (math.fsum(map(float, column)) / len(column) for column in zip(*history))
    print(f"inside {inside:.4f} value {value:.4f} measured {measured:.4f}")
    return field
""",
    ("unscaled-accumulation-loss", "validation-without-no-grad"),
)

P_CLEAR = "        optimizer.zero_grad()\n"
P_CLIP = "        nn.utils.clip_grad_norm_(field.parameters(), 5.0)\n"
P_ITEMS = "history.append((inside.item(), value.item(), measured.item()))"


def points() -> Iterator[Case]:
    yield POINTS.right("three-terms-one-update")
    yield POINTS.right(
        "derivative-is-what-is-validated",
        (
            "    worst = residual(field, t).abs().max().item()\n",
            "    worst = max(residual(field, part).abs().max().item() for part in t.split(3))\n",
        ),
        tempts=("validation-without-no-grad",),
    )
    yield POINTS.right(
        "terms-kept-and-weighed-by-their-size",
        (
            "        inside.backward()\n",
            "",
        ),
        ("        value.backward()\n", ""),
        (
            "        measured.backward()\n",
            """\
        terms = []
        for term in (inside, value, measured):
            terms.append(term / (1 + term.detach()))
        total = sum(terms)
        total.backward()
""",
        ),
        tempts=("loss-graph-leak",),
    )
    yield POINTS.wrong(
        "clipped-in-front-of-the-last-term",
        ((P_CLIP, ""), ("        measured.backward()\n", P_CLIP + "        measured.backward()\n")),
        tempts=("clip-before-backward",),
    )
    yield POINTS.wrong(
        "cleared-in-front-of-the-second-term",
        ((P_CLEAR, ""), ("        value.backward()\n", P_CLEAR + "        value.backward()\n")),
        tempts=("zero-grad-in-accumulation",),
    )
    yield POINTS.wrong("validated-and-left-in-eval", (("    field.train()\n", ""),), tempts=("missing-train-mode",))
    kept = (P_ITEMS, "history.append((inside, value, measured))")
    yield POINTS.wrong(
        "terms-kept-with-graphs",
        (kept,),
        fine=(((P_ITEMS, "history.append((inside.detach(), value.detach(), measured.detach()))"),),),
        tempts=("loss-graph-leak",),
    )


PRIVATE = Draft(
    "gradients-kept-private",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


class PrivateSum:
    \"\"\"Sums of gradients, each of which was cut off at the same norm, with noise on top.\"\"\"

    def __init__(self, parameters, bound, noise, seed=0):
        self.parameters = list(parameters)
        self.bound, self.noise = bound, noise
        self.generator = torch.Generator().manual_seed(seed)
        self.sums = [torch.zeros_like(p) for p in self.parameters]
        self.count = 0

    def add(self):
        nn.utils.clip_grad_norm_(self.parameters, self.bound)
        for total, p in zip(self.sums, self.parameters):
            total += p.grad
            p.grad = None
        self.count += 1

    def release(self):
        for total, p in zip(self.sums, self.parameters):
            jitter = torch.randn(p.shape, generator=self.generator) * self.noise * self.bound
            p.grad = (total + jitter) / self.count
            total.zero_()
        self.count = 0


def main():
    torch.manual_seed(20)
    model = nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.Linear(6, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.8)
    private = PrivateSum(model.parameters(), bound=0.2, noise=0.05)
    people = [(torch.randn(4), torch.randint(0, 2, ())) for _ in range(18)]
    lot = 6
    for epoch in range(2):
        running = 0.0
        for number, (x, y) in enumerate(people, 1):
            loss = nn.functional.cross_entropy(model(x[None]), y[None])
            loss.backward()
            private.add()
            running += loss.item()
            if number % lot == 0:
                private.release()
                optimizer.step()
                optimizer.zero_grad()
        scheduler.step()
        print(f"{epoch} {float(running) / len(people):.4f}")
    return model
""",
    ("clip-per-micro-batch", "zero-grad-in-accumulation"),
)


def private() -> Iterator[Case]:
    yield PRIVATE.right(
        "each-one-clipped-and-cleared", tempts=("unscaled-accumulation-loss", "zero-grad-in-accumulation")
    )
    yield PRIVATE.right(
        "written-out-in-the-loop",
        (
            "            private.add()\n",
            """\
            nn.utils.clip_grad_norm_(model.parameters(), private.bound)
            for total, p in zip(private.sums, model.parameters()):
                total.add_(p.grad)
            model.zero_grad()
            private.count += 1
""",
        ),
        (
            "                optimizer.step()\n                optimizer.zero_grad()\n",
            "                optimizer.step()\n                model.zero_grad()\n",
        ),
    )
    yield PRIVATE.right(
        "clip-of-each-and-clip-of-all",
        (
            "                optimizer.step()\n",
            "                nn.utils.clip_grad_norm_(model.parameters(), 0.05)\n                optimizer.step()\n",
        ),
        tempts=("clip-per-micro-batch", "clip-before-backward"),
    )
    yield PRIVATE.right(
        "sums-are-swapped-with-gradients",
        ("            p.grad = None\n", "            p.grad.zero_()\n"),
        (
            "            p.grad = (total + jitter) / self.count\n            total.zero_()\n",
            "            p.grad.copy_((total + jitter) / self.count)\n            total.zero_()\n",
        ),
    )
    yield PRIVATE.wrong(
        "released-ones-are-not-cleared",
        (("                optimizer.zero_grad()\n", ""),),
        tempts=("missing-zero-grad",),
    )
    yield PRIVATE.wrong(
        "running-keeps-graphs", (("running += loss.item()", "running += loss"),), tempts=("loss-graph-leak",)
    )
    yield PRIVATE.wrong(
        "schedule-first",
        (
            ("        scheduler.step()\n", ""),
            ("        running = 0.0\n", "        scheduler.step()\n        running = 0.0\n"),
        ),
        tempts=("scheduler-before-optimizer",),
    )


NODES = Draft(
    "nodes-of-one-graph",
    """\
import torch
import torch.nn.functional as F
from torch import nn

torch.set_default_dtype(torch.float64)


class GCN(nn.Module):
    def __init__(self, features, hidden, classes, dropout=0.3):
        super().__init__()
        self.first = nn.Linear(features, hidden)
        self.second = nn.Linear(hidden, classes)
        self.dropout = dropout

    def forward(self, x, adjacency):
        x = F.dropout(x, self.dropout, training=self.training)
        x = F.relu(adjacency @ self.first(x))
        return adjacency @ self.second(x)


def ring(n):
    adjacency = torch.eye(n) + torch.eye(n).roll(1, 0) + torch.eye(n).roll(-1, 0)
    return adjacency / 3


def main():
    torch.manual_seed(17)
    n = 20
    x, adjacency, labels = torch.randn(n, 5), ring(n), torch.arange(n) * 3 // n
    train_mask = torch.arange(n) % 2 == 0
    model = GCN(5, 8, 3)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05, weight_decay=5e-4)
    plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=1)

    def train():
        model.train()
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x, adjacency)[train_mask], labels[train_mask])
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.2)
        optimizer.step()
        return loss.item()

    @torch.no_grad()
    def test():
        model.eval()
        logits = model(x, adjacency)
        loss = F.cross_entropy(logits[~train_mask], labels[~train_mask])
        return loss, (logits.argmax(1) == labels)[~train_mask].double().mean().item()

    best, bad = float("inf"), 0
    losses = []
    for epoch in range(1, 11):
        losses.append(train())
        loss, score = test()
        plateau.step(loss)
        print(f"Epoch {epoch:02d} {losses[-1]:.4f} {loss:.4f} {score:.2f} lr {optimizer.param_groups[0]['lr']:.4f}")
        if loss < best:
            best, bad = loss, 0
        else:
            bad += 1
            if bad > 3:
                break
    return model
""",
    ("missing-train-mode", "scheduler-before-optimizer"),
)

ND_CLIP = "        nn.utils.clip_grad_norm_(model.parameters(), 0.2)\n"
ND_CLEAR = "        optimizer.zero_grad()\n"


def nodes() -> Iterator[Case]:
    yield NODES.right("stops-on-a-plateau", tempts=("loss-graph-leak", "scheduler-before-optimizer"))
    yield NODES.right(
        "dropout-by-the-caller",
        (
            "    def forward(self, x, adjacency):\n        x = F.dropout(x, self.dropout, training=self.training)\n",
            "    def forward(self, x, adjacency):\n",
        ),
        ("        model.train()\n", ""),
        (
            "        loss = F.cross_entropy(model(x, adjacency)[train_mask]",
            "        noisy = F.dropout(x, model.dropout)\n        loss = F.cross_entropy(model(noisy, adjacency)[train_mask]",
        ),
        ("        model.eval()\n", ""),
    )
    yield NODES.right(
        "sensitivity-of-the-test-is-wanted",
        (
            "    @torch.no_grad()\n    def test():\n        model.eval()\n        logits = model(x, adjacency)\n",
            "    def test():\n        model.eval()\n        probe = x.clone().requires_grad_(True)\n        logits = model(probe, adjacency)\n",
        ),
        (
            "        return loss, (logits",
            "        (slope,) = torch.autograd.grad(loss, probe)\n        loss = loss.detach() + 0.01 * slope.norm()\n        return loss, (logits",
        ),
        tempts=("validation-without-no-grad",),
    )
    yield NODES.wrong("trained-in-eval-from-the-second-epoch", (("        model.train()\n", ""),))
    yield NODES.wrong(
        "tested-with-gradients",
        (("    @torch.no_grad()\n    def test", "    def test"),),
        tempts=("validation-without-no-grad",),
    )
    yield NODES.wrong("only-named", ((ND_CLEAR, "        optimizer.zero_grad\n"),), tempts=("method-not-called",))


FLOW = Draft(
    "densities-in-blocks",
    """\
import math

import torch
from torch import nn
from torch.amp import GradScaler, autocast


class Coupling(nn.Module):
    def __init__(self, flip):
        super().__init__()
        self.flip = flip
        self.net = nn.Sequential(nn.Linear(1, 8), nn.SiLU(), nn.Linear(8, 2))

    def forward(self, x):
        a, b = x.chunk(2, dim=1)
        if self.flip:
            a, b = b, a
        shift, log_scale = self.net(a).float().chunk(2, dim=1)
        log_scale = log_scale.tanh()
        b = b * log_scale.exp() + shift
        return torch.cat([a, b] if not self.flip else [b, a], dim=1), log_scale.sum(dim=1)


class Flow(nn.Module):
    def __init__(self, depth=3):
        super().__init__()
        self.blocks = nn.ModuleList(Coupling(n % 2 == 1) for n in range(depth))

    def log_prob(self, x):
        total = x.new_zeros(len(x))
        for block in self.blocks:
            x, log_det = block(x)
            total = total + log_det
        return total - 0.5 * x.pow(2).sum(dim=1) - math.log(2 * math.pi)


class Trainer:
    accum_steps = 4
    max_grad_norm = 0.5

    def __init__(self, flow):
        self.flow = flow
        self.optim = torch.optim.SGD(flow.parameters(), lr=0.1, momentum=0.9)
        self.scaler = GradScaler("cpu", init_scale=128.0)
        self.bad = 0

    def fit(self, data):
        self.optim.zero_grad(set_to_none=True)
        for i, x in enumerate(data):
            with autocast("cpu", dtype=torch.float16):
                nll = -self.flow.log_prob(x).mean()
            self.scaler.scale(nll / self.accum_steps).backward()
            if (i + 1) % self.accum_steps == 0:
                self.optimize()
        print(f"nll {nll.item():.2f}, {self.bad} bad")

    def optimize(self):
        self.scaler.unscale_(self.optim)
        norm = nn.utils.clip_grad_norm_(self.flow.parameters(), self.max_grad_norm)
        if not norm.isfinite():
            self.bad += 1
        self.scaler.step(self.optim)
        self.scaler.update()
        self.optim.zero_grad(set_to_none=True)


def main():
    torch.manual_seed(33)
    flow = Flow()
    data = [torch.randn(6, 2) * torch.tensor([1.0, 0.3]) + 0.5 for _ in range(8)]
    data[2][0, 0] = float("nan")
    trainer = Trainer(flow)
    for _ in range(3):
        trainer.fit(data)
    return flow
""",
    ("clip-scaled-gradients", "missing-scaler-update"),
)

FL_UNSCALE = "        self.scaler.unscale_(self.optim)\n"
FL_CLIP = "        norm = nn.utils.clip_grad_norm_(self.flow.parameters(), self.max_grad_norm)\n"
FL_UPDATE = "        self.scaler.update()\n"
FL_CLEAR = "        self.optim.zero_grad(set_to_none=True)\n\n\ndef main"
FL_BACKWARD = "            self.scaler.scale(nll / self.accum_steps).backward()\n"


def flow() -> Iterator[Case]:
    yield FLOW.right("scaler-skips-what-is-not-a-number", tempts=("missing-scaler-update", "double-unscale"))
    yield FLOW.right(
        "bad-window-given-up",
        (
            "            self.bad += 1\n",
            "            self.bad += 1\n            self.scaler.update()\n            self.optim.zero_grad(set_to_none=True)\n            return\n",
        ),
    )
    yield FLOW.right(
        "limit-grows-with-the-scale",
        (FL_UNSCALE, "        scale = self.scaler.get_scale()\n"),
        (FL_CLIP, "        norm = nn.utils.clip_grad_norm_(self.flow.parameters(), self.max_grad_norm * scale)\n"),
    )
    yield FLOW.wrong("clipped-while-scaled", ((FL_UNSCALE, ""),))
    yield FLOW.wrong(
        "updated-only-when-good",
        (
            (
                "            self.bad += 1\n        self.scaler.step(self.optim)\n        self.scaler.update()\n",
                "            self.bad += 1\n        self.scaler.step(self.optim)\n        if norm.isfinite():\n            self.scaler.update()\n",
            ),
        ),
        tempts=("missing-scaler-update",),
        raises="RuntimeError",
    )
    yield FLOW.wrong(
        "unscaled-for-each",
        (
            (FL_UNSCALE, ""),
            ("            if (i + 1) %", "            self.scaler.unscale_(self.optim)\n            if (i + 1) %"),
        ),
        tempts=("double-unscale",),
        raises="RuntimeError",
    )
    yield FLOW.wrong(
        "scaled-and-dropped",
        (
            (
                FL_BACKWARD,
                "            self.scaler.scale(nll / self.accum_steps)\n            (nll / self.accum_steps).backward()\n",
            ),
        ),
        tempts=("unscaled-backward",),
    )
    yield FLOW.wrong(
        "stepped-directly",
        (("        self.scaler.step(self.optim)\n", "        self.optim.step()\n"),),
        tempts=("step-bypasses-scaler",),
    )


def cases() -> Iterator[Case]:
    yield from points()
    yield from private()
    yield from nodes()
    yield from flow()
