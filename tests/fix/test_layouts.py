"""A repair does not care how a loop is laid out: it commutes with every noise of `noise`."""

from __future__ import annotations

import functools
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fix.noise import (
    COMMENTS,
    EXAMPLES,
    LOOPS,
    Noise,
    broken,
    code,
    ended,
    indented,
    joined,
    laid_over,
    numbers,
    quiet,
    quoted,
)
from gradlint.check.engine import check_text, fix_text
from gradlint.fix import FixResult
from gradlint.fix.write import Original
from gradlint.model.settings import Settings
from gradlint.syntax.source import BOM

TEXTS = {**LOOPS, **EXAMPLES}
SHORT, LONG = settings(max_examples=70), settings(max_examples=300)

names = st.sampled_from(sorted(TEXTS))
pieces = st.builds(Noise, st.sampled_from(COMMENTS), st.integers(0, 80))
comments = st.lists(pieces, min_size=1, max_size=9)
places = st.lists(st.builds(Noise, st.just("line"), st.integers(0, 300)), min_size=1, max_size=5)


def fixed(text: str) -> FixResult:
    result = fix_text(text, "train.py", Settings(), unsafe=True)
    assert (result.withdrawn, result.problems) == ((), ())
    return result


@functools.cache
def plain(name: str) -> str:
    """The repaired text without noise."""
    result = fixed(TEXTS[name])
    assert result.changed
    assert result.remaining == ()
    return result.text


def settled(text: str) -> None:
    """A repaired text is clean, and repairing it again changes nothing."""
    report = check_text(text, "train.py", Settings())
    assert (report.findings, report.problems) == ((), ())
    assert fixed(text).text == text


def vanished(before: str, after: str) -> Counter[str]:
    """Lines that are not in the repaired text as they were, without their noise."""
    gone = Counter(before.splitlines()) - Counter(after.splitlines())
    return Counter(quiet("\n".join(gone.elements())))


def twins(text: str) -> set[str]:
    """Statements that a text has twice."""
    return {line for line, times in Counter(map(str.strip, text.splitlines())).items() if times > 1}


def blanks(text: str) -> int:
    return sum(not line.strip() for line in text.splitlines())


def ends_in_blanks(before: str, after: str) -> int:
    """How many blank lines stood in front of the last statement, if that has moved: no file ends in them."""
    rows = before.rstrip().splitlines()
    if rows[-1] == after.rstrip().splitlines()[-1]:
        return 0
    return next(number for number, row in enumerate(reversed(rows[:-1])) if row.strip())


# Comments and blank lines


def comments_stay_with_their_statements(name: str, noise: list[Noise]) -> None:
    text = laid_over(TEXTS[name], noise)
    result = fixed(text).text
    assert quiet(result) == quiet(plain(name))
    expected, gone_too = vanished(TEXTS[name], plain(name)), vanished(text, result)
    assert not expected - gone_too
    assert {line.strip() for line in gone_too - expected} <= twins(TEXTS[name]), "of two equal lines either may go"
    assert not numbers(result) - numbers(text)
    lost = numbers(text) - numbers(result)
    gone = Counter(map(str.strip, quiet(text))) - Counter(map(str.strip, quiet(result)))
    assert {belongs_to(text, number) for number in lost} <= set(gone), (
        "only a statement that goes takes its comment along"
    )
    assert not lost or name.startswith(DELETED)
    assert blanks(text) - blanks(result) <= vanished(text, result).total() + ends_in_blanks(text, result)
    assert blanks(result) - blanks(text) <= max(0, blanks(plain(name)) - blanks(TEXTS[name]))
    settled(result)


DELETED = (
    "double-unscale",
    "forward-outside-no-sync",
    "scaler-with-bfloat16",
    "unscaled-backward",
    "zero-grad-in-accumulation",
)
"""Rules with a repair that deletes a statement."""


def belongs_to(text: str, number: str) -> str:
    """The first line of the statement that a piece of noise is written to."""
    lines = text.splitlines()
    at = next(row for row, line in enumerate(lines) if f"# noise {number} " in line)
    return next(line.strip() for line in quiet("\n".join(lines[at:])))


