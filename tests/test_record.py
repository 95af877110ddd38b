"""Data classes whose methods are written late are those of the standard library."""

from __future__ import annotations

import dataclasses
import pickle
from collections.abc import Callable
from typing import Any, ClassVar

import pytest

from gradlint.model import record

FORMS: list[dict[str, bool]] = [
    {"slots": True},
    {"slots": True, "frozen": True},
    {"slots": True, "frozen": True, "eq": False},
    {"slots": True, "eq": False},
    {"slots": True, "frozen": True, "order": True},
    {"frozen": True},
    {"eq": False},
    {},
]


def classes(decorate: Callable[..., Any]) -> tuple[type[Any], type[Any], type[Any]]:
    """A class with fields of every kind, one that has more of them, and one without any."""

    @decorate
    class First:
        """A class."""

        kind: ClassVar[str] = "first"
        a: int
        b: str = "b"
        c: list[int] = dataclasses.field(default_factory=list)
        d: int = dataclasses.field(default=1, compare=False)
        e: int = dataclasses.field(default=2, repr=False)
        f: str = dataclasses.field(default="f", kw_only=True)
        g: int = dataclasses.field(init=False)

        def __post_init__(self) -> None:
            object.__setattr__(self, "g", self.a + 1)

    @decorate
    class Second(First):
        b: str = "c"
        h: tuple[int, ...] = ()

    @decorate
    class Third:
        pass

    return First, Second, Third


@pytest.mark.parametrize("form", FORMS)
def test_a_class_is_the_standard_librarys(form: dict[str, bool]) -> None:
    ours, theirs = classes(record.dataclass(**form)), classes(dataclasses.dataclass(**form))
    for own, plain in zip(ours, theirs, strict=True):
        assert own.__match_args__ == plain.__match_args__
        assert own.__dict__.get("__slots__") == plain.__dict__.get("__slots__")
        assert (own.__hash__ is None) == (plain.__hash__ is None)
        assert [str(one) for one in dataclasses.fields(own)] == [str(one) for one in dataclasses.fields(plain)]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("which", [0, 1])
def test_an_object_is_the_standard_librarys(form: dict[str, bool], which: int) -> None:
    own, plain = (classes(make)[which] for make in (record.dataclass(**form), dataclasses.dataclass(**form)))
    given: list[tuple[object, ...]] = [(1,), (1, "x"), (2, "b", []), (1, "b", [1], 5), (1, "b", [1], 1, 6)]
    for words in given:
        one, other = own(*words, f="g"), plain(*words, f="g")
        assert repr(one) == repr(other)
        assert dataclasses.asdict(one) == dataclasses.asdict(other)
        for change in (dataclasses.replace, record.replace):
            assert repr(change(one, a=9)) == repr(dataclasses.replace(other, a=9))
        assert one != other
        for more in given:
            assert (one == own(*more, f="g")) == (other == plain(*more, f="g"))


def test_one_without_words_is_the_standard_librarys() -> None:
    made, _, none = classes(record.dataclass)
    assert repr(made(1)).endswith("First(a=1, b='b', c=[], d=1, f='f', g=2)")
    assert none() == none()
    assert made.b == "b"
    assert not hasattr(made, "a")


@pytest.mark.parametrize("words", [(), (1, 2, 3, 4, 5, 6)])
def test_what_a_class_does_not_take_it_refuses(words: tuple[object, ...]) -> None:
    made, *_ = classes(record.dataclass(slots=True))
    with pytest.raises(TypeError, match="argument"):
        made(*words)


def test_factories_make_one_for_each() -> None:
    made, *_ = classes(record.dataclass(slots=True))
    assert made(1).c is not made(1).c


@record.record(order=True)
class Pair:
    """A record of two."""

    a: int
    b: int = 0
    c: tuple[int, ...] = dataclasses.field(default=(), compare=False)


def test_records_are_hashed_ordered_and_kept() -> None:
    assert len({Pair(1), Pair(1, 0), Pair(1, c=(1,)), Pair(2)}) == 2
    assert hash(Pair(1, 2)) == hash((1, 2))
    assert sorted([Pair(2), Pair(1, 3), Pair(1)]) == [Pair(1), Pair(1, 3), Pair(2)]
    assert pickle.loads(pickle.dumps(Pair(1, 2, (3,)))).c == (3,)
    assert not hasattr(Pair(1), "__dict__")


def test_a_copy_has_other_fields_and_leaves_the_first() -> None:
    first = Pair(1, 2, (3,))
    assert record.replace(first, b=4, c=(5,)).c == (5,)
    assert record.replace(first) == first == Pair(1, 2)
    assert record.replace(first) is not first
    with pytest.raises(TypeError, match="unexpected"):
        record.replace(first, d=1)  # type: ignore[call-arg]


@record.record(eq=False)
class Chain:
    """A record that holds another."""

    inner: object


def test_a_record_that_holds_itself_is_shown() -> None:
    held: list[object] = []
    chain = Chain(held)
    held.append(chain)
    assert repr(chain) == "Chain(inner=[...])"
