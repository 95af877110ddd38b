"""A finding's name for itself that outlives moved lines.

Made of the rule, the file, the function around it and the code itself without its white space; equal
ones are numbered in the order of places. Rows do not count, so code above may come and go.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gradlint.model.finding import Finding

    Read = Callable[[str, int | None], str]

_LENGTH = 32


def fingerprints(findings: Sequence[Finding], read: Read, name_of: Callable[[str], str]) -> tuple[str, ...]:
    """One fingerprint for each finding, all different.

    Args:
        findings: in the order of their places.
        read: the text of a file, or of one cell of a notebook; empty if it is gone.
        name_of: what the file is called in whatever keeps the fingerprints.
    """
    seen: Counter[tuple[str, ...]] = Counter()
    texts: dict[tuple[str, int | None], list[str]] = {}
    prints = []
    for finding in findings:
        key = (finding.path, finding.cell)
        if key not in texts:
            texts[key] = read(*key).splitlines()
        parts = (finding.rule, name_of(finding.path), *_code(texts[key], finding))
        prints.append(named(*parts, str(seen[parts])))
        seen[parts] += 1
    return tuple(prints)


def named(*parts: str) -> str:
    """The fingerprint of whatever consists of these parts."""
    from hashlib import sha256

    return sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:_LENGTH]


def _code(lines: Sequence[str], finding: Finding) -> tuple[str, str]:
    """The function around a finding, and its code, both without white space."""
    first = finding.span.row - 1
    code = "".join("".join(line.split()) for line in lines[first : finding.span.end_row])
    return _scope(lines, first), code


def _scope(lines: Sequence[str], row: int) -> str:
    """The headers of the functions and classes around a line, outermost last."""
    if row >= len(lines):
        return ""
    indent, headers = _indent(lines[row]), []
    for line in reversed(lines[:row]):
        bare = line.strip()
        if bare and _indent(line) < indent and not bare.startswith(("#", ")", "]", "}")):
            indent = _indent(line)
            if bare.startswith(("def ", "async def ", "class ")):
                headers.append(bare.split("(")[0].rstrip(":"))
        if not indent:
            break
    return " ".join(headers)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
