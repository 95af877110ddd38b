"""Shapes of loops that once misled the wet run: right ones it accused, wrong ones it let pass."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from verify.wet import CONFIRMED, loops, said

PROBE = """
    import torch

    def train(model, probe, loader, accum_steps=4):
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        probe_optimizer = torch.optim.SGD(probe.parameters(), lr=0.1)
        for i, (x, y) in enumerate(loader):
            z = model(x)
            (criterion(z, y) / accum_steps).backward()
            if (i + 1) % accum_steps == 0:
                optimizer.step()
                optimizer.zero_grad()
            probe_optimizer.zero_grad()
            probe_loss = criterion(probe(x), y)
            probe_loss.backward()
            probe_optimizer.step()
"""
FLAG = """
    import os, torch
    from torch.nn.parallel import DistributedDataParallel as DDP
    from model import GPT

    accumulation_steps = 8
    accumulation_steps //= int(os.environ["WORLD_SIZE"])
    model = DDP(GPT().cuda())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for iteration in range(100):
        for micro_step in range(accumulation_steps):
            model.require_backward_grad_sync = micro_step == accumulation_steps - 1
            loss = criterion(model(x), y) / accumulation_steps
            loss.backward()
        optimizer.step()
        optimizer.zero_grad()
"""
SCALER = """
    import torch

    class NativeScaler:
        def __init__(self):
            self._scaler = torch.cuda.amp.GradScaler()

        def __call__(self, loss, optimizer, update_grad=True):
            self._scaler.scale(loss).backward()
            if update_grad:
                self._scaler.step(optimizer)
                self._scaler.update()

    def train_one_epoch(model, data_loader, optimizer, loss_scaler, accum_iter):
        optimizer.zero_grad()
        for step, (x, y) in enumerate(data_loader):
            loss = criterion(model(x), y)
            update = (step + 1) % accum_iter == 0
            loss_scaler(loss / accum_iter, optimizer, update_grad=update)
            if update:
                optimizer.zero_grad()
"""
QUEUE = """
    import torch

    def train(model, loader, optimizer, log_queue):
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
            logs = {}
            while not log_queue.empty():
                logs.update(log_queue.get())
"""
VALUE = """
    import torch

    def train(model, loader, optimizer):
        scaler = torch.amp.GradScaler("cuda")
        for x, y in loader:
            optimizer.zero_grad()
            scaler.scale(criterion(model(x), y)).backward()
            torch.nn.utils.clip_grad_value_(model.parameters(), 1.0)
            scaler.step(optimizer)
            scaler.update()
"""
TWICE = """
    from accelerate import Accelerator

    def train(model, loader, optimizer):
        accelerator = Accelerator(gradient_accumulation_steps=4)
        model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
        for batch in loader:
            with accelerator.accumulate(model):
                loss = model(batch).loss / accelerator.gradient_accumulation_steps
                accelerator.backward(loss)
                optimizer.step()
                optimizer.zero_grad()
"""
DECORATED = """
    import torch

    @torch.autocast("cuda", dtype=torch.bfloat16)
    def train_step(model, optimizer, x, y):
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
"""
SUMMED = """
    import torch
    from torch.nn.parallel import DistributedDataParallel

    class Trainer:
        def __init__(self, net, cfg):
            self.net = DistributedDataParallel(net.cuda())
            self.optim = torch.optim.SGD(self.net.parameters(), lr=0.1)
            self.cfg = cfg

        def micro(self, x):
            loss = criterion(self.net(x)) / self.cfg.accum_steps
            loss.backward()
            return loss.item()

        def fit(self, stream):
            for _ in range(100):
                total = sum(self.micro(next(stream)) for _ in range(self.cfg.accum_steps))
                self.optim.step()
                self.optim.zero_grad()
"""


ENGINE = """
    def iteration(engine, batch):
        accum = engine.accumulation_steps
        length = engine.state.epoch_length
        local = (engine.state.iteration - 1) % length
        if local % accum == 0:
            engine.optimizer.zero_grad()
        loss = engine.loss_function(engine.network(batch), batch)
        (loss / accum).backward()
        if (local + 1) % accum == 0 or local + 1 == length:
            engine.optimizer.step()
