"""Loading: the modules that a run has not come to, although Python would have run them by now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from gradlint.model.record import dataclass


@dataclass(slots=True)
class Loading:
    """What waits until something is looked up that modules fill: a dictionary of classes, a registry.

    `waiting` are files that fill something, in the order of their imports, with names of that; `inside` says how many
    modules are being run for what they make, or register something, just now: what these look up they fill themselves.
    """

    waiting: dict[str, frozenset[str]] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)
    inside: int = 0

    def add(self, files: Mapping[str, frozenset[str]]) -> None:
        """Files are imported that fill something; most of them were already."""
        if files.keys() <= self.seen:
            return
        for path, names in files.items():
            if path not in self.seen:
                self.seen.add(path)
                self.waiting[path] = names

    def filling(self) -> Filling:
        """While a module is run for what it makes, or something is registered."""
        return Filling(self)

    def due(self, name: str) -> list[str]:
        """The files that have to be run before something of that name is looked up: none while modules fill it."""
        found = [] if self.inside else [path for path, names in self.waiting.items() if name in names]
        for path in found:
            del self.waiting[path]
        return found


@dataclass(slots=True)
class Filling:
    """A block in which modules fill what they look up; a class, for a generator takes three times as long to enter."""

    loading: Loading

    def __enter__(self) -> None:
        self.loading.inside += 1

    def __exit__(self, *_: object) -> None:
        self.loading.inside -= 1
