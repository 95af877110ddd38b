"""The labelled loops: every set can be read, and every label points at something."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
import tokenize
from pathlib import Path
from typing import Any

import pytest

LOOPS = Path(__file__).parents[2] / "benchmarks" / "loops"
SETS = sorted(path.parent for path in LOOPS.glob("*/labels.jsonl"))
SILENT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}

Label = dict[str, Any]


@pytest.fixture(scope="module")
def rules() -> set[str]:
    command = [sys.executable, "-m", "gradlint", "rules", "--output-format", "json"]
    ran = subprocess.run(command, cwd=LOOPS, capture_output=True, text=True, encoding="utf-8", check=True)
    return {rule["name"] for rule in json.loads(ran.stdout)}


def labels(folder: Path) -> list[Label]:
    return [json.loads(line) for line in (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines()]


def lines_with_code(file: Path) -> set[int]:
    found: set[int] = set()
    with file.open("rb") as stream:
        for token in tokenize.tokenize(stream.readline):
            if token.type not in SILENT and token.type != tokenize.ENCODING:
                found.update(range(token.start[0], token.end[0] + 1))
    return found


def places(mistake: Label) -> list[int]:
    """The lines on which a finding hits this mistake; `line` is the first choice among `lines`."""
    lines: list[int] = mistake.get("lines", [mistake["line"]])
    return lines


def test_there_are_sets() -> None:
    assert SETS
    assert {path for path in LOOPS.iterdir() if path.is_dir() and path.name != "__pycache__"} == set(SETS)


@pytest.mark.parametrize("folder", SETS, ids=lambda path: path.name)
def test_each_file_has_one_label(folder: Path) -> None:
    named = [label["file"] for label in labels(folder)]
    assert len(named) == len(set(named))
    present = {path.relative_to(folder).as_posix() for path in folder.glob("*/*.py")}
    assert set(named) == present
    assert {name.split("/")[0] for name in named} == {"wrong", "right"}


@pytest.mark.parametrize("folder", SETS, ids=lambda path: path.name)
def test_a_label_says_what_its_folder_says(folder: Path, rules: set[str]) -> None:
    for label in labels(folder):
        assert label["style"], label
        if label["file"].startswith("wrong/"):
            assert label["mistakes"], label
        else:
            assert label["mistakes"] == [], label
            assert label["tempts"], label
            assert set(label["tempts"]) <= rules, label
        assert {mistake["rule"] for mistake in label["mistakes"]} <= rules, label


@pytest.mark.parametrize("folder", SETS, ids=lambda path: path.name)
def test_each_file_parses_and_each_labelled_line_holds_code(folder: Path) -> None:
    for label in labels(folder):
        file = folder / label["file"]
        ast.parse(file.read_text(encoding="utf-8"), str(file))
        code = lines_with_code(file)
        for mistake in label["mistakes"]:
            assert mistake["line"] in places(mistake), label
            assert set(places(mistake)) <= code, label
