"""Means and sums over the parts of one micro-batch: they leave its weight in the window as it was.

loss.sum() / x.size(0)           a mean over its samples
loss.mean() * targets.size(1)    a sum over the answers to each, as `.sum(1).mean()` is
"""

from __future__ import annotations

import re

from gradlint.interpret.losses import MEAN
from gradlint.interpret.values import Unknown, Value
from gradlint.model.factor import ONE


def averaged(key: str, loss: Unknown) -> Unknown:
    """A loss over the number of its own samples: their mean, whose weight in the window is what it was."""
    mean = loss.under(key)
    mean.reduced = MEAN
    return mean


def summed_along(loss: Value, size: Value) -> Unknown | None:
    """A mean over samples and their parts, where it is multiplied by the number of parts: it sums these."""
    if not isinstance(loss, Unknown) or loss.reduced != MEAN or not loss.graph.known:
        return None
    counts = isinstance(size, Unknown) and size.factor is ONE and _PARTS.search(size.key)
    return loss if counts else None


_PARTS = re.compile(r"\.(size\((dim=)?[1-9]\)|shape\[[1-9]\])$")
"""The size of a tensor along another dimension than that of its samples: `targets.size(1)`, `targets.shape[1]`."""
