"""Graphs: from which forwards losses come, and which of them have run backward."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from gradlint.interpret.losses import Graph
from gradlint.interpret.values import Unknown, Value
from gradlint.model.factor import ONE, UNKNOWN_FACTOR, Factor
from gradlint.model.finding import Span
from gradlint.model.record import dataclass

_NO_ORIGIN = frozenset[int]()


@dataclass(slots=True)
class Graphs:
    """What has run backward and was not kept for another time: losses by their origins, forwards by their numbers.

    `outputs` has the forward of each origin that is the whole of what a network returned, `inputs` the keys of what
    each forward was given. What was made of something `alone` is known by its origin, with those of that: who goes back
    from a `criterion(out, y)` has shown that `out` has a graph. `on_the_way` are factors that hooks put on gradients;
    `bent` are forwards behind which something changes the gradients that come back.
    """

    bases: set[int] = field(default_factory=set)
    forwards: set[int] = field(default_factory=set)
    outputs: dict[int, int] = field(default_factory=dict)
    inputs: dict[int, tuple[str, ...]] = field(default_factory=dict)
    alone: dict[int, frozenset[int]] = field(default_factory=dict)
    on_the_way: dict[Span, Factor] = field(default_factory=dict)
    bent: set[int] = field(default_factory=set)

    def spend(self, graph: Graph) -> None:
        """A loss has run backward, and nothing keeps its graph."""
        self.bases |= graph.bases
        self.forwards |= graph.forwards

    def bend(self, graph: Graph, span: Span) -> None:
        """Something changes the gradient at a tensor: of all that lies before it, and of nothing behind it."""
        self.bent |= graph.forwards
        if not graph.forwards:
            self.on_the_way[span] = UNKNOWN_FACTOR

    def is_bent(self, graph: Graph) -> bool:
        """Whether what goes back from a loss meets such a place: how much arrives where, nobody can say."""
        return not self.bent.isdisjoint(graph.forwards)

    def is_spent(self, graph: Graph) -> bool:
        """True of what cannot run backward any more."""
        return (bool(graph.forwards) and graph.forwards <= self.forwards) or graph.bases <= self.bases

    def note_made(self, made: frozenset[int], parts: Sequence[Unknown]) -> None:
        """Something of these origins was made of some parts, and has no parameters of its own."""
        attached = [part.graph for part in parts if part.graph.forwards and not part.detached]
        if len(attached) == 1 and attached[0].smooth:
            self.alone |= dict.fromkeys(made, attached[0].smooth)

    def shown_by(self, loss: Graph) -> frozenset[int]:
        """The origins that have a graph where one goes back from a loss: each of its terms has no other way to one."""
        if not self.alone or not loss.bases:
            return loss.smooth
        first, *others = [self.alone.get(base, _NO_ORIGIN) for base in loss.bases]
        return loss.smooth | first.intersection(*others)

    def outputs_of(self, origins: frozenset[int]) -> frozenset[int]:
        """The forwards whose whole output some origins are."""
        return frozenset(self.outputs[origin] for origin in origins if origin in self.outputs)

    def own_size(self, loss: Unknown, divisor: Value) -> bool:
        """Whether a divisor counts the samples, or elements, of the very batch that a loss came from.

        `loss.sum() / loss.shape[0]` is a mean over the micro-batch; it says nothing of the window.
        """
        if not isinstance(divisor, Unknown) or divisor.data.measures is None or divisor.factor != ONE:
            return False
        measured = divisor.data.measures
        if measured.graph.forwards:
            return measured.graph.forwards <= loss.graph.forwards
        inputs = [key for number in loss.graph.forwards for key in self.inputs.get(number, ())]
        return any(measured.key == key or measured.key.startswith((f"{key}.", f"{key}[")) for key in inputs)
