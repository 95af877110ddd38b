"""A mistake stands back for another that it follows from, unless it is the surer of the two."""

from __future__ import annotations

import pytest

from gradlint.finding import Span
from gradlint.judge import _Merged, _yields
from gradlint.rule import Hit, all_rules

HERE, THERE = Span(3, 1, 3, 9), Span(5, 1, 5, 9)
RULES = {rule.name: rule for rule in all_rules()}


def entry(span: Span, *doubts: str) -> _Merged:
    return _Merged(Hit(span, "", "", "", "optimizer", doubts=doubts), 0, {(0, "optimizer")})


@pytest.mark.parametrize(
    ("mine", "others", "stands_back"), [((), (), True), (("a",), ("a",), True), (("a",), (), True), ((), ("a",), False)]
)
def test_what_is_surer_is_said(mine: tuple[str, ...], others: tuple[str, ...], stands_back: bool) -> None:
    rule = RULES["accumulation-divisor-mismatch"]
    one, other = entry(HERE, *mine), entry(THERE, *others)
    merged = {(rule.name, HERE): one, ("zero-grad-in-accumulation", THERE): other}
    back = ("zero-grad-in-accumulation", THERE) if stands_back else None
    assert _yields(rule, one, merged, {}) == back
