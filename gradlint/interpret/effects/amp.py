"""Mixed precision: the loss scale, its scaler, and autocast."""

from __future__ import annotations

from gradlint.interpret.atoms import AMP, atom, by_value, decide, settled, truth
from gradlint.interpret.effects.gradients import emit_backward, gated, roots_of
from gradlint.interpret.effects.steps import is_boundary, is_closure, run_closure, run_hooks, step_detail
from gradlint.interpret.effects.through import held_within, step_of
from gradlint.interpret.effects.use import Actions, Use
from gradlint.interpret.losses import Scale
from gradlint.interpret.machine import Machine
from gradlint.interpret.state.scenario import Scenario
from gradlint.interpret.tracked import stepped
from gradlint.interpret.traits import is_number, key_of
from gradlint.interpret.typed import is_low
from gradlint.interpret.values import LOSS_SCALE, Context, Series, Tracked, Unknown, Value
from gradlint.interpret.witnessing import asked
from gradlint.libraries.conventions.switches import AMP_NAME, FLOAT16_NAME, FLOAT16_ONLY_NAME
from gradlint.libraries.operations import Question
from gradlint.model.effects import Action, Apex, Casts
from gradlint.model.events import Clipping, Kind, Write
from gradlint.model.factor import ONE, UNKNOWN_FACTOR
from gradlint.model.program import Call


def _scale(use: Use) -> Value:
    value = use.arg(0, "outputs", use.arg(0, "loss"))
    scaler = use.tracked
    if isinstance(value, Series):
        value = value.items[0] if value.items else None
    if not isinstance(value, Unknown):
        number = is_number(value)
        value = Unknown(use.node.text, True, bases=frozenset((use.machine.names.fresh(),)))
        value.factor = UNKNOWN_FACTOR if number else ONE  # a loss that nobody saw being added up
    if scaler is None or not _enabled(use.machine.scenario, scaler) or not _switched_on(use.machine, scaler.enabled):
        return value
    if id(scaler) in use.machine.precision.scalers:
        use.machine.precision.scalers[scaler.key] = use.machine.precision.scalers[id(scaler)]
    switch = key_of(scaler.enabled)
    asked = (
        truth(scaler.enabled) is None
        and not by_value(use.machine.scenario, scaler.enabled)
        and FLOAT16_NAME.search(switch)
    )
    shared = use.machine.precision.low | use.machine.precision.within
    if (asked and switch not in shared) or "float16" in scaler.make.extra or _asked_again(use.machine):
        use.machine.precision.unsure.add(scaler.key)
    if value.scale is not None and value.scale.by == scaler.key and not value.scale.left:
        use.machine.log.faults.append(f"`{use.node.text[:60]}` scales what is scaled already")
    return _scaled(value, use.node.text, scaler)


def _scaled(loss: Unknown, key: str, scaler: Tracked) -> Unknown:
    scaled = loss.under(key)
    scaled.scale = Scale.over(loss.scale, scaler.key)
    return scaled


def _enabled(scenario: Scenario, scaler: Tracked) -> bool:
    """False when this scenario knows the scaler to be switched off."""
    return settled(scenario, scaler.enabled) is not False


def _switched_on(machine: Machine, enabled: Value) -> bool:
    """Whether a scaler is on that a condition of its own switches: from now on that is decided, for all who ask it."""
    if truth(enabled) is not None or atom(enabled)[0] == AMP or (isinstance(enabled, Unknown) and enabled.varying):
        return True
    return decide(machine, enabled, True, 0)


def _asked_again(machine: Machine) -> bool:
    """Whether a switch is asked before a loss is scaled that was not where a flag chose its type."""
    within = machine.precision.within
    return bool(within) and any(
        guard.taken and not guard.known and AMP_NAME[guard.text] and guard.text not in within
        for guard in machine.scenario.guards
    )


def _is_enabled(use: Use) -> Value:
    return use.tracked.enabled if use.tracked is not None else Unknown(use.node.text)


def _loss_scale(use: Use) -> Value:
    """`scaler.get_scale()`: what scaled gradients, and limits for these, are multiplied by."""
    return Unknown(use.node.text, True, detached=True, leaves=frozenset((use.node.text, LOSS_SCALE)))


def _scaler_step(use: Use) -> Value:
    optimizer = stepped(use.machine.objects, use.arg(0, "optimizer"))
    scaler = use.tracked
    result = Unknown(use.node.text, True)
    if not isinstance(optimizer, Tracked) or scaler is None:
        return result
    if held_within(use, optimizer):
        return step_of(use, optimizer, scaler, on=_enabled(use.machine.scenario, scaler))
    closure = use.arg(1)
    if is_closure(closure, use.machine):
        run_closure(use, closure)
    if gated(use.machine.contexts, use.machine.ranks, optimizer):
        return result  # the scaler calls a step that Accelerate has wrapped
    if "scale" in use.keywords or "grad_scale" in use.keywords:
        use.emit(Kind.WRITE, optimizer.key, Write(optimizer.params, UNKNOWN_FACTOR))
    if use.machine.witnessed.on and asked(use.machine, Question.STEPPED, scaler, True) is False:
        return result  # it has found what is not finite
    via = "scaler" if _enabled(use.machine.scenario, scaler) else "plain"
    if via == "plain":
        run_hooks(use, optimizer, "before")  # else the scaler has divided before they run
    use.emit(Kind.STEP, optimizer.key, step_detail(use.machine.objects, optimizer, via, scaler.key))
    run_hooks(use, optimizer, "after")
    return result


