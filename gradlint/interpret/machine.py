"""The machine: one run of a program in one scenario, and the event log it leaves.

It is a record of parts, each of which keeps one subject; who needs one of them gets that. Statements live in `execute`,
expressions in `evaluate`, library calls in `effects`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from gradlint.interpret.dispatch import PREPARING
from gradlint.interpret.frame import Frame
from gradlint.interpret.plan import Plan
from gradlint.interpret.state.budget import Budget
from gradlint.interpret.state.contexts import Contexts
from gradlint.interpret.state.course import Course
from gradlint.interpret.state.graphs import Graphs
from gradlint.interpret.state.loading import Loading
from gradlint.interpret.state.names import Names
from gradlint.interpret.state.objects import Objects
from gradlint.interpret.state.precision import Precision
from gradlint.interpret.state.ranks import Ranks
from gradlint.interpret.state.scenario import Scenario
from gradlint.interpret.state.sizes import Sizes
from gradlint.interpret.state.stack import Stack
from gradlint.interpret.state.training import Training
from gradlint.interpret.state.witnessed import Witnessed
from gradlint.interpret.traits import is_setting
from gradlint.interpret.values import LONG_KEY, Constructor, Imported, Routine, Unknown, Value, shortened
from gradlint.interpret.witness import NULL, Witness
from gradlint.model.events import Detail, Event, EventLog, Kind, Stamp
from gradlint.model.finding import Span
from gradlint.model.program import Class, Function, Module, Program
from gradlint.model.record import dataclass
from gradlint.model.roles import Role

MAX_EVENTS = 3_000
"""In one scenario; what a rule asks of an update may take a look at all the others."""


@dataclass(frozen=True, slots=True, eq=False)
class Machine:
    """One run: the program, the plan it is made under, its log, and the parts of its state."""

    program: Program
    plan: Plan
    log: EventLog
    scenario: Scenario
    budget: Budget
    globals: dict[int, Frame]
    loading: Loading = field(default_factory=Loading)
    course: Course = field(default_factory=Course)
    stack: Stack = field(default_factory=Stack)
    contexts: Contexts = field(default_factory=Contexts)
    ranks: Ranks = field(default_factory=Ranks)
    precision: Precision = field(default_factory=Precision)
    training: Training = field(default_factory=Training)
    objects: Objects = field(default_factory=Objects)
    names: Names = field(default_factory=Names)
    graphs: Graphs = field(default_factory=Graphs)
    sizes: Sizes = field(default_factory=Sizes)
    witnessed: Witnessed = field(default_factory=Witnessed)

    @property
    def here(self) -> Span:
        """Where the innermost loop stands, or else the module."""
        return self.course.heads[-1] if self.course.heads else self.program.body.span

    @property
    def module(self) -> Module:
        """The module of what is running."""
        running = self.stack.running
        return self.program.main if running is None else self.program.home(running)

    def frame_of(self, node: Function | Class) -> Frame:
        """The names of the module in which a function or a class stands."""
        return self.globals.get(node.span.module) or PREPARING[0](self, self.program.home(node))

    def enter(self, module: Module) -> Frame:
        """The names of a module, which are only the functions and classes as long as nothing of it has run."""
        frame = self.globals.get(module.number)
        if frame is None:
            frame = self.globals[module.number] = Frame(module.body)
            frame.values |= {name: Routine(function, frame) for name, function in module.functions.items()}
            frame.values |= {name: Constructor(cls) for name, cls in module.classes.items()}
            numbers = self.plan.numbers  # what a file has itself comes before what others have under the same name
            numbers.defaults = {**module.defaults, **numbers.defaults}
            numbers.texts = {**module.texts, **numbers.texts}
            self.plan.numbers.asserted = {**module.asserted, **self.plan.numbers.asserted}
        return frame

    def emit(self, kind: Kind, span: Span, subject: str, text: str, detail: Detail = None) -> int:
        """Write an event; silent while objects are being prepared, save for a teacher that is put into `eval()` there.

        Returns:
            Its number.
        """
        stack, log = self.stack, self.log
        if stack.preparing and (kind is not Kind.EVAL or any(one.kind != "call" for one in self.course.stamp)):
            return -1
        number = len(log.events)
        if number >= MAX_EVENTS:
            self.budget.cut()
        guards, calls = tuple(self.scenario.guards), tuple(stack.calls)
        event = Event(number, kind, span, subject, self.course.stamp, stack.function, text, guards, calls, detail)
        log.events.append(event)
        return number

    def read_gradients(self) -> None:
        """Note that code looks at gradients: a repair may not clear them before."""
        self.stack.looked_in = self.stack.function
        looked, number = self.log.models.looked, len(self.log.events)
        if not self.stack.preparing and looked[-1:] != [number]:
            looked.append(number)
        if self.plan.options.every_iteration:
            self.emit(Kind.READ, self.here, "*", "")
        else:
            self.plan.shortened = True

    def is_now_and_then(self, site: object, *, apart: bool = False) -> bool:
        """A guard that is true now and then: every third time, and in the last batch never first.

        One that stands `apart` from windows is true once, in the first iteration of the second.
        """
        count = self.names.again(site)
        self.course.numbers.append(count)
        return count == self.plan.window + 1 if apart else count % self.plan.window == 0

    def unknown(self, key: str, varying: bool = False) -> Value:
        """An unknown value, or the number its key is bound to."""
        key = key if len(key) <= LONG_KEY else shortened(key)
        if key in self.objects.overrides:
            return self.objects.overrides[key]
        if key in self.plan.numbers.bindings:
            return self.bound(key)
        return Unknown(key, varying, leaves=frozenset((key,)))

    def bound(self, key: str) -> int:
        """The number a key is bound to; a counter that only the caller moves follows the iterations."""
        moved = 0
        if key in self.plan.numbers.starts:
            moved = self.names.rounds
            self.course.numbers.append(moved)
        return self.plan.numbers.bindings[key] + moved

    def free(self, name: str, hint: Role | None, origin: str = "free") -> Value:
        """A name that nothing in the file binds."""
        if hint is not None and hint != Role.CRITERION:
            self.names.homes.setdefault(name, tuple(self.stack.calls))
            return self.objects.tracked(hint, name, origin)
        return self.unknown(name)

    def local_name(self, name: str, iterations: Stamp = ()) -> str:
        """The key of a local object."""
        return self.names.local(name, tuple(self.stack.calls), iterations)

    def setting(self, value: Value) -> Value:
        """What another file of the project says, where it is used as a value: a number that nobody knows."""
        return self.unknown(value.name) if isinstance(value, Imported) and is_setting(value) else value


def machine_for(program: Program, plan: Plan, decisions: Mapping[str, bool], witness: Witness = NULL) -> Machine:
    """A machine before its run; `decisions` are the guards this scenario fixes, the rest go their default way."""
    log = EventLog(decisions=dict(decisions))
    budget = Budget.of_several(log) if program.link.several else Budget(log)
    machine = Machine(program, plan, log, Scenario(log.decisions), budget, {}, witnessed=Witnessed.by(witness))
    machine.enter(program.main)
    return machine
