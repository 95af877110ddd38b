"""Loops over data of known length: how many batches a small example has says nothing of its window."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from gradlint import check_source


class Data(NamedTuple):
    """How a script makes its batches: the statements, what it loops over, its length, and a batch's parts."""

    made: str
    source: str
    length: str
    parts: str = "x, y = batch"


PAIR = "(torch.randn(6, 4), torch.randn(6, 1))"
FRESH = "x, y = torch.randn(6, 4), torch.randn(6, 1)"
DATA = {
    "comprehension": Data(f"loader = [{PAIR} for _ in range({{n}})]", "loader", "len(loader)"),
    "dictionaries": Data(
        "loader = [dict(x=torch.randn(6, 4), y=torch.randn(6, 1)) for _ in range({n})]",
        *("loader", "len(loader)", "x, y = batch['x'], batch['y']"),
    ),
    "repeated": Data("loader = [(torch.randn(6, 4), torch.randn(6, 1))] * {n}", "loader", "len(loader)"),
    "function": Data(
        f"def make():\n    return [{PAIR} for _ in range({{n}})]\nloader = make()", "loader", "len(loader)"
    ),
    "appended": Data(
        f"loader = []\nfor _ in range({{n}}):\n    loader.append({PAIR})",
        *("loader", "len(loader)"),
    ),
    "zipped": Data("loader = list(zip(torch.randn({n}, 6, 4), torch.randn({n}, 6, 1)))", "loader", "len(loader)"),
    "tensor": Data("rows = torch.randn({n}, 6, 4)", "rows", "len(rows)", "x, y = batch, batch.sum(1, keepdim=True)"),
    "tensors": Data(
        "xs, ys = torch.randn({n}, 6, 4), torch.randn({n}, 6, 1)",
        *("zip(xs, ys)", "len(xs)"),
    ),
    "constant": Data("STEPS = {n}", "range(STEPS)", "STEPS", FRESH),
    "number": Data("", "range({n})", "{n}", FRESH),
}

SCRIPT = """
import torch
from torch import nn

{made}
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for i, batch in enumerate({source}):
        {parts}
        loss = nn.functional.mse_loss(model(x), y){division}
        loss.backward()
        if (i + 1) % {window} == 0{flush}:
            optimizer.step()
            optimizer.zero_grad()
"""


def rules(data: Data, n: int, division: str, flush: str, window: int = 4) -> set[str]:
    """The rules that speak about a loop over `n` batches."""
    made = data._replace(made=data.made.format(n=n), source=data.source.format(n=n))
    source = SCRIPT.format(**made._asdict(), division=division, flush=flush, window=window)
    return {finding.rule for finding in check_source(source)}


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 50, 100])
@pytest.mark.parametrize("data", DATA.values(), ids=DATA)
def test_a_right_loop_is_right_whatever_its_length(data: Data, n: int) -> None:
    assert rules(data, n, " / 4", f" or i + 1 == {data.length.format(n=n)}") == set()


@pytest.mark.parametrize("n", [4, 6, 7, 8, 10, 100])
@pytest.mark.parametrize("data", DATA.values(), ids=DATA)
def test_a_missing_division_is_found_whatever_the_length(data: Data, n: int) -> None:
    found = rules(data, n, "", f" or i + 1 == {data.length.format(n=n)}")
    assert found == {"unscaled-accumulation-loss"}


@pytest.mark.parametrize("data", DATA.values(), ids=DATA)
def test_a_lost_tail_is_found(data: Data) -> None:
    assert rules(data, 10, " / 4", "") == {"dropped-accumulation-tail"}


@pytest.mark.parametrize("n", [4, 8, 32, 256])
@pytest.mark.parametrize("data", [DATA["comprehension"], DATA["function"], DATA["number"]])
def test_windows_that_come_out_even_lose_nothing(data: Data, n: int) -> None:
    assert rules(data, n, " / 4", "") == set()
