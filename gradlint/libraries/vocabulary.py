"""The vocabulary: which call of which library means which event. Data, no logic.

Three tables. `CONSTRUCTORS` and `FUNCTIONS` go by qualified name (an entry that starts with `*.`
goes by the last component, for names whose import cannot be seen). `METHODS` goes by the role of
the receiver. Facts come from the libraries' own source; `docs/architecture.md` says how they
were checked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from gradlint.libraries.words import Words
from gradlint.model.custom import Custom
from gradlint.model.program import Effect, Role


def _e(action: str, **options: object) -> Effect:
    return Effect(action, options)


# ------------------------------------------------------------------------- constructors

_OPTIMIZER_NAMES = """
Adam AdamW SGD RMSprop RMSProp Adagrad Adadelta Adamax NAdam RAdam SparseAdam ASGD Rprop LBFGS Adafactor Muon
Lion LAMB Lamb LARS FusedAdam FusedLAMB FusedSGD FusedNovoGrad DeepSpeedCPUAdam Adam8bit AdamW8bit PagedAdamW
PagedAdamW8bit Lion8bit Ranger Ranger21 RangerLars AdaBelief AdaBound AdaHessian MADGRAD Shampoo Prodigy
DAdaptAdam DAdaptSGD AdamWScheduleFree SGDScheduleFree Sophia SophiaG BertAdam OpenAIAdam AdamP SGDP QHAdam
NovoGrad Yogi DiffGrad Lookahead ZeroRedundancyOptimizer StableAdamW CAME SAM ASAM GSAM RiemannianAdam
""".split()
OPTIMIZERS = frozenset(_OPTIMIZER_NAMES)
"""Classes of optimizers, of torch and of others."""

_SCHEDULER_NAMES = """
LambdaLR MultiplicativeLR StepLR MultiStepLR ConstantLR LinearLR ExponentialLR PolynomialLR CosineAnnealingLR
CosineAnnealingWarmRestarts ChainedScheduler SequentialLR ReduceLROnPlateau CyclicLR OneCycleLR SWALR NoamLR
get_scheduler get_constant_schedule get_constant_schedule_with_warmup get_linear_schedule_with_warmup
get_cosine_schedule_with_warmup get_cosine_with_hard_restarts_schedule_with_warmup
get_polynomial_decay_schedule_with_warmup get_inverse_sqrt_schedule get_cosine_with_min_lr_schedule_with_warmup
get_wsd_schedule get_reduce_on_plateau_schedule WarmupLinearSchedule WarmupCosineSchedule GradualWarmupScheduler
CosineLRScheduler StepLRScheduler PlateauLRScheduler TanhLRScheduler PolyLRScheduler MultiStepLRScheduler
create_scheduler create_scheduler_v2
""".split()

SAM_NAMES = frozenset({"SAM", "ASAM", "GSAM"})
"""Optimizers whose update takes two backward passes."""

EPOCH_POSITIONAL = frozenset({"GradualWarmupScheduler", "CosineAnnealingWarmRestarts"})
"""Schedulers to which a positional epoch is a legal argument."""

_DDP = _e("wrap", wrapper="ddp")
_FSDP = _e("wrap", wrapper="fsdp")
_SCALER = _e("make", role=Role.SCALER)
_LOADER = _e("make", role=Role.LOADER)
_SAMPLER = _e("make", role=Role.SAMPLER)
_CRITERION = _e("make", role=Role.CRITERION)
_EMA = _e("make", role=Role.EMA)

CONSTRUCTORS: Mapping[str, Effect] = {
    **{f"*.{name}": _e("make", role=Role.OPTIMIZER) for name in _OPTIMIZER_NAMES},
    **{f"*.{name}": _e("make", role=Role.SCHEDULER) for name in _SCHEDULER_NAMES},
    "horovod.torch.DistributedOptimizer": _e("rebind", framework="horovod"),
    "hvd.DistributedOptimizer": _e("rebind", framework="horovod"),
    "torch.nn.parallel.DistributedDataParallel": _DDP,
    "torch.nn.parallel.distributed.DistributedDataParallel": _DDP,
    "apex.parallel.DistributedDataParallel": _e("wrap", wrapper="apex"),
    "*.DistributedDataParallel": _e("wrap", wrapper="ddp", named=True),
    "*.DDP": _e("wrap", wrapper="ddp", named=True),
    "*.DataParallel": _e("wrap", wrapper="dp"),
    "*.FullyShardedDataParallel": _FSDP,
    "*.FSDP": _FSDP,
    "*.fully_shard": _e("wrap", wrapper="fsdp2"),
    "torch.compile": _e("wrap", wrapper="", functions=True),
    "*.convert_sync_batchnorm": _e("wrap", wrapper=""),
    "*.get_peft_model": _e("wrap", wrapper=""),
    "*.prepare_model_for_kbit_training": _e("wrap", wrapper=""),
    "torch.amp.GradScaler": _SCALER,
    "torch.GradScaler": _SCALER,
    "torch.cuda.amp.GradScaler": _SCALER,
    "*.GradScaler": _SCALER,
    "*.ShardedGradScaler": _SCALER,
    "*.NativeScaler": _e("make", role=Role.SCALER_CALLABLE),
    "*.NativeScalerWithGradNormCount": _e("make", role=Role.SCALER_CALLABLE),
    "*.NativeScalerWithGradUpdate": _e("make", role=Role.SCALER_CALLABLE),
    "*.ApexScaler": _e("make", role=Role.SCALER_CALLABLE),
    "torch.utils.data.DataLoader": _LOADER,
    "*.DataLoader": _LOADER,
    "*.DistributedSampler": _SAMPLER,
    "*.DistributedWeightedSampler": _SAMPLER,
    "torch.utils.data.BatchSampler": _e("first"),
    "torch.utils.data.sampler.BatchSampler": _e("first"),
    "*.GroupedBatchSampler": _e("first"),
    "accelerate.Accelerator": _e("make", role=Role.ACCELERATOR),
    "*.Accelerator": _e("make", role=Role.ACCELERATOR),
    "lightning.Fabric": _e("make", role=Role.FABRIC),
    "lightning.fabric.Fabric": _e("make", role=Role.FABRIC),
    "*.Fabric": _e("make", role=Role.FABRIC),
    "*.LightningLite": _e("make", role=Role.FABRIC),
    "deepspeed.initialize": _e("deepspeed"),
    "colossalai.initialize": _e("deepspeed"),
    **{
        f"torch.nn.{name}": _CRITERION
        for name in (
            "CrossEntropyLoss MSELoss L1Loss NLLLoss BCELoss BCEWithLogitsLoss SmoothL1Loss HuberLoss "
            "KLDivLoss CTCLoss MarginRankingLoss TripletMarginLoss CosineEmbeddingLoss HingeEmbeddingLoss "
            "MultiLabelMarginLoss MultiMarginLoss GaussianNLLLoss PoissonNLLLoss SoftMarginLoss "
            "MultiLabelSoftMarginLoss"
        ).split()
    },
    "*.AveragedModel": _EMA,
    "*.ModelEma": _EMA,
    "*.ModelEmaV2": _EMA,
    "*.ModelEmaV3": _EMA,
    "*.EMAModel": _EMA,
    "*.ExponentialMovingAverage": _EMA,
    "*.EMA": _EMA,
    "torch.autocast": _e("context", kind="autocast", device=0, dtype=1, enabled=2),
    "torch.amp.autocast": _e("context", kind="autocast", device=0, dtype=1, enabled=2),
    "torch.cuda.amp.autocast": _e("context", kind="autocast", enabled=0, dtype=1),
    "torch.cpu.amp.autocast": _e("context", kind="autocast", enabled=0, dtype=1, cpu=True),
    "*.autocast": _e("context", kind="autocast", device=0, dtype=1, enabled=2),
    "torch.no_grad": _e("context", kind="no_grad"),
    "*.no_grad": _e("context", kind="no_grad"),
    "*.inference_mode": _e("context", kind="no_grad", mode=0),
    "*.set_grad_enabled": _e("context", kind="set_grad", mode=0),
    "*.enable_grad": _e("context", kind="set_grad"),
    "contextlib.nullcontext": _e("context", kind="null"),
    "*.nullcontext": _e("context", kind="null"),
    "*.suppress": _e("context", kind="null"),
    "contextlib.suppress": _e("context", kind="null"),
    "*.ExitStack": _e("context", kind="stack"),
    "apex.amp.scale_loss": _e("context", kind="apex", unscales=True),
    "*.scale_loss": _e("context", kind="apex"),
    "*.BatchMemoryManager": _e("context", kind="opacus"),
}

# ---------------------------------------------------------------------------- functions

FUNCTIONS: Mapping[str, Effect] = {
    "*.clip_grad_norm_": _e("clip", by="norm", limit="max_norm"),
    "*.clip_grad_norm": _e("clip", by="norm", limit="max_norm"),
    "*.clip_grads_with_norm_": _e("clip", by="norm", limit="max_norm"),
    "*.clip_grad_value_": _e("clip", by="value", limit="clip_value"),
    "*.clip_grad_value": _e("clip", by="value", limit="clip_value"),
    "*.dispatch_clip_grad": _e("clip", by="norm", limit="value"),
    "*.adaptive_clip_grad": _e("clip", by="norm", limit="clip_factor"),
    "torch.autograd.backward": _e("backward", loss="tensors"),
    "torch.autograd.grad": _e("plain"),
    "*.optimizer_step": _e("step", optimizer=0, via="xla"),
    "apex.amp.initialize": _e("passthrough", framework="apex"),
    "amp.initialize": _e("passthrough", framework="apex"),
    "apex.amp.master_params": _e("master_params"),
    "amp.master_params": _e("master_params"),
    "copy.deepcopy": _e("copy"),
    "*.deepcopy": _e("copy"),
    "tqdm.tqdm": _e("first"),
    "*.tqdm": _e("first"),
    "*.trange": _e("range"),
    "*.track": _e("first"),
    "*.Progress": _e("first"),
    "*.MpDeviceLoader": _e("first"),
    "*.ParallelLoader": _e("first"),
    "rich.progress.track": _e("first"),
    "itertools.chain": _e("chain"),
    "collections.defaultdict": _e("lists"),
    "collections.deque": _e("deque"),
    "itertools.islice": _e("islice"),
    "*.islice": _e("islice"),
    "itertools.cycle": _e("cycle"),
    "itertools.count": _e("count"),
    "itertools.chain.from_iterable": _e("chain"),
    "functools.partial": _e("partial"),
    "types.SimpleNamespace": _e("namespace"),
    "argparse.Namespace": _e("namespace"),
    "torch.optim.swa_utils.update_bn": _e("plain"),
    "sys.exit": _e("exit"),
    "os._exit": _e("exit"),
    "torch.set_grad_enabled": _e("context", kind="set_grad", mode=0),
    "math.ceil": _e("python", function="ceil"),
    "math.floor": _e("python", function="floor"),
    "math.inf": _e("plain"),
    "torch.stack": _e("combine"),
    "torch.sum": _e("combine", reduction="sum"),
    "torch.mean": _e("combine", reduction="mean"),
    "torch.nan_to_num": _e("combine"),
    "torch.div": _e("scaling", by="/"),
    "torch.divide": _e("scaling", by="/"),
    "torch.true_divide": _e("scaling", by="/"),
    "torch.mul": _e("scaling", by="*"),
    "torch.multiply": _e("scaling", by="*"),
}
"""`*.optimizer_step` is torch_xla's `xm.optimizer_step(optimizer)`."""

