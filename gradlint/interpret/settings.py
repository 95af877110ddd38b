"""Settings: what a variable holds behind a guard of which nobody knows which way it goes.

fp16 = True                     a flag set twice is both: it is `not` the test, and open like it
if not cuda: fp16 = False
if not args.group: gpus = 1     what was unknown stays what it was, and may be that constant, too
if lonely(ids): ids = [ids]     nobody knows how many there are
cfg.ddp = False                 what is set to something unknown is open
if env: cfg.ddp = many(env)
accum = 8                       neither number is a fact
if args.debug: accum = 1
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TypeAlias

from gradlint.interpret.aftermath import Place, Setting
from gradlint.interpret.atoms import settled
from gradlint.interpret.conditions import joined, moduli, negation, without_not
from gradlint.interpret.dispatch import evaluate
from gradlint.interpret.frame import Frame
from gradlint.interpret.machine import Machine
from gradlint.interpret.traits import is_number, key_of, on_class
from gradlint.interpret.typed import chosen_in, type_name
from gradlint.interpret.values import Constructor, Tracked, Unknown, Value
from gradlint.model.program import If, Read
from gradlint.model.record import dataclass

_Option: TypeAlias = "bool | int | float | Fraction | str | None"


@dataclass(frozen=True, slots=True, eq=False)
class Before:
    """A setting, and what its variable held before the guard; `set` is false where it held nothing yet."""

    setting: Setting
    value: Value
    set: bool = True


def held(machine: Machine, frame: Frame, settings: tuple[Setting, ...]) -> list[Before]:
    """What the variables hold before a guard that sets them."""
    return [_held(machine, frame, setting) for setting in settings]


def merge_settings(machine: Machine, frame: Frame, before: list[Before], node: If, test: Value) -> None:
    """Behind the guard they hold what either way would have left there."""
    for one in before:
        if one.setting.open and one.setting.always and type_name(_held(machine, frame, one.setting).value):
            name = _name(machine, frame, one.setting.target)
            chosen = chosen_in(machine, frame, node, one.setting.target.name) or machine.unknown(name)
            _store(machine, frame, one.setting.target, chosen)
            continue
        for value in _both(machine, frame, one, test):
            _store(machine, frame, one.setting.target, value)


def _held(machine: Machine, frame: Frame, setting: Setting) -> Before:
    target = setting.target
    if isinstance(target, Read):
        found = frame.find(target.name)
        return Before(setting, found.values[target.name] if found else None, found is not None)
    base = evaluate(machine, frame, target.base)
    if isinstance(base, Tracked):
        return Before(setting, base.attrs.get(target.name), target.name in base.attrs)
    key = _key(base, target.name)
    if isinstance(base, Unknown):
        return Before(setting, machine.unknown(key, base.varying))
    return Before(setting, machine.objects.overrides.get(key), key in machine.objects.overrides)


def _key(base: Value, name: str) -> str:
    return on_class(base.cls, name) if isinstance(base, Constructor) else f"{key_of(base)}.{name}"


def _store(machine: Machine, frame: Frame, target: Place, value: Value) -> None:
    if isinstance(target, Read):
        frame.home(target.name).values[target.name] = value
        return
    base = evaluate(machine, frame, target.base)
    if isinstance(base, Tracked):
        base.attrs[target.name] = value
        return
    key = _key(base, target.name)
    if isinstance(value, Unknown) and value.key == key:
        machine.objects.overrides.pop(key, None)
    else:
        machine.objects.overrides[key] = value


def _both(machine: Machine, frame: Frame, before: Before, test: Value) -> Iterator[Value]:
    """The value that is neither, if there has to be one."""
    setting, old = before.setting, before.value
    if setting.open:
        yield from _opened(machine, frame, before, test)
        return
    if _asks_whether_to_count(test, _held(machine, frame, setting).value):
        return
    if isinstance(old, Unknown) and not setting.always and (known := _left(setting, old, test)) is not None:
        yield known
        return
    if isinstance(old, Unknown) and not setting.always:
        if old.varying and setting.values and all(isinstance(option, bool) for option in setting.values):
            yield _moved(machine, frame, setting, old, test)
        elif not old.varying and settled(machine.scenario, test) is None:
            yield old
        return
    options: set[_Option] = set(setting.values)
    if not setting.always:
        if not before.set or not isinstance(old, (bool, int, float, Fraction)):
            return
        options.add(old)
    if all(isinstance(option, bool) for option in options):
        if len(options) > 1:
            yield _flag(machine, frame, setting, test)
    elif not machine.course.looping and _differ(options) and settled(machine.scenario, test) is None:
        yield machine.unknown(_name(machine, frame, setting.target))


def _opened(machine: Machine, frame: Frame, before: Before, test: Value) -> Iterator[Value]:
    """A flag that is set to what nobody knows, behind a guard that nobody knows either."""
    flag = before.set and isinstance(before.value, bool) and not before.setting.always
    if flag and not machine.course.looping and settled(machine.scenario, test) is None:
        key = _name(machine, frame, before.setting.target)
        yield Unknown(key, leaves=frozenset((key,)))


def _left(setting: Setting, old: Unknown, test: Value) -> bool | None:
    """What a flag is behind `if amp: amp = False` and `if not amp: amp = True`, whatever it was."""
    asked, on = without_not(test)
    same = isinstance(asked, Unknown) and asked.key == old.key and setting.plain
    return (not on) if same and setting.values[0] is not on and isinstance(setting.values[0], bool) else None


def _asks_whether_to_count(test: Value, now: Value) -> bool:
    """`if accum > 1: update = i % accum == 0`: what the branch has left there counts by what the guard asks for."""
    if not isinstance(now, Unknown) or now.form is None:
        return False
    counts = [one.by for one in moduli(now) if isinstance(one.by, Unknown) and not one.by.varying]
    return isinstance(test, Unknown) and any(not one.leaves.isdisjoint(test.leaves) for one in counts)


def _flag(machine: Machine, frame: Frame, setting: Setting, test: Value) -> Value:
    if setting.plain:
        return test if setting.values[0] else negation(test)
    return machine.unknown(_name(machine, frame, setting.target), isinstance(test, Unknown) and test.varying)


def _moved(machine: Machine, frame: Frame, one: Setting, old: Unknown, test: Value) -> Value:
    """A flag that was open before, and is set once more: `if bad(norm): skip = True` is `skip or bad(norm)`."""
    if not one.plain:
        return machine.unknown(_name(machine, frame, one.target), varying=True)
    op, part = ("or", test) if one.values[0] else ("and", negation(test))
    both = joined(op, [old, part])
    if key_of(both) == old.key:
        return old
    if old.key in key_of(part):
        return machine.unknown(_name(machine, frame, one.target), varying=True)
    return both


def _differ(options: set[_Option]) -> bool:
    """Whether numbers say different things: a window or none, a limit or none."""
    if not all(is_number(option) for option in options):
        return False
    if any(isinstance(option, float) for option in options):
        return len({bool(option) for option in options}) > 1
    numbers = [option for option in options if isinstance(option, int)]
    return len(numbers) > 1 and min(numbers) >= 1


def _name(machine: Machine, frame: Frame, target: Place) -> str:
    return target.name if isinstance(target, Read) else _key(evaluate(machine, frame, target.base), target.name)
