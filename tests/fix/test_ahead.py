"""A limit that is worked out between the step and the clip goes ahead with the clip, if it comes out the same there."""

from __future__ import annotations

import pytest

from gradlint.check.engine import fix_text
from gradlint.model.settings import Settings

LOOP = """\
import math
import random
import numpy as np
import torch
from statistics import median
from torch import nn
from torch.nn import functional as F
from torch.nn.utils import clip_grad_norm_, get_total_norm

SHARE = 0.5


class Limits:
    def __init__(self, share=0.5):
        self.share, self.seen = share, []

    def see(self, norm):
        self.seen.append(norm)

    def limit(self):
        return self.share * max(self.seen) if self.seen else 1.0

    def report(self):
        print(self.seen)


def norm_of(parameters):
    total = 0.0
    for p in parameters:
        if p.grad is not None:
            total += p.grad.norm(2).item() ** 2
    return math.sqrt(total)


def length_of(parameters):
    return sum(p.norm().item() for p in parameters)


def train(net, loader, log, factor, smooth=0.9):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    params = list(net.parameters())
    limits, norms, usual, weight = Limits(), [], 1.0, net.weight
    for x, y in loader:
        opt.zero_grad()
        F.mse_loss(net(x), y).backward()
        opt.step()
        log(params)
{ahead}
        clip_grad_norm_(params, limit)
        norms.append(1.0)
"""
SEEN = "norms.append(norm_of(params))"

RIGHT = {
    "kept norms": "limit = SHARE * median(norms[-9:]) if norms else factor",
    "a norm that is kept first": f"{SEEN}\nlimit = np.percentile(norms, 10)",
    "all gradients of the file's network": "limit = get_total_norm([p.grad for p in net.parameters()]).item()",
    "gradients that there are": "limit = torch.stack([p.grad.norm() for p in params if p.grad is not None]).norm()",
    "one gradient": "limit = net.weight.grad.abs().max().item()",
    "one way or the other": "if len(norms) > 5:\n    limit = torch.tensor(norms).quantile(0.5)\nelse:\n    limit = 1.0",
    "a loop over parameters": "total = 0.0\nfor p in params:\n    total += p.grad.data.norm(2) ** 2\nlimit = total / 2",
    "a loop over names": "limit = 0.0\nfor n, p in net.named_parameters():\n    limit += p.grad.norm()",
    "without gradients": "with torch.no_grad():\n    limit = 2 * torch.linalg.norm(net.weight.grad)",
    "a running mean": "usual = smooth * usual + (1 - smooth) * norm_of(params)\nlimit = 1.5 * usual",
    "an object that keeps": "limits.see(norm_of(params))\nlimit = limits.limit()",
}  # fmt: skip