BUILTINS: Mapping[str, Effect] = {
    **{
        name: _e("python", function=name)
        for name in "len int float bool str min max abs round sum divmod isinstance hasattr any all".split()
    },
    "range": _e("range"),
    "enumerate": _e("enumerate"),
    "zip": _e("zip"),
    "list": _e("listing", kind="list"),
    "tuple": _e("listing", kind="tuple"),
    "set": _e("listing", kind="list"),
    "dict": _e("dict"),
    "iter": _e("first"),
    "reversed": _e("first"),
    "sorted": _e("sorted"),
    "next": _e("next"),
    "filter": _e("lazy", source=1),
    "map": _e("lazy", source=1),
    "getattr": _e("getattr"),
    "setattr": _e("setattr"),
    "super": _e("super"),
    "print": _e("plain"),
    "id": _e("plain"),
    "type": _e("plain"),
    "exit": _e("exit"),
    "quit": _e("exit"),
}

# ------------------------------------------------------------------------------ methods

_SELF = _e("receiver")
_PLAIN = _e("plain")

METHODS: Mapping[Role, Mapping[str, Effect]] = {
    Role.OPTIMIZER: {
        "zero_grad": _e("zero"),
        "step": _e("step"),
        "first_step": _e("sam_first"),
        "second_step": _e("sam_second"),
        "backward": _e("framework_backward", framework="optimizer"),
        "manual_backward": _e("framework_backward", framework="lightning"),
        "update_params": _e("framework_update", framework="mmengine"),
        "optim_context": _e("context", kind="framework"),
        "toggle_model": _e("context", kind="null"),
        "scale_loss": _e("first"),
        "clip_grad_norm": _e("clip_own", by="norm"),
        "clip_grad_norm_": _e("clip_own", by="norm"),
        "clip_master_grads": _e("clip_own", by="norm"),
        "clip_grad_by_norm": _e("clip_own", by="norm"),
        "clip_grad": _e("clip_own", by="norm"),
        "clip_grads": _e("clip_own", by="norm"),
        "multiply_grads": _e("grad_write"),
        "synchronize": _PLAIN,
        "skip_synchronize": _e("context", kind="null"),
        "state_dict": _PLAIN,
        "load_state_dict": _PLAIN,
        "add_param_group": _PLAIN,
        "register_step_pre_hook": _e("step_hook", when="before"),
        "register_step_post_hook": _e("step_hook", when="after"),
        "train": _PLAIN,
        "eval": _PLAIN,
        "set_lr": _PLAIN,
        "get_lr": _PLAIN,
        "to": _SELF,
        "cuda": _SELF,
    },
    Role.SCALER: {
        "scale": _e("scale"),
        "scale_loss": _e("scale"),
        "unscale_": _e("unscale"),
        "step": _e("scaler_step"),
        "update": _e("scaler_update"),
        "get_scale": _e("loss_scale"),
        "is_enabled": _e("enabled"),
        "state_dict": _PLAIN,
        "load_state_dict": _PLAIN,
        "to": _SELF,
    },
    Role.SCALER_CALLABLE: {
        "__call__": _e("scaler_call"),
        "state_dict": _PLAIN,
        "load_state_dict": _PLAIN,
        "scale": _e("scale"),
        "unscale_": _e("unscale"),
        "step": _e("scaler_step"),
        "update": _e("scaler_update"),
        "get_scale": _e("loss_scale"),
    },
    Role.MODEL: {
        "__call__": _e("forward"),
        "forward": _e("forward", method=True),
        "training_step": _e("forward"),
        "train_step": _e("forward"),
        "compute_loss": _e("forward"),
        "loss": _e("forward"),
        "generate": _e("forward", detached=True),
        "parameters": _e("parameters"),
        "named_parameters": _e("parameters", named=True),
        "trainable_parameters": _e("parameters"),
        "buffers": _PLAIN,
        "modules": _PLAIN,
        "named_modules": _PLAIN,
        "children": _PLAIN,
        "zero_grad": _e("zero"),
        "train": _e("mode", mode="train"),
        "eval": _e("mode", mode="eval"),
        "no_sync": _e("context", kind="no_sync"),
        "join": _e("context", kind="null"),
        "set_requires_gradient_sync": _e("sync_flag"),
        "_set_static_graph": _e("static_graph"),
        "disable_allreduce": _e("sync_flag", on=False),  # apex
        "enable_allreduce": _e("sync_flag", on=True),
        "set_is_last_backward": _PLAIN,
        "clip_grad_norm_": _e("clip_own", by="norm"),
        "requires_grad_": _e("freeze"),
        "to": _SELF,
        "cuda": _SELF,
        "cpu": _SELF,
        "half": _SELF,
        "float": _SELF,
        "double": _SELF,
        "bfloat16": _SELF,
        "apply": _SELF,
        "to_empty": _SELF,
        "compile": _PLAIN,
        "state_dict": _PLAIN,
        "load_state_dict": _PLAIN,
        "backward": _e("framework_backward", framework="engine"),
        "step": _e("engine_step"),
        "update": _PLAIN,
        "unwrap_model": _SELF,
        "save_pretrained": _PLAIN,
        "gradient_checkpointing_enable": _PLAIN,
    },
    Role.SCHEDULER: {
        "step": _e("schedule"),
        "step_update": _e("schedule", positional=True),
        "state_dict": _PLAIN,
        "load_state_dict": _PLAIN,
        "get_last_lr": _PLAIN,
        "get_lr": _PLAIN,
    },
    Role.LOADER: {
        "set_epoch": _e("set_epoch"),
        "reset": _PLAIN,
        "load_state_dict": _PLAIN,
        "state_dict": _PLAIN,
    },
    Role.SAMPLER: {"set_epoch": _e("set_epoch")},
    Role.ACCELERATOR: {
        "backward": _e("framework_backward", framework="accelerate"),
        "accumulate": _e("context", kind="accumulate"),
        "prepare": _e("passthrough", framework="accelerate"),
        "prepare_model": _e("passthrough", framework="accelerate"),
        "prepare_optimizer": _e("passthrough", framework="accelerate"),
        "prepare_scheduler": _e("passthrough", framework="accelerate"),
        "prepare_data_loader": _e("passthrough", framework="accelerate"),
        "clip_grad_norm_": _e("clip", by="norm", limit="max_norm", unscales=True),
        "clip_grad_value_": _e("clip", by="value", limit="clip_value", unscales=True),
        "unscale_gradients": _e("framework_unscale"),
        "autocast": _e("context", kind="framework_autocast"),
        "no_sync": _e("context", kind="no_sync"),
        "unwrap_model": _e("first"),
        "gather": _PLAIN,
        "gather_for_metrics": _PLAIN,
        "print": _PLAIN,
        "log": _PLAIN,
        "wait_for_everyone": _PLAIN,
        "save_state": _PLAIN,
        "optimizer_step": _e("step", optimizer=0),
        "update": _e("scaler_update"),  # audiotools
        "main_process_first": _e("context", kind="null"),
    },
    Role.FABRIC: {
        "backward": _e("framework_backward", framework="fabric"),
        "setup": _e("passthrough", framework="fabric"),
        "setup_module": _e("passthrough", framework="fabric"),
        "setup_optimizers": _e("passthrough", framework="fabric"),
        "setup_dataloaders": _e("passthrough", framework="fabric"),
        "clip_gradients": _e("clip", by="norm", limit="max_norm", unscales=True),
        "autocast": _e("context", kind="framework_autocast"),
        "no_backward_sync": _e("context", kind="no_sync"),
        "print": _PLAIN,
        "log": _PLAIN,
        "barrier": _PLAIN,
        "all_reduce": _PLAIN,
    },
    Role.ENGINE: {
        "__call__": _e("forward"),
        "forward": _e("forward"),
        "backward": _e("framework_backward", framework="engine"),
        "step": _e("engine_step"),
        "gradient_accumulation_steps": _e("engine_window"),
        "zero_grad": _PLAIN,
        "train": _e("mode", mode="train"),
        "eval": _e("mode", mode="eval"),
        "parameters": _e("parameters"),
        "no_sync": _e("context", kind="no_sync"),
    },
    Role.EMA: {
        "update": _e("ema"),
        "step": _e("ema"),
        "update_parameters": _e("ema"),
        "average_parameters": _e("context", kind="null"),
        "eval": _PLAIN,
        "train": _PLAIN,
    },
    Role.LIGHTNING: {
        "manual_backward": _e("framework_backward", framework="lightning"),
        "optimizers": _e("lightning_optimizers"),
        "lr_schedulers": _e("lightning_schedulers"),
        "clip_gradients": _e("plain"),
        "toggle_optimizer": _PLAIN,
        "untoggle_optimizer": _PLAIN,
        "toggled_optimizer": _e("context", kind="null"),
        "log": _PLAIN,
        "log_dict": _PLAIN,
    },
    Role.CRITERION: {
        **dict.fromkeys("to cuda cpu half float double bfloat16 train eval requires_grad_ apply".split(), _SELF),
        "parameters": _PLAIN,
        "named_parameters": _PLAIN,
        "state_dict": _PLAIN,
        "load_state_dict": _PLAIN,
        "zero_grad": _PLAIN,
    },
    Role.STACK: {"enter_context": _e("enter"), "close": _PLAIN, "callback": _PLAIN},
}

