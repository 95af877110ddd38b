"""Construction: objects with a role, what they are made of, and copies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gradlint.interpret.atoms import truth
from gradlint.interpret.lengths import asks_elsewhere, counts_batches, counts_epochs, counts_updates, paces
from gradlint.interpret.rates import begins_at_one, factors_at, grows, has_own_rates, is_librarys, shares_of_rate
from gradlint.interpret.values import (
    Parameters,
    Routine,
    Series,
    Table,
    Thing,
    Unknown,
    Value,
    another,
    exact,
    key_of,
    roots_in,
    things_in,
)
from gradlint.model.program import (
    Attr,
    Call,
    Closure,
    Display,
    Read,
    Role,
)

if TYPE_CHECKING:
    from gradlint.interpret.machine import Machine
from gradlint.interpret.effects.forwards import reduction
from gradlint.interpret.effects.frameworks import is_set_up_for_ddp, make_accelerator, scales, takes_several
from gradlint.interpret.effects.gradients import roots_of
from gradlint.interpret.effects.use import Actions, Use


def _make(use: Use) -> Value:
    role = use.effect.option("role")
    assert isinstance(role, Role)
    name = use.node.text.split("(")[0].split(".")[-1]
    thing = Thing(f"new:{name}@{use.span.row}:{use.span.column}", role, origin="made", kind=name)
    if role is Role.OPTIMIZER:
        thing.library = (getattr(use.node.func, "qualified", None) or "").partition(".")[0]
        _make_optimizer(use, thing)
    elif role in (Role.SCALER, Role.SCALER_CALLABLE):
        thing.enabled = use.keywords.get("enabled", True)
        use.machine.scalers[id(thing)] = use.span
        if isinstance(thing.enabled, Unknown):
            use.machine.switches.append(thing.enabled)
    elif role is Role.SCHEDULER:
        _make_scheduler(use, thing)
    elif role is Role.LOADER:
        thing.extra["sampler"] = use.keywords.get("sampler", use.keywords.get("batch_sampler"))
        thing.extra["dataset"] = use.arg(0, "dataset")
        thing.extra["batches"], thing.extra["batch_size"] = _batches(use), use.arg(1, "batch_size", 1)
    elif role is Role.SAMPLER:
        use.machine.pace.sampled = True
        thing.extra["shuffle"] = use.keywords.get("shuffle", use.arg(3, "", True))
        thing.library = (getattr(use.node.func, "qualified", None) or "").partition(".")[0]
    elif role is Role.ACCELERATOR:
        make_accelerator(use, thing)
        thing.extra["scales"] = scales(use, "mixed_precision", _FP16)
        thing.extra["ddp"] = is_set_up_for_ddp(use)
    elif role is Role.FABRIC:
        thing.extra["scales"] = scales(use, "precision", _FABRIC_FP16)
        thing.extra["ddp"] = takes_several(use)
    elif role is Role.CRITERION:
        thing.kind = reduction(use.node.text.partition("(")[0], use.args, use.keywords)
    return thing


def _batches(use: Use) -> int | None:
    """How many batches a loader has, where its data was made here: `TensorDataset(torch.randn(64, 3))`."""
    if not {"sampler", "batch_sampler"}.isdisjoint(use.keywords) or any(name.startswith("**") for name in use.keywords):
        return None
    samples, size = _samples(use.machine, use.arg(0, "dataset")), use.arg(1, "batch_size", 1)
    if samples is None or not isinstance(size, int) or size < 1:
        return None
    return samples // size if truth(use.keywords.get("drop_last", False)) else -(-samples // size)


def _samples(machine: Machine, data: Value) -> int | None:
    """How many samples a data set has, where that can be seen."""
    if isinstance(data, Unknown) and data.logic is not None and data.logic[0] == "sized":
        return int(str(data.logic[1]))
    if isinstance(data, Series) and not data.once:
        return len(data.items)
    found = machine.method(data.cls, "__len__") if isinstance(data, Thing) and data.cls is not None else None
    if found is None:
        return None
    from gradlint.interpret.functions import invoke

    machine.preparing += 1
    try:
        number = invoke(machine, Routine(found[0], machine.world, data), [], {}, found[0].span)
    finally:
        machine.preparing -= 1
    return number if isinstance(number, int) and not isinstance(number, bool) else None


_FP16 = frozenset({"fp16"})


_FABRIC_FP16 = frozenset({"16-mixed", "16", 16})


def _make_optimizer(use: Use, thing: Thing) -> None:
    value = use.arg(0, "params")
    if isinstance(value, Thing) and value.role is Role.OPTIMIZER:
        thing.params, thing.framework = value.params, value.framework
        return
    if isinstance(value, Thing) and value.role is Role.MODEL and thing.library != "torch":
        thing.origin = "foreign"  # torch's take parameters: `mytorch.optim.SGD(model)` keeps other books
    thing.params = roots_of(value)
    thing.extra["bare"] = _is_bare(use, value)
    some = value.some if isinstance(value, Parameters) else ""
    thing.extra["given"] = some if thing.params else key_of(value)
    thing.extra["shared"] = Series([*sorted(shares_of_rate(use) if thing.kind == "SGD" else ())])
    for part in value.items if isinstance(value, Series) else [value]:
        held = part.items.get("params") if isinstance(part, Table) else part
        if isinstance(held, Parameters):
            held.consume()


def _is_bare(use: Use, value: Value) -> bool:
    """`Adam([image])`: single tensors are written out, and none of them is a part of a model."""
    written = use.node.args[0] if use.node.args else None
    plain_names = isinstance(written, Display) and all(isinstance(item, (Read, Attr)) for item in written.items)
    if not plain_names or not isinstance(value, Series) or not value.items:
        return False
    return all(isinstance(item, Unknown) and not _is_part(use.machine, item.key) for item in value.items)


def _is_part(machine: Machine, key: str) -> bool:
    return any(key == root or key.startswith(f"{root}.") for role, root in machine.things if role is Role.MODEL)


def _make_scheduler(use: Use, thing: Thing) -> None:
    thing.extra["made"] = use.node.text
    written = (*use.node.args, *(part for _, part in use.node.keywords))
    thing.extra["long"] = any(counts_batches(use.machine, part) for part in written)
    thing.extra["paces"] = Series([size for part in written for size in sorted(paces(use.machine, part))])
    thing.extra["epochs"] = any(counts_epochs(use.machine, part) for part in written)
    functions = [part for part in written if isinstance(part, Closure)]
    hidden = thing.kind in _BY_FUNCTION and (not functions or any(map(asks_elsewhere, functions)))
    thing.extra["hidden"] = hidden and not any(counts_updates(use.machine, part) for part in written)
    thing.extra["own"] = has_own_rates(thing.kind, use.node)
    thing.extra["told"] = is_librarys(use.node)
    thing.extra["begins"] = begins_at_one(use) if thing.kind == "LambdaLR" else ""
    thing.extra["grows"] = grows(use, thing.kind)
    thing.extra["nought"] = _begins_at_nought(use, thing.kind)
    for value in (*use.args, *use.keywords.values()):
        for held in things_in(value):
            if held.role is Role.OPTIMIZER:
                thing.extra["optimizer"] = held
                return
            inner = held.extra.get("optimizer")
            if held.role is Role.SCHEDULER and inner is not None:
                thing.extra["optimizer"] = inner


def _begins_at_nought(use: Use, kind: str) -> bool:
    """Whether the first rate is 0: by the schedule's own function, or for it warms up from there."""
    if kind.startswith("get_") and kind.endswith("_warmup"):  # those of transformers
        steps = exact(use.arg(1, "num_warmup_steps"))
        return steps is not None and steps > 0
    return kind == "LambdaLR" and any(exact(one) == 0 for one in factors_at(use, 0))


