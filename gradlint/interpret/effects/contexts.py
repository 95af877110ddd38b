"""Contexts that a `with` enters."""

from __future__ import annotations

from gradlint.interpret.atoms import truth
from gradlint.interpret.blocks import enter
from gradlint.interpret.effects.amp import AMP_CONTEXTS
from gradlint.interpret.effects.distributed import NO_SYNC
from gradlint.interpret.effects.frameworks import FRAMEWORK_CONTEXTS
from gradlint.interpret.effects.use import Actions, Use, position
from gradlint.interpret.values import (
    Context,
    Value,
)


def _context(use: Use) -> Value:
    kind = str(use.effect.option("kind"))
    maker = _CONTEXTS.get(kind)
    if maker is not None:
        return maker(use)
    return Context(kind, target=use.tracked, value=use.tracked)


def _set_grad(use: Use) -> Value:
    known = truth(use.arg(position(use, "mode"), "mode", True))
    return Context("set_grad", active=known is not False)


def _no_grad(use: Use) -> Value:
    known = truth(use.arg(position(use, "mode"), "mode", True)) if use.effect.option("mode") is not None else True
    return Context("no_grad", active=known is not False)


_CONTEXTS: Actions = {
    "set_grad": _set_grad,
    "no_grad": _no_grad,
    **AMP_CONTEXTS,
    **NO_SYNC,
    **FRAMEWORK_CONTEXTS,
}


def _enter(use: Use) -> Value:
    return enter(use.machine, use.arg(0))


CONTEXTS: Actions = {
    "context": _context,
    "enter": _enter,
}
"""Actions by name."""
