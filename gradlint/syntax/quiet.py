"""Parsing without warnings, in any thread.

Python's filters for warnings are one list for all threads, and `catch_warnings` puts the old list back
when it ends: two threads that do so at once may leave the wrong one behind.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock

_TURN = RLock()


@contextmanager
def quiet() -> Iterator[None]:
    """Let nothing be warned of; one thread at a time."""
    with _TURN, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
