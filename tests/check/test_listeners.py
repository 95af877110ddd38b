"""Listeners: functions of one file that another one keeps in a list and calls, held against torch's own warning."""

from __future__ import annotations

import importlib
import sys
import warnings
from typing import TYPE_CHECKING

import pytest

from gradlint.check.engine import check_text
from gradlint.check.surroundings import within
from gradlint.model.settings import Settings
from gradlint.project.project import Project

if TYPE_CHECKING:
    from pathlib import Path

BY_FUNCTION = """\
from collections import defaultdict

_LISTENERS = defaultdict(list)


def listens(event):
    def keep(listener):
        _LISTENERS[event].append(listener)
        return listener

    return keep


def emit(event, *given):
    for function in _LISTENERS[event]:
        function(*given)
"""
BY_OBJECT = """\
class Bus:
    def __init__(self):
        self.held = {}

    def listens(self, event):
        def keep(listener):
            self.held.setdefault(event, []).append(listener)
            return listener

        return keep

    def emit(self, event, *given):
        for function in self.held.get(event, []):
            function(*given)


bus = Bus()
"""
LEARN = """\
{listens}("batch")
def learn(state, batch):
    state["sgd"].zero_grad()
    state["net"](batch).mean().backward()
"""
WARM = """\
{listens}("update")
def warm(state):
    state["pace"].step()
"""
MOVE = """\
{listens}("update")
def move(state):
    state["sgd"].step()
"""
MAIN = """\
import torch

import handlers
from bus import {emits}


def main(batches):
    net = torch.nn.Linear(3, 4)
    sgd = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    state = {{"net": net, "sgd": sgd, "pace": torch.optim.lr_scheduler.LinearLR(sgd, 0.1, total_iters=10)}}
    for batch in batches:
        {emit}("batch", state, batch)
        {emit}("update", state)


if __name__ == "__main__":
    main([])
"""
BUSES = {
    "by_function": (BY_FUNCTION, "listens", "@listens", "emit", "emit"),
    "by_object": (BY_OBJECT, "bus", "@bus.listens", "bus", "bus.emit"),
}


@pytest.mark.parametrize("wrong", [True, False], ids=["wrong", "right"])
@pytest.mark.parametrize("kind", BUSES)
def test_listeners_are_run_where_they_are_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, wrong: bool
) -> None:
    bus, brought, listens, emits, emit = BUSES[kind]
    parts = (LEARN, WARM, MOVE) if wrong else (LEARN, MOVE, WARM)
    handlers = f"from bus import {brought}\n\n\n" + "\n\n".join(part.format(listens=listens) for part in parts)
    texts = {
        "pyproject.toml": "",
        "bus.py": bus,
        "handlers.py": handlers,
        "main.py": MAIN.format(emits=emits, emit=emit),
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    path = str(tmp_path / "handlers.py")
    with within(Project.around(path)):
        found = [(one.rule, one.span.row) for one in check_text(handlers, path, Settings()).findings]
    assert found == ([("scheduler-before-optimizer", 12)] if wrong else [])
    assert warned(tmp_path, monkeypatch) is wrong


def warned(folder: Path, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether torch itself says that the schedule moves first."""
    torch = pytest.importorskip("torch")
    monkeypatch.syspath_prepend(str(folder))
    for name in ("bus", "handlers", "main"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    try:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            importlib.import_module("main").main([torch.ones(2, 3)] * 3)
    finally:
        for name in ("bus", "handlers", "main"):
            sys.modules.pop(name, None)
    return any("before `optimizer.step()`" in str(one.message) for one in told)