"""
"""A trainer that is handed its batches, and knows how many there are."""


@pytest.mark.parametrize("text", [PROBE, FLAG, SCALER, QUEUE, ENGINE], ids="probe flag scaler queue engine".split())
def test_a_right_loop_is_confirmed(text: str) -> None:
    (loop,) = loops(textwrap.dedent(text))
    assert said(loop) == CONFIRMED


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (VALUE, "clip-scaled-gradients"),
        (TWICE, "accumulation-divisor-mismatch"),
        (DECORATED, "backward-in-autocast"),
        (SUMMED, "missing-no-sync"),
        (FLAG.replace("accumulation_steps - 1", "-1"), "step-without-sync"),
        (PROBE.replace("            probe_optimizer.zero_grad()\n", ""), "missing-zero-grad"),
    ],
    ids="value twice decorated summed flag probe".split(),
)
def test_a_wrong_loop_differs(text: str, rule: str) -> None:
    (loop,) = loops(textwrap.dedent(text))
    assert loop.verdict.value == "differs", said(loop)
    assert rule in loop.rules


def test_whose_gradients_a_clip_sees_is_not_guessed() -> None:
    text = """
    import torch

    def train(nets, loader, first, second, generator, critic):
        first = torch.optim.SGD(generator.parameters(), lr=0.1)
        second = torch.optim.SGD(critic.parameters(), lr=0.1)
        for x in loader:
            first.zero_grad()
            second.zero_grad()
            criterion(critic(generator(x))).backward()
            first.step()
            second.step()
            for net in nets.values():
                torch.nn.utils.clip_grad_norm_(net.weights(), 1.0)
    """
    (loop,) = loops(textwrap.dedent(text))
    assert (loop.verdict.value, loop.reason) == ("inconclusive", "not separable")


def test_text_evaluated_beside_the_training_is_not_evaluated(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    text = f"""
    import torch

    def configure(value):
        return eval(value)

    def train(model, loader, optimizer):
        configure("open({str(mark)!r}, 'w').close()")
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
    """
    (loop,) = loops(textwrap.dedent(text))
    assert said(loop) == CONFIRMED
    assert not mark.exists()


IDLE = """
    import torch

    def train(cfg, policy, reference, loader):
        loss_fn = SFTLoss(policy, reference)
        optimizer = torch.optim.Adam(policy.parameters(), lr=0.1)
        other = torch.optim.Adam(reference.parameters(), lr=0.1)
        steps = 0
        for batch in loader:
            steps += 1
            loss = loss_fn(batch) / cfg.gradient_accumulation_steps
            loss.backward()
            if (steps + 1) % cfg.gradient_accumulation_steps == 0:
                optimizer.step()
                optimizer.zero_grad()
                USED
"""


def test_an_optimizer_that_only_stands_there_raises_no_doubt_about_owners() -> None:
    (loop,) = loops(textwrap.dedent(IDLE.replace("USED", "")))
    assert said(loop)[:2] == ("differs", ["accumulation-off-by-one"])


@pytest.mark.parametrize("used", ["other.step()", "other.zero_grad()"])
def test_one_that_steps_or_is_cleared_does(used: str) -> None:
    (loop,) = loops(textwrap.dedent(IDLE.replace("USED", used)))
    assert loop.verdict.value == "inconclusive"
    assert "which optimizer owns which parameters" in loop.detail


def test_a_clear_behind_a_guard_that_is_never_passed_is_not_missing() -> None:
    text = """
    import torch

    def train(model, loader):
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for i, (x, y) in enumerate(loader):
            if i % 4 == 7:
                optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
    """
    (loop,) = loops(textwrap.dedent(text))
    assert (loop.verdict.value, loop.reason) == ("inconclusive", "not separable"), said(loop)
    assert "behind a guard" in loop.detail
    (loop,) = loops(textwrap.dedent(text.replace("optimizer.zero_grad()", "print(i)")))
    assert said(loop)[:2] == ("differs", ["missing-zero-grad"])
