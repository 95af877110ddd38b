"""Python's containers and iterators."""

from __future__ import annotations

from functools import partial
from sys import stdlib_module_names

from gradlint.interpret.ahead import is_drawn_ahead
from gradlint.interpret.atoms import truth
from gradlint.interpret.calling import call_value, known_effect
from gradlint.interpret.contents import dictionary
from gradlint.interpret.effects.gradients import roots_of
from gradlint.interpret.effects.use import Actions, Use
from gradlint.interpret.functions import invoke
from gradlint.interpret.iteration import element_of
from gradlint.interpret.limits import dotted
from gradlint.interpret.lineage import base_of, classes_of, method_of, role_of
from gradlint.interpret.machine import Machine
from gradlint.interpret.makers import one_of_torch
from gradlint.interpret.opened import open_settings
from gradlint.interpret.results import unknown_result
from gradlint.interpret.sequences import Count, Range, Stream, enumerated, first_items, ranged, reversed_items, zipped
from gradlint.interpret.series import open_table, ordered
from gradlint.interpret.shuffled import note_pass
from gradlint.interpret.tracked import attribute
from gradlint.interpret.traits import form_of, key_of
from gradlint.interpret.values import (
    Constructor,
    Context,
    Imported,
    Parameters,
    Partial,
    Routine,
    Series,
    Table,
    Tracked,
    Unknown,
    Value,
    another,
)
from gradlint.libraries.conventions.roles import PLAIN_BASE
from gradlint.libraries.tables import METHODS
from gradlint.model.effects import Action, Named
from gradlint.model.program import Class, Display, Function, Program
from gradlint.model.record import replace
from gradlint.model.roles import Role


def _range(use: Use) -> Value:
    return ranged(use.node.text, use.args)


def _enumerate(use: Use) -> Value:
    given = use.arg(0, "iterable")
    if isinstance(given, Series) and given.open and not given.items:
        given = use.machine.unknown(use.node.text)
    return enumerated(use.node.text, given, use.arg(1, "start", 0))


def _zip(use: Use) -> Value:
    written = zip(use.node.args, use.args, strict=False)
    filled = [use.machine.unknown(dotted(node), varying=True) if value is None else value for node, value in written]
    return zipped(use.node.text, [*filled, *use.args[len(filled) :]])


def _count(use: Use) -> Value:
    return Unknown(use.node.text, form=Count(use.arg(0, "start", 0)))


def _first(use: Use) -> Value:
    return use.arg(0, "iterable", use.arg(0, "sampler"))


def _reversed(use: Use) -> Value:
    return reversed_items(use.node.text, use.arg(0))


def _sorted(use: Use) -> Value:
    """`sorted(things, key=...)`; numbers by their size, and everything else that has no key as it was."""
    value, back = use.arg(0, "iterable"), truth(use.keywords.get("reverse", False)) is True
    if isinstance(value, Series):
        return Series(ordered(use, value.items), "list")
    return reversed_items(use.node.text, value) if back and isinstance(form_of(value), Range) else value


def _cycle(use: Use) -> Value:
    """The items of a loader for ever: no epoch ends there."""
    source = use.arg(0)
    if isinstance(source, Tracked) or (isinstance(source, Unknown) and source.form is None):
        return Unknown(f"cycle({key_of(source)})", form=Stream(source))
    return source


def _islice(use: Use) -> Value:
    """The first items of an iterable."""
    source, stop = use.arg(0), use.arg(1)
    if len(use.args) != 2 or not isinstance(stop, (int, Unknown)):
        return source
    return first_items(use.node.text, source, stop, use.node.args[1])


def _next(use: Use) -> Value:
    source = use.arg(0)
    if isinstance(form_of(source), Stream) and not use.machine.stack.preparing:
        use.machine.course.draws()
    form = form_of(source.make.extra.get("of") if isinstance(source, Tracked) else source)
    if isinstance(form, Stream) and form.there is not None and _is_for_training(use):
        note_pass(use.machine, form.loader, form.there)  # it begins anew as often as it ends
    key = f"next({key_of(source)})"
    return Unknown(key, varying=True, called=False, leaves=frozenset((key,)))


def _is_for_training(use: Use) -> bool:
    """Whether what is drawn is a batch for this iteration, or several for the loops in it."""
    course = use.machine.course
    return course.working or (course.in_epoch and is_drawn_ahead(use.frame.function, course.heads[-1], use.span))


def _collect(use: Use) -> Value:
    return _collected(use, use.options(Named).name)


def _collected(use: Use, kind: str) -> Value:
    value = use.arg(0)
    if isinstance(value, Parameters):
        alive = value.consume()
        return Parameters(value.roots if alive else frozenset(), once=False, used=not alive, some=value.some)
    if isinstance(value, Series):
        return Series(list(value.items), kind)
    if isinstance(value, Table):
        return Series([key if isinstance(key, (str, int)) else None for key in value.items])
    if value is None:
        return Series([], kind, born=use.machine.course.stamp)
    return value


