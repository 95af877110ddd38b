"""What a generator has consumed ahead of its `yield`: a second run, for what stands behind that, finds it as it was.

@contextmanager
def limited(parameters, most):
    parameters = list(parameters)           reads an iterator once, however often paper comes by here
    yield
    clip_grad_norm_(parameters, most)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gradlint.interpret.values import Parameters, Partial, Routine, Series, Table, Tracked, Value


def fresh_in(made: Partial) -> list[Parameters]:
    """The iterators that a call of a generator has at hand and that nobody has consumed yet."""
    routine = made.target
    values = [*made.args, *made.keywords.values()]
    if isinstance(routine, Routine):
        values += _attributes(routine.receiver)
        frame = routine.frame
        while frame is not None and frame.parent is not None:
            values += frame.values.values()
            frame = frame.parent
    return [one for one in _iterators(values, _DEEP) if one.once and not one.used]


def put_back(iterators: Iterable[Parameters]) -> None:
    """Have nobody read these iterators yet."""
    for one in iterators:
        one.used = False


def _attributes(value: Value) -> list[Value]:
    return [value, *value.attrs.values()] if isinstance(value, Tracked) else [value]


def _iterators(values: Iterable[Value], deep: int) -> Iterator[Parameters]:
    """Iterators, those among the items of lists and dictionaries, and those that others read from."""
    for value in values:
        if isinstance(value, Parameters):
            yield value
            yield from _iterators([value.source], deep)
        elif isinstance(value, (Series, Table)) and deep:
            yield from _iterators(value.items if isinstance(value, Series) else value.items.values(), deep - 1)


_DEEP = 3
"""Lists may hold themselves."""
