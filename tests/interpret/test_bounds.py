"""Bounds: whatever the source, a run ends soon, and says when it was cut short."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gradlint.check.judge import judge
from gradlint.interpret import explore
from gradlint.interpret.machine import MAX_EVENTS
from gradlint.interpret.state.budget import MAX_STATEMENTS
from gradlint.model.events import MAX_SCENARIOS, Kind
from gradlint.model.finding import Confidence
from interpret.idioms import IDIOMS
from interpret.machine import events_of, explored, only

LOOP = """
def train(model, optimizer, loader, args):
    for epoch in range(2):
        for i, batch in enumerate(loader):
            optimizer.zero_grad()
            model(batch).backward()
            {body}
            optimizer.step()
"""


def quickly(source: str) -> int:
    """Explore a source; returns how many regions it has."""
    begin = time.monotonic()
    found = explored(source)
    assert time.monotonic() - begin < 10
    assert all(len(region.scenarios) <= MAX_SCENARIOS for region in found)
    return len(found)


@pytest.mark.parametrize(
    "body",
    [
        "for k in range(10 ** 9): pass",
        "for k in range(10 ** 9): model(batch).backward()",
        "for k in range(-10 ** 9, 10 ** 9): print(k)",
        "for k in range(10 ** 12, 0, -1): print(k)",
        "for k in range(0, 10 ** 9, 0): print(k)",
        "while True: pass",
        "while True: model(batch).backward()",
        "while True: optimizer.zero_grad()",
        "while args.more: model(batch).backward()",
        "while 1: \n                if i > 10 ** 9: break",
        "x = 2 ** 10 ** 6",
        "x = 10 ** 300 ** 300",
        "x = 1 << 10 ** 9",
        "x = 1 / 0; y = 1 % 0; z = 1 // 0; w = 0 ** -1",
        "x = [0] * 10 ** 9",
        "x = 'a' * 10 ** 9",
        "x = 1e308 * 1e308 - 1e308 * 1e308",
        "x = float('nan'); y = float('inf'); z = int(x) if x == x else 0",
        "x = [k for k in range(10 ** 9)]",
        "x = list(range(10 ** 9)); y = sum(x); z = max(x)",
        "import itertools\n            for k in itertools.count(): model(batch).backward()",
        "import itertools\n            for k in itertools.cycle(loader): model(batch).backward()",
        "x = []\n            for k in x: x.append(k)",
        "x = [1]\n            for k in x: x.append(k)",
        "x = []; x.append(x); print(x); y = x + x",
        "d = {}; d['d'] = d; print(d)",
    ],
)
def test_huge_and_endless(body: str) -> None:
    assert quickly(LOOP.format(body=body)) == 1


def test_huge_window_is_no_window() -> None:
    source = LOOP.format(body="if (i + 1) % 10 ** 9 == 0: continue")
    assert only(source).plan.window == 3


def test_huge_micro_batch_count_is_cut_and_told() -> None:
    source = """
def train(model, optimizer, loader):
    for batch in loader:
        for micro in range(100000):
            model(batch[micro]).backward()
        optimizer.step()
        optimizer.zero_grad()
"""
    log = only(source).scenarios[0]
    assert log.truncated
    assert len(log.events) < 5_000


def test_too_many_statements_are_cut_and_told() -> None:
    lines = [f"{'    ' * (3 + depth)}for k{depth} in range(64):" for depth in range(4)]
    body = "\n".join(lines) + "\n" + "    " * 7 + "print(k0)"
    source = LOOP.format(body=body.lstrip())
    log = only(source).scenarios[0]
    assert log.truncated
    assert MAX_STATEMENTS <= 100_000


# ------------------------------------------------------------------------------ recursion


@pytest.mark.parametrize(
    "definition",
    [
        "def f(x): return f(x)",
        "def f(x): return g(x)\ndef g(x): return f(x)",
        "def f(x):\n    f(f(x))\n    return f(f(f(x)))",
        "f = lambda x: f(x)",
        "def f(x):\n    def f2(y): return f(y)\n    return f2(x)",
        "class f:\n    def __init__(self, x): self.x = f(x)",
        "class f:\n    def __init__(self, x): pass\n    @property\n    def x(self): return self.x",
        "def f(x):\n    yield from f(x)",
        "from contextlib import contextmanager\n@contextmanager\ndef f(x):\n    with f(x): yield",
        "class f(f): pass",
        "class f(g): pass\nclass g(f): pass",
    ],
)
@pytest.mark.parametrize("use", ["f(batch)", "f(model)", "model(f(batch)).backward()", "f(optimizer)"])
def test_recursion(definition: str, use: str) -> None:
    source = definition + "\n" + LOOP.format(body=use)
    assert quickly(source) >= 1


def test_recursive_training_function() -> None:
    source = """
