"""Lightning's automatic optimization: the loop that `Trainer` runs around `training_step`, as its source has it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from gradlint.verify.machine import binder
from gradlint.verify.machine.values import Closure, Object, Value
from gradlint.verify.reasons import InconclusiveError, Reason
from gradlint.verify.slice.index import Class
from gradlint.verify.world.live import Live, divided
from gradlint.verify.world.model import flatten
from gradlint.verify.world.optim import Optimizer, Scheduler, inner_optimizer

if TYPE_CHECKING:
    from gradlint.verify.machine.machine import Machine


def run(machine: Machine, owner: Object, home: Class) -> None:
    """Epochs, batches, `training_step`, backward, and at the end of each window clip, step, zero."""
    machine.world.record.wrapper = "a shim of Lightning's Trainer"
    optimizer, schedulers = _configured(machine, owner, home)
    window = int(_setting(machine, "accumulate_grad_batches") or 1)
    limit = _setting(machine, "gradient_clip_val")
    if window > 1:
        machine.learn(window)
    for _ in range(machine.plan.epochs):
        machine.world.epoch += 1
        for number in range(machine.plan.batches):
            _batch(machine, owner, home, number, window)
            if (number + 1) % window == 0 or machine.last:
                if limit:
                    machine.world.clipped(optimizer.parameters, limit)
                optimizer.step()
                optimizer.zero()
        for one in schedulers:
            one.call("step", [], {})


def _batch(machine: Machine, owner: Object, home: Class, number: int, window: int) -> None:
    machine.serial += 1
    machine.world.turn = machine.serial
    machine.tick, machine.last = number, number == machine.plan.batches - 1
    found = binder.enter(machine, Closure(home.methods["training_step"], None, owner, home), epoch=0)
    losses = [one for one in flatten([found]) if isinstance(one, Live)]
    if not losses:
        raise InconclusiveError(Reason.SURROGATE, "training_step returns no loss that can be followed")
    machine.world.backward(divided(losses[0], float(window), knob=True) if window > 1 else losses[0])


def _configured(machine: Machine, owner: Object, home: Class) -> tuple[Optimizer, list[Scheduler]]:
    """What `configure_optimizers` returns; several optimizers need manual optimization."""
    found = binder.enter(machine, Closure(home.methods["configure_optimizers"], None, owner, home), epoch=0)
    values: list[Value] = list(flatten([found]))
    optimizers = [one for one in map(inner_optimizer, values) if one is not None]
    if len(optimizers) != 1:
        raise InconclusiveError(Reason.FRAMEWORK, "configure_optimizers does not return one optimizer")
    return optimizers[0], [one for one in values if isinstance(one, Scheduler)]


def _setting(machine: Machine, name: str) -> float:
    """A number given to the `Trainer` in this file, else 0."""
    for node in ast.walk(machine.index.tree):
        if isinstance(node, ast.keyword) and node.arg == name and isinstance(node.value, ast.Constant):
            value = node.value.value
            if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value <= 64:
                return float(value)
    return 0.0
