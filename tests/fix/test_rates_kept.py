"""A schedule that gets behind its step stays behind what computes with the rate of that step, and not behind a log."""

from __future__ import annotations

import pytest

from gradlint.check.engine import fix_text
from gradlint.model.settings import Settings

EARLY = """
import torch
import torch.nn.functional as F

from elsewhere import prox


def shrink(weight, by):
    with torch.no_grad():
        weight.copy_(weight.sign() * (weight.abs() - by).clamp_min(0))


def shrunk(weight, by):
    return weight.sign() * (weight.abs() - by).clamp_min(0)


def through(weight, size):
    shrink(weight, by=size)


def halve(weight, opt):
    rate = rate_of(opt)
    prox(weight, rate)


def rate_of(opt):
    return opt.param_groups[0]["lr"]


def tell(turn, rate):
    print(turn, f"{rate:.5f}")


def compute_decay(weight, rate):
    weight.data.mul_(1 - 0.1 * rate)


def update_weight(weight, rate):
    size = max(rate, 1e-6)
    prox(weight, size)


def logistic_shrink(weight, opt):
    group = opt.param_groups[0]
    weight.data.mul_(1 - group["lr"])


def show_rate(turn, rate):
    print(turn, 1000 * rate)


class Meter:
    def update(self, value):
        self.total += value


def train(model, loader, writer, logger, bar, args):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    groups = opt.param_groups
    first = opt.param_groups[0]
    meter = Meter()
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.9)

    def decay():
        model.weight.data.mul_(1 - sched.get_last_lr()[0])

    for turn, (x, y) in enumerate(loader):
        opt.zero_grad()
        F.mse_loss(model(x), y).backward()
        sched.step()
        opt.step()
        {line}
"""

COMPUTES = [
    'shrink(model.weight, 0.2 * opt.param_groups[0]["lr"])',
    'shrink(model.weight, opt.param_groups[0]["lr"])',
    "shrink(model.weight, sched.get_last_lr()[0])",
    "shrink(model.weight, by=rate_of(opt))",
    "through(model.weight, sched.get_last_lr()[0])",
    "halve(model.weight, opt)",
    "decay()",
    "prox(model.weight, args.penalty * rate_of(opt))",
    "model.weight.data.sub_(sched.get_last_lr()[0])",
    "model.weight.data = prox(model.weight, sched.get_last_lr()[0])",
    "model.weight[:] = shrunk(model.weight, sched.get_last_lr()[0])",
    "new = shrunk(model.weight, sched.get_last_lr()[0])",
    'if opt.param_groups[0]["lr"] < args.least: model.weight.data.zero_()',
    'if opt.param_groups[0]["lr"] < args.least: raise SystemExit',
    "for part in (1, 2): ends = sched.get_last_lr()[0] < args.least",
    "if turn % 2 == 0: prox(model.weight, sched.get_last_lr()[0])",
    "with torch.no_grad(): prox(model.weight, rate_of(opt))",
    'compute_decay(model.weight, opt.param_groups[0]["lr"])',
    "update_weight(model.weight, sched.get_last_lr()[0])",
    "logistic_shrink(model.weight, opt)",
    'model.weight.data.mul_(1 - 0.1 * first["lr"])',
    'model.weight.data.mul_(1 - 0.1 * groups[0]["lr"])',
    'compute_decay(model.weight, first["lr"])',
    'if first["lr"] < args.least: model.weight.data.zero_()',
    'for one in groups: model.weight.data.mul_(1 - one["lr"])',
    "if (rate := sched.get_last_lr()[0]): model.weight.data.mul_(1 - rate)",
]
TELLS = [
    "print(turn, sched.get_last_lr()[0])",
    "tell(turn, rate_of(opt))",
    'logger.info("rate %.5f", opt.param_groups[0]["lr"])',
    'writer.add_scalar("rate", sched.get_last_lr()[0], turn)',
    "bar.set_postfix(rate=sched.get_last_lr()[0])",
    "if turn % 2 == 0: print(rate_of(opt))",
    "print(float(opt.param_groups[0]['lr']), turn)",
    "shrink(model.weight, args.penalty)",
    "prox(model.weight, args.lr)",
    "show_rate(turn, rate_of(opt))",
    "meter.update(rate_of(opt))",
    'print(turn, first["lr"])',
    'prox(model.weight, first["betas"])',
    "if turn % 2 == 0: print(1000 * rate_of(opt))",
    "if (rate := sched.get_last_lr()[0]): print(rate)",
]


def ends(text: str) -> list[str]:
    """The last lines of a loop as its safe repair leaves them."""
    return [line.strip() for line in fix_text(text, "loop.py", Settings()).text.rstrip().splitlines()[-3:]]


@pytest.mark.parametrize("line", COMPUTES)
def test_what_computes_with_the_rate_of_a_step_comes_before_the_schedule_moves(line: str) -> None:
    assert ends(EARLY.replace("{line}", line)) == ["opt.step()", line, "sched.step()"]


@pytest.mark.parametrize("line", TELLS)
def test_what_tells_a_rate_stays_behind_the_move(line: str) -> None:
    assert ends(EARLY.replace("{line}", line)) == ["opt.step()", "sched.step()", line]


LEAVES = [
    'if opt.param_groups[0]["lr"] > args.least: break',
    "if sched.get_last_lr()[0] > args.least: continue",
    "if sched.get_last_lr()[0] > args.least: return None",
    "if sched.get_last_lr()[0] * 10 > args.least: continue",
    "if sched.get_last_lr()[0] > args.least:\n            print(turn)\n            continue",
    "if turn % 2: continue\n        prox(model.weight, sched.get_last_lr()[0])",
    "try:\n            if sched.get_last_lr()[0] > args.least: continue\n        finally: print(turn)",
    "for part in (1, 2):\n            prox(part, sched.get_last_lr()[0])\n        else:\n            continue",
]


