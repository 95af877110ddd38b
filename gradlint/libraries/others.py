"""Libraries of a few calls each."""

from __future__ import annotations

from gradlint.libraries.operations import Operation
from gradlint.libraries.record import Library, call, makes, method, named, plain
from gradlint.model.effects import Action, Makes, Steps, Wraps
from gradlint.model.roles import Role

TRANSFORMERS = Library(
    "Transformers",
    "https://huggingface.co/docs/transformers/main_classes/optimizer_schedules",
    (
        named(
            Role.SCHEDULER,
            "get_scheduler get_constant_schedule get_constant_schedule_with_warmup get_linear_schedule_with_warmup"
            " get_cosine_schedule_with_warmup get_cosine_with_hard_restarts_schedule_with_warmup"
            " get_polynomial_decay_schedule_with_warmup get_inverse_sqrt_schedule"
            " get_cosine_with_min_lr_schedule_with_warmup get_wsd_schedule get_reduce_on_plateau_schedule"
            " WarmupLinearSchedule WarmupCosineSchedule",
        ),
        named(Role.OPTIMIZER, "BertAdam OpenAIAdam"),
        method(Role.MODEL, "generate", Action.GENERATE, None, Operation.FORWARD),
        method(Role.MODEL, "unwrap_model", Action.RECEIVER),
        plain(Role.MODEL, "save_pretrained gradient_checkpointing_enable"),
    ),
)

PEFT = Library(
    "PEFT and Diffusers",
    "https://huggingface.co/docs/peft",
    (
        call("*.get_peft_model *.prepare_model_for_kbit_training", Action.WRAP, Wraps(), Operation.WRAP),
        method(Role.MODEL, "trainable_parameters", Action.PARAMETERS, None, Operation.PARAMETERS),
        makes(Role.EMA, "*.EMAModel *.ExponentialMovingAverage *.EMA"),
    ),
)

BITSANDBYTES = Library(
    "bitsandbytes",
    "https://huggingface.co/docs/bitsandbytes/reference/optim/optim_overview",
    (named(Role.OPTIMIZER, "Adam8bit AdamW8bit PagedAdamW PagedAdamW8bit Lion8bit"),),
)

SCHEDULE_FREE = Library(
    "Schedule-Free",
    "https://github.com/facebookresearch/schedule_free",
    (named(Role.OPTIMIZER, "AdamWScheduleFree SGDScheduleFree"), plain(Role.OPTIMIZER, "train eval")),
)

MMENGINE = Library(
    "MMEngine",
    "https://mmengine.readthedocs.io/en/latest/tutorials/optim_wrapper.html",
    (
        method(Role.OPTIMIZER, "update_params", Action.WHOLE_UPDATE, None, Operation.UPDATE),
        method(Role.OPTIMIZER, "optim_context", Action.LIBRARY_CONTEXT, None, Operation.CONTEXT),
        method(Role.OPTIMIZER, "scale_loss", Action.FIRST),
        method(Role.MODEL, "train_step loss", Action.FORWARD, None, Operation.FORWARD),
        call(
            "mmengine.model.MMDistributedDataParallel mmengine.model.wrappers.MMDistributedDataParallel"
            " mmengine.model.wrappers.distributed.MMDistributedDataParallel",
            *(Action.WRAP, Wraps("ddp"), Operation.WRAP),
        ),
    ),
)

MMCV = Library(
    "MMCV",
    "https://github.com/open-mmlab/mmcv/blob/v1.7.2/mmcv/parallel/distributed.py",
    (
        call(
            "mmcv.parallel.MMDistributedDataParallel mmcv.parallel.distributed.MMDistributedDataParallel",
            *(Action.WRAP, Wraps("ddp"), Operation.WRAP),
        ),
    ),
)

FAIRSEQ = Library(
    "fairseq and Megatron-LM",
    "https://fairseq.readthedocs.io/en/latest/optim.html",
    (
        method(
            Role.OPTIMIZER,
            "clip_grad_norm clip_grad_norm_ clip_grad_by_norm clip_grad clip_grads",
            Action.CLIP_OWN,
            None,
            Operation.CLIP,
        ),
        method(Role.OPTIMIZER, "multiply_grads", Action.MULTIPLY, None, Operation.WRITE),
        plain(Role.OPTIMIZER, "set_lr get_lr"),
        method(Role.SCALER, "scale_loss", Action.SCALE, None, Operation.SCALE),
    ),
)

XLA = Library(
    "PyTorch/XLA",
    "https://docs.pytorch.org/xla/master/",
    (
        call("*.optimizer_step", Action.STEP, Steps(optimizer=0, via="xla"), Operation.STEP),
        call("*.MpDeviceLoader *.ParallelLoader", Action.FIRST),
        method(Role.LOADER, "per_device_loader", Action.RECEIVER),
    ),
)

COLOSSALAI = Library(
    "Colossal-AI",
    "https://colossalai.org",
    (call("colossalai.initialize", Action.DEEPSPEED, None, Operation.MAKE),),
)

MONAI = Library(
    "MONAI",
    "https://docs.monai.io/en/stable/data.html",
    (
        call(
            "monai.data.DistributedSampler monai.data.samplers.DistributedSampler",
            *(Action.MAKE, Makes(Role.SAMPLER, shuffle=4), Operation.MAKE),
        ),
    ),
)

PROGRESS = Library(
    "tqdm and Rich",
    "https://tqdm.github.io",
    (
        call("tqdm.tqdm *.tqdm *.track *.Progress rich.progress.track", Action.FIRST),
        call("*.trange", Action.RANGE),
    ),
)

OPTIMIZERS = Library(
    "Optimizers and schedulers of their own packages",
    "https://pypi.org",
    (
        named(
            Role.OPTIMIZER,
            "RMSProp Ranger Ranger21 RangerLars AdaBound AdaHessian Shampoo Prodigy DAdaptAdam DAdaptSGD Sophia SophiaG"
            " QHAdam Yogi DiffGrad StableAdamW CAME RiemannianAdam",
        ),
        named(Role.SCHEDULER, "NoamLR GradualWarmupScheduler"),
    ),
)

OTHERS = (
    *(TRANSFORMERS, PEFT, BITSANDBYTES, SCHEDULE_FREE, MMENGINE, MMCV, FAIRSEQ, XLA, COLOSSALAI, MONAI),
    *(PROGRESS, OPTIMIZERS),
)
