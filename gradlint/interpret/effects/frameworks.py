"""Frameworks: Accelerate, Fabric, DeepSpeed, Lightning and others that keep books of their own."""

from __future__ import annotations

from fractions import Fraction

from gradlint.interpret.atoms import truth
from gradlint.interpret.configured import configured
from gradlint.interpret.contents import things_in
from gradlint.interpret.effects.gradients import divided_before, emit_backward
from gradlint.interpret.effects.use import Actions, Use
from gradlint.interpret.machine import Machine
from gradlint.interpret.tracked import accumulation, boundary, counts_windows
from gradlint.interpret.traits import exact, key_of
from gradlint.interpret.values import Context, Series, Table, Tracked, Unknown, Value
from gradlint.libraries.conventions.switches import OTHER_WAYS
from gradlint.model.effects import Action, By
from gradlint.model.events import Kind, Step
from gradlint.model.factor import ONE, UNKNOWN_FACTOR, Factor, Part
from gradlint.model.program import Attr, Read
from gradlint.model.roles import Role


def _library_backward(use: Use) -> Value:
    framework = use.options(By).framework
    value = use.arg(0, "loss")
    loss = value if isinstance(value, Unknown) else None
    twice = ""
    if framework == "accelerate":
        accelerator = use.tracked
        steps = accumulation(use.machine.plan, accelerator) if accelerator is not None else 1
        factor = _hidden(Fraction(steps), "Accelerate")
        if accelerator is not None and (
            accelerator.make.extra.get("given") or not counts_windows(use.machine.ranks, accelerator)
        ):
            factor = UNKNOWN_FACTOR
        if steps > 1:
            twice = divided_before(loss, accelerator, steps)
            loss = Unknown(use.node.text, True) if loss is None else loss
            loss = loss.multiplied(loss.key, factor)
    if framework == "engine" and loss is not None and use.tracked is not None:
        loss = _by_engine(loss, exact(use.tracked.make.extra.get("steps")))
    inside = use.tracked is not None and use.tracked.make.extra.get("scales") is True
    emit_backward(use, loss, framework, inside=inside, twice=twice)
    return None


def _hidden(steps: Fraction, library: str) -> Factor:
    """What a library divides by in its `backward`."""
    return Factor.of(Part(1 / steps, _GAS, divides=True, library=library)) if steps > 1 else ONE


def _by_engine(loss: Unknown, steps: Fraction | None) -> Unknown:
    """A loss that DeepSpeed divides by its window; what divided it by the same number before was the window, too."""
    if steps is None:
        return loss.multiplied(loss.key, UNKNOWN_FACTOR)
    if steps > 1 and loss.factor.weight == 1 / steps:
        loss = loss.multiplied(loss.key, Factor.of(Part(Fraction(1), _GAS, divides=True)))
    return loss.multiplied(loss.key, _hidden(steps, "DeepSpeed"))


def _engine_step(use: Use) -> Value:
    key = key_of(use.receiver)
    use.emit(Kind.STEP, key, Step("engine", None, "engine", "engine"))
    return None


def _engine_window(use: Use) -> Value:
    """`engine.gradient_accumulation_steps()`: what DeepSpeed was told, else a window of the usual size."""
    tracked = use.tracked
    if tracked is None:
        return Unknown(use.node.text)
    told = tracked.make.extra.get("steps")
    if told is None or isinstance(told, Unknown):
        key = told.key if isinstance(told, Unknown) else f"{tracked.key}.{_GAS}"
        use.machine.plan.bind_window(key)
        tracked.make.extra["steps"] = use.machine.unknown(key)
    return tracked.make.extra["steps"]


def _whole_update(use: Use) -> Value:
    value = use.arg(0, "loss")
    emit_backward(use, value if isinstance(value, Unknown) else None, "mmengine")
    use.emit(Kind.STEP, key_of(use.receiver), Step("wrapper", None, "mmengine", "engine"))
    return None


def _accumulate(use: Use) -> Value:
    use.machine.ranks.accelerator = use.tracked
    if use.tracked is not None:
        use.machine.ranks.syncing = boundary(use.machine, use.tracked)
    return Context("accumulate", target=use.tracked, given=tuple(use.args))


_DDP = frozenset({"ddp", "ddp_spawn", "ddp_find_unused_parameters_true"})


_PLAIN_CHOICES = frozenset("auto cuda gpu ddp dp ddp_find_unused_parameters_true".split())


def scales(use: Use, name: str, values: frozenset[object]) -> bool:
    """Whether a library is told to train in float16, and nothing else that may keep it from scaling the loss."""
    value = use.keywords.get(name)
    chosen = (use.keywords.get(one, "auto") for one in ("strategy", "accelerator"))
    plain_way = all(isinstance(one, str) and one in _PLAIN_CHOICES for one in chosen)
    known = isinstance(value, (str, int)) and value in values
    return known and plain_way and not use.args and not any(map(OTHER_WAYS.search, use.keywords))


def takes_several(use: Use) -> bool:
    """Whether Fabric is told to wrap models in DDP, and not to take one device only."""
    strategy, devices = use.keywords.get("strategy"), use.keywords.get("devices")
    return isinstance(strategy, str) and strategy in _DDP and key_of(devices).strip("'") != "1"


def is_set_up_for_ddp(use: Use) -> bool:
    """Whether Accelerate is told how to make its DDP, or asked which process this is: whoever does runs several."""
    if use.machine.module.processes and _may_run_several(use):
        return True
    given = use.keywords.get("kwargs_handlers")
    handlers = given.items if isinstance(given, Series) else [given]
    return any(isinstance(one, Unknown) and _DDP_SETTINGS in one.key for one in handlers)


