"""Words: what the name of a function says of a call of it, asked of the conventions once for each name."""

from __future__ import annotations

from enum import Enum

from gradlint.libraries.conventions.calls import (
    ATTACKS,
    BACKWARD_NAME,
    HARMLESS,
    INVARIANT_CALL,
    TOUCH_NAME,
    ZERO_NAME,
)
from gradlint.libraries.tensors import INDICES, LIKENING, PLACED, SMOOTH, WHOLE
from gradlint.model.members import at_hand
from gradlint.model.record import record

MAX_KNOWN = 20_000

_CUTTING = frozenset({"chunk", "split", "view", "reshape"})
_MOVES = frozenset(
    "to cuda cpu long int bool float half double view reshape squeeze unsqueeze contiguous flatten".split()
)

_LIMITS = frozenset("clamp clamp_ clamp_min clamp_min_ clip maximum".split())


@at_hand
class Gives(Enum):
    """What a call gives that has no graph."""

    PLACES = "whole numbers"
    SIZES = "sizes"
    SHAPE = "a tensor of its own of the shape of another, from which it takes no number"


_GIVING = {
    Gives.PLACES: frozenset({"argmax", "argmin", "argsort", "argwhere", "nonzero", "searchsorted", "bucketize"}),
    Gives.SIZES: frozenset({"size", "numel", "nelement", "dim", "ndimension"}),
    Gives.SHAPE: frozenset(
        "ones_like zeros_like full_like empty_like rand_like randn_like randint_like "
        "new_empty new_full new_ones new_tensor new_zeros".split()
    ),
}


@record(eq=False)
class Word:
    """What one name says.

    Attributes:
        harmless: It leaves gradients alone.
        touches: It may touch gradients where it cannot be followed.
        attacks: It is what an object does that keeps an optimizer, and is more than a schedule.
        tells: It says that it goes backward, or clears.
        rewrites: As torch's it writes into what it is given, or reduces it over all ranks.
        invariant: It gives the same answer in each iteration.
        moves: It makes the same on another device, of another type or shape: what was no loss is none there.
        smooth: It hands gradients on.
        gives: What it gives that has no graph, if it does.
        cuts: It cuts something to pieces.
        makes: It is called like a class.
        adds: It sums something.
        limits: It keeps a number within limits.
        totals: What it returns is the sum of something, if what it is given is.
        indexes: What it is given may say where something stands, and no more.
        settles: It tells of what it returns how far that is of whole numbers.
    """

    harmless: bool
    touches: bool
    attacks: bool
    tells: bool
    rewrites: bool
    invariant: bool
    moves: bool
    smooth: bool
    gives: Gives | None
    cuts: bool
    makes: bool
    adds: bool
    limits: bool
    totals: bool
    indexes: bool
    settles: bool


def _word(name: str) -> Word:
    """What a name says."""
    plain = name.rstrip("_")
    return Word(
        harmless=HARMLESS[name],
        touches=TOUCH_NAME[name],
        attacks=ATTACKS[name],
        tells=BACKWARD_NAME[name] or ZERO_NAME[name],
        rewrites=name.endswith("_") or name.startswith("all_reduce"),
        invariant=INVARIANT_CALL[name],
        moves=name in _MOVES,
        smooth=name in SMOOTH,
        gives=next((kind for kind, names in _GIVING.items() if name in names), None),
        cuts=name in _CUTTING,
        makes=name[:1].isupper() and not name.endswith(("Tensor", "Variable")),
        adds=name == "sum",
        limits=name in _LIMITS,
        totals=name == "sum" or name in _LIMITS or name in _MOVES,
        indexes=plain == "where" or plain in LIKENING or plain in INDICES,
        settles=name in WHOLE or name in PLACED,
    )


class _Words(dict[str, Word]):
    """All that were asked for."""

    def __missing__(self, name: str) -> Word:
        """Ask, and remember."""
        if len(self) >= MAX_KNOWN:
            self.clear()
        found = self[name] = _word(name)
        return found


WORDS = _Words()
"""By the name."""
