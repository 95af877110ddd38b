"""How long a schedule was made: whether its length counts micro-batches, or epochs.

    T_max=len(loader) * epochs                       as many as there are batches
    total = epochs * len(loader); ... total          by a variable, an attribute, a parameter, a function of the file
    lambda step: 1 - step / total                    inside the schedule itself
    num_training_steps=max_iters                     what the loop counts its micro-batches up to
    T_max=args.epochs                                what the loop around that counts up to

A length that is divided (`len(loader) // accum`) counts something else. All is read off the source: a run's are small.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from functools import lru_cache
from typing import Any

from gradlint.interpret.limits import KEPT, epoch_limits, limits, name_of, nodes, parts_of_function
from gradlint.interpret.machine import Machine
from gradlint.interpret.state.stack import Stack
from gradlint.libraries.conventions.numbers import (
    BATCH_SIZE_NAME,
    EPOCH_LENGTH_NAME,
    PROCESSES_NAME,
    UPDATES_NAME,
    WINDOW_NAME,
)
from gradlint.model.program.expressions import (
    Arith,
    Attr,
    Call,
    Closure,
    Comprehension,
    Const,
    Dictionary,
    Display,
    Expr,
    Item,
    Logic,
    Read,
    Star,
)
from gradlint.model.program.statements import Assign, Augment, Define, Return
from gradlint.model.program.whole import Function, Program, assignments
from gradlint.model.record import dataclass, replace

DEEP = 4
"""So many names are followed."""

_ROUNDED = frozenset("int float round max min ceil floor".split())


@dataclass(frozen=True)
class _Scope:
    """A function, and what its parameters stand for: an expression where it was called."""

    function: Function
    given: Mapping[str, tuple[Expr, _Scope]] = field(default_factory=dict)


def counts_batches(machine: Machine, written: Expr) -> bool:
    """Whether an argument that says how long a schedule is counts micro-batches."""
    return _once(machine, _counts, written)


def counts_epochs(machine: Machine, written: Expr) -> bool:
    """Whether such an argument is the number of epochs, or a part of it."""
    return _once(machine, _epochs, written)


def _once(machine: Machine, ask: Callable[[Machine, Expr, _Scope, int], bool], written: Expr) -> bool:
    """What the source says of an argument, found out once for each way that led here and each window that is known."""
    known, stack, plan = machine.program.lengths, machine.stack, machine.plan
    calls = frozenset((id(function), id(node)) for function, node in stack.written.items())
    way = (ask.__name__, id(written), tuple(map(id, stack.functions)), calls, plan.seen, *sorted(plan.numbers.windows))
    if way not in known:
        known[way] = ask(machine, written, _here(machine.program, stack), DEEP)
    return known[way]


def _epochs(machine: Machine, written: Expr, scope: _Scope, deep: int) -> bool:
    if isinstance(written, Arith):
        sides = (written.left, written.right) if written.op in ("+", "-") else (written.left,)
        return written.op in ("+", "-", "/", "//") and any(_epochs(machine, side, scope, deep) for side in sides)
    if isinstance(written, Call):
        rounded = isinstance(written.func, Read) and written.func.name in _ROUNDED
        return rounded and any(_epochs(machine, part, scope, deep) for part in written.args)
    if not isinstance(written, (Read, Attr)) or deep <= 0:
        return False
    if isinstance(written, Read) and written.name in scope.given:
        part, where = scope.given[written.name]
        return _epochs(machine, part, where, deep - 1)
    found = _assigned(machine.program, machine.stack, written, scope)
    if any(isinstance(node, Assign) and _epochs(machine, node.value, where, deep - 1) for node, where in found):
        return True
    return any(written.name in epoch_limits(one) for one in _functions(machine.program, machine.stack))


def _here(program: Program, stack: Stack) -> _Scope:
    """The running function, its parameters by the calls that led here."""
    scope = _Scope(program.body)
    for function in stack.functions:
        node = stack.written.get(function)
        scope = _Scope(function, {} if node is None else _given(function, node, scope))
    return scope


def _given(function: Function, node: Call, scope: _Scope) -> dict[str, tuple[Expr, _Scope]]:
    parameters = [one.name for one in function.parameters if not one.star]
    if function.owner is not None and parameters[:1] in (["self"], ["cls"]):
        parameters = parameters[1:]
    written = [part for part in node.args if not isinstance(part, Star)]
    pairs = [*zip(parameters, written, strict=False), *((name, part) for name, part in node.keywords if name)]
    rest = tuple((Const(name) if name else None, part) for name, part in node.keywords if name not in parameters)
    pairs += [(one.name, Dictionary(rest)) for one in function.parameters if one.star == "**" and rest]
    return {name: (part, scope) for name, part in pairs}


def _counts(machine: Machine, written: Expr, scope: _Scope, deep: int) -> bool:
    """Whether a number is a length times something, and not divided: `epochs * len(loader)`, `int(0.1 * total)`."""
    if isinstance(written, Arith):
        by = written.right
        if written.op == "**" and isinstance(by, Arith) and by.op == "/":
            return _counts(machine, by.right, scope, deep)  # a factor a batch: `ratio ** (1 / len(loader))`
        part = isinstance(by, Const) and by.value != machine.plan.seen  # half of the batches are batches
        if written.op == "*" and any(_is_window(side) for side in (written.left, written.right)):
            return True  # so many updates, times the micro-batches of each
        whole = written.op not in ("/", "//") or part or _shares_batches(by)
        return whole and any(_counts(machine, side, scope, deep) for side in (written.left, written.right))
    if isinstance(written, (Display, Dictionary)):
        items = [value for _, value in written.items] if isinstance(written, Dictionary) else written.items
        return any(_counts(machine, item, scope, deep) for item in items)
    if isinstance(written, Comprehension):
        return _counts(machine, written.element, scope, deep)
    if isinstance(written, Closure):
        return _schedules(machine, written.function, scope, deep)
    if isinstance(written, Call):
        return _call_counts(machine, written, scope, deep)
    if isinstance(written, Logic):
        return any(_counts(machine, part, scope, deep) for part in written.parts)
    if isinstance(written, Item):
        return deep > 0 and _setting_counts(machine, written.index, scope, deep)
    return isinstance(written, (Read, Attr)) and deep > 0 and _name_counts(machine, written, scope, deep)


def _shares_batches(by: Expr) -> bool:
    """Whether it is a batch, or the ranks, that a count is divided by: `len(data) // batch_size // world_size`."""
    name = name_of(by.func if isinstance(by, Call) else by).removeprefix("get_")
    return bool(BATCH_SIZE_NAME.search(name) or PROCESSES_NAME.search(name))


def _is_window(part: Expr) -> bool:
    named = isinstance(part, (Read, Attr)) and bool(WINDOW_NAME.search(part.name))
    return named and not UPDATES_NAME.search(name_of(part))  # `num_update_steps_per_epoch`


def _call_counts(machine: Machine, node: Call, scope: _Scope, deep: int) -> bool:
    if not isinstance(node.func, (Read, Attr)):
        return False
    if node.func.name == "len" or _adds_ones(node):
        return True
    if node.func.name in _ROUNDED:
        return any(_counts(machine, part, scope, deep) for part in node.args)
    if node.func.name == "dict":
        return any(_counts(machine, part, scope, deep) for _, part in node.keywords)
    if node.func.name == "get" and isinstance(node.func, Attr) and node.args:
        return deep > 0 and _setting_counts(machine, node.args[0], scope, deep)
    held = _partly(machine.program, node, scope)
    if held is not None:
        return _schedules(machine, held.function, held, deep)
    function = _defined(machine.program, node.func, scope)
    return function is not None and _result_counts(machine, _Scope(function, _given(function, node, scope)), deep)


def _adds_ones(node: Call) -> bool:
    """`sum(1 for batch in loader)`, as what has no `len()` is counted."""
    ones = node.args[0] if len(node.args) == 1 else None
    if name_of(node.func) != "sum" or not isinstance(ones, Comprehension) or ones.conditions or ones.flat:
        return False
    return isinstance(ones.element, Const) and ones.element.value == 1


def _partly(program: Program, node: Call, scope: _Scope) -> _Scope | None:
    """The function that `partial(rate, total=total)` gives a part of its arguments, with these."""
    if name_of(node.func) != "partial" or not node.args or not isinstance(node.args[0], Read):
        return None
    name = node.args[0].name
    function = _nested(scope.function, name) or program.home(scope.function).functions.get(name)
    rest = replace(node, args=node.args[1:])
    return None if function is None else _Scope(function, _given(function, rest, scope))


def _setting_counts(machine: Machine, key: Expr, scope: _Scope, deep: int) -> bool:
    """Whether a setting (`config["decay_steps"]`, `args.decay_steps`) is such a number somewhere in the file."""
    if not isinstance(key, Const) or not isinstance(key.value, str):
        return False
    return any(
        _counts(machine, node.value, _called(machine.program, machine.stack, function), deep - 1)
        for function in _functions(machine.program, machine.stack)
        for node in assignments(function.body)
        if _setting(node.target) == key.value and _setting(node.value) != key.value
    )


def _setting(part: object) -> object:
    if isinstance(part, Item) and isinstance(part.index, Const):
        return part.index.value
    return part.name if isinstance(part, Attr) else None


def _defined(program: Program, func: Read | Attr, scope: _Scope) -> Function | None:
    """The function that is called so where a name means that, or the method of one of that file's classes."""
    home = program.home(scope.function)
    if isinstance(func, Read):
        found = program.defined(home, func.name)
        return found if isinstance(found, Function) else None
    if not isinstance(func.base, Read) or func.base.name != "self":
        return None
    methods = (cls.methods.get(func.name) for cls in home.classes.values())
    return next((method for method in methods if method is not None), None)


