"""Leading: which mistakes follow from others, and are not told beside them.

opt.zero_grad() within a window ──► the update takes less than the window ──► its divisor is another one
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gradlint.model.finding import Span
    from gradlint.rules.support.hit import Hit
    from gradlint.rules.support.rule import Rule


def turned(decided: tuple[tuple[str, bool], ...]) -> Iterator[tuple[str, bool]]:
    """The same questions, each answered the other way."""
    return ((key, not answer) for key, answer in decided)


def may_lead(name: str, span: Span, rule: Rule, hit: Hit) -> bool:
    """Whether a mistake of which one rule speaks at a place may lead to that of which another one does."""
    here = name in rule.yields_here_to and span in (hit.span, *(one.span for one in hit.related))
    return here or name in rule.yields_to


def leads(name: str, said: Hit, rule: Rule, hit: Hit) -> bool:
    """Whether it does in one scenario: they are of the same books."""
    same = said.subject == hit.subject or not said.subject or not hit.subject
    return same and may_lead(name, said.span, rule, hit)
