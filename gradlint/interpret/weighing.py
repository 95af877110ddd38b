"""Losses under arithmetic: what a sum is made of, and which factor a product or a quotient has.

(ce + 0.5 * aux) / n    terms: 1/n, 0.5/n
loss * weight           an open factor: a constant of the objective, or one for each batch
overlap / total         both from one output: one loss
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache

from gradlint.interpret.conditions import Modulo
from gradlint.interpret.mixtures import unmix
from gradlint.interpret.traits import exact, key_of
from gradlint.interpret.values import LOSS_SCALE, Unknown, Value, merge
from gradlint.libraries.conventions.numbers import PROCESSES_NAME
from gradlint.libraries.conventions.switches import LOSS_SCALE_NAME
from gradlint.model.factor import ONE, UNKNOWN_FACTOR, Factor, Part
from gradlint.model.pattern import pattern
from gradlint.model.record import replace


def divided(key: str, loss: Unknown, value: Value, literal: bool) -> Unknown:
    """A loss divided by a number: a mean of its terms, `(image + text) / 2`, is weighed by it like `0.5 * (...)`."""
    if literal and isinstance(value, int) and 1 < value == len(loss.terms):
        return loss.multiplied(key, multiplier(Fraction(1, value), literal=True))
    return loss.multiplied(key, divisor(value, literal))


def divisor(value: Value, literal: bool = False) -> Factor:
    """The factor of a division."""
    number = exact(value)
    if number is None or number == 0:
        return UNKNOWN_FACTOR
    if isinstance(value, float) and number.denominator != 1:
        return multiplier(1 / value)  # no number of micro-batches: it weighs, as `* 1.44` does
    return _divided_by(number, key_of(value), literal)


@lru_cache(maxsize=1024)
def _divided_by(number: Fraction, text: str, literal: bool) -> Factor:
    """The same few numbers divide all the time."""
    return Factor.of(Part(1 / number, text, divides=True, bare=literal))


def multiplier(value: Value, literal: bool = False) -> Factor:
    """The factor of a multiplication; a decimal fraction is a bare number also where it has a name.

    Its sign says whether the objective grows or falls, and nothing of a weight.
    """
    number = exact(value)
    return UNKNOWN_FACTOR if number is None else Factor.of(Part(abs(number), bare=literal or isinstance(value, float)))


def sum_of(key: str, one: Unknown, two: Unknown) -> Unknown:
    """The sum of two, with the terms that it has now."""
    base = merge(key, [one, two])
    base.terms = (terms_of(one) + terms_of(two))[:12]
    unmix(base, one.factor, two.factor)
    base.reduced = base.reduced.as_mean(one.reduced.mean and two.reduced.mean)
    base.graph = base.graph.smoothly(one.graph.smooth | two.graph.smooth)
    if base.scale is not None and base.scale.left and (one.scale is None or two.scale is None):
        base.scale = None  # an input that is moved by a gradient has no scale of its own
    return base


def terms_of(loss: Unknown) -> tuple[Unknown, ...]:
    """What a sum is made of, as it is now: a term that is divided in place later on is not divided in the sum."""
    return loss.terms or (loss.under(loss.key) if loss.graph.bases else loss,)


def product_of(key: str, op: str, left: Value, right: Value) -> Unknown:
    """A product or quotient with something unknown: the loss keeps where it came from."""
    values = [value for value in (left, right) if isinstance(value, Unknown)]
    merged = merge(key, values)
    if merged.scale is not None and merged.scale.left and any(map(_is_loss_scale, values)):
        merged.scale = None  # the gradient is unscaled by hand
    if op == "%":
        merged.form = Modulo(left, right)
    if op in ("*", "/", "**", "//", "@"):
        carrier = _carrier(values)
        merged.reduced = merged.reduced.as_mean(carrier.reduced.mean)
        merged.graph = merged.graph.of(carrier.graph.bases, smooth_of(values) if op != "//" else merged.graph.smooth)
        if op != "*" and isinstance(right, Unknown) and LOSS_SCALE in right.leaves:
            merged.leaves -= {LOSS_SCALE}  # it is that many times smaller
        if op != "**" and not any(value.graph.known or value.factor is not ONE for value in values):
            return merged
        losses = [value for value in values if value.graph.forwards] or [value for value in values if value.graph.bases]
        others = [value for value in values if value not in losses]
        shared = op == "/" and _counts_processes(right)
        if len(losses) == 1 and others and (op == "*" or shared):
            weighed = losses[0].multiplied(key, ONE if shared else _weigher(others[0]))
            merged.factor, merged.terms = weighed.factor, weighed.terms
        elif op == "**" and len(values) == 1:
            merged.factor = _raised(values[0])
        elif len(losses) == 2 and _within_one_loss(*losses):
            # a loss is born of both: nothing has divided it yet, and a sum over a sum is none
            merged.reduced = merged.reduced.by_sum(merged.reduced.summed and op != "/")
        elif any(value.factor.divided or value.graph.bases for value in values):
            merged.factor = UNKNOWN_FACTOR
    return merged


def _is_loss_scale(value: Unknown) -> bool:
    """Whether it is a loss scale, or 1 by that."""
    return LOSS_SCALE in value.leaves or (value.scale is None and LOSS_SCALE_NAME[value.key])


def _weigher(value: Unknown) -> Factor:
    """What a loss is multiplied by that is no number: a constant of the objective, or something of each batch."""
    own = Factor(drawn=(value.key,)) if value.varying else Factor(open=(value.key,))
    return own if value.factor is ONE or _is_in_units(value.factor) else own.times(value.factor)


def _is_in_units(factor: Factor) -> bool:
    """Whether what is no number in sight is divided by a number too large for a window: `steps / 1000.0`."""
    return bool(factor.parts) and all(part.bare and 0 < part.number < _SMALL for part in factor.parts)


_SMALL = Fraction(1, 100)


def _counts_processes(value: Value) -> bool:
    """Whether what divides is how many processes train together: it is the same for each micro-batch, and no window."""
    if not isinstance(value, Unknown) or value.varying or value.form is not None or value.key.startswith("("):
        return False
    words = _WORDS.findall(value.key)
    return bool(words) and PROCESSES_NAME.search(words[-1].removeprefix("get_"))


_WORDS = pattern(r"\w+")


def _raised(value: Unknown) -> Factor:
    """The factor of a power: that of an error as it is stays, any number in it is raised with it."""
    factors = [term.factor for term in value.terms or (value,)]
    if all(factor.weight == 1 and not factor.parts for factor in factors):
        return Factor(open=factors[0].open, drawn=tuple(name for factor in factors for name in factor.drawn))
    return UNKNOWN_FACTOR


def _within_one_loss(one: Unknown, two: Unknown) -> bool:
    """True for `2 * overlap / (prediction.sum() + eps)`: both come from the same output, whole."""
    return bool(one.graph.bases & two.graph.bases) and not (one.factor.divided or two.factor.divided)


def _carrier(values: list[Unknown]) -> Unknown:
    """Of the sides of a product, the one that came from a model: the others only weigh it."""
    return next((value for value in values if value.graph.forwards), values[0] if values else Unknown(""))


def reduced(factor: Factor) -> Factor:
    """The factor of a loss of samples, once it is their sum or mean: what weighed them weighs no micro-batch."""
    return replace(factor, drawn=()) if factor.drawn else factor


def smooth_of(values: Iterable[Unknown]) -> frozenset[int]:
    """The origins of what is computed from all of these by something that can be differentiated."""
    found: frozenset[int] = _NO_ORIGIN
    for value in values:
        if value.graph.smooth and not value.detached:
            found |= value.graph.smooth
    return found


_NO_ORIGIN = frozenset[int]()
