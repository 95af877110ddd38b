"""What the text of a file mentions, wherever that stands: what rules ask for where running the loop cannot tell."""

from __future__ import annotations

from collections.abc import Sequence

from gradlint.model.finding import Line, Span
from gradlint.model.once import cached_property
from gradlint.model.record import record


@record(order=True)
class Asleep:
    """What is put to sleep and not asked there: `text` on `receiver`, in a function of the class `owner`.

    Of what is only `frozen`, some parameters want no gradients any more.
    """

    span: Span
    text: str
    receiver: str
    owner: str
    function: str
    frozen: bool = False


class Mentions:
    """What is, or may be, done somewhere in a file: here that of a file of which nothing is known."""

    @property
    def uncalled(self) -> tuple[tuple[Span, str, str], ...]:
        """Methods that are named as a statement and not called: place, receiver, method."""
        return ()

    @property
    def clears(self) -> bool:
        """Whether anything could clear a gradient."""
        return True

    @property
    def unscales(self) -> bool:
        """Whether anything could unscale one."""
        return True

    @property
    def unscaled(self) -> frozenset[Line]:
        """The lines before which an option may have unscaled them in the same function."""
        return frozenset()

    @property
    def freezes(self) -> bool:
        """Whether anything keeps a network from getting some."""
        return True

    @property
    def freezes_in_turn(self) -> bool:
        """Whether anything does for a part of each iteration: not for good, before all training."""
        return True

    @property
    def looks(self) -> bool:
        """Whether anything looks at gradients before a step."""
        return True

    @property
    def averages_ranks(self) -> bool:
        """Whether parameters or gradients are made alike on all ranks by hand."""
        return False

    @property
    def switches(self) -> frozenset[Line]:
        """The lines of functions in which something speaks of switching gradients off, or asks for one."""
        return frozenset()

    @property
    def painted(self) -> frozenset[Line]:
        """The lines of loops that make a few pictures for the eye."""
        return frozenset()

    @property
    def derives(self) -> bool:
        """Whether it speaks of answers that are derivatives, for which their network needs gradients."""
        return False

    @property
    def rewinds(self) -> bool:
        """Whether it writes into parameters by hand, be it what they were before a step."""
        return False

    @property
    def stores(self) -> bool:
        """Whether gradients are given a place in a tensor of its own, which may be cleared in their stead."""
        return False

    @property
    def hears_all_reduces(self) -> bool:
        """Whether a function is asked with each all-reduce."""
        return False

    @property
    def adapts(self) -> bool:
        """Whether it speaks of networks that learn from a few samples by gradients of their own."""
        return False

    @property
    def noted(self) -> frozenset[Line]:
        """The lines of loops that note the rate of a schedule each time."""
        return frozenset()

    @property
    def searches(self) -> frozenset[Line]:
        """The lines of functions that return what they have noted so."""
        return frozenset()

    @property
    def from_one(self) -> frozenset[Line]:
        """The lines of loops that count from one."""
        return frozenset()

    @property
    def dated(self) -> str:
        """What no PyTorch since 0.4 knows."""
        return ""

    @property
    def since(self) -> bool:
        """Whether it knows what PyTorch has since 0.4 only."""
        return False

    @property
    def early(self) -> bool:
        """Whether rates are read as before 1.4."""
        return False

    @property
    def trained(self) -> frozenset[str]:
        """What is put into training mode somewhere, as the source has it: `model.trunk`."""
        return frozenset()

    @property
    def asleep(self) -> tuple[Asleep, ...]:
        """What is put into evaluation mode and asked nothing there: a part that is kept so, it seems."""
        return ()

    @property
    def launches(self) -> bool:
        """Whether anything may start processes."""
        return True


def together(said: Sequence[Mentions]) -> Mentions:
    """What several files mention, each somewhere."""
    return said[0] if len(said) == 1 else _Together(said)


class _Together(Mentions):
    """What several files mention, asked of each when somebody asks."""

    def __init__(self, said: Sequence[Mentions]) -> None:
        self._said = said

    @cached_property
    def uncalled(self) -> tuple[tuple[Span, str, str], ...]:
        return tuple(one for each in self._said for one in each.uncalled)

    @cached_property
    def clears(self) -> bool:
        return any(each.clears for each in self._said)

    @cached_property
    def unscales(self) -> bool:
        return any(each.unscales for each in self._said)

    @cached_property
    def unscaled(self) -> frozenset[Line]:
        return frozenset().union(*(each.unscaled for each in self._said))

    @cached_property
    def freezes(self) -> bool:
        return any(each.freezes for each in self._said)

    @cached_property
    def freezes_in_turn(self) -> bool:
        return any(each.freezes_in_turn for each in self._said)

    @cached_property
    def looks(self) -> bool:
        return any(each.looks for each in self._said)

    @cached_property
    def averages_ranks(self) -> bool:
        return any(each.averages_ranks for each in self._said)

    @cached_property
    def switches(self) -> frozenset[Line]:
        return frozenset().union(*(each.switches for each in self._said))

    @cached_property
    def painted(self) -> frozenset[Line]:
        return frozenset().union(*(each.painted for each in self._said))

    @cached_property
    def derives(self) -> bool:
        return any(each.derives for each in self._said)

    @cached_property
    def rewinds(self) -> bool:
        return any(each.rewinds for each in self._said)

    @cached_property
    def stores(self) -> bool:
        return any(each.stores for each in self._said)

    @cached_property
    def hears_all_reduces(self) -> bool:
        return any(each.hears_all_reduces for each in self._said)

    @cached_property
    def adapts(self) -> bool:
        return any(each.adapts for each in self._said)

    @cached_property
    def noted(self) -> frozenset[Line]:
        return frozenset().union(*(each.noted for each in self._said))

    @cached_property
    def searches(self) -> frozenset[Line]:
        return frozenset().union(*(each.searches for each in self._said))

    @cached_property
    def from_one(self) -> frozenset[Line]:
        return frozenset().union(*(each.from_one for each in self._said))

    @cached_property
    def dated(self) -> str:
        return "" if self.since else max((each.dated for each in self._said), key=_tells_more, default="")

    @cached_property
    def since(self) -> bool:
        return any(each.since for each in self._said)

    @cached_property
    def early(self) -> bool:
        return any(each.early for each in self._said)

    @cached_property
    def trained(self) -> frozenset[str]:
        return frozenset().union(*(each.trained for each in self._said))

    @cached_property
    def asleep(self) -> tuple[Asleep, ...]:
        return tuple(one for each in self._said for one in each.asleep)

    @cached_property
    def launches(self) -> bool:
        return any(each.launches for each in self._said)


def _tells_more(dated: str) -> tuple[bool, str]:
    """What counts of several that say how old the files are, in whatever order these were read."""
    return dated.startswith("volatile"), dated


LAUNCHERS = frozenset({"spawn", "start_processes", "Process", "launch"})
"""What starts processes, each of which runs a function that it is handed."""

NOTHING_SAID = Mentions()
"""Of a file of which nothing is known."""
