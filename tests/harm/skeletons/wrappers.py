"""Optimizers, engines and loops of the script's own that clear, count or step by themselves; Fabric."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

CLEARING = Draft(
    "optimizer-that-clears",
    """\
import torch
from torch import nn


class Momentum(torch.optim.Optimizer):
    \"\"\"SGD with momentum, to see every step of it.\"\"\"

    def __init__(self, params, lr, beta=0.9):
        super().__init__(params, {"lr": lr, "beta": beta})

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                velocity = self.state[p].setdefault("velocity", torch.zeros_like(p))
                velocity.mul_(group["beta"]).add_(p.grad)
                p.sub_(velocity, alpha=group["lr"])
                p.grad = None


def main():
    model = nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.Linear(6, 2))
    optimizer = Momentum(model.parameters(), lr=0.1)
    data = [(torch.randn(5, 4), torch.randint(0, 2, (5,))) for _ in range(8)]
    for epoch in range(2):
        for x, y in data:
            loss = nn.functional.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
        print(epoch, f"{loss.item():.5f}")
    return model
""",
    ("missing-zero-grad",),
)

BODY = CLEARING.text[CLEARING.text.index("class Momentum") : CLEARING.text.index("\n\ndef main")]
SUBCLASS = (
    BODY,
    """\
class Momentum(torch.optim.SGD):
    def __init__(self, params, lr, beta=0.9):
        super().__init__(params, lr=lr, momentum=beta)

    def step(self, closure=None):
        super().step(closure)
        self.zero_grad(set_to_none=True)
""",
)
EACH = """\
        for x, y in data:
            loss = nn.functional.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
"""
WINDOW = (
    EACH,
    """\
        for i, (x, y) in enumerate(data):
            loss = nn.functional.cross_entropy(model(x), y)
            (loss / 2).backward()
            if i % 2:
                optimizer.step()
""",
)
MADE = "    optimizer = Momentum(model.parameters(), lr=0.1)\n"
CALLED = "            optimizer.step()\n"
FUNCTION = """\
@torch.no_grad()
def sgd(parameters, lr):
    for p in parameters:
        p -= lr * p.grad
        p.grad.zero_()
"""
HOOK = """\
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    optimizer.register_step_post_hook(lambda opt, args, kwargs: opt.zero_grad())
"""


def clearing() -> Iterator[Case]:
    yield CLEARING.right("class-of-ones-own")
    yield CLEARING.right("subclass", SUBCLASS)
    yield CLEARING.right(
        "function-for-one-layer",
        (BODY, FUNCTION),
        (MADE, "    optimizer = torch.optim.SGD(model[2].parameters(), lr=0.1, momentum=0.9)\n"),
        (CALLED, CALLED + "            sgd(model[0].parameters(), 0.1)\n            optimizer.zero_grad()\n"),
    )
    yield CLEARING.right("class-of-ones-own-in-a-window", WINDOW)
    yield CLEARING.styled(SUBCLASS).right("subclass-in-a-window", WINDOW)
    yield CLEARING.right("hook", (BODY + "\n\n", ""), (MADE, HOOK))
    plain = CLEARING.styled((BODY + "\n\n", ""), (MADE, HOOK), (HOOK[HOOK.index("\n") + 1 :], ""))
    yield plain.styled((CALLED, CALLED + "            optimizer.zero_grad()\n")).wrong(
        "cleared-by-nobody", (("            optimizer.zero_grad()\n", ""),)
    )


ENGINE = Draft(
    "engine-that-counts",
    """\
import torch
from torch import nn


class Engine:
    \"\"\"Takes each micro-batch; steps when a window is full.\"\"\"

    def __init__(self, model, optimizer, accumulation_steps, clip=0.0):
        self.module, self.optimizer = model, optimizer
        self.accumulation_steps, self.clip = accumulation_steps, clip
        self.micro_steps = 0

    def __call__(self, *args):
        return self.module(*args)

    def is_boundary(self):
        return (self.micro_steps + 1) % self.accumulation_steps == 0

    def backward(self, loss):
        (loss / self.accumulation_steps).backward()
        return loss

    def step(self):
        if self.is_boundary():
            if self.clip:
                nn.utils.clip_grad_norm_(self.module.parameters(), self.clip)
            self.optimizer.step()
            self.optimizer.zero_grad()
        self.micro_steps += 1


