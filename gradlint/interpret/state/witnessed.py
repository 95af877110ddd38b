"""Witnessed: who stands beside a run, and the handles that its values have there."""

from __future__ import annotations

from dataclasses import field

from gradlint.interpret.values import Unknown, Value
from gradlint.interpret.witness import NULL, Handle, Witness
from gradlint.model.record import dataclass


@dataclass(slots=True)
class Witnessed:
    """The witness of a run, whether there is one, and what it has given for which value.

    `handles` are kept beside the values, by their identity: a copy that paper makes has none until the witness has
    carried out what made it, so nothing is measured twice under another weight. `draws` are numbers that stand for
    values nobody knows.
    """

    witness: Witness = NULL
    on: bool = False
    handles: dict[Value, Handle] = field(default_factory=dict)
    draws: dict[Unknown, Handle | None] = field(default_factory=dict)

    @classmethod
    def by(cls, witness: Witness) -> Witnessed:
        """A run beside that witness."""
        return cls(witness, witness is not NULL)

    def hand_on(self, old: Value, new: Value) -> None:
        """Paper calls what it has by another value: to the witness it is the same."""
        if self.on and (handle := self.handles.get(old)) is not None:
            self.handles.setdefault(new, handle)