_BY_FUNCTION = frozenset({"LambdaLR", "MultiplicativeLR"})


def _parameters(use: Use) -> Value:
    thing = use.thing
    if thing is None:
        return Parameters(frozenset((key_of(use.receiver),)))
    return Parameters(frozenset(roots_in(thing)))


def _master_params(use: Use) -> Value:
    optimizer = use.arg(0, "optimizer")
    if isinstance(optimizer, Thing):
        return Parameters(optimizer.params or frozenset((optimizer.key,)))
    return Parameters(frozenset(("*",)))


def _copy(use: Use) -> Value:
    value = use.arg(0)
    if isinstance(value, Thing) and value.role is Role.MODEL:
        key = value.key + "'" * use.machine.copy_number(value.key, use.span)
        key = use.machine.local_name(key, use.machine.stamp)  # in another turn it is another copy
        return Thing(key, Role.MODEL, value.cls, "made", attrs=dict(value.attrs))
    return another(value) if isinstance(value, Unknown) and value.called else value


def foreign(machine: Machine, node: Call) -> Thing:
    """Something of a library that is not torch: whatever is done with it, the books do not know."""
    return machine.thing(Role.FOREIGN, node.text)


def _foreign(use: Use) -> Value:
    return foreign(use.machine, use.node)


CONSTRUCTION: Actions = {
    "make": _make,
    "parameters": _parameters,
    "master_params": _master_params,
    "copy": _copy,
    "foreign": _foreign,
}
"""Actions by name."""
