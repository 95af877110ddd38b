"""Gates: what a statement can do, with everything that it calls in the file."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gradlint.interpret.language import run
from gradlint.interpret.machine import machine_for
from gradlint.interpret.plan import Plan, Restart
from gradlint.interpret.state.budget import Infeasible
from gradlint.libraries.tables import ANYWHERE, CALLS, METHODS
from gradlint.lower import lower
from gradlint.model.effects import Gate
from gradlint.model.events import Forward, Kind
from gradlint.model.program import For, Function, If, LoopKind, Stmt, While
from gradlint.model.roles import Role


def body(text: str) -> tuple[Stmt, ...]:
    return lower(text, "x.py").body.body


def gates(text: str) -> Gate:
    """Of the last statement."""
    return body(text)[-1].gates


@pytest.mark.parametrize(
    ("text", "gate"),
    [
        ("loss.backward()", Gate.BACKWARD),
        ("torch.autograd.backward(loss)", Gate.BACKWARD),
        ("accelerator.backward(loss)", Gate.BACKWARD),
        ("self.manual_backward(loss)", Gate.BACKWARD),
        ("optimizer.step()", Gate.STEP),
        ("scaler.step(optimizer)", Gate.STEP),
        ("self.optimizers[0].step()", Gate.STEP),
        ("optimizer.zero_grad()", Gate.ZERO),
        ("model.zero_grad()", Gate.ZERO),
        ("weight.grad = None", Gate.ZERO),
        ("weight.grad.zero_()", Gate.ZERO),
        ("clip_grad_norm_(model.parameters(), 1.0)", Gate.CLIP),
        ("nn.utils.clip_grad_value_(params, 1.0)", Gate.CLIP),
        ("scaler.unscale_(optimizer)", Gate.SCALER),
        ("grad_scaler.update()", Gate.SCALER),
        ("scaler.scale(loss)", Gate.SCALER),
        ("scheduler.step()", Gate.SCHEDULER),
        ("context = model.no_sync()", Gate.SYNC),
        ("context = model.no_sync", Gate.SYNC),
        ("model.require_backward_grad_sync = False", Gate.SYNC),
        ("model.train()", Gate.MODE),
        ("sampler.set_epoch(3)", Gate.MODE),
        ("loss /= n", Gate.WEIGHT),
        ("loss = loss / n", Gate.WEIGHT),
        ("loss.div_(n)", Gate.WEIGHT),
        ("total = loss.mul(0.5)", Gate.WEIGHT),
        ("total = torch.true_divide(loss, n)", Gate.WEIGHT),
        ("out.loss /= n", Gate.WEIGHT),
        ("losses['box'] /= n", Gate.WEIGHT),
        ("total = 0.5 * loss", Gate.WEIGHT),
        ("import torch\no = torch.optim.SGD(p)", Gate.ROLE),
        ("grad_scaler = None", Gate.ROLE),
        ("y = model(x)", Gate.FORWARD),
        ("if x:\n    optimizer.step()", Gate.STEP),
        ("while x:\n    loss.backward()", Gate.BACKWARD),
        ("with x:\n    loss.backward()", Gate.BACKWARD),
        ("try:\n    loss.backward()\nfinally:\n    optimizer.step()", Gate.BACKWARD | Gate.STEP),
        ("x = [optimizer.step() for _ in y]", Gate.STEP),
        ("x = y and loss.backward()", Gate.BACKWARD),
        ("x = optimizer.step() if y else None", Gate.STEP),
    ],
)
def test_statement_gates(text: str, gate: Gate) -> None:
    assert gate in gates(text)


@pytest.mark.parametrize(
    "text",
    [
        *("x = 1", "print(loss)", "x = a / b", "log(loss.item())", "x += 1", "env.step(action)"),
        *("def step():\n    optimizer.step()", "class C:\n    def f(self):\n        loss.backward()"),
        *("grad = None", "x.div_(255)", "x = torch.mul(a, b)"),
    ],
)
def test_statement_gates_nothing(text: str) -> None:
    work = Gate.BACKWARD | Gate.STEP | Gate.SCALER | Gate.SYNC | Gate.SCHEDULER | Gate.WEIGHT
    assert not gates(text) & work


CALLED = [
    "def f():\n    optimizer.step()\nf()",
    "def g():\n    f()\ndef f():\n    optimizer.step()\ng()",
    "def f(n):\n    if n:\n        f(n - 1)\n    optimizer.step()\nf(3)",
    "class C:\n    def f(self):\n        optimizer.step()\n    def g(self):\n        self.f()\nx.g()",
    "class C:\n    def __call__(self):\n        optimizer.step()\nc = C()\nc()",
    "def f():\n    def g():\n        optimizer.step()\n    g()\nf()",
    "async def f():\n    optimizer.step()\nf()",
]


@pytest.mark.parametrize("text", CALLED)
def test_call_gates_what_the_function_does(text: str) -> None:
    assert Gate.STEP in gates(text)


def test_library_method_is_not_a_method_of_the_file() -> None:
    text = "class C:\n    def item(self):\n        optimizer.step()\nx = optimizer.item()\n"
    assert Gate.STEP in gates(text)  # an over-approximation, never an under-approximation


@pytest.mark.parametrize(
    ("made", "works"),
    [
        ("told = {}", False),
        ("told = {'step': 1}", False),
        ("told: dict = {}", False),
        ("told = [one for one in things]", False),
        ("told = things", True),
        ("told = {}; told = things", True),
        ("for told in things: told = {}", True),
        ("with things as told: told = {}", True),
    ],
)
def test_what_is_written_out_is_no_object_of_the_file(made: str, works: bool) -> None:
    text = f"""
