"""Some mistakes are there in whichever micro-batch the step comes: that nobody can tell its window is no doubt."""

from __future__ import annotations

import pytest

from gradlint.api import check_source

LOOP = """
import torch


def train(model, loader, tracker, count):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cuda")
    for step, x in enumerate(loader, 1):
        with torch.autocast("cuda"):
            loss = model(x).mean()
        {back}
        if {ends}:
            {first}
            {second}
            {third}
            scaler.update()
            optimizer.zero_grad()
"""

BACK = "scaler.scale(loss).backward()"
CLIP = "torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)"
STEP = "scaler.step(optimizer)"
ENDS = ("tracker.update_now(step)", "step % 4 == 0")


def told(ends: str, back: str, *lines: str) -> set[str]:
    first, second, third = (*lines, "pass", "pass")[:3]
    source = LOOP.format(back=back, ends=ends, first=first, second=second, third=third)
    found = {one.rule for one in check_source(source)}
    return found & {"clip-scaled-gradients", "clip-after-step", "step-bypasses-scaler", "unscaled-backward"}


@pytest.mark.parametrize("ends", ENDS)
def test_the_right_order_is_silent(ends: str) -> None:
    assert told(ends, BACK, "scaler.unscale_(optimizer)", CLIP, STEP) == set()


@pytest.mark.parametrize("ends", ENDS)
def test_the_wrong_ones_are_sure(ends: str) -> None:
    assert told(ends, BACK, CLIP, STEP) == {"clip-scaled-gradients"}
    assert told(ends, BACK, "scaler.unscale_(optimizer)", STEP, CLIP) == {"clip-after-step"}
    assert told(ends, BACK, "optimizer.step()") == {"step-bypasses-scaler"}
    assert told(ends, "loss.backward()", STEP) == {"unscaled-backward"}


@pytest.mark.parametrize("divided", ["8", "count"])
def test_gradients_that_are_averaged_by_hand_keep_the_scale(divided: str) -> None:
    average = f"[p.grad.div_({divided}) for p in model.parameters() if p.grad is not None]"
    assert told(ENDS[1], BACK, average, CLIP, STEP) == ({"clip-scaled-gradients"} if divided == "8" else set())


@pytest.mark.parametrize("divided", ["scaler.get_scale()", "65536.0"])
def test_gradients_that_are_unscaled_by_hand_do_not(divided: str) -> None:
    unscale = f"[p.grad.div_({divided}) for p in model.parameters()]"
    assert told(ENDS[1], BACK, unscale, CLIP, STEP) == set()
