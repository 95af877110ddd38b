"""timm: scalers that are called, schedulers of its own, averages."""

from __future__ import annotations

from gradlint.libraries.operations import Operation
from gradlint.libraries.record import Library, call, makes, method, named, plain
from gradlint.model.effects import Action, Clips, Moves
from gradlint.model.roles import Role

_SCALERS = "NativeScaler NativeScalerWithGradNormCount NativeScalerWithGradUpdate ApexScaler"

TIMM = Library(
    "timm",
    "https://huggingface.co/docs/timm",
    (
        named(Role.OPTIMIZER, "Lamb LAMB LARS AdaBelief AdamP SGDP MADGRAD Lion NovoGrad Lookahead"),
        named(
            Role.SCHEDULER,
            "CosineLRScheduler StepLRScheduler PlateauLRScheduler TanhLRScheduler PolyLRScheduler MultiStepLRScheduler"
            " create_scheduler create_scheduler_v2",
        ),
        named(Role.SCALER_CALLABLE, _SCALERS),
        makes(Role.EMA, "*.ModelEma *.ModelEmaV2 *.ModelEmaV3"),
        makes(Role.METER, "timm.utils.AverageMeter timm.utils.metrics.AverageMeter"),
        method(Role.METER, "update", Action.GATHER),
        method(Role.METER, "reset", Action.BEGIN),
        call("*.dispatch_clip_grad", Action.CLIP, Clips(limit="value"), Operation.CLIP),
        call("*.adaptive_clip_grad", Action.CLIP, Clips(limit="clip_factor"), Operation.CLIP),
        method(Role.SCALER_CALLABLE, "__call__", Action.SCALED_UPDATE, None, Operation.UPDATE),
        method(Role.SCALER_CALLABLE, "scale", Action.SCALE, None, Operation.SCALE),
        method(Role.SCALER_CALLABLE, "unscale_", Action.UNSCALE, None, Operation.UNSCALE),
        method(Role.SCALER_CALLABLE, "step", Action.SCALER_STEP, None, Operation.SCALED_STEP),
        method(Role.SCALER_CALLABLE, "update", Action.SCALER_UPDATE, None, Operation.ADAPT),
        method(Role.SCALER_CALLABLE, "get_scale", Action.LOSS_SCALE, None, Operation.ASK),
        plain(Role.SCALER_CALLABLE, "state_dict load_state_dict"),
        method(Role.SCHEDULER, "step_update", Action.SCHEDULE, Moves(positional=True), Operation.SCHEDULE),
    ),
)
