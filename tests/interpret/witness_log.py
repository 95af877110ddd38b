"""What a witness is told, as a log; and the log that Python itself leaves, with objects that write down what is done.

    12: torch.optim.SGD(#0, lr=?args.lr)
    15: model.__call__(#3)
    -: #4 / 4

`#4` is what the fourth entry has made, `?args.lr` a number that nobody knows; others are called by their names. An
operator has no line.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable, Hashable, Iterator, Mapping
from fractions import Fraction
from types import FrameType
from typing import Any

from gradlint.interpret.witness import Act, Named
from gradlint.libraries.operations import Operation, Question
from gradlint.model.roles import Role

FILE = "<loop>"


class Ref(str):
    """A handle: how the log calls it."""

    __slots__ = ()


def text_of(value: object) -> str:
    """An operand, as the log has it."""
    if isinstance(value, Ref):
        return str(value)
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(text_of, value))}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {text_of(item)}" for key, item in value.items()) + "}"
    if isinstance(value, Named):
        return value.name
    if isinstance(value, (int, float, Fraction)) and not isinstance(value, bool):
        return f"{float(value):g}"
    return repr(value)


class Log:
    """Entries, of which each makes something."""

    def __init__(self) -> None:
        self.entries: list[str] = []

    def call(self, row: int | None, name: str, args: tuple[object, ...], keywords: Mapping[str, object]) -> Ref:
        """A call of a function or a method."""
        given = [text_of(value) for value in args]
        given += [f"{key}={text_of(value)}" for key, value in keywords.items()]
        return self._add(f"{row or '-'}: {name}({', '.join(given)})")

    def operator(self, left: object, op: str, *right: object) -> Ref:
        """An operator; `+=` of a number makes a new one."""
        op = op if isinstance(left, Ref) else op.removesuffix("=")
        return self._add(f"-: {text_of(left)} {op} {', '.join(map(text_of, right))}")

    def _add(self, entry: str) -> Ref:
        self.entries.append(entry)
        return Ref(f"#{len(self.entries) - 1}")


class Recorder(Log):
    """A witness that only writes down what it is told, and answers what it was told to."""

    def __init__(self, answers: Mapping[Question, bool | int] | None = None) -> None:
        super().__init__()
        self.answers = answers or {}
        self.acts: list[Act] = []

    def meet(self, role: Role, name: str) -> Ref:
        """By its name."""
        return Ref(name)

    def draw(self, name: str, moment: Hashable) -> Ref:
        """Marked."""
        return Ref(f"?{name}")

    def answer(self, question: Question, of: object) -> bool | int | None:
        """As it was told."""
        return self.answers.get(question)

    def carry_out(self, act: Act) -> Ref:
        """Write it down."""
        self.acts.append(act)
        row = act.place.row if act.place is not None else None
        if act.operation is Operation.BATCH:
            return self.call(None, f"{text_of(act.receiver)}.__next__", act.arguments[:1], {})
        if not act.name[-1].isalnum() and not act.name.endswith("_"):
            return self.operator(act.receiver, act.name, *act.arguments)
        name = act.name if act.receiver is None else f"{text_of(act.receiver)}.{act.name}"
        return self.call(row, name, act.arguments, act.keywords)


# ---------------------------------------------------------------------------------------------- in Python


def _row() -> int:
    """The line of the loop that is running."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename != FILE:
        frame = frame.f_back
    return 0 if frame is None else frame.f_lineno


class Real:
    """Any object of the loop: what is done with it is written down."""

    def __init__(self, log: Log, ref: Ref) -> None:
        self._log, self._ref = log, ref

    def __getattr__(self, name: str) -> Callable[..., Real]:
        return lambda *args, **keywords: _called(self._log, f"{self._ref}.{name}", args, keywords)

    def __call__(self, *args: object, **keywords: object) -> Real:
        return _called(self._log, f"{self._ref}.__call__", args, keywords)

    def __iter__(self) -> Iterator[Real]:
        return (self[number] for number in range(2))

    def __getitem__(self, which: object) -> Real:
        return Real(self._log, self._log.operator(self._ref, "[]", _ref(which)))

    def __enter__(self) -> None:
        self._log.call(None, f"{self._ref}.__enter__", (), {})

    def __exit__(self, *_: object) -> None:
        self._log.call(None, f"{self._ref}.__exit__", (), {})


def _operators() -> None:
    """Let objects be computed with."""
    names = {"add": "+", "sub": "-", "mul": "*", "truediv": "/"}
    for name, op in names.items():
        setattr(Real, f"__{name}__", lambda self, other, op=op: _computed(self._log, self, op, other))
        setattr(Real, f"__r{name}__", lambda self, other, op=op: _computed(self._log, other, op, self))
        setattr(Real, f"__i{name}__", lambda self, other, op=op: _computed(self._log, self, f"{op}=", other))
    setattr(Real, "__neg__", lambda self: _computed(self._log, -1, "*", self))  # noqa: B010 - as the others


_operators()


def _computed(log: Log, left: object, op: str, right: object) -> Real:
    return Real(log, log.operator(_ref(left), op, _ref(right)))


def _called(log: Log, name: str, args: tuple[object, ...], keywords: Mapping[str, object]) -> Real:
    given = tuple(map(_ref, args))
    return Real(log, log.call(_row(), name, given, {key: _ref(value) for key, value in keywords.items()}))


def _ref(value: object) -> object:
    """What the log calls a value."""
    if isinstance(value, Real):
        return value._ref
    if isinstance(value, (list, tuple)):
        return [_ref(item) for item in value]
    if isinstance(value, dict):
        return {key: _ref(item) for key, item in value.items()}
    return value


class Loader(Real):
    """As many batches as paper has chosen."""

    def __init__(self, log: Log, ref: Ref, length: int) -> None:
        super().__init__(log, ref)
        self._length = length

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[Real]:
        name = f"{self._ref}.__next__"
        return (Real(self._log, self._log.call(None, name, (number,), {})) for number in range(self._length))


class Settings:
    """Numbers that nobody knows."""

    def __init__(self, log: Log) -> None:
        self._log = log

    def __getattr__(self, name: str) -> Real:
        return Real(self._log, Ref(f"?args.{name}"))


class Library:
    """A module, and all that is in it."""

    def __init__(self, log: Log, name: str) -> None:
        self._log, self._name = log, name

    def __getattr__(self, name: str) -> Library:
        return Library(self._log, f"{self._name}.{name}")

    def __call__(self, *args: object, **keywords: object) -> Real:
        return _called(self._log, self._name, args, keywords)


def executed(source: str, length: int) -> list[str]:
    """What Python does in `train(model, criterion, loader, args)`."""
    log = Log()

    def imported(name: str, *others: Any) -> object:
        if name == "__future__":
            return builtins.__import__(name, *others)
        return Library(log, name if len(others) > 2 and others[2] else name.partition(".")[0])

    names: dict[str, Any] = {"__builtins__": {**vars(builtins), "__import__": imported}}
    exec(compile(source, FILE, "exec"), names)
    model, criterion = Real(log, Ref("model")), Real(log, Ref("criterion"))
    names["train"](model, criterion, Loader(log, Ref("loader"), length), Settings(log))
    return log.entries
