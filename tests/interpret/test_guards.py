"""Guards and worlds: what is one switch, what is asked at all, which way a guard goes."""

from __future__ import annotations

import pytest

from gradlint.interpret.atoms import AMP, atom, truth
from gradlint.interpret.conditions import Compare, IsNone, Not
from gradlint.interpret.values import Context, Parameters, Series, Table, Tracked, Unknown
from gradlint.model.events import MAX_SCENARIOS, EventLog, Kind
from gradlint.model.roles import Role
from interpret.machine import only
from interpret.marks import known

LOOP = """
import math
import torch

def train(model, optimizer, scaler, scheduler, loader, {flags}):
    for epoch in range(2):
        for i, batch in enumerate(loader):
            optimizer.zero_grad()
            loss = model(batch)
            loss.backward()
{body}
"""


def scenarios(flags: str, *body: str) -> list[EventLog]:
    lines = "\n".join("            " + line for line in body)
    return only(LOOP.format(flags=flags, body=lines)).scenarios


def steps(log: EventLog) -> int:
    return sum(event.kind is Kind.STEP for event in log.events)


def clips(log: EventLog) -> int:
    return sum(event.kind is Kind.CLIP for event in log.events)


CLIP = "torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)"

# ------------------------------------------------------------------------ one switch


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("x", "x"),
        ("x", "bool(x)"),
        ("x", "x is not None"),
        ("x", "x > 0"),
        ("x", "x != 0"),
        ("x", "not not x"),
        ("x is None", "not x"),
        ("x == 0", "not x"),
        ("x > 0", "x is not None"),
        ("not (x is None)", "x"),
        ("x.y", "x.y is not None"),
        ("x['y']", "x['y'] > 0"),
        ("x == 'a'", "'a' == x"),
        ("x != 'a'", "'a' != x"),
        ("x > 0", "0 < x"),
        ("x", "0 != x"),
        ("x > 1", "1 < x"),
        ("x <= 1", "1 >= x"),
    ],
)
def test_equal_conditions_are_one_switch(one: str, two: str) -> None:
    found = scenarios("x", f"if {one}: {CLIP}", f"if {two}: {CLIP}", "optimizer.step()")
    assert len(found) == 2
    assert {clips(log) % 2 for log in found} == {0}


@pytest.mark.parametrize(
    ("one", "two"),
    [("x", "not x"), ("x", "x is None"), ("x > 0", "x == 0"), ("x is not None", "not x")],
)
def test_opposite_conditions_exclude_each_other(one: str, two: str) -> None:
    found = scenarios("x", f"if {one}: {CLIP}", f"if {two}: {CLIP}", "optimizer.step()")
    assert len(found) == 2
    assert {clips(log) for log in found} == {14}


@pytest.mark.parametrize(
    ("one", "two"),
    [("x", "y"), ("x.a", "x.b"), ("x == 'a'", "x == 'b'"), ("x > 1", "x > 2")],
)
def test_other_conditions_are_other_switches(one: str, two: str) -> None:
    found = scenarios("x, y", f"if {one}: {CLIP}", f"if {two}: {CLIP}", "optimizer.step()")
    assert len(found) > 2
    assert {clips(log) for log in found} >= {0, 14}


def test_a_name_equals_one_thing_at_a_time() -> None:
    found = scenarios("x", f"if x == 'a': {CLIP}", f"if x == 'b': {CLIP}", "optimizer.step()")
    assert {clips(log) for log in found} == {0, 14}


@pytest.mark.parametrize(
    "flag",
    ["use_amp", "amp", "fp16", "mixed_precision", "scaler is not None", "scaler", "args.amp",
     "config.use_fp16", "half", "args.fp16 and True"],
)  # fmt: skip
def test_all_switches_of_mixed_precision_are_one(flag: str) -> None:
    found = scenarios(
        "use_amp, amp, fp16, mixed_precision, half, args, config",
        f"if {flag}: scaler.unscale_(optimizer)",
        "if scaler is not None: scaler.step(optimizer)",
        "else: optimizer.step()",
    )
    assert {log.decisions.get(AMP) for log in found} == {True, False}
    for log in found:
        kinds = [event.kind for event in log.events]
        assert (Kind.UNSCALE in kinds) is log.decisions[AMP]


