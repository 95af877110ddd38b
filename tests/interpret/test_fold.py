"""The fold: from a trail to books, one law of bookkeeping at a time."""

from __future__ import annotations

from fractions import Fraction

import pytest

from gradlint.account.fold import fold
from gradlint.model.books import Book, Update, epoch_of, real
from gradlint.model.events import Iteration
from interpret.machine import books_of, explored


def book(*body: str, head: str = "for epoch in range(2):", extra: str = "") -> Book:
    """The book of a loop whose batches do `body`."""
    lines = "\n            ".join(body)
    source = f"""
import torch
{extra}
clip = torch.nn.utils.clip_grad_norm_
def train(model, optimizer, scaler, scheduler, loader, n):
    {head}
        for i, batch in enumerate(loader):
            {lines}
"""
    (found,) = books_of(source)
    return found


def numbers(update: Update) -> list[int]:
    return [item.batch[-1].number for item in update.consumed]


BACKWARD = "model(batch).backward()"
STEP, ZERO = "optimizer.step()", "optimizer.zero_grad()"


def test_update_consumes_what_is_live() -> None:
    found = book(BACKWARD, f"if (i + 1) % n == 0: {STEP}; {ZERO}")
    assert [numbers(update) for update in found.updates] == [[0, 1, 2], [3, 4, 5], [6, 0, 1, 2], [3, 4, 5]]
    assert [item.batch[-1].number for item in found.rest.live] == [6]
    assert found.windows == (3,)


def test_update_without_a_zero_has_stale_gradients() -> None:
    found = book(BACKWARD, STEP)
    assert [len(update.stale) for update in found.updates[:4]] == [0, 1, 2, 3]
    assert {len(update.consumed) for update in found.updates} == {1}


def test_zero_before_a_step_wipes() -> None:
    found = book(BACKWARD, ZERO, STEP)
    assert {len(update.wiped) for update in found.updates} == {1}
    assert not any(update.consumed for update in found.updates)


def test_zero_of_an_epoch_wipes_the_tail_apart() -> None:
    found = book(
        BACKWARD, f"if (i + 1) % n == 0: {STEP}; {ZERO}", head="for epoch in range(2):\n        optimizer.zero_grad()"
    )
    assert [len(update.wiped) for update in found.updates] == [0, 0, 0, 0]
    assert [item.batch[-1].number for item, _ in found.tail_wiped] == [6]


def test_what_is_cleared_behind_the_last_step_was_gathered() -> None:
    found = book(f"if i < 2: {BACKWARD}; {STEP}", f"if i > 2: {BACKWARD}; {ZERO}", head="for epoch in range(1):")
    wiped = [item.batch[-1].number for item, _ in found.rest.wiped]
    assert wiped
    assert min(wiped) == 3
    consumed = [item for update in found.updates for item in update.consumed]
    assert len(list(found.gathered())) == len(consumed) + len(wiped)


def test_clip_sees_what_is_live() -> None:
    found = book("clip(model.parameters(), 1.0)", BACKWARD, "clip(model.parameters(), 1.0)", STEP,
                 "clip(model.parameters(), 1.0)", ZERO)  # fmt: skip
    first, second = found.updates[:2]
    assert [len(clip.live) for clip in first.clips] == [0, 1]
    assert [len(clip.live) for clip in second.clips] == [0, 0, 1]
    assert [clip.spent for clip in second.clips] == [1, 0, 0]
    assert len(found.rest.clips) == 1


def test_unscale_is_seen_by_the_clip() -> None:
    scaled = ["scaler.scale(model(batch)).backward()"]
    end = ["clip(model.parameters(), 1.0)", "scaler.step(optimizer)", "scaler.update()", ZERO]
    without = book(*scaled, *end).updates[0]
    with_it = book(*scaled, "scaler.unscale_(optimizer)", *end).updates[0]
    assert [bool(clip.scaled) for clip in (*without.clips, *with_it.clips)] == [True, False]
    assert (len(without.unscales), len(with_it.unscales)) == (0, 1)
    assert with_it.detail.via == "scaler"


def test_everything_since_the_last_update_belongs_to_the_next() -> None:
    found = book(
        "scaler.scale(model(batch)).backward()", "scaler.step(optimizer)", "scaler.update()", "scheduler.step()", ZERO
    )
    first, second = found.updates[:2]
    assert [len(part) for part in (first.zeros, first.schedules, first.scaler_updates)] == [0, 0, 0]
    assert [len(part) for part in (second.zeros, second.schedules, second.scaler_updates)] == [1, 1, 1]
    assert first.previous is None
    assert second.previous is first.step


def test_two_backwards_of_one_forward_are_one_micro_batch() -> None:
    found = book("loss = model(batch)", "for k in range(2): loss.backward()", STEP, ZERO)
    assert {len(update.consumed) for update in found.updates} == {2}
    assert {len(update.batches) for update in found.updates} == {1}