def main():
    model = nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model_engine = Engine(model, optimizer, accumulation_steps=4, clip=0.8)
    batches = [(torch.randn(3, 4), torch.randn(3, 1)) for _ in range(8)]
    for epoch in range(2):
        for inputs, labels in batches:
            outputs = model_engine(inputs)
            loss = nn.functional.mse_loss(outputs, labels)
            model_engine.backward(loss)
            model_engine.step()
        print(epoch, f"{loss.item():.4f}")
    return model
""",
    ("zero-grad-in-accumulation", "unscaled-accumulation-loss", "missing-zero-grad"),
)

WRAPPER = Draft(
    "optimizer-wrapper",
    """\
import contextlib

import torch
from torch import nn


class OptimWrapper:
    def __init__(self, optimizer, accumulative_counts=1, clip_grad=None):
        self.optimizer = optimizer
        self.counts, self.clip_grad = accumulative_counts, clip_grad
        self.inner = 0

    @contextlib.contextmanager
    def optim_context(self, model):
        yield model

    def should_update(self):
        return self.inner % self.counts == 0

    def update_params(self, loss):
        self.inner += 1
        (loss / self.counts).backward()
        if self.should_update():
            if self.clip_grad:
                parameters = [p for group in self.optimizer.param_groups for p in group["params"]]
                nn.utils.clip_grad_norm_(parameters, **self.clip_grad)
            self.optimizer.step()
            self.optimizer.zero_grad()


class Runner:
    def __init__(self, model, wrapper, batches):
        self.model, self.wrapper, self.batches = model, wrapper, batches

    def train(self, epochs):
        for epoch in range(epochs):
            self.model.train()
            for index, (x, y) in enumerate(self.batches):
                self.run_iter(index, x, y)

    def run_iter(self, index, x, y):
        with self.wrapper.optim_context(self.model):
            loss = nn.functional.cross_entropy(self.model(x), y)
        self.wrapper.update_params(loss)
        if index == len(self.batches) - 1:
            print(f"{loss.item():.4f}")


def main():
    model = nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 3))
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.02)
    wrapper = OptimWrapper(optimizer, accumulative_counts=2, clip_grad={"max_norm": 0.5})
    Runner(model, wrapper, [(torch.randn(4, 5), torch.randint(0, 3, (4,))) for _ in range(8)]).train(2)
    return model
""",
    ("unscaled-accumulation-loss", "clip-per-micro-batch", "missing-zero-grad"),
)


def engines() -> Iterator[Case]:
    yield ENGINE.right("each-micro-batch")
    yield ENGINE.right(
        "cleared-by-the-loop-too",
        (
            "            outputs = model_engine(inputs)\n",
            """\
            if model_engine.micro_steps % 4 == 0:
                optimizer.zero_grad()
            outputs = model_engine(inputs)
""",
        ),
    )
    yield ENGINE.wrong(
        "undivided-in-the-class",
        (("(loss / self.accumulation_steps).backward()", "loss.backward()"),),
        tempts=("unscaled-accumulation-loss",),
    )
    yield ENGINE.wrong(
        "divided-twice",
        (("            model_engine.backward(loss)\n", "            model_engine.backward(loss / 4)\n"),),
        tempts=("accumulation-divisor-mismatch",),
    )
    yield ENGINE.wrong(
        "cleared-each-micro-batch",
        (
            (
                "            self.optimizer.step()\n            self.optimizer.zero_grad()\n",
                "            self.optimizer.step()\n",
            ),
            (
                "            outputs = model_engine(inputs)\n",
                "            optimizer.zero_grad()\n            outputs = model_engine(inputs)\n",
            ),
        ),
    )
    yield ENGINE.wrong(
        "clip-after-the-step-in-the-class",
        (
            (
                """\
            if self.clip:
                nn.utils.clip_grad_norm_(self.module.parameters(), self.clip)
            self.optimizer.step()
