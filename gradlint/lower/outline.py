"""The outline of a file: its statements, and which of them hold a word.

A syntax tree has about ten expressions for each statement, and walking them all costs more than parsing.
So a file's statements are listed once, its text is searched for the words that matter, and only
statements on whose rows a word stands are looked into.

    text ──search──► rows ─┐
    tree ──────────► statements ──► the few that hold a word ──► their expressions
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from gradlint.syntax.nodes import children, walk

FunctionNode: TypeAlias = "ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda"

_SUITES: dict[type[ast.AST], tuple[str, ...]] = {
    ast.Module: ("body",),
    ast.FunctionDef: ("body",),
    ast.AsyncFunctionDef: ("body",),
    ast.ClassDef: ("body",),
    ast.If: ("body", "orelse"),
    ast.For: ("body", "orelse"),
    ast.AsyncFor: ("body", "orelse"),
    ast.While: ("body", "orelse"),
    ast.With: ("body",),
    ast.AsyncWith: ("body",),
    ast.Try: ("body", "handlers", "orelse", "finalbody"),
    ast.ExceptHandler: ("body",),
    ast.Match: ("cases",),
    ast.match_case: ("body",),
}
if hasattr(ast, "TryStar"):
    _SUITES[ast.TryStar] = _SUITES[ast.Try]


class Outline:
    """The statements of one file.

    Attributes:
        nodes: Every statement, handler and case, outer ones first, as `ast.walk` would list them.
        data: The text, with a line feed at the end of each row.
    """

    def __init__(self, tree: ast.Module, text: str) -> None:
        self.nodes: list[ast.AST] = [tree]
        plain = text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
        self.data = plain.encode("utf-8", "surrogatepass")
        for node in self.nodes:  # the list grows as it is read
            for name in _SUITES.get(type(node), ()):
                self.nodes += getattr(node, name)

    def functions(self) -> list[tuple[str | None, FunctionNode]]:
        """(class or None, function) for every function of the file, nested ones too."""
        owners: dict[ast.AST, str | None] = {self.nodes[0]: None}
        found: list[tuple[str | None, FunctionNode]] = []
        for node in self.nodes:
            owner = owners[node]
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                found.append((owner, node))
                owner = None
            elif isinstance(node, ast.ClassDef):
                owner = node.name
            for name in _SUITES.get(type(node), ()):
                owners.update(dict.fromkeys(getattr(node, name), owner))
        return found

    def rows(self, offsets: Iterable[int]) -> list[int]:
        """The rows of some bytes of `data`, in order, each once."""
        found: list[int] = []
        row, last = 1, 0
        for offset in sorted(offsets):
            row += self.data.count(b"\n", last, offset)
            last = offset
            if not found or found[-1] != row:
                found.append(row)
        return found

    def holding(self, words: re.Pattern[bytes]) -> Iterator[ast.AST]:
        """All nodes of the statements on whose own rows one of `words` stands; of a suite's owner only the head."""
        yield from self.within(self.rows(match.end() for match in words.finditer(self.data)))

    def naming(self, *words: re.Pattern[bytes]) -> Iterator[ast.AST]:
        """The same for whole words: patterns do not say that they begin one, which would have each byte tried."""
        data = self.data
        found = (match for pattern in words for match in pattern.finditer(data))
        yield from self.within(self.rows(match.end() for match in found if not _goes_on(data, match.start())))

    def within(self, rows: list[int]) -> Iterator[ast.AST]:
        """The same for statements on some rows, which are in order."""
        if not rows:
            return
        for node in self.nodes:
            suites = _SUITES.get(type(node))
            if suites is None:
                if between(rows, *_extent(node)):
                    yield from walk(node)
            elif between(rows, *_head(node, suites)):
                for child in children(node):
                    if not isinstance(child, (ast.stmt, ast.excepthandler, ast.match_case)):
                        yield from walk(child)


def _goes_on(data: bytes, at: int) -> bool:
    """Whether a byte stands within a word."""
    return at > 0 and data[at] in _WORD and data[at - 1] in _WORD


_WORD = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")


def own(body: Sequence[ast.stmt]) -> Iterator[ast.AST]:
    """Some statements and those inside them, save what stands in a function or a class."""
    nodes: list[ast.AST] = list(body)
    for node in nodes:
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            for name in _SUITES.get(type(node), ()):
                nodes += getattr(node, name)


def targets(body: Sequence[ast.stmt]) -> frozenset[str]:
    """The attributes of `self` that some statements, and those inside them, may set."""
    found: set[str] = set()
    nodes: list[ast.AST] = list(body)
    for node in nodes:
        for name in _SUITES.get(type(node), ()):
            nodes += getattr(node, name)
        places = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        found.update(place.attr for place in places if isinstance(place, ast.Attribute))
    return frozenset(found)


def between(rows: list[int], first: int, last: int) -> bool:
    """Whether one of `rows`, which are in order, is from `first` to `last`."""
    at = bisect_left(rows, first)
    return at < len(rows) and rows[at] <= last


def extent(node: FunctionNode | ast.ClassDef) -> tuple[int, int]:
    """First and last row, decorators included."""
    first, last = _extent(node)
    decorators: Iterable[ast.expr] = getattr(node, "decorator_list", ())
    return min([first, *(item.lineno for item in decorators)]), last


def _extent(node: ast.AST) -> tuple[int, int]:
    first: int = getattr(node, "lineno", 1)
    last: int | None = getattr(node, "end_lineno", None)
    return first, first if last is None else last


def _head(node: ast.AST, suites: tuple[str, ...]) -> tuple[int, int]:
    """The rows before a suite; a little more is no harm."""
    inner = getattr(node, suites[0])
    if isinstance(node, (ast.Module, ast.Try)) or not inner:
        return 1, 0
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return extent(node)[0], inner[0].lineno
    if isinstance(node, ast.match_case):
        return node.pattern.lineno, inner[0].lineno
    return _extent(node)[0], inner[0].pattern.lineno if isinstance(node, ast.Match) else inner[0].lineno
