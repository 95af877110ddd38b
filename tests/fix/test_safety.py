"""What makes a repair unsafe: for each of the five points a change that breaks it, beside one that does not."""

from __future__ import annotations

import pytest

from gradlint.check import safety
from gradlint.check.judge import Judged, look
from gradlint.check.safety import Candidate, changed_rows, doubt_about, regions_of
from gradlint.check.surroundings import ground
from gradlint.check.trial import Task, attempt, scenarios_of
from gradlint.interpret.plan import Accident, Probe
from gradlint.model.finding import Finding

HEAD = """\
import math
import torch
from torch.nn.functional import mse_loss


"""
LOOP = (
    HEAD
    + """\
def train(model, loader, n):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    sched = torch.optim.lr_scheduler.StepLR(opt, 10)
    for i, (x, y) in enumerate(loader):
        loss = mse_loss(model(x), y)
        loss.backward()
        if (i + 1) % n == 0:
            norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            if not torch.isfinite(norm):
                opt.zero_grad()
                continue
            opt.step()
            sched.step()
            opt.zero_grad()
"""
)
"""One mistake: nothing divides by `n`."""


def doubt(after: str, before: str = LOOP, rule: str = "unscaled-accumulation-loss") -> str:
    """What is said of a change that is made for a finding of a text."""
    found = look(before, "train.py", lambda one: one.default, ground(), count=True)
    one = next(judged for judged in found.judged if judged.finding.rule == rule)
    repair = one.repairs[0]
    regions = regions_of(found.places, changed_rows(after, before)) or tuple(one.regions)
    return doubt_about(Candidate(before, after, "train.py", (repair,), (one,), regions))


def changed(old: str, new: str, text: str = LOOP) -> str:
    assert old in text
    return text.replace(old, new)


RIGHT = changed("loss.backward()", "(loss / n).backward()")


def test_a_right_repair_raises_no_doubt() -> None:
    assert doubt(RIGHT) == ""


WORSE = {
    "the schedule": (changed("            sched.step()\n", "", RIGHT), "the schedule"),
    "the schedule, moved out": (
        changed(
            "            sched.step()\n            opt.zero_grad()\n",
            "            opt.zero_grad()\n        sched.step()\n",
            RIGHT,
        ),
        "the schedule",
    ),
    "the clip": (
        changed("norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)", "norm = x.norm()", RIGHT),
        "what is clipped",
    ),
    "the windows": (changed("(i + 1) % n", "i % n", RIGHT), "which micro-batches an update uses"),
    "gradients": (
        changed(
            "            opt.step()\n            sched",
            "            opt.step()\n            opt.step()\n            sched",
            RIGHT,
        ),
        "",
    ),
    "a mode": (
        changed("        loss = mse", "        model.eval()\n        loss = mse", RIGHT),
        "the mode a forward runs in",
    ),
    "the forwards": (
        changed("        loss = mse", "        model(x)\n        loss = mse", RIGHT),
        "the forward passes",
    ),
    "a name": (changed("(loss / n)", "(loss / size)", RIGHT), "`size` may not be bound there"),
    "on the rare way out": (
        changed("                opt.zero_grad()\n                continue", "                continue", RIGHT),
        "when `not torch.isfinite(norm)` leaves the usual way",
    ),
    "with windows of one": (
        changed("(loss / n).backward()", "if n > 1:\n            (loss / n).backward()", RIGHT),
        "with windows of one micro-batch",
    ),
}
"""Changes that divide, as they should, and do something else besides; what is said of them."""


@pytest.mark.parametrize("name", WORSE)
def test_what_else_a_repair_does_is_noticed(name: str) -> None:
    after, said = WORSE[name]
    assert said in doubt(after)
    assert doubt(after) != ""


AMP = (
    HEAD
    + """\
def train(model, loader):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        opt.zero_grad()
        scaler.scale(mse_loss(model(x), y)).backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(opt)
        scaler.update()
"""
)
UNSCALED = changed("        norm =", "        scaler.unscale_(opt)\n        norm =", AMP)
SKIPS = "        if math.isnan(norm):\n            {}\n        scaler.step(opt)\n"


