"""The event log: what happened to the books, in order, in one scenario.

Written by the dry run, folded into books, read by rules and drawn by `gradlint trace`.
"""

from __future__ import annotations

from dataclasses import field
from enum import Enum
from typing import NamedTuple, TypeAlias

from gradlint.model.factor import Factor
from gradlint.model.finding import Span
from gradlint.model.members import at_hand
from gradlint.model.pattern import pattern
from gradlint.model.record import dataclass, record

MAX_SCENARIOS = 8
"""Scenarios that a region is run in at most: where there are so many, others may have been left out."""


class Iteration(NamedTuple):
    """One iteration of one loop."""

    loop: int
    number: int
    kind: str


Stamp: TypeAlias = tuple[Iteration, ...]
"""The current iteration of every enclosing loop, outermost first."""


@at_hand
class Kind(Enum):
    """The alphabet of the event log."""

    ZERO = "zero_grad"
    FORWARD = "forward"
    BACKWARD = "backward"
    UNSCALE = "unscale"
    CLIP = "clip"
    WRITE = "grad write"
    READ = "grad read"
    STEP = "step"
    UPDATE = "scaler update"
    SCHEDULE = "scheduler step"
    TRAIN = "train mode"
    EVAL = "eval mode"
    EMA = "EMA update"
    SET_EPOCH = "set_epoch"
    KEEP = "keep"
    EPOCH = "epoch"
    OPAQUE = "opaque"


_ONE_COUNT = pattern(r"[\w.]+ (?P<op>==|!=) [\w.]+")


@record()
class Guard:
    """An `if` around an event, with the way it went.

    `jump` marks one that was passed by: what stands behind `if c: continue` is guarded too.
    `scales` says that the branch not taken works on a scaler. One that is not `known` may count
    to the window nevertheless: `clip and (i + 1) % n == 0`.
    """

    span: Span
    text: str
    taken: bool
    known: bool
    jump: bool = False
    scales: bool = False
    counts: bool = False

    @property
    def plain(self) -> bool:
        """True where the count of micro-batches decides, computed or beside a switch."""
        return self.known or self.counts

    @property
    def counted(self) -> bool:
        """True of one that counts by a modulus: `(i + 1) % n == 0`."""
        return "%" in self.text

    @property
    def spares(self) -> bool:
        """True where it holds for every count but one: `if i == skipped: continue`. It ends no window."""
        found = _ONE_COUNT.fullmatch(self.text)
        return self.known and found is not None and (found["op"] == "!=") is self.taken


@record()
class Backward:
    """One `backward`: the factor its gradients carry and where they come from.

    `synced` says whether the distributed wrapper all-reduces at this backward: `None` when no
    wrapper is in sight. `outside` lists forwards that ran outside a `no_sync` which this backward
    is inside of. `inside` says that a library multiplies by a loss scale in there, and divides in its step,
    `enclosed` that it runs in Apex's `scale_loss`, which divides where it ends, `stashed` that this puts the gradients
    that came before aside (it does without `delay_unscale`): an all-reduce averages what this backward brings.
    `twice` names the window by which both the library and the loop divide. `averaged` says that the loss is known to be
    the mean of its micro-batch, `rescaled` that it was multiplied by a loss scale twice, `scaler_made` where its scaler
    is made, `scaler_meant` that another run needs it: an option chooses between bfloat16 and float16.
    `counted` tells by which `accumulate()` of the run Accelerate counts it, 0 for one that nobody can see, `None` where
    none does. `chosen` are parameters that the call names (`inputs=...`): no other gets a gradient. `smooth` are the
    origins from which the loss was computed by what can be differentiated. `undivided` says that a term of it goes back
    whole, be it unknown what divides the others. It was `given` a gradient to begin with that may carry a scale.
    `past` are forwards of networks inside DDP, which has not got ready for them: their gradients stay on their rank.
    """

    factor: Factor
    known: bool
    scaled_by: str | None
    models: frozenset[str]
    forwards: tuple[int, ...]
    bases: frozenset[int]
    kept: frozenset[Span]
    loss: str
    wrapper: str
    synced: bool | None
    outside: tuple[int, ...]
    autocast: str
    framework: str
    summed: bool
    terms: int
    scaler_sure: bool = True
    inside: bool = False
    twice: str = ""
    enclosed: bool = False
    averaged: bool = False
    rescaled: bool = False
    scaler_made: Span | None = None
    scaler_meant: bool = False
    counted: int | None = None
    chosen: bool = False
    smooth: frozenset[int] = frozenset()
    stashed: bool = False
    undivided: bool = False
    given: bool = False
    past: tuple[int, ...] = ()


