"""The dry run against reality: whatever a loop does, both must tell the same story of it."""

from __future__ import annotations

from dataclasses import fields, replace
from fractions import Fraction

import pytest
from hypothesis import Phase, given, settings

from interpret.accounts import Accounts, differences
from interpret.brute import bound, disagreements
from interpret.idioms import IDIOMS, SCENARIOS, STEPS
from interpret.loops import CHOICES, COUNTS, Loop, Recipe, normal, recipes, render, unlearned
from interpret.machine import accounts, only
from interpret.marks import known
from interpret.reality import Entry, execute
from interpret.twins import Twins, render_twins, twins

QUICK = settings(phases=set(Phase) - {Phase.explain})
"""Explaining a failure takes minutes, and the recipe says enough."""

PLAIN = Recipe()

SINGLES = [
    normal(replace(PLAIN, **{item.name: choice})) for item in fields(Recipe) for choice in CHOICES[item.name]
] + [
    normal(replace(PLAIN, count=count, variant=variant, **size))
    for count, tests in COUNTS.items()
    for variant in range(len(tests))
    for size in ({}, {"window": "literal", "size": 4})
]

UNLEARNED = {
    "the modulus is part of a sum: (i % n) + 1 == n": {"variant": 4},
    "`while micro < 4` turns three times": {
        "count": "micro while",
        "window": "literal",
        "size": 4,
    },
    "a counter held in a variable: not count < n": {
        "count": "counter",
        "variant": 3,
        "guard": "variable",
    },
}

KNOWN = {
    "an alias that only steps, symbol": "`step` of a name without a role gates nothing",
    "methods held in variables, symbol": "the guard of a held method gates nothing, so it is taken",
    "no_sync for all but the last, symbol": "`range(n - 1)` shows no window",
    "made optimizers of two models, symbol": "the step that is near beats the constructor",
    "made optimizers of two models, 2": "the step that is near beats the constructor",
    "made optimizers of two models, 4": "the step that is near beats the constructor",
}


def marked(loops: dict[str, Loop]) -> list[object]:
    return [
        pytest.param(
            loop,
            id=name,
            marks=[known(KNOWN[name])] if name in KNOWN else [],
        )
        for name, loop in loops.items()
    ]


# ---------------------------------------------------------------------------- the loops


@pytest.mark.parametrize("recipe", [recipe for recipe in SINGLES if not unlearned(recipe)], ids=str)
def test_one_choice_at_a_time(recipe: Recipe) -> None:
    assert disagreements(render(recipe)) == []


@pytest.mark.parametrize("choice", UNLEARNED.values(), ids=UNLEARNED)
@known("the window is not learned")
def test_window_that_is_not_learned_yet(choice: dict[str, object]) -> None:
    assert disagreements(render(normal(replace(PLAIN, **choice)))) == []


@settings(QUICK, max_examples=300)
@given(recipe=recipes())
def test_random_loops(recipe: Recipe) -> None:
    assert disagreements(render(recipe)) == []


@settings(QUICK, max_examples=150)
@given(recipe=recipes(scaler=["on", "bypassed"], clip=CHOICES["clip"][1:], sync=["none"]))
def test_random_loops_with_a_scaler(recipe: Recipe) -> None:
    assert disagreements(render(recipe)) == []


@settings(QUICK, max_examples=150)
@given(recipe=recipes(sync=CHOICES["sync"][1:], scaler=["none"], schedule=["none"]))
def test_random_loops_on_several_devices(recipe: Recipe) -> None:
    assert disagreements(render(recipe)) == []


@settings(QUICK, max_examples=150)
@given(recipe=twins())
def test_random_loops_with_two_optimizers(recipe: Twins) -> None:
    assert disagreements(render_twins(recipe)) == []


@pytest.mark.long
@settings(QUICK, max_examples=1_200)
@given(recipe=recipes())
def test_many_random_loops(recipe: Recipe) -> None:
    assert disagreements(render(recipe)) == []


@pytest.mark.parametrize("loop", marked(IDIOMS))
def test_idiom(loop: Loop) -> None:
    assert disagreements(loop) == []


