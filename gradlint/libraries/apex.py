"""Apex, of NVIDIA: mixed precision before torch had its own, fused optimizers, and a wrapper."""

from __future__ import annotations

from gradlint.libraries.operations import Operation
from gradlint.libraries.record import Library, call, method, named
from gradlint.model.effects import Action, Apex, By, Syncs, Wraps
from gradlint.model.roles import Role

APEX = Library(
    "Apex",
    "https://nvidia.github.io/apex/amp.html",
    (
        named(Role.OPTIMIZER, "FusedAdam FusedLAMB FusedSGD FusedNovoGrad"),
        call("apex.parallel.DistributedDataParallel", Action.WRAP, Wraps("apex"), Operation.WRAP),
        call("apex.amp.initialize amp.initialize", Action.PREPARE, By("apex"), Operation.PREPARE),
        call("apex.amp.scale_loss", Action.SCALED_LOSS, Apex(unscales=True), Operation.CONTEXT),
        call("*.scale_loss", Action.SCALED_LOSS, Apex(unscales=False), Operation.CONTEXT),
        call("apex.amp.master_params amp.master_params", Action.MASTER_PARAMETERS, None, Operation.PARAMETERS),
        method(Role.MODEL, "disable_allreduce", Action.SYNC, Syncs(on=False), Operation.SYNC),
        method(Role.MODEL, "enable_allreduce", Action.SYNC, Syncs(on=True), Operation.SYNC),
        method(Role.OPTIMIZER, "backward", Action.LIBRARY_BACKWARD, By("optimizer"), Operation.BACKWARD),
        method(Role.OPTIMIZER, "clip_master_grads", Action.CLIP_OWN, None, Operation.CLIP),
    ),
)
