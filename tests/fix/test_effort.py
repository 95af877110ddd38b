"""How long repairs of one file are tried: the same in `check` and in `fix`, whatever is remembered."""

from __future__ import annotations

import pytest

from gradlint.check import effort, proposal
from gradlint.check.effort import measured, note
from gradlint.check.engine import check_text
from gradlint.check.looked import looked
from gradlint.check.repair import fix_text
from gradlint.check.safety import Candidate
from gradlint.check.surroundings import ground
from gradlint.check.trial import Task, attempt
from gradlint.interpret.plan import PLAIN
from gradlint.model.finding import Safety
from gradlint.model.settings import Settings

TWO = """\
import torch
from torch.nn.functional import mse_loss


def train(loader):
    model = torch.nn.Linear(4, 1)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        loss = mse_loss(model(x), y)
        loss.backward()
        opt.step()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.zero_grad()


def tune(loader):
    net = torch.nn.Linear(4, 1)
    adam = torch.optim.Adam(net.parameters())
    for x, y in loader:
        loss = mse_loss(net(x), y)
        loss.backward()
        adam.step()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        adam.zero_grad()
"""


def safe_lines(text: str) -> list[int]:
    found = check_text(text, "train.py", Settings()).findings
    return [one.row for one in found if one.fix is not None and one.fix.safety is Safety.SAFE]


def test_what_is_remembered_counts_as_much() -> None:
    spent = []
    for _ in range(2):
        with measured() as effort:
            looked(TWO, "train.py", ground())
            looked(TWO, "train.py", ground())
            attempt(TWO, "train.py", Task("train"))
        spent.append(effort.spent)
    assert spent[0] == spent[1] > 50


def test_a_block_inside_counts_for_itself() -> None:
    with measured() as outer:
        note("a look", 3)
        with measured() as inner:
            note("another", 4)
        note("a look", 3)
    assert (outer.spent, inner.spent) == (3, 4)


def test_both_are_mended_while_there_is_time() -> None:
    assert safe_lines(TWO) == [12, 23]
    result = fix_text(TWO, "train.py", Settings())
    assert (len(result.applied), result.withdrawn, result.remaining) == (2, (), ())


def test_what_is_not_tried_any_more_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first is tried in any case; what `check` marks is what `fix` mends."""
    monkeypatch.setattr(effort, "MAX_EFFORT", 10)
    assert safe_lines(TWO) == [12]
    result = fix_text(TWO, "train.py", Settings())
    assert [one.row for one in result.applied] == [12]
    assert [(one.finding.row, one.reason) for one in result.withdrawn] == [(23, effort.TOO_LONG)]
    assert [one.row for one in result.remaining] == [23]


TWICE = """\
import torch
from torch.nn.functional import mse_loss


def run(model, opt, loader, n):
    for i, (x, y) in enumerate(loader):
        loss = mse_loss(model(x), y) / n
        loss.backward()
        if (i + 1) % n == 0:
            opt.step()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.zero_grad()


def main(loader):
    model = torch.nn.Linear(4, 1)
    run(model, torch.optim.SGD(model.parameters(), lr=0.1), loader, 4)


def again(loader):
    net = torch.nn.Linear(4, 1)
    for fold in range(1):
        run(net, torch.optim.SGD(net.parameters(), lr=0.1), loader, WINDOW)
"""


@pytest.mark.parametrize(("window", "in_full"), [("4", 1), ("2", 2)])
def test_a_caller_that_has_the_same_done_needs_one_trial(
    monkeypatch: pytest.MonkeyPatch, window: str, in_full: int
) -> None:
    """One caller is tried under all probes; the other as well only where something else happens."""
    tried: set[tuple[str, bool]] = set()
    new = Candidate.new

    def noted(self: Candidate, task: Task) -> object:
        tried.add((task.region, task.probe != PLAIN))
        return new(self, task)

    monkeypatch.setattr(Candidate, "new", noted)
    assert fix_text(TWICE.replace("WINDOW", window), "train.py", Settings()).applied
    assert {name for name, further in tried if not further} == {"main", "again"}
    assert len([name for name, further in tried if further]) == in_full


def test_no_further_way_is_tried_where_one_has_taken_long(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []
    carried_out = proposal._Attempt.changes

    def noted(self: proposal._Attempt) -> object:
        tried.append(self.repair.title)
        return carried_out(self)

    monkeypatch.setattr(proposal._Attempt, "changes", noted)
    monkeypatch.setattr(proposal._Attempt, "by_itself", lambda self: self.changes() and None)
    ways = {}
    for most in (400_000, 10):
        monkeypatch.setattr(effort, "MAX_EFFORT", most)
        tried.clear()
        check_text(TWO, "train.py", Settings())
        ways[most] = len(tried)
    assert ways[10] < ways[400_000]
