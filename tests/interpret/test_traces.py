"""What `gradlint trace` tells of whole loops: a right one looks right."""

from __future__ import annotations

import pytest

from gradlint.check.engine import trace_text
from gradlint.report.style import Style
from gradlint.report.trace import render

LOOP = """
def train(model, optimizer, criterion, loader, n, args):
    for epoch in range(2):
        for i, (x, y) in enumerate(loader):
            loss = criterion(model(x), y){division}
            loss.backward()
            if (i + 1) % {n} == 0{flush}:
                {before}
                optimizer.step()
                optimizer.zero_grad()
"""

LAST = " or i + 1 == len(loader)"


def traced(division: str, n: str = "4", flush: str = LAST, before: str = "pass") -> list[str]:
    """The lines of the trace."""
    source = LOOP.format(division=division, n=n, flush=flush, before=before)
    (region,) = trace_text(source, "train.py", None)
    return render(region, Style()).split("\n")


def ledger(lines: list[str]) -> list[str]:
    """Only the ledger."""
    start = next(number for number, line in enumerate(lines) if line.startswith("ledger"))
    return lines[start:-1]


def test_a_right_loop_looks_right() -> None:
    lines = traced(" / 4")
    assert any(line.endswith("loss.backward()        weight 1/4") for line in lines)
    assert ledger(lines) == [
        "ledger of `optimizer`, window of 4  g1   g2   g3   g4",
        "  updates 1-2  as meant ✓           1/4  1/4  1/4  1/4",
        "  update 3     as meant ✓           1/4  ·    ·    ·",
        "  updates 4-5  as meant ✓           1/4  1/4  1/4  1/4",
        "  update 6     as meant ✓           1/4  ·    ·    ·",
    ]


def test_a_loop_that_never_divides_means_what_is_left_in_its_tail() -> None:
    assert ledger(traced("", "n"))[1:5] == [
        "  updates 1-2  as executed          1    1    1",
        "               as meant             1/3  1/3  1/3",
        "  update 3     as meant ✓           1    ·    ·",
        "  updates 4-5  as executed          1    1    1",
    ]


def test_a_tail_that_leaks_is_old() -> None:
    assert ledger(traced(" / n", "n", "")) == [
        "ledger of `optimizer`, window of 3  old  g1   g2   g3",
        "  updates 1-2  as meant ✓           ·    1/3  1/3  1/3",
        "  update 3     as executed          1/3  1/3  1/3  1/3",
        "               as meant             0    1/3  1/3  1/3",
        "  update 4     as meant ✓           ·    1/3  1/3  1/3",
    ]


def test_what_nobody_knows_is_neither_right_nor_wrong() -> None:
    lines = traced(" / args.tokens")
    assert any(line.endswith("weight ?") for line in lines)
    assert ledger(lines)[1:3] == [
        "  updates 1-2  as executed          ?   ?   ?   ?",
        "  update 3     as executed          ?   ·   ·   ·",
    ]


def test_gradients_rewritten_by_hand_are_told() -> None:
    lines = traced("", "n", before="for p in model.parameters(): p.grad /= n")
    assert any("grad write" in line and line.endswith("gradients times 1/3") for line in lines)
    assert ledger(lines)[1] == "  updates 1-2  as meant ✓           1/3  1/3  1/3"


@pytest.mark.parametrize(
    ("clip", "told"), [("1.0", "clipped"), ("float('inf')", "")], ids=["a limit", "a clip that only measures"]
)
def test_a_clip_without_a_limit_is_none(clip: str, told: str) -> None:
    before = f"torch.nn.utils.clip_grad_norm_(model.parameters(), {clip})"
    lines = ledger(traced(" / n", "n", before=before))
    assert lines[1].endswith(f"|  {told}" if told else "1/3")
