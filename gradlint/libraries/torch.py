"""PyTorch itself."""

from __future__ import annotations

from gradlint.libraries.operations import Operation
from gradlint.libraries.record import Library, call, makes, method, named, plain
from gradlint.model.effects import (
    Action,
    Casts,
    Clips,
    Launches,
    Moves,
    Operator,
    Reduces,
    Steps,
    Switch,
    Syncs,
    Trains,
    When,
    Wraps,
)
from gradlint.model.roles import Role

_LOSSES = """
CrossEntropyLoss MSELoss L1Loss NLLLoss BCELoss BCEWithLogitsLoss SmoothL1Loss HuberLoss KLDivLoss CTCLoss
MarginRankingLoss TripletMarginLoss CosineEmbeddingLoss HingeEmbeddingLoss MultiLabelMarginLoss MultiMarginLoss
GaussianNLLLoss PoissonNLLLoss SoftMarginLoss MultiLabelSoftMarginLoss
"""

_OBJECTS = (
    named(
        Role.OPTIMIZER,
        "Adam AdamW SGD RMSprop Adagrad Adadelta Adamax NAdam RAdam SparseAdam ASGD Rprop LBFGS Adafactor Muon"
        " ZeroRedundancyOptimizer",
    ),
    named(
        Role.SCHEDULER,
        "LambdaLR MultiplicativeLR StepLR MultiStepLR ConstantLR LinearLR ExponentialLR PolynomialLR CosineAnnealingLR"
        " CosineAnnealingWarmRestarts ChainedScheduler SequentialLR ReduceLROnPlateau CyclicLR OneCycleLR SWALR",
    ),
    makes(Role.SCALER, "torch.amp.GradScaler torch.GradScaler torch.cuda.amp.GradScaler *.GradScaler"),
    makes(Role.SCALER, "*.ShardedGradScaler"),
    makes(Role.LOADER, "torch.utils.data.DataLoader *.DataLoader"),
    makes(Role.SAMPLER, "*.DistributedSampler *.ElasticDistributedSampler *.DistributedWeightedSampler"),
    makes(Role.CRITERION, " ".join(f"torch.nn.{name}" for name in _LOSSES.split())),
    makes(Role.EMA, "*.AveragedModel"),
    call("torch.utils.data.BatchSampler torch.utils.data.sampler.BatchSampler *.GroupedBatchSampler", Action.BATCHED),
    call(
        "torch.nn.parallel.DistributedDataParallel torch.nn.parallel.distributed.DistributedDataParallel",
        *(Action.WRAP, Wraps("ddp"), Operation.WRAP),
    ),
    call("*.DistributedDataParallel *.DDP", Action.WRAP, Wraps("ddp", by_name=True), Operation.WRAP),
    call("*.DataParallel", Action.WRAP, Wraps("dp"), Operation.WRAP),
    call("*.FullyShardedDataParallel *.FSDP", Action.WRAP, Wraps("fsdp"), Operation.WRAP),
    call("*.fully_shard", Action.WRAP, Wraps("fsdp2"), Operation.WRAP),
    call("torch.compile", Action.WRAP, Wraps(functions=True), Operation.WRAP),
    call("*.convert_sync_batchnorm", Action.WRAP, Wraps(), Operation.WRAP),
)

_CONTEXTS = (
    call(
        "torch.autocast torch.amp.autocast *.autocast",
        *(Action.AUTOCAST, Casts(enabled=2, dtype=1, device=0), Operation.CONTEXT),
    ),
    call("torch.cuda.amp.autocast", Action.AUTOCAST, Casts(enabled=0, dtype=1), Operation.CONTEXT),
    call("torch.cpu.amp.autocast", Action.AUTOCAST, Casts(enabled=0, dtype=1, cpu=True), Operation.CONTEXT),
    call("torch.no_grad *.no_grad", Action.NO_GRAD, Switch(), Operation.CONTEXT),
    call("*.inference_mode", Action.NO_GRAD, Switch(mode=0), Operation.CONTEXT),
    call("torch.set_grad_enabled *.set_grad_enabled", Action.SWITCH_GRAD, Switch(mode=0), Operation.CONTEXT),
    call("*.enable_grad", Action.SET_GRAD, Switch(), Operation.CONTEXT),
)

_FUNCTIONS = (
    call("*.clip_grad_norm_", Action.CLIP, Clips(), Operation.CLIP, anywhere=True),
    call("*.clip_grad_value_", Action.CLIP, Clips("value", "clip_value"), Operation.CLIP, anywhere=True),
    call("*.clip_grad_norm *.clip_grads_with_norm_", Action.CLIP, Clips(), Operation.CLIP),
    call("*.clip_grad_value", Action.CLIP, Clips("value", "clip_value"), Operation.CLIP),
    call("torch.autograd.backward", Action.BACKWARD, None, Operation.BACKWARD, anywhere=True),
    call("torch.autograd.grad torch.optim.swa_utils.update_bn", Action.PLAIN),
    call("torch.stack torch.nan_to_num", Action.COMBINE, Reduces(), Operation.ARITHMETIC),
    call("torch.sum", Action.COMBINE, Reduces("sum"), Operation.ARITHMETIC),
    call("torch.mean", Action.COMBINE, Reduces("mean"), Operation.ARITHMETIC),
    call("torch.div torch.divide torch.true_divide", Action.DIVIDE, Operator("/"), Operation.ARITHMETIC),
    call("torch.mul torch.multiply", Action.DIVIDE, Operator("*"), Operation.ARITHMETIC),
    call("torch.distributed.is_available", Action.HAS_RANKS),
    call("torch.multiprocessing.spawn torch.multiprocessing.start_processes", Action.LAUNCH, Launches(1, ranked=True)),
    call("*.multiprocessing.spawn *.xla_multiprocessing.spawn", Action.LAUNCH, Launches(1, ranked=True)),
)

