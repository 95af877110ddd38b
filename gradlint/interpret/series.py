"""Methods of lists, dictionaries and parameter iterables."""

from __future__ import annotations

from collections.abc import Sequence

from gradlint.interpret.arithmetic import clip_factor
from gradlint.interpret.atoms import truth
from gradlint.interpret.calling import call_value
from gradlint.interpret.dispatch import GATHERING
from gradlint.interpret.effects.use import Site
from gradlint.interpret.frame import Frame
from gradlint.interpret.machine import Machine
from gradlint.interpret.modes import freeze
from gradlint.interpret.paces import note_begun
from gradlint.interpret.traits import CONSTANTS, exact, is_attached, is_number, is_own, key_of, key_value
from gradlint.interpret.values import (
    GRADIENT,
    Parameters,
    Routine,
    Series,
    SomeKey,
    Table,
    Tracked,
    Unknown,
    Value,
    merge,
)
from gradlint.interpret.weighing import divisor, multiplier, smooth_of
from gradlint.model.effects import Gate
from gradlint.model.events import BY_HAND, Clipping, Kept, Kind, Write, Zero
from gradlint.model.factor import UNKNOWN_FACTOR
from gradlint.model.finding import Span
from gradlint.model.program import Attr, Call, Expr, Item, Read
from gradlint.model.record import dataclass, replace


def series_method(site: Site, base: Series | Table | Parameters, name: str) -> Value:
    """`base.name(...)` for a list, a dictionary or parameters."""
    machine, node = site.machine, site.node
    if isinstance(base, Series) and name == "sort":
        base.items[:] = ordered(site, base.items)
        return None
    if isinstance(base, Series):
        return _list_method(site, base, name)
    if isinstance(base, Table) and name == "update":
        for value in site.args:
            merge_into(machine, base, value, _named(node))
        for key, value in site.keywords.items():
            merge_into(machine, base, value if key.startswith("**") else Table({key: value}), _named(node))
        return None
    if isinstance(base, Table):
        return _table_method(site, base, name)
    return _parameters_method(site, base, name)


def ordered(site: Site, items: list[Value]) -> list[Value]:
    """Numbers by their size, things by what a key says of each, as hooks by their priority; else as they are."""
    key, back = site.keywords.get("key"), truth(site.keywords.get("reverse", False))
    if key is None and back is not None and all(map(is_number, items)):
        return sorted(items, key=lambda item: exact(item) or 0, reverse=back)
    if not isinstance(key, Routine) or back is None or not all(isinstance(item, Tracked) for item in items):
        return list(items)
    ranks = [exact(call_value(site.given([item]), key)) for item in items]
    if None in ranks:
        return list(items)
    places = sorted(range(len(items)), key=lambda place: ranks[place] or 0, reverse=back)
    return [items[place] for place in places]


def _parameters_method(site: Site, base: Parameters, name: str) -> Value:
    machine, node = site.machine, site.node
    if name == "requires_grad_":
        freeze(machine, base.roots, truth(site.args[0]) if site.args else True, base.some)
    if name == "detach_" and not base.grads:
        freeze(machine, base.roots, trains=False, some=base.some)  # a leaf that is detached wants no gradient any more
    if name in ("copy", "values", "items"):
        return base
    if name in ("extend", "append") and site.args and not base.grads:
        _join(base, site.args[0])
        return None
    if not base.grads:
        return Unknown(node.text, machine.course.looping)
    if name in ("detach", "data", "to", "float"):
        return base
    if name in ("mul_", "div_") and site.args and node.gates & Gate.CLIP:
        _scale(machine, node, base.roots, site.args[0], divide=name == "div_")
        return base
    if name.endswith("_") and node.gates & Gate.CLIP:
        _rewrite(site, base, name)
        return base
    return Unknown(node.text, True, detached=True, leaves=frozenset((GRADIENT,)))


def _join(base: Parameters, more: Value) -> None:
    """A list of parameters gets those of others, too: `weights.extend(head.parameters())`."""
    if isinstance(more, Parameters) and not base.once and more.consume():
        base.roots |= more.roots


def _scale(machine: Machine, node: Call, roots: frozenset[str], by: Value, *, divide: bool) -> None:
    """Gradients are multiplied by hand: `for grad in grads: grad.mul_(coef)`."""
    subject = "/".join(sorted(roots))
    if clip_factor(by):
        machine.emit(Kind.CLIP, node.span, subject, "", Clipping(roots, False, False, BY_HAND, False))
    else:
        factor = divisor(by) if divide else multiplier(by)
        machine.emit(Kind.WRITE, node.span, subject, key_of(by), Write(roots, factor))


