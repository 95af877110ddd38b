"""Places: what says where something stands or whether it counts, in whole numbers; no gradient goes through it.

torch.gather(x, 1, index)      reaches what computed `x`, not what computed `index`
values, index = x.topk(3)      `values` has a graph, `index` has none
x * (x > limit)                nor has a comparison
"""

from __future__ import annotations

from collections.abc import Mapping

from gradlint.interpret.contents import unknowns_in
from gradlint.interpret.effects.use import Site
from gradlint.interpret.traits import is_number
from gradlint.interpret.values import Imported, Unknown, Value, another, cut_off
from gradlint.libraries.tensors import CONDITION, INDICES, LIKENING, PLACED, WHOLE, WHOLES

_MODULES = frozenset({"torch", "torch.nn.functional", "torch.special"})


def _of_torch(key: str, receiver: Value) -> bool:
    """Whether something is called that is a function of torch, or may be a method of a tensor."""
    if receiver.__class__ is Unknown:
        return receiver.varying or receiver.graph.known
    return isinstance(receiver, Imported) and key.rpartition(".")[0] in _MODULES


def without_places(site: Site, key: str, receiver: Value) -> list[Value]:
    """The arguments of a call; of what torch takes for an index or a mask nothing is left of where it came from."""
    called = key.rpartition(".")[2].rstrip("_")
    if called in LIKENING and receiver.__class__ is Unknown and _of_torch(key, receiver):
        return [Unknown(value.key, value.varying) if value.__class__ is Unknown else value for value in site.values]
    place, keyword = CONDITION if called == "where" else INDICES.get(called, (-1, ""))
    if receiver.__class__ is Unknown and called != "where":
        place -= 1
    if place < 0 or not _of_torch(key, receiver):
        return site.values
    args = [_emptied(value) if number == place else value for number, value in enumerate(site.args)]
    keywords = [_emptied(value) if held == keyword else value for held, value in site.keywords.items()]
    return [*args, *keywords]


def _emptied(value: Value) -> Value:
    """The same without a graph; of a tuple of indices nothing but numbers is left."""
    if value.__class__ is Unknown:
        return cut_off(another(value))
    return None if any(part.graph.known for part in unknowns_in(value)) else value


def settle(site: Site, key: str, receiver: Value, own: list[Unknown], result: Unknown) -> None:
    """Note of what a call gave how far it is of whole numbers, where torch was called."""
    name = key.rpartition(".")[2]
    if not _of_torch(key, receiver) or not any(part.graph.known for part in own):
        return
    if name in WHOLE:
        cut_off(result)
    elif name in PLACED and (name not in _WITHOUT or _along(site, name)):
        where = cut_off(another(result))
        held: Mapping[str, Value] = {**(result.data.held or {}), "[1]": where, ".indices": where}
        result.data = result.data.holding(held)


_WITHOUT = frozenset({"max", "median", "min", "nanmedian"})
"""What gives but one number where it is told no dimension."""


def _along(site: Site, name: str) -> bool:
    """Whether a dimension is given: a number that stands last, or under its name."""
    return "dim" in site.keywords or any(is_number(value) for value in site.args[-2:])


def is_whole(values: list[Value]) -> bool:
    """Whether `to` or `type` is given a type of whole numbers."""
    return any(_names_whole(value) for value in values)


def _names_whole(value: Value) -> bool:
    if not isinstance(value, Imported):
        return False
    package, _, last = value.name.rpartition(".")
    return package in ("torch", "torch.cuda") and last in WHOLES
