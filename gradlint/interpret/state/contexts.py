"""Contexts: what a run has entered, and generators that enter for their callers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field
from typing import Any

from gradlint.interpret.contents import roots_in
from gradlint.interpret.values import Context, Parameters, Tracked, Value
from gradlint.model.record import dataclass
from gradlint.model.roots import overlaps


class Yielded(Exception):
    """A generator used as a context manager reached its `yield`."""


class Thrown(Exception):
    """An exception of the project's own was raised, and somebody handles it."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


@dataclass(slots=True)
class Contexts:
    """The contexts that were entered, the innermost last.

    A generator that is run up to its `yield` is `capturing`: `captured` are the contexts it stops in, `yielded` is what
    it gives. One that is `resuming` is run for what stands behind its `yield`, `consumed` are the iterators that each
    has read ahead of it. `consumers` are the loops that take what generators yield, `catching` the names of exceptions
    that are handled where the run is.
    """

    entered: list[Context] = field(default_factory=list)
    captured: list[Context] = field(default_factory=list)
    yielded: Value = None
    consumed: dict[int, list[Parameters]] = field(default_factory=dict)
    consumers: list[Any] = field(default_factory=list)
    catching: list[frozenset[str]] = field(default_factory=list)
    capturing: int = 0
    resuming: int = 0

    @contextmanager
    def inside(self, context: Context) -> Iterator[None]:
        """Run a block with one more context."""
        self.entered.append(context)
        try:
            yield
        finally:
            if context in self.entered:
                self.entered.remove(context)

    def switch(self, context: Context) -> None:
        """What holds from here on in the place of what was said so before: `torch.set_grad_enabled(False)`."""
        self.entered[:] = [*(one for one in self.entered if not (one.lasting and one.kind == context.kind)), context]

    def leave(self, before: Sequence[Context]) -> None:
        """Leave all contexts but those that were entered before."""
        self.entered[:] = [context for context in self.entered if context in before]

    def close(self, those: Sequence[Context]) -> None:
        """Leave those contexts, and no others: what was entered by hand is left by hand."""
        if those:
            self.entered[:] = [context for context in self.entered if not any(context is one for one in those)]

    def active(self, kind: str) -> Context | None:
        """The innermost active context of that kind."""
        for context in reversed(self.entered):
            if context.kind == kind:
                return context if context.active else None
        return None

    def spares(self, root: str) -> bool:
        """Whether `accumulate` was given other models, and not this one: it synchronises as ever."""
        context = self.active("accumulate")
        given = context.given if context is not None else ()
        models = [value for value in given if isinstance(value, Tracked)]
        known = frozenset(name for model in models for name in roots_in(model))
        return len(models) == len(given) and overlaps(known, frozenset((root,))) is False

    def silent(self, root: str | None = None) -> bool:
        """Whether one is inside some `no_sync`, or in one that holds for a model."""
        for context in self.entered:
            silences = context.kind == "no_sync" and context.active
            if silences and (root is None or context.target is None or context.target.root == root):
                return True
        return False

    @property
    def gradients_off(self) -> bool:
        """True under `no_grad` (an inner `enable_grad` wins)."""
        for context in reversed(self.entered):
            if context.kind == "no_grad":
                return context.active
            if context.kind == "set_grad":
                return not context.active
        return False

    @property
    def autocast(self) -> str:
        """The dtype text of the active autocast (`float16`, `bfloat16`, `?`), else empty."""
        context = self.active("autocast")
        return "" if context is None else context.dtype or "?"
