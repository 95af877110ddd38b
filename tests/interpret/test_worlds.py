"""Worlds: what opens one, what does not, and that a decision holds wherever its condition is asked."""

from __future__ import annotations

import pytest

from gradlint.model.events import Backward, Forward, Kind
from interpret.machine import books_of, events_of, explored, log_of, only

LOOP = """
import subprocess
import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

def train(model, optimizer, loader, args, start=0):
    {before}
    for epoch in range(args.epochs):
        for i, batch in enumerate(loader):
            loss = model(batch)
            loss.backward()
            if {test}:
                optimizer.step()
                optimizer.zero_grad()
"""


def decisions(test: str, before: str = "step = 0") -> list[dict[str, bool]]:
    return [scenario.decisions for scenario in only(LOOP.format(test=test, before=before)).scenarios]


@pytest.mark.parametrize(
    ("test", "name"),
    [("i > args.start", "i>args.start"), ("args.start < i + 1", "i>args.start")],
)
def test_counter_is_on_one_side_of_a_limit(test: str, name: str) -> None:
    assert decisions(test) == [{name: True}, {name: False}]


def test_fraction_of_a_counter_is_one_condition_too() -> None:
    assert decisions("i / 7 > args.share") == [{"i>args.share": True}, {"i>args.share": False}]


@pytest.mark.parametrize(
    ("test", "change"), [("left > 0", "left -= 1"), ("left > 3", "left += 1"), ("2 < left", "left -= 2")]
)
def test_counter_of_unknown_start_is_one_condition_as_it_goes_on(test: str, change: str) -> None:
    source = f"""
def train(model, optimizer, loader, left):
    for batch in loader:
        model(batch).backward()
        if {test}:
            {change}
            optimizer.zero_grad()
        else:
            optimizer.step()
"""
    assert [list(scenario.decisions.values()) for scenario in only(source).scenarios] == [[True], [False]]


def test_bare_numbers_stay_apart() -> None:
    (first, *_) = decisions("args.gpus > 1 and args.gpus > 2")
    assert set(first) == {"args.gpus>1", "args.gpus>2"}


@pytest.mark.parametrize(
    "before",
    [
        "if args.many: model = nn.DataParallel(model)",
        "if args.compile: model = torch.compile(model)",
        "criterion = nn.MSELoss() if args.mse else nn.L1Loss()",
        "if args.tpu: subprocess.run(['true'])",
    ],
)
def test_what_leaves_the_books_alone_opens_no_world(before: str) -> None:
    assert len(decisions("True", before)) == 1


@pytest.mark.parametrize(
    "before",
    [
        "if args.many: model = nn.parallel.DistributedDataParallel(model)",
        "if args.adam: optimizer = torch.optim.Adam(model.parameters())",
        "if args.half: model.eval(); optimizer.zero_grad()",
    ],
)
def test_what_matters_to_the_books_opens_one(before: str) -> None:
    assert len(decisions("True", before)) == 2


def test_function_of_an_imported_module_is_none_of_this_file() -> None:
    source = LOOP.format(before="if args.upload: subprocess.run(args)", test="True")
    own = "def run(model, optimizer, loader):\n    for batch in loader:\n        model(batch).backward()\n"
    assert [len(region.scenarios) for region in explored(source + own)] == [1, 1]


def test_world_like_another_opens_no_further_ones() -> None:
    """Of `a and b`, either flag leads to the same events; both at once are not tried."""
    found = decisions("args.a and args.b and args.c")
    flips = [sum(not on for on in scenario.values()) for scenario in found]
    assert flips == [0, 1, 1, 1]


def test_condition_that_matters_later_is_flipped() -> None:
    """It leaves a loop before anything hangs on it, and then decides about the step."""
    source = """
def train(model, optimizer, loader, args):
    for name in args.names:
        if args.dry:
            break
    for batch in loader:
        model(batch).backward()
        if not args.dry:
            optimizer.step()
        optimizer.zero_grad()
"""
    assert [scenario.decisions["args.dry"] for scenario in only(source).scenarios] == [False, True]


def test_comparison_that_matters_later_is_flipped() -> None:
    """A comparison that is decided computes from there on; that more hangs on it now is seen nevertheless."""
    before = "if args.rank == -1: model = nn.DataParallel(model)\n    if args.rank != -1: model = DDP(model)"
    assert [scenario["args.rank==-1"] for scenario in decisions("True", before)] == [True, False]


