"""Assignment: what a name, an attribute or an item stands for from now on, and what objects are called."""

from __future__ import annotations

from gradlint.interpret.anew import is_handle, manufactured, name_network
from gradlint.interpret.arithmetic import like_a_loss
from gradlint.interpret.atoms import truth
from gradlint.interpret.contents import things_in
from gradlint.interpret.dispatch import evaluate
from gradlint.interpret.frame import Frame
from gradlint.interpret.growing import set_beside
from gradlint.interpret.layers import is_layer, layer
from gradlint.interpret.machine import Machine
from gradlint.interpret.modes import freeze, set_mode
from gradlint.interpret.modules import set_in
from gradlint.interpret.paces import note_begun
from gradlint.interpret.rates import set_rate
from gradlint.interpret.shuffled import ONE_OF_SEVERAL
from gradlint.interpret.state.objects import Objects
from gradlint.interpret.tracked import note_plugin, weight_of
from gradlint.interpret.traits import is_attached, is_own, key_of, on_class
from gradlint.interpret.values import (
    ITEMS,
    Constructor,
    Imported,
    Parameters,
    Series,
    SomeKey,
    Table,
    Tracked,
    Unknown,
    Value,
)
from gradlint.interpret.witnessing import frozen, part_of, set_part
from gradlint.libraries.conventions.numbers import WEIGHT_NAME
from gradlint.model.events import EventLog, Kept, Kind, Stamp
from gradlint.model.factor import ONE, UNKNOWN_FACTOR
from gradlint.model.finding import Span
from gradlint.model.pattern import pattern
from gradlint.model.program import Attr, Display, Expr, Item, Read, Star
from gradlint.model.record import replace
from gradlint.model.roles import Role


def assign(machine: Machine, frame: Frame, target: Expr, value: Value, span: Span, fresh: bool = True) -> None:
    """Store `value`; `fresh` says that this begins a new life of the target."""
    if fresh and value.__class__ is not Unknown:
        if isinstance(value, Tracked):
            _name_tracked(machine, frame, target, value)
        elif isinstance(value, (Series, Table)):
            _name_items(machine, frame, target, value)
    if target.__class__ is Read:
        name = target.name
        home = frame if name in frame.function.local else frame.home(name)
        home.values[name] = value if target.hint is None else _local(machine, home, target, value)
        if fresh or name not in home.born:
            home.born[name] = machine.course.stamp
            if machine.scenario.guards and machine.scenario.paces:
                note_begun(machine, name)
    elif isinstance(target, Attr):
        base = evaluate(machine, frame, target.base)
        _hold(machine, frame, target, base, f".{target.name}", value, span)
        if target.name == "training":
            set_mode(machine, base, value, span, f"{key_of(base)}.training")
        _set_attribute(machine, base, target, value, fresh)
    elif isinstance(target, Item):
        base = evaluate(machine, frame, target.base)
        index = evaluate(machine, frame, target.index)
        _hold(machine, frame, target, base, "" if isinstance(index, Unknown) else f"[{key_of(index)}]", value, span)
        _set_item(machine, base, index, value)
        note_plugin(machine, base)
    elif isinstance(target, Display):
        _unpack(machine, frame, target, value, span)
    elif isinstance(target, Star):
        assign(machine, frame, target.value, value, span, fresh)


def _hold(
    machine: Machine, frame: Frame, target: Attr | Item, base: Value, place: str, value: Value, span: Span
) -> None:
    """A part of what a model has returned is replaced: `out.loss /= n`, `losses["box"] = losses["box"] / n`.

    Where nobody knows which part it is, the weight of none is known any more. A batch keeps what was computed of it:
    `batch["output"] = model(**batch)`.
    """
    if not isinstance(base, Unknown) or not isinstance(value, Unknown):
        return
    if not (base.graph.forwards or like_a_loss(target) or (base.varying and value.graph.forwards)):
        return
    if place:
        base.data = base.data.holding({**(base.data.held or {}), place: value})
    elif value.factor != ONE:
        base.factor = UNKNOWN_FACTOR
    if isinstance(target.base, (Attr, Item)):
        assign(machine, frame, target.base, base, span, fresh=False)


