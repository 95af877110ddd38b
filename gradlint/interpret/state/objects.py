"""Objects: what is tracked, and what was told of what nobody sees."""

from __future__ import annotations

from dataclasses import field

from gradlint.interpret.values import Tracked, Unknown, Value
from gradlint.model.events import Stamp
from gradlint.model.record import dataclass
from gradlint.model.roles import Role


@dataclass(slots=True)
class Networks:
    """What networks are called that no class of the file made: when a class made them `anew`, those `named` otherwise.

    `handed` is what the results of calls were called first; `given` has whose parameters a factory got. By their keys,
    `ran` are those that were picked from several and went forward: in which iteration, none for one picked before.
    """

    anew: dict[str, Stamp] = field(default_factory=dict)
    named: set[str] = field(default_factory=set)
    handed: dict[Unknown, str] = field(default_factory=dict)
    given: dict[Unknown, frozenset[str]] = field(default_factory=dict)
    ran: dict[str, Stamp] = field(default_factory=dict)


@dataclass(slots=True)
class Objects:
    """All tracked objects by role and key, and what was assigned to fields and items of others (`overrides`).

    `made_of` says which models' parameters something unknown was made from. Models: `foreign` are those of classes that
    nobody sees here, `parts` what was asked of a model (`model.trunk`).
    Others: `classes` of other files that were called, by what came of it; `holders` are objects of other files that
    were given optimizers or scalers, by their keys; `owned` are roots whose parameters an optimizer has; `gathered`
    layers that an object holds and a `ModuleList` as well, each with that; `taken` is what the results of calls were
    taken for, by their roles: handed over once more they are the same; `moving` are iterators of other files, by their
    keys, which were asked for their next.
    """

    known: dict[tuple[Role | None, str], Tracked] = field(default_factory=dict)
    overrides: dict[str, Value] = field(default_factory=dict)
    made_of: dict[str, frozenset[str]] = field(default_factory=dict)
    foreign: set[str] = field(default_factory=set)
    parts: set[str] = field(default_factory=set)
    networks: Networks = field(default_factory=Networks)
    classes: dict[Unknown, str] = field(default_factory=dict)
    holders: dict[str, tuple[Tracked, ...]] = field(default_factory=dict)
    gathered: dict[Unknown, Value] = field(default_factory=dict)
    owned: set[str] = field(default_factory=set)
    taken: dict[tuple[Unknown | str, Role], Tracked] = field(default_factory=dict)
    moving: set[str] = field(default_factory=set)

    def tracked(self, role: Role | None, key: str, origin: str = "name") -> Tracked:
        """The object of that role and key; equal keys are one object."""
        found = self.known.get((role, key))
        if found is None:
            found = self.known[role, key] = Tracked(key, role, origin=origin)
        return found
