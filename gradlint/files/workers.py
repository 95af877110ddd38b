"""A pool of processes that survives what its tasks do to it.

    tasks ──► one at a time to each process ──► results, in the order in which they are done
                    └ it dies ──► its task has failed, a new process takes its place

Processes are forked where there is `fork`, so that they share what is loaded; else they are spawned. They
end when the one that started them does, and leave the interrupt key to it.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Generic, TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run(
    tasks: Sequence[Task], work: Callable[[Task], Result], size: int, method: str | None = None
) -> Iterator[tuple[int, Result | None]]:
    """Do all tasks, and yield (number of the task, its result); `None` where its process died.

    Args:
        tasks: what to do; must be picklable where processes are spawned, like `work`.
        work: does one task.
        size: how many processes.
        method: how they are started; by default forked where that can be done.
    """
    pool = _Pool(tasks, work, method)
    try:
        yield from pool.results(min(size, len(tasks)))
    finally:
        pool.close()


class _Pool(Generic[Task, Result]):
    """The processes, each behind the connection that it reads task numbers from."""

    def __init__(self, tasks: Sequence[Task], work: Callable[[Task], Result], method: str | None) -> None:
        forks = "fork" in multiprocessing.get_all_start_methods()
        self._context: Any = multiprocessing.get_context(method or ("fork" if forks else "spawn"))
        self._tasks = tasks
        self._work = work
        self._next = 0
        self._processes: dict[Connection, BaseProcess] = {}
        self._busy: dict[Connection, int] = {}

    def results(self, size: int) -> Iterator[tuple[int, Result | None]]:
        for _ in range(size):
            self._start()
        while self._busy:
            for ready in wait(list(self._busy)):
                assert isinstance(ready, Connection)
                number = self._busy.pop(ready)
                try:
                    result = ready.recv()
                except (EOFError, OSError):
                    self._retire(ready)
                    self._start()
                    yield number, None
                else:
                    self._give(ready)
                    yield number, result

    def _start(self) -> None:
        if self._next >= len(self._tasks):
            return
        ours, theirs = self._context.Pipe()
        others = (ours, *self._processes) if self._context.get_start_method() == "fork" else ()
        process = self._context.Process(target=_serve, args=(theirs, others, self._tasks, self._work), daemon=True)
        process.start()
        theirs.close()
        self._processes[ours] = process
        self._give(ours)

    def _give(self, connection: Connection) -> None:
        """The next task for a process that has none; without one it may go."""
        if self._next >= len(self._tasks):
            self._retire(connection)
            return
        with suppress(OSError):  # it died; reading from it will tell
            connection.send(self._next)
        self._busy[connection] = self._next
        self._next += 1

    def _retire(self, connection: Connection) -> None:
        connection.close()
        self._processes.pop(connection).join()

    def close(self) -> None:
        """End what is still running."""
        for process in self._processes.values():
            process.terminate()
        for connection in list(self._processes):
            self._retire(connection)


def _serve(
    connection: Connection, others: Sequence[Connection], tasks: Sequence[Task], work: Callable[[Task], Result]
) -> None:
    """Do the tasks whose numbers come in, until nobody sends any."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for other in others:
        other.close()
    try:
        while True:
            connection.send(work(tasks[connection.recv()]))
    except (EOFError, OSError):
        return
