"""Where nodes of LibCST stand, in the coordinates of `ast`."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import TypedDict

import libcst as cst
from libcst.metadata import ByteSpanPositionProvider, MetadataWrapper

_NEWLINE = re.compile(rb"\r\n?|\n")
_SEMICOLON = re.compile(rb"[ \t\f]*;")


class Place(TypedDict):
    """The position of a node: rows from 1, columns in bytes of UTF-8 from 0."""

    lineno: int
    col_offset: int
    end_lineno: int
    end_col_offset: int


class Places:
    """The places of all nodes of a module.

    `of` leaves out the parentheses around a node, as Python does; `start` and `end` include them.
    """

    def __init__(self, module: cst.Module) -> None:
        wrapper = MetadataWrapper(module, unsafe_skip_copy=True)
        self._spans = wrapper.resolve(ByteSpanPositionProvider)
        self._code = module.code.encode()
        self._rows = [0, *(newline.end() for newline in _NEWLINE.finditer(self._code))]

    def of(self, node: cst.CSTNode) -> Place:
        """A node without the parentheses around it."""
        return self.between(*self.span(node))

    def block(self, node: cst.CSTNode) -> Place:
        """A compound statement or clause, to which the last semicolon of its body belongs."""
        start, end = self.span(node)
        semicolon = _SEMICOLON.match(self._code, end)
        return self.between(start, semicolon.end() if semicolon else end)

    def items(self, nodes: Sequence[cst.CSTNode]) -> Place:
        """From the first item to the last, with the comma behind it."""
        comma = getattr(nodes[-1], "comma", None)
        last = comma if isinstance(comma, cst.Comma) else nodes[-1]
        return self.between(self.start(nodes[0]), self.end(last))

    def parentheses(self, node: cst.BaseExpression | cst.MatchPattern) -> Place:
        """The innermost parentheses around a node."""
        return self.between(self.start(node.lpar[-1]), self.end(node.rpar[0]))

    def between(self, start: int, end: int) -> Place:
        """A stretch of bytes."""
        row, end_row = bisect_right(self._rows, start), bisect_right(self._rows, end)
        return {
            "lineno": row,
            "col_offset": start - self._rows[row - 1],
            "end_lineno": end_row,
            "end_col_offset": end - self._rows[end_row - 1],
        }

    def start(self, node: cst.CSTNode) -> int:
        """The first byte of a node and the parentheses around it."""
        opening = getattr(node, "lpar", ())
        return self.span(opening[0] if opening else node)[0]

    def end(self, node: cst.CSTNode) -> int:
        """The byte after a node and the parentheses around it, or after a token's one character."""
        if isinstance(node, cst.SubscriptElement):
            return self.end(node.slice)
        if isinstance(node, cst.Slice):
            parts = (node.first_colon, node.upper, node.second_colon, node.step)
            return self.end([part for part in parts if isinstance(part, cst.CSTNode)][-1])
        closing = getattr(node, "rpar", ())
        last = closing[-1] if closing else node
        if isinstance(last, (cst.Comma, cst.Colon, cst.RightParen)):
            return self.span(last.whitespace_before)[1] + 1
        return self.span(last)[1]

    def span(self, node: cst.CSTNode) -> tuple[int, int]:
        """The first byte of a node and the one after it, without the parentheses around it."""
        span = self._spans[node]
        return span.start, span.start + span.length
