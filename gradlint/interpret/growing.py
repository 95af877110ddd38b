"""Sums that grow: what is added to itself, in a statement or by a function that is given it.

total = total + loss                       mean = (mean * i + loss) / (i + 1)
mean = running_mean(mean, loss, i)         def running_mean(mean, value, i): return (mean * i + value) / (i + 1)
scores = torch.cat((scores, out))          as a list that `out` is appended to
"""

from __future__ import annotations

from collections.abc import Iterator
from weakref import WeakKeyDictionary

from gradlint.interpret.limits import parts_of_function
from gradlint.interpret.lineage import classes_of
from gradlint.interpret.returned import returned
from gradlint.interpret.values import Routine
from gradlint.libraries.tensors import JOINING
from gradlint.model.effects import Gate
from gradlint.model.program.expressions import Arith, Attr, Call, Choose, Const, Dictionary, Display, Expr, Item, Read
from gradlint.model.program.statements import Assign, Augment, Return
from gradlint.model.program.whole import Class, Function, Program, assignments


def adds_to_itself(target: Expr, node: Expr, part: int | None = None) -> bool:
    """`total = total + loss`, `smooth = loss if smooth is None else 0.9 * smooth + 0.1 * loss`; or a `part` does so.

    What the sum is multiplied or divided by changes nothing: `mean = (mean * i + loss) / (i + 1)`.
    """
    if isinstance(node, Choose):
        return adds_to_itself(target, node.then, part) or adds_to_itself(target, node.other, part)
    if isinstance(node, Call):
        return part is None and joins_itself(target, node)
    if not isinstance(node, Arith):
        return False
    if node.op == "/":
        return adds_to_itself(target, node.left, part)
    if node.op == "*":
        return adds_to_itself(target, node.left, part) or adds_to_itself(target, node.right, part)
    return node.op == "+" and _is_term(target, node, part)


def joins_itself(target: Expr, call: Call) -> bool:
    """`scores = torch.cat((scores, out))`: along the first dimension, as of batches one behind the other."""
    if not (isinstance(call.func, (Read, Attr)) and call.func.name in JOINING and call.args):
        return False
    pieces = call.args[0]
    others = (*call.args[1:], *(value for _, value in call.keywords))
    if not isinstance(pieces, Display) or any(one != _FIRST for one in others):
        return False
    return any(_same(item, target) for item in pieces.items)


_FIRST = Const(0)


def _is_term(target: Expr, node: Arith, part: int | None) -> bool:
    sides = [node.left, node.right]
    while sides:
        side = sides.pop()
        if _same(side, target) if part is None else _same_part(side, target, part):
            return True
        if isinstance(side, Arith) and side.op in ("*", "+"):
            sides += [side.left, side.right]
    return False


def is_given(call: Call, target: Expr) -> bool:
    """Whether a call is given what its result is assigned to."""
    return any(_same(arg, target) for arg in (*call.args, *(value for _, value in call.keywords)))


def grows_in(routine: Routine, call: Call, target: Expr) -> bool:
    """Whether a function adds to what a call gives it of that name, and returns the sum."""
    function = routine.function
    growing = _GROWING.get(function)
    if growing is None:
        growing = _GROWING[function] = _growing(function)
    names = [one.name for one in function.parameters if not one.star][routine.receiver is not None :]
    given = [*zip(names, call.args, strict=False), *((name, value) for name, value in call.keywords if name)]
    return any(name in growing and _same(value, target) for name, value in given)


_GROWING: WeakKeyDictionary[Function, frozenset[str]] = WeakKeyDictionary()
"""What the source of a function shows, which is asked at each call."""


def _growing(function: Function) -> frozenset[str]:
    """The parameters of a function that it adds to, and of which it returns the sum."""
    values = list(returned(function.body))
    names = {value.name for value in values if isinstance(value, Read)}
    sums = [one for one in assignments(function.body) if isinstance(one.target, Read) and one.target.name in names]
    added = {
        one.target.name for one in sums if isinstance(one, Augment) and one.op == "+" and isinstance(one.target, Read)
    }
    values += [one.value for one in sums if not isinstance(one, Augment)]
    parameters = [one.name for one in function.parameters]
    grown = (name for name in parameters if any(adds_to_itself(Read(name), value) for value in values))
    return frozenset(grown) | added.intersection(parameters)


def adds_to_its_own(method: Function) -> bool:
    """Whether a method adds something to an attribute of its object, and no mere number: `self.total += loss`."""
    found = _ADDING.get(method)
    if found is None:
        found = _ADDING[method] = any(map(_adds_to_its_own, assignments(method.body)))
    return found


_ADDING: WeakKeyDictionary[Function, bool] = WeakKeyDictionary()


