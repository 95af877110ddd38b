"""Repairs of real loops that somebody has read and labelled.

`GRADLINT_REALWORLD` names a folder of unpacked packages, `NAME-VERSION/...`, with a `labels.jsonl`:
one object a line, with `package`, `version`, `path`, `line`, and a `rule` (`clean` for a right loop).
`pytest tests/fix/test_realworld.py` then prints what each repair of a labelled mistake changes.
"""

from __future__ import annotations

import ast
import functools
import json
import os
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path

import pytest

from fix.edits import carried_out
from gradlint.check.engine import check_text, fix_text
from gradlint.fix import FixResult
from gradlint.model.finding import Finding, Safety
from gradlint.model.settings import Settings
from gradlint.rules.support.rule import all_rules
from gradlint.syntax.source import parse, read_text

# These packages are no part of the project: they are 150 MB, and each has a licence of its own.
FOLDER = os.environ.get("GRADLINT_REALWORLD", "")
pytestmark = pytest.mark.skipif(not FOLDER, reason="GRADLINT_REALWORLD names no folder of labelled packages")

NEAR = 12
"""How far from its label, in rows, a mistake may be reported outside of the labelled function."""

MOST_LINES = 16
"""No repair of one mistake rewrites more than this, apart from what it indents."""


@dataclass(frozen=True)
class Label:
    """A mistake that somebody saw."""

    path: str
    line: int
    rule: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.rule}"


def labels() -> list[Label]:
    if not FOLDER:
        return []
    rows = map(json.loads, (Path(FOLDER) / "labels.jsonl").read_text(encoding="utf-8").splitlines())
    bugs = [row for row in rows if row["rule"] != "clean" and not row["rule"].startswith("other:")]
    return [Label(f"{row['package']}-{row['version']}/{row['path']}", row["line"], row["rule"]) for row in bugs]


LABELS = labels()
FILES = sorted({label.path for label in LABELS})


@functools.cache
def text_of(path: str) -> str:
    return read_text(Path(FOLDER) / path)


@functools.cache
def found_in(path: str) -> tuple[Finding, ...]:
    return check_text(text_of(path), path, Settings()).findings


@functools.cache
def repaired(path: str) -> FixResult:
    return fix_text(text_of(path), path, Settings(), unsafe=True)


def finding_of(label: Label) -> Finding | None:
    """The finding that is meant by a label: in its function, or near its line."""
    rows = {*range(label.line - NEAR, label.line + NEAR + 1)}
    around = [node for node in ast.walk(parse(text_of(label.path))) if _is_function_around(node, label.line)]
    if around:
        inner = max(around, key=lambda node: node.lineno)
        rows |= {*range(inner.lineno, (inner.end_lineno or inner.lineno) + 1)}
    same = [one for one in found_in(label.path) if one.rule == label.rule and one.row in rows]
    return min(same, key=lambda one: abs(one.row - label.line), default=None)


def _is_function_around(node: ast.AST, line: int) -> bool:
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return isinstance(node, kinds) and node.lineno <= line <= (node.end_lineno or 0)


def changed(before: str, after: str, *, margins: bool = True) -> tuple[int, int]:
    """How many lines come, and how many go; without `margins`, what is only indented does neither."""
    old, new = (
        text.splitlines() if margins else [line.strip() for line in text.splitlines()] for text in (before, after)
    )
    lines = list(unified_diff(old, new, n=0, lineterm=""))[2:]
    return sum(line.startswith("+") for line in lines), sum(line.startswith("-") for line in lines)


@pytest.fixture
def tell(capsys: pytest.CaptureFixture[str]) -> Callable[[str], object]:
    """Prints a line past what pytest captures."""

    def line(text: str) -> None:
        with capsys.disabled():
            sys.stdout.write(f"\n{text} ")

    return line


@pytest.mark.parametrize("label", LABELS, ids=str)
def test_the_repair_of_a_labelled_mistake(label: Label, tell: Callable[[str], object]) -> None:
    finding = finding_of(label)
    if finding is None or finding.fix is None:
        tell(f"{'no finding' if finding is None else 'no repair':16} {label}")
        return
    before = text_of(label.path)
    after = carried_out(before, finding.fix.edits)
    plus, minus = changed(before, after)
    tell(f"{finding.fix.safety.value:6} +{plus:<3} -{minus:<3} {label}")
    ast.parse(after)
    was, now = (Counter(one.rule for one in found) for found in (found_in(label.path), rechecked(label, after)))
    assert now[label.rule] < was[label.rule]
    new = now - was
    assert [
        rule.name for rule in all_rules() if new[rule.name] and label.rule not in rule.yields_to | rule.yields_here_to
    ] == []
    assert 0 < sum(changed(before, after, margins=False)) <= MOST_LINES


def rechecked(label: Label, text: str) -> tuple[Finding, ...]:
    return check_text(text, label.path, Settings()).findings


@pytest.mark.parametrize("path", FILES)
def test_one_run_repairs_all_that_can_be_repaired(path: str, tell: Callable[[str], object]) -> None:
    result = repaired(path)
    for one in result.withdrawn:
        tell(f"withdrawn        {path}:{one.finding.row}:{one.finding.rule}: {one.reason}")
    assert [one for one in result.remaining if one.fix is not None] == []
    again = fix_text(result.text, path, Settings(), unsafe=True)
    assert (again.text, again.applied) == (result.text, ())


@pytest.mark.parametrize("path", FILES)
def test_a_plain_run_leaves_no_safe_repair(path: str) -> None:
    result = fix_text(text_of(path), path, Settings())
    assert [one for one in result.remaining if one.fix is not None and one.fix.safety is Safety.SAFE] == []