def _deque(use: Use) -> Value:
    """`deque()`: a list, unless it lets go of what is too old."""
    if use.keywords or len(use.args) > 1:
        return unknown_result(use.machine, use.node, "deque", use.values)
    return _collected(use, "list")


def _lists(use: Use) -> Value:
    """`defaultdict(list)`, `defaultdict(Meter)`; one of numbers holds what nobody knows."""
    made, born = use.arg(0), use.machine.course.stamp
    if len(use.args) == 1 and not use.keywords:
        if isinstance(made, Unknown) and made.key == "list":
            return Table({}, lists=True, born=born)
        if _makes_meters(use.machine.program, made):
            return Table({}, born=born, makes=partial(call_value, use.given([]), made))
    return unknown_result(use.machine, use.node, "defaultdict", use.values)


def _makes_meters(program: Program, made: Value) -> bool:
    """Whether a class makes objects that have no role, or those of a library that add up what they are given."""
    if isinstance(made, Constructor):
        return role_of(program, made.cls) is None
    effect = known_effect(made.name) if isinstance(made, Imported) else None
    return effect is not None and effect.role is Role.METER


def _dict(use: Use) -> Value:
    spread = [name for name in use.keywords if name.startswith("**")]
    table: dict[object, Value] = {name: value for name, value in use.keywords.items() if name not in spread}
    value = use.arg(0)
    if isinstance(value, Unknown) and not use.keywords:
        return value.under(use.node.text)  # settings of nobody in sight, copied
    if isinstance(value, Table) or spread:
        joined = Table(dict(value.items), open=value.open) if isinstance(value, Table) else Table({})
        for name in spread:
            open_table(use.machine, joined, name[2:])
        joined.items.update(table)
        return joined
    if isinstance(value, Series) and value.items and not table:
        return dictionary(value.items)
    return Table(table)


def _lazy(use: Use) -> Value:
    source = use.arg(1)
    if isinstance(source, Parameters):
        picked = "" if "requires_grad" in use.node.text else use.node.text
        return Parameters(source.roots, source=source, some=source.some or picked)
    mapped = use.arg(0) if getattr(use.node.func, "name", "") == "map" and len(use.args) == 2 else None
    if isinstance(source, Series):
        items = source.items
        if isinstance(mapped, Routine) and len(items) <= _MAPPED:
            items = [invoke(use.machine, mapped, [item], {}, use.span) for item in items]
        return Series(list(items), "list", once=True)
    if (
        isinstance(mapped, Routine) and isinstance(source, Unknown) and source.graph.forwards
    ):  # a loss, one of those of a model
        made = invoke(use.machine, mapped, [element_of(use.machine.objects, use.machine.plan, source)], {}, use.span)
        return made if isinstance(made, Unknown) else Unknown(use.node.text)
    return Unknown(use.node.text)


_MAPPED = 16
"""To so many items a function is applied, one by one."""


def _chain(use: Use) -> Value:
    values: list[Value] = []
    for value in use.args:
        values += value.items if isinstance(value, Series) else [value]
    single = {id(item) for item in _single_tensors(use)}
    roots = [roots_of(value) for value in values if id(value) not in single]
    if roots and all(roots):
        some = "+".join(value.some for value in values if isinstance(value, Parameters) and value.some)
        return Parameters(frozenset().union(*(found for found in roots if found)), some=some)
    return (
        Series([item for value in use.args if isinstance(value, Series) for item in value.items])
        if all(isinstance(value, Series) for value in use.args)
        else Unknown(use.node.text)
    )


def _single_tensors(use: Use) -> list[Value]:
    """What stands in a list that is written out: `chain(body.parameters(), [self.log_std])`; no model's parameters."""
    written = zip(use.node.args, use.args, strict=False)
    lists = [value.items for node, value in written if isinstance(node, Display) and isinstance(value, Series)]
    return [item for items in lists for item in items if isinstance(item, Unknown)]


def _partial(use: Use) -> Value:
    return Partial(use.arg(0), tuple(use.args[1:]), dict(use.keywords))


def _namespace(use: Use) -> Value:
    """`SimpleNamespace(model=model, optimizer=optimizer)`."""
    held = {name: value for name, value in use.keywords.items() if not name.startswith("**")}
    return Tracked(f"new:namespace@{use.span.begins}", origin="made", attrs=held)


def _field(use: Use) -> Value:
    """`field(default_factory=Config)`: what a record has there that nobody gives."""
    made = use.keywords.get("default_factory")
    return use.keywords.get("default") if made is None else call_value(use.given([]), made)


def _replace(use: Use) -> Value:
    """`replace(cfg, fold=fold)`: what it does not name is as it was, unless the record computes it anew."""
    record = use.arg(0)
    if any(name.startswith("**") for name in use.keywords):
        return unknown_result(use.machine, use.node, use.node.text.split("(")[0], use.values)
    if isinstance(record, Tracked) and record.role is None and _is_stored(use.machine.program, record):
        return replace(record, attrs={**record.attrs, **use.keywords}, born=dict(record.born))
    if isinstance(record, Unknown) and not (record.varying or record.graph.forwards):
        other = another(record)
        given = {f".{name}": value for name, value in use.keywords.items()}
        other.data = record.data.holding({**(record.data.held or {}), **given})
        return other
    return unknown_result(use.machine, use.node, use.node.text.split("(")[0], use.values)


