from __future__ import annotations

import doctest
import pickle

import pytest
from builders import LOOP, finding

import gradlint
from fixtures import FIXTURES
from gradlint.source import SourceError

TRAIN = f"""\
import torch
from torch.nn.utils import clip_grad_norm_

def train(model, loader, log):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
{"".join(f"    {line}" for line in LOOP.splitlines(keepends=True))}"""


def test_a_clean_text_has_no_findings() -> None:
    assert gradlint.check_source("x = 1\n") == []


def test_findings_carry_the_given_path() -> None:
    (one,) = gradlint.check_source(TRAIN, path="train.py")
    assert (one.rule, one.path, one.row) == ("clip-after-step", "train.py", 11)


def test_a_text_that_does_not_parse_raises() -> None:
    with pytest.raises(SourceError):
        gradlint.check_source("def f(:\n")


def test_function_and_findings_can_be_pickled() -> None:
    assert pickle.loads(pickle.dumps(gradlint.check_source)) is gradlint.check_source
    assert pickle.loads(pickle.dumps(finding())) == finding()


SAFE = TRAIN.splitlines(keepends=True)
"""The lines of `TRAIN` with the clip (row 11) before the step (row 10)."""
SAFE[9:11] = SAFE[10], SAFE[9]


def test_a_mistake_is_repaired() -> None:
    result = gradlint.fix_source(TRAIN, path="train.py")
    assert (result.path, result.before, result.text, result.changed) == ("train.py", TRAIN, "".join(SAFE), True)
    (one,) = result.applied
    assert one.fix is not None
    assert (one.rule, one.row, one.fix.safety.value) == ("clip-after-step", 11, "safe")
    assert (result.remaining, result.withdrawn, result.problems) == ((), (), ())


def test_a_repaired_text_stays_as_it_is() -> None:
    text = gradlint.fix_source(TRAIN).text
    assert gradlint.check_source(text) == []
    assert not gradlint.fix_source(text).changed


def test_unsafe_repairs_are_made_when_asked_for() -> None:
    text = (FIXTURES / "dropped-accumulation-tail" / "buggy.py").read_text(encoding="utf-8")
    plain, unsafe = gradlint.fix_source(text), gradlint.fix_source(text, unsafe=True)
    assert (plain.changed, unsafe.changed) == (False, True)
    assert [one.rule for one in plain.remaining] == [one.rule for one in unsafe.applied]
    assert [one.fix and one.fix.safety.value for one in plain.remaining] == ["unsafe"]


def test_a_text_that_does_not_parse_is_not_repaired() -> None:
    with pytest.raises(SourceError, match="cannot be parsed at line 1"):
        gradlint.fix_source("def f(:\n")
    with pytest.raises(SourceError, match="cannot be parsed at line 2"):
        gradlint.fix_source("loss.backward()\ndef f(:\n")


def test_a_result_can_be_pickled() -> None:
    result = gradlint.fix_source(TRAIN)
    assert pickle.loads(pickle.dumps(result)) == result
    assert pickle.loads(pickle.dumps(gradlint.fix_source)) is gradlint.fix_source


def test_everything_public_is_there() -> None:
    assert [hasattr(gradlint, name) for name in gradlint.__all__] == [True] * len(gradlint.__all__)


def test_the_examples_of_the_package() -> None:
    assert doctest.testmod(gradlint) == (0, 3)


def test_unknown_attributes_are_unknown() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nope'"):
        gradlint.nope  # noqa: B018
