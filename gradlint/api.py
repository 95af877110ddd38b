"""The Python API: pure functions from text to frozen data, safe to call from any thread."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gradlint.finding import Finding


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
