"""The program: a training loop in the small language that the dry run executes.

    source text --lower--> program --dry run--> event log of events --fold--> ledger

The language is Python without everything that cannot matter to a gradient: values are numbers,
losses and objects with a `Role`; statements are assignments, control flow and calls. What a
library call means (`scaler.step` unscales and steps) was looked up while lowering and stands
in the call as an `Effect`, so the dry run knows no library by name.

Everything here is frozen; places in the source are `Span`s. Nobody sees a syntax tree: only the functions
that nobody has looked into yet still keep theirs, inside a closure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Any, TypeAlias

from gradlint.model import told
from gradlint.model.effects import Effect, Gate
from gradlint.model.finding import Span
from gradlint.model.members import at_hand
from gradlint.model.roles import Role

# ---------------------------------------------------------------------------- expressions


@dataclass(frozen=True, slots=True)
class Const:
    """A number, string, `True`, `False` or `None`."""

    value: bool | int | float | str | None


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
    """`base[index]`; `hint` is the role that a name as index suggests, where the item is used like that."""

    base: Expr
    index: Expr
    hint: Role | None = None


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
    | Told
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


@at_hand
class LoopKind(Enum):
    """What one iteration of a loop is."""

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
    """A `while` loop; one that `drains` an iterator ends with it."""

    test: Expr
    body: tuple[Stmt, ...]
    other: tuple[Stmt, ...]
    span: Span
    ident: int
    kind: LoopKind
    gates: Gate
    drains: bool = False


@dataclass(frozen=True, slots=True)
class With:
    """`with context as target, ...:`."""

    items: tuple[tuple[Expr, Target | None], ...]
    body: tuple[Stmt, ...]
    span: Span
    gates: Gate


@dataclass(frozen=True, slots=True)
class Try:
    """`try` with its handlers; handlers are not run (the normal path is).

    `ended` is what handles the end of an iterator, which may begin it `again`.
    """

    body: tuple[Stmt, ...]
    other: tuple[Stmt, ...]
    final: tuple[Stmt, ...]
    span: Span
    gates: Gate
    ended: tuple[Stmt, ...] = ()


@dataclass(frozen=True, slots=True)
class ParameterLoop:
    """`for p in params: <p.grad is written>`, known by its shape.

    `action` is `zero`, `scale` (multiplied or divided by `factor`), `clip` (each tensor on its
    own), `set` (to what was kept or computed elsewhere), `add` (something from elsewhere to what is there), `move` (set
    from other parameters, whose own are cleared) or `write` (anything else). A `single` one is no loop.
    """

    parameters: Expr
    action: str
    factor: Expr | None
    span: Span
    gates: Gate
    single: bool = False


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
    """A formal parameter; `role` comes from its annotation or name, `cls` is the class that its annotation names."""

    name: str
    default: Expr | None
    role: Role | None
    star: str = ""
    cls: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Inside:
    """What is inside a function.

    `local` lists the names it assigns, `calls` those of what it calls or passes on, `nested` the functions defined
    in it; a generator may be `endless`, and stop `within` a context; `sums` says that it reduces a loss by its sum,
    `averages` by its mean,
    `weighs` that it divides by a window, `divides` by something that its object was told. `autocast` are the
    decorators of that name that are called.
    """

    parameters: tuple[Parameter, ...]
    body: tuple[Stmt, ...]
    local: frozenset[str]
    generator: bool = False
    endless: bool = False
    within: bool = False
    sums: bool = False
    averages: bool = False
    weighs: bool = False
    divides: bool = False
    calls: frozenset[str] = frozenset()
    nested: tuple[Function, ...] = ()
    autocast: tuple[Expr, ...] = ()


@at_hand
class Works(Enum):
    """What a function may have to do with adding to gradients and spending them."""

    NOT = "not"
    ITSELF = "itself"
    HOLDS = "a function inside it may, too"


@dataclass(frozen=True, eq=False)
class Function:
    """A function, method, lambda or module body, which is lowered when it is first looked into.

    Most functions of a file are never run: they neither work on gradients nor are called by one that does.

    Attributes:
        works: Whether it, or a function inside it, may add to gradients or spend them.
        look_inside: Lowers what is inside.
        look_at_gates: Finds all it can do with what it calls.
        look_at_targets: Finds the attributes that its statements may set.
    """

    name: str
    qualname: str
    span: Span
    works: Works
    look_inside: Callable[[], Inside]
    look_at_gates: Callable[[], Gate]
    look_at_targets: Callable[[], frozenset[str]]
    decorators: tuple[str, ...] = ()
    owner: str | None = None

    @cached_property
    def inside(self) -> Inside:
        """Parameters, body, and what was learned of them."""
        return self.look_inside()

    @cached_property
    def gates(self) -> Gate:
        """All it can do with what it calls."""
        return self.look_at_gates()

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """Its formal parameters."""
        return self.inside.parameters

    @cached_property
    def body(self) -> tuple[Stmt, ...]:
        """Its statements."""
        return self.inside.body

    @cached_property
    def local(self) -> frozenset[str]:
        """The names it assigns."""
        return self.inside.local

    @cached_property
    def generator(self) -> bool:
        """Whether it yields."""
        return self.inside.generator

    @cached_property
    def endless(self) -> bool:
        """Whether it yields for ever."""
        return self.inside.endless

    def sets(self, name: str) -> tuple[Assign, ...]:
        """Its assignments to that attribute of `self`, in order."""
        return self._sets.get(name, ()) if name in self._targets else ()

    def may_set(self, name: str) -> bool:
        """Whether a statement of it may set an attribute of that name."""
        return name in self._targets

    @cached_property
    def _targets(self) -> frozenset[str]:
        return self.look_at_targets()

    @cached_property
    def _sets(self) -> Mapping[str, tuple[Assign, ...]]:
        found: dict[str, tuple[Assign, ...]] = {}
        for node in _own_assignments(self.body):
            assert isinstance(node.target, Attr)
            found[node.target.name] = (*found.get(node.target.name, ()), node)
        return found

    @cached_property
    def counters(self) -> frozenset[str]:
        """The variables that it counts with: `step += 1`."""
        added = (node for node in assignments(self.body) if isinstance(node, Augment) and node.op == "+")
        return frozenset(node.target.name for node in added if isinstance(node.target, Read))

    @cached_property
    def called(self) -> frozenset[str]:
        """The last name of everything that it calls or passes on, nested functions included."""
        return self.inside.calls.union(*(inner.called for inner in self.inside.nested))

    @cached_property
    def sums(self) -> bool:
        """Whether it reduces a loss by its sum."""
        return self.inside.sums

    @cached_property
    def averages(self) -> bool:
        """Whether it reduces a loss by its mean."""
        return self.inside.averages

    @cached_property
    def weighs(self) -> bool:
        """Whether it divides by a window."""
        return self.inside.weighs

    @cached_property
    def divides(self) -> bool:
        """Whether it divides by something that its object was told."""
        return self.inside.divides


SUITES = ("then", "other", "body", "final")
"""The fields of a statement that hold other statements."""


def assignments(body: tuple[Stmt, ...]) -> Iterator[Assign | Augment]:
    """The assignments of a suite and of the suites inside it."""
    for node in body:
        if isinstance(node, (Assign, Augment)):
            yield node
        for part in SUITES:
            inner = getattr(node, part, None)
            if isinstance(inner, tuple):
                yield from assignments(inner)


def _own_assignments(body: tuple[Stmt, ...]) -> Iterator[Assign]:
    """Assignments to attributes of `self`."""
    for node in assignments(body):
        owner = node.target.base if isinstance(node.target, Attr) else None
        if isinstance(node, Assign) and isinstance(owner, Read) and owner.name == "self":
            yield node


@dataclass(frozen=True, slots=True, eq=False)
class Class:
    """A class; `bases` are qualified names, `role` is what its instances are.

    A record (a data class, a named tuple) takes what it `declares`, in this order.
    """

    name: str
    bases: tuple[str, ...]
    methods: Mapping[str, Function]
    fields: tuple[Stmt, ...]
    role: Role | None
    span: Span
    declares: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Program:
    """A file in the language of the dry run.

    `uncalled` are method references that nobody calls; `clears` is false when nothing in the file could clear a
    gradient, `unscales` when nothing could unscale one, `switches` are the rows of functions in which something speaks
    of switching gradients off, or asks for one, `freezes` is false when nothing keeps a network from getting some,
    `looks` when nothing looks at gradients before a step. `averages_ranks` is true when something makes parameters or
    gradients alike on all ranks by hand. `told` is what somebody has told of names and functions, `library` what the
    file trains with where that is not torch. Something is merged into the dictionaries that are `updated`; `defaults`
    are the numbers that options have where they are not given, `asserted` those that they must have. `processes` is
    true where something asks Accelerate which of several it runs in. `dated` is what the file says that no PyTorch
    since 0.4 knows; one is `early` that reads rates as before 1.4. `noted` are the rows of loops that note the rate of
    a schedule each time, `searches` those of functions that return what they have noted so. `facts` is what the dry
    run has found out about nodes (by `id`: they live as long as their program), `lineages` about classes.
    """

    path: str
    body: Function
    uncalled: tuple[tuple[Span, str, str], ...] = ()
    clears: bool = True
    unscales: bool = True
    switches: frozenset[int] = frozenset()
    freezes: bool = True
    averages_ranks: bool = False
    looks: bool = True
    told: told.Told = told.NOTHING
    library: str = ""
    updated: frozenset[str] = frozenset()
    defaults: Mapping[str, int] = field(default_factory=dict)
    asserted: Mapping[str, int] = field(default_factory=dict)
    processes: bool = False
    dated: str = ""
    early: bool = False
    noted: frozenset[int] = frozenset()
    searches: frozenset[int] = frozenset()
    facts: dict[int, Any] = field(default_factory=dict, repr=False)
    lineages: dict[Class, tuple[Class, ...]] = field(default_factory=dict, repr=False)

    @cached_property
    def functions(self) -> Mapping[str, Function]:
        """The file's functions by name, the last of each."""
        return {node.name: node.value for node in self._defined if isinstance(node.value, Function)}

    @cached_property
    def classes(self) -> Mapping[str, Class]:
        """The file's classes by name, the last of each."""
        return {node.name: node.value for node in self._defined if isinstance(node.value, Class)}

    @property
    def _defined(self) -> Iterator[Define]:
        return (node for node in self.body.body if isinstance(node, Define))