@pytest.mark.parametrize("flag", ["use_bf16", "args.bfloat16", "amp_dtype == 'bfloat16'"])
def test_bfloat16_is_another_switch(flag: str) -> None:
    found = scenarios(
        "use_bf16, args, amp_dtype", f"if {flag}: {CLIP}", "if scaler: scaler.step(optimizer)",
        "else: optimizer.step()",
    )  # fmt: skip
    assert any(clips(log) for log in found if not log.decisions.get(AMP, True))
    assert any(not clips(log) for log in found if log.decisions.get(AMP, True))


def test_scaler_under_a_flag_is_none_without_it() -> None:
    source = """
import torch
def train(model, optimizer, loader, use_amp):
    scaler = torch.cuda.amp.GradScaler() if use_amp else None
    for epoch in range(2):
        for batch in loader:
            optimizer.zero_grad()
            loss = model(batch)
            if scaler is None:
                loss.backward()
                optimizer.step()
            else:
                scaler.scale(loss).backward()
                scaler.step(optimizer)
                scaler.update()
"""
    found = only(source).scenarios
    assert {log.decisions[AMP] for log in found} == {True, False}
    for log in found:
        updates = [event for event in log.events if event.kind is Kind.UPDATE]
        assert bool(updates) is log.decisions[AMP]


# ------------------------------------------------------------------------- what is asked


@pytest.mark.parametrize(
    "body",
    [
        "if x: print(loss)",
        "if x:\n                y = 1\n            else:\n                y = 2",
        "if x: log(loss.item())",
        "if x and i > 3: print(i)",
    ],
)
def test_guard_of_nothing_is_not_asked(body: str) -> None:
    (log,) = scenarios("x, log", body, "optimizer.step()")
    assert not log.decisions


@pytest.mark.parametrize(
    ("test", "taken"),
    [
        ("i == 2", 2),
        ("i % 2 == 0", 8),
        ("i in (1, 3)", 4),
        ("not i", 2),
        ("i", 12),
        ("0 < i < 3", 4),
        ("i == 1 or i == 2", 4),
        ("i > 1 and i < 4", 4),
        ("epoch == 0 and i > 3", 3),
        ("i + 1 == len(loader)", 2),
        ("i >= len(loader) - 2", 4),
        ("True", 14),
        ("False", 0),
        ("None", 0),
        ("[]", 0),
        ("[0]", 14),
        ("{}", 0),
        ("'text'", 14),
        ("isinstance(i, int) or True", 14),
        ("min(i, 3) == 3", 8),
        ("max(i, 5) == 5", 12),
        ("abs(i - 3) == 3", 4),
        ("i // 3 == 1", 6),
        ("i ** 2 == 4", 2),
        ("int(i / 2) == 1", 4),
        ("float(i) == 2.0", 2),
        ("round(i) == 2", 2),
        ("math.ceil(i / 3) == 1", 6),
        ("(i & 1) == 1", 6),
        ("i != 0", 12),
        ("i is None", 0),
        ("i is not None", 14),
        ("any([i == 1, i == 2])", 4),
        ("all([i > 1, i < 4])", 4),
    ],
)
def test_guard_that_can_be_computed_is(test: str, taken: int) -> None:
    (log,) = scenarios("x", f"if {test}: {CLIP}", "optimizer.step()")
    assert clips(log) == taken
    assert not log.decisions


@pytest.mark.parametrize(
    "guard",
    ["torch.isnan(loss)", "not torch.isfinite(loss)", "math.isinf(loss.item())", "overflow",
     "loss.item() > 1e6 or skip", "found_inf", "is_invalid(batch)", "error"],
)  # fmt: skip
def test_accident_does_not_happen(guard: str) -> None:
    flags = "overflow, skip, found_inf, is_invalid, error"
    for log in scenarios(flags, f"if {guard}: continue", "optimizer.step()"):
        assert steps(log) == 14


@pytest.mark.parametrize("guard", ["torch.isfinite(loss)", "not overflow", "not math.isnan(loss)"])
def test_training_goes_on_when_nothing_happened(guard: str) -> None:
    (log,) = scenarios("overflow", f"if {guard}: optimizer.step()")
    assert steps(log) == 14


def test_guard_that_changes_each_time_is_not_forked_each_time() -> None:
    found = scenarios("x", f"if batch.shape[0] > x: {CLIP}", "optimizer.step()")
    assert len(found) <= 2


