"""Why a loop was not judged, and the line that would cure it. Looked for only where something was not judged."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gradlint.finding import Cure, Unjudged
from gradlint.program import Attr, Call, Function, LoopKind, Program, Read, Role
from gradlint.sight.calls import calls, functions, given, hint_of, name_of, owner_of
from gradlint.trail import Backward, Event, Step
from gradlint.vocabulary import LOSS_NAME, WINDOW_NAME
from gradlint.words import Words

if TYPE_CHECKING:
    from gradlint.sight.seen import Seen

_LONGEST = 60


@dataclass(slots=True)
class Why:
    """A reason, the roles that somebody would have to tell, and the line that tells them.

    A function among these that is in the same file is part of the loop.
    """

    kind: str
    text: str
    roles: tuple[tuple[str, str], ...] = ()
    cure: Cure | None = None

    @property
    def calls(self) -> list[str]:
        """The last names of these functions."""
        return [name.rpartition(".")[2] for name, role in self.roles if role in ("step", "update", "backward")]


def unjudged(seen: Seen, why: Why, path: str) -> Unjudged:
    """A loop of which not all was judged, as it is reported."""
    event = _first(seen)
    return Unjudged(path, event.span, seen.entry.name, seen.judged, why.kind, why.text, why.cure)


def hidden(path: str, function: Function, call: Call, *, covered: bool) -> Unjudged:
    """A function with a backward that the dry run never came to."""
    why = (
        "stands behind a condition that no run meets" if covered else f"`{function.name}` is called by nobody in sight"
    )
    text = f"`{_short(call.text)}` was never reached: {why}"
    return Unjudged(path, call.span, function.qualname, False, "never-reached", text)


def of(seen: Seen, program: Program) -> Why:
    """Why not all of a loop was judged: the first reason that would have to be dealt with."""
    if not seen.judged:
        return _not(seen, program)
    if seen.foreign:
        return _foreign(seen, seen.foreign[0])
    if seen.truncated:
        return _truncated(seen, program)
    if seen.held:
        event = next(iter(seen.held.values()))
        name = _callee(event.text)
        own = event.subject.startswith(name.rpartition(".")[0] or " ")  # a method of the optimizer itself
        role = "update" if _UPDATES.search(name.rpartition(".")[2]) and not own else "harmless"
        return _with_roles("unknown-call", f"`{_short(event.text)}` cannot be followed", [(_without_self(name), role)])
    if seen.lost:
        return Why("no-optimizer", f"the gradients of `{_short(seen.lost[0].text)}` reach no optimizer in sight")
    return _unsure(seen, program)


def _not(seen: Seen, program: Program) -> Why:
    first = _first(seen)
    if seen.foreign:
        return _foreign(seen, seen.foreign[0])
    if seen.truncated:
        return _truncated(seen, program)
    inside = [function for function in functions(program) if _runs(seen, function)]
    if not seen.steps:
        return _without_step(seen, first, inside)
    if not seen.backwards:
        return _without_backward(first, inside)
    text = f"the loss of `{_short(first.text)}` comes from a model whose parameters `{_subject(seen)}` does not have"
    return Why("other-parameters", text)


def _subject(seen: Seen) -> str:
    from gradlint.rule import called

    return called(next(iter(seen.steps.values())).subject)


def _runs(seen: Seen, function: Function) -> bool:
    return function.span in seen.covered or function is seen.entry.function


# ---------------------------------------------------------------------- gradients nobody spends


def beside(methods: Iterable[Function], otherwise: Why) -> Why:
    """Why nothing steps after a method's backwards: what other methods of its class step is not known."""
    roles = list(dict.fromkeys(_optimizers(call for method in methods for call in calls(method))))
    return _roles_for_step(roles) if roles else otherwise


def _without_step(seen: Seen, first: Event, inside: list[Function]) -> Why:
    every = [call for function in inside for call in calls(function)]
    roles = list(dict.fromkeys(_optimizers(every))) or list(dict.fromkeys(_steppers(every, seen)))
    if roles:
        return _roles_for_step(roles)
    name = _foreign_backward(seen)
    updates = [name] if name else list(dict.fromkeys(_updates(every, inside)))
    if updates:
        said = f"`{updates[0]}` is not in sight, and nothing else steps an optimizer"
        return _with_roles("unknown-call", said, [(name, "update") for name in updates])
    return Why("no-step", f"nothing in sight steps an optimizer after `{_short(first.text)}`")


