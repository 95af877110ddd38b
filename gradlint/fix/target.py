"""Whether a repair wrote what the project's oldest Python could not read."""

from __future__ import annotations

import ast
import re

from gradlint.syntax.quiet import quiet
from gradlint.syntax.source import split_lines


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
