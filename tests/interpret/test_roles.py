"""Roles by evidence: constructor, annotation, attribute, protocol, name; and what objects share."""

from __future__ import annotations

import pytest

from gradlint.model.events import Kind, Step
from interpret.machine import books_of, events_of, log_of

BODY = """
    for epoch in range(2):
        for batch in loader:
            {zero}.zero_grad()
            {model}(batch).backward()
            {step}.step()
"""


def kinds(source: str) -> list[str]:
    """The kinds of the events of the first batch."""
    found = []
    for event in log_of(source).events:
        found.append(event.kind.name)
        if event.kind is Kind.STEP:
            break
    return found


EXPECTED = ["ZERO", "FORWARD", "BACKWARD", "STEP"]


@pytest.mark.parametrize(
    "source",
    [
        "import torch\ndef train(net, loader):\n    x = torch.optim.SGD(net.parameters(), lr=0.1)",
        "import torch.optim as o\ndef train(net, loader):\n    x = o.AdamW(net.parameters())",
        "from torch.optim import Adam as A\ndef train(net, loader):\n    x = A(net.parameters())",
        "import transformers\ndef train(net, loader):\n    x = transformers.Adafactor(net.parameters())",
        "def train(net, loader):\n    x = bnb.optim.AdamW8bit(net.parameters())",
        "def train(net, loader):\n    x = make_optimizer(net)",
        "def train(net, loader, x): pass",
        "def train(net, loader, x: 'torch.optim.Optimizer'): pass",
        "import torch\ndef f(n): return torch.optim.SGD(n.parameters())\ndef train(net, loader):\n    x = f(net)",
        "class Mine(torch.optim.Optimizer): ...\ndef train(net, loader):\n    x = Mine(net.parameters())",
        "def train(net, loader, optimizer):\n    x = optimizer",
        "def train(net, loader, optimizers):\n    x = optimizers[0]",
        "def train(net, loader, optimizers):\n    x = optimizers['main']",
        "def train(net, loader, optimizer, flag):\n    x = optimizer if flag else optimizer",
        "def train(net, loader, optimizer):\n    x, y = optimizer, 1",
        "def train(net, loader, optimizer):\n    x = {'o': optimizer}['o']",
    ],
)
def test_optimizer(source: str) -> None:
    body = BODY.format(zero="x", model="net", step="x")
    assert kinds(source.replace(": pass", ":") + body) == EXPECTED


@pytest.mark.parametrize(
    "source",
    [
        "import torch\nclass Net(torch.nn.Module): ...\ndef train(optimizer, loader):\n    f = Net()",
        "def train(optimizer, loader, f: 'nn.Module'): pass",
        "def train(optimizer, loader, model):\n    f = model.cuda()",
        "def train(optimizer, loader, model):\n    f = model.to('cuda').train()",
        "import torch\ndef train(optimizer, loader, model):\n    f = torch.compile(model)",
        "def train(optimizer, loader, model):\n    f = nn.DataParallel(model)",
        "def train(optimizer, loader, args):\n    model = model_factory(args)\n    f = model",
        "def train(optimizer, loader, models):\n    f = models[0]",
        "def train(optimizer, loader, model):\n    f = model.module",
    ],
)
def test_model(source: str) -> None:
    body = BODY.format(zero="optimizer", model="f", step="optimizer")
    assert [kind for kind in kinds(source.replace(": pass", ":") + body) if kind != "TRAIN"] == EXPECTED


@pytest.mark.parametrize("imports", ["", "from models import *", "from models import {name}"])
@pytest.mark.parametrize("name", ["build_model", "create_model", "get_model", "Model", "make_net"])
def test_objects_that_factories_made(imports: str, name: str) -> None:
    source = f"""
{imports.format(name=name)}
def train(loader, args):
    model = {name}(args)
    optimizer = build_optimizer(model)
"""
    assert kinds(source + BODY.format(zero="optimizer", model="model", step="optimizer")) == EXPECTED


TRAINER = """
import torch
class Trainer:
    def __init__(self, {parameters}):
        {init}

    def fit(self, loader):
        for epoch in range(2):
            for batch in loader:
                self.o.zero_grad()
                self.m(batch).backward()
                self.o.step()
"""


@pytest.mark.parametrize(
    ("parameters", "init"),
    [
        ("model, optimizer", "self.m, self.o = model, optimizer"),
        ("model", "self.m = model; self.o = torch.optim.SGD(model.parameters(), lr=0.1)"),
        ("model", "self.m = model; self.o = torch.optim.SGD(self.m.parameters(), lr=0.1)"),
        ("model: torch.nn.Module, o: torch.optim.Optimizer", "self.m, self.o = model, o"),
        ("trainer", "self.m, self.o = trainer.model, trainer.optimizer"),
    ],
)
def test_attributes_set_in_init(parameters: str, init: str) -> None:
    assert kinds(TRAINER.format(parameters=parameters, init=init)) == EXPECTED


