"""Windows: what a modulus or a counter teaches, and what must not be taken for a window."""

from __future__ import annotations

import pytest

from gradlint.interpret.explore import regions
from gradlint.interpret.plan import MAX_WINDOW, Plan, Restart
from gradlint.lower import lower
from gradlint.model.events import Kind
from interpret.machine import books_of, only

LOOP = """
def train(model, optimizer, loader, args, config, {names}):
    {before}
    for epoch in range({epochs}):
        {count} = 0
        for i, batch in enumerate(loader):
            model(batch).backward()
            {count} += 1
            if {test}:
                optimizer.step()
                optimizer.zero_grad()
                {after}
"""


def plan(test: str, names: str = "n", before: str = "pass", after: str = "pass") -> Plan:
    source = LOOP.format(names=names, before=before, test=test, count="count", epochs="epochs", after=after)
    return only(source).plan


@pytest.mark.parametrize(
    ("test", "name"),
    [
        ("(i + 1) % n == 0", "n"),
        ("i % n == n - 1", "n"),
        ("not (i + 1) % n", "n"),
        ("(i + 1) % args.accum == 0", "args.accum"),
        ("(i + 1) % config['accum'] == 0", "config['accum']"),
        ("(i + 1) % int(args.accum) == 0", "args.accum"),
        ("(i + 1) % (a // b) == 0", "(a // b)"),
        ("count % n == 0", "n"),
        ("count == accumulation_steps", "accumulation_steps"),
        ("count >= accumulation_steps", "accumulation_steps"),
        ("accumulation_steps == count", "accumulation_steps"),
        ("(i + 1) % n == 0 or i + 1 == len(loader)", "n"),
        ("i + 1 == len(loader) or (i + 1) % n == 0", "n"),
        ("(i + 1) % n == 0 and args.x", "n"),
        ("(i + 1) % max(n, 1) == 0", "n"),
    ],
)
def test_window_is_learned(test: str, name: str) -> None:
    found = plan(test, "n, a, b, accumulation_steps")
    assert found.numbers.bindings[name.replace('"', "'")] == 3
    assert found.numbers.windows == {name}


@pytest.mark.parametrize(
    ("test", "size"),
    [
        ("(i + 1) % 4 == 0", 4),
        ("i % 8 == 7", 8),
        ("not (i + 1) % 4", 4),
        ("count == 4", 4),
        ("count >= 5", 5),
        ("(i + 1) % 4 == 0 or i + 1 == len(loader)", 4),
        ("(i + 1) % 64 == 0", 64),
    ],
)
def test_number_is_the_window(test: str, size: int) -> None:
    assert plan(test).window == size


@pytest.mark.parametrize(
    ("before", "test"),
    [
        ("pass", "(i + 1) % 4 == 0 or i + 1 == len(loader)"),
        ("total = len(loader)", "(i + 1) % 4 == 0 or i + 1 == total"),
        ("last = len(loader) - 1", "(i + 1) % 4 == 0 or i == last"),
        ("total = len(loader)", "count % 4 == 0 or count == total"),
    ],
)
def test_last_batch_is_no_window(before: str, test: str) -> None:
    assert plan(test, before=before).window == 4


@pytest.mark.parametrize("test", ["i == i - i % 4 + 3", "i + 1 == min(len(loader), i - i % 4 + 4)"])
def test_place_in_the_epoch_is_no_window(test: str) -> None:
    assert plan(test).window == 4


@pytest.mark.parametrize("test", ["(i + 1) % 1 == 0", "(i + 1) % 10000 == 0", "i > 0", "i != 3"])
def test_number_is_no_window(test: str) -> None:
    assert plan(test).window == 3


PLOTS = """
def plot(images, most=16):
    for i, image in enumerate(images):
        {guard}
        image.show()

def train(net, loader, optimizer, criterion, n):
    for epoch in range(9):
        for i, (x, y) in enumerate(loader):
            (criterion(net(x), y) / n).backward()
            if (i + 1) % n == 0:
                optimizer.step()
                optimizer.zero_grad()
            plot([x, x, x])
"""


@pytest.mark.parametrize("guard", ["if i == most: break", "if i == 16: continue", "if i % 16 == 0: break"])
def test_a_loop_without_work_ends_no_window(guard: str) -> None:
    assert only(PLOTS.format(guard=guard)).plan.window == 3


