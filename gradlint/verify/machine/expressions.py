"""Expressions, one function each."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from gradlint.verify.machine import attributes, binder, guards, iterate
from gradlint.verify.machine.frame import Frame
from gradlint.verify.machine.values import (
    Closure,
    Ratio,
    Ref,
    Scale,
    Stream,
    Thing,
    Unknown,
    Value,
    is_number,
    key_of,
    label,
)
from gradlint.verify.slice.index import terminal
from gradlint.verify.slice.words import is_accumulation
from gradlint.verify.world.live import Live, arithmetic, times
from gradlint.verify.world.model import Model, Part
from gradlint.verify.world.optim import Loader, Optimizer, Scheduler
from gradlint.verify.world.parameters import Gradient

if TYPE_CHECKING:
    from gradlint.verify.machine.machine import Machine

LARGEST = 2**63
LONGEST = 2_000
BUILTINS = frozenset(
    """len range enumerate zip list tuple dict set isinstance int float bool min max sum abs next iter filter map
    reversed sorted getattr setattr hasattr print any all str round type id divmod super callable open vars format repr
    frozenset object input issubclass Exception ValueError RuntimeError NotImplementedError KeyError StopIteration
    property staticmethod classmethod slice hash ord chr bytes KeyboardInterrupt TypeError""".split()
)


def value(machine: Machine, node: ast.expr, frame: Frame) -> Value:
    """The value of an expression; what is not in the table is unknown."""
    handler = _TABLE.get(type(node))
    found = handler(machine, node, frame) if handler is not None else Unknown(ast.unparse(node)[:60])
    if id(node) in machine.wanted and isinstance(found, Unknown):
        return _materialised(machine, node, found)
    return found


def _materialised(machine: Machine, node: ast.expr, found: Unknown) -> Value:
    """A loss made out of sight: some function of all models that train, made here."""
    from gradlint.verify.machine.targets import is_loss

    name = terminal(node)
    if (
        not found.made
        or name in NO_LOSS
        or "reduce" in name
        or (not isinstance(node, ast.Call) and not is_loss(machine, name))
    ):
        return found
    kind = found.path.removesuffix("()").rpartition(".")[2]
    if not isinstance(node, ast.Call) and found.path.endswith("()") and kind[:1].isupper():
        return found  # an object of a class: a meter of losses
    models = machine.world.everything()
    if not models or (isinstance(node, ast.Call) and name[:1].isupper()):  # a class: an object that computes losses
        return found
    machine.world.notes("a loss is computed out of sight; its forward is taken to stand where it is called")
    machine.world.record.unseen = True
    machine.world.hollow |= len(models) > 1
    return machine.world.forward(models)


NO_LOSS = frozenset("zeros tensor ones zeros_like get item len AverageMeter defaultdict float Tensor full".split())


def _constant(machine: Machine, node: ast.Constant, frame: Frame) -> Value:
    if isinstance(node.value, int) and abs(node.value) > LARGEST:
        return Unknown("a large number")
    return node.value if isinstance(node.value, (int, float, str, bool, type(None))) else Unknown("constant")


def _name(machine: Machine, node: ast.Name, frame: Frame) -> Value:
    found = frame.find(node.id)
    if found is not None:
        return found.names[node.id]
    if node.id in machine.module.names:
        return machine.module.names[node.id]
    if node.id in machine.index.functions:
        return Closure(machine.index.functions[node.id], None)
    if node.id in machine.index.classes:
        return machine.index.classes[node.id]
    if node.id in machine.index.imports:
        return Ref(machine.index.imports[node.id])
    if node.id in BUILTINS:
        return Ref(f"builtins.{node.id}")
    return binder.named(machine, node.id, node.id)


def _attribute(machine: Machine, node: ast.Attribute, frame: Frame) -> Value:
    return attributes.get(machine, machine.value(node.value, frame), node.attr, node.lineno)


def _subscript(machine: Machine, node: ast.Subscript, frame: Frame) -> Value:
    owner = machine.value(node.value, frame)
    if isinstance(node.slice, ast.Slice):
        return _sliced(machine, owner, node.slice, frame)
    key = machine.value(node.slice, frame)
    if isinstance(owner, (list, tuple)) and isinstance(key, int) and -len(owner) <= key < len(owner):
        return owner[key]
    if isinstance(owner, dict):
        return _looked_up(owner, key)
    if isinstance(owner, Live):
        return owner
    if isinstance(owner, (Optimizer, Scheduler, Loader)):
        return owner
    if isinstance(owner, (Model, Part)):
        return attributes.get(machine, owner, str(key), node.lineno)
    if isinstance(owner, Unknown):
        return attributes.item(machine, owner, key)
    if isinstance(owner, Ref) and owner.name == "os.environ" and key == "WORLD_SIZE":
        return machine.plan.ranks
    return Unknown(f"{label(owner)}[{label(key)}]", data=True)


def _looked_up(owner: dict[Any, Value], key: Value) -> Value:
    name = key_of(key)
    if name is not None and name in owner:
        return owner[name]
    if isinstance(key, Unknown) and owner:
        return next(iter(owner.values()))
    return Unknown(f"[{label(key)}]", data=True)


def _sliced(machine: Machine, owner: Value, node: ast.Slice, frame: Frame) -> Value:
    ends = [machine.value(one, frame) if one is not None else None for one in (node.lower, node.upper, node.step)]
    plain = [one for one in ends if one is None or (isinstance(one, int) and not isinstance(one, bool))]
    if isinstance(owner, (list, tuple, str)) and len(plain) == 3 and plain[2] != 0:
        return owner[slice(*plain)]
    if isinstance(owner, Unknown) and owner.size is not None and len(plain) == 3:
        size = len(range(owner.size)[slice(*plain)])
        return Unknown(owner.path, data=owner.data, size=size)
    return owner if isinstance(owner, (Live, Loader, Unknown)) else Unknown("slice", data=True)


def _binary(machine: Machine, node: ast.BinOp, frame: Frame) -> Value:
    if id(node) in machine.wanted:
        machine.wanted |= {id(node.left)}
    left, right = _operands(machine, node, frame)
    side = node.left if isinstance(right, Live) else node.right
    literal = isinstance(side, ast.Constant) or (
        isinstance(side, ast.UnaryOp) and isinstance(side.operand, ast.Constant)
    )
    return operate(machine, node.op, left, right, literal=literal, knob=mentions_knob(machine, side))


def _operands(machine: Machine, node: ast.BinOp, frame: Frame) -> tuple[Value, Value]:
    """Both sides. Of a product only one side is a loss made out of sight; the other one is its weight."""
    product = isinstance(node.op, (ast.Mult, ast.Div))
    wanted = machine.wanted & {id(node.left), id(node.right)} if product else set()
    machine.wanted -= wanted
    left, right = machine.value(node.left, frame), machine.value(node.right, frame)
    machine.wanted |= wanted
    if id(node.left) in wanted and isinstance(left, Unknown) and not isinstance(right, Live):
        left = _materialised(machine, node.left, left)
    if id(node.right) in wanted and isinstance(right, Unknown) and not isinstance(left, Live):
        right = right if isinstance(node.op, ast.Div) else _materialised(machine, node.right, right)
    return left, right


def mentions_knob(machine: Machine, node: ast.expr) -> bool:
    """Whether an expression speaks of the window."""
    return any(
        isinstance(one, (ast.Name, ast.Attribute))
        and (is_accumulation(terminal(one)) or terminal(one) in machine.knobs)
        for one in ast.walk(node)
    )


NAMES: dict[type[ast.operator], str] = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div"}


def operate(machine: Machine, op: ast.operator, left: Value, right: Value, *, literal: bool, knob: bool) -> Value:
    """`left op right` for anything."""
    if isinstance(left, Live) or isinstance(right, Live):
        if knob and is_number(right):
            machine.learn(int(1 / right if isinstance(right, Ratio) and right < 1 else right), known=False)
        return arithmetic(NAMES.get(type(op), "other"), left, right, literal=literal, knob=knob)
    if isinstance(left, Gradient) or isinstance(right, Gradient):
        return Unknown("gradient arithmetic", data=True)
    if isinstance(op, ast.Mod) and isinstance(left, int) and isinstance(right, Unknown) and not right.data:
        tail = right.path.rpartition(".")[2]
        machine.world.record.vague |= not is_accumulation(tail) and tail not in machine.knobs
        right = binder.knob(machine, right.path, None)
    if is_number(left) and is_number(right):
        return _number(op, left, right)
    if isinstance(left, str) and isinstance(right, str) and isinstance(op, ast.Add):
        return (left + right)[:LONGEST]
    if knob and isinstance(op, (ast.Div, ast.Mult)):
        _elsewhere(machine, left, right)
    if isinstance(left, (list, tuple)) and isinstance(op, (ast.Add, ast.Mult)):
        return _sequence(op, left, right)
    if isinstance(left, Stream) or isinstance(right, Stream):
        return Unknown("iterator arithmetic")
    data = any(isinstance(one, Unknown) and one.data for one in (left, right))
    size = next((one.size for one in (left, right) if isinstance(one, Unknown) and one.size is not None), None)
    path = f"({label(left)} {type(op).__name__} {label(right)})"
    return Unknown(path, data=data, size=size, multiple=_multiple(op, left, right))


def _multiple(op: ast.operator, left: Value, right: Value) -> int:
    """What `n // 12 * 4` is a multiple of; 1 where nothing is known."""
    factors = [one for one in (left, right) if isinstance(one, int) and not isinstance(one, bool) and one > 1]
    return factors[0] if isinstance(op, ast.Mult) and factors else 1


def _elsewhere(machine: Machine, left: Value, right: Value) -> None:
    """The window scales something of the batch that is no loss: it may be in the loss all the same."""
    varying = [one for one in (left, right) if isinstance(one, Unknown) and one.data]
    if any("loss" not in one.path for one in varying):
        machine.world.record.divided_elsewhere = machine.world.row


def _number(op: ast.operator, left: float, right: float) -> Value:
    if isinstance(op, ast.Pow):
        small = abs(left) < 1e6 and right in (0, 1, 2, 3, 0.5, -1, -0.5) and (left > 0 or (left == 0 and right > 0))
        return left**right if small else Unknown("a power", data=True)
    if isinstance(op, (ast.Div, ast.FloorDiv, ast.Mod)) and right == 0:
        return Unknown("a division by zero", data=True)
    if isinstance(op, ast.Div) and isinstance(left, Scale) and not isinstance(right, Scale):
        return Scale(left / right)
    if isinstance(op, ast.Div):
        whole = isinstance(left, int) and isinstance(right, int)
        small = float(left).is_integer() and float(right).is_integer()
        return Ratio(left / right) if whole or small or isinstance(left, Ratio) else left / right
    table: dict[type[ast.operator], Callable[[float, float], float]] = {
        ast.Add: lambda x, y: x + y,
        ast.Sub: lambda x, y: x - y,
        ast.Mult: lambda x, y: x * y,
        ast.FloorDiv: lambda x, y: x // y,
        ast.Mod: lambda x, y: x % y,
    }
    run = table.get(type(op))
    result = run(left, right) if run is not None else None
    if result is None or abs(result) > LARGEST:
        return Unknown("a number", data=True)
    if isinstance(op, ast.Mult) and isinstance(left, Scale) is not isinstance(right, Scale):
        return Scale(result)
    return (
        Ratio(result) if isinstance(op, ast.Mult) and (isinstance(left, Ratio) or isinstance(right, Ratio)) else result
    )


def _sequence(op: ast.operator, left: Any, right: Value) -> Value:
    if isinstance(op, ast.Add) and isinstance(right, (list, tuple)) and len(left) + len(right) <= LONGEST:
        return [*left, *right]
    if isinstance(op, ast.Mult) and isinstance(right, int) and 0 <= right * len(left) <= LONGEST:
        return left * right
    return Unknown("a long list", data=True)


def _yield(machine: Machine, node: ast.Yield, frame: Frame) -> Value:
    """One more of what a generator gives; nothing is sent in."""
    found = None if node.value is None else machine.value(node.value, frame)
    if machine.yields:
        machine.yields[-1].append(found)
    return None


def _yield_from(machine: Machine, node: ast.YieldFrom, frame: Frame) -> Value:
    found = machine.value(node.value, frame)
    if machine.yields:
        machine.yields[-1] += list(iterate.items(machine, found))
    return None


def _unary(machine: Machine, node: ast.UnaryOp, frame: Frame) -> Value:
    if isinstance(node.op, ast.Not):
        return (
            not machine.test(node.operand, frame, prefer=False, gate=False)
            if _decidable(machine, node, frame)
            else (Unknown(f"not {ast.unparse(node.operand)[:40]}"))
        )
    operand = machine.value(node.operand, frame)
    if isinstance(operand, Live):
        return times(operand, -1.0) if isinstance(node.op, ast.USub) else operand
    if is_number(operand) and isinstance(node.op, ast.USub):
        return -operand
    return operand


def _decidable(machine: Machine, node: ast.UnaryOp, frame: Frame) -> bool:
    operand = machine.value(node.operand, frame)
    return not isinstance(operand, (Unknown, Live)) or isinstance(node.operand, ast.Name)


def _boolean(machine: Machine, node: ast.BoolOp, frame: Frame) -> Value:
    """`a or b` as a value: the first that decides."""
    conjunction = isinstance(node.op, ast.And)
    found: Value = None
    unknown: Value = None
    for one in node.values:
        found = machine.value(one, frame)
        if isinstance(found, Unknown):
            if unknown is None:
                unknown = found
            continue
        if isinstance(found, (Thing, Live)):
            if not conjunction:
                return found
            continue
        if bool(found) is not conjunction:
            return found
    if unknown is not None and isinstance(found, (bool, int)) and not conjunction:
        return found
    return unknown if unknown is not None and (conjunction or isinstance(found, Unknown) or found is None) else found


def _compare(machine: Machine, node: ast.Compare, frame: Frame) -> Value:
    left = machine.value(node.left, frame)
    results: list[Value] = []
    for operation, comparator in zip(node.ops, node.comparators, strict=True):
        right = machine.value(comparator, frame)
        if (
            right is None
            and isinstance(operation, (ast.Is, ast.IsNot))
            and isinstance(left, Thing)
            and not left.optional
        ):
            results.append(isinstance(operation, ast.IsNot))
        else:
            results.append(guards.compare(operation, left, right))
        left = right
    if all(isinstance(one, bool) for one in results):
        return all(results)
    if len(node.ops) == 1 and not any(isinstance(machine.value(one, frame), Live) for one in (node.left,)):
        first = machine.value(node.left, frame)
        data = isinstance(first, Unknown) and first.data
        if data:
            return Unknown(ast.unparse(node)[:60], data=True)
        return machine.test(node, frame, prefer=True, gate=machine.loops == 0)
    return Unknown(ast.unparse(node)[:60], data=True)


def names_no_sync(node: ast.expr) -> bool:
    """Whether an expression may be the context in which ranks do not synchronise."""
    return any(isinstance(one, ast.Attribute) and one.attr == "no_sync" for one in ast.walk(node))


def _choice(machine: Machine, node: ast.IfExp, frame: Frame) -> Value:
    gate = machine.index.gates(node.body) or machine.index.gates(node.orelse)
    prefer = not isinstance(node.body, ast.Constant) or isinstance(node.orelse, ast.Constant)
    guesses = machine.guesses
    chosen = node.body if machine.test(node.test, frame, prefer, gate) else node.orelse
    machine.world.record.sync_guessed |= machine.guesses != guesses and names_no_sync(node)
    if id(node) in machine.wanted:
        machine.wanted.add(id(chosen))
    return machine.value(chosen, frame)


def _tuple(machine: Machine, node: ast.Tuple | ast.List | ast.Set, frame: Frame) -> Value:
    made: list[Value] = []
    for one in node.elts:
        if isinstance(one, ast.Starred):
            made += list(iterate.items(machine, machine.value(one.value, frame)))
        else:
            made.append(machine.value(one, frame))
    return tuple(made) if isinstance(node, ast.Tuple) else made


def _dict(machine: Machine, node: ast.Dict, frame: Frame) -> Value:
    made: dict[Any, Value] = {}
    for key, one in zip(node.keys, node.values, strict=True):
        found = machine.value(one, frame)
        name = key_of(machine.value(key, frame)) if key is not None else None
        if key is None and isinstance(found, dict):
            made.update(found)
        elif name is not None:
            made[name] = found
    return made


def _turns(machine: Machine, value: Value, *, trains: bool) -> Iterator[Value]:
    """The items of a comprehension; where each runs a backward it is a loop like any other, over batches."""
    if trains and isinstance(value, Unknown) and value.size is None:
        value = Loader(machine.world, value.path)
    around = machine.world.turn, machine.world.loop_depth
    machine.world.loop_depth += trains
    machine.loops += trains
    try:
        for item in iterate.items(machine, value, gate=trains):
            if trains:
                machine.enough()
                machine.serial += 1
                machine.world.turn = machine.serial
            yield item
    finally:
        machine.loops -= trains
        machine.world.turn, machine.world.loop_depth = around


def _comprehension(machine: Machine, node: Any, frame: Frame) -> Value:
    inner = Frame(frame)
    trains = machine.index.runs_backward([ast.Expr(node)])
    made: list[Value] = []
    pairs: dict[Any, Value] = {}

    def walk(level: int) -> None:
        from gradlint.verify.machine.targets import assign

        if level == len(node.generators):
            machine.count(node.lineno)
            if isinstance(node, ast.DictComp):
                key = machine.value(node.key, inner)
                if isinstance(key, (str, int, float, Thing)):
                    pairs[key] = machine.value(node.value, inner)
            else:
                made.append(machine.value(node.elt, inner))
            return
        generator = node.generators[level]
        for item in _turns(machine, machine.value(generator.iter, inner), trains=trains and level == 0):
            assign(machine, generator.target, item, inner)
            if all(machine.test(one, inner, prefer=True, gate=False) for one in generator.ifs):
                walk(level + 1)

    walk(0)
    if isinstance(node, ast.DictComp):
        return pairs
    generator = isinstance(node, ast.GeneratorExp)
    return Stream(iter(made), whole=iterate.all_parameters(made)) if generator else made


def _lambda(machine: Machine, node: ast.Lambda, frame: Frame) -> Value:
    return Closure(node, frame)


def _walrus(machine: Machine, node: ast.NamedExpr, frame: Frame) -> Value:
    from gradlint.verify.machine.targets import assign

    found = machine.value(node.value, frame)
    assign(machine, node.target, found, frame)
    return found


def _call(machine: Machine, node: ast.Call, frame: Frame) -> Value:
    from gradlint.verify.machine import calls

    return calls.evaluate(machine, node, frame)


def _text(machine: Machine, node: ast.JoinedStr, frame: Frame) -> Value:
    for one in node.values:
        if isinstance(one, ast.FormattedValue) and machine.index.gates(one.value):
            machine.value(one.value, frame)
    return Unknown("text")


_TABLE: dict[type[ast.expr], Callable[[Any, Any, Frame], Value]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.Subscript: _subscript,
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.BoolOp: _boolean,
    ast.Compare: _compare,
    ast.IfExp: _choice,
    ast.Tuple: _tuple,
    ast.List: _tuple,
    ast.Set: _tuple,
    ast.Dict: _dict,
    ast.ListComp: _comprehension,
    ast.SetComp: _comprehension,
    ast.GeneratorExp: _comprehension,
    ast.DictComp: _comprehension,
    ast.Lambda: _lambda,
    ast.NamedExpr: _walrus,
    ast.Call: _call,
    ast.JoinedStr: _text,
    ast.Yield: _yield,
    ast.YieldFrom: _yield_from,
}
