"""Repairs that make the mistake vanish and something else with it: each is not confirmed, and the reason says what."""

from __future__ import annotations

import pytest

from gradlint.verify.compare import confirmed
from verify.wet import CONFIRMED, loops, said

ZERO_IN_HELPER = """
def fb(model, b, accum_steps):
    model.zero_grad()
    loss = model(b).mean() / accum_steps
    loss.backward()
    return loss.item()


def train(model, loader, opt, accum_steps=4):
    for i, b in enumerate(loader, 1):
        fb(model, b, accum_steps)
        if i % accum_steps == 0 or i == len(loader):
            opt.step()
"""
CLIP_IN_HELPER = """
import torch


def bw(model, loss):
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)


def train(model, loader, opt, accum_steps=4):
    opt.zero_grad()
    for i, b in enumerate(loader, 1):
        bw(model, model(b).mean() / accum_steps)
        if i % accum_steps == 0 or i == len(loader):
            opt.step()
            opt.zero_grad()
"""
CHUNKS = """
import torch


def backward(model, loss):
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)


def train(model, loader, opt, n_chunks=8):
    for batch in loader:
        opt.zero_grad()
        for part in batch.chunk(n_chunks):
            loss = model(part).mean()
            backward(model, loss / n_chunks)
        opt.step()
"""
TWO_MOVES = """
import torch


def train(model, loader, opt, updates, accum_steps=4):
    sched = torch.optim.lr_scheduler.LinearLR(opt, total_iters=updates)
    c = 0
    for e in range(9):
        for b in loader:
            (model(b).mean() / accum_steps).backward()
            c += 1
            if c % accum_steps:
                sched.step()
                continue
            opt.step()
            sched.step()
            opt.zero_grad()
"""
MOVES_IN_HELPER = """
import torch


def fwd_bw_sched(model, b, sched, accum_steps):
    loss = model(b).mean() / accum_steps
    loss.backward()
    sched.step()


def train(model, loader, opt, updates, accum_steps=4):
    sched = torch.optim.lr_scheduler.LinearLR(opt, total_iters=updates)
    c = 0
    for e in range(9):
        for b in loader:
            fwd_bw_sched(model, b, sched, accum_steps)
            c += 1
            if c % accum_steps == 0:
                opt.step()
                opt.zero_grad()
"""
UNDIVIDED = """
import torch


def train(model, loader, opt, updates, accum_steps=4):
    sched = torch.optim.lr_scheduler.LinearLR(opt, total_iters=updates)
    opt.zero_grad()
    for i, b in enumerate(loader):
        loss = model(b).mean()
        loss.backward()
        if (i + 1) % accum_steps == 0 or i + 1 == len(loader):
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            sched.step()
            opt.zero_grad()
"""
OFF_BY_ONE = """
def train(model, loader, opt, sched, accum_steps=4):
    opt.zero_grad()
    for i, b in enumerate(loader):
        loss = model(b).mean() / accum_steps
        loss.backward()
        if i % accum_steps == 0:
            opt.step()
            sched.step()
            opt.zero_grad()
"""
DIVIDED = ("        loss = model(b).mean()\n", "        loss = model(b).mean() / accum_steps\n")
CLIP = "            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)\n"
ZERO = "            opt.zero_grad()\n"
GUARD = "        if i % accum_steps == 0 or i == len(loader):\n            opt.step()\n"
SHIFTED = ("if i % accum_steps == 0", "if (i + 1) % accum_steps == 0")

