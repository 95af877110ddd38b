"""Sequences: what is known is listed as Python lists it, what is not keeps what it is made of."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, product

import pytest

from gradlint.interpret.sequences import (
    Count,
    Enumerate,
    Pieces,
    Range,
    Sized,
    Slice,
    Zip,
    batches_in,
    enumerated,
    first_items,
    pieces_in,
    ranged,
    samples_each,
    size_of,
    without_numbers,
    zipped,
)
from gradlint.interpret.traits import form_of
from gradlint.interpret.values import Make, Series, Tracked, Unknown, Value
from gradlint.model.events import Kind
from gradlint.model.program import Const
from gradlint.model.roles import Role
from interpret.machine import explored, only

NUMBERS = range(-3, 5)
COLUMNS = [[], ["a"], ["a", "b", "c"]]


def listed(value: Value) -> object:
    """A series as Python would show it."""
    if not isinstance(value, Series):
        return value
    items = [listed(item) for item in value.items]
    return tuple(items) if value.kind == "tuple" else items


def series(items: Sequence[Value]) -> Series:
    return Series(list(items))


@pytest.mark.parametrize("count", [1, 2, 3])
def test_ranges(count: int) -> None:
    for numbers in product(NUMBERS, repeat=count):
        value = ranged("range(...)", numbers)
        if count == 3 and not numbers[2]:  # Python raises
            assert isinstance(form_of(value), Range)
        else:
            assert listed(value) == list(range(*numbers)), numbers


def test_ranges_of_what_nobody_knows() -> None:
    n = Unknown("n")
    shapes = [((n,), (0, n, None)), ((2, n), (2, n, None)), ((0, n, 4), (0, n, 4)), ((), (0, None, None))]
    for given, meant in shapes:
        form = form_of(ranged("range(...)", given))
        assert isinstance(form, Range)
        assert (form.start, form.stop, form.step) == meant


def test_numbered_and_zipped() -> None:
    for first, items in product(NUMBERS, COLUMNS):
        assert listed(enumerated("", series(items), first)) == list(enumerate(items, first))
    for columns in product(COLUMNS, repeat=3):
        held = zipped("", [series(items) for items in columns])
        assert listed(held) == list(zip(*columns, strict=False))
        nested = list(enumerate(zip(*columns, strict=False), 1))
        assert listed(enumerated("", held, 1)) == nested


def test_the_first_items() -> None:
    for stop, items in product(range(5), COLUMNS):
        assert listed(first_items("", series(items), stop, Const(stop))) == list(islice(items, stop))
    source = Unknown("stream")
    form = form_of(first_items("", source, 8, Const(8)))
    assert isinstance(form, Slice)
    assert (form.source, form.stop) == (source, 8)
    known = series(["a"])
    assert first_items("", known, Unknown("n"), Const(1)) is known


def test_numbers_are_taken_off() -> None:
    source = Unknown("loader")
    assert without_numbers(enumerated("", enumerated("", source, 0), 1)) is source
    assert without_numbers(zipped("", [Unknown("c", form=Count(1)), source])) is source
    assert without_numbers(source) is source


def test_how_many_there_are() -> None:
    """A `zip` ends with its shortest part; what nobody can see is as long as the others, but for a loader."""
    for one, two in product(range(1, 5), repeat=2):
        parts: tuple[Value, ...] = (Unknown("x", form=Sized(one)), Unknown("y", form=Pieces(two)))
        assert batches_in(Unknown("z", form=Zip(parts))) == len(list(zip(range(one), range(two), strict=False)))
        assert batches_in(Unknown("z", form=Zip((*parts, Unknown("w"))))) == min(one, two)
        assert batches_in(Unknown("z", form=Zip((*parts, Tracked("l", Role.LOADER))))) is None
        assert pieces_in(Unknown("z", form=Enumerate(Unknown("z", form=Zip(parts[::-1])), 0))) == two
        endless = Unknown("c", form=Count(1))
        assert batches_in(Unknown("z", form=Zip((*parts, endless)))) == min(one, two)
        assert pieces_in(Unknown("z", form=Zip((endless, *parts[::-1])))) == two
    loader = Tracked("loader", Role.LOADER, make=Make(extra={"batches": 7, "batch_size": 32}))
    assert (batches_in(loader), samples_each(loader)) == (7, 32)
    assert (batches_in(Tracked("l")), samples_each(Tracked("l"))) == (None, 0)
    assert batches_in(Unknown("loader")) is None
    assert batches_in(Unknown("z", form=Zip((Unknown("v"), Unknown("w"))))) is None


def test_how_large_they_are() -> None:
    data = Unknown("data", form=Sized(64, 8))
    assert (size_of(data), samples_each(data)) == (64, 8)
    assert (size_of(Unknown("data")), samples_each(Unknown("data"))) == (None, 0)


@pytest.mark.parametrize("count", [0, 65, None, "many"])
def test_pieces_of_another_number(count: Value) -> None:
    assert pieces_in(Unknown("batch", form=Pieces(count))) is None


@pytest.mark.parametrize("items", ["islice(data, 0)", "islice(data, 2)", "data"])
def test_a_comprehension_that_works_on_gradients_may_run_over_nothing(items: str) -> None:
    source = f"""
from itertools import islice

def step(model, optimizer, x):
    optimizer.zero_grad()
    model(x).mean().backward()
    optimizer.step()
    return x

def main(model, optimizer, data):
    found = tuple(step(model, optimizer, x) for x in {items})
"""
    region = next(one for one in explored(source) if one.entry.name == "main")
    steps = [event for event in region.scenarios[0].events if event.kind is Kind.STEP]
    assert bool(steps) is (items != "islice(data, 0)")


def test_keys_are_no_numbers() -> None:
    source = """
def copy(to, model):
    for k, v in model.__dict__.items():
        if not k.startswith("_"):
            setattr(to, k, v)

def train(model, average, optimizer, loader):
    for x, y in loader:
        optimizer.zero_grad()
        model(x, y).backward()
        optimizer.step()
        copy(average, model)
"""
    assert not only(source).scenarios[0].faults


@pytest.mark.parametrize("put", ["insert(0, gain)", "appendleft(gain)", "append(gain)"])
@pytest.mark.parametrize("held", ["None", "made()"])
def test_what_is_put_in_front_is_paired_and_what_was_none_is_filled(put: str, held: str) -> None:
    source = f"""
from collections import deque

import torch
from play import made


class Agent:
    def __init__(self, model):
        self.model = model
        self.chances = {held}
        self.opt = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def update(self, gain):
        gains = deque()
        for _ in self.chances:
            gains.{put}
        loss = 0
        for chance, one in zip(self.chances, gains):
            loss -= chance * one
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
"""
    assert Kind.BACKWARD in {event.kind for event in only(source).scenarios[0].events}


def test_a_loss_that_is_weighed_by_another_library_is_a_loss() -> None:
    source = """
import tensorflow as tf
import torch

settings = tf.contrib.training.HParams(weight=0.5)


def train(model, loader):
    optimizer = torch.optim.Adam(model.parameters())
    for x, y in loader:
        optimizer.zero_grad()
        loss = settings.weight * torch.nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
"""
    assert Kind.BACKWARD in {event.kind for event in only(source).scenarios[0].events}
