"""Exits: how a guard leaves an iteration, a function or the run, as its branches show."""

from __future__ import annotations

from gradlint.model.effects import EVENTS, Action, Gate
from gradlint.model.program.expressions import Call, Const, Expr
from gradlint.model.program.statements import Break, Continue, If, Raise, Return
from gradlint.model.record import record

_HANDED_BACK = Gate.CLIP | Gate.SCALER | Gate.WEIGHT | Gate.MAKES


@record(eq=False)
class Exit:
    """How a guard leaves what stands around it.

    Attributes:
        jumps: Whether it can jump away from what stands behind it.
        leaves: Whether its branch only leaves.
        breaks: Whether its branch ends an iteration, or its loop.
        hands_back: Whether its branch leaves a function with what it has done: `return clip(...)`, or with an autocast.
        answers: Whether its branch leaves a function with something, and the other one so or with nothing.
        tells: Whether its branch leaves a function with `True`: `if seen >= target: return True`.
        refuses: The way it goes to raise an error and nothing else.
    """

    jumps: bool
    leaves: bool
    breaks: bool
    hands_back: bool
    answers: bool
    tells: bool
    refuses: bool | None


def exit_of(node: If) -> Exit:
    """How a guard leaves."""
    then = node.then_gates
    leaves = Gate.JUMP in then and not then & (Gate.BACKWARD | Gate.STEP)
    last = node.then[-1] if node.then else None
    returns = leaves and isinstance(last, Return)
    returned = last.value if isinstance(last, Return) else None
    return Exit(
        jumps=Gate.JUMP in then | node.other_gates,
        leaves=leaves,
        breaks=isinstance(last, (Break, Continue)),
        hands_back=returns and (bool(then & _HANDED_BACK) or _casts(returned)),
        answers=leaves and _answers(node),
        tells=returns and returned == Const(True),
        refuses=_refuses(node),
    )


def _refuses(node: If) -> bool | None:
    """Which branch of a guard does nothing but to end the run."""
    for way, body, gates in ((True, node.then, node.then_gates), (False, node.other, node.other_gates)):
        if body and isinstance(body[-1], Raise) and not gates & EVENTS:
            return way
    return None


def _answers(node: If) -> bool:
    """Whether a guard leaves a function with what it has made, and any other way does so, gives nothing or refuses.

    if kind == "a":
        return make(a)
    elif kind == "b":
        return make(b)
    """
    last = node.then[-1] if node.then else None
    if not isinstance(last, Return) or last.value is None or isinstance(last.value, Const):
        return False
    other = node.other[-1] if node.other else None
    return _answers(other) if isinstance(other, If) else isinstance(other, Raise) or Gate.JUMP not in node.other_gates


def _casts(value: Expr | None) -> bool:
    """Whether an expression makes an autocast context."""
    return isinstance(value, Call) and value.effect is not None and value.effect.action is Action.AUTOCAST