def _unscale(use: Use) -> Value:
    optimizer = stepped(use.machine.objects, use.arg(0, "optimizer"))
    scaler = use.tracked
    if scaler is not None and not _enabled(use.machine.scenario, scaler):
        return None
    whose = held_within(use, optimizer) or (optimizer,)
    for subject in (one.key if isinstance(one, Tracked) else "*" for one in whose):
        use.emit(Kind.UNSCALE, subject)
    return None


def _library_unscale(use: Use) -> Value:
    if use.tracked is not None and use.tracked.make.extra.get("scales") is True:
        use.emit(Kind.UNSCALE, "*")
    return None


def _scaler_update(use: Use) -> Value:
    scaler = use.tracked
    if scaler is not None and _enabled(use.machine.scenario, scaler):
        use.emit(Kind.UPDATE, scaler.key)
    return None


def _scaled_update(use: Use) -> Value:
    """timm: one call scales, runs backward and, at a boundary, unscales, clips, steps and updates."""
    machine = use.machine
    scaler = use.tracked
    loss = use.arg(0, "loss")
    optimizer = use.arg(1, "optimizer")
    scaled = _scaled(loss, loss.key, scaler) if isinstance(loss, Unknown) and scaler is not None else None
    if scaled is not None and machine.contexts.active("accumulate") is not None:
        scaled.factor = UNKNOWN_FACTOR  # Accelerate's own backward divides, and it may be called in there
    emit_backward(use, scaled, "")
    if not isinstance(optimizer, Tracked):
        return Unknown(use.node.text, True, detached=True)
    if is_boundary(machine, use) and not gated(machine.contexts, machine.ranks, optimizer):
        use.emit(Kind.UNSCALE, optimizer.key)
        clip = use.keywords.get("clip_grad")
        if clip is not None:
            roots = roots_of(use.keywords.get("parameters"))
            use.emit(Kind.CLIP, optimizer.key, Clipping(roots, False, False, "norm", unscales=True))
        key = scaler.key if scaler is not None else None
        use.emit(Kind.STEP, optimizer.key, step_detail(machine.objects, optimizer, "scaler", key))
        if key is not None:
            use.emit(Kind.UPDATE, key)
    return Unknown(use.node.text, True, detached=True)


def _autocast(use: Use) -> Value:
    casts = use.options(Casts)
    enabled = use.arg(casts.enabled, "enabled", True)
    dtype = use.arg(casts.dtype, "dtype")
    device = use.arg(casts.device, "device_type")
    active = settled(use.machine.scenario, enabled) is not False
    text = key_of(dtype).split(".")[-1] if dtype is not None else ""
    if isinstance(dtype, Unknown) and is_low(use.machine, dtype, enabled):
        text = "bfloat16"
    if not text:
        on_cpu = device == "cpu" or casts.cpu
        text = "bfloat16" if on_cpu else "float16"
    if text == "half":
        text = "float16"
    if text == "bfloat16" and truth(enabled) is None and (_says(use.node, text) or not _is_for_float16(enabled)):
        use.machine.precision.low.add(key_of(enabled))
    return Context("autocast", dtype=text, active=active)


def _says(node: Call, dtype: str) -> bool:
    """Whether a type stands in a call itself: no other switch has chosen it."""
    return any(
        getattr(part, "name", getattr(part, "value", "")) == dtype
        for part in (*node.args, *(value for _, value in node.keywords))
    )


def _is_for_float16(switch: Value) -> bool:
    """Whether a switch is on for float16 alone, by its name: `args.fp16` says nothing of a type that another chose."""
    return FLOAT16_ONLY_NAME[key_of(switch)]


def _scaled_loss(use: Use) -> Value:
    loss = use.arg(0, "loss")
    delayed = truth(use.keywords.get("delay_unscale", False)) is not False
    return Context("apex", value=loss, active=use.options(Apex).unscales, delayed=delayed)


MIXED_PRECISION: Actions = {
    Action.SCALE: _scale,
    Action.IS_ENABLED: _is_enabled,
    Action.LOSS_SCALE: _loss_scale,
    Action.SCALER_STEP: _scaler_step,
    Action.UNSCALE: _unscale,
    Action.LIBRARY_UNSCALE: _library_unscale,
    Action.SCALER_UPDATE: _scaler_update,
    Action.SCALED_UPDATE: _scaled_update,
    Action.AUTOCAST: _autocast,
    Action.LIBRARY_AUTOCAST: lambda use: Context("autocast", dtype="?"),
    Action.SCALED_LOSS: _scaled_loss,
}
"""What carries these actions out."""
