"""Effects: what a library call does on paper, as an action of the machine with its options."""

from __future__ import annotations

from enum import Enum, Flag, auto
from typing import TypeAlias, cast

from gradlint.model.members import at_hand
from gradlint.model.record import dataclass
from gradlint.model.roles import Role


@at_hand
class Gate(Flag):
    """What a statement (with all it calls in the module) can do to the books.

    ROLE makes or wraps something that has a part in training, MAKES something that the books depend on: the choice
    of a criterion, `torch.compile` and `DataParallel` leave them as they are.
    """

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
    MAKES = auto()
    OPAQUE = auto()
    FORWARD = auto()
    JUMP = auto()
    LOOP_BACKWARD = auto()
    LOOP_STEP = auto()

    # The dry run joins and tests gates all the time; the general operators of `Flag` take six times as long.

    def __or__(self, other: Gate) -> Gate:
        value = self._value_ | other._value_
        if value == self._value_:
            return self
        known = _GATES.get(value)
        return Gate(value) if known is None else known

    def __and__(self, other: Gate) -> Gate:
        value = self._value_ & other._value_
        if value == self._value_:
            return self
        known = _GATES.get(value)
        return Gate(value) if known is None else known

    def __contains__(self, other: Gate) -> bool:
        return other._value_ & self._value_ == other._value_

    def __bool__(self) -> bool:
        return self._value_ != 0


_GATES = cast("dict[int, Gate]", Gate._value2member_map_)  # its keys are the values of Gate

EVENTS = Gate.BACKWARD | Gate.STEP | Gate.ZERO | Gate.CLIP | Gate.SCALER | Gate.SCHEDULER | Gate.SYNC | Gate.MODE


