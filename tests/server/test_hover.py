"""Hovering over findings and over comments that name a rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from lsprotocol import types

from gradlint.report import pages
from server.loops import LATE, WINDOW

if TYPE_CHECKING:
    from server.conftest import Start

pytestmark = pytest.mark.asyncio(loop_scope="session")


def text(hover: types.Hover | None) -> str:
    assert hover is not None
    assert isinstance(hover.contents, types.MarkupContent)
    return hover.contents.value


async def test_a_finding_has_its_rule_s_page(start: Start) -> None:
    async with start() as editor:
        uri = editor.open("train.py", LATE)
        hover = await editor.hover(uri, 10, 12)
        assert await editor.hover(uri, 9, 12) is None
        assert await editor.hover(uri, 10, 7) is None
    assert text(hover).endswith(pages.read("clip-after-step").rstrip())
    assert hover is not None
    assert hover.range == types.Range(types.Position(10, 8), types.Position(10, 48))
    assert isinstance(hover.contents, types.MarkupContent)
    assert hover.contents.kind is types.MarkupKind.Markdown


async def test_the_books_come_first(start: Start) -> None:
    async with start() as editor:
        hover = await editor.hover(editor.open("train.py", WINDOW), 7, 10)
    head = text(hover).split("```")[1].splitlines()
    assert head[1].split() == ["`optimizer`,", "window", "of", "4", "g1", "g2", "g3", "g4"]
    assert head[2].split() == ["as", "executed", "1", "1", "1", "1"]
    assert head[3].split() == ["as", "meant", "1/4", "1/4", "1/4", "1/4"]


async def test_a_comment_explains_what_it_silences(start: Start) -> None:
    source = LATE.replace("1.0)", "1.0)  # gradlint: ignore[clipping, clip-after-step]")
    line = source.splitlines()[10]
    async with start() as editor:
        uri = editor.open("train.py", source)
        hover = await editor.hover(uri, 10, line.index("clip-after-step") + 3)
        assert await editor.hover(uri, 10, line.index("clipping") + 3) is None
        assert await editor.hover(uri, 10, line.index("ignore")) is None
    assert text(hover) == pages.read("clip-after-step")


async def test_an_editor_without_markdown_gets_plain_text(start: Start) -> None:
    async with start(name="emacs") as editor:
        hover = await editor.hover(editor.open("train.py", LATE), 10, 12)
    assert hover is not None
    assert isinstance(hover.contents, types.MarkupContent)
    assert hover.contents.kind in (types.MarkupKind.Markdown, types.MarkupKind.PlainText)
