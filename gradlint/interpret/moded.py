"""What of a network asks for its mode: dropout, batch norm, `self.training`; and what of it nobody sees.

class Net(nn.Module):
    def __init__(self, trunk, size):
        self.trunk = trunk                    given: whoever hands it over knows
        self.block = Block(size)              looked into, wherever the project has it
        self.drop = nn.Dropout(0.5)           asks
        self.head = timm.create_model(...)    hidden
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Iterator
from typing import Any

from gradlint.interpret.handed import given_to
from gradlint.interpret.limits import dotted, name_of, nodes, parts_of_whole, whole
from gradlint.interpret.lineage import classes_of
from gradlint.interpret.traits import CONSTANTS, key_of
from gradlint.interpret.values import Imported, Tracked, Value
from gradlint.libraries.conventions.layers import MODED
from gradlint.libraries.conventions.roles import CONFIG_NAME
from gradlint.libraries.packages import WITHOUT_LAYERS
from gradlint.model.pattern import pattern
from gradlint.model.program import Attr, Call, Class, Const, Function, Program, Read, Star
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
    """

    asks: bool = False
    hidden: bool = False
    given: frozenset[str] = frozenset()


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
    if asking.asks or asking.hidden or any(map(_says_so, module.attrs.values())):
        return False
    return all(_is_known(program, module.attrs.get(name), deep - 1) for name in asking.given)


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
    return value is not None and value.__class__ in CONSTANTS


def asking_of(program: Program, cls: Class) -> Asking:
    """What asks for the mode in a class, its bases, and all that these make or call in the project."""
    known: Asking | None = program.asking.get(cls)
    if known is None:
        known = program.asking[cls] = _look(program, cls)
    return known


def _look(program: Program, cls: Class) -> Asking:
    todo: list[Class | Function] = [cls]
    seen: set[Class | Function] = set()
    hidden = False
    while todo and len(seen) <= MAX_PARTS:
        one = todo.pop()
        if one in seen:
            continue
        seen.add(one)
        look = _Look(program, one)
        if look.asks():
            return Asking(asks=True)
        hidden = hidden or look.hides()
        todo += look.leads()
    return Asking(hidden=hidden or bool(todo), given=given_to(program, classes_of(program, cls)))


class _Look:
    """A class with its bases, or a function, and all statements and expressions in it."""

    def __init__(self, program: Program, one: Class | Function) -> None:
        self.program = program
        self.classes = classes_of(program, one) if isinstance(one, Class) else ()
        own = [method for cls in self.classes for method in cls.methods.values()]
        own += [one] if isinstance(one, Function) else []
        self.functions = [inner for function in own for inner in whole(function)]
        self.parts = [parts_of_whole(function) for function in self.functions]
        self.parts += [tuple(nodes(cls.fields)) for cls in self.classes]

    def asks(self) -> bool:
        """Whether a layer asks for the mode, or a method of its own, or it does something where one is switched."""
        overrides = any(cls.methods.keys() & _SWITCHES for cls in self.classes)
        derives = any(MODED.search(base.rpartition(".")[2]) for base in self._bases())
        return overrides or derives or any(map(_ask, self.parts))

    def hides(self) -> bool:
        """Whether a base, or what it calls, is out of sight and may bring layers."""
        bases = self._bases()
        if any(base.rpartition(".")[2] in _IN_A_ROW for base in bases) and any(map(_sets_up_base, self._all())):
            return True
        return any(not _is_bare(base) for base in bases) or any(
            isinstance(part, Call) and self._hides(function, part)
            for function in self.functions
            for part in parts_of_whole(function)
        )

    def _bases(self) -> set[str]:
        """The qualified names of the bases that are out of sight."""
        names = {cls.name for cls in self.classes}
        return {base for cls in self.classes for base in cls.bases if base.rpartition(".")[2] not in names}

    def _all(self) -> Iterator[Any]:
        return (part for parts in self.parts for part in parts)

    def leads(self) -> Iterator[Class | Function]:
        """The classes and functions of the project that it names."""
        for function in self.functions:
            home = self.program.home(function)
            for part in parts_of_whole(function):
                path = dotted(part)
                found = self.program.defined(home, path) if path else None
                if found is not None:
                    yield found

    def _hides(self, function: Function, call: Call) -> bool:
        """Whether a call may make layers that nobody sees."""
        path = dotted(call.func)
        first, _, rest = path.partition(".")
        if not path:
            return not isinstance(
                call.func, Attr
            )  # what `blocks()[0].view(...)` is a method of is looked at for itself
        home = self.program.home(function)
        if first in _AT_HAND or self.program.defined(home, path) is not None:
            return False
        there = home.imports.get(first)
        if there is not None:
            named = f"{there}.{rest}" if rest else there
            return named.startswith(_HUBS) or named.partition(".")[0] not in WITHOUT_LAYERS | sys.stdlib_module_names
        return not rest and (any(one.name == first for one in function.parameters) or first not in function.local)


def _is_bare(base: str) -> bool:
    """Whether a base brings no layers that ask for the mode: torch's own, and what is of Python."""
    return base.rpartition(".")[2] in _BARE or base.partition(".")[0] in WITHOUT_LAYERS | sys.stdlib_module_names


def _sets_up_base(part: object) -> bool:
    """Whether what a class derives from is made of something: `super().__init__(*layers)`."""
    func = part.func if isinstance(part, Call) and part.args else None
    return isinstance(func, Attr) and isinstance(func.base, Call) and name_of(func.base.func) == "super"


def _ask(parts: tuple[Any, ...]) -> bool:
    """Whether a layer is made or named that asks for the mode, or something asks for it itself."""
    called = {id(part.func) for part in parts if isinstance(part, Call)}
    return any(
        _makes_moded(part) if isinstance(part, Call) else _names_moded(part) for part in parts if id(part) not in called
    )


def _names_moded(part: object) -> bool:
    if not isinstance(part, (Attr, Read)):
        return False
    own = isinstance(part, Attr) and isinstance(part.base, Read) and not CONFIG_NAME.search(part.base.name)
    return (own and part.name in _OF_ITS_OWN) or (part.name[:1].isupper() and bool(MODED.search(part.name)))


def _makes_moded(call: Call) -> bool:
    name = name_of(call.func)
    words = dict(call.keywords)
    if "track_running_stats" in words:
        return True
    if (before := _BEFORE_THE_MODE.get(name)) is not None:
        told = len(call.args) > before or any(isinstance(one, Star) for one in call.args)
        return told or not words.keys().isdisjoint({"dropout", None})
    own = dotted(call.func).startswith("self.")
    return not own and bool(MODED.search(name)) and not _is_off(call, words.get("dropout", words.get("p")))


def _is_off(call: Call, rate: object) -> bool:
    """Whether what drops is told to drop nothing."""
    rate = rate if rate is not None else call.args[0] if call.args else None
    return isinstance(rate, Const) and rate.value in (0, 0.0) and "norm" not in name_of(call.func).lower()


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
_OF_ITS_OWN = frozenset({"training", "track_running_stats"})
_SWITCHES = frozenset({"train", "eval", "__getattr__", "__call__"})
"""Methods that may do anything where a mode is switched, or hide what is held."""
_IN_A_ROW = frozenset({"Sequential", "ModuleList", "ModuleDict"})
_BARE = _IN_A_ROW | {"Module", "LightningModule", "ABC", "object", "Generic", "Protocol"}
"""Bases that bring no layers."""
_AT_HAND = frozenset({"self", "cls", "super", *dir(builtins)})
_HUBS = ("torch.hub", "torch.jit", "torch.package", "torch.load", "torch.nn.Module.")
