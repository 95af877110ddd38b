"""Why a loop was not judged, and the line that would cure it. Looked for only where something was not judged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from gradlint.account.names import called
from gradlint.check.sight import candidates
from gradlint.check.sight.calls import backwards, calls, functions, given, hint_of, name_of, owner_of
from gradlint.model.events import Backward, Event, Step
from gradlint.model.finding import Cure, Unjudged
from gradlint.model.pattern import pattern
from gradlint.model.program import SUITES, Attr, Call, For, Function, If, Program, Read
from gradlint.model.record import dataclass

if TYPE_CHECKING:
    from gradlint.check.sight.candidates import Told
    from gradlint.check.sight.seen import Seen
    from gradlint.model.program import Stmt

_LONGEST = 60
_SHORT_NAME = 2
_SAYS = {
    "optimizer": "that it is one",
    "step": "that it lets the optimizer step",
    "update": "that it makes whole updates",
    "backward": "that it runs backward",
    "clear": "that it clears gradients",
    "harmless": "that it leaves gradients alone",
    "wrapper": "that it returns the network that it is given, wrapped or in part",
}


@dataclass(slots=True)
class Why:
    """A reason, the roles that somebody would have to tell, and the line that tells them."""

    kind: str
    text: str
    roles: tuple[Told, ...] = ()
    cure: Cure | None = None

    @property
    def calls(self) -> list[str]:
        """The last names of the functions among these: one in the same file is part of the loop."""
        return [name.rpartition(".")[2] for name, role in self.roles if role in ("step", "update", "backward")]


def unjudged(seen: Seen, why: Why, program: Program) -> Unjudged:
    """A loop of which not all was judged, as it is reported in a file: at what it has of it."""
    number = program.main.number
    places = (*seen.backwards, *seen.steps, seen.entry.function.span)
    place = next(one for one in places if one.module == number)
    cure = why.cure
    if cure is not None and cure.row is not None and place is not places[0]:
        cure = None  # it would stand in the file of the backward
    partly = seen.judged or why.kind == "framework"  # books elsewhere: rules that need none have judged it
    return Unjudged(program.path, place, seen.entry.name, partly, why.kind, why.text, cure)


def of(seen: Seen, program: Program) -> Why:
    """Why not all of a loop was judged: the first reason that would have to be dealt with."""
    inside = [function for function in functions(program) if _runs(seen, function)]
    if seen.foreign:
        return _foreign(seen, seen.foreign[0])
    if seen.truncated:
        return _truncated(inside)
    if not seen.judged and not (seen.steps and seen.backwards):
        return _without_backward(seen, inside) if seen.steps else _without_step(seen, inside)
    if seen.held:
        event = next(iter(seen.held.values()))
        name = _callee(event.text)
        own = candidates.of_held(name, own=event.subject.startswith(name.rpartition(".")[0] or " "))
        return _with_roles("unknown-call", f"`{_short(event.text)}` cannot be followed", [own] if name else [])
    if seen.strange:
        return _other_parameters(*next(iter(seen.strange.values())), program)
    if seen.lost:
        return Why("no-optimizer", f"the gradients of `{_short(seen.lost[0].text)}` reach no optimizer in sight")
    if not seen.unsure:
        return _other_parameters(_first(seen), next(iter(seen.steps.values())), program)
    place, text = next(iter(seen.unsure.items()))
    return Why(
        "unknown-window",
        f"nobody in sight can say when `{_short(text)}` is true",
        cure=_ends(place.row, text, inside),
    )


def hidden(path: str, function: Function, call: Call, *, covered: bool, cut: bool) -> Unjudged:
    """A function with a backward that nobody has seen to run; `cut` where a run of it was cut short."""
    if cut:
        why = _truncated([function])
    elif name_of(owner_of(call)) == "self":
        every = list(calls(function))
        own = (function,)
        roles = [(f"self.{call.func.name}", "backward")] if isinstance(call.func, Attr) else []
        roles += candidates.each(candidates.named_steps, every, own)
        why = _with_roles("unknown-call", f"`{_short(call.text)}` is not in sight", roles)
    else:
        what = "stands behind a condition that no run meets" if covered else f"nobody in sight calls `{function.name}`"
        why = Why("never-reached", f"`{_short(call.text)}` was never reached: it {what}" if covered else what)
    return Unjudged(path, call.span, function.qualname, False, why.kind, why.text, why.cure)


def elsewhere(path: str, function: Function, call: Call, library: str) -> Unjudged:
    """A loop in a file that trains with a library other than torch."""
    why = f"the file of `{_short(call.text)}` trains with `{library}`, and not with torch"
    return Unjudged(path, call.span, function.qualname, False, "other-library", why, None)


def beside(methods: Iterable[Function], otherwise: Why) -> Why:
    """Why nothing steps after a method's backwards: what other methods of its class step is not known."""
    every = [call for method in methods for call in calls(method)]
    roles = [(name, "optimizer") for name in dict.fromkeys(name for name, _ in candidates.optimizers(every))]
    return _unknown_optimizers(roles, every) if roles else otherwise


