"""Tensors: what torch's functions and methods keep of a loss."""

from __future__ import annotations

from functools import lru_cache
from types import MappingProxyType

KEPT = 4096
"""Names of which the answers are remembered."""

MEAN_LOSSES = frozenset(
    "cross_entropy mse_loss nll_loss l1_loss smooth_l1_loss huber_loss binary_cross_entropy kl_div ctc_loss "
    "binary_cross_entropy_with_logits poisson_nll_loss gaussian_nll_loss hinge_embedding_loss margin_ranking_loss "
    "multi_margin_loss multilabel_margin_loss multilabel_soft_margin_loss soft_margin_loss triplet_margin_loss "
    "triplet_margin_with_distance_loss cosine_embedding_loss".split()
)
"""Functions of `torch.nn.functional` that reduce by the mean unless they are told otherwise."""

SMOOTH = frozenset(
    "abs absolute acos acosh add addmm asin asinh atan atan2 atanh bfloat16 bmm cat celu clamp clip clone concat "
    "concatenate conj contiguous cos cosh cosine_similarity cpu cross cuda cumprod cumsum dist div divide dot "
    "double dropout einsum elu erf exp expand expm1 flatten float fmod gather gelu glu half hstack hypot "
    "index_select interpolate layer_norm leaky_relu lerp lgamma log log10 log1p log2 log_softmax logaddexp logit "
    "logsigmoid logsumexp masked_fill masked_select matmul maximum mean minimum mish mm mul multiply mv nan_to_num "
    "nanmean nansum "
    "neg negative norm normalize pad pairwise_distance permute pow prod reciprocal relu relu6 repeat reshape "
    "rsqrt selu sigmoid silu sin sinh softmax softmin softplus softsign sqrt square squeeze stack std sub "
    "subtract sum t tan tanh transpose tril triu true_divide unsqueeze var vector_norm view vstack where".split()
)
"""Functions and methods of tensors that hand gradients on, whatever numbers they are given."""

EXTREMES = frozenset({"max", "min"})
"""Functions and methods that do so where they choose between two tensors, number by number."""

SCALING = {"div": "/", "divide": "/", "true_divide": "/", "mul": "*", "multiply": "*"}
"""Tensor methods that divide or multiply; those with `_` behind the name change the tensor itself."""

LINEAR = frozenset(
    "mean sum to float half double cuda cpu clone squeeze unsqueeze view reshape type contiguous bfloat16 "
    "flatten requires_grad_ requires_grad type_as retain_grad item_ nanmean".split()
) | {name + end for name in SCALING for end in ("", "_")}
"""Tensor methods that keep the factor of a loss."""

DETACHING = frozenset("item detach tolist numpy cpu_ data".split())
"""Tensor methods and attributes whose result carries no graph."""

DESCRIBING = frozenset("device dtype is_cuda layout ndim".split())
"""Attributes of a tensor that say what it is like, and nothing of its numbers."""

LIKENING = frozenset("expand expand_as repeat reshape reshape_as to type type_as view view_as".split())
"""Tensor methods that give their own tensor another form or type: of what they are given they take no number."""

INDICES = {
    "gather": (2, "index"),
    "index_select": (2, "index"),
    "index_add": (2, "index"),
    "index_copy": (2, "index"),
    "index_fill": (2, "index"),
    "index_put": (1, "indices"),
    "take": (1, "index"),
    "take_along_dim": (1, "indices"),
    "scatter": (2, "index"),
    "scatter_add": (2, "index"),
    "scatter_reduce": (2, "index"),
    "masked_fill": (1, "mask"),
    "masked_select": (1, "mask"),
    "masked_scatter": (1, "mask"),
    "repeat_interleave": (1, "repeats"),
    "embedding": (0, "input"),
    "nll_loss": (1, "target"),
}
"""Which argument of a function of torch is of whole numbers or booleans, so that no gradient goes through it.

That of the method of the same name, and of the one with `_` behind it, stands one place before.
"""

CONDITION = (0, "condition")
"""That of `where`, of the function and of the method alike."""

WHOLE = frozenset(
    "all allclose any arange argmax argmin argsort argwhere bincount bool bucketize byte char count_nonzero eq equal "
    "ge greater greater_equal gt int isclose isfinite isin isinf isnan le less less_equal logical_and logical_not "
    "logical_or logical_xor long lt multinomial ne nonzero not_equal one_hot randint randperm searchsorted short "
    "signbit".split()
)
"""Functions and methods of tensors that give whole numbers or booleans: no graph is behind them."""

PLACED = frozenset("cummax cummin kthvalue max median min mode nanmedian sort topk".split())
"""Functions and methods of tensors that give, along a dimension, numbers and the `indices` where they stood."""

JOINING = frozenset({"cat", "concat", "concatenate", "vstack"})
"""Functions that put tensors one behind the other along the first dimension, with the graphs of all."""

WHOLES = frozenset("bool int int16 int32 int64 int8 long short uint8 BoolTensor IntTensor LongTensor".split())
"""What torch calls the types of whole numbers and booleans."""

DTYPES = frozenset({"float16", "half", "bfloat16", "float32", "float"})
"""What torch calls the types between which a loop chooses."""

GRADIENT_HOOKS = MappingProxyType(
    {
        "register_hook": 1,
        "register_prehook": 1,
        "register_post_accumulate_grad_hook": 1,
        "register_full_backward_pre_hook": 2,
        "register_full_backward_hook": 3,
        "register_backward_hook": 3,
    }
)
"""What registers a function that sees gradients, and how many arguments torch gives to it."""


@lru_cache(maxsize=KEPT)
def is_mean_loss(name: str) -> bool:
    """Whether a qualified name is one of a loss that reduces by the mean."""
    module, _, last = name.rpartition(".")
    return module == "torch.nn.functional" and last in MEAN_LOSSES


@lru_cache(maxsize=KEPT)
def is_smooth(name: str) -> bool:
    """Whether a function of torch can be differentiated: a loss, or what has a graph if a tensor in it has one."""
    module, _, last = name.rpartition(".")
    return (last in SMOOTH and module in ("torch", "torch.nn.functional", "torch.linalg")) or is_mean_loss(name)
