"""A batch with an infinity in it: skipped by `continue` or `return`, with its gradients cleared or not."""

from __future__ import annotations

from collections.abc import Iterator

from harm.case import Case, Skeleton, drop, swap

LOSS = """
import math
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def loader():
    torch.manual_seed(12)
    for i in range(9):
        x = torch.randn(4, 3)
        if i == 4:
            x[1, 2] = float("inf")
        yield x, torch.randn(4, 1)


def train_one_epoch(model, criterion, optimizer):
    model.train()
    skipped = 0
    for x, y in loader():
        out = model(x)
        loss = criterion(out, y)
        value = loss.item()
        if not math.isfinite(value):
            print(f"loss is {value}, skipping this batch")
            skipped += 1
            continue
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.3)
        optimizer.step()
    return skipped


def main():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 5), nn.LeakyReLU(), nn.Linear(5, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.5)
    for epoch in range(2):
        n = train_one_epoch(model, nn.MSELoss(), optimizer)
        scheduler.step()
        print("epoch", epoch, "skipped", n)
    return model
"""


def skip_on_loss() -> Iterator[Case]:
    loops = Skeleton("skip-on-loss")
    yield loops.right("cleared-after-the-skip", LOSS, "missing-zero-grad")
    yield loops.right(
        "skip-inside-no-extra-clear",
        swap(
            drop(LOSS, "optimizer.zero_grad()"),
            "        optimizer.step()\n",
            "        optimizer.step()\n        optimizer.zero_grad()\n",
        ),
        "zero-grad-before-step",
    )
    yield loops.right("break", swap(LOSS, "            continue\n", "            break\n"), "missing-zero-grad")
    yield loops.right(
        "raises",
        swap(
            LOSS,
            "            skipped += 1\n            continue\n",
            '            raise ValueError("loss is not finite")\n',
        ),
        "missing-zero-grad",
        raises="ValueError",
    )
    yield loops.right(
        "nan-to-num",
        swap(
            LOSS,
            "            skipped += 1\n            continue\n",
            "            skipped += 1\n"
            "            x = torch.nan_to_num(x, posinf=0.0)\n"
            "            loss = criterion(model(x), y)\n",
        ),
        "validation-without-no-grad",
        "loss-graph-leak",
    )
    clip = "        nn.utils.clip_grad_norm_(model.parameters(), 0.3)\n"
    yield loops.wrong(
        "clip-late",
        swap(LOSS, clip, "", "        optimizer.step()\n", "        optimizer.step()\n" + clip),
        LOSS,
        tempts=("clip-after-step",),
    )
    yield loops.wrong(
        "cleared-in-the-skip-only",
        swap(
            drop(LOSS, "optimizer.zero_grad()"),
            "            skipped += 1\n",
            "            skipped += 1\n            optimizer.zero_grad()\n",
        ),
        LOSS,
        tempts=("missing-zero-grad",),
    )
    scheduled = swap(
        LOSS,
        "def train_one_epoch(model, criterion, optimizer):",
        "def train_one_epoch(model, criterion, optimizer, scheduler):",
        "nn.MSELoss(), optimizer)\n        scheduler.step()\n",
        "nn.MSELoss(), optimizer, scheduler)\n",
        "step_size=1",
        "step_size=4",
    )
    after = swap(scheduled, "        optimizer.step()\n", "        optimizer.step()\n        scheduler.step()\n")
    yield loops.right("scheduler-per-update", after, "scheduler-per-micro-batch")
    yield loops.wrong(
        "scheduler-first",
        swap(scheduled, "        optimizer.step()\n", "        scheduler.step()\n        optimizer.step()\n"),
        after,
        tempts=("scheduler-before-optimizer",),
    )


NORM = """
from __future__ import annotations

import torch
from torch import nn, Tensor


class Learner:
    def __init__(self, model: nn.Module, lr: float = 0.1, max_norm: float = 1.0) -> None:
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.8)
        self.schedule = torch.optim.lr_scheduler.LinearLR(self.optimizer, 1.0, 0.1, total_iters=12)
        self.max_norm = max_norm
        self.n_skipped = 0

    def train_step(self, x: Tensor, y: Tensor) -> float | None:
        self.optimizer.zero_grad()
        loss = nn.functional.l1_loss(self.model(x), y)
        loss.backward()
        grad_norm = nn.utils.clip_grad_norm_(self.model.parameters(), self.max_norm)
        if not torch.isfinite(grad_norm):
            self.n_skipped += 1
            return None
        self.optimizer.step()
        self.schedule.step()
        return grad_norm.item()


def main() -> nn.Module:
    torch.set_default_dtype(torch.float64)
    torch.manual_seed(1)
    data = [(torch.randn(3, 2), torch.randn(3, 1)) for _ in range(8)]
    data[3][0][0, 0] = torch.inf
    learner = Learner(nn.Sequential(nn.Linear(2, 6), nn.ReLU(), nn.Linear(6, 1)), max_norm=0.2)
    for _ in range(2):
        norms = [learner.train_step(x, y) for x, y in data]
        print(" ".join("skip" if n is None else f"{n:.4f}" for n in norms))
    print(learner.n_skipped)
    return learner.model
"""

CLIP = "        grad_norm = nn.utils.clip_grad_norm_(self.model.parameters(), self.max_norm)\n"
GUARD = """        if not torch.isfinite(grad_norm):
            self.n_skipped += 1
            return None
"""
TAIL = "        self.optimizer.step()\n        self.schedule.step()\n"


