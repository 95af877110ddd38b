"""Libraries that scale the loss in their backward bring a clip of their own, which unscales first."""

from __future__ import annotations

from gradlint.model.books import Clip
from gradlint.model.edits import Repair, Replace

CLIPS = {"accelerate": "clip_grad_norm_", "fabric": "clip_gradients"}
"""What each library calls it."""


def scaled_by_library(clip: Clip) -> bool:
    """Whether what a clip finds was scaled inside a library's backward."""
    return all(item.detail.inside for item in clip.scaled)


def in_apex(clip: Clip) -> bool:
    """Whether a clip stands inside `with amp.scale_loss(...)`, the end of which unscales."""
    return clip.detail.enclosed and all(item.detail.enclosed for item in clip.scaled)


def instead(clip: Clip) -> str:
    """What to do in the place of a clip that finds scaled gradients."""
    own = CLIPS.get(clip.scaled[0].detail.framework, "")
    if scaled_by_library(clip) and own:
        return f"`{_owner(clip)}.{own}`, which unscales first, is meant for this"
    return "call `unscale_` before clipping"


def its_own(clip: Clip) -> tuple[Repair, ...]:
    """Accelerate's clip in the place of torch's, where each step takes one micro-batch or a guard asks for the last."""
    first = clip.scaled[0]
    callee, _, given = clip.event.text.partition("(")
    torchs = callee.split(".")[-1] == "clip_grad_norm_" and "foreach" not in given and "nonfinite" not in given
    guarded = any("sync_gradients" in guard.text for guard in clip.event.guards)
    if first.detail.framework != "accelerate" or not torchs or first.event.function != clip.event.function:
        return ()
    if len(clip.scaled) > 1 and not guarded:
        return ()
    code = f"{_owner(clip)}.clip_grad_norm_({given}"
    return (Repair(f"Let `{_owner(clip)}` unscale and clip", (Replace(clip.event.span, code),)),)


def _owner(clip: Clip) -> str:
    return clip.scaled[0].event.text.split(".backward(")[0]