def _result_counts(machine: Machine, scope: _Scope, deep: int) -> bool:
    """Whether a function returns such a number."""
    return deep > 0 and any(_counts(machine, end, scope, deep - 1) for end in _ends(scope.function))


def _ends(function: Function) -> list[Expr]:
    """What a function returns."""
    return [part.value for part in parts_of_function(function) if isinstance(part, Return) and part.value is not None]


def _name_counts(machine: Machine, written: Read | Attr, scope: _Scope, deep: int) -> bool:
    """Whether a name stands for such a number: by what is assigned to it, handed over for it, or counted up to it."""
    inner = _nested(scope.function, written.name)
    if inner is not None:
        return _schedules(machine, inner, scope, deep)
    if any(_counts(machine, value, scope, deep - 1) for value in _entries(written, scope)):
        return True
    found = _assigned(machine.program, machine.stack, written, scope)
    if found:
        whole = all(isinstance(node, Assign) for node, _ in found)  # `total //= accum` divides
        if whole and any(_counts(machine, node.value, where, deep - 1) for node, where in found):
            return True
        if not whole or not isinstance(written, Read) or written.name not in scope.given:
            return whole and written.name in limits(scope.function)  # whatever it is, the loop counts up to it
        # a parameter that is set again in a branch is still what was given on the other way
    if isinstance(written, Read) and written.name in scope.given:
        part, where = scope.given[written.name]
        return _counts(machine, part, where, deep - 1)
    defined = _defined(machine.program, written, scope)
    if defined is not None and "property" in defined.decorators:
        return _result_counts(machine, _Scope(defined), deep)
    if defined is not None:
        return _schedules(machine, defined, _Scope(defined), deep)
    return bool(EPOCH_LENGTH_NAME.search(written.name)) or any(
        written.name in limits(one) for one in _functions(machine.program, machine.stack)
    )


