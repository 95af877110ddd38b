"""Columns in code units, for text beyond ASCII and beyond the basic plane."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol.types import (
    CodeActionKind,
    Position,
    PositionEncodingKind,
    Range,
    TextDocumentContentChangePartial,
)

from gradlint.server.documents import offset
from gradlint.server.lines import Lines, index, width
from server.loops import EVERYWHERE, HEAD, LATE, RIGHT, applied
from server.test_actions import edits

if TYPE_CHECKING:
    from server.conftest import Start

ENCODINGS = (PositionEncodingKind.Utf8, PositionEncodingKind.Utf16, PositionEncodingKind.Utf32)
FACE = "\N{GRINNING FACE}"
LINE = f'é = "{FACE}"; clip_grad_norm_(model.parameters(), 1.0)'
WIDE = HEAD + f"        optimizer.step()\n        {LINE}\n"
TEXT = st.text(st.sampled_from(["a", "é", "€", FACE, "\n", "\r", "\f", "\x1c", "\u2028", "\x85"]), max_size=12)


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize(("encoding", "units"), [("utf-8", 2 + 4), ("utf-16", 1 + 2), ("utf-32", 1 + 1), (None, 1 + 2)])
async def test_a_finding_behind_a_face_stands_where_the_editor_counts_it(
    start: Start, encoding: str | None, units: int
) -> None:
    async with start(encodings=encoding and [encoding]) as editor:
        uri = editor.open("train.py", WIDE)
        (one,) = await editor.diagnostics(uri)
    column = 8 + len(' = ""; ') + units
    assert one.range == Range(
        Position(10, column), Position(10, column + len("clip_grad_norm_(model.parameters(), 1.0)"))
    )


@pytest.mark.asyncio(loop_scope="session")
async def test_edits_behind_a_face_are_made_where_they_belong(start: Start) -> None:
    source = LATE.replace("optimizer.step()", f'print("{FACE}é"); optimizer.step()')
    async with start() as editor:
        uri = editor.open("train.py", source)
        (action,) = await editor.actions(uri, EVERYWHERE, [CodeActionKind.QuickFix])
        after = applied(source, edits(action, uri))
        editor.replace(uri, 2, after)
        assert await editor.diagnostics(uri, 2) == []
    assert f'print("{FACE}é")' in after


@pytest.mark.asyncio(loop_scope="session")
async def test_typing_behind_faces_and_strange_line_ends_keeps_the_text(start: Start) -> None:
    """The server's text is seen through fix-all: were one character off, the repair would be another."""
    odd = f'note = "{FACE}"  # \f \u2028 {FACE}\n'
    async with start(name="emacs", options={"delay": 0}) as editor:
        uri = editor.open("train.py", odd + LATE)
        here = Position(0, width(odd.rstrip("\n"), PositionEncodingKind.Utf16))
        last = Position(12, 0)
        editor.change(
            uri,
            2,
            TextDocumentContentChangePartial(Range(here, here), f"{FACE}!"),
            TextDocumentContentChangePartial(Range(last, Position(12, 99)), "# end"),
            TextDocumentContentChangePartial(Range(Position(12, 5), Position(40, 99)), "."),
        )
        (action,) = await editor.actions(uri, EVERYWHERE, ["source.fixAll"])
    before = odd.rstrip("\n") + f"{FACE}!\n" + LATE + "# end."
    after = odd.rstrip("\n") + f"{FACE}!\n" + RIGHT + "# end."
    assert applied(before, edits(action, uri, 2)) == after


@given(TEXT, st.integers(0, 12), st.sampled_from(ENCODINGS))
def test_a_place_becomes_a_position_and_a_place_again(text: str, at: int, encoding: PositionEncodingKind) -> None:
    lines = Lines.of(text, encoding)
    for row, line in enumerate(lines.rows, 1):
        column = min(at, len(line)) + 1
        assert lines.place(lines.position(row, column)) == (row, column)


@given(TEXT, st.integers(0, 12), st.sampled_from(ENCODINGS))
def test_an_offset_is_what_stands_before_it(text: str, at: int, encoding: PositionEncodingKind) -> None:
    lines = Lines.of(text, encoding)
    for row, line in enumerate(lines.rows, 1):
        found = offset(text, lines.position(row, min(at, len(line)) + 1), encoding)
        assert text[:found].endswith(line[: min(at, len(line))])
        rest = Lines.of(text[found:], encoding)
        assert rest.rows == (line[at:], *lines.rows[row:])


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_column_within_a_character_is_its_beginning(encoding: PositionEncodingKind) -> None:
    whole = width(FACE, encoding)
    assert [index(f"a{FACE}", 1 + units, encoding) for units in range(whole)] == [1] * whole
    assert index(f"a{FACE}", 1 + whole, encoding) == 2
    assert index(f"a{FACE}", 99, encoding) == 2


def test_a_place_behind_a_line_is_the_next_line() -> None:
    lines = Lines.of("ab\r\nc", ENCODINGS[1])
    assert [lines.position(1, column) for column in (3, 4, 5)] == [Position(0, 2), Position(1, 0), Position(1, 0)]
    assert [lines.position(2, 2), lines.position(2, 3), lines.position(3, 1)] == [Position(1, 1)] * 3


def test_python_and_the_protocol_agree_on_lines() -> None:
    assert Lines.of("a\r\nb\rc\nd\f\u2028\x1ce\n", ENCODINGS[1]).rows == ("a", "b", "c", "d\f\u2028\x1ce", "")
    assert Lines.of("", ENCODINGS[1]).rows == ("",)
