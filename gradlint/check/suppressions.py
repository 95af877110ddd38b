"""Comments that silence findings, and those that silence nothing.

    loss.backward()  # gradlint: ignore[unscaled-accumulation-loss] the mean is taken over tokens
    # gradlint: ignore-file[clipping]

Without brackets every rule is meant. A comment counts on any row of a finding's place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gradlint.lower.told import assumes, faults
from gradlint.model.finding import Problem
from gradlint.model.record import dataclass, replace
from gradlint.syntax.comments import MARK, addressed

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Sequence

    from gradlint.model.finding import Finding
    from gradlint.model.settings import Settings


@dataclass(frozen=True, slots=True)
class Ignore:
    """One comment: its row, the rules or categories it names (none: all), and its reach."""

    row: int
    rules: tuple[str, ...]
    whole_file: bool

    def covers(self, finding: Finding) -> bool:
        """Whether the comment silences `finding`."""
        reaches = self.whole_file or finding.span.row <= self.row <= finding.span.end_row
        return reaches and (not self.rules or finding.rule in self.rules or finding.category in self.rules)

    def text(self) -> str:
        """The comment as it would be written."""
        rules = f"[{', '.join(self.rules)}]" if self.rules else ""
        return f"# {MARK} ignore{'-file' if self.whole_file else ''}{rules}"


@dataclass(frozen=True, slots=True)
class Suppressions:
    """The ignores of one file, and the rows of comments that try to be one and are not."""

    ignores: tuple[Ignore, ...] = ()
    malformed: tuple[int, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Suppressions:
        """Read the comments of a file's text; text inside strings does not count."""
        if MARK not in text:
            return cls()
        ignores, malformed = [], []
        for row, comment in addressed(text):
            if assumes(comment):
                continue
            ignore = _read(row, comment)
            if ignore is None:
                malformed.append(row)
            else:
                ignores.append(ignore)
        return cls(tuple(ignores), tuple(malformed))

    def covers(self, finding: Finding) -> bool:
        """Whether some comment silences `finding`."""
        return any(ignore.covers(finding) for ignore in self.ignores)

    def unused(self, findings: Iterable[Finding]) -> tuple[Ignore, ...]:
        """The ignores, cut down to the rules that silence none of `findings`.

        Args:
            findings: Everything found in the file before any was silenced.
        """
        found = tuple(findings)
        idle = []
        for ignore in self.ignores:
            parts = [ignore] if not ignore.rules else [replace(ignore, rules=(rule,)) for rule in ignore.rules]
            useless = [part for part in parts if not any(part.covers(one) for one in found)]
            if useless:
                idle.append(replace(ignore, rules=tuple(r for part in useless for r in part.rules)))
        return tuple(idle)


def screen(
    text: str, path: str, findings: Sequence[Finding], settings: Settings, *, whole: bool = True
) -> tuple[tuple[Finding, ...], tuple[Problem, ...]]:
    """The findings that no comment silences, and what to tell about the comments.

    Args:
        text: The file's text.
        path: The file's name.
        findings: Everything found in it, whatever its confidence.
        settings: The file's settings.
        whole: Whether the findings are all there are; else no comment is surely unused.
    """
    suppressions = Suppressions.parse(text)
    told = warnings(suppressions, findings, settings, whole=whole)
    told = tuple(sorted((*told, *faults(text)))) if MARK in text else told
    return (
        tuple(finding for finding in findings if not suppressions.covers(finding)),
        tuple(Problem(f"{path}:{row}", message) for row, message in told),
    )


def warnings(
    suppressions: Suppressions, findings: Iterable[Finding], settings: Settings, *, whole: bool = True
) -> tuple[tuple[int, str], ...]:
    """What to tell about a file's comments: (row, message), in order.

    An unused ignore is told only where its rules run: a narrowed selection proves nothing.

    Args:
        suppressions: The file's comments.
        findings: Everything found in the file before any was silenced.
        settings: The file's settings.
        whole: Whether the findings are all there are.
    """
    if not (suppressions.ignores or suppressions.malformed):
        return ()
    from gradlint.model.nearest import unknown
    from gradlint.rules.support.rule import all_rules

    known = {name for rule in all_rules() for name in (rule.name, rule.category)}
    told = [(row, f"not a gradlint comment; write `# {MARK} ignore[rule]`") for row in suppressions.malformed]
    for ignore in suppressions.ignores:
        told += [(ignore.row, unknown("rule", r, known)) for r in ignore.rules if r not in known]
    unused = idle(suppressions, findings, settings) if whole else ()
    told += [(one.row, f"unused `{one.text()}`") for one in unused]
    return tuple(sorted(told))


def idle(suppressions: Suppressions, findings: Iterable[Finding], settings: Settings) -> tuple[Ignore, ...]:
    """The ignores that are surely unused, each cut down to the rules that silence nothing and do run.

    Args:
        suppressions: The file's comments.
        findings: Everything found in the file before any was silenced.
        settings: The file's settings.
    """
    from gradlint.rules.support.rule import all_rules

    on = {
        name
        for rule in all_rules()
        if settings.enabled(rule.name, rule.category, rule.default)
        for name in (rule.name, rule.category)
    }
    cut = (replace(one, rules=tuple(rule for rule in one.rules if rule in on)) for one in suppressions.unused(findings))
    whole = [ignore for ignore in suppressions.ignores if not ignore.rules and not settings.narrowed]
    return tuple(one for one in cut if one.rules or one in whole)


def match(comment: str) -> re.Match[str] | None:
    """The part of a comment that silences, with its groups `file` and `rules`; `None` if there is none."""
    import re

    return re.search(
        rf"#\s*{MARK}\s*ignore(?P<file>-file)?(?![\w-])(?:\s*\[(?P<rules>[^\]]*)\]|(?!\s*\[))",
        comment,
    )


def _read(row: int, comment: str) -> Ignore | None:
    found = match(comment)
    if found is None:
        return None
    if found["rules"] is None:
        return Ignore(row, (), bool(found["file"]))
    rules = tuple(rule.strip() for rule in found["rules"].split(",") if rule.strip())
    return Ignore(row, rules, bool(found["file"])) if rules else None
