"""A repair is believed only when its finding is gone and no other has come; else it is withdrawn."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count

import pytest

from fix.edits import carried_out
from gradlint.check import proposal
from gradlint.check.changes import edits_between
from gradlint.check.engine import check_text, fix_text
from gradlint.check.judge import Judged
from gradlint.check.repair import MAX_REPAIRS
from gradlint.fix import FixResult
from gradlint.model.edits import Insert, Move, Repair, Replace
from gradlint.model.finding import Edit, Finding, Safety, Span
from gradlint.model.settings import Settings
from gradlint.rules.clip_after_step import ClipAfterStep
from gradlint.rules.method_not_called import MethodNotCalled
from gradlint.rules.support.rule import Rule, all_rules

LOOP = """\
import torch
from torch.nn.utils import clip_grad_norm_


def train(model, loader):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in loader:
        opt.zero_grad()
        model(x).mean().backward()
        opt.step()
        clip_grad_norm_(model.parameters(), 1.0)
"""
CLIP = Span(11, 9, 11, 49)
STEP = Span(10, 9, 10, 19)
ZERO = Span(8, 9, 8, 24)
RIGHT = Repair("Clip before the step", (Move((CLIP,), STEP),))
NOTHING = Repair("Do nothing of use", (Insert("print()", STEP),))
WORSE = Repair("Name what should be called", (Move((CLIP,), STEP), Replace(ZERO, "opt.zero_grad")))
IMPOSSIBLE = Repair("Take the impossible", (Insert("nobody()", STEP),))


offered_by_the_rule = ClipAfterStep.check


@pytest.fixture
def offer(monkeypatch: pytest.MonkeyPatch) -> list[Repair]:
    """What `clip-after-step` offers instead of its own repairs."""
    offered: list[Repair] = []
    real = ClipAfterStep.check

    def check(rule: ClipAfterStep, case: object) -> Iterator[object]:
        for hit in real(rule, case):  # type: ignore[arg-type]
            yield replace(hit, repairs=tuple(offered))

    monkeypatch.setattr(ClipAfterStep, "check", check)
    return offered


names = (f"train{number}.py" for number in count())
"""A name of its own for each look at a text: what was found under another name may be remembered."""


def fixed(text: str = LOOP, **settings: object) -> FixResult:
    return fix_text(text, next(names), Settings(**settings), unsafe=True)  # type: ignore[arg-type]


def findings(text: str, **settings: object) -> list[Finding]:
    return list(check_text(text, next(names), Settings(**settings)).findings)  # type: ignore[arg-type]


def test_a_repair_that_keeps_its_promise(offer: list[Repair]) -> None:
    offer.append(RIGHT)
    result = fixed()
    assert [(one.rule, one.fix and one.fix.title) for one in result.applied] == [("clip-after-step", RIGHT.title)]
    assert (result.remaining, result.withdrawn) == ((), ())


def test_a_repair_that_does_not_remove_its_finding_is_withdrawn(offer: list[Repair]) -> None:
    offer.append(NOTHING)
    result = fixed()
    assert not result.changed
    assert [(one.finding.rule, one.reason) for one in result.withdrawn] == [
        ("clip-after-step", "the repair does not remove its finding")
    ]
    assert [(one.rule, one.fix) for one in result.remaining] == [("clip-after-step", None)]


def without_repairs(rule: type[Rule], monkeypatch: pytest.MonkeyPatch) -> None:
    real = rule.check
    monkeypatch.setattr(rule, "check", lambda self, case: (replace(hit, repairs=()) for hit in real(self, case)))


def test_a_repair_that_brings_another_finding_is_withdrawn(
    offer: list[Repair], monkeypatch: pytest.MonkeyPatch
) -> None:
    without_repairs(MethodNotCalled, monkeypatch)
    offer.append(WORSE)
    result = fixed()
    assert not result.changed
    assert [one.reason for one in result.withdrawn] == ["the repair brings method-not-called"]


def test_what_a_repair_brings_may_be_repaired_with_it(offer: list[Repair]) -> None:
    offer.append(WORSE)
    worse = fixed().text
    offer[:] = [RIGHT]
    assert worse == fixed().text != LOOP


def test_a_repair_that_no_longer_parses_is_not_made(offer: list[Repair]) -> None:
    offer.append(Repair("Break it", (Replace(STEP, "opt.step("),)))
    result = fixed()
    assert not result.changed
    assert [one.rule for one in result.remaining] == ["clip-after-step"]


def test_a_repair_that_cannot_be_carried_out_is_nobodys_mistake(offer: list[Repair]) -> None:
    offer.append(IMPOSSIBLE)
    result = fixed()
    assert (result.changed, result.withdrawn) == (False, ())
    assert [(one.rule, one.fix) for one in result.remaining] == [("clip-after-step", None)]


@pytest.mark.parametrize("others", [[NOTHING], [WORSE], [IMPOSSIBLE], [NOTHING, IMPOSSIBLE, WORSE]])
def test_the_next_repair_is_tried_when_the_first_fails(offer: list[Repair], others: list[Repair]) -> None:
    offer += [*others, RIGHT]
    result = fixed()
    assert [one.fix and one.fix.title for one in result.applied] == [RIGHT.title]
    assert result.withdrawn == ()


def test_the_first_repair_that_holds_is_taken(offer: list[Repair]) -> None:
    offer += [RIGHT, replace(RIGHT, title="The same again")]
    assert [one.fix and one.fix.title for one in fixed().applied] == [RIGHT.title]


def test_check_marks_only_what_a_repair_was_seen_to_mend(offer: list[Repair]) -> None:
    offer.append(NOTHING)
    (one,) = findings(LOOP)
    assert one.fix is None
    offer[:] = [RIGHT]
    (one,) = findings(LOOP)
    assert one.fix is not None
    assert one.fix.title == RIGHT.title


def test_check_marks_a_selected_rule_beside_others(offer: list[Repair]) -> None:
    offer.append(RIGHT)
    text = LOOP.replace("        opt.zero_grad()\n", "        opt.zero_grad\n")
    (one,) = findings(text, select=frozenset({"clip-after-step"}))
    assert one.fix is not None
    assert carried_out(text, one.fix.edits) == fixed(text, select=frozenset({"clip-after-step"})).text
    assert "opt.zero_grad\n" in carried_out(text, one.fix.edits)


def test_one_withdrawn_repair_does_not_keep_the_others(offer: list[Repair]) -> None:
    offer.append(NOTHING)
    text = LOOP.replace("        opt.zero_grad()\n", "        opt.zero_grad\n")
    result = fixed(text)
    assert [one.rule for one in result.applied] == ["method-not-called"]
    assert [one.finding.rule for one in result.withdrawn] == ["clip-after-step"]


TWO = f"""{LOOP}

