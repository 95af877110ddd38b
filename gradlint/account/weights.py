"""Weights: by how much each micro-batch counts in an update. Nobody else computes with factors.

A micro-batch's *own gradient* is that of its objective: of all that runs backward for it into one optimizer, each term
weighed against the others as the source does, and multiplied by what is no number in sight. Its *weight* is what the
whole of it is multiplied by: every number, named or bare, before its backward, in it, hidden in a library, or after it
in the gradients themselves; only the loss scale is left out, for it is taken out again.

    loss / n                                1/n
    (ce + 0.5 * aux) / 4                    1/4      0.5 weighs a term
    0.5 * (real + fake)                     1/2      0.5 weighs the whole
    args.alpha * loss / n                   1/n      alpha is part of the objective, and so is a sign
    loss / tokens, loss * len(x) / total    ?        nobody knows what divides it, or what share it has
    loss.backward(); p.grad /= n            1/n

The *share* is that part of the weight that is there for the mean over the window. The rest is a constant of the
objective: an update that means `0.5 * loss` gives each of four micro-batches 1/8.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from fractions import Fraction

from gradlint.libraries.conventions.numbers import WINDOW_NAME
from gradlint.model.factor import Factor, Part, computed, product

# ------------------------------------------------------------------------- what belongs to the window


def share(factor: Factor, sizes: Collection[int], names: Collection[str] = ()) -> Fraction:
    """What of a known weight is there for the mean over a window: 1/4 of `0.5 * loss / 4`, 1 where nothing divides.

    Args:
        factor: of one micro-batch.
        sizes: the micro-batches that the window has, or is meant to have.
        names: what the window is called in this loop.
    """
    if any(size > 1 and factor.weight == Fraction(1, size) for size in sizes):
        return Fraction(1, next(size for size in sizes if factor.weight == Fraction(1, size)))
    return product(window_parts(factor, sizes, names))


def window_parts(factor: Factor, sizes: Collection[int], names: Collection[str] = ()) -> list[Part]:
    """The numbers that stand for the window.

    Those with its name, divisors of its size, and what multiplies by its size; else computed numbers, else bare ones
    that multiply by its inverse; else whatever divides, or a computed inverse of another whole number, where there is
    more than one micro-batch to divide by.
    """
    inverse = {Fraction(1, size) for size in sizes if size > 1}
    looks: tuple[Callable[[Part], bool], ...] = (
        lambda part: (
            is_window(part.text, names)
            or (part.divides and part.number in inverse)
            or (not part.bare and part.number != 0 and 1 / part.number in inverse)
        ),
        lambda part: not part.bare and part.number in inverse,
        lambda part: part.number in inverse,
        lambda part: part.divides and bool(inverse),
        lambda part: not part.bare and bool(inverse) and part.number < 1 and part.number.numerator == 1,
    )
    return next((found for look in looks if (found := [part for part in factor.parts if look(part)])), [])


def is_window(text: str, names: Collection[str]) -> bool:
    """Whether something is called like a window, or like this loop's."""
    return bool(text) and (text in names or WINDOW_NAME.search(text))


def by_window(factor: Factor, count: int, names: Collection[str]) -> bool:
    """True when what divides a loss is the window, by its name or, where there are several to count, by a number."""
    return any(
        part.divides and (is_window(part.text, names) or (count > 1 and part.text.isdigit())) for part in factor.parts
    )


def of_terms(factor: Factor, terms: int) -> bool:
    """Whether what divides a loss of several terms may be their number: `(real + fake) / 2`."""
    parts = [part for part in factor.parts if part.divides]
    if terms > 1 and computed(factor) == Fraction(1, terms):
        return True  # a sum of several losses that goes back at once is their mean
    return terms > 1 and computed(factor) == 1 and all(part.number * max(terms, 3) >= 1 for part in parts)
