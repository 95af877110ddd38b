"""Names of switches and of questions: mixed precision, what is rare, what comes last."""

from __future__ import annotations

from gradlint.libraries.convention import Convention

AMP_NAME = Convention(
    r"(?i)(?<![a-z])amp(?![a-z])|amp_|fp_?16|half|(?<!inter)mixed|scaler|autocast|float16",
    "whether there is mixed precision",
    evidence="81 of 2173 files of the corpora",
    yes="use_amp fp16 half mixed_precision scaler autocast",
    no="example sample parse_intermixed_args",
)
AMP_GUARD = Convention(
    r"(?i)(?<![a-z])amp(?![a-z])|autocast|scal(?!e_)|fp16|half|(?<!inter)mixed|precision|float16",
    "guards under which a loop goes its way with mixed precision, and beside them its way without",
    evidence="`precision` is what Lightning, Fabric and their users call the switch",
    yes="use_amp scaler autocast fp16 half mixed_precision precision float16",
    no="scale_factor example parse_intermixed_args",
)
FLOAT16_NAME = Convention(
    r"(?i)fp_?16|float_?16|half|dtype|precision|bf",
    "flags that may tell float16 from bfloat16",
    evidence="14 of 2173 files of the corpora",
    yes="fp16 half mixed_precision dtype bf16",
    no="amp use_cuda",
)
FLOAT16_ONLY_NAME = Convention(
    r"(?i)(?<!b)fp?_?16|(?<!b)float_?16|half",
    "switches that are on for float16 alone",
    evidence="7 of 21,920 files of two sets of labelled repositories switch autocast or a scaler by such a name",
    yes="fp16 use_float16 half f16",
    no="mixed_precision bf16 bfloat16 amp dtype",
)
BF16_NAME = Convention(
    r"(?i)bf_?16|bfloat",
    "bfloat16",
    evidence="22 of 2173 files of the corpora",
    yes="bf16 bfloat16 is_bf16_supported",
    no="fp16 float16",
)
ABILITY_NAME = Convention(
    r"(?i)support|avail|capab|able\b|^(can|has|have)_|_ok\b|_ready\b",
    "what the machine can do, and nobody chooses",
    evidence="torch.cuda.is_bf16_supported, transformers.utils.is_torch_bf16_available",
    yes="bf16_supported bf16_available has_bf16 bf16_ok",
    no="bf16 use_bfloat16",
)
OTHER_WAYS = Convention(
    r"plugin|\*\*|^cpu$",
    "arguments that may bring another way to scale with them, or none",
    evidence="the arguments of Accelerator and Fabric; tests/interpret/test_habits.py",
    yes="fsdp_plugin **kwargs cpu",
    no="precision strategy",
)
LOSS_SCALE_NAME = Convention(
    r"(?i)get_scale|scaler",
    "what unscales gradients by hand",
    evidence="tests/data/holes/own_clip.py",
    yes="scaler.get_scale() self.scaler",
    no="norm coef",
)
ABNORMAL_NAME = Convention(
    r"(?i)nan|finite|inf\b|overflow|skip|invalid|anomal|corrupt|empty|error|fail|interrupt|stop|done|finish"
    r"|dry_?run|exceed",
    "what does not happen on a normal day",
    evidence="118 of 2173 files of the corpora",
    yes="isnan(loss) isfinite(norm) found_inf overflow skipped any_invalid dry_run",
    no="step i",
)
AMISS_NAME = Convention(
    r"(?i)(?:\b|_|is)nans?(?:\b|_)|(?:\b|_|is)infs?(?:\b|_)|infinite|no[nt]_?finite|overflow",
    "numbers that are no longer any, where it is true",
    evidence="a word for what floating point has no number for",
    yes="isnan is_inf found_inf has_nan nonfinite overflow",
    no="isfinite infer finance info all_finite",
)
FINITE_NAME = Convention(
    r"(?i)(?<!in)(?<!no[nt])(?<!no[nt]_)finite",
    "numbers that still are some, where it is true",
    evidence="a word for what floating point has a number for",
    yes="isfinite all_finite grads_are_finite",
    no="infinite nonfinite not_finite",
)
MEASURE_NAME = Convention(
    r"(?i)norm|loss|finite|nan|inf\b|scale|overflow|skip|valid|error|kl\b|ratio|len\(|numel|shape|size\(0",
    "what is measured in an iteration, and no count of iterations",
    evidence="488 of 2173 files of the corpora",
    yes="grad_norm loss isfinite(x) found_inf len(batch) x.numel()",
    no="step i",
)
LAST_NAME = Convention(
    r"(?i)last|final|is_?end|end_of",
    "whether this is the last batch",
    evidence="16 of 2173 files of the corpora",
    yes="is_last_batch final_step end_of_epoch",
    no="first is_main",
)
SEVERAL_PROCESSES = Convention(
    r"no_sync|no_backward_sync|require_backward_grad_sync|set_requires_gradient_sync|all_reduce|get_rank|world_size"
    r"|WORLD_SIZE|\bdist\.(?:init|get|barrier|broadcast|reduce)|torch\.distributed|[Dd]istributed(?:Sampler|Data)"
    r"|\b[Aa]ccelerator\b|\b[Ff]abric\b|deepspeed|FSDP|\bDDP\b|DataParallel|\bhvd\.",
    "words of a file that may train in several processes",
    evidence="190 of 1265 files that train",
    yes="model.no_sync torch.distributed DistributedSampler dist.get_rank WORLD_SIZE accelerator DDP hvd.init",
    no="dist.log_prob accelerate_fit rank synced",
)