UNKNOWN_RECEIVER: Mapping[str, Effect] = {
    "backward": _e("backward"),
    "manual_backward": _e("framework_backward", framework="lightning"),
    "zero_grad": _e("zero"),
    "unscale_": _e("unscale"),
    "no_sync": _e("context", kind="no_sync"),
    "set_epoch": _e("set_epoch"),
    "clip_grad_norm_": _e("clip", by="norm", limit="max_norm"),
    "clip_grad_value_": _e("clip", by="value", limit="clip_value"),
    "parameters": _e("parameters"),
    "named_parameters": _e("parameters", named=True),
    "first_step": _e("sam_first"),
    "second_step": _e("sam_second"),
    "enter_context": _e("enter"),
}
"""Methods whose meaning does not depend on what the receiver is."""

METHOD_NAMES = frozenset(name for table in METHODS.values() for name in table) - {
    "__call__",
    "gradient_accumulation_steps",
}
"""Every method name that has a meaning for some role, and is no attribute of another's."""

MEAN_LOSSES = frozenset(
    "cross_entropy mse_loss nll_loss l1_loss smooth_l1_loss huber_loss binary_cross_entropy kl_div ctc_loss "
    "binary_cross_entropy_with_logits poisson_nll_loss gaussian_nll_loss hinge_embedding_loss margin_ranking_loss "
    "multi_margin_loss multilabel_margin_loss multilabel_soft_margin_loss soft_margin_loss triplet_margin_loss "
    "triplet_margin_with_distance_loss cosine_embedding_loss".split()
)
"""Functions of `torch.nn.functional` that reduce by the mean unless they are told otherwise."""


