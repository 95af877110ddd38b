"""Places: through which arguments and results of torch's a gradient goes, held against torch itself.

Each expression is computed of two networks, `a` and `b`: the machine has to say of which of them it has a graph, as the
gradients do that torch leaves in their parameters.
"""

from __future__ import annotations

import pytest

from gradlint.libraries.tensors import INDICES, PLACED, WHOLE, WHOLES
from gradlint.model.events import Backward
from interpret.machine import log_of

torch = pytest.importorskip("torch", reason="torch is not installed: no gradient can be seen")

LOOP = """
import torch
import torch.nn.functional as F
from torch import nn


def train(batches):
    a, b = nn.Linear(4, 4), nn.Linear(4, 4)
    sgd_a = torch.optim.SGD(a.parameters(), lr=0.1)
    sgd_b = torch.optim.SGD(b.parameters(), lr=0.1)
    for x in batches:
        p, q = a(x), b(x)
        i = q.argmax(1, keepdim=True)
        made = {made}
        loss = torch.zeros(()) + (made + a(x)).sum()
        loss.backward()
        sgd_a.step()
        sgd_b.step()
    return [name for name, part in (("a", a), ("b", b)) if part.weight.grad is not None]
"""

INDEX = "(q.abs() * 0).long()"
GIVEN = {
    "gather": ("1", "{index}"),
    "index_select": ("1", "{index}[0]"),
    "index_add": ("1", "{index}[0]", "x"),
    "index_copy": ("1", "{index}[0]", "x"),
    "index_fill": ("1", "{index}[0]", "0.5"),
    "index_put": ("({index}[0],)", "x[0]"),
    "take": ("{index}",),
    "take_along_dim": ("{index}", "1"),
    "scatter": ("1", "{index}", "x"),
    "scatter_add": ("1", "{index}", "x"),
    "scatter_reduce": ("1", "{index}", "x", "'sum'"),
    "masked_fill": ("q > 0", "0.0"),
    "masked_select": ("q.mean() > q",),
    "masked_scatter": ("q > 0", "x"),
    "repeat_interleave": ("{index}[0, 0]",),
}
"""What the methods are given that pick by an index or a mask; `p` is asked for them."""

PICKED = [
    *(
        way.format(name=name, given=", ".join(given).format(index=INDEX))
        for name, given in GIVEN.items()
        for way in ("p.{name}({given}).sum()", "torch.{name}(p, {given}).sum()")
    ),
    "torch.gather(p, dim=1, index=i)",
    "torch.where(q > 0, p, 0.0)",
    "p.where(q > 0, p)",
    "F.embedding(i, p).sum()",
    "F.nll_loss(p, q.argmax(1))",
    "p[q.argmax(1)].sum()",
    "p[q > 0].sum()",
    "p * (q > p)",
    "p * (q == q.max()).float()",
    "p.masked_fill_(q > 0, 0.0).sum()",
    "(p * 1.0).scatter_(1, i, 0.5)",
]
"""Through an index no gradient goes."""

REACHING = [
    "torch.where(p > 0, p, q)",
    "p.where(p > 0, q)",
    "p.masked_scatter(p > 0, q)",
    "p.scatter_add(1, i.expand(-1, 4), q)",
    "torch.gather(q, 1, p.argmax(1, keepdim=True))",
    "q.gather(1, p.argmax(1, keepdim=True))",
    "q.topk(2)[0].sum()",
    "q.topk(2).values.sum()",
    "q.max(1)[0].sum()",
    "q.max()",
    "torch.max(p, q)",
    "torch.sort(q, dim=1)[0].sum()",
    "q.to(torch.float64).sum()",
    "F.embedding(i, q).sum()",
    "(q > 0) * q",
]
"""Through what stands beside it there does."""

