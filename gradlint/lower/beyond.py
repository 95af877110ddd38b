"""What a file's imports lead to, as far as the project has it: what lowering asks of other files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Protocol

from gradlint.model.effects import Gate

if TYPE_CHECKING:
    from gradlint.lower.gates import Gates
    from gradlint.model.effects import Effect


class Beyond(Protocol):
    """The other files of a project, as one file sees them."""

    def defines(self, qualified: str, /) -> bool:
        """Whether an import's name is that of a function or a class of the project."""

    def has(self, qualified: str, /) -> bool:
        """Whether an import's name is of a file of the project."""

    def starred(self, name: str, /) -> str | None:
        """What a name means that only a star import can have brought, if it is the project's."""

    def exports(self, star: str, /) -> Mapping[str, str]:
        """The names that a star import brings, as far as the project has them, each with what it is."""

    def gates_of(self, qualified: str, /) -> tuple[Gates, bool | str, str] | None:
        """The gates of the file in which a function stands, and its key there; `__init__` for a class."""

    def class_of(self, qualified: str, /) -> tuple[Gates, str] | None:
        """The gates of the file in which a class stands, and its name there."""

    def wrapper(self, qualified: str, /) -> Effect | None:
        """What making a class of the project means that is a distributed wrapper by what it derives from."""

    def kept(self, qualified: str, /) -> Gate:
        """All that the functions can do that a variable of another file keeps, whoever has put them there."""

    def is_object(self, qualified: str, /) -> bool:
        """Whether an import's name is that of a variable of the project."""

    def given(self, name: str, /) -> Gate:
        """All that the functions can do that other files give to a variable of that name by decorators."""

    def methods(self, name: str, /) -> Iterable[Gates]:
        """The gates of the files, in reach of the imports, that have a method of that name."""

    def functions(self, name: str, /) -> Iterable[Gates]:
        """The gates of these files that have a function of that name."""

    def wrapping(self, name: str, /) -> Iterable[Gates]:
        """The gates of these files that keep a function in part under that name."""

    def workers(self) -> Iterable[str]:
        """The names of what works on gradients in the files that run with this one."""

    def quoted(self) -> frozenset[str]:
        """The words that stand in quotes in these."""

    def handed_over(self) -> frozenset[tuple[str, str]]:
        """Whose methods, uncalled, calls in this file and in these are given, and which."""

    def named_methods(self) -> Iterable[str]:
        """The names of methods in these."""


class Nothing:
    """Of a file by itself."""

    def defines(self, _qualified: str) -> bool:
        """Nothing is the project's."""
        return False

    def has(self, _qualified: str) -> bool:
        """Nothing is."""
        return False

    def starred(self, _name: str) -> str | None:
        """Nobody knows."""
        return None

    def exports(self, _star: str) -> Mapping[str, str]:
        """Nobody knows."""
        return {}

    def gates_of(self, _qualified: str) -> tuple[Gates, bool | str, str] | None:
        """Nobody knows."""
        return None

    def class_of(self, _qualified: str) -> tuple[Gates, str] | None:
        """Nobody knows."""
        return None

    def wrapper(self, _qualified: str) -> Effect | None:
        """Nobody knows."""
        return None

    def kept(self, _qualified: str) -> Gate:
        """Nothing."""
        return Gate.NOTHING

    def is_object(self, _qualified: str) -> bool:
        """Nothing is."""
        return False

    def given(self, _name: str) -> Gate:
        """Nothing."""
        return Gate.NOTHING

    def methods(self, _name: str) -> Iterable[Gates]:
        """None."""
        return ()

    def functions(self, _name: str) -> Iterable[Gates]:
        """None."""
        return ()

    def wrapping(self, _name: str) -> Iterable[Gates]:
        """None."""
        return ()

    def workers(self) -> Iterable[str]:
        """None."""
        return ()

    def quoted(self) -> frozenset[str]:
        """None."""
        return frozenset()

    def handed_over(self) -> frozenset[tuple[str, str]]:
        """None."""
        return frozenset()

    def named_methods(self) -> Iterable[str]:
        """None."""
        return ()


NOTHING = Nothing()
