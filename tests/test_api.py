from __future__ import annotations

import doctest
import pickle
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from builders import LOOP, finding

import gradlint
import gradlint.api
from fixtures import FIXTURES
from gradlint.syntax.source import SourceError

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
    text = (FIXTURES / "accumulation-divisor-mismatch" / "buggy.py").read_text(encoding="utf-8")
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


@pytest.mark.parametrize(("module", "examples"), [(gradlint, 3), (gradlint.api, 15)])
def test_the_examples_in_the_code(module: ModuleType, examples: int) -> None:
    assert doctest.testmod(module) == (0, examples)


def test_the_examples_in_the_documentation() -> None:
    page = Path(gradlint.__file__).parents[1] / "docs" / "api.md"
    assert doctest.testfile(str(page), module_relative=False, encoding="utf-8") == (0, 15)


def test_rules_and_categories_can_be_chosen() -> None:
    assert gradlint.check_source(TRAIN, ignore=["clipping"]) == []
    assert gradlint.check_source(TRAIN, select=["mixed-precision"]) == []
    assert len(gradlint.check_source(TRAIN, select=["clip-after-step"], ignore=["clipping"])) == 1
    assert not gradlint.fix_source(TRAIN, ignore=["clip-after-step"]).changed


def test_a_name_that_nobody_has_is_refused() -> None:
    with pytest.raises(gradlint.ConfigError, match="select: unknown rule 'cliping'; did you mean 'clipping'"):
        gradlint.check_source("x = 1", select=["cliping"])
    with pytest.raises(gradlint.ConfigError, match="ignore: unknown rule"):
        gradlint.fix_source("x = 1", ignore=["nope"])


def test_what_is_less_than_certain_is_found_when_asked_for() -> None:
    unsure = """\
import torch


def train(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for batch in loader:
        model(batch).backward()
        helper(optimizer)
        optimizer.step()
"""
    assert gradlint.check_source(unsure) == []
    assert [one.confidence.value for one in gradlint.check_source(unsure, pedantic=True)] == ["medium"]


def test_importing_the_package_imports_nothing_else() -> None:
    program = "import sys; import gradlint; print(sorted(name for name in sys.modules if name.startswith('gradlint')))"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout == "['gradlint']\n"


def test_a_type_checker_knows_all_of_it(tmp_path: Path) -> None:
    good = "import gradlint\nresult: gradlint.FixResult = gradlint.fix_source('')\n"
    bad = "import gradlint\nrows: list[int] = gradlint.check_source('')\n"
    (tmp_path / "good.py").write_text(good, encoding="utf-8")
    (tmp_path / "bad.py").write_text(bad, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--config-file="]
    ran = subprocess.run([*command, "good.py", "bad.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert [line.split(":")[:2] for line in ran.stdout.splitlines() if ": error:" in line] == [["bad.py", "2"]]


def test_unknown_attributes_are_unknown() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nope'"):
        gradlint.nope  # noqa: B018
