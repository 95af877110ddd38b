"""Accelerate, of Hugging Face."""

from __future__ import annotations

from gradlint.libraries.operations import Operation
from gradlint.libraries.record import Library, call, makes, method, plain
from gradlint.model.effects import Action, By, Clips, Launches, Steps
from gradlint.model.roles import Role

_PREPARING = "prepare prepare_model prepare_optimizer prepare_scheduler prepare_data_loader"

ACCELERATE = Library(
    "Accelerate",
    "https://huggingface.co/docs/accelerate/package_reference/accelerator",
    (
        makes(Role.ACCELERATOR, "accelerate.Accelerator *.Accelerator"),
        method(Role.ACCELERATOR, "backward", Action.LIBRARY_BACKWARD, By("accelerate"), Operation.BACKWARD),
        method(Role.ACCELERATOR, "accumulate", Action.ACCUMULATE, None, Operation.CONTEXT),
        method(Role.ACCELERATOR, _PREPARING, Action.PREPARE, By("accelerate"), Operation.PREPARE),
        method(Role.ACCELERATOR, "clip_grad_norm_", Action.CLIP, Clips(unscales=True), Operation.CLIP),
        method(
            *(Role.ACCELERATOR, "clip_grad_value_", Action.CLIP),
            *(Clips("value", "clip_value", unscales=True), Operation.CLIP),
        ),
        method(Role.ACCELERATOR, "unscale_gradients", Action.LIBRARY_UNSCALE, None, Operation.UNSCALE),
        method(Role.ACCELERATOR, "autocast", Action.LIBRARY_AUTOCAST, None, Operation.CONTEXT),
        method(Role.ACCELERATOR, "no_sync", Action.NO_SYNC, None, Operation.CONTEXT),
        method(Role.ACCELERATOR, "unwrap_model", Action.UNWRAP),
        method(Role.ACCELERATOR, "optimizer_step", Action.STEP, Steps(optimizer=0), Operation.STEP),
        method(Role.ACCELERATOR, "update", Action.SCALER_UPDATE, None, Operation.ADAPT),  # audiotools' own
        method(Role.ACCELERATOR, "main_process_first", Action.NULL_CONTEXT, None, Operation.CONTEXT),
        call("accelerate.notebook_launcher *.notebook_launcher", Action.LAUNCH, Launches(1)),
        plain(Role.ACCELERATOR, "gather gather_for_metrics print log wait_for_everyone save_state"),
    ),
)
