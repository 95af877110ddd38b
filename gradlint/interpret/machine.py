"""The machine: one run of a program in one scenario, and the event log it leaves.

State is small: the frames, the iterations of the enclosing loops, the contexts entered, the guards
passed, and the plan the run is made under. Statements live in `execute`, expressions in
`evaluate`, library calls in `effects`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial

from gradlint.interpret.frame import Frame
from gradlint.interpret.plan import Fork, Plan, Restart, Stride
from gradlint.interpret.sequences import batches_in, samples_each
from gradlint.interpret.values import (
    Constructor,
    Context,
    Module,
    Routine,
    Tracked,
    Unknown,
    Value,
    is_setting,
)
from gradlint.libraries.conventions.roles import NO_NETWORK
from gradlint.libraries.tables import OPTIMIZERS
from gradlint.model.effects import Gate
from gradlint.model.events import Detail, Event, EventLog, Guard, Iteration, Kind, Stamp
from gradlint.model.factor import ONE, Factor
from gradlint.model.finding import Span
from gradlint.model.program import Call, Class, Expr, Function, If, Program
from gradlint.model.roles import Role

MAX_STATEMENTS = 30_000
MAX_DEPTH = 12
MAX_EVENTS = 3_000
"""In one scenario; what a rule asks of an update may take a look at all the others."""

LONG = 64
"""A value made of so many things counts as one more statement: sums of thousands of losses grow with every term."""


class Truncated(Exception):
    """The run grew past its bound."""


class Infeasible(Exception):
    """This scenario contradicts itself (a call on `None`): it says nothing."""


class Yielded(Exception):
    """A generator used as a context manager reached its `yield`."""


@dataclass(slots=True)
class Models:
    """What is known of models beside their wrappers.

    `hearsay` are those whose wrapper is known by its name alone, `foreign` those of classes that nobody sees here,
    `parts` what was asked of a model: `model.trunk`. `inside` are the networks that torch's DDP was put around, `past`
    the forwards that called one of these and not its wrapper. `anew` are those that a class made, and when,
    `named` those that something else made, `handed` what the results of calls were called first.
    `noted` are names of modes, with the function that noted them, `classes` those of other files that were called,
    by what came of it. `holders` are objects of other files that were given optimizers or scalers, by their keys,
    `gathered` layers that an object holds and a `ModuleList` as well, each with that.
    """

    hearsay: set[str] = field(default_factory=set)
    foreign: set[str] = field(default_factory=set)
    parts: set[str] = field(default_factory=set)
    inside: dict[str, Tracked] = field(default_factory=dict)
    past: set[int] = field(default_factory=set)
    anew: dict[str, Stamp] = field(default_factory=dict)
    named: set[str] = field(default_factory=set)
    handed: dict[Unknown, str] = field(default_factory=dict)
    noted: set[tuple[str, str]] = field(default_factory=set)
    classes: dict[Unknown, str] = field(default_factory=dict)
    holders: dict[str, tuple[Tracked, ...]] = field(default_factory=dict)
    gathered: dict[Unknown, Value] = field(default_factory=dict)


@dataclass(slots=True)
class Pace:
    """How a loop takes its batches: from a stream that has no epochs, so many samples at a time; how it cuts them.

    `sizes` are the samples in each batch of data in sight, `shares` what numbers were divided by. It is `sampled` where
    some sampler was made; `within` are the contexts in which a generator stops with each item.
    """

    streaming: bool = False
    sampled: bool = False
    within: dict[Unknown, list[Context]] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)
    strides: set[int] = field(default_factory=set)
    cuts: list[Stride] = field(default_factory=list)
    shares: dict[Fraction, frozenset[int]] = field(default_factory=dict)


@dataclass(slots=True)
class Spent:
    """What has run backward and was not kept for another time: losses by their origins, forwards by their numbers.

    `outputs` has the forward of each origin that is the whole of what a network returned.
    """

    bases: set[int] = field(default_factory=set)
    forwards: set[int] = field(default_factory=set)
    outputs: dict[int, int] = field(default_factory=dict)


def _share(one: str, other: str) -> bool:
    """Whether one model is the other, or a part of it."""
    return one == other or one.startswith(f"{other}.") or other.startswith(f"{one}.")


class Machine:
    """One run. `decisions` are the guards this scenario fixes; the rest go their default way.

    `doing` is the expression that is a statement of its own, whose result nobody wants,
    `entering` what a `with` enters.
    """

    doing: Expr | None = None
    entering: Expr | None = None
    left_scaled: bool = False  # by Apex's `delay_unscale`, for the next backward to go on with

    def __init__(self, program: Program, plan: Plan, decisions: Mapping[str, bool]) -> None:
        self.program = program
        self.plan = plan
        self.log = EventLog(decisions=dict(decisions))
        self.forks: list[Fork] = []
        self.recalled: list[str] = []
        self.iterations: list[Iteration] = []
        self.last_iteration: list[bool] = []
        self.heads: list[Span] = []
        self.contexts: list[Context] = []
        self.guards: list[Guard] = []
        self.passed: Guard | None = None
        self.calls: list[Span] = []
        self.functions: list[Function] = []
        self.tracked_objects: dict[tuple[Role | None, str], Tracked] = {}
        self.counted: set[str] = set()
        self.counters: dict[object, int] = {}
        self.sync_off, self.sync_unsure = set[str](), set[str]()
        self.accumulated, self.on_the_way = 0, dict[Span, Factor]()
        self.preparing = self.repeating = 0
        self.statements = 0
        self.covered: set[Span] = set()
        self.bases = 0
        self.inputs: dict[int, tuple[str, ...]] = {}
        self.wrappers: dict[str, str] = {}
        self.models = Models()
        self.looked_in, self.ways = "", dict[str, list[Span]]()
        self.written: dict[Function, Call] = {}
        self.frozen: set[str] = set()
        self.made_of: dict[str, frozenset[str]] = {}
        self.accelerator: Tracked | None = None
        self.parts: dict[tuple[frozenset[int], str], int] = {}
        self.overrides: dict[str, Value] = {}
        self.rounds = 0
        self.numbers: list[object] = []
        self.sizes: list[int] = []
        self.moduli: dict[str, int] = {}
        self.handed: dict[int | str, int] = {}
        self.modes: dict[str, bool] = {}
        self.modes_before: dict[int, dict[str, bool]] = {}
        self.syncing = True
        self.prepared = False
        self.unsure_scalers, self.low_switches, self.switches = set[str](), set[str](), list[Unknown]()
        self.spent = Spent()
        self.scalers: dict[int | str, Span] = {}
        self.pace = Pace()
        self.capturing = self.resuming = 0
        self.captured: list[Context] = []
        self.module_frame = Frame(program.body)
        for name, function in program.functions.items():
            self.module_frame.values[name] = Routine(function, self.module_frame)
        for name, cls in program.classes.items():
            self.module_frame.values[name] = Constructor(cls)

    # ------------------------------------------------------------------------ bookkeeping

    def tick(self) -> None:
        """Count a statement.

        Raises:
            Truncated: the bound is reached.
        """
        self.statements += 1
        if self.statements > MAX_STATEMENTS:
            self.cut()

    def weigh(self, value: Value) -> None:
        """Count what a large value costs.

        Raises:
            Truncated: the bound is reached.
        """
        if value.__class__ is Unknown and len(value.leaves) >= LONG:
            self.statements += len(value.leaves) // LONG
            self.tick()

    def cut(self) -> None:
        """End the run before its end, and note that.

        Raises:
            Truncated: always.
        """
        self.log.truncated = True
        raise Truncated

    def restart(self) -> None:
        """Start over under the changed plan.

        Raises:
            Restart: always.
        """
        if not self.plan.frozen:
            raise Restart

    @property
    def stamp(self) -> Stamp:
        """The current turn of every enclosing loop."""
        return tuple(self.iterations)

    @property
    def looping(self) -> bool:
        """True inside a loop that repeats work: what a call returns there varies."""
        for iteration in self.iterations:  # noqa: SIM110  # asked of every call: a generator would take three times as long
            if iteration.kind != "call":
                return True
        return False

    @property
    def working(self) -> bool:
        """True inside a loop over batches or over parts of one."""
        for iteration in self.iterations:  # noqa: SIM110  # the same
            if iteration.kind in ("batch", "micro"):
                return True
        return False

    @property
    def function(self) -> str:
        """The name of the running function."""
        return self.functions[-1].qualname if self.functions else "<module>"

    def fresh(self) -> int:
        """A new identity for a loss term."""
        self.bases += 1
        return self.bases

    def copy_number(self, key: str, site: Span) -> int:
        """Which copy of an object a place in the source makes: the first, the second..."""
        number = self.counters.get(("copy", key, site))
        if number is None:
            number = self.counters.get(("copies", key), 0) + 1
            self.counters["copies", key] = self.counters["copy", key, site] = number
        return number

    def local_name(self, name: str, iterations: Stamp = ()) -> str:
        """The key of a local object: where the calls that led here, or the `turns`, are others, it is another one's."""
        path = ("local", name, tuple(self.calls), iterations)
        if path not in self.counters:
            self.counters[path] = self.counters.get(("locals", name), 0)
            self.counters["locals", name] = self.counters[path] + 1
        number = self.counters[path]
        return f"{name}#{number}" if number else name

    def part(self, bases: frozenset[int], name: str) -> frozenset[int]:
        """The identity of one part (`out.loss`, the second of a tuple) of something; equal parts agree."""
        if not bases:
            return bases
        key = (bases, name)
        if key not in self.parts:
            self.parts[key] = self.fresh()
        return frozenset((self.parts[key],))

    def outputs_of(self, origins: frozenset[int]) -> frozenset[int]:
        """The forwards whose whole output some origins are."""
        return frozenset(self.spent.outputs[origin] for origin in origins if origin in self.spent.outputs)

    def own_size(self, loss: Unknown, divisor: Value) -> bool:
        """Whether a divisor counts the samples, or elements, of the very batch that a loss came from.

        `loss.sum() / loss.shape[0]` is a mean over the micro-batch; it says nothing of the window.
        """
        if not isinstance(divisor, Unknown) or divisor.measures is None or divisor.factor != ONE:
            return False
        measured = divisor.measures
        if measured.forwards:
            return measured.forwards <= loss.forwards
        inputs = [key for number in loss.forwards for key in self.inputs.get(number, ())]
        return any(measured.key == key or measured.key.startswith((f"{key}.", f"{key}[")) for key in inputs)

    def emit(self, kind: Kind, span: Span, subject: str, text: str, detail: Detail = None) -> int:
        """Write an event; silent while objects are being prepared, save for a teacher that is put into `eval()` there.

        Returns:
            Its number.
        """
        if self.preparing and (kind is not Kind.EVAL or self.iterations):
            return -1
        number = len(self.log.events)
        if number >= MAX_EVENTS:
            self.cut()
        event = Event(
            number,
            kind,
            span,
            subject,
            self.stamp,
            self.function,
            text,
            tuple(self.guards) if self.guards else (),
            tuple(self.calls) if self.calls else (),
            detail,
        )
        self.log.events.append(event)
        self.log.sites.add(span)
        return number

    def spend(self, loss: Unknown) -> None:
        """A loss has run backward, and nothing keeps its graph."""
        self.spent.bases |= loss.bases
        self.spent.forwards |= loss.forwards

    def is_spent(self, value: Unknown) -> bool:
        """True of what cannot run backward any more."""
        gone = bool(value.forwards) and value.forwards <= self.spent.forwards
        return gone or value.bases <= self.spent.bases

    def read_gradients(self) -> None:
        """Note that code looks at gradients: a repair may not clear them before."""
        self.looked_in = self.function
        if not self.plan.every_iteration:
            return
        self.emit(Kind.READ, self.heads[-1] if self.heads else self.program.body.span, "*", "")

    def assume(self, key: str, want: bool, priority: int, missed: int = 0) -> bool:
        """The truth of an atom in this scenario, decided on first sight and then remembered.

        `priority` is how much hangs on it, `missed` how much does where it was decided against what is wanted here.
        """
        decided = self.log.decisions
        if key in decided:
            if decided[key] is not want:
                priority = max(priority, missed)
            if priority > 0:
                self._matters_after_all(key, priority)
            return decided[key]
        if "==" in key and want:
            left = key.split("==", maxsplit=1)[0]
            if any(value and other.split("==")[0] == left and other != key for other, value in decided.items()):
                want, priority = False, max(priority, missed)
        if want and _MEANS.search(key) and any(on and _excludes(other, key) for other, on in decided.items()):
            want, priority = False, max(priority, missed)
        decided[key] = want
        self.forks.append(Fork(key, want, priority))
        return want

    def recall(self, priority: int) -> None:
        """A guard computed because comparisons were decided before: so much hangs on these."""
        for key in self.recalled:
            self._matters_after_all(key, priority)

    def _matters_after_all(self, key: str, priority: int) -> None:
        """More hangs on an atom than when it was asked first."""
        for number, fork in enumerate(self.forks):
            if fork.key == key and fork.priority < priority:
                self.forks[number] = Fork(key, fork.went, priority)

    def accident(self, guard: If) -> bool:
        """Whether a rare way out is taken now: only by the probe that is made for it, and only once."""
        if self.preparing:
            return False
        site = f"{guard.text}@{self.function}"
        alike = self.ways.setdefault(site, [])
        if guard.span not in alike:
            alike.append(guard.span)
        if guard.span != alike[0]:  # `if not skip:` inside of another one
            site += f"#{alike.index(guard.span)}"
        iteration = self.log.exits.get(site, 0)
        self.log.exits[site] = iteration + 1
        planned = self.plan.probe.accident
        if planned is None or planned.site != site or planned.iteration != iteration:
            return False
        self.log.accident = (len(self.log.events), self.stamp)
        return True

    def is_now_and_then(self, site: object, *, apart: bool = False) -> bool:
        """A guard that is true now and then: every third time, and in the last batch never first.

        One that stands `apart` from windows is true once, in the first turn of the second.
        """
        count = self.counters.get(site, 0) + 1
        self.counters[site] = count
        self.numbers.append(count)
        return count == self.plan.window + 1 if apart else count % self.plan.window == 0

    def decides(self, value: Value) -> None:
        """Note a number that something hangs on: whether it is 0, or what stands at its place in a list."""
        if value.__class__ is int:
            self.numbers.append(value)

    def in_batches(self, samples: int) -> int:
        """A number of samples as so many batches, where a counter goes on by a batch's samples."""
        found = [-(-samples // stride) for stride in self.pace.strides if samples > stride]
        return max(found, default=samples)

    def count_batches(self, source: Value) -> None:
        """Note how many batches a loader has, or the tensor that is walked row by row, where that is known."""
        number = batches_in(source)
        if isinstance(source, (Tracked, Unknown)) and number is not None and number > 1:
            self.plan.counts[source.key] = number
            part = "" if isinstance(source, Unknown) else "["  # a loader gives tuples of batches
            self.pace.sizes[f"{source.key}[*]{part}"] = samples_each(source)
        elif isinstance(source, Tracked):
            self.plan.counts.pop(source.key, None)  # another scenario has a loader of that name with so many

    def samples_in(self, size: Value) -> Value:
        """The number of samples in a batch of data in sight, where `size` is the size of one."""
        whole = size.measures.key if isinstance(size, Unknown) and size.measures is not None else ""
        found = self.pace.sizes.get(whole, 0) or self.pace.sizes.get(f"{whole.rpartition('[')[0]}[", 0)
        return found or size

    def draws(self) -> None:
        """Note that a loop over batches takes them from a stream: it is no epoch."""
        if self.iterations and self.iterations[-1].kind == "batch" and not self.preparing:
            self.pace.streaming = True

    def is_last_iteration(self) -> bool:
        """Whether the innermost loop is in its last iteration. Who asks may get another answer in each iteration."""
        self.numbers.append(self.iterations[-1] if self.iterations else None)
        return bool(self.last_iteration) and self.last_iteration[-1]

    # ------------------------------------------------------------------------------ values

    def unknown(self, key: str, varying: bool = False) -> Value:
        """An unknown value, or the number its key is bound to."""
        if key in self.overrides:
            return self.overrides[key]
        if key in self.plan.bindings:
            return self.bound(key)
        return Unknown(key, varying, leaves=frozenset((key,)))

    def bound(self, key: str) -> int:
        """The number a key is bound to; a counter that only the caller moves follows the iterations."""
        moved = 0
        if key in self.plan.starts:
            moved = self.rounds
            self.numbers.append(moved)
        return self.plan.bindings[key] + moved

    def tracked(self, role: Role | None, key: str, origin: str = "name") -> Tracked:
        """The thing of that role and key; equal keys are one thing."""
        found = self.tracked_objects.get((role, key))
        if found is None:
            found = Tracked(key, role, origin=origin)
            self.tracked_objects[role, key] = found
        return found

    def free(self, name: str, hint: Role | None, origin: str = "free") -> Value:
        """A name that nothing in the file binds."""
        if hint is not None and hint != Role.CRITERION:
            return self.tracked(hint, name, origin)
        return self.unknown(name)

    def classes_of(self, cls: Class) -> tuple[Class, ...]:
        """The class and its bases in this file, in resolution order."""
        known = self.program.lineages.get(cls)
        if known is None:
            known = self.program.lineages[cls] = tuple(self._lineage(cls))
        return known

    def _lineage(self, cls: Class) -> list[Class]:
        found: list[Class] = []
        todo = [cls]
        while todo and len(found) < 12:
            current = todo.pop(0)
            if current in found:
                continue
            found.append(current)
            for base in current.bases:
                known = self.program.classes.get(base.split(".")[-1])
                if known is not None:
                    todo.append(known)
        return found

    def method(self, cls: Class, name: str) -> tuple[Function, Class] | None:
        """The method of that name in the class or its bases in this file."""
        for current in self.classes_of(cls):
            if name in current.methods:
                return current.methods[name], current
        return None

    def role_of(self, cls: Class) -> Role | None:
        """What instances are; what has a `forward` and a base that nobody sees is a network, unless it trains one."""
        lineage = self.classes_of(cls)
        for current in lineage:
            if current.role is not None:
                return current.role
        known = {current.name for current in lineage}
        unseen = {base.split(".")[-1] for current in lineage for base in current.bases} - known
        forwards = any("forward" in current.methods for current in lineage)
        if any(one.gates & (Gate.BACKWARD | Gate.STEP) for current in lineage for one in current.methods.values()):
            return None
        return Role.MODEL if forwards and any(not NO_NETWORK.search(base) for base in unseen) else None

    # ---------------------------------------------------------------------------- contexts

    @contextmanager
    def entered(self, context: Context) -> Iterator[None]:
        """Run a block with one more context."""
        self.contexts.append(context)
        try:
            yield
        finally:
            if context in self.contexts:
                self.contexts.remove(context)

    def active(self, kind: str) -> Context | None:
        """The innermost active context of that kind."""
        for context in reversed(self.contexts):
            if context.kind == kind:
                return context if context.active else None
        return None

    @property
    def gradients_off(self) -> bool:
        """True under `no_grad` (an inner `enable_grad` wins)."""
        for context in reversed(self.contexts):
            if context.kind == "no_grad":
                return context.active
            if context.kind == "set_grad":
                return not context.active
        return False

    @property
    def autocast(self) -> str:
        """The dtype text of the active autocast (`float16`, `bfloat16`, `?`), else empty."""
        context = self.active("autocast") if self.contexts else None
        return "" if context is None else context.dtype or "?"

    def switch_sync(self, root: str, on: bool | None) -> None:
        """Whether backward passes of a model all-reduce from now on; nobody knows where `on` is none."""
        for which, marked in ((self.sync_off, on is False), (self.sync_unsure, on is None)):
            which.discard(root)
            if marked:
                which.add(root)

    def wrapped_part(self, root: str, network: Tracked | None = None) -> str:
        """The part of a network that DDP was put around, where it was put around a part and not around all of it."""
        for held in network.attrs.values() if network is not None else ():
            if isinstance(held, Tracked) and held.distributed == "ddp":
                return held.root
        for part, wrapper in self.wrappers.items():
            if wrapper == "ddp" and part.startswith(f"{root}."):
                return part
        return ""

    def freeze(self, roots: frozenset[str], trains: bool | None) -> None:
        """Whether some models' parameters want gradients from now on; what hangs on an open guard is not certain."""
        if trains is False and all(guard.known for guard in self.guards):
            self.frozen |= roots
        elif trains is not False and self.frozen:
            self.frozen = {one for one in self.frozen if not any(map(partial(_share, one), roots))}

    def is_frozen(self, root: str) -> bool:
        """True when no parameter of a model wants gradients."""
        return bool(self.frozen) and any(root == one or root.startswith(f"{one}.") for one in self.frozen)

    def no_sync(self, thing_root: str) -> bool:
        """True when gradient synchronisation is off for the model."""
        if thing_root in self.sync_off:
            return True
        if not self.contexts:
            return False
        if self.accumulated and not self.syncing and self.active("accumulate") is not None:
            return True
        return any(
            context.kind == "no_sync"
            and context.active
            and (context.target is None or context.target.root == thing_root)
            for context in self.contexts
        )

    def imported(self, name: str) -> Module:
        """A module or something in one."""
        return Module(name)

    def setting(self, value: Value) -> Value:
        """What another file of the project says, where it is used as a value: a number that nobody knows."""
        return self.unknown(value.name) if isinstance(value, Module) and is_setting(value) else value


_KIND = re.compile(r"isinstance\((?P<whose>.+), [\w.]*?(?P<kind>\w+)\)")


_WITHIN = re.compile(r"(?P<quote>['\"])(?P<part>\w+)(?P=quote) in (?P<whose>.+)")
_IS = re.compile(r"(?P<whose>.+)==(?P<quote>['\"])(?P<text>.*)(?P=quote)")
_MEANS = re.compile(r"^isinstance\(| in |==['\"]")


def _excludes(one: str, other: str) -> bool:
    """Whether two questions cannot both be true: an `Adam` is no `LBFGS`, and `"cosine"` is not in `"linear"`."""
    for asked, said in ((one, other), (other, one)):
        part, text = _WITHIN.fullmatch(asked), _IS.fullmatch(said)
        if part is not None and text is not None and part["whose"] == text["whose"]:
            return part["part"] not in text["text"]
    first, second = _KIND.fullmatch(one), _KIND.fullmatch(other)
    if first is None or second is None or first["whose"] != second["whose"]:
        return False
    kinds = first["kind"], second["kind"]
    return OPTIMIZERS.issuperset(kinds) and kinds[0] not in kinds[1] and kinds[1] not in kinds[0]