def test_who_goes_on_to_a_step_shows_a_window() -> None:
    source = """
def steps(count, optimizers):
    for optimizer in optimizers:
        if count % 4 != 0:
            continue
        optimizer.step()
        optimizer.zero_grad()

def train(net, loader, optimizer, criterion):
    for i, (x, y) in enumerate(loader):
        (criterion(net(x), y) / 4).backward()
        steps(i + 1, [optimizer])
"""
    assert only(source).plan.window == 4


def test_constant_of_the_module_is_the_window() -> None:
    source = "STEPS = 5\n" + LOOP.format(
        names="n", before="pass", test="(i + 1) % STEPS == 0", count="c", epochs=2, after="pass"
    )
    assert only(source).plan.window == 5


@pytest.mark.parametrize(("default", "size"), [(1, 3), (2, 2), (4, 4), (8, 8), (64, 3)])
def test_default_of_a_parameter_is_the_size_of_its_window(default: int, size: int) -> None:
    found = plan("(i + 1) % n == 0", f"n={default}")
    assert found.numbers.bindings["n"] == found.window == size


def test_window_of_one_in_an_assignment_is_a_default() -> None:
    found = plan("(i + 1) % accumulation_steps == 0", before="accumulation_steps = 1")
    assert found.numbers.bindings["accumulation_steps"] == 3


@pytest.mark.parametrize(
    "test",
    [
        *("i > warmup_steps", "i < max_iters", "epoch >= start_epoch", "i == best_step"),
        *("i > learning_starts", "loss_value > 3"),
    ],
)
def test_counts_that_are_no_windows(test: str) -> None:
    names = "n, warmup_steps, max_iters, start_epoch, best_step, learning_starts, loss_value"
    assert not plan(test, names).numbers.windows


def test_interval_that_gates_no_step_is_no_window() -> None:
    source = """
def train(model, optimizer, loader, log, log_every, save_every):
    for i, batch in enumerate(loader):
        optimizer.zero_grad()
        model(batch).backward()
        optimizer.step()
        if i % log_every == 0:
            log(i)
        if (i + 1) % save_every == 0:
            log("saved")
"""
    found = only(source)
    assert not found.plan.numbers.windows
    assert len(found.scenarios) == 1


def test_interval_of_both_backward_and_step_is_no_window() -> None:
    source = """
def train(actor, critic, actor_optimizer, critic_optimizer, loader, policy_delay):
    for i, batch in enumerate(loader):
        critic_optimizer.zero_grad()
        critic(batch).backward()
        critic_optimizer.step()
        if i % policy_delay == 0:
            actor_optimizer.zero_grad()
            actor(batch).backward()
            actor_optimizer.step()
"""
    (critic, actor) = books_of(source)
    assert {len(update.consumed) for update in (*critic.updates, *actor.updates)} == {1}


def test_two_windows_are_learned_together() -> None:
    source = """
def train(first, second, first_optimizer, second_optimizer, loader, a, b):
    for i, batch in enumerate(loader):
        first(batch).backward()
        second(batch).backward()
        if (i + 1) % a == 0:
            first_optimizer.step()
            first_optimizer.zero_grad()
        if (i + 1) % b == 0:
            second_optimizer.step()
            second_optimizer.zero_grad()
"""
    assert only(source).plan.numbers.windows == {"a", "b"}


def test_micro_batches_of_a_range_are_the_window() -> None:
    source = """
def train(model, optimizer, loader, n):
    for batch in loader:
        for micro in range(n):
            model(batch[micro]).backward()
        optimizer.step()
        optimizer.zero_grad()
"""
    assert only(source).plan.numbers.windows == {"n"}


def test_counter_of_a_caller_starts_anywhere() -> None:
    source = """
def train(model, optimizer, loader, step, n):
    for batch in loader:
        model(batch).backward()
        step += 1
        if step % n == 0:
            optimizer.step()
            optimizer.zero_grad()
"""
    found = only(source).plan
    assert found.numbers.bindings == {"n": 3, "step": 0}
    assert found.numbers.starts == {"step"}
    assert found.numbers.windows == {"n"}