def _roles_for_step(roles: list[tuple[str, str]]) -> Why:
    names = ", ".join(f"`{name}`" for name, _ in roles)
    if all(role == "optimizer" for _, role in roles):
        return _with_roles("unknown-optimizer", f"nobody in sight makes {names}", roles)
    return _with_roles("unknown-call", f"{names} is given the optimizer, and cannot be followed", roles)


_NO_OPTIMIZER = frozenset(
    {Role.SCHEDULER, Role.EMA, Role.CRITERION, Role.LOADER, Role.SAMPLER, Role.FABRIC, Role.ACCELERATOR, Role.MODEL}
)
_NOT_STEPPED = Words(
    r"(?i)env|sched|prof|bar$|progress|tqdm|timer|warm|epoch|sim(ulat|$)|world|game|robot|logger|meter|ema$|wandb"
)
"""What else has a method `step`."""


def _optimizers(every: Iterable[Call]) -> Iterator[tuple[str, str]]:
    """`opt` of `opt.step()` and of `scaler.step(opt)`, where nobody knows what it is."""
    for call in every:
        if not isinstance(call.func, Attr) or call.func.name != "step" or call.effect is not None:
            continue
        owner = hint_of(call.func.base)
        handed = call.args[0] if owner is Role.SCALER and call.args else None
        target = handed if handed is not None else call.func.base
        name = name_of(target)
        if not name or name in ("self", "cls", "super") or getattr(call.func.base, "qualified", None):
            continue
        if handed is None and (owner in _NO_OPTIMIZER or call.args or call.keywords or _NOT_STEPPED.search(name)):
            continue
        yield name, "optimizer"


_HARMLESS = Words(
    r"(?i)save|load|state|log|print|(^|_)lr(_|$)|learning_rate|sched|resume|checkpoint|ckpt|^get|^set_|write|record|plot|eval|valid|"
    r"zero_grad|build|make|create|init|adjust|group|count|prepare|setup|wrap|append|add_"
)


def _steppers(every: Iterable[Call], seen: Seen) -> Iterator[tuple[str, str]]:
    """`optimize` of `optimize(optimizer)`: a call that is given the optimizer, and may let it step."""
    for call in every:
        name = name_of(call.func)
        last = name.rpartition(".")[2]
        handed = call.span in seen.held or any(hint_of(value) is Role.OPTIMIZER for value in given(call))
        unknown = call.effect is None and name and not last[:1].isupper() and not _HARMLESS.search(last)
        if unknown and handed and hint_of(owner_of(call)) is None:
            yield _without_self(name), "step"


def _foreign_backward(seen: Seen) -> str:
    """`self.backward` of `self.backward(loss)`, a method that is not in sight and may do all the rest."""
    for event in seen.backwards.values():
        name = _callee(event.text)
        framework = event.detail.framework if isinstance(event.detail, Backward) else ""
        if framework and name.startswith("self.") and name.count(".") == 1:
            return name
    return ""


_UPDATES = Words(r"(?i)(^|_)(update|step|optimi[sz]e|train|learn|minimi[sz]e|backward|backprop|fit)(_|$)")


def _updates(every: Iterable[Call], inside: Iterable[Function]) -> Iterator[str]:
    """`self.update` of `self.update(loss)`: a call that is given the loss, and may make the whole update."""
    own = {function.name for function in inside}
    for call in every:
        name = name_of(call.func)
        last = name.rpartition(".")[2]
        losses = [value for value in given(call) if LOSS_NAME.search(name_of(value).rpartition(".")[2])]
        unknown = call.effect is None and name and last not in {*own, "backward"} and hint_of(owner_of(call)) is None
        if unknown and losses and _UPDATES.search(last):
            yield _without_self(name)


# ------------------------------------------------------------------------- gradients from nowhere


_BACKWARDS = Words(r"(?i)back_?ward|back_?prop|(^|_)bp$|compute_grad|calc_grad|get_grad|minimi[sz]e|accumulate_grad")


def _without_backward(first: Event, inside: list[Function]) -> Why:
    own = {function.name for function in inside}
    for function in inside:
        for call in calls(function):
            name = name_of(call.func)
            last = name.rpartition(".")[2]
            if call.effect is None and name and last not in own and _BACKWARDS.search(last):
                said = f"`{_short(call.text)}` cannot be followed, and nothing else runs backward"
                return _with_roles("unknown-call", said, [(_without_self(name), "backward")])
    return Why("no-backward", f"nothing in sight runs backward before `{_short(first.text)}`")