def _entries(written: Read | Attr, scope: _Scope) -> list[Expr]:
    """What a dictionary of this function is given by key: `options["T_max"] = total`, handed over as `**options`."""
    if isinstance(written, Attr):
        return []
    targets = ((node.target, node.value) for node in assignments(scope.function.body))
    return [value for target, value in targets if isinstance(target, Item) and name_of(target.base) == written.name]


def _assigned(
    program: Program, stack: Stack, written: Read | Attr, scope: _Scope
) -> list[tuple[Assign | Augment, _Scope]]:
    """What is assigned to a name here, else anywhere in the file to an attribute, or in the module to a variable."""

    def among(where: _Scope) -> list[tuple[Assign | Augment, _Scope]]:
        nodes = assignments(where.function.body)
        return [(node, where) for node in nodes if isinstance(node.target, kind) and node.target.name == written.name]

    kind = type(written)
    here = among(scope)
    if here or (isinstance(written, Read) and written.name in scope.given):
        return here
    if isinstance(written, Read):
        return among(_Scope(program.home(scope.function).body))
    setting = (function for function in _functions(program, stack) if function.may_set(written.name))
    return [one for function in setting for one in among(_called(program, stack, function))]


def _called(program: Program, stack: Stack, function: Function) -> _Scope:
    """A function that ran before, with the arguments it was last called with."""
    node = stack.written.get(function)
    return _Scope(function, {} if node is None else _given(function, node, _Scope(program.home(function).body)))


def _functions(program: Program, stack: Stack) -> Iterator[Function]:
    """The functions and bodies of the main module, and of those whose functions are running."""
    for module in dict.fromkeys((program.main, *map(program.home, stack.functions))):
        yield module.body
        yield from module.functions.values()
        for cls in module.classes.values():
            yield from cls.methods.values()


def _nested(function: Function, name: str) -> Function | None:
    """A function that is defined in another one."""
    return _inner(function).get(name)


