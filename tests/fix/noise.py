"""Layouts of one and the same loop, for repairs that must not care.

Some noise can be laid over a text before or after its repair, with the same result: other
indentation, line ends, quotes. Some can be taken away again (`quiet`): comments and blank lines that
`noise` has numbered. The rest changes which statements share a line, or one statement's lines; two
such texts are compared as code.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rules.pages import PAGES

from fixtures import FIXTURES, RULES

LOOPS = {rule: (FIXTURES / rule / "buggy.py").read_text(encoding="utf-8") for rule in RULES}
"""Every fixture that is wrong."""

EXAMPLES = {str(wrong): wrong.bare for page in PAGES for wrong, _ in page.repairs}
"""Every example on a page whose repair is shown: shorter, and in more styles."""

_COMMENT = re.compile(r"[ \t]*# noise (\d+)[^\r\n]*")
_TRAILING = re.compile(r"  # noise \d+[^\r\n]*")
_MARGIN = re.compile(r"^(?:    )+", re.MULTILINE)
_SIMPLE = (ast.Expr, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Pass, ast.Continue, ast.Return, ast.Import)


@dataclass(frozen=True)
class Noise:
    """One piece of noise: what, at which of the text's lines (modulo their number)."""

    kind: str
    at: int


COMMENTS = ("above", "left", "deep", "end", "blank", "blanks")


def laid_over(text: str, noise: Sequence[Noise]) -> str:
    """The text with comments and blank lines: above a statement, at its end, or beside all order."""
    starts, ends = _logical(text)
    lines = text.splitlines(keepends=True)
    first: dict[int, list[str]] = {}
    above: dict[int, list[str]] = {}
    behind: dict[int, str] = {}
    for number, one in enumerate(noise):
        row = starts[one.at % len(starts)]
        margin = re.match(r"[ \t]*", lines[row - 1])
        assert margin is not None
        indent = {"above": margin[0], "deep": margin[0] + "      ", "left": ""}.get(one.kind)
        held = above
        if one.kind != "above":
            held = first
            while row > 1 and lines[row - 2].strip().startswith("#"):
                row -= 1  # nothing but another comment comes between a comment and its statement
        if indent is not None:
            held.setdefault(row, []).append(f"{indent}# noise {number} é\n")
        elif one.kind == "end":
            behind[ends[one.at % len(ends)]] = f"  # noise {number} µ"
        else:
            held.setdefault(row, []).extend(["\n"] * (2 if one.kind == "blanks" else 1))
    out: list[str] = []
    for row, line in enumerate(lines, 1):
        out += first.get(row, []) + above.get(row, [])
        out.append(line.rstrip("\n") + behind[row] + "\n" if row in behind and "#" not in line else line)
    return "".join(out)


def quiet(text: str) -> list[str]:
    """The lines of a text without noise; blank ones do not count."""
    lines = [_TRAILING.sub("", line) for line in text.split("\n") if not _COMMENT.fullmatch(line)]
    return [line for line in lines if line.strip()]


def numbers(text: str) -> Counter[str]:
    """Which pieces of noise a text holds, and how often."""
    return Counter(re.findall(r"# noise (\d+)", text))


def _logical(text: str) -> tuple[list[int], list[int]]:
    """The first and the last rows of all logical lines."""
    starts: list[int] = []
    ends: list[int] = []
    fresh = True
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.NEWLINE:
            ends.append(token.start[0])
            fresh = True
        elif fresh and token.type not in (tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT):
            starts.append(token.start[0])
            fresh = False
    return starts[: len(ends)], ends


# Noise that commutes


