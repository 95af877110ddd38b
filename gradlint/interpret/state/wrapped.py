"""Wrapped: the guards behind which models were put into what runs them on many ranks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import field

from gradlint.model.events import Guard
from gradlint.model.record import dataclass


@dataclass(slots=True)
class Wrapped:
    """On which ways models were wrapped.

    `under` are the guards around a wrap by the model's root, and which way they went. `choices` are the parts of
    conditions, and what is tried, that one is in, or behind in its function: they are guards like these.
    """

    under: dict[str, frozenset[tuple[str, bool]]] = field(default_factory=dict)
    choices: list[str] = field(default_factory=list)

    @contextmanager
    def within(self, choice: str, *, when: bool) -> Iterator[None]:
        """What is run in this context is run on some ways only."""
        depth = len(self.choices)
        if when:
            self.choices.append(choice)
        try:
            yield
        finally:
            del self.choices[depth:]

    def pass_by(self, choice: str) -> None:
        """What follows in the same function is run on some ways only."""
        if choice not in self.choices:
            self.choices.append(choice)

    def note(self, root: str, guards: Iterable[Guard]) -> None:
        """A model is wrapped behind these guards."""
        self.under[root] = self._around(guards)

    def is_sometimes(self, root: str, guards: Iterable[Guard]) -> bool:
        """Whether a model was wrapped behind a guard that is none of these: on another way they get it as it is."""
        under = self.under.get(root)
        return under is not None and not under <= self._around(guards)

    def _around(self, guards: Iterable[Guard]) -> frozenset[tuple[str, bool]]:
        return frozenset([*((guard.text, guard.taken) for guard in guards), *((one, True) for one in self.choices)])
