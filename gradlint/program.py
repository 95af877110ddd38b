"""The program: a training loop in the small language that the dry run executes.

    source text --lower--> program --dry run--> trail of events --fold--> ledger

The language is Python without everything that cannot matter to a gradient: values are numbers,
losses and objects with a `Role`; statements are assignments, control flow and calls. What a
library call means (`scaler.step` unscales and steps) was looked up while lowering and stands
in the call as an `Effect`, so the dry run knows no library by name.

Everything here is frozen and free of syntax trees; places in the source are `Span`s.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, Flag, auto
from typing import TypeAlias

from gradlint.finding import Span


class Role(Enum):
    """What an object is to the books."""

    OPTIMIZER = "optimizer"
    SCALER = "scaler"
    SCALER_CALLABLE = "scaler callable"
    MODEL = "model"
    SCHEDULER = "scheduler"
    LOADER = "loader"
    SAMPLER = "sampler"
    ACCELERATOR = "accelerator"
    FABRIC = "fabric"
    ENGINE = "engine"
    CRITERION = "criterion"
    EMA = "ema"
    PARAMETERS = "parameters"
    CONTEXT = "context"
    APEX = "apex"
    STACK = "exit stack"
    LIGHTNING = "lightning module"


class Gate(Flag):
    """What a statement (with all it calls in the module) can do to the books."""

    NOTHING = 0
    BACKWARD = auto()
    STEP = auto()
    ZERO = auto()
    CLIP = auto()
    SCALER = auto()
    SCHEDULER = auto()
    SYNC = auto()
    MODE = auto()
    WEIGHT = auto()
    ROLE = auto()
    OPAQUE = auto()
    FORWARD = auto()
    JUMP = auto()
    LOOP_BACKWARD = auto()
    LOOP_STEP = auto()


EVENTS = Gate.BACKWARD | Gate.STEP | Gate.ZERO | Gate.CLIP | Gate.SCALER | Gate.SCHEDULER | Gate.SYNC | Gate.MODE


@dataclass(frozen=True, slots=True)
class Effect:
    """The meaning of one library call: an `action` of the machine and its options."""

    action: str
    options: Mapping[str, object] = field(default_factory=dict)

    def option(self, name: str, default: object = None) -> object:
        """The option of that name, or `default`."""
        return self.options.get(name, default)


# ---------------------------------------------------------------------------- expressions


@dataclass(frozen=True, slots=True)
class Const:
    """A number, string, `True`, `False` or `None`."""

    value: object


@dataclass(frozen=True, slots=True)
class Read:
    """A variable; `hint` is the role its name suggests, `qualified` what an import made it."""

    name: str
    hint: Role | None = None
    qualified: str | None = None


@dataclass(frozen=True, slots=True)
class Attr:
    """`base.name`."""

    base: Expr
    name: str
    hint: Role | None = None
    qualified: str | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """`base[index]`."""

    base: Expr
    index: Expr


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class Arith:
    """A binary operation with its operator as text."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Test:
    """One comparison with its operator as text."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Logic:
    """`and` / `or`."""

    op: str
    parts: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """`not x`."""

    value: Expr


@dataclass(frozen=True, slots=True)
class Choose:
    """`then if test else other`."""

    test: Expr
    then: Expr
    other: Expr


@dataclass(frozen=True, slots=True)
class Display:
    """A tuple, list or set of values."""

    kind: str
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Dictionary:
    """A dictionary display; a `None` key is `**other`."""

    items: tuple[tuple[Expr | None, Expr], ...]


@dataclass(frozen=True, slots=True)
class Comprehension:
    """A list, set or generator comprehension over one iterable.

    `loop` is the loop it hides when its element trains.
    """

    kind: str
    element: Expr
    target: Target
    iterable: Expr
    conditions: tuple[Expr, ...]
    loop: For | None = None


@dataclass(frozen=True, slots=True)
class Closure:
    """A lambda or a nested function as a value."""

    function: Function


@dataclass(frozen=True, slots=True)
class Star:
    """`*value` in a call or display."""

    value: Expr


@dataclass(frozen=True, slots=True)
class Bind:
    """`name := value`."""

    name: str
    value: Expr


@dataclass(frozen=True, slots=True)
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
    | Opaque
)

Target: TypeAlias = Read | Attr | Item | Display | Star | Opaque

# ----------------------------------------------------------------------------- statements


@dataclass(frozen=True, slots=True)
class Assign:
    """`target = value` (one target; a chain is several statements)."""

    target: Target
    value: Expr
    span: Span
    gates: Gate


@dataclass(frozen=True, slots=True)
class Augment:
    """`target op= value`."""

    target: Target
    op: str
    value: Expr
    span: Span
    gates: Gate


@dataclass(frozen=True, slots=True)
class Do:
    """An expression as a statement."""

    value: Expr
    span: Span
    gates: Gate


@dataclass(frozen=True, slots=True)
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


class LoopKind(Enum):
    """What one turn of a loop is."""

    EPOCH = "epoch"
    BATCH = "batch"
    MICRO = "micro"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class While:
    """A `while` loop."""

    test: Expr
    body: tuple[Stmt, ...]
    other: tuple[Stmt, ...]
    span: Span
    ident: int
    kind: LoopKind
    gates: Gate


@dataclass(frozen=True, slots=True)
class With:
    """`with context as target, ...:`."""

    items: tuple[tuple[Expr, Target | None], ...]
    body: tuple[Stmt, ...]
    span: Span
    gates: Gate


@dataclass(frozen=True, slots=True)
class Try:
    """`try` with its handlers; handlers are not run (the normal path is)."""

    body: tuple[Stmt, ...]
    other: tuple[Stmt, ...]
    final: tuple[Stmt, ...]
    span: Span
    gates: Gate


@dataclass(frozen=True, slots=True)
class ParameterLoop:
    """`for p in params: <p.grad is written>`, known by its shape.

    `action` is `zero`, `scale` (multiplied or divided by `factor`), `clip` (each tensor on its
    own) or `write` (anything else).
    """

    parameters: Expr
    action: str
    factor: Expr | None
    span: Span
    gates: Gate


@dataclass(frozen=True, slots=True)
class Return:
    """`return value`."""

    value: Expr | None
    span: Span
    gates: Gate = Gate.JUMP


@dataclass(frozen=True, slots=True)
class Break:
    """`break`."""

    span: Span
    gates: Gate = Gate.JUMP


@dataclass(frozen=True, slots=True)
class Continue:
    """`continue`."""

    span: Span
    gates: Gate = Gate.JUMP


@dataclass(frozen=True, slots=True)
class Raise:
    """`raise`, or a call that ends the process."""

    span: Span
    gates: Gate = Gate.JUMP


@dataclass(frozen=True, slots=True)
class Define:
    """A function or class statement."""

    name: str
    value: Function | Class
    span: Span
    gates: Gate = Gate.NOTHING


@dataclass(frozen=True, slots=True)
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

# ------------------------------------------------------------------------------- the whole


@dataclass(frozen=True, slots=True, eq=False)
class Parameter:
    """A formal parameter; `role` comes from its annotation or name."""

    name: str
    default: Expr | None
    role: Role | None
    star: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A function, method, lambda or module body.

    `local` lists the names it assigns; `gates` is all it can do with what it calls;
    `own_gates` only what its own statements do; `sums` says that it reduces a loss by its sum.
    """

    name: str
    qualname: str
    parameters: tuple[Parameter, ...]
    body: tuple[Stmt, ...]
    span: Span
    local: frozenset[str]
    gates: Gate
    own_gates: Gate
    decorators: tuple[str, ...] = ()
    owner: str | None = None
    generator: bool = False
    sums: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Class:
    """A class; `bases` are qualified names, `role` is what its instances are."""

    name: str
    bases: tuple[str, ...]
    methods: Mapping[str, Function]
    fields: tuple[Stmt, ...]
    role: Role | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """A file in the language of the dry run.

    `uncalled` are method references that nobody calls; `clears` is false when nothing in the file
    could clear a gradient.
    """

    path: str
    body: Function
    functions: Mapping[str, Function]
    classes: Mapping[str, Class]
    uncalled: tuple[tuple[Span, str, str], ...] = ()
    clears: bool = True
