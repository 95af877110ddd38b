"""Comments that silence, written for findings and taken away where they silence nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gradlint.check.suppressions import match
from gradlint.model.record import dataclass
from gradlint.syntax.comments import MARK
from gradlint.syntax.source import split_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gradlint.check.suppressions import Ignore
    from gradlint.model.finding import Finding


@dataclass(frozen=True, slots=True)
class _Rows:
    """Where a comment can stand, and the comments there are: (column, text) by row."""

    open: frozenset[int]
    comments: dict[int, tuple[int, str]]


def add_ignores(text: str, findings: Sequence[Finding]) -> tuple[str, tuple[Finding, ...]]:
    """A text whose comments silence `findings`, and those for which it has no place.

    A comment stands at the end of the first row of a finding's place that does not end within a
    string or with a backslash. One that is there already gets further names.

    Args:
        text: Python source.
        findings: what to silence in it.
    """
    rows = _rows(text)
    wanted: dict[int, list[str]] = {}
    left = []
    for finding in findings:
        row = next((row for row in _reach(finding) if row in rows.open), None)
        if row is None:
            left.append(finding)
        elif finding.rule not in wanted.setdefault(row, []):
            wanted[row].append(finding.rule)
    lines = split_lines(text)
    for row, rules in wanted.items():
        lines[row - 1] = _with(lines[row - 1], rows.comments.get(row), sorted(rules))
    return "".join(lines), tuple(left)


def remove_ignores(text: str, unused: Iterable[Ignore]) -> str:
    """A text without what is unused in its comments; a line that held nothing else goes, too.

    Args:
        text: Python source.
        unused: the comments, each cut down to the rules that are to go.
    """
    rows = _rows(text)
    lines = split_lines(text)
    for ignore in unused:
        if ignore.row in rows.comments:
            lines[ignore.row - 1] = _without(lines[ignore.row - 1], rows.comments[ignore.row], ignore.rules)
    return "".join(lines)


def _reach(finding: Finding) -> range:
    return range(finding.span.row, finding.span.end_row + 1)


def _rows(text: str) -> _Rows:
    import io
    import tokenize

    lines = io.StringIO(text.removeprefix("\ufeff"), newline=None)
    ends: set[int] = set()
    comments: dict[int, tuple[int, str]] = {}
    try:
        for token in tokenize.generate_tokens(lines.readline):
            if token.type in (tokenize.NEWLINE, tokenize.NL):
                ends.add(token.start[0])
            elif token.type == tokenize.COMMENT:
                comments[token.start[0]] = (
                    token.start[1] + (token.start[0] == 1 and text[:1] == "\ufeff"),
                    token.string,
                )
    except (tokenize.TokenError, SyntaxError):
        return _Rows(frozenset(), {})
    return _Rows(frozenset(ends), comments)


def _with(line: str, comment: tuple[int, str] | None, rules: Sequence[str]) -> str:
    """A line that silences `rules`, beside what it silences already."""
    body, end = _ended(line)
    found = None if comment is None else match(comment[1])
    if comment is not None and found is not None and found["rules"] is not None and not found["file"]:
        names = [name.strip() for name in found["rules"].split(",") if name.strip()]
        names += [rule for rule in rules if rule not in names]
        column = comment[0]
        return f"{body[: column + found.start('rules')]}{', '.join(names)}{body[column + found.end('rules') :]}{end}"
    return f"{body.rstrip()}  # {MARK} ignore[{', '.join(rules)}]{end}"


def _without(line: str, comment: tuple[int, str], rules: Sequence[str]) -> str:
    """A line whose comment does not name `rules`; without the comment where nothing remains of it."""
    body, end = _ended(line)
    column, text = comment
    found = match(text)
    if found is None:
        return line
    names = [name.strip() for name in (found["rules"] or "").split(",") if name.strip()]
    rest = [name for name in names if name not in rules]
    if rest and rules:
        return f"{body[: column + found.start('rules')]}{', '.join(rest)}{body[column + found.end('rules') :]}{end}"
    before = body[: column + found.start()].rstrip()
    return f"{before}{end}" if before.strip("\ufeff") else before


def _ended(line: str) -> tuple[str, str]:
    """A line and its end."""
    body = line.rstrip("\r\n")
    return body, line[len(body) :]
