"""One update more in an epoch, one division less: where that is safe, and where something asks for the number."""

from __future__ import annotations

import difflib

import pytest

from gradlint.check.engine import check_text, fix_text
from gradlint.model.settings import Settings

LOOP = """\
import torch
from torch.nn.functional import mse_loss


def train(net, {given}, n=4, epochs=3):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    {first}
    for epoch in range(epochs):
        {before}
        for {target} in {batches}:
            (mse_loss(net(x), y) / n).backward()
            {counts}
            if {test}:
                opt.step()
                opt.zero_grad()
                {then}
        {last}


def main(rows):
    net = torch.nn.Linear(3, 1)
    loader = {made}
    train(net, loader)
"""
PLAIN = {
    "given": "loader",
    "first": "",
    "before": "",
    "target": "i, (x, y)",
    "batches": "enumerate(loader)",
    "counts": "",
    "test": "(i + 1) % n == 0",
    "then": "",
    "last": "",
    "made": "torch.utils.data.DataLoader(rows, batch_size=8)",
}


def loop(**parts: str) -> str:
    text = LOOP.format(**PLAIN | parts)
    return "\n".join(line for line in text.splitlines() if line.strip() or not line) + "\n"


def mended(text: str) -> list[str]:
    after = fix_text(text, "train.py", Settings()).text
    lines = difflib.unified_diff(text.splitlines(), after.splitlines(), lineterm="", n=0)
    return [line for line in lines if line[0] in "+-" and line[:3] not in ("+++", "---")]


def reason(text: str, rule: str = "dropped-accumulation-tail") -> str:
    (one,) = (one for one in check_text(text, "train.py", Settings()).findings if one.rule == rule)
    return one.fix.reason if one.fix is not None else "no repair"


GUARD = ["-            if (i + 1) % n == 0:", "+            if (i + 1) % n == 0 or (i + 1) == len(loader):"]
BEHIND = [
    "+        if (i + 1) % n != 0:",
    "+            opt.step()",
    "+            opt.zero_grad()",
]
STREAM = {"made": "torch.utils.data.DataLoader(Stream(rows))"}

