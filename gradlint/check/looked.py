"""Texts that were looked at: those who repair and those who try repairs ask for the same few again and again."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from gradlint.check.effort import note
from gradlint.check.judge import Look, look

if TYPE_CHECKING:
    from gradlint.check.surroundings import Ground
    from gradlint.rules.support.rule import Rule

KEPT = 32
"""Texts that are remembered; a file's repairs make about three for each finding."""


def looked(text: str, path: str, ground: Ground) -> Look:
    """All that the default rules find in a text, whatever its confidence, with what was run and what it does.

    Args:
        text: Python source.
        path: the name that findings carry.
        ground: what it rests on beside the text, in which `look` finds the project's own words by itself.

    Raises:
        SourceError: the text cannot be parsed.
        RecursionError: it nests too deeply.
    """
    found = remembered(text, path, ground)
    note((text, path, ground.changed), sum(one.region.plan.spent for one in found.ran))
    return found


@lru_cache(maxsize=KEPT)
def remembered(text: str, path: str, ground: Ground) -> Look:
    """`looked`, of which nobody takes note."""
    return look(text, path, _by_default, ground, count=True)


def _by_default(rule: Rule) -> bool:
    return rule.default