@lru_cache(maxsize=KEPT)
def _inner(function: Function) -> Mapping[str, Function]:
    """The functions that are defined in another one by name, the first of each."""
    defined = [node for node in parts_of_function(function) if isinstance(node, Define)]
    return {node.name: node.value for node in reversed(defined) if isinstance(node.value, Function)}


def _schedules(machine: Machine, function: Function, scope: _Scope, deep: int) -> bool:
    """Whether a schedule divides by, or compares with, a length in micro-batches: `lambda step: step / total`.

    So it does where it counts the windows itself: `lambda step: 0.9 ** (step // accum)`.
    """
    inside = parts_of_function(function)
    own = _own(function, scope)
    if any(_divides(part, own) and _is_window(part.right) for part in inside):
        return True
    whole = [part for part in inside if isinstance(part, (Read, Attr)) and part.name not in own]
    divided = {id(part.left) for part in inside if isinstance(part, Arith) and part.op in ("/", "//")}
    return deep > 0 and any(id(part) not in divided and _name_counts(machine, part, scope, deep - 1) for part in whole)


def counts_updates(machine: Machine, written: Expr) -> bool:
    """Whether a schedule's own function is in sight and holds a length in updates: `ceil(len(loader) / accum)`.

    It only compares its count, and computes with it: one that makes whole numbers of it may count windows itself.
    """
    return _once(machine, _updates, written)


def _updates(machine: Machine, written: Expr, scope: _Scope, deep: int) -> bool:
    if isinstance(written, Arith):
        return _share_of(machine, written, scope, deep)
    if isinstance(written, Closure):
        return _holds_updates(machine, written.function, scope, deep)
    if isinstance(written, Call) and isinstance(written.func, (Read, Attr)):
        held = _partly(machine.program, written, scope)
        if held is not None:
            return _holds_updates(machine, held.function, held, deep)
        if written.func.name in _ROUNDED:
            return any(_updates(machine, part, scope, deep) for part in written.args)
        function = _defined(machine.program, written.func, scope)
        if function is None or deep <= 0:
            return False
        inner = _Scope(function, _given(function, written, scope))
        return any(_updates(machine, end, inner, deep - 1) for end in _ends(function))
    return isinstance(written, (Read, Attr)) and deep > 0 and _name_updates(machine, written, scope, deep - 1)


def _share_of(machine: Machine, written: Arith, scope: _Scope, deep: int) -> bool:
    """`epochs * (len(loader) // accum)`; what is multiplied by a window counts micro-batches again."""
    left, right = written.left, written.right
    sized = _is_size(machine, right, scope)
    if written.op in ("/", "//"):
        return _counts(machine, left, scope, deep) if sized else _updates(machine, left, scope, deep)
    if written.op not in ("+", "-", "*") or (written.op == "*" and (sized or _is_size(machine, left, scope))):
        return False
    return any(_updates(machine, side, scope, deep) for side in (left, right))


def _name_updates(machine: Machine, written: Read | Attr, scope: _Scope, deep: int) -> bool:
    inner = _nested(scope.function, written.name)
    if inner is not None:
        return _holds_updates(machine, inner, scope, deep)
    found = _assigned(machine.program, machine.stack, written, scope)
    if found:
        whole = all(isinstance(node, Assign) for node, _ in found)
        return whole and any(_updates(machine, node.value, where, deep) for node, where in found)
    if isinstance(written, Attr):
        return False
    if written.name in scope.given:
        part, where = scope.given[written.name]
        return _updates(machine, part, where, deep)
    home = machine.program.home(scope.function)
    function = home.functions.get(written.name)
    return function is not None and _holds_updates(machine, function, _Scope(home.body), deep)


def says_updates(machine: Machine, written: Expr) -> bool:
    """Whether anything that a schedule is made from is named after updates, or is divided by the window.

    T_max=total_updates      num_training_steps=epochs * len(loader) // accum      lambda u: u / cfg.warmup_updates
    """
    return _once(machine, _says, written)


def _says(machine: Machine, written: Expr, scope: _Scope, deep: int) -> bool:
    return any(_part_says(machine, part, scope, deep) for part in nodes(written))


def _part_says(machine: Machine, part: object, scope: _Scope, deep: int) -> bool:
    if isinstance(part, Closure):
        return any(_part_says(machine, one, scope, deep) for one in parts_of_function(part.function))
    if isinstance(part, (Arith, Augment)):
        by = part.right if isinstance(part, Arith) else part.value
        return part.op in ("/", "//") and any(_is_size(machine, one, scope) for one in _factors(by))
    if isinstance(part, Item):
        return isinstance(part.index, Const) and bool(UPDATES_NAME.search(str(part.index.value)))
    if not isinstance(part, (Read, Attr)):
        return False
    behind = _behind(machine, part, scope) if deep > 0 else ()
    return bool(UPDATES_NAME.search(part.name)) or any(_part_says(machine, one, at, deep - 1) for one, at in behind)