WRONG = {
    "the helper's call moves whole": (
        ZERO_IN_HELPER,
        [("        fb(model, b, accum_steps)\n", ""), (GUARD, f"{GUARD}            fb(model, b, accum_steps)\n")],
        "micro-batches of the updates of `opt`: 4 4 4 4 became 0 1 1 1",
    ),
    "only the last micro-batch is trained, all are computed": (
        ZERO_IN_HELPER,
        [
            ("    model.zero_grad()\n", ""),
            ("    loss.backward()\n    return loss.item()", "    return loss"),
            ("        fb(model, b, accum_steps)\n", "        loss = fb(model, b, accum_steps)\n"),
            (
                GUARD,
                GUARD.replace("opt.step()", "loss.backward()\n            opt.step()\n            opt.zero_grad()"),
            ),
        ],
        "the window divides the loss, and every update takes one micro-batch",
    ),
    "the helper of the clip moves with its backward": (
        CLIP_IN_HELPER,
        [
            ("        bw(model, model(b).mean() / accum_steps)\n", "        loss = model(b).mean() / n\n"),
            ("            opt.step()\n", "            bw(model, loss)\n            opt.step()\n"),
        ],
        "4 4 4 4 became 1 1 1 1",
    ),
    "backward moves out of the micro loop": (
        CHUNKS,
        [("            backward(model, loss / n_chunks)\n", "        backward(model, loss / n_chunks)\n")],
        "micro-batches of the updates of `opt`: 8 8 8 8 8 8 8 8 ... became 1 1 1 1 1 1 1 1",
    ),
    "two scheduler moves": (
        TWO_MOVES,
        [
            ("                sched.step()\n                continue\n", "                continue\n"),
            ("            opt.step()\n", "            opt.step()\n            sched.step()\n"),
        ],
        "moves of `sched` around the updates: 3 4 4 4 1 became 0 2 2 2 2",
    ),
    "the scheduler of a helper moves whole": (
        MOVES_IN_HELPER,
        [
            ("            fwd_bw_sched(model, b, sched, accum_steps)\n", ""),
            (
                "                opt.zero_grad()\n",
                "                opt.zero_grad()\n                fwd_bw_sched(model, b, sched, accum_steps)\n",
            ),
        ],
        "micro-batches of the updates of `opt`",
    ),
    "the scheduler moves no more": (MOVES_IN_HELPER, [("    sched.step()\n", "")], "moves of `sched`"),
    "a lost zero": (UNDIVIDED, [DIVIDED, (ZERO, "")], "the repaired loop shows missing-zero-grad"),
    "a lost clip": (UNDIVIDED, [DIVIDED, (CLIP, "")], "4 updates of `opt` had a clip, now 0"),
    "a lost update": (
        UNDIVIDED,
        [DIVIDED, ("(i + 1) % accum_steps == 0 or i + 1 == len(loader)", "i + 1 == len(loader)")],
        "micro-batches of the updates of `opt`: 4 4 4 4 became 8 8",
    ),
    "a clip lost in the first window": (
        UNDIVIDED,
        [DIVIDED, (CLIP, f"            if i >= accum_steps:\n    {CLIP}")],
        "4 updates of `opt` had a clip, now 2",
    ),
    "a lost scheduler": (UNDIVIDED, [DIVIDED, ("            sched.step()\n", "")], "moves of `sched`"),
    "the scheduler moves for each micro-batch": (
        UNDIVIDED,
        [DIVIDED, ("        loss.backward()\n", "        loss.backward()\n        sched.step()\n")],
        "scheduler-per-micro-batch",
    ),
    "one update an epoch for windows off by one": (
        OFF_BY_ONE,
        [("if i % accum_steps == 0", "if i + 1 == len(loader)")],
        "a window has 4",
    ),
    "one micro-batch an update for windows off by one": (
        OFF_BY_ONE,
        [("if i % accum_steps == 0", "if i >= 0")],
        "the window divides the loss, and every update takes one micro-batch",
    ),
}
RIGHT = {
    "zero behind the step": (
        ZERO_IN_HELPER,
        [("    model.zero_grad()\n", ""), (GUARD, f"{GUARD}            opt.zero_grad()\n")],
    ),
    "clip at the boundary": (
        CLIP_IN_HELPER,
        [
            ("    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)\n", ""),
            ("            opt.step()\n", f"{CLIP}            opt.step()\n"),
        ],
    ),
    "clip behind the chunks": (
        CHUNKS,
        [
            ("    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)\n", ""),
            ("        opt.step()\n", f"{CLIP[4:]}        opt.step()\n"),
        ],
    ),
    "one move": (
        TWO_MOVES,
        [("                sched.step()\n                continue\n", "                continue\n")],
    ),
    "a move an update": (
        MOVES_IN_HELPER,
        [("    sched.step()\n", ""), ("opt.step()\n", "opt.step()\n                sched.step()\n")],
    ),
    "divided": (UNDIVIDED, [DIVIDED]),
    "windows begin at one": (OFF_BY_ONE, [SHIFTED]),
    "windows begin at one, and the tail has an update": (
        OFF_BY_ONE,
        [("if i % accum_steps == 0", "if (i + 1) % accum_steps == 0 or i + 1 == len(loader)")],
    ),
}


