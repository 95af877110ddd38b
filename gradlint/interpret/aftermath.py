"""Aftermath: what a guard leaves behind, where nothing else hangs on which way it goes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from gradlint.model.program.expressions import Attr, Call, Const, Display, Expr, Read
from gradlint.model.program.statements import Assign, Do, If, Stmt
from gradlint.model.program.whole import assignments, statements
from gradlint.model.record import dataclass, record, replace


def _only_tells(body: tuple[Stmt, ...]) -> bool:
    """Whether statements only call what is none of this file's functions or methods."""
    for node in body:
        if isinstance(node, If):
            if not _only_tells((*node.then, *node.other)):
                return False
        elif not (isinstance(node, Do) and isinstance(node.value, Call) and _is_foreign(node.value)):
            return False
    return True


def _set_in(body: tuple[Stmt, ...]) -> frozenset[str]:
    """The variables that a suite sets."""
    targets: list[Expr] = [node.target for node in assignments(body)]
    targets += [part for target in targets if isinstance(target, Display) for part in target.items]
    return frozenset(target.name for target in targets if isinstance(target, Read))


def _hinted(body: tuple[Stmt, ...]) -> frozenset[str]:
    """The variables of those whose names say what they are: `optimizer = make(model)`."""
    targets = (node.target for node in assignments(body))
    return frozenset(target.name for target in targets if isinstance(target, Read) and target.hint is not None)


_FILLS = frozenset({"append", "appendleft", "extend", "insert"})


def filled_in(body: tuple[Stmt, ...]) -> tuple[Expr, ...]:
    """The lists that a suite adds to."""
    return tuple(dict.fromkeys(_filled_in(body)))


def _filled_in(body: tuple[Stmt, ...]) -> Iterator[Expr]:
    for node in statements(body):
        func = node.value.func if isinstance(node, Do) and isinstance(node.value, Call) else None
        if isinstance(func, Attr) and func.name in _FILLS and isinstance(func.base, (Read, Attr)):
            yield func.base


Place: TypeAlias = "Read | Attr"


@dataclass(frozen=True, slots=True)
class Setting:
    """A variable that a guard sets to constants; `always` when it does so either way, `plain` when it does so once.

    An attribute that it sets to something else is `open`. What it only puts into a list (`ids = [ids]`) has no values.
    """

    target: Place
    values: tuple[bool | int | float | str | None, ...]
    always: bool
    plain: bool
    open: bool = False


def _settings_in(node: If) -> tuple[Setting, ...]:
    """What the branches of a guard, and the guards in them, set to constants and to nothing else; and attributes."""
    then, other = _constants_in(node.then), _constants_in(node.other)
    found: list[Setting] = []
    for target in dict.fromkeys((*then, *other)):
        sides = [side[target] for side in (then, other) if target in side]
        if None in sides:
            if isinstance(target, Attr):
                found.append(Setting(target, (), always=len(sides) > 1, plain=False, open=True))
            continue
        values = tuple(value for side in sides if side for value in side.values)
        always = len(sides) > 1 and all(side.always for side in sides if side)
        plain = target in then and all(side.plain for side in sides if side) and len(values) == len(sides)
        found.append(Setting(target, values, always, plain))
    return tuple(found)


def _constants_in(body: tuple[Stmt, ...]) -> dict[Place, Setting | None]:
    """The variables that the statements of a suite set to constants; `None` for those set to something else."""
    found: dict[Place, Setting | None] = {}
    for node in body:
        if isinstance(node, If):
            found |= {one.target: None if one.open else replace(one, plain=False) for one in _settings_in(node)}
        for one in assignments((node,)):
            place = one.target
            if not isinstance(place, (Read, Attr)) or not _is_path(place):
                continue
            if isinstance(node, Assign) and isinstance(node.value, Const):
                found[place] = Setting(place, (node.value.value,), always=True, plain=True)
            elif isinstance(node, Assign) and isinstance(node.value, Display) and node.value.items == (place,):
                found[place] = Setting(place, (), always=True, plain=False)
            elif not (isinstance(node, If) and found.get(place)):
                found[place] = None
    return found


def _is_path(place: Expr) -> bool:
    """`name`, `args.name`, `cfg.training.name`."""
    return isinstance(place, Read) or (isinstance(place, Attr) and _is_path(place.base))


def _is_foreign(call: Call) -> bool:
    """`print`, `logger.info`, `self.writer.add_scalar`, and no `helper`, `self.method` or `alias.step`."""
    func = call.func
    if isinstance(func, Read):
        return func.name == "print"
    means = call.effect is not None or call.methods
    own = isinstance(func, Attr) and isinstance(func.base, Read) and func.base.name in ("self", "cls")
    return isinstance(func, Attr) and not means and not own


@record(eq=False)
class Aftermath:
    """What is other behind a guard, whichever way it went.

    Attributes:
        idle: Whether nothing is: it only prints, or writes logs.
        either: Variables that both branches set, where nobody asks which.
        resumes: Variables that its only branch sets.
        settings: Variables that it sets to constants.
        fills: Lists that it adds to.
        alone: Variables for something of the training (`optimizer`) that its other branch sets, and its first does not.
    """

    idle: bool = False
    either: frozenset[str] = frozenset()
    resumes: frozenset[str] = frozenset()
    settings: tuple[Setting, ...] = ()
    fills: tuple[Expr, ...] = ()
    alone: frozenset[str] = frozenset()


NOTHING = Aftermath()
"""That of a guard whose way is known, or on which more hangs: what is run is all."""


def aftermath_of(node: If) -> Aftermath:
    """What a guard leaves behind."""
    both = (*node.then, *node.other)
    sets = _set_in(node.then)
    return Aftermath(
        idle=_only_tells(both),
        either=sets & _set_in(node.other) if node.other else frozenset(),
        resumes=frozenset() if node.other else sets,
        settings=_settings_in(node),
        fills=filled_in(both),
        alone=_hinted(node.other) - sets,
    )
