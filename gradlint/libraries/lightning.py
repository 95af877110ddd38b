"""Lightning, where a module optimizes by hand."""

from __future__ import annotations

from collections.abc import Mapping

from gradlint.libraries.operations import Operation
from gradlint.libraries.record import Library, method, plain
from gradlint.model.effects import Action, By
from gradlint.model.roles import Role

LIGHTNING = Library(
    "Lightning",
    "https://lightning.ai/docs/pytorch/stable/model/manual_optimization.html",
    (
        method(
            *(Role.LIGHTNING, "manual_backward", Action.LIBRARY_BACKWARD, By("lightning"), Operation.BACKWARD),
            anywhere=True,
        ),
        method(Role.OPTIMIZER, "manual_backward", Action.LIBRARY_BACKWARD, By("lightning"), Operation.BACKWARD),
        method(Role.OPTIMIZER, "toggle_model", Action.NULL_CONTEXT, None, Operation.CONTEXT),
        method(Role.LIGHTNING, "optimizers", Action.LIGHTNING_OPTIMIZERS, None, Operation.ASK),
        method(Role.LIGHTNING, "lr_schedulers", Action.LIGHTNING_SCHEDULERS, None, Operation.ASK),
        method(Role.LIGHTNING, "toggled_optimizer", Action.NULL_CONTEXT, None, Operation.CONTEXT),
        plain(Role.LIGHTNING, "clip_gradients toggle_optimizer untoggle_optimizer log log_dict"),
        method(Role.MODEL, "training_step", Action.FORWARD, None, Operation.FORWARD),
    ),
)

TRAINING_HOOKS = (
    ("on_train_epoch_start",),
    ("on_train_batch_start",),
    ("on_train_batch_end",),
    ("training_epoch_end", "on_train_epoch_end"),
)
"""The methods of a module that the trainer calls before each epoch and each batch, behind each batch and each epoch.

`training_epoch_end` is there before Lightning 2 only.
"""

NUMBERED: Mapping[str, int] = {"training_step": 2, "on_train_batch_start": 2, "on_train_batch_end": 3}
"""Which parameter is the number of the batch, which the trainer counts from 0 in each epoch."""
