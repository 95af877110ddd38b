"""What somebody has told of names, where nothing in the source shows it; `check.told` reads it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from gradlint.model.custom import FUNCTIONS, OBJECTS
from gradlint.model.once import cached_property
from gradlint.model.record import dataclass


@dataclass(frozen=True)
class Told:
    """All that was told of one file.

    Attributes:
        roles: names as the source spells them, each with one of `custom.ROLES`.
        numbers: names that stand for a number.
        windows: names of how many micro-batches an update takes.
        size: how many these are, if a number was told; else 0.
        ends: rows of the guards that tell where a window ends, with its name or its number.
        after: rows in functions, and which function is called before them.
        apart: rows in functions whose gradients are for something else.
    """

    roles: Mapping[str, str] = field(default_factory=dict)
    numbers: Mapping[str, int] = field(default_factory=dict)
    windows: frozenset[str] = frozenset()
    size: int = 0
    ends: Mapping[int, str] = field(default_factory=dict)
    after: Mapping[int, str] = field(default_factory=dict)
    apart: frozenset[int] = frozenset()

    def __bool__(self) -> bool:
        return self is not NOTHING

    def role(self, spelled: str) -> str:
        """The role of what is spelled like that, else empty."""
        return next((self.roles[name] for name in endings(spelled) if name in self.roles), "")

    def stands_for(self, spelled: str) -> int | None:
        """The number that it stands for."""
        return next((self.numbers[name] for name in endings(spelled) if name in self.numbers), None)

    def is_window(self, spelled: str) -> bool:
        """Whether it is how many micro-batches an update takes."""
        return any(name in self.windows for name in endings(spelled))

    @cached_property
    def objects(self) -> Mapping[str, str]:
        """The roles of objects by the last component of their names."""
        return {name.rpartition(".")[2]: role for name, role in self.roles.items() if role in OBJECTS}

    @cached_property
    def callables(self) -> tuple[str, ...]:
        """The last components of the names of functions."""
        return tuple(name.rpartition(".")[2] for name, role in self.roles.items() if role in FUNCTIONS)

    @cached_property
    def values(self) -> frozenset[str]:
        """The last components of all names that mean something where they are read."""
        names = (*self.roles, *self.numbers, *self.windows)
        return frozenset(name.rpartition(".")[2] for name in names)


NOTHING = Told()


def endings(spelled: str) -> list[str]:
    """`a.b.c`, `b.c` and `c`."""
    parts = spelled.split(".")
    return [".".join(parts[number:]) for number in range(len(parts))]
