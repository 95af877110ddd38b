"""An editor sees the project: other files as they are open, or as the disk has them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from lsprotocol import types

if TYPE_CHECKING:
    from pathlib import Path

    from server.conftest import Editor, Start

pytestmark = pytest.mark.asyncio(loop_scope="session")

ENGINE = """\
from dist import wrap


def train_epoch(model, opt, loader, accum):
    model = wrap(model)
    for i, (x, y) in enumerate(loader):
        loss = model(x).sub(y).square().mean() / accum
        loss.backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            opt.step()
            opt.zero_grad()
"""
PLAIN = """\
def wrap(model):
    return model
"""
WRAPPED = """\
from torch.nn.parallel import DistributedDataParallel


def wrap(model):
    return DistributedDataParallel(model)
"""
MAIN = """\
import torch
from torch import nn

from engine import train_epoch


def main(loader):
    model = nn.Linear(4, 4)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        train_epoch(model, opt, loader, 4)
"""


def project(root: Path, **texts: str) -> None:
    (root / "pyproject.toml").write_text("[project]\nname = 'p'\n", encoding="utf-8")
    for name, text in {"engine": ENGINE, "dist": PLAIN, "main": MAIN, **texts}.items():
        (root / f"{name}.py").write_text(text, encoding="utf-8")


def rules(found: list[types.Diagnostic]) -> list[tuple[int, object]]:
    return [(one.range.start.line + 1, one.code) for one in found]


async def latest(editor: Editor, uri: str, wanted: list[tuple[int, object]]) -> types.PublishDiagnosticsParams:
    """The first publication for a text that says this, and nothing else."""

    def found() -> list[types.PublishDiagnosticsParams]:
        return [one for one in editor.told if one.uri == uri and rules(list(one.diagnostics)) == wanted]

    await editor.until(found)
    return found()[-1]


SYNC: list[tuple[int, object]] = [(8, "missing-no-sync")]


async def test_what_another_file_makes_is_seen(start: Start, tmp_path: Path) -> None:
    project(tmp_path, dist=WRAPPED)
    async with start() as editor:
        shown = await editor.diagnostics(editor.open("engine.py", ENGINE))
        assert rules(shown) == SYNC
        assert any("main.py" in one.location.uri for one in shown[0].related_information or ())


async def test_an_open_helper_counts_as_it_is_open(start: Start, tmp_path: Path) -> None:
    project(tmp_path)
    async with start(options={"delay": 0}) as editor:
        engine = editor.open("engine.py", ENGINE)
        assert await editor.diagnostics(engine) == []
        helper = editor.open("dist.py", PLAIN)
        editor.replace(helper, 2, WRAPPED)
        await latest(editor, engine, SYNC)
        editor.told.clear()
        editor.replace(helper, 3, PLAIN)
        await latest(editor, engine, [])
        editor.replace(helper, 4, WRAPPED)
        await latest(editor, engine, SYNC)
        editor.told.clear()
        closed = types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(helper))
        editor.client.text_document_did_close(closed)  # nothing of it was saved
        editor.opened.remove(helper)
        await latest(editor, engine, [])


async def test_a_file_that_nobody_has_open_is_read_again_when_the_disk_changes(start: Start, tmp_path: Path) -> None:
    project(tmp_path)
    async with start() as editor:
        engine = editor.open("engine.py", ENGINE)
        assert await editor.diagnostics(engine) == []
        (tmp_path / "dist.py").write_text(WRAPPED, encoding="utf-8")
        change = types.FileEvent(editor.uri("dist.py"), types.FileChangeType.Changed)
        editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([change]))
        await latest(editor, engine, SYNC)


async def test_what_is_said_of_a_file_that_nobody_has_open_stands_where_it_is_called(
    start: Start, tmp_path: Path
) -> None:
    project(tmp_path, dist=WRAPPED)
    async with start() as editor:
        (shown,) = await editor.diagnostics(editor.open("main.py", MAIN))
        assert shown.message.startswith("engine.py:8: ")
        assert shown.severity is types.DiagnosticSeverity.Information
        assert [one.location.uri for one in shown.related_information or ()] == [editor.uri("engine.py")]


async def test_it_can_be_left_out(start: Start, tmp_path: Path) -> None:
    project(tmp_path, dist=WRAPPED)
    (tmp_path / "gradlint.toml").write_text("project = false\n", encoding="utf-8")
    async with start(fresh=True) as editor:
        assert await editor.diagnostics(editor.open("engine.py", ENGINE)) == []


async def test_repairs_and_ledgers_see_it_too(start: Start, tmp_path: Path) -> None:
    project(tmp_path, dist=WRAPPED)
    async with start(options={"inlayHints": True}) as editor:
        engine = editor.open("engine.py", ENGINE)
        assert rules(await editor.diagnostics(engine)) == SYNC
        assert any("all-reduce" in str(one.label) for one in await editor.hints(engine))
