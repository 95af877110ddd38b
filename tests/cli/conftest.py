"""The command line on an engine of paper: every line with a BUG is a finding.

For `fix`, a line with SLIP has a safe repair, one with RISK an unsafe one, one with HARD none, and the
repair of one with LIE is withdrawn.

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

from gradlint.check.outcome import Outcome
from gradlint.cli import main
from gradlint.fix import FixResult, Withdrawn
from gradlint.model.finding import Finding, Fix, Problem, Report, Safety, Severity, Span
from gradlint.syntax.source import SourceError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from gradlint.model.settings import Settings

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


def outcome_of(text: str, path: str, settings: Settings) -> Outcome:
    return Outcome(check_text(text, path, settings))


SAFE = Fix(Safety.SAFE, "Mend the slip", (), "nothing else is touched", "Every update counts.")
RISKY = Fix(Safety.UNSAFE, "Take the risk", (), "another repair would be right, too", "Half of them count.")
FIXES = {"SLIP": SAFE, "RISK": RISKY, "HARD": None, "LIE": None}


def fix_text(text: str, path: str, settings: Settings, *, unsafe: bool = False, across: bool = False) -> FixResult:
    """Mends every SLIP, and with `unsafe` every RISK, where clip-after-step is enabled."""
    if "CRASH" in text:
        raise RuntimeError("planted")
    try:
        ast.parse(text)
    except SyntaxError as error:
        return FixResult(path, text, text, problems=(Problem(path, f"cannot be parsed at line {error.lineno}"),))
    if not settings.enabled("clip-after-step", "clipping", True):
        return FixResult(path, text, text)
    applied: list[Finding] = []
    remaining: list[Finding] = []
    for row, line in enumerate(text.split("\n"), 1):
        for word, fix in FIXES.items():
            if word in line:
                found = finding(path=path, span=Span(row, 1, row, 5), message=f"A {word}.", fix=fix)
                mended = fix is not None and (unsafe or fix.safety is Safety.SAFE)
                (applied if mended else remaining).append(found)
    after = text.replace("SLIP", "mended").replace("RISK", "mended" if unsafe else "RISK")
    after = after.replace("BREAK", "(")
    withdrawn = tuple(Withdrawn(one, "it brings another") for one in remaining if "LIE" in one.message)
    return FixResult(path, text, after, tuple(applied), tuple(remaining), withdrawn)


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
    engine, rule = ModuleType("gradlint.check.engine"), ModuleType("gradlint.rules.support.rule")
    vars(engine).update(check_text=check_text, outcome_of=outcome_of, warm_up=lambda: None)
    vars(engine).update(trace_text=trace_text, fix_text=fix_text)
    vars(rule).update(all_rules=lambda: RULES)
    monkeypatch.setitem(sys.modules, "gradlint.check.engine", engine)
    monkeypatch.setitem(sys.modules, "gradlint.rules.support.rule", rule)
    monkeypatch.setattr("gradlint.check.survey.promising", lambda data, words: True)
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


@dataclass(frozen=True, slots=True)
class RanBytes:
    """The same, as bytes."""

    status: int
    out: bytes
    err: bytes


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """Run `gradlint` in this process with the given words, and bytes on standard input."""

    def call(*words: str, stdin: bytes = b"") -> int:
        monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(stdin)))
        return main(words)

    return call


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], call: Callable[..., int]) -> Callable[..., Ran]:
    """`call`, and what was printed."""
    return lambda *words, stdin=b"": Ran(call(*words, stdin=stdin), *capsys.readouterr())


@pytest.fixture
def run_bytes(capsysbinary: pytest.CaptureFixture[bytes], call: Callable[..., int]) -> Callable[..., RanBytes]:
    """`call`, and what was printed, to the byte."""
    return lambda *words, stdin=b"": RanBytes(call(*words, stdin=stdin), *capsysbinary.readouterr())
