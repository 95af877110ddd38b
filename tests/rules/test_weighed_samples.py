"""What weighs samples, or one term against another, divides no window: the micro-batches are summed whole."""

from __future__ import annotations

import pytest

from gradlint.api import check_source

LOOP = """
import math
import numpy as np
import torch


def losses_of(net, x, steps):
    terms = {{}}
    terms["mse"] = ((net(x) - x) ** 2).mean(dim=1)
    terms["vb"] = net(x).abs().mean(dim=1){bits}
    terms["vb"] *= steps / {units}
    terms["loss"] = (terms["mse"] + terms["vb"]){times}
    return terms


def train(net, data, micro, steps, sampler):
    optimizer = torch.optim.AdamW(net.parameters())
    for batch in data:
        optimizer.zero_grad()
        for i in range(0, batch.shape[0], micro):
            x = batch[i : i + micro]
            weights = torch.rand(x.shape[0])
            losses = losses_of(net, x, steps)
            sampler.update_with_local_losses(losses["loss"].detach())
            loss = (losses["loss"] * weights).mean(){share}
            loss.backward()
        optimizer.step()
"""

RIGHT = " / (batch.shape[0] // micro)"


def told(bits: str = "", units: str = "1000.0", times: str = "", share: str = "") -> bool:
    source = LOOP.format(bits=bits, units=units, times=times, share=share)
    return "unscaled-accumulation-loss" in {one.rule for one in check_source(source)}


@pytest.mark.parametrize("bits", ["", " / np.log(2.0)", " / math.sqrt(2)", " / 0.07"])
def test_constants_weigh_a_term(bits: str) -> None:
    assert told(bits)
    assert not told(bits, share=RIGHT)


@pytest.mark.parametrize(("times", "whole"), [(" * steps.shape[0]", True), (" * steps.rest", False)])
def test_a_size_that_multiplies_is_no_share(times: str, whole: bool) -> None:
    assert told(times=times) is whole


@pytest.mark.parametrize("share", [" / (len(data) / 3)", " / math.sqrt(micro)", " / steps"])
def test_a_share_that_is_computed_is_no_constant(share: str) -> None:
    """It may be the window, or be meant to make up for it: only a number that stands in the source weighs."""
    assert not told(share=share)


@pytest.mark.parametrize(("call", "sure"), [("update_all(losses)", True), ("update_all(optimizer)", False)])
def test_who_draws_samples_leaves_gradients_alone(call: str, sure: bool) -> None:
    source = LOOP.format(bits="", units="1000.0", times="", share="").replace(
        'update_with_local_losses(losses["loss"].detach())', call
    )
    assert ("unscaled-accumulation-loss" in {one.rule for one in check_source(source)}) is sure
