"""The command line on an engine of paper: every line with a BUG is a finding.

The commands are tested against the engine's interface, so a test here fails for a reason that
lies in the command line. `test_real_engine.py` has the few that go all the way down.
"""

from __future__ import annotations

import ast
import io
import sys
from dataclasses import dataclass
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING

import pytest
from builders import finding, region

from gradlint.cli import main
from gradlint.finding import Problem, Report, Safety, Severity, Span
from gradlint.source import SourceError, read_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from gradlint.config import Settings

RULES = tuple(
    SimpleNamespace(
        name=name,
        category=category,
        severity=Severity.ERROR,
        default=default,
        safety=Safety.SAFE,
        summary=f"summary of {name}",
    )
    for name, category, default in (
        ("clip-after-step", "clipping", True),
        ("clip-per-tensor", "clipping", True),
        ("missing-no-sync", "distributed", True),
        ("tiny-max-norm", "advice", False),
    )
)


def check_text(text: str, path: str, settings: Settings) -> Report:
    """A finding of every enabled rule on every line with a BUG; CRASH makes the engine fail."""
    if "CRASH" in text:
        raise RuntimeError("planted")
    try:
        ast.parse(text)
    except SyntaxError as error:
        return Report((), (Problem(path, f"cannot be parsed at line {error.lineno}"),), 1, 0)
    on = [one for one in RULES if settings.enabled(one.name, one.category, one.default)]
    found = [
        finding(rule=one.name, category=one.category, path=path, span=Span(row, 1, row, 4), fix=None)
        for row, line in enumerate(text.split("\n"), 1)
        if "BUG" in line
        for one in on
    ]
    return Report(tuple(found), (), 1, text.count("for "))


def check_paths(paths: Sequence[Path], settings: Settings, problems: Sequence[Problem] = ()) -> Report:
    reports = []
    for path in paths:
        try:
            reports.append(check_text(read_text(path), str(path), settings))
        except SourceError as error:
            reports.append(Report((), (Problem(str(path), error.message),), 1, 0))
    return Report(
        tuple(one for report in reports for one in report.findings),
        (*problems, *(one for report in reports for one in report.problems)),
        len(reports),
        sum(report.regions for report in reports),
    )


def trace_text(text: str, path: str, line: int | None) -> tuple[object, ...]:
    if "CRASH" in text:
        raise RuntimeError("planted")
    if "(" in text and ")" not in text:
        raise SourceError("cannot be parsed at line 1: '(' was never closed")
    if "for " not in text or line == 99:
        return ()
    return (region(path=path),)


@pytest.fixture(autouse=True)
def paper(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The paper engine, an empty current folder, and a plain page of 100 columns."""
    engine, rule = ModuleType("gradlint.engine"), ModuleType("gradlint.rule")
    vars(engine).update(check_text=check_text, check_paths=check_paths, trace_text=trace_text)
    vars(rule).update(all_rules=lambda: RULES)
    monkeypatch.setitem(sys.modules, "gradlint.engine", engine)
    monkeypatch.setitem(sys.modules, "gradlint.rule", rule)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    for name in ("NO_COLOR", "FORCE_COLOR", "GRADLINT_DEBUG"):
        monkeypatch.delenv(name, raising=False)


@dataclass(frozen=True, slots=True)
class Ran:
    """What one run of the command did."""

    status: int
    out: str
    err: str


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """Run `gradlint` in this process with the given words, and bytes on standard input."""

    def run(*words: str, stdin: bytes = b"") -> Ran:
        monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(stdin)))
        status = main(words)
        return Ran(status, *capsys.readouterr())

    return run