def _runs(seen: Seen, function: Function) -> bool:
    return function.span in seen.ran.covered or function is seen.entry.function


def _other_parameters(event: Event, step: Event, program: Program) -> Why:
    """A loss of other models than the optimizer was made for, as far as can be seen; or something that joins them."""
    said = f"the loss of `{_short(event.text)}` comes from other models than `{called(step.subject)}` was made for"
    models = event.detail.models if isinstance(event.detail, Backward) else frozenset[str]()
    params = (step.detail.params if isinstance(step.detail, Step) else None) or frozenset[str]()
    found = (one for function in functions(program) for one in candidates.joints(function, models, params))
    first = next(found, None)
    if first is None and program.classes:
        methods = (method for cls in program.classes.values() for method in cls.methods.values())
        first = next((one for method in methods for one in candidates.joints(method, models, params)), None)
    return _with_roles("other-parameters", said, [] if first is None else [first])


# ---------------------------------------------------------------------- gradients nobody spends


def _without_step(seen: Seen, inside: list[Function]) -> Why:
    every = [call for function in inside for call in calls(function)]
    if seen.known:
        for name, call in candidates.optimizers(every, frozenset(seen.known)):
            said = f"`{_short(call.text)}` was never reached"
            guard = _guard_of(inside, call) if name else None
            return Why("never-reached", said, cure=None if guard is None else _ends(guard.span.row, guard.text, inside))
    names = dict.fromkeys(name for name, _ in candidates.optimizers(every))
    if names:
        return _unknown_optimizers([(name, "optimizer") for name in names], every)
    roles = candidates.each(candidates.steppers, every, inside)
    roles += [(name, "step") for name in _stepping(seen) if (name, "step") not in roles]
    if roles:
        listed = ", ".join(f"`{name}`" for name, _ in roles)
        return _with_roles("unknown-call", f"{listed} is given the optimizer, and cannot be followed", roles)
    for find in (candidates.named_steps, candidates.updates):
        roles = candidates.each(find, every, inside)
        if roles:
            said = f"`{roles[0][0]}` is not in sight, and nothing else steps an optimizer"
            return _with_roles("unknown-call", said, roles)
    return Why("no-step", f"nothing in sight steps an optimizer after `{_short(_first(seen).text)}`")


def _stepping(seen: Seen) -> list[str]:
    """`optims.step` of `optims.step("disc")`: methods of an optimizer that step in a way of their own."""
    names = dict.fromkeys(_callee(event.text) for event in seen.handed.values())
    return [candidates.without_self(name) for name in names if name.rpartition(".")[2].startswith("step")]


def _unknown_optimizers(roles: list[Told], every: list[Call]) -> Why:
    """Names that are stepped and that nobody in sight makes; a short one is told in its own file only."""
    listed = ", ".join(f"`{name}`" for name, _ in roles)
    why = _with_roles("unknown-optimizer", f"nobody in sight makes {listed}", roles)
    short = [name for name, _ in roles if len(name) <= _SHORT_NAME]
    if short:
        items = ", ".join(f"{name}={role}" for name, role in roles)
        row = next(call.span.row for name, call in candidates.optimizers(every) if name == short[0])
        why.cure = Cure(f"# gradlint: assume {items}", _SAYS["optimizer"], row)
    return why


# ------------------------------------------------------------------------- gradients from nowhere


def _without_backward(seen: Seen, inside: list[Function]) -> Why:
    first = _first(seen)
    every = [call for function in inside for call in calls(function)]
    for function in inside:
        for call in backwards(function)[:1]:
            return Why("never-reached", f"`{_short(call.text)}` was never reached")
    roles = candidates.each(candidates.backwards, every, inside)
    if roles:
        said = f"`{roles[0][0]}` cannot be followed, and nothing else runs backward"
        return _with_roles("unknown-call", said, roles)
    by_hand = next((call for call in every if isinstance(call.func, Attr) and _is_grad(call.func)), None)
    if by_hand is not None:
        return Why("by-hand", f"`{_short(by_hand.text)}` makes the gradients, and they are put in place by hand")
    return Why("no-backward", f"nothing in sight runs backward before `{_short(first.text)}`")


def _is_grad(func: Attr) -> bool:
    """`autograd.grad`, however it was imported."""
    return func.name == "grad" and (func.qualified or name_of(func)).endswith("autograd.grad")


# ------------------------------------------------------------------------------ books elsewhere


