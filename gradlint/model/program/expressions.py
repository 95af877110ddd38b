"""The expressions of the dry run's language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

from gradlint.model.effects import Effect, Gate
from gradlint.model.finding import Span
from gradlint.model.record import record
from gradlint.model.roles import Role

if TYPE_CHECKING:
    from gradlint.model.program.statements import For
    from gradlint.model.program.whole import Function


@record()
class Const:
    """A number, string, `True`, `False` or `None`."""

    value: bool | int | float | str | None


@record()
class Read:
    """A variable; `hint` is the role its name suggests, `qualified` what an import made it."""

    name: str
    hint: Role | None = None
    qualified: str | None = None


@record()
class Attr:
    """`base.name`."""

    base: Expr
    name: str
    hint: Role | None = None
    qualified: str | None = None


@record()
class Item:
    """`base[index]`; `hint` is the role that a name as index suggests, where the item is used like that."""

    base: Expr
    index: Expr
    hint: Role | None = None


@record()
class Call:
    """A call.

    `effect` is what the callee means by its qualified name; `methods` what it means as a method,
    by the receiver's role; `text` is the source, on one line.
    """

    func: Expr
    args: tuple[Expr, ...]
    keywords: tuple[tuple[str | None, Expr], ...]
    span: Span
    text: str
    effect: Effect | None = None
    methods: Mapping[Role, Effect] | None = None
    gates: Gate = Gate.NOTHING


@record()
class Arith:
    """A binary operation with its operator as text."""

    op: str
    left: Expr
    right: Expr


@record()
class Test:
    """One comparison with its operator as text."""

    op: str
    left: Expr
    right: Expr


@record()
class Logic:
    """`and` / `or`."""

    op: str
    parts: tuple[Expr, ...]


@record()
class Not:
    """`not x`."""

    value: Expr


@record()
class Choose:
    """`then if test else other`."""

    test: Expr
    then: Expr
    other: Expr


@record()
class Display:
    """A tuple, list or set of values."""

    kind: str
    items: tuple[Expr, ...]


@record()
class Dictionary:
    """A dictionary display; a `None` key is `**other`."""

    items: tuple[tuple[Expr | None, Expr], ...]


@record()
class Comprehension:
    """A list, set, dictionary or generator comprehension over one iterable.

    The element of a dictionary's is a pair. A `flat` one has one as its element, and holds what all of these hold.
    `loop` is the loop it hides when its element trains. `picks` are the tests that take some parameters and leave
    others, by name or shape.
    """

    kind: str
    element: Expr
    target: Target
    iterable: Expr
    conditions: tuple[Expr, ...]
    loop: For | None = None
    flat: bool = False
    picks: str = ""


@record()
class Closure:
    """A lambda or a nested function as a value."""

    function: Function


@record()
class Star:
    """`*value` in a call or display."""

    value: Expr


@record()
class Bind:
    """`name := value`."""

    name: str
    value: Expr


@record()
class Told:
    """A variable, attribute or item of which somebody has told what it is.

    It has that `role` (and is wrapped in `wrapper`), stands for a `number`, or is a `window`; `name` is how the source
    spells it.
    """

    value: Read | Attr | Item
    name: str
    role: Role | None = None
    wrapper: str = ""
    number: int | None = None
    window: bool = False


@record()
class Opaque:
    """Anything else; `parts` are evaluated for what they do."""

    text: str
    parts: tuple[Expr, ...] = ()


Expr: TypeAlias = (
    Const
    | Read
    | Attr
    | Item
    | Call
    | Arith
    | Test
    | Logic
    | Not
    | Choose
    | Display
    | Dictionary
    | Comprehension
    | Closure
    | Star
    | Bind
    | Told
    | Opaque
)

Target: TypeAlias = Read | Attr | Item | Display | Star | Opaque
