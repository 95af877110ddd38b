"""A repair that scales a loss is left to a person where an option may unscale before it."""

from __future__ import annotations

import pytest

from gradlint import fix_source

LOOP = """
import torch
from torch.nn.functional import cross_entropy


class CFG:
    unscale = False


def train(model, loader, attack):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.cuda.amp.GradScaler()
    for x, y in loader:
        optimizer.zero_grad()
        scaler.scale(cross_entropy(model(x), y)).backward()
BEFORE
        attack(model)
        second = cross_entropy(model(x), y)
        second.backward()
BEHIND
        scaler.step(optimizer)
        scaler.update()
"""
UNSCALES = "        if CFG.unscale:\n            scaler.unscale_(optimizer)"
SCALED = "        scaler.scale(second).backward()"


def loop(before: str = "", behind: str = "") -> str:
    return LOOP.replace("BEFORE\n", before and f"{before}\n").replace("BEHIND\n", behind and f"{behind}\n")


def fixed(text: str, *, unsafe: bool = False) -> str:
    return fix_source(text, select=["unscaled-backward"], unsafe=unsafe).text


def test_an_option_may_unscale_before_it() -> None:
    text = loop(before=UNSCALES)
    assert fixed(text) == text
    assert SCALED in fixed(text, unsafe=True)


@pytest.mark.parametrize("text", [loop(), loop(behind=UNSCALES)], ids=["none", "behind"])
def test_nothing_may(text: str) -> None:
    assert SCALED in fixed(text)


def test_a_step_lies_between() -> None:
    ends = f"{UNSCALES}\n            scaler.step(optimizer)\n            scaler.update()"
    assert SCALED in fixed(loop(before=ends))
