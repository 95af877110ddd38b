"""Training: modes of models, and which of them are frozen."""

from __future__ import annotations

from dataclasses import field
from functools import partial

from gradlint.model.record import dataclass
from gradlint.model.roots import comprises, related_parts


@dataclass(slots=True)
class Training:
    """Whether models are in `train()`, by their roots, and which want no gradients.

    `flags` are the wrappers' own `training`, by their keys: a call on the model inside leaves them as they were.
    `before` has the modes in which a generator began. `noted` are names of modes, with the function that noted them.
    """

    modes: dict[str, bool] = field(default_factory=dict)
    flags: dict[str, bool] = field(default_factory=dict)
    before: dict[int, dict[str, bool]] = field(default_factory=dict)
    noted: set[tuple[str, str]] = field(default_factory=set)
    frozen: set[str] = field(default_factory=set)

    def freeze(self, roots: frozenset[str], trains: bool | None, *, sure: bool) -> None:
        """Whether some models' parameters want gradients from now on; what hangs on an open guard is not certain."""
        if trains is False and sure:
            self.frozen |= roots
        elif trains is not False and self.frozen:
            self.frozen = {one for one in self.frozen if not any(map(partial(related_parts, one), roots))}

    def is_frozen(self, root: str) -> bool:
        """True when no parameter of a model wants gradients."""
        return bool(self.frozen) and any(comprises(one, root) for one in self.frozen)