@record()
class Step:
    """One optimizer step.

    `via` is `plain`, `scaler` or the framework that owns it; `params` are the models whose
    parameters the optimizer was built with, `None` when nobody can see; `library` is where its class was imported from.
    One is `bare` that was built with single tensors and no model's parameters. The rate of plain SGD is `shared` by the
    numbers that it was divided by, if any: sums of so many gradients move as far as their mean does at the whole rate.
    What it was `given` is a name where nobody can see whose parameters those are. One `rewrites` gradients whose class,
    the project's own, works on them in its step.
    """

    via: str
    scaler: str | None
    framework: str
    origin: str
    params: frozenset[str] | None = None
    closure: bool = False
    library: str = ""
    bare: bool = False
    shared: frozenset[int] = frozenset()
    given: str = ""
    rewrites: bool = False


BY_HAND = "hand"
"""How a clip is called that computes a norm first, and then multiplies the gradients."""


@record()
class Clipping:
    """One clip: of whose parameters, by which limit, and whether anything was left to clip.

    One is `enclosed` that stands in Apex's `scale_loss`, and `scaled` when its limit is multiplied by the loss scale.
    """

    roots: frozenset[str] | None
    infinite: bool
    exhausted: bool
    by: str
    unscales: bool
    used: bool = True
    enclosed: bool = False
    scaled: bool = False

    @property
    def movable(self) -> bool:
        """Whether the statement is the whole clip: one written by hand has computed the norm before."""
        return self.by != BY_HAND


@record()
class Forward:
    """One call of a model; `attached` unless gradients are off; `named` when its wrapper is known by its name alone.

    `part` is what the wrapper is around where it is not around all of the model. `each` is one that a comprehension
    runs for all there is in something. One that goes `past` its wrapper calls what is inside DDP. What is `empty`
    has no parameters, or none that want gradients, and makes no graph of its own. A network's `own` methods may
    lead here, the last of the calls: for each, the outermost first, in how many loops it is called; the outermost
    is the one that is `asked`, by the function `asker`. So is a helper: it runs so many calls `below` an evaluation,
    which calls it in that number of `turning` loops. `reaches` are the roots of networks that it was given and that it
    calls in its turn. What is not `seen` is of a class that nobody sees: it may be anything that can be called.
    One is wrapped only `sometimes` whose wrapper was put around it behind a guard that does not stand around the call.
    """

    wrapper: str
    no_sync: bool
    attached: bool
    autocast: str
    assumed: bool
    named: bool = False
    part: str = ""
    each: bool = False
    past: bool = False
    empty: bool = False
    own: tuple[int, ...] = ()
    asked: str = ""
    asker: str = ""
    reaches: tuple[str, ...] = ()
    seen: bool = False
    below: int = 0
    turning: int = 0
    sometimes: bool = False

    @property
    def keeps(self) -> bool:
        """Whether it keeps a graph of its own."""
        return self.attached and not self.empty


@record()
class Mode:
    """A switch of a network's mode that changes nothing, or puts back what was noted.

    A network without dropout and batch norm is `alike` in training and in evaluation mode. The mode was `noted` before:
    `was_training = model.training`, and behind all `model.train(was_training)` or `if was_training: model.train()`.
    Whether one has such layers may be `chosen` by what it was handed.
    """

    alike: bool = True
    noted: bool = False
    chosen: bool = False


