"""`gradlint trace --rule NAME FILE:LINE`: why a rule spoke, stood back, was excused or doubted."""

from __future__ import annotations

from pathlib import Path

import pytest
from notebooks import code, notebook

from gradlint.check.engine import check_text, explain_text
from gradlint.cli import main
from gradlint.model.settings import Settings
from gradlint.model.trace import Explanation, Outcome

LATE = """\
def train(model, loader, optimizer):
    for x in loader:
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()
        clip_grad_norm_(model.parameters(), 1.0)
"""
EXCUSED = """\
def train(model, loader, optimizer, args):
    for i, x in enumerate(loader):
        loss = model(x).mean()
        if args.mean:
            loss = loss / args.accum
        loss.backward()
        if (i + 1) % args.accum == 0:
            optimizer.step()
            optimizer.zero_grad()
"""
DOUBTED = EXCUSED.replace("loss = loss / args.accum", "pass").replace("(i + 1) % args.accum == 0", "due(i)")
BACK = """\
def train(net, loader, optimizer, accum):
    model = DDP(net)
    for i, x in enumerate(loader):
        last = (i + 1) % accum == 0
        loss = model(x).mean() / accum
        with nullcontext() if last else model.no_sync():
            loss.backward()
        if last:
            optimizer.step()
            optimizer.zero_grad()
"""


def explain(text: str, rule: str, row: int) -> Explanation:
    return explain_text(text, "train.py", rule, row, Settings())


def outcomes(text: str, rule: str, row: int) -> list[Outcome]:
    return [answer.outcome for answer in explain(text, rule, row).answers]


def test_a_rule_that_spoke() -> None:
    (answer,) = explain(LATE, "clip-after-step", 6).answers
    (finding,) = check_text(LATE, "train.py", Settings()).findings
    assert (answer.outcome, answer.text, answer.doubts) == (Outcome.SPOKE, finding.message, ())


def test_a_rule_that_was_excused_names_the_world() -> None:
    (answer,) = explain(EXCUSED, "unscaled-accumulation-loss", 6).answers
    assert (answer.outcome, answer.region, answer.decisions) == (Outcome.EXCUSED, "train", (("args.mean", True),))
    assert answer.text.startswith("The update on line 8 sums")


def test_a_rule_that_was_doubted_names_the_doubts() -> None:
    (answer,) = explain(DOUBTED, "unscaled-accumulation-loss", 6).answers
    assert answer.outcome is Outcome.DOUBTED
    assert answer.doubts[0] == "the guard around the step cannot be computed"


def test_a_rule_that_stood_back_names_the_other() -> None:
    (answer,) = explain(BACK, "missing-no-sync", 7).answers
    assert (answer.outcome, answer.other, answer.other_row) == (Outcome.BACK, "forward-outside-no-sync", 5)


def test_a_rule_that_a_comment_silences() -> None:
    text = LATE.replace("1.0)", "1.0)  # gradlint: ignore[clip-after-step]")
    assert outcomes(text, "clip-after-step", 6) == [Outcome.SILENCED]


def test_a_rule_that_has_nothing_to_say_tells_what_it_saw() -> None:
    found = explain(LATE, "clip-after-step", 4)
    assert found.answers == ()
    assert [event.kind for event in found.events] == ["forward", "backward"]
    assert found.elsewhere == (6,)
    assert explain(LATE, "clip-after-step", 2).events == ()


def test_a_rule_that_is_off_is_asked_nevertheless() -> None:
    settings = Settings(ignore=("clip-after-step",))
    assert explain_text(LATE, "train.py", "clip-after-step", 6, settings).answers[0].outcome is Outcome.SPOKE


def test_a_loop_that_was_not_judged_says_so() -> None:
    text = LATE.replace("optimizer.step()", "spend(model)").replace("optimizer", "parts")
    assert explain(text, "clip-after-step", 4).blind == (
        "nothing in sight steps an optimizer after `model(x).mean().backward()`",
    )


@pytest.mark.parametrize("text", [LATE, EXCUSED, DOUBTED, BACK])
def test_what_is_explained_is_what_was_judged(text: str) -> None:
    """One judgement: what spoke is found, and nothing else is."""
    from gradlint.rules.support.rule import all_rules

    spoken = {
        (rule.name, answer.row)
        for rule in all_rules()
        for row in range(1, text.count("\n") + 1)
        for answer in explain(text, rule.name, row).answers
        if answer.outcome in (Outcome.SPOKE, Outcome.DOUBTED) and rule.default
    }
    found = check_text(text, "train.py", Settings(pedantic=True)).findings
    assert {(finding.rule, finding.row) for finding in found} == spoken


# The command


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")


def shown(capsys: pytest.CaptureFixture[str], text: str, rule: str, row: int) -> str:
    Path("train.py").write_text(text)
    assert main(["trace", "--rule", rule, f"train.py:{row}"]) == 0
    return capsys.readouterr().out


def test_it_is_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(capsys, EXCUSED, "unscaled-accumulation-loss", 6) == (
        "train.py:6  unscaled-accumulation-loss\n"
        "  excused     what it looks for does happen in `train`, assuming args.mean = true. It would have\n"
        "              said: The update on line 8 sums the gradients of args.accum micro-batches, but the\n"
        "              loss is never divided by args.accum.\n"
    )
    assert shown(capsys, BACK, "missing-no-sync", 7).startswith(
        "train.py:7  missing-no-sync\n"
        "  stood back  for forward-outside-no-sync on line 5: this is the consequence of that mistake. It\n"
        "              would have said: "
    )
    assert "  doubted     so it speaks with --pedantic only: " in shown(
        capsys, DOUBTED, "unscaled-accumulation-loss", 6
    )
    assert shown(capsys, LATE, "clip-after-step", 5) == (
        "train.py:5  clip-after-step\n"
        "  nothing     The rule saw nothing there. What happens at this line: step of `optimizer`.\n"
        "              In this file it says something on line 6.\n"
    )


def test_in_a_notebook_rows_are_those_of_the_cell(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.ipynb").write_text(notebook(code("import torch\n"), code(BACK)))
    assert main(["trace", "--rule", "missing-no-sync", "a.ipynb:2:7"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("a.ipynb:cell 2:7  missing-no-sync\n")
    assert "forward-outside-no-sync on line 5" in out


def test_it_needs_a_rule_and_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    Path("train.py").write_text(LATE)
    assert main(["trace", "--rule", "clip-afterstep", "train.py:6"]) == 2
    assert "unknown rule 'clip-afterstep'; did you mean 'clip-after-step'?" in capsys.readouterr().err
    assert main(["trace", "--rule", "clip-after-step", "train.py"]) == 2
    assert "--rule asks about a line: FILE:LINE" in capsys.readouterr().err
