"""Rules: what they see, what they say, and how they are found.

A rule is one short file in `gradlint/rules/` with one class. It sees a `Case`: the event log of one region in one
scenario, its books, and what the program mentions elsewhere. It yields `Hit`s, and names their repairs, which live in
`gradlint/rules/support`. It never sees source code or syntax. Rules are discovered by module, so adding one edits no
other file; `make new-rule NAME=my-rule` writes what is needed.

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
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from functools import cache
from typing import ClassVar

from gradlint.account.case import Case
from gradlint.model.events import Deed, Kind
from gradlint.model.finding import Safety, Severity, Span
from gradlint.model.ledger import Field
from gradlint.rules.support.hit import Hit


class Rule(ABC):
    """One rule; the class attributes are its entry in the table of rules.

    Attributes:
        name: In kebab case, as its module and its page are called.
        category: One of those that `gradlint rules` lists.
        severity: How bad the mistake is.
        safety: Whether a repair is safe, unsafe, or there is none.
        summary: The sentence that its page begins with.
        reason: Why a repair is safe or unsafe.
        effect: What a repair changes in training.
        speaks: The fields of the ledger that a safe repair changes, to what they mean; all others stay as they are.
        mends: The kinds of events that a repair may add and take away; of all others as many must be left.
        excused_by: What would excuse it where it may happen out of sight.
        yields_to: Rules that tell the mistake of which this is the consequence.
        yields_here_to: Those of which it is one where they speak of the same call.
        absence: Whether something is missing, and one scenario in which it happens excuses the place.
        rare: Whether it is asked about the rare ways out, too.
        default: Whether it is on by default.
    """

    name: ClassVar[str]
    category: ClassVar[str]
    severity: ClassVar[Severity]
    safety: ClassVar[Safety]
    summary: ClassVar[str]
    reason: ClassVar[str] = ""
    effect: ClassVar[str] = ""
    speaks: ClassVar[frozenset[Field]] = frozenset()
    mends: ClassVar[frozenset[Kind]] = frozenset()
    excused_by: ClassVar[frozenset[Deed]] = frozenset()
    yields_to: ClassVar[frozenset[str]] = frozenset()
    yields_here_to: ClassVar[frozenset[str]] = frozenset()
    absence: ClassVar[bool] = False
    rare: ClassVar[bool] = False
    default: ClassVar[bool] = True

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

    names = [module.name for module in pkgutil.iter_modules(rules.__path__) if not module.ispkg]
    modules = [importlib.import_module(f"gradlint.rules.{name}") for name in names]
    found = [one() for one in Rule.__subclasses__() if one.__module__ in {module.__name__ for module in modules}]
    return tuple(sorted(found, key=lambda rule: (rule.category, rule.name)))
