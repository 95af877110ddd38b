"""A project's own words: names of its optimizers, clips, backwards and scalers, and what other names stand for."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from gradlint.model.record import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

OBJECTS: Mapping[str, str] = {
    "optimizer": "an optimizer, or a function that makes one",
    "scaler": "a gradient scaler",
    "scaler-callable": "a scaler that is called with loss and optimizer, and does the rest",
    "model": "a network",
    "ddp": "a network in DistributedDataParallel, or a function that puts one there",
    "fsdp": "a network in FullyShardedDataParallel, or a function that puts one there",
    "scheduler": "a learning rate scheduler, or a function that makes one",
    "loader": "a data loader, or a function that makes one",
    "sampler": "a distributed sampler, or a function that makes one",
    "accelerator": "an Accelerator, or a function that makes one",
    "fabric": "a Fabric, or a function that makes one",
    "engine": "an engine, such as DeepSpeed's, that keeps its own books",
    "criterion": "a loss function",
    "ema": "an average of a network",
}
"""The roles that an object can be told to have."""

FUNCTIONS: Mapping[str, str] = {
    "wrapper": "a function that returns the network that it is given, wrapped or in part",
    "backward": "a function that runs backward from the loss that it is given",
    "step": "a function that lets the optimizer step, with all that belongs to it",
    "update": "a function that makes a whole update: it runs backward, steps and clears",
    "clear": "a function that clears the gradients of the optimizers that it is given, else all",
    "clip": "a function that clips the gradients of the parameters that it is given",
    "harmless": "a function that leaves gradients alone, whatever it is given",
}
"""The roles that a function can be told to have."""

ROLES: Mapping[str, str] = {**OBJECTS, **FUNCTIONS}
LOOPS = frozenset({"backward", "update", "scaler-callable"})
"""The roles of what adds to gradients: a file that calls one may hold a loop."""


@dataclass(frozen=True, slots=True)
class Custom:
    """Names as they are imported (`my_pkg.Lion`), or last components alone (`Lion`).

    Attributes:
        optimizers: classes and functions that make an optimizer.
        clip_functions: functions that clip the gradients of the parameters given first.
        backward_functions: functions that run backward from the loss given first.
        scaler_callables: classes whose objects are called with loss and optimizer, and do the rest (as in timm).
        roles: names of objects and functions as the source spells them (`self.opt`), each with one of `ROLES`.
    """

    optimizers: tuple[str, ...] = ()
    clip_functions: tuple[str, ...] = ()
    backward_functions: tuple[str, ...] = ()
    scaler_callables: tuple[str, ...] = ()
    roles: tuple[tuple[str, str], ...] = ()

    @property
    def tokens(self) -> tuple[str, ...]:
        """Words that a training loop may hold instead of `backward`."""
        told = tuple(name for name, role in self.roles if role in LOOPS)
        return tuple(name.rpartition(".")[2] for name in (*self.backward_functions, *self.scaler_callables, *told))


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