@pytest.mark.parametrize("loop", marked(SCENARIOS))
def test_every_world(loop: Loop) -> None:
    assert disagreements(loop) == []


@pytest.mark.parametrize("size", [None, 2, 4])
@pytest.mark.parametrize("name", STEPS)
def test_function_without_a_loop_is_called_for_every_batch(name: str, size: int | None) -> None:
    text = STEPS[name]
    name = "accumulation_steps" if size is None else str(size)
    source = text.replace(", {n})", ", {n})" if size is None else ")").format(n=name)
    region = only(source)
    entry = Entry("training_step", region.plan.batches, {"optimizer": ("model",)}, "i")
    log = region.scenarios[0]
    real = execute(source, entry, batches=region.plan.batches, bindings=bound(region, log, source))
    assert differences(real, accounts(log)) == []


# -------------------------------------------------------------------- the windows it chose


@pytest.mark.parametrize("size", [2, 3, 5, 8])
def test_loader_holds_two_windows_and_a_ragged_tail(size: int) -> None:
    loop = render(replace(PLAIN, window="literal", size=size))
    assert only(loop.source).plan.batches == 2 * size + 1


FAR = known("a number is not seen through two names")


@pytest.mark.parametrize("guard", CHOICES["guard"])
@pytest.mark.parametrize("count", ["index", "counter"])
def test_number_in_any_guard_is_the_window(guard: str, count: str, request: pytest.FixtureRequest) -> None:
    if guard == "flag":
        request.applymarker(FAR)
    loop = render(normal(replace(PLAIN, window="literal", size=8, guard=guard, count=count)))
    assert only(loop.source).plan.batches == 17


@pytest.mark.parametrize("guard", CHOICES["guard"])
def test_number_that_is_held_in_a_variable_is_the_window(guard: str, request: pytest.FixtureRequest) -> None:
    if guard in ("flag", "ternary", "walrus", "lambda"):
        request.applymarker(FAR)
    loop = render(normal(replace(PLAIN, window="literal", size=8, guard=guard, sync="ternary")))
    assert only(loop.source).plan.batches == 17


def test_unknown_window_is_three() -> None:
    plan = only(render(PLAIN).source).plan
    assert plan.numbers.bindings["accumulation_steps"] == plan.window == 3
    assert plan.numbers.windows == {"accumulation_steps"}


# ------------------------------------------------------------------------ the comparison


def executed(recipe: Recipe) -> Accounts:
    loop = render(normal(recipe))
    return execute(loop.source, loop.entry, batches=7, bindings={"accumulation_steps": 3, "epochs": 2})


def test_reality_of_the_plain_loop() -> None:
    told = executed(PLAIN)
    (updates,) = told.updates
    assert [[share.batch for share in update.consumed] for update in updates] == [
        [0, 1, 2],
        [3, 4, 5],
        [6, 7, 8, 9],
        [10, 11, 12],
    ]
    assert {share.weight for update in updates for share in update.consumed} == {Fraction(1, 3)}
    assert told.leftover == ((13,),)


def test_accounts_agree_with_themselves() -> None:
    assert differences(executed(PLAIN), executed(PLAIN)) == []


@pytest.mark.parametrize(
    "change",
    [
        {"share": "none"},
        {"share": "twice"},
        {"zero": "start"},
        {"zero": "none"},
        {"clip": "before"},
        {"schedule": "micro"},
        {"variant": 3},
        {"flush": True},
        {"epochs": False},
        {"scaler": "on"},
    ],
    ids=str,
)
def test_accounts_of_different_loops_differ(change: dict[str, object]) -> None:
    assert differences(executed(PLAIN), executed(replace(PLAIN, **change)))


def test_a_wrong_number_of_updates_is_told() -> None:
    told = executed(PLAIN)
    short = replace(told, updates=(told.updates[0][:-1],))
    assert [text.partition(":")[0] for text in differences(told, short)] == ["optimizer 0, update 3"]


def test_two_names_for_one_thing_are_told() -> None:
    told = executed(PLAIN)
    deeds = [
        replace(deed, subject="other") if deed.kind == "step" and number > 20 else deed
        for number, deed in enumerate(told.deeds)
    ]
    assert differences(told, replace(told, deeds=tuple(deeds)))
