"""Windows: what a guard says of how many micro-batches an update takes."""

from __future__ import annotations

from collections.abc import Iterator

from gradlint.interpret.conditions import (
    And,
    Compare,
    Extreme,
    Moved,
    Or,
    Samples,
    began,
    comparisons,
    moduli,
    without_not,
)
from gradlint.interpret.plan import Plan, last_name
from gradlint.interpret.state.sizes import Sizes
from gradlint.interpret.traits import form_of, varies
from gradlint.interpret.values import Unknown, Value
from gradlint.libraries.conventions.numbers import NOT_A_WINDOW, WINDOW_NAME

FULL = frozenset({"==", ">="})


OVERFULL = FULL | {">"}


WAITS = frozenset({"!=", "<"})
"""How a count is held against the window by who steps, and by who goes on."""


def learn_count(plan: Plan, sizes: Sizes, value: Value, text: str, ops: frozenset[str]) -> None:
    """Bind the window that a count of micro-batches, or of samples, is held against by one of `ops`.

    Raises:
        Restart: something was bound.
    """
    for modulo in moduli(value):
        _learn_samples(plan, modulo.number, modulo.by)
    if "%" in text or (NOT_A_WINDOW.search(text) and not WINDOW_NAME.search(text)):
        return
    for compared in comparisons(value):
        op, left, right = compared.op, compared.left, compared.right
        if op in ops:
            _learn_samples(plan, left, right)
        if op in ops and _is_count(left) and isinstance(right, Unknown) and not right.varying:
            plan.bind_window(core(right).key)
        if _is_count(right):
            _learn_start(plan, sizes, left)
    for asked, full in _asked(value):
        if full is ("==" in ops):  # `if not left: step`, `if left: continue`
            _learn_start(plan, sizes, asked)


def _learn_start(plan: Plan, sizes: Sizes, left: Value) -> None:
    """A count goes down from its window to a number.

    Raises:
        Restart: it was learned.
    """
    first = began(left)
    if first is left or not isinstance(left, Unknown) or not isinstance(first, Unknown):
        return
    if not left.varying and not left.leaves & sizes.counted:
        plan.bind_window(core(first).key)


def _asked(value: Value) -> Iterator[tuple[Value, bool]]:
    """What a condition takes for true or false by itself, and whether it has to be false."""
    asked, wants = without_not(value)
    match form_of(asked):
        case And(parts) | Or(parts) if wants:
            for part in parts:
                yield from _asked(part)
        case Moved():
            yield asked, not wants


def _is_count(value: Value) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def learn_window(plan: Plan, sizes: Sizes, value: Value, text: str, *, limit: bool = False) -> None:
    """Bind the window, or the counter, that a test shows; one that ends a loop whose window is known is a `limit`.

    Raises:
        Restart: something was bound.
    """
    for modulo in moduli(value):
        if isinstance(modulo.by, Unknown) and not modulo.by.varying:
            plan.bind_window(core(modulo.by).key)
        if isinstance(modulo.number, Unknown):
            bind_start(plan, sizes, modulo.number)
    for compared in comparisons(value):
        _learn_from_comparison(plan, sizes, compared, "" if limit or "%" in text else text)  # a limit beside the window


def learn_period(plan: Plan, value: Value, period: int) -> None:
    """A modulus around whole updates or evaluations: not a window, but it must compute.

    What is called like a window may be one elsewhere, on another way: an engine counts to it, or the loop does.

    Raises:
        Restart: the period was bound.
    """
    for modulo in moduli(value):
        by = modulo.by
        if isinstance(by, Unknown) and not by.varying and by.key not in plan.numbers.bindings:
            if WINDOW_NAME.search(last_name(by.key)):
                plan.bind_window(by.key)
            whole = period > 1 and " * " in by.key  # so many windows, of which one comes first
            plan.bind(by.key, 2 * period if whole else period)


def learn_first(plan: Plan, sizes: Sizes, value: Value) -> None:
    """Bind the first number of a counter whose modulus tells between ways to work: it says in turn which one it is.

    Were each iteration asked by itself (`(first + 4) % n`), a step would come whenever it may.

    Raises:
        Restart: it was bound.
    """
    for modulo in moduli(value):
        if isinstance(modulo.number, Unknown) and not isinstance(modulo.by, Unknown):
            bind_start(plan, sizes, modulo.number)


def _learn_from_comparison(plan: Plan, sizes: Sizes, compared: Compare, text: str) -> None:
    if NOT_A_WINDOW.search(text) and not WINDOW_NAME.search(text):
        return
    op, left, right = compared.op, compared.left, compared.right
    for side in (left, right):
        if isinstance(side, Unknown) and side.leaves & sizes.counted:
            bind_start(plan, sizes, side)
    for number, symbol in ((left, right), (right, left)):
        counts = isinstance(number, int) and not isinstance(number, bool)
        whole = isinstance(symbol, Unknown) and " * " in symbol.key  # so many windows: where the loop ends
        if whole or not counts:
            continue
        if isinstance(symbol, Unknown) and not symbol.varying and op in ("==", ">=", "<=", "<", ">", "!="):
            likely = WINDOW_NAME.search(text or symbol.key) or (text and op in ("==", ">=") and number is left)
            if likely:
                plan.bind_window(core(symbol).key)


def _learn_samples(plan: Plan, count: Value, limit: Value) -> None:
    """A window in samples: `seen += batch_size`, `if seen == virtual_batch_size`.

    Raises:
        Restart: it was learned.
    """
    counted = form_of(count)
    if not isinstance(counted, Samples) or varies(limit):
        return
    whole = core(limit).key if isinstance(limit, Unknown) else None
    plan.count_samples(None if counted.unit.varying or whole is None else counted.unit.key, whole)


def batches_counted(plan: Plan, value: Value) -> int | None:
    """How many batches have added their samples to a counter, once it is known to count to the window."""
    form = form_of(value) if plan.marks.samples else None
    return form.times if isinstance(form, Samples) else None


def core(symbol: Unknown) -> Unknown:
    """The unknown inside `max(1, n)` and `min(n, left)`."""
    while isinstance(symbol.form, Extreme):
        inner = [part for part in symbol.form.parts if isinstance(part, Unknown)]
        if len(inner) != 1:
            break
        symbol = inner[0]
    return symbol


def bind_start(plan: Plan, sizes: Sizes, value: Unknown) -> None:
    """Bind what a counter begins with to 0, and what else it is made of to what does not matter.

    Raises:
        Restart: something was bound.
    """
    leaves = [leaf for leaf in value.leaves if leaf not in plan.numbers.bindings]
    if value.varying or not leaves:
        return
    for leaf in leaves:
        if len(leaves) > 1 and WINDOW_NAME.search(leaf):
            plan.numbers.windows.add(leaf)
            plan.numbers.bindings[leaf] = plan.window
        elif (len(leaves) > 1 and leaf not in sizes.counted) or f"/ {leaf}" in value.key:
            plan.numbers.guessed.add(leaf)
            plan.numbers.bindings[leaf] = 1
        else:
            if not plan.numbers.is_zero(leaf):
                plan.numbers.starts.add(leaf)
            plan.numbers.bindings[leaf] = 0
    plan.restart()
