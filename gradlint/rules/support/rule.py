"""Rules: what they see, what they say, and how they are found.

A rule is one short file in `gradlint/rules/` with one class. It sees a `Case`: the books and the
event log of one region in one scenario. It yields `Hit`s. It never sees source code or syntax. Rules are
discovered by module, so adding one edits no other file.

    class ClipAfterStep(Rule):
        name = "clip-after-step"
        ...
        def check(self, case: Case) -> Iterator[Hit]: ...

Presence rules (a wrong thing happens) need one feasible scenario. Absence rules (`absence = True`)
also say in `cleared` at which sites the missing thing does happen; one such scenario excuses the site.
"""

from __future__ import annotations

import importlib
import pkgutil
from abc import ABC, ABCMeta, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from gradlint.account.case import Case
from gradlint.model.edits import Repair
from gradlint.model.events import Deed, Kind
from gradlint.model.finding import Evidence, Related, Safety, Severity, Span
from gradlint.model.ledger import Field


@dataclass(frozen=True, slots=True)
class Hit:
    """A mistake at a place in one scenario.

    `doubts` are reasons to be less than sure; `subject` names whose books are wrong, so that
    rules which `yield_to` others can stand back; `update` is where the evidence is read from.
    A mistake that `stands` would be left when those others are mended: it never stands back. What would excuse it
    happens in its `stretch`, from one event's number to another's; without one there is no excuse.
    """

    span: Span
    message: str
    why: str
    impact: str
    subject: str = ""
    related: tuple[Related, ...] = ()
    evidence: Evidence | None = None
    doubts: tuple[str, ...] = ()
    repairs: tuple[Repair, ...] = ()
    stands: bool = False
    stretch: tuple[int, int] | None = None


class Rule(ABC):
    """One rule; the class attributes are its entry in the table of rules.

    `reason` says why its repair is safe or unsafe, `effect` what the repair changes in training. `mends`
    are the kinds of events that a repair may add and take away; of all others as many must be left. It `speaks` of the
    fields of the ledger that a safe repair changes, to what they mean; all others stay as they are. What it finds is
    `excused_by` these deeds, where they may happen out of sight (`gradlint.check.excuses`). A `rare` one is asked about the
    rare ways out, too.
    """

    name: ClassVar[str]
    category: ClassVar[str]
    severity: ClassVar[Severity]
    safety: ClassVar[Safety]
    summary: ClassVar[str]
    default: ClassVar[bool] = True
    absence: ClassVar[bool] = False
    rare: ClassVar[bool] = False
    yields_to: ClassVar[frozenset[str]] = frozenset()
    mends: ClassVar[frozenset[Kind]] = frozenset()
    speaks: ClassVar[frozenset[Field]] = frozenset()
    excused_by: ClassVar[frozenset[Deed]] = frozenset()
    reason: ClassVar[str] = ""
    effect: ClassVar[str] = ""

    @abstractmethod
    def check(self, case: Case) -> Iterator[Hit]:
        """Every mistake of this kind in one scenario."""

    def cleared(self, case: Case) -> Iterable[Span]:
        """Sites at which what this rule misses does happen (absence rules only)."""
        return ()


@cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule in `gradlint/rules/`, by category and name."""
    from gradlint import rules

    found: list[Rule] = []
    for module in pkgutil.iter_modules(rules.__path__):
        if module.ispkg:
            continue
        loaded = importlib.import_module(f"gradlint.rules.{module.name}")
        found += [
            value()
            for value in vars(loaded).values()
            if isinstance(value, ABCMeta) and issubclass(value, Rule) and value.__module__ == loaded.__name__
        ]
    return tuple(sorted(found, key=lambda rule: (rule.category, rule.name)))
