"""A project's own words: names of its optimizers, clips, backwards and scalers, beside the known ones."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class Custom:
    """Names as they are imported (`my_pkg.Lion`), or last components alone (`Lion`).

    Attributes:
        optimizers: classes and functions that make an optimizer.
        clip_functions: functions that clip the gradients of the parameters given first.
        backward_functions: functions that run backward from the loss given first.
        scaler_callables: classes whose objects are called with loss and optimizer, and do the rest (as in timm).
    """

    optimizers: tuple[str, ...] = ()
    clip_functions: tuple[str, ...] = ()
    backward_functions: tuple[str, ...] = ()
    scaler_callables: tuple[str, ...] = ()

    @property
    def tokens(self) -> tuple[str, ...]:
        """Words that a training loop may hold instead of `backward`."""
        return tuple(name.rpartition(".")[2] for name in (*self.backward_functions, *self.scaler_callables))


NONE = Custom()
_CURRENT: ContextVar[Custom] = ContextVar("gradlint_custom", default=NONE)


@contextmanager
def using(custom: Custom) -> Iterator[None]:
    """Let these words count while a text is read, in this thread or task alone."""
    token = _CURRENT.set(custom)
    try:
        yield
    finally:
        _CURRENT.reset(token)


def current() -> Custom:
    """The words that count."""
    return _CURRENT.get()
