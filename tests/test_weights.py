"""Weights: what several terms have in common, and which part of a weight is there for the window."""

from __future__ import annotations

from fractions import Fraction
from functools import reduce

import pytest

from gradlint.account.weights import by_window, share
from gradlint.model.factor import ONE, UNKNOWN_FACTOR, Factor, Part, common


def factor(text: str) -> Factor:
    """`/ n=3`: divided by a name that stands for three; `* 0.5`, `/ 4`: bare numbers; `* =3`: a computed one."""
    parts = []
    for op, number in zip(text.split()[::2], text.split()[1::2], strict=True):
        name, equals, value = number.rpartition("=")
        amount = Fraction(value)
        bare = not equals
        parts.append(Part(1 / amount if op == "/" else amount, name or (value if op == "/" else ""), op == "/", bare))
    return reduce(Factor.times, map(Factor.of, parts), ONE)


@pytest.mark.parametrize(
    ("terms", "weight"),
    [
        (["/ 4", "/ 4"], "1/4"),
        (["/ 4", "/ 4 * 0.5"], "1/4"),
        (["", "* 0.5"], "1"),
        (["* 0.5", "* 0.5"], "1/2"),
        (["* 0.3", "* 0.7"], "1"),
        (["* 0.25", "* 0.1 * 0.25"], "1/4"),
        (["/ n=3", "/ n=3"], "1/3"),
        (["/ n=3", "/ n=3 * 0.5"], "1/3"),
        (["", "/ 10"], "1"),
        (["* =10", ""], "1"),
        (["* =10 / n=4", "/ n=4"], "1/4"),
        (["* =10 / n=4", ""], None),
        (["* =1/4", ""], None),
        (["* =1/4", "* =10 * =1/4"], "1/4"),
        (["/ n=4 * =4", ""], "1"),
        (["/ n=3", ""], None),
        (["/ 2", "/ 3"], None),
    ],
)
def test_what_terms_have_in_common(terms: list[str], weight: str | None) -> None:
    found = common(map(factor, terms)).weight
    assert found == (None if weight is None else Fraction(weight))


def test_nothing_is_in_common_with_the_unknown() -> None:
    assert common([ONE, UNKNOWN_FACTOR]).weight is None
    assert common([UNKNOWN_FACTOR, UNKNOWN_FACTOR]).weight is None
    assert common([]) == ONE


@pytest.mark.parametrize(
    ("text", "size", "expected"),
    [
        ("", 4, "1"),
        ("/ 4", 4, "1/4"),
        ("/ 8", 4, "1/8"),
        ("/ 2 / 4", 4, "1/4"),
        ("* 0.5 / 4", 4, "1/4"),
        ("* 0.5 / 8", 4, "1/8"),
        ("* 2 / 8", 4, "1/4"),
        ("* 0.25", 4, "1/4"),
        ("* 0.5", 4, "1"),
        ("* 0.5", 2, "1/2"),
        ("* 0.5 / 2", 2, "1/2"),
        ("/ n=4", 4, "1/4"),
        ("/ n=4 / n=4", 4, "1/16"),
        ("/ n=4 / 4", 4, "1/16"),
        ("/ n=4 / tasks=2", 4, "1/4"),
        ("/ n=4 * =4", 4, "1"),
        ("* =1/4", 4, "1/4"),
        ("/ n=3", 1, "1/3"),
        ("/ accumulation_steps=3", 1, "1/3"),
        ("/ tasks=3", 1, "1"),
        ("/ 2", 1, "1"),
        ("* 0.5", 1, "1"),
    ],
)
def test_share_of_the_window(text: str, size: int, expected: str) -> None:
    assert share(factor(text), {size}, {"n"}) == Fraction(expected)


@pytest.mark.parametrize(("text", "expected"), [("/ 2", "1/2"), ("/ 4", "1/4"), ("/ n=2", "1/2"), ("* 0.5 / 4", "1/4")])
def test_share_of_a_tail_is_that_of_either_length(text: str, expected: str) -> None:
    assert share(factor(text), {2, 4}, {"n"}) == Fraction(expected)


@pytest.mark.parametrize(
    ("text", "count", "expected"),
    [
        ("/ n=3", 3, True),
        ("/ accum_iter=3", 3, True),
        ("/ temperature=3", 3, False),
        ("/ 8", 4, True),
        ("/ 8", 1, False),
        ("* =3", 3, False),
    ],
)
def test_division_by_the_window(text: str, count: int, expected: bool) -> None:
    assert by_window(factor(text), count, {"n"}) is expected
