"""Quick fixes and fix-all, carried out as an editor would."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from lsprotocol import types

import gradlint
from fixtures import FIXTURES
from gradlint.server.actions import FIX_ALL, wanted
from server.loops import EVERYWHERE, LATE, RIGHT, applied, line

if TYPE_CHECKING:
    from server.conftest import Start

UNSURE = (FIXTURES / "accumulation-divisor-mismatch" / "buggy.py").read_text(encoding="utf-8")
QUICK = types.CodeActionKind.QuickFix


def edits(action: types.CodeAction, uri: str, version: int = 1) -> list[types.TextEdit]:
    """The edits of a text in an action, in whichever form they come."""
    assert action.edit is not None
    if action.edit.document_changes is None:
        assert list(action.edit.changes or ()) == [uri]
        return list((action.edit.changes or {})[uri])
    (change,) = action.edit.document_changes
    assert isinstance(change, types.TextDocumentEdit)
    assert (change.text_document.uri, change.text_document.version) == (uri, version)
    return [one for one in change.edits if isinstance(one, types.TextEdit)]


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize("name", ["visual-studio-code", "neovim", "emacs"])
async def test_a_safe_repair_is_preferred_and_gives_the_loop_that_was_meant(start: Start, name: str) -> None:
    async with start(name=name) as editor:
        uri = editor.open("train.py", LATE)
        shown = await editor.diagnostics(uri)
        (action,) = await editor.actions(uri, line(10), [QUICK], shown)
    assert action.title == "Clip before the step (clip-after-step)"
    assert (action.kind, action.is_preferred, list(action.diagnostics or ())) == (QUICK, True, shown)
    assert applied(LATE, edits(action, uri)) == RIGHT


@pytest.mark.asyncio(loop_scope="session")
async def test_an_unsafe_repair_says_so_and_is_not_preferred(start: Start) -> None:
    async with start() as editor:
        uri = editor.open("train.py", UNSURE)
        (action,) = await editor.actions(uri, EVERYWHERE)
    assert action.is_preferred is False
    assert action.title.endswith("(accumulation-divisor-mismatch, unsafe)")
    assert gradlint.check_source(applied(UNSURE, edits(action, uri))) == []


@pytest.mark.asyncio(loop_scope="session")
async def test_nothing_is_offered_where_nothing_is_found(start: Start) -> None:
    async with start() as editor:
        uri = editor.open("train.py", LATE)
        assert await editor.actions(uri, line(0), [QUICK]) == []
        sound = editor.open("right.py", RIGHT)
        assert await editor.actions(sound, EVERYWHERE) == []


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize("only", ["source.fixAll.gradlint", "source.fixAll", "source"])
async def test_fix_all_on_save(start: Start, only: str) -> None:
    async with start(name="neovim") as editor:
        uri = editor.open("train.py", LATE)
        (action,) = await editor.actions(uri, line(0), [only])
        assert action.kind == FIX_ALL
        if action.edit is None:
            action = await editor.client.code_action_resolve_async(action)
    assert applied(LATE, edits(action, uri)) == RIGHT


@pytest.mark.asyncio(loop_scope="session")
async def test_an_editor_that_cannot_wait_gets_the_edit_at_once(start: Start) -> None:
    async with start(name="emacs") as editor:
        uri = editor.open("train.py", LATE)
        (action,) = await editor.actions(uri, line(0), [FIX_ALL])
    assert applied(LATE, edits(action, uri)) == RIGHT


@pytest.mark.asyncio(loop_scope="session")
async def test_an_editor_that_can_wait_gets_the_edit_for_the_text_as_it_is_then(start: Start) -> None:
    longer = "import os\n" + LATE
    async with start(name="visual-studio-code") as editor:
        uri = editor.open("train.py", LATE)
        (action,) = await editor.actions(uri, line(0), [FIX_ALL])
        assert action.edit is None
        editor.replace(uri, 2, longer)
        resolved = await editor.client.code_action_resolve_async(action)
    assert applied(longer, edits(resolved, uri, 2)) == "import os\n" + RIGHT


@pytest.mark.asyncio(loop_scope="session")
async def test_fix_all_leaves_what_is_unsafe(start: Start) -> None:
    both = UNSURE + LATE.replace("def train(", "def other(")
    async with start(name="emacs") as editor:
        uri = editor.open("train.py", both)
        (action,) = await editor.actions(uri, line(0), [FIX_ALL])
    after = applied(both, edits(action, uri))
    assert [one.rule for one in gradlint.check_source(both)] == ["accumulation-divisor-mismatch", "clip-after-step"]
    assert [one.rule for one in gradlint.check_source(after)] == ["accumulation-divisor-mismatch"]
    assert after.startswith(UNSURE)


@pytest.mark.parametrize(
    ("kind", "only", "answer"),
    [
        (FIX_ALL, None, True),
        (FIX_ALL, [], False),
        (FIX_ALL, ["source"], True),
        (FIX_ALL, [types.CodeActionKind.SourceFixAll], True),
        (FIX_ALL, ["source.fixAll.ruff"], False),
        (FIX_ALL, ["source.fix"], False),
        ("quickfix", ["source", "quickfix"], True),
        ("quickfix", ["refactor"], False),
        ("quickfix", [""], True),
    ],
)
def test_kinds_are_a_tree(kind: str, only: list[str] | None, answer: bool) -> None:
    assert wanted(kind, only) is answer
