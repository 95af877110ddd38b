"""Laws: two ways to write the same loop must give the same books.

Nothing here knows what the right books are; rows are numbered anew, so that lines may move.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st

from gradlint.interpret.explore import explore
from gradlint.interpret.plan import Options, Plan
from gradlint.lower import lower
from interpret.accounts import Accounts, canonical, differences
from interpret.loops import CHOICES, Recipe, normal, recipes, render, unlearned
from interpret.machine import accounts, only
from interpret.twins import render_twins, twins

QUICK = settings(phases=set(Phase) - {Phase.explain})
SIMPLE = settings(QUICK, max_examples=20)
FEW = settings(QUICK, max_examples=8)
NO_SCRIPT = CHOICES["shape"][:1] + CHOICES["shape"][2:]


def story(source: str) -> list[Accounts]:
    """What the dry run says of a source, world by world, wherever its lines stand."""
    return [canonical(accounts(log)) for log in only(source).scenarios]


def same(one: str, two: str) -> None:
    first, second = story(one), story(two)
    assert len(first) == len(second)
    for left, right in zip(first, second, strict=True):
        assert differences(left, right) == []


def changed(recipe: Recipe, **change: Any) -> str:
    """The source of a recipe under a change that must go together with the rest of it."""
    other = replace(recipe, **change)
    assume(normal(other) == other and not unlearned(other))
    return render(other).source


def rewritten(source: str, transformer: ast.NodeTransformer) -> str:
    return ast.unparse(ast.fix_missing_locations(transformer.visit(ast.parse(source))))


# ------------------------------------------------------------------------------ the text


@SIMPLE
@given(recipe=recipes(), data=st.data())
def test_comments_and_blank_lines_change_nothing(recipe: Recipe, data: st.DataObject) -> None:
    source = render(recipe).source
    lines = source.splitlines()
    for _ in range(data.draw(st.integers(1, 6))):
        place = data.draw(st.integers(0, len(lines)))
        lines.insert(place, data.draw(st.sampled_from(["", "# a remark", "      # indented"])))
    same(source, "\n".join(lines) + "\n")


@SIMPLE
@given(recipe=recipes())
def test_formatting_changes_nothing(recipe: Recipe) -> None:
    source = render(recipe).source
    same(source, rewritten(source, ast.NodeTransformer()))


@SIMPLE
@given(recipe=recipes())
def test_a_run_is_determined_by_its_source(recipe: Recipe) -> None:
    source = render(recipe).source
    assert [log.events for log in only(source).scenarios] == [log.events for log in only(source).scenarios]


@SIMPLE
@given(recipe=recipes(shape=["script"], size=[3]), data=st.data())
def test_names_do_not_matter_where_constructors_speak(recipe: Recipe, data: st.DataObject) -> None:
    source = render(recipe).source
    names = ["optimizer", "scaler", "scheduler", "model", "loader", "output", "count", "batch", "i"]
    renamed = source
    for number, name in enumerate(data.draw(st.permutations(names))):
        free = rf"(?<![\w.]){name}(?!\w|=[^=])|(?<![\w.]){name}(?= = )"
        renamed = re.sub(free, f"x{number}", renamed)
    same(source, renamed)


# ---------------------------------------------------------------------------- statements


class _Logged(ast.NodeTransformer):
    """Puts a statement without events in front of every statement of a loop or guard."""

    def __init__(self, text: str) -> None:
        self.text = text

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        if isinstance(node, (ast.For, ast.While, ast.If, ast.With)):
            node.body = [new for item in node.body for new in (*ast.parse(self.text).body, item)]
        return node


@SIMPLE
@given(
    recipe=recipes(),
    text=st.sampled_from(
        [
            "print('here')",
            "log('here')",
            "seconds = 1 + 1",
            "pass",
            "'a text'",
            "if 1 > 2: print('never')",
            "names = [1, 2, 3]",
            "print(f'{1 + 1}')",
        ]
    ),
)
def test_statements_without_events_change_nothing(recipe: Recipe, text: str) -> None:
    source = render(recipe).source
    same(source, rewritten(source, _Logged(text)))


class _Swapped(ast.NodeTransformer):
    """`if c: A else: B` becomes `if not c: B else: A`."""

    def visit_If(self, node: ast.If) -> ast.AST:
        self.generic_visit(node)
        test = ast.UnaryOp(ast.Not(), node.test)
        return ast.If(test, node.orelse or [ast.Pass()], node.body)


@SIMPLE
@given(recipe=recipes())
def test_a_guard_and_its_opposite_are_the_same(recipe: Recipe) -> None:
    source = render(recipe).source
    same(source, rewritten(source, _Swapped()))


@SIMPLE
@given(recipe=recipes())
def test_a_guard_may_be_negated_twice(recipe: Recipe) -> None:
    source = render(recipe).source
    same(source, rewritten(rewritten(source, _Swapped()), _Swapped()))


class _Wrapped(ast.NodeTransformer):
    """Puts every body of a loop over batches inside one more statement."""

    def __init__(self, head: str) -> None:
        self.head = head

    def visit_For(self, node: ast.For) -> ast.AST:
        self.generic_visit(node)
        (wrapper,) = ast.parse(self.head).body
        assert isinstance(wrapper, (ast.If, ast.With, ast.Try))
        wrapper.body = node.body
        node.body = [wrapper]
        return node


@SIMPLE
@given(
    recipe=recipes(),
    head=st.sampled_from(
        [
            "if True: pass",
            "if not False: pass",
            "with contextlib.nullcontext(): pass",
            "try: pass\nfinally: pass",
            "try: pass\nexcept RuntimeError: raise",
        ]
    ),
)
def test_a_transparent_statement_may_stand_around(recipe: Recipe, head: str) -> None:
    source = render(recipe).source
    same(source, rewritten(source, _Wrapped(head)))


class _Dead(ast.NodeTransformer):
    """Adds statements that are never reached."""

    def visit_For(self, node: ast.For) -> ast.AST:
        self.generic_visit(node)
        node.body = [*ast.parse("if False:\n    optimizer.zero_grad()").body, *node.body]
        return node

    def visit_Continue(self, node: ast.Continue) -> list[ast.stmt]:
        return [node, *ast.parse("print('never')").body]


@SIMPLE
@given(recipe=recipes(shape=["function", "script", "made inside"]))
def test_dead_code_changes_nothing(recipe: Recipe) -> None:
    source = render(recipe).source
    same(source, rewritten(source, _Dead()))


class _Explicit(ast.NodeTransformer):
    """`n += 1` becomes `n = n + 1`."""

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        assert isinstance(node.target, ast.Name)
        value = ast.BinOp(ast.Name(node.target.id, ast.Load()), node.op, node.value)
        return ast.Assign([node.target], value)


@SIMPLE
@given(recipe=recipes(count=["counter", "ones by hand", "while", "index"]))
def test_augmented_assignment_is_an_assignment(recipe: Recipe) -> None:
    source = render(recipe).source
    same(source, rewritten(source, _Explicit()))


class _Lifted(ast.NodeTransformer):
    """Holds every test of a guard in a variable first."""

    def visit_If(self, node: ast.If) -> list[ast.stmt]:
        self.generic_visit(node)
        held = ast.Assign([ast.Name("held_test", ast.Store())], node.test)
        return [held, ast.If(ast.Name("held_test", ast.Load()), node.body, node.orelse)]


@SIMPLE
@given(recipe=recipes())
def test_a_test_may_be_held_in_a_variable(recipe: Recipe) -> None:
    assume("count <" not in render(recipe).source)
    source = render(recipe).source
    same(source, rewritten(source, _Lifted()))


class _Extracted(ast.NodeTransformer):
    """Moves the body of the innermost loop over batches into a nested function."""

    def visit_For(self, node: ast.For) -> ast.AST | list[ast.stmt]:
        inner = any(isinstance(part, (ast.For, ast.While)) for item in node.body for part in ast.walk(item))
        jumps = any(isinstance(part, ast.Continue) for item in node.body for part in ast.walk(item))
        names = {part.id for part in ast.walk(node.target) if isinstance(part, ast.Name)}
        if inner or jumps or "batch" not in names:
            self.generic_visit(node)
            return node
        header = f"def one({', '.join(sorted(names))}): pass"
        (function,) = ast.parse(header).body
        assert isinstance(function, ast.FunctionDef)
        function.body = node.body
        node.body = ast.parse(f"one({', '.join(sorted(names))})").body
        return [function, node]


@SIMPLE
@given(recipe=recipes(count=["index", "one", "plain"], noise=[False]))
def test_the_body_of_a_loop_may_be_a_function(recipe: Recipe) -> None:
    source = render(recipe).source
    same(source, rewritten(source, _Extracted()))


class _Renamed(ast.NodeTransformer):
    """Calls the optimizer by an alias."""

    def visit_Expr(self, node: ast.Expr) -> Any:
        text = ast.unparse(node)
        if text.startswith("optimizer."):
            return ast.parse(f"alias = optimizer\nalias{text.removeprefix('optimizer')}").body
        return node


@SIMPLE
@given(recipe=recipes(shape=["function", "made inside", "script"], spend=["inline"]))
def test_an_alias_is_the_same_optimizer(recipe: Recipe) -> None:
    assume(recipe.zero not in ("none", "model"))  # else nothing says that the alias is an optimizer
    source = render(recipe).source
    same(source, rewritten(source, _Renamed()))


# -------------------------------------------------------------------------------- recipes


def pairs(field: str, *values: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """One test for each value after the first, beside the first."""
    return pytest.mark.parametrize(("field", "one", "two"), [(field, values[0], v) for v in values[1:]])


@pairs(
    "share",
    "divide",
    "in place",
    "times inverse",
    "method",
    "in the call",
    "helper",
    "reassign",
    "times in place",
    "multiplied",
    "inverse first",
)
@FEW
@given(recipe=recipes(share=["divide"]))
def test_ways_to_divide(field: str, one: str, two: str, recipe: Recipe) -> None:
    same(changed(recipe, **{field: one}), changed(recipe, **{field: two}))


@pairs("guard", "if", "continue", "else", "variable", "helper", "walrus", "lambda")
@FEW
@given(recipe=recipes(guard=["if"], count=["index", "one", "counter"], window=["symbol"], shape=NO_SCRIPT))
def test_ways_to_guard(field: str, one: str, two: str, recipe: Recipe) -> None:
    same(changed(recipe, **{field: one}), changed(recipe, **{field: two}))


@FEW
@pairs("guard", "variable", "flag", "ternary")
@given(recipe=recipes(guard=["variable"], window=["literal", "constant"], size=[3]))
def test_ways_to_guard_by_a_number(field: str, one: str, two: str, recipe: Recipe) -> None:
    same(changed(recipe, **{field: one}), changed(recipe, **{field: two}))


@pairs("spend", "inline", "helper")
@SIMPLE
@given(recipe=recipes(spend=["inline"], flush=[False]))
def test_an_update_may_be_a_helper(field: str, one: str, two: str, recipe: Recipe) -> None:
    same(changed(recipe, **{field: one}), changed(recipe, **{field: two}))


@pairs("shape", "function", "method", "made inside", "script")
@FEW
@given(recipe=recipes(shape=["function"], epochs=[True], window=["constant"]))
def test_shapes_of_a_file(field: str, one: str, two: str, recipe: Recipe) -> None:
    same(changed(recipe, **{field: one}), changed(recipe, **{field: two}))


@SIMPLE
@given(recipe=recipes(shape=["function", "method"], zero=["after", "start", "none"]))
def test_two_epochs_are_two_calls(recipe: Recipe) -> None:
    assume(recipe.increment != "global" and "epoch" not in (recipe.schedule, recipe.update))
    same(changed(recipe, epochs=True), changed(recipe, epochs=False))


@pytest.mark.parametrize(("count", "variant"), [("one", 0), ("counter", 2), ("while", 0), ("ones by hand", 0)])
@FEW
@given(recipe=recipes(count=["index"], guard=["if", "variable", "lambda"], zero=["after", "start", "none"]))
def test_ways_to_count(count: str, variant: int, recipe: Recipe) -> None:
    one = changed(recipe, count="index", variant=0, increment="before")
    same(one, changed(recipe, count=count, variant=variant, increment="before"))


@SIMPLE
@given(recipe=recipes(window=["literal", "constant"], shape=["function", "method", "made inside"]))
def test_a_constant_is_its_number(recipe: Recipe) -> None:
    assume(recipe.count != "plain")
    same(changed(recipe, window="literal"), changed(recipe, window="constant"))


@SIMPLE
@given(recipe=recipes(size=[3], window=["symbol"], shape=["function"]))
def test_an_unknown_window_is_three(recipe: Recipe) -> None:
    assume(recipe.count != "plain")
    same(changed(recipe, window="symbol"), changed(recipe, window="literal"))


@SIMPLE
@given(recipe=recipes(scaler=["off"], shape=["script", "made inside"]))
def test_a_scaler_that_is_off_is_none(recipe: Recipe) -> None:
    same(
        changed(recipe, scaler="off"),
        changed(recipe, scaler="none", unscale="none", update="none"),
    )


@SIMPLE
@given(recipe=recipes(share=["reassign"]))
def test_what_is_divided_and_multiplied_is_as_before(recipe: Recipe) -> None:
    source = render(recipe).source
    same(
        re.sub(r"loss = raw / (\S+)", r"loss = raw / \1 * \1", source),
        changed(recipe, share="none"),
    )


@SIMPLE
@given(recipe=recipes(sync=["never"]))
def test_distribution_changes_no_gradient(recipe: Recipe) -> None:
    def bare(told: Accounts) -> Accounts:
        updates = tuple(
            tuple(replace(item, consumed=tuple(replace(s, synced=None) for s in item.consumed)) for item in book)
            for book in told.updates
        )
        return replace(told, updates=updates)

    one, two = changed(recipe, sync="never"), changed(recipe, sync="none")
    assert [bare(told) for told in story(one)] == story(two)


@SIMPLE
@given(recipe=twins())
def test_two_optimizers_by_other_names(recipe: Any) -> None:
    source = render_twins(recipe).source
    same(source, source.replace("opt_0", "first_optimizer").replace("opt_1", "second_optimizer"))


@SIMPLE
@given(recipe=recipes(shape=["function"]))
def test_a_plan_that_is_known_learns_nothing(recipe: Recipe) -> None:
    """The restart is over when everything is bound: the same program explored again agrees."""
    program = lower(render(recipe).source, "loop.py")
    region = only(render(recipe).source)
    again = explore(program, region.entry, Plan(options=Options(every_iteration=True)))
    assert again.plan.numbers.bindings == region.plan.numbers.bindings
    assert [log.events for log in again.scenarios] == [log.events for log in region.scenarios]