@pytest.mark.parametrize("line", LEAVES)
def test_a_schedule_is_not_moved_behind_a_way_out(line: str) -> None:
    """It would stand still where the way out is taken, and that may be for as long as it stands still."""
    text = EARLY.replace("{line}", f"{line}\n        print(turn)")
    mended = fix_text(text, "loop.py", Settings())
    assert mended.text == text
    assert not mended.applied


@pytest.mark.parametrize(
    "line", ["if rate_of(opt) > args.least: continue", "rate = rate_of(opt)\n        if rate: continue"]
)
def test_a_schedule_may_move_ahead_of_a_way_out(line: str) -> None:
    mended = fix_text(EARLY.replace("{line}", f"{line}\n        print(turn)"), "loop.py", Settings()).text
    assert mended.index("opt.step()\n") < mended.rindex("sched.step()\n") < mended.index(": continue")


def test_a_way_out_of_another_loop_is_none() -> None:
    line = "for part in (1, 2):\n            if sched.get_last_lr()[0] < part: break"
    assert ends(EARLY.replace("{line}", line)) == [*(one.strip() for one in line.splitlines()), "sched.step()"]


def test_a_name_for_the_rate_is_followed() -> None:
    text = EARLY.replace("{line}", "by = sched.get_last_lr()[0]\n        prox(model.weight, by)")
    assert ends(text) == ["by = sched.get_last_lr()[0]", "prox(model.weight, by)", "sched.step()"]


@pytest.mark.parametrize(
    "lines",
    [
        ["by: float = sched.get_last_lr()[0]", "prox(model.weight, by)"],
        ["by = rate_of(opt)", "size = max(by, 1e-6)", "prox(model.weight, size)"],
        ["by = rate_of(opt)", "new = shrunk(model.weight, by)", "model.weight.data.copy_(new)"],
    ],
)
def test_a_name_for_what_is_made_of_a_rate_is_followed(lines: list[str]) -> None:
    mended = fix_text(EARLY.replace("{line}", "\n        ".join(lines)), "loop.py", Settings()).text
    assert [line.strip() for line in mended.rstrip().splitlines()[-2:]] == [lines[-1], "sched.step()"]


@pytest.mark.parametrize(
    "lines",
    [
        ["by: float = sched.get_last_lr()[0]", "print(turn, by)"],
        ["by = rate_of(opt)", "size = max(by, 1e-6)", "print(turn, size)"],
        ["by = rate_of(opt)", 'text = f"rate {by}"', 'told = text + "!"'],
        ["by = rate_of(opt)", "text = str(by)", 'told = text + "!"'],
    ],
)
def test_a_name_for_what_is_only_told_is_not(lines: list[str]) -> None:
    mended = fix_text(EARLY.replace("{line}", "\n        ".join(lines)), "loop.py", Settings()).text
    assert "        opt.step()\n        sched.step()\n" in mended


OFTEN = """
import torch
import torch.nn.functional as F

from elsewhere import prox


def train(model, loader, updates, accum):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=updates)
    for i, (x, y) in enumerate(loader):
        (F.mse_loss(model(x), y) / accum).backward()
        if (i + 1) % accum == 0:
            opt.step()
            {inside}
        {outside}
        sched.step()
"""


def test_a_schedule_that_moves_too_often_goes_behind_what_computes_with_the_rate() -> None:
    text = OFTEN.replace("{outside}", "opt.zero_grad() if (i + 1) % accum == 0 else None")
    works, says = "prox(model.weight, sched.get_last_lr()[0])", "print(sched.get_last_lr())"
    mended = fix_text(text.replace("{inside}", works), "loop.py", Settings()).text
    assert f"opt.step()\n            {works}\n            sched.step()\n" in mended
    mended = fix_text(text.replace("{inside}", says), "loop.py", Settings()).text
    assert f"opt.step()\n            sched.step()\n            {says}\n" in mended


def test_a_schedule_is_not_moved_ahead_of_what_computes_with_the_rate_outside_the_guard() -> None:
    text = OFTEN.replace("{inside}", "opt.zero_grad()")
    for line, moves in (("prox(model.weight, sched.get_last_lr()[0])", False), ("print(i)", True)):
        before = text.replace("{outside}", line)
        assert (fix_text(before, "loop.py", Settings()).text != before) is moves


PHASES = """
import torch


def train(model, loaders, epochs, save):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, step_size=10)
    for epoch in range(epochs):
        for phase in ["train", "val"]:
            if phase == "train":
                model.train()
                schedule.step()
            else:
                model.eval()
            for x, y in loaders[phase]:
                with torch.set_grad_enabled(phase == "train"):
                    loss = torch.nn.functional.mse_loss(model(x), y)
                if phase == "train":
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
            if phase == "train":
                torch.save({"epoch": epoch + 1, "schedule": {state}}, save)
            print(phase)
"""


def test_a_schedule_moves_ahead_of_what_keeps_its_state_in_a_phase() -> None:
    text = fix_text(PHASES.replace("{state}", "schedule.state_dict()"), "loop.py", Settings()).text
    moved = '            if phase == "train":\n                schedule.step()\n'
    assert f'{moved}            if phase == "train":\n                torch.save(' in text
    text = fix_text(PHASES.replace("{state}", "epoch"), "loop.py", Settings()).text
    assert f"            print(phase)\n{moved}" in text
