"""Turns that are no batches or are left out, and phases: what is right is silent, what is wrong beside it is not."""

from __future__ import annotations

from textwrap import dedent

import pytest

from gradlint import check_source
from gradlint.lower import lower
from gradlint.model.program import For, LoopKind


def told(source: str) -> list[str]:
    return [f"{one.span.row} {one.rule}" for one in check_source(dedent(source).lstrip("\n"))]


def innermost(text: str) -> LoopKind:
    node = lower(text, "x.py").body.body[-1]
    while isinstance(inner := node.body[0], For):
        node = inner
    assert isinstance(node, For)
    return node.kind


_SHARES = """
for batch in loader:
    for {target} in {parts}:
        loss = model(batch)
        loss.backward()
        {step}
        {clear}
"""


@pytest.mark.parametrize(
    ("target", "parts", "step", "clear"),
    [
        ("opt", "opts", "opt.step()", "opt.zero_grad()"),
        ("number, opt", "enumerate(self.opts)", "opt.step()", "opt.zero_grad()"),
        ("net, opt", "zip(nets, opts)", "opt.step()", "opt.zero_grad()"),
        ("opt", "opts", "scaler.step(opt)", "opt.zero_grad()"),
    ],
)
def test_a_loop_over_what_is_stepped_and_cleared_has_no_batches(target: str, parts: str, step: str, clear: str) -> None:
    text = _SHARES.format(target=target, parts=parts, step=step, clear=clear)
    assert innermost(text) is LoopKind.OTHER


@pytest.mark.parametrize(
    ("target", "step", "clear"),
    [
        ("part", "opt.step()", "opt.zero_grad()"),
        ("env", "env.step(action); opt.step()", "opt.zero_grad()"),
        ("opt", "opt.step()", "model.zero_grad()"),
    ],
)
def test_any_other_loop_is_as_before(target: str, step: str, clear: str) -> None:
    text = _SHARES.format(target=target, parts="parts", step=step, clear=clear)
    assert innermost(text) is LoopKind.BATCH


def test_epochs_of_several_optimizers_stay_epochs() -> None:
    text = """
for opt in opts:
    opt.zero_grad()
    for batch in loader:
        model(batch).backward()
    opt.step()
"""
    assert isinstance(loop := lower(text, "x.py").body.body[-1], For)
    assert loop.kind is not LoopKind.OTHER


_WINDOWS = """
def train(model, loader, optimizers, n=4):
    for i, batch in enumerate(loader):
        for number, optimizer in enumerate(optimizers):
            {before}
            loss = model(batch, number) / {divisor}
            loss.backward()
            if (i + 1) % n == 0 or i + 1 == len(loader):
                optimizer.step()
                {after}
"""


def test_windows_of_several_optimizers_are_right() -> None:
    right = _WINDOWS.format(before="pass", divisor="n", after="optimizer.zero_grad()")
    assert told(right) == []


def test_and_wrong() -> None:
    early = _WINDOWS.format(before="optimizer.zero_grad()", divisor="n", after="pass")
    assert told(early) == ["4 zero-grad-in-accumulation"]


_SKIPS = """
def train(model, loader, optimizer, n, skipped):
    for i in range(12):
        optimizer.zero_grad()
        model(i).backward()
        if {test}:
            optimizer.step()
"""


@pytest.mark.parametrize(
    ("test", "found"),
    [("i != 5", []), ("i != skipped", []), ("(i + 1) % n == 0", ["3 zero-grad-in-accumulation"])],
)
def test_a_turn_that_is_left_out_is_no_window(test: str, found: list[str]) -> None:
    assert told(_SKIPS.format(test=test)) == found


_DROPS = """
import torch

class Policy:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters())

    def learn(self, batch, drop=False):
        self.optimizer.zero_grad()
        {backward}
        {clear}
        {step}
"""
_CLEAR = "self.optimizer.zero_grad()"
_BACKWARD = "self.model(batch).mean().backward()"


@pytest.mark.parametrize(
    ("backward", "clear", "step", "found"),
    [
        (_BACKWARD, f"if drop: {_CLEAR}", "self.optimizer.step()", []),
        (_BACKWARD, _CLEAR, "self.optimizer.step()", ["11 zero-grad-before-step"]),
        (_BACKWARD, f"if drop: {_CLEAR}", "if drop: self.optimizer.step()", ["11 zero-grad-before-step"]),
        (f"if drop: {_BACKWARD}", f"if drop: {_CLEAR}", "self.optimizer.step()", ["11 zero-grad-before-step"]),
    ],
)
def test_a_switch_of_its_own_drops_an_update_on_purpose(backward: str, clear: str, step: str, found: list[str]) -> None:
    assert told(_DROPS.format(backward=backward, clear=clear, step=step)) == found


_PHASES = """
import torch

class Trainer:
    def __init__(self, vae, actor):
        self.vae, self.actor = vae, actor
        self.vae_opt = torch.optim.Adam(vae.parameters())
        self.actor_opt = torch.optim.Adam(actor.parameters())

    def fit_vae(self, loader):
        for batch in loader:
            self.vae_opt.zero_grad()
            self.vae(batch).mean().backward()
            self.vae_opt.step()

    def fit_actor(self, loader):
        for batch in loader:
            self.actor_opt.zero_grad()
            with torch.no_grad():
                seen = self.vae(batch)
            self.actor(seen).mean().backward()
            self.actor_opt.step()

    def train(self, loader):
        self.fit_vae(loader)
        self.vae.eval()
        self.fit_actor(loader)
"""
_AGAIN = """
    def run(self, loader, epochs):
        for _ in range(epochs):
            self.train(loader)
"""


def test_a_phase_that_is_over_needs_no_train_mode() -> None:
    assert told(_PHASES) == []


def test_one_that_comes_again_does() -> None:
    assert told(_PHASES + _AGAIN) == ["25 missing-train-mode"]


_RESTARTS = """
import random
import torch
from torch.nn.parallel import DistributedDataParallel

def train(model, loader, share):
    model = DistributedDataParallel(model)
    optimizer = torch.optim.Adam(model.parameters())
    for batch in loader:
        optimizer.zero_grad()
        {iterations}
            model(batch).mean().backward()
        optimizer.step()
"""


def test_nobody_counts_turns_that_chance_decides() -> None:
    iterations = "r = 0\n        while r < share:\n            r = random.random()"
    assert not [one for one in told(_RESTARTS.format(iterations=iterations)) if "no-sync" in one]


def test_but_those_that_a_loop_counts() -> None:
    assert [one for one in told(_RESTARTS.format(iterations="for _ in range(share):")) if "no-sync" in one]