def _rewrite(site: Site, base: Parameters, name: str) -> None:
    """Gradients are written into by hand: `for grad in grads: grad.zero_()`, `grad.copy_(old)`."""
    subject, roots = "/".join(sorted(base.roots)), base.roots
    if name == "zero_" or (name == "fill_" and exact(site.args[0] if site.args else None) == 0):
        root = next(iter(roots)) if len(roots) == 1 else None
        site.machine.emit(Kind.ZERO, site.node.span, subject, "", Zero(None, root, True, base.some, roots))
    elif name.startswith("clamp"):
        site.machine.emit(Kind.CLIP, site.node.span, subject, "", Clipping(roots, False, False, "tensor", False))
    else:
        own = any(one.__class__ is Parameters or (isinstance(one, Unknown) and one.measured) for one in site.args)
        puts = name in ("copy_", "fill_") and not own
        adds = not (own or puts)
        written = Write(roots or None, UNKNOWN_FACTOR, brought=puts, adds=adds)
        site.machine.emit(Kind.WRITE, site.node.span, subject, "", written)


def _list_method(site: Site, base: Series, name: str) -> Value:
    machine, node = site.machine, site.node
    if name == "append" and site.args:
        base.items.append(kept_in(_into(site, base), site.args[0]))
        del base.items[:-64]
        return None
    if name in ("appendleft", "insert") and site.args:
        return _put_in(site, base, site.args)
    if name == "extend" and site.args and isinstance(site.args[0], Series):
        put = kept_in(_into(site, base), site.args[0])
        base.items.extend(put.items if isinstance(put, Series) else [])
        return None
    if name == "extend" and site.args and is_attached(site.args[0]):
        base.items.append(kept_in(_into(site, base), site.args[0]))
        return None
    if name == "extend" and site.args and isinstance(site.args[0], Parameters) and site.args[0].consume():
        base.items.append(replace(site.args[0], once=False, used=False, source=None))
        return None
    if name == "clear":
        base.items.clear()
        base.born = machine.course.stamp
        begin_anew(machine, site.frame, node.func.base if isinstance(node.func, Attr) else None)
        return None
    if name == "copy":
        return Series(list(base.items), base.kind)
    if name == "pop" and base.items:
        return base.items.pop()
    if name in ("step", "zero_grad", "train", "eval"):
        return None
    return Unknown(node.text, machine.course.looping)


def _put_in(site: Site, base: Series, args: list[Value]) -> Value:
    """`returns.insert(0, R)`, `returns.appendleft(R)`: in front, or where nobody knows at the end."""
    at = args[0] if len(args) > 1 else 0
    base.items.insert(at if isinstance(at, int) else len(base.items), kept_in(_into(site, base), args[-1]))
    del base.items[64:]
    return None


def _into(site: Site, base: Series) -> Into:
    node = site.node
    return Into(
        site.machine, site.frame, base, node.func.base if isinstance(node.func, Attr) else None, node.span, node.text
    )


def begin_anew(machine: Machine, frame: Frame, target: Expr | None) -> None:
    """A list that is emptied is as young as one that is made."""
    owner = frame.values.get("self")
    if isinstance(target, Read) and (home := frame.find(target.name)) is not None:
        home.born[target.name] = machine.course.stamp
    elif isinstance(target, Attr) and isinstance(owner, Tracked):
        owner.born[target.name] = machine.course.stamp
    else:
        return
    note_begun(machine, target.name)


@dataclass(slots=True)
class Into:
    """A list that something is put into, by the statement or the call of that place and text, and what it is called."""

    machine: Machine
    frame: Frame
    base: Series
    target: Expr | None
    span: Span
    text: str = ""
    name: str = ""
    how: str = "append"


def kept_in(into: Into, value: Value) -> Value:
    """A loss put into a list that outlives the iteration keeps its graph alive, also in a tuple or a dictionary."""
    if into.machine.contexts.gradients_off:
        return value
    if is_attached(value):
        return _keep(into, [value])[0]
    if isinstance(value, Tracked):
        return _record_in(into, value)
    if not isinstance(value, (Series, Table)):
        return value
    items = value.items if isinstance(value, Series) else list(value.items.values())
    losses = {at: item for at, item in enumerate(items) if is_attached(item)}
    if losses:
        entries = "" if isinstance(value, Series) else "all" if len(losses) == len(items) else "some"
        held = _keep(into, list(losses.values()), tuple(losses), entries=entries)
        kept = dict(zip(losses, held, strict=True))
        own = [kept.get(at, item) for at, item in enumerate(items)]
        if isinstance(value, Series):
            return Series(own, value.kind, born=value.born)
        return replace(value, items=dict(zip(value.items, own, strict=True)))
    return value


def _record_in(into: Into, record: Tracked) -> Value:
    """A record of fields that are declared: `outputs.append(Output(loss=loss, seen=len(x)))`."""
    if record.role is not None or record.cls is None or not record.cls.declares:
        return record
    losses = {name: value for name, value in record.attrs.items() if is_attached(value)}
    if not losses:
        return record
    held = _keep(into, list(losses.values()), tuple(range(len(losses))), entries="some")
    return replace(record, attrs={**record.attrs, **dict(zip(losses, held, strict=True))})


