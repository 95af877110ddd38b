"""Ratios in words: how much too large or too small something is."""

from __future__ import annotations

from fractions import Fraction


def ratio(total: Fraction) -> str:
    """`3 times too large` for 3, `1.5 times too small` for 2/3.

    Args:
        total: what something is, measured by what it should be; positive.
    """
    return f"{_number(total)} times too large" if total > 1 else f"{_number(1 / total)} times too small"


def _number(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else f"{float(value):.3g}"
