"""Ways to lay a loop out: one-line suites, closures, notebooks, names bound on one path, one optimizer for two loops."""

from __future__ import annotations

from collections.abc import Iterator

from harm.case import Case, Skeleton, drop, swap

NOTEBOOK = """
import torch
import torch.nn as nn
torch.set_default_dtype(torch.float64)

# %%
def main():
    # %% data
    torch.manual_seed(0)
    X = torch.randn(24, 3); y = (X.sum(1) > 0).long()

    # %% model
    net = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))
    opt = torch.optim.SGD(net.parameters(), lr=.5); crit = nn.CrossEntropyLoss()

    # %% train
    hist = []
    for ep in range(3):
        for i in range(0, 24, 6):
            xb, yb = X[i:i+6], y[i:i+6]
            opt.zero_grad(); loss = crit(net(xb), yb); loss.backward(); opt.step()
            hist.append(loss.item())
        if ep % 2 == 0: print(ep, hist[-1])

    # %% plot
    print("min %.5f at %d" % (min(hist), hist.index(min(hist))))
    return net
"""


def notebook() -> Iterator[Case]:
    loops = Skeleton("notebook")
    yield loops.right("as-it-is", NOTEBOOK, "missing-zero-grad")
    line = "opt.zero_grad(); loss = crit(net(xb), yb); loss.backward(); opt.step()"
    yield loops.right(
        "cleared-at-the-end-of-the-line",
        swap(NOTEBOOK, line, "loss = crit(net(xb), yb); loss.backward(); opt.step(); opt.zero_grad()"),
        "zero-grad-before-step",
    )
    yield loops.right(
        "no-name-for-the-loss",
        swap(
            NOTEBOOK,
            line + "\n            hist.append(loss.item())",
            "opt.zero_grad(); out = crit(net(xb), yb).clone(); out.backward(); opt.step()\n"
            "            hist += [out.item()]",
        ),
        "loss-graph-leak",
    )
    yield loops.right(
        "one-line-loop",
        swap(
            NOTEBOOK,
            "            " + line,
            "            for _ in range(1): opt.zero_grad(); loss = crit(net(xb), yb); loss.backward(); opt.step()",
        ),
        "missing-zero-grad",
    )
    yield loops.wrong(
        "never-cleared",
        swap(NOTEBOOK, line, "loss = crit(net(xb), yb); loss.backward(); opt.step()"),
        NOTEBOOK,
        tempts=("missing-zero-grad",),
    )
    yield loops.wrong(
        "cleared-in-the-middle",
        swap(NOTEBOOK, line, "loss = crit(net(xb), yb); loss.backward(); opt.zero_grad(); opt.step()"),
        NOTEBOOK,
        tempts=("zero-grad-before-step",),
    )
    yield loops.wrong(
        "history-keeps-graphs",
        swap(NOTEBOOK, "hist.append(loss.item())", "hist.append(loss)"),
        NOTEBOOK,
        swap(NOTEBOOK, "hist.append(loss.item())", "hist.append(loss.detach())"),
        tempts=("loss-graph-leak",),
    )
    guard = swap(
        NOTEBOOK,
        line,
        "loss = crit(net(xb), yb); (loss / 2).backward()\n            if i % 12 == 6: opt.step(); opt.zero_grad()",
    )
    yield loops.right("guard-in-one-line", guard, "accumulation-off-by-one")
    yield loops.wrong(
        "guard-in-one-line-undivided",
        swap(guard, "(loss / 2).backward()", "loss.backward()"),
        guard,
        tempts=("unscaled-accumulation-loss",),
    )
    yield loops.wrong(
        "guard-in-one-line-shared",
        swap(guard, "if i % 12 == 6: opt.step(); opt.zero_grad()", "if i % 12 == 6: opt.step()"),
        guard,
        tempts=("missing-zero-grad",),
    )


