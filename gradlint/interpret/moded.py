"""What of a network asks for its mode: dropout, batch norm, `self.training`; and what of it nobody sees.

class Net(nn.Module):
    def __init__(self, trunk, size):
        self.trunk = trunk                    given: whoever hands it over knows
        self.block = Block(size)              looked into, wherever the project has it
        self.drop = nn.Dropout(0.5)           asks
        self.head = timm.create_model(...)    hidden
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gradlint.interpret.handed import given_through, given_to, is_of_self
from gradlint.interpret.limits import dotted, name_of, nodes, parts_of_function, parts_of_whole, whole
from gradlint.interpret.lineage import classes_of
from gradlint.interpret.traits import CONSTANTS, is_device, key_of
from gradlint.interpret.unseen_layers import Unseen
from gradlint.interpret.values import SPREAD, Imported, Series, Tracked, Unknown, Value
from gradlint.libraries.conventions.layers import MODED
from gradlint.libraries.conventions.roles import CONFIG_NAME
from gradlint.model.pattern import pattern
from gradlint.model.program import Assign, Attr, Call, Class, Const, Expr, Function, If, Program, Read, Star
from gradlint.model.program.expressions import Test as Compared
from gradlint.model.record import dataclass

MAX_PARTS = 200
"""So many classes and functions of one network are looked into."""


@dataclass(frozen=True, slots=True)
class Asking:
    """What asks for the mode of a network of some class.

    Attributes:
        asks: whether a layer that it makes, or a method of its own, does something else in evaluation mode.
        hidden: whether something of it is made out of sight.
        given: the names under which it holds what it was handed over, and may call it.
        idle: the names of layers of its own that it makes and never runs.
        chosen: whether all that asks stands under options: `if norm == "batch": self.norm = nn.BatchNorm1d(8)`.
        through: the parameters of its `__init__` through which `given` comes, each with what it is where nobody
            hands anything; `None` where another method takes some of it.
    """

    asks: bool = False
    hidden: bool = False
    given: frozenset[str] = frozenset()
    idle: frozenset[str] = frozenset()
    chosen: bool = False
    through: dict[str, Expr | None] | None = None


def has_one_mode(program: Program, module: Tracked, *, deep: int = 4) -> bool:
    """Whether `eval()` changes nothing about a network: all of its class is in sight, and nothing asks for the mode.

    Args:
        program: what the class stands in.
        module: the network.
        deep: how many networks inside one another are looked into.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.nn.Module.html#torch.nn.Module.eval
    """
    if module.cls is None or not deep:
        return module.make.extra.get("one mode") is True
    asking = asking_of(program, module.cls)
    held = (value for name, value in module.attrs.items() if name not in asking.idle)
    if asking.asks or asking.hidden or any(map(_says_so, held)):
        return False
    if all(_is_known(program, module.attrs.get(name), deep - 1) for name in asking.given):
        return True
    handed = module.make.handed
    if not handed or asking.through is None or asking.given & module.attrs.keys():
        return False
    return all(
        _is_known(program, handed[name], deep - 1) if name in handed else SPREAD not in handed and _is_const(default)
        for name, default in asking.through.items()
    )


def may_be_without(program: Program, module: Tracked) -> bool:
    """Whether a network was handed words, or `False`, and has layers that ask for the mode by such options alone."""
    return module.make.worded and module.cls is not None and asking_of(program, module.cls).chosen


def _says_so(value: Value) -> bool:
    """Whether what a network holds is called like a layer that asks, wherever it was set."""
    return bool(MODED.search(_AT_REST.sub("", key_of(value))))


_AT_REST = pattern(r"\w*Drop\w*\((p=)?0(\.0*)?(?=[,)])")


def _is_known(program: Program, value: Value, deep: int) -> bool:
    """Whether what a network was given is a number or a word, a function of torch, or a network with one mode."""
    if isinstance(value, Tracked):
        return has_one_mode(program, value, deep=deep)
    if isinstance(value, Imported):
        return value.name.startswith("torch.") and not MODED.search(value.name.rpartition(".")[2])
    if isinstance(value, Series):
        return not value.open and all(_is_known(program, one, deep) for one in value.items)
    if isinstance(value, Unknown):
        return is_device(value)
    return value is not None and value.__class__ in CONSTANTS


def _is_const(default: Expr | None) -> bool:
    return isinstance(default, Const)


def asking_of(program: Program, cls: Class) -> Asking:
    """What asks for the mode in a class, its bases, and all that these make or call in the project."""
    known: Asking | None = program.asking.get(cls)
    if known is None:
        known = program.asking[cls] = _look(program, cls)
    return known


def _look(program: Program, cls: Class) -> Asking:
    todo: list[Class | Function] = [cls]
    seen: set[Class | Function] = set()
    hidden = chosen = False
    while todo and len(seen) <= MAX_PARTS:
        one = todo.pop()
        if one in seen:
            continue
        seen.add(one)
        look = _Look(program, one)
        if look.asks():
            if look.asks(spared=look.optional()):
                return Asking(asks=True)
            chosen = True
        hidden = hidden or look.unseen.is_there()
        todo += look.leads()
    if chosen:
        return Asking(asks=True, chosen=True)
    own = _Look(program, cls).idle()
    idle = frozenset(name_of(one.target) for one in own)
    given = given_to(program, classes_of(program, cls))
    through = given_through(program, classes_of(program, cls), given) if given else {}
    return Asking(hidden=hidden or bool(todo), given=given, idle=idle, through=through)


class _Look:
    """A class with its bases, or a function, and all statements and expressions in it."""

    def __init__(self, program: Program, one: Class | Function) -> None:
        self.program = program
        self.one = one
        self.unseen = Unseen(program, one)
        self.functions = [inner for function in self.unseen.outer for inner in whole(function)]
        self.parts = [parts_of_whole(function) for function in self.functions]
        self.parts += [tuple(nodes(cls.fields)) for cls in self.unseen.classes]

    def optional(self) -> frozenset[int]:
        """What stands under a guard that asks a parameter of its function, and what drops as much as one says."""
        found = set[int]()
        for function in self.functions:
            names = {one.name for one in function.parameters}
            found |= {
                id(part) for part in parts_of_function(function) if isinstance(part, Call) and _drops(part, names)
            }
            guards = (part for part in parts_of_function(function) if isinstance(part, If))
            for guard in guards:
                asked = guard.test.left if isinstance(guard.test, Compared) else guard.test
                if isinstance(asked, Read) and asked.name in names:
                    found |= {id(part) for part in nodes((guard.then, guard.other))}
        return frozenset(found)

    def asks(self, spared: frozenset[int] = frozenset()) -> bool:
        """Whether a layer asks for the mode, or a method of its own, or it does something where one is switched.

        What is `spared` is not looked at.
        """
        overrides = any(cls.methods.keys() & _SWITCHES for cls in self.unseen.classes)
        bases = {base.rpartition(".")[2] for base in self.unseen.bases()}
        derives = any(MODED.search(base) or base in _BEFORE_THE_MODE for base in bases)
        set_later = any(isinstance(part, Attr) and part.name == "p" for parts in self.parts for part in parts)
        if overrides or derives:
            return True
        idle = {id(one.value) for one in self.idle()} | spared
        return any(_ask(parts, idle, set_later=set_later) for parts in self.parts)

    def idle(self) -> list[Assign]:
        """The layers that are made under a name of `self` that nothing in it ever asks for: they never run."""
        if isinstance(self.one, Function):
            return []
        parts = [part for parts in self.parts for part in parts]
        made = [part for part in parts if isinstance(part, Assign) and is_of_self(part.target)]
        targets = {id(part.target) for part in made}
        asked = {part.name for part in parts if isinstance(part, Attr) and id(part) not in targets}
        if asked & _OVER_ALL or any(name_of(part) in _BY_NAME for part in parts if isinstance(part, Read)):
            return []
        used = {id(part.value) for part in made if name_of(part.target) in asked}
        return [part for part in made if id(part.value) not in used]

    def leads(self) -> Iterator[Class | Function]:
        """The classes and functions of the project that it names."""
        for function in self.functions:
            home = self.program.home(function)
            for part in parts_of_whole(function):
                path = dotted(part)
                found = self.program.defined(home, path) if path else None
                if found is not None:
                    yield found


def _drops(call: Call, names: set[str]) -> bool:
    """`nn.Dropout(rate)`, where the rate is one of some names."""
    rate = dict(call.keywords).get("p") or (call.args[0] if call.args else None)
    return "drop" in _called(call.func).lower() and isinstance(rate, Read) and rate.name in names


def _ask(parts: tuple[Any, ...], idle: set[int] | frozenset[int], *, set_later: bool) -> bool:
    """Whether a layer is made or named that asks for the mode and is not `idle`, or something asks for it itself."""
    called = {id(part.func) for part in parts if isinstance(part, Call)} | idle
    return any(
        _makes_moded(part, set_later=set_later) if isinstance(part, Call) else _names_moded(part)
        for part in parts
        if id(part) not in called
    )


def _names_moded(part: object) -> bool:
    if not isinstance(part, (Attr, Read)):
        return False
    if isinstance(part, Attr) and part.name in _OF_ITS_OWN:
        return not CONFIG_NAME.search(name_of(part.base))
    name = _called(part)
    return name[:1].isupper() and bool(MODED.search(name))


def _called(part: object) -> str:
    """What a name is called where it comes from: `Norm` of `from torch.nn import BatchNorm1d as Norm`."""
    whole_name = part.qualified if isinstance(part, (Read, Attr)) else None
    return whole_name.rpartition(".")[2] if whole_name else name_of(part)


def _makes_moded(call: Call, *, set_later: bool) -> bool:
    name, words = _called(call.func), dict(call.keywords)
    if "track_running_stats" in words or (name == "getattr" and any(name_of(one) == "self" for one in call.args)):
        return True
    if (before := _BEFORE_THE_MODE.get(name)) is not None:
        told = len(call.args) > before or any(isinstance(one, Star) for one in call.args)
        return told or not words.keys().isdisjoint({"dropout", None})
    own = dotted(call.func).startswith("self.")
    return (
        not own and bool(MODED.search(name)) and (set_later or not _is_off(call, words.get("dropout", words.get("p"))))
    )


def _is_off(call: Call, rate: object) -> bool:
    """Whether what drops is told to drop nothing."""
    rate = rate if rate is not None else call.args[0] if call.args else None
    return isinstance(rate, Const) and rate.value in (0, 0.0) and "norm" not in _called(call.func).lower()


_BEFORE_THE_MODE = {
    "LSTM": 5,
    "GRU": 5,
    "RNN": 5,
    "MultiheadAttention": 2,
    "InstanceNorm1d": 4,
    "InstanceNorm2d": 4,
    "InstanceNorm3d": 4,
}
"""Layers that ask for the mode where they are told so, and how many arguments come before that one."""
_OVER_ALL = frozenset({"children", "modules", "named_children", "named_modules", "apply", "_modules", "__dict__"})
_BY_NAME = frozenset({"getattr", "setattr", "vars"})
"""What gets at all that a network holds, without its name."""
_OF_ITS_OWN = frozenset({"training", "track_running_stats"})
_SWITCHES = frozenset({"train", "eval", "__getattr__", "__call__"})
"""Methods that may do anything where a mode is switched, or hide what is held."""
