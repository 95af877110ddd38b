"""What nobody waits for any more is given up, and the server lives on."""

from __future__ import annotations

import asyncio
import re
import time
from typing import TYPE_CHECKING

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified, JsonRpcException, JsonRpcRequestCancelled

from server.loops import LATE, RIGHT, WINDOW

if TYPE_CHECKING:
    from server.conftest import Editor, Start

pytestmark = pytest.mark.asyncio(loop_scope="session")
LONG = "".join(re.sub(r"def train", f"def train_{number}", WINDOW) for number in range(300))
"""A text that takes the engine very long, for every finding's repair is tried."""


def asking(editor: Editor, uri: str, number: str) -> asyncio.Task[types.Hover | None]:
    """A hover that is on its way to the server."""
    params = types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(7, 10))
    request = editor.client.protocol.send_request_async(types.TEXT_DOCUMENT_HOVER, params, msg_id=number)
    return asyncio.ensure_future(request)


async def test_a_cancelled_request_is_answered_at_once(start: Start) -> None:
    async with start() as editor:
        uri = editor.open("long.py", LONG)
        answer = asking(editor, uri, "1")
        await asyncio.sleep(0.2)
        editor.client.cancel_request(types.CancelParams("1"))
        with pytest.raises(JsonRpcRequestCancelled):
            await answer
        assert editor.told == []
        editor.replace(uri, 2, LATE)
        assert len(await editor.diagnostics(uri, 2)) == 1


async def test_a_question_about_a_text_that_has_changed_is_answered_at_once(start: Start) -> None:
    async with start(options={"delay": 0}) as editor:
        uri = editor.open("long.py", LONG)
        old = asking(editor, uri, "1")
        await asyncio.sleep(0.2)
        editor.replace(uri, 2, LATE)
        new = asking(editor, uri, "2")
        with pytest.raises(JsonRpcException) as outdated:
            await old
        assert outdated.value.code == JsonRpcContentModified.CODE
        assert await new is None
        assert len(await editor.diagnostics(uri, 2)) == 1
    assert [one.version for one in editor.told] == [2]


async def test_the_server_listens_while_it_works(start: Start) -> None:
    async with start() as editor:
        long = editor.open("long.py", LONG)
        await asyncio.sleep(0.2)
        other = editor.uri("other.txt")
        before = time.monotonic()
        assert await editor.hover(other, 0, 0) is None
        assert time.monotonic() - before < 5
        assert editor.told == []
        editor.replace(long, 2, RIGHT)
        assert await editor.diagnostics(long, 2) == []


async def test_goodbye_does_not_wait_for_work(start: Start) -> None:
    async with start(fresh=True) as editor:
        editor.open("long.py", LONG)
        await asyncio.sleep(0.2)
        await editor.client.shutdown_async(None)
        server = editor.client._server
        editor.client.exit(None)
        assert server is not None
        assert await asyncio.wait_for(server.wait(), 60) == 0
        editor.client.error = RuntimeError("it has gone already")
