"""A bounded part of `benchmarks/verify_mutations.py`: planted mistakes are seen, and by their own rule."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from fixtures import FIXTURES
from verify.wet import loops, said

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "verify_mutations.py"


def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("verify_mutations", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


MUTATIONS = script()
CLEAN = (
    "sound/lifecycle_in_helpers",
    "sound/no_sync_chosen_by_nullcontext",
    "sound/is_last_batch_flag",
    "unscaled-accumulation-loss/fixed",
    "clip-scaled-gradients/fixed",
    "scheduler-per-micro-batch/fixed",
    "step-bypasses-scaler/fixed",
)
CASES = [(name, mistake) for name in CLEAN for mistake in MUTATIONS.MISTAKES]


@pytest.mark.parametrize(("name", "mistake"), CASES, ids=[f"{name}-{one.rule}" for name, one in CASES])
def test_a_planted_mistake_is_seen(name: str, mistake: object) -> None:
    text = (FIXTURES / f"{name}.py").read_text(encoding="utf-8")
    (loop,) = loops(text)
    assert loop.verdict.value == "confirmed"
    if (mistake.windows and not MUTATIONS.accumulates(loop)) or (mistake.limits and not loop.limit):
        return
    mutant = MUTATIONS.mutate(text, loop.name, mistake)
    if mutant is None:
        return
    (changed,) = loops(mutant)
    assert changed.verdict.value == "differs", said(changed)
    assert mistake.rule in changed.rules, said(changed)


def test_most_mistakes_fit_somewhere() -> None:
    planted = {
        mistake.rule
        for name, mistake in CASES
        if MUTATIONS.mutate((FIXTURES / f"{name}.py").read_text(encoding="utf-8"), "train", mistake)
    }
    assert len(planted) >= 14


def test_what_is_not_touched_stays_as_it_is() -> None:
    (mistake,) = [one for one in MUTATIONS.MISTAKES if one.rule == "double-unscale"]
    text = (FIXTURES / "unscaled-accumulation-loss" / "fixed.py").read_text(encoding="utf-8")
    assert MUTATIONS.mutate(text, "train", mistake) is None
