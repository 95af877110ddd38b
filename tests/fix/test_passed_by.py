"""A clear that moves behind the step in another function: what leaves that in front of it leaves gradients behind."""

from __future__ import annotations

from textwrap import indent

import pytest

from gradlint import fix_source

WINDOW = """\
import math
from contextlib import contextmanager

import torch
from torch import nn


class Window:
    def __init__(self, net, parts):
        self.net, self.parts, self.count = net, parts, 0
        self.opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)

    def pull(self, loss):
        if not math.isfinite(loss.item()):
            raise ArithmeticError(loss.item())
        self.opt.zero_grad()
        (loss / self.parts).backward()

{closed}

def main(net, strains):
    window = Window(net, parts=3)
    for parts in strains:
        with {opened}:
            for x in parts:
                window.pull((net(x) - x.square().sum(1, keepdim=True)).square().mean())
"""
EXIT = "def __enter__(self):\n    return self\n\ndef __exit__(self, kind, error, trace):\n"
OPEN = "@contextmanager\ndef open(self):\n"
CLIPPED = "nn.utils.clip_grad_norm_(self.net.parameters(), 0.2)\n"
STEP = CLIPPED + "self.opt.step()\n"


def class_based(body: str) -> str:
    return WINDOW.format(closed=indent(EXIT + indent(body, "    "), "    "), opened="window")


def generator(body: str) -> str:
    return WINDOW.format(closed=indent(OPEN + indent(body, "    "), "    "), opened="window.open()")


def within(head: str, body: str = STEP) -> str:
    return head + indent(body, "    ")


def mended(text: str) -> str:
    """What is repaired: the clear stands behind the step then."""
    return fix_source(text).text


SWALLOWED = {
    "an early return": class_based("if kind is not None:\n    return issubclass(kind, ArithmeticError)\n" + STEP),
    "a step under a guard": class_based(within("if kind is None:\n") + "return kind is not None\n"),
    "what the error is": class_based("if isinstance(error, ArithmeticError):\n    return True\n" + STEP),
    "else": generator("try:\n    yield\nexcept ArithmeticError:\n    print('broken')\n" + within("else:\n")),
    "a handler that returns": generator("try:\n    yield\nexcept ArithmeticError:\n    return\n" + STEP),
    "within": generator(within("try:\n    yield\n") + "except ArithmeticError:\n    print('broken')\n"),
}
CLEARED = "    self.opt.zero_grad()\n"
KEPT = {
    "no way out": class_based(STEP),
    "cleared on the way out": class_based(f"if kind is not None:\n{CLEARED}    return True\n" + STEP),
    "no handler": generator("yield\n" + STEP),
    "finally": generator("try:\n    yield\n" + within("finally:\n")),
    "raised on": generator("try:\n    yield\nexcept ArithmeticError:\n    print('broken')\n    raise\n" + STEP),
    "cleared by the handler": generator(f"try:\n    yield\nexcept ArithmeticError:\n{CLEARED}    return\n" + STEP),
}


@pytest.mark.parametrize("name", SWALLOWED)
def test_a_broken_block_would_leave_its_gradients(name: str) -> None:
    assert mended(SWALLOWED[name]) == SWALLOWED[name]


@pytest.mark.parametrize("name", KEPT)
def test_a_block_that_leaves_nothing_is_mended(name: str) -> None:
    assert ".step()\n" in (after := mended(KEPT[name]))
    assert after.partition(".step()\n")[2].lstrip().startswith("self.opt.zero_grad()")


def test_the_exit_may_stand_above_what_it_closes() -> None:
    text = SWALLOWED["an early return"]
    pull = text[text.index("    def pull") : text.index("    def __enter__")]
    above = text.replace(pull, "").replace("\ndef main", pull + "\ndef main")
    assert mended(above) == above


METHODS = """\
import math

import torch


class Window:
    def __init__(self, net, parts):
        self.net, self.parts, self.count = net, parts, 0
        self.opt = torch.optim.SGD(net.parameters(), lr=0.1)

    def pull(self, loss):
        self.opt.zero_grad()
        (loss / self.parts).backward()

    def push(self, told=None):
{guard}
        self.opt.step()
        return True


def main(net, strains):
    window = Window(net, 3)
    for parts in strains:
        bad = False
        for i, x in enumerate(parts):
            loss = (net(x) - x.square().sum(1, keepdim=True)).square().mean()
            bad = bad or not math.isfinite(loss.item())
            window.pull(loss)
{within}{behind}
"""


@pytest.mark.parametrize("told", ["bad", "len(parts) < 2"])
def test_a_method_that_returns_early_would_leave_its_window(told: str) -> None:
    guard = "        if told:\n            return False"
    text = METHODS.format(guard=guard, within="", behind=f"        window.push({told})")
    assert mended(text) == text


@pytest.mark.parametrize(
    ("guard", "call"),
    [
        ("        self.count += 1\n        if self.count % self.parts:\n            return False", "push()"),
        ("        if not told:\n            return False", "push(i == len(parts) - 1)"),
    ],
)
def test_a_guard_by_which_windows_end_is_none(guard: str, call: str) -> None:
    text = METHODS.format(guard=guard, within=f"            window.{call}", behind="")
    assert ".step()\n        self.opt.zero_grad()\n" in mended(text)


TURN = """\
import contextlib
from contextlib import suppress

import torch
from torch import nn


def check(loss):
    if not torch.isfinite(loss):
        raise ValueError("bad")


def step(optimizer, loss):
    check(loss)
    optimizer.step()


def train(model, optimizer, loader, kind):
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.zero_grad()
{ends}"""
BEHIND = "optimizer.step()\n        optimizer.zero_grad()"


@pytest.mark.parametrize(
    "ends",
    [
        "try:\n    check(loss)\nexcept ValueError:\n    continue\noptimizer.step()\n",
        "try:\n    check(loss)\n    optimizer.step()\nexcept ValueError:\n    pass\n",
        "with suppress(ValueError):\n    check(loss)\n    optimizer.step()\n",
        "with contextlib.suppress(ValueError):\n    step(optimizer, loss)\n",
        "try:\n    step(optimizer, loss)\nexcept ValueError:\n    print('bad')\n",
        "match kind:\n    case 'dry':\n        continue\noptimizer.step()\n",
    ],
)
def test_a_clear_is_not_put_behind_a_step_that_may_be_passed_by(ends: str) -> None:
    """It goes before the forward: what a turn that went wrong leaves is cleared in the next one."""
    after = mended(TURN.format(ends=indent(ends, "        ")))
    assert after.index("optimizer.zero_grad()") < after.index("loss.backward()")
    assert after.count("zero_grad()") == 1


@pytest.mark.parametrize(
    "ends",
    [
        "try:\n    check(loss)\nexcept ValueError:\n    raise\noptimizer.step()\n",
        "with contextlib.nullcontext():\n    check(loss)\noptimizer.step()\n",
    ],
)
def test_what_raises_on_passes_nothing_by(ends: str) -> None:
    assert BEHIND in mended(TURN.format(ends=indent(ends, "        ")))
