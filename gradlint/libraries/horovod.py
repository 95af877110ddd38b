"""Horovod."""

from __future__ import annotations

from gradlint.libraries.operations import Operation
from gradlint.libraries.record import Library, call, method, plain
from gradlint.model.effects import Action, By
from gradlint.model.roles import Role

HOROVOD = Library(
    "Horovod",
    "https://horovod.readthedocs.io/en/stable/api.html#module-horovod.torch",
    (
        call(
            "horovod.torch.DistributedOptimizer hvd.DistributedOptimizer",
            *(Action.REBIND, By("horovod"), Operation.WRAP),
        ),
        plain(Role.OPTIMIZER, "synchronize"),
        method(Role.OPTIMIZER, "skip_synchronize", Action.NULL_CONTEXT, None, Operation.CONTEXT),
    ),
)
