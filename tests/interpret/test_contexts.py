"""Contexts: synchronisation, precision, gradients off, accumulation, and how they are entered."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from gradlint import check_source
from gradlint.model.events import Backward, Forward, Kind
from interpret.machine import events_of, only

LOOP = """
import contextlib
import torch
from contextlib import ExitStack, nullcontext
from functools import partial
from torch.nn.parallel import DistributedDataParallel as DDP

@contextlib.contextmanager
def quiet(model, off=True):
    if off:
        with model.no_sync():
            yield
    else:
        yield

@contextlib.contextmanager
def passing(x):
    print("before")
    yield x
    print("after")

def chosen(model, due):
    return nullcontext() if due else model.no_sync()

def train(model, net, optimizer, loader, flag):
    model = DDP(model)
    for epoch in range(2):
        for i, batch in enumerate(loader):
            due = (i + 1) % 3 == 0
            {body}
            if due:
                optimizer.step()
                optimizer.zero_grad()
"""


def source(*body: str) -> str:
    return LOOP.format(body="\n            ".join(body))


def synced(*body: str) -> list[bool | None]:
    """Which of the first six backwards all-reduce."""
    found = [event.detail for event in events_of(source(*body), Kind.BACKWARD)]
    return [detail.synced for detail in found[:6] if isinstance(detail, Backward)]


EVERY, LAST, NEVER = [True] * 6, [False, False, True] * 2, [False] * 6


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (["model(batch).backward()"], EVERY),
        (["with model.no_sync(): model(batch).backward()"], NEVER),
        (["with nullcontext(): model(batch).backward()"], EVERY),
        (["with nullcontext() if due else model.no_sync(): model(batch).backward()"], LAST),
        (["with model.no_sync() if not due else nullcontext(): model(batch).backward()"], LAST),
        (["c = nullcontext() if due else model.no_sync()", "with c: model(batch).backward()"], LAST),
        (["c = nullcontext if due else model.no_sync", "with c(): model(batch).backward()"], LAST),
        (["c = model.no_sync", "with c(): model(batch).backward()"], NEVER),
        (["with chosen(model, due): model(batch).backward()"], LAST),
        (["with quiet(model): model(batch).backward()"], NEVER),
        (["with quiet(model, off=not due): model(batch).backward()"], LAST),
        (["with quiet(model, False): model(batch).backward()"], EVERY),
        (["with passing(1), model.no_sync(): model(batch).backward()"], NEVER),
        (["with model.no_sync(), passing(1) as x: model(batch).backward()"], NEVER),
        (["with ExitStack() as stack:",
          "    if not due: stack.enter_context(model.no_sync())",
          "    model(batch).backward()"], LAST),
        (["with contextlib.ExitStack() as s:",
          "    s.enter_context(model.no_sync())",
          "    model(batch).backward()"], NEVER),
        (["model.require_backward_grad_sync = due", "model(batch).backward()"], LAST),
        (["with model.no_sync():", "    pass", "model(batch).backward()"], EVERY),
        (["with torch.no_grad(), model.no_sync(): print(1)", "model(batch).backward()"], EVERY),
        (["loss = model(batch)", "with model.no_sync(): loss.backward()"], EVERY),
        (["with model.no_sync(): loss = model(batch)", "loss.backward()"], NEVER),
    ],
    ids=str,
)  # fmt: skip
def test_forward_decides_the_all_reduce(body: list[str], expected: list[bool]) -> None:
    assert synced(*body) == expected


def test_bare_model_has_no_all_reduce() -> None:
    assert synced("net(batch).backward()") == [None] * 6


def test_forward_outside_is_told() -> None:
    event = events_of(source("loss = model(batch)", "with model.no_sync(): loss.backward()"), Kind.BACKWARD)[0]
    assert isinstance(event.detail, Backward)
    assert event.detail.outside == event.detail.forwards != ()


def test_no_sync_of_another_model() -> None:
    text = """
from torch.nn.parallel import DistributedDataParallel as DDP
def train(one, two, optimizer, loader):
    one, two = DDP(one), DDP(two)
    for batch in loader:
        with one.no_sync():
            one(batch).backward()
            two(batch).backward()
        optimizer.step()
