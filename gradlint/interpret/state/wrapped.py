"""Wrapped: the guards behind which models were put into what runs them on many ranks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

from gradlint.model.events import Guard
from gradlint.model.record import dataclass


@dataclass(slots=True)
class Wrapped:
    """On which ways models were wrapped.

    `under` are the guards around a wrap by the model's root, and which way they went. `choices` are the parts of
    conditions, and what is tried, that one is in: they are guards like these.
    """

    under: dict[str, frozenset[tuple[str, bool]]] = field(default_factory=dict)
    choices: list[str] = field(default_factory=list)

    def note(self, root: str, guards: Iterable[Guard]) -> None:
        """A model is wrapped behind these guards."""
        self.under[root] = self._around(guards)

    def is_sometimes(self, root: str, guards: Iterable[Guard]) -> bool:
        """Whether a model was wrapped behind a guard that is none of these: on another way they get it as it is."""
        under = self.under.get(root)
        return under is not None and not under <= self._around(guards)

    def _around(self, guards: Iterable[Guard]) -> frozenset[tuple[str, bool]]:
        return frozenset([*((guard.text, guard.taken) for guard in guards), *((one, True) for one in self.choices)])