def _set_item(machine: Machine, base: Value, index: Value, value: Value) -> None:
    base = own_items(base) or base
    if isinstance(base, Table):
        _set_entry(base, index, value)
    elif isinstance(base, Series):
        if isinstance(index, int) and -len(base.items) <= index < len(base.items):
            base.items[index] = value
    elif isinstance(base, Parameters):
        if base.held is not None and index == "lr":
            set_rate(machine, base.held, value)
    elif isinstance(base, Unknown) and isinstance(index, str) and WEIGHT_NAME.search(index):
        base.data = replace(base.data, weighs=True)
    elif isinstance(base, Unknown) and not base.varying and not isinstance(value, Unknown):
        machine.objects.overrides[f"{base.key}[{key_of(index)}]"] = value
    elif isinstance(base, Unknown) and isinstance(value, Unknown) and value.detached and _any_of(base, index):
        base.detached, base.graph, base.data = True, base.graph.based(frozenset()), base.data.holding(None)


def _set_entry(table: Table, index: Value, value: Value) -> None:
    if isinstance(index, (str, int, bool)):
        table.items[index] = value
    elif not isinstance(index, Unknown):
        return
    elif is_own(value) or (isinstance(value, Unknown) and value.graph.forwards):
        table.items[SomeKey(index.key)] = value
    elif isinstance(value, Tracked) and value.role is Role.LOADER:
        extra = {**value.make.extra, ONE_OF_SEVERAL: True}
        table.items[SomeKey(index.key)] = replace(value, make=replace(value.make, extra=extra))


def own_items(base: Value) -> Table | None:
    """What an object holds as a dictionary, whose class derives from `dict`."""
    if not isinstance(base, Tracked) or base.cls is None or _DICTIONARIES.isdisjoint(base.cls.bases):
        return None
    held = base.attrs.setdefault(ITEMS, Table({}))
    return held if isinstance(held, Table) else None


_DICTIONARIES = frozenset({"dict", "collections.OrderedDict", "collections.UserDict", "OrderedDict", "UserDict"})


def _any_of(base: Unknown, index: Value) -> bool:
    """`for key, value in losses.items(): losses[key] = value.item()`: all of it is numbers then."""
    return isinstance(index, Unknown) and index.varying and index.key.startswith(f"{base.key}.")


def loop_over(machine: Machine, frame: Frame, target: Expr, item: Value, span: Span) -> None:
    """Bind a loop's target; the object keeps the name it has elsewhere."""
    if isinstance(target, Read):
        home = frame.home(target.name)
        home.values[target.name] = item
        home.born[target.name] = machine.course.stamp
    else:
        assign(machine, frame, target, item, span)


def _set_attribute(machine: Machine, base: Value, target: Attr, value: Value, fresh: bool) -> None:
    if isinstance(base, Constructor):
        machine.objects.overrides[on_class(base.cls, target.name)] = value
    if isinstance(base, Imported):
        set_in(machine, base, target.name, value)
    if isinstance(base, Unknown) and not base.varying and not isinstance(value, Unknown):
        machine.objects.overrides[f"{base.key}.{target.name}"] = value
    if isinstance(base, Parameters) and target.name == "requires_grad":
        freeze(machine, base.roots, truth(value), base.some)
        if machine.witnessed.on:
            frozen(machine, base, None, value)
    if not isinstance(base, Tracked):
        return
    if base.role is Role.SAMPLER and target.name in ("epoch", "seed") and not machine.stack.preparing:
        machine.emit(Kind.SET_EPOCH, machine.here, base.key, "")
    if target.name == "require_backward_grad_sync":
        # DDP reads its own flag, not that of what it holds
        if base.distributed or base.root not in machine.ranks.wrappers:
            machine.ranks.switch(base.root, truth(value))
        base.attrs[target.name] = value
        return
    made = manufactured(machine, value, target.hint, f"{base.key}.{target.name}")
    made = _kept_scaler(base, target, made) or made
    name_network(machine, made, value, f"{base.key}.{target.name}", local=False)
    base.attrs[target.name] = _of_parts(machine.objects, made, value)
    if machine.witnessed.on and base in machine.witnessed.handles:
        set_part(machine, base, target.name, base.attrs[target.name])
    if fresh or target.name not in base.born:
        base.born[target.name] = machine.course.stamp
        note_begun(machine, target.name)


