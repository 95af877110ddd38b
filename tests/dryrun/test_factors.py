"""Factors: what a loss was multiplied by on its way to `backward`."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dryrun.machine import events_of
from dryrun.marks import known
from gradlint.dryrun.values import (
    Parameters,
    Series,
    Table,
    Thing,
    Unknown,
    exact,
    is_number,
    key_of,
    plain,
    things_in,
)
from gradlint.program import Role
from gradlint.trail import Backward, Factor, Kind

LOOP = """
import torch
from torch import nn

HALF = 0.5

def third(loss, n=3):
    return loss / n

def train(model, other, optimizer, criterion, loader, n, m):
    for i, batch in enumerate(loader):
        output = model(batch)
        loss = criterion(output, batch)
        {body}
        loss.backward()
        if (i + 1) % n == 0:
            optimizer.step()
            optimizer.zero_grad()
"""


def factor(body: str) -> Factor:
    """The factor of the first backward."""
    detail = events_of(LOOP.format(body=body), Kind.BACKWARD)[0].detail
    assert isinstance(detail, Backward)
    return detail.factor


def weight(body: str) -> Fraction | None:
    """Everything that the first loss was multiplied by."""
    found = factor(body)
    return None if found.value is None else found.value * found.literal


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("pass", "1"),
        ("loss = loss / n", "1/3"),
        ("loss /= n", "1/3"),
        ("loss = loss * (1 / n)", "1/3"),
        ("loss *= 1 / n", "1/3"),
        ("loss = (1 / n) * loss", "1/3"),
        ("loss = loss.div(n)", "1/3"),
        pytest.param(
            *("loss.div_(n)", "1/3"),
            marks=known("an in-place method changes only its result"),
        ),
        ("loss = loss.mul(1 / n)", "1/3"),
        ("loss = loss.mean() / n", "1/3"),
        ("loss = loss.float() / n", "1/3"),
        ("loss = (loss / n).squeeze()", "1/3"),
        ("loss = abs(loss / n)", "1/3"),
        ("loss = loss / batch.shape[0]", "1"),
        ("loss = loss / batch.size(0)", "1"),
        ("loss = loss / batch.size()[0]", "1"),
        ("loss = loss / float(len(batch))", "1"),
        ("loss = loss / (output.numel() + 1e-8)", "1"),
        ("loss = loss.div(output.size(0))", "1"),
        ("loss /= len(output)", "1"),
        ("size = batch.size(0); loss = loss / n / size", "1/3"),
        ("loss = third(loss)", "1/3"),
        ("loss = third(loss, n)", "1/3"),
        ("loss = third(loss, n=6)", "1/6"),
        ("loss = loss / n / 2", "1/6"),
        ("loss = loss / (n * 2)", "1/6"),
        ("loss = loss / n * n", "1"),
        ("loss = loss * n / n", "1"),
        ("loss = loss * n", "3"),
        ("loss = 2 * loss", "2"),
        ("loss = loss * 0.1", "1/10"),
        ("loss = HALF * loss", "1/2"),
        ("loss = -loss", "-1"),
        ("loss = loss / (i + 1)", "1"),
        ("loss = loss / float(n)", "1/3"),
        ("loss = loss / int(n)", "1/3"),
        ("loss = loss / max(n, 1)", "1/3"),
        ("loss = loss / min(n, len(loader))", "1/3"),
        ("loss = loss / n if n > 1 else loss", "1/3"),
        ("if n > 1: loss = loss / n", "1/3"),
        ("scale = 1.0 / n; loss = loss * scale", "1/3"),
        ("loss = loss + criterion(output, batch)", "1"),
        ("p = output.sigmoid(); loss = 1 - (2 * (p * batch).sum() + 1) / (p.sum() + batch.sum() + 1)", "1"),
        ("p = output.sigmoid(); loss = (1 - 2 * (p * batch).sum() / p.sum()) / n", "1/3"),
        ("loss = (loss + criterion(output, batch)) / n", "1/3"),
        ("loss = loss / n + criterion(output, batch) / n", "1/3"),
        ("loss = sum([loss, loss]) / n", "1/3"),
        ("losses = [loss / n, loss / n]; loss = sum(losses)", "1/3"),
        ("loss = torch.stack([loss, loss]).mean() / n", "1/3"),
        ("parts = {'a': loss / n}; loss = parts['a']", "1/3"),
        ("loss, _ = loss / n, output", "1/3"),
        ("(loss, _), x = (loss / n, 1), 2", "1/3"),
    ],
)
def test_exact_weight(body: str, expected: str) -> None:
    assert weight(body) == Fraction(expected)


@pytest.mark.parametrize(
    "body",
    [
        "loss = loss / m",
        "loss = loss / batch.shape[1]",
        "loss = loss / output.size(-1)",
        "loss = loss / other.shape[0]",
        "loss = loss / len(other)",
        "loss = loss / (batch.shape[0] * m)",
        "loss = loss / (batch != 0).sum()",
        "loss = loss / n + criterion(output, batch)",
        "loss = (loss / n) ** 2",
        "loss = torch.exp(loss / n)",
        "loss = loss.div(m)",
        "loss = loss / 0",
        "loss = normalise(loss / n)",
    ],
)
def test_unknown_weight_is_unknown_never_one(body: str) -> None:
    assert weight(body) is None


@pytest.mark.parametrize(
    ("body", "value", "literal"),
    [
        ("loss = loss / n", "1/3", "1"),
        ("loss = loss / 4", "1", "1/4"),
        ("loss = 0.5 * loss / n", "1/3", "1/2"),
        ("loss = loss * 2 / 4", "1", "1/2"),
    ],
)
def test_bare_numbers_are_kept_apart(body: str, value: str, literal: str) -> None:
    found = factor(body)
    assert (found.value, found.literal) == (Fraction(value), Fraction(literal))


@pytest.mark.parametrize(
    ("body", "divided"),
    [("pass", False), ("loss = loss / n", True), ("loss = loss / 4", True), ("loss = 2 * loss", False)],
)
def test_divided(body: str, divided: bool) -> None:
    assert factor(body).divided is divided


def test_divisors_are_remembered_by_their_names() -> None:
    assert "n" in factor("loss = loss / n").texts


@pytest.mark.parametrize("body", ["loss = loss.sum() / n", "loss = nn.MSELoss(reduction='sum')(output, batch)"])
def test_sum_is_remembered(body: str) -> None:
    detail = events_of(LOOP.format(body=body), Kind.BACKWARD)[0].detail
    assert isinstance(detail, Backward)
    assert detail.summed


@pytest.mark.parametrize(("divisor", "summed"), [("output.shape[0]", False), ("n", True), ("output.shape[1]", True)])
def test_sum_over_its_own_size_is_a_mean(divisor: str, summed: bool) -> None:
    detail = events_of(LOOP.format(body=f"loss = output.sum() / {divisor}"), Kind.BACKWARD)[0].detail
    assert isinstance(detail, Backward)
    assert detail.summed is summed


@pytest.mark.parametrize(
    ("head", "micro", "size"),
    [
        ("size = len(batch)", "batch.split(4)", "size"),
        ("size = batch.shape[0]", "batch.chunk(4)", "size"),
        ("pass", "batch", "len(batch)"),
    ],
)
def test_size_of_the_window_is_no_size_of_a_micro_batch(head: str, micro: str, size: str) -> None:
    source = f"""
