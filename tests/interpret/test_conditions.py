"""Conditions simplify themselves, and mean what Python means: every small condition is held against `eval`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import product

import pytest

from gradlint.interpret.conditions import (
    And,
    Compare,
    IsNone,
    Modulo,
    Moved,
    Not,
    Or,
    began,
    comparisons,
    holds,
    joined,
    moduli,
    negation,
    parts_of,
    without_not,
)
from gradlint.interpret.traits import form_of, key_of
from gradlint.interpret.values import Unknown, Value

NAMES = ("a", "b", "c")
ATOMS: dict[str, Value] = {**{name: Unknown(name) for name in NAMES}, "True": True, "False": False}


def composed(depth: int) -> Iterator[tuple[str, Value]]:
    """Conditions as Python writes them, and as they are put together here."""
    yield from ATOMS.items()
    if not depth:
        return
    inner = list(composed(depth - 1))
    for text, value in inner:
        yield f"(not {text})", negation(value)
    for (text, value), (other, second) in product(inner, inner):
        for op in ("and", "or"):
            yield f"({text} {op} {other})", joined(op, [value, second])


CONDITIONS = list(composed(2))


def answer(known: dict[str, bool | None], value: Value) -> bool | None:
    return value if isinstance(value, bool) else known[key_of(value)]


def test_they_mean_what_python_means() -> None:
    worlds = [dict(zip(NAMES, values, strict=True)) for values in product((True, False), repeat=3)]
    for text, value in CONDITIONS:
        code = compile(text, "<condition>", "eval")
        for world in worlds:
            assert holds(value, partial(answer, world)) is eval(code, dict(world)), (text, world)


def test_what_is_only_partly_known_is_never_wrong() -> None:
    for text, value in CONDITIONS[::7]:
        code = compile(text, "<condition>", "eval")
        for seen in product((True, False, None), repeat=3):
            known = holds(value, partial(answer, dict(zip(NAMES, seen, strict=True))))
            ends = product(*((True, False) if one is None else (one,) for one in seen))
            possible = {eval(code, dict(zip(NAMES, end, strict=True))) for end in ends}
            assert known is None or possible == {known}, (text, seen)


def test_nothing_is_left_that_can_be_simplified() -> None:
    for text, value in CONDITIONS:
        for part in parts_of(value):
            form = form_of(part)
            if isinstance(form, Not):
                assert not isinstance(form_of(form.value), Not), text
            if isinstance(form, (And, Or)):
                assert len(form.parts) == len({key_of(one) for one in form.parts}) > 1, text
                assert not any(isinstance(one, bool) or isinstance(form_of(one), type(form)) for one in form.parts), (
                    text
                )
            assert part is value or not isinstance(part, bool), text


def test_a_number_beside_a_condition_stays() -> None:
    """`flag and 0` is false either way, and may be 0: what comes out of it is no truth."""
    form = form_of(joined("and", [Unknown("flag"), 0]))
    assert isinstance(form, And)
    assert form.parts[1] == 0


@pytest.mark.parametrize("times", range(5))
def test_not_is_taken_off(times: int) -> None:
    flag = value = Unknown("flag")
    for _ in range(times):
        value = Unknown("other", form=Not(value))  # as it is written, which nothing has simplified
    assert without_not(value) == (flag, times % 2 == 0)


def test_a_counter_is_what_it_began_as() -> None:
    first = Unknown("step")
    assert began(Unknown("step + 2", form=Moved(Unknown("step + 1", form=Moved(first))))) is first
    assert began(3) == 3


def test_what_a_condition_asks() -> None:
    i, n = Unknown("i"), Unknown("n")
    rest = Unknown("(i % n)", form=Modulo(i, n))
    whole = Unknown("(i % n)==0", form=Compare("==", rest, 0, ("(i % n)", "0")))
    last = Unknown("i>=n", form=Compare(">=", i, n, ("i", "n")))
    missing = Unknown("n is None", form=IsNone(n))
    test = joined("or", [whole, negation(joined("and", [last, missing]))])
    assert [(one.number, one.by) for one in moduli(test)] == [(i, n)]
    assert [(one.op, one.left, one.right) for one in comparisons(test)] == [("==", rest, 0), (">=", i, n)]
    assert list(parts_of(missing)) == [missing, n]


def test_a_condition_keeps_where_it_came_from() -> None:
    one, two = Unknown("i", varying=True, leaves=frozenset({"i"})), Unknown("n", leaves=frozenset({"n"}))
    both = joined("and", [one, two])
    assert isinstance(both, Unknown)
    assert both.varying
    assert both.leaves == {"i", "n"}
    assert both.key == "(i and n)"


def test_a_condition_that_is_made_of_itself_twice_each_turn_ends() -> None:
    """`done = (a and done) or (b and done)`: its parts are each looked at once, and not 2**100 times."""
    done: Value = Unknown("done")
    for turn in range(100):
        ways = [joined("and", [Unknown(f"{name}{turn}"), done]) for name in "ab"]
        done = joined("or", ways)
    assert len(list(parts_of(done))) < 1000
    assert holds(done, lambda part: None) is None
    assert holds(done, lambda part: True) is True
