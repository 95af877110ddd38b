"""Clips whose norm is used later, clips of two kinds, clip helpers, norms measured after the step on purpose."""

from __future__ import annotations

from collections.abc import Iterator

from harm.case import Case, Skeleton, swap

LOGGED = """
import math

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


class Meter:
    def __init__(self):
        self.values = []

    def update(self, v):
        self.values.append(float(v))

    @property
    def avg(self):
        return sum(self.values) / max(len(self.values), 1)


def train(model, batches, optimizer, max_norm=0.3):
    norms, losses = Meter(), Meter()
    for step, (x, y) in enumerate(batches):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        grad_norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        if math.isnan(grad_norm):
            raise RuntimeError(f"step {step}: NaN in the gradients")
        optimizer.step()
        norms.update(grad_norm)
        losses.update(loss)
        if step % 4 == 3:
            print(f"{step}: loss {losses.avg:.5f} norm {norms.avg:.5f} clipped {grad_norm > max_norm}")


def main():
    torch.manual_seed(20)
    batches = [(torch.randn(3, 4), torch.randn(3, 2)) for _ in range(8)]
    model = nn.Sequential(nn.Linear(4, 5), nn.Tanh(), nn.Linear(5, 2))
    train(model, batches, torch.optim.SGD(model.parameters(), lr=0.3))
    return model
"""

NORM = "        grad_norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm)\n"
NAN = '        if math.isnan(grad_norm):\n            raise RuntimeError(f"step {step}: NaN in the gradients")\n'


def norm_is_logged() -> Iterator[Case]:
    loops = Skeleton("norm-is-logged")
    yield loops.right("as-it-is", LOGGED, "clip-after-step")
    yield loops.right(
        "both-norms",
        swap(
            LOGGED,
            NORM,
            NORM + "        after = nn.utils.clip_grad_norm_(model.parameters(), float('inf'))\n",
            "norms.update(grad_norm)",
            "norms.update(after)",
        ),
        "clip-per-micro-batch",
    )
    yield loops.right(
        "measured-after-the-step",
        swap(
            LOGGED,
            NORM + NAN,
            "",
            "        optimizer.step()\n",
            "        optimizer.step()\n" + NORM.replace("max_norm", "float('inf')"),
        ),
        "clip-after-step",
    )
    yield loops.right(
        "measured-after-the-step-clipped-before",
        swap(
            LOGGED,
            NORM + NAN,
            "        nn.utils.clip_grad_norm_(model.parameters(), max_norm)\n",
            "        optimizer.step()\n",
            "        optimizer.step()\n" + NORM.replace("max_norm", "math.inf"),
        ),
        "clip-after-step",
    )
    yield loops.right(
        "measured-with-another-norm",
        swap(
            LOGGED,
            "        norms.update(grad_norm)\n",
            "        norms.update(nn.utils.clip_grad_norm_(model.parameters(), 1e12, norm_type=1.0))\n",
        ),
        "clip-after-step",
    )
    yield loops.wrong(
        "clip-late-nan-test-behind",
        swap(LOGGED, NORM + NAN, "", "        optimizer.step()\n", "        optimizer.step()\n" + NORM + NAN),
        LOGGED,
        tempts=("clip-after-step",),
    )
    yield loops.wrong(
        "clip-late-in-the-log",
        swap(
            LOGGED,
            NORM + NAN,
            "",
            "norms.update(grad_norm)",
            "norms.update(nn.utils.clip_grad_norm_(model.parameters(), max_norm))",
            " clipped {grad_norm > max_norm}",
            "",
        ),
        swap(LOGGED, NAN, "", " clipped {grad_norm > max_norm}", ""),
        tempts=("clip-after-step",),
    )
    yield loops.wrong(
        "clip-first-thing",
        swap(LOGGED, NORM + NAN, "", "        loss = nn", NORM + "        loss = nn"),
        swap(LOGGED, NAN, ""),
        tempts=("clip-before-backward",),
    )
    yield loops.wrong(
        "losses-keep-graphs",
        swap(LOGGED, "self.values.append(float(v))", "self.values.append(v)"),
        LOGGED,
        tempts=("loss-graph-leak",),
    )


