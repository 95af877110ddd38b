"""Every pair of loops: the mistake is measured, its repair confirmed. Every sound loop is confirmed as it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from fixtures import FIXTURES, RULES, SOUND
from gradlint.check.engine import fix_text
from gradlint.model.settings import Settings
from gradlint.verify import confirm
from gradlint.verify.observables import OBSERVABLES
from verify.wet import CONFIRMED, loops, said


def text_of(rule: str, kind: str) -> str:
    return (FIXTURES / rule / f"{kind}.py").read_text(encoding="utf-8")


def test_every_rule_with_a_pair_has_an_observable() -> None:
    assert set(RULES) <= {one.rule for one in OBSERVABLES}


@pytest.mark.parametrize("rule", RULES)
def test_the_mistake_shows_by_its_own_rule(rule: str) -> None:
    (loop,) = loops(text_of(rule, "buggy"))
    assert (loop.verdict.value, rule in loop.rules) == ("differs", True), said(loop)


@pytest.mark.parametrize("rule", RULES)
def test_the_repair_by_hand_is_confirmed(rule: str) -> None:
    (loop,) = loops(text_of(rule, "fixed"))
    assert said(loop) == CONFIRMED


@pytest.mark.parametrize("rule", RULES)
def test_the_repair_by_gradlint_is_confirmed(rule: str) -> None:
    buggy = text_of(rule, "buggy")
    result = fix_text(buggy, "train.py", Settings(), unsafe=True)
    if not result.changed:
        pytest.skip("there is no repair")
    (loop,) = loops(result.text)
    assert said(loop) == CONFIRMED
    assert confirm(buggy, result.text, "train.py") == ""


@pytest.mark.parametrize("rule", RULES)
def test_planting_the_mistake_is_no_repair(rule: str) -> None:
    reason = confirm(text_of(rule, "fixed"), text_of(rule, "buggy"), "train.py")
    assert reason == "train: the loop shows no mistake as it is"


@pytest.mark.parametrize("path", SOUND, ids=lambda path: path.stem)
def test_a_sound_loop_is_confirmed(path: Path) -> None:
    found = loops(path.read_text(encoding="utf-8"))
    assert found
    assert [said(loop) for loop in found] == [CONFIRMED] * len(found)
