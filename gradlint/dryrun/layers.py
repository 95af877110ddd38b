"""Networks that are the same in training and in evaluation mode: they have no dropout and no batch norm.

nn.Sequential(nn.Linear(8, 4))                     is the same in both
nn.Sequential(nn.Linear(8, 4), nn.Dropout(0.5))    is not
nn.Sequential(*layers)                             nobody can say
"""

from __future__ import annotations

import re

from gradlint.dryrun.values import Value, is_layer


def has_one_mode(value: Value) -> bool:
    """Whether what made a network shows that `eval()` changes nothing about it.

    Args:
        value: what the machine knows of it: the call of a class of `torch.nn`, in words.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.nn.Module.html#torch.nn.Module.eval
    """
    if not is_layer(value):
        return False
    made = value.key
    while made != (reduced := _INNERMOST.sub(_settled, made)):
        made = reduced
    return made == _ONE


def _settled(call: re.Match[str]) -> str:
    """What an innermost call stands for: a network with one mode, or anything else."""
    name, given = call["name"], call["given"]
    if name == "Sequential":
        return _ONE if all(part.strip() == _ONE for part in given.split(",")) else _OTHER
    return _ONE if name in _PLAIN else _OTHER


_INNERMOST = re.compile(r"(?:\w+\.)*(?P<name>\w*)\((?P<given>[^()]*)\)")
_ONE, _OTHER = "one", "0"
_PLAIN = frozenset(
    """
    Linear Bilinear Identity Embedding EmbeddingBag Flatten Unflatten Conv1d Conv2d Conv3d ConvTranspose1d
    ConvTranspose2d ConvTranspose3d ReLU ReLU6 LeakyReLU PReLU ELU SELU CELU GELU SiLU Mish Tanh Sigmoid Softmax
    LogSoftmax Softplus Softsign Hardtanh Hardswish Hardsigmoid LayerNorm RMSNorm GroupNorm MaxPool1d MaxPool2d
    MaxPool3d AvgPool1d AvgPool2d AvgPool3d AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveMaxPool1d
    AdaptiveMaxPool2d Upsample PixelShuffle PixelUnshuffle ZeroPad2d ReflectionPad2d Fold Unfold
    """.split()
)
"""Layers of `torch.nn` whose forward does not ask for the mode."""
