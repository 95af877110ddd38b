"""The Python API: pure functions from text to frozen data, safe to call from any thread."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gradlint.finding import Finding
    from gradlint.fix import FixResult


def check_source(text: str, path: str = "<string>") -> list[Finding]:
    """Check one file's text with the default rules.

    Args:
        text: Python source.
        path: The name that findings carry; nothing is read from it.

    Returns:
        The findings of high confidence, in the order of their place.

    Raises:
        gradlint.source.SourceError: `text` does not parse.
    """
    from gradlint.config import Settings
    from gradlint.engine import check_text
    from gradlint.source import SourceError

    report = check_text(text, path, Settings())
    if report.problems:
        raise SourceError(report.problems[0].message)
    return list(report.findings)


def fix_source(text: str, path: str = "<string>", *, unsafe: bool = False) -> FixResult:
    """Repair one file's text with the default rules, until nothing is left to repair.

    Every repaired text was checked again: a repair that does not remove its finding, or brings
    another, is not made and is listed in `withdrawn`. A second run changes nothing.

    Args:
        text: Python source.
        path: The name that findings carry; nothing is read from it or written to it.
        unsafe: Carry out repairs that are only plausible, too.

    Returns:
        The text as it is now, the findings that are gone (each with the `fix` that was made) and
        those that remain (each with the `fix` that would mend it, if one is known).

    Raises:
        gradlint.source.SourceError: `text` does not parse.
    """
    from gradlint.config import Settings
    from gradlint.engine import fix_text
    from gradlint.source import SourceError

    result = fix_text(text, path, Settings(), unsafe=unsafe)
    if result.problems:
        raise SourceError(result.problems[0].message)
    return result