def is_mean_loss(name: str) -> bool:
    """Whether a qualified name is one of these."""
    module, _, last = name.rpartition(".")
    return module == "torch.nn.functional" and last in MEAN_LOSSES


def is_smooth(name: str) -> bool:
    """Whether a function of torch can be differentiated: a loss, or what has a graph if a tensor in it has one."""
    module, _, last = name.rpartition(".")
    return (last in SMOOTH and module in ("torch", "torch.nn.functional", "torch.linalg")) or is_mean_loss(name)


SMOOTH = frozenset(
    "abs absolute acos acosh add addmm asin asinh atan atan2 atanh bfloat16 bmm cat celu clamp clip clone concat "
    "concatenate conj contiguous cos cosh cosine_similarity cpu cross cuda cumprod cumsum dist div divide dot "
    "double dropout einsum elu erf exp expand expm1 flatten float fmod gather gelu glu half hstack hypot "
    "index_select interpolate layer_norm leaky_relu lerp lgamma log log10 log1p log2 log_softmax logaddexp logit "
    "logsigmoid logsumexp masked_fill masked_select matmul mean mish mm mul multiply mv nan_to_num nanmean nansum "
    "neg negative norm normalize pad pairwise_distance permute pow prod reciprocal relu relu6 repeat reshape "
    "rsqrt selu sigmoid silu sin sinh softmax softmin softplus softsign sqrt square squeeze stack std sub "
    "subtract sum t tan tanh transpose tril triu true_divide unsqueeze var vector_norm view vstack where".split()
)
"""Functions and methods of tensors that hand gradients on, whatever numbers they are given."""

