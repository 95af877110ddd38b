"""Notebooks in an editor: the code cells are one program."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from lsprotocol import types

from gradlint.server.units import _plain
from server.loops import HEAD, LATE, RIGHT, applied, line

if TYPE_CHECKING:
    from server.conftest import Editor, Start

IMPORTS, LOOP = LATE.split("\n\n\n")
BODY = "\n".join(row.removeprefix("    ") for row in LOOP.split("\n")[1:])
"""The loop of `LATE` as a cell has it, with `model` and `loader` from elsewhere."""

QUICK = [types.CodeActionKind.QuickFix]


def opened(editor: Editor, *cells: tuple[str, str], name: str = "train.ipynb") -> list[str]:
    """Open a notebook; its cells' URIs."""
    uri = editor.uri(name)
    items = [
        types.TextDocumentItem(f"{uri}#{number}", language, 1, text) for number, (language, text) in enumerate(cells)
    ]
    kinds = [
        types.NotebookCell(
            types.NotebookCellKind.Markup if item.language_id == "markdown" else types.NotebookCellKind.Code, item.uri
        )
        for item in items
    ]
    notebook = types.NotebookDocument(uri, "jupyter-notebook", 1, kinds)
    editor.client.notebook_document_did_open(types.DidOpenNotebookDocumentParams(notebook, items))
    return [item.uri for item in items]


def changed(editor: Editor, version: int, cells: types.NotebookDocumentCellChanges) -> None:
    identifier = types.VersionedNotebookDocumentIdentifier(version, editor.uri("train.ipynb"))
    params = types.DidChangeNotebookDocumentParams(identifier, types.NotebookDocumentChangeEvent(cells=cells))
    editor.client.notebook_document_did_change(params)


@pytest.mark.asyncio(loop_scope="session")
async def test_the_cells_are_one_program(start: Start) -> None:
    async with start() as editor:
        first, prose, last = opened(
            editor, ("python", f"%matplotlib inline\n{IMPORTS}\n"), ("markdown", "# Train"), ("python", BODY)
        )
        (one,) = await editor.diagnostics(last)
        assert await editor.diagnostics(first) == []
        (other,) = one.related_information or ()
    assert one.code == "clip-after-step"
    assert one.range.start == types.Position(5, 4)
    assert (other.location.uri, other.location.range.start) == (last, types.Position(4, 4))
    assert prose not in {told.uri for told in editor.told}


@pytest.mark.asyncio(loop_scope="session")
async def test_another_cell_can_take_part(start: Start) -> None:
    helper = f"%matplotlib inline\n{IMPORTS}\ndef update(optimizer):\n    optimizer.step()\n"
    loop = BODY.replace("optimizer.step()", "update(optimizer)")
    async with start() as editor:
        first, last = opened(editor, ("python", helper), ("python", loop))
        (one,) = await editor.diagnostics(last)
        (other,) = one.related_information or ()
    assert one.range.start == types.Position(5, 4)
    assert (other.location.uri, other.location.range.start) == (first, types.Position(4, 4))


@pytest.mark.asyncio(loop_scope="session")
async def test_a_repair_stays_within_its_cell(start: Start) -> None:
    async with start() as editor:
        _, loop = opened(editor, ("python", f"!pip list\n{IMPORTS}"), ("python", BODY))
        shown = await editor.diagnostics(loop)
        for only in (QUICK, ["source.fixAll"]):
            (action,) = await editor.actions(loop, line(5), only, shown)
            if action.edit is None:
                action = await editor.client.code_action_resolve_async(action)
            assert action.edit is not None
            (change,) = action.edit.document_changes or ()
            assert isinstance(change, types.TextDocumentEdit)
            assert change.text_document.uri == loop
            after = applied(BODY, [one for one in change.edits if isinstance(one, types.TextEdit)])
            rows = after.rstrip("\n").split("\n")
            assert [row.strip() for row in rows[-2:]] == [
                "clip_grad_norm_(model.parameters(), 1.0)",
                "optimizer.step()",
            ]