def _kept_scaler(base: Tracked, target: Attr, made: Value) -> Tracked | None:
    """The scaler that a value nobody knows takes the place of: one that a checkpoint brings goes on as it was."""
    before = base.attrs.get(target.name) if isinstance(made, Unknown) and target.hint is Role.SCALER else None
    return before if isinstance(before, Tracked) and before.role is Role.SCALER else None


def _local(machine: Machine, home: Frame, target: Read, value: Value) -> Value:
    """What a factory made, under the name of a variable: in another function, or another call of it, another thing."""
    made = manufactured(machine, value, target.hint, target.name)
    local = home.function.name != "<module>"
    name_network(machine, made, value, target.name, local=local)
    if not isinstance(made, Tracked) or made is value or made.role is Role.MODEL:
        return _of_parts(machine.objects, made, value)
    if local and made.key == target.name:
        handed_out = _GETTER.match(key_of(value)) or is_handle(value)
        made.key = target.name if handed_out else machine.local_name(target.name)
    return made


def _of_parts(objects: Objects, made: Value, value: Value) -> Value:
    """Remember which models a factory made another one of."""
    if made is not value and isinstance(made, Tracked) and made.role is Role.MODEL:
        held = frozenset((value.key,)) if is_layer(value) else None
        parts = objects.made_of.get(key_of(value), held)
        if parts is not None:
            objects.made_of[made.key] = parts
        for part in [part for part, whole in objects.gathered.items() if whole is value]:
            objects.gathered[part] = made
    return made


_GETTER = pattern(r"(\w+\.)*(get|current|the|unwrap)_")
"""Factories that may hand out the same optimizer again."""


def _name_tracked(machine: Machine, frame: Frame, target: Expr, value: Tracked) -> None:
    """A new object is called by the first name it is assigned to, unless the books know it already."""
    if _nameless(machine, value):
        name = _full_name(machine, frame, target)
        if name:
            _rename(value, machine.names.own(name, tuple(machine.stack.calls)))


def _name_items(machine: Machine, frame: Frame, target: Expr, value: Series | Table) -> None:
    """New objects that a list or dictionary holds are called by their place in it, so that they stay apart."""
    items = list(enumerate(value.items) if isinstance(value, Series) else value.items.items())
    new = [(label, item) for label, item in items if _is_new(machine, item)]
    name = _full_name(machine, frame, target) if len(new) > 1 else ""
    for label, item in new if name else ():
        key = machine.names.own(f"{name}[{label!r}]", tuple(machine.stack.calls))
        if isinstance(item, Tracked):
            _rename(item, key)
        elif is_layer(item):
            _put(value, label, layer(item, key))


def _put(held: Series | Table, label: object, value: Value) -> None:
    if isinstance(held, Series):
        assert isinstance(label, int)
        held.items[label] = value
    else:
        held.items[label] = value


def _is_new(machine: Machine, value: Value) -> bool:
    return _nameless(machine, value) if isinstance(value, Tracked) else is_layer(value) and "(" in key_of(value)


def _nameless(machine: Machine, value: Tracked) -> bool:
    """Whether nobody has named a new object, nor given its parameters to an optimizer: what one holds has a name."""
    unnamed = value.key.startswith("new:") and "." not in value.key
    owned = value.key in machine.objects.owned
    return value.origin == "made" and unnamed and not owned and not _entered(machine.log, value.key)


def _full_name(machine: Machine, frame: Frame, target: Expr) -> str:
    """The name of a variable or attribute with its owner, else empty."""
    if isinstance(target, Attr):
        return f"{key_of(evaluate(machine, frame, target.base))}.{target.name}"
    return target.name if isinstance(target, Read) else ""


