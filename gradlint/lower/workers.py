"""Workers: the functions that can add to gradients or spend them, by their rows.

    rows with a call that works ──► functions around them ──► rows that call those by name ──► ...

What it says may be too much (a comment counts, and functions of one name are taken for one), never too
little. The gates of a worker say what it really does; nobody asks for those of the others.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType

from gradlint.files.prefilter import spellings
from gradlint.lower.aliases import OWN
from gradlint.lower.outline import FunctionNode, Outline, between, extent
from gradlint.model.custom import current
from gradlint.model.pattern import pattern
from gradlint.model.program import Works

_CALLED = pattern(rb"[\s\\)]*\(")
_OPENS = pattern(rb"\s*[(,)]")
"""Behind a name that is called, or handed over."""


class Work:
    """The workers of a file."""

    def __init__(
        self,
        outline: Outline,
        functions: Iterable[tuple[str | None, FunctionNode]],
        told: Iterable[str] = (),
        aliases: Mapping[str, set[str]] = MappingProxyType({}),
        beyond: Iterable[str] = (),
        handed: Iterable[str] = (),
    ) -> None:
        self._known: dict[ast.AST, tuple[int, int]] = {}
        rest = [(node, extent(node)) for _, node in functions]
        told_of = _uses(outline.data, (*current().tokens, *told))
        elsewhere = (at for at, end in _named(outline.data, beyond) if _OPENS.match(outline.data, end))
        rows = outline.rows((*spellings(outline.data), *told_of, *elsewhere, *_words(outline.data, handed)))
        self._any = bool(rows)
        while rows:
            found = [node for node, rows_of in rest if between(rows, *rows_of)]
            self._known.update((node, rows_of) for node, rows_of in rest if between(rows, *rows_of))
            rest = [(node, rows_of) for node, rows_of in rest if node not in self._known]
            kept = _kept(found, aliases) if rest else []
            calls = (*_calls(outline.data, found), *_uses(outline.data, kept)) if rest and found else ()
            rows = outline.rows(calls)
        self._extents = sorted(self._known.values())

    def of(self, node: FunctionNode | ast.Module) -> Works:
        """What a function, or the module, may do; one around a worker counts as one."""
        if isinstance(node, (ast.Module, ast.Lambda)):
            return Works.ITSELF if self._any else Works.NOT
        if node not in self._known:
            return Works.NOT
        first, last = self._known[node]
        inside = sum(first <= start and end <= last for start, end in self._extents)
        return Works.HOLDS if inside > 1 else Works.ITSELF

    @property
    def names(self) -> frozenset[str]:
        """What the functions are called that can."""
        return frozenset(node.name for node in self._known if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)))


def _kept(found: Iterable[FunctionNode], aliases: Mapping[str, set[str]]) -> list[str]:
    """The names under which some functions are kept, or handed out."""
    names = {node.name for node in found if not isinstance(node, ast.Lambda)}
    kept = (name for name, meant in aliases.items() if any(one.removeprefix(OWN) in names for one in meant))
    return [name.removesuffix("()") for name in kept]


def _calls(data: bytes, found: Iterable[FunctionNode]) -> Iterator[int]:
    """Where some functions are called by name; any call may be one of a network, or of an object that can be called."""
    names = {node.name for node in found if not isinstance(node, ast.Lambda)}
    if not names.isdisjoint(("__call__", "forward")):
        yield from (match.start() for match in re.finditer(rb"\(", data))
        return
    if any(f"{mark}{name}{mark}".encode() in data for name in names for mark in ("'", '"')):
        yield from _uses(data, ("getattr(",))  # it may be looked up by its name
    for at, end in _named(data, names):
        if _CALLED.match(data, end) and not data.endswith(b"def ", 0, at):
            yield at


def _uses(data: bytes, names: Iterable[str]) -> Iterator[int]:
    return (at for at, _ in _named(data, names))


def _words(data: bytes, names: Iterable[str]) -> Iterator[int]:
    """Where names stand that are no part of longer ones, and no attributes."""
    for name in names:
        yield from (
            match.start() for match in re.finditer(rb"(?<![\w.])" + re.escape(name.encode()) + rb"(?!\w)", data)
        )


def _named(data: bytes, names: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Where names begin and end; also inside longer ones."""
    for name in names:
        word = name.encode()
        if name.isascii() and name.isidentifier() and word not in _vocabulary(data):
            continue
        at = data.find(word)
        while at >= 0:
            yield at, at + len(word)
            at = data.find(word, at + len(word))


@lru_cache(maxsize=2)
def _vocabulary(data: bytes) -> bytes:
    """Each word of a text once: a small part of it, in which what does not stand there is missed soon."""
    return b" ".join({*re.findall(rb"\w+", data)})