def test_guard_that_changes_each_time_bounds_a_window_unsurely() -> None:
    found = scenarios("ready", "if ready(batch): optimizer.step()")
    for log in found:
        assert 0 < steps(log) < 14
        assert log.unsure_guards


def test_a_world_is_consistent_across_epochs_and_helpers() -> None:
    source = """
class Trainer:
    def __init__(self, model, optimizer, clip):
        self.model, self.optimizer, self.clip = model, optimizer, clip

    def fit(self, loader):
        for epoch in range(2):
            for batch in loader:
                if self.clip:
                    self.optimizer.zero_grad()
                self.model(batch).backward()
                self.end()

    def end(self):
        self.optimizer.step()
        if not self.clip:
            self.optimizer.zero_grad()
"""
    found = only(source).scenarios
    assert len(found) == 2
    for log in found:
        assert sum(event.kind is Kind.ZERO for event in log.events) == 14


def test_worlds_are_few() -> None:
    flags = [f"flag_{number}" for number in range(12)]
    body = [f"if {flag}: {CLIP}" for flag in flags]
    assert 2 < len(scenarios(", ".join(flags), *body, "optimizer.step()")) <= MAX_SCENARIOS


def test_the_first_world_does_what_can_be_done() -> None:
    first, *_ = scenarios("x, y", f"if x: {CLIP}", "if y: optimizer.step()")
    assert clips(first) == steps(first) == 14


@known("a guard of assignments gates nothing, so it is always taken")
def test_call_of_none_makes_a_world_infeasible() -> None:
    source = """
def train(model, optimizer, loader, x):
    helper = None
    if x:
        helper = optimizer
    for batch in loader:
        model(batch).backward()
        if x:
            helper.step()
        else:
            optimizer.step()
        helper.zero_grad()
"""
    assert [log.decisions for log in only(source).scenarios] == [{"x": True}]


# ------------------------------------------------------------------------- small parts


@pytest.mark.parametrize(
    ("value", "known"),
    [
        (True, True),
        (0, False),
        (1, True),
        ("", False),
        (None, False),
        (Unknown("x"), None),
        (Tracked("x", Role.MODEL, origin="made"), True),
        (Tracked("x", Role.SCALER, origin="parameter"), None),
        (Series([]), False),
        (Series([1]), True),
        (Series([], once=True), True),
        (Table({}), False),
        (Parameters(frozenset({"m"})), True),
        (Context("no_sync"), True),
    ],
    ids=lambda value: type(value).__name__,
)
def test_truth(value: object, known: bool | None) -> None:
    assert truth(value) is known  # type: ignore[arg-type]


def test_atoms() -> None:
    x = Unknown("x")
    assert atom(x) == ("x", True)
    assert atom(Unknown("n", form=Not(x))) == ("x", False)
    assert atom(Unknown("n", form=IsNone(x))) == ("x", False)
    assert atom(Unknown("n", form=Compare(">", x, 0, ("x", "0")))) == ("x", True)
    assert atom(Unknown("n", form=Compare("==", x, 0, ("x", "0")))) == ("x", False)
    assert atom(Unknown("x>1", form=Compare(">", x, 1, ("x", "1")))) == ("x>1", True)
    assert atom(Unknown("x==False", form=Compare("==", x, False, ("x", "False")))) == ("x==False", True)
    assert atom(Unknown("1<x", form=Compare("<", 1, x, ("1", "x")))) == ("x>1", True)
    assert atom(Unknown("use_amp")) == (AMP, True)
    assert atom(Unknown("use_amp", varying=True)) == ("use_amp", True)
    assert atom(Tracked("s", Role.SCALER)) == (AMP, True)


@pytest.mark.parametrize(
    ("what", "is_one"),
    [
        ("isinstance(optimizer, dict)", False),
        ("isinstance(optimizer, (list, tuple))", False),
        ("isinstance({'a': optimizer}, dict)", True),
        ("isinstance([optimizer], (list, tuple))", True),
        ("isinstance([optimizer], dict)", False),
    ],
)
def test_what_is_known_to_be_one_is_no_container(what: str, is_one: bool) -> None:
    (log,) = scenarios("x", f"if {what}: {CLIP}", "optimizer.step()")
    assert bool(clips(log)) is is_one


def test_class_of_the_unknown_is_unknown() -> None:
    assert len(scenarios("x", f"if isinstance(x, dict): {CLIP}", "optimizer.step()")) == 2