def _factors(part: Expr) -> list[Expr]:
    """`batch_size * accum`."""
    return [*_factors(part.left), *_factors(part.right)] if isinstance(part, Arith) and part.op == "*" else [part]


def _behind(machine: Machine, name: Read | Attr, scope: _Scope) -> Iterator[tuple[object, _Scope]]:
    """The parts of what a name stands for: what is given for it, what is assigned to it, the function of that name."""
    if isinstance(name, Read) and name.name in scope.given:
        given, where = scope.given[name.name]
        yield from ((part, where) for part in nodes(given))
    yield from ((part, scope) for value in _entries(name, scope) for part in nodes(value))
    for node, where in _assigned(machine.program, machine.stack, name, scope):
        yield from ((part, where) for part in (node, *nodes(node.value)))
    nested = _nested(scope.function, name.name)
    function = nested or _defined(machine.program, name, scope)
    if function is not None:
        within = scope if nested else _Scope(function)
        yield from ((part, within) for part in parts_of_function(function))


def _is_size(machine: Machine, part: Expr, scope: _Scope, deep: int = DEEP) -> bool:
    """Whether a number is the window: by its name, also where it was handed over, or as the loop has shown it."""
    shown = {key.rpartition(".")[2] for key in machine.plan.numbers.windows}
    if _is_window(part) or name_of(part) in shown:
        return True
    if not isinstance(part, Read) or deep <= 0:
        return deep == DEEP and isinstance(part, Const) and part.value == machine.plan.seen
    given = [scope.given[part.name]] if part.name in scope.given else []
    found = given or [(node.value, where) for node, where in _assigned(machine.program, machine.stack, part, scope)]
    return any(_is_size(machine, value, where, deep - 1) for value, where in found)


def _holds_updates(machine: Machine, function: Function, scope: _Scope, deep: int) -> bool:
    """Whether a schedule's own function computes with such a length; names other than its count are of `scope`."""
    own = _own(function, scope)
    read = [part for part in parts_of_function(function) if isinstance(part, (Read, Attr))]
    if own.isdisjoint(name_of(part) for part in read) or not _is_smooth(machine, function, scope):
        return False
    return any(part.name not in own and _updates(machine, part, scope, deep) for part in read)


def _own(function: Function, scope: _Scope) -> set[str]:
    """The parameters of a schedule's own function that it counts by: nothing was given for them beforehand."""
    return {one.name for one in function.parameters if one.name != "self"} - (
        scope.given.keys() if scope.function is function else set()
    )


def _is_smooth(machine: Machine, function: Function, scope: _Scope) -> bool:
    """Whether a function makes no whole numbers of what it counts, and asks nobody else for its rate."""
    for part in parts_of_function(function):
        if isinstance(part, Arith):
            sized = _is_size(machine, part.right, scope) or _is_size(machine, part.left, scope)
            if part.op in ("//", "%") or (part.op in ("*", "/") and sized):
                return False
        elif isinstance(part, Call) and name_of(part.func) not in _SMOOTH:
            return False
    return True


def paces(machine: Machine, written: Expr) -> frozenset[int]:
    """The numbers by which a schedule's own function divides what it counts: `lambda step: 0.9 ** (step // 4)`."""
    if not isinstance(written, Closure):
        return frozenset()
    own = {one.name for one in written.function.parameters}
    parts = [part.right for part in parts_of_function(written.function) if _divides(part, own)]
    sizes = [
        one.value if isinstance(one, Const) else machine.frame_of(written.function).values.get(name_of(one))
        for one in parts
    ]
    return frozenset(size for size in sizes if isinstance(size, int))


def asks_elsewhere(written: Closure) -> bool:
    """Whether a schedule's own function calls another one for its rate: `lambda step: noam(step, warmup=4000)`."""
    calls = [part.func for part in parts_of_function(written.function) if isinstance(part, Call)]
    return any(name_of(one) not in _ARITHMETIC for one in calls)


_ARITHMETIC = _ROUNDED | frozenset("abs pow cos sin exp log sqrt".split())
_SMOOTH = _ARITHMETIC - frozenset("int round floor ceil".split())


def _divides(part: Any, own: set[str]) -> bool:
    divides = isinstance(part, Arith) and part.op in ("/", "//")
    return divides and not own.isdisjoint(name_of(one) for one in nodes(part.left))
