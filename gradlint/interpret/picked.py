"""What is one of several, or some of them, and nobody knows which.

random.choice(layers)            layers[step % len(layers)]            is one of several
rng.sample(layers, 2)[*]         layers[:2][*]                         are some of them
filter(free, layers)[*]          (layers - resting)[*]                 are some of them
layers[*]                        nets["actor"]                         are all of them, one that has a name
"""

from __future__ import annotations

from gradlint.interpret.machine import Machine
from gradlint.interpret.state.course import Course
from gradlint.interpret.state.scenario import Scenario
from gradlint.interpret.values import Unknown, Value
from gradlint.libraries.conventions.calls import PICKS
from gradlint.model.finding import Span
from gradlint.model.pattern import pattern


def picked(course: Course, scenario: Scenario, key: str) -> bool:
    """Whether what has this key was picked from several, by itself or by a guard in the loop that goes over them."""
    if not _EACH.search(key):
        return is_picked(key)
    head = course.heads[-1] if course.heads else None
    asked = head is not None and any(_stands_in(guard.span, head) for guard in scenario.guards)
    return asked or is_picked(_EACH.sub("", key))


def note_run(machine: Machine, picked_one: Unknown, inputs: list[Value]) -> None:
    """Note what was picked from several and takes a batch: what is drawn in each iteration is another one each time."""
    key, varying = picked_one.key, picked_one.varying
    fed = any(isinstance(value, Unknown) and value.varying and not value.called for value in inputs)
    if fed and is_picked(key) and not (varying and key.endswith(")")):
        machine.objects.networks.ran[key] = machine.course.stamp if varying else ()


def ran(machine: Machine, key: str) -> bool:
    """Whether what has this key has gone forward itself, in this iteration where it is another one in each."""
    stamp = machine.objects.networks.ran.get(key)
    return stamp is not None and machine.course.stamp[: len(stamp)] == stamp


def _stands_in(guard: Span, head: Span) -> bool:
    """Whether a guard stands behind the head of the innermost loop: no guard of that function that has ended does."""
    return guard.module == head.module and (guard.row, guard.column) > (head.row, head.column)


def is_picked(key: str) -> bool:
    """Whether a key says that something was picked from several."""
    opening = _opening(key)
    before, within = key[:opening], key[opening + 1 : -1]
    if key.endswith(")"):
        name = _NAME.search(before)
        return _SETS.search(within) is not None if name is None else PICKS[name.group()] and not _ALL.match(within)
    return key.endswith("]") and bool(before) and within != "*" and not within.endswith(("'", '"'))


def _opening(key: str) -> int:
    """Where the bracket opens that closes at the end."""
    depth = 0
    for place in range(len(key) - 1, -1, -1):
        depth += (key[place] in ")]}") - (key[place] in "([{")
        if not depth:
            return place
    return 0


_SETS = pattern(r" [-&] ")
"""A difference of sets, or what is in both."""

_ALL = pattern(r"None, |lambda (\w+): \1\.requires_grad, ")
"""What a filter is asked for that leaves all that learn."""

_NAME = pattern(r"\w+$")
_EACH = pattern(r"\[\*\](\[\d+\])*$")
"""Each in turn, or a part of that: `net.named_children()[*][1]`."""