def repaired(text: str, edits: list[tuple[str, str]]) -> str:
    for old, new in edits:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_repair_is_not_confirmed(name: str) -> None:
    text, edits, reason = WRONG[name]
    assert reason in confirmed(text, repaired(text, edits), "train.py")


@pytest.mark.parametrize("name", RIGHT)
def test_the_right_repair_is_confirmed(name: str) -> None:
    text, edits = RIGHT[name]
    assert confirmed(text, repaired(text, edits), "train.py") == ""


# ---------------------------------------------------------------------- a library's weight

ACCELERATED = """
from accelerate import Accelerator


def train(model, opt, loader):
    accelerator = Accelerator(gradient_accumulation_steps=4)
    model, opt, loader = accelerator.prepare(model, opt, loader)
    for batch in loader:
        with accelerator.accumulate(model):
            loss = model(batch).loss
            accelerator.backward(loss)
            opt.step()
            opt.zero_grad()
"""
ALONE = ("with accelerator.accumulate(model):", "if True:")
UNPREPARED = ("model, opt, loader = accelerator.prepare(model, opt, loader)", "model = accelerator.prepare(model)")


@pytest.mark.parametrize("edits", [[ALONE], [UNPREPARED]], ids=["no accumulate", "an optimizer that is not prepared"])
def test_a_window_of_one_has_weight_one(edits: list[tuple[str, str]]) -> None:
    (loop,) = loops(repaired(ACCELERATED, edits))
    assert (loop.verdict.value, loop.rules) == ("differs", {"accumulation-divisor-mismatch"}), said(loop)
    assert "the library divides its loss by 4" in loop.shown[0].text


def test_weights_that_make_up_for_it() -> None:
    text = repaired(
        ACCELERATED, [ALONE, ("backward(loss)", "backward(loss * accelerator.gradient_accumulation_steps)")]
    )
    (loop,) = loops(text)
    assert "accumulation-divisor-mismatch" not in loop.rules, said(loop)
    assert said(loops(ACCELERATED)[0]) == CONFIRMED


SUMMED = """
def train(model, loader, opts, accum_steps=4):
    for i, b in enumerate(loader):
        loss = model(b).mean()
        loss.backward(WEIGHT)
        if (i + 1) % accum_steps == 0 or i + 1 == len(loader):
            opts.step()
            opts.zero_grad()
"""


@pytest.mark.parametrize(("weight", "verdict"), [("gradient=w", "inconclusive"), ("", "differs")])
def test_a_gradient_handed_to_backward_is_a_weight_nobody_knows(weight: str, verdict: str) -> None:
    (loop,) = loops(SUMMED.replace("WEIGHT", weight))
    assert loop.verdict.value == verdict, said(loop)


def test_an_optimizer_that_nothing_clears_is_not_confirmed() -> None:
    text = """
import torch


class Learner:
    def __init__(self, actor, cfg):
        self.actor = actor
        self.log_alpha = torch.zeros(1, requires_grad=True)
        self.actor_optim = torch.optim.Adam(actor.parameters())
        self.alpha_optim = torch.optim.Adam([self.log_alpha])

    def update(self, obs):
        loss = self.actor(obs).mean()
        self.actor_optim.zero_grad()
        loss.backward()
        self.actor_optim.step()
        alpha_loss = -(self.log_alpha * self.actor(obs).detach()).mean()
        alpha_loss.backward()
        self.alpha_optim.step()
"""
    (loop,) = loops(text)
    assert loop.verdict.value == "inconclusive", said(loop)


def test_optimizers_that_take_turns_lose_nothing() -> None:
    text = """
import torch

a, b = A(), B()
opts = (torch.optim.Adam(a.parameters()), torch.optim.Adam(b.parameters()))
for step, (x, y) in enumerate(loader):
    opt = opts[step % 2]
    loss = torch.nn.functional.mse_loss(b(a(x)), y)
    for o in opts:
        o.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()
"""
    (loop,) = loops(text)
    assert "zero-grad-in-accumulation" not in loop.rules, said(loop)
