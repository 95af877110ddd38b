"""Items: what stands at a place of a list, a dictionary, a slice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from gradlint.interpret.anew import MANUFACTURED
from gradlint.interpret.arithmetic import compare
from gradlint.interpret.conditions import Typed
from gradlint.interpret.contents import unknowns_in
from gradlint.interpret.dispatch import HANDLERS, Handlers, evaluate
from gradlint.interpret.frame import Frame
from gradlint.interpret.machine import Machine
from gradlint.interpret.makers import one_of_torch, one_optimizer, one_schedule
from gradlint.interpret.operators import is_result
from gradlint.interpret.plan import Plan, last_name
from gradlint.interpret.registries import chosen_by_option
from gradlint.interpret.sequences import Slice, reversed_items
from gradlint.interpret.tracked import weight_of
from gradlint.interpret.traits import key_of, varies
from gradlint.interpret.typed import WITHOUT_SCALER, type_name
from gradlint.interpret.values import (
    ITEMS,
    MISSING,
    Constructor,
    Imported,
    Missing,
    Parameters,
    Partial,
    Routine,
    Series,
    SomeKey,
    Table,
    Tracked,
    Unknown,
    Value,
    come_from,
    shortened,
)
from gradlint.interpret.witnessing import of_item
from gradlint.model.factor import UNKNOWN_FACTOR
from gradlint.model.pattern import pattern
from gradlint.model.program import Attr, Item, Opaque, Program, Read
from gradlint.model.record import replace
from gradlint.model.roles import Role


def _item(machine: Machine, frame: Frame, node: Item) -> Value:
    base = HANDLERS[node.base.__class__](machine, frame, node.base)
    index = HANDLERS[node.index.__class__](machine, frame, node.index)
    value = _at(machine, frame, node, base, index)
    return of_item(machine, base, index, value) if machine.witnessed.on else value


def _at(machine: Machine, frame: Frame, node: Item, base: Value, index: Value) -> Value:
    if base.__class__ is not Unknown:
        machine.course.decides(index)
        held = (
            _made_for(base, index)
            if isinstance(base, Table) and (base.lists or base.makes)
            else one_of_torch(base, index) or _held(machine, items_of(base), index, node)
        )
        if held is not MISSING:
            return held
    hint = node.hint or (node.base.hint if isinstance(node.base, (Read, Attr)) else None)
    at = _label(key_of(base), key_of(index))
    key = f"{key_of(base)}[{at}]"
    if key in machine.objects.overrides:
        return machine.objects.overrides[key]
    if key in machine.plan.numbers.bindings:
        return machine.bound(key)
    if isinstance(base, Tracked) and base.role is Role.FOREIGN:
        return base
    if hint is not None and hint in MANUFACTURED and hint is not Role.LOADER and not is_result(base):
        return machine.objects.tracked(hint, key, "item")
    front = _front(machine, frame, base, node)
    if front is not None:
        return front
    if isinstance(base, Unknown):
        if base.data.held and f"[{at}]" in base.data.held:
            return base.data.held[f"[{at}]"]
        if isinstance(node.index, Opaque) and base.key in machine.plan.loops.counts:
            _count_slice(machine.plan, key, base.key, node.index.text)
        item = base.under(key)
        item.varying = base.varying or varies(index)
        item.leaves = frozenset((key,))
        item.factor, item.terms = weight_of(base), ()
        item.data = base.data.holding(None) if index == 0 else base.data.holding(None).measuring(None)
        bases = base.graph.bases if _is_own_key(base, index) else machine.names.part(base.graph.bases, at)
        smooth = base.graph.smooth_part(bases) if not isinstance(node.index, Opaque) else base.graph.smooth
        item.graph = base.graph.of(bases, smooth) if bases or smooth else base.graph.based(bases)
        return item
    value = machine.unknown(key, varies(index) or varies(base))
    return _one_of_them(value, base) if isinstance(base, Table) and isinstance(index, Unknown) else value


def _is_own_key(base: Unknown, index: Value) -> bool:
    """Whether a loop over what a network returned has given a key of it: `for name in losses: add(losses[name])`."""
    return isinstance(index, Unknown) and index.key in [f"{base.key}{place}" for place in _KEYS]


_KEYS = ("[*]", ".keys()[*]", ".items()[*].name")
"""What the keys of something are called that nobody can list."""


def _label(held: str, index: str) -> str:
    """What an item is called; each in turn where one goes over the keys: `for key in nets: nets[key].eval()`."""
    return "*" if index in (f"{held}[*]", f"{held}.keys()[*]") else index


def _one_of_them(value: Value, table: Table) -> Value:
    """What stands under a key that nobody knows, as far as it was computed: it is one of what the dictionary holds."""
    held = [one for one in unknowns_in(table) if one.graph.known]
    if not held or not isinstance(value, Unknown):
        return value
    came = come_from(value, held)
    factors = {weight_of(one) for one in held}
    came.factor = factors.pop() if len(factors) == 1 else UNKNOWN_FACTOR
    return came


def items_of(base: Value) -> Value:
    """The dictionary that an object is whose class derives from `dict`; else what it is itself."""
    held = base.attrs.get(ITEMS) if isinstance(base, Tracked) else None
    return base if held is None else held


def _front(machine: Machine, frame: Frame, base: Value, node: Item) -> Value:
    """`batches[:whole]`, `range(n)[::-1]`: the first of some batches that nobody can list, or all from the last on."""
    index = node.index
    if isinstance(index, Opaque) and index.text == BACKWARDS:
        turned = reversed_items(f"{key_of(base)}[{BACKWARDS}]", base)
        return turned if turned is not base else None
    if not isinstance(index, Opaque) or not index.text.startswith(":") or len(index.parts) != 1:
        return None
    if not isinstance(base, Unknown) or base.graph.known or base.form is not None:
        return None
    if base.key not in machine.plan.loops.measured | machine.plan.loops.loaders:
        return None  # nobody asks how many there are
    stop = evaluate(machine, frame, index.parts[0])
    key = shortened(f"{base.key}[{index.text}]")
    return Unknown(key, base.varying, leaves=frozenset((key,)), form=Slice(base, stop))


_Held = TypeVar("_Held")


BACKWARDS = "::-1"
_SLICE = pattern(r"(?P<start>-?\d*):(?P<stop>-?\d*)")


def _count_slice(plan: Plan, key: str, whole: str, text: str) -> None:
    """`data[:6]` of so many batches is six of them."""
    plan.loops.counts[key] = len(sliced(range(plan.loops.counts[whole]), text))


def sliced(items: Sequence[_Held], text: str) -> list[_Held]:
    """What a slice takes; everything, where nobody knows its ends or nothing would be left."""
    found = _SLICE.fullmatch(text.replace(" ", ""))
    if text == BACKWARDS:
        return list(items[::-1])
    if found is None:
        return list(items)
    start, stop = (int(found[end]) if found[end].strip("-") else None for end in ("start", "stop"))
    return list(items[start:stop]) or list(items)


_ANY_KEY = object()


def _made_for(base: Table, index: Value) -> Value:
    """What a `defaultdict` holds there; under a key that nobody knows there may be anything, but each time the same."""
    if base.makes is not None:
        key = index if isinstance(index, (str, int, bool)) or index is None else SomeKey(key_of(index))
        if key not in base.items:
            base.items[key] = base.makes()
        return base.items[key]
    if isinstance(index, (Unknown, Tracked)):
        return base.items.setdefault(_ANY_KEY, Unknown(f"{key_of(base)}[*]", varying=True))
    key = index if isinstance(index, (str, int, bool)) or index is None else key_of(index)
    return base.items.setdefault(key, Series([], born=base.born))


def _held(machine: Machine, base: Value, index: Value, node: Item) -> Value | Missing:
    """What a list, a dictionary or parameters hold there."""
    if isinstance(base, Table):
        key = SomeKey(index.key) if isinstance(index, Unknown) else index
        if not isinstance(key, Series) and key in base.items:
            return base.items[key]
        chosen = _by_default(machine.plan, base, index)
        chosen = chosen_by_option(machine, base, index) if chosen is MISSING else chosen
        found = _one_of(machine.program, list(base.items.values())) if chosen is MISSING else chosen
        return _type_of(machine, base, index) if found is MISSING and isinstance(index, Unknown) else found
    if isinstance(base, Parameters):
        if base.held is not None and index == "lr":
            return Unknown(f"{base.held.key}.lr", leaves=frozenset((f"{base.held.key}.lr",)))
        return base if isinstance(index, str) or base.some else replace(base, some=f"[{key_of(index)}]")
    if isinstance(base, Series):
        if isinstance(index, int) and -len(base.items) <= index < len(base.items):
            return base.items[index]
        if isinstance(node.index, Opaque):
            return Series(sliced(base.items, node.index.text), base.kind)
        if base.items and all(isinstance(item, Tracked) for item in base.items):
            return base.items[0]
    return MISSING


def _by_default(plan: Plan, table: Table, index: Value) -> Value | Missing:
    """What a dictionary holds under the word that an option has by default: `AGENTS[args.algo]`."""
    name = plan.numbers.texts.get(last_name(index.key)) if isinstance(index, Unknown) else None
    held = table.items.get(name, MISSING) if name is not None else MISSING
    return held if isinstance(held, (Routine, Partial, Constructor)) else MISSING


def _type_of(machine: Machine, table: Table, index: Unknown) -> Value | Missing:
    """What a table of types, and of nothing else, holds under an option, where it is bfloat16 for one text."""
    plain = all(map(type_name, table.items.values()))
    low = [key for key, item in table.items.items() if plain and key_of(item).endswith(".bfloat16")]
    if len(low) != 1 or not isinstance(low[0], str):
        return MISSING
    key = f"{key_of(table)}[{key_of(index)}]"
    others = frozenset(type_name(item) for key, item in table.items.items() if key != low[0])
    form = Typed(index, compare(machine, "==", index, low[0]), others)
    return Unknown(key, index.varying, leaves=frozenset((key,)), form=form)


def _one_of(program: Program, items: list[Value]) -> Value | Missing:
    """One of several types or criteria, nobody knows which: how these reduce is known where they all do alike."""
    if chosen := one_optimizer(program, items) or one_schedule(items):
        return chosen
    if types := {item.name.rsplit(".", 1)[-1] for item in items if isinstance(item, Imported)}:
        return _low(items, types)
    if items and all(isinstance(item, (Routine, Partial, Constructor)) for item in items):
        return items[0]
    if not items or not all(isinstance(item, Tracked) and item.role is Role.CRITERION for item in items):
        return MISSING
    kinds = {item.make.kind for item in items if isinstance(item, Tracked)}
    first = items[0]
    if not isinstance(first, Tracked):
        return MISSING
    return replace(first, make=replace(first.make, kind=kinds.pop() if len(kinds) == 1 else ""))


def _low(items: list[Value], types: set[str]) -> Value | Missing:
    """Of some types the one that autocast is switched on for, where no other needs a scaler."""
    if len(types) < 2 or not types <= WITHOUT_SCALER or not all(isinstance(item, Imported) for item in items):
        return MISSING
    return next((item for item in items if key_of(item).endswith(".bfloat16")), MISSING)


ITEM: Handlers = {Item: _item}
