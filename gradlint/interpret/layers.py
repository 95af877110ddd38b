"""Networks that are the same in training and in evaluation mode: they have no dropout and no batch norm.

nn.Sequential(nn.Linear(8, 4))                     is the same in both
nn.Sequential(nn.Linear(8, 4), nn.Dropout(0.5))    is not
nn.Sequential(*layers)                             nobody can say
"""

from __future__ import annotations

import re
from typing import TypeGuard

from gradlint.interpret.lineage import classes_of
from gradlint.interpret.traits import CONSTANTS
from gradlint.interpret.values import MISSING, Missing, Tracked, Unknown, Value
from gradlint.libraries.tables import CALLS
from gradlint.model.pattern import pattern
from gradlint.model.program import Class, Program
from gradlint.model.roles import Role


class Layer:
    """What a network is, or a part of one, that a class of `torch.nn` has made and no name tells from others."""

    __slots__ = ()


LAYER = Layer()


def is_layer(value: Value) -> TypeGuard[Unknown]:
    """A network, or a part of one, that was made of torch's own classes and has no name that is used for one."""
    return isinstance(value, Unknown) and value.form is LAYER


def layer(value: Unknown, key: str) -> Unknown:
    """The same under a name: it is as much one thing as what holds it, whatever it was made of."""
    named = value.under(key)
    named.form, named.varying = LAYER, False
    return named


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
    if name.startswith("InstanceNorm") and ("=" in given or "*" in given or given.count(",") >= _BEFORE_STATISTICS):
        return _OTHER  # it may be told to keep running statistics
    if name in _AROUND_OTHERS:
        parts = given.strip(" []{},").split(",")
        return _ONE if all(part.rpartition(":")[2].strip() == _ONE for part in parts) else _OTHER
    return _ONE if name in _PLAIN else _OTHER


_AROUND_OTHERS = frozenset(("Sequential", "ModuleList", "ModuleDict"))
_BEFORE_STATISTICS = 4
_INNERMOST = pattern(r"(?:\w+\.)*(?P<name>\w*)\((?P<given>[^()]*)\)")
_ONE, _OTHER = "one", "0"
_PLAIN = frozenset(
    """
    Linear Bilinear Identity Embedding EmbeddingBag Flatten Unflatten Conv1d Conv2d Conv3d ConvTranspose1d
    ConvTranspose2d ConvTranspose3d ReLU ReLU6 LeakyReLU PReLU ELU SELU CELU GELU SiLU Mish Tanh Sigmoid Softmax
    LogSoftmax Softplus Softsign Hardtanh Hardswish Hardsigmoid LayerNorm RMSNorm GroupNorm InstanceNorm1d
    InstanceNorm2d InstanceNorm3d MaxPool1d MaxPool2d
    MaxPool3d AvgPool1d AvgPool2d AvgPool3d AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveMaxPool1d
    AdaptiveMaxPool2d Upsample PixelShuffle PixelUnshuffle ZeroPad2d ReflectionPad2d Fold Unfold
    """.split()
)
"""Layers of `torch.nn` whose forward does not ask for the mode; an `InstanceNorm` that keeps no running statistics."""


def has_no_parameters(program: Program, module: Tracked) -> bool:
    """Whether a class of this file shows that its objects hold no parameters: a loss that is written by hand.

    All its bases are in sight, nothing is made or handed over that could have some, and a criterion is all that its
    methods call of what it holds; what they hand on is a plain number, as in `out.pow(self.p)`.
    """
    if module.cls is None:
        return False
    if module.cls not in program.asked:
        program.asked[module.cls] = _asked_of_criteria(classes_of(program, module.cls))
    held = program.asked[module.cls]
    return held is not None and all(_is_bare(program, module.attrs.get(name, MISSING)) for name in held)


def _is_bare(program: Program, part: Value | Missing) -> bool:
    if not isinstance(part, Tracked):
        return part.__class__ in CONSTANTS
    return has_no_parameters(program, part) if part.cls is not None else part.role is Role.CRITERION


def _asked_of_criteria(classes: tuple[Class, ...]) -> set[str] | None:
    """What the methods of such a class call of what it holds; `None` where it may hold parameters."""
    bases, own = {base.rpartition(".")[2] for cls in classes for base in cls.bases}, {cls.name for cls in classes}
    if bases - _BARE - own:
        return None
    setups = [cls.methods["__init__"] for cls in classes if "__init__" in cls.methods]
    handed = {parameter.name for setup in setups for parameter in setup.parameters}
    made = {name for setup in setups for name in setup.called if name not in handed | own}  # `super(Dice, self)`
    methods = [method for cls in classes for method in cls.methods.values() if method.name != "__init__"]
    held = {name for method in methods for name in method.called if any(setup.may_set(name) for setup in setups)}
    return held if all(name in _SETTING_UP or _is_criterion(name) for name in made) else None


def _is_criterion(name: str) -> bool:
    effect = CALLS.get(f"torch.nn.{name}")
    return effect is not None and effect.role is Role.CRITERION


_BARE = frozenset({"Module", "_Loss", "_WeightedLoss", "object", "ABC"})
_SETTING_UP = frozenset(
    "super self __init__ register_buffer tensor ones zeros full arange eye to unsqueeze float int len".split()
)
"""What is called to set up an object, and makes no parameters."""