@at_hand
class Action(Enum):
    """What a call does: what that can do to the books, and in words.

    The machine has one function for each; a call of no action is followed, or is out of sight.
    """

    # gradients
    FORWARD = Gate.FORWARD, "runs a network forward"
    GENERATE = Gate.FORWARD, "runs a network without a graph"
    BACKWARD = Gate.BACKWARD, "adds to gradients"
    LIBRARY_BACKWARD = Gate.BACKWARD, "adds to gradients, as the library weighs and scales the loss"
    ZERO = Gate.ZERO, "clears gradients"
    CLIP = Gate.CLIP, "clips the gradients it is given"
    CLIP_OWN = Gate.CLIP, "clips the gradients of its own parameters"
    MULTIPLY = Gate.CLIP, "multiplies gradients by a number"
    FREEZE = Gate.NOTHING, "takes parameters out of training, or puts them back"
    PARAMETERS = Gate.NOTHING, "hands out parameters"
    MASTER_PARAMETERS = Gate.NOTHING, "hands out the float32 parameters of an optimizer"
    # steps
    STEP = Gate.STEP, "lets an optimizer step"
    SCALER_STEP = Gate.STEP, "unscales, where nobody has, and lets an optimizer step"
    ENGINE_STEP = Gate.STEP, "lets an engine clip, step, clear and schedule at the end of its window"
    SAM_FIRST = Gate.STEP, "moves the parameters for the second backward pass of a SAM update"
    SAM_SECOND = Gate.STEP, "moves the parameters back and steps"
    WHOLE_UPDATE = Gate.STEP | Gate.BACKWARD, "divides, runs backward, steps and clears, all in one"
    SCALED_UPDATE = (
        Gate.STEP | Gate.BACKWARD,
        "scales, runs backward and, where it is told to, unscales, clips and steps",
    )
    STEP_HOOK = Gate.NOTHING, "registers what each step calls"
    SCHEDULE = Gate.SCHEDULER, "moves the learning rate"
    MODE = Gate.MODE, "switches a network between training and evaluation"
    AVERAGE = Gate.MODE, "moves the average of a network"
    SET_EPOCH = Gate.MODE, "tells a sampler the epoch"
    # mixed precision
    SCALE = Gate.SCALER | Gate.WEIGHT, "scales a loss"
    UNSCALE = Gate.SCALER, "unscales gradients"
    LIBRARY_UNSCALE = Gate.SCALER, "unscales gradients, where the library scales them"
    SCALER_UPDATE = Gate.SCALER, "adapts the loss scale"
    LOSS_SCALE = Gate.NOTHING, "tells the loss scale"
    IS_ENABLED = Gate.NOTHING, "tells whether a scaler scales"
    # ranks
    WRAP = Gate.ROLE, "puts a network into a wrapper"
    REBIND = Gate.ROLE, "puts an optimizer into a wrapper"
    SYNC = Gate.SYNC, "switches the all-reduce of gradients"
    STATIC_GRAPH = Gate.NOTHING, "says that the graph is the same in each iteration"
    HAS_RANKS = Gate.NOTHING, "tells whether torch can train in several processes at all, as it is built to"
    # objects
    MAKE = Gate.ROLE, "makes"
    DEEPSPEED = Gate.ROLE, "makes an engine, an optimizer, a loader and a scheduler"
    PREPARE = Gate.NOTHING, "hands objects over to the library, and returns them"
    ENGINE_WINDOW = Gate.NOTHING, "tells how many micro-batches make an update"
    LIGHTNING_OPTIMIZERS = Gate.NOTHING, "hands out the optimizers of a module"
    LIGHTNING_SCHEDULERS = Gate.NOTHING, "hands out the schedulers of a module"
    COPY = Gate.NOTHING, "copies"
    REPLACE = Gate.NOTHING, "copies a record, with other values in some of its fields"
    FOREIGN = Gate.NOTHING, "makes something of a library that is not torch"
    # contexts
    NO_SYNC = Gate.SYNC, "within it, gradients are not all-reduced"
    ACCUMULATE = Gate.NOTHING, "within it, the library counts micro-batches and holds steps back"
    AUTOCAST = Gate.NOTHING, "within it, torch computes in a lower precision"
    LIBRARY_AUTOCAST = Gate.NOTHING, "within it, the library computes in a lower precision"
    NO_GRAD = Gate.NOTHING, "within it, nothing has a graph"
    SET_GRAD = Gate.NOTHING, "within it, what is computed has a graph, or none"
    SWITCH_GRAD = Gate.MODE, "within it, or from there on, what is computed has a graph, or none"
    SCALED_LOSS = Gate.NOTHING, "within it, the loss is scaled; behind it, gradients are unscaled"
    VIRTUAL_BATCHES = Gate.NOTHING, "within it, batches come in parts, and steps wait for the last"
    LIBRARY_CONTEXT = Gate.NOTHING, "within it, the library has a forward and its backward"
    NULL_CONTEXT = Gate.NOTHING, "a context that changes nothing"
    EXIT_STACK = Gate.NOTHING, "a context that holds others"
    ENTER = Gate.NOTHING, "enters a context"
    # tensors and numbers
    COMBINE = Gate.NOTHING, "takes terms of a loss together"
    DIVIDE = Gate.NOTHING, "divides, or multiplies, a loss"
    LENGTH = Gate.NOTHING, "counts"
    NUMBER = Gate.NOTHING, "makes a number"
    ABSOLUTE = Gate.NOTHING, "takes the sign away"
    EXTREME = Gate.NOTHING, "takes the least, or the greatest"
    TRUTH = Gate.NOTHING, "asks whether it is true"
    QUANTIFIED = Gate.NOTHING, "asks whether any are true, or all"
    DIVMOD = Gate.NOTHING, "quotient and rest"
    ISINSTANCE = Gate.NOTHING, "asks for a class"
    HASATTR = Gate.NOTHING, "asks for an attribute"
    CALLABLE = Gate.NOTHING, "asks whether it can be called"
    SPELL = Gate.NOTHING, "makes a text"
    # Python's containers
    RANGE = Gate.NOTHING, "counts up"
    REVERSED = Gate.NOTHING, "goes over items from the last to the first"
    ENUMERATE = Gate.NOTHING, "numbers items"
    ZIP = Gate.NOTHING, "pairs items"
    COUNT = Gate.NOTHING, "counts up for ever"
    UNWRAP = Gate.NOTHING, "gives the network inside what it is given"
    FIRST = Gate.NOTHING, "gives what it is given"
    BATCHED = Gate.NOTHING, "makes batches of what a sampler gives"
    CYCLE = Gate.NOTHING, "gives items for ever"
    SORTED = Gate.NOTHING, "orders items"
    ISLICE = Gate.NOTHING, "gives some items"
    NEXT = Gate.NOTHING, "draws an item"
    COLLECT = Gate.NOTHING, "makes a sequence"
    DICT = Gate.NOTHING, "makes a dictionary"
    DEQUE = Gate.NOTHING, "makes a queue"
    LISTS = Gate.NOTHING, "makes a dictionary of lists"
    LAZY = Gate.NOTHING, "picks or computes items"
    CHAIN = Gate.NOTHING, "puts items in a row"
    GATHER = Gate.NOTHING, "adds to a total, which keeps its graph"
    BEGIN = Gate.NOTHING, "begins a total anew"
    NAMESPACE = Gate.NOTHING, "makes an object of attributes"
    PARTIAL = Gate.NOTHING, "binds arguments"
    LAUNCH = Gate.NOTHING, "runs a function in processes of its own"
    GETATTR = Gate.NOTHING, "reads an attribute"
    FIELD = Gate.NOTHING, "gives a field of a record its default"
    OPEN = Gate.NOTHING, "opens a file"
    READ_SETTINGS = Gate.NOTHING, "reads settings from a file of the project"
    SETATTR = Gate.NOTHING, "sets an attribute"
    SUPER = Gate.NOTHING, "asks the base classes"
    EXECUTE = Gate.NOTHING, "runs a text, which may set whatever stands in the module"
    # the rest
    RECEIVER = Gate.NOTHING, "gives the object itself"
    PLAIN = Gate.NOTHING, "leaves gradients alone"
    EXIT = Gate.NOTHING, "ends the process"
    YIELD = Gate.NOTHING, "hands a context's body its turn"
    # what somebody has told
    TOLD_END = Gate.NOTHING, "is true with the last micro-batch of a window"
    TOLD_STEP = Gate.STEP, "lets optimizers step, with all that belongs to it"
    TOLD_UPDATE = Gate.STEP | Gate.BACKWARD | Gate.ZERO, "makes a whole update"
    TOLD_CLEAR = Gate.ZERO, "clears the gradients of optimizers"
    TOLD_WRAP = Gate.ROLE | Gate.FORWARD, "puts a network into a wrapper, or is one"

    def __init__(self, gate: Gate, meaning: str) -> None:
        self.gate = gate
        self.meaning = meaning


