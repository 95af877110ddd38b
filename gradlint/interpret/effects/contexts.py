"""Contexts that a `with` enters."""

from __future__ import annotations

from gradlint.interpret.atoms import truth
from gradlint.interpret.blocks import enter
from gradlint.interpret.effects.use import Actions, Use
from gradlint.interpret.values import Context, Value
from gradlint.model.effects import Action, Switch


def _null(use: Use) -> Value:
    return Context("null", target=use.tracked, value=use.tracked)


def _set_grad(use: Use) -> Value:
    return Context("set_grad", active=_is_on(use))


def _switch_grad(use: Use) -> Value:
    return Context("set_grad", active=_is_on(use), lasting=True)


def _no_grad(use: Use) -> Value:
    return Context("no_grad", active=_is_on(use))


def _is_on(use: Use) -> bool:
    return truth(use.arg(use.options(Switch).mode, "mode", True)) is not False


def _enter(use: Use) -> Value:
    return enter(use.machine, use.arg(0))


CONTEXTS: Actions = {
    Action.SET_GRAD: _set_grad,
    Action.SWITCH_GRAD: _switch_grad,
    Action.NO_GRAD: _no_grad,
    Action.NULL_CONTEXT: _null,
    Action.LIBRARY_CONTEXT: lambda use: Context("framework", target=use.tracked, value=use.tracked),
    Action.EXIT_STACK: lambda use: Context("stack"),
    Action.ENTER: _enter,
}
"""What carries these actions out."""
