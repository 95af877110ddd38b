"""Loops over parameters and single writes to a gradient, each known as one event."""

from __future__ import annotations

import pytest

from gradlint.lower import lower
from gradlint.model.program import Arith, Assign, Const, Do, For, ParameterLoop, Read, Stmt


def last(text: str) -> Stmt:
    return lower(text, "x.py").body.body[-1]


def loop(*body: str) -> str:
    return "for p in model.parameters():\n" + "".join(f"    {line}\n" for line in body)


ACTIONS = [
    ("p.grad = None", "zero"),
    ("p.grad.zero_()", "zero"),
    ("p.grad.data.zero_()", "zero"),
    ("p.grad.fill_(0)", "zero"),
    ("p.grad = torch.zeros_like(p)", "zero"),
    ("del p.grad", "zero"),
    ("p.grad /= n", "scale"),
    ("p.grad *= 0.5", "scale"),
    ("p.grad.data /= n", "scale"),
    ("p.grad.div_(n)", "scale"),
    ("p.grad.mul_(0.5)", "scale"),
    ("p.grad = p.grad / n", "scale"),
    ("p.grad.clamp_(-1, 1)", "clip"),
    ("p.grad.data.clamp_(-1, 1)", "clip"),
    ("p.grad = torch.clamp(p.grad, -1, 1)", "clip"),
    ("clip_grad_norm_(p, 1.0)", "clip"),
    ("nn.utils.clip_grad_norm_([p], 1.0)", "clip"),
    ("p.grad += noise", "add"),
    ("p.grad.add_(noise)", "add"),
    ("p.grad.add_(decay * p)", "write"),
    ("p.grad = something(p)", "write"),
    ("p.grad = p.grad + something(kept)", "write"),
    ("p.grad = kept[0]", "set"),
    ("p.grad = kept.clone()", "set"),
    ("p.grad.data.copy_(kept)", "set"),
    ("p.grad.copy_(something(p))", "write"),
    ("dist.all_reduce(p.grad)", "write"),
    ("p.grad[0] = 1", "write"),
]


@pytest.mark.parametrize(("text", "action"), ACTIONS)
def test_loop_over_parameters(text: str, action: str) -> None:
    found = last(loop(text))
    assert isinstance(found, ParameterLoop)
    assert found.action == action


@pytest.mark.parametrize(("text", "action"), ACTIONS)
def test_loop_may_be_guarded(text: str, action: str) -> None:
    found = last(loop("if p.grad is not None:", "    with torch.no_grad():", f"        {text}"))
    assert isinstance(found, ParameterLoop)
    assert found.action == action


@pytest.mark.parametrize(("text", "action"), [item for item in ACTIONS if "=" not in item[0] and "del" not in item[0]])
@pytest.mark.parametrize("test", ["", " if p.grad is not None"])
def test_loop_in_one_line(text: str, action: str, test: str) -> None:
    found = last(f"[{text} for p in model.parameters(){test}]")
    assert isinstance(found, ParameterLoop)
    assert found.action == action


def test_list_that_somebody_asks_for_is_no_loop() -> None:
    assert isinstance(last("grads = [p.grad.zero_() for p in model.parameters()]"), Assign)
    assert isinstance(last("[p.numel() for p in model.parameters()]"), Do)
    assert isinstance(last("(p.grad.zero_() for p in model.parameters())"), Do)


@pytest.mark.parametrize(
    "head",
    [
        "for group in optimizer.param_groups:\n    for p in group['params']:",
        "for name, p in model.named_parameters():\n    if True:",
        "for i, (name, p) in enumerate(model.named_parameters()):\n    if True:",
    ],
)
def test_ways_to_loop(head: str) -> None:
    found = last(f"{head}\n        p.grad = None\n")
    assert isinstance(found, ParameterLoop)
    assert found.action == "zero"


@pytest.mark.parametrize(
    "text",
    [
        *("p.data.mul_(0.9)", "p.requires_grad_(False)", "norm += p.grad.norm()", "print(p.grad)"),
        *("q.grad = None", "p.gradient = None", "x = p.grad", "p.grad.clone()"),
        "p.grad.requires_grad_(False)",
    ],
)
def test_other_loops_stay_loops(text: str) -> None:
    assert isinstance(last(loop(text)), For)


def test_loop_with_a_backward_stays_a_loop() -> None:
    assert isinstance(last(loop("p.grad = None", "loss.backward()")), For)


def test_zero_beats_what_is_done_before() -> None:
    found = last(loop("p.grad /= n", "p.grad.zero_()"))
    assert isinstance(found, ParameterLoop)
    assert found.action == "zero"


@pytest.mark.parametrize(
    ("text", "op"),
    [("p.grad /= n", "/"), ("p.grad.div_(n)", "/"), ("p.grad = p.grad / n", "/")],
)
def test_divisor_becomes_a_factor(text: str, op: str) -> None:
    found = last(loop(text))
    assert isinstance(found, ParameterLoop)
    assert found.factor == Arith(op, Const(1), Read("n"))


@pytest.mark.parametrize("text", ["p.grad *= n", "p.grad.mul_(n)", "p.grad = p.grad * n"])
def test_multiplier_is_the_factor(text: str) -> None:
    found = last(loop(text))
    assert isinstance(found, ParameterLoop)
    assert found.factor == Read("n")


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("weight.grad = None", "zero"),
        ("weight.grad.zero_()", "zero"),
        ("model.weight.grad.data.zero_()", "zero"),
        ("weight.grad *= 2", "scale"),
        ("weight.grad.add_(noise)", "add"),
    ],
)
def test_single_write(text: str, action: str) -> None:
    found = last(text)
    assert isinstance(found, ParameterLoop)
    assert found.action == action


@pytest.mark.parametrize("text", ["grad = None", "weight.data.zero_()", "x.zero_()", "weight.grad"])
def test_no_single_write(text: str) -> None:
    assert isinstance(last(text), (Assign, Do))
