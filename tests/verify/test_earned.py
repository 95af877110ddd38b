"""A confirmation is earned: where something was not filled, spent, run or explained, the verdict says so."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="torch is not installed: no loop can be run")

import torch

from gradlint.check.engine import check_text
from gradlint.model.finding import Finding
from gradlint.model.settings import Settings
from gradlint.report import verify, verify_json, verify_page
from gradlint.report.style import Style
from gradlint.verify import confirm, linter
from gradlint.verify.compare import trials
from gradlint.verify.reasons import Reason
from gradlint.verify.result import FileResult, Loop
from gradlint.verify.world.measure import least_squares
from verify.wet import CONFIRMED, file_result, loops, said

CE = "torch.nn.functional.cross_entropy(model(x), y)"
HEAD = "import torch\n\n\n"


def only(text: str) -> Loop:
    (loop,) = loops(HEAD + text)
    return loop


def refused(text: str) -> tuple[str, str]:
    """Why a loop is not confirmed."""
    loop = only(text)
    assert loop.verdict.value == "inconclusive", said(loop)
    return loop.reason, loop.detail


# ---------------------------------------------------------------------- windows and backwards


def test_a_window_that_no_update_fills() -> None:
    text = f"""def train(model, opt, loader, accum_steps=4):
    opt.zero_grad()
    for i, (x, y) in enumerate(loader):
        loss = {CE} / accum_steps
        loss.backward()
        if i + 1 == len(loader):
            opt.step()
            opt.zero_grad()
"""
    assert refused(text) == (
        Reason.WINDOW.value,
        "the source names a window of 4, and no update had more than 8",
    )
    filled = text.replace("if i + 1 == len(loader)", "if (i + 1) % accum_steps == 0 or i + 1 == len(loader)")
    assert said(only(filled)) == CONFIRMED


def test_a_number_that_is_called_like_a_window_and_does_nothing_is_none() -> None:
    text = f"""ACCUMULATION_STEPS = 4


def train(model, opt, loader):
    for x, y in loader:
        opt.zero_grad()
        loss = {CE}
        loss.backward()
        opt.step()
"""
    assert said(only(text)) == CONFIRMED


WIPED = """def train(model, opt, loader, criterion):
    for x, y in loader:
        first, second = model(x)
        criterion(first, y).backward(retain_graph=True)
        opt.zero_grad()
        criterion(second, y).backward()
        opt.step()
"""


def test_a_backward_that_no_update_spends() -> None:
    assert refused(WIPED) == (
        Reason.UNSPENT.value,
        "line 7: no update consumes this backward's gradients",
    )


def test_a_clear_before_both_backwards_wipes_neither() -> None:
    clear = "        opt.zero_grad()\n"
    text = WIPED.replace(clear, "").replace("        first", f"{clear}        first")
    assert said(only(text)) == CONFIRMED


# ---------------------------------------------------------------------- what nobody explains


def test_a_norm_that_no_rule_explains() -> None:
    text = """def train(model, encoder, loader):
    opt = torch.optim.SGD([*model.parameters(), *encoder.parameters()], lr=0.1)
    for x, y in loader:
        opt.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(encoder(x)), y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(encoder.parameters(), 1.0)
        opt.step()