CLOSURES = """
import contextlib
import functools
import time

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


@contextlib.contextmanager
def timer(record, name):
    t0 = time.perf_counter()
    yield
    record[name] = record.get(name, 0.0) + time.perf_counter() - t0


def logged(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        result = fn(*args, **kwargs)
        wrapper.calls += 1
        return result

    wrapper.calls = 0
    return wrapper


def make_train_step(model, loss_fn, optimizer, accumulate):
    state = {"n": 0}

    @logged
    def train_step(x, y):
        model.train()
        loss = loss_fn(model(x), y) / accumulate
        loss.backward()
        state["n"] += 1
        if state["n"] == accumulate:
            optimizer.step()
            optimizer.zero_grad()
            state["n"] = 0
        return loss.item()

    return train_step


def main():
    torch.manual_seed(110)
    record = {}
    model = nn.Sequential(nn.Linear(2, 4), nn.Mish(), nn.Linear(4, 1))
    train_step = make_train_step(model, nn.MSELoss(), torch.optim.NAdam(model.parameters(), lr=0.05), 3)
    for epoch in range(2):
        with timer(record, "epoch"):
            for _ in range(6):
                x = torch.randn(4, 2)
                value = train_step(x, x.abs().sum(1, keepdim=True))
        print(epoch, f"{value:.6f}", train_step.calls)
    assert record["epoch"] > 0
    return model
"""


def closures() -> Iterator[Case]:
    loops = Skeleton("closures")
    yield loops.right("as-it-is", CLOSURES, "zero-grad-in-accumulation")
    yield loops.right(
        "caller-steps",
        swap(
            CLOSURES,
            '        state["n"] += 1\n'
            '        if state["n"] == accumulate:\n'
            "            optimizer.step()\n"
            "            optimizer.zero_grad()\n"
            '            state["n"] = 0\n',
            '        state["n"] += 1\n',
            "    return train_step\n\n",
            "    def update():\n"
            "        optimizer.step()\n"
            "        optimizer.zero_grad()\n"
            "\n"
            "    return train_step, update\n"
            "\n",
            "    train_step = make",
            "    train_step, update = make",
            "sum(1, keepdim=True))\n",
            "sum(1, keepdim=True))\n                if train_step.calls % 3 == 0:\n                    update()\n",
        ),
        "missing-zero-grad",
        "unscaled-accumulation-loss",
    )
    yield loops.wrong(
        "undivided",
        swap(CLOSURES, "y) / accumulate", "y)", "return loss.item()", "return loss.item() / accumulate"),
        CLOSURES,
        tempts=("unscaled-accumulation-loss",),
    )
    yield loops.wrong(
        "cleared-at-the-top",
        swap(CLOSURES, "        model.train()\n", "        model.train()\n        optimizer.zero_grad()\n"),
        CLOSURES,
        tempts=("zero-grad-in-accumulation",),
    )
    yield loops.wrong("never-cleared", drop(CLOSURES, "optimizer.zero_grad()"), CLOSURES, tempts=("missing-zero-grad",))
    yield loops.wrong(
        "step-before-clear-swapped",
        swap(
            CLOSURES,
            "            optimizer.step()\n            optimizer.zero_grad()\n",
            "            optimizer.zero_grad()\n            optimizer.step()\n",
        ),
        CLOSURES,
        tempts=("zero-grad-before-step",),
    )


WARM = """
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


class Runner:
    def __init__(self, model, warm_batches=4, accumulate=3):
        self.model = model
        self.warm_batches = warm_batches
        self.accumulate = accumulate
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def loss(self, x):
        return (self.model(x) - x.mean(1, keepdim=True)).square().mean()

    def warm_up(self, data):
        # plain steps at first: batch by batch
        for group in self.optimizer.param_groups:
            group["lr"] *= 0.1
        for x in data[: self.warm_batches]:
            self.optimizer.zero_grad()
            self.loss(x).backward()
            self.optimizer.step()
        for group in self.optimizer.param_groups:
            group["lr"] *= 10
        self.optimizer.zero_grad()

    def main_phase(self, data):
        for i, x in enumerate(data):
            loss = self.loss(x) / self.accumulate
            loss.backward()
            if (i + 1) % self.accumulate == 0:
                nn.utils.clip_grad_norm_(self.model.parameters(), 0.2)
                self.optimizer.step()
                self.optimizer.zero_grad()

    def run(self, data):
        self.warm_up(data)
        self.main_phase(data)


def main():
    torch.manual_seed(120)
    model = nn.Sequential(nn.Linear(3, 6), nn.Tanh(), nn.Linear(6, 1))
    runner = Runner(model)
    runner.run([torch.randn(4, 3) for _ in range(9)])
    return model
"""