SCALING = {"div": "/", "divide": "/", "true_divide": "/", "mul": "*", "multiply": "*"}
"""Tensor methods that divide or multiply; those with `_` behind the name change the tensor itself."""

LINEAR = frozenset(
    "mean sum to float half double cuda cpu clone squeeze unsqueeze view reshape type contiguous bfloat16 "
    "flatten requires_grad_ requires_grad type_as retain_grad item_ nanmean".split()
) | {name + end for name in SCALING for end in ("", "_")}
"""Tensor methods that keep the factor of a loss."""

DETACHING = frozenset("item detach tolist numpy cpu_ data".split())
"""Tensor methods and attributes whose result carries no graph."""

# --------------------------------------------------------------------------- conventions

_WORD = r"(?:^|_|\.)"

NAME_HINTS: tuple[tuple[Words, Role], ...] = tuple(
    (Words(pattern), role)
    for pattern, role in (
        (r"(?i)sched|^lr_?(warmup|decay)|^warmup$|^lr_lambda$|plateau", Role.SCHEDULER),
        (
            r"(?i)^(grad|amp|gradient|fp16|native)?_?scaler(_?[a-z0-9]{1,8})?$|^(.*_)?(grad_?scaler|amp_scaler)$",
            Role.SCALER,
        ),
        (r"(?i)^loss_?scaler$", Role.SCALER_CALLABLE),
        (
            (
                r"(?i)^(.*_)?(optim|optimizer|optimiser)s?(_?[a-z0-9]{1,14}){0,2}$"
                r"|^[a-z0-9]{1,16}_?(optim|optimizer|optimiser)s?$"
            ),
            Role.OPTIMIZER,
        ),
        (r"(?i)^(.*_)?opts?(_?(g|d|gen|disc|dis|actor|critic|policy|q|v|\d))?$", Role.OPTIMIZER),
        (r"^(model_)?engine$|^(.*_)?model_engine$", Role.ENGINE),
        (r"(?i)^(.*_)?accelerator$", Role.ACCELERATOR),
        (r"(?i)^fabric$", Role.FABRIC),
        (r"(?i)^(.*_)?(ema|ema_model|model_ema|ema_net|averager)$", Role.EMA),
        (r"(?i)^(.*_)?sampler$", Role.SAMPLER),
        (
            r"(?i)loaders?(_[a-z0-9]{1,6})?$|^(train|val|test)?_?dl$|^(train|training)_(data|iter|batches|dataloader)$",
            Role.LOADER,
        ),
        (r"(?i)^(.*_)?(criterion|loss_?fn|loss_?func(tion)?|objective)(_.*)?$", Role.CRITERION),
        (
            (
                r"(?i)^(.*_)?(ddp_?model|model|models|network|net|nets|generator|discriminator|actor|critic|policy|module"
                r"|encoder|decoder|backbone|unet|vae|transformer|classifier|policy_net|q_network|agent_net|gan)"
                r"(_?(g|d|a|b|\d|gen|disc|engine|module|without_ddp|ddp)){0,2}$"
            ),
            Role.MODEL,
        ),
        (
            (
                r"(?i)^(?!(y_?pred|preds?|outs?|outputs?|logits?|feats?|features?|embs?|loss(es)?|probs?|acc|[fhpqxyz])_)(.*_)?"
                r"(student|teacher)(_?(model|net|network|engine|module|without_ddp|ddp|\d)){0,2}$"
            ),
            Role.MODEL,
        ),
        (r"^(net|model)_?[A-Z]\w?$|^[GD]$|^D_[AB]$|^G_[AB]{1,2}$", Role.MODEL),
    )
)
"""First match wins. A hint is the weakest evidence: constructor, annotation and protocol beat it."""