def tune(net, loader):
    from torch.nn.parallel import DistributedDataParallel

    ddp = DistributedDataParallel(net)
    opt = torch.optim.SGD(ddp.parameters(), lr=0.1)
    for i, x in enumerate(loader):
        (ddp(x).mean() / 4).backward()
        if (i + 1) % 4 == 0 or i + 1 == len(loader):
            opt.step()
            opt.zero_grad()
"""
"""Two loops; the repair of the second adds an import at the top."""


def test_a_withdrawn_repair_is_told_once_and_of_the_line_where_it_ends_up(offer: list[Repair]) -> None:
    offer.append(NOTHING)
    result = fixed(TWO)
    assert [one.rule for one in result.applied] == ["missing-no-sync"]
    assert result.text.startswith("from contextlib import nullcontext\n")
    (one,) = result.withdrawn
    assert one.finding.row == CLIP.row + 2
    assert "line 12" in one.finding.message


def test_what_a_later_repair_makes_possible_is_done_in_the_same_run(
    offer: list[Repair], monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = proposal._kept

    def after_the_other(one: Judged, before: Sequence[Judged], after: Sequence[Judged]) -> tuple[bool, str]:
        early = one.finding.rule == "clip-after-step" and len(before) > 1
        return (False, "it is too early") if early else kept(one, before, after)

    monkeypatch.setattr(proposal, "_kept", after_the_other)
    monkeypatch.setattr(ClipAfterStep, "check", offered_by_the_rule)
    result = fixed(TWO)
    assert [one.rule for one in result.applied] == ["missing-no-sync", "clip-after-step"]
    assert (result.remaining, result.withdrawn) == ((), ())


def test_two_rules_that_undo_each_other_come_to_an_end(offer: list[Repair], monkeypatch: pytest.MonkeyPatch) -> None:
    """A repair that were always kept, and never the last: the number of repairs is bounded."""
    offer.append(Repair("Say more", (Insert("print()", Span(1, 1, 1, 13), "after"),)))
    monkeypatch.setattr(proposal, "_kept", lambda *_: (True, ""))
    result = fixed()
    assert len(result.applied) == MAX_REPAIRS
    assert result.text.count("print()") == MAX_REPAIRS
    ast.parse(result.text)


# Safety, selection, silence


def test_a_repair_of_less_certainty_is_not_made_unasked(offer: list[Repair]) -> None:
    offer.append(replace(RIGHT, unsafe=True))
    plain = fix_text(LOOP, next(names), Settings())
    assert not plain.changed
    assert [one.fix and one.fix.safety for one in plain.remaining] == [Safety.UNSAFE]
    assert fixed().changed


def test_what_is_not_selected_is_not_repaired() -> None:
    assert not fixed(select=frozenset({"accumulation"})).changed
    assert fixed(select=frozenset({"clipping"})).changed


def test_what_is_silenced_is_not_repaired() -> None:
    text = LOOP.replace("1.0)\n", "1.0)  # gradlint: ignore[clip-after-step]\n")
    result = fixed(text)
    assert (result.changed, result.remaining) == (False, ())


def test_a_doubted_finding_is_repaired_only_as_unsafe() -> None:
    doubted = LOOP.replace("        opt.step()\n", "        if ready(x):\n            opt.step()\n").replace(
        "clip_grad_norm_(model", "if other(x): clip_grad_norm_(model"
    )
    kept = fix_text(doubted, next(names), Settings(pedantic=True))
    assert [one.rule for one in kept.remaining if one.confidence.value != "high"]
    assert {one.fix.safety for one in kept.remaining if one.fix is not None} <= {Safety.UNSAFE}


def test_a_text_that_does_not_parse_is_a_problem() -> None:
    result = fixed("loss.backward(\n")
    assert (result.text, result.changed) == ("loss.backward(\n", False)
    assert [problem.message.startswith("cannot be parsed") for problem in result.problems] == [True]


def test_a_text_without_a_loop_is_left_alone() -> None:
    result = fixed("x = 1\n")
    assert (result.text, result.applied, result.problems) == ("x = 1\n", (), ())


# What a fix says


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.name)
def test_every_rule_that_repairs_says_why_and_to_what_effect(rule: object) -> None:
    said = (bool(rule.reason), bool(rule.effect))  # type: ignore[attr-defined]
    assert said == ((True, True) if rule.safety is not Safety.NONE else (False, False))  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "text",
    [
        LOOP,
        LOOP.rstrip("\n"),
        LOOP.replace("\n", "\r\n"),
        LOOP.replace("        opt.step()\n        clip", "        opt.step(); clip"),
        LOOP.replace("    opt = ", "    note = 'é\x0c\u2028'; é = 1\n    opt = "),
        LOOP.replace("        opt.step()\n        clip", "        note = '\x0c\u2028'\n        opt.step(); clip"),
    ],
    ids=["plain", "open end", "crlf", "crowded", "odd characters", "odd and crowded"],
)
def test_the_edits_of_a_fix_are_the_fix(text: str) -> None:
    (finding,) = findings(text)
    assert finding.fix is not None
    assert carried_out(text, finding.fix.edits) == fixed(text).text != text


def test_the_edits_between_two_texts() -> None:
    old, new = "a\nb\x0cb\nc\n", "a\nb\x0cb\nx\nc\n"
    assert edits_between(old, new) == (Edit(Span(3, 1, 3, 1), "x\n"),)
    assert edits_between(old, old) == ()


def test_several_mistakes_of_one_loop_are_repaired_in_one_run() -> None:
    text = LOOP.replace("        opt.zero_grad()\n", "        opt.zero_grad\n").replace(
        "        opt.step()\n", "        opt.step()\n        total += model(x).mean()\n"
    )
    assert len(findings(text)) >= 2
    result = fixed(text)
    assert [one.rule for one in findings(result.text)] == [one.rule for one in result.remaining]
    assert {one.rule for one in result.applied} >= {"clip-after-step", "method-not-called"}


def test_a_window_divides_and_the_logged_loss_does_not() -> None:
    text = """\
import torch


def train(model, loader, n):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, x in enumerate(loader):
        loss = model(x).mean()
        loss.backward()
        if (i + 1) % n == 0 or i + 1 == len(loader):
            opt.step()
            opt.zero_grad()
        print(loss.item())
"""
    assert fixed(text).text == text.replace("        loss.backward()", "        (loss / n).backward()")