def warm_up_and_accumulate() -> Iterator[Case]:
    loops = Skeleton("warm-up-then-accumulate")
    yield loops.right("as-it-is", WARM, "unscaled-accumulation-loss", "zero-grad-in-accumulation")
    yield loops.right(
        "accumulating-first-then-plain",
        swap(
            WARM,
            "        self.warm_up(data)\n        self.main_phase(data)\n",
            "        self.main_phase(data)\n        self.warm_up(data)\n",
        ),
        "accumulation-divisor-mismatch",
    )
    yield loops.right(
        "one-loop-with-a-growing-window",
        swap(
            WARM,
            "        for i, x in enumerate(data):\n            loss = self.loss(x) / self.accumulate\n",
            "        seen, window = 0, 1\n"
            "        for i, x in enumerate(data):\n"
            "            loss = self.loss(x) / window\n",
            "            if (i + 1) % self.accumulate == 0:\n",
            "            seen += 1\n"
            "            if seen == window:\n"
            "                seen, window = 0, min(window + 1, self.accumulate)\n",
        ),
        "unscaled-accumulation-loss",
        "accumulation-divisor-mismatch",
        "accumulation-off-by-one",
    )
    leaving = swap(
        WARM, '            group["lr"] *= 10\n        self.optimizer.zero_grad()\n', '            group["lr"] *= 10\n'
    )
    yield loops.wrong(
        "last-warm-gradient-left-over", leaving, WARM, tempts=("missing-zero-grad", "zero-grad-in-accumulation")
    )
    yield loops.wrong(
        "main-phase-undivided",
        swap(WARM, "self.loss(x) / self.accumulate", "self.loss(x)"),
        WARM,
        tempts=("unscaled-accumulation-loss",),
    )
    yield loops.wrong(
        "main-phase-first-window-of-one",
        swap(WARM, "(i + 1) % self.accumulate", "i % self.accumulate"),
        WARM,
        tempts=("accumulation-off-by-one",),
    )
    yield loops.wrong(
        "warm-up-never-cleared",
        swap(WARM, "            self.optimizer.zero_grad()\n            self.loss", "            self.loss"),
        WARM,
        tempts=("missing-zero-grad",),
    )


PATHS = """
import logging
import os

import torch
from torch import nn

torch.set_default_dtype(torch.float64)
log = logging.getLogger(__name__)

CLIP = float(os.environ.get("HARM_CLIP", "0.2"))
USE_SCHEDULER = os.environ.get("HARM_SCHED", "1") == "1"


def step_optimizer(optimizer, params, scheduler=None):
    if CLIP > 0:
        norm = nn.utils.clip_grad_norm_(params, CLIP)
        log.debug("norm %s", norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    optimizer.zero_grad()


def main():
    torch.manual_seed(130)
    model = nn.Sequential(nn.Linear(4, 4), nn.Hardswish(), nn.Linear(4, 1))
    params = list(model.parameters())
    optimizer = torch.optim.SGD(params, lr=0.3, momentum=0.9)
    if USE_SCHEDULER:
        scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.8)
    for batch in range(1, 9):
        x = torch.randn(4, 4)
        pred = model(x)
        loss = nn.functional.mse_loss(pred, x.sum(1, keepdim=True)) / 2
        loss.backward()
        if batch % 2: continue
        step_optimizer(optimizer, params, scheduler if USE_SCHEDULER else None)
        if batch % 4 == 0:
            bias = params[-1].item()
            print(f"{batch} {loss.item():.5f} {bias:.5f}")
    return model
"""


