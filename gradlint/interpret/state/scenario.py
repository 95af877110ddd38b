"""Scenario: which way the guards go in one run, and what hangs on each."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from gradlint.interpret.plan import Fork
from gradlint.libraries.tables import OPTIMIZERS
from gradlint.model.events import Guard
from gradlint.model.finding import Span


@dataclass(slots=True)
class Scenario:
    """The atoms that were decided, and the guards one is in.

    `forks` could have gone the other way, `recalled` are the atoms by which a guard was computed just now. `passed` is
    the guard that has just been passed by: it is around all that follows. `ways` are guards of one text, by that.
    """

    decisions: dict[str, bool]
    forks: list[Fork] = field(default_factory=list)
    recalled: list[str] = field(default_factory=list)
    guards: list[Guard] = field(default_factory=list)
    passed: Guard | None = None
    ways: dict[str, list[Span]] = field(default_factory=dict)

    @property
    def sure(self) -> bool:
        """Whether all guards one is in are known."""
        return all(guard.known for guard in self.guards)

    def assume(self, key: str, want: bool, priority: int, missed: int = 0) -> bool:
        """The truth of an atom in this scenario, decided on first sight and then remembered.

        `priority` is how much hangs on it, `missed` how much does where it was decided against what is wanted here.
        """
        decided = self.decisions
        if key in decided:
            if decided[key] is not want:
                priority = max(priority, missed)
            if priority > 0:
                self._matters_after_all(key, priority)
            return decided[key]
        if want and self._contradicts(key):
            want, priority = False, max(priority, missed)
        decided[key] = want
        self.forks.append(Fork(key, want, priority))
        return want

    def _contradicts(self, key: str) -> bool:
        """Whether an atom cannot be true beside what was decided."""
        held = [other for other, on in self.decisions.items() if on]
        left = key.split("==", maxsplit=1)[0]
        if "==" in key and any(other.split("==", maxsplit=1)[0] == left for other in held):
            return True
        return _MEANS.search(key) is not None and any(excludes(other, key) for other in held)

    def recall(self, priority: int) -> None:
        """A guard computed because comparisons were decided before: so much hangs on these."""
        for key in self.recalled:
            self._matters_after_all(key, priority)

    def _matters_after_all(self, key: str, priority: int) -> None:
        """More hangs on an atom than when it was asked first."""
        for number, fork in enumerate(self.forks):
            if fork.key == key and fork.priority < priority:
                self.forks[number] = Fork(key, fork.went, priority)


_KIND = re.compile(r"isinstance\((?P<whose>.+), [\w.]*?(?P<kind>\w+)\)")
_WITHIN = re.compile(r"(?P<quote>['\"])(?P<part>\w+)(?P=quote) in (?P<whose>.+)")
_IS = re.compile(r"(?P<whose>.+)==(?P<quote>['\"])(?P<text>.*)(?P=quote)")
_AMONG = re.compile(r"(?P<whose>.+?) in \[(?P<texts>'[^']*'(?:, '[^']*')*)\]")
_MOST = 8
"""So many items of a list are told by its key: it may have more."""
_MEANS = re.compile(r"^isinstance\(| in |==['\"]")


def excludes(one: str, other: str) -> bool:
    """Whether two questions cannot both be true: an `Adam` is no `LBFGS`, and `"cosine"` is not in `"linear"`."""
    if (here := texts_of(one)) and (there := texts_of(other)):
        return here[0] == there[0] and here[1].isdisjoint(there[1])
    for asked, said in ((one, other), (other, one)):
        part, text = _WITHIN.fullmatch(asked), _IS.fullmatch(said)
        if part is not None and text is not None and part["whose"] == text["whose"]:
            return part["part"] not in text["text"]
    first, second = _KIND.fullmatch(one), _KIND.fullmatch(other)
    if first is None or second is None or first["whose"] != second["whose"]:
        return False
    kinds = first["kind"], second["kind"]
    return OPTIMIZERS.issuperset(kinds) and kinds[0] not in kinds[1] and kinds[1] not in kinds[0]


def is_about_text(key: str) -> bool:
    """Whether a question is about what a text is, or holds: it excludes others of these."""
    return texts_of(key) is not None or _WITHIN.fullmatch(key) is not None


def texts_of(key: str) -> tuple[str, frozenset[str]] | None:
    """What is asked to be one of some texts, and which: `kind in ["a", "b"]`, `kind == "a"`."""
    if among := _AMONG.fullmatch(key):
        texts = re.findall(r"'([^']*)'", among["texts"])
        return (among["whose"], frozenset(texts)) if len(texts) < _MOST else None
    said = _IS.fullmatch(key)
    return (said["whose"], frozenset((said["text"],))) if said else None
