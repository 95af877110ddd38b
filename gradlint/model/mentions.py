"""What the text of a file mentions, wherever that stands: what rules ask for where running the loop cannot tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gradlint.model.finding import Line, Span


@dataclass(frozen=True, slots=True)
class Mentions:
    """What is, or may be, done somewhere in a file.

    Attributes:
        uncalled: Methods that are named as a statement and not called: place, receiver, method.
        clears: Whether anything could clear a gradient.
        unscales: Whether anything could unscale one.
        freezes: Whether anything keeps a network from getting some.
        looks: Whether anything looks at gradients before a step.
        averages_ranks: Whether parameters or gradients are made alike on all ranks by hand.
        switches: The lines of functions in which something speaks of switching gradients off, or asks for one.
        derives: Whether it speaks of answers that are derivatives, for which their network needs gradients.
        noted: The lines of loops that note the rate of a schedule each time.
        searches: The lines of functions that return what they have noted so.
        dated: What no PyTorch since 0.4 knows.
        early: Whether rates are read as before 1.4.
    """

    uncalled: tuple[tuple[Span, str, str], ...] = ()
    clears: bool = True
    unscales: bool = True
    freezes: bool = True
    looks: bool = True
    averages_ranks: bool = False
    switches: frozenset[Line] = frozenset()
    derives: bool = False
    noted: frozenset[Line] = frozenset()
    searches: frozenset[Line] = frozenset()
    dated: str = ""
    early: bool = False


def together(said: Sequence[Mentions]) -> Mentions:
    """What several files mention, each somewhere."""
    if len(said) == 1:
        return said[0]
    return Mentions(
        uncalled=tuple(one for each in said for one in each.uncalled),
        clears=any(each.clears for each in said),
        unscales=any(each.unscales for each in said),
        freezes=any(each.freezes for each in said),
        looks=any(each.looks for each in said),
        averages_ranks=any(each.averages_ranks for each in said),
        switches=frozenset().union(*(each.switches for each in said)),
        derives=any(each.derives for each in said),
        noted=frozenset().union(*(each.noted for each in said)),
        searches=frozenset().union(*(each.searches for each in said)),
        dated=next((each.dated for each in said if each.dated), ""),
        early=any(each.early for each in said),
    )


NOTHING_SAID = Mentions()
"""Of a file of which nothing is known."""