def _keep(into: Into, losses: Sequence[Unknown], parts: tuple[int, ...] = (), *, entries: str = "") -> list[Unknown]:
    """Note losses that a list keeps; each knows from then on that it does."""
    machine, target = into.machine, into.target
    born = into.base.born
    if isinstance(target, Read):
        home = into.frame.find(target.name)
        born = home.born.get(target.name) if home else None
    elif isinstance(target, Attr):
        owner = into.frame.values.get("self")
        born = owner.born.get(target.name, ()) if isinstance(owner, Tracked) else None
    label = into.name or _label(target)
    bases = frozenset[int]().union(*(loss.graph.bases for loss in losses))
    forwards = frozenset[int]().union(*(loss.graph.forwards for loss in losses))
    known = all(loss.reduced.mean for loss in losses)
    paces = machine.scenario.begun.get((label, born or ()), ())
    detail = Kept(bases, into.span, label, born, into.how, forwards, parts, known, entries=entries, paces=paces)
    if all(loss.graph.smooth for loss in losses):
        smooth = smooth_of(losses)
        detail = replace(detail, smooth=smooth, outputs=machine.graphs.outputs_of(smooth))
    machine.emit(Kind.KEEP, into.span, label, into.text, detail)
    copies = [_copy_kept(loss, into.span) for loss in losses]
    for loss, copy in zip(losses, copies, strict=True):
        machine.witnessed.hand_on(loss, copy)
    return copies


def _label(target: Expr | None) -> str:
    if isinstance(target, Call) and isinstance(target.func, Attr):
        target = Item(target.func.base, target)  # `history.setdefault(name, [])`
    if isinstance(target, Item) and isinstance(target.base, (Read, Attr)):
        return f"{target.base.name}[...]"
    return target.name if isinstance(target, (Read, Attr)) else "list"


def _copy_kept(loss: Unknown, site: Span) -> Unknown:
    copy = merge(loss.key, [loss])
    copy.factor, copy.terms = loss.factor, loss.terms
    copy.graph = copy.graph.keeping(site).smoothly(loss.graph.smooth)
    return copy


def merge_into(machine: Machine, table: Table, value: Value, name: str) -> None:
    """`defaults.update(value)`."""
    if isinstance(value, Table):
        table.items.update(value.items)
        table.open = table.open or value.open
    elif isinstance(value, Unknown):
        open_table(machine, table, name)


def open_table(machine: Machine, table: Table, name: str) -> None:
    """Something that nobody can list is merged into a dictionary: each constant in it is a default, and no fact."""
    for key, value in table.items.items():
        if value.__class__ in CONSTANTS:
            if isinstance(value, int) and not isinstance(value, bool):
                machine.plan.numbers.defaults.setdefault(f"{name}[{key!r}]", value)
            table.items[key] = machine.unknown(f"{name}[{key!r}]")


def _named(node: Call) -> str:
    """What the receiver of a method is called."""
    base = node.func.base if isinstance(node.func, Attr) else None
    return base.name if isinstance(base, (Read, Attr)) else "settings"


def _got(machine: Machine, table: Table, key: str | int, default: Value) -> Value:
    """`cfg.get("accum", 1)` of settings that may say something else there; what stands in the call is a default."""
    if key in table.items or not table.open:
        return table.items.get(key, default)
    name = f"{key_of(table)}[{key!r}]"
    if isinstance(default, int) and not isinstance(default, bool):
        machine.plan.numbers.defaults.setdefault(name, default)
    return machine.unknown(name) if default is None or default.__class__ in CONSTANTS else default


def _put_there_unseen(machine: Machine, name: str) -> Value:
    """What a dictionary has to hold, for no default stands beside its key: who reads a checkpoint has put it there."""
    value = machine.unknown(name)
    if isinstance(value, Unknown):
        value.called = True
    return value


def _whole_of(base: Table, name: str) -> Table | Series | None:
    """A dictionary copied, or all that it holds: `told.copy()`, `told.items()`."""
    if name == "copy":
        return replace(base, items=dict(base.items))
    if name == "values":
        return Series(list(base.items.values()))
    if name == "items":
        return Series([Series([key_value(key), value], "tuple") for key, value in base.items.items()])
    return Series([key_value(key) for key in base.items]) if name == "keys" else None


def _table_method(site: Site, base: Table, name: str) -> Value:
    if name == "clear":
        base.items.clear()
        base.born = site.machine.course.stamp
        begin_anew(site.machine, site.frame, site.node.func.base if isinstance(site.node.func, Attr) else None)
        return None
    if (whole := _whole_of(base, name)) is not None:
        return whole
    if name == "get" and site.args and isinstance(site.args[0], (str, int)):
        default = site.args[1] if len(site.args) > 1 else None
        return _got(site.machine, base, site.args[0], default)
    if name == "pop" and site.args and isinstance(site.args[0], (str, int)):
        if site.args[0] in base.items:
            return base.items.pop(site.args[0])
        if len(site.args) == 1:
            return _put_there_unseen(site.machine, f"{_named(site.node)}[{site.args[0]!r}]")
    if name == "setdefault" and len(site.args) > 1:
        if isinstance(site.args[0], (str, int)):
            return base.items.setdefault(site.args[0], site.args[1])
        if isinstance(site.args[0], Unknown) and is_own(site.args[1]):
            return base.items.setdefault(SomeKey(site.args[0].key), site.args[1])
    return Unknown(f"{key_of(base)}.{name}()", True)


GATHERING.append(series_method)
