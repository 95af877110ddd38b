"""Types of numbers that an option chooses: which of several, and under which condition it is bfloat16.

if args.dtype == "bf16": dtype = torch.bfloat16      def numbers(text):
elif args.dtype == "fp16": dtype = torch.float16         if text == "fp16": return torch.float16
else: dtype = torch.float32                              if text == "bf16": return torch.bfloat16
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TypeAlias

from gradlint.interpret.atoms import AMP, asks, decide, settled, truth
from gradlint.interpret.conditions import And, Compare, Typed, joined, negation, parts_of, without_not
from gradlint.interpret.dispatch import evaluate
from gradlint.interpret.frame import Frame
from gradlint.interpret.machine import Machine
from gradlint.interpret.state.scenario import is_about_text, texts_of
from gradlint.interpret.traits import form_of, key_of
from gradlint.interpret.values import Imported, Unknown, Value, comparison
from gradlint.libraries.conventions.switches import ABILITY_NAME, AMP_NAME, BF16_NAME, FLOAT16_NAME
from gradlint.libraries.tensors import DTYPES
from gradlint.model.program import Assign, Attr, Expr, If, Raise, Read, Return, Stmt

_Case: TypeAlias = "tuple[tuple[Value, ...], str]"
"""What has to be true, and the type that is chosen then."""

_Pick: TypeAlias = Callable[[tuple[Stmt, ...]], "Expr | None"]

WITHOUT_SCALER = frozenset({"bfloat16", "float32", "float"})


def type_name(value: Value) -> str:
    """The name of a type of numbers, empty for everything else."""
    name = value.name.rsplit(".", 1)[-1] if isinstance(value, Imported) else ""
    return name if name in DTYPES else ""


def chosen_in(machine: Machine, frame: Frame, node: If, name: str) -> Unknown | None:
    """The type that the branches of a guard set a variable to."""
    return _chosen(machine, frame, (node,), lambda body: _set_to(body, name), name)


def chosen_by(machine: Machine, frame: Frame, body: tuple[Stmt, ...], name: str) -> Unknown | None:
    """The type that a function returns which does nothing else."""
    return _chosen(machine, frame, body, _returned, name)


def chooses_type(body: tuple[Stmt, ...]) -> bool:
    """Whether a function asks for something, and returns types and nothing else."""
    asks = isinstance(body[0] if body else None, If)
    return asks and all(isinstance(one, Attr) and one.name in DTYPES for one in _ends(body))


def is_low(machine: Machine, dtype: Unknown, enabled: Value) -> bool:
    """Whether an option chooses bfloat16 in this scenario, and leaves a scaler on that need not be."""
    form = dtype.form
    if not isinstance(form, Typed) or not isinstance(form.option, Unknown):
        return False
    if _is_flag(form.low) and (within := _shared(machine, form.low, enabled)):
        machine.precision.within = within
        low = decide(machine, form.low, True, 2)
    else:
        low = _is_low(machine, form, form.option)
    if not low:
        return False
    machine.precision.chosen = machine.precision.chosen or not form.others <= WITHOUT_SCALER
    return True


def _is_low(machine: Machine, form: Typed, option: Unknown) -> bool:
    known = settled(machine.scenario, form.low)
    if known is not None:
        return known
    parts = [part for part in parts_of(form.low) if isinstance(part, Unknown)]
    switches = [one for one in machine.precision.switches if any(asks(one, part) for part in parts)]
    if form.others <= WITHOUT_SCALER:
        return not switches or decide(machine, form.low, True, 2)
    if not machine.precision.switches and _is_flag(form.low):
        return _is_low_by_flag(machine, form.low)
    if not switches and (not _asks_for_text(form.low) or _is_asked_otherwise(machine, option)):
        return False
    made = bool(machine.precision.scalers) and not switches  # nothing that is made hangs on it
    return decide(machine, form.low, made, 2)


def switches_around(machine: Machine, enabled: Value) -> frozenset[str]:
    """What a scaler hangs on: its own switch, or what was asked before it was made."""
    if truth(enabled) is None:
        return frozenset((key_of(enabled),))
    return frozenset(guard.text for guard in machine.scenario.guards if guard.taken and not guard.jump)


def _shared(machine: Machine, flag: Value, enabled: Value) -> frozenset[str]:
    """The switches of mixed precision around an autocast whose type a flag chooses, where all scalers hang on these.

    if args.fp16:                                                        if args.fp16:
        with autocast(dtype=bfloat16 if args.bf16 else float16): ...         scaler = GradScaler()

    The flag says something only where the switch is on, so both are: it is not either or.
    """
    around = switches_around(machine, True) | ({key_of(enabled)} if truth(enabled) is None else frozenset())
    around = frozenset(one for one in around if AMP_NAME[one] and not BF16_NAME[one])
    made = [frozenset(one for one in under if AMP_NAME[one] or BF16_NAME[one]) for under in machine.precision.under]
    known = settled(machine.scenario, flag) is not None
    return around if around and made and all(one and one <= around for one in made) and not known else frozenset()


def _is_low_by_flag(machine: Machine, flag: Value) -> bool:
    """Whether a flag chooses bfloat16 beside a scaler that is there without any switch of mixed precision.

    `bf16` and `fp16` are mostly either or, so what hangs on another such switch is off where this one is on.
    """
    asked = (key for key, on in machine.scenario.decisions.items() if on or key != AMP)
    if any(key == AMP or AMP_NAME.search(key) or FLOAT16_NAME.search(key) for key in asked):
        return False
    if not decide(machine, flag, bool(machine.precision.scalers), 2):
        return False
    machine.scenario.assume(AMP, False, 0)
    return True


def is_type(form: Typed, name: str) -> Value:
    """Whether what was chosen is a certain type."""
    if name == "bfloat16":
        return form.low
    if name not in form.others:
        return False
    other = negation(form.low)
    if len(form.others) == 1:
        return other
    key = f"{key_of(form.option)}=={name}"
    return joined("and", [other, Unknown(key, leaves=frozenset((key,)))])


def _asks_for_text(low: Value) -> bool:
    """Whether one setting is compared with the names of types: no device, no question for the machine, and no flag."""
    form = form_of(low)
    asked = [_told(part) for part in (form.parts if isinstance(form, And) else (low,))]
    told = [one for one in asked if one is not None]
    named = any(FLOAT16_NAME.search(text) for _, texts in told for text in texts)
    return named and len(told) == len(asked) and len({option for option, _ in told}) == 1


def _told(value: Value) -> tuple[str, frozenset[str]] | None:
    """What a condition compares with texts, and with which: `kind == "a"`, `kind != "a"`, `kind in ["a", "b"]`."""
    asked = without_not(value)[0]
    form = form_of(asked)
    if isinstance(form, Compare) and form.op == "!=":
        return texts_of(comparison(key_of(form.left), "==", key_of(form.right)))
    return texts_of(key_of(asked))


def _is_flag(low: Value) -> bool:
    """Whether one flag says that it is bfloat16, `args.bf16`: no question for the machine, which has it or has not."""
    name = low.key.rsplit(".", 1)[-1] if isinstance(low, Unknown) and low.form is None else ""
    return BF16_NAME[name] and name.isidentifier() and not ABILITY_NAME[name]


def _is_asked_otherwise(machine: Machine, option: Unknown) -> bool:
    """Whether a scaler, or anything else, hangs on an option in a way of which nobody can say what it means for it."""
    named = re.compile(rf"(?<!\w){re.escape(option.key)}(?!\w)")  # `precision`, and not `mixed_precision`
    keys = [key for key in machine.scenario.decisions if named.search(key) and key != option.key]
    keys += [one.key for one in machine.precision.switches if named.search(one.key)]
    return not all(map(is_about_text, keys))


def _chosen(machine: Machine, frame: Frame, body: tuple[Stmt, ...], pick: _Pick, name: str) -> Unknown | None:
    cases = list(_cases(machine, frame, body, pick, ()))
    low = [tests for tests, kind in cases if kind == "bfloat16"]
    others = frozenset(kind for _, kind in cases if kind != "bfloat16")
    if len(low) != 1 or not low[0] or not others:
        return None
    condition = joined("and", _needed(low[0]))
    if not isinstance(condition, Unknown):
        return None
    form, told = form_of(without_not(condition)[0]), _told(condition)
    option = form.left if isinstance(form, Compare) and isinstance(form.right, str) else condition
    if form is None and told is not None:
        option = Unknown(told[0])
    return Unknown(name, condition.varying, leaves=frozenset((name,)), form=Typed(option, condition, others))


def _cases(
    machine: Machine, frame: Frame, body: tuple[Stmt, ...], pick: _Pick, before: tuple[Value, ...]
) -> Iterator[_Case]:
    """What is chosen, and what has to be true for it: what was asked before it is not."""
    given = pick(body)
    if given is not None:
        yield before, type_name(evaluate(machine, frame, given)) or "?"
        return
    for place, node in enumerate(body):
        if isinstance(node, Raise):
            return
        if isinstance(node, If):
            test = evaluate(machine, frame, node.test)
            yield from _cases(machine, frame, node.then, pick, (*before, test))
            yield from _cases(machine, frame, node.other or body[place + 1 :], pick, (*before, negation(test)))
            return


def _needed(tests: tuple[Value, ...]) -> list[Value]:
    """Without what goes without saying: who is one text is no other."""
    last = texts_of(key_of(tests[-1]))
    return list(tests) if last is None else [one for one in tests if one is tests[-1] or not _is_no_other(one, *last)]


def _is_no_other(test: Value, option: str, texts: frozenset[str]) -> bool:
    asked, wants = without_not(test)
    other = texts_of(key_of(asked))
    return not wants and other is not None and other[0] == option and other[1].isdisjoint(texts)


def _set_to(body: tuple[Stmt, ...], name: str) -> Expr | None:
    for node in reversed(body):
        if isinstance(node, Assign) and isinstance(node.target, (Read, Attr)) and node.target.name == name:
            return node.value
    return None


def _returned(body: tuple[Stmt, ...]) -> Expr | None:
    return body[0].value if body and isinstance(body[0], Return) else None


def _ends(body: tuple[Stmt, ...]) -> Iterator[Expr | None]:
    """What a function returns that only asks and returns; `None` for everything else that it does."""
    for node in body:
        if isinstance(node, Return):
            yield node.value
            return
        if isinstance(node, Raise):
            return
        if not isinstance(node, If):
            yield None
            return
        yield from _ends(node.then)
        yield from _ends(node.other)