def test_attribute_set_in_another_method() -> None:
    source = TRAINER.format(parameters="model", init="self.m = model; self.o = None") + (
        "\n    def setup(self):\n        self.o = torch.optim.SGD(self.m.parameters(), lr=0.1)\n"
    )
    assert kinds(source) == EXPECTED


def test_attribute_set_in_a_base_class() -> None:
    source = """
class Base:
    def __init__(self, model, optimizer):
        self.model = model
        self.optimizer = optimizer

class Trainer(Base):
    def __init__(self, model, optimizer, loader):
        super().__init__(model, optimizer)
        self.loader = loader

    def fit(self):
        for epoch in range(2):
            for batch in self.loader:
                self.optimizer.zero_grad()
                self.model(batch).backward()
                self.optimizer.step()
"""
    assert kinds(source) == EXPECTED


def test_same_object_under_two_names_has_one_book() -> None:
    source = """
def train(model, optimizer, loader):
    other = optimizer
    for batch in loader:
        other.zero_grad()
        model(batch).backward()
        optimizer.step()
"""
    (book,) = books_of(source)
    assert all(not update.stale for update in book.updates)


def test_objects_of_one_constructor_are_two() -> None:
    source = """
import torch
def train(model, other, loader):
    one = torch.optim.SGD(model.parameters(), lr=0.1)
    two = torch.optim.SGD(other.parameters(), lr=0.1)
    for epoch in range(2):
        for batch in loader:
            one.zero_grad()
            two.zero_grad()
            model(batch).backward()
            other(batch).backward()
            one.step()
            two.step()
"""
    assert len(books_of(source)) == 2


@pytest.mark.parametrize("call", ["env.step(action)", "x.step()", "self.step()", "step()"])
def test_other_things_that_step_are_no_optimizers(call: str) -> None:
    source = f"""
class Trainer:
    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer

    def fit(self, loader, env, x, action, step):
        for batch in loader:
            self.optimizer.zero_grad()
            self.model(batch).backward()
            self.optimizer.step()
            {call}
"""
    steps = events_of(source, Kind.STEP)
    assert len({event.subject for event in steps}) == 1


def test_parameters_of_an_optimizer_are_known() -> None:
    source = """
import torch
def train(encoder, decoder, loader):
    optimizer = torch.optim.SGD(
        [{"params": encoder.parameters()}, {"params": decoder.parameters(), "lr": 0.1}], lr=1.0
    )
    for batch in loader:
        decoder(encoder(batch)).backward()
        optimizer.step()
"""
    (step, *_) = events_of(source, Kind.STEP)
    assert isinstance(step.detail, Step)
    assert step.detail.params == {"encoder", "decoder"}


@pytest.mark.parametrize(
    "value",
    [
        "list(encoder.parameters()) + list(decoder.parameters())",
        "[] + list(encoder.parameters()) + list(decoder.parameters())",
        "[*encoder.parameters(), *decoder.parameters()]",
        "itertools.chain(encoder.parameters(), decoder.parameters())",
        "[{'params': encoder.parameters()}, {'params': decoder.parameters()}]",
    ],
)
def test_ways_to_join_parameters(value: str) -> None:
    source = f"""
import itertools
import torch
def train(encoder, decoder, loader):
    optimizer = torch.optim.SGD({value}, lr=1.0)
    for batch in loader:
        decoder(encoder(batch)).backward()
        optimizer.step()
"""
    (step, *_) = events_of(source, Kind.STEP)
    assert isinstance(step.detail, Step)
    assert step.detail.params == {"encoder", "decoder"}


def test_scheduler_knows_its_optimizer() -> None:
    source = """
import torch
def train(one, two, loader):
    first = torch.optim.SGD(one.parameters(), lr=0.1)
    second = torch.optim.SGD(two.parameters(), lr=0.1)
    plan = torch.optim.lr_scheduler.StepLR(second, 10)
    for epoch in range(2):
        for batch in loader:
            first.zero_grad()
            second.zero_grad()
            (one(batch) + two(batch)).backward()
            first.step()
            second.step()
            plan.step()
"""
    books = {book.optimizer: book for book in books_of(source)}
    assert {name: len(book.updates[1].schedules) for name, book in books.items()} == {"first": 0, "second": 1}


@pytest.mark.parametrize(
    ("call", "positional"),
    [("step()", False), ("step(epoch)", True), ("step(epoch + i / 7)", True), ("step_update(i)", True),
     ("step(metrics=loss)", True)],
)  # fmt: skip
def test_positional_schedule(call: str, positional: bool) -> None:
    source = f"""
def train(model, optimizer, scheduler, loader):
    for epoch in range(2):
        for i, batch in enumerate(loader):
            loss = model(batch)
            loss.backward()
            optimizer.step()
            scheduler.{call}
"""
    (event, *_) = events_of(source, Kind.SCHEDULE)
    assert getattr(event.detail, "positional", None) is positional
