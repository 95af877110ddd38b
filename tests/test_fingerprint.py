from __future__ import annotations

import pytest
from builders import finding
from hypothesis import given
from hypothesis import strategies as st

from gradlint.check.fingerprint import fingerprints
from gradlint.model.finding import Span

TEXT = """\
class Trainer:
    def train(self):
        for batch in loader:
            loss.backward()
            step()

    def other(self):
        loss.backward()
"""


def prints(text: str, *rows: int, **changes: object) -> tuple[str, ...]:
    found = [finding(span=Span(row, 1, row, 5), **changes) for row in rows]
    return fingerprints(found, lambda path, cell: text, lambda path: path)


BEFORE = prints(TEXT, 4)[0]


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("import torch\n\n" + TEXT, 6),
        (TEXT.replace("for batch in loader", "for i, batch in enumerate(loader)"), 4),
        (TEXT.replace("    for batch in loader:\n", "    for batch in loader:\n        new()\n"), 5),
        (TEXT.replace("loss.backward()", "loss . backward( )", 1), 4),
        (TEXT.replace("\n", "\r\n"), 4),
        (TEXT.replace("    ", "\t"), 4),
        (TEXT.replace("def train(self):", "def train(self, loader,\n          batch):\n"), 6),
    ],
    ids=["lines above", "another loop", "a line in the loop", "spaces", "line ends", "tabs", "signature"],
)
def test_what_it_outlives(text: str, row: int) -> None:
    assert "backward" in text.splitlines()[row - 1]
    assert prints(text, row) == (BEFORE,)


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        (TEXT.replace("loss.backward()", "total.backward()"), {}),
        (TEXT.replace("def train", "def fit"), {}),
        (TEXT, {"rule": "missing-no-sync"}),
        (TEXT, {"path": "other.py"}),
    ],
    ids=["code", "function", "rule", "file"],
)
def test_what_makes_another(text: str, changes: dict[str, object]) -> None:
    assert prints(text, 4, **changes) != (BEFORE,)


def test_equal_code_in_two_functions_is_told_apart_without_numbers() -> None:
    assert len(set(prints(TEXT, 4, 8))) == 2
    assert prints(TEXT, 8) == prints(TEXT, 4, 8)[1:]


def test_equal_code_in_one_function_is_numbered() -> None:
    twice = TEXT.replace("            step()\n", "            loss.backward()\n")
    first, second = prints(twice, 4, 5)
    assert (first, second != first) == (BEFORE, True)


def test_the_message_and_the_cell_do_not_count() -> None:
    assert prints(TEXT, 4, message="on line 99", cell=7) == (BEFORE,)


@given(st.text(), st.lists(st.integers(1, 9), max_size=5))
def test_any_text_has_some(text: str, rows: list[int]) -> None:
    assert len(set(prints(text, *sorted(rows)))) == len(rows)