def _adds_to_its_own(node: Assign | Augment) -> bool:
    target = node.target
    if not (isinstance(target, Attr) and target.base == Read("self")):
        return False
    if isinstance(node, Augment):
        return node.op == "+" and not isinstance(node.value, Const)
    sides = [node.value.left, node.value.right] if isinstance(node.value, Arith) else []
    return adds_to_itself(target, node.value) and not any(isinstance(side, Const) for side in sides)


def set_beside(program: Program, function: Function, target: Expr) -> str:
    """The method that sets anew what another of its object adds to, trains by itself, and calls no such method.

    agent.act(state)                        self.total += loss
    agent.step(state, reward)               self.total = 0; ...; loss.backward()
    """
    cls = program.home(function).classes.get(function.owner or "")
    if cls is None or not (isinstance(target, Attr) and target.base == Read("self")):
        return ""
    for one in classes_of(program, cls):
        for name, method in one.methods.items():
            own = method is not function and name != "__init__" and bool(method.gates & _TRAINS)
            if own and _sets(method, target) and function.name not in _called_by(one, method):
                return name
    return ""


_TRAINS = Gate.BACKWARD | Gate.LOOP_BACKWARD


def _sets(method: Function, target: Attr) -> bool:
    """Whether a method sets a member to a constant, whatever happens in it."""
    plain = (node for node in method.body if isinstance(node, Assign))
    return any(node.target == target and isinstance(node.value, Const) for node in plain)


def _called_by(cls: Class, method: Function) -> set[str]:
    """The methods of its object that a method calls, and those that they call."""
    found, todo = set[str](), [method]
    while todo:
        asked = (part for part in parts_of_function(todo.pop()) if isinstance(part, Attr) and part.base == Read("self"))
        new = {part.name for part in asked} - found
        found |= new
        todo += [cls.methods[name] for name in new & cls.methods.keys()]
    return found


def outliving(function: Function) -> frozenset[str]:
    """The parameters of which a function binds what may be anybody's behind a call of it, as far as its source shows.

    def score(x, noise):                    def score(total, loss):
        x = x + noise                           total = total + loss
        return net(x).mean()                    return total
    """
    found = _OUTLIVING.get(function)
    if found is None:
        found = _OUTLIVING[function] = frozenset(_outliving(function))
    return found


_OUTLIVING: WeakKeyDictionary[Function, frozenset[str]] = WeakKeyDictionary()


def _outliving(function: Function) -> Iterator[str]:
    """The names that are handed out, put into something, or added to in place."""
    if function.generator:
        yield from (one.name for one in function.parameters)
    for part in parts_of_function(function):
        if part.__class__ not in _HANDING:
            continue
        if isinstance(part, Return):
            yield from _names_in(part.value)
        elif isinstance(part, Augment):
            yield from _names_in(part.target)
        elif isinstance(part, Assign) and not (isinstance(part.target, Read) and isinstance(part.value, Arith)):
            yield from _names_in(part.value)
        elif isinstance(part, Call) and isinstance(part.func, Attr) and part.func.name in _TAKING:
            yield from (name for one in (part.func.base, *part.args) for name in _names_in(one))


_HANDING = frozenset({Return, Augment, Assign, Call})
_TAKING = frozenset({"add", "add_", "append", "extend", "insert", "update", "setdefault"})


def _names_in(part: object) -> Iterator[str]:
    """Names that are handed on as they are, or in a sum; what a call makes of them is another thing."""
    match part:
        case Read(name):
            yield name
        case Display(items=items):
            for item in items:
                yield from _names_in(item)
        case Dictionary(items=items):
            for _, item in items:
                yield from _names_in(item)
        case Choose(then=one, other=two) | Arith(left=one, right=two):
            yield from _names_in(one)
            yield from _names_in(two)


def _same_part(one: Expr, whole: Expr, part: int) -> bool:
    return isinstance(one, Item) and one.index == Const(part) and _same(one.base, whole)


def _same(one: Expr, other: Expr) -> bool:
    """Whether two expressions name the same variable, attribute or item; `sums.get("loss", 0)` is `sums["loss"]`."""
    if isinstance(one, Read) and isinstance(other, Read):
        return one.name == other.name
    if isinstance(other, Item):
        one = _got(one)
        return isinstance(one, Item) and one.index == other.index and _same(one.base, other.base)
    return isinstance(one, Attr) and isinstance(other, Attr) and one.name == other.name and _same(one.base, other.base)


def _got(node: Expr) -> Expr:
    if isinstance(node, Call) and isinstance(node.func, Attr) and node.func.name == "get" and node.args:
        return Item(node.func.base, node.args[0])
    return node
