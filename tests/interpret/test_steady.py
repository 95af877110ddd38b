"""Turns that have become alike are not run again, and nothing that is found depends on it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from rules.pages import PAGES, Block

from gradlint.check.judge import look
from gradlint.interpret.explore import regions
from gradlint.lower import lower
from gradlint.model.events import Kind
from interpret.idioms import IDIOMS, SCENARIOS
from interpret.loops import Recipe, recipes, render

FIXTURES = sorted((Path(__file__).parents[2] / "fixtures").rglob("*.py"))
BLOCKS = [block for page in PAGES for block in page.blocks]
LOOP = """
def train(model, optimizer, loader, schedule):
    for i, batch in enumerate(loader):
        model(batch).backward()
        if {test}:
            optimizer.step()
            optimizer.zero_grad()
"""
EVERY, SOME = 14, 6
"""Backward calls in two epochs: where all turns are run, and where three of each are enough."""


def backwards(source: str) -> int:
    (region,) = regions(lower(source, "loop.py"))
    return sum(event.kind is Kind.BACKWARD for event in region.scenarios[0].events)


def findings(source: str, *, count: bool = False) -> list[object]:
    """Where work is counted, all turns are run."""
    return [one.finding for one in look(source, "loop.py", lambda rule: True, count=count).judged]


def agree(source: str) -> None:
    """What is found is the same to the letter, evidence included."""
    assert findings(source) == findings(source, count=True)


@pytest.mark.parametrize("test", ["True", "flag", "loss.item() > 2", "model.training", "rank == 0"])
def test_three_alike_turns_are_enough(test: str) -> None:
    assert backwards(LOOP.format(test=test)) == SOME


@pytest.mark.parametrize(
    "test",
    [
        "i > 4",
        "i % 5 == 4",
        "batch.ndim > 1",
        "i // 4 == 1",
        "i - 5",
        "not i - 5",
        "i - 5 and True",
        "i in (5, 6)",
        "min(i, 5) == 5",
        "round(i / 8)",
        "[0, 0, 0, 0, 0, 1, 0][i]",
        "(0 if i - 5 else 1)",
        "is_last_batch",
        "divmod(i, 5)[1] == 0",
    ],
)
def test_a_number_that_decides_lets_all_turns_run(test: str) -> None:
    assert backwards(LOOP.format(test=test)) >= EVERY


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("if i % 5 == 0:\n            print(i)", SOME),
        ("if i % 5 == 0:\n            self.writer.add_scalar('loss', i)", SOME),
        ("if i % 5 == 0:\n            ready = True", EVERY),
        ("if i % 100 == 0:\n            ready = True", SOME),
        ("if i == 6:\n            ready = True", EVERY),
        ("if i == 500:\n            ready = True", SOME),
        ("if i % 1 == 0:\n            ready = True", SOME),
        ("ready = i // 100", SOME),
        ("ready = i // 2", EVERY),
        ("mask = Adam(model.parameters())\n        mask.zero_grad()", SOME),
        ("if i % 5 == 0:\n            log(i)", EVERY),
        ("if i % 5 == 0:\n            self.log(i)", EVERY),
        ("if i % 5 == 0:\n            alias.step()", EVERY),
        ("global_step += 1", SOME),
        ("losses.append(i)", SOME),
        ("assert i < 10", SOME),
    ],
)
def test_what_only_tells_does_not_count(body: str, expected: int) -> None:
    source = LOOP.format(test="True") + f"        {body}\n"
    assert backwards(source) == expected


def test_a_step_function_is_called_three_times() -> None:
    source = "def step(model, optimizer, batch):\n    model(batch).backward()\n    optimizer.step()\n"
    assert backwards(source) == SOME // 2


def test_turns_that_alternate_are_all_run() -> None:
    source = LOOP.format(test="fresh") + "        fresh = not fresh\n"
    assert backwards(source.replace("    for i,", "    fresh = True\n    for i,")) == EVERY


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_nothing_found_in_a_fixture_depends_on_it(path: Path) -> None:
    agree(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("block", BLOCKS, ids=str)
def test_nothing_found_in_an_example_depends_on_it(block: Block) -> None:
    agree(block.bare)


MISREAD = "windows counted by division, symbol"
"""Its windows are not learned, and what is said of them is wrong either way."""


@pytest.mark.parametrize("name", [name for name in (*IDIOMS, *SCENARIOS) if name != MISREAD])
def test_nothing_found_in_an_idiom_depends_on_it(name: str) -> None:
    agree((IDIOMS | SCENARIOS)[name].source)


@settings(phases=set(Phase) - {Phase.explain}, max_examples=100, deadline=None)
@given(recipe=recipes())
def test_nothing_found_in_a_recipe_depends_on_it(recipe: Recipe) -> None:
    agree(render(recipe).source)
