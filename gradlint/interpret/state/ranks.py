"""Ranks: models that run on many, and whether their backward passes all-reduce."""

from __future__ import annotations

from dataclasses import field

from gradlint.interpret.state.contexts import Contexts
from gradlint.interpret.values import Tracked
from gradlint.model.finding import Span
from gradlint.model.record import dataclass


@dataclass(slots=True)
class Ranks:
    """The wrappers of models by the models' roots, and which of these do not synchronise, surely or perhaps.

    `hearsay` are those whose wrapper is known by its name alone, `inside` the networks that torch's DDP was put around,
    `past` the forwards that called one of these, or a part of one, and not its wrapper; `alone` are those of whose DDP
    a method is asked that it has not, which raises: the loop is meant for one process. `launched` are the functions
    that were run as processes of their own.
    Of Accelerate: the object itself, how often its `accumulate` was entered, whether its backward is `syncing` there,
    and whether things were `prepared` under hand-made sizes.
    """

    wrappers: dict[str, str] = field(default_factory=dict)
    off: set[str] = field(default_factory=set)
    unsure: set[str] = field(default_factory=set)
    hearsay: set[str] = field(default_factory=set)
    inside: dict[str, Tracked] = field(default_factory=dict)
    past: set[int] = field(default_factory=set)
    alone: set[str] = field(default_factory=set)
    launched: set[Span] = field(default_factory=set)
    accelerator: Tracked | None = None
    accumulated: int = 0
    syncing: bool = True
    prepared: bool = False

    def switch(self, root: str, on: bool | None) -> None:
        """Whether backward passes of a model all-reduce from now on; nobody knows where `on` is none."""
        for which, marked in ((self.off, on is False), (self.unsure, on is None)):
            which.discard(root)
            if marked:
                which.add(root)

    def no_sync(self, root: str, contexts: Contexts) -> bool:
        """True when gradient synchronisation is off for the model."""
        if root in self.off:
            return True
        if self.accumulated and not self.syncing and contexts.active("accumulate") is not None:
            return True
        return contexts.silent(root)

    def holds(self, root: str, network: Tracked) -> bool:
        """Whether a network is a part of one that DDP was put around, and has no wrapper of its own on the way."""
        return any(
            root.startswith(f"{name}[") or _is_part(whole, root.removeprefix(f"{name}."), network)
            for name, whole in self.inside.items()
        )

    def wrapped_part(self, root: str, network: Tracked) -> str:
        """The part of a network that DDP was put around, where it was put around a part and not around all of it."""
        for held in network.attrs.values():
            if isinstance(held, Tracked) and held.distributed == "ddp":
                return held.root
        for part, wrapper in self.wrappers.items():
            if wrapper == "ddp" and part.startswith(f"{root}."):
                return part
        return ""


def _is_part(whole: Tracked, path: str, network: Tracked) -> bool:
    """Whether `whole.encoder.stem` is that network, by the names of its `path`."""
    part = whole
    for name in path.split("."):
        held = part.attrs.get(name)
        if not isinstance(held, Tracked) or held.distributed:
            return False
        part = held.innermost
    return part is network