def train(model, optimizer, loader, depth):
    for batch in loader:
        optimizer.zero_grad()
        model(batch).backward()
        optimizer.step()
        train(model, optimizer, loader, depth - 1)
"""
    assert quickly(source) == 1


def test_deep_chain_of_calls() -> None:
    chain = "\n".join(f"def f{n}(o, m, b): return f{n + 1}(o, m, b)" for n in range(60))
    source = (
        chain
        + "\ndef f60(o, m, b):\n    m(b).backward()\n    o.step()\n"
        + LOOP.format(body="f0(optimizer, model, batch)")
    )
    assert quickly(source) >= 1


def test_calls_are_followed_some_way_down() -> None:
    chain = "\n".join(f"def f{n}(o): return f{n + 1}(o)" for n in range(8))
    source = chain + "\ndef f8(o): o.zero_grad()\n" + LOOP.format(body="f0(optimizer)")
    assert len(events_of(source, Kind.ZERO)) == 28


def test_wide_tree_of_calls() -> None:
    """Eight levels of eight calls each would be sixteen million."""
    levels = [f"def f{n}(o):\n" + "".join(f"    f{n + 1}(o)\n" for _ in range(8)) for n in range(8)]
    source = "\n".join(levels) + "\ndef f8(o): o.zero_grad()\n" + LOOP.format(body="f0(optimizer)")
    quickly(source)
    assert only(source).scenarios[0].truncated


def test_deeply_nested_guards() -> None:
    lines = [f"{'    ' * (3 + depth)}if args.x{depth}:" for depth in range(14)]
    body = "\n".join([*lines, "    " * 17 + "optimizer.zero_grad()"]).lstrip()
    assert quickly(LOOP.format(body=body)) == 1


def test_deeply_nested_expression() -> None:
    quickly(LOOP.format(body="x = " + "(" * 80 + "1" + " + args.y)" * 80))


def test_long_chain_of_operators() -> None:
    quickly(LOOP.format(body="x = " + " + ".join(["args.y"] * 300)))


def test_many_flags() -> None:
    flags = "\n            ".join(f"if args.x{n}: optimizer.zero_grad()" for n in range(200))
    assert quickly(LOOP.format(body=flags)) == 1


def test_many_functions() -> None:
    functions = "\n".join(LOOP.format(body="pass").replace("def train", f"def train{n}") for n in range(60))
    assert quickly(functions) == 60


def test_loss_that_grows() -> None:
    source = """
def train(model, optimizer, loader):
    total = 0
    for epoch in range(2):
        for batch in loader:
            loss = model(batch)
            total = total + loss + total + loss
            total.backward()
            optimizer.step()
"""
    assert quickly(source) == 1


def test_counter_that_is_never_bound_the_same() -> None:
    source = """
def train(model, optimizer, loader, a, b, c, d):
    for i, batch in enumerate(loader):
        model(batch).backward()
        if (i + a) % (b + i) == c % d and i % (a % b) == d:
            optimizer.step()
            optimizer.zero_grad()