@pytest.mark.parametrize("epochs", ["epochs", "2", "range_of", "args.epochs", "1, epochs + 1"])
def test_loop_over_epochs_turns_twice(epochs: str) -> None:
    source = f"""
def train(model, optimizer, loader, epochs, args, range_of):
    for epoch in range({epochs}):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).backward()
            optimizer.step()
"""
    (book,) = books_of(source)
    assert len(book.updates) == 14


def test_function_without_epochs_is_called_twice() -> None:
    source = """
def train(model, optimizer, loader):
    for batch in loader:
        optimizer.zero_grad()
        model(batch).backward()
        optimizer.step()
"""
    (book,) = books_of(source)
    assert len(book.updates) == 14


def test_function_that_makes_its_optimizer_is_called_once() -> None:
    source = """
import torch
def train(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for batch in loader:
        optimizer.zero_grad()
        model(batch).backward()
        optimizer.step()
"""
    (book,) = books_of(source)
    assert len(book.updates) == 7


# ---------------------------------------------------------------------------------- plans


def test_binding_starts_over_once() -> None:
    made = Plan()
    with pytest.raises(Restart):
        made.bind_window("n")
    made.bind_window("n")
    assert made.numbers.bindings == {"n": 3}


def test_widening_binds_the_windows_again() -> None:
    made = Plan()
    with pytest.raises(Restart):
        made.bind_window("n")
    with pytest.raises(Restart):
        made.widen(5)
    assert made.numbers.bindings == {"n": 5}
    assert made.batches == 11
    made.widen(4)  # a smaller one fits into the larger loader
    assert made.window == 5


@pytest.mark.parametrize("size", [-1, 0, 1, MAX_WINDOW + 1])
def test_sizes_that_are_no_windows(size: int) -> None:
    made = Plan()
    made.widen(size)
    assert made.window == 3


def test_frozen_plan_learns_nothing() -> None:
    made = Plan(frozen=True)
    made.bind("n", 4)
    made.widen(7)
    assert not made.numbers.bindings
    assert made.window == 3


RESUMED = """
import os

def train(model, optimizer, loader, folder, n, resume):
    step = 0
    if resume:
        found = [name for name in os.listdir(folder) if name.startswith("checkpoint")]
        {resumed}
    for epoch in range(2):
        for batch in loader:
            (model(batch) / n).backward()
            if (step + 1) % n == 0:
                optimizer.step()
            {between}
            if (step + 1) % n == 0:
                optimizer.zero_grad()
            step += 1
"""


@pytest.mark.parametrize(
    "resumed",
    [
        "step = int(found[-1].split('-')[1])",
        "for name in found:\n            step = int(name.split('-')[1])",
    ],
)
def test_a_count_that_is_resumed(resumed: str) -> None:
    """Wherever a checkpoint has its number from, the run that is not resumed counts from the start."""
    found = only(RESUMED.format(resumed=resumed, between="pass"))
    first = found.scenarios[0]
    assert not first.unsure_guards
    order = [event.kind for event in first.events if event.kind in (Kind.BACKWARD, Kind.STEP, Kind.ZERO)]
    window = [Kind.BACKWARD] * 3 + [Kind.STEP, Kind.ZERO]
    assert order[:10] == window * 2


def test_a_count_that_has_moved_is_asked_anew() -> None:
    source = RESUMED.format(
        resumed="for name in found:\n            step = int(name.split('-')[1])", between="step += 1"
    )
    first = only(source).scenarios[0]
    steps = {event.stamp for event in first.events if event.kind is Kind.STEP}
    zeros = {event.stamp for event in first.events if event.kind is Kind.ZERO}
    assert steps != zeros


LOGGED = """
import torch


def train(model, loader, loggers, schedule, events, args):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    {handed}
    for x in loader:
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()
        step += 1
        if step % args.log_every == 0:
            for logger in loggers:
                logger(step)
"""


@pytest.mark.parametrize("handed", ['print("steps", args.step)', "events.on(args.train)", "events.on(schedule.state)"])
def test_what_is_only_read_is_no_listener(handed: str) -> None:
    (region,) = regions(lower(LOGGED.format(handed=handed), "loop.py"))
    assert region.plan.numbers.windows == set()
