from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

import pytest
from builders import event, region, weights

from gradlint.model.ledger import Ledger, Row, Weight
from gradlint.model.trace import LedgerPair, ScenarioTrace
from gradlint.report.style import Style
from gradlint.report.trace import render

PAGE = Style()


def test_a_region() -> None:
    assert (
        render(region(), PAGE)
        == """\
train.py:1-7  train
  accumulation_steps = 3 (chosen)

assuming use_amp = true
├─ epoch 0
│  ├─ batch 0
│  │  3  forward   model      model(batch)
│  │  4  backward  loss       loss.backward()   weight 1
│  ├─ … 1 more like this (batch 1)
│  └─ batch 2
│     3  forward   model      model(batch)
│     4  backward  loss       loss.backward()   weight 1
│     5  step      optimizer  optimizer.step()
└─ … 1 more like this (epoch 1)

ledger of `optimizer`, window of 3  g1   g2   g3   g4   g5   g6   |  clip
  update 1  as executed             1    1    1    ·    ·    ·    |  late
            as meant                1/3  1/3  1/3  ·    ·    ·    |  clipped
  update 2  as meant ✓              ·    ·    ·    1/3  1/3  1/3  |  clipped
"""
    )


def scenario(*events: object, ledgers: tuple[LedgerPair, ...] = ()) -> list[str]:
    shown = render(region(bindings=(), scenarios=(ScenarioTrace((), events, ledgers),)), PAGE)
    return shown.split("\n")[2:-1]


def test_many_turns_are_folded_into_one_line() -> None:
    steps = [event("step", "optimizer.step()", ("batch", iteration)) for iteration in range(5)]
    assert scenario(*steps) == [
        "├─ batch 0",
        "│  5  step  optimizer  optimizer.step()",
        "└─ … 4 more like this (batch 1 to 4)",
    ]


def test_turns_that_differ_are_all_shown() -> None:
    first = event("backward", "loss.backward()", ("batch", 0), detail="weight 1")
    second = event("backward", "loss.backward()", ("batch", 1), detail="weight 1/2")
    assert [line for line in scenario(first, second) if "batch" in line] == [
        "├─ batch 0",
        "└─ batch 1",
    ]


def test_events_outside_of_any_loop() -> None:
    before = event("zero_grad", "optimizer.zero_grad()")
    inside = event("step", "optimizer.step()", ("batch", 0))
    assert scenario(before, inside) == [
        "2  zero_grad  optimizer  optimizer.zero_grad()",
        "└─ batch 0",
        "   5  step       optimizer  optimizer.step()",
    ]


def test_the_function_of_a_followed_call_is_named() -> None:
    inside = replace(event("step", "optimizer.step()", detail="weight 1"), function="update")
    home = [event("backward", "loss.backward()"), event("zero_grad", "optimizer.zero_grad()")]
    assert scenario(*home, inside)[-1] == "5  step       optimizer  optimizer.step()       weight 1, in update()"


def test_the_function_in_which_most_happens_is_named_once() -> None:
    steps = [replace(event("step", "optimizer.step()"), function="update")] * 2
    other = replace(event("zero_grad", "optimizer.zero_grad()"), function="clear")
    body = {"name": "<module>", "bindings": ()}
    alone = render(region(**body, scenarios=(ScenarioTrace((), tuple(steps), ()),)), PAGE)
    assert alone == ("train.py:1-7  module body\n  in update()\n\n" + "5  step  optimizer  optimizer.step()\n" * 2)
    both = render(region(**body, scenarios=(ScenarioTrace((), (*steps, other), ()),)), PAGE).split("\n")
    assert both[1] == "  in update() where nothing else is said"
    assert [line for line in both if "in clear()" in line] == [
        "2  zero_grad  optimizer  optimizer.zero_grad()  in clear()"
    ]


def test_what_cannot_be_followed_is_shown_once() -> None:
    call = "do_step(opt,\n        loss)"
    opaque = replace(event("opaque", "loss.backward()", detail="may touch gradients"), source=call, subject=call)
    assert scenario(opaque) == ["4  opaque    do_step(opt, loss)  may touch gradients"]


def test_a_loop_over_something_else_is_a_loop() -> None:
    steps = [event("step", "optimizer.step()", ("other", iteration)) for iteration in range(3)]
    assert scenario(*steps)[::2] == ["├─ loop 0", "└─ … 2 more like this (loop 1 to 2)"]


@pytest.mark.parametrize("width", [80, 100])
def test_lines_fit_the_page(width: int) -> None:
    deep = (("epoch", 0), ("batch", 0), ("other", 0))
    long = replace(
        event("scheduler step", "optimizer.step()", *deep, detail="weight 1/4"),
        source="f(\n    " + "x, " * 40 + ")",
        subject="a_very_long_name_of_an_object",
    )
    scenarios = (ScenarioTrace((("flag", True),) * 12, (long,), ()),)
    shown = render(region(bindings=(), scenarios=scenarios, notes=("word " * 30,)), Style(width=width))
    assert max(map(len, shown.split("\n"))) <= width


def test_worlds_are_numbered_and_notes_shown() -> None:
    one, two = (
        ScenarioTrace((("amp", True),), (), ()),
        ScenarioTrace((("amp", False), ("ddp", True)), (), ()),
    )
    shown = render(region(bindings=(), scenarios=(one, two), notes=("cannot follow f()",)), PAGE)
    assert shown.split("\n") == [
        "train.py:1-7  train",
        "  note: cannot follow f()",
        "",
        "scenario 1 of 2: assuming amp = true",
        "",
        "scenario 2 of 2: assuming amp = false, ddp = true",
        "",
    ]


