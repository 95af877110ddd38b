"""Bugs planted in the machine: the comparison with reality must notice every one.

`PROGRAMS` is small and fixed, so that a whole table of mutations takes seconds; the random loops
of `test_brute_force` only see more.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from gradlint.account import fold
from gradlint.interpret import (
    arithmetic,
    assignment,
    atoms,
    blocks,
    calling,
    dispatch,
    functions,
    iteration,
    loops,
    tracked,
    weighing,
)
from gradlint.interpret.effects import amp, distributed, gradients, use
from gradlint.interpret.frame import Frame
from gradlint.interpret.plan import Plan
from gradlint.interpret.sequences import Enumerate
from gradlint.interpret.state.ranks import Ranks
from gradlint.interpret.state.scenario import Scenario
from gradlint.interpret.values import Series, Tracked, Unknown
from gradlint.lower import expressions, statements
from gradlint.model.effects import Action
from gradlint.model.events import Backward, Kind, Schedule
from gradlint.model.factor import ONE, Factor
from gradlint.model.program import Augment, Break, Continue, Display, If, LoopKind, Return, Try, With
from interpret.brute import disagreements
from interpret.idioms import IDIOMS, SCENARIOS
from interpret.loops import Loop, Recipe, normal, render
from interpret.machine import only
from interpret.twins import Half, Twins, render_twins

Patch = pytest.MonkeyPatch
Plant = Callable[[Patch], None]

PLAIN = Recipe()
LITERAL = replace(PLAIN, window="literal", size=4)
CLIPPED = replace(PLAIN, clip="both", scaler="on", unscale="before")

RECIPES: dict[str, Recipe] = {
    "plain": PLAIN,
    "literal": LITERAL,
    "no epochs": replace(PLAIN, epochs=False),
    "continue": replace(PLAIN, guard="continue"),
    "else": replace(PLAIN, guard="else"),
    "helper": replace(PLAIN, guard="helper", spend="helper", share="helper"),
    "counted from one": replace(LITERAL, count="one"),
    "counter": replace(PLAIN, count="counter", increment="after"),
    "last batch": replace(PLAIN, variant=7),
    "micro-batches": replace(LITERAL, count="micro range"),
    "never cleared": replace(PLAIN, zero="none"),
    "cleared each time": replace(PLAIN, zero="start"),
    "divided twice": replace(LITERAL, share="twice"),
    "divided in place": replace(LITERAL, share="in place"),
    "clipped": CLIPPED,
    "clipped while scaled": replace(CLIPPED, unscale="after clip"),
    "schedule each time": replace(PLAIN, schedule="micro", shape="made inside"),
    "distributed": replace(PLAIN, sync="ternary", schedule="window"),
    "distributed, backward only": replace(PLAIN, sync="backward only"),
    "distributed, forward only": replace(PLAIN, sync="forward only"),
    "method": replace(PLAIN, shape="method", spend="helper", sync="branches"),
    "script": replace(PLAIN, shape="script", scaler="off", update="micro"),
}

NAMED = (
    "for else flushes, 2",
    "for else is left out by a break, symbol",
    "break after the first window, symbol",
    "nonlocal counter, symbol",
    "divided by a keyword argument, 4",
    "divided by a default argument, symbol",
    "early return, symbol",
    "try finally, 2",
    "clip of the other model, symbol",
    "one optimizer is never cleared, symbol",
    "two schedulers, 2",
    "accelerate accumulates, symbol",
    "sum of two terms divided, 2",
    "gan, symbol",
    "two distributed models, symbol",
    "one forward and two backwards, symbol",
    "optimizers in a list, 2",
    "properties and fields, symbol",
    "exit stack, symbol",
    "step of the window before, symbol",
    "divided in place under another name, symbol",
    "gradients divided by hand, symbol",
)

PROGRAMS: dict[str, Loop] = {
    **{name: render(normal(recipe)) for name, recipe in RECIPES.items()},
    **{name: IDIOMS[name] for name in NAMED if name in IDIOMS},
    "a flag and its opposite": SCENARIOS["a flag and its opposite, symbol"],
    "an optional scaler": SCENARIOS["an optional scaler, symbol"],
    "two flags": SCENARIOS["two flags, symbol"],
    "twins": render_twins(Twins("apart", "together", True, Half(2, schedule=True), Half(3, clip="before"))),
}

LENGTHS = {"plain": 7, "literal": 9}
FORKED = ("a flag and its opposite", "an optional scaler", "two flags")


def complaints() -> Iterator[str]:
    """Every program that the machine gets wrong."""
    for name, loop in PROGRAMS.items():
        try:
            region = only(loop.source)
            if name in LENGTHS and region.plan.batches != LENGTHS[name]:
                yield f"{name}: a loader of {region.plan.batches}"
            if name in FORKED and len(region.scenarios) < 2:
                yield f"{name}: one world"
            yield from (f"{name}: {text}" for text in disagreements(loop))
        except (AssertionError, StopIteration) as error:
            yield f"{name}: {error!r}"


# --------------------------------------------------------------------------- the mutations

MUTATIONS: dict[str, Plant] = {}


def plants(text: str) -> Callable[[Plant], Plant]:
    """Enter a mutation in the table."""

    def enter(plant: Plant) -> Plant:
        MUTATIONS[text] = plant
        return plant

    return enter


def around(patch: Patch, owner: Any, name: str, made: Callable[[Any], Any]) -> None:
    """Replace a function by what `made` makes of it, in every module that imported it."""
    old = getattr(owner, name)
    new = made(old)
    patch.setattr(owner, name, new)
    for module in [module for key, module in sys.modules.items() if key.startswith("gradlint.interpret")]:
        if vars(module).get(name) is old:
            patch.setattr(module, name, new)


def handler(patch: Patch, table: dict[Any, Any], key: Any, made: Callable[[Any], Any]) -> None:
    """Replace an entry of a table by what `made` makes of it."""
    patch.setitem(table, key, made(table[key]))


def silent(_: Any) -> Any:
    """Something that does nothing."""
    return lambda *_args, **_keywords: None


@plants("a zero clears nothing")
def _(patch: Patch) -> None:
    def made(old: Any) -> Any:
        def zero(self: Any, event: Any, detail: Any) -> None:
            live, spent = list(self.live), list(self.spent)
            old(self, event, detail)
            self.live, self.spent = live, spent

        return zero

    around(patch, fold._Fold, "zero", made)


@plants("a zero leaves what is spent")
def _(patch: Patch) -> None:
    def made(old: Any) -> Any:
        def zero(self: Any, event: Any, detail: Any) -> None:
            spent = list(self.spent)
            old(self, event, detail)
            self.spent = spent

        return zero

    around(patch, fold._Fold, "zero", made)


@plants("a zero clears every optimizer")
def _(patch: Patch) -> None:
    patch.setattr(fold._Fold, "covers", lambda self, detail: True)


@plants("a step does not mark what it spends")
def _(patch: Patch) -> None:
    def made(old: Any) -> Any:
        def step(self: Any, event: Any, detail: Any) -> None:
            spent = list(self.spent)
            old(self, event, detail)
            self.spent = spent

        return step

    around(patch, fold._Fold, "step", made)


@plants("a step consumes nothing")
def _(patch: Patch) -> None:
    def made(old: Any) -> Any:
        def step(self: Any, event: Any, detail: Any) -> None:
            live = list(self.live)
            old(self, event, detail)
            self.live = live

        return step

    around(patch, fold._Fold, "step", made)


@plants("a backward forgets the factor")
def _(patch: Patch) -> None:
    patch.setattr(gradients, "Backward", lambda **told: Backward(**{**told, "factor": ONE}))


@plants("a division in place is one of a copy")
def _(patch: Patch) -> None:
    patch.setattr(Unknown, "become", lambda _, other: other)


@plants("gradients written by hand stay what they are")
def _(patch: Patch) -> None:
    patch.setattr(fold._Fold, "write", silent(None))


@plants("a number in the source divides nothing")
def _(patch: Patch) -> None:
    around(
        patch,
        weighing,
        "divisor",
        lambda old: lambda value, literal=False: ONE if literal else old(value, literal),
    )


@plants("a sum forgets the divisors of its terms")
def _(patch: Patch) -> None:
    def multiplied(self: Unknown, key: str, factor: Factor) -> Unknown:
        product = self.under(key)
        product.factor = self.factor.times(factor)
        return product

    patch.setattr(Unknown, "multiplied", multiplied)


@plants("a modulus is off by one")
def _(patch: Patch) -> None:
    patch.setitem(arithmetic._NUMERIC, "%", lambda left, right: (left + 1) % right)


@plants("division is multiplication")
def _(patch: Patch) -> None:
    patch.setitem(expressions._OPERATORS, ast.Div, "*")


@plants("not is lost")
def _(patch: Patch) -> None:
    patch.setitem(expressions._HANDLERS, ast.UnaryOp, lambda low, node: expressions.expression(low, node.operand))


@plants("an elif is dropped")
def _(patch: Patch) -> None:
    def made(old: Any) -> Any:
        def lowered(self: Any, node: ast.If) -> Any:
            return [replace(item, other=()) for item in old(self, node)]

        return lowered

    around(patch, statements.Lowering, "_if", made)


@plants("else is never run")
def _(patch: Patch) -> None:
    handler(
        patch,
        dispatch.STATEMENTS,
        If,
        lambda old: lambda machine, frame, node: old(machine, frame, replace(node, other=())),
    )


@plants("continue is break")
def _(patch: Patch) -> None:
    patch.setitem(dispatch.STATEMENTS, Continue, lambda *_: dispatch.BREAK)


@plants("break is continue")
def _(patch: Patch) -> None:
    patch.setitem(dispatch.STATEMENTS, Break, lambda *_: dispatch.CONTINUE)


@plants("return goes on")
def _(patch: Patch) -> None:
    handler(patch, dispatch.STATEMENTS, Return, lambda old: lambda *args: old(*args) and dispatch.NEXT)


@plants("finally is forgotten")
def _(patch: Patch) -> None:
    handler(
        patch,
        dispatch.STATEMENTS,
        Try,
        lambda old: lambda machine, frame, node: old(machine, frame, replace(node, final=())),
    )


@plants("the else of a loop is run after a break")
def _(patch: Patch) -> None:
    def made(old: Any) -> Any:
        def iterations(machine: Any, frame: Any, node: Any, *args: Any) -> int:
            ended: int = old(machine, frame, replace(node, other=()), *args)
            return ended or dispatch.run(machine, frame, node.other)

        return iterations

    around(patch, loops, "_iterations", made)


@plants("a counter never moves")
def _(patch: Patch) -> None:
    patch.setitem(dispatch.STATEMENTS, Augment, lambda *_: dispatch.NEXT)


@plants("a context is never left")
def _(patch: Patch) -> None:
    def made(old: Any) -> Any:
        def enter(machine: Any, frame: Any, node: Any) -> int:
            before = list(machine.contexts.entered)
            ended: int = old(machine, frame, node)
            for expr, _target in node.items:
                blocks.enter(machine, dispatch.evaluate(machine, frame, expr))
            assert machine.contexts.entered[: len(before)] == before
            return ended

        return enter

    handler(patch, dispatch.STATEMENTS, With, made)


@plants("the forward does not decide the all-reduce")
def _(patch: Patch) -> None:
    def decided(machine: Any, loss: Any, forwards: Any) -> Any:
        roots = [root for root in loss.graph.models if root in machine.ranks.wrappers]
        if not roots:
            return "", None, ()
        return "ddp", not any(machine.ranks.no_sync(root, machine.contexts) for root in roots), ()

    around(patch, distributed, "synchronised", lambda _: decided)


@plants("no_sync is not seen")
def _(patch: Patch) -> None:
    patch.setattr(Ranks, "no_sync", lambda self, root, contexts: False)


@plants("a wrapped model has other parameters")
def _(patch: Patch) -> None:
    patch.setattr(Tracked, "root", property(lambda self: self.key))


@plants("unscale changes nothing")
def _(patch: Patch) -> None:
    patch.setattr(fold._Fold, "unscale", lambda self, event, note=True: self.since.unscales.append(event))


@plants("unscale is not noted")
def _(patch: Patch) -> None:
    patch.setitem(use.ACTIONS, Action.UNSCALE, silent(None))


@plants("the scaler's update is not noted")
def _(patch: Patch) -> None:
    patch.setitem(use.ACTIONS, Action.SCALER_UPDATE, silent(None))


@plants("a scaler that is switched off scales")
def _(patch: Patch) -> None:
    patch.setattr(amp, "_enabled", lambda machine, scaler: True)


@plants("scale does not scale")
def _(patch: Patch) -> None:
    patch.setitem(use.ACTIONS, Action.SCALE, lambda use: use.arg(0))


@plants("a clip sees what is spent")
def _(patch: Patch) -> None:
    def made(old: Any) -> Any:
        def clip(self: Any, event: Any, detail: Any) -> None:
            live, self.live = self.live, [*self.spent, *self.live]
            old(self, event, detail)
            self.live = live

        return clip

    around(patch, fold._Fold, "clip", made)


@plants("a clip reaches every optimizer")
def _(patch: Patch) -> None:
    around(
        patch,
        fold._Fold,
        "clip",
        lambda old: lambda self, event, detail: old(self, event, replace(detail, roots=None)),
    )


@plants("a scheduler moves once an update")
def _(patch: Patch) -> None:
    def made(old: Any) -> Any:
        def note(self: Any, event: Any, *, alone: bool) -> None:
            old(self, event, alone=alone)
            del self.since.schedules[1:]

        return note

    around(patch, fold._Fold, "note", made)


@plants("a scheduler moves for every optimizer")
def _(patch: Patch) -> None:
    def schedule(use: Any) -> None:
        use.emit(Kind.SCHEDULE, use.tracked.key, Schedule(False, None, use.tracked.make.kind, ""))

    patch.setitem(use.ACTIONS, Action.SCHEDULE, schedule)


@plants("the constructor's parameters are forgotten")
def _(patch: Patch) -> None:
    around(patch, gradients, "roots_of", lambda _: lambda value: None)


@plants("the count of a window is one off")
def _(patch: Patch) -> None:
    def bind_window(self: Any, key: str) -> None:
        if key not in self.numbers.bindings:
            self.numbers.windows.add(key)
            self.bind(key, self.window + 1)

    patch.setattr(Plan, "bind_window", bind_window)


@plants("what was learned holds only from now on")
def _(patch: Patch) -> None:
    patch.setattr(Plan, "bind", lambda self, key, value: self.numbers.bindings.__setitem__(key, value))


@plants("a number in the source is no window")
def _(patch: Patch) -> None:
    patch.setattr(Plan, "widen", lambda self, window, where=None: None)


@plants("a loader has no ragged tail")
def _(patch: Patch) -> None:
    patch.setattr(Plan, "batches", property(lambda self: 2 * self.window))


@plants("there is one epoch")
def _(patch: Patch) -> None:
    around(
        patch,
        iteration,
        "_known",
        lambda old: (
            lambda log, plan, source, node: old(log, plan, source, node)[: 1 if node.kind is LoopKind.EPOCH else None]
        ),
    )


@plants("a function is called once")
def _(patch: Patch) -> None:
    from gradlint.interpret import turns

    def once(machine: Any, function: Any, outer: Any, receiver: Any) -> None:
        turns._call(machine, function, outer, receiver, turns.Iteration(0, 0, "call"))

    patch.setattr(turns, "_call_twice", once)


@plants("loops over micro-batches turn once")
def _(patch: Patch) -> None:
    def made(old: Any) -> Any:
        def iterate(machine: Any, source: Any, node: Any, *args: Any, **words: Any) -> Any:
            items = old(machine, source, node, *args, **words)
            return items[:1] if node.kind is LoopKind.MICRO else items

        return iterate

    around(patch, iteration, "iterate", made)


@plants("enumerate starts from zero")
def _(patch: Patch) -> None:
    def enumerated(use: Any) -> Any:
        return Unknown(use.node.text, form=Enumerate(use.arg(0), 0))

    patch.setitem(use.ACTIONS, Action.ENUMERATE, enumerated)


@plants("len counts one too many")
def _(patch: Patch) -> None:
    handler(patch, use.ACTIONS, Action.LENGTH, lambda old: lambda use: old(use) + 1)


@plants("what a helper returns is lost")
def _(patch: Patch) -> None:
    def made(old: Any) -> Any:
        def enter(machine: Any, frame: Any) -> Any:
            old(machine, frame)
            return Unknown("lost", varying=True)

        return enter

    around(patch, functions, "enter_function", made)


@plants("keyword arguments are lost")
def _(patch: Patch) -> None:
    patch.setattr(calling, "_keywords", lambda *_: {})


@plants("a name that is not local is a new one")
def _(patch: Patch) -> None:
    patch.setattr(Frame, "home", lambda self, name: self)


@plants("an assignment to an attribute is lost")
def _(patch: Patch) -> None:
    patch.setattr(assignment, "_set_attribute", silent(None))


@plants("what a world decided is forgotten")
def _(patch: Patch) -> None:
    def made(old: Any) -> Any:
        def assume(self: Any, key: str, want: bool, priority: int, missed: int = 0) -> bool:
            went: bool = old(self, key, want, priority, missed)
            del self.decisions[key]
            return went

        return assume

    around(patch, Scenario, "assume", made)


@plants("no world is forked")
def _(patch: Patch) -> None:
    def made(old: Any) -> Any:
        def assume(self: Any, key: str, want: bool, priority: int, missed: int = 0) -> bool:
            return bool(old(self, key, want, 0))

        return assume

    around(patch, Scenario, "assume", made)


@plants("`x` and `not x` are different switches")
def _(patch: Patch) -> None:
    def atom(value: Any) -> tuple[str, bool]:
        return getattr(value, "key", repr(value)), True

    around(patch, atoms, "atom", lambda _: atom)


@plants("the polarity of an atom is lost")
def _(patch: Patch) -> None:
    around(patch, atoms, "atom", lambda old: lambda value: (old(value)[0], True))


@plants("Accelerate lets every step through")
def _(patch: Patch) -> None:
    around(patch, gradients, "gated", lambda _: lambda *_: False)


@plants("Accelerate does not divide")
def _(patch: Patch) -> None:
    around(patch, tracked, "accumulation", lambda _: lambda machine, accelerator: 1)


@plants("Accelerate does not know the last batch")
def _(patch: Patch) -> None:
    def boundary(machine: Any, accelerator: Any) -> bool:
        return bool(
            tracked._phase(machine.course, machine.ranks) % tracked.accumulation(machine.plan, accelerator) == 0
        )

    around(patch, tracked, "boundary", lambda _: boundary)


@plants("a list forgets its last item")
def _(patch: Patch) -> None:
    handler(
        patch,
        dispatch.HANDLERS,
        Display,
        lambda old: lambda *args: Series(old(*args).items[:-1]),
    )


@plants("a backward feeds nobody")
def _(patch: Patch) -> None:
    patch.setattr(fold, "owners", lambda events, params: {})


@plants("a micro-batch is where its backward stands")
def _(patch: Patch) -> None:
    patch.setattr(fold, "micro_batch", lambda event, detail, events: event.stamp)


# ---------------------------------------------------------------------------------- tests


def test_no_mutation_no_complaint() -> None:
    assert list(complaints()) == []


@pytest.mark.parametrize("name", MUTATIONS)
def test_mutation_is_noticed(name: str, monkeypatch: Patch) -> None:
    MUTATIONS[name](monkeypatch)
    assert next(complaints(), None) is not None


def test_every_program_is_needed_by_its_name() -> None:
    missing: Sequence[str] = [name for name in NAMED if name not in IDIOMS]
    assert missing == []
    assert all(name in PROGRAMS for name in (*LENGTHS, *FORKED))