""",
                """\
            self.optimizer.step()
            if self.clip:
                nn.utils.clip_grad_norm_(self.module.parameters(), self.clip)
""",
            ),
        ),
        tempts=("clip-after-step",),
    )
    yield WRAPPER.right("update-params")
    yield WRAPPER.wrong("undivided", (("(loss / self.counts).backward()", "loss.backward()"),))
    yield WRAPPER.wrong("never-cleared", (("            self.optimizer.zero_grad()\n", ""),))
    yield WRAPPER.left(
        "clip-outside",
        (
            (', clip_grad={"max_norm": 0.5}', ""),
            (
                "        self.wrapper.update_params(loss)\n",
                """\
        nn.utils.clip_grad_norm_(self.model.parameters(), 0.5)
        self.wrapper.update_params(loss)
""",
            ),
        ),
        tempts=("clip-before-backward",),
    )
    yield WRAPPER.left(
        "clip-below",
        (
            (', clip_grad={"max_norm": 0.5}', ""),
            (
                "        self.wrapper.update_params(loss)\n",
                """\
        self.wrapper.update_params(loss)
        nn.utils.clip_grad_norm_(self.model.parameters(), 0.5)
""",
            ),
        ),
        tempts=("clip-after-step",),
    )


FABRIC = Draft(
    "fabric",
    """\
import torch
from lightning_fabric import Fabric
from torch import nn


def main():
    fabric = Fabric(accelerator="cpu", devices=1)
    fabric.launch()
    model = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.3)
    model, optimizer = fabric.setup(model, optimizer)
    criterion = nn.CrossEntropyLoss()
    batches = [(torch.randn(4, 6), torch.randint(0, 2, (4,))) for _ in range(8)]
    window = 2
    for epoch in range(2):
        for number, (x, y) in enumerate(batches):
            accumulating = (number + 1) % window != 0
            with fabric.no_backward_sync(model, enabled=accumulating):
                loss = criterion(model(x), y)
                fabric.backward(loss / window)
            if not accumulating:
                fabric.clip_gradients(model, optimizer, max_norm=0.5)
                optimizer.step()
                optimizer.zero_grad()
        fabric.print(epoch, f"{loss.item():.4f}")
    return model.module
""",
    ("unscaled-accumulation-loss", "clip-per-micro-batch", "missing-no-sync"),
)

F_WITH = """\
            with fabric.no_backward_sync(model, enabled=accumulating):
                loss = criterion(model(x), y)
                fabric.backward(loss / window)
"""


def fabric() -> Iterator[Case]:
    yield FABRIC.right("window")
    yield FABRIC.right(
        "without-no-sync",
        (F_WITH, "            loss = criterion(model(x), y)\n            fabric.backward(loss / window)\n"),
    )
    yield FABRIC.wrong("undivided", (("fabric.backward(loss / window)", "fabric.backward(loss)"),))
    yield FABRIC.wrong(
        "clip-after-the-step",
        (
            (
                """\
                fabric.clip_gradients(model, optimizer, max_norm=0.5)
                optimizer.step()
""",
                """\
                optimizer.step()
                fabric.clip_gradients(model, optimizer, max_norm=0.5)
""",
            ),
        ),
        tempts=("clip-after-step",),
    )
    yield FABRIC.wrong(
        "never-cleared", (("                optimizer.zero_grad()\n", ""),), tempts=("missing-zero-grad",)
    )
    yield FABRIC.right(
        "held-back-by-hand",
        (
            F_WITH,
            F_WITH.replace(
                "            with fabric", "            loss = criterion(model(x), y)\n            with fabric"
            ).replace("                loss = criterion(model(x), y)\n", ""),
        ),
        tempts=("forward-outside-no-sync",),
    )


def cases() -> Iterator[Case]:
    yield from clearing()
    yield from engines()
    yield from fabric()