CONFIG_NAME = Words(
    r"(?i)^(args?|cfg|conf|config|configs|opts?|options?|hparams?|hps?|hp|params|flags|settings?|train_cfg|training_args)$"
)
"""Names of settings, whose attributes are numbers, flags and names."""
INDEX_NAME = Words(
    r"(?i)^(i|j|k|n|idx|it|iter|iteration|step|t|batch_i|ni|cur_?iter)$|idx|index|_i$|step$|iter$|iteration$|batch_?(no|num|n|nb)$"
)
"""Names that count iterations."""
MICRO_RANGE = Words(r"(?i)^range\(.*(accum|micro|ga_steps|grad_acc)")
"""Loops that say themselves that they count micro-batches."""
NOT_AN_OBJECT = Words(
    r"(?i)^(n|num|nb|max|min|use|is|has|no|lr|with|log|print|save|load|do|should|build|get|make|create|setup|init|new|define)_|_(lr|steps?|every|interval|iters?|freq|dim|dims|size|"
    r"name|names|path|dir|type|kwargs|config|cfg|conf|args|params?|parameters|class|cls|fn|func|state|states|dict|weights?|ckpt|id|ids|"
    r"idx|index|loss|losses|score|scores|output|outputs|out|grads?|inputs?|factor|gamma|step|epoch|epochs|cost|lambda|coef|weight_decay|"
    r"mode|flag|str|key|keys|list_name|period|delay|ratio|out_path|file|url|hidden|features?)$"
)
"""Names of numbers, flags and paths, whatever role a part of them suggests."""
WEIGHT_NAME = Words(r"(?i)scale|weight|norm|num_items|denominator|divisor")
"""Keys under which a batch carries the weight of its loss."""
OBJECTIVE_NAME = Words(
    r"(?i)(^|_)(lambda|lambd|alpha|beta|gamma|temperature)(_|\d*$)|num_?(labels|classes)$|n_classes$|_(weight|coef|coeff)$"
)
"""Constants that weigh a loss in an objective, and never the share of a micro-batch in its window."""
LOSS_NAME = Words(r"(?i)loss|^err|_err$|cost|objective|^j$|elbo|^nll|^bce|^kl$|^ce$|^l\d?$")
GRADIENT_NAME = Words(r"(?i)grad|^g$")
"""Names of a parameter's gradient, which is written to in place: `grad.mul_(coef)`."""
WINDOW_NAME = Words(
    r"(?i)accum|grad_?acc|micro|virtual|iter_?size|update_?freq|subdivision|batch_?split|n_?acc\b|num_?acc|acc_?steps"
    r"|backward_passes|update_(every|interval|period|steps)|steps_per_update|every_n"
)
"""Names that say `this many micro-batches make one update`."""

