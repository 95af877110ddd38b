"""The Python API: pure functions from text to frozen data.

They read no file and no configuration, keep nothing between two calls, and may be called from any
thread; threads take turns. What goes in and what comes out can be pickled, so that they run in any pool of processes.
"""

from __future__ import annotations

from collections.abc import Iterable

from gradlint.config.selectors import check_selectors
from gradlint.fix.result import FixResult
from gradlint.model.finding import Confidence, Cure, Edit, Finding, Fix, Safety, Severity, Span, Unjudged
from gradlint.model.settings import ConfigError, Settings
from gradlint.syntax.source import SourceError

__all__ = [
    "Confidence",
    "ConfigError",
    "Cure",
    "Edit",
    "Finding",
    "Fix",
    "FixResult",
    "Safety",
    "Severity",
    "SourceError",
    "Span",
    "Unjudged",
    "check_source",
    "fix_source",
    "unjudged_source",
]


def check_source(
    text: str,
    path: str = "<string>",
    *,
    select: Iterable[str] | None = None,
    ignore: Iterable[str] = (),
    pedantic: bool = False,
) -> list[Finding]:
    """Check one file's text.

    >>> import gradlint
    >>> loop = '''
    ... for x in loader:
    ...     optimizer.zero_grad()
    ...     model(x).backward()
    ...     optimizer.step()
    ...     torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    ... '''
    >>> [(finding.rule, finding.row) for finding in gradlint.check_source(loop)]
    [('clip-after-step', 6)]
    >>> gradlint.check_source(loop, ignore=["clipping"])
    []

    Args:
        text: Python source.
        path: The name that findings carry; nothing is read from it.
        select: Only these rules or categories; by default those that are on by default.
        ignore: Not these. The more specific name wins, `ignore` on a tie.
        pedantic: Report what is less than certain, too.

    Returns:
        The findings in the order of their place, each with the `fix` that would mend it, if one is known.

    Raises:
        SourceError: `text` does not parse.
        ConfigError: A name is no rule's and no category's.
    """
    from gradlint.check.engine import check_text

    report = check_text(text, path, _settings(select, ignore, pedantic))
    if report.problems:
        raise SourceError(report.problems[0].message)
    return list(report.findings)


def unjudged_source(text: str, path: str = "<string>") -> list[Unjudged]:
    """The training loops of one file's text that were not judged, or only in part.

    >>> import gradlint
    >>> loop = '''
    ... optimizer = state[0]
    ... for x in loader:
    ...     model(x).backward()
    ...     optimizer.step()
    ... '''
    >>> gradlint.check_source(loop)
    []
    >>> [one] = gradlint.unjudged_source(loop)
    >>> one.reason
    'nobody in sight makes `optimizer`'
    >>> one.cure.line
    'roles = {optimizer = "optimizer"}'

    Args:
        text: Python source.
        path: The name that they carry; nothing is read from it.

    Returns:
        The loops in the order of their place, each with the reason and, if one is known, the line of configuration or
        the comment that would let it be judged.

    Raises:
        SourceError: `text` does not parse.
    """
    from gradlint.check.engine import check_text

    report = check_text(text, path, Settings())
    if report.problems:
        raise SourceError(report.problems[0].message)
    return list(report.unjudged)


def fix_source(
    text: str,
    path: str = "<string>",
    *,
    unsafe: bool = False,
    select: Iterable[str] | None = None,
    ignore: Iterable[str] = (),
    pedantic: bool = False,
) -> FixResult:
    """Repair one file's text, until nothing is left to repair.

    Every repaired text was checked again: a repair that does not remove its finding, or brings
    another, is not made; `withdrawn` lists findings of which all repairs do. A second run changes nothing.

    >>> import gradlint
    >>> loop = '''
    ... for x in loader:
    ...     optimizer.zero_grad()
    ...     model(x).backward()
    ...     optimizer.step()
    ...     torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    ... '''
    >>> result = gradlint.fix_source(loop)
    >>> result.text.splitlines()[-2].strip()
    'torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)'
    >>> [finding.fix.title for finding in result.applied]
    ['Clip before the step']

    Args:
        text: Python source.
        path: The name that findings carry; nothing is read from it or written to it.
        unsafe: Carry out repairs that are only plausible, too.
        select: Only these rules or categories; by default those that are on by default.
        ignore: Not these. The more specific name wins, `ignore` on a tie.
        pedantic: Repair what is less than certain, too; such repairs are never safe ones.

    Returns:
        The text as it is now, the findings that are gone (each with the `fix` that was made) and
        those that remain (each with the `fix` that would mend it, if one is known).

    Raises:
        SourceError: `text` does not parse.
        ConfigError: A name is no rule's and no category's.
    """
    from gradlint.check.engine import fix_text

    result = fix_text(text, path, _settings(select, ignore, pedantic), unsafe=unsafe)
    if result.problems:
        raise SourceError(result.problems[0].message)
    return result


def _settings(select: Iterable[str] | None, ignore: Iterable[str], pedantic: bool) -> Settings:
    """The settings that a call asks for, on top of the defaults.

    Raises:
        ConfigError: A name is no rule's and no category's.
    """
    settings = Settings(None if select is None else tuple(select), tuple(ignore), pedantic=pedantic)
    check_selectors("select", settings.select or ())
    check_selectors("ignore", settings.ignore)
    return settings
