from __future__ import annotations

import re
from dataclasses import replace

from builders import event, region, weights

from gradlint.ledger import Ledger, Row
from gradlint.report.style import Style
from gradlint.report.trace import render
from gradlint.trace import LedgerPair, WorldTrace

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


def world(*events: object, ledgers: tuple[LedgerPair, ...] = ()) -> list[str]:
    shown = render(region(bindings=(), worlds=(WorldTrace((), events, ledgers),)), PAGE)
    return shown.split("\n")[2:-1]


def test_many_turns_are_folded_into_one_line() -> None:
    steps = [event("step", "optimizer.step()", ("batch", turn)) for turn in range(5)]
    assert world(*steps) == [
        "├─ batch 0",
        "│  5  step  optimizer  optimizer.step()",
        "└─ … 4 more like this (batch 1 to 4)",
    ]


def test_turns_that_differ_are_all_shown() -> None:
    first = event("backward", "loss.backward()", ("batch", 0), detail="weight 1")
    second = event("backward", "loss.backward()", ("batch", 1), detail="weight 1/2")
    assert [line for line in world(first, second) if "batch" in line] == [
        "├─ batch 0",
        "└─ batch 1",
    ]


def test_events_outside_of_any_loop() -> None:
    before = event("zero_grad", "optimizer.zero_grad()")
    inside = event("step", "optimizer.step()", ("batch", 0))
    assert world(before, inside) == [
        "2  zero_grad  optimizer  optimizer.zero_grad()",
        "└─ batch 0",
        "   5  step       optimizer  optimizer.step()",
    ]


def test_the_function_of_a_followed_call_is_named() -> None:
    inside = replace(event("step", "optimizer.step()", detail="weight 1"), function="update")
    assert world(inside) == ["5  step  optimizer  optimizer.step()  weight 1, in update()"]


def test_source_is_one_short_line() -> None:
    long = replace(event("step", "optimizer.step()"), source="f(\n    " + "x, " * 40 + ")")
    (line,) = world(long)
    assert line.endswith("…")
    assert len(line) <= 80


def test_worlds_are_numbered_and_notes_shown() -> None:
    one, two = (
        WorldTrace((("amp", True),), (), ()),
        WorldTrace((("amp", False), ("ddp", True)), (), ()),
    )
    shown = render(region(bindings=(), worlds=(one, two), notes=("cannot follow f()",)), PAGE)
    assert shown.split("\n") == [
        "train.py:1-7  train",
        "  note: cannot follow f()",
        "",
        "world 1 of 2: assuming amp = true",
        "",
        "world 2 of 2: assuming amp = false, ddp = true",
        "",
    ]


def pair(count: int) -> LedgerPair:
    executed = [Row(n + 1, weights(n + 1, n + 2, n + 3, first=3 * n + 1)) for n in range(count)]
    meant = [Row(n + 1, weights(1, 1, 1, first=3 * n + 1)) for n in range(count)]
    return LedgerPair(Ledger("opt", 3, tuple(executed)), Ledger("opt", 3, tuple(meant)))


def test_books_too_wide_for_the_page_go_update_by_update() -> None:
    lines = world(ledgers=(pair(12),))
    assert lines[:5] == [
        "",
        "ledger of `opt`, window of 3",
        "                          g1  g2  g3",
        "  update 1  as executed   1   2   3",
        "            as meant      1   1   1",
    ]
    assert max(map(len, lines)) <= PAGE.width


def test_an_update_that_nobody_means() -> None:
    extra = LedgerPair(Ledger("opt", None, (Row(1, weights(1)),)), Ledger("opt", None, ()))
    assert world(ledgers=(extra,)) == [
        "",
        "ledger of `opt`          g1",
        "  update 1  as executed  1",
    ]


def test_an_optimizer_that_never_steps() -> None:
    empty = LedgerPair(Ledger("opt", 2), Ledger("opt", 2))
    assert world(ledgers=(empty,)) == ["", "ledger of `opt`, window of 2: no update"]


def test_colour_changes_nothing_but_the_colour() -> None:
    coloured = render(region(), Style(colour=True))
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == render(region(), PAGE)
    assert "\x1b[31;1m1\x1b[0m" in coloured


def test_without_unicode() -> None:
    shown = render(region(), Style(unicode=False))
    assert shown.isascii()
    assert "|-- batch 0" in shown or "|  |- batch 0" in shown
