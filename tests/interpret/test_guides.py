"""What guides show as wrong is told as it stands on the page, also without its imports; what is right is silent."""

from __future__ import annotations

import pytest
from verify.guides import COMPLETE, FRAGMENTS, WHOLE, WRONG, with_imports

from gradlint import check_source
from interpret.marks import known

MISSED = {
    "gradients divided by hand at each micro-batch": "no rule tells gradients that are scaled by hand more than once",
    "clipped after the step, in two lines": "a fragment without a backward is no loop",
    "scaled gradients clipped, in two lines": "a fragment without a step is no loop",
}
RIGHT = {**COMPLETE, **WHOLE, **FRAGMENTS}
AS = {"as it stands": str, "under its imports": with_imports}


@pytest.mark.parametrize("how", AS)
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=known(MISSED[name])) if name in MISSED else name for name in WRONG]
)
def test_what_is_wrong_is_told(name: str, how: str) -> None:
    rule, source = WRONG[name]
    assert rule in {one.rule for one in check_source(AS[how](source))}


@pytest.mark.parametrize("how", AS)
@pytest.mark.parametrize("name", RIGHT)
def test_what_is_right_is_silent(name: str, how: str) -> None:
    assert list(check_source(AS[how](RIGHT[name]))) == []