@pytest.mark.asyncio(loop_scope="session")
async def test_hover_and_hints_know_their_cell(start: Start) -> None:
    async with start(options={"inlayHints": True}) as editor:
        first, loop = opened(editor, ("python", IMPORTS), ("python", BODY))
        assert await editor.hover(loop, 5, 8) is not None
        assert await editor.hover(first, 0, 0) is None
        (hint,) = await editor.hints(loop)
        assert await editor.hints(first) == []
    assert hint.position == types.Position(4, len("    optimizer.step()"))


@pytest.mark.asyncio(loop_scope="session")
async def test_cells_are_edited_added_and_taken_away(start: Start) -> None:
    async with start(options={"delay": 0}) as editor:
        first, loop = opened(editor, ("python", IMPORTS), ("python", BODY))
        assert len(await editor.diagnostics(loop)) == 1
        identifier = types.VersionedTextDocumentIdentifier(2, loop)
        cut = types.TextDocumentContentChangePartial(types.Range(types.Position(5, 0), types.Position(6, 0)), "")
        changed(
            editor,
            2,
            types.NotebookDocumentCellChanges(
                text_content=[types.NotebookDocumentCellContentChanges(identifier, [cut])]
            ),
        )
        assert await editor.diagnostics(loop, 2) == []
        gone = types.NotebookDocumentCellChangeStructure(
            types.NotebookCellArrayChange(0, 1), did_close=[types.TextDocumentIdentifier(first)]
        )
        changed(editor, 3, types.NotebookDocumentCellChanges(structure=gone))
        assert await editor.diagnostics(first, None) == []
        cell = types.NotebookCell(types.NotebookCellKind.Code, f"{first}-new")
        item = types.TextDocumentItem(f"{first}-new", "python", 1, LATE)
        more = types.NotebookDocumentCellChangeStructure(types.NotebookCellArrayChange(0, 0, [cell]), did_open=[item])
        changed(editor, 4, types.NotebookDocumentCellChanges(structure=more))
        assert len(await editor.diagnostics(f"{first}-new")) == 1


@pytest.mark.asyncio(loop_scope="session")
async def test_what_is_closed_shows_nothing(start: Start) -> None:
    async with start() as editor:
        (cell,) = opened(editor, ("python", LATE))
        assert len(await editor.diagnostics(cell)) == 1
        notebook = types.NotebookDocumentIdentifier(editor.uri("train.ipynb"))
        params = types.DidCloseNotebookDocumentParams(notebook, [types.TextDocumentIdentifier(cell)])
        editor.client.notebook_document_did_close(params)
        assert await editor.diagnostics(cell, None) == []


@pytest.mark.asyncio(loop_scope="session")
async def test_a_sound_notebook_shows_nothing(start: Start) -> None:
    async with start() as editor:
        cells = opened(editor, ("python", "%%bash\nfor x in *; do echo $x; done\n"), ("python", RIGHT), ("python", ""))
        assert [await editor.diagnostics(cell) for cell in cells] == [[], [], []]


@pytest.mark.parametrize("row", ["x = 1", "# what?", "print(50 % 3)", "x = 'a?'", "", "(x\n % b)"])
def test_python_stays_as_it_is(row: str) -> None:
    assert _plain(row.split("\n")) == row.split("\n")


@pytest.mark.parametrize("row", ["%time x()", "    !ls", "files = !ls", "torch.optim??", "%%time"])
def test_magics_give_way_row_for_row(row: str) -> None:
    first, *rest = _plain([row, *HEAD.split("\n")])
    assert first.split("#")[0].strip() in ("pass", "files = None")
    assert rest == HEAD.split("\n")


def test_a_cell_of_another_language_gives_way_whole() -> None:
    rows = ["", "%%html", "<b>", ""]
    code = _plain(rows)
    assert len(code) == len(rows)
    assert {row.split("#")[0].strip() for row in code} <= {"", "pass"}
