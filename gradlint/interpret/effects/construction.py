"""Construction: objects with a role, what they are made of, and copies."""

from __future__ import annotations

from gradlint.interpret.atoms import truth
from gradlint.interpret.contents import roots_in, things_in
from gradlint.interpret.effects.forwards import reduction
from gradlint.interpret.effects.frameworks import is_set_up_for_ddp, make_accelerator, scales, takes_several
from gradlint.interpret.effects.gradients import roots_of
from gradlint.interpret.effects.use import Actions, Use
from gradlint.interpret.first_rates import gives_nought
from gradlint.interpret.functions import invoke
from gradlint.interpret.lengths import (
    asks_elsewhere,
    counts_batches,
    counts_epochs,
    counts_updates,
    paces,
    says_updates,
)
from gradlint.interpret.lineage import method_of
from gradlint.interpret.machine import Machine
from gradlint.interpret.rates import begins_at_one, grows, has_own_rates, is_endless, is_librarys, shares_of_rate
from gradlint.interpret.sequences import size_of
from gradlint.interpret.shuffled import BATCHES, SHUFFLE, furnish
from gradlint.interpret.state.objects import Objects
from gradlint.interpret.traits import exact, key_of
from gradlint.interpret.typed import switches_around
from gradlint.interpret.values import TOTAL, Make, Parameters, Routine, Series, Table, Tracked, Unknown, Value, another
from gradlint.model.effects import Action, Makes
from gradlint.model.program import Attr, Closure, Display, Expr, Read
from gradlint.model.roles import Role


def _make(use: Use) -> Value:
    role = use.options(Makes).role
    name = use.node.text.split("(")[0].split(".")[-1]
    kind = (getattr(use.node.func, "qualified", None) or name).rpartition(".")[2]
    tracked = Tracked(f"new:{name}@{use.span.begins}", role, origin="made", make=Make(kind))
    if role is Role.OPTIMIZER:
        tracked.key = use.machine.names.one_more(tracked.key)
        tracked.make.library = (getattr(use.node.func, "qualified", None) or "").partition(".")[0]
        _make_optimizer(use, tracked)
    elif role in (Role.SCALER, Role.SCALER_CALLABLE):
        tracked.enabled = use.keywords.get("enabled", True)
        use.machine.precision.scalers[id(tracked)] = use.span
        if isinstance(tracked.enabled, Unknown):
            use.machine.precision.switches.append(tracked.enabled)
        if tracked.enabled is not False:
            use.machine.precision.under.append(switches_around(use.machine, tracked.enabled))
    elif role is Role.SCHEDULER:
        _make_scheduler(use, tracked)
    elif role is Role.LOADER:
        furnish(use.machine.course, tracked, use.args, use.keywords)
        tracked.make.extra["batches"] = _batches(use)
    elif role is Role.SAMPLER:
        shuffle = use.options(Makes).shuffle
        furnish(use.machine.course, tracked, use.args, use.keywords, SHUFFLE if shuffle is None else shuffle)
        tracked.make.library = (getattr(use.node.func, "qualified", None) or "").partition(".")[0]
        tracked.make.extra["by epoch"] = tracked.make.library in ("", "torch") or shuffle is not None
    elif role is Role.ACCELERATOR:
        make_accelerator(use, tracked)
        tracked.make.extra["scales"] = scales(use, "mixed_precision", _FP16)
        tracked.make.extra["ddp"] = is_set_up_for_ddp(use)
    elif role is Role.FABRIC:
        tracked.make.extra["scales"] = scales(use, "precision", _FABRIC_FP16)
        tracked.make.extra["ddp"] = takes_several(use)
    elif role is Role.METER:
        tracked.born[TOTAL] = use.machine.course.stamp
    elif role is Role.CRITERION:
        tracked.make.kind = reduction(use.node.text.partition("(")[0], use.args, use.keywords)
    return tracked


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
    if (size := size_of(data)) is not None:
        return size
    if isinstance(data, Series) and not data.once:
        return len(data.items)
    found = (
        method_of(machine.program, data.cls, "__len__") if isinstance(data, Tracked) and data.cls is not None else None
    )
    if found is None:
        return None
    with machine.stack.silently():
        number = invoke(machine, Routine(found[0], machine.frame_of(found[0]), data), [], {}, found[0].span)
    return number if isinstance(number, int) and not isinstance(number, bool) else None


_FP16 = frozenset({"fp16"})


_FABRIC_FP16 = frozenset({"16-mixed", "16", 16})


def _make_optimizer(use: Use, tracked: Tracked) -> None:
    value = use.arg(0, "params")
    if isinstance(value, Tracked) and value.role is Role.OPTIMIZER:
        tracked.params, tracked.framework = value.params, value.framework
        return
    if isinstance(value, Tracked) and value.role is Role.MODEL and tracked.make.library != "torch":
        tracked.origin = "foreign"  # torch's take parameters: `mytorch.optim.SGD(model)` keeps other books
    tracked.params = roots_of(value)
    use.machine.objects.owned |= tracked.params or frozenset()
    tracked.make.extra["bare"] = _is_bare(use, value)
    some = value.some if isinstance(value, Parameters) else ""
    tracked.make.extra["given"] = some if tracked.params else key_of(value)
    tracked.make.extra["shared"] = Series([*sorted(shares_of_rate(use) if tracked.make.kind == "SGD" else ())])
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
    return all(isinstance(item, Unknown) and not _is_part(use.machine.objects, item.key) for item in value.items)