def train(model, optimizer, loader):
    for batch in loader:
        optimizer.zero_grad()
        {head}
        for micro in {micro}:
            loss = model(micro).sum() / {size}
            loss.backward()
        optimizer.step()
"""
    detail = events_of(source, Kind.BACKWARD)[0].detail
    assert isinstance(detail, Backward)
    assert detail.factor.value != 1


# --------------------------------------------------------------------------- small parts


fractions = st.fractions(min_value=-9, max_value=9, max_denominator=9)


@given(fractions, fractions)
def test_factors_multiply(one: Fraction, two: Fraction) -> None:
    found = Factor(one, two).times(Factor(two, one))
    assert found.value == found.literal == one * two


@given(st.none() | fractions, st.none() | fractions)
def test_unknown_factor_stays_unknown(one: Fraction | None, two: Fraction | None) -> None:
    found = Factor(one).times(Factor(two)).value
    assert (found is None) is (one is None or two is None)


@given(fractions, fractions, fractions)
def test_factors_are_associative(one: Fraction, two: Fraction, three: Fraction) -> None:
    left = Factor(one).times(Factor(two)).times(Factor(three))
    assert left == Factor(one).times(Factor(two).times(Factor(three)))


@given(st.integers(-1000, 1000))
def test_whole_numbers_stay(number: int) -> None:
    found = exact(number)
    assert found is not None
    assert plain(found) == number
    assert isinstance(plain(found), int)


@pytest.mark.parametrize(
    ("value", "expected"),
    [(0.1, Fraction(1, 10)), (3, Fraction(3)), (Fraction(1, 3), Fraction(1, 3)), (1e-3, Fraction(1, 1000)),
     (True, None), ("1", None), (None, None), (float("nan"), None), (float("inf"), None)],
)  # fmt: skip
def test_exact(value: object, expected: Fraction | None) -> None:
    assert exact(value) == expected  # type: ignore[arg-type]


def test_booleans_are_no_numbers() -> None:
    assert [is_number(value) for value in (1, 1.5, Fraction(1), True, None, "1")] == [
        *(True, True, True, False, False, False)
    ]


def test_generator_of_parameters_is_used_up() -> None:
    made = Parameters(frozenset({"model"}))
    assert [made.consume(), made.consume()] == [True, False]
    kept = Parameters(frozenset({"model"}), once=False)
    assert [kept.consume(), kept.consume()] == [True, True]


def test_filter_reads_from_its_source() -> None:
    source = Parameters(frozenset({"model"}))
    lazy = Parameters(frozenset({"model"}), source=source)
    assert lazy.consume()
    assert not source.consume()


def test_keys_of_equal_values_are_equal() -> None:
    thing = Thing("model", Role.MODEL)
    assert key_of(Series([thing, 1])) == key_of(Series([Unknown("model"), 1])) == "[model, 1]"
    assert key_of(None) == "None"


def test_things_are_found_in_containers() -> None:
    one, two = Thing("a"), Thing("b")
    assert things_in(Series([one, Table({"x": Series([two])}), 3])) == [one, two]
    assert things_in(Unknown("x")) == []


def test_wrappers_share_their_root() -> None:
    bare = Thing("model", Role.MODEL)
    outer = Thing("outer", Role.MODEL, inner=Thing("model:ddp", Role.MODEL, wrapper="ddp", inner=bare))
    assert outer.root == "model"
    assert outer.distributed == "ddp"
    assert bare.distributed == ""
