"""Functions, classes, and the program that holds them: what is lowered when it is first looked into."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Any

from gradlint.model import told
from gradlint.model.effects import Gate
from gradlint.model.finding import Span
from gradlint.model.members import at_hand
from gradlint.model.mentions import NOTHING_SAID, Mentions
from gradlint.model.program.expressions import Attr, Expr, Read
from gradlint.model.program.statements import Assign, Augment, Define, Stmt
from gradlint.model.roles import Role


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

    `mentions` is what its text mentions anywhere. `told` is what somebody has told of names and functions, `library`
    what the file trains with where that is not torch. Something is merged into the dictionaries that are `updated`;
    `defaults` are the numbers that options have where they are not given, `asserted` those that they must have.
    `processes` is true where something asks Accelerate which of several it runs in. `facts` is what the dry run has
    found out about nodes (by `id`: they live as long as their program), `lineages` about classes, and `asked` what
    these call of what they hold.
    """

    path: str
    body: Function
    mentions: Mentions = NOTHING_SAID
    told: told.Told = told.NOTHING
    library: str = ""
    updated: frozenset[str] = frozenset()
    defaults: Mapping[str, int] = field(default_factory=dict)
    asserted: Mapping[str, int] = field(default_factory=dict)
    processes: bool = False
    facts: dict[int, Any] = field(default_factory=dict, repr=False)
    lineages: dict[Class, tuple[Class, ...]] = field(default_factory=dict, repr=False)
    asked: dict[Class, set[str] | None] = field(default_factory=dict, repr=False)

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
