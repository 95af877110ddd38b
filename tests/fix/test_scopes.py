"""Who synchronises, chosen by a helper or asked too late: what is mended, and what is not."""

from __future__ import annotations

import pytest

from gradlint.check.engine import fix_text
from gradlint.model.settings import Settings

LOOP = """\
from contextlib import nullcontext
import torch
from torch import nn
from torch.nn.functional import mse_loss
from torch.nn.parallel import DistributedDataParallel as DDP


class Run:
    def __init__(self, net, every):
        self.net, self.every = DDP(net), every
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def hush(self, last):
        return nullcontext() if last else self.net.no_sync()

    def epoch(self, batches):
        for i, (x, y) in enumerate(batches):
            last = (i + 1) % self.every == 0 or i + 1 == len(batches)
            with self.hush(last):
                (mse_loss(self.net(x), y) / self.every).backward()
            if last:
                self.opt.step()
                self.opt.zero_grad()
"""
RIGHT_WAY = "nullcontext() if last else self.net.no_sync()"
WRONG_WAY = "self.net.no_sync() if last else nullcontext()"
ASKED = "            last = (i + 1) % self.every == 0 or i + 1 == len(batches)\n"
GOES = "                (mse_loss(self.net(x), y) / self.every).backward()\n"
LATE = LOOP.replace(ASKED, "").replace("self.hush(last)", "self.net.no_sync()").replace(GOES, GOES + ASKED)


def fixed(text: str) -> str:
    return fix_text(text, "train.py", Settings()).text


def test_a_helper_that_chooses_the_wrong_way_round_is_turned() -> None:
    assert fixed(LOOP.replace(RIGHT_WAY, WRONG_WAY)) == LOOP.replace(RIGHT_WAY, WRONG_WAY.replace("last", "not last"))


CLOSES = """\
    def close(self, last):
        if last:
            self.opt.step()
            self.opt.zero_grad()

"""
ENDS = "            if last:\n                self.opt.step()\n                self.opt.zero_grad()\n"


def test_a_choice_on_the_spot_is_turned_where_the_guard_stands_elsewhere() -> None:
    inside = LOOP.replace(ENDS, "            self.close(last)\n").replace("    def hush", CLOSES + "    def hush")
    wrong = inside.replace("self.hush(last)", WRONG_WAY)
    assert fixed(wrong) == wrong.replace("no_sync() if last", "no_sync() if not last")


def test_a_helper_that_another_loop_tells_the_contrary_stays() -> None:
    helper = LOOP.replace(RIGHT_WAY, WRONG_WAY)
    right = LOOP[LOOP.index("    def epoch") :].replace("epoch", "other").replace("hush(last)", "hush(not last)")
    assert fixed(helper + right) == helper.replace("hush(last)", "hush(not last)") + right


def test_a_helper_is_told_of_the_tail_too() -> None:
    assert fixed(LOOP.replace("self.hush(last)", "self.hush((i + 1) % self.every == 0)")) == LOOP


def test_a_question_behind_the_backward_is_put_before_it() -> None:
    assert fixed(LATE) == LOOP.replace("self.hush(last)", RIGHT_WAY)


SOMETIMES = "        if torch.distributed.is_initialized():\n            self.net = DDP(net)"
GROWS = "            batches.append((x, y)) if i < 2 else None\n"
LEFT = {
    "a helper that asks for more than the window": LOOP.replace(
        RIGHT_WAY, "self.net.no_sync() if last or self.every > 9 else nullcontext()"
    ),
    "a network that is wrapped now and then": LOOP.replace(RIGHT_WAY, WRONG_WAY).replace(
        "DDP(net), every", f"net, every\n{SOMETIMES}"
    ),
    "what it was for the batch before is read behind the forward": LATE.replace(
        ASKED, "                if i and last:\n                    print(i)\n" + ASKED
    ),
    "a length that changes on the way": LATE.replace(ASKED, GROWS + ASKED),
    "a question that does something": LATE.replace("len(batches)", "self.count(batches)"),
    "a question about the loss": LATE.replace("i + 1 == len(batches)", "loss > 9.0").replace(
        GOES, "                loss = mse_loss(self.net(x), y) / self.every\n                loss.backward()\n"
    ),
}


@pytest.mark.parametrize("text", LEFT.values(), ids=list(LEFT))
def test_what_would_choose_wrongly_then_is_left_alone(text: str) -> None:
    compile(text, "train.py", "exec")
    assert fixed(text) == text
