"""Built-in functions and the methods of plain values, all bounded."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from gradlint.verify.machine import iterate
from gradlint.verify.machine.values import (
    Closure,
    Method,
    Object,
    Ref,
    Scale,
    Stream,
    Thing,
    Unknown,
    Value,
    is_number,
    label,
)
from gradlint.verify.reasons import InconclusiveError, Reason
from gradlint.verify.slice.index import Class
from gradlint.verify.world.live import Live
from gradlint.verify.world.model import Model
from gradlint.verify.world.optim import Loader, Optimizer, Sampler
from gradlint.verify.world.plan import BATCH

if TYPE_CHECKING:
    from gradlint.verify.machine.machine import Machine

LONGEST = 2_000
Args = list[Value]
Kwargs = dict[str, Value]


def method(machine: Machine, owner: Value, name: str, args: Args, kwargs: Kwargs) -> Value:
    """A method of a list, a dictionary, a string, an iterator or a number."""
    if isinstance(owner, list):
        return _list(machine, owner, name, args, kwargs)
    if isinstance(owner, dict):
        return _dict(owner, name, args)
    if isinstance(owner, (int, float)) and name in (
        "item",
        "cpu",
        "numpy",
        "to",
        "detach",
        "float",
        "double",
        "clone",
        "mean",
    ):
        return owner
    if isinstance(owner, tuple) and name in ("index", "count"):
        return Unknown(name, data=True)
    if isinstance(owner, str) and name in ("lower", "upper", "strip"):
        return getattr(owner, name)() if not args else owner
    if isinstance(owner, str) and name in ("startswith", "endswith") and args and isinstance(args[0], str):
        return owner.startswith(args[0]) if name == "startswith" else owner.endswith(args[0])
    return Unknown(f"{name}()", data=not isinstance(owner, str))


def _list(machine: Machine, owner: list[Value], name: str, args: Args, kwargs: Kwargs) -> Value:
    if name == "append" and args and len(owner) < LONGEST:
        owner.append(args[0])
        return None
    if name == "extend" and args:
        owner.extend(list(iterate.items(machine, args[0]))[: LONGEST - len(owner)])
        return None
    if name == "clear":
        owner.clear()
        return None
    if name == "pop" and owner:
        place = args[0] if args and isinstance(args[0], int) and -len(owner) <= args[0] < len(owner) else -1
        return owner.pop(place)
    if name == "copy":
        return list(owner)
    if name == "sort":
        owner[:] = ordered(machine, owner, kwargs)
        return None
    if name == "reverse":
        owner.reverse()
        return None
    if name == "insert" and len(args) == 2 and isinstance(args[0], int) and len(owner) < LONGEST:
        owner.insert(args[0], args[1])
        return None
    return Unknown(f"list.{name}()", data=True) if name not in ("insert", "remove") else None


def ordered(machine: Machine, items: Args, kwargs: Kwargs) -> Args:
    """Sorted by keys that are known; else as it stands, which must not say in what order functions are called.

    Raises:
        InconclusiveError: functions are put in an order that nobody can compute.
    """
    key, backward = kwargs.get("key"), kwargs.get("reverse") is True
    keys = [_plain_key(one if key is None else machine.apply(key, [one], {})) for one in items]
    if all(one is not None for one in keys) and len({tuple(map(type, one or ())) for one in keys}) < 2:
        places = sorted(range(len(items)), key=lambda place: keys[place] or (), reverse=backward)
        return [items[place] for place in places]
    if len(items) > 1 and any(isinstance(one, (Closure, Method)) for one in flatten_lists(items)):
        raise InconclusiveError(Reason.BRANCH, f"line {machine.world.row}: in what order functions are called is open")
    return items


def flatten_lists(values: Args) -> Args:
    """What stands in lists of lists."""
    from gradlint.verify.machine.calls import flatten_shallow

    return flatten_shallow(values)


def _plain_key(value: Value) -> tuple[float | str, ...] | None:
    """What can be held against its like: numbers and texts, and rows as far as they begin with such."""
    if isinstance(value, (int, float)):
        return (float(value),)
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, (list, tuple)):
        return None
    found: tuple[float | str, ...] = ()
    for one in value:
        inner = _plain_key(one) if isinstance(one, (int, float, str)) else None
        if inner is None:
            break
        found += inner
    return found or None


def _dict(owner: dict[Any, Value], name: str, args: Args) -> Value:
    if name in ("values", "keys", "items"):
        return list(owner.values()) if name == "values" else list(owner) if name == "keys" else list(owner.items())
    if name in ("get", "pop", "setdefault") and args:
        key = args[0]
        if isinstance(key, (str, int, float)) and key in owner:
            return owner.pop(key) if name == "pop" else owner[key]
        return args[1] if len(args) > 1 else None
    if name == "update" and args and isinstance(args[0], dict):
        owner.update(args[0])
        return None
    if name == "copy":
        return dict(owner)
    return Unknown(f"dict.{name}()", data=True)


def builtin(machine: Machine, name: str, args: Args, kwargs: Kwargs) -> Value:
    """A built-in function."""
    run = _TABLE.get(name)
    if run is None:
        return Unknown(f"{name}()", data=any(isinstance(one, Unknown) and one.data for one in args))
    return run(machine, args, kwargs)


def length(machine: Machine, args: Args, kwargs: Kwargs) -> Value:
    """`len`: of the loader as the plan says."""
    one = args[0] if args else None
    if isinstance(one, (list, tuple, dict, str, range)):
        return len(one)
    if isinstance(one, Loader):
        machine.world.record.measured = True
        return machine.plan.batches
    if isinstance(one, Unknown) and one.size is not None:
        return one.size
    if isinstance(one, Unknown) and "loader" in one.path.lower():
        return machine.plan.batches
    if isinstance(one, (Unknown, Live)):
        return Unknown(f"len({label(one)})", data=isinstance(one, Live) or one.data)
    return machine.plan.batches if isinstance(one, Object) else Unknown("len()", data=True)


def _range(machine: Machine, args: Args, kwargs: Kwargs) -> Value:
    numbers = [int(one) if isinstance(one, float) and one.is_integer() else one for one in args]
    if any(isinstance(one, Unknown) and one.data for one in numbers):
        return range(2)
    plain = [one for one in numbers if isinstance(one, int) and not isinstance(one, bool)]
    if len(plain) == len(numbers) and plain and not (len(plain) == 3 and plain[2] == 0):
        return range(*plain[:3])
    if len(numbers) == 3 and isinstance(numbers[0], int) and isinstance(numbers[1], int):
        return range(numbers[0], numbers[1], max(1, numbers[1] // 3))
    start = numbers[0] if len(numbers) > 1 else 0
    first = start if isinstance(start, int) and abs(start) < LONGEST else 0
    count = machine.plan.batches if machine.loops else machine.plan.epochs * machine.plan.batches
    if len(numbers) == 1 and isinstance(numbers[0], Unknown):
        count -= count % numbers[0].multiple
    return range(first, first + count)


def _enumerate(machine: Machine, args: Args, kwargs: Kwargs) -> Value:
    start = args[1] if len(args) > 1 else kwargs.get("start", 0)
    first = start if isinstance(start, int) else 0
    return _Enumerated(args[0] if args else None, first, machine)


class _Enumerated(Loader):
    """`enumerate(x, n)`: a loader stays one, so that a pass over it can be seen."""

    def __init__(self, inner: Value, first: int, machine: Machine) -> None:
        super().__init__(machine.world, f"enumerate({label(inner)})")
        self.inner, self.first = inner, first


class _Zipped(Loader):
    """`zip(a, b)`."""

    def __init__(self, inner: Args, machine: Machine) -> None:
        super().__init__(machine.world, "zip()")
        self.inner = inner


def wrapped(machine: Machine, value: Value, gate: bool) -> Any:
    """The items of `enumerate` and `zip`, else None."""
    if isinstance(value, _Enumerated):
        inner = _source(machine, value.inner, gate)
        return ((value.first + number, one) for number, one in enumerate(iterate.items(machine, inner, gate=gate)))
    if isinstance(value, _Zipped):
        first = True
        iterators = []
        for one in value.inner:
            source = _source(machine, one, gate)
            iterators.append(iterate.items(machine, source, gate=gate and (first or isinstance(source, Loader))))
            first = False
        return (tuple(row) for row in zip(*iterators, strict=False))
    return None


def _source(machine: Machine, value: Value, gate: bool) -> Value:
    if gate and isinstance(value, Unknown) and value.size is None:
        return Loader(machine.world, value.path)
    return value


def known_length(value: Value) -> int | None:
    """How many items there are, where that is known without taking them."""
    if isinstance(value, _Enumerated):
        return known_length(value.inner)
    if isinstance(value, _Zipped):
        found = [known_length(one) for one in value.inner]
        plain = [one for one in found if one is not None]
        return min(plain) if plain else None
    return len(value) if isinstance(value, (list, tuple, range)) else None


def _collect(machine: Machine, args: Args, kwargs: Kwargs) -> Value:
    one = args[0] if args else []
    if isinstance(one, Unknown):
        return one
    if isinstance(one, Loader) and wrapped(machine, one, False) is None:
        return one
    return list(iterate.items(machine, one))[:LONGEST]


def _sorted(machine: Machine, args: Args, kwargs: Kwargs) -> Value:
    made = _collect(machine, args, kwargs)
    return ordered(machine, made, kwargs) if isinstance(made, list) else made


def _divmod(machine: Machine, args: Args, kwargs: Kwargs) -> Value:
    """Whole numbers; a window that is no number yet becomes one, as behind `%`."""
    from gradlint.verify.machine import expressions

    if len(args) != 2:
        return Unknown("divmod()")
    rest = expressions.operate(machine, ast.Mod(), args[0], args[1], literal=False, knob=False)
    by = args[1]
    if isinstance(by, Unknown) and not by.data and isinstance(args[0], int):
        by = machine.plan.knob
    return (expressions.operate(machine, ast.FloorDiv(), args[0], by, literal=False, knob=False), rest)


def _isinstance(machine: Machine, args: Args, kwargs: Kwargs) -> Value:
    if len(args) < 2:
        return Unknown("isinstance()")
    one, kinds = args[0], args[1]
    names = [label_of(kind) for kind in (kinds if isinstance(kinds, (list, tuple)) else [kinds])]
    tails = {name.rpartition(".")[2] for name in names}
    if isinstance(one, Model):
        parallel = bool(tails & {"DistributedDataParallel", "DDP", "DataParallel"})
        return one.parallel is not None if parallel else bool(tails & {"Module", "nn.Module"})
    if isinstance(one, Optimizer):
        return bool(tails & {"Optimizer", "SGD"})
    if isinstance(one, Live):
        return bool(tails & {"Tensor"})
    table = {"int": int, "float": float, "str": str, "list": list, "tuple": tuple, "dict": dict, "bool": bool}
    if isinstance(one, (int, float, str, list, tuple, dict, type(None))):
        return any(isinstance(one, table[tail]) for tail in tails if tail in table)
    if isinstance(one, Thing) or (isinstance(one, Unknown) and one.data):
        return Unknown(f"isinstance({label(one)})", data=True)
    return Unknown(f"isinstance({label(one)}, {sorted(tails)})", data=isinstance(one, Unknown) and one.data)


def label_of(kind: Value) -> str:
    """The name of a type."""
    return kind.name if isinstance(kind, (Ref, Class)) else label(kind)


def _hasattr(machine: Machine, args: Args, kwargs: Kwargs) -> Value:
    one, name = args[0], args[1] if len(args) > 1 else ""
    if isinstance(one, Model):
        wrapped_names = ("module", "no_sync", "require_backward_grad_sync")
        return one.parallel is not None if name in wrapped_names else Unknown(f"hasattr({one.path}, {name!r})")
    if isinstance(one, Sampler) and name == "set_epoch":
        return True
    if isinstance(one, Object):
        if name in one.attributes or (isinstance(name, str) and name in one.cls.methods):
            return True
        return Unknown(f"{one.path}.{name}")
    return Unknown(f"hasattr({label(one)}, {name!r})", data=isinstance(one, Unknown) and one.data)


def _getattr(machine: Machine, args: Args, kwargs: Kwargs) -> Value:
    from gradlint.verify.machine import attributes

    if len(args) >= 2 and isinstance(args[1], str):
        owner = args[0]
        if owner is None or (isinstance(owner, Object) and len(args) > 2 and args[1] not in owner.attributes):
            return args[2] if len(args) > 2 else None
        return attributes.get(machine, owner, args[1], machine.world.row)
    return Unknown("getattr()")


def _setattr(machine: Machine, args: Args, kwargs: Kwargs) -> Value:
    if len(args) == 3 and isinstance(args[0], Object) and isinstance(args[1], str):
        args[0].attributes[args[1]] = args[2]
    return None


def _number(kind: Callable[[float], float]) -> Callable[[Machine, Args, Kwargs], Value]:
    def run(machine: Machine, args: Args, kwargs: Kwargs) -> Value:
        one = args[0] if args else 0
        if isinstance(one, Scale) and kind is float:
            return one
        if isinstance(one, (int, float)) and abs(one) < 1e15:
            return kind(one)
        if isinstance(one, str) and kind is float and one.lower().lstrip("+-") in ("inf", "infinity", "nan"):
            return float(one)
        if isinstance(one, float):
            return one if kind is float else 2**62
        return Unknown(label(one), data=isinstance(one, Live) or (isinstance(one, Unknown) and one.data))

    return run


def _bool(machine: Machine, args: Args, kwargs: Kwargs) -> Value:
    one = args[0] if args else False
    return one if isinstance(one, Unknown) else bool(one)


def _extreme(kind: Callable[[Any], Any]) -> Callable[[Machine, Args, Kwargs], Value]:
    def run(machine: Machine, args: Args, kwargs: Kwargs) -> Value:
        values = list(args[0]) if len(args) == 1 and isinstance(args[0], (list, tuple)) else args
        numbers = [one for one in values if is_number(one)]
        if numbers and len(numbers) == len(values):
            return kind(numbers)
        unknown = [one for one in values if isinstance(one, Unknown)]
        if numbers and unknown and not any(one.data for one in unknown):
            return numbers[0]
        return Unknown("extreme", data=any(one.data for one in unknown))

    return run


def _sum(machine: Machine, args: Args, kwargs: Kwargs) -> Value:
    from gradlint.verify.world.live import added

    total: Value = 0
    for one in iterate.items(machine, args[0] if args else []):
        if isinstance(one, Live):
            total = added(total, one) if isinstance(total, Live) else one
        elif is_number(one) and is_number(total):
            total = total + one
        elif not isinstance(total, Live):
            total = Unknown("sum()", data=True)
    return total


def _next(machine: Machine, args: Args, kwargs: Kwargs) -> Value:
    one = args[0] if args else None
    if isinstance(one, Stream):
        return next(iter(one), args[1] if len(args) > 1 else Unknown("next()", data=True))
    if isinstance(one, list) and one:
        return one[0]
    return Unknown("batch", data=True, size=BATCH)


def _filter(machine: Machine, args: Args, kwargs: Kwargs) -> Value:
    if len(args) < 2:
        return Unknown("filter()")
    kept = [
        one for one in iterate.items(machine, args[1]) if args[0] is None or _keeps(machine.apply(args[0], [one], {}))
    ]
    return Stream(iter(kept), whole=iterate.all_parameters(kept))


def _keeps(answer: Value) -> bool:
    return answer if isinstance(answer, bool) else True


def _map(machine: Machine, args: Args, kwargs: Kwargs) -> Value:
    if len(args) < 2:
        return Unknown("map()")
    return Stream(iter([machine.apply(args[0], [one], {}) for one in iterate.items(machine, args[1])]))


def _any(machine: Machine, args: Args, kwargs: Kwargs) -> Value:
    values = list(iterate.items(machine, args[0])) if args else []
    plain = all(isinstance(one, (bool, int)) for one in values)
    return any(values) if plain else Unknown("any()", data=True)


def _all(machine: Machine, args: Args, kwargs: Kwargs) -> Value:
    values = list(iterate.items(machine, args[0])) if args else []
    plain = all(isinstance(one, (bool, int)) for one in values)
    return all(values) if plain else Unknown("all()", data=True)


def _same(machine: Machine, args: Args, kwargs: Kwargs) -> Value:
    one = args[0] if args else None
    if isinstance(one, (Thing, Stream, Unknown)):
        return one
    if isinstance(one, (list, tuple)):
        return Stream(iter(list(one)))
    return one


def _listed(machine: Machine, args: Args, kwargs: Kwargs) -> Value:
    one = args[0] if args else None
    if isinstance(one, range):
        return one[::-1]
    return list(one)[::-1] if isinstance(one, (list, tuple)) else one


def _mapping(machine: Machine, args: Args, kwargs: Kwargs) -> Value:
    made: dict[Any, Value] = dict(kwargs)
    if args and isinstance(args[0], dict):
        made = {**args[0], **kwargs}
    return made


def _power(machine: Machine, args: Args, kwargs: Kwargs) -> Value:
    return Unknown("a power", data=True)


def _callable(machine: Machine, args: Args, kwargs: Kwargs) -> Value:
    return args[0] is not None if args else False


def _abs(machine: Machine, args: Args, kwargs: Kwargs) -> Value:
    one = args[0] if args else 0
    return abs(one) if is_number(one) else one


def _zip(machine: Machine, args: Args, kwargs: Kwargs) -> Value:
    return _Zipped(args, machine)


_TABLE: dict[str, Callable[[Machine, Args, Kwargs], Value]] = {
    "len": length, "range": _range, "enumerate": _enumerate, "zip": _zip, "list": _collect, "tuple": _collect,
    "set": _collect, "sorted": _sorted, "divmod": _divmod, "dict": _mapping,
    "isinstance": _isinstance, "int": _number(int),
    "float": _number(float), "round": _number(round), "bool": _bool, "min": _extreme(min), "max": _extreme(max),
    "sum": _sum, "abs": _abs, "next": _next, "iter": _same, "filter": _filter, "map": _map, "reversed": _listed,
    "getattr": _getattr, "setattr": _setattr, "hasattr": _hasattr, "any": _any, "all": _all, "callable": _callable,
    "pow": _power,
}  # fmt: skip
