"""A count that is asked through a helper or a name: what others ask stays as it is."""

from __future__ import annotations

import ast

import pytest

from fix.edits import at, done, refused
from gradlint.fix.held import asked_again
from gradlint.model.edits import Modulus

DUE = "def due(number, every):\n    return number % every == 0\n\n\n"
CLASS = "class Every:\n    def due(self, number):\n        return number % self.every == 0\n\n\n"
FIXED = "class Every:\n    @staticmethod\n    def due(number, every):\n        return number % every == 0\n\n\n"
WORDS = "def due(every, *, number=0):\n    return not number % every\n\n\n"
PHASE = "def phase(number):\n    return number % 4\n\n\n"
NESTED = f"{DUE}def stale(number):\n    return due(number, 12)\n\n\n"
MORE = "def due(number, every):\n    return number > 8 and number % every == 0\n\n\n"


def text(helper: str, test: str, other: str = "", before: str = "") -> str:
    asked = f"    if {other}:\n        target.copy(online)\n" if other else ""
    return f"{helper}for i in xs:\n{before}{asked}    loss.backward()\n    if {test}:\n        opt.step()\n"


@pytest.mark.parametrize(
    ("helper", "other", "test", "after"),
    [
        (DUE, "due(i, 12)", "due(i, 4)", "due(i + 1, 4)"),
        (DUE, "any(map(due, [i], [12]))", "due(i, 4)", "due(i + 1, 4)"),
        (DUE, "due(i, 12)", "due(every=4, number=i)", "due(every=4, number=i + 1)"),
        (DUE, "due(i, 12)", "due(i - 1, 4)", "due(i, 4)"),
        (DUE, "due(i, 12)", "ready and due(self.i, 4)", "ready and due(self.i + 1, 4)"),
        (WORDS, "due(12, number=i)", "due(4, number=i)", "due(4, number=i + 1)"),
        (CLASS, "slow.due(i)", "fast.due(i)", "fast.due(i + 1)"),
        (FIXED, "slow.due(i, 12)", "fast.due(i, 4)", "fast.due(i + 1, 4)"),
        (PHASE, "phase(i) == 2", "phase(i) == 0", "phase(i + 1) == 0"),
        (NESTED, "stale(i)", "due(i, 4)", "due(i + 1, 4)"),
    ],
)
def test_what_others_ask_stays(helper: str, other: str, test: str, after: str) -> None:
    before = text(helper, test, other)
    assert done(before, Modulus(at(f"if {test}:\n        opt.step()"), 1)) == text(helper, after, other)


@pytest.mark.parametrize(
    ("helper", "other", "test"),
    [
        (DUE, "due(i, 12)", "due(*pair)"),
        (DUE, "due(i, 12)", "due(i, 4) or due(i, 6)"),
        (MORE, "due(i, 12)", "due(i, 4)"),
        (WORDS, "due(12)", "due(4)"),
        (NESTED, "stale(i + 4)", "stale(i)"),
    ],
)
def test_a_helper_that_cannot_be_asked_otherwise(helper: str, other: str, test: str) -> None:
    reason = refused(text(helper, test, other), Modulus(at(f"if {test}:\n        opt.step()", 0), 1))
    assert reason == "`due` is asked elsewhere, too, and would not answer as before"


@pytest.mark.parametrize(("helper", "test"), [(DUE, "due(i, 4)"), (PHASE, "phase(i) == 0")])
def test_a_helper_that_nobody_else_asks_is_shifted_itself(helper: str, test: str) -> None:
    after = done(text(helper, test), Modulus(at(f"if {test}:\n        opt.step()"), 1))
    assert after == text(helper.replace("number %", "(number + 1) %"), test)


@pytest.mark.parametrize(
    ("guarded", "asked"),
    [("target.copy(online)", [("due(i, 4)", 6)]), ("clip_grad_norm_(ps, 1)", []), ("with model.no_sync(): pass", [])],
)
def test_the_same_call_goes_along_and_may_be_about_something_else(guarded: str, asked: list[tuple[str, int]]) -> None:
    before = text(DUE, "due(i, 4)", "due(i, 4)").replace("target.copy(online)", guarded)
    after = done(before, Modulus(at("if due(i, 4):\n        opt.step()"), 1))
    assert after == before.replace("number %", "(number + 1) %")
    row = before[: before.index("        opt.step")].count("\n")
    assert list(asked_again(ast.parse(before), row)) == asked


def test_a_helper_of_a_helper_that_nobody_else_asks_is_shifted_itself() -> None:
    before = text(NESTED, "stale(i)")
    after = done(before, Modulus(at("if stale(i):\n        opt.step()"), 1))
    assert after == before.replace("number %", "(number + 1) %")


def test_an_import_under_another_name_asks_too() -> None:
    before = f"from here import due as late\n{text(DUE, 'due(i, 4)')}"
    assert "if due(i + 1, 4):" in done(before, Modulus(at("if due(i, 4):\n        opt.step()"), 1))


def test_what_is_left_is_not_shifted_under_a_name_that_is_read_again() -> None:
    before = text("", "phase == 0", "phase == 2", "    phase = i % 4\n")
    reason = refused(before, Modulus(at("if phase == 0:\n        opt.step()"), 1))
    assert reason == "what is left by the modulus is asked elsewhere, too"
    alone = text("", "phase == 0", "", "    phase = i % 4\n")
    after = done(alone, Modulus(at("if phase == 0:\n        opt.step()"), 1))
    assert after == alone.replace("i % 4", "(i + 1) % 4")
