"""Values of the dry run.

Numbers, strings, booleans and `None` are Python's own; a fraction stays exact. Everything else is

    Tracked    an object with a role or a class: optimizer, model, the trainer itself
    Unknown    what nobody can know statically: a flag, a loss, a batch. It has a `key`, so equal
               values agree, and, as a loss, the factor its gradient will carry
    Series     a list or tuple whose items are known;  Table  a dictionary
    Parameters an iterable of model parameters, perhaps a generator that can be used up
    Routine    a function of the file, perhaps bound to its `self`
    Method     a method of an object that the file does not define
    Context    what a `with` statement enters
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from dataclasses import field
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from gradlint.interpret.losses import NO_GRAPH, UNREDUCED, Graph, Scale
from gradlint.model.effects import Effect
from gradlint.model.events import Stamp
from gradlint.model.factor import ONE, Factor
from gradlint.model.pattern import pattern
from gradlint.model.program import Attr, Call, Class, Function
from gradlint.model.record import dataclass, record
from gradlint.model.roles import Role

if TYPE_CHECKING:
    from gradlint.interpret.conditions import AnyCondition, AnyNumber
    from gradlint.interpret.frame import Frame
    from gradlint.interpret.layers import Layer
    from gradlint.interpret.sequences import AnySequence

Number: TypeAlias = "int | float | Fraction"


LONG_KEY = 240
GRADIENT = "(gradient)"
"""A leaf of what was measured of gradients: their norm, and what is computed from it."""
LOSS_SCALE = "(loss scale)"
"""A leaf of what is as many times larger as scaled gradients are: `max_norm * scaler.get_scale()`."""


_NOTHING: frozenset[Any] = frozenset()


@record()
class Data:
    """What is known of an unknown value beside what it is as a loss.

    Attributes:
        held: What was put into it: by `.name` or `[index]`.
        measures: What a size counts the samples, or elements, of.
        weighs: Whether it is a batch that carries a loss weight into the model.
        total: The key of what it is the sum of, all the same if there is a limit to it.
    """

    held: Mapping[str, Value] | None = None
    measures: Unknown | None = None
    weighs: bool = False
    total: str = ""

    def holding(self, held: Mapping[str, Value] | None) -> Data:
        """The same with other things in it."""
        return self if held is self.held else Data(held, self.measures, self.weighs, self.total)

    def measuring(self, measures: Unknown | None) -> Data:
        """The same as a size of something."""
        return self if measures is self.measures else Data(self.held, measures, self.weighs, self.total)

    def totalling(self, total: str) -> Data:
        """The same as the sum of something."""
        return self if total == self.total else Data(self.held, self.measures, self.weighs, total)


NO_DATA = Data()


class Unknown:
    """A value nobody can know statically.

    `varying` values differ from iteration to iteration. `form` is what a condition, a number or a sequence is composed
    of, `leaves` are the keys of what it was computed from; one that is `called` is the result of a call. As a loss it
    has a `factor` and the `terms` it is a sum of, the `graph` behind it unless it is `detached`, a `scale` if a scaler
    scaled it, and is `reduced` in some way. As anything else it has `data`.

    Most values of a run are these, and each is made new: written out by hand, because a dataclass takes
    twice as long to make one, and `dataclasses.replace` ten times as long to copy one.
    """

    __slots__ = tuple("called data detached factor form graph key leaves reduced scale terms varying".split())

    def __init__(
        self,
        key: str,
        varying: bool = False,
        *,
        bases: frozenset[int] = _NOTHING,
        form: Form | None = None,
        detached: bool = False,
        called: bool = False,
        leaves: frozenset[str] = _NOTHING,
    ) -> None:
        self.key = key if len(key) <= LONG_KEY else shortened(key)
        self.varying = varying
        self.factor = ONE
        self.terms: tuple[Unknown, ...] = ()
        self.graph = Graph(bases=bases) if bases else NO_GRAPH
        self.form: Form | None = form
        self.scale: Scale | None = None
        self.reduced = UNREDUCED
        self.detached = detached
        self.data = NO_DATA
        self.called = called
        self.leaves = leaves

    def says_no_more(self, other: Unknown) -> bool:
        """Whether nothing more is known of it than of another, their names and origins aside."""
        return self.graph == other.graph.based(self.graph.bases) and all(
            getattr(self, name) == getattr(other, name) for name in _TOLD
        )

    @property
    def measured(self) -> frozenset[str]:
        """`GRADIENT`, where it was measured of gradients."""
        return self.leaves & _MEASURED

    def under(self, key: str) -> Unknown:
        """A copy under another key, which is no longer a condition composed of others."""
        copy: Unknown = _new(Unknown)
        copy.key = key if len(key) <= LONG_KEY else shortened(key)
        copy.varying = self.varying
        copy.factor = self.factor
        copy.terms = self.terms
        copy.graph = self.graph
        copy.form = None
        copy.scale = self.scale
        copy.reduced = self.reduced
        copy.detached = self.detached
        copy.data = self.data
        copy.called = self.called
        copy.leaves = self.leaves
        return copy

    def multiplied(self, key: str, factor: Factor) -> Unknown:
        """The same loss under another factor; a sum hands the factor to its terms."""
        product = self.under(key)
        product.factor = self.factor.times(factor)
        if self.terms:
            product.terms = tuple(term.multiplied(term.key, factor) for term in self.terms)
        return product

    def become(self, other: Unknown) -> Unknown:
        """Change in place, as a tensor does in `loss /= n`, whatever it is called elsewhere."""
        self.factor, self.terms, self.reduced = other.factor, other.terms, other.reduced
        return self


_new = object.__new__
_MEASURED = frozenset((GRADIENT,))
_TOLD = ("detached", "factor", "form", "data", "measured", "reduced", "scale", "terms")
"""What is known of a value, but for its graph, how it is called and which others it was made of."""


def merge(key: str, values: list[Unknown]) -> Unknown:
    """An unknown that came from several: their origins together, no factor yet.

    What was computed without gradients brings no network into what has some: a backward does not get there.
    """
    result = come_from(Unknown(key), values)
    for value in values:
        if value.leaves:
            result.leaves = result.leaves | value.leaves if result.leaves else value.leaves
    return result


def come_from(result: Unknown, values: list[Unknown]) -> Unknown:
    """The same of a new unknown, which has leaves of its own."""
    if not values:
        return result
    detached = values[0].detached and all(value.detached for value in values)
    for value in values:
        if value.varying:
            result.varying = True
        if value.reduced.summed:
            result.reduced = result.reduced.by_sum()
        if value.scale is not None:
            before = result.scale or value.scale
            result.scale = Scale(before.by, twice=True) if value.scale.twice else before
        if value.graph is not NO_GRAPH and value.graph is not result.graph:
            result.graph = result.graph.joined(value.graph, reached=detached or not value.detached)
    result.detached = detached
    return result


def another(value: Unknown) -> Unknown:
    """A copy: as good as it, and a value of its own."""
    copy = value.under(value.key)
    copy.form = value.form
    return copy


def cut_off(value: Unknown) -> Unknown:
    """The same as what no gradient goes through: an index, a mask, the answer of a comparison."""
    if value.graph.known:
        value.graph, value.detached = value.graph.unreached(), True
    return value


def shortened(key: str) -> str:
    """Keys stay short: sums of sums would double theirs at every step. What they end with tells what a setting is."""
    if len(key) <= LONG_KEY:
        return key
    last = _LAST.search(key)
    return f"{key[:120]}…{zlib.crc32(key.encode()):08x}{last.group() if last else ''}"


_LAST = pattern(r"(?:\.\w{1,60}|\[[^\[\]]{1,60}\])$")
"""`.accum` or `['accum']` of the arguments of a parser, whose description may be as long as it likes."""


def comparison(left: str, op: str, right: str) -> str:
    """The key of `left op right`: of a long one the left side gets shorter, so that it can be told from its kin."""
    key = f"{left}{op}{right}"
    if len(key) <= LONG_KEY or len(right) > LONG_KEY // 2:
        return shortened(key)
    return f"{left[:100]}…{zlib.crc32(left.encode()):08x}{op}{right}"


@dataclass(slots=True, eq=False)
class Make:
    """As what an object was made: the name of a library's class (`kind`), the `library`, and what it was made with.

    `extra` has what only objects of some roles have: the batches of a loader, the class of an optimizer's factory.
    `handed` is what a class of the project was handed, by its parameters, where its `__init__` is too long to be run.
    One that is `worded` was handed a word, `False` or 0: what it holds may hang on that.
    """

    kind: str = ""
    library: str = ""
    extra: dict[str, Value] = field(default_factory=dict)
    handed: dict[str, Value] = field(default_factory=dict)
    worded: bool = False


@dataclass(slots=True, eq=False)
class Tracked:
    """An object: what it is, how the program calls it, and what is known of it.

    `root` is the identity of its parameters: a wrapped model shares its root with the bare one.
    `params` are the roots whose parameters an optimizer owns, `None` when nobody can see them.
    """

    key: str
    role: Role | None = None
    cls: Class | None = None
    origin: str = "name"
    attrs: dict[str, Value] = field(default_factory=dict)
    born: dict[str, Stamp] = field(default_factory=dict)
    params: frozenset[str] | None = None
    wrapper: str = ""
    inner: Tracked | None = None
    enabled: Value = True
    framework: str = ""
    make: Make = field(default_factory=Make)

    @property
    def innermost(self) -> Tracked:
        """What all wrappers are around."""
        tracked = self
        while tracked.inner is not None:
            tracked = tracked.inner
        return tracked

    @property
    def root(self) -> str:
        """The key of the innermost wrapped thing."""
        return self.innermost.key

    @property
    def distributed(self) -> str:
        """`ddp`, `fsdp`, `fsdp2`, ... of the outermost such wrapper, else empty."""
        tracked: Tracked | None = self
        while tracked is not None:
            if tracked.wrapper in ("ddp", "fsdp", "fsdp2", "apex", "static"):
                return tracked.wrapper
            tracked = tracked.inner
        return ""


SPREAD = "**"
"""Among what a class was handed: there may be more, for some of it was spread, and nobody can list that."""

ITEMS = "(items)"
"""Where an object keeps what it holds as a dictionary, whose class derives from `dict`."""
TOTAL = "(total)"
"""What a meter of a library adds up."""


@dataclass(slots=True, eq=False)
class Series:
    """A list or tuple; a generator (`once`) is empty after its first use; `born` where it was made or emptied.

    `drawn` is what a generator takes its items from, where nobody knows how many: its one item stands for each of them.
    An `open` one is filled where nobody sees how often.
    """

    items: list[Value]
    kind: str = "list"
    once: bool = False
    used: bool = False
    born: Stamp | None = None
    drawn: Value = None
    open: bool = False


@dataclass(frozen=True, slots=True)
class SomeKey:
    """A key of a dictionary that nobody knows: what `losses[name]` is called."""

    name: str


@dataclass(slots=True, eq=False)
class Table:
    """A dictionary with constant keys, or `SomeKey`; one of `lists` makes an empty list for each that is asked for.

    What else a `defaultdict` makes for a key, it `makes` by a call. An `open` one may hold other keys besides: a file
    of settings that was only guessed.
    """

    items: dict[object, Value]
    lists: bool = False
    born: Stamp | None = None
    open: bool = False
    makes: Callable[[], Value] | None = None


@dataclass(slots=True, eq=False)
class Parameters:
    """Parameters of the things with these `roots`; `once` for a generator, `used` when consumed.

    `source` is the generator it lazily reads from (`filter(f, params)`); with `grads` it holds their gradients.
    `some` says how they were picked from all, where that was by name, shape or place. As groups they are `held` by an
    optimizer, with their rates.
    """

    roots: frozenset[str]
    once: bool = True
    used: bool = False
    source: Parameters | None = None
    grads: bool = False
    some: str = ""
    held: Tracked | None = None

    def consume(self) -> bool:
        """Read it to the end; false when there was nothing left."""
        alive = not self.used and (self.source is None or self.source.consume())
        if self.once:
            self.used = True
        return alive


@dataclass(slots=True, eq=False)
class Routine:
    """A function of the file with the frame it closes over and perhaps its `self`."""

    function: Function
    frame: Frame | None = None
    receiver: Value = None


@dataclass(slots=True, eq=False)
class Constructor:
    """A class of the file as a value."""

    cls: Class


@dataclass(slots=True, eq=False)
class Method:
    """`receiver.name` before the call; `effects` are its meanings by role.

    Of a list's or a dictionary's it is known where it is `written`, and in which frame: `push = losses.append`.
    """

    receiver: Value
    name: str
    effects: Mapping[Role, Effect] | None = None
    written: Attr | None = None
    frame: Frame | None = None


@dataclass(slots=True, eq=False)
class Partial:
    """`functools.partial(target, ...)`."""

    target: Value
    args: tuple[Value, ...]
    keywords: dict[str, Value]


@dataclass(slots=True, eq=False)
class Context:
    """Something a `with` statement can enter: `no_sync`, `autocast`, `accumulate`; a stack has `entered` others.

    Apex's `scale_loss` is `delayed` that may leave the gradients scaled where it ends. `given` are the models that
    Accelerate's `accumulate` keeps from synchronising. A `lasting` one holds from where it is made, without a `with`:
    `torch.set_grad_enabled(False)`. The `callbacks` of a stack are run when it is left, the last one first.
    """

    kind: str
    target: Tracked | None = None
    dtype: str = ""
    active: bool = True
    call: Call | None = None
    value: Value = None
    delayed: bool = False
    given: tuple[Value, ...] = ()
    entered: list[Context] = field(default_factory=list)
    lasting: bool = False
    callbacks: list[Callable[[], object]] = field(default_factory=list)

    def run_callbacks(self) -> None:
        """Run what was put off until the stack is left, once."""
        while self.callbacks:
            self.callbacks.pop()()


@dataclass(slots=True, eq=False)
class Imported:
    """An imported module or an attribute path inside one, as the module of the number `importer` names it.

    It is `one_of` several classes of a kind where nobody knows which.
    """

    name: str
    importer: int = 0
    one_of: bool = False


Value: TypeAlias = (
    "bool | int | float | Fraction | str | Unknown | Tracked | Series | Table | Parameters | Routine"
    " | Constructor | Method | Partial | Context | Imported | None"
)


class Missing(Enum):
    """Nothing is known, not even that it is unknown: who asks has to look elsewhere."""

    MISSING = "missing"


MISSING: Final = Missing.MISSING

Form: TypeAlias = "AnyCondition | AnyNumber | AnySequence | Layer"
"""What an unknown value is composed of."""
