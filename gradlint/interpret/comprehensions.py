"""Comprehensions, and what lists of unknown length hold."""

from __future__ import annotations

from gradlint.interpret.contents import dictionary
from gradlint.interpret.dispatch import Handlers, evaluate
from gradlint.interpret.frame import Frame
from gradlint.interpret.iteration import element_of, iterate
from gradlint.interpret.machine import Machine
from gradlint.interpret.sequences import Enumerate, Listed, Range, Zip
from gradlint.interpret.series import Into, kept_in
from gradlint.interpret.traits import form_of, key_of, key_value
from gradlint.interpret.values import GRADIENT, Parameters, Series, SomeKey, Table, Unknown, Value, another, merge
from gradlint.interpret.witnessing import picked
from gradlint.model.events import Iteration
from gradlint.model.program import Attr, Comprehension, Display, Expr, Read


def _comprehension(machine: Machine, frame: Frame, node: Comprehension) -> Value:
    source = evaluate(machine, frame, node.iterable)
    if isinstance(source, Parameters):
        return _of_parameters(machine, source, node)
    if _copies(node) and isinstance(source, Unknown) and source.form is None and not source.graph.forwards:
        return source  # as `list(...)` does
    items = _listed(machine, source) if node.loop is None else iterate(machine, source, node.loop)
    several = node.loop is None and not isinstance(source, (Series, Table))
    machine.course.repeating += several
    try:
        results = [_element_value(machine, frame, node, item, at, key_of(source)) for at, item in enumerate(items)]
    finally:
        machine.course.repeating -= several
    if node.kind == "dict":
        settled = isinstance(source, Unknown) and not (source.varying or machine.course.looping)
        return _whichever(dictionary(results)) if settled else dictionary(results)
    if node.flat:
        return _in_a_row(machine, node, results)
    one = len(results) == 1
    many = isinstance(form_of(source), Range) or (one and _is_unknown_many(source) and _is_batch(results[0]))
    if node.kind == "list" and many and one and _is_data(results[0]):
        return Unknown(f"[... for ... in {key_of(source)}]", form=Listed(source))
    if (
        node.kind == "list"
        and not machine.course.stamp
        and len(results) > 1
        and all(_is_data(item) for item in results)
    ):
        key = f"[... for ... in {key_of(source)}]"
        if isinstance(source, Series):
            machine.plan.loops.counts[key] = len(source.items)
        return machine.unknown(key, False)
    drawn = source if node.kind == "generator" and several and len(results) == 1 else None
    wide = isinstance(source, Series) and source.open and node.kind == "list"
    return Series(results, "list", once=node.kind == "generator", drawn=drawn, open=wide)


def _whichever(entry: Value) -> Value:
    """An entry for all of some settings: `{k: v for k, v in vars(args).items() if v}` is the same in each iteration."""
    if not isinstance(entry, Unknown) or not entry.varying or entry.graph.forwards:
        return entry
    one = another(entry)
    one.varying = False
    return one


def _copies(node: Comprehension) -> bool:
    """`[batch for batch in batches]`."""
    target, element = node.target, node.element
    same = isinstance(target, Read) and isinstance(element, Read) and target.name == element.name
    return same and node.kind == "list" and not (node.conditions or node.flat or node.loop)


def _in_a_row(machine: Machine, node: Comprehension, parts: list[Value]) -> Value:
    """What nested comprehensions hold, in a row: parameters of several networks, or items."""
    parameters = [part for part in parts if isinstance(part, Parameters)]
    if parameters and len(parameters) == len(parts):
        roots = frozenset[str]().union(*(part.roots for part in parameters))
        made = Parameters(roots, once=node.kind == "generator", grads=any(part.grads for part in parameters))
        if machine.witnessed.on:
            picked(machine, parts, made)
        return made
    if parts and all(isinstance(part, Series) for part in parts):
        items = [item for part in parts if isinstance(part, Series) for item in part.items]
        return Series(items, "list", once=node.kind == "generator")
    return merge("[... for ... for ...]", [part for part in parts if isinstance(part, Unknown)])


def _of_parameters(machine: Machine, source: Parameters, node: Comprehension) -> Value:
    """Parameters picked from others, their gradients, or what is measured of these."""
    asks = _asks_for_gradients(node.element)
    if asks:
        machine.read_gradients()
    alive = source.consume()
    roots = source.roots if alive else frozenset[str]()
    element = node.element
    own = isinstance(element, Attr) and element.name == "grad"
    plain = own or isinstance(element, (Read, Display))
    if not plain and (source.grads or asks):
        return Unknown("norms", varying=True, detached=True, leaves=frozenset((GRADIENT,)))
    some = source.some or node.picks
    made = Parameters(roots, once=node.kind == "generator", used=not roots, grads=asks or source.grads, some=some)
    if machine.witnessed.on:
        picked(machine, [source], made)
    return made


