"""Threads take turns at a text: one is looked at or repaired at a time.

    thread 1  check a.py ──────────────►
    thread 2                            check b.py ────────►

Two calls share what they remember: trees, programs whose functions are lowered when first asked for, scenarios that
ran. Python runs one thread at a time anyway, so that taking turns costs nothing; for more, take processes.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import wraps
from threading import RLock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import ParamSpec, TypeVar

    P = ParamSpec("P")
    T = TypeVar("T")


class _Turn:
    """The one turn of a process; a process that is forked while a thread has it begins with a free one."""

    def __init__(self) -> None:
        self.lock = RLock()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._free)

    def _free(self) -> None:
        self.lock = RLock()


_TURN = _Turn()


def in_turn(function: Callable[P, T]) -> Callable[P, T]:
    """A function that only one thread runs at a time, together with all others that take turns."""

    @wraps(function)
    def alone(*args: P.args, **keywords: P.kwargs) -> T:
        with _TURN.lock:
            return function(*args, **keywords)

    return alone
