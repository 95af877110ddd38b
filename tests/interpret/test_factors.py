"""Factors: what a loss was multiplied by on its way to `backward`."""

from __future__ import annotations

from fractions import Fraction
from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradlint.interpret.contents import things_in
from gradlint.interpret.traits import exact, is_number, key_of, plain
from gradlint.interpret.values import Parameters, Series, Table, Tracked, Unknown
from gradlint.model.events import Backward, Kind
from gradlint.model.factor import ONE, UNKNOWN_FACTOR, Factor, Part, common
from gradlint.model.roles import Role
from interpret.machine import events_of

LOOP = """
import torch
from torch import nn

HALF = 0.5

def third(loss, n=3):
    return loss / n

def divide(loss, n):
    loss /= n

def halved(loss):
    loss = loss / 2
    return loss

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
    return factor(body).weight


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
        ("loss.div_(n)", "1/3"),
        ("other_name = loss; loss.div_(n); loss = other_name", "1/3"),
        ("loss.mul_(1 / n)", "1/3"),
        ("loss.divide_(n)", "1/3"),
        ("loss = loss.true_divide(n)", "1/3"),
        ("loss = loss.multiply(1 / n)", "1/3"),
        ("loss = torch.div(loss, n)", "1/3"),
        ("loss = torch.true_divide(loss, n)", "1/3"),
        ("loss = torch.mul(loss, 1 / n)", "1/3"),
        ("loss = torch.mul(1 / n, loss)", "1/3"),
        ("loss = torch.div(input=loss, other=n)", "1/3"),
        ("out = model(batch, batch); out.loss /= n; loss = out.loss", "1/3"),
        ("out = model(batch, batch); out.loss = out.loss / n; loss = out.loss", "1/3"),
        ("out = model(batch, batch); out.loss.div_(n); loss = out.loss", "1/3"),
        ("out = model(batch, batch); out.part.loss /= n; loss = out.part.loss", "1/3"),
        ("out = model(batch, batch); out.loss /= n; loss = out.other", "1"),
        ("losses = model(batch, batch); losses['x'] /= n; loss = losses['x']", "1/3"),
        ("losses = model(batch, batch); losses['x'] = losses['x'] / n; loss = losses['x']", "1/3"),
        ("losses = model(batch, batch); losses['x'].div_(n); loss = losses['x']", "1/3"),
        ("losses = model(batch, batch); losses[0] /= n; loss = losses[0]", "1/3"),
        ("losses = model(batch, batch); losses['x'] /= n; loss = losses['y']", "1"),
        ("losses = {'x': loss}; losses['x'] /= n; loss = losses['x']", "1/3"),
        ("losses = [loss, loss]; losses[1] /= n; loss = losses[1]", "1/3"),
        ("divide(loss, n)", "1/3"),
        ("total = loss + 0.5 * loss; loss /= n; loss = total", "1"),
        ("total = loss; loss /= n; loss = total", "1/3"),
        ("loss = loss.clone(); other_name = loss * 1; loss /= n; loss = other_name", "1"),
        ("loss = halved(loss) / n", "1/6"),
        ("loss /= 4", "1/4"),
        ("loss.div_(4)", "1/4"),
        ("loss = loss * (1 / 4)", "1/4"),
        ("loss = 1 / 4 * loss", "1/4"),
        ("loss = n * loss", "3"),
        ("loss = 0.5 * loss / n", "1/6"),
        ("loss = criterion(output, batch) + 0.5 * loss", "1"),
        ("loss = (criterion(output, batch) + 0.5 * loss) / 4", "1/4"),
        ("loss = criterion(output, batch) / 4 + 0.5 * loss / 4", "1/4"),
        ("loss = 0.25 * criterion(output, batch) + 0.1 * loss * 0.25", "1/4"),
        ("loss = 0.3 * criterion(output, batch) + 0.7 * loss", "1"),
        ("loss = 0.5 * criterion(output, batch) + 0.5 * loss", "1/2"),
        ("loss = criterion(output, batch) + loss / 10", "1"),
        ("loss = m * loss / n", "1/3"),
        ("loss = (loss * batch).mean() / n", "1/3"),
        ("loss = torch.mean(loss * batch) / n", "1/3"),
        ("loss = criterion(output, batch) + len(batch) * loss", "1"),
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
        ("loss = -loss", "1"),
        ("loss = -0.5 * loss / n", "1/6"),
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
        "loss.div_(m)",
        "loss = loss * len(batch)",
        "loss = loss * (len(batch) / m)",
        "loss = loss * (batch != 0).sum()",
        "loss = torch.div(loss, m)",
        "loss = torch.div(loss, n, rounding_mode='floor')",
        "loss = criterion(output, batch) / 2 + loss / 3",
        "losses = model(batch, batch)\n        for k in losses: losses[k] /= n\n        loss = sum(losses.values())",
        "losses = model(batch, batch); losses['x'] /= n; loss = sum(losses.values())",
    ],
)
def test_unknown_weight_is_unknown_never_one(body: str) -> None:
    assert weight(body) is None


@pytest.mark.parametrize(
    ("body", "parts"),
    [
        ("loss = loss / n", ["/ n"]),
        ("loss /= n", ["/ n"]),
        ("loss.div_(n)", ["/ n"]),
        ("loss = torch.div(loss, n)", ["/ n"]),
        ("loss = loss / 4", ["/ 4 bare"]),
        ("loss /= 4", ["/ 4 bare"]),
        ("loss.div_(4)", ["/ 4 bare"]),
        ("loss = 0.5 * loss / n", ["* 1/2 bare", "/ n"]),
        ("loss = loss * 0.5", ["* 1/2 bare"]),
        ("loss = loss * HALF", ["* 1/2 bare"]),
        ("loss = HALF * loss", ["* 1/2 bare"]),
        ("loss = loss * 2 / 4", ["* 2 bare", "/ 4 bare"]),
        ("loss = loss * (1 / n)", ["* 1/3"]),
        ("loss = loss * n", ["* 3"]),
    ],
)
def test_parts_are_kept_apart(body: str, parts: list[str]) -> None:
    found = [
        f"{f'/ {part.text}' if part.divides else f'* {part.number}'}{' bare' * part.bare}"
        for part in factor(body).parts
    ]
    assert found == parts


@pytest.mark.parametrize(
    ("body", "divided"),
    [
        ("pass", False),
        ("loss = loss / n", True),
        ("loss = loss / 4", True),
        ("loss = loss * (1 / n)", True),
        ("loss = 2 * loss", False),
        ("loss = HALF * loss", False),
        ("loss = m * loss", False),
    ],
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
    assert detail.factor.weight != 1


# --------------------------------------------------------------------------- small parts


fractions = st.fractions(min_value=-9, max_value=9, max_denominator=9)


factors = st.lists(
    st.builds(Part, fractions, st.sampled_from(["", "n"]), st.booleans(), st.booleans()), max_size=3
).map(lambda parts: reduce(Factor.times, map(Factor.of, parts), ONE))


@given(factors, factors)
def test_factors_multiply(one: Factor, two: Factor) -> None:
    assert one.weight is not None
    assert two.weight is not None
    found = one.times(two)
    assert found.weight == one.weight * two.weight
    assert found.parts == one.parts + two.parts


@given(factors)
def test_unknown_factor_stays_unknown(one: Factor) -> None:
    assert one.times(UNKNOWN_FACTOR).weight is None
    assert UNKNOWN_FACTOR.times(one).weight is None


@given(factors, factors, factors)
def test_factors_are_associative(one: Factor, two: Factor, three: Factor) -> None:
    assert one.times(two).times(three) == one.times(two.times(three))


@given(factors, st.lists(factors, min_size=1, max_size=3))
def test_what_terms_have_in_common_can_be_taken_out(one: Factor, terms: list[Factor]) -> None:
    """Dividing a sum is dividing each of its terms."""
    whole = common(terms).times(one)
    each = common([term.times(one) for term in terms])
    if None not in (whole.weight, each.weight) and all(one.weight for one in (*terms, one)):
        assert whole.weight == each.weight


@given(factors)
def test_terms_that_are_alike_have_all_in_common(one: Factor) -> None:
    assert common([one, one]) == one


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
    tracked = Tracked("model", Role.MODEL)
    assert key_of(Series([tracked, 1])) == key_of(Series([Unknown("model"), 1])) == "[model, 1]"
    assert key_of(None) == "None"


def test_things_are_found_in_containers() -> None:
    one, two = Tracked("a"), Tracked("b")
    assert things_in(Series([one, Table({"x": Series([two])}), 3])) == [one, two]
    assert things_in(Unknown("x")) == []


def test_wrappers_share_their_root() -> None:
    bare = Tracked("model", Role.MODEL)
    outer = Tracked("outer", Role.MODEL, inner=Tracked("model:ddp", Role.MODEL, wrapper="ddp", inner=bare))
    assert outer.root == "model"
    assert outer.distributed == "ddp"
    assert bare.distributed == ""
