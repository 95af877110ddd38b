"""DeepSpeed: an engine that keeps its own books."""

from __future__ import annotations

from gradlint.libraries.operations import Operation
from gradlint.libraries.record import Library, call, method, named, plain
from gradlint.model.effects import Action, By, Trains
from gradlint.model.roles import Role

DEEPSPEED = Library(
    "DeepSpeed",
    "https://deepspeed.readthedocs.io/en/latest/training.html",
    (
        call("deepspeed.initialize", Action.DEEPSPEED, None, Operation.MAKE),
        named(Role.OPTIMIZER, "DeepSpeedCPUAdam"),
        method(Role.ENGINE, "__call__ forward", Action.FORWARD, None, Operation.FORWARD),
        method(Role.ENGINE, "backward", Action.LIBRARY_BACKWARD, By("engine"), Operation.BACKWARD),
        method(Role.ENGINE, "step", Action.ENGINE_STEP, None, Operation.UPDATE),
        method(Role.ENGINE, "gradient_accumulation_steps", Action.ENGINE_WINDOW, None, Operation.ASK),
        method(Role.ENGINE, "train", Action.MODE, Trains(train=True), Operation.MODE),
        method(Role.ENGINE, "eval", Action.MODE, Trains(train=False), Operation.MODE),
        method(Role.ENGINE, "parameters", Action.PARAMETERS, None, Operation.PARAMETERS),
        method(Role.ENGINE, "no_sync", Action.NO_SYNC, None, Operation.CONTEXT),
        plain(Role.ENGINE, "zero_grad"),
        method(Role.MODEL, "backward", Action.LIBRARY_BACKWARD, By("engine"), Operation.BACKWARD),
        method(Role.MODEL, "step", Action.ENGINE_STEP, None, Operation.UPDATE),
    ),
)
