"""Records: each says once how a call of a library is named, what it means, and what carries it out."""

from __future__ import annotations

from gradlint.libraries.operations import Operation
from gradlint.model.effects import Action, Effect, Makes, Options
from gradlint.model.record import dataclass
from gradlint.model.roles import Role


@dataclass(frozen=True, slots=True)
class LibraryCall:
    """One call of a library, under all its names.

    Attributes:
        names: qualified names, and `*.name` where the import cannot be seen; methods by their names alone.
        effect: what it does on paper.
        real: what carries it out in the sandbox; nothing where there is nothing to carry out.
        of: the role of what has this method.
        anywhere: whether a method of that name means the same where nobody knows what has it.
    """

    names: tuple[str, ...]
    effect: Effect
    real: Operation | None = None
    of: Role | None = None
    anywhere: bool = False

    @property
    def role(self) -> Role | None:
        """What it makes, if it makes an object."""
        return self.effect.role


@dataclass(frozen=True, slots=True)
class Library:
    """A library: what it is called, where its calls were read, and what they mean."""

    name: str
    source: str
    calls: tuple[LibraryCall, ...]


def call(
    names: str, action: Action, options: Options | None = None, real: Operation | None = None, *, anywhere: bool = False
) -> LibraryCall:
    """A function, or a class, by its names."""
    return LibraryCall(tuple(names.split()), Effect(action, options), real, anywhere=anywhere)


def makes(role: Role, names: str) -> LibraryCall:
    """Classes, or functions, that make an object of a role."""
    return call(names, Action.MAKE, Makes(role), Operation.MAKE)


def named(role: Role, names: str) -> LibraryCall:
    """The same, of which the last components alone say enough."""
    return makes(role, " ".join(f"*.{name}" for name in names.split()))


def method(
    of: Role,
    names: str,
    action: Action,
    options: Options | None = None,
    real: Operation | None = None,
    *,
    anywhere: bool = False,
) -> LibraryCall:
    """A method of objects of a role, by its names."""
    return LibraryCall(tuple(names.split()), Effect(action, options), real, of, anywhere)


def plain(of: Role, names: str) -> LibraryCall:
    """Methods that leave gradients alone."""
    return method(of, names, Action.PLAIN)