def test_micro_batches_are_batches() -> None:
    found = book("for k in range(n): model(batch[k]).backward()", STEP, ZERO)
    assert {len(update.batches) for update in found.updates} == {3}
    assert found.windows == (3,)


def test_window_is_the_steady_one() -> None:
    found = book(BACKWARD, f"if i % n == 0: {STEP}; {ZERO}")
    assert [len(update.consumed) for update in found.updates] == [1, 3, 3, 1, 3, 3]
    assert found.windows == (3,)


def test_book_without_updates_has_no_window() -> None:
    assert Book("optimizer").windows == ()


def test_guard_of_an_update_is_its_own() -> None:
    found = book(f"if batch: {BACKWARD}", f"if (i + 1) % n == 0: {STEP}; {ZERO}")
    guard = found.updates[0].guard
    assert guard is not None
    assert guard.text == "(i + 1) % n == 0"
    assert guard.known


@pytest.mark.parametrize(
    ("test", "windowed"),
    [
        ("clip and (i + 1) % n == 0", True),
        ("(i + 1) % n == 0 and not clip", True),
        ("clip and (i + 1) % 4 == 0", True),
        ("clip", False),
        ("clip and i >= 0", False),
    ],
)
def test_guard_that_counts_beside_a_switch_shows_a_window(test: str, windowed: bool) -> None:
    body = f"\n            {BACKWARD}\n            if {test}: {STEP}; {ZERO}\n"
    source = f"def train(model, optimizer, loader, n, clip):\n        for i, batch in enumerate(loader):{body}"
    (found,) = books_of(source)
    first = found.updates[0]
    assert first.guard is not None
    assert not first.guard.known
    assert (first.guard.counts, first.windowed) == (windowed, windowed)


def test_update_without_a_guard() -> None:
    assert book(BACKWARD, STEP, ZERO).updates[0].guard is None


def test_opaque_call_is_noted() -> None:
    found = book(BACKWARD, "mystery(optimizer)", STEP, ZERO)
    assert [event.text for event in found.updates[0].opaques] == ["mystery(optimizer)"]
    assert not found.updates[0].consumed[0].detail.kept


def test_hand_written_gradients_are_noted() -> None:
    found = book(BACKWARD, "for p in model.parameters(): p.grad /= n", STEP, ZERO)
    assert len(found.updates[0].writes) == 1


def weights(update: Update) -> list[str]:
    return ["?" if item.weight is None else str(item.weight) for item in update.consumed]


@pytest.mark.parametrize(
    ("write", "expected"),
    [
        ("p.grad /= 4", "1/4"),
        ("p.grad.div_(4)", "1/4"),
        ("p.grad *= 0.5", "1/2"),
        ("p.grad = p.grad / 4", "1/4"),
        ("p.grad.data.mul_(1 / 4)", "1/4"),
        ("p.grad /= unknown", "?"),
        ("p.grad.add_(0.1)", "?"),
        ("p.grad.clamp_(-1, 1)", "1"),
    ],
)
def test_gradients_written_by_hand_have_another_weight(write: str, expected: str) -> None:
    found = book(BACKWARD, f"for p in model.parameters(): {write}", STEP, ZERO)
    assert {text for update in found.updates for text in weights(update)} == {expected}


def test_a_division_of_gradients_is_one_of_all_that_is_there() -> None:
    """Scaled again at each micro-batch, the first of a window counts least."""
    found = book(BACKWARD, "for p in model.parameters(): p.grad /= n", f"if (i + 1) % n == 0: {STEP}; {ZERO}")
    assert weights(found.updates[0]) == ["1/27", "1/9", "1/3"]
    assert [part.text for part in found.updates[0].consumed[0].factor.parts] == ["n", "n", "n"]


def test_spent_gradients_are_divided_too_but_not_in_the_past() -> None:
    found = book(BACKWARD, STEP, "for p in model.parameters(): p.grad /= 4")
    assert [weights(update) for update in found.updates[:2]] == [["1"], ["1"]]
    assert [item.weight for item in found.updates[1].stale] == [Fraction(1, 4)]
    assert [item.weight for item in found.updates[2].stale] == [Fraction(1, 16), Fraction(1, 4)]


TWO = """
import torch
def train(loader):
    one, two = torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)
    {first} = torch.optim.SGD(one.parameters())
    {second} = torch.optim.SGD({params})
    for batch in loader:
        two(one(batch)).backward()
        for p in {written}.parameters(): p.grad /= 4
        {first}.step()
        {second}.step()
"""


def test_gradients_of_all_models_of_an_optimizer_are_divided_one_after_the_other() -> None:
    text = TWO.format(first="a", second="b", params="[*one.parameters(), *two.parameters()]", written="one")
    assert weights(books_of(text)[1].updates[0]) == ["?"]
    other = "        for p in two.parameters(): p.grad *= 1 / 4\n"
    assert weights(books_of(text.replace("        a.step", f"{other}        a.step"))[1].updates[0]) == ["1/4"]
    again = "        for p in two.parameters(): p.grad /= 2\n"
    assert weights(books_of(text.replace("        a.step", f"{other}{again}        a.step"))[1].updates[0]) == ["?"]