TWO = """
import torch, torch.nn as nn
torch.set_default_dtype(torch.float64)

def main():
    torch.manual_seed(30)
    rnn = nn.LSTM(3, 5, batch_first=True)
    out = nn.Linear(5, 1)
    params = list(rnn.parameters()) + list(out.parameters())
    opt = torch.optim.RMSprop(params, lr=0.01)
    hidden = None
    for t in range(8):
        x = torch.randn(2, 6, 3)
        opt.zero_grad()
        y, hidden = rnn(x, hidden)
        hidden = tuple(h.detach() for h in hidden)
        loss = (out(y) - x.sum(-1, keepdim=True)).pow(2).mean()
        loss.backward()
        nn.utils.clip_grad_value_(params, 0.05)
        nn.utils.clip_grad_norm_(params, 0.1)
        opt.step()
        if t % 4 == 0: print(t, "%.6f" % loss.item())
    return rnn, out
"""


def value_and_norm() -> Iterator[Case]:
    loops = Skeleton("value-and-norm")
    value = "        nn.utils.clip_grad_value_(params, 0.05)\n"
    norm = "        nn.utils.clip_grad_norm_(params, 0.1)\n"
    yield loops.right("both", TWO, "clip-per-micro-batch", "clip-after-step")
    yield loops.right("norm-then-value", swap(TWO, value + norm, norm + value), "clip-per-micro-batch")
    yield loops.right(
        "by-hand", swap(TWO, value, "        for p in params: p.grad.clamp_(-0.05, 0.05)\n"), "clip-after-step"
    )
    yield loops.right(
        "each-its-own-limit",
        swap(
            TWO,
            value + norm,
            "        nn.utils.clip_grad_norm_(rnn.parameters(), 0.1); nn.utils.clip_grad_norm_(out.parameters(), 0.5)\n",
        ),
        "clip-per-micro-batch",
    )
    yield loops.wrong(
        "norm-late",
        swap(TWO, norm, "", "        opt.step()\n", "        opt.step()\n" + norm),
        TWO,
        tempts=("clip-after-step",),
    )
    yield loops.wrong(
        "both-late",
        swap(TWO, value + norm, "", "        opt.step()\n", "        opt.step()\n" + value + norm),
        TWO,
        swap(TWO, value, "", "        opt.step()\n", "        opt.step()\n" + value),
        swap(TWO, norm, "", "        opt.step()\n", "        opt.step()\n" + norm),
        tempts=("clip-after-step",),
    )
    yield loops.wrong(
        "one-line-late",
        swap(TWO, norm + "        opt.step()\n", "        opt.step(); nn.utils.clip_grad_norm_(params, 0.1)\n"),
        TWO,
        tempts=("clip-after-step",),
    )
    yield loops.wrong(
        "value-in-front-of-the-backward",
        swap(TWO, value, "", "        loss.backward()\n", value + "        loss.backward()\n"),
        TWO,
        tempts=("clip-before-backward",),
        raises="RuntimeError",  # torch refuses to clip values where there are none
    )


HELPER = """
from __future__ import annotations

from typing import Iterable

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def clip_gradients(params: Iterable[nn.Parameter], limit: float) -> torch.Tensor | None:
    \"\"\"Clip if there is a limit.\"\"\"
    if limit > 0:
        return nn.utils.clip_grad_norm_(params, limit)
    return None


def train(model: nn.Module, steps: int, limit: float, accum: int = 2) -> list[float]:
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
    norms = []
    for step in range(steps):
        for _ in range(accum):
            x = torch.randn(4, 2)
            loss = nn.functional.mse_loss(model(x), x.sin()) / accum
            loss.backward()
        norm = clip_gradients(model.parameters(), limit)
        optimizer.step()
        optimizer.zero_grad()
        if norm is not None:
            norms.append(norm.item())
    return norms


def main() -> nn.Module:
    model = nn.Sequential(nn.Linear(2, 6), nn.Tanh(), nn.Linear(6, 2))
    torch.manual_seed(44)
    print([round(n, 5) for n in train(model, 5, limit=0.1)])
    return model
"""


