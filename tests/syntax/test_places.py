"""Places count lines as Python does, whatever else may look like the end of one."""

from __future__ import annotations

import ast
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradlint import check_source
from gradlint.check.engine import check_text
from gradlint.check.suppressions import Ignore, Suppressions
from gradlint.model.finding import Span
from gradlint.model.settings import Settings
from gradlint.syntax.source import BOM, Places, SourceError, parse, split_lines

NO_ENDS = ["\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"]
ENDS = ["\n", "\r\n", "\r"]
LOOP = """\
import torch
from torch.nn.utils import clip_grad_norm_
def train(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for batch in loader:
        optimizer.zero_grad()
        note = 'a{odd}b'  # c{odd}d
        text = '''e{odd}
        f{odd}'''
        model(batch).sum().backward()
        optimizer.step()
        log('{odd}'); clip_grad_norm_(model.parameters(), 1.0)
"""


def call(text: str, places: Places) -> tuple[Span, str]:
    """Where the last call of a text stands, and its source."""
    (*_, last) = (node for node in ast.walk(parse(text)) if isinstance(node, ast.Call))
    return places.span(last), places.text(last)


@pytest.mark.parametrize("end", ENDS, ids=repr)
@pytest.mark.parametrize("odd", NO_ENDS, ids=ascii)
def test_a_finding_behind_what_ends_no_line(odd: str, end: str) -> None:
    (finding,) = check_source(LOOP.replace("{odd}", odd).replace("\n", end))
    assert (finding.rule, finding.span) == ("clip-after-step", Span(12, 19, 12, 59))
    (step,) = (related.span for related in finding.related)
    assert step == Span(11, 9, 11, 25)


@pytest.mark.parametrize("odd", NO_ENDS, ids=ascii)
def test_an_ignore_behind_what_ends_no_line(odd: str) -> None:
    text = LOOP.replace("{odd}", odd).replace("1.0)\n", "1.0)  # gradlint: ignore[clip-after-step]\n")
    report = check_text(text, "a.py", Settings())
    assert (report.findings, report.warnings) == ((), ())


def test_an_ignore_counts_all_line_ends() -> None:
    for end in ENDS:
        ignores = Suppressions.parse(f"a{end}{end}b  # gradlint: ignore{end}c{end}").ignores
        assert ignores == (Ignore(3, (), whole_file=False),)


def test_a_form_feed_between_statements() -> None:
    text = "a = 1\n\x0c\ndef f():\n    g(1)\n"
    assert call(text, Places(text)) == (Span(4, 5, 4, 9), "g(1)")


@given(st.lists(st.sampled_from([*NO_ENDS, *ENDS, "x", "é", "\U0001d6fc", "#"]), max_size=12).map("".join))
def test_places_are_those_of_the_tree(middle: str) -> None:
    text = f"x = '''{middle}'''; f(1)\ny = 'é'; g(2)"
    places = Places(text)
    nodes = [node for node in ast.walk(parse(text)) if isinstance(node, ast.Call)]
    assert [places.text(node) for node in nodes] == ["f(1)", "g(2)"]
    assert "".join(places.lines) == text


@given(st.lists(st.sampled_from([*NO_ENDS, *ENDS, "x"])).map("".join))
def test_lines_put_together_are_the_text(text: str) -> None:
    lines = split_lines(text)
    assert "".join(lines) == text
    *whole, rest = re.split(r"\r\n|\r|\n", text)
    assert [line.rstrip("\r\n") for line in lines] == whole + [rest] * bool(rest)


# A byte order mark


def test_a_byte_order_mark_is_no_character() -> None:
    text = LOOP.replace("{odd}", "")
    assert check_source(BOM + text) == check_source(text)
    assert len(check_source(text)) == 1


def test_columns_of_the_first_row_behind_a_byte_order_mark() -> None:
    text = f"{BOM}f(1)"
    assert call(text, Places(text)) == (Span(1, 1, 1, 5), "f(1)")


def test_a_byte_order_mark_before_what_is_no_python() -> None:
    with pytest.raises(SourceError, match="cannot be parsed at line 1"):
        check_source(f"{BOM}def f(:\n")


def test_an_ignore_behind_a_byte_order_mark() -> None:
    assert Suppressions.parse(f"{BOM}# gradlint: ignore-file\n").ignores == (Ignore(1, (), whole_file=True),)