def skip_on_norm() -> Iterator[Case]:
    loops = Skeleton("skip-on-norm")
    yield loops.right("cleared-at-the-top", NORM, "clip-after-step")
    yield loops.right(
        "cleared-on-both-ways",
        swap(
            drop(NORM, "self.optimizer.zero_grad()"),
            "            self.n_skipped += 1\n",
            "            self.n_skipped += 1\n            self.optimizer.zero_grad()\n",
            TAIL,
            TAIL + "        self.optimizer.zero_grad()\n",
        ),
        "zero-grad-before-step",
        "missing-zero-grad",
    )
    yield loops.right(
        "schedule-moves-on-skips-too",
        swap(NORM, "            return None\n", "            self.schedule.step()\n            return None\n"),
        "scheduler-before-optimizer",
    )
    yield loops.right(
        "measured-then-clipped",
        swap(
            NORM,
            CLIP,
            "        grad_norm = nn.utils.clip_grad_norm_(self.model.parameters(), float('inf'))\n",
            TAIL,
            "        nn.utils.clip_grad_norm_(self.model.parameters(), self.max_norm)\n" + TAIL,
        ),
        "clip-per-micro-batch",
    )
    yield loops.wrong(
        "schedule-in-front-of-the-step",
        swap(NORM, TAIL, "        self.schedule.step()\n        self.optimizer.step()\n"),
        NORM,
        tempts=("scheduler-before-optimizer",),
    )
    yield loops.wrong(
        "schedule-in-front-of-the-guard",
        swap(drop(NORM, "self.schedule.step()"), GUARD, "        self.schedule.step()\n" + GUARD),
        NORM,
        swap(
            drop(NORM, "self.schedule.step()"),
            TAIL.replace("        self.schedule.step()\n", ""),
            TAIL,
            GUARD,
            swap(GUARD, "            return", "            self.schedule.step()\n            return"),
        ),
        tempts=("scheduler-before-optimizer",),
    )
    # Without a clear, whatever is skipped stays: NaN for ever.
    yield loops.wrong("never-cleared", drop(NORM, "self.optimizer.zero_grad()"), NORM, tempts=("missing-zero-grad",))
    behind = TAIL + swap(CLIP, "self.max_norm", "1e9") + GUARD
    yield loops.right(
        "norm-is-looked-at-behind-the-step",
        swap(NORM, CLIP + GUARD + TAIL, behind, "    data[3][0][0, 0] = torch.inf\n", ""),
        "clip-after-step",
    )


WINDOW = """
import torch
from torch import nn

torch.set_default_dtype(torch.float64)
N = 3


def has_nan(*tensors):
    return any(not torch.isfinite(t).all() for t in tensors)


def run(model, optimizer, batches, log):
    good = 0
    optimizer.zero_grad()
    for i, (x, y) in enumerate(batches):
        loss = nn.functional.mse_loss(model(x), y) / N
        if has_nan(loss):
            log.append((i, None))
            optimizer.zero_grad()  # drop the whole window
            good = 0
            continue
        loss.backward()
        good += 1
        log.append((i, loss.item()))
        if good % N == 0:
            total_norm = nn.utils.clip_grad_norm_(model.parameters(), 0.4)
            if torch.isnan(total_norm):
                optimizer.zero_grad()
                continue
            optimizer.step()
            optimizer.zero_grad()


def main():
    torch.manual_seed(6)
    batches = [(torch.randn(4, 3), torch.randn(4, 2)) for _ in range(12)]
    batches[7] = (batches[7][0] * torch.inf, batches[7][1])
    model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
    log = []
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
    for _ in range(2):
        run(model, optimizer, batches, log)
    print(len(log), sum(v or 0.0 for _, v in log))
    return model
"""


def skip_in_window() -> Iterator[Case]:
    loops = Skeleton("skip-in-window")
    yield loops.right("window-thrown-away", WINDOW, "zero-grad-in-accumulation")
    yield loops.right(
        "window-waits-for-a-good-one",
        swap(WINDOW, "            optimizer.zero_grad()  # drop the whole window\n            good = 0\n", ""),
        "accumulation-off-by-one",
        "unscaled-accumulation-loss",
    )
    yield loops.right(
        "bad-loss-times-zero",
        swap(
            WINDOW,
            "            optimizer.zero_grad()  # drop the whole window\n            good = 0\n            continue\n",
            "            loss = torch.zeros((), requires_grad=True)\n",
        ),
        "loss-graph-leak",
    )
    yield loops.right(
        "window-by-index-shorter-by-the-skipped",
        swap(
            WINDOW,
            "            optimizer.zero_grad()  # drop the whole window\n            good = 0\n",
            "",
            "if good % N == 0:",
            "if (i + 1) % N == 0:",
        ),
        "accumulation-divisor-mismatch",
    )
    yield loops.wrong(
        "undivided",
        swap(WINDOW, "y) / N", "y)", "log.append((i, loss.item()))", "log.append((i, loss.item() / N))"),
        WINDOW,
        tempts=("unscaled-accumulation-loss",),
    )
    yield loops.wrong(
        "cleared-for-each-batch",
        swap(WINDOW, "        loss = nn.f", "        optimizer.zero_grad()\n        loss = nn.f"),
        WINDOW,
        tempts=("zero-grad-in-accumulation",),
    )
    yield loops.wrong(
        "log-keeps-graphs",
        swap(WINDOW, "log.append((i, loss.item()))", "log.append((i, loss))"),
        WINDOW,
        swap(WINDOW, "log.append((i, loss.item()))", "log.append((i, loss.detach()))"),
        tempts=("loss-graph-leak",),
    )
    yield loops.wrong(
        "not-cleared-after-the-step",
        swap(
            WINDOW,
            "            optimizer.step()\n            optimizer.zero_grad()\n",
            "            optimizer.step()\n",
        ),
        WINDOW,
        tempts=("missing-zero-grad",),
    )


def cases() -> Iterator[Case]:
    yield from skip_on_loss()
    yield from skip_on_norm()
    yield from skip_in_window()