def clip_helper() -> Iterator[Case]:
    loops = Skeleton("clip-helper")
    call = "        norm = clip_gradients(model.parameters(), limit)\n"
    yield loops.right("as-it-is", HELPER, "clip-after-step")
    yield loops.right("no-limit", swap(HELPER, "limit=0.1", "limit=0.0"), "clip-after-step")
    yield loops.right(
        "without-limit-and-behind-the-step",
        swap(
            HELPER,
            "limit=0.1",
            "limit=1e9",
            call,
            "",
            "        optimizer.step()\n",
            "        optimizer.step()\n" + call,
        ),
        "clip-after-step",
    )
    yield loops.wrong(
        "late",
        swap(HELPER, call, "", "        optimizer.step()\n", "        optimizer.step()\n" + call),
        HELPER,
        tempts=("clip-after-step",),
    )
    yield loops.wrong("per-micro-batch", swap(HELPER, call, "    " + call), HELPER, tempts=("clip-per-micro-batch",))
    yield loops.wrong(
        "behind-the-clear",
        swap(HELPER, call, "", "        optimizer.zero_grad()\n", "        optimizer.zero_grad()\n" + call),
        HELPER,
        tempts=("clip-after-step", "clip-before-backward"),
    )
    yield loops.wrong(
        "norm-bound-on-one-path",
        swap(
            HELPER,
            call,
            "",
            "        optimizer.zero_grad()\n        if norm is not None:\n            norms.append(norm.item())\n",
            "        if limit > 0:\n"
            "            norm = nn.utils.clip_grad_norm_(model.parameters(), limit)\n"
            "            norms.append(norm.item())\n"
            "        optimizer.zero_grad()\n",
        ),
        HELPER,
        tempts=("clip-after-step",),
    )


ONCE = """
import torch
from torch import nn
from itertools import chain

torch.set_default_dtype(torch.float64)


class Seq2Seq(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Linear(3, 4)
        self.dec = nn.Linear(4, 3)
        self.enc.bias.requires_grad = False

    def forward(self, x):
        return self.dec(torch.relu(self.enc(x)))


def main():
    torch.manual_seed(50)
    model = Seq2Seq()
    params = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.Adam(params, lr=0.03)
    n_params = sum(p.numel() for p in params)
    for i in range(6):
        x = torch.randn(4, 3)
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), x)
        loss.backward()
        total = nn.utils.clip_grad_norm_(params, 0.05)
        optimizer.step()
        print(i, n_params, f"{loss.item():.5f} {float(total):.5f}")
    return model
"""


def walked_once() -> Iterator[Case]:
    loops = Skeleton("walked-once")
    tempts = "clip-exhausted-parameters"
    making = "[p for p in model.parameters() if p.requires_grad]"
    yield loops.right("a-list", ONCE, tempts)
    yield loops.right(
        "made-anew",
        swap(ONCE, "clip_grad_norm_(params,", "clip_grad_norm_((p for p in model.parameters() if p.requires_grad),"),
        tempts,
    )
    yield loops.right(
        "generator-only-for-the-count",
        swap(
            ONCE, "sum(p.numel() for p in params)", "sum(map(torch.numel, filter(lambda p: p.requires_grad, params)))"
        ),
        tempts,
    )
    no_count = swap(ONCE, "    n_params = sum(p.numel() for p in params)\n", "", "print(i, n_params, f", "print(i, f")
    for name, text in (
        ("generator", "(p for p in model.parameters() if p.requires_grad)"),
        ("filter", "filter(lambda p: p.requires_grad, model.parameters())"),
        ("chain", "chain(model.enc.parameters(), model.dec.parameters())"),
        ("parameters", "model.parameters()"),
    ):
        yield loops.wrong(
            f"{name}-given-to-the-optimizer",
            swap(no_count, making, text),
            swap(no_count, making, f"list({text})"),
            tempts=(tempts,),
        )
    # counted beforehand: the iterator is at its end when the optimizer asks
    yield loops.wrong(
        "optimizer-refuses-an-empty-iterator",
        swap(
            ONCE,
            making,
            "filter(lambda p: p.requires_grad, model.parameters())",
            "    optimizer = torch.optim.Adam(params, lr=0.03)\n    n_params = sum(p.numel() for p in params)\n",
            "    n_params = sum(p.numel() for p in params)\n    optimizer = torch.optim.Adam(params, lr=0.03)\n",
        ),
        ONCE,
        tempts=(tempts,),
        raises="ValueError",
    )


def cases() -> Iterator[Case]:
    yield from norm_is_logged()
    yield from value_and_norm()
    yield from clip_helper()
    yield from walked_once()
