"""Names: identities of what is made on the way, and counters by any key."""

from __future__ import annotations

from dataclasses import field

from gradlint.model.events import Stamp
from gradlint.model.finding import Line, Span
from gradlint.model.record import dataclass


@dataclass(slots=True)
class Names:
    """How many identities were given, those of parts of things, and how often something happened or was named so.

    `made` is where an object of a class was made first, by the key that it had; `rounds` counts micro-batches, for
    counters that only the caller moves; `counting` are loops that count their turns, `for epoch in range(epochs)`.
    `homes` are the calls in which the first thing was called so: by other calls, another is. `layers` are the words
    that made those which a function calls so.
    """

    given: int = 0
    parts: dict[tuple[frozenset[int], str], int] = field(default_factory=dict)
    counters: dict[object, int] = field(default_factory=dict)
    made: dict[str, Line] = field(default_factory=dict)
    rounds: int = 0
    counting: set[int] = field(default_factory=set)
    homes: dict[str, tuple[Span, ...]] = field(default_factory=dict)
    layers: dict[str, list[str]] = field(default_factory=dict)

    def fresh(self) -> int:
        """A new identity for a loss term."""
        self.given += 1
        return self.given

    def part(self, bases: frozenset[int], name: str) -> frozenset[int]:
        """The identity of one part (`out.loss`, the second of a tuple) of something; equal parts agree."""
        if not bases:
            return bases
        key = (bases, name)
        if key not in self.parts:
            self.parts[key] = self.fresh()
        return frozenset((self.parts[key],))

    def copy_number(self, key: str, site: Span) -> int:
        """Which copy of an object a place in the source makes: the first, the second..."""
        number = self.counters.get(("copy", key, site))
        if number is None:
            number = self.counters.get(("copies", key), 0) + 1
            self.counters["copies", key] = self.counters["copy", key, site] = number
        return number

    def local(self, name: str, calls: tuple[Span, ...], iterations: Stamp = ()) -> str:
        """The key of a local object: where the calls that led here, or the iterations, are others, it is another's."""
        path = ("local", name, calls, iterations)
        if path not in self.counters:
            number = self._next("locals", "key", name, calls)
            self.counters[path], self.counters["locals", name] = number, number + 1
        number = self.counters[path]
        return f"{name}#{number}" if number else name

    def own(self, name: str, calls: tuple[Span, ...]) -> str:
        """The first name an object is given is its key; a second object under it gets a number."""
        number = self._next("key", "locals", name, calls)
        self.counters["key", name] = number + 1
        return f"{name}#{number}" if number else name

    def is_taken(self, name: str) -> bool:
        """Whether something was called so already."""
        return bool(self.counters.get(("key", name)) or self.counters.get(("locals", name)))

    def _next(self, kind: str, other: str, name: str, calls: tuple[Span, ...]) -> int:
        """The number of what is called so next; a variable of other calls may be that of a thing of the other kind."""
        number = self.counters.get((kind, name), 0)
        if self.homes.setdefault(name, calls) != calls and name.isidentifier():
            number = max(number, self.counters.get((other, name), 0), 1)
        return number

    def one_more(self, key: str) -> str:
        """The key of what is made at a place: of several each is another, `for p in parts: held[p] = Adam(...)`."""
        number = self.again(("one more", key)) - 1
        return f"{key}#{number}" if number else key

    def again(self, site: object) -> int:
        """How often something happened, this time included."""
        count = self.counters[site] = self.counters.get(site, 0) + 1
        return count
