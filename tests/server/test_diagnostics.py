"""What a real server shows of a text, from the first key to goodbye."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from lsprotocol import types

from server.loops import HEAD, LATE, RIGHT

if TYPE_CHECKING:
    from server.conftest import Start

pytestmark = pytest.mark.asyncio(loop_scope="session")

EDITORS = ("visual-studio-code", "neovim", "emacs")


@pytest.mark.parametrize("name", EDITORS)
async def test_a_sound_text_shows_nothing(start: Start, name: str) -> None:
    async with start(name=name) as editor:
        assert await editor.diagnostics(editor.open("train.py", RIGHT)) == []


@pytest.mark.parametrize(
    ("name", "links", "related"),
    [("visual-studio-code", True, True), ("neovim", False, True), ("emacs", False, False)],
)
async def test_a_finding_is_shown_in_the_words_that_the_editor_knows(
    start: Start, name: str, links: bool, related: bool
) -> None:
    async with start(name=name) as editor:
        uri = editor.open("train.py", LATE)
        (one,) = await editor.diagnostics(uri)
    assert (one.code, one.source, one.severity) == ("clip-after-step", "gradlint", types.DiagnosticSeverity.Error)
    assert one.range == types.Range(types.Position(10, 8), types.Position(10, 48))
    assert "No update is ever clipped" in one.message
    href = one.code_description.href if one.code_description else ""
    assert href.endswith("/rules/clip-after-step.md") is links
    others = [(other.location.uri, other.location.range.start) for other in one.related_information or ()]
    assert others == ([(uri, types.Position(9, 8))] if related else [])


async def test_unsaved_text_is_what_counts(start: Start) -> None:
    async with start() as editor:
        (editor.root / "train.py").write_text(RIGHT, encoding="utf-8")
        uri = editor.open("train.py", LATE)
        assert len(await editor.diagnostics(uri)) == 1
        editor.replace(uri, 2, RIGHT)
        assert await editor.diagnostics(uri, 2) == []
        assert not list(editor.root.glob("*.tmp"))


async def test_typing_is_checked_when_it_rests(start: Start) -> None:
    async with start(options={"delay": 400}) as editor:
        uri = editor.open("train.py", RIGHT)
        await editor.diagnostics(uri)
        for version in range(2, 12):
            editor.replace(uri, version, LATE + "#" * version)
            await asyncio.sleep(0.01)
        assert len(await editor.diagnostics(uri, 11)) == 1
    assert [one.version for one in editor.told if one.uri == uri] == [1, 11]


async def test_keys_are_put_where_they_were_pressed(start: Start) -> None:
    """Line by line, as an editor sends it: the step's line moves below the clip."""
    step = types.Range(types.Position(9, 0), types.Position(10, 0))
    below = types.Range(types.Position(10, 0), types.Position(10, 0))
    async with start(options={"delay": 0}) as editor:
        uri = editor.open("train.py", LATE)
        await editor.diagnostics(uri)
        cut = types.TextDocumentContentChangePartial(step, "")
        paste = types.TextDocumentContentChangePartial(below, "        optimizer.step()\n")
        editor.change(uri, 2, cut, paste)
        assert await editor.diagnostics(uri, 2) == []


async def test_a_text_that_does_not_parse_says_so_where_it_breaks(start: Start) -> None:
    async with start() as editor:
        (one,) = await editor.diagnostics(editor.open("train.py", HEAD + "        optimizer.step(\n"))
    assert one.severity is types.DiagnosticSeverity.Information
    assert one.message.startswith("not checked: cannot be parsed at line 10")
    assert one.range.start == types.Position(9, 8)


async def test_comments_silence_and_idle_ones_are_told(start: Start) -> None:
    silent = LATE.replace("1.0)", "1.0)  # gradlint: ignore[clip-after-step]")
    idle = "x = 1  # gradlint: ignore[clip-after-step]\n"
    async with start() as editor:
        assert await editor.diagnostics(editor.open("silent.py", silent)) == []
        (one,) = await editor.diagnostics(editor.open("idle.py", idle))
    assert "unused" in one.message
    assert one.range.start.line == 0


async def test_what_is_closed_shows_nothing(start: Start) -> None:
    async with start() as editor:
        uri = editor.open("train.py", LATE)
        assert len(await editor.diagnostics(uri)) == 1
        identifier = types.TextDocumentIdentifier(uri)
        editor.client.text_document_did_close(types.DidCloseTextDocumentParams(identifier))
        assert await editor.diagnostics(uri, None) == []


async def test_other_languages_are_let_be(start: Start) -> None:
    async with start() as editor:
        other = editor.open("train.txt", LATE, language="plaintext")
        await editor.diagnostics(editor.open("train.py", RIGHT))
        assert await editor.actions(other, types.Range(types.Position(0, 0), types.Position(99, 0))) == []
        assert await editor.hover(other, 10, 10) is None
        assert await editor.hints(other) == []
    assert other not in {one.uri for one in editor.told}


async def test_a_text_that_was_never_saved_is_checked(start: Start) -> None:
    async with start() as editor:
        uri = "untitled:Untitled-1"
        item = types.TextDocumentItem(uri, "python", 1, LATE)
        editor.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        assert len(await editor.diagnostics(uri)) == 1
