"""Source text in, syntax tree out, with errors a person can act on.

The tree is Python's own `ast`, which parses ten times faster than anything else and carries
positions. Where the running Python is older than the source (a `type` statement read by 3.10),
`gradlint.syntax.from_libcst` reads the same tree through LibCST, which knows every grammar.
"""

from __future__ import annotations

import ast
import io
import tokenize
from functools import lru_cache
from pathlib import Path

from gradlint.model.finding import Span
from gradlint.model.limits import MAX_BYTES
from gradlint.syntax.quiet import quiet

BOM = "\ufeff"
KEPT = 8
"""Trees that are remembered: a text is read by those who judge it, repair it and ask whether a repair is safe."""
MAX_NOTEBOOK = 64_000_000
"""Notebooks hold pictures beside their code."""


class SourceError(Exception):
    """A file that cannot be read or parsed; `message` says where, why and what to do."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class DepthError(SourceError):
    """Source that nests deeper than the running Python can read; it may well be valid."""


def encoding_of(data: bytes) -> str:
    """The encoding of a file's bytes, by its BOM (`utf-8-sig`) or PEP 263 comment, else UTF-8.

    Raises:
        SourceError: the encoding is unknown, or BOM and comment contradict each other.
    """
    try:
        return tokenize.detect_encoding(io.BytesIO(data).readline)[0]
    except SyntaxError as error:
        if not isinstance(error.__context__, UnicodeDecodeError):
            raise SourceError(f"cannot be decoded: {error.msg}; save the file as UTF-8") from None
        return "utf-8"  # the first two lines hold a byte that is not; decoding says which


def decode(data: bytes) -> str:
    """The text of a file's bytes.

    Raises:
        SourceError: the bytes are not text in their encoding, or the encoding is unknown.
    """
    encoding = encoding_of(data)
    try:
        return data.decode(encoding)
    except (UnicodeError, LookupError) as error:
        place = f" at byte {error.start}" if isinstance(error, UnicodeDecodeError) else ""
        message = f"cannot be decoded as {encoding}{place}; save it as UTF-8 or name its encoding"
        raise SourceError(message + " in the first line (# -*- coding: ... -*-)") from None


def read_text(path: Path) -> str:
    """The text of a Python file.

    Raises:
        SourceError: the file cannot be opened, is too large, or is not text.
    """
    return decode(read_bytes(path))


def read_bytes(path: Path) -> bytes:
    """The bytes of a Python file or notebook.

    Raises:
        SourceError: the file cannot be opened, or is too large.
    """
    most = MAX_NOTEBOOK if path.name.lower().endswith(".ipynb") else MAX_BYTES
    try:
        data = path.read_bytes()
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror or error}") from None
    if len(data) > most:
        raise SourceError(f"is {len(data):,} bytes long; files over {most:,} are not checked")
    return data


@lru_cache(maxsize=KEPT)
def tree_of(text: str) -> ast.Module:
    """The syntax tree of `text`, shared with all others who ask, so that nobody may change it: see `parse`."""
    return parse(text)


def parse(text: str) -> ast.Module:
    """A syntax tree of `text` of its own; a byte order mark before it counts as nothing.

    Raises:
        SourceError: it is not Python 3, or nests deeper than Python itself can read.
    """
    try:
        with quiet():
            return ast.parse(text.removeprefix(BOM))
    except SyntaxError as error:
        from gradlint.syntax.from_libcst import parse_newer

        tree = parse_newer(text.removeprefix(BOM))
        if tree is not None:
            return tree
        raise SourceError(_syntax_message(error)) from None
    except ValueError as error:
        raise SourceError(f"is not Python source: {error}") from None
    except (RecursionError, MemoryError):
        raise DepthError("nests too deeply to be read; split the expression") from None


def split_lines(text: str) -> list[str]:
    """The lines of a text with their ends, as Python counts them.

    Only a line feed, a carriage return, or both together end a line; `str.splitlines` would count a
    form feed or a Unicode separator within a string, too.
    """
    return list(io.StringIO(text, newline=""))


def _syntax_message(error: SyntaxError) -> str:
    place = f" at line {error.lineno}" if error.lineno else ""
    text = (error.msg or "invalid syntax").rstrip(".")
    if "print" in text or "Missing parentheses" in text or "exec" in text:
        text += " (Python 2 is not supported)"
    return f"cannot be parsed{place}: {text}"


def _on_one_line(node: ast.AST, rows: list[str]) -> str:
    """The text of a node that takes several rows, without comments and backslashes."""
    try:
        return ast.unparse(node)
    except RecursionError:
        return " ".join("".join(rows).split())


class Places:
    """Turns positions of syntax nodes into `Span`s, and nodes into their text."""

    def __init__(self, text: str, module: int = 0) -> None:
        text = text.removeprefix(BOM)
        self.module = module
        self.lines = split_lines(text)
        self._ascii = text.isascii()

    def _column(self, row: int, offset: int) -> int:
        if self._ascii or row > len(self.lines):
            return offset + 1
        line = self.lines[row - 1]
        return offset + 1 if line.isascii() else len(line.encode()[:offset].decode(errors="replace")) + 1

    def span(self, node: ast.stmt | ast.expr) -> Span:
        """The node's span, 1-based, in characters."""
        end_row = node.end_lineno or node.lineno
        if self._ascii:
            end = (node.end_col_offset or node.col_offset) + 1
            return Span(node.lineno, node.col_offset + 1, end_row, end, self.module)
        return Span(
            node.lineno,
            self._column(node.lineno, node.col_offset),
            end_row,
            self._column(end_row, node.end_col_offset or node.col_offset),
            self.module,
        )

    def text(self, node: ast.stmt | ast.expr, limit: int = 400) -> str:
        """The node's source on one line, cut after `limit` characters."""
        if self._ascii and node.lineno == node.end_lineno:
            piece = self.lines[node.lineno - 1][node.col_offset : node.end_col_offset]
            return piece if len(piece) <= limit else piece[: limit - 1] + "…"
        span = self.span(node)
        if span.row == span.end_row:
            piece = self.lines[span.row - 1][span.column - 1 : span.end_column - 1]
        else:
            rows = self.lines[span.row - 1 : span.end_row]
            rows[-1] = rows[-1][: span.end_column - 1]
            rows[0] = rows[0][span.column - 1 :]
            piece = _on_one_line(node, rows)
        return piece if len(piece) <= limit else piece[: limit - 1] + "…"
