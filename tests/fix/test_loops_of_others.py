"""More loops that are mended, each beside a near miss: helpers, generators of batches, lists of networks, notebooks' ways."""

from __future__ import annotations

import pytest
from fix.test_loops_mended import TORCH, changed, difference

SCALES = (
    TORCH
    + """

def fit(net, loader):
    opt = torch.optim.Adam(net.parameters())
    scaler = torch.amp.GradScaler()
    for number, (x, y) in enumerate(loader):
        opt.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            error = F.mse_loss(net(x), y)
        (error if number % 2 else scaler.scale(error)).backward()
        scaler.step(opt)
        scaler.update()
"""
)

UNROLLED = (
    TORCH
    + """

def fit(cell, series, span):
    opt = torch.optim.RMSprop(cell.parameters())
    state, error, shown = None, 0, []
    error = 0.0
    for moment, (x, y) in enumerate(series, 1):
        out, state = cell(x, state)
        error = error + F.mse_loss(out, y)
        if moment % span == 0:
            opt.zero_grad()
            error.backward()
            opt.step()
            shown.append(error)
            state, error = state.detach(), 0.0
            error = 0.0
    return shown
"""
)

MENDED = {
    "a sum that was gone back from when it is kept": (
        UNROLLED,
        ["+            shown.append(error.detach())", "-            shown.append(error)"],
    ),
    "a loss that is scaled on one of two ways": (
        SCALES,
        [
            "+        scaler.scale(error).backward()",
            "-        (error if number % 2 else scaler.scale(error)).backward()",
        ],
    ),
}
"""What is done to a loop."""

LEFT = {
    "a sum that is kept when it was set to a number again": changed(
        "            shown.append(error)\n            state, error = state.detach(), 0.0\n            error = 0.0\n",
        "            error = 0.0 if moment > 9 else error\n            shown.append(error)\n            state, error = state.detach(), 0.0\n",
        UNROLLED,
    ),
    "a sum that is kept behind the branch that goes back": changed(
        "            shown.append(error)\n            state, error = state.detach(), 0.0\n            error = 0.0\n",
        "            state, error = state.detach(), 0.0\n            error = 0.0\n        shown.append(error)\n",
        UNROLLED,
    ),
    "a loss that was scaled before, sometimes": changed(
        "        (error if number % 2 else scaler.scale(error)).backward()\n",
        "        if number % 2 == 0:\n            error = scaler.scale(error)\n        error.backward()\n",
        SCALES,
    ),
    "a loss that is scaled on one way, and another on the other": changed(
        "(error if number", "(error.square() if number", SCALES
    ),
}
"""What is let be."""


@pytest.mark.parametrize("name", MENDED)
def test_a_mistake_is_mended(name: str) -> None:
    text, lines = MENDED[name]
    assert sorted(difference(name, text)) == sorted(lines)


@pytest.mark.parametrize("name", LEFT)
def test_a_near_miss_is_left_alone(name: str) -> None:
    assert difference(name, LEFT[name]) == []
