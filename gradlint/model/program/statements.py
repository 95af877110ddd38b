"""The statements of the dry run's language."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, TypeAlias

from gradlint.model.effects import Gate
from gradlint.model.finding import Span
from gradlint.model.members import at_hand
from gradlint.model.program.expressions import Call, Expr, Target
from gradlint.model.record import record

if TYPE_CHECKING:
    from gradlint.model.program.whole import Class, Function


@record()
class Assign:
    """`target = value` (one target; a chain is several statements)."""

    target: Target
    value: Expr
    span: Span
    gates: Gate


@record()
class Augment:
    """`target op= value`."""

    target: Target
    op: str
    value: Expr
    span: Span
    gates: Gate


@record()
class Do:
    """An expression as a statement; `meant` is the call that one which only names a method may have been."""

    value: Expr
    span: Span
    gates: Gate
    meant: Call | None = None


@record()
class If:
    """A guard; `text` is its source on one line."""

    test: Expr
    then: tuple[Stmt, ...]
    other: tuple[Stmt, ...]
    span: Span
    text: str
    gates: Gate
    then_gates: Gate
    other_gates: Gate


@at_hand
class LoopKind(Enum):
    """What one iteration of a loop is."""

    EPOCH = "epoch"
    BATCH = "batch"
    MICRO = "micro"
    OTHER = "other"


@record()
class For:
    """A `for` loop. `ident` tells loops apart; `kind` is by what the body does."""

    target: Target
    iterable: Expr
    body: tuple[Stmt, ...]
    other: tuple[Stmt, ...]
    span: Span
    ident: int
    kind: LoopKind
    gates: Gate


@record()
class While:
    """A `while` loop; one that `drains` an iterator ends with it."""

    test: Expr
    body: tuple[Stmt, ...]
    other: tuple[Stmt, ...]
    span: Span
    ident: int
    kind: LoopKind
    gates: Gate
    drains: bool = False


@record()
class With:
    """`with context as target, ...:`."""

    items: tuple[tuple[Expr, Target | None], ...]
    body: tuple[Stmt, ...]
    span: Span
    gates: Gate


@record()
class Try:
    """`try` with its handlers; handlers are not run (the normal path is).

    `ended` is what handles the end of an iterator, which may begin it `again`. `catches` are handlers of exceptions of
    the project's own, each with the last names of these: who raises one goes on there. It
    `handles` any errors, be it those of others.
    """

    body: tuple[Stmt, ...]
    other: tuple[Stmt, ...]
    final: tuple[Stmt, ...]
    span: Span
    gates: Gate
    ended: tuple[Stmt, ...] = ()
    catches: tuple[tuple[frozenset[str], tuple[Stmt, ...]], ...] = ()
    handles: bool = False


@record()
class ParameterLoop:
    """`for p in params: <p.grad is written>`, known by its shape.

    `action` is `zero`, `scale` (multiplied or divided by `factor`), `clip` (each tensor on its
    own), `set` (to what was kept or computed elsewhere), `add` (something from elsewhere to what is there), `move` (set
    from other parameters, whose own are cleared) or `write` (anything else). A `single` one is no loop. One that
    `keeps` them clears no gradient, and puts nothing from elsewhere in the place of one.
    """

    parameters: Expr
    action: str
    factor: Expr | None
    span: Span
    gates: Gate
    single: bool = False
    keeps: bool = False


@record()
class Return:
    """`return value`."""

    value: Expr | None
    span: Span
    gates: Gate = Gate.JUMP


@record()
class Break:
    """`break`."""

    span: Span
    gates: Gate = Gate.JUMP


@record()
class Continue:
    """`continue`."""

    span: Span
    gates: Gate = Gate.JUMP


@record()
class Raise:
    """`raise`, or a call that ends the process; `thrown` is the last name of what is raised."""

    span: Span
    gates: Gate = Gate.JUMP
    thrown: str = ""


@record()
class Define:
    """A function or class statement; `decorated` are the calls of its decorators that may register it."""

    name: str
    value: Function | Class
    span: Span
    decorated: tuple[Call, ...] = ()
    gates: Gate = Gate.NOTHING


@record()
class Delete:
    """`del target`."""

    target: Target
    span: Span
    gates: Gate = Gate.NOTHING


Stmt: TypeAlias = (
    Assign
    | Augment
    | Do
    | If
    | For
    | While
    | With
    | Try
    | ParameterLoop
    | Return
    | Break
    | Continue
    | Raise
    | Define
    | Delete
)
