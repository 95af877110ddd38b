"""Factors: what a loss, or a gradient, was multiplied by, number by number."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

from gradlint.model.record import record

_ONE = Fraction(1)
_MANY = 12
"""Numbers that are remembered of one factor; all of them are in its weight."""


def _product(one: Fraction, other: Fraction) -> Fraction:
    """Most factors are 1, and fractions are slow."""
    if one is _ONE:
        return other
    return one if other is _ONE else one * other


@record()
class Part:
    """One number that a loss, or a gradient, was multiplied by: 1/4 after `/ accumulation_steps`.

    `text` is what a divisor is called. One `divides` that stands behind a `/`, is `bare` when the source has the
    number itself (`/ 4`, `0.5 *`), and belongs to a `library` when that divides out of sight.
    """

    number: Fraction
    text: str = ""
    divides: bool = False
    bare: bool = False
    library: str = ""


@record()
class Factor:
    """What a loss was multiplied by on its way to `backward`.

    `weight` is the exact product of all `parts`, `None` when something unknown divided it, or it went through
    something unknown. `open` are multipliers that are no number in sight (`* args.alpha`): they belong to the
    objective, as constants in a loss function do; `drawn` are those that vary with the batch (`* len(x) / len(batch)`).
    `gradlint.account.weights` says what is made of it.
    """

    weight: Fraction | None = _ONE
    parts: tuple[Part, ...] = ()
    open: tuple[str, ...] = ()
    drawn: tuple[str, ...] = ()

    @property
    def varying(self) -> bool:
        """Whether something multiplies it that is another one for each batch."""
        return bool(self.drawn)

    @staticmethod
    def of(part: Part) -> Factor:
        """The factor of one number."""
        return Factor(part.number, (part,))

    @property
    def divided(self) -> bool:
        """True when something divides it, or computed numbers multiply it: bare multipliers only weigh.

        What is known to be 1 divides nothing: `def loss_of(out, y, parts=1): return cross_entropy(out, y) / parts`.
        """
        return any(part.number != 1 for part in self.parts if part.divides or not part.bare)

    @property
    def texts(self) -> tuple[str, ...]:
        """What the loop itself divides by is called."""
        return tuple(part.text for part in self.parts if part.text and not part.library)

    def called(self, name: str) -> Factor:
        """The same factor, with a name for the number that was last to divide it."""
        *before, last = self.parts or (None,)
        if last is None:
            return self
        named = Part(last.number, name, last.divides, last.bare, last.library)
        return Factor(self.weight, (*before, named), self.open, self.drawn)

    def times(self, other: Factor) -> Factor:
        """The product of two factors."""
        if other is ONE:
            return self
        weight = None if self.weight is None or other.weight is None else _product(self.weight, other.weight)
        parts, unseen = (self.parts + other.parts)[:_MANY], (self.open + other.open)[:_MANY]
        return Factor(weight, parts, unseen, (self.drawn + other.drawn)[:_MANY])


ONE = Factor()
UNKNOWN_FACTOR = Factor(None)


def computed(factor: Factor) -> Fraction | None:
    """The product of the numbers that do not stand in the source as such; `None` when the weight is not known."""
    return None if factor.weight is None else product(part for part in factor.parts if not part.bare)


def common(factors: Iterable[Factor]) -> Factor:
    """The factor of several terms together: what they have in common.

    Bare numbers that only some terms have weigh these against the others, and so do computed ones that make them larger
    (`temperature**2 * soft + hard`). Terms that are divided by different computed numbers, or all by different bare
    ones, have no weight in common.
    """
    several = list(factors)
    first = several[0] if several else ONE
    if all(one == first for one in several):
        return first
    if any(one.weight is None for one in several):
        return UNKNOWN_FACTOR
    weighs = next((look for look in (_bare, _weighs) if len({_rest(one, look) for one in several}) == 1), None)
    if weighs is None:
        return UNKNOWN_FACTOR
    own = [[part for part in one.parts if weighs(part)] for one in several]
    shared = own[0] if len(set(map(product, own))) == 1 else _shared(own)
    if shared is not own[0] and all(any(part.divides for part in _without(parts, shared)) for parts in own):
        return UNKNOWN_FACTOR
    parts = (*(part for part in first.parts if not weighs(part)), *shared)
    unseen = first.open if all(one.open for one in several) else ()
    drawn = first.drawn if all(one.drawn for one in several) else ()
    return Factor(product(parts), parts, unseen, drawn)


def _bare(part: Part) -> bool:
    """Whether the source has a number itself."""
    return part.bare


def _weighs(part: Part) -> bool:
    """Whether a number weighs a term, be it computed: what only some terms are larger by is no share of a mean."""
    return part.bare or (part.number > 1 and not part.divides and not part.library)


def _rest(factor: Factor, weighs: Callable[[Part], bool]) -> Fraction:
    """The product of the numbers that do not weigh a term."""
    return product(part for part in factor.parts if not weighs(part))


def _shared(several: Sequence[Sequence[Part]]) -> list[Part]:
    """What is in all of several lists, as often as it is in each."""
    left = list(several[0])
    for other in several[1:]:
        left = _without(left, _without(left, other))
    return left


def _without(parts: Sequence[Part], others: Sequence[Part]) -> list[Part]:
    """What is left of some parts when others are taken away, each once."""
    left = list(parts)
    for one in others:
        if one in left:
            left.remove(one)
    return left


def product(parts: Iterable[Part]) -> Fraction:
    """The product of some numbers."""
    return math.prod((part.number for part in parts), start=Fraction(1))
