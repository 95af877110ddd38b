"""The pairs on a GPU, where there is one: real autocast, a real scaler, single precision."""

from __future__ import annotations

import pytest

from fixtures import FIXTURES, RULES
from gradlint.verify.files import has_cuda
from gradlint.verify.judge import Asked
from verify.wet import loops, said


@pytest.fixture(scope="module", autouse=True)
def gpu() -> None:
    if not has_cuda():
        pytest.skip("torch finds no GPU here: not run on CUDA")


@pytest.mark.parametrize("precision", ["fp16", "bf16"])
@pytest.mark.parametrize("rule", RULES)
def test_a_pair_on_cuda(rule: str, precision: str) -> None:
    asked = Asked(device="cuda", precision=precision)
    (buggy,) = loops((FIXTURES / rule / "buggy.py").read_text(encoding="utf-8"), asked)
    (fixed,) = loops((FIXTURES / rule / "fixed.py").read_text(encoding="utf-8"), asked)
    assert rule in buggy.rules, said(buggy)
    assert fixed.verdict.value == "confirmed", said(fixed)