AMP_NAME = Words(r"(?i)(?<![a-z])amp(?![a-z])|_amp|amp_|fp_?16|half|mixed|scaler|autocast|float16|use_?cuda_?amp")
FLOAT16_NAME = Words(r"(?i)fp_?16|float_?16|half|dtype|precision|bf")
"""Flags that may tell float16 from bfloat16."""
BF16_NAME = Words(r"(?i)bf_?16|bfloat")
DTYPES = frozenset({"float16", "half", "bfloat16", "float32", "float"})
"""What torch calls the types between which a loop chooses."""
ABNORMAL_NAME = Words(
    r"(?i)nan|finite|isinf|inf\b|overflow|skip|invalid|anomal|corrupt|empty|error|fail|interrupt|stop|done|finish|dry_?run|exceed"
)
"""Guards on things that do not happen on a normal day."""
PROCESSES_NAME = Words(r"(?i)^(world_?size|num_replicas|n_?ranks|num_ranks)$")
"""The number of processes that train together."""
LAST_NAME = Words(r"(?i)last|final|is_?end|end_of")
HOOK_NAME = Words(r"(?i)callback|hook|(^|[._])on_[a-z]|call_event|fire|dispatch|trigger|emit|notify|extension")
"""Calls that run code nobody can see here."""
HOOKS_NAME = Words(r"(?i)^_?(call_?backs|cbs|hooks|plugins|extensions|listeners)$")
"""Lists of objects that each do a part of the work when they are called."""
TOUCH_NAME = Words(
    r"(?i)(^|_)(step|steps|zero|clip|unscale|optimi[sz]e|optim|optimizer|backward|backprop|grad|grads|gradient|gradients|update|"
    r"average|sync|reduce|accumulate|train|fit|learn)(_|$)"
)
"""Calls that may touch gradients when they cannot be followed."""
LIBRARIES = frozenset(
    "torch numpy np math os sys time logging random json wandb tqdm torchvision functools itertools copy".split()
)
"""Packages that hold no settings of a project."""
INVARIANT_CALL = Words(
    r"(?i)^(is|has|use|get|should_use|supports|can|are|need)_|^is[a-z]|^(getattr|hasattr|isinstance|len|int|bool|str|float|max|min|round|ceil|"
    r"floor|get|keys|lower|upper|startswith|endswith|cuda|device_count|world_size|rank|local_rank|parse_args|environ|getenv)$"
)
"""Calls that give the same answer in every iteration."""