"""
    found = [event.detail for event in events_of(text, Kind.BACKWARD)]
    assert [detail.synced for detail in found[:2] if isinstance(detail, Backward)] == [False, True]


@pytest.mark.parametrize("flag", ["False", "due", "not due"])
def test_fsdp2_switch(flag: str) -> None:
    text = source(f"net.set_requires_gradient_sync({flag})", "net(batch).backward()")
    text = text.replace("model = DDP(model)", "from x import fully_shard; fully_shard(net)")
    found = [event.detail for event in events_of(text, Kind.BACKWARD)][:3]
    expected = {"False": [False] * 3, "due": [False, False, True], "not due": [True, True, False]}
    assert [detail.synced for detail in found if isinstance(detail, Backward)] == expected[flag]


# --------------------------------------------------------------------- precision, gradients


def forward(*body: str) -> Forward:
    """The first forward."""
    detail = events_of(source(*body), Kind.FORWARD)[0].detail
    assert isinstance(detail, Forward)
    return detail


@pytest.mark.parametrize(
    ("context", "dtype"),
    [
        ("torch.autocast('cuda')", "float16"),
        ("torch.autocast('cpu')", "bfloat16"),
        ("torch.autocast('cuda', dtype=torch.bfloat16)", "bfloat16"),
        ("torch.autocast('cuda', torch.float16)", "float16"),
        ("torch.cuda.amp.autocast()", "float16"),
        ("torch.cuda.amp.autocast(enabled=False)", ""),
        ("torch.autocast('cuda', enabled=False)", ""),
        ("nullcontext()", ""),
        ("torch.autocast('cuda', enabled=flag)", "float16"),
    ],
)
def test_autocast(context: str, dtype: str) -> None:
    assert forward(f"with {context}: loss = model(batch)", "loss.backward()").autocast == dtype


def test_autocast_is_left() -> None:
    text = source("with torch.autocast('cuda'): loss = model(batch)", "loss.backward()")
    detail = events_of(text, Kind.BACKWARD)[0].detail
    assert isinstance(detail, Backward)
    assert detail.autocast == ""


@pytest.mark.parametrize(
    ("context", "attached"),
    [
        ("torch.no_grad()", False),
        ("torch.inference_mode()", False),
        ("torch.set_grad_enabled(False)", False),
        ("torch.set_grad_enabled(True)", True),
        ("torch.enable_grad()", True),
        ("nullcontext()", True),
    ],
)
def test_gradients_off(context: str, attached: bool) -> None:
    assert forward(f"with {context}: x = model(batch)", "net(batch).backward()").attached is attached


def test_inner_enable_grad_wins() -> None:
    body = ["with torch.no_grad():", "    with torch.enable_grad(): x = model(batch)"]
    assert forward(*body, "net(batch).backward()").attached


@pytest.mark.parametrize("decorator", ["torch.no_grad()", "torch.inference_mode()"])
def test_decorated_function_is_without_gradients(decorator: str) -> None:
    text = f"""
import torch
@{decorator}
def look(model, batch):
    return model(batch)
def train(model, optimizer, loader):
    for batch in loader:
        look(model, batch)
        model(batch).backward()
        optimizer.step()
"""
    details = [event.detail for event in events_of(text, Kind.FORWARD)][:2]
    assert [detail.attached for detail in details if isinstance(detail, Forward)] == [False, True]


# ---------------------------------------------------------------------------- accumulation

ACCELERATE = """
from accelerate import Accelerator
def train(model, optimizer, scheduler, loader{more}):
    accelerator = Accelerator({options})
    model, optimizer, loader, scheduler = accelerator.prepare(model, optimizer, loader, scheduler)
    for epoch in range(2):
        for batch in loader:
            with accelerator.accumulate(model):
                accelerator.backward(model(batch))
                optimizer.step()
                scheduler.step()
                optimizer.zero_grad()