def _rename(value: Tracked, name: str) -> None:
    """Give an object, and the parts of a model, its name."""
    old, value.key = value.key, name
    if value.role is Role.MODEL:
        _name_parts(value, old, name)


def _name_parts(model: Tracked, old: str, new: str) -> None:
    """The parts of a model that was made in this file are called after it."""
    for part in (tracked for value in model.attrs.values() for tracked in things_in(value)):
        if part.key.startswith(f"{old}."):
            part.key = _renamed(part.key, old, new)
            if part.params is not None:
                part.params = frozenset(_renamed(root, old, new) for root in part.params)
            _name_parts(part, old, new)


def _renamed(key: str, old: str, new: str) -> str:
    return new + key.removeprefix(old) if key == old or key.startswith(f"{old}.") else key


def _entered(log: EventLog, key: str) -> bool:
    return any(key in (event.subject, getattr(event.detail, "optimizer", None)) for event in log.events)


def _unpack(machine: Machine, frame: Frame, target: Display, value: Value, span: Span) -> None:
    item: Value
    for number, part in enumerate(target.items):
        if isinstance(value, Series) and number < len(value.items):
            item = value.items[number]
        elif isinstance(value, Unknown):
            key = f"{value.key}[{number}]"
            bases = machine.names.part(value.graph.bases, str(number))
            held = value.data.held
            item = held[f"[{number}]"] if held and f"[{number}]" in held else _part(value, key, bases)
            if machine.witnessed.on:
                part_of(machine, "[]", value, number, item)
        elif isinstance(value, Parameters) and (number, len(target.items)) == (1, 2):
            item = value  # `for name, p in net.named_parameters():`
        else:
            item = machine.unknown(f"{key_of(value)}[{number}]", varying=True)
        assign(machine, frame, part, item, span)


def _part(whole: Unknown, key: str, bases: frozenset[int]) -> Unknown:
    part = whole.under(key)
    part.factor, part.terms = weight_of(whole), ()
    part.leaves, part.graph = frozenset((key,)), part.graph.of(bases, whole.graph.smooth_part(bases))
    return part


def keep(
    machine: Machine, frame: Frame, target: Expr, new: Value, value: Value, span: Span, *, how: str = "+="
) -> Value:
    """Note a loss that is added to something older than this iteration, or joined to it."""
    if is_attached(new) and not machine.contexts.gradients_off:
        beside = "" if machine.stack.calls else set_beside(machine.program, frame.function, target)
        note_kept(machine, new, target_name(target), _born(machine, frame, target), span, how, beside)
        if isinstance(value, Unknown):
            value.graph = value.graph.keeping(span)
    return value


def note_kept(
    machine: Machine, new: Unknown, name: str, born: Stamp | None, span: Span, how: str, beside: str = ""
) -> None:
    """Write down that something of that name, and as old, keeps a loss."""
    graph, paces = new.graph, machine.scenario.begun.get((name, born or ()), ())
    known = new.reduced.mean
    detail = Kept(graph.bases, span, name, born, how, graph.forwards, known=known, paces=paces, beside=beside)
    if graph.smooth:
        detail = replace(detail, smooth=graph.smooth, outputs=machine.graphs.outputs_of(graph.smooth))
    machine.emit(Kind.KEEP, span, name, "", detail)


def _born(machine: Machine, frame: Frame, target: Expr) -> Stamp | None:
    if isinstance(target, Read):
        found = frame.find(target.name)
        return found.born.get(target.name) if found else None
    if isinstance(target, Attr):
        base = evaluate(machine, frame, target.base)
        return base.born.get(target.name, ()) if isinstance(base, Tracked) else None
    if isinstance(target, Item) and isinstance(target.base, (Read, Attr)):
        return _born(machine, frame, target.base) or ()
    return ()


def target_name(target: Expr) -> str:
    """What is added to is called."""
    if isinstance(target, Read):
        return target.name
    if isinstance(target, Attr):
        return target.name
    if isinstance(target, Item) and isinstance(target.base, (Read, Attr)):
        return f"{target.base.name}[...]"
    return "it"