CONTEXTS = frozenset(
    (
        *(Action.NO_SYNC, Action.ACCUMULATE, Action.AUTOCAST, Action.LIBRARY_AUTOCAST, Action.NO_GRAD, Action.SET_GRAD),
        *(
            Action.SWITCH_GRAD,
            Action.SCALED_LOSS,
            Action.VIRTUAL_BATCHES,
            Action.LIBRARY_CONTEXT,
            Action.NULL_CONTEXT,
            Action.EXIT_STACK,
        ),
    )
)
"""What makes a context."""


@dataclass(frozen=True, slots=True)
class Makes:
    """An object of a role; a sampler that goes by the epoch as torch's does has the place of its argument `shuffle`."""

    role: Role
    shuffle: int | None = None


@dataclass(frozen=True, slots=True)
class Wraps:
    """The kind of a wrapper, empty where it leaves the books alone; whether its name alone says so."""

    wrapper: str = ""
    by_name: bool = False
    functions: bool = False


@dataclass(frozen=True, slots=True)
class By:
    """The framework that does it."""

    framework: str


@dataclass(frozen=True, slots=True)
class Casts:
    """At which places an autocast is told the device, the type, and whether it is on."""

    enabled: int
    dtype: int
    device: int | None = None
    cpu: bool = False


@dataclass(frozen=True, slots=True)
class Switch:
    """At which place a context is told whether it is on."""

    mode: int | None = None


@dataclass(frozen=True, slots=True)
class Apex:
    """Whether Apex itself is sure to unscale behind the context."""

    unscales: bool


@dataclass(frozen=True, slots=True)
class Clips:
    """By what a clip goes, what its limit is called, and whether it unscales."""

    by: str = "norm"
    limit: str = "max_norm"
    unscales: bool = False


@dataclass(frozen=True, slots=True)
class Steps:
    """At which place a step is given the optimizer, and the library that steps."""

    optimizer: int | None = None
    via: str = ""


@dataclass(frozen=True, slots=True)
class When:
    """Whether a hook is called before or after."""

    when: str


@dataclass(frozen=True, slots=True)
class Trains:
    """Whether the mode is that of training."""

    train: bool


@dataclass(frozen=True, slots=True)
class Syncs:
    """Whether gradients are all-reduced from then on, where the call has no argument that says so."""

    on: bool | None = None


@dataclass(frozen=True, slots=True)
class Moves:
    """Whether a scheduler is told where it is."""

    positional: bool = False


@dataclass(frozen=True, slots=True)
class Reduces:
    """How tensors are taken together: by sum, by mean, or not at all."""

    reduction: str = ""


@dataclass(frozen=True, slots=True)
class Operator:
    """An operator of Python."""

    operator: str


@dataclass(frozen=True, slots=True)
class Named:
    """A function of Python by its name."""

    name: str


@dataclass(frozen=True, slots=True)
class Launches:
    """How processes are started: where the arguments of their function stand, and whether a rank comes before them."""

    args: int
    ranked: bool = False


Options: TypeAlias = (
    "Makes | Wraps | By | Casts | Switch | Apex | Clips | Steps | When | Trains | Syncs | Moves"
    " | Reduces | Operator | Named | Launches"
)


@dataclass(frozen=True, slots=True)
class Effect:
    """The meaning of one library call: an action of the machine and its options."""

    action: Action
    options: Options | None = None

    @property
    def role(self) -> Role | None:
        """The role of what it makes."""
        return self.options.role if isinstance(self.options, Makes) else None

    @property
    def wrapper(self) -> str:
        """The kind of wrapper that it puts a network into."""
        return self.options.wrapper if isinstance(self.options, Wraps) else ""

    @property
    def gate(self) -> Gate:
        """What it can do to the books: they are the same with or without a criterion, and what wraps no ranks."""
        gate = self.action.gate
        leaves = self.role is Role.CRITERION or (self.action is Action.WRAP and self.wrapper in ("", "dp"))
        return gate | Gate.MAKES if Gate.ROLE in gate and not leaves else gate
