"""What one repair has asked for so far, and what it takes away."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import field

from gradlint.fix.layout import Cut, Layout, Refused
from gradlint.model.record import dataclass


def _alone(_module: int) -> Layout:
    """The layout of another file, for what has none beside it.

    Raises:
        Refused: always.
    """
    raise Refused("the repair leans on another file")


@dataclass(slots=True)
class Work:
    """What one repair has asked for so far, in one file.

    `module` is the number of the file among those of its program, `beside` gives the layouts of the `others`: places
    with a module of their own are there. Functions are `lent` what they get a new parameter for.
    """

    layout: Layout
    module: int = 0
    beside: Callable[[int], Layout] = _alone
    others: tuple[int, ...] = ()
    cuts: list[Cut] = field(default_factory=list)
    removed: list[ast.stmt] = field(default_factory=list)
    context: str | None = None
    lent: dict[ast.AST, str] = field(default_factory=dict)

    def layouts(self) -> Iterator[Layout]:
        """How the files that run together are laid out, this one first."""
        yield self.layout
        yield from map(self.beside, self.others)

    def indent(self, node: ast.stmt) -> str:
        """The margin of a statement."""
        return self.layout.indent(node)


def removals(work: Work) -> list[Cut]:
    """The cuts for everything that goes away; a suite is never left empty."""
    layout = work.layout
    gone = list(dict.fromkeys(work.removed))
    cuts: list[Cut] = []
    for node in list(gone):
        if node not in gone:
            continue
        suite = layout.suite(node)
        if any(one not in gone for one in suite):
            continue
        owner = layout.owner(node)
        lonely = (
            isinstance(owner, ast.If)
            and not owner.orelse
            and not any(isinstance(part, (ast.Call, ast.NamedExpr)) for part in ast.walk(owner.test))
        )
        if lonely and isinstance(owner, ast.If) and suite is owner.body and layout.field(owner) != "orelse":
            gone = [one for one in gone if one not in suite] + [owner]
        else:
            otherwise = isinstance(owner, ast.If) and owner.orelse and suite is owner.body
            cuts.append(_passing(layout, node) if otherwise else _clause(layout, node, owner))
            gone = [one for one in gone if one not in suite]
    return cuts + [layout.remove([node]) for node in gone]


def _passing(layout: Layout, node: ast.stmt) -> Cut:
    """The cut that leaves nothing to do on one way, where there is another: `if flag: pass`, `else: ...`."""
    layout.alone(node)
    first, last = layout.rows(layout.suite(node))
    return Cut(layout.starts[first - 1], layout.starts[last], f"{layout.indent(node)}pass{layout.newline}")


def _clause(layout: Layout, node: ast.stmt, owner: ast.AST) -> Cut:
    """The cut that takes an `else:` or `finally:` away with all that it holds."""
    word = {"orelse": "else", "finalbody": "finally"}.get(layout.field(node), "")
    needed = isinstance(owner, ast.Try) and (word == "finally" and not owner.handlers)
    suite = layout.suite(node)
    first, last = layout.rows(suite)
    row = first - 1
    while row > 0 and not layout.lines[row - 1].strip():
        row -= 1
    if not word or needed or not layout.lines[row - 1].strip().startswith(f"{word}:"):
        raise Refused("nothing would be left in its block")
    return Cut(layout.starts[row - 1], layout.starts[last], "")
