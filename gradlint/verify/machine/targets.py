"""What an assignment does, and what it tells about the loop."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from gradlint.verify.machine import binder
from gradlint.verify.machine.values import Object, Thing, Unknown, Value, is_number, key_of
from gradlint.verify.reasons import InconclusiveError, Reason
from gradlint.verify.slice.index import terminal
from gradlint.verify.slice.words import LOSS_NAME, LOSS_TOOL, is_accumulation
from gradlint.verify.world.live import Live
from gradlint.verify.world.model import Model
from gradlint.verify.world.optim import Loader, Optimizer, Scaler, Scheduler
from gradlint.verify.world.parameters import Gradient

if TYPE_CHECKING:
    from gradlint.verify.machine.frame import Frame
    from gradlint.verify.machine.machine import Machine

LONGEST = 10_000
FACTORY = ("optimizer", "scheduler", "scaler", "model", "ddp")


def assign(machine: Machine, target: ast.expr, value: Value, frame: Frame) -> None:
    """Bind a target to a value."""
    if isinstance(target, ast.Name):
        value = adopted(machine, target.id, turned(machine, target.id, value))
        frame.put(target.id, value)
        name_it(value, target.id)
    elif isinstance(target, ast.Attribute):
        _attribute(machine, target, value, frame)
    elif isinstance(target, (ast.Tuple, ast.List)):
        _unpack(machine, target.elts, value, frame)
    elif isinstance(target, ast.Starred):
        assign(machine, target.value, value, frame)
    elif isinstance(target, ast.Subscript):
        _item(machine, target, value, frame)


def name_it(value: Value, path: str) -> None:
    """A thing is called after the first name it gets."""
    if isinstance(value, Thing) and not isinstance(value, Live) and (not value.path or value.path.startswith("new ")):
        value.path = path


def turned(machine: Machine, name: str, value: Value) -> Value:
    """A window set to 1 is a knob that is not turned; one nobody knows is bound."""
    if not is_accumulation(name) or name in machine.index.counted:
        return value
    if isinstance(value, int) and not isinstance(value, bool) and value != 0:
        machine.knobs.add(name)
        if value == 1:
            return binder.knob(machine, name, None)
        if 2 <= value <= 64:
            machine.learn(value)
    elif isinstance(value, Unknown) and not value.data:
        return binder.knob(machine, name, None)
    return value


def handed_back(machine: Machine, node: ast.Assign, value: Value, frame: Frame) -> Value:
    """`model = prepare(model)`, `model, opt = amp.initialize(model, opt)`: what comes back under its name is itself."""
    if not isinstance(value, Unknown) or not value.made or not isinstance(node.value, ast.Call):
        return value
    given = {one.id for one in [*node.value.args, *(k.value for k in node.value.keywords)] if isinstance(one, ast.Name)}
    names = node.targets[0].elts if isinstance(node.targets[0], (ast.Tuple, ast.List)) else node.targets[:1]
    if not any(isinstance(one, ast.Name) and one.id in given for one in names):
        return value
    from gradlint.verify.machine import iterate

    plain = [terminal(one) for one in names]
    pieces: list[Value] = [value] if len(names) == 1 else iterate.pieces(machine, value, len(names), plain)
    for place, name in enumerate(plain):
        known = frame.find(name) if name in given else None
        if known is not None and isinstance(known.names[name], (Model, Optimizer, Scheduler, Loader)):
            pieces[place] = known.names[name]
    return pieces[0] if len(names) == 1 else tuple(pieces)


def adopted(machine: Machine, name: str, value: Value) -> Value:
    """`optimizer = make_optimizer(cfg, model)`: what a factory out of sight makes is what its name says."""
    if not isinstance(value, Unknown) or not value.made or machine.index.role(name) not in FACTORY:
        return value
    asked = f"{name} of {value.path}"
    if machine.supplying and asked in machine.stored:
        return machine.stored[asked]  # `opt = self.optimizers()`: at the next batch it is the same
    machine.stored[asked] = made = binder.made_elsewhere(machine, name)
    kind = value.path.removesuffix("()").rpartition(".")[2]
    machine.world.record.own_scaler |= isinstance(made, Scaler) and kind[:1].isupper() and "GradScaler" not in kind
    return made


def _attribute(machine: Machine, target: ast.Attribute, value: Value, frame: Frame) -> None:
    owner = machine.value(target.value, frame)
    value = adopted(machine, target.attr, turned(machine, target.attr, value))
    if isinstance(owner, Object):
        owner.attributes[target.attr] = value
        name_it(value, f"{owner.path}.{target.attr}")
        if owner.base is not None:
            owner.base.put(target.attr, value)
    elif isinstance(owner, Thing):
        owner.put(target.attr, value)
    elif isinstance(owner, Unknown):
        if target.attr == "grad" and value is not None and machine.loops:
            raise InconclusiveError(Reason.NOT_SEPARABLE, f"line {target.lineno}: a gradient is set by hand")
        machine.stored[f"{owner.path}.{target.attr}"] = value


def _unpack(machine: Machine, targets: list[ast.expr], value: Value, frame: Frame) -> None:
    from gradlint.verify.machine import iterate

    starred = next((n for n, one in enumerate(targets) if isinstance(one, ast.Starred)), None)
    pieces = iterate.pieces(machine, value, len(targets), [terminal(one) for one in targets])
    if starred is not None and len(pieces) >= len(targets) - 1:
        after = len(targets) - starred - 1
        middle: list[Value] = [pieces[starred : len(pieces) - after]]
        pieces = [*pieces[:starred], *middle, *pieces[len(pieces) - after :]] if after else [*pieces[:starred], *middle]
    for number, one in enumerate(targets):
        assign(machine, one, pieces[number] if number < len(pieces) else Unknown("?", data=True), frame)


def _item(machine: Machine, target: ast.Subscript, value: Value, frame: Frame) -> None:
    owner = machine.value(target.value, frame)
    key = key_of(machine.value(target.slice, frame))
    if isinstance(owner, dict) and key is not None:
        if len(owner) < LONGEST:
            owner[key] = value
    elif isinstance(owner, list) and isinstance(key, int):
        if -len(owner) <= key < len(owner):
            owner[key] = value
    elif isinstance(owner, Live) and isinstance(value, Live) and isinstance(key, str) and is_loss(machine, key):
        assign(
            machine, target.value, value, frame
        )  # `losses["loss"] = losses["loss"] / n`: all of it stands for the loss
    elif isinstance(owner, Unknown) and isinstance(key, (str, int)):
        machine.stored[f"{owner.path}[{key!r}]"] = value


def want(machine: Machine, targets: list[ast.expr], value: ast.expr) -> None:
    """Mark the calls whose result must be a loss because a loss is assigned from them."""
    for target in targets:
        names = [terminal(one) for one in (target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target])]
        if any(is_loss(machine, name) for name in names):
            machine.wanted |= spine(value)


def is_loss(machine: Machine, name: str) -> bool:
    """Whether a name holds a loss."""
    return name in machine.index.losses or (bool(LOSS_NAME.search(name)) and not LOSS_TOOL.search(name))


def spine(node: ast.expr) -> set[int]:
    """The operands of a loss: what stands under its arithmetic."""
    if isinstance(node, ast.BinOp):
        return spine(node.left) | spine(node.right)
    if isinstance(node, (ast.UnaryOp,)):
        return spine(node.operand)
    if isinstance(node, ast.IfExp):
        return spine(node.body) | spine(node.orelse)
    if isinstance(node, (ast.Attribute, ast.Subscript)):
        return {id(node)} | spine(node.value)
    if isinstance(node, (ast.Call, ast.Name)):
        return {id(node)} | (
            spine(node.func.value) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else set()
        )
    return set()


def gradient_in_place(left: Value, op: ast.operator, right: Value) -> bool:
    """`p.grad /= n`: the memory itself is changed."""
    if isinstance(left, Gradient) and isinstance(op, (ast.Div, ast.Mult)):
        left.scale(right, divide=isinstance(op, ast.Div))
        return True
    return False


def modulus(machine: Machine, node: ast.expr, frame: Frame) -> int | None:
    """The whole number of a `% n` inside an expression."""
    for one in ast.walk(node):
        if isinstance(one, ast.BinOp) and isinstance(one.op, ast.Mod) and not isinstance(one.left, ast.Constant):
            number = machine.value(one.right, frame)
            if isinstance(number, int) and not isinstance(number, bool) and 2 <= number <= 64:
                return number
    return None


def watch_flag(machine: Machine, targets: list[ast.expr], value: ast.expr, frame: Frame) -> None:
    """`update = (i + 1) % 4 == 0`: the flag remembers its window."""
    if any(isinstance(one, ast.Mod) for one in ast.walk(value)):
        number = modulus(machine, value, frame)
        if number is not None:
            for target in targets:
                machine.flags[terminal(target)] = number


def window_in(machine: Machine, node: ast.If, frame: Frame) -> None:
    """A guard of a step that does not hold the backward itself names the window."""
    body = node.body
    if node.orelse and steps(machine, node.orelse) and not steps(machine, body):
        number = modulus(machine, node.test, frame)
        if number is not None:
            machine.guarded(number)  # `if (i + 1) % 4: accumulate` and the step in the other branch
        return
    if not (steps(machine, body) or (isinstance(body[-1], ast.Continue) and not node.orelse)):
        return
    if any(_backward(machine, one) for one in body):
        return
    number = modulus(machine, node.test, frame)
    flagged = [
        machine.flags[one.id] for one in ast.walk(node.test) if isinstance(one, ast.Name) and one.id in machine.flags
    ]
    if number is None and flagged:
        number = flagged[0]
    if number is not None and (steps(machine, body) or machine.loops):
        machine.guarded(number)
        return
    for one in ast.walk(node.test):
        if isinstance(one, ast.Compare):
            for side in (one.left, *one.comparators):
                if is_accumulation(terminal(side)):
                    value = machine.value(side, frame)
                    machine.world.record.guarded = True
                    if is_number(value) and steps(machine, body):
                        machine.guarded(int(value))


def steps(machine: Machine, body: list[ast.stmt]) -> bool:
    """Whether statements step an optimizer (not a scheduler), with what they call in the file."""
    for statement in body:
        for one in ast.walk(statement):
            if isinstance(one, ast.Call):
                name = terminal(one.func)
                if name == "step" and isinstance(one.func, ast.Attribute):
                    if machine.index.role(terminal(one.func.value)) != "scheduler":
                        return True
                elif (f".{name}" if isinstance(one.func, ast.Attribute) else name) in machine.index.stepping:
                    return True
    return False


def _backward(machine: Machine, node: ast.stmt) -> bool:
    return any(
        isinstance(one, ast.Call) and terminal(one.func) in ("backward", "manual_backward") for one in ast.walk(node)
    )