GIVING = [
    *(
        f"p * {way}"
        for way in ("q.argmax()", "q.argmin()", "q.argsort()", "q.long()", "q.int()", "q.bool()", "q.byte()")
    ),
    *(f"p * q.{name}(p)" for name in ("eq", "ne", "lt", "le", "gt", "ge", "isclose", "logical_and", "logical_or")),
    *(f"p * torch.{name}(q)" for name in ("isnan", "isfinite", "logical_not", "signbit", "any", "count_nonzero")),
    *(f"p * q.{name}(1)[1].unsqueeze(1)" for name in ("max", "min", "median", "mode")),
    *(f"p * q.{name}(1).indices.unsqueeze(1)" for name in ("max", "min", "nanmedian")),
    "p[q.topk(2, dim=0).indices].sum()",
    "p * torch.sort(q, dim=1)[1]",
    "p * torch.sort(q, dim=1).indices",
    "p * q.cummax(1)[1]",
    "p * q.cummin(1).indices",
    "p * torch.kthvalue(q, 2, dim=1)[1].unsqueeze(1)",
    "p * F.one_hot(q.argmax(1), 4)",
    "p * torch.multinomial(q.softmax(1), 4)",
    "p * q.to(torch.long)",
    "p * q.type(torch.int64)",
    "p * q.to(dtype=torch.bool)",
    "p * torch.zeros_like(q)",
    "p * torch.randint_like(q, 3)",
    "p * torch.bucketize(q, x[0].sort()[0])",
    "p * torch.arange(q.shape[1])",
    "p * q.size(1)",
    "p * torch.arange(q.argmax() * 0 + 4)",
]
"""Nor does it through whole numbers, comparisons and shapes."""


def measured(source: str) -> list[str]:
    """The networks in which torch leaves a gradient."""
    space: dict[str, object] = {}
    exec(compile(source, "loop.py", "exec"), space)
    torch.manual_seed(0)
    train = space["train"]
    assert callable(train)
    found: list[str] = train([torch.rand(4, 4)])
    return found


def told(source: str) -> list[str]:
    """The networks that the machine says a backward gets to."""
    backwards = [event.detail for event in log_of(source).events if isinstance(event.detail, Backward)]
    return sorted(backwards[0].models)


@pytest.mark.parametrize("made", PICKED + GIVING)
def test_no_gradient_goes_through_a_place(made: str) -> None:
    source = LOOP.format(made=made)
    assert told(source) == measured(source) == ["a"]


@pytest.mark.parametrize("made", REACHING)
def test_a_gradient_goes_through_what_stands_beside_it(made: str) -> None:
    source = LOOP.format(made=made)
    assert told(source) == measured(source) == ["a", "b"]


def test_two_results_are_taken_apart() -> None:
    source = LOOP.format(made="None\n        values, index = q.topk(4)\n        made = p.gather(1, index)")
    assert told(source) == measured(source) == ["a"]
    source = LOOP.format(made="None\n        values, index = q.topk(4)\n        made = p * values")
    assert told(source) == measured(source) == ["a", "b"]


def test_every_name_is_tried() -> None:
    assert set(INDICES) == {*GIVEN, "embedding", "nll_loss"}
    assert [name for name in PLACED if not any(f"{name}(" in made for made in GIVING)] == []


@pytest.mark.parametrize("name", sorted(WHOLE))
def test_whole_numbers_carry_no_graph(name: str) -> None:
    leaf = torch.rand(4, requires_grad=True)
    other = torch.rand(4, requires_grad=True)
    made = _tried(name, [(leaf,), (leaf, other), (leaf.long(),), (4,), (4, (2,)), (leaf, 2)])
    assert not getattr(made, "requires_grad", False)


def _tried(name: str, ways: list[tuple[object, ...]]) -> object:
    """What a function of torch, or a method of a tensor, gives, called in the first way that it takes."""
    for args in ways:
        found = getattr(torch.nn.functional if name == "one_hot" else torch, name, None)
        if not callable(found) or isinstance(found, torch.dtype):
            return getattr(args[0], name)()
        try:
            return found(*args)
        except (TypeError, RuntimeError):
            continue
    raise AssertionError(name)


@pytest.mark.parametrize("name", sorted(WHOLES))
def test_a_type_of_whole_numbers_carries_no_graph(name: str) -> None:
    kind = getattr(torch, name)
    if isinstance(kind, torch.dtype):
        assert not kind.is_floating_point
        assert not kind.is_complex
    else:
        assert not torch.rand(2, requires_grad=True).type(kind).requires_grad
