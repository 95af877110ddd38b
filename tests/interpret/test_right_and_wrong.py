"""Whole loops, judged: a right loop is never reported, and one mistake is reported as itself.

The recipes are those of `test_brute_force`; here the machine, the rules and the judge work together.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from gradlint import check_source
from interpret.loops import CHOICES, COUNTS, MICRO, Recipe, normal, recipes, render, unlearned
from interpret.marks import known

QUICK = settings(phases=set(Phase) - {Phase.explain}, suppress_health_check=[HealthCheck.filter_too_much])

RIGHT: dict[str, tuple[Any, ...]] = {
    "size": (2, 3, 4, 8),
    "guard": CHOICES["guard"],
    "share": tuple(share for share in CHOICES["share"] if share not in ("none", "twice")),
    "zero": ("after", "between", "model"),
    "clip": ("none", "before"),
    "unscale": ("before",),
    "scaler": ("none", "on"),
    "update": ("after",),
    "schedule": ("none", "window", "epoch"),
    "sync": ("none", "ternary", "branches"),
}
"""What may be chosen in a loop that is right."""

LATE = ("i % {n} == 0", "i % {n} == 1")
"""Tests whose first window is shorter than the others (`i` counts from zero)."""


def condition_of(recipe: Recipe) -> str:
    tests = COUNTS.get(recipe.count, ("",))
    return tests[recipe.variant % len(tests)]


def is_right(recipe: Recipe) -> bool:
    """True when nothing is wrong with a loop made of `RIGHT` choices."""
    test = condition_of(recipe)
    if (test == LATE[0] and recipe.count == "index") or test == LATE[1]:
        return False
    if recipe.count in COUNTS and ("len(" in test) is recipe.flush:
        return False  # the tail is stepped twice, or never
    if recipe.count in ("plain", *MICRO) and recipe.sync != "none":
        return False
    if recipe.count == "plain":
        return recipe.share == "none"
    return recipe.sync == "none" or not recipe.flush  # what is flushed was not synchronised


def seen_late(recipe: Recipe) -> bool:
    """True where the window is a number that is not learned, see `test_number_in_any_guard_is_the_window`."""
    number = recipe.window in ("literal", "constant") or recipe.shape == "script"
    far = recipe.sync in ("ternary", "branches", "backward only")
    return number and (recipe.guard == "flag" or (far and recipe.guard in ("ternary", "walrus", "lambda")))


def rules(recipe: Recipe) -> set[str]:
    return {finding.rule for finding in check_source(render(recipe).source)}


@settings(QUICK, max_examples=120)
@given(recipe=recipes(**RIGHT))
def test_right_loop_is_not_reported(recipe: Recipe) -> None:
    recipe = replace(recipe, share="none") if recipe.count == "plain" else recipe
    assume(is_right(recipe) and not seen_late(recipe))
    assert rules(recipe) == set()


@known("a number in a helper's test is not learned, so the loader is too short for it")
@pytest.mark.parametrize("guard", ["flag"])
def test_right_loop_with_a_number_in_its_test(guard: str) -> None:
    recipe = Recipe(window="literal", size=4, variant=7, guard=guard)
    assert is_right(recipe)
    assert rules(recipe) == set()


@dataclass(frozen=True)
class Mistake:
    """One change that makes a right loop wrong, and the rule that must say so."""

    rule: str
    change: dict[str, Any]
    needs: dict[str, tuple[Any, ...]]


FOUND_IN = ("if", "else", "continue", "variable", "helper", "walrus", "lambda")
"""Guards under which every mistake is found."""

MISTAKES = (
    Mistake("unscaled-accumulation-loss", {"share": "none"}, {}),
    Mistake("accumulation-divisor-mismatch", {"share": "twice"}, {}),
    Mistake("clip-after-step", {"clip": "after"}, {"zero": ("after",)}),
    Mistake("clip-per-micro-batch", {"clip": "micro"}, {"scaler": ("none",), "clip": ("before",)}),
    Mistake("clip-scaled-gradients", {"unscale": "none"}, {"scaler": ("on",), "clip": ("before",)}),
    Mistake(
        "clip-scaled-gradients",
        {"unscale": "after clip"},
        {"scaler": ("on",), "clip": ("before",), "update": ("after",)},
    ),
    Mistake("zero-grad-in-accumulation", {"zero": "start"}, {}),
    Mistake("zero-grad-in-accumulation", {"zero": "before backward"}, {}),
    Mistake("zero-grad-before-step", {"zero": "in guard"}, {}),
    Mistake("missing-zero-grad", {"zero": "none"}, {}),
    Mistake("missing-scaler-update", {"update": "none"}, {"scaler": ("on",)}),
    Mistake("step-bypasses-scaler", {"scaler": "bypassed"}, {"scaler": ("on",), "update": ("after",)}),
    Mistake(
        "scheduler-per-micro-batch",
        {"schedule": "micro"},
        {"schedule": ("window",), "size": (2, 3, 4, 8), "shape": ("made inside", "script")},
    ),
    Mistake("scheduler-before-optimizer", {"schedule": "before step"}, {"schedule": ("window",)}),
    Mistake("missing-no-sync", {"sync": "never"}, {"sync": ("ternary",)}),
    Mistake("forward-outside-no-sync", {"sync": "backward only"}, {"sync": ("ternary",)}),
    Mistake("step-without-sync", {"sync": "always"}, {"sync": ("ternary",)}),
    Mistake("accumulation-off-by-one", {"count": "index", "variant": 3}, {"sync": ("none",)}),
)


def made(mistake: Mistake, recipe: Recipe) -> Recipe | None:
    """The recipe after the mistake was made in it, where it can be made and nothing else is wrong."""
    wrong = replace(recipe, **mistake.change)
    tests = COUNTS.get(recipe.count, ("",))
    flushed = (
        " or " in tests[recipe.variant % len(tests)] and "variant" in mistake.change
    )  # its rest would be lost, too
    right = is_right(recipe) and not seen_late(recipe) and not flushed
    return wrong if right and normal(wrong) == wrong != recipe and not unlearned(wrong) else None


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: f"{mistake.rule}-{mistake.change}")
@settings(QUICK, max_examples=12)
@given(data=st.data())
def test_one_mistake_is_reported_as_itself(mistake: Mistake, data: st.DataObject) -> None:
    choices = RIGHT | {"count": tuple(COUNTS), "guard": FOUND_IN} | mistake.needs
    wrong = made(mistake, data.draw(recipes(**choices)))
    assume(wrong is not None)
    assert wrong is not None
    assert rules(wrong) == {mistake.rule}


@pytest.mark.parametrize("size", [2, 3])
def test_scheduler_in_a_small_window(size: int) -> None:
    recipe = Recipe(window="literal", size=size, variant=7, schedule="micro")
    assert rules(replace(recipe, shape="made inside")) == {"scheduler-per-micro-batch"}
    assert rules(recipe) == set()  # handed over: nobody knows what it is counted in
