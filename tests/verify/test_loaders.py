"""Every spelling of a loader: what is wrong over it is never confirmed, what is right never differs."""

from __future__ import annotations

import pytest

from verify.loaders import RIGHT, SPELLINGS, WRONG, written
from verify.waiting import waiting
from verify.wet import CONFIRMED, loops, said

ASKED = {True: "asks for its length", False: "asks for no length"}
OUT_OF_SIGHT = {
    *((name, length) for length in (True, False) for name in SPELLINGS if "imported" in name or name == "data.loader"),
    ("iter and next of a parameter", True),
} - {("iter and next of an imported name", False)}
"""Where the machine sees no loader: one batch stands in for an imported one, and nobody sees a pass end."""
EVERY = [(name, length) for name in SPELLINGS for length in (True, False)]


def place(case: tuple[str, bool]) -> str:
    return f"{case[0]}, {ASKED[case[1]]}"


@pytest.mark.parametrize("case", EVERY, ids=place)
def test_what_is_wrong_is_not_confirmed_and_what_is_right_does_not_differ(case: tuple[str, bool]) -> None:
    name, length = case
    (right,) = loops(written(SPELLINGS[name], RIGHT, length=length))
    assert right.verdict.value != "differs", said(right)
    for form in WRONG.values():
        (loop,) = loops(written(SPELLINGS[name], form, length=length))
        assert loop.verdict.value != "confirmed", form


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, marks=waiting("a loader is known by what it is") if case in OUT_OF_SIGHT else ())
        for case in EVERY
    ],
    ids=place,
)
def test_each_loop_is_judged(case: tuple[str, bool]) -> None:
    name, length = case
    (right,) = loops(written(SPELLINGS[name], RIGHT, length=length))
    assert said(right) == CONFIRMED
    for form in WRONG.values():
        (loop,) = loops(written(SPELLINGS[name], form, length=length))
        assert loop.verdict.value == "differs", said(loop)
