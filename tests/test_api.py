from __future__ import annotations

import pickle

import pytest
from builders import LOOP, finding

import gradlint
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


def test_unknown_attributes_are_unknown() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nope'"):
        gradlint.nope  # noqa: B018