# ------------------------------------------------------------------------------ books elsewhere


def _foreign(seen: Seen, event: Event) -> Why:
    detail = event.detail
    name = _callee(event.text)
    if isinstance(detail, Step) and detail.via == "wrapper" and detail.framework != "mmengine":
        said = f"`{_short(event.text)}` makes a whole update out of sight"
        return _with_roles("unknown-call", said, [(_without_self(name), "update")])
    if isinstance(detail, Step) and detail.framework == "mmengine":
        return Why("framework", f"mmengine keeps the books of `{_short(event.text)}`")
    if seen.framework == "engine":
        return Why("framework", f"an engine such as DeepSpeed's keeps the books of `{_short(event.text)}`")
    owner = name.rpartition(".")[0]
    said = f"`{owner}` looks like an engine that keeps its own books"
    return _with_roles("unknown-optimizer", said, [(owner, "optimizer")] if owner else [])


# -------------------------------------------------------------------------- runs that were cut


def _truncated(seen: Seen, program: Program) -> Why:
    said = "the loop is too long to run to its end"
    for function in functions(program):
        if _runs(seen, function):
            for name, row in _counts(function.body):
                cure = Cure(f"# gradlint: assume {name}=2", "that fewer turns will do", row)
                return Why("too-long", said, cure=cure)
    return Why("too-long", said)


_RANGE = re.compile(r"range\((?:\w+, ?)?(?P<name>[^\W\d][\w.]*)\)")


def _counts(body: Iterable[object]) -> Iterator[tuple[str, int]]:
    """The names that the loops around work count to, inner loops first."""
    for node in body:
        for part in ("body", "then", "other", "final"):
            inner = getattr(node, part, ())
            yield from _counts(inner if isinstance(inner, tuple) else ())
        kind = getattr(node, "kind", None)
        counts = _RANGE.fullmatch(getattr(getattr(node, "iterable", None), "text", ""))
        if counts and kind in (LoopKind.MICRO, LoopKind.OTHER):
            yield counts["name"], node.span.row  # type: ignore[attr-defined]  # a loop


# ------------------------------------------------------------------------------ unknown windows


def _unsure(seen: Seen, program: Program) -> Why:
    place, text = next(iter(seen.unsure.items()))
    window = _window(seen, program)
    cure = Cure(f"# gradlint: assume window={window}", f"that it is true once in {window} micro-batches", place.row)
    return Why("unknown-window", f"nobody in sight can say when `{_short(text)}` is true", cure=cure)


def _window(seen: Seen, program: Program) -> str:
    """A name in the loop that is called like a window, else the usual number."""
    for function in functions(program):
        if _runs(seen, function):
            for call in calls(function):
                names = (name_of(value) for value in (call.func, *given(call)) if isinstance(value, (Read, Attr)))
                found = next((name for name in names if WINDOW_NAME.search(name.rpartition(".")[2])), "")
                if found and found.isidentifier() is not None and name_of(call.func) != found:
                    return found
    return "4"


# -------------------------------------------------------------------------------------- helpers


def _with_roles(kind: str, text: str, roles: list[tuple[str, str]]) -> Why:
    """A reason that a line of configuration would cure."""
    pairs = ", ".join(f'{_key(name)} = "{role}"' for name, role in roles)
    says = dict.fromkeys(_SAYS[role] for _, role in roles)
    return Why(kind, text, tuple(roles), Cure(f"roles = {{{pairs}}}", " and ".join(says)) if roles else None)


_SAYS = {
    "optimizer": "that it is one",
    "step": "that it lets the optimizer step",
    "update": "that it makes whole updates",
    "backward": "that it runs backward",
    "harmless": "that it leaves gradients alone",
}


def _key(name: str) -> str:
    return f'"{name}"' if "." in name else name


def _first(seen: Seen) -> Event:
    """The event that shows that it is a loop: its first backward, else its first step."""
    return next(iter((*seen.backwards.values(), *seen.steps.values())))


def _callee(text: str) -> str:
    """`self.opt.step` of `self.opt.step(loss)`, if it is a plain name."""
    name = text.partition("(")[0].strip()
    return name if all(part.isidentifier() for part in name.split(".")) else ""


def _without_self(name: str) -> str:
    """The name of a call as it counts for every owner; a method keeps its `self`."""
    rest = name.removeprefix("self.")
    return rest if "." in rest else name


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"
