"""Loops that the wet run cannot judge yet. None of them is told wrong: that part is tested without a mark."""

from __future__ import annotations

from pathlib import Path

import pytest

from verify.test_command import gradlint
from verify.waiting import waiting
from verify.wet import CONFIRMED, loops, said

CE = "torch.nn.functional.cross_entropy(model(x), y)"


def verdict(text: str) -> str:
    (loop,) = loops(text)
    return loop.verdict.value


# ---------------------------------------------------------------------- models of star imports

STAR = f"""
import torch
from models import *


def train(loader, cfg):
    model = Net(MADE)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        opt.zero_grad()
        loss = {CE}
        loss.backward()
        opt.step()
"""
MADE = ["cfg", "cfg.width", "**cfg.model"]


@pytest.mark.parametrize("made", MADE)
def test_a_model_of_a_star_import_is_not_told_wrong(made: str) -> None:
    right = STAR.replace("MADE", made)
    assert verdict(right) != "differs"
    assert verdict(right.replace("        opt.zero_grad()\n", "")) != "confirmed"


@pytest.mark.parametrize("made", MADE)
@waiting("what a star import may hold is a class, not a forward")
def test_a_model_of_a_star_import_is_judged(made: str) -> None:
    (loop,) = loops(STAR.replace("MADE", made))
    assert said(loop) == CONFIRMED


@pytest.mark.parametrize("made", ["", "10", "10, hidden=64"])
def test_a_model_of_a_star_import_that_is_given_numbers_is_judged(made: str) -> None:
    (loop,) = loops(STAR.replace("MADE", made))
    assert said(loop) == CONFIRMED


# ---------------------------------------------------------------------- ranks

TWICE = f"""
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP


def train(model, loader):
    model = DDP(model)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        opt.zero_grad()
        loss = {CE}
        loss.backward()
        for p in model.parameters():
            dist.all_reduce(p.grad)
        opt.step()
"""


def test_gradients_reduced_on_top_of_ddp_are_not_confirmed() -> None:
    assert verdict(TWICE) == "inconclusive"


@waiting("collectives are carried out")
def test_gradients_reduced_on_top_of_ddp_differ() -> None:
    assert verdict(TWICE) == "differs"


FACTORY = f"""
import torch
from engine import distribute


def train(model, loader, accum=4):
    model = distribute(model)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        loss = {CE} / accum
        loss.backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            opt.step()
            opt.zero_grad()
"""


@waiting("factories of the project are followed")
def test_ddp_that_a_factory_of_the_project_makes(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "engine.py").write_text(
        "from torch.nn.parallel import DistributedDataParallel\n\n\n"
        "def distribute(net):\n    return DistributedDataParallel(net)\n",
        encoding="utf-8",
    )
    (tmp_path / "train.py").write_text(FACTORY, encoding="utf-8")
    ran = gradlint("verify", tmp_path / "train.py")
    assert "missing-no-sync" in ran.stdout


# ---------------------------------------------------------------------- backwards without the word

TIMM = """
def train_one_epoch(model, loader, optimizer, criterion, loss_scaler, accum=4):
    for i, (x, y) in enumerate(loader):
        loss = criterion(model(x), y)
        update = (i + 1) % accum == 0
        loss_scaler(loss, optimizer, clip_grad=1.0, parameters=model.parameters(), need_update=update)
        if update:
            optimizer.zero_grad()
"""


def test_a_loop_of_timm_is_judged_where_it_is_read() -> None:
    (loop,) = loops(TIMM)
    assert "unscaled-accumulation-loss" in loop.rules, said(loop)


@waiting("the linter's gates say which files train")
def test_a_loop_of_timm_is_read(tmp_path: Path) -> None:
    path = tmp_path / "train.py"
    path.write_text(TIMM, encoding="utf-8")
    assert gradlint("verify", path).returncode == 1


# ---------------------------------------------------------------------- torch's own errors

FREED = """
import torch


def train(model, opt, loader, criterion):
    for x, y in loader:
        out = model(x)
        opt.zero_grad()
        criterion(out, y).backward()
        out.pow(2).mean().backward()
        opt.step()
"""
BEFORE = f"""
import torch


def train(model, opt, loader, scaler):
    for x, y in loader:
        opt.zero_grad()
        loss = {CE}
        scaler.scale(loss).backward()
        scaler.update()
        scaler.step(opt)
"""


@pytest.mark.parametrize("text", [FREED, BEFORE], ids=["a graph is gone", "update before step"])
def test_what_torch_refuses_is_not_confirmed(text: str) -> None:
    assert verdict(text) == "inconclusive"


@pytest.mark.parametrize(
    ("text", "message"),
    [(FREED, "backward through the graph a second time"), (BEFORE, "No inf checks were recorded")],
    ids=["a graph is gone", "update before step"],
)
@waiting("an error of torch's own is the finding")
def test_what_torch_refuses_is_told_as_what_it_is(text: str, message: str) -> None:
    (loop,) = loops(text)
    assert (loop.verdict.value, any(message in one.text for one in loop.shown)) == ("differs", True)


# ---------------------------------------------------------------------- windows as numbers

LITERAL = f"""
import torch


def train(model, opt, loader):
    for epoch in range(3):
        opt.zero_grad()
        for i, (x, y) in enumerate(loader):
            loss = {CE} / DIVISOR
            loss.backward()
            if (i + 1) % SIZE == 0:
                opt.step()
                opt.zero_grad()
"""


@pytest.mark.parametrize("size", [5, 8, 16, 64])
def test_a_window_that_is_a_number_above_four_is_filled(size: int) -> None:
    text = LITERAL.replace("SIZE", str(size))
    (right,) = loops(text.replace("DIVISOR", str(size)))
    assert said(right) == CONFIRMED
    (wrong,) = loops(text.replace(" / DIVISOR", ""))
    assert (wrong.verdict.value, wrong.rules) == ("differs", {"unscaled-accumulation-loss"})


def test_a_window_of_hundreds_is_not_confirmed() -> None:
    assert verdict(LITERAL.replace("SIZE", "100").replace("DIVISOR", "100")) == "inconclusive"


@waiting("a window of any size is filled")
def test_a_window_of_hundreds_is_filled() -> None:
    assert verdict(LITERAL.replace("SIZE", "100").replace("DIVISOR", "100")) == "confirmed"