def _asks_for_gradients(node: object) -> bool:
    """Whether an expression reads `.grad` somewhere."""
    if isinstance(node, Attr) and node.name == "grad":
        return True
    if isinstance(node, tuple):
        return any(map(_asks_for_gradients, node))
    names = set(getattr(node, "__slots__", ())) - _NO_PARTS
    return any(_asks_for_gradients(getattr(node, name)) for name in names)


_NO_PARTS = frozenset({"span", "gates", "effect", "methods", "text"})


def _listed(machine: Machine, source: Value) -> list[Value]:
    """What a comprehension runs over: what is known, else one element for all."""
    if isinstance(source, Series):
        return source.items[:64]
    if isinstance(source, Table):
        names = [key_value(name) for name in source.items if isinstance(name, (str, int, SomeKey))]
        return names[:64] or [element_of(machine.objects, machine.plan, source)]
    match form_of(source):
        case Enumerate(held):
            number = Unknown(f"{key_of(source)}.number", varying=True)
            return [Series([number, item], "tuple") for item in _listed(machine, held)]
        case Zip(parts):
            columns = [_listed(machine, part) for part in parts]
            return [Series(list(row), "tuple") for row in zip(*columns, strict=False)]
    return [element_of(machine.objects, machine.plan, source)]


def empty_lists(frame: Frame, source: Value) -> tuple[str, ...]:
    """The variables that hold an empty list where a loop of unknown length begins, which may fill it."""
    if not (isinstance(form_of(source), Range) or _is_unknown_many(source)):
        return ()
    return tuple(name for name, held in frame.values.items() if isinstance(held, Series) and not held.items)


def made_long(frame: Frame, names: tuple[str, ...], source: Value) -> None:
    """Lists to which a loop of unknown length has added one batch each time: `batches.append((x, y))`."""
    for name in names:
        held = frame.values.get(name)
        if isinstance(held, Series) and len(held.items) == 1 and _is_batch(held.items[0]) and _is_data(held.items[0]):
            frame.values[name] = Unknown(f"[... for ... in {key_of(source)}]", form=Listed(source))


def _is_unknown_many(source: Value) -> bool:
    """Something of nobody knows how many parts, such as a tensor that is walked."""
    return isinstance(source, Unknown) and not source.graph.forwards


def _is_batch(value: Value) -> bool:
    """A pair or a dictionary that is written down: a batch, if it is made of data, but no group of parameters."""
    if isinstance(value, Table):
        return "params" not in value.items and len(value.items) > 1
    return isinstance(value, Series) and value.kind == "tuple" and len(value.items) > 1


def _is_data(value: Value) -> bool:
    """True for a batch that was made up: how many of them a small example makes says nothing of a loader."""
    if isinstance(value, Series):
        return value.kind == "tuple" and bool(value.items) and all(_is_data(item) for item in value.items)
    if isinstance(value, Table):
        return bool(value.items) and all(_is_data(item) for item in value.items.values())
    return isinstance(value, Unknown) and not value.graph.forwards


def _element_value(machine: Machine, frame: Frame, node: Comprehension, item: Value, number: int, source: str) -> Value:
    scope = Frame(frame.function, parent=frame)
    _bind_into(machine, scope, node.target, item)
    for test in node.conditions:
        evaluate(machine, scope, test)
    if node.loop is None:
        return evaluate(machine, scope, node.element)
    held = Series([], born=machine.course.stamp)
    machine.course.enter(Iteration(node.loop.ident, number, node.loop.kind.value), False)
    try:
        value = evaluate(machine, scope, node.element)
        if node.kind != "list":
            return value
        span, name = getattr(node.element, "span", node.loop.span), f"[... for ... in {source}]"
        return kept_in(Into(machine, frame, held, None, span, name=name, how="listed"), value)
    finally:
        machine.course.leave()


def _bind_into(machine: Machine, scope: Frame, target: Expr, item: Value) -> None:
    if isinstance(target, Read):
        scope.values[target.name] = item
    elif isinstance(target, Display):
        for number, part in enumerate(target.items):
            inner = (
                item.items[number]
                if isinstance(item, Series) and number < len(item.items)
                else Unknown(f"item{number}", True)
            )
            _bind_into(machine, scope, part, inner)


COMPREHENSIONS: Handlers = {Comprehension: _comprehension}