LEFT = {
    "the weights' norm": "limit = 0.01 * net.weight.norm().item()",
    "the weights' norm by another name": "limit = 0.01 * weight.norm().item()",
    "the weights' data": "limit = 0.01 * sum(p.data.norm().item() for p in params)",
    "each weight": "limit = 0.01 * sum(p.norm().item() for p in params)",
    "the weights' norm in a helper": "limit = length_of(params)",
    "the weights in a loop": "limit = 0.0\nfor p in params:\n    limit += p.abs().sum().item()",
    "weights beside gradients": "limit = max(p.norm() / p.grad.norm() for p in params)",
    "a list of weights": "limit = max(torch.stack([p for p in params]).norm(), 1.0)",
    "the rate": "limit = 0.1 / opt.param_groups[0]['lr']",
    "the loss behind the step": "limit = F.mse_loss(net(x), y).item()",
    "a draw": "limit = random.random()",
    "a draw of torch": "limit = torch.rand(1).item()",
    "nobody knows what": "limit = log.limit(params)",
    "an object out of sight": "factor.see(1.0)\nlimit = factor.limit()",
    "a gradient that is changed": "limit = net.weight.grad.mul_(0.5).norm()",
    "a list that is read in between": f"log(norms)\n{SEEN}\nlimit = median(norms)",
    "a list that is told in between": "norms.append(3.0)\nlog(params)\nlimit = net.scale(norms)",
    "a list with another name": f"kept = norms\nlog(kept)\n{SEEN}\nlimit = median(norms)",
    "a limit that is told in between": "log(limit)\nlimit = median(norms)",
    "a limit that is set in between": "limit = log(x)\nlimit = limit * norm_of(params)",
    "cleared in between": "opt.zero_grad()\nlimit = norm_of(params)",
    "changed in between": "for p in params:\n    p.grad.mul_(2)\nlimit = norm_of(params)",
    "changed in a helper in between": "double(params)\nlimit = norm_of(params)",
    "left in between": "if log(x):\n    break\nlimit = median(norms)",
    "an object that is asked in between": "limits.report()\nlimits.see(2.0)\nlimit = limits.limit()",
    "an object that is handed on in between": "log(limits)\nlimits.see(2.0)\nlimit = limits.limit()",
    "somebody who is asked in between": "report()\nlimits.see(2.0)\nlimit = limits.limit()",
    "somebody who may be asked in between": "log.after = report\nlog(y)\nlimits.see(2.0)\nlimit = limits.limit()",
    "a closure that reads": f"log.after = lambda: norms[-1]\nlog(y)\n{SEEN}\nlimit = median(norms)",
}  # fmt: skip


def _spelled(ahead: str) -> str:
    text = LOOP.format(ahead="\n".join(f"        {line}" for line in ahead.split("\n")))
    helpers = (
        "def double(parameters):\n    for p in parameters:\n        p.grad.mul_(2)\n\n\n"
        "def report():\n    print(Limits.last.seen)\n\n\n"
    )
    return text.replace("def train", helpers + "def train")


@pytest.mark.parametrize("name", RIGHT)
def test_what_a_clip_needs_goes_ahead_of_the_step_with_it(name: str) -> None:
    text, step = _spelled(RIGHT[name]), "        opt.step()\n        log(params)\n"
    clip = "        clip_grad_norm_(params, limit)\n"
    expected = text.replace(step, "").replace(clip, clip + step)
    assert fix_text(text, "loop.py", Settings()).text == expected


@pytest.mark.parametrize("name", LEFT)
def test_what_may_come_out_otherwise_stays_behind_the_step(name: str) -> None:
    text = _spelled(LEFT[name])
    assert fix_text(text, "loop.py", Settings()).text == text


CLOSURE = """\
import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


def fit(net, loader, norms, limit=1.0):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in loader:
        def closure():
            opt.zero_grad()
            out = net(x)
            loss = nn.functional.mse_loss(out, y)
            loss.backward(retain_graph=True)
            rough = out.pow(2).mean()
            rough.backward()
            return loss

        loss = opt.step(closure)
{behind}
        print(loss.item())
"""
CLIP = "clip_grad_norm_(net.parameters(), limit)"


@pytest.mark.parametrize("clip", [CLIP, f"norms.append(float({CLIP}))"])
def test_a_clip_behind_a_step_with_a_closure_goes_into_that(clip: str) -> None:
    text = CLOSURE.format(behind=f"        {clip}")
    last = "            rough.backward()\n"
    expected = text.replace(f"        {clip}\n", "").replace(last, f"{last}            {clip}\n")
    assert fix_text(text, "loop.py", Settings()).text == expected


@pytest.mark.parametrize(
    "behind",
    [
        f"norm = {CLIP}\nprint(norm)",
        f"limit = 0.5 * loss.item()\n{CLIP}",
        f"limit *= 0.9\n{CLIP}",
        f"print(norms)\nnorms.append(float({CLIP}))",
        f"bound = 2.0\n{CLIP.replace('limit', 'bound')}",
    ],
)
def test_a_clip_that_hangs_on_what_comes_behind_the_step_stays(behind: str) -> None:
    text = CLOSURE.format(behind="\n".join(f"        {line}" for line in behind.split("\n")))
    assert fix_text(text, "loop.py", Settings()).text == text
