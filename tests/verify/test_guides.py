"""The guides that the product is built from: their whole loops are confirmed, their wrong ones never."""

from __future__ import annotations

import pytest

from verify.guides import COMPLETE, FRAGMENTS, WHOLE, WRONG, with_imports
from verify.wet import CONFIRMED, loops, said

RUN = ("differs", "inconclusive")


@pytest.mark.parametrize("name", COMPLETE)
def test_a_complete_reference_loop_is_confirmed(name: str) -> None:
    (loop,) = loops(COMPLETE[name])
    assert said(loop) == CONFIRMED


@pytest.mark.parametrize("name", WHOLE)
def test_a_right_loop_under_its_imports_is_confirmed(name: str) -> None:
    (loop,) = loops(with_imports(WHOLE[name]))
    assert said(loop) == CONFIRMED


@pytest.mark.parametrize("name", [*WHOLE, *FRAGMENTS])
def test_what_is_right_never_differs(name: str) -> None:
    source = {**WHOLE, **FRAGMENTS}[name]
    assert [loop for text in (source, with_imports(source)) for loop in loops(text) if loop.rules] == []


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_never_confirmed(name: str) -> None:
    rule, source = WRONG[name]
    for text in (source, with_imports(source)):
        for loop in loops(text):
            assert loop.verdict.value in RUN, said(loop)
            assert loop.rules <= {rule}, said(loop)
