"""The desk: takes questions about programs and has a worker answer them, one after the other.

A question about a text that has changed since is dropped, also in the middle of the work: the worker
is then ended, and another one begins. Equal questions are asked once.
"""

from __future__ import annotations

import asyncio
import pickle
import sys
from asyncio.subprocess import PIPE, Process
from contextlib import suppress
from dataclasses import dataclass

from pygls.exceptions import JsonRpcContentModified

from gradlint.model.settings import Settings
from gradlint.server.session import NOTHING, Beside
from gradlint.server.units import Unit
from gradlint.server.worker import COMMAND, LENGTH, Question

GRACE = 0.5
"""Seconds that a worker is given to end what nobody waits for any more."""


class Lost(Exception):
    """The worker went away without an answer."""


@dataclass(slots=True)
class _Job:
    """A question, and the answer that is awaited."""

    about: tuple[Unit, Settings, Beside]
    answer: asyncio.Task[object]


class Desk:
    """Answers about units. Each question has a name; the latest one of a name and unit counts."""

    def __init__(self) -> None:
        self._jobs: dict[tuple[str, str], _Job] = {}
        self._iteration = asyncio.Lock()
        self._worker: Process | None = None

    async def ask(self, name: str, unit: Unit, settings: Settings, beside: Beside = NOTHING) -> object:
        """The answer to a question about a unit.

        Args:
            name: what to do: `check`, `fix` or `trace`.
            unit: the program, as it is now.
            settings: which rules, how sure.
            beside: what else is open, and when the disk changed.

        Raises:
            JsonRpcContentModified: meanwhile somebody asked the same about a newer text.
            RuntimeError: gradlint itself failed.
            Lost: the worker went away.
        """
        key, about = (name, unit.uri), (unit, settings, beside)
        job = self._jobs.get(key)
        if job is None or job.answer.cancelled() or job.about != about:
            self.forget(unit.uri, name)
            question = Question(name, unit.text, unit.path, settings, beside)
            job = self._jobs[key] = _Job(about, asyncio.ensure_future(self._answer(question)))
        try:
            found = await asyncio.shield(job.answer)
        except asyncio.CancelledError:
            if job.answer.cancelled():
                raise JsonRpcContentModified from None
            raise
        if isinstance(found, Exception):
            self.forget(unit.uri, name)  # who asks again may be luckier
            raise found
        return found

    def forget(self, uri: str, name: str | None = None) -> None:
        """Drop what was asked about a unit, or one of the questions."""
        for key in [key for key in self._jobs if key[1] == uri and name in (None, key[0])]:
            self._jobs.pop(key).answer.cancel()

    def close(self) -> None:
        """End the work."""
        for _, uri in list(self._jobs):
            self.forget(uri)
        self._end()

    async def _answer(self, question: Question) -> object:
        async with self._iteration:
            talk = asyncio.ensure_future(self._talk(question))
            try:
                return await asyncio.shield(talk)
            except asyncio.CancelledError:
                await self._drop(talk)
                raise
            except (asyncio.IncompleteReadError, OSError):
                self._end()
                return Lost("internal: the process that checks has ended")

    async def _drop(self, talk: asyncio.Task[object]) -> None:
        """Let nobody's answer come if it comes soon, for the worker knows the project by now; else end the worker."""
        done, _ = await asyncio.wait([talk], timeout=GRACE)
        if not done:
            self._end()
            await asyncio.wait([talk])
        if not talk.cancelled():
            talk.exception()

    async def _talk(self, question: Question) -> object:
        worker = await self._begin()
        assert worker.stdin is not None
        assert worker.stdout is not None
        data = pickle.dumps(question)
        worker.stdin.write(LENGTH.pack(len(data)) + data)
        await worker.stdin.drain()
        (size,) = LENGTH.unpack(await worker.stdout.readexactly(LENGTH.size))
        found: object = pickle.loads(await worker.stdout.readexactly(size))  # noqa: S301  # from our own process
        return found

    async def _begin(self) -> Process:
        """The worker; a new one where there is none."""
        if self._worker is None or self._worker.returncode is not None:
            command = COMMAND.format(path=sys.path)
            self._worker = await asyncio.create_subprocess_exec(sys.executable, "-c", command, stdin=PIPE, stdout=PIPE)
        return self._worker

    def _end(self) -> None:
        if self._worker is not None:
            with suppress(ProcessLookupError):
                self._worker.kill()
            self._worker = None