"""
    reason, detail = refused(text)
    assert reason == Reason.UNEXPLAINED.value
    assert detail.endswith("was consumed under a limit of 1")
    assert (
        said(only(text.replace("(encoder.parameters(), 1.0)", "([*model.parameters(), *encoder.parameters()], 1.0)")))[
            0
        ]
        == "confirmed"
    )


def test_a_scaled_norm_of_two_optimizers_that_one_clip_is_for() -> None:
    text = """def train(net, loader):
    head = torch.optim.SGD(net.head.parameters(), lr=0.1)
    body = torch.optim.SGD(net.body.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cpu")
    for x, y in loader:
        scaler.scale(torch.nn.functional.cross_entropy(net(x), y)).backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        for opt in (head, body):
            scaler.unscale_(opt)
        scaler.step(head)
        scaler.step(body)
        scaler.update()
        net.zero_grad()
"""
    verdict, *_ = said(only(text))
    assert verdict != "confirmed"


FLUSHED = f"""def train(model, opt, loader, accum=4):
    for epoch in range(3):
        for i, (x, y) in enumerate(loader):
            loss = {CE} / accum
            loss.backward()
            if (i + 1) % accum == 0:
                opt.step()
                opt.zero_grad()
        opt.step()
"""


def test_a_weight_that_no_rule_explains() -> None:
    """The flush at the end of an epoch is not cleared: the first update of the next one spends its gradients again."""
    reason, detail = refused(FLUSHED)
    assert (reason, "consumed something else than it is meant to" in detail) == (Reason.UNEXPLAINED.value, True)
    assert said(only(f"{FLUSHED}        opt.zero_grad()\n")) == CONFIRMED


def test_columns_that_depend_on_each_other_have_no_weights() -> None:
    one, two = torch.tensor([1.0, 0.0, 2.0, 0.0, 1.0, 3.0]), torch.tensor([0.0, 1.0, 0.0, 2.0, 1.0, 0.0])
    one, two = one.double(), two.double()
    apart = least_squares(one / 4 + two / 2, {0: one, 1: two})
    assert apart.weights == {0: pytest.approx(0.25), 1: pytest.approx(0.5)}
    assert not apart.dependent
    assert least_squares(one / 4, {0: one, 1: one * 3}).dependent
    assert not least_squares(two / 4, {0: one, 1: one * 3, 2: two}).dependent, "what depends takes no part"


def test_what_rounding_leaves_is_no_weight() -> None:
    """What was measured on a GPU under float16 autocast: a loss without the loss scale is as small, and is one."""
    one, two, three = torch.eye(12, dtype=torch.float64)[:3] * 5
    given = one + two * 4e-5 + three / 2**16
    assert set(least_squares(given, {0: one, 1: two, 2: three}).weights) == {0, 1, 2}, "in double precision all is real"
    rounding = torch.ones(12, dtype=torch.float64) * 1e-3
    single = least_squares(given + rounding, {0: one, 1: two, 2: three}, torch.float32, faint=frozenset({2}))
    assert set(single.weights) == {0, 2}


def test_no_weight_is_smaller_than_what_no_weight_explains() -> None:
    """Seen on a GPU: gradients of 1e-4 leave 1e-2 unexplained in float16, and 1.4e-3 for a batch that was spent."""
    one, two, three = torch.eye(12, dtype=torch.float64)[:3] * 5
    rounding = torch.ones(12, dtype=torch.float64) * 0.015
    rough = least_squares(one + two * 1.4e-3 + rounding, {0: one, 1: two}, torch.float32)
    assert set(rough.weights) == {0}
    assert rough.residual == pytest.approx(0.01, rel=0.1)
    exact = least_squares(one + two / 1024, {0: one, 1: two}, torch.float32)
    assert set(exact.weights) == {0, 1}, "what the loss scale left of a window before, without autocast"
    fine = least_squares(one + two * 0.25 + rounding, {0: one, 1: two}, torch.float32)
    assert set(fine.weights) == {0, 1}
    other = least_squares(one + three + two * 0.25, {0: one, 1: two}, torch.float32)
    assert set(other.weights) == {0, 1}, "what comes from elsewhere hides nothing"


def test_two_backwards_of_one_loss_cannot_be_told_apart() -> None:
    text = f"""def train(model, opt, loader):
    for x, y in loader:
        opt.zero_grad()
        loss = {CE}
        loss.backward(retain_graph=True)
        loss.backward()
        opt.step()
"""
    reason, detail = refused(text)
    assert (reason, "depend on each other" in detail) == (Reason.NOT_SEPARABLE.value, True)


def test_a_forward_that_serves_two_batches_was_none() -> None:
    """`Net(cfg)` of a star import looks like a forward, and then every loss hangs on that one."""
    text = f"""from models import *


def train(loader, cfg):
    model = Net(cfg)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        loss = {CE}
        loss.backward()
        opt.step()
        opt.zero_grad()
"""
    reason, detail = refused(text)
    assert (reason, "another one has gone through before" in detail) == (Reason.SURROGATE.value, True)
    assert said(only(text.replace("Net(cfg)", "Net()"))) == CONFIRMED


def test_a_hidden_state_that_carries_its_graph_on() -> None:
    text = """def train(model, opt, loader, criterion):
    hidden = model.start()
    for x, y in loader:
        opt.zero_grad()
        out, hidden = model(x, hidden)
        criterion(out, y).backward()
        opt.step()
"""
    assert refused(text)[0] == Reason.SURROGATE.value
    detached = text.replace("        criterion", "        hidden = hidden.detach()\n        criterion")
    assert said(only(detached)) == CONFIRMED


# ---------------------------------------------------------------------- branches


FAR = f"""def train(model, opt, warm, sched, loader):
    step = 0
    for x, y in loader:
        opt.zero_grad()
        loss = {CE}
        loss.backward()
        opt.step()
        step += 1
        if step < 1000:
            warm.step()
        else:
            sched.step()
"""


def test_what_stands_behind_a_guard_that_comes_true_late_is_run_by_force_and_named() -> None:
    loop = only(FAR)
    assert said(loop) == CONFIRMED
    assert "line 12: guards passed only by force" in loop.unseen


def test_a_mistake_behind_a_guard_that_comes_true_late() -> None:
    text = FAR.replace("            sched.step()", "            opt.step()\n            sched.step()")
    reason, detail = refused(text)
    assert (reason, detail.startswith("line 12: where this guard is False, ")) == (Reason.BRANCH.value, True)


def test_a_clip_behind_a_guard_that_comes_true_late() -> None:
    clip = "torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)"
    text = FAR.replace("            sched.step()", f"            sched.step()\n            {clip}")
    reason, detail = refused(text)
    assert (reason, detail) == (Reason.BRANCH.value, "line 12: where this guard is False, clip-after-step shows")


def test_an_accident_that_torch_does_not_forgive() -> None:
    """A batch that is skipped leaves the scaler unscaled: the next one raises."""
    text = f"""def train(model, opt, loader, scaler):
    for x, y in loader:
        opt.zero_grad()
        loss = {CE}
        scaler.scale(loss).backward()
        scaler.unscale_(opt)
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        if not torch.isfinite(norm):
            opt.zero_grad()
            continue
        scaler.step(opt)
        scaler.update()
"""
    reason, detail = refused(text)
    assert reason == Reason.BRANCH.value
    assert "line 11: where this guard is True, torch raises: unscale_() has already been called" in detail
    updated = text.replace("            continue", "            scaler.update()\n            continue")
    assert said(only(updated)) == CONFIRMED


EVALUATES = f"""class Net(torch.nn.Module):
    def generate(self, x):
        self.eval()
        return self(x)


def evaluate(model, loader):
    model.eval()
    return sum(model(x).sum() for x, _ in loader)


def train(model, opt, loader, every=500):
    model.train()
    for i, (x, y) in enumerate(loader):
        opt.zero_grad()
        loss = {CE}
        loss.backward()
        opt.step()
        if (i + 1) % every == 0:
            evaluate(model, loader)
"""


def test_evaluation_mode_behind_a_guard_that_comes_true_late() -> None:
    reason, detail = refused(EVALUATES)
    assert (reason, detail) == (Reason.BRANCH.value, "line 22: where this guard is True, missing-train-mode shows")
    undone = EVALUATES + "            model.train()\n"
    assert said(only(undone)) == CONFIRMED


def test_a_method_of_the_model_that_may_leave_evaluation_mode_on() -> None:
    text = EVALUATES.replace("            evaluate(model, loader)", "            model.generate(x)")
    reason, detail = refused(text)
    assert (reason, detail) == (Reason.BRANCH.value, "line 23: no run came to `model.generate`")


@pytest.mark.parametrize(
    "hook",
    [
        "for p in model.parameters():\n        p.register_hook(lambda g: g.clamp(-1, 1))",
        "opt.register_step_post_hook(lambda *_: torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0))",
    ],
)
def test_hooks_on_gradients_are_not_carried_out(hook: str) -> None:
    reason, _ = refused(PLAIN.replace("    for x, y", f"    {hook}\n    for x, y"))
    assert reason == Reason.HOOK.value
    forward = "model.register_forward_hook(print)"
    assert said(only(PLAIN.replace("    for x, y", f"    {forward}\n    for x, y"))) == CONFIRMED


def test_who_calls_a_step_decides_its_window() -> None:
    text = f"""def one_step(model, opt, x, y, finish=True):
    loss = {CE}
    loss.backward()
    if finish:
        opt.step()
        opt.zero_grad()
"""
    reason, detail = refused(text)
    assert (reason, detail.partition(",")[0]) == (Reason.BRANCH.value, "`finish`")
    assert (
        said(only(text.replace("    if finish:\n        opt.step()\n        opt", "    opt.step()\n    opt")))
        == CONFIRMED
    )


def test_windows_that_all_cross_epochs_are_asked_for_their_divisor() -> None:
    text = f"""class Learner:
    def __init__(self, model, opt, every=5):
        self.model, self.opt, self.every, self.pending = model, opt, every, 0

    def train(self, loader, clock, end):
        model = self.model
        while clock() < end:
            for x, y in loader:
                loss = {CE} / self.every
                loss.backward()
                self.pending += 1
                if self.pending > self.every:
                    self.opt.step()
                    self.opt.zero_grad()
                    self.pending = 0
"""
    assert only(text).verdict.value != "confirmed"


def test_a_file_that_trains_with_another_library_is_not_run() -> None:
    text = PLAIN.replace("opt.zero_grad()", "opt.clear_grad()")
    result = file_result("import paddle\n\n\n" + text)
    assert (result.loops, result.reason) == ((), Reason.FRAMEWORK.value)
    assert file_result("import paddle\nimport torch\n\n\n" + text).loops


def test_a_scaler_of_another_optimizer_does_not_skip_this_ones_steps() -> None:
    text = f"""def train(model, critic, opt, opt_c, loader, scaler):
    for x, y in loader:
        opt_c.zero_grad()
        loss_c = {CE.replace("model", "critic")}
        loss_c.backward()
        opt_c.step()
        opt.zero_grad()
        loss = {CE}
        scaler.scale(loss).backward()
        scaler.step(opt)
        scaler.update()
"""
    assert only(text).verdict.value != "differs"


def test_a_difference_that_the_linter_does_not_see_is_not_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    late = PLAIN.replace("opt.step()", "opt.step()\n        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)")
    assert held_against(late).verdict.value == "differs"
    monkeypatch.setattr(linter, "opinion", lambda text, path, settings: linter.Opinion((), (), ()))
    loop = held_against(late)
    assert (loop.verdict.value, loop.reason) == ("inconclusive", Reason.UNEXPLAINED.value)
    assert loop.detail == "clip-after-step was measured, though the linter, which judged the loop, sees none"


def test_what_no_run_comes_to() -> None:
    text = f"""def train(model, opt, sched, loader):
    for i, (x, y) in enumerate(loader):
        opt.zero_grad()
        loss = {CE}
        loss.backward()
        opt.step()
        sched.step() if i > 5000 else None
"""
    assert refused(text) == (Reason.BRANCH.value, "line 10: no run came to `sched.step`")


def test_what_follows_a_loop_without_end_is_run_too() -> None:
    """The wet run cuts the first loop short, and goes on behind it."""
    text = f"""def train(model, opt, loader):
    for step in range(100_000):
        x, y = next(loader)
        opt.zero_grad()
        loss = {CE}
        loss.backward()
        opt.step()
    for x, y in loader:
        loss = {CE}
        loss.backward()
        opt.step()
"""
    loop = only(text)
    assert (loop.verdict.value, loop.rules) == ("differs", {"missing-zero-grad"}), said(loop)
    assert said(only(text.replace("loader:\n", "loader:\n        opt.zero_grad()\n"))) == CONFIRMED


def test_the_end_of_an_epoch_is_run_behind_loops_in_loops() -> None:
    text = f"""def train(model, opt, sched, loader, accum_steps=4):
    for epoch in range(50):
        for batch in loader:
            for micro in range(accum_steps):
                x, y = batch[micro]
                loss = {CE} / accum_steps
                loss.backward()
            opt.step()
            opt.zero_grad()
        sched.step()
"""
    assert said(only(text)) == CONFIRMED


def test_a_clip_that_only_one_configuration_has() -> None:
    text = f"""def train(model, opt, loader, scaler, use_amp=True):
    for x, y in loader:
        opt.zero_grad()
        loss = {CE}
        if use_amp:
            scaler.scale(loss).backward()
            scaler.step(opt)
            scaler.update()
        else:
            loss.backward()
            opt.step()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
"""
    loop = only(text)
    assert (loop.verdict.value, loop.rules) == ("differs", {"clip-after-step"}), said(loop)


# ---------------------------------------------------------------------- another optimizer's gradients

GAN = """def train(netG, netD, loader, optimizerG, optimizerD, criterion):
    for real in loader:
        optimizerD.zero_grad()
        fake = netG(torch.randn(8, 16))
        loss_d = criterion(netD(real), 1) + criterion(netD(fake.detach()), 0)
        loss_d.backward()
        optimizerD.step()
        optimizerG.zero_grad()
        loss_g = criterion(netD(fake), 1)
        loss_g.backward()
        optimizerG.step()
"""
CLEAR = "        optimizerD.zero_grad()\n"
NEVER = GAN.replace(CLEAR, "")
EARLY = NEVER.replace("        optimizerD.step()\n", f"        optimizerD.step()\n{CLEAR}")
"""Cleared right after its own step: the generator's backward fills it again, and the next step spends that."""


def test_a_discriminator_that_spends_the_generators_gradients_differs() -> None:
    loop = only(EARLY)
    assert (loop.verdict.value, loop.rules) == ("differs", {"missing-zero-grad"}), said(loop)
    assert "the backward of line 13 left gradients" in loop.shown[0].text
    update = next(one for one in loop.figures if one.optimizer == "optimizerD" and one.number == 2)
    assert [extra for _, _, extra in update.weights] == [True, False]
    assert len(update.meant) == 1
    assert update.error > 0.1


def test_the_same_gan_cleared_before_its_backward_is_confirmed() -> None:
    assert said(only(GAN)) == CONFIRMED


@pytest.mark.parametrize("freeze", ["p.requires_grad_({})", "p.requires_grad = {}"])
def test_a_discriminator_that_is_frozen_while_the_generator_learns_is_cleared_early_enough(freeze: str) -> None:
    text = EARLY
    for place, flag in (("        loss_g =", False), ("        optimizerG.step()", True)):
        loop = f"        for p in netD.parameters():\n            {freeze.format(flag)}\n"
        text = text.replace(place, loop + place)
    assert said(only(text)) == CONFIRMED


@pytest.mark.parametrize("call", ["set_requires_grad(netD, {})", "freezer.freeze(netD, {})"])
def test_a_freeze_that_is_out_of_sight_is_a_doubt(call: str) -> None:
    text = EARLY
    for place, flag in (("        loss_g =", False), ("        optimizerG.step()", True)):
        text = text.replace(place, f"        {call.format(flag)}\n{place}")
    assert refused(text)[0] == Reason.UNEXPLAINED.value


def test_a_clear_in_the_wrong_place_is_no_repair() -> None:
    assert confirm(HEAD + NEVER, HEAD + EARLY, "train.py") == "train: the repaired loop still shows missing-zero-grad"
    assert confirm(HEAD + NEVER, HEAD + GAN, "train.py") == ""


def test_a_generator_that_steps_more_rarely_leaves_gradients_too() -> None:
    text = EARLY.replace("criterion):", "criterion, n=4):").replace("in loader", "in enumerate(loader)")
    text = text.replace("for real", "for i, real").replace("criterion(netD(fake), 1)", "criterion(netD(fake), 1) / n")
    text = text.replace("        optimizerG.zero_grad()\n", "")
    text = text.replace("        optimizerG.step()\n", "        if (i + 1) % n == 0 or i + 1 == len(loader):\n"
                        "            optimizerG.step()\n            optimizerG.zero_grad()\n")  # fmt: skip
    loop = only(text)
    assert (loop.verdict.value, loop.rules) == ("differs", {"missing-zero-grad"}), said(loop)


def test_gradients_of_one_batch_that_two_optimizers_spend_are_not_called_right() -> None:
    """`fake` is not detached: the discriminator's loss fills the generator, which is not cleared after it."""
    text = GAN.replace("fake.detach()", "fake").replace("loss_d.backward()", "loss_d.backward(retain_graph=True)")
    text = text.replace("        optimizerG.zero_grad()\n", "").replace(
        CLEAR, f"{CLEAR}        optimizerG.zero_grad()\n"
    )
    reason, detail = refused(text)
    assert (reason, "which another optimizer spends" in detail) == (Reason.UNEXPLAINED.value, True)


@pytest.mark.parametrize("late", ["", "if i % 3 == 2:\n            "], ids=["each batch", "every third batch"])
def test_one_loss_for_two_optimizers_is_shared_rightly(late: str) -> None:
    text = f"""def train(encoder, decoder, loader, criterion):
    first = torch.optim.SGD(encoder.parameters(), lr=0.1)
    second = torch.optim.SGD(decoder.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        loss = criterion(decoder(encoder(x)), y)
        loss.backward()
        first.step()
        first.zero_grad()
        {late}second.step()
        {late}second.zero_grad()
"""
    loop = only(text)
    assert "missing-zero-grad" not in loop.rules, said(loop)
    assert late or said(loop) == CONFIRMED


# ---------------------------------------------------------------------- collectives


REDUCED = f"""def train(model, opt, loader):
    for x, y in loader:
        opt.zero_grad()
        loss = {CE}
        loss.backward()
        for p in model.parameters():
            torch.distributed.all_reduce(p.grad)
        opt.step()
        torch.distributed.all_reduce(loss.detach())
"""


def test_gradients_that_are_reduced_by_hand_are_not_judged() -> None:
    assert refused(REDUCED) == (
        Reason.COLLECTIVE.value,
        "line 10: what this collective does to the gradients is not carried out",
    )
    bucket = REDUCED.replace(
        "        for p in model.parameters():\n            torch.distributed.all_reduce(p.grad)\n",
        "        grads = [p.grad for p in model.parameters()]\n        flat = pack(grads)\n"
        "        torch.distributed.all_reduce(flat)\n",
    )
    assert refused(bucket)[0] == Reason.COLLECTIVE.value


def test_a_loss_that_is_reduced_for_the_log_is_named() -> None:
    hand = "        for p in model.parameters():\n            torch.distributed.all_reduce(p.grad)\n"
    loop = only(REDUCED.replace(hand, ""))
    assert said(loop) == CONFIRMED
    assert "line 10: collectives by hand" in loop.unseen


# ---------------------------------------------------------------------- the linter

PLAIN = f"""def train(model, opt, loader):
    for x, y in loader:
        opt.zero_grad()
        loss = {CE}
        loss.backward()
        opt.step()


def other(model):
    return model
"""


def error(row: int) -> Finding:
    """A sure error at a row; what it is does not matter here."""
    text = "loss.backward()\noptimizer.step()\nclip_grad_norm_(model.parameters(), 1.0)\n"
    (found,) = check_text("\n" * (row - 3) + text, "train.py", Settings()).findings
    assert found.row == row
    return found


@pytest.fixture
def sure(monkeypatch: pytest.MonkeyPatch) -> list[Finding]:
    """What the linter is sure of, to be filled in."""
    found: list[Finding] = []
    real = linter.opinion

    def more(text: str, path: str, settings: Settings | None = None) -> linter.Opinion:
        said = real(text, path, settings)
        return replace(said, sure=(*said.sure, *found))

    monkeypatch.setattr(linter, "opinion", more)
    return found


def held_against(text: str) -> Loop:
    return linter.compared(file_result(HEAD + text), HEAD + text).loops[0]


def test_a_loop_in_which_the_linter_is_sure_of_an_error_is_not_confirmed(sure: list[Finding]) -> None:
    assert said(held_against(PLAIN)) == CONFIRMED
    sure.append(error(8))
    loop = held_against(PLAIN)
    assert loop.verdict.value == "inconclusive"
    assert loop.reason == Reason.LINTER.value
    assert loop.detail == "line 8: clip-after-step, though nothing that was measured shows it"


def test_an_error_elsewhere_is_none_of_the_loops(sure: list[Finding]) -> None:
    sure.append(error(13))
    assert said(held_against(PLAIN)) == CONFIRMED


def test_what_the_linter_really_says_is_asked() -> None:
    text = HEAD + PLAIN.replace("        opt.step()\n", "        opt.step()\n        clip(model)\n")
    text += "\n\ndef clip(model):\n    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)\n"
    errors = linter.opinion(text, "train.py").sure
    assert [one.rule for one in errors] == ["clip-after-step"]
    silenced = text.replace("        clip(model)", "        clip(model)  # gradlint: ignore[clip-after-step]")
    silenced = silenced.replace("(model.parameters(), 1.0)", "(model.parameters(), 1.0)  # gradlint: ignore")
    assert linter.opinion(silenced, "train.py").sure == ()


def test_a_repair_after_which_the_linter_is_newly_sure_is_not_confirmed(sure: list[Finding]) -> None:
    wrong = HEAD + PLAIN.replace("        opt.zero_grad()\n", "")
    right = HEAD + PLAIN
    assert confirm(wrong, right, "train.py") == ""
    both = ((file_result(wrong), wrong), (file_result(right), right))
    old, new = (linter.compared(*one, always=True) for one in both)
    assert trials(old, new, frozenset(("train",)))[0].confirmed

    sure.append(error(8))
    new = linter.compared(*both[1])
    (trial,) = trials(old, new, frozenset(("train",)))
    assert trial.reason.startswith("inconclusive after the repair: the linter is sure of a mistake")

    old = linter.compared(*both[0], always=True)
    assert trials(old, new, frozenset(("train",)))[0].confirmed, "it said so before, too"


# ---------------------------------------------------------------------- what was not looked at


def page(result: FileResult) -> tuple[str, str, str]:
    """A result as text, JSON and HTML."""
    every = trials(result, None, frozenset())
    text = verify.render(every[0], Style())
    return text, verify_json.render(every, (), 1), verify_page.render(every, "")


GUARDED = f"""def train(model, opt, loader):
    for x, y in loader:
        try:
            opt.zero_grad()
            loss = {CE}
            if loss > 100:
                opt.zero_grad()
                continue
            loss.backward()
            opt.step()
        except RuntimeError:
            opt.zero_grad()
"""


def test_a_confirmation_names_what_was_not_looked_at() -> None:
    loop = only(GUARDED)
    assert said(loop) == CONFIRMED
    assert loop.unseen == (
        "how the loss itself is normalised (another one stands in for it)",
        "which parameters `opt` owns (assumed)",
        "line 9: guards passed only by force",
        "line 15: after an exception",
        "guards on data, each answered one way for a whole run: `loss > 100`",
    )


def test_every_report_has_it() -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    text, data, html = page(file_result(HEAD + GUARDED))
    assert "not looked at: how the loss itself is normalised" in " ".join(text.split())
    assert "which parameters `opt` owns (assumed)" in " ".join(text.split())
    assert "which parameters `opt` owns (assumed)" in html
    written = json.loads(data)["loops"][0]["written"]
    assert written["not_looked_at"][0].startswith("how the loss itself is normalised")
    assert written["linter_errors"] == []


def test_what_is_not_confirmed_needs_no_such_list() -> None:
    assert only(WIPED).unseen == ()


def test_parameters_that_are_in_sight_are_not_assumed() -> None:
    made = GUARDED.replace("opt, loader", "loader").replace(
        "    for x", "    opt = torch.optim.SGD(model.parameters(), lr=0.1)\n    for x"
    )
    assert not any("owns" in one for one in only(made).unseen)


@pytest.mark.parametrize("reason", Reason)
def test_the_reasons_are_documented(reason: Reason) -> None:
    text = (Path(__file__).parents[2] / "docs" / "verification.md").read_text(encoding="utf-8")
    assert f"| {reason.value} |" in text