"""


@pytest.mark.parametrize(
    ("options", "more", "divisor"),
    [
        ("", "", 1),
        ("gradient_accumulation_steps=1", "", 1),
        ("gradient_accumulation_steps=2", "", 2),
        ("gradient_accumulation_steps=n", ", n", 3),
        ("gradient_accumulation_steps=args.n", ", args", 3),
    ],
)
def test_accelerate_gates_what_it_prepared(options: str, more: str, divisor: int) -> None:
    text = ACCELERATE.format(options=options, more=more)
    steps = 2 * math.ceil(only(text).plan.batches / divisor)
    for kind in (Kind.STEP, Kind.ZERO, Kind.SCHEDULE):
        assert len(events_of(text, kind)) == steps
    for event in events_of(text, Kind.BACKWARD):
        assert isinstance(event.detail, Backward)
        assert event.detail.factor.weight == Fraction(1, divisor)


def test_accelerate_lets_go_at_the_last_batch_of_an_epoch() -> None:
    text = ACCELERATE.format(options="gradient_accumulation_steps=n", more=", n")
    iterations = [event.stamp[-1].number for event in events_of(text, Kind.STEP)]
    assert iterations == [2, 5, 6] * 2


def test_accelerate_shows_its_boundary() -> None:
    text = ACCELERATE.format(options="gradient_accumulation_steps=n", more=", n").replace(
        "                optimizer.step()",
        "                if accelerator.sync_gradients:\n"
        "                    accelerator.clip_grad_norm_(model.parameters(), 1.0)\n"
        "                optimizer.step()",
    )
    assert len(events_of(text, Kind.CLIP)) == 6


def test_accelerate_does_not_gate_what_is_not_its_own() -> None:
    text = ACCELERATE.format(options="gradient_accumulation_steps=n", more=", n").replace(
        "optimizer.zero_grad()", "model.zero_grad()"
    )
    assert len(events_of(text, Kind.ZERO)) == 14


def test_fabric_skips_synchronisation() -> None:
    text = """
from lightning.fabric import Fabric
def train(model, optimizer, loader, n):
    fabric = Fabric()
    model, optimizer = fabric.setup(model, optimizer)
    for i, batch in enumerate(loader):
        last = (i + 1) % n == 0
        with fabric.no_backward_sync(model, enabled=not last):
            fabric.backward(model(batch) / n)
        if last:
            optimizer.step()
            optimizer.zero_grad()
"""
    assert only(text).plan.numbers.windows == {"n"}
    found = [event.detail for event in events_of(text, Kind.BACKWARD)]
    assert [detail.synced for detail in found[:3] if isinstance(detail, Backward)] == [False, False, None]
    assert {detail.framework for detail in found if isinstance(detail, Backward)} == {"fabric"}


def test_what_a_stack_puts_off_runs_where_it_is_left() -> None:
    """The last one first, also where a helper has made the stack, and once."""
    body = (
        "with ExitStack() as stack:",
        "    stack.callback(optimizer.zero_grad)",
        "    stack.callback(partial(optimizer.step))",
        "    net(batch).mean().backward()",
    )
    kinds = [Kind.BACKWARD, Kind.STEP, Kind.ZERO]
    text = source(*body).replace("            if due:", "            continue\n            if due:")
    assert [event.kind for event in events_of(text, *kinds)][:6] == kinds * 2


@pytest.mark.parametrize(("left", "steps"), [("stack.pop_all()", 0), ("stack.pop_all().close()", 1), ("pass", 1)])
def test_what_is_handed_to_another_stack_does_not_run_with_this_one(left: str, steps: int) -> None:
    body = (
        "with ExitStack() as stack:",
        "    stack.callback(optimizer.step)",
        "    net(batch).mean().backward()",
        f"    {left}",
    )
    text = source(*body).replace("            if due:", "            continue\n            if due:")
    assert len(events_of(text, Kind.STEP)) == steps * len(events_of(text, Kind.BACKWARD))


@pytest.mark.parametrize("name", ["scaler", "s"])
@pytest.mark.parametrize(
    "ends", ["    yield {0}\n    {0}.update()", "    try:\n        yield {0}\n    finally:\n        {0}.update()"]
)
def test_a_manager_updates_the_scaler_that_it_is_handed(name: str, ends: str) -> None:
    text = f"""
from contextlib import contextmanager

import torch


@contextmanager
def turn({name}):
{ends.format(name)}


def train(net, batches, optimizer):
    scaler = torch.amp.GradScaler("cuda")
    for x, y in batches:
        with turn(scaler) as scale:
            optimizer.zero_grad()
            scale.scale(torch.nn.functional.l1_loss(net(x), y)).backward()
            scale.step(optimizer)
"""
    assert [finding.rule for finding in check_source(text)] == []
    without = text.replace(f"{name}.update()", "pass")
    assert [finding.rule for finding in check_source(without)] == ["missing-scaler-update"]
