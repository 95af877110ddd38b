"""What names suggest: the conventions of training code, as data."""

from __future__ import annotations

import re

LIFECYCLE = frozenset(
    """backward step zero_grad unscale_ update clip_grad_norm_ clip_grad_norm clip_grad_value_ clip_gradients no_sync
    train eval set_epoch step_update manual_backward accumulate clip_grad_by_norm first_step second_step update_params
    requires_grad_ register_post_accumulate_grad_hook set_to_none clear_grad autocast scale scale_loss""".split()
)
"""Names of methods that can do something to gradients, schedules or modes."""

BUILDERS = frozenset(
    """GradScaler DistributedDataParallel DDP FullyShardedDataParallel FSDP prepare setup Accelerator Fabric
    ShardedGradScaler""".split()
)

LOSS_FUNCTION = re.compile(r"loss|criteri|objective|cross_entropy|mse|nll|bce|kl_div|penalty", re.IGNORECASE)
LOSS_NAME = re.compile(r"loss|(^|_)err(D|G)|objective|(^|_)(elbo|nll)($|_)", re.IGNORECASE)
LOSS_TOOL = re.compile(
    r"(module|fn|func|function|cls|class|type|name|weights?|scaler?|keys?|config|cfg|args|kwargs|meters?|tracker|history|log"
    r"|coef\w*|factor|masks?|computer|calculator)$",
    re.IGNORECASE,
)
"""What a name ends in that speaks of losses and holds none."""

ACCUMULATION = re.compile(
    r"(grad\w*_?acc\w*|acc\w*_?grad\w*|accum(ulat\w*|e)?_?(grad\w*|steps?|iters?|batch\w*|n|num|freq\w*|every|size|counts?)?"
    r"|accumulat\w*|update_freq\w*|iter_size|batch_split|virtual_batch\w*|(n|num)_?accum\w*|step_every|update_every|gas"
    r"|(num_|n_)?micro_?(batches|steps)|optimize_every|iters_to_accumulate|batch_multiplier|subdivisions?)$",
    re.IGNORECASE,
)
NOT_ACCUMULATION = re.compile(
    r"loss|counter|_idx|index|loader|accuracy|accelerat|enabled|use_|is_|do_|scheduler|_loop", re.IGNORECASE
)
FREQUENCY = re.compile(
    r"(^|_)(log(ging)?|print|eval|val|test|save|plot|ckpt|checkpoint|report|vis|sample|display|summary)_?"
    r"(every|freq(uency)?|interval|period|steps?)(_n|_iters?|_steps?)?$",
    re.IGNORECASE,
)
"""How often something happens beside the training."""
EPOCHS = re.compile(
    r"^(n|num|max|total|train|n_train)?_?epochs?(_num|_number)?$|^max_epoch$|^(update|ppo|k|n|opt)_epochs$",
    re.IGNORECASE,
)
COUNTER = re.compile(
    r"^(batch_?(idx|i|index|id|num)|i|it|idx|iter_?(num|idx|i)?|step(_?(i|idx|num))?|i_?(batch|iter|step)|n_?iter|iteration"
    r"|(global|current|cur)_?(step|iter|iteration)s?|(train|total)_?(step|iter|iteration)|micro_?(step|batch)_?(idx)?|batch_?no|num_?updates)$",
    re.IGNORECASE,
)
EPOCH_COUNTER = re.compile(r"^(epoch|cur_epoch|current_epoch|epoch_?(idx|i|num|no)|ep)$", re.IGNORECASE)
LENGTH = re.compile(
    r"^(n|num|total|len|max)_?(train_?)?(batch(es)?|iters?|dataloader|loader)(_per_epoch)?$|len_(loader|data)|^epoch_len(gth)?$",
    re.IGNORECASE,
)
PER_EPOCH = re.compile(r"^(n|num|total)?_?(train(ing)?_?)?(step|update)s?_per_epoch$", re.IGNORECASE)
"""How many updates an epoch has."""
NORM = re.compile(r"max_(grad_?)?norm|clip|grad_norm|max_norm", re.IGNORECASE)
MIXED = re.compile(
    r"(^|_|\.)(amp|fp16|half|mixed|bf16|use_amp|scaler|autocast)|precision|mixed_precision|_amp\b|amp_", re.IGNORECASE
)
ABNORMAL = re.compile(
    r"(^|[^a-z])(is)?_?(nan|inf)([^a-z]|$)|isnan|isinf|overflow|skip|debug|dry_?run|profil|eval_only|test_only|only_?eval|"
    r"resume|error|fail|early_?stop|should_stop|stop_training|terminat|cancel|abort|interrupt|frozen|freeze|warmup|"
    r"distill|mixup|cutmix|disable|no_cuda|deepspeed|apex|tpu|xla|horovod|fsdp|lomo|hook|is_sam|sam_|lbfgs|not_finite",
    re.IGNORECASE,
)
FINITE = re.compile(r"is_?finite|all_?finite|valid|can_step|found_gradient", re.IGNORECASE)
LAST = re.compile(r"is_?last|last_(batch|step|iter)|end_of|is_final", re.IGNORECASE)

