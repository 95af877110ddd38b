"""What values hold: tracked objects and unknown values in lists and dictionaries, networks in networks."""

from __future__ import annotations

from gradlint.interpret.values import Series, Table, Tracked, Unknown, Value
from gradlint.model.pattern import pattern
from gradlint.model.roles import Role


def things_in(value: Value, depth: int = 6) -> list[Tracked]:
    """Every thing in a value, through lists, tuples and dictionaries, which may hold themselves."""
    if isinstance(value, Tracked):
        return [value]
    if isinstance(value, (Series, Table)) and depth:
        items = value.items if isinstance(value, Series) else value.items.values()
        return [tracked for item in items for tracked in things_in(item, depth - 1)]
    return []


def roots_in(tracked: Tracked) -> list[str]:
    """The roots of a network, and of those that it was given as its parts: `self.model = DataParallel(model)`.

    What it made itself belongs to its own root. A copy has copies of what the original was given.
    """
    found, todo = {tracked.root: None}, [tracked.innermost]
    while todo:
        whole = todo.pop()
        for part in (held for value in whole.attrs.values() for held in things_in(value)):
            if is_given(part, whole) and part.root not in found:
                found[part.root] = None
                todo.append(part.innermost)
    return list(found)


def is_given(part: Tracked, whole: Tracked) -> bool:
    """Whether a network was handed over to the one that holds it, and not made there."""
    return part.role is Role.MODEL and not part.root.startswith(f"{whole.root}.") and not _IS_COPY(whole.root)


_IS_COPY = pattern(r"'(#\d+)?$").search


def unknowns_in(value: Value, depth: int = 3) -> list[Unknown]:
    """The unknown values in a value: itself, or those in lists and dictionaries, which may hold themselves."""
    if isinstance(value, Unknown):
        return [value]
    if isinstance(value, (Series, Table)) and depth:
        items = value.items if isinstance(value, Series) else value.items.values()
        return [inner for item in items for inner in unknowns_in(item, depth - 1)]
    return []


def dictionary(pairs: list[Value]) -> Value:
    """`{name: f(loss) for name, loss in losses.items()}`: over losses that nobody can list, all of them at once."""
    table: dict[object, Value] = {}
    for pair in pairs:
        if not isinstance(pair, Series) or len(pair.items) != 2:
            return pair
        key, value = pair.items
        if not isinstance(key, (str, int)):
            return value
        table[key] = value
    return Table(table)
