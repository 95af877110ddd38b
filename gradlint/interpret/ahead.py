"""What a loop draws ahead for the loops in it: the batches of one turn, each of which these train on.

for step in range(steps):
    images = [next(batches) for _ in range(most)]
    for k in range(critic_steps): ...  images[k]
    for k in range(model_steps): ...   images[k]
"""

from __future__ import annotations

from functools import lru_cache

from gradlint.interpret.limits import KEPT, name_of, nodes, parts_of_function
from gradlint.model.effects import Gate
from gradlint.model.finding import Span
from gradlint.model.program.expressions import Call, Read
from gradlint.model.program.statements import Assign, For, LoopKind, While
from gradlint.model.program.whole import Function

_LOOPS = Gate.LOOP_BACKWARD | Gate.LOOP_STEP


@lru_cache(maxsize=KEPT)
def is_drawn_ahead(function: Function, head: Span, call: Span) -> bool:
    """Whether the loops in one train on what a call draws, and on nothing that they go through or draw themselves."""
    loops = [node for node in parts_of_function(function) if isinstance(node, (For, While))]
    outer = next((loop for loop in loops if loop.span == head), None)
    if outer is None:
        return False
    inner = [node for node in nodes(outer.body) if isinstance(node, (For, While)) and node.kind is LoopKind.BATCH]
    calls = [node for node in nodes(outer.body) if isinstance(node, Call)]
    if not all(map(_counts, inner)) or any(one.gates & _LOOPS for one in calls):
        return False
    names = {name_of(node.target) for node in outer.body if isinstance(node, Assign) and _holds(node, call)} - {""}
    read = [{one.name for one in nodes(loop.body) if isinstance(one, Read)} for loop in inner]
    return any(not names.isdisjoint(one) for one in read) and not any("next" in one for one in read)


def _counts(loop: For | While) -> bool:
    """`for k in range(steps)`."""
    return isinstance(loop, For) and name_of(getattr(loop.iterable, "func", None)) == "range"


def _holds(node: Assign, call: Span) -> bool:
    """Whether a variable is set to what a call has a part in."""
    return any(isinstance(one, Call) and one.span == call for one in nodes(node.value))
