"""Mixtures: two losses by shares that make a whole.

lam * a + (1 - lam) * b     whatever the share is, and however it changes, the whole weighs 1
"""

from __future__ import annotations

from gradlint.interpret.values import Unknown
from gradlint.model.factor import Factor
from gradlint.model.record import replace


def unmix(total: Unknown, one: Factor, two: Factor) -> None:
    """The terms of a sum forget the shares by which two losses were mixed in it."""
    shares = _shares(one, two)
    if shares:
        total.terms = tuple(term.under(term.key) for term in total.terms)
        for term in total.terms:
            term.factor = _without(term.factor, shares)


def _shares(one: Factor, two: Factor) -> tuple[str, ...]:
    """What multiplies each of two losses, where both together are 1."""
    if one.drawn or two.drawn:
        pairs = [(one.drawn[0], two.drawn[0])] if len(one.drawn) == len(two.drawn) == 1 else []
    else:
        pairs = [(mine, other) for mine in one.open for other in two.open]
    return next((pair for pair in pairs if _leaves(*pair) or _leaves(*pair[::-1])), ())


def _leaves(share: str, rest: str) -> bool:
    """Whether one share is what the other leaves of a whole."""
    return rest in (f"(1 - {share})", f"(1.0 - {share})")


def _without(factor: Factor, shares: tuple[str, ...]) -> Factor:
    """A factor without the shares."""
    opened, drawn = (tuple(key for key in keys if key not in shares) for keys in (factor.open, factor.drawn))
    return replace(factor, open=opened, drawn=drawn)
