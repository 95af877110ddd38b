"""Calm calls: the same function with the like arguments again, which changed nothing and told nothing before.

    for batch in loader:
        ...
        plot(mel, "target")      run twice; then nobody looks into it again
        window.due(step)         run each time: it counts
        emit(hook, model)        run for each hook

Logging and drawing are half of what many loops do, and nothing hangs on it.
"""

from __future__ import annotations

from typing import TypeAlias

from gradlint.interpret.state.stack import Calm
from gradlint.interpret.values import Routine, Series, Tracked, Unknown, Value
from gradlint.model.effects import Gate
from gradlint.model.factor import UNKNOWN_FACTOR
from gradlint.model.program import Function
from gradlint.model.record import replace

OFTEN = 2
"""So often a call is run that changes nothing; each further one would change as little."""
_CALM = Gate.JUMP | Gate.ROLE | Gate.MAKES
Likeness: TypeAlias = "tuple[Function, tuple[object, ...]]"


def likeness(routine: Routine, args: list[Value], keywords: dict[str, Value]) -> Likeness | None:
    """What calls have in common that do the same; nothing for what works on gradients, or is given a function."""
    function = routine.function
    closes = routine.frame is not None and routine.frame.parent is not None
    if function.gates & ~_CALM or closes or not function.inside.calm:
        return None
    values = (routine.receiver, *args, *keywords.values())
    signs = tuple(map(_sign, values))
    return None if None in signs else (function, (*signs, *keywords))


DEEP = 4
"""Lists in lists, of which a call's arguments are told from others: one may hold itself."""


def _sign(value: Value, deep: int = DEEP) -> object:
    """How a value is told from others; nothing for what may be called, or changed."""
    if value is None or isinstance(value, (bool, str)):
        return type(value), value
    if isinstance(value, (int, float)):
        return float
    if isinstance(value, Unknown):
        return Unknown
    if isinstance(value, Tracked):
        return Tracked, value.key
    if isinstance(value, Series) and deep:
        signs = frozenset(_sign(item, deep - 1) for item in value.items)
        return None if None in signs else (Series, signs)
    return None


def noted(known: Calm | None, result: Value, some: Unknown) -> Calm:
    """One more call that changed nothing.

    Args:
        known: those before.
        result: what it returned.
        some: what anybody can say of that who has not looked into it; if more is known, it is looked into again.
    """
    unweighed = isinstance(result, Unknown) and result.factor == UNKNOWN_FACTOR
    one = Calm(1, result is not None, unweighed)
    if result is not None and not (isinstance(result, Unknown) and result.says_no_more(one.again(some) or some)):
        return replace(one, times=0)
    same = known is not None and known.times > 0 and replace(known, times=1) == one
    return replace(one, times=known.times + 1) if known is not None and same else one
