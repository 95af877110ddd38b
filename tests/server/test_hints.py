"""The ledger at the step."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from lsprotocol import types

from server.loops import LATE, RIGHT, WINDOW

if TYPE_CHECKING:
    from server.conftest import Start

pytestmark = pytest.mark.asyncio(loop_scope="session")
ON = {"inlayHints": True}
SCALED = """\
import torch


def train(model, loader, opt_a, opt_b, use_amp):
    scaler = torch.amp.GradScaler("cuda", enabled=use_amp)
    for batch in loader:
        opt_a.zero_grad()
        loss = model(batch)
        scaler.scale(loss).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(opt_a)  # the é step
        scaler.update()
"""


async def test_they_are_off_by_default(start: Start) -> None:
    async with start() as editor:
        assert await editor.hints(editor.open("train.py", WINDOW)) == []


async def test_a_step_shows_what_it_consumed_beside_what_it_means(start: Start) -> None:
    async with start(options=ON) as editor:
        (hint,) = await editor.hints(editor.open("train.py", WINDOW))
    assert hint.label == "4 \N{MULTIPLICATION SIGN} 1, meant 4 \N{MULTIPLICATION SIGN} 1/4"
    assert hint.position == types.Position(9, len("            optimizer.step()"))
    assert isinstance(hint.tooltip, types.MarkupContent)
    assert "ledger of `optimizer`, window of 4" in hint.tooltip.value


async def test_a_step_as_it_should_be_shows_one_side(start: Start) -> None:
    async with start(options=ON) as editor:
        (right,) = await editor.hints(editor.open("right.py", RIGHT))
        (late,) = await editor.hints(editor.open("late.py", LATE))
    assert right.label == "1 · clip clipped"
    assert late.label == "1 · clip late, meant clipped"


async def test_they_stand_behind_the_whole_line(start: Start) -> None:
    line = SCALED.splitlines()[10]
    async with start(options=ON) as editor:
        (hint,) = await editor.hints(editor.open("train.py", SCALED))
    assert hint.position == types.Position(10, len(line))
    assert isinstance(hint.label, str)
    assert "clip scaled, meant clipped" in hint.label


async def test_only_lines_in_sight_have_them(start: Start) -> None:
    async with start(options=ON) as editor:
        uri = editor.open("train.py", WINDOW)
        assert len(await editor.hints(uri, 9, 9)) == 1
        assert await editor.hints(uri, 0, 8) == []
        assert await editor.hints(uri, 10, 11) == []


async def test_a_text_that_does_not_parse_has_none(start: Start) -> None:
    async with start(options=ON) as editor:
        assert await editor.hints(editor.open("train.py", WINDOW + "def f(\n")) == []


async def test_they_can_be_switched_on_later(start: Start) -> None:
    async with start(fresh=True) as editor:
        uri = editor.open("train.py", WINDOW)
        assert await editor.hints(uri) == []
        settings = {"gradlint": {"inlayHints": True}}
        editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings))
        assert len(await editor.hints(uri)) == 1