def bound_on_one_path() -> Iterator[Case]:
    loops = Skeleton("bound-on-one-path")
    yield loops.right("as-it-is", PATHS, "clip-after-step", "scheduler-before-optimizer")
    yield loops.right("no-clip", swap(PATHS, '"HARM_CLIP", "0.2"', '"HARM_CLIP", "0"'), "clip-after-step")
    yield loops.right(
        "no-scheduler", swap(PATHS, '"HARM_SCHED", "1"', '"HARM_SCHED", "0"'), "scheduler-per-micro-batch"
    )
    clip = (
        '    if CLIP > 0:\n        norm = nn.utils.clip_grad_norm_(params, CLIP)\n        log.debug("norm %s", norm)\n'
    )
    late = swap(
        PATHS,
        clip,
        "",
        "        scheduler.step()\n    optimizer.zero_grad()\n",
        "        scheduler.step()\n" + clip + "    optimizer.zero_grad()\n",
    )
    yield loops.wrong("clip-late", late, PATHS, tempts=("clip-after-step",))
    yield loops.right(
        "clip-late-but-switched-off", swap(late, '"HARM_CLIP", "0.2"', '"HARM_CLIP", "0"'), "clip-after-step"
    )
    first = swap(
        PATHS,
        "    optimizer.step()\n    if scheduler is not None:\n        scheduler.step()\n",
        "    if scheduler is not None:\n        scheduler.step()\n    optimizer.step()\n",
    )
    yield loops.wrong("scheduler-first", first, PATHS, tempts=("scheduler-before-optimizer",))
    outside = swap(
        PATHS,
        "    if scheduler is not None:\n        scheduler.step()\n    optimizer.zero_grad()\n",
        "    optimizer.zero_grad()\n",
        "        if batch % 2: continue\n",
        "        if USE_SCHEDULER: scheduler.step()\n        if batch % 2: continue\n",
    )
    yield loops.wrong("scheduler-for-each-micro-batch", outside, PATHS, tempts=("scheduler-per-micro-batch",))
    yield loops.right(
        "scheduler-for-each-micro-batch-switched-off",
        swap(outside, '"HARM_SCHED", "1"', '"HARM_SCHED", "0"'),
        "scheduler-per-micro-batch",
    )
    yield loops.wrong(
        "helper-clears-first",
        swap(
            PATHS,
            "    optimizer.step()\n",
            "    optimizer.zero_grad()\n    optimizer.step()\n",
            "        scheduler.step()\n    optimizer.zero_grad()\n",
            "        scheduler.step()\n",
        ),
        PATHS,
        tempts=("zero-grad-before-step",),
    )
    yield loops.right(
        "ema-of-a-weight-in-between",
        swap(
            PATHS,
            "    optimizer.step()\n",
            "    before = params[0].grad.abs().mean().item()\n"
            "    optimizer.step()\n"
            '    log.debug("mean gradient %s -> %s", before, params[0].grad.abs().mean().item())\n',
        ),
        "clip-after-step",
        "zero-grad-before-step",
    )


LBFGS = """
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def main():
    torch.manual_seed(140)
    x = torch.randn(16, 3)
    y = torch.sin(x).sum(1, keepdim=True)
    model = nn.Sequential(nn.Linear(3, 6), nn.Tanh(), nn.Linear(6, 1))
    coarse = torch.optim.Adam(model.parameters(), lr=0.02)
    fine = torch.optim.LBFGS(model.parameters(), lr=0.5, max_iter=3)

    for _ in range(4):
        coarse.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        coarse.step()
    print(f"coarse {loss.item():.6f}")

    def closure():
        fine.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        return loss

    for _ in range(3):
        loss = fine.step(closure)
    print(f"fine {loss.item():.6f}")
    return model
"""


def two_optimizers_one_network() -> Iterator[Case]:
    loops = Skeleton("adam-then-lbfgs")
    yield loops.right("as-it-is", LBFGS, "missing-zero-grad", "zero-grad-before-step")
    yield loops.right(
        "closure-clips",
        swap(
            LBFGS,
            "        loss.backward()\n        return loss\n",
            "        loss.backward()\n        nn.utils.clip_grad_norm_(model.parameters(), 1.0)\n        return loss\n",
        ),
        "clip-per-micro-batch",
    )
    yield loops.right(
        "closure-sums-halves",
        swap(
            LBFGS,
            "        loss = nn.functional.mse_loss(model(x), y)\n        loss.backward()\n        return loss\n",
            "        total = 0.0\n"
            "        for xs, ys in zip(x.chunk(2), y.chunk(2)):\n"
            "            loss = nn.functional.mse_loss(model(xs), ys) / 2\n"
            "            loss.backward()\n"
            "            total = total + loss.detach()\n"
            "        return total\n",
        ),
        "unscaled-accumulation-loss",
        "loss-graph-leak",
    )
    yield loops.wrong("closure-never-clears", drop(LBFGS, "fine.zero_grad()"), LBFGS, tempts=("missing-zero-grad",))
    yield loops.wrong("coarse-never-clears", drop(LBFGS, "coarse.zero_grad()"), LBFGS, tempts=("missing-zero-grad",))
    yield loops.wrong(
        "coarse-clears-late",
        swap(
            LBFGS,
            "        coarse.zero_grad()\n",
            "",
            "        coarse.step()\n",
            "        coarse.zero_grad()\n        coarse.step()\n",
        ),
        LBFGS,
        tempts=("zero-grad-before-step",),
    )


def cases() -> Iterator[Case]:
    yield from notebook()
    yield from closures()
    yield from warm_up_and_accumulate()
    yield from bound_on_one_path()
    yield from two_optimizers_one_network()
