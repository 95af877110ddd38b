from __future__ import annotations

import pytest
from builders import LOOP, span
from hypothesis import given
from hypothesis import strategies as st

from gradlint.model.finding import Severity, Span
from gradlint.report.frame import Mark, draw
from gradlint.report.style import Style

PAGE = Style()


def frame(source: str, *marks: Mark, style: Style = PAGE) -> str:
    return "\n".join(draw(source.split("\n"), marks, style))


def own(place: Span, message: str = "") -> Mark:
    return Mark(place, message, Severity.ERROR)


def test_a_lone_mark_has_a_neighbour_each_side() -> None:
    assert (
        frame(LOOP, own(span(LOOP, "loss.backward()")))
        == """\
  |
3 |     loss = model(batch)
4 |     loss.backward()
  |     ^^^^^^^^^^^^^^^
5 |     optimizer.step()
  |"""
    )


def test_blank_neighbours_are_left_out() -> None:
    assert frame("\nstep()\n\n", own(Span(2, 1, 2, 7))) == "  |\n2 | step()\n  | ^^^^^^\n  |"


def test_related_lines_share_the_frame() -> None:
    related = Mark(span(LOOP, "optimizer.step()"), "spends the gradient")
    assert (
        frame(LOOP, own(span(LOOP, "clip_grad_norm_")), related)
        == """\
  |
5 |     optimizer.step()
  |     ---------------- spends the gradient
6 |     clip_grad_norm_(model.parameters(), 1.0)
  |     ^^^^^^^^^^^^^^^
  |"""
    )


def test_gaps_are_elided_and_gaps_of_one_line_are_not() -> None:
    marks = [own(Span(1, 1, 1, 2)), Mark(Span(3, 1, 3, 2), ""), Mark(Span(9, 1, 9, 2), "")]
    drawn = frame("\n".join("abcdefghi"), *marks)
    assert drawn.split("\n") == [
        "  |",
        "1 | a",
        "  | ^",
        "2 | b",
        "3 | c",
        "  | -",
        "… |",
        "9 | i",
        "  | -",
        "  |",
    ]


def test_two_marks_in_a_line() -> None:
    assert frame("a = b + c", own(Span(1, 9, 1, 10)), Mark(Span(1, 5, 1, 6), "old")) == (
        "  |\n1 | a = b + c\n  |     - old\n  |         ^\n  |"
    )


def test_line_numbers_are_aligned() -> None:
    lines = "\n" * 97 + "a\nb\nc\nd"
    assert frame(lines, own(Span(99, 1, 99, 2))).split("\n")[1:4] == [
        " 98 | a",
        " 99 | b",
        "    | ^",
    ]


def test_a_place_of_many_lines_marks_the_first_and_shows_a_few() -> None:
    source = "call(\n    a,\n    b,\n    c,\n    d,\n    e,\n)"
    assert frame(source, own(Span(1, 1, 7, 2))).split("\n") == [
        "  |",
        "1 | call(",
        "  | ^^^^^",
        "2 |     a,",
        "3 |     b,",
        "4 |     c,",
        "5 |     d,",
        "  |",
    ]


def test_a_long_message_stands_below_its_mark() -> None:
    message = "a message " * 12
    drawn = frame("    step()", own(Span(1, 5, 1, 11), message.strip())).split("\n")
    assert drawn[2] == "  |     ^^^^^^"
    assert drawn[3].startswith("  |     a message a message")
    assert all(len(line) <= PAGE.width for line in drawn)


def test_tabs_and_wide_characters_are_counted() -> None:
    assert frame('\tx = "漢字"; y', own(Span(1, 12, 1, 13))).split("\n")[1:3] == [
        '1 |     x = "漢字"; y',
        "  |                 ^",
    ]


def test_characters_that_steer_a_terminal_are_replaced() -> None:
    assert "\x1b" not in frame("x = '\x1b[31m'", own(Span(1, 1, 1, 2)))


def test_a_long_line_is_cut_around_the_mark() -> None:
    source = "x = [" + ", ".join(map(str, range(200))) + "]"
    place = span(source, "150")
    drawn = frame(source, own(place)).split("\n")
    at = drawn[2].index("^")
    assert drawn[1][at : at + 3] == "150"
    assert drawn[1].startswith("1 | …")
    assert drawn[1].endswith("…")
    assert len(drawn[1]) <= PAGE.width


def test_without_unicode() -> None:
    marks = [own(Span(1, 1, 1, 2)), Mark(Span(9, 1, 9, 2), "")]
    assert frame("\n".join("abcdefghi"), *marks, style=Style(unicode=False)).isascii()


def test_colour_changes_nothing_but_the_colour() -> None:
    import re

    mark = own(span(LOOP, "loss.backward()"), "here")
    coloured = frame(LOOP, mark, style=Style(colour=True))
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == frame(LOOP, mark)
    assert "\x1b[1;31m^" in coloured


@pytest.mark.parametrize("row", [0, 8, 99])
def test_a_row_that_is_not_there_draws_nothing(row: int) -> None:
    assert draw(["a"], [own(Span(row, 1, row, 2))], PAGE) == []


@given(
    st.text(st.characters(exclude_characters="\n\r")),
    st.integers(1, 200),
    st.integers(0, 200),
    st.integers(40, 100),
)
def test_any_line_fits_and_keeps_its_mark(source: str, column: int, length: int, width: int) -> None:
    place = Span(1, column, 1, column + length)
    drawn = draw([source], [own(place)], Style(width=width))
    assert any(set(line.strip("1 |")) == {"^"} for line in drawn)
    if source.isascii():
        assert max(map(len, drawn)) <= max(width, 4 + 4)
