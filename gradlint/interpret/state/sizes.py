"""Sizes: what shows how large windows and batches are."""

from __future__ import annotations

from dataclasses import field
from fractions import Fraction

from gradlint.interpret.plan import Plan
from gradlint.interpret.sequences import Zip, batches_in, samples_each, unseen
from gradlint.interpret.values import Tracked, Unknown, Value
from gradlint.model.record import dataclass


@dataclass(slots=True)
class Sizes:
    """Sizes of windows by which a count was `divided` just now, and by which the value of a name (`moduli`).

    `handed` are those that the arguments of a call tell, by place or name. `counted` are keys that count up, `strides`
    the samples that counters go on by, `samples` those in each batch of data in sight, `shares` what numbers were
    divided by.
    """

    divided: list[int] = field(default_factory=list)
    moduli: dict[str, int] = field(default_factory=dict)
    handed: dict[int | str, int] = field(default_factory=dict)
    counted: set[str] = field(default_factory=set)
    strides: set[int] = field(default_factory=set)
    samples: dict[str, int] = field(default_factory=dict)
    shares: dict[Fraction, frozenset[int]] = field(default_factory=dict)

    def in_batches(self, samples: int) -> int:
        """A number of samples as so many batches, where a counter goes on by a batch's samples."""
        found = [-(-samples // stride) for stride in self.strides if samples > stride]
        return max(found, default=samples)

    def samples_in(self, size: Value) -> Value:
        """The number of samples in a batch of data in sight, where `size` is the size of one."""
        whole = size.data.measures.key if isinstance(size, Unknown) and size.data.measures is not None else ""
        found = self.samples.get(whole, 0) or self.samples.get(f"{whole.rpartition('[')[0]}[", 0)
        return found or size

    def count_batches(self, plan: Plan, source: Value) -> None:
        """Note how many batches a loader has, or the tensor that is walked row by row, where that is known."""
        number = batches_in(source)
        if isinstance(source, (Tracked, Unknown)) and number is not None and number > 1:
            plan.loops.counts[source.key] = number
            paired = source.form.sources if isinstance(source, Unknown) and isinstance(source.form, Zip) else ()
            plan.loops.counts.update({part.key: number for part in unseen(paired)})
            part = "" if isinstance(source, Unknown) else "["  # a loader gives tuples of batches
            self.samples[f"{source.key}[*]{part}"] = samples_each(source)
        elif isinstance(source, Tracked):
            plan.loops.counts.pop(source.key, None)  # another scenario has a loader of that name with so many
