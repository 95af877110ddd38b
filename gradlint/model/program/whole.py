"""Functions, classes, and the program that holds them: what is lowered when it is first looked into."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from enum import Enum
from typing import Any, Protocol, TypeAlias

from gradlint.model import told
from gradlint.model.effects import Gate
from gradlint.model.finding import Span
from gradlint.model.members import at_hand
from gradlint.model.mentions import NOTHING_SAID, Mentions
from gradlint.model.once import cached_property
from gradlint.model.program.expressions import Attr, Call, Expr, Read
from gradlint.model.program.statements import Assign, Augment, Define, For, If, Raise, Stmt, Try, While, With
from gradlint.model.record import dataclass
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
    in it; a generator may be `endless`, stop `within` a context, and with its items say (`tells`) whether something is
    so, as that an update is due; `sums` says that it reduces a loss by its sum,
    `averages` by its mean,
    `weighs` that it divides by a window, `divides` by something that its object was told. `autocast` are the
    decorators of that name that are called. What a `calm` one changes does not outlive it. One that is `unwritten` has
    no body, and gives something: a class that is not here says what.
    """

    parameters: tuple[Parameter, ...]
    body: tuple[Stmt, ...]
    local: frozenset[str]
    generator: bool = False
    endless: bool = False
    within: bool = False
    tells: bool = False
    sums: bool = False
    averages: bool = False
    weighs: bool = False
    divides: bool = False
    calls: frozenset[str] = frozenset()
    nested: tuple[Function, ...] = ()
    autocast: tuple[Expr, ...] = ()
    calm: bool = False
    unwritten: bool = False


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
    def left_open(self) -> bool:
        """Whether it is abstract, and does not work on gradients itself: a class says what it does that is not here."""
        if self.owner is not None and self.inside.unwritten:
            return True
        works = bool(self.gates & (Gate.BACKWARD | Gate.STEP | Gate.ZERO | Gate.CLIP))
        abstract = not works and any(name.split(".")[-1] == "abstractmethod" for name in self.decorators)
        return len(self.body) <= 1 and (abstract or any(isinstance(one, Raise) for one in self.body))

    @cached_property
    def counters(self) -> frozenset[str]:
        """The variables that it counts with: `step += 1`."""
        return frozenset(target.name for target in self._added_to if isinstance(target, Read))

    @cached_property
    def counted(self) -> frozenset[str]:
        """The attributes that it counts with, whosever they are: `self.step += 1`."""
        return frozenset(target.name for target in self._added_to if isinstance(target, Attr))

    @property
    def _added_to(self) -> Iterator[Expr]:
        return (node.target for node in assignments(self.body) if isinstance(node, Augment) and node.op == "+")

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


MAX_REEXPORTS = 6
"""Modules that hand on a name which they have imported themselves, one behind the other."""

SUITES = ("then", "other", "body", "final")
"""The fields of a statement that hold other statements."""


_SUITES_OF: Mapping[type, tuple[str, ...]] = {
    If: ("then", "other"),
    For: ("other", "body"),
    While: ("other", "body"),
    With: ("body",),
    Try: ("other", "body", "final"),
}
"""Those that statements of a kind have."""


def statements(body: tuple[Stmt, ...]) -> Iterator[Stmt]:
    """The statements of a suite and of the suites inside it."""
    for node in body:
        yield node
        for part in _SUITES_OF.get(node.__class__, ()):
            yield from statements(getattr(node, part))


def assignments(body: tuple[Stmt, ...]) -> Iterator[Assign | Augment]:
    """The assignments of a suite and of the suites inside it."""
    todo = list(reversed(body))
    while todo:
        node = todo.pop()
        if isinstance(node, (Assign, Augment)):
            yield node
            continue
        for part in reversed(_SUITES_OF.get(node.__class__, ())):
            todo += reversed(getattr(node, part))


def _own_assignments(body: tuple[Stmt, ...]) -> Iterator[Assign]:
    """Assignments to attributes of `self`."""
    for node in assignments(body):
        owner = node.target.base if isinstance(node.target, Attr) else None
        if isinstance(node, Assign) and isinstance(owner, Read) and owner.name == "self":
            yield node


@dataclass(frozen=True, slots=True, eq=False)
class Class:
    """A class; `bases` are qualified names, `role` is what its instances are.

    A record (a data class, a named tuple) takes what it `declares`, in this order. `decorated` are the calls of the
    decorators of methods that may register these.
    """

    name: str
    bases: tuple[str, ...]
    methods: Mapping[str, Function]
    fields: tuple[Stmt, ...]
    role: Role | None
    span: Span
    declares: tuple[str, ...] = ()
    decorated: tuple[Call, ...] = ()