# ------------------------------------------------------------------------- other libraries

OTHER_LIBRARIES = frozenset(
    "autograd chainer chainermn cntk dynet equinox flax gluoncv gluonnlp haiku jax jittor jsparse keras megengine "
    "micrograd mindformers mindspore mlx mxnet needle nnabla objax oneflow optax paddle paddlenlp ppcls ppdet singa "
    "sonnet tensorflow tensorflow_probability theano tinygrad trax warp".split()
)
"""Packages that train without torch: what they make keeps books of its own."""

TORCH_LIBRARY = Words(
    r"(?i)torch|^(lightning|accelerate|transformers|diffusers|timm|deepspeed|apex|fairseq|fairscale|peft|trl|ignite|monai|kornia"
    r"|mmcv|mmengine|mmdet|fastai|opacus|composer|ultralytics|e3nn|sentence_transformers|colossalai|megatron|bitsandbytes)(\.|$)"
)
"""Modules that are torch or build on it."""

CROSSES = Words(r"(?i)torch|dlpack")
"""Functions of other libraries that hand a tensor over to torch."""


@lru_cache(maxsize=512)
def of_other_library(name: str | None) -> bool:
    """Whether a qualified name belongs to a library that trains without torch."""
    return name is not None and name.partition(".")[0] in OTHER_LIBRARIES and not CROSSES.search(name)


def trained_with(imports: Iterable[str]) -> str:
    """The library that a file trains with instead of torch, as far as the modules it imports tell; empty for torch."""
    modules = [module for module in imports if not module.startswith(".")]
    if any(TORCH_LIBRARY.search(module) for module in modules):
        return ""
    return next((module.partition(".")[0] for module in modules if of_other_library(module)), "")


# --------------------------------------------------------------------- a project's own words


@lru_cache(maxsize=64)
def own_words(custom: Custom) -> Mapping[str, Effect]:
    """The effects of a project's own names: `my_pkg.Lion` as it is, `Lion` as `*.Lion`."""
    tables = (
        (custom.optimizers, _e("make", role=Role.OPTIMIZER)),
        (custom.clip_functions, _e("clip", by="norm", limit="max_norm")),
        (custom.backward_functions, _e("framework_backward", framework="")),
        (custom.scaler_callables, _e("make", role=Role.SCALER_CALLABLE)),
    )
    return {name if "." in name else f"*.{name}": effect for names, effect in tables for name in names}


TOLD_ROLES: Mapping[str, Role] = {
    "optimizer": Role.OPTIMIZER,
    "scaler": Role.SCALER,
    "scaler-callable": Role.SCALER_CALLABLE,
    "model": Role.MODEL,
    "ddp": Role.MODEL,
    "fsdp": Role.MODEL,
    "scheduler": Role.SCHEDULER,
    "loader": Role.LOADER,
    "sampler": Role.SAMPLER,
    "accelerator": Role.ACCELERATOR,
    "fabric": Role.FABRIC,
    "engine": Role.ENGINE,
    "criterion": Role.CRITERION,
    "ema": Role.EMA,
}
"""What an object is that was told to have one of `custom.OBJECTS`."""

TOLD_WRAPPERS: Mapping[str, str] = {"ddp": "ddp", "fsdp": "fsdp"}
"""The wrappers among these."""

_MADE = ("optimizer", "scheduler", "loader", "sampler", "accelerator", "fabric")

TOLD_EFFECTS: Mapping[str, Effect] = {
    **{role: _e("make", role=TOLD_ROLES[role]) for role in _MADE},
    **{role: _e("told_wrap", wrapper=wrapper) for role, wrapper in TOLD_WRAPPERS.items()},
    "wrapper": _e("told_wrap", wrapper=""),
    "backward": _e("framework_backward", framework=""),
    "step": _e("told_step"),
    "update": _e("told_update"),
    "clear": _e("told_clear"),
    "clip": _e("clip", by="norm", limit="max_norm"),
    "harmless": _e("plain"),
}
"""What a call of something does that was told to have one of `custom.ROLES`."""