@record()
class Zero:
    """Which gradients were cleared: by optimizer key, by model root, or all that exist.

    `over` is how the parameters are called that nobody can see: `for p in over: p.grad = None` may leave others, and
    `weight.grad = None` does. `roots` are those of several models, or parts of one, that a loop goes over together.
    `own` is the class of an object that clears them for a step of its own, which no optimizer of a library takes. What
    was `picked` from several is one of them, or some, and nobody knows which; one that `ran` has gone forward itself.
    What was `used` has moved the weights already: the first half of a SAM update.
    """

    optimizer: str | None
    root: str | None
    hand_written: bool = False
    over: str = ""
    roots: frozenset[str] = frozenset()
    own: str = ""
    picked: bool = False
    ran: bool = False
    used: bool = False

    @property
    def cleared(self) -> frozenset[str]:
        """The roots of what is cleared, as far as they are known."""
        return self.roots or (frozenset((self.root,)) if self.root is not None else frozenset())


@record()
class Schedule:
    """One scheduler move; `positional` ones compute the rate from a number they are given, `beyond` one that is told 1.

    `origin` tells how the scheduler came to be, `made` is the call that made it; one is `long` that was given a
    multiple of the loader's length, `epochs` that was given their number, `hidden` whose rates a function computes that
    nobody has looked into, and the project's `own` whose class neither torch nor a library of schedules has: its first
    move may set the first rate. The first rate of a `nought` one is 0: an update with it does nothing. One is `told`
    whose class is torch's, that of a library of schedules, or one of the file that is derived from torch's. The rate of
    one that `grows` gets larger with each move; something says that one is counted in `updates`, and an `endless` one
    has no length that it could reach. Whether the function of one `begins` to count its moves at 1 is "sure", or
    "perhaps" so.
    """

    positional: bool
    optimizer: str | None
    cls: str
    framework: str
    origin: str = ""
    made: str = ""
    long: bool = False
    hidden: bool = False
    epochs: bool = False
    own: bool = False
    nought: bool = False
    told: bool = False
    grows: bool = False
    begins: str = field(default="", kw_only=True)
    beyond: bool = field(default=False, kw_only=True)
    updates: bool = field(default=False, kw_only=True)
    endless: bool = field(default=False, kw_only=True)


@record()
class Pace:
    """A guard behind which something is begun anew, by what it counts to: its name, and its number where known."""

    span: Span
    text: str
    period: str
    every: int = 0


@record()
class Kept:
    """A loss added to something that outlives the iteration; `parts` says which items of a tuple it is.

    Of a dictionary, `parts` are places, too, and "all" or "some" of its `entries` are losses.

    It is `known` to be a loss: torch's own function, or a criterion that is made here, has returned it. A `smooth` one
    was computed from these origins by what can be differentiated, `outputs` are the forwards that they are of. The
    target was begun anew behind these `paces`, if it was behind a count. A method `beside` the one that adds sets it
    anew, too, and trains by itself: whoever has the object may call them in turn.
    """

    bases: frozenset[int]
    site: Span
    target: str
    born: Stamp | None
    how: str
    forwards: frozenset[int] = frozenset()
    parts: tuple[int, ...] = ()
    known: bool = False
    smooth: frozenset[int] = frozenset()
    outputs: frozenset[int] = frozenset()
    entries: str = field(default="", kw_only=True)
    paces: tuple[Pace, ...] = field(default=(), kw_only=True)
    beside: str = field(default="", kw_only=True)


@at_hand
class Deed(Enum):
    """What a call that nobody can look into may do, by what it was handed."""

    STEP = "steps the optimizer"
    CLEAR = "clears gradients"
    ADD = "adds or restores gradients"
    RESCALE = "rescales gradients"
    REDUCE = "reduces gradients over the ranks"
    SCALE = "scales the loss"
    UNSCALE = "unscales gradients"
    UPDATE = "updates the scaler"
    SYNC = "says which backwards are synchronised"


