"""The process that works for the desk: one question after the other, until its input ends.

    desk ──length, pickled Question──► worker ──length, pickled Answer──► desk

A process can be ended in the middle of its work, which no thread can.
"""

from __future__ import annotations

import pickle
import struct
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from gradlint.fix.result import FixResult
    from gradlint.model.finding import Report
    from gradlint.model.settings import Settings
    from gradlint.model.trace import RegionTrace

LENGTH = struct.Struct("!Q")
COMMAND = "import sys; sys.path[:] = {path!r}; from gradlint.server.worker import main; main()"
"""What the worker's Python runs. It has the server's path, so that nothing is imported from the user's folder."""


@dataclass(frozen=True, slots=True)
class Question:
    """What to do (`check`, `fix` or `trace`) with which text."""

    name: str
    text: str
    path: str
    settings: Settings


def main() -> None:
    """Answer until the input ends."""
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    while (question := _read(source)) is not None:
        data = pickle.dumps(answer(question))
        sink.write(LENGTH.pack(len(data)) + data)
        sink.flush()


def answer(question: Question) -> object:
    """The engine's answer, or the exception that it failed with."""
    tasks = {"check": _check, "fix": _fix, "trace": _trace}
    try:
        return tasks[question.name](question)
    except Exception as error:  # noqa: BLE001  # whoever asked shall know
        return RuntimeError(f"internal: {type(error).__name__}: {error}")


def _check(question: Question) -> Report:
    from gradlint.check.engine import check_text

    return check_text(question.text, question.path, question.settings)


def _fix(question: Question) -> FixResult:
    from gradlint.check.engine import fix_text

    return fix_text(question.text, question.path, question.settings)


def _trace(question: Question) -> tuple[RegionTrace, ...]:
    """The ledgers; none of a text that cannot be parsed."""
    from gradlint.check.engine import trace_text
    from gradlint.model.custom import using
    from gradlint.syntax.source import SourceError

    try:
        with using(question.settings.custom):
            return trace_text(question.text, question.path, None)
    except (SourceError, RecursionError):
        return ()


def _read(source: BinaryIO) -> Question | None:
    head = source.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    question = pickle.loads(source.read(*LENGTH.unpack(head)))  # noqa: S301  # from the server, over a pipe of its own
    assert isinstance(question, Question)
    return question
