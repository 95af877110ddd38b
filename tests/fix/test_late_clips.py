"""A clip behind the loop that steps moves into it only where somebody asks for that; one in the loop moves for sure."""

from __future__ import annotations

import pytest

from gradlint.check.engine import check_text
from gradlint.model.finding import Safety
from gradlint.model.settings import Settings

BEHIND = """\
import torch


def train(model, loader, opt):
    for epoch in range(3):
        for x in loader:
            opt.zero_grad()
            model(x).mean().backward()
            opt.step()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
"""
INSIDE = BEHIND.replace("        torch.nn", "            torch.nn")


@pytest.mark.parametrize(("text", "safety"), [(BEHIND, Safety.UNSAFE), (INSIDE, Safety.SAFE)])
def test_a_clip_behind_a_loop_is_told_and_left_where_it_is(text: str, safety: Safety) -> None:
    (finding,) = check_text(text, "train.py", Settings()).findings
    assert (finding.rule, finding.fix and finding.fix.safety) == ("clip-after-step", safety)
