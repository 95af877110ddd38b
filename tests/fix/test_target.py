"""The oldest Python of a project: what a repair writes can be read by it."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fixtures import FIXTURES, RULES
from gradlint.check import proposal
from gradlint.check.engine import check_text, fix_text
from gradlint.config.target import TARGETS
from gradlint.fix.layout import Layout
from gradlint.fix.target import too_new
from gradlint.fix.windows import header
from gradlint.model.settings import Settings

if TYPE_CHECKING:
    from gradlint.check.changes import Change
    from gradlint.check.judge import Judged
    from gradlint.model.edits import Repair

LOOP = """\
import torch
from torch.nn.utils import clip_grad_norm_


def train(model, loader):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in loader:
        opt.zero_grad()
        model(x).mean().backward()
        opt.step()
        clip_grad_norm_(model.parameters(), 1.0)
"""
MATCH = "\n\nmatch 1:\n    case 1:\n        pass\n"


@pytest.fixture
def modern(monkeypatch: pytest.MonkeyPatch) -> None:
    """Repairs that write a `match` statement beside what they should."""
    real = proposal.carried_out

    def carried_out(text: str, one: Judged, repair: Repair) -> tuple[Change, ...]:
        return tuple(replace(change, after=change.after + MATCH) for change in real(text, one, repair))

    monkeypatch.setattr(proposal, "carried_out", carried_out)


@pytest.mark.usefixtures("modern")
@pytest.mark.parametrize(("target", "made"), [("", True), ("py310", True), ("py314", True), ("py39", False)])
def test_a_repair_that_the_target_cannot_read_is_not_made_and_not_offered(target: str, made: bool) -> None:
    settings = Settings(target_version=target)
    result = fix_text(LOOP, "train.py", settings)
    assert (result.changed, len(result.remaining)) == (made, 0 if made else 1)
    assert result.withdrawn == ()
    (finding,) = check_text(LOOP, "train.py", settings).findings
    assert (finding.fix is not None) is made


@pytest.mark.parametrize("target", TARGETS)
def test_source_that_is_newer_than_the_target_is_repaired_like_any_other(target: str) -> None:
    newer = LOOP + MATCH
    result = fix_text(newer, "train.py", Settings(target_version=target))
    assert [one.rule for one in result.applied] == ["clip-after-step"]
    assert result.problems == ()


@pytest.mark.parametrize(
    ("before", "after", "target", "expected"),
    [
        ("x = 1\n", "(x := 1)\n", "py37", True),
        ("x = 1\n", "(x := 1)\n", "py38", False),
        ("x = 1\n", "(x := 1)\n", "", False),
        ("\ufeffx = 1\n", "\ufeffx = 2\n", "py37", False),
        ("(y := 1)\n", "(x := 1)\n", "py37", False),
        ("x = 1\n", "with (open('a') as a, open('b') as b): pass\n", "py38", True),
        ("x = 1\n", "with (open('a') as a): pass\n", "py38", True),
        ("x = 1\n", "with (open('a') as a): pass\n", "py39", False),
        ("x = 1\n", "with (a if b else c): pass\n", "py37", False),
        ("x = 1\n", "async def f():\n    async with (\n        a if b else c\n    ): pass\n", "py37", False),
    ],
)
def test_too_new(before: str, after: str, target: str, expected: bool) -> None:
    assert too_new(before, after, target) is expected


def test_a_long_header_is_one_expression_in_parentheses_and_no_list_of_contexts() -> None:
    arms = ("nullcontext()", f"if {'step % accumulation_steps == 0 and ' * 4}last", "else model.no_sync()")
    text = header(Layout("for a in b:\n    pass\n"), "", arms) + "\n    pass\n"
    assert text.startswith("with (\n")
    assert not too_new("", text, "py37")
    with_ = ast.parse(text).body[0]
    assert isinstance(with_, ast.With)
    assert [type(item.context_expr) for item in with_.items] == [ast.IfExp]


LONG = """\
import torch
from torch.nn.parallel import DistributedDataParallel


def train(net, loader, gradient_accumulation_steps_of_the_run):
    distributed_model = DistributedDataParallel(net)
    opt = torch.optim.SGD(distributed_model.parameters(), lr=0.1)
    for number, x in enumerate(loader):
        (distributed_model(x).mean() / gradient_accumulation_steps_of_the_run).backward()
        if (number + 1) % gradient_accumulation_steps_of_the_run == 0 or number + 1 == len(loader):
            opt.step()
            opt.zero_grad()
"""


@pytest.mark.parametrize("target", ["", "py37", "py39"])
def test_a_long_condition_is_no_obstacle(target: str) -> None:
    result = fix_text(LONG, "train.py", Settings(target_version=target))
    assert [one.rule for one in result.applied] == ["missing-no-sync"]
    assert "        with (\n            nullcontext()\n            if " in result.text


@pytest.mark.parametrize("rule", RULES)
def test_repairs_write_nothing_that_the_oldest_target_lacks(rule: str) -> None:
    text = Path(FIXTURES, rule, "buggy.py").read_text(encoding="utf-8")
    result = fix_text(text, f"{rule}.py", Settings(select=("all",)), unsafe=True)
    assert not too_new("", text, "py37")
    assert result.changed
    assert not too_new("", result.text, "py37")