class Agent:
    def update(self, losses):
        for loss in losses:
            loss.backward()
            self.optimizer.step()

class Other:
    def go(self, things):
        {made}
        told.update(things)
"""
    method = lower(text, "x.py").classes["Other"].methods["go"]
    assert (Gate.STEP in method.body[-1].gates) is works


CHOSEN = """
class Net:
    def __call__(self, x=None):
        self.loss(x).backward()


class Trainer:
    def clear(self):
        self.optimizer.zero_grad()

    def finish(self):
        self.optimizer.step()

    def go(self, last, things):
        act = self.finish if last else {other}
        {bound}
        act()
"""


@pytest.mark.parametrize(
    ("other", "bound", "gate"),
    [
        ("self.clear", "pass", Gate.STEP | Gate.ZERO),
        ("self.finish", "pass", Gate.STEP),
        ("self.net", "pass", Gate.BACKWARD),
        ("self.clear", "for act in things: pass", Gate.BACKWARD),
        ("self.clear", "with things as act: pass", Gate.BACKWARD),
        ("self.clear", "(act, x) = things", Gate.BACKWARD),
    ],
)
def test_method_that_is_chosen(other: str, bound: str, gate: Gate) -> None:
    """A variable that holds nothing but methods of `self` does what these do; else it may be any object."""
    method = lower(CHOSEN.format(other=other, bound=bound), "x.py").classes["Trainer"].methods["go"]
    assert method.body[-1].gates & (Gate.STEP | Gate.ZERO | Gate.BACKWARD) == gate


@pytest.mark.parametrize(
    ("call", "works"),
    [
        ("thing(1, 2)", True),
        ("thing(1, out=2)", True),
        ("thing(*things)", True),
        ("self.thing(1, 2)", True),
        ("thing(1)", False),
        ("self.thing()", False),
        ("print(1, 2)", False),
        ("AttributeError(1, 2)", False),
        ("SummaryWriter(1, 2)", False),
        ("plain(1, 2)", False),
    ],
)
def test_what_may_be_an_object_of_the_file(call: str, works: bool) -> None:
    """What is called may be an object of any class that takes such arguments; what a library has is none."""
    text = f"""
import builtins
from tensorboardX import SummaryWriter

class Scaler:
    def __call__(self, loss, optimizer, clip=None):
        loss.backward()

class Other:
    def go(self, thing, things):
        plain = builtins.print
        {call}
