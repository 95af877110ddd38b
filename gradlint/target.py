"""The oldest Python that a project runs on: repairs write nothing that it could not read.

Source may be newer than that, and is checked as it is: which Python runs a file is not ours to judge.
"""

from __future__ import annotations

import ast
import re

from gradlint.nearest import nearest
from gradlint.quiet import quiet
from gradlint.source import split_lines

OLDEST, NEWEST = 7, 14
TARGETS = tuple(f"py3{minor}" for minor in range(OLDEST, NEWEST + 1))
"""What `target-version` may be, in the words of ruff."""


def unknown_target(name: str) -> str:
    """A message for a version that is none of `TARGETS`, with the one that is nearest."""
    minor = re.search(r"3\.?(\d{1,2})", name)
    near = f"py3{min(max(int(minor[1]), OLDEST), NEWEST)}" if minor else nearest(name, TARGETS)
    hint = f"did you mean {near!r}?" if near else f"known are {TARGETS[0]!r} to {TARGETS[-1]!r}"
    return f"unknown version {name!r}; {hint}"


def too_new(before: str, after: str, target: str) -> bool:
    """Whether a repair made a text that a target can read into one that it cannot.

    Args:
        before: the text without the repair.
        after: the text with it.
        target: one of `TARGETS`, or nothing for no target.
    """
    return bool(target) and not _readable(after, target) and _readable(before, target)


def _readable(text: str, target: str) -> bool:
    """Whether a text holds no syntax that came after a version, as far as Python itself can tell."""
    version = (3, int(target.removeprefix("py3")))
    text = text.removeprefix("\ufeff")
    try:
        with quiet():
            ast.parse(_without_false_alarms(text) if version < (3, 9) else text, feature_version=version)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _without_false_alarms(text: str) -> str:
    """A text in which each `with (context):` has a sign before the bracket.

    Python takes these for the contexts in brackets that came with 3.9, and they are plain expressions.
    """
    lines = split_lines(text)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.With, ast.AsyncWith)) and len(node.items) == 1 and not node.items[0].optional_vars:
            lines[node.lineno - 1] = _OPEN.sub(r"\1+(", lines[node.lineno - 1])
    return "".join(lines)


_OPEN = re.compile(r"^(\s*(?:async\s+)?with\s*)\(")
