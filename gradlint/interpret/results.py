"""Results of calls that nobody follows: what a name and its arguments say of them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache

from gradlint.interpret.arithmetic import bare, clip_factor, compare, of_number
from gradlint.interpret.contents import unknowns_in
from gradlint.interpret.effects.forwards import forward_on_paper, reduction
from gradlint.interpret.effects.gradients import roots_of
from gradlint.interpret.effects.use import Site, apply
from gradlint.interpret.frame import Frame
from gradlint.interpret.layers import LAYER, is_layer
from gradlint.interpret.losses import NO_GRAPH
from gradlint.interpret.machine import Machine
from gradlint.interpret.means import totalled
from gradlint.interpret.places import settle, without_places
from gradlint.interpret.plan import Plan
from gradlint.interpret.sequences import Groups, Pieces, Sized, size_of
from gradlint.interpret.state.course import Course
from gradlint.interpret.state.graphs import Graphs
from gradlint.interpret.state.names import Names
from gradlint.interpret.state.objects import Objects
from gradlint.interpret.traits import is_loss, is_number, key_of
from gradlint.interpret.unseen import handed_over, hold, note_handed, reduces, touch
from gradlint.interpret.values import (
    GRADIENT,
    Imported,
    Method,
    Parameters,
    Series,
    Table,
    Tracked,
    Unknown,
    Value,
    come_from,
)
from gradlint.interpret.weighing import smooth_of
from gradlint.interpret.witnessing import out_of_sight
from gradlint.interpret.words import WORDS, Gives, Word
from gradlint.libraries.conventions.calls import BACKWARD_NAME, HARMLESS, LOSS_FUNCTION, ZERO_NAME
from gradlint.libraries.conventions.numbers import NORM_NAME
from gradlint.libraries.packages import NETWORK_PART, NO_SETTINGS
from gradlint.libraries.tensors import EXTREMES, is_mean_loss, is_smooth
from gradlint.model.effects import Action, By, Effect
from gradlint.model.events import BY_HAND, Clipping, Kind, Write, Zero
from gradlint.model.factor import ONE, UNKNOWN_FACTOR
from gradlint.model.program import Call
from gradlint.model.record import replace
from gradlint.model.roles import Role

SMALL = 15


def _exists(machine: Machine, values: Sequence[Value]) -> Value:
    """`exists(x)`, as many call what asks whether something is `None`."""
    return compare(machine, "is not", values[0], None) if len(values) == 1 else None


def generic(site: Site, key: str, receiver: Value) -> Value:
    """A call that cannot be followed: note what it might touch, and where its result came from."""
    machine, node, values = site.machine, site.node, site.values
    holding = bool(values) and not _HOLDING_OTHERS.isdisjoint(map(type, values))
    tracked_objects = handed_over(values) if holding else []
    name = key.rpartition(".")[2]
    word, unseen = WORDS[name], receiver.__class__ is Unknown
    library = not unseen and _root(receiver) in NO_SETTINGS
    exists = name == "exists" and not library
    numbers = library and all(map(bare, node.args))
    answer = _exists(machine, values) if exists else of_number(name, values) if numbers else None
    if answer is not None:
        return answer
    if library and word.rewrites:
        _rewrites(machine, node, name, values)
    elif not library:
        if word.tells and _by_its_name(machine, node, name, values):
            return Unknown(node.text, True, detached=True)
        if holding or name in ("next", "step"):
            _moves_on(machine.objects, name, receiver, values)
            note_handed(machine, node, name, receiver, values, tracked_objects)
        touch(machine, node, name, word, receiver, values, tracked_objects)
    if holding or (values and machine.objects.made_of):
        reduces(machine, node, name, values)
    if word.indexes:
        values = without_places(site, key, receiver)
    own = [receiver, *values] if unseen else values
    if node is machine.stack.doing and not tracked_objects and not machine.plan.numbers.starts:
        _count_unwanted(machine.course, machine.names, word, own)
        return (
            out_of_sight(machine, node, key, receiver, site.args, site.keywords, None) if machine.witnessed.on else None
        )
    result = unknown_result(machine, node, key, own, word)
    if not result.varying and result.key in machine.plan.numbers.bindings:
        return machine.bound(result.key)
    _tell(site, result, key, word, receiver, own, library=library)
    if tracked_objects:
        _of_objects(site, result, name, tracked_objects, library=library)
    if holding:
        _given_parameters(machine.objects, result, values)
    return (
        out_of_sight(machine, node, key, receiver, site.args, site.keywords, result) if machine.witnessed.on else result
    )


def _tell(site: Site, result: Unknown, key: str, word: Word, receiver: Value, own: list[Value], library: bool) -> None:
    """What the name of a function says of its result, with what it was called on and given."""
    unseen, name = receiver.__class__ is Unknown, key.rpartition(".")[2]
    if word.settles:
        settle(site, key, receiver, unknowns(own), result)
    if word.totals:
        totalled(result, word, own)
    if not unseen or site.keywords or word.cuts:
        _describe(site, result, name, key, receiver, library=library)
    handed_on = word.smooth and bool(receiver.graph.smooth) if receiver.__class__ is Unknown else is_smooth(key)
    handed_on = handed_on or (name in EXTREMES and not site.keywords and _are_two(own))
    if handed_on and (unseen or isinstance(receiver, Imported)) and not site.machine.contexts.gradients_off:
        result.graph = result.graph.smoothly(smooth_of(unknowns(own)))
    if isinstance(receiver, Imported):
        _of_module(site.machine.objects, result, receiver, name, key, own)


_HOLDING_OTHERS = frozenset({Tracked, Series, Table, Parameters})
"""What is a tracked object, or parameters, or may hold some; most arguments are something else."""


def _moves_on(objects: Objects, name: str, receiver: Value, values: list[Value]) -> None:
    """Note an iterator that is asked for its next: what it says of itself (`batches.epoch`) is then another thing."""
    if name == "next" and isinstance(receiver, Unknown) and not values:
        objects.moving.add(receiver.key)


def _are_two(values: list[Value]) -> bool:
    """Whether two tensors are compared number by number: `torch.min(plain, clipped)`, `plain.max(clipped)`."""
    return len(values) == 2 and all(isinstance(value, Unknown) and value.graph.smooth for value in values)


def _of_module(objects: Objects, result: Unknown, module: Imported, name: str, key: str, values: list[Value]) -> None:
    """What is known of a result by where the function was imported from."""
    if key == module.name and name[:1].isupper():
        objects.classes[result] = name
    if name in ("ModuleList", "ModuleDict"):
        _gather(objects, result, values)
    if _root(module) in _GRAPHLESS:
        result.graph, result.detached = result.graph.cut(), True


def _of_objects(site: Site, result: Unknown, name: str, tracked_objects: list[Tracked], *, library: bool) -> None:
    """What a function may have done with the objects that it was given: kept them, called the models."""
    objects = site.machine.objects
    models = [tracked for tracked in tracked_objects if tracked.role in (Role.MODEL, Role.ENGINE)]
    if models:
        objects.made_of[result.key] = frozenset(tracked.root for tracked in models)
    hold(objects, name, result, tracked_objects)
    if not library and not HARMLESS.search(name) and not name[:1].isupper():
        perhaps_called(site, result, models)


def perhaps_called(site: Site, result: Unknown, models: list[Tracked]) -> None:
    """A result that may come from networks which a call was handed, for it may have called each of them."""
    for tracked in models:
        called = forward_on_paper(site.given([]), tracked, assumed=True)
        if isinstance(called, Unknown):
            own, there = result.graph, called.graph
            result.graph = replace(
                own,
                forwards=own.forwards | there.forwards,
                models=own.models | there.models,
                bases=own.bases or there.bases,
            )


def _given_parameters(objects: Objects, result: Unknown, values: list[Value]) -> None:
    """Note whose parameters a factory was given: `build(cfg, params=net.parameters())`."""
    holders = [value for value in values if value.__class__ in _HOLDERS]
    if holders and (found := [each for each in map(roots_of, holders) if each]):
        objects.networks.given[result] = frozenset().union(*found)


_HOLDERS = (Parameters, Series)


def _count_unwanted(course: Course, names: Names, word: Word, values: list[Value]) -> None:
    """Make nothing of a call whose result nobody takes; what comes later is numbered as if there were one."""
    flat = unknowns(values)
    if word.invariant and not any(part.varying for part in flat):
        return
    if (course.working and not word.moves) or any(part.graph.known for part in flat):
        names.fresh()


def _gather(objects: Objects, result: Unknown, values: list[Value]) -> None:
    """`nn.ModuleList([self.rnn, self.head])`: who calls one of these layers calls a part of that."""
    if is_layer(result):
        objects.gathered |= {part: result for part in unknowns(values) if is_layer(part)}


_PLAIN_LOSS = frozenset(("input", "target", "reduction", "size_average", "reduce"))


def summed_work(values: Sequence[Value]) -> bool:
    """Whether a mean is one of sums: sums of what a model gave, not those that stand in the target."""
    return any(part.reduced.summed and bool(part.graph.forwards) for part in unknowns(list(values)))


def _describe(site: Site, result: Unknown, name: str, key: str, receiver: Value, *, library: bool) -> None:
    """What a function says of its result by its name: how it reduces, how many there are."""
    is_loss = isinstance(receiver, Imported) and is_mean_loss(key)
    how = reduction(name, site.args if is_loss else (), site.keywords) if is_loss or site.keywords else "mean"
    if how == "sum":
        result.reduced = result.reduced.by_sum()
    if is_loss:
        result.reduced = result.reduced.as_mean(how in ("mean", "batchmean"))
        if how == "mean" and len(site.args) <= 2 and site.keywords.keys() <= _PLAIN_LOSS:
            result.reduced = result.reduced.by_sum(summed_work(site.values))
    if library and (size := _size_of(name, site.args)):
        result.form = Sized(size)
    if isinstance(receiver, Imported) and NETWORK_PART[key]:
        result.form = LAYER
    if name == "chunk":
        result.form = Pieces(site.keywords.get("chunks", (*site.args, None, None)[library]))
    elif name == "split":
        result.form = _cut(receiver, site.args, library) or result.form
    elif name in ("view", "reshape") and len(site.args) > 2 and site.args[0] == -1:
        result.form = Groups(site.args[1])  # order.view(-1, accum, batch)


def _cut(receiver: Value, args: list[Value], library: bool) -> Sized | None:
    """`data.split(8)`: so many pieces of so many samples, where it is known how many there are in all."""
    whole, size, *_ = (*args, None, None) if library else (receiver, *args, None)
    number = size_of(whole)
    return Sized(-(-number // size), size) if number is not None and isinstance(size, int) and size > 0 else None


def _root(receiver: Value) -> str:
    """The package that something was imported from, if it was."""
    return receiver.name.partition(".")[0] if isinstance(receiver, Imported) else ""


_GRAPHLESS = frozenset("numpy np math os sys time logging random json".split())
"""Packages whose functions return no tensor with a graph."""


def _size_of(name: str, args: list[Value]) -> int:
    """How many samples `torch.randn(64, 3)`, or a data set of such tensors, holds; 0 where that is not seen."""
    first = args[0] if args else None
    if name == "TensorDataset" and (size := size_of(first)) is not None:
        return size
    if name not in _MADE_UP:
        return 0
    if isinstance(first, Unknown) and first.data.measures is not None and first.data.measures.form is not None:
        return size_of(first.data.measures) or 0
    shape = first if name != "randint" else next((value for value in args if isinstance(value, Series)), None)
    rows = shape.items[0] if isinstance(shape, Series) and shape.items else shape
    return rows if isinstance(rows, int) and not isinstance(rows, bool) else 0


_MADE_UP = frozenset("randn rand randint randperm zeros ones empty".split())


def _rewrites(machine: Machine, node: Call, name: str, values: list[Value]) -> None:
    """Note a function of torch that writes into gradients, or reduces a flat copy of them.

    `torch._foreach_mul_(grads, coef)` clips where `coef` comes from their norm.
    """
    reduced = (
        name.startswith("all_reduce")
        and machine.stack.looked_in == machine.stack.function
        and not _is_statistic(values)
    )
    if not reduced and not (name.endswith("_") and any(map(_are_gradients, values))):
        return
    if len(values) > 1 and isinstance(values[0], Parameters) and clip_factor(values[1]):
        roots = values[0].roots
        machine.emit(Kind.CLIP, node.span, "/".join(sorted(roots)), "", Clipping(roots, False, False, BY_HAND, False))
    else:
        machine.emit(Kind.WRITE, node.span, node.text, node.text, Write(None, UNKNOWN_FACTOR))


def _is_statistic(values: list[Value]) -> bool:
    """A loss, a sum, a mean: what is reduced for a log, and no copy of the gradients."""
    first = values[0] if values else None
    if not isinstance(first, Unknown):
        return False
    cut_off = first.detached and not first.graph.bases and not first.measured
    return first.reduced.summed or first.reduced.mean or bool(first.graph.forwards) or cut_off


def _are_gradients(value: Value) -> bool:
    """`p.grad`, `[p.grad for p in params]`: what `torch._foreach_div_` writes into."""
    if isinstance(value, Parameters):
        return value.grads
    return isinstance(value, Method) and value.name == "grad"


def _by_its_name(machine: Machine, node: Call, name: str, values: list[Value]) -> bool:
    """A function of unknown origin that says what it does: `backward_func(loss)`, `zero_grads(params)`."""
    if BACKWARD_NAME[name] and any(is_loss(value) for value in values[:1]):
        site = Site(machine, Frame(machine.program.body), node, values[:1], {})
        apply(site, Effect(Action.LIBRARY_BACKWARD, By("function")), None)
        return True
    if ZERO_NAME[name]:
        machine.emit(Kind.ZERO, node.span, node.text, node.text, Zero(None, None))
        return True
    return False


_HOLDING = frozenset({Series, Table})


def unknowns(values: list[Value]) -> list[Unknown]:
    """The unknown values in some values."""
    flat: list[Unknown] = []
    for value in values:
        if value.__class__ is Unknown:
            flat.append(value)
        elif value.__class__ in _HOLDING:
            flat += unknowns_in(value)
    return flat


def _shapes(values: list[Value]) -> list[Unknown]:
    """What is left of some values where only their shapes are asked for: nothing of where they came from."""
    return [Unknown(part.key, part.varying) for part in unknowns(values)]


def unknown_result(
    machine: Machine, node: Call, key: str, values: list[Value], word: Word | None = None, *, loss: bool = False
) -> Unknown:
    """What an unknown call returns: it varies in a loop, unless it only asks about constants.

    What the last part of the `key` says may be known, and that what is called is a `loss`, whatever it is called.
    """
    word = word or WORDS[key.rsplit(".", 1)[-1]]
    flat = _shapes(values) if word.gives is Gives.SHAPE else unknowns(values)
    varying = working = divided = measured = False
    for part in flat:
        if part.varying:
            varying = True
        if part.graph is not NO_GRAPH and part.graph.known:
            working = True
        if part.factor is not ONE and (part.factor.divided or part.factor.weight is None):
            divided = True
        if GRADIENT in part.leaves:
            measured = True
    invariant = not varying and word.invariant
    full = f"{key}({', '.join(key_of(value) for value in values[:6])})" if invariant else node.text
    if key.endswith((".parse_args", ".parse_known_args")):
        full = _by_its_text(machine, node)  # whatever the parser says of itself
        full += _of_own_parser(machine, node.span.module, full)
    result = come_from(Unknown(full), flat)
    result.called = True
    result.leaves = frozenset((full, GRADIENT) if measured or _of_gradients(key, values) else (full,))
    if result.detached and _is_no_number(machine.course, word, values):
        result.detached = False
    if invariant:
        result.graph = result.graph.based(frozenset())
        return result
    result.varying = varying or machine.course.looping
    if working or (machine.course.working and not word.moves):
        result.graph = result.graph.based(_anew(machine.graphs, machine.names, flat))
    if word.gives is not None:
        result.graph, result.detached = result.graph.unreached(), True
        result.data = result.data.measuring(_measured(key, values) if word.gives is Gives.SIZES else None)
    if (divided and _stays_divided(machine.plan, flat, loss=loss or bool(LOSS_FUNCTION[key]))) or _told_the_window(
        machine.plan, values
    ):
        result.factor = UNKNOWN_FACTOR
    return result


def _by_its_text(machine: Machine, node: Call) -> str:
    """The arguments of a parser as the source has them; those of another one in the same file, by their line, too."""
    row = node.span.row
    first = machine.names.counters.setdefault(("parser", node.text, node.span.module), row)
    return node.text if first == row else f"{node.text}@{row}"


def _of_own_parser(machine: Machine, module: int, settings: str) -> str:
    """What tells settings apart that a file reads by a parser of its own, with other numbers under the same names."""
    own, known = machine.program.module(module).defaults, machine.plan.numbers.defaults
    if all(known.get(name, number) == number for name, number in own.items()):
        return ""
    known.update({f"{settings}@{module}.{name}": number for name, number in own.items()})
    return f"@{module}"


def _measured(key: str, values: list[Value]) -> Unknown | None:
    """What a size counts the samples, or elements, of."""
    name, whole = key.rsplit(".", 1)[-1], values[0] if values else None
    counts = name in ("numel", "nelement") or (name == "size" and values[1:] in ([], [0]))
    return whole if counts and isinstance(whole, Unknown) else None


def _is_no_number(course: Course, word: Word, values: list[Value]) -> bool:
    """Whether it is an object, or made of a model, whatever it was made with.

    Before any loop a function that is given settings, or a path, may make any object of them, a network, too:
    `torch.load(os.path.join(folder, name))`, `build(json.load(file))`.
    """
    if not course.looping and (word.makes or not any(part.graph.known for part in unknowns(values))):
        return True
    return any(value.__class__ in _OF_MODELS for value in values)


_OF_MODELS = frozenset({Tracked, Parameters})


def _anew(graphs: Graphs, names: Names, parts: list[Unknown]) -> frozenset[int]:
    """The loss that some values may make: none, if no share of a network in it has a graph (`count(table, preds)`)."""
    bases = frozenset((names.fresh(),))
    shares = [part for part in parts if part.graph.known]
    if shares and all(part.detached or graphs.is_spent(part.graph) for part in shares):
        graphs.bases |= bases
    graphs.note_made(bases, parts)
    return bases


def _told_the_window(plan: Plan, values: list[Value]) -> bool:
    """Whether a function that nobody can look into is given the window, or its share: it may divide by it."""
    size = plan.window
    if size < 2 or not (plan.numbers.windows or plan.seen):
        return False
    share = _one_of(size)
    for value in values:  # noqa: SIM110  # asked of every call: a generator would take three times as long
        if is_number(value) and value in (size, share):
            return True
    return False


def _stays_divided(plan: Plan, parts: list[Unknown], *, loss: bool) -> bool:
    """Whether what a function makes of what was divided is so, too: a loss of divided outputs is one of its own.

    No loss is made of the share of a window alone, without targets: `scale_loss(loss / accum)`.
    """
    if not loss:
        return True
    of_batch = [part for part in parts if part.varying]
    return plan.window > 1 and len(of_batch) == 1 and of_batch[0].factor.weight == _one_of(plan.window)


@cache
def _one_of(size: int) -> Fraction:
    return Fraction(1, size)


def _of_gradients(key: str, values: list[Value]) -> bool:
    """Whether something was measured of gradients by a function that says so."""
    for value in values:  # noqa: SIM110  # asked of every call: a generator would take three times as long
        if value.__class__ is Parameters and (value.grads or NORM_NAME[key]):
            return True
    return False