def _is_stored(program: Program, record: Tracked) -> bool:
    """Whether a record holds what it is given, and computes nothing of it."""
    return record.cls is not None and method_of(program, record.cls, "__post_init__") is None


def _getattr(use: Use) -> Value:
    name = use.arg(1)
    if isinstance(name, str):
        base = use.arg(0)
        wraps = isinstance(base, Tracked) and base.inner is not None and name in ("module", "_orig_mod")
        if isinstance(base, Tracked) and len(use.args) > 2 and name not in base.attrs and not wraps:
            has = _has(use.machine, base, name)
            if not has and not _of_library(base, name):
                return use.machine.unknown(f"{base.key}.{name}") if has is None else use.arg(2)
        return attribute(use.machine, base, name, None, None)
    only = _only_class(use.machine.program, use.arg(0)) or one_of_torch(use.arg(0), use.arg(1))
    return only or Unknown(f"getattr({', '.join(key_of(value) for value in use.args[:2])})")


def _only_class(program: Program, base: Value) -> Constructor | None:
    """What `getattr(trainers, cfg.name)` can but be where that module of the project has one class, and no functions.

    trainers/__init__.py
    from trainers.plain import Trainer
    """
    found = program.load(program.module(base.importer), base.name) if isinstance(base, Imported) else None
    if found is None or found[1] or found[0].stars:
        return None
    module = found[0]
    held: dict[int, Function | Class] = {}
    for name in (*module.functions, *module.classes, *module.imports):
        one = None if name.startswith("_") else program.defined(module, name)
        if one is not None:
            held[id(one)] = one
        elif name[:1].isupper() and module.imports.get(name, "").partition(".")[0] not in stdlib_module_names:
            return None  # `from torch.optim import Adam`: it may be that one
    (only, *others) = held.values() or (None,)
    return Constructor(only) if isinstance(only, Class) and not others else None


def _of_library(base: Tracked, name: str) -> bool:
    """Whether what a class of a library made in sight has a method: `getattr(sampler, "set_epoch", None)`."""
    return base.role is not None and base.cls is None and base.origin == "made" and name in METHODS.get(base.role, {})


def _has(machine: Machine, base: Tracked, name: str) -> bool | None:
    """Whether an object has an attribute, by its class; nobody knows where that, or a base of it, is out of sight."""
    if base.cls is None:
        return None
    lineage = classes_of(machine.program, base.cls)
    if any(name in cls.methods for cls in lineage):
        return True
    plain = all(
        base_of(machine.program, cls, one) is not None or PLAIN_BASE.search(one) for cls in lineage for one in cls.bases
    )
    sets = any(function.may_set(name) for cls in lineage for function in cls.methods.values())
    return None if sets or not plain or any(cls.fields for cls in lineage) else False


def _setattr(use: Use) -> Value:
    """`setattr(self, "model", ddp)`: an attribute by its name, where that is known; else any setting may be another."""
    base, name = use.arg(0), use.arg(1)
    if not isinstance(name, str):
        open_settings(use.machine, base)
    elif isinstance(base, Tracked):
        base.attrs[name] = use.arg(2)
    return None


def _super(use: Use) -> Value:
    receiver = use.frame.values.get("self")
    return Context("super", target=receiver if isinstance(receiver, Tracked) else None)


def _execute(use: Use) -> Value:
    """`exec(open("configurator.py").read())` at a file's top: each switch above it may be thrown there."""
    if use.frame.parent is None:
        switches = [name for name, value in use.frame.values.items() if isinstance(value, bool)]
        use.frame.values |= {name: use.machine.unknown(name) for name in switches}
    return None


CONTAINERS: Actions = {
    Action.RANGE: _range,
    Action.ENUMERATE: _enumerate,
    Action.ZIP: _zip,
    Action.COUNT: _count,
    Action.FIRST: _first,
    Action.CYCLE: _cycle,
    Action.SORTED: _sorted,
    Action.REVERSED: _reversed,
    Action.ISLICE: _islice,
    Action.NEXT: _next,
    Action.COLLECT: _collect,
    Action.DICT: _dict,
    Action.DEQUE: _deque,
    Action.LISTS: _lists,
    Action.LAZY: _lazy,
    Action.CHAIN: _chain,
    Action.NAMESPACE: _namespace,
    Action.PARTIAL: _partial,
    Action.GETATTR: _getattr,
    Action.FIELD: _field,
    Action.REPLACE: _replace,
    Action.SETATTR: _setattr,
    Action.SUPER: _super,
    Action.EXECUTE: _execute,
}
"""What carries these actions out."""