def _foreign(seen: Seen, event: Event) -> Why:
    detail = event.detail
    name = _callee(event.text)
    if isinstance(detail, Step) and detail.framework == "mmengine":
        return Why("framework", f"mmengine keeps the books of `{_short(event.text)}`")
    if isinstance(detail, Step) and detail.via == "wrapper":
        said = f"`{_short(event.text)}` makes a whole update out of sight"
        return _with_roles("unknown-call", said, [(candidates.without_self(name), "update")] if name else [])
    owner = name.rpartition(".")[0]
    if seen.framework == "engine" or not owner or not seen.backwards:
        return Why("framework", f"an engine such as DeepSpeed's keeps the books of `{_short(event.text)}`")
    said = f"`{owner}` looks like an engine that keeps its own books"
    return _with_roles("unknown-optimizer", said, [(owner, "optimizer")])


# -------------------------------------------------------------------------- runs that were cut


def _truncated(inside: list[Function]) -> Why:
    said = "the loop is too long to run to its end"
    for name, row in (found for function in inside for found in _counts(function.body)):
        return Why("too-long", said, cure=Cure(f"# gradlint: assume {name}=2", "that fewer turns will do", row))
    return Why("too-long", said)


_RANGE = pattern(r"range\((?:\w+, ?)?(?P<name>[^\W\d][\w.]*)\)")


def _counts(body: Iterable[object]) -> Iterator[tuple[str, int]]:
    """The names that loops count to, inner loops first."""
    for node in body:
        yield from (found for suite in _suites(node) for found in _counts(suite))
        counts = _RANGE.fullmatch(getattr(node.iterable, "text", "")) if isinstance(node, For) else None
        if counts and isinstance(node, For):
            yield counts["name"], node.span.row


def _suites(node: object) -> list[tuple[Stmt, ...]]:
    return [suite for name in SUITES if isinstance(suite := getattr(node, name, None), tuple)]


# ------------------------------------------------------------------------------ unknown windows


def _ends(row: int, text: str, inside: list[Function]) -> Cure:
    """A comment that says that a window ends where a test is true; of a plain flag that it is always true."""
    names = [name for name in _NAMES.findall(text) if candidates.counts(name)]
    if not names and _NAMES.fullmatch(text):
        return Cure(f"# gradlint: assume {text}=1", "that it is true each time", row)
    window = names[0] if names else _window(inside)
    return Cure(f"# gradlint: assume window={window}", f"that it is true once in {window} micro-batches", row)


_NAMES = pattern(r"[^\W\d][\w.]*")


def _guard_of(inside: list[Function], call: Call) -> If | None:
    """The innermost `if` around a call."""
    guards = [guard for function in inside for guard in _guards(function.body) if _holds(guard, call)]
    return max(guards, key=lambda guard: guard.span, default=None)


def _guards(body: Iterable[object]) -> Iterator[If]:
    """The `if` statements of a suite and of those inside it."""
    for node in body:
        if isinstance(node, If):
            yield node
        for suite in _suites(node):
            yield from _guards(suite)


def _holds(guard: If, call: Call) -> bool:
    """Whether a call stands in the first branch of an `if`."""
    return any(node.span.row <= call.span.row <= node.span.end_row for node in _flat(guard.then))


def _flat(body: Iterable[Stmt]) -> Iterator[Stmt]:
    """The statements of a suite and of those inside it."""
    for node in body:
        yield node
        for suite in _suites(node):
            yield from _flat(suite)


def _window(inside: list[Function]) -> str:
    """A name in the loop that is called like a window, else a usual number."""
    for function in inside:
        for call in calls(function):
            for value in given(call):
                name = name_of(value) if isinstance(value, (Read, Attr)) else ""
                if name and candidates.counts(name) and hint_of(value) is None:
                    return name
    return "4"


# -------------------------------------------------------------------------------------- helpers


def _with_roles(kind: str, text: str, roles: list[Told]) -> Why:
    """A reason that a line of configuration would cure."""
    pairs = ", ".join(f'{_key(name)} = "{role}"' for name, role in roles)
    says = dict.fromkeys(_SAYS[role] for _, role in roles)
    return Why(kind, text, tuple(roles), Cure(f"roles = {{{pairs}}}", " and ".join(says)) if roles else None)


def _key(name: str) -> str:
    return f'"{name}"' if "." in name else name


def _first(seen: Seen) -> Event:
    """The event that shows that it is a loop: its first backward, else its first step."""
    return next(iter((*seen.backwards.values(), *seen.steps.values())))


def _callee(text: str) -> str:
    """`self.opt.step` of `self.opt.step(loss)`, if it is a plain name."""
    name = text.partition("(")[0].strip()
    return name if all(part.isidentifier() for part in name.split(".")) else ""


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"
