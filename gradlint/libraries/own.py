"""A project's own words: what its configuration and its comments say of names."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from gradlint.model.custom import Custom
from gradlint.model.effects import Action, By, Clips, Effect, Makes, Wraps
from gradlint.model.roles import Role

_CLIP = Effect(Action.CLIP, Clips())
_BACKWARD = Effect(Action.LIBRARY_BACKWARD, By(""))


@lru_cache(maxsize=64)
def own_words(custom: Custom) -> Mapping[str, Effect]:
    """The effects of a project's own names: `my_pkg.Lion` as it is, `Lion` as `*.Lion`."""
    tables = (
        (custom.optimizers, Effect(Action.MAKE, Makes(Role.OPTIMIZER))),
        (custom.clip_functions, _CLIP),
        (custom.backward_functions, _BACKWARD),
        (custom.scaler_callables, Effect(Action.MAKE, Makes(Role.SCALER_CALLABLE))),
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

TOLD_WRAPPERS = frozenset({"ddp", "fsdp"})
"""The wrappers among these."""

_MADE = ("optimizer", "scheduler", "loader", "accelerator", "fabric")
_SHUFFLE = 3
"""The place of `shuffle` among the arguments of torch's `DistributedSampler`."""

TOLD_EFFECTS: Mapping[str, Effect] = {
    **{role: Effect(Action.MAKE, Makes(TOLD_ROLES[role])) for role in _MADE},
    "sampler": Effect(Action.MAKE, Makes(Role.SAMPLER, shuffle=_SHUFFLE)),
    **{role: Effect(Action.TOLD_WRAP, Wraps(role)) for role in TOLD_WRAPPERS},
    "wrapper": Effect(Action.TOLD_WRAP, Wraps()),
    "backward": _BACKWARD,
    "step": Effect(Action.TOLD_STEP),
    "update": Effect(Action.TOLD_UPDATE),
    "clear": Effect(Action.TOLD_CLEAR),
    "clip": _CLIP,
    "harmless": Effect(Action.PLAIN),
}
"""What a call of something does that was told to have one of `custom.ROLES`."""