"""
    assert quickly(source) == 1


# ------------------------------------------------------------------------- odd programs


@pytest.mark.parametrize(
    "source",
    [
        "loss.backward()",
        "optimizer.step()",
        "loss.backward(); optimizer.step()",
        "for x in y: x.backward()",
        "backward()",
        "def f(): loss.backward",
        "class C:\n    loss.backward()",
        "lambda: loss.backward()",
        "[x.backward() for x in y]",
        "if loss.backward(): pass",
        "while loss.backward(): optimizer.step()",
        "with loss.backward(): optimizer.step()",
        "assert loss.backward()",
        "return_ = (yield_ := loss.backward())",
        "del loss.backward",
        "@loss.backward()\ndef f(): pass",
        "def f(x=loss.backward()): optimizer.step()",
        "async def f():\n    async for x in y:\n        await x.backward()\n        optimizer.step()",
        "def f():\n    yield loss.backward()\n    optimizer.step()",
        "try:\n    loss.backward()\nexcept* E:\n    optimizer.step()",
        "global x\nloss.backward()",
        "for loss.backward in y: loss.backward()",
        "for (a, *b), c in y:\n    a.backward()\n    optimizer.step()",
        "a, *b = c\na.backward()\nb[0].step()",
        "x[loss.backward()] = optimizer.step()",
        "print(*loss.backward(), **optimizer.step())",
        "def train(self):\n    self.backward()\n    self.step()",
        "def train(*optimizer, **model):\n    model['x'](1).backward()\n    optimizer[0].step()",
        "def train(m=None, optimizer=None, l=None):\n    for b in l or []: m(b).backward(); optimizer.step()",
        "import torch\ntorch.optim.SGD().step()\nloss.backward()",
        "import torch\nx = torch.optim.SGD\nx().step()\nloss.backward()",
        "import torch\nfor o in torch.optim.SGD: o.step(); loss.backward()",
        "optimizer = optimizer\nloss = loss\nloss.backward()\noptimizer.step()",
        "optimizer.optimizer.optimizer.step()\nmodel.model.model(x).backward()",
        "model = model.model\nmodel(x).backward()\noptimizer.step()",
        "None.step()\nNone.backward()\nNone()",
        "1 .backward()\n'a'.step()\n[].zero_grad()\n{}.step()",
        "(lambda o: o.step())(optimizer)\nloss.backward()",
        "exit()\nloss.backward()\noptimizer.step()",
        "raise X\nloss.backward()\noptimizer.step()",
        "def f():\n    x = 1\n    def g():\n        nonlocal x\n        x += 1; l.backward()\n    g(); o.step()",
    ],
)
def test_odd_programs_are_survived(source: str) -> None:
    quickly(source)


LINES = sorted({line.strip() for loop in IDIOMS.values() for line in loop.source.splitlines() if line.strip()})


@settings(max_examples=150)
@given(st.data())
def test_shuffled_lines_are_survived(data: st.DataObject) -> None:
    """Lines of real loops at random depths: what is Python at all, must be explored."""
    lines: list[str] = []
    depth = 0
    for line in data.draw(st.lists(st.sampled_from(LINES), min_size=5, max_size=30)):
        lines.append("    " * depth + line)
        if line.endswith(":"):
            depth += 1
        elif depth and data.draw(st.integers(0, 2)) == 0:
            depth -= 1
    if lines and lines[-1].endswith(":"):
        lines.append("    " * depth + "pass")
    source = "\n".join(lines) + "\n"
    try:
        compile(source, "shuffled", "exec")
    except SyntaxError:
        return
    quickly(source)


# --------------------------------------------------------------------------- whole regions


def steps_of(source: str) -> int:
    """Statements in all runs of the only region."""
    return only(source).plan.spent


def straight(lines: int) -> str:
    return LOOP.format(body="\n            ".join(f"x{number} = f{number}(batch)" for number in range(lines)))


def test_cost_grows_with_the_region_and_no_faster() -> None:
    small, large = steps_of(straight(100)), steps_of(straight(1_000))
    assert 5 * small < large < 11 * small


@pytest.mark.parametrize(
    "body", ["optimizer.zero_grad()", "clip_grad_norm_(model.parameters(), 1.0)", "(model(batch) * 2).backward()"]
)
def test_forty_independent_guards_are_eight_worlds(body: str) -> None:
    guards = "\n            ".join(f"if args.flag{number}: {body}" for number in range(40))
    region = only(LOOP.format(body=guards))
    assert len(region.scenarios) <= MAX_SCENARIOS
    assert region.plan.spent < MAX_SCENARIOS * 2 * 7 * 100


def test_five_thousand_lines_are_cut_and_told() -> None:
    region = only(straight(5_000))
    assert region.plan.spent <= MAX_SCENARIOS * (MAX_STATEMENTS + 1)
    assert all(log.truncated for log in region.scenarios)


def test_thousands_of_events_are_cut_and_told() -> None:
    lines = "".join("    for b in loader:\n        model(b).backward()\n        optimizer.step()\n" for _ in range(400))
    log = only(f"def train(model, optimizer, loader):\n{lines}").scenarios[0]
    assert len(log.events) == MAX_EVENTS
    assert log.truncated


def test_a_sum_of_thousands_of_losses_counts_for_what_it_is() -> None:
    def source(terms: int) -> str:
        return LOOP.format(body="\n            ".join(f"loss = loss + g{number}(batch)" for number in range(terms)))

    assert not only(source(100)).scenarios[0].truncated
    assert only(source(3_000)).scenarios[0].truncated


def test_a_region_that_learns_something_in_every_run_is_cut_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explore, "MAX_SPENT", 2_000)
    lines = "\n            ".join(f"if i % args.n{number} == args.m{number}: optimizer.step()" for number in range(40))
    region = only(LOOP.format(body=lines))
    assert region.plan.spent < 2_000 + MAX_STATEMENTS
    assert len(region.scenarios) < MAX_SCENARIOS
    assert all(log.truncated for log in region.scenarios)


def test_what_was_cut_is_told_with_less_confidence() -> None:
    lines = "".join(f"        x{number} = f{number}(b)\n" for number in range(6_000))
    found = "def train(model, optimizer, loader):\n    for b in loader:\n        model(b).backward()\n"
    found += "        optimizer.step()\n"
    whole = judge(found, "a.py", lambda rule: rule.name == "missing-zero-grad").judged
    cut = judge(found + lines, "a.py", lambda rule: rule.name == "missing-zero-grad").judged
    assert [one.finding.confidence for one in whole] == [Confidence.HIGH]
    assert [one.finding.confidence for one in cut] == [Confidence.MEDIUM]
