"""The process that works for the desk: one question after the other, until its input ends.

    desk ──length, pickled Question──► worker ──length, pickled Answer──► desk

A process can be ended in the middle of its work, which no thread can.
"""

from __future__ import annotations

import pickle
import struct
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from gradlint.server.session import NOTHING, Beside, Checked, Session

if TYPE_CHECKING:
    from gradlint.fix.result import FixResult
    from gradlint.model.settings import Settings
    from gradlint.model.trace import RegionTrace

LENGTH = struct.Struct("!Q")
COMMAND = "import sys; sys.path[:] = {path!r}; from gradlint.server.worker import main; main()"
"""What the worker's Python runs. It has the server's path, so that nothing is imported from the user's folder."""


@dataclass(frozen=True, slots=True)
class Question:
    """What to do (`check`, `fix` or `trace`) with which text, and what is beside it."""

    name: str
    text: str
    path: str
    settings: Settings
    beside: Beside = NOTHING


def main() -> None:
    """Answer until the input ends."""
    source, sink, session = sys.stdin.buffer, sys.stdout.buffer, Session()
    while (question := _read(source)) is not None:
        data = pickle.dumps(answer(question, session))
        sink.write(LENGTH.pack(len(data)) + data)
        sink.flush()


def answer(question: Question, session: Session) -> object:
    """The engine's answer, or the exception that it failed with."""
    tasks = {"check": _check, "fix": _fix, "trace": _trace}
    try:
        return tasks[question.name](question, session)
    except Exception as error:  # noqa: BLE001  # whoever asked shall know
        return RuntimeError(f"internal: {type(error).__name__}: {error}")


def _check(question: Question, session: Session) -> Checked:
    """The findings of a file, with those of others that it has to do with."""
    from gradlint.check import batch, engine
    from gradlint.check.programs import imported
    from gradlint.check.surroundings import ground

    with session.around(question.path, question.settings, question.beside) as project:
        if project is None:
            return Checked(engine.check_text(question.text, question.path, question.settings))
        task = (Path(question.path), question.settings)
        found = batch.outcome_of(question.text, task, session.projects(question.beside))
        own = tuple(one for one in found.report.findings if one.path == question.path)
        elsewhere = tuple(one for one in found.report.findings if one.path != question.path)
        related = imported(question.text, question.path, ground()).union(found.beside)
        return Checked(replace(found.report, findings=own), elsewhere, related)


def _fix(question: Question, session: Session) -> FixResult:
    from gradlint.check.engine import fix_text

    with session.around(question.path, question.settings, question.beside):
        return fix_text(question.text, question.path, question.settings)


def _trace(question: Question, session: Session) -> tuple[RegionTrace, ...]:
    """The ledgers; none of a text that cannot be parsed."""
    from gradlint.check.engine import trace_text
    from gradlint.model.custom import using
    from gradlint.syntax.source import SourceError

    try:
        with session.around(question.path, question.settings, question.beside), using(question.settings.custom):
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