@SHORT
@given(names, comments)
def test_comments_stay_with_their_statements(name: str, noise: list[Noise]) -> None:
    comments_stay_with_their_statements(name, noise)


@pytest.mark.long
@LONG
@given(names, comments)
def test_comments_stay_with_their_statements_in_many_layouts(name: str, noise: list[Noise]) -> None:
    comments_stay_with_their_statements(name, noise)


# White space, line ends, quotes: the very text that noise over the repaired one gives

units = st.sampled_from(["    ", "  ", "\t", "   ", " "])
newlines = st.sampled_from(["\n", "\r\n", "\r"])
codecs = st.sampled_from(["utf-8", "utf-8-sig", "latin-1", "cp1252", "iso-8859-15"])


def the_repair_commutes(name: str, unit: str, newline: str, flags: tuple[bool, bool, bool]) -> None:
    last, single, marked = flags

    def laid_out(text: str) -> str:
        text = indented(quoted(text) if single else text, unit)
        return BOM * marked + ended(text, newline, last=last)

    result = fixed(laid_out(TEXTS[name])).text
    assert result == laid_out(plain(name))
    settled(result)


@SHORT
@given(names, codecs, st.sampled_from(["\n", "\r\n"]))
def test_encodings(name: str, codec: str, newline: str) -> None:
    def laid_out(text: str) -> str:
        head = "" if codec.startswith("utf-8") else f"# -*- coding: {codec} -*-\n"
        return ended(head + laid_over(text, [Noise("left", 0), Noise("end", 0)]), newline, last=True)

    original = Original.of(Path("train.py"), laid_out(TEXTS[name]).encode(codec))
    result = fixed(original.text).text
    assert original.encode(result) == result.encode(codec)
    assert quiet(result.replace("\r", "")) == quiet(laid_out(plain(name)).replace("\r", ""))
    assert result.count("\n") == result.count(newline)


flags = st.tuples(st.booleans(), st.booleans(), st.booleans())


@SHORT
@given(names, units, newlines, flags)
def test_the_repair_commutes(name: str, unit: str, newline: str, flags: tuple[bool, bool, bool]) -> None:
    the_repair_commutes(name, unit, newline, flags)


@pytest.mark.long
@LONG
@given(names, units, newlines, flags)
def test_the_repair_commutes_in_many_layouts(
    name: str, unit: str, newline: str, flags: tuple[bool, bool, bool]
) -> None:
    the_repair_commutes(name, unit, newline, flags)


# Statements that share a line, and those that take several


def the_same_code_comes_out(name: str, text: str) -> None:
    assert code(text) == code(TEXTS[name])
    result = fixed(text)
    assert result.remaining == ()
    assert code(result.text) == code(plain(name))
    settled(result.text)


@SHORT
@given(names, places)
def test_statements_that_share_a_line(name: str, noise: list[Noise]) -> None:
    the_same_code_comes_out(name, joined(TEXTS[name], noise))


@pytest.mark.long
@LONG
@given(names, places)
def test_statements_that_share_a_line_in_many_layouts(name: str, noise: list[Noise]) -> None:
    the_same_code_comes_out(name, joined(TEXTS[name], noise))


@SHORT
@given(names, places)
def test_broken_lines(name: str, noise: list[Noise]) -> None:
    the_same_code_comes_out(name, broken(TEXTS[name], noise))


@pytest.mark.long
@LONG
@given(names, places)
def test_broken_lines_in_many_layouts(name: str, noise: list[Noise]) -> None:
    the_same_code_comes_out(name, broken(TEXTS[name], noise))


@pytest.mark.parametrize("name", sorted(LOOPS))
def test_every_kind_of_noise_changes_a_loop(name: str) -> None:
    text = LOOPS[name]
    noise = [Noise("above", 3), Noise("end", 5), Noise("blank", 7)]
    variants = {
        laid_over(text, noise),
        indented(text, "\t"),
        ended(text, "\r\n", last=False),
        joined(text, noise),
        broken(text, noise),
    }
    assert len(variants - {text}) == 5


def test_quotes_are_changed() -> None:
    assert quoted('a = "b"\nc = """d"""\ne = "it\'s"\n') == 'a = \'b\'\nc = """d"""\ne = "it\'s"\n'