@pytest.mark.parametrize(("flag", "steps"), [("args.train", True), ("args.other", False)])
def test_choice_goes_the_way_that_this_world_has_taken(flag: str, steps: bool) -> None:
    source = f"""
def train(model, loader, args):
    if args.train:
        optimizer = torch.optim.SGD(model.parameters(), 0.1)
        both = amp.initialize(model, optimizer)
    else:
        both = amp.initialize(model)
    model, optimizer = both if {flag} else (both, None)
    for batch in loader:
        model(batch).backward()
        optimizer.step()
        optimizer.zero_grad()
"""
    trained = next(scenario for scenario in only("import torch\nfrom apex import amp\n" + source).scenarios)
    assert trained.decisions["args.train"]
    assert any(event.kind is Kind.STEP for event in trained.events) is steps


def test_length_of_what_has_one() -> None:
    source = LOOP.format(before="n = len(loader) if has_length(loader) else None", test="i + 1 == n")
    (book,) = books_of(source)
    assert [len(update.batches) for update in book.updates] == [7, 7]


SWITCH = """
import torch

def train(model, optimizer, scaler, loader, args):
    if args.bf16:
        dtype = torch.bfloat16
    else:
        dtype = torch.float16
    for batch in loader:
        with torch.autocast("cuda", dtype=dtype):
            loss = model(batch)
        optimizer.zero_grad()
        {rest}
"""
SCALED = """if args.bf16:
            loss.backward()
            optimizer.step()
        else:
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
"""


def test_decision_holds_where_nothing_hangs_on_it() -> None:
    """The guard around the dtypes opens no world; in those that another one opens, it goes their way."""
    for scenario in only(SWITCH.format(rest=SCALED)).scenarios:
        backwards = [event.detail for event in scenario.events if isinstance(event.detail, Backward)]
        forwards = [event.detail for event in scenario.events if isinstance(event.detail, Forward)]
        assert backwards
        scaled = any(backward.scaled_by for backward in backwards)
        assert not (scaled and any(forward.autocast == "bfloat16" for forward in forwards))


def test_one_of_two_dtypes_is_neither() -> None:
    rest = "scaler.scale(loss).backward()\n        scaler.step(optimizer)\n        scaler.update()\n"
    (forward, *_) = events_of(SWITCH.format(rest=rest), Kind.FORWARD)
    assert getattr(forward.detail, "autocast", None) == "dtype"


def test_dtype_of_a_known_switch_is_known() -> None:
    (forward, *_) = events_of(SWITCH.format(rest="loss.backward()").replace("args.bf16", "True"), Kind.FORWARD)
    assert getattr(forward.detail, "autocast", None) == "bfloat16"


WRAPPED = """
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        self.layer = nn.Linear(2, 2)

def main(loader):
    model = nn.DataParallel(Net())
    optimizer = torch.optim.SGD(model.{inner}.parameters(), lr=0.1)
    for batch in loader:
        model(batch).mean().backward()
        optimizer.step()
"""


@pytest.mark.parametrize("inner", ["module", "module.module"])
def test_wrapped_model_of_this_file_is_its_module(inner: str) -> None:
    (book, *_) = books_of(WRAPPED.format(inner=inner))
    assert all(len(update.consumed) for update in book.updates)
    assert book.updates


def test_compiled_function_does_what_it_did() -> None:
    source = """
import torch

def one(model, optimizer, batch):
    model(batch).backward()
    optimizer.step()

def main(model, optimizer, loader):
    global one
    one = torch.compile(one)
    for batch in loader:
        one(model, optimizer, batch)
"""
    assert [region.entry.name for region in explored(source)] == ["main"]
    assert any(event.kind is Kind.STEP for event in log_of(source).events)


def test_resumed_position_binds_the_counter_and_the_window() -> None:
    """Of `state.step % per_epoch * accum`, where the run left off is 0; what it is counted in is no start."""
    source = """
def train(model, optimizer, loader, args, state):
    per_epoch = len(loader) // args.accum_steps + int(len(loader) % args.accum_steps > 0)
    step = state.step % per_epoch * args.accum_steps - 1
    for batch in loader:
        step += 1
        (model(batch) / args.accum_steps).backward()
        if (step + 1) % args.accum_steps == 0:
            optimizer.step()
            optimizer.zero_grad()
"""
    region = only(source)
    assert region.plan.numbers.bindings == {"args.accum_steps": 3, "state.step": 0}
    (book,) = books_of(source)
    assert [len(update.batches) for update in book.updates] == [3, 3, 4, 3]  # the second call inherits a rest
