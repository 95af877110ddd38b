"""How a text is laid out: statements, the suites that hold them, the lines and comments that are theirs.

A statement goes with the comment above it, and is moved, deleted and re-indented as a block of lines:

    with scope:                    owner
        # keep it small            ┐ one statement
        clip(params, 1.0)  # ok    ┘
        step(); zero()             crowded: spread over two lines first
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

from gradlint.model.finding import Span
from gradlint.model.once import cached_property
from gradlint.model.record import dataclass
from gradlint.syntax.nodes import children, walk
from gradlint.syntax.source import BOM, Places, tree_of

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+\Z")
_SUITES = ("body", "orelse", "finalbody", "handlers", "cases")
_FIRST = re.compile(r"#!|[ \t\f]*#.*?coding[:=]")
"""What the first two lines may hold that is about the file, and nothing may be put before."""

_GOES_ON = re.compile(r"\"{3}|'{3}|\\(?:\r|\n)")
"""What lets a string go on in the next row."""

_BLANK = re.compile(r"\s*\Z")


class Refused(Exception):
    """An edit that cannot be carried out here; the message says why."""


class Crowded(Refused):
    """A statement that shares its line with another, or with its guard: the line has to be spread first."""

    def __init__(self, statement: ast.stmt) -> None:
        super().__init__("two statements share a line")
        self.statement = statement


@dataclass(frozen=True, slots=True)
class Cut:
    """Replace the characters from `start` up to `end` by `content`."""

    start: int
    end: int
    content: str


class Layout:
    """A text with its statements.

    Raises:
        SourceError: the text does not parse.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.tree = tree_of(text)
        mark = len(text) - len(text.removeprefix(BOM))
        self.lines = _LINE.findall(text[mark:])
        self.starts = [mark]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line))
        self._places = Places(text)
        self.newline = newline_of(self.lines)
        self._preamble = max([row for row, line in enumerate(self.lines[:2], 1) if _FIRST.match(line)], default=0)
        self._above: dict[ast.stmt, tuple[ast.AST, str]] = {}
        self._nodes = walk(self.tree)
        self._statements = [node for node in self._nodes if isinstance(node, ast.stmt)]
        for node in self._nodes:
            for field in () if isinstance(node, ast.expr) else _SUITES:
                held = getattr(node, field, None)
                for child in held if isinstance(held, list) else ():
                    if isinstance(child, ast.stmt):
                        self._above[child] = (node, field)

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """What each node stands in."""
        return {child: node for node in self._nodes for child in children(node)}

    @cached_property
    def functions(self) -> dict[str, list[ast.FunctionDef | ast.AsyncFunctionDef]]:
        """All functions and methods, by their names."""
        found: dict[str, list[ast.FunctionDef | ast.AsyncFunctionDef]] = {}
        for node in self._statements:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                found.setdefault(node.name, []).append(node)
        return found

    # ------------------------------------------------------------------ finding things

    def span(self, node: ast.stmt | ast.expr) -> Span:
        """The node's place."""
        return self._places.span(node)

    def code(self, node: ast.stmt | ast.expr) -> str:
        """The node's source as it stands there."""
        return self.text[self.start(node) : self.end(node)]

    def start(self, node: ast.stmt | ast.expr) -> int:
        """Offset of the first character, decorators included."""
        decorators = getattr(node, "decorator_list", [])
        if decorators:
            row: int = min(one.lineno for one in decorators)
            return int(self.starts[row - 1] + len(self._margin(row)))
        span = self.span(node)
        return self.starts[span.row - 1] + span.column - 1

    def end(self, node: ast.stmt | ast.expr) -> int:
        """Offset behind the last character."""
        span = self.span(node)
        return self.starts[span.end_row - 1] + span.end_column - 1

    def located_end(self, node: ast.arg) -> int:
        """Offset behind a parameter, with its annotation."""
        at = self.starts[(node.end_lineno or node.lineno) - 1]
        line = self.lines[(node.end_lineno or node.lineno) - 1]
        return at + len(line.encode()[: node.end_col_offset].decode())

    def statements(self) -> Sequence[ast.stmt]:
        """All statements, outer before inner."""
        return self._statements

    def statement(self, span: Span) -> ast.stmt:
        """The innermost statement around a place.

        Raises:
            Refused: there is none.
            Crowded: it is a guard as well, and the place is a part of it.
        """
        best: ast.stmt | None = None
        for node in self.statements():
            if _around(self.span(node), span) and (best is None or _around(self.span(best), self.span(node))):
                best = node
        if best is None:
            raise Refused("the place is in no statement")
        if stands_for_guard(best) and self.span(best) != span:
            raise Crowded(best)
        return best

    def simple(self, span: Span) -> ast.stmt:
        """The statement that holds an expression and nothing but expressions.

        Raises:
            Refused: the expression stands in the header of a compound statement.
        """
        node = self.statement(span)
        if self.span(node) == span:
            return node
        if suites(node) or isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            raise Refused("it stands in the header of a statement")
        return node

    def expression(self, span: Span) -> ast.expr:
        """The expression that fills a place exactly.

        Raises:
            Refused: there is none.
        """
        for node in walk(self.tree):
            if isinstance(node, ast.expr) and node.lineno == span.row and self.span(node) == span:
                return node
        raise Refused("the place holds no whole expression")

    def owner(self, node: ast.stmt) -> ast.AST:
        """The statement, handler, case or module that a statement stands in."""
        return self._above[node][0]

    def suite(self, node: ast.stmt) -> list[ast.stmt]:
        """A statement with its neighbours."""
        owner, field = self._above[node]
        found: list[ast.stmt] = getattr(owner, field)
        return found

    def field(self, node: ast.stmt) -> str:
        """Which suite of its owner a statement stands in."""
        return self._above[node][1]

    def owners(self, node: ast.AST) -> Iterator[ast.AST]:
        """What a statement stands in, innermost first."""
        current = self.parents.get(node)
        while current is not None:
            yield current
            current = self.parents.get(current)

    def function(self, node: ast.AST) -> ast.AST:
        """The function around a node, or the module."""
        for owner in self.owners(node):
            if isinstance(owner, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.Module)):
                return owner
        return self.tree

    # ------------------------------------------------------------------ lines

    def _margin(self, row: int) -> str:
        line: str = self.lines[row - 1]
        return line[: len(line) - len(line.lstrip(" \t\f"))]

    def indent(self, node: ast.stmt) -> str:
        """The white space before a statement that has its line to itself.

        Raises:
            Crowded: it has not.
        """
        self.alone(node)
        return self._margin(self.first_row(node, comments=False))

    def alone(self, node: ast.stmt) -> None:
        """Nothing.

        Raises:
            Crowded: something else stands on the statement's lines.
        """
        before = self.text[self.starts[self.first_row(node, comments=False) - 1] : self.start(node)]
        end = self.span(node).end_row
        after = self.text[self.end(node) : self.starts[end]].strip()
        if before.strip() or (after and not after.startswith("#")):
            raise Crowded(node)

    def first_row(self, node: ast.stmt, *, comments: bool = True) -> int:
        """The first row of a statement, or of the comment above it."""
        row: int = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", []))])
        if not comments:
            return row
        index = self.suite(node).index(node)
        limit = self.span(self.suite(node)[index - 1]).end_row if index else self._header_row(node)
        margin = self._margin(row)
        limit = max(limit, self._preamble)
        while row - 1 > limit and self.lines[row - 2].startswith(margin + "#"):
            row -= 1
        return row

    def _header_row(self, node: ast.stmt) -> int:
        """The last row before a suite that cannot be a comment of its first statement."""
        owner = self.owner(node)
        return int(getattr(owner, "lineno", 0))

    def rows(self, nodes: Sequence[ast.stmt], *, comments: bool = True) -> tuple[int, int]:
        """First and last row of neighbouring statements, comments included."""
        for node in nodes:
            self.alone(node)
        return self.first_row(nodes[0], comments=comments), self.span(nodes[-1]).end_row

    def block(self, nodes: Sequence[ast.stmt], margin: str, *, comments: bool = True) -> str:
        """The lines of neighbouring statements, as they read behind another margin."""
        first, last = self.rows(nodes, comments=comments)
        own = self.indent(nodes[0])
        fixed = self._inside_texts(nodes)
        out: list[str] = []
        for row in range(first, last + 1):
            line = self.lines[row - 1]
            movable = row not in fixed and line.startswith(own) and not _BLANK.match(line)
            out.append(margin + line[len(own) :] if movable else line)
        if not out[-1].endswith(("\n", "\r")):
            out[-1] += self.newline
        return "".join(out)

    def _inside_texts(self, nodes: Sequence[ast.stmt]) -> set[int]:
        """Rows that begin inside a string, where white space counts; not those of strings put side by side."""
        rows: set[int] = set()
        for node in nodes:
            for part in walk(node):
                if not isinstance(part, (ast.JoinedStr, ast.Constant)) or not part.end_lineno:
                    continue
                if part.end_lineno > part.lineno and _GOES_ON.search(self.code(part)):
                    rows.update(range(part.lineno + 1, part.end_lineno + 1))
        return rows

    # ------------------------------------------------------------------ cuts

    def remove(self, nodes: Sequence[ast.stmt]) -> Cut:
        """The cut that takes neighbouring statements away, with one of two blank lines around them."""
        first, last = self.rows(nodes)
        blank_before = first > 1 and _BLANK.match(self.lines[first - 2]) is not None
        blank_after = last < len(self.lines) and _BLANK.match(self.lines[last]) is not None
        ends = self.suite(nodes[-1])[-1] is nodes[-1]
        if blank_before and (blank_after or ends) and self.suite(nodes[0])[0] is not nodes[0]:
            first -= 1
        return Cut(self.starts[first - 1], self.starts[last], "")

    def before(self, node: ast.stmt, block: str) -> Cut:
        """The cut that puts lines before a statement and its comment."""
        self.alone(node)
        at = self.starts[self.first_row(node) - 1]
        return Cut(at, at, block)

    def after(self, node: ast.stmt, block: str) -> Cut:
        """The cut that puts lines after a statement."""
        self.alone(node)
        row = self.span(node).end_row
        line = self.lines[row - 1]
        if line.endswith(("\n", "\r")):
            return Cut(self.starts[row], self.starts[row], block)
        return Cut(self.starts[row], self.starts[row], self.newline + block.rstrip("\r\n"))

    def over(self, node: ast.expr, code: str) -> Cut:
        """The cut that replaces an expression."""
        return Cut(self.start(node), self.end(node), code)

    def unit(self) -> str:
        """One level of indentation, as this text uses it."""
        for node in self.statements():
            owner = self._above.get(node)
            if owner is None or not isinstance(owner[0], ast.stmt) or self.suite(node)[0] is not node:
                continue
            inner, outer = self._margin(node.lineno), self._margin(owner[0].lineno)
            if inner.startswith(outer) and len(inner) > len(outer):
                return inner[len(outer) :]
        return "    "

    def spread(self, node: ast.stmt) -> str:
        """The text with a crowded line on lines of its own.

        Raises:
            Refused: what shares the line is no statement.
        """
        suite = self.suite(node)
        owner = self.owner(node)
        inline = isinstance(owner, (ast.stmt, ast.excepthandler, ast.match_case)) and self._on_header(suite[0])
        row = self._row_of_header(suite[0]) if inline else suite[0].lineno
        margin = self._margin(row) + (self.unit() if inline else "")
        rows = range(node.lineno, self.span(node).end_row + 1)
        cuts: list[Cut] = []
        for before, one in zip([None, *suite], suite, strict=False):
            start = self.end(before) if before is not None else self.starts[one.lineno - 1]
            gap = self.text[start : self.start(one)]
            if before is None and inline:
                colon = gap.rstrip()
                if not colon.endswith(":"):
                    raise Refused("the line cannot be split")
                cuts.append(Cut(start + len(colon), self.start(one), self.newline + margin))
            elif before is not None and gap.strip() == ";" and before.end_lineno == one.lineno in rows:
                cuts.append(Cut(start, self.start(one), self.newline + margin))
        for one in suite:
            rest = self.text[self.end(one) : self.starts[self.span(one).end_row]].strip()
            if one.end_lineno in rows and rest.startswith(";") and rest[1:].strip()[:1] in ("", "#"):
                at = self.text.index(";", self.end(one))
                cuts.append(Cut(self.end(one), at + 1, ""))
        if not cuts:
            raise Refused("the line cannot be split")
        return carry_out(self.text, cuts)

    def _on_header(self, node: ast.stmt) -> bool:
        return bool(self.text[self.starts[node.lineno - 1] : self.start(node)].strip())

    def _row_of_header(self, node: ast.stmt) -> int:
        owner, field = self._above[node]
        return node.lineno if field != "body" else int(getattr(owner, "lineno", node.lineno))


