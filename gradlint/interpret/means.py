"""Means and sums over the parts of one micro-batch: they leave its weight in the window as it was.

loss.sum() / x.size(0)           a mean over its samples
(loss * mask).sum() / mask.sum() a mean over those that count
loss.mean() * targets.size(1)    a sum over the answers to each, as `.sum(1).mean()` is
"""

from __future__ import annotations

from collections.abc import Sequence

from gradlint.interpret.losses import MEAN, SUM, Reduced
from gradlint.interpret.state.graphs import Graphs
from gradlint.interpret.values import Unknown, Value
from gradlint.interpret.words import Word
from gradlint.model.factor import ONE
from gradlint.model.pattern import pattern


def averaged(key: str, loss: Unknown) -> Unknown:
    """A loss over the number of its own samples: their mean, whose weight in the window is what it was."""
    mean = loss.under(key)
    mean.reduced = MEAN
    return mean


def weighed_sum(loss: Unknown) -> Reduced:
    """How the sum of a loss is reduced: what weighed all of its samples is remembered."""
    first, *others = loss.terms or (loss,)
    shared = (key for key in first.factor.drawn if all(key in other.factor.drawn for other in others))
    return Reduced(SUM.summed, SUM.mean, tuple(shared))


def totalled(result: Unknown, word: Word, values: Sequence[Value]) -> None:
    """Remember of what a call returns the sum of what, where its name says that."""
    first = values[0] if values else None
    if isinstance(first, Unknown):
        result.data = result.data.totalling(first.key if word.adds else first.data.total)


def over_its_own(graphs: Graphs, loss: Unknown, divisor: Value) -> bool:
    """Whether a sum over a micro-batch is divided by how many it has: samples, elements, or those that weigh more."""
    return graphs.own_size(loss, divisor) or _by_own_weights(loss, divisor)


def _by_own_weights(loss: Unknown, divisor: Value) -> bool:
    """Whether a sum of samples is divided by the sum of what weighed them: their mean, whatever the window is."""
    if not isinstance(divisor, Unknown) or not divisor.data.total or divisor.factor != ONE:
        return False
    return any(_whole(key) == _whole(divisor.data.total) for key in loss.reduced.weights)


def _whole(key: str) -> str:
    """The key of a tensor, without calls that give it another shape or type."""
    shaped = _SHAPED.sub("", key)
    return shaped if shaped == key else _whole(shaped)


_SHAPED = pattern(
    r"\.(view|reshape|flatten|squeeze|unsqueeze|contiguous|to|float|half|double|long|int|bool)\([^()]*\)$"
)


def summed_along(loss: Value, size: Value) -> Unknown | None:
    """A mean over samples and their parts, where it is multiplied by the number of parts: it sums these."""
    if not isinstance(loss, Unknown) or loss.reduced != MEAN or not loss.graph.known:
        return None
    counts = isinstance(size, Unknown) and size.factor is ONE and _PARTS.search(size.key)
    return loss if counts else None


_PARTS = pattern(r"\.(size\((dim=)?[1-9]\)|shape\[[1-9]\])$")
"""The size of a tensor along another dimension than that of its samples: `targets.size(1)`, `targets.shape[1]`."""
