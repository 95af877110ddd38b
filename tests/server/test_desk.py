"""The desk and its worker, without an editor."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from lsprotocol.types import PositionEncodingKind

from gradlint.fix.result import FixResult
from gradlint.model.settings import Settings
from gradlint.server.desk import Desk, Lost
from gradlint.server.lines import Lines
from gradlint.server.session import Checked, Session
from gradlint.server.units import Part, Unit
from gradlint.server.worker import Question, answer
from server.loops import LATE, RIGHT
from server.test_cancel import LONG

pytestmark = pytest.mark.asyncio


def unit(text: str, uri: str = "file:///train.py") -> Unit:
    return Unit(uri, "train.py", text, (Part(uri, 1, 0, Lines.of(text, PositionEncodingKind.Utf16)),))


@pytest_asyncio.fixture
async def desk() -> AsyncIterator[Desk]:
    desk = Desk()
    yield desk
    process = desk._worker
    desk.close()
    if process is not None:
        await process.wait()


async def test_it_answers(desk: Desk) -> None:
    checked = await desk.ask("check", unit(LATE), Settings())
    fixed = await desk.ask("fix", unit(LATE), Settings())
    assert isinstance(checked, Checked)
    assert isinstance(fixed, FixResult)
    assert [one.rule for one in checked.report.findings] == ["clip-after-step"]
    assert fixed.text == RIGHT
    assert await desk.ask("trace", unit("def f(:"), Settings()) == ()


async def test_equal_questions_are_asked_once(desk: Desk) -> None:
    one, other = await asyncio.gather(*(desk.ask("check", unit(LATE), Settings()) for _ in range(2)))
    assert one is other
    assert await desk.ask("check", unit(LATE), Settings()) is one
    assert await desk.ask("check", unit(LATE), Settings(pedantic=True)) is not one


async def test_a_worker_that_dies_is_told_and_another_one_begins(desk: Desk) -> None:
    await desk.ask("check", unit(RIGHT), Settings())
    asking = asyncio.ensure_future(desk.ask("check", unit(LONG), Settings()))
    await asyncio.sleep(0.1)
    first = desk._worker
    assert first is not None
    first.kill()
    with pytest.raises(Lost, match="internal: the process that checks has ended"):
        await asking
    checked = await desk.ask("check", unit(LATE), Settings())
    assert isinstance(checked, Checked)
    assert len(checked.report.findings) == 1
    assert desk._worker is not first


async def test_what_is_forgotten_ends_in_the_middle(desk: Desk) -> None:
    asking = asyncio.ensure_future(desk.ask("check", unit(LONG), Settings()))
    while desk._worker is None:  # noqa: ASYNC110  # a process has no event for its beginning
        await asyncio.sleep(0.01)
    worker = desk._worker
    desk.forget("file:///train.py")
    await asyncio.wait([asking], timeout=60)
    assert asking.done()
    assert asking.exception() is not None
    assert await asyncio.wait_for(worker.wait(), 60) != 0


async def test_a_failure_of_gradlint_itself_is_an_answer() -> None:
    failed = answer(Question("nonsense", "", "train.py", Settings()), Session())
    assert isinstance(failed, RuntimeError)
    assert str(failed) == "internal: KeyError: 'nonsense'"