_OPTIMIZER = re.compile(
    r"(^|_)(opt|optim|optimi[sz]er)s?(_?\w{0,12})?$|optimi[sz]ers?$|^opt[A-Z_]|Optimi[sz]er", re.IGNORECASE
)
_NOT_OPTIMIZER = re.compile(
    r"idx|config|cfg|state|type|name|class|cls|kwargs|args|option|params?$|step|fn|func|opts?_dict|lr", re.IGNORECASE
)
_SCHEDULER = re.compile(r"sched(uler)?s?(_?\w{0,10})?$|lr_policy$|lr_decay$", re.IGNORECASE)
_NOT_SCHEDULER = re.compile(
    r"config|cfg|type|name|cls|class|kwargs|args|freq|interval|batch|step|epoch|params", re.IGNORECASE
)
_SCALER = re.compile(r"(grad|amp|loss|fp16)?_?scaler$", re.IGNORECASE)
_NOT_SCALER = re.compile(
    r"(feature|target|input|output|data|std|min_?max|x|y|standard|robust|label)_?scaler", re.IGNORECASE
)
_MODEL = re.compile(
    r"(^|_)(model|net|network|module|generator|discriminator|actor|critic|policy|encoder|decoder|backbone|agent|unet|vae|"
    r"classifier|learner|student|gen|disc|G|D|ddp_model|netG|netD)(_?[a-zA-Z0-9]{0,10})?$|^net[A-Z_]|Net$|Model$"
)
_NOT_MODEL = re.compile(
    r"path|dir|name|config|cfg|args|kwargs|type|cls|class|file|version|id$|input|output|state|dict|save|ckpt|loss|optim|"
    r"sched|fn|size|dim|loader|lr|param|inputs|iter|grad|update|steps?$|_log|data",
    re.IGNORECASE,
)
_LOADER = re.compile(
    r"load(er)?s?$|_dl$|^dl$|batches$|data_iter(ator)?$|train_data$|dataset$|train_iter(ator)?$|data_source",
    re.IGNORECASE,
)
_MAKES = re.compile(
    r"^_*(make|build|create|get|load|init|setup|set|new|construct|initiali[sz]e|configure|define|freeze|save|wrap|print|count"
    r"|log|update|prepare|compile|instantiate|register)_",
    re.IGNORECASE,
)
"""How a function is called that makes or keeps something, and is not it."""

_VALIDATION = re.compile(r"val|test|eval|dev", re.IGNORECASE)


def by_spelling(name: str) -> str | None:
    """The role that a bare name suggests: `optimizer`, `scheduler`, `scaler`, `model`, `loader`, ... or None."""
    if name in ("accelerator", "fabric"):
        return name
    if _MAKES.search(name):
        return None
    tests = (
        ("scheduler", _SCHEDULER, _NOT_SCHEDULER),
        ("scaler", _SCALER, _NOT_SCALER),
        ("optimizer", _OPTIMIZER, _NOT_OPTIMIZER),
        ("loader", _LOADER, _VALIDATION),
        ("model", _MODEL, _NOT_MODEL),
    )
    for role, wanted, unwanted in tests:
        if wanted.search(name) and not unwanted.search(name):
            return role
    return "sampler" if name.endswith("sampler") else None


def is_accumulation(name: str) -> bool:
    """Whether a name sounds like the number of micro-batches in a window."""
    return bool(ACCUMULATION.search(name)) and not NOT_ACCUMULATION.search(name)


def family(key: str) -> str:
    """Keys of one family are answered alike: every mixed-precision switch is one switch."""
    return "mixed precision" if MIXED.search(key) else key
