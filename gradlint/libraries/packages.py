"""Packages: which train with torch, which without it, and which hold no settings of a project."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from gradlint.libraries.convention import Convention

NO_SETTINGS = frozenset(
    "torch numpy np math os sys time logging random json wandb tqdm torchvision functools itertools copy".split()
)
"""Packages that hold no settings of a project."""

WITHOUT_LAYERS = frozenset(
    "torch torch_scatter torch_sparse numpy np einops scipy sklearn pandas PIL cv2 matplotlib tqdm yaml wandb "
    "omegaconf".split()
)
"""Packages that make no networks but of torch's own layers, which are known by name."""

_OTHERS = frozenset(
    "autograd chainer chainermn cntk dynet equinox flax gluoncv gluonnlp haiku jax jittor jsparse keras megengine "
    "micrograd mindformers mindspore mlx mxnet needle nnabla objax oneflow optax paddle paddlenlp ppcls ppdet singa "
    "sonnet tensorflow tensorflow_probability theano tinygrad trax warp".split()
)
"""Packages that train without torch: what they make keeps books of its own."""

_TORCH = Convention(
    r"(?i)torch|^(lightning|accelerate|transformers|diffusers|timm|deepspeed|apex|fairseq|fairscale|peft|trl|ignite|monai"
    r"|kornia|mmcv|mmengine|mmdet|fastai|opacus|composer|ultralytics|e3nn|sentence_transformers|colossalai|megatron"
    r"|bitsandbytes)(\.|$)",
    "modules that are torch or build on it",
    evidence="the packages' own requirements",
    yes="torch.nn pytorch_lightning accelerate timm.data",
    no="jax tensorflow.keras composerlib",
)

CROSSES = Convention(
    r"(?i)torch|dlpack",
    "functions of other libraries that hand a tensor over to torch",
    evidence="DLPack, and converters such as `jax2torch`",
    yes="jax.dlpack.to_dlpack warp.to_torch",
    no="jax.numpy.asarray",
)

NETWORK_PART = Convention(
    r"^torch\.nn\.(modules\.(\w+\.)?)?(?!(Parameter|Buffer|\w*Loss)$)[A-Z]\w*$",
    "what makes torch's own networks and their parts: they have parameters, or stand among such that have",
    evidence="the names in torch.nn",
    yes="torch.nn.Linear torch.nn.modules.conv.Conv2d",
    no="torch.nn.MSELoss torch.nn.Parameter torch.nn.functional.relu",
)


@lru_cache(maxsize=512)
def of_other_library(name: str | None) -> bool:
    """Whether a qualified name belongs to a library that trains without torch."""
    return name is not None and name.partition(".")[0] in _OTHERS and not CROSSES.search(name)


def trained_with(imports: Iterable[str]) -> str:
    """The library that a file trains with instead of torch, as far as the modules it imports tell; empty for torch."""
    modules = [module for module in imports if not module.startswith(".")]
    if any(_TORCH.search(module) for module in modules):
        return ""
    return next((module.partition(".")[0] for module in modules if of_other_library(module)), "")
