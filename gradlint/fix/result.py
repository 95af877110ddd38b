"""What a run of `fix` did to one text."""

from __future__ import annotations

from gradlint.model.finding import Finding, Problem
from gradlint.model.record import dataclass


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """A finding whose repairs were tried, and none of them kept its promise; `reason` says what the first one did."""

    finding: Finding
    reason: str


@dataclass(frozen=True, slots=True)
class Other:
    """Another file of the project that was changed with the one that was repaired."""

    path: str
    before: str
    text: str


@dataclass(frozen=True, slots=True)
class FixResult:
    """One text before and after.

    Attributes:
        path: the name that findings carry.
        before: the text as it was.
        text: the text as it is now; equal to `before` when nothing could be repaired.
        applied: the findings that are gone, in the order in which they were repaired; each holds its `fix`.
        remaining: the selected findings that are still there.
        withdrawn: findings for which no repair that keeps its promise was found.
        problems: why the text could not be checked.
        tidied: how many comments were taken away because they silenced nothing.
        others: the other files that these repairs change; only where they may.
    """

    path: str
    before: str
    text: str
    applied: tuple[Finding, ...] = ()
    remaining: tuple[Finding, ...] = ()
    withdrawn: tuple[Withdrawn, ...] = ()
    problems: tuple[Problem, ...] = ()
    tidied: int = 0
    others: tuple[Other, ...] = ()

    @property
    def changed(self) -> bool:
        """True when at least one repair was applied."""
        return self.text != self.before or bool(self.others)