@dataclass(frozen=True, eq=False)
class Module:
    """A file in the language of the dry run.

    `mentions` is what its text mentions anywhere. `told` is what somebody has told of names and functions, `library`
    what the file trains with where that is not torch. Something is merged into the dictionaries that are `updated`;
    `defaults` are the numbers that options have where they are not given, `texts` their words, `asserted` the numbers
    that they must have. `processes` is true where something asks Accelerate which of several it runs in. `imports` are
    what its names are elsewhere, `stars` the modules that it takes everything from, with a dot behind each. `lost` are
    names of its own that an import takes over, `shown` those that star imports of it bring, where it says that.
    """

    path: str
    body: Function
    mentions: Mentions = NOTHING_SAID
    told: told.Told = told.NOTHING
    library: str = ""
    updated: frozenset[str] = frozenset()
    defaults: Mapping[str, int] = field(default_factory=dict)
    asserted: Mapping[str, int] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    processes: bool = False
    imports: Mapping[str, str] = field(default_factory=dict)
    stars: tuple[str, ...] = ()
    lost: frozenset[str] = frozenset()
    shown: frozenset[str] | None = None

    @property
    def number(self) -> int:
        """Its number among the modules of its program: that of all places in it."""
        return self.body.span.module

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


Found: TypeAlias = "tuple[Module, str]"
"""A module, and what is left of a dotted name behind the module's own."""


class Link(Protocol):
    """The modules of a program, each loaded when something names it."""

    def load(self, importer: Module, name: str) -> Found | None:
        """The module that an import names, where it is one of the project's.

        Args:
            importer: the module with the import.
            name: the dotted name, with a dot in front for each level of a relative one.
        """

    def module(self, number: int) -> Module:
        """A module that was loaded, by its number."""

    def settings(self, module: Module, name: str) -> object:
        """What a file of settings says that a module names, as Python's own dictionaries and lists; or nothing."""

    def likely(self, module: Module, kind: str) -> dict[str, dict[object, object]]:
        """What those files of settings say, of one kind, that a module may be told to read: it speaks of their keys."""

    @property
    def several(self) -> bool:
        """Whether other files may take part."""

    def registering(self, module: Module) -> Mapping[str, frozenset[str]]:
        """The files that the imports of one lead to, and that fill something where they are run: names of that."""

    def at(self, path: str) -> Module | None:
        """The module of a file of the project; nothing where it cannot be read."""


@dataclass(frozen=True, eq=False)
class Program:
    """A set of modules: the `main` one, where a run begins, and those that it leads to.

    `facts` is what the dry run has found out about nodes (by `id`: they live as long as their program), `lineages`
    about classes, `asked` what these call of what they hold, `asking` what asks for their mode, and `cutting`
    which keep gradients out of what they give; `foreign` are imports, by the number of the module, that name none of
    the project's, `lengths` what the source says of arguments that tell how long a schedule is.
    """

    main: Module
    link: Link
    facts: dict[int, Any] = field(default_factory=dict, repr=False)
    lineages: dict[Class, tuple[Class, ...]] = field(default_factory=dict, repr=False)
    asked: dict[Class, set[str] | None] = field(default_factory=dict, repr=False)
    asking: dict[Class, Any] = field(default_factory=dict, repr=False)
    cutting: dict[Class, bool] = field(default_factory=dict, repr=False)
    foreign: set[tuple[int, str]] = field(default_factory=set, repr=False)
    lengths: dict[tuple[object, ...], bool] = field(default_factory=dict, repr=False)

    @property
    def path(self) -> str:
        """The file of the main module."""
        return self.main.path

    @property
    def body(self) -> Function:
        """The statements of the main module."""
        return self.main.body

    @property
    def told(self) -> told.Told:
        """What somebody has told of the main module's names and functions."""
        return self.main.told

    @property
    def functions(self) -> Mapping[str, Function]:
        """The functions of the main module."""
        return self.main.functions

    @property
    def classes(self) -> Mapping[str, Class]:
        """The classes of the main module."""
        return self.main.classes

    def home(self, node: Function | Class) -> Module:
        """The module that a function or a class stands in."""
        return self.module(node.span.module)

    def module(self, number: int) -> Module:
        """A module that was loaded, by its number."""
        return self.main if number == self.main.number else self.link.module(number)

    def load(self, importer: Module, name: str) -> Found | None:
        """The module that an import names, and what is left of the name."""
        return self.link.load(importer, name)

    def defined(self, module: Module, name: str, deep: int = MAX_REEXPORTS) -> Function | Class | None:
        """The function or class that a dotted name means in a module, perhaps by way of others that hand it on."""
        first, _, rest = name.partition(".")
        own = None if first in module.lost else module.functions.get(first) or module.classes.get(first)
        if own is not None or not deep:
            return _member(own, rest)
        there = module.imports.get(first)
        ways = self.ways(module, name) if there is None else (f"{there}.{rest}" if rest else there,)
        for whole in ways:
            found = self.load(module, whole)
            if found is not None and found[1] and (one := self.defined(*found, deep - 1)) is not None:
                return one
        return None

    def ways(self, module: Module, name: str) -> Iterator[str]:
        """By what qualified names star imports of a module may have brought something, those that win first."""
        for star in module.stars:
            found = None if (module.number, star + name) in self.foreign else self.load(module, star + name)
            shown = None if found is None else found[0].shown
            if found is None or shown is None or found[1].partition(".")[0] in shown:
                yield star + name

    def meant(self, module: Module, name: str) -> Function | Class | None:
        """The function or class that a qualified name means: that of an import in this module."""
        found = self.load(module, name)
        return self.defined(*found) if found is not None and found[1] else None


def _member(owner: Function | Class | None, name: str) -> Function | Class | None:
    if not name:
        return owner
    return owner.methods.get(name) if isinstance(owner, Class) else None