def test_equal_updates_take_one_line() -> None:
    rows = tuple(Row(number, weights(1)) for number in range(1, 13))
    wrong = Row(13, weights(2))
    meant = tuple(Row(number, weights(1)) for number in range(1, 14))
    book = LedgerPair(Ledger("opt", (1,), (*rows, wrong)), Ledger("opt", (1,), meant))
    assert scenario(ledgers=(book,)) == [
        "",
        "ledger of `opt`, window of 1  g1",
        "  updates 1-12  as meant ✓    1",
        "  update 13     as executed   2",
        "                as meant      1",
    ]


def test_a_name_that_is_no_name_is_cut() -> None:
    empty = LedgerPair(Ledger("x" * 60, ()), Ledger("x" * 60, ()))
    assert scenario(ledgers=(empty,))[1] == f"ledger of `{'x' * 39}…`: no update"


def pair(count: int) -> LedgerPair:
    executed = [Row(n + 1, weights(n + 1, n + 2, n + 3, first=3 * n + 1)) for n in range(count)]
    meant = [Row(n + 1, weights(1, 1, 1, first=3 * n + 1)) for n in range(count)]
    return LedgerPair(Ledger("opt", (3,), tuple(executed)), Ledger("opt", (3,), tuple(meant)))


def test_books_too_wide_for_the_page_go_update_by_update() -> None:
    lines = scenario(ledgers=(pair(12),))
    assert lines[:5] == [
        "",
        "ledger of `opt`, window of 3",
        "                          g1  g2  g3",
        "  update 1   as executed  1   2   3",
        "             as meant     1   1   1",
    ]
    assert max(map(len, lines)) <= PAGE.width


def test_an_update_that_nobody_means() -> None:
    extra = LedgerPair(Ledger("opt", (), (Row(1, weights(1)),)), Ledger("opt", (), ()))
    assert scenario(ledgers=(extra,)) == [
        "",
        "ledger of `opt`          g1",
        "  update 1  as executed  1",
    ]


def test_an_optimizer_that_never_steps() -> None:
    empty = LedgerPair(Ledger("opt", (2,)), Ledger("opt", (2,)))
    assert scenario(ledgers=(empty,)) == ["", "ledger of `opt`, window of 2: no update"]


def test_colour_changes_nothing_but_the_colour() -> None:
    coloured = render(region(), Style(colour=True))
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == render(region(), PAGE)
    assert "\x1b[31;1m1\x1b[0m" in coloured


def test_without_unicode() -> None:
    shown = render(region(), Style(unicode=False))
    assert shown.isascii()
    assert "|-- batch 0" in shown or "|  |- batch 0" in shown


def old(count: int) -> tuple[Weight, ...]:
    return tuple(Weight(f"old {number}", Fraction(1, 2), extra=True) for number in range(1, count + 1))


def test_gradients_that_pile_up_take_one_column() -> None:
    rows = [Row(number + 1, (*old(number), *weights(1))) for number in range(6)]
    meant = tuple(Row(number + 1, weights(1)) for number in range(6))
    assert scenario(ledgers=(LedgerPair(Ledger("opt", (1,), tuple(rows)), Ledger("opt", (1,), meant)),)) == [
        "",
        "ledger of `opt`, window of 1  old        g1",
        "  update 1     as meant ✓     ·          1",
        "  updates 2-6  as executed    1…5 \N{MULTIPLICATION SIGN} 1/2  1",
        "               as meant       0          1",
    ]


def test_old_gradients_of_different_weights_are_listed() -> None:
    pile = (Weight("old 1", Fraction(1, 4), extra=True), Weight("old 2", None, extra=True))
    pair = LedgerPair(
        Ledger("opt", (1, 3), (Row(1, (*pile, *weights(1))),)), Ledger("opt", (1, 3), (Row(1, weights(1)),))
    )
    assert scenario(ledgers=(pair,)) == [
        "",
        "ledger of `opt`, windows of 1 and 3  old      g1",
        "  update 1  as executed              1/4 + ?  1",
        "            as meant                 0        1",
    ]


def test_unknown_weights_are_neither_right_nor_wrong() -> None:
    row = Row(1, weights(None, None))
    pair = LedgerPair(Ledger("opt", (2,), (row,)), Ledger("opt", (2,), (row,)))
    assert scenario(ledgers=(pair,)) == [
        "",
        "ledger of `opt`, window of 2  g1  g2",
        "  update 1  as executed       ?   ?",
    ]


def test_the_file_of_an_event_is_named_unless_most_happens_there() -> None:
    steps = [replace(event("step", "optimizer.step()"), function="update", path="src/engine.py")] * 2
    other = replace(event("zero_grad", "optimizer.zero_grad()"), function="train")
    far = replace(event("clip", "clip_grad_norm_(model.parameters(), 1.0)"), function="clip", path="src/amp/engine.py")
    shown = render(region(bindings=(), scenarios=(ScenarioTrace((), (*steps, other, far), ()),)), PAGE).split("\n")
    assert shown[1] == "  in update() of src/engine.py where nothing else is said"
    assert [line.split()[0] for line in shown[3:7]] == ["5", "5", "train.py:2", "amp/engine.py:6"]
    assert "in train()" in shown[5]
