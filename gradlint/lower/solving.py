"""What the functions of several files can do that call each other: found out of all of them together."""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush
from typing import Protocol, TypeAlias

from gradlint.model.effects import Gate

Key: TypeAlias = "tuple[bool | str, str]"
"""Whether a method is meant, or that of which class, and its name: functions of one name are taken for one."""


class Solvable(Protocol):
    """The gates of one file; those of a key are `final` once they are found out."""

    final: dict[Key, Gate]

    def of_bodies(self, key: Key) -> Gate:
        """What the functions of a key do, by what is known so far."""


class Together:
    """What all functions can do that one call may mean, by the name it has: put together once, not at each call."""

    def __init__(self, parts: Callable[[str], Gate]) -> None:
        self.final: dict[Key, Gate] = {}
        self._parts = parts

    def of_bodies(self, key: Key) -> Gate:
        """What the functions of a key do, by what is known so far."""
        return self._parts(key[1])


class Solving:
    """What is being found out of the functions of all files that lead to each other.

    Every function begins with nothing and is computed again whenever one that it calls has grown. `user` is the one
    that is computed just now; how many `guesses` were used tells what may not be remembered yet.
    """

    def __init__(self) -> None:
        self.draft: dict[tuple[Solvable, Key], Gate] = {}
        self.users: dict[tuple[Solvable, Key], set[tuple[Solvable, Key]]] = {}
        self.fresh: list[tuple[Solvable, Key]] = []
        self.user: tuple[Solvable, Key] | None = None
        self.guesses = 0

    def called(self, gates: Solvable, key: Key) -> Gate:
        """All that the functions of a key can do, which may be provisional."""
        if key in gates.final:
            return gates.final[key]
        one = (gates, key)
        if self.user is None:
            self._solve(one)
            return gates.final[key]
        self.guesses += 1
        self.users.setdefault(one, set()).add(self.user)
        if one not in self.draft:
            self.draft[one] = Gate.NOTHING
            self.fresh.append(one)
        return self.draft[one]

    def _solve(self, first: tuple[Solvable, Key]) -> None:
        """What is called is found out first, as far as it is seen; who calls what has grown comes again."""
        self.draft, self.users, self.fresh = {first: Gate.NOTHING}, {}, [first]
        ranks: dict[tuple[Solvable, Key], int] = {}
        again: list[int] = []
        waiting: set[int] = set()
        every: list[tuple[Solvable, Key]] = []
        while self.fresh or again:
            if self.fresh:
                self.user = self.fresh.pop()
                ranks[self.user] = len(every)
                every.append(self.user)
            else:
                rank = -heappop(again)
                waiting.discard(rank)
                self.user = every[rank]
            gates, key = self.user
            gate = self.draft[self.user] | gates.of_bodies(key)
            if gate != self.draft[self.user]:
                self.draft[self.user] = gate
                for user in self.users.get(self.user, ()):
                    if ranks[user] not in waiting:
                        waiting.add(ranks[user])
                        heappush(again, -ranks[user])
        self.user = None
        for (gates, key), gate in self.draft.items():
            gates.final[key] = gate