SAFE = {
    "a loader made in sight": (loop(), GUARD),
    "updates that are only told": (
        loop(first="updates = 0", then="updates += 1; print(updates, f'{updates} updates')"),
        GUARD,
    ),
    "a schedule of epochs": (
        loop(first="s = torch.optim.lr_scheduler.StepLR(opt, 2)", last="s.step()"),
        GUARD,
    ),
    "a parameter of unknown make": (
        loop(made="given(rows)"),
        ["+        i = -1", *BEHIND],
    ),
    "a count from one": (
        loop(made="given(rows)", batches="enumerate(loader, 1)", test="i % n == 0"),
        ["+        i = 0", "+        if i % n != 0:", *BEHIND[1:]],
    ),
    "a count that is there before": (
        loop(made="given(rows)", before="i = -1"),
        BEHIND,
    ),
    "a count of what waits": (
        loop(
            before="waiting = 0", target="x, y", batches="loader", counts="waiting += 1", test="waiting == n",
            then="waiting = 0",
        ),
        ["+        if waiting > 0:", *BEHIND[1:], "+            waiting = 0"],
    ),
    "a count of what waits, past batches that are left out": (
        loop(
            before="waiting, total = 0, 0.0", target="x, y", batches="loader",
            counts="waiting += 1", test="waiting >= n", then="waiting = 0",
        ).replace("            (mse", "            if not y.any():\n                continue\n            (mse"),
        ["+        if waiting > 0:", *BEHIND[1:], "+            waiting = 0"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SAFE)
def test_the_rest_of_an_epoch_is_used_where_nothing_goes_by_updates(name: str) -> None:
    text, lines = SAFE[name]
    assert sorted(mended(text)) == sorted(lines)


MORE = "would be one more in each epoch"
UNSAFE = {
    "a count in a table": (
        loop(first="state = {'n': 0}", then="state['n'] += 1"),
        f"`state['n'] += 1` may go by the number of updates, of which there {MORE}",
    ),
    "rates in turn": (
        loop(first="rates = iter([0.1] * 9)", then="opt.param_groups[0]['lr'] = next(rates)"),
        f"`opt.param_groups[0]['lr'] = next(rates)` may go by the number of updates, of which there {MORE}",
    ),
    "an average that may warm up": (
        loop(first="ema = averaged(net)", then="ema.update(net)"),
        f"`ema.update(net)` may go by the number of updates, of which there {MORE}",
    ),
    "a count that is worked out of the batches": (
        loop(then="print(i)", last="warm(epoch * len(loader) // n)"),
        f"`epoch * len(loader) // n` may go by the number of updates, of which there {MORE}",
    ),
    "a hook on each update": (
        loop(first="opt.register_step_post_hook(count)"),
        "`register_step_post_hook` goes by the number of updates",
    ),
    "a schedule of updates": (
        loop(first="s = torch.optim.lr_scheduler.StepLR(opt, 2)", then="s.step()"),
        "an epoch gets one update more, so a schedule's length may change",
    ),
    "a number of updates that somebody was told": (
        loop(first="s = schedule(opt, num_training_steps=90)", last="s.step()"),
        "`num_training_steps` goes by the number of updates",
    ),
    "a rate that is made of the number of updates": (
        loop(first="updates = 0", then="updates += 1", last="opt.param_groups[0]['lr'] = 0.1 / (1 + updates)"),
        "`updates` may go by the number of updates, of which there would be one more in each epoch",
    ),
}


@pytest.mark.parametrize("name", UNSAFE)
def test_the_rest_of_an_epoch_is_left_where_something_goes_by_updates(name: str) -> None:
    text, why = UNSAFE[name]
    assert mended(text) == []
    assert reason(text) == why


def test_ranks_would_have_to_agree_on_one_update_more() -> None:
    text = loop(first="net = torch.nn.parallel.DistributedDataParallel(net)")
    assert reason(text) == "several processes would have to make one update more"


LEFT = {
    "a loop of unknown length that may be left in the middle": loop(made="given(rows)").replace(
        "            (mse", "            if not y.any():\n                break\n            (mse"
    ),
    "a loop of unknown length that leaves batches out": loop(made="given(rows)").replace(
        "            (mse", "            if not y.any():\n                continue\n            (mse"
    ),
}


@pytest.mark.parametrize("name", LEFT)
def test_a_rest_that_nobody_can_tell_is_left(name: str) -> None:
    assert mended(LEFT[name]) == []


TWICE = """\
import torch
from torch.nn.functional import mse_loss


def loss_of(net, x, y, n):
    loss = mse_loss(net(x), y)
    {divides}
    return {returned}


def train(net, loader, n=4):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        loss = loss_of(net, x, y, n)
        {again}.backward()
        {told}
        if (i + 1) % n == 0 or (i + 1) == len(loader):
            opt.step()
            opt.zero_grad()
"""


def twice(divides: str = "", returned: str = "loss / n", again: str = "(loss / n)", told: str = "") -> str:
    text = TWICE.format(divides=divides, returned=returned, again=again, told=told)
    return "\n".join(line for line in text.splitlines() if line.strip() or not line) + "\n"


ONCE = ["+        loss.backward()", "-        (loss / n).backward()"]


@pytest.mark.parametrize(
    "text",
    [twice(), twice("loss = loss / n", "loss"), twice(told="print(loss.item())"), twice(returned="0.5 * loss / n")],
    ids=["returned", "set", "told", "half of it"],
)
def test_a_loss_that_is_divided_by_the_window_twice_is_divided_once(text: str) -> None:
    assert sorted(mended(text)) == sorted(ONCE)


@pytest.mark.parametrize(
    "text",
    [
        twice(again="(loss / 2)"),
        twice("loss = loss + mse_loss(net(-x), y)\n    crops = 4", "loss / crops"),
        twice().replace("lr=0.1", "lr=0.1 * n"),
        twice(returned="loss / 8"),
        twice(returned="loss", again="(loss / 16)"),
        twice(returned="loss"),
    ],
    ids=[
        "another number",
        "the number of crops",
        "a rate that makes up for it",
        "a weight",
        "a square in one",
        "right",
    ],
)
def test_another_divisor_is_left_to_a_person(text: str) -> None:
    assert mended(text) == []