"""
    method = lower(text, "x.py").classes["Other"].methods["go"]
    assert (Gate.BACKWARD in method.body[-1].gates) is works


@pytest.mark.parametrize("word", ["continue", "break"])
def test_jump_stays_in_its_loop(word: str) -> None:
    (loop,) = body(f"for x in y:\n    if x:\n        {word}\n    loss.backward()\n")
    assert isinstance(loop, For)
    assert Gate.JUMP not in loop.gates
    guard = loop.body[0]
    assert isinstance(guard, If)
    assert Gate.JUMP in guard.then_gates


def test_return_does_not_leave_its_caller() -> None:
    assert Gate.JUMP not in gates("def f():\n    return 1\nf()")


def test_branches_gate_apart() -> None:
    (guard,) = body("if x:\n    loss.backward()\nelse:\n    optimizer.step()\n")
    assert isinstance(guard, If)
    assert Gate.BACKWARD in guard.then_gates
    assert Gate.STEP not in guard.then_gates
    assert Gate.STEP in guard.other_gates
    assert Gate.BACKWARD | Gate.STEP in guard.gates


# --------------------------------------------------------------------------------- loops


def loops(text: str) -> list[LoopKind]:
    """The kinds of all loops, outermost first."""
    found: list[LoopKind] = []
    todo: list[object] = list(body(text))
    while todo:
        node = todo.pop(0)
        if isinstance(node, (For, While)):
            found.append(node.kind)
        value = getattr(node, "value", None)
        inner = value.body if isinstance(value, Function) else ()
        for part in ("body", "then", "other"):
            inner += getattr(node, part, ()) if not isinstance(node, Function) else ()
        todo += inner
    return found


EPOCH, BATCH, MICRO, OTHER = LoopKind.EPOCH, LoopKind.BATCH, LoopKind.MICRO, LoopKind.OTHER


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("for b in l:\n    loss.backward()\n    optimizer.step()", [BATCH]),
        ("for e in r:\n    for b in l:\n        loss.backward()\n        optimizer.step()", [EPOCH, BATCH]),
        (
            "for e in r:\n    for b in l:\n        for m in b:\n            loss.backward()\n        optimizer.step()",
            [EPOCH, BATCH, MICRO],
        ),
        ("for b in l:\n    loss.backward()\noptimizer.step()", [MICRO]),
        ("for b in l:\n    loss.backward()", [BATCH]),
        ("for x in y:\n    print(x)", [OTHER]),
        ("for o in os:\n    optimizer.step()", [OTHER]),
        ("while x:\n    loss.backward()\n    optimizer.step()", [BATCH]),
        (
            "def one():\n    loss.backward()\n    optimizer.step()\nfor e in r:\n    for b in l:\n        one()",
            [EPOCH, BATCH],
        ),
        (
            "def f():\n    for b in l:\n        loss.backward()\n        optimizer.step()\nfor e in r:\n    f()",
            [BATCH, EPOCH],
        ),
        (
            "for e in r:\n    for b in l:\n        loss.backward()\n        if b:\n            optimizer.step()",
            [EPOCH, BATCH],
        ),
    ],
)
def test_kind_of_a_loop(text: str, kinds: list[LoopKind]) -> None:
    assert sorted(loops(text), key=str) == sorted(kinds, key=str)


def test_loops_are_told_apart() -> None:
    text = "for b in l:\n    loss.backward()\nfor b in l:\n    loss.backward()\n"
    first, second = body(text)
    assert isinstance(first, For)
    assert isinstance(second, For)
    assert first.ident != second.ident


# ------------------------------------------------------------------------------- every effect

OWNERS = {
    Role.OPTIMIZER: "optimizer",
    Role.SCALER: "scaler",
    Role.SCALER_CALLABLE: "loss_scaler",
    Role.MODEL: "model",
    Role.SCHEDULER: "scheduler",
    Role.LOADER: "loader",
    Role.SAMPLER: "sampler",
    Role.ACCELERATOR: "accelerator",
    Role.FABRIC: "fabric",
    Role.ENGINE: "engine",
    Role.EMA: "ema",
}
"""What an object of each role is called where nothing else says what it is."""

GIVEN = (
    "optimizer",
    "loss",
    "model",
    "model.parameters()",
    "loss, optimizer",
    "model.parameters(), 1.0",
    "grads, x",
    "",
)
BEFORE = """
import torch
import accelerate
import mmengine.model
accelerator = accelerate.Accelerator(mixed_precision="fp16")
loss = model(x)
grads = [p.grad for p in model.parameters()]
for grad in grads:
    pass
"""


def callees() -> Iterator[str]:
    """Every method and function that the records know, as it is called."""
    for role, methods in METHODS.items():
        for name in methods if role in OWNERS else ():
            yield OWNERS[role] if name == "__call__" else f"{OWNERS[role]}.{name}"
    yield from (f"anything.{name}" for name in ANYWHERE)
    yield from (name.replace("*", "lib") for name in CALLS)
    yield from (f"torch._foreach_{name}_" for name in ("mul", "div", "zero", "copy"))
    yield from (f"grad.{name}_" for name in ("mul", "div", "zero", "clamp", "copy"))


def emits(text: str) -> bool:
    """Whether the last statement of a module writes an event; what a call out of sight may do is no effect."""
    program = lower(text, "x.py")
    machine = machine_for(program, Plan(), {})
    head, last = program.body.body[:-1], program.body.body[-1:]
    run(machine, head)
    before = len(machine.log.events)
    try:
        run(machine, last)
    except (Infeasible, Restart):
        return False
    return any(
        event.kind is not Kind.OPAQUE and not (isinstance(event.detail, Forward) and event.detail.assumed)
        for event in machine.log.events[before:]
    )


@pytest.mark.parametrize("callee", list(callees()))
def test_what_emits_an_event_has_a_gate(callee: str) -> None:
    """A guard that gates nothing is never asked: what stands under it must not matter to the books."""
    sources = [f"{BEFORE}{callee}({given})\n" for given in GIVEN]
    assert not [source for source in sources if not gates(source) and emits(source)]
