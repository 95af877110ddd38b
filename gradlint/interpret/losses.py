"""What is known of a value as a loss: where a backward of it gets, how it was reduced, what scaled it."""

from __future__ import annotations

from typing import Any

from gradlint.model.finding import Span
from gradlint.model.record import record

_NOTHING: frozenset[Any] = frozenset()


@record()
class Graph:
    """What a value came from: where a backward of it gets.

    Attributes:
        forwards: The forwards (event numbers) that it came from.
        models: The models of these.
        bases: Its origins: terms that share one are one loss.
        kept: Where it was added to something that outlives the iteration.
        smooth: Origins from which it was computed by nothing but what can be differentiated: there is a graph behind it
            for sure.
        graphless: Whether it was computed under `no_grad`: a backward of it raises.
    """

    forwards: frozenset[int] = _NOTHING
    models: frozenset[str] = _NOTHING
    bases: frozenset[int] = _NOTHING
    kept: frozenset[Span] = _NOTHING
    smooth: frozenset[int] = _NOTHING
    graphless: bool = False

    @property
    def known(self) -> bool:
        """Whether it came from a network, or may be a loss."""
        return bool(self.bases or self.forwards)

    def smooth_part(self, bases: frozenset[int]) -> frozenset[int]:
        """What a part of it with these origins is smooth in.

        Of what a network returned, one part may have a graph and another none; of a tensor, each has what it has.
        """
        return bases if self.smooth and self.smooth == self.bases else self.smooth

    def joined(self, other: Graph, *, reached: bool) -> Graph:
        """That of what is computed from something else as well; the models of what is not `reached` are left out."""
        if self is NO_GRAPH and reached and not other.smooth and not other.graphless:
            return other
        return Graph(
            self.forwards | other.forwards,
            self.models | other.models if reached else self.models,
            self.bases | other.bases,
            self.kept | other.kept,
            self.smooth,
            self.graphless,
        )

    def of(self, bases: frozenset[int], smooth: frozenset[int] = _NOTHING) -> Graph:
        """That of something computed from it: with origins of its own."""
        return Graph(self.forwards, self.models, bases, self.kept, smooth, self.graphless)

    def smoothly(self, smooth: frozenset[int]) -> Graph:
        """The same, computed from these origins by what can be differentiated."""
        return self if smooth == self.smooth else self.of(self.bases, smooth)

    def based(self, bases: frozenset[int]) -> Graph:
        """The same with other origins."""
        return self if bases == self.bases else self.of(bases, self.smooth)

    def keeping(self, site: Span) -> Graph:
        """The same, added to something there."""
        return Graph(self.forwards, self.models, self.bases, self.kept | {site}, self.smooth, self.graphless)

    def unreached(self) -> Graph:
        """The same of what was computed from it, but without a graph."""
        return Graph(self.forwards, kept=self.kept, graphless=self.graphless)

    def cut(self) -> Graph:
        """The same of what is detached: no backward gets anywhere."""
        return Graph(kept=self.kept, smooth=self.smooth, graphless=self.graphless)


NO_GRAPH = Graph()


@record()
class Reduced:
    """How a loss was reduced, where that is known: by a sum, as a mean.

    `weights` are the keys of what weighed its samples before they were summed.
    """

    summed: bool = False
    mean: bool = False
    weights: tuple[str, ...] = ()

    def by_sum(self, summed: bool = True) -> Reduced:
        """The same, by a sum or not."""
        return self if summed is self.summed else Reduced(summed, self.mean, self.weights)

    def as_mean(self, mean: bool = True) -> Reduced:
        """The same, as a mean or not."""
        return self if mean is self.mean else Reduced(self.summed, mean, self.weights)


UNREDUCED, SUM, MEAN = Reduced(), Reduced(summed=True), Reduced(mean=True)


@record()
class Scale:
    """By which scaler (its key) a loss was scaled, and whether it was scaled before.

    A gradient has `left` that of the backward which it comes from: what is multiplied by it is scaled by that.
    """

    by: str
    twice: bool = False
    left: bool = False

    @classmethod
    def over(cls, before: Scale | None, by: str) -> Scale:
        """That of what a scaler has scaled; what was made of gradients that it has scaled before is no loss yet."""
        return cls(by, twice=before is not None and not before.left)