def indented(text: str, unit: str) -> str:
    """The text with another unit of indentation, continuation lines and texts included."""
    return _MARGIN.sub(lambda margin: unit * (len(margin[0]) // 4), text)


def ended(text: str, newline: str, *, last: bool) -> str:
    """The text with other line ends, and with or without the last one."""
    text = text if last else text.rstrip("\n")
    return text.replace("\n", newline)


def quoted(text: str) -> str:
    """The text with single quotes, where none has to be escaped."""
    lines = text.splitlines(keepends=True)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type != tokenize.STRING or token.start[0] != token.end[0] or not token.string.startswith('"'):
            continue
        if token.string.startswith('"""') or "'" in token.string or "\\" in token.string:
            continue
        row, start, end = token.start[0] - 1, token.start[1], token.end[1]
        lines[row] = f"{lines[row][:start]}'{token.string[1:-1]}'{lines[row][end:]}"
    return "".join(lines)


# Noise that moves code to other lines


def joined(text: str, noise: Sequence[Noise]) -> str:
    """The text with simple statements put on the line before: `a; b`, `if c: a`."""
    for one in noise:
        places = list(_joints(text))
        if not places:
            break
        start, end, glue = places[one.at % len(places)]
        text = text[:start] + glue + text[end:]
    return text


def _joints(text: str) -> Iterator[tuple[int, int, str]]:
    """Where one line can be joined to the line before: (start, end, what goes between)."""
    assert text.isascii()
    lines = [0]
    for line in text.splitlines(keepends=True):
        lines.append(lines[-1] + len(line))
    for node in ast.walk(ast.parse(text)):
        for suite in (getattr(node, "body", None), getattr(node, "orelse", None)):
            pairs = pairwise(suite) if isinstance(suite, list) else ()
            for one, two in pairs:
                start, end = lines[one.end_lineno - 1] + one.end_col_offset, lines[two.lineno - 1] + two.col_offset
                if isinstance(one, _SIMPLE) and isinstance(two, _SIMPLE) and "\n" in text[start:end]:
                    yield from [(start, end, "; ")] * (not text[start:end].strip())
        if isinstance(node, (ast.If, ast.For)) and all(isinstance(one, _SIMPLE) for one in node.body):
            head, first = node.test if isinstance(node, ast.If) else node.iter, node.body[0]
            assert head.end_lineno is not None
            assert head.end_col_offset is not None
            start, end = lines[head.end_lineno - 1] + head.end_col_offset, lines[first.lineno - 1] + first.col_offset
            last = node.body[-1].end_lineno
            if first.lineno == last and re.fullmatch(r"\)*:\s*\n\s*", text[start:end]):
                yield start, end, f"{text[start:end].strip()} "


def broken(text: str, noise: Sequence[Noise]) -> str:
    """The text with lines broken where Python lets them be: behind a comma in brackets, or by a backslash."""
    for one in noise:
        places = list(_breaks(text))
        row, column, plain = places[one.at % len(places)]
        lines = text.splitlines(keepends=True)
        line = lines[row - 1]
        margin = " " * (one.at % 13)
        lines[row - 1] = f"{line[:column].rstrip()}{'' if plain else ' ' + chr(92)}\n{margin}{line[column:].lstrip()}"
        text = "".join(lines)
    return text


def _breaks(text: str) -> Iterator[tuple[int, int, bool]]:
    """(row, column, whether no backslash is needed) of every gap in a statement."""
    depth = 0
    before: tokenize.TokenInfo | None = None
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if before is not None and token.type in (tokenize.NAME, tokenize.NUMBER, tokenize.OP):
            apart = token.start[1] - before.end[1] if token.start[0] == before.end[0] else 0
            if (apart and before.type != tokenize.STRING) or token.string == ".":
                yield token.start[0], token.start[1], depth > 0
        if token.type == tokenize.OP:
            depth += (token.string in "([{") - (token.string in ")]}")
        usable = token.type in (tokenize.NAME, tokenize.NUMBER, tokenize.OP) and token.string not in ("@", "->")
        before = token if usable else None


def code(text: str) -> str:
    """What a text says, whatever its layout."""
    return ast.dump(ast.parse(text))