def _is_part(objects: Objects, key: str) -> bool:
    return any(key == root or key.startswith(f"{root}.") for role, root in objects.known if role is Role.MODEL)


def _make_scheduler(use: Use, tracked: Tracked) -> None:
    tracked.make.extra["made"] = use.node.text
    written = (*use.node.args, *(part for _, part in use.node.keywords))
    tracked.make.extra["long"] = any(counts_batches(use.machine, part) for part in written)
    tracked.make.extra["paces"] = Series([size for part in written for size in sorted(paces(use.machine, part))])
    tracked.make.extra["epochs"] = any(counts_epochs(use.machine, part) for part in written)
    tracked.make.extra["updates"] = any(says_updates(use.machine, part) for part in _beside_optimizer(use))
    functions = [part for part in written if isinstance(part, Closure)]
    hidden = tracked.make.kind in _BY_FUNCTION and (not functions or any(map(asks_elsewhere, functions)))
    tracked.make.extra["hidden"] = hidden and not any(counts_updates(use.machine, part) for part in written)
    tracked.make.extra["own"] = has_own_rates(tracked.make.kind, use.node)
    tracked.make.extra["told"] = is_librarys(use.node)
    tracked.make.extra["begins"] = begins_at_one(use) if tracked.make.kind == "LambdaLR" else ""
    tracked.make.extra["grows"] = grows(use, tracked.make.kind)
    tracked.make.extra["nought"] = _begins_at_nought(use, tracked.make.kind)
    held = [one for value in use.values for one in things_in(value)]
    within = [one for one in held if one.role is Role.SCHEDULER]
    whole = (one.make.extra.get("endless") is True for one in within)
    tracked.make.extra["endless"] = all(whole) if within else is_endless(use, tracked.make.kind)
    tracked.make.extra["long"] = tracked.make.extra["long"] or any(one.make.extra.get("long") is True for one in within)
    first = within[:1] if tracked.make.kind == "SequentialLR" else within
    if any(one.make.extra.get("nought") is True for one in first):
        tracked.make.extra["nought"] = True
    if any(one.make.extra.get("updates") is True for one in within):
        tracked.make.extra["updates"] = True
    for one in held:
        if one.role is Role.OPTIMIZER:
            tracked.make.extra["optimizer"] = one
            return
        inner = one.make.extra.get("optimizer")
        if one.role is Role.SCHEDULER and inner is not None:
            tracked.make.extra["optimizer"] = inner


def _beside_optimizer(use: Use) -> list[Expr]:
    """What a schedule is made from but the optimizer, whose own numbers (`lr=rate / accum`) are no lengths."""
    pairs = [*zip(use.node.args, use.args, strict=False)]
    pairs += [(part, use.keywords.get(name) if name else None) for name, part in use.node.keywords]
    return [part for part, value in pairs if not (isinstance(value, Tracked) and value.role is Role.OPTIMIZER)]


def _begins_at_nought(use: Use, kind: str) -> bool:
    """Whether the first rate is 0: by the schedule's own function, or for it warms up from there."""
    if kind.startswith("get_") and kind.endswith("_warmup"):  # those of transformers
        steps = exact(use.arg(1, "num_warmup_steps"))
        return steps is not None and steps > 0
    return kind == "LambdaLR" and gives_nought(use)


_BY_FUNCTION = frozenset({"LambdaLR", "MultiplicativeLR"})


def _parameters(use: Use) -> Value:
    tracked = use.tracked
    if tracked is None:
        return Parameters(frozenset((key_of(use.receiver),)))
    return Parameters(frozenset(roots_in(tracked)))


def _master_params(use: Use) -> Value:
    optimizer = use.arg(0, "optimizer")
    if isinstance(optimizer, Tracked):
        return Parameters(optimizer.params or frozenset((optimizer.key,)))
    return Parameters(frozenset(("*",)))


def _batched(use: Use) -> Value:
    """A batch sampler: it has no `set_epoch`, and holds the sampler that has one."""
    held = use.arg(0, "sampler")
    if not isinstance(held, Tracked) or held.role is not Role.SAMPLER:
        return held
    return Tracked(
        f"new:BatchSampler@{use.span.begins}", None, origin="made", make=Make(BATCHES), attrs={"sampler": held}
    )


def _copy(use: Use) -> Value:
    value = use.arg(0)
    if isinstance(value, Tracked) and value.role is Role.MODEL:
        key = value.key + "'" * use.machine.names.copy_number(value.key, use.span)
        key = use.machine.local_name(key, use.machine.course.stamp)  # in another iteration it is another copy
        return Tracked(key, Role.MODEL, value.cls, "made", attrs=dict(value.attrs))
    return another(value) if isinstance(value, Unknown) and value.called else value


def _foreign(use: Use) -> Value:
    """Something of a library that is not torch: whatever is done with it, the books do not know."""
    return use.machine.objects.tracked(Role.FOREIGN, use.node.text)


CONSTRUCTION: Actions = {
    Action.MAKE: _make,
    Action.PARAMETERS: _parameters,
    Action.MASTER_PARAMETERS: _master_params,
    Action.COPY: _copy,
    Action.BATCHED: _batched,
    Action.FOREIGN: _foreign,
}
"""What carries these actions out."""
