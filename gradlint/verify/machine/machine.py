"""The state of one walk through a loop."""

from __future__ import annotations

import ast
import contextlib
import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING

from gradlint.verify.machine import automatic, binder, calls, expressions, guards, statements
from gradlint.verify.machine.frame import Frame
from gradlint.verify.machine.values import Closure, Object, Value
from gradlint.verify.reasons import InconclusiveError, Reason
from gradlint.verify.record import TAIL, Record
from gradlint.verify.slice.index import Class, Function
from gradlint.verify.slice.regions import MODULE, Region, Slice, is_main_guard, script
from gradlint.verify.world.world import EnoughError, World

if TYPE_CHECKING:
    from gradlint.verify.world.optim import Loader

MOST_STATEMENTS = 100_000
MOST_IDLE = 20_000
"""Statements without a backward among them."""
DEEPEST = 14
LONG = 32
"""A loop of more turns is one over data or steps, not over the micro-batches of a window."""


class Machine:
    """Walks one region in one world.

    `bound` holds what was made for names nobody binds, by path; `stored` what the loop has put on objects it does
    not define; `wanted` the expressions whose value must be a loss; `several`
    what was asked to be more than one.
    """

    def __init__(self, sliced: Slice, region: Region, world: World) -> None:
        self.slice = sliced
        self.index = sliced.index
        self.region = region
        self.world = world
        self.plan = world.plan
        self.module = Frame()
        self.bound: dict[str, Value] = {}
        self.stored: dict[str, Value] = {}
        self.answers: dict[str, bool] = {}
        self.flags: dict[str, int] = {}
        self.wanted: set[int] = set()
        self.knobs: set[str] = set()
        self.several: set[str] = set()
        self.statements = 0
        self.progress = (0, 0)
        self.depth = 0
        self.serial = 0
        self.tick = 0
        self.epoch = 0
        self.last = False
        self.supplying = False
        self.current: Loader | None = None
        self.loops = 0
        self.guesses = 0
        self.yields: list[list[Value]] = []
        self.closures: list[Closure] = []
        self.nested: list[int] = []
        self.before: dict[int, int] = {}
        self.parts = 1
        self.cut = False
        world.apply = lambda target, args: self.apply(target, args, {})

    # ------------------------------------------------------------------ the walk

    def walk(self) -> Record:
        """Run the region, supply the loops it does not have, and close the books."""
        try:
            self._module()
            if self.region.name != MODULE:
                self._entry()
        except EnoughError:
            pass
        return self.world.finish()

    def _module(self) -> None:
        """The names of the module; its own loops too when they are the region."""
        mine = self.region.name == MODULE
        for statement in script(self.index.tree):
            plain = isinstance(statement, (ast.Assign, ast.AnnAssign))
            if mine or plain or not self.index.gates(statement):
                statements.run(self, [statement], self.module)
        if mine:
            for statement in self.index.tree.body:
                if is_main_guard(statement) and isinstance(statement, ast.If):
                    statements.run(self, statement.body, self.module)

    def _entry(self) -> None:
        owner: Object | None = None
        node: Function
        home: Class | None = None
        if self.region.class_name:
            home = self.index.classes[self.region.class_name]
            node = home.methods[self.region.name.rpartition(".")[2]]
            owner = binder.instance(self, home)
        else:
            node = self.index.functions[self.region.name]
        if self.region.automatic and owner is not None and home is not None:
            automatic.run(self, owner, home)
            return
        self._call(node, owner, home, 0)
        if self.cut:
            return
        if not self.world.record.columns:
            self._handed_on()
            return
        depth = self.world.record.loop_depth
        if depth == 0:
            self.supplying = True
            for number in range(1, self.plan.batches * self.plan.epochs):
                self._call(node, owner, home, number)
        elif depth == 1 and self._keeps_its_optimizer():
            for epoch in range(1, self.plan.epochs):
                self._call(node, owner, home, epoch * self.plan.batches)

    def _handed_on(self) -> None:
        """A step function that was made here and given to somebody out of sight, who calls it for each batch."""
        for one in [one for one in self.closures if self.index.runs_backward(list(one.node.body))][:1]:  # type: ignore[arg-type]
            self.supplying, self.serial, self.world.epoch = True, 0, 0
            for number in range(self.plan.batches * self.plan.epochs):
                self._turn(number)
                binder.enter(self, one, epoch=number // self.plan.batches)

    def _keeps_its_optimizer(self) -> bool:
        used = {update.optimizer for update in self.world.record.updates}
        return any(path in self.bound or path.startswith("self.") for path in used)

    def _call(self, node: Function, owner: Object | None, home: Class | None, number: int) -> None:
        self._turn(number)
        binder.enter(self, Closure(node, None, owner, home), epoch=number // self.plan.batches)

    def _turn(self, number: int) -> None:
        """One batch more, of a loop that is not in sight."""
        batches = self.plan.batches
        self.tick = number % batches
        self.last = self.tick == batches - 1
        self.serial += 1
        self.world.turn = self.serial
        if number % batches == 0:
            self.world.epoch += 1

    # ------------------------------------------------------------------ shorthands

    def value(self, node: ast.expr, frame: Frame) -> Value:
        """The value of an expression."""
        return expressions.value(self, node, frame)

    def test(self, node: ast.expr, frame: Frame, prefer: bool, gate: bool) -> bool:
        """Which way a guard goes."""
        return guards.test(self, node, frame, prefer, gate)

    def run(self, body: list[ast.stmt], frame: Frame) -> None:
        """Run statements."""
        statements.run(self, body, frame)

    def apply(self, target: Value, args: list[Value], kwargs: dict[str, Value], node: ast.Call | None = None) -> Value:
        """Call a value."""
        return calls.apply(self, target, args, kwargs, node)

    def count(self, row: int) -> None:
        """One statement more."""
        self.world.row = row
        self.statements += 1
        columns = len(self.world.record.columns)
        if columns != self.progress[0]:
            self.progress = (columns, self.statements)
        if self.statements > MOST_STATEMENTS or self.statements - self.progress[1] > MOST_IDLE:
            raise InconclusiveError(Reason.ENDLESS, f"line {row}: stopped after {self.statements:,} statements")

    def guarded(self, window: int) -> None:
        """A guard around a step, or around what skips one, counts to this number."""
        self.world.record.guarded = True
        self.learn(window)

    def learn(self, window: int, *, knob: bool = True, known: bool = True) -> None:
        """The source names a window; what it divides by, or how often it turns, counts where nothing else is known."""
        if 2 <= window <= 64 and (known or self.world.record.window is None):
            self.world.record.window = window
            self.world.record.knob = self.world.record.knob or knob

    def origin(self, path: str, value: Value, why: str) -> None:
        """Remember where a value came from."""
        self.world.record.bindings.setdefault(path, (str(value), why))

    def enough(self) -> None:
        """Stop when a backward of this loop has been seen often enough: two passes, of whole windows."""
        self.parts = max(self.parts, self._micro())
        limit = self.plan.batches * self.plan.epochs * self.parts
        if any(count - self.before.get(row, 0) >= limit for row, count in self.world.sites.items()):
            raise EnoughError

    def _micro(self) -> int:
        """How many micro-batches the short loops inside of long ones make of each batch."""
        product = 1
        for outer, inner in itertools.pairwise(self.nested):
            product *= inner if outer > LONG >= inner else 1
        return min(product, LONG)

    @contextlib.contextmanager
    def training(self) -> Iterator[None]:
        """Around a loop that trains. The outermost one ends when it has shown enough; what follows it is run, too.

        Not where ragged ends are looked at: the end that is made here is not the loop's own.
        """
        outermost = not self.nested
        if outermost:
            self.before, self.parts = dict(self.world.sites), 1
        self.nested.append(LONG + 1)  # until what is looped over says how long it is
        try:
            yield
        except EnoughError:
            if not outermost or self.plan.regime == TAIL:
                raise
            self.cut = True
        finally:
            self.nested.pop()
