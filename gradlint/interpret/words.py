"""Words: what the name of a function says of a call of it, asked of the conventions once for each name."""

from __future__ import annotations

from gradlint.libraries.conventions.calls import (
    ATTACKS,
    BACKWARD_NAME,
    HARMLESS,
    INVARIANT_CALL,
    TOUCH_NAME,
    ZERO_NAME,
)
from gradlint.libraries.tensors import SMOOTH

MAX_KNOWN = 20_000

_SIZES = frozenset({"size", "numel", "nelement", "dim", "ndimension"})
_PLACES = frozenset({"argmax", "argmin", "argsort", "argwhere", "nonzero", "searchsorted", "bucketize"})
_SHAPES = frozenset("ones_like zeros_like full_like empty_like rand_like randn_like randint_like".split())
_CUTTING = frozenset({"chunk", "split", "view", "reshape"})
_MOVES = frozenset(
    "to cuda cpu long int bool float half double view reshape squeeze unsqueeze contiguous flatten".split()
)


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
        places: It gives whole numbers, which have no graph.
        sizes: So it does with sizes.
        shapes: It makes a tensor of its own of the shape of another, and takes no number from that.
        cuts: It cuts something to pieces.
        makes: It is called like a class.
    """

    __slots__ = tuple(
        "attacks cuts harmless invariant makes moves places rewrites shapes sizes smooth tells touches".split()
    )

    def __init__(self, name: str) -> None:
        """Of that name."""
        self.harmless = HARMLESS[name]
        self.touches = TOUCH_NAME[name]
        self.attacks = ATTACKS[name]
        self.tells = BACKWARD_NAME[name] or ZERO_NAME[name]
        self.rewrites = name.endswith("_") or name.startswith("all_reduce")
        self.invariant = INVARIANT_CALL[name]
        self.moves = name in _MOVES
        self.smooth = name in SMOOTH
        self.places = name in _PLACES
        self.sizes = name in _SIZES
        self.shapes = name in _SHAPES
        self.cuts = name in _CUTTING
        self.makes = name[:1].isupper() and not name.endswith(("Tensor", "Variable"))


class _Words(dict[str, Word]):
    """All that were asked for."""

    def __missing__(self, name: str) -> Word:
        """Ask, and remember."""
        if len(self) >= MAX_KNOWN:
            self.clear()
        found = self[name] = Word(name)
        return found


WORDS = _Words()
"""By the name."""
