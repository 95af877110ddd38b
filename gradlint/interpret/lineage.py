"""Lineages: classes, their bases and methods, and what their objects are."""

from __future__ import annotations

from gradlint.libraries.conventions.roles import NO_NETWORK
from gradlint.model.effects import Gate
from gradlint.model.program import Class, Function, Program
from gradlint.model.roles import Role

MAX_CLASSES = 12
"""So many of a lineage are looked at."""


def classes_of(program: Program, cls: Class) -> tuple[Class, ...]:
    """The class and its bases that are in sight, in resolution order."""
    known = program.lineages.get(cls)
    if known is None:
        known = program.lineages[cls] = tuple(_lineage(program, cls))
    return known


def _lineage(program: Program, cls: Class, below: tuple[Class, ...] = ()) -> list[Class]:
    """The class, then of each base what is before the others in none of theirs, as Python merges them."""
    bases = [one for base in cls.bases if (one := base_of(program, cls, base)) is not None]
    bases = [one for one in dict.fromkeys(bases) if one is not cls and one not in below][:MAX_CLASSES]
    rows = [_lineage(program, one, (*below, cls)) for one in bases] if len(below) < MAX_CLASSES else []
    rows.append(bases)
    found = [cls]
    while rows := [row for row in rows if row]:
        heads = [row[0] for row in rows]
        chosen = next((one for one in heads if not any(one in row[1:] for row in rows)), heads[0])
        found.append(chosen)
        rows = [[one for one in row if one is not chosen] for row in rows]
    return found[:MAX_CLASSES]


def base_of(program: Program, cls: Class, base: str) -> Class | None:
    """A base of a class by its name, where it is in sight."""
    module = program.home(cls)
    found = (
        program.meant(module, base)
        or module.classes.get(base.rsplit(".", maxsplit=1)[-1])
        or program.defined(module, base)
    )
    return found if isinstance(found, Class) else None


def method_of(program: Program, cls: Class, name: str) -> tuple[Function, Class] | None:
    """The method of that name in the class or its bases."""
    for current in classes_of(program, cls):
        if name in current.methods:
            return current.methods[name], current
    return None


def role_of(program: Program, cls: Class) -> Role | None:
    """What instances are; what has a `forward` and a base that nobody sees is a network, unless it trains one."""
    lineage = classes_of(program, cls)
    for current in lineage:
        if current.role is not None:
            return current.role
    unseen = {
        base.split(".")[-1] for one in lineage for base in one.bases if base_of(program, one, base) not in lineage
    }
    forwards = any("forward" in current.methods for current in lineage)
    if any(one.gates & (Gate.BACKWARD | Gate.STEP) for current in lineage for one in current.methods.values()):
        return None
    return Role.MODEL if forwards and any(not NO_NETWORK.search(base) for base in unseen) else None