def newline_of(lines: Sequence[str]) -> str:
    """How most lines end."""
    ends = Counter(line[len(line.rstrip("\r\n")) :] for line in lines)
    del ends[""]
    return ends.most_common(1)[0][0] if ends else "\n"


def stands_for_guard(node: ast.stmt) -> bool:
    """`last and step()`, `step() if last else None`."""
    return isinstance(node, ast.Expr) and isinstance(node.value, (ast.BoolOp, ast.IfExp))


@lru_cache(maxsize=8)
def layout_of(text: str) -> Layout:
    """The layout of a text; each of its repairs asks for it.

    Raises:
        SourceError: the text does not parse.
    """
    return Layout(text)


def suites(node: ast.AST) -> list[list[ast.stmt]]:
    """The suites of a compound statement."""
    return [found for field in _SUITES if isinstance(found := getattr(node, field, None), list) and found]


def carry_out(text: str, cuts: Sequence[Cut]) -> str:
    """The text after all cuts.

    Raises:
        Refused: two of them overlap.
    """
    at = 0
    out: list[str] = []
    for _, cut in sorted(enumerate(cuts), key=lambda item: (item[1].start, item[1].end, item[0])):
        if cut.start < at:
            raise Refused("two edits overlap")
        out += [text[at : cut.start], cut.content]
        at = cut.end
    return "".join([*out, text[at:]])


def _around(outer: Span, inner: Span) -> bool:
    return (outer.row, outer.column) <= (inner.row, inner.column) and (inner.end_row, inner.end_column) <= (
        outer.end_row,
        outer.end_column,
    )
