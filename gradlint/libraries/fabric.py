"""Lightning Fabric."""

from __future__ import annotations

from gradlint.libraries.operations import Operation
from gradlint.libraries.record import Library, makes, method, plain
from gradlint.model.effects import Action, By, Clips
from gradlint.model.roles import Role

_PREPARING = "setup setup_module setup_optimizers setup_dataloaders"

FABRIC = Library(
    "Fabric",
    "https://lightning.ai/docs/fabric/stable/api/fabric_methods.html",
    (
        makes(Role.FABRIC, "lightning.Fabric lightning.fabric.Fabric *.Fabric *.LightningLite"),
        method(Role.FABRIC, "backward", Action.LIBRARY_BACKWARD, By("fabric"), Operation.BACKWARD),
        method(Role.FABRIC, _PREPARING, Action.PREPARE, By("fabric"), Operation.PREPARE),
        method(Role.FABRIC, "clip_gradients", Action.CLIP, Clips(unscales=True), Operation.CLIP),
        method(Role.FABRIC, "autocast", Action.LIBRARY_AUTOCAST, None, Operation.CONTEXT),
        method(Role.FABRIC, "no_backward_sync", Action.NO_SYNC, None, Operation.CONTEXT),
        plain(Role.FABRIC, "print log barrier all_reduce"),
    ),
)
