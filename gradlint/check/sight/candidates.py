"""Candidates: calls of a loop that could be what was not seen, by how they are spelled and what they are given.

They are questions to somebody who knows the code. Nothing is judged by them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from gradlint.check.sight.calls import given, hint_of, name_of, owner_of
from gradlint.libraries.conventions.calls import (
    ASKED_HARMLESS,
    BACKWARDS,
    CLEARS,
    HOOK_NAME,
    NOT_STEPPED,
    STEPS,
    UPDATES,
)
from gradlint.libraries.conventions.numbers import LOSS_NAME, NO_WINDOW, WINDOW_NAME
from gradlint.model.program import Attr, Call, Function, Read, assignments
from gradlint.model.roles import Role

if TYPE_CHECKING:
    from gradlint.model.program import Expr

Told: TypeAlias = "tuple[str, str]"
"""A name, and the role that somebody would have to tell."""

_NO_OPTIMIZER = frozenset(
    {Role.SCHEDULER, Role.EMA, Role.CRITERION, Role.LOADER, Role.SAMPLER, Role.FABRIC, Role.ACCELERATOR, Role.MODEL}
)


def optimizers(calls: Iterable[Call], known: frozenset[str] = frozenset()) -> Iterator[tuple[str, Call]]:
    """`opt` of `opt.step()` and of `scaler.step(opt)`, with the call; of what is `known` to be one, or else not."""
    for call in calls:
        if not isinstance(call.func, Attr) or call.func.name != "step" or call.effect is not None:
            continue
        owner = hint_of(call.func.base)
        handed = call.args[0] if owner is Role.SCALER and call.args else None
        name = name_of(call.func.base if handed is None else handed)
        if not name or name in ("self", "cls", "super") or getattr(call.func.base, "qualified", None):
            continue
        plain = handed is not None or not (owner in _NO_OPTIMIZER or call.args or call.keywords)
        if plain and not NOT_STEPPED.search(name) and (not known or any(_same(name, key) for key in known)):
            yield name, call


def _same(name: str, key: str) -> bool:
    """Whether a name of the source and a key of the dry run end alike: `self.optimizer`, `optimizer`."""
    return name.rpartition(".")[2] == key.partition("#")[0].rpartition(".")[2]


def steppers(calls: Iterable[Call], own: frozenset[str]) -> Iterator[Told]:
    """`optimize` of `optimize(optimizer)`: a call that is given the optimizer, and may let it step."""
    for name, call in _unknown(calls, own):
        last = name.rpartition(".")[2]
        handed = any(hint_of(value) is Role.OPTIMIZER for value in given(call))
        if handed and not last[:1].isupper() and not ASKED_HARMLESS.search(last) and not CLEARS.search(last):
            yield without_self(name), "step"


def updates(calls: Iterable[Call], own: frozenset[str]) -> Iterator[Told]:
    """`self.update` of `self.update(loss)`: a call that is given the loss, and may make the whole update."""
    for name, call in _unknown(calls, own):
        last = name.rpartition(".")[2]
        method = last != "backward" or name == "self.backward"
        if method and UPDATES.search(last) and not ASKED_HARMLESS.search(last) and any(map(_is_loss, given(call))):
            yield without_self(name), "update"


def named_steps(calls: Iterable[Call], own: frozenset[str]) -> Iterator[Told]:
    """`self.optimizer_step` of `self.optimizer_step()`: a call that is named like a step."""
    for name, _ in _unknown(calls, own):
        if STEPS.search(name.rpartition(".")[2]):
            yield without_self(name), "step"


def backwards(calls: Iterable[Call], own: frozenset[str]) -> Iterator[Told]:
    """`run_backward` of `run_backward(loss)`: a call that is named like a backward."""
    for name, _ in _unknown(calls, own):
        last = name.rpartition(".")[2]
        tensor = last == "backward" and not name.startswith("self.")
        if BACKWARDS.search(last) and not (tensor or last[:1].isupper() or HOOK_NAME.search(last)):
            yield without_self(name), "backward"


def joints(function: Function, models: frozenset[str], params: frozenset[str]) -> Iterator[Told]:
    """`wrap` of `task = wrap(net)`, where the loss comes from `task` and the optimizer has the parameters of `net`."""
    for node in assignments(function.body):
        target, value = name_of(node.target), node.value
        name = name_of(value.func) if isinstance(value, Call) and value.effect is None else ""
        if not name or not isinstance(value, Call) or _of_torch(value):
            continue
        for made, given_to in ((models, params), (params, models)):
            of_these = any(_same(target, root) for root in made) if target else False
            if of_these and any(_part_of(part, given_to) for part in given(value)):
                yield without_self(name), "wrapper"


def _of_torch(call: Call) -> bool:
    """Whether it is torch's own: what `nn.Sequential` is, nobody has to tell."""
    name = (call.func.qualified if isinstance(call.func, (Attr, Read)) else None) or name_of(call.func)
    return name.split(".")[0] in ("torch", "nn")


def _part_of(value: Expr, roots: frozenset[str]) -> bool:
    """Whether a value is one of some networks, or something in one."""
    return any(_same(ending, root) for ending in _owners(name_of(value)) for root in roots)


def _owners(name: str) -> list[str]:
    """`a.b.c`, `a.b` and `a`, without `self`."""
    parts = name.split(".")
    return [".".join(parts[:number]) for number in range(len(parts), 0, -1) if parts[:number] != ["self"]]


def counts(name: str) -> bool:
    """Whether a name says how many micro-batches make an update; a flag does not."""
    last = name.rpartition(".")[2]
    return bool(WINDOW_NAME.search(last)) and not NO_WINDOW.search(last)


def of_held(name: str, *, own: bool) -> Told:
    """What a call may do that was given an optimizer in the middle of an update; `own` for that one's own method."""
    last = name.rpartition(".")[2]
    if CLEARS.search(last):
        return without_self(name), "clear"
    return without_self(name), "update" if UPDATES.search(last) and not own else "harmless"


def each(
    find: Callable[[Iterable[Call], frozenset[str]], Iterator[Told]], calls: Sequence[Call], inside: Iterable[Function]
) -> list[Told]:
    """What one of these finds among the calls of some functions, once each."""
    return list(dict.fromkeys(find(calls, frozenset(function.name for function in inside))))


def _unknown(calls: Iterable[Call], own: frozenset[str]) -> Iterator[tuple[str, Call]]:
    """The calls of what is neither in a library nor among the loop's own functions, with their names."""
    for call in calls:
        name = name_of(call.func)
        if call.effect is None and name and name.rpartition(".")[2] not in own and hint_of(owner_of(call)) is None:
            yield name, call


def _is_loss(value: Expr) -> bool:
    return bool(LOSS_NAME.search(name_of(value).rpartition(".")[2]))


def without_self(name: str) -> str:
    """The name of a call as it counts for every owner; a method keeps its `self`."""
    rest = name.removeprefix("self.")
    return rest if "." in rest else name