_OF_OPTIMIZERS = (
    method(Role.OPTIMIZER, "zero_grad", Action.ZERO, None, Operation.ZERO, anywhere=True),
    method(Role.OPTIMIZER, "step", Action.STEP, Steps(), Operation.STEP),
    method(Role.OPTIMIZER, "register_step_pre_hook", Action.STEP_HOOK, When("before"), Operation.PREPARE),
    method(Role.OPTIMIZER, "register_step_post_hook", Action.STEP_HOOK, When("after"), Operation.PREPARE),
    plain(Role.OPTIMIZER, "state_dict load_state_dict add_param_group"),
    method(Role.OPTIMIZER, "to cuda", Action.RECEIVER),
    method(Role.SCHEDULER, "step", Action.SCHEDULE, Moves(), Operation.SCHEDULE),
    plain(Role.SCHEDULER, "state_dict load_state_dict get_last_lr get_lr"),
    method(Role.SCALER, "scale", Action.SCALE, None, Operation.SCALE),
    method(Role.SCALER, "unscale_", Action.UNSCALE, None, Operation.UNSCALE, anywhere=True),
    method(Role.SCALER, "step", Action.SCALER_STEP, None, Operation.SCALED_STEP),
    method(Role.SCALER, "update", Action.SCALER_UPDATE, None, Operation.ADAPT),
    method(Role.SCALER, "get_scale", Action.LOSS_SCALE, None, Operation.ASK),
    method(Role.SCALER, "is_enabled", Action.IS_ENABLED, None, Operation.ASK),
    plain(Role.SCALER, "state_dict load_state_dict"),
    method(Role.SCALER, "to", Action.RECEIVER),
)

_OF_MODELS = (
    method(Role.MODEL, "__call__ forward compute_loss", Action.FORWARD, None, Operation.FORWARD),
    method(Role.MODEL, "parameters named_parameters", Action.PARAMETERS, None, Operation.PARAMETERS, anywhere=True),
    method(Role.MODEL, "zero_grad", Action.ZERO, None, Operation.ZERO),
    method(Role.MODEL, "train", Action.MODE, Trains(train=True), Operation.MODE),
    method(Role.MODEL, "eval", Action.MODE, Trains(train=False), Operation.MODE),
    method(Role.MODEL, "requires_grad_", Action.FREEZE, None, Operation.FREEZE),
    method(Role.MODEL, "no_sync", Action.NO_SYNC, None, Operation.CONTEXT, anywhere=True),
    method(Role.MODEL, "join", Action.NULL_CONTEXT, None, Operation.CONTEXT),
    method(Role.MODEL, "set_requires_gradient_sync", Action.SYNC, Syncs(), Operation.SYNC),
    method(Role.MODEL, "_set_static_graph", Action.STATIC_GRAPH, None, Operation.SYNC),
    method(Role.MODEL, "clip_grad_norm_", Action.CLIP_OWN, None, Operation.CLIP),
    method(Role.MODEL, "to cuda cpu half float double bfloat16 apply to_empty", Action.RECEIVER),
    plain(Role.MODEL, "buffers modules named_modules children compile state_dict load_state_dict update"),
    plain(Role.MODEL, "set_is_last_backward"),
    method(Role.CRITERION, "to cuda cpu half float double bfloat16 train eval requires_grad_ apply", Action.RECEIVER),
    plain(Role.CRITERION, "parameters named_parameters state_dict load_state_dict zero_grad"),
    method(Role.EMA, "update step update_parameters", Action.AVERAGE, None, Operation.AVERAGE),
    method(Role.EMA, "average_parameters", Action.NULL_CONTEXT, None, Operation.CONTEXT),
    plain(Role.EMA, "eval train"),
)

_OF_LOADERS = (
    method(Role.SAMPLER, "set_epoch", Action.SET_EPOCH, None, Operation.EPOCH, anywhere=True),
    method(Role.LOADER, "set_epoch", Action.SET_EPOCH, None, Operation.EPOCH),
    plain(Role.LOADER, "reset state_dict load_state_dict"),
)

TORCH = Library(
    "PyTorch",
    "https://docs.pytorch.org/docs/stable/",
    (*_OBJECTS, *_CONTEXTS, *_FUNCTIONS, *_OF_OPTIMIZERS, *_OF_MODELS, *_OF_LOADERS),
)