@pytest.mark.parametrize(
    ("params", "written", "expected"),
    [
        ("two.parameters()", "one", ["1/4", "1"]),
        ("two.parameters()", "two", ["1", "1/4"]),
        ("two.parameters()", "other", ["1", "1"]),
        ("chosen", "two", ["1", "?"]),
    ],
)
def test_only_the_gradients_that_are_written_have_another_weight(
    params: str, written: str, expected: list[str]
) -> None:
    text = TWO.format(first="a", second="b", params=params, written=written)
    assert [weights(found.updates[0])[0] for found in books_of(text)] == expected


@pytest.mark.parametrize(
    "zero",
    [
        "model.zero_grad()",
        "for p in model.parameters(): p.grad = None",
        "for p in model.parameters(): p.grad.zero_()",
        "for group in optimizer.param_groups:\n                for p in group['params']: p.grad = None",
        "[p.grad.zero_() for p in model.parameters()]",
        "[p.grad.zero_() for p in model.parameters() if p.grad is not None]",
        "[p.grad.zero_() for group in optimizer.param_groups for p in group['params']]",
        "{p.grad.zero_() for p in model.parameters()}",
        "optimizer.zero_grad(set_to_none=True)",
    ],
)
def test_ways_to_clear(zero: str) -> None:
    found = book(BACKWARD, STEP, zero)
    assert not any(update.stale for update in found.updates)


def test_stamps() -> None:
    stamp = (
        Iteration(0, 1, "call"),
        Iteration(1, 0, "epoch"),
        Iteration(2, 3, "batch"),
        Iteration(3, 1, "other"),
        Iteration(4, 2, "micro"),
    )
    assert [iteration.kind for iteration in real(stamp)] == ["call", "epoch", "batch", "micro"]
    assert [iteration.kind for iteration in epoch_of(stamp)] == ["call", "epoch"]


# ------------------------------------------------------------------------- windows by step site


SITES = """
import torch
def update(optimizer):
    optimizer.step()
    optimizer.zero_grad()

def train(model, optimizer, warm, loader, n):
{body}
"""

EACH = "    for x in warm:\n        model(x).backward()\n        {step}\n"
WINDOW = """\
    for i, x in enumerate(loader):
        model(x).backward()
        if (i + 1) % n == 0:
            {step}
"""
FLUSH = "    if len(loader) % n:\n        {step}\n"


def site_book(body: str, step: str) -> Book:
    """The book of `train()`; `update()` has none of its own."""
    source = SITES.format(body=body.replace("{step}", step))
    (region,) = [region for region in explored(source) if region.entry.name == "train"]
    (found,) = fold(region.scenarios[0], region.plan.numbers.windows, region.plan.window)
    return found


@pytest.mark.parametrize("step", ["optimizer.step(); optimizer.zero_grad()", "update(optimizer)"])
@pytest.mark.parametrize(
    ("body", "windows", "each"),
    [
        (EACH + WINDOW, (1, 3), [1] * 7 + [3, 3]),
        (EACH + WINDOW + FLUSH, (1, 3), [1] * 7 + [3, 3, 3]),
        (WINDOW + FLUSH + EACH, (3, 1), [3, 3, 3] + [1] * 7),
        (WINDOW + FLUSH, (3,), [3, 3, 3]),
        (WINDOW + "        elif i + 1 == len(loader):\n            {step}\n", (3,), [3, 3, 3]),
        (WINDOW + "    else:\n        {step}\n", (3,), [3, 3, 3]),
        (EACH, (1,), [1] * 7),
    ],
)
def test_windows_belong_to_the_sites_of_steps(step: str, body: str, windows: tuple[int, ...], each: list[int]) -> None:
    found = site_book(body, step)
    assert found.windows == windows
    assert [found.window_of(update) for update in found.updates] == 2 * each  # one call for each epoch


def test_a_tail_is_what_a_run_through_the_loader_ends_with() -> None:
    found = site_book(WINDOW + FLUSH + EACH, "update(optimizer)")
    assert [found.tail(update) for update in found.updates] == 2 * ([False, False, True] + [False] * 7)
    assert [found.closes(update) for update in found.updates] == 2 * ([False, False, True] + [False] * 6 + [True])


def test_a_branch_for_the_first_batches_is_a_site_of_its_own() -> None:
    body = """
    for i, x in enumerate(loader):
        model(x).backward()
        if i < 2:
            {step}
        elif (i + 1) % 4 == 0:
            {step}
"""
    found = site_book(body, "update(optimizer)")
    assert [found.window_of(update) for update in found.updates[:2]] == [1, 1]
    assert found.window_of(found.updates[-1]) == 4