@pytest.mark.parametrize(
    ("way_out", "said"),
    [("print(norm)", ""), ("continue", "comes a second time"), ("return", ""), ("raise E", "")],
)
def test_an_unscale_before_a_way_out_that_skips_the_update(way_out: str, said: str) -> None:
    """`update` is left out there, and the next `unscale_` raises; where the training ends, nothing comes behind it."""
    before, after = (changed("        scaler.step(opt)\n", SKIPS.format(way_out), text) for text in (AMP, UNSCALED))
    found = doubt(after, before, "clip-scaled-gradients")
    assert said in found
    assert bool(said) is bool(found)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("mse_loss(model(x), y)", ""),
        ("mse_loss(model(x), y).mean()", ""),
        ("((model(x) - y) ** 2).mean()", ""),
        ("model(x).loss", ""),
        ("torch.nn.MSELoss()(model(x), y)", ""),
        ("compute_loss(model, x, y)", "cannot be seen"),
        ("model(x)[0]", "cannot be seen"),
        ("mse_loss(model(x), y) + regulariser(model)", "cannot be seen"),
    ],
)
def test_a_division_asks_for_a_mean(line: str, said: str) -> None:
    before, after = (changed("mse_loss(model(x), y)", line, text) for text in (LOOP, RIGHT))
    found = doubt(after, before)
    assert said in found
    assert bool(said) is bool(found)


def test_a_call_that_was_given_the_optimizer_is_a_doubt() -> None:
    before, after = (
        changed("            opt.step()\n", "            opt.step()\n            helper(opt)\n", text)
        for text in (LOOP, RIGHT)
    )
    assert "`helper(opt)` cannot be followed" in doubt(after, before)


def test_news_of_any_confidence_is_a_doubt() -> None:
    """An error that the mended mistake had hidden is brought up by its repair."""
    before = changed(
        "        loss = mse", "        opt.zero_grad()\n        loss = mse", changed("(loss", "(loss", RIGHT)
    )
    finding: Finding = next(
        one.finding
        for one in look(before, "train.py", lambda one: one.default, ground()).judged
        if "zero-grad" in one.finding.rule
    )
    assert finding.rule == "zero-grad-in-accumulation"
    undivided = changed("(loss / n).backward()", "loss.backward()", RIGHT)
    assert "it brings unscaled-accumulation-loss" in doubt(undivided, before, finding.rule)


def test_regions_that_run_a_changed_helper_are_all_judged() -> None:
    text = LOOP + "\n\ndef other(model, loader):\n    train(model, loader, 4)\n"
    found = look(text, "train.py", lambda one: one.default, ground(), count=True)
    assert isinstance(found.judged[0], Judged)
    assert regions_of(found.places, [10]) == tuple(name for name, _ in found.places)


def test_a_repair_that_takes_too_long_to_try_is_unsafe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(safety, "MAX_TRIED", 0)
    assert doubt(RIGHT) == "there are too many long loops around it to try it in all of them"


def test_a_rare_way_out_is_run_only_where_it_is_come_to_and_learns_nothing_again() -> None:
    usual = Task("train")
    base = attempt(LOOP, "train.py", usual)
    assert base is not None
    scenarios, site = scenarios_of(base.cases), base.exits[0][0]

    def tried(iteration: int, before: Task | None) -> tuple[int, list[object]]:
        task = Task("train", Probe(accident=Accident(site, iteration)), scenarios, before)
        trial = attempt(LOOP, "train.py", task)
        assert trial is not None
        return trial.spent, [case.events for case in trial.cases]

    assert tried(99, usual) == (0, [case.events for case in base.cases])
    (anew, happens), (again, same) = tried(0, None), tried(0, usual)
    assert again < anew
    assert same == happens != [case.events for case in base.cases]
