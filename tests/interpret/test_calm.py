"""Calls that change nothing are not run again and again, and nothing that is found depends on it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from rules.pages import PAGES

from gradlint.check.judge import look
from gradlint.interpret import functions
from gradlint.interpret.explore import regions
from gradlint.lower import lower
from gradlint.lower.calm import is_calm
from gradlint.lower.inside import by_kind

FIXTURES = sorted((Path(__file__).parents[2] / "fixtures").rglob("*.py"))
BLOCKS = [block.bare for page in PAGES for block in page.blocks]

CALM = [
    "print(x)",
    "figure = plot(x)\nreturn figure",
    "lines = []\nfor one in x:\n    lines.append(one)\nreturn lines",
    "table = {}\ntable['a'] = x",
    "if x:\n    writer.add_scalar('loss', x)",
    "lines = [one for one in x]\nlines.sort()",
]
STIRRING = [
    "self.step += 1",
    "x.step = 1",
    "x['step'] = 1",
    "losses.append(x)",
    "lines = x\nlines.append(1)",
    "lines = []\nlines = x\nlines.append(1)",
    "global steps\nsteps = 1",
    "batch = next(x)",
    "yield x",
    "if x % 4:\n    return False\nreturn True",
    "for one in x:\n    return one",
    "if x:\n    raise ValueError",
    "del x[0]",
    "for hook in self.hooks:\n    hook(x)",
]

HELPED = """
import torch


def plot(mel, title):
    figure = draw(mel)
    figure.show(title)
    figure.add_title(title)
    return figure


class Window:
    def __init__(self):
        self.seen = 0

    def due(self, plots):
        {counts}
        return self.seen % 4 == 0


def train(model, optimizer, loader):
    window = Window()
    for batch in loader:
        loss = model(batch).mean() / 4
        loss.backward()
        figure = plot(loss, "loss")
        if window.due(figure):
            optimizer.step()
            optimizer.zero_grad()
"""


@pytest.mark.parametrize("body", CALM)
def test_nothing_outlives_a_calm_function(body: str) -> None:
    assert calm(body)


@pytest.mark.parametrize("body", STIRRING)
def test_what_may_tell_of_the_course_of_things_is_not_calm(body: str) -> None:
    assert not calm(body)


def calm(body: str) -> bool:
    tree = ast.parse(f"def f(x, self, losses):\n{_indented(body)}").body[0]
    assert isinstance(tree, ast.FunctionDef)
    return is_calm(tree.body, by_kind(tree.body))


def _indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.splitlines())


def test_a_calm_function_is_run_twice_and_a_counter_always(monkeypatch: pytest.MonkeyPatch) -> None:
    entered: list[str] = []
    enter = functions.enter_function

    def noted(machine: functions.Machine, frame: functions.Frame) -> functions.Value:
        entered.append(frame.function.name)
        return enter(machine, frame)

    monkeypatch.setattr(functions, "enter_function", noted)
    list(regions(lower(HELPED.format(counts="self.seen += 1"), "loop.py"), every_iteration=True))
    runs = entered.count("__init__")
    assert entered.count("due") > 4 * runs
    assert entered.count("plot") < entered.count("due")


HOOKED = """
def emit(hook, model):
    if hook is not None:
        hook(model)


def clip(model):
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)


def fit(model, optimizer, loader, {name}=None, after=None):
    for batch in loader:
        optimizer.zero_grad()
        emit(None, model)
        model(batch).mean().backward()
        emit({name}, model)
        optimizer.step()
        emit(after, model)


def main(model, optimizer, loader):
    fit(model, optimizer, loader, {handed}=clip)
"""


@pytest.mark.parametrize(("handed", "found"), [("before", []), ("after", ["clip-after-step"])])
def test_what_is_called_with_something_to_call_is_run_for_each(handed: str, found: list[str]) -> None:
    source = "import torch\n" + HOOKED.format(name="before", handed=handed)
    assert [one.finding.rule for one in look(source, "loop.py", lambda rule: True, count=True).judged] == found


@pytest.mark.parametrize("counts", ["self.seen += 1", "self.seen = self.seen + 1", "pass"])
def test_the_events_stay(counts: str, monkeypatch: pytest.MonkeyPatch) -> None:
    agree(HELPED.format(counts=counts), monkeypatch)


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_fixtures(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    agree(path.read_text(encoding="utf-8"), monkeypatch)


def test_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    for source in BLOCKS:
        agree(source, monkeypatch)


def agree(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is found is the same to the letter, evidence included."""
    monkeypatch.setattr(functions, "OFTEN", 2)
    some = findings(source)
    monkeypatch.setattr(functions, "OFTEN", 10**9)
    assert findings(source) == some


def findings(source: str) -> list[object]:
    return [one.finding for one in look(source, "loop.py", lambda rule: True, count=True).judged]


def test_a_list_may_hold_itself() -> None:
    source = HELPED.format(counts="pass").replace(
        "        figure = plot(loss, ", "        x = []\n        x.append(x)\n        figure = plot(x, "
    )
    assert list(regions(lower(source, "loop.py")))
