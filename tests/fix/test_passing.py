"""What is moved and then passed by: a schedule in front of other updates, a clear behind a way out."""

from __future__ import annotations

import pytest

from gradlint.api import fix_source

HEAD = """\
import torch
from torch import nn


def train(stream, memory, epochs, skip, accum=4):
    net = nn.Linear(3, 1)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, gamma=0.5)
"""
UPDATES = """\
        for x, y in {}:
            opt.zero_grad()
            nn.functional.mse_loss(net(x), y).backward()
            opt.step()
"""
EPOCH = "    for epoch in range(epochs):\n        sched.step()\n" + UPDATES.format("stream")


def repaired(body: str) -> str:
    return fix_source(HEAD + body, "train.py").text.removeprefix(HEAD)


@pytest.mark.parametrize(
    ("way", "jump"),
    [
        ("epoch % 2 == 0", "continue"),
        ("epoch % 5 != 4", "continue"),
        ("epoch == skip", "continue"),
        ("epoch == skip", "return net"),
    ],
)
def test_a_schedule_moves_on_each_way_out_of_its_epoch(way: str, jump: str) -> None:
    out = f"        if {way}:\n            {jump}\n"
    moved = EPOCH.replace("        sched.step()\n", "") + out.replace(jump, f"sched.step()\n            {jump}")
    body = EPOCH + out + UPDATES.format("memory")
    assert repaired(body) == moved + UPDATES.format("memory") + "        sched.step()\n"


def test_a_schedule_moves_in_front_of_a_way_out_that_no_update_follows() -> None:
    rest = "        error = evaluate(net)\n        if error >= skip:\n            {}\n        note(error)\n"
    for jump in ("continue", "break"):
        fixed = repaired(EPOCH + rest.format(jump))
        assert fixed.index("sched.step()") < fixed.index("if error >= skip")
        assert fixed.count("sched.step()") == 1


@pytest.mark.parametrize(
    "body",
    [
        EPOCH + '        torch.save(sched.state_dict(), "x")\n' + UPDATES.format("memory"),
        EPOCH
        + "        if epoch == skip:\n            break\n"
        + UPDATES.format("memory")
        + UPDATES.format("memory")[4:],
        EPOCH.replace(
            "            opt.zero_grad()",
            "            if skip(x):\n                continue\n            opt.zero_grad()",
        )
        + '        torch.save(sched.state_dict(), "x")\n'
        + UPDATES.format("memory"),
    ],
)
def test_a_schedule_stays_where_an_update_would_have_the_next_rate(body: str) -> None:
    assert repaired(body) == body


BATCH = """\
    for i, (x, y) in enumerate(stream):
        loss = nn.functional.mse_loss(net(x), y)
        loss.backward()
        opt.zero_grad()
        if {}:
            continue
        opt.step()
"""


@pytest.mark.parametrize("way", ["i % 50 == 49", "i == 1000", "i < 3"])
def test_a_clear_does_not_move_behind_a_way_out(way: str) -> None:
    """Where it can be made in front of the backward, that is done."""
    clear, text = "        opt.zero_grad()\n", BATCH.format(way)
    ahead = text.replace(clear, "").replace("        loss.backward()", f"{clear}        loss.backward()")
    assert repaired(text) in (text, ahead)


def test_a_clear_moves_ahead_of_its_backward_for_who_reads_the_gradients() -> None:
    body = (
        "    for x, y in stream:\n        nn.functional.mse_loss(net(x), y).backward()\n        opt.zero_grad()\n"
        "        opt.step()\n        skip([p.grad.norm() for p in net.parameters()])\n"
    )
    assert repaired(body).index("opt.zero_grad()") < repaired(body).index(".backward()")


NORMS = """\
    for i, (x, y) in enumerate(stream):
        (nn.functional.mse_loss(net(x), y) / accum).backward()
        norm = nn.utils.clip_grad_norm_(net.parameters(), 0.1)
        {}
        if (i + 1) % accum:
            continue
        opt.step()
        opt.zero_grad()
"""


@pytest.mark.parametrize("keeper", ["skip.add(norm)", "skip.append(norm.item())", "skip.meter.update(norm)"])
def test_who_only_keeps_a_norm_goes_along(keeper: str) -> None:
    fixed = repaired(NORMS.format(keeper))
    assert fixed.index("continue") < fixed.index("norm = ") < fixed.index(keeper) < fixed.index("opt.step()")


@pytest.mark.parametrize(
    "reader", ["skip(norm)", "skip.add(norm, i)", "total = norm + 1", "memory.add(norm) or print(memory)"]
)
def test_who_may_do_more_with_a_norm_goes_on_measuring(reader: str) -> None:
    text, clip = NORMS.format(reader), "nn.utils.clip_grad_norm_(net.parameters(), 0.1)\n"
    measured = text.replace("0.1)", 'float("inf"))')
    assert repaired(text) == measured.replace("        opt.step()", f"        {clip}        opt.step()")


@pytest.mark.parametrize(
    "reader", ["norm = skip(norm, opt)", "skip.add(norm); skip.apply()", "opt.param_groups[0]['lr'] = norm"]
)
def test_who_may_steer_by_a_norm_stays(reader: str) -> None:
    assert repaired(NORMS.format(reader)) == NORMS.format(reader)


def test_a_clear_moves_behind_the_end_of_a_window() -> None:
    body = BATCH.format("(i + 1) % accum != 0").replace("(net(x), y)", "(net(x), y) / accum")
    assert repaired(body).endswith("        opt.step()\n        opt.zero_grad()\n")


def test_a_clear_that_drops_a_batch_stays() -> None:
    body = (
        "    for i, (x, y) in enumerate(stream):\n"
        "        (nn.functional.mse_loss(net(x), y) / accum).backward()\n"
        "        if i < 3:\n            opt.zero_grad()\n            continue\n"
        "        if (i + 1) % accum == 0:\n            opt.step()\n            opt.zero_grad()\n"
    )
    assert repaired(body) == body


READS = """\
    for x, y in stream:
        before = flat(net)
        nn.functional.mse_loss(net(x), y).backward()
        turned(opt, before, flat(net))
        opt.step()


def flat(net):
    found = [p.grad.flatten() for p in net.parameters() if p.grad is not None]
    return torch.cat(found) if found else None


def turned(opt, before, now):
    if before is None:
        return
    for group in opt.param_groups:
        group["lr"] *= 1.1 if before @ now > 0 else 0.7
"""


def test_a_clear_behind_what_reads_the_gradients_of_the_step_before() -> None:
    """A helper that has nothing to do leaves only itself: the step that follows is to have the gradients."""
    after = READS.replace("flat(net)\n        nn", "flat(net)\n        opt.zero_grad()\n        nn")
    assert repaired(READS) == after


def test_that_clear_takes_what_a_batch_that_went_wrong_has_left() -> None:
    skips = READS.replace("        opt.step()\n", "        if bad(net):\n            continue\n        opt.step()\n")
    assert "opt.zero_grad()\n        nn" in repaired(
        skips + "\n\ndef bad(net):\n    return not net.weight.isfinite().all()\n"
    )