@record()
class Write:
    """Gradients rewritten by hand: whose, and what they are multiplied by, as far as that is known.

    With `brought` they come from elsewhere: kept before and put back, or computed by something else. Those that were
    `moved` come from other parameters, whose own are cleared: nothing is left of what was there before. What `adds`
    something from elsewhere leaves them, too.
    """

    roots: frozenset[str] | None
    factor: Factor
    brought: bool = False
    moved: bool = False
    adds: bool = False


@record()
class Opaque:
    """A call that could not be followed and may touch the books.

    `optimizers` are the keys it was given, `None` for any; a `hook` runs code nobody sees, and so may one that is
    handed the `whole` trainer. It `may` do these.
    """

    text: str
    optimizers: frozenset[str] | None
    hook: bool
    may: frozenset[Deed] = frozenset(Deed)
    whole: bool = False


@record()
class Pass:
    """A loader is gone through once more: so many loops around it are there up to that in which it is, 0 if untold.

    `heads` are the places of the loops around in which its sampler is not made anew, the outermost first.
    """

    loops: int
    heads: tuple[Span, ...] = ()


Detail = Backward | Step | Clipping | Forward | Mode | Zero | Schedule | Kept | Write | Opaque | Pass | None


@record()
class Event:
    """One thing that happened, where and when.

    `number` is its place in the event log; `subject` the key of what it acts on; `calls` the call
    sites that led here, outermost first.
    """

    number: int
    kind: Kind
    span: Span
    subject: str
    stamp: Stamp
    function: str
    text: str
    guards: tuple[Guard, ...] = ()
    calls: tuple[Span, ...] = ()
    detail: Detail = None

    @property
    def callee(self) -> str:
        """What is called, as the source has it: `self.opt.step`."""
        return self.text.split("(", 1)[0]

    @property
    def receiver(self) -> str:
        """What the method is called on: `self.opt`."""
        return self.callee.rpartition(".")[0]

    @property
    def given(self) -> str:
        """What the call is given, as the source has it: `loss, retain_graph=True)`."""
        return self.text.partition("(")[2]


@dataclass(slots=True)
class ModelNotes:
    """What was seen of models, and is no event.

    Attributes:
        spared: those whose `train()` a switch has left out, with the number of the next event.
        renewed: those that may be others from there on.
        rewound: those into which other weights were put, those of before perhaps.
        held: the roots of what has had its parameters held still, with a dot behind them where only some of them are.
        looked: where somebody looks at gradients: the numbers of the next events.
        handed: where a call that nobody can look into gets a network, an optimizer or parameters: those numbers, too.
    """

    spared: list[tuple[int, str]] = field(default_factory=list)
    renewed: list[tuple[int, str]] = field(default_factory=list)
    rewound: list[tuple[int, str]] = field(default_factory=list)
    held: set[str] = field(default_factory=set)
    looked: list[int] = field(default_factory=list)
    handed: list[int] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class EventLog:
    """All events of one scenario and what was assumed in it.

    `faults` are calls on what is `None` here, `raised` the numbers of the next events where one of them is the backward
    of a loss that is a number, for nothing was added to it. `exits` are the rare ways out that were passed by, with the
    numbers of the next events each time; `accident` says when one was taken: the number of the next event, and the
    iteration. How often `open_loops` turn, inside a batch, nobody can see. `uncalled` are methods that a statement
    names and does not call: place, receiver, method. `strangers` are calls of a `step` that belongs to an object of the
    project's own, which is neither optimizer nor schedule.
    """

    events: list[Event] = field(default_factory=list)
    decisions: dict[str, bool] = field(default_factory=dict)
    truncated: bool = False
    unsure_guards: set[Span] = field(default_factory=set)
    open_loops: set[int] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)
    raised: list[int] = field(default_factory=list)
    exits: dict[str, list[int]] = field(default_factory=dict)
    accident: tuple[int, Stamp] | None = None
    models: ModelNotes = field(default_factory=ModelNotes)
    uncalled: list[tuple[Span, str, str]] = field(default_factory=list)
    strangers: set[Span] = field(default_factory=set)