def _may_run_several(use: Use) -> bool:
    """Whether nothing tells Accelerate to stay on the processor, or to leave models to another library.

    A file that imports what is for FSDP is launched with that as well, by settings of Accelerate that nobody sees.
    """
    if truth(use.keywords.get("cpu", False)) is True or _OTHER_PLUGINS & use.keywords.keys():
        return False
    return not any("fsdp" in one for one in use.machine.module.imports.values())


_OTHER_PLUGINS = frozenset({"deepspeed_plugin", "deepspeed_plugins", "fsdp_plugin", "megatron_lm_plugin"})


_DDP_SETTINGS = "DistributedDataParallelKwargs("


def make_accelerator(use: Use, tracked: Tracked) -> None:
    """What an Accelerator was told when it was made."""
    steps = use.keywords.get(_GAS)
    plugin = use.keywords.get("gradient_accumulation_plugin")
    given = next((name[2:] for name in use.keywords if name.startswith("**")), "") if steps is None else ""
    if plugin is not None or given or any(isinstance(value, Unknown) for value in use.args):
        key = f"{given or key_of(plugin)}.num_steps"
        steps = Unknown(key, leaves=frozenset((key,)))
    tracked.make.extra["steps"] = steps
    tracked.make.extra["given"] = bool(given)  # it may hold a window, or none
    written = dict(use.node.keywords).get(_GAS)
    tracked.make.extra["window"] = written.name if isinstance(written, (Read, Attr)) else ""
    tracked.make.extra["several"] = _may_run_several(use)
    use.machine.ranks.accelerator = tracked


def _prepare(use: Use) -> Value:
    framework = use.options(By).framework
    values = [
        *use.args,
        *(value for name, value in use.keywords.items() if name in ("model", "models", "optimizer", "optimizers")),
    ]
    if framework == "apex":
        values = values[:2]
    if framework == "accelerate":
        use.machine.ranks.accelerator = use.tracked
        use.machine.ranks.prepared = True
    for value in values:
        for tracked in things_in(value):
            tracked.framework = framework
    if use.tracked is not None and _makes_ddp(use.machine, use.tracked):
        values = [_put_into_ddp(use.machine, value, framework) for value in values]
    if len(values) == 1:
        return values[0]
    return Series(values, "tuple")


def _makes_ddp(machine: Machine, tracked: Tracked) -> bool:
    """Whether models come back in DDP: it was made for that, or who has them prepared asks which process this is."""
    told = tracked.make.extra.get("ddp")
    asked = told is False and tracked.make.extra.get("several") is True and machine.module.processes
    return told is True or asked


def _put_into_ddp(machine: Machine, value: Value, framework: str) -> Value:
    """A model as it comes back where several processes train: inside torch's DDP."""
    if not isinstance(value, Tracked) or value.role is not Role.MODEL or value.distributed:
        return value
    machine.ranks.wrappers.setdefault(value.root, "ddp")
    machine.ranks.inside[value.root] = value.innermost
    key = f"{value.key}:ddp"
    machine.training.flags[key] = True
    return Tracked(key, Role.MODEL, value.cls, "made", wrapper="ddp", inner=value, framework=framework)


_GAS = "gradient_accumulation_steps"


def _deepspeed(use: Use) -> Value:
    engine = Tracked("engine", Role.ENGINE, origin="made", framework="engine")
    config = use.keywords.get("config", use.keywords.get("config_params"))
    if isinstance(config, Table):
        steps = engine.make.extra["steps"] = config.items.get(_GAS)
        if isinstance(steps, Unknown) and not steps.varying:
            use.machine.plan.bind_window(steps.key)
    optimizer = use.machine.objects.tracked(Role.OPTIMIZER, "engine.optimizer")
    optimizer.framework = "engine"
    loader = use.machine.objects.tracked(Role.LOADER, "engine.loader")
    scheduler = use.machine.objects.tracked(Role.SCHEDULER, "engine.scheduler")
    scheduler.framework = "engine"
    return Series([engine, optimizer, loader, scheduler], "tuple")


def _lightning_optimizers(use: Use) -> Value:
    """The optimizers of a module: the same ones each time, and so many as it configures."""
    machine, module, key = use.machine, use.tracked, "self.optimizers()"
    machine.objects.tracked(Role.OPTIMIZER, key).framework = "lightning"
    if module is None:
        return _handle(key)
    if key not in module.make.extra:
        found = {_handle(f"{key}[{number}]"): held for number, held in enumerate(configured(machine.program, module))}
        machine.objects.networks.given.update({one: held for one, held in found.items() if held is not None})
        module.make.extra[key] = Series(list(found)) if found else _handle(key)
    return module.make.extra[key]


def _handle(key: str) -> Unknown:
    return Unknown(key, called=True, leaves=frozenset((key,)))


def _lightning_schedulers(use: Use) -> Value:
    return _handle("self.lr_schedulers()")


FRAMEWORKS: Actions = {
    Action.LIBRARY_BACKWARD: _library_backward,
    Action.ENGINE_STEP: _engine_step,
    Action.ENGINE_WINDOW: _engine_window,
    Action.WHOLE_UPDATE: _whole_update,
    Action.PREPARE: _prepare,
    Action.DEEPSPEED: _deepspeed,
    Action.LIGHTNING_OPTIMIZERS: _lightning_optimizers,
    Action.LIGHTNING_SCHEDULERS: _lightning_schedulers,
    Action.ACCUMULATE: _accumulate,
    Action.VIRTUAL_BATCHES: lambda use: Context("opacus", value=use.keywords.get("data_loader", use.arg(0))),
}
"""What carries these actions out."""
