"""What the text of a file mentions, wherever that stands: what rules ask for where running the loop cannot tell."""

from __future__ import annotations

from dataclasses import dataclass

from gradlint.model.finding import Span


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
        switches: The rows of functions in which something speaks of switching gradients off, or asks for one.
        derives: Whether it speaks of answers that are derivatives, for which their network needs gradients.
        noted: The rows of loops that note the rate of a schedule each time.
        searches: The rows of functions that return what they have noted so.
        dated: What no PyTorch since 0.4 knows.
        early: Whether rates are read as before 1.4.
    """

    uncalled: tuple[tuple[Span, str, str], ...] = ()
    clears: bool = True
    unscales: bool = True
    freezes: bool = True
    looks: bool = True
    averages_ranks: bool = False
    switches: frozenset[int] = frozenset()
    derives: bool = False
    noted: frozenset[int] = frozenset()
    searches: frozenset[int] = frozenset()
    dated: str = ""
    early: bool = False


NOTHING_SAID = Mentions()
"""Of a file of which nothing is known."""
