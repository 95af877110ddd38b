"""What a loop does is counted before and after a repair: planted wrong repairs are told, right ones are not."""

from __future__ import annotations

import pytest

from gradlint.account.work import Work, lost
from gradlint.check.judge import look
from gradlint.model.events import Kind

HEAD = """\
from torch.nn.utils import clip_grad_norm_


def train(model, loader, opt, sched, n, cfg):
"""
CLIP, SCHEDULE, ZERO, STEP = (frozenset({kind}) for kind in (Kind.CLIP, Kind.SCHEDULE, Kind.ZERO, Kind.STEP))
NOTHING = frozenset[Kind]()


def works(body: str) -> tuple[Work, ...]:
    """The work of a training function with this body."""
    text = HEAD + "".join(f"    {row}\n" for row in body.strip("\n").split("\n"))
    return look(text, "train.py", lambda rule: False, count=True).works


LOOP = """
for i, b in enumerate(loader, 1):
    (model(b).mean() / n).backward()
    clip_grad_norm_(model.parameters(), 1.0)
    sched.step()
    if i % n == 0 or i == len(loader):
        opt.step()
        opt.zero_grad()
"""


def change(*pairs: tuple[str, str], of: str = LOOP) -> str:
    for old, new in pairs:
        assert old in of
        of = of.replace(old, new)
    return of


BACKWARD = "    (model(b).mean() / n).backward()\n"
CLIPS = "    clip_grad_norm_(model.parameters(), 1.0)\n"
MOVES = "    sched.step()\n"
STEPS = "        opt.step()\n"
MOVED_CLIP = change((CLIPS, ""), (STEPS, f"    {CLIPS}{STEPS}"))
MOVED_SCHEDULE = change((MOVES, ""), (STEPS, f"{STEPS}    {MOVES}"))

RIGHT = {
    "nothing changes": (LOOP, NOTHING),
    "a clip for each update": (MOVED_CLIP, CLIP),
    "a move for each update": (MOVED_SCHEDULE, SCHEDULE),
    "gradients are cleared before the loop, too": ("opt.zero_grad()" + LOOP, ZERO),
    "the loss has another weight": (change((" / n", "")), NOTHING),
}

WRONG = {
    "backward only with the step": (change((BACKWARD, ""), (STEPS, f"    {BACKWARD}{STEPS}")), CLIP, "backward"),
    "backward behind the loop": (change((BACKWARD, "")) + BACKWARD[4:], CLIP, "what a window is"),
    "backward twice": (change((BACKWARD, BACKWARD * 2)), CLIP, "backward"),
    "no clip at all": (change((CLIPS, "")), CLIP, "leaves no clip"),
    "no clip where none was to move": (MOVED_CLIP, SCHEDULE, "the number of: clip"),
    "two moves for each update": (change((MOVES, ""), (STEPS, f"{STEPS}{f'    {MOVES}' * 2}")), SCHEDULE, "once"),
    "a move for each epoch": (change((MOVES, "")) + MOVES[4:], SCHEDULE, "once"),
    "the schedule as it was, but for its last move": (
        change((MOVES, "    if i % n:\n        sched.step()\n")),
        SCHEDULE,
        "once",
    ),
    "fewer updates": (change((" or i == len(loader)", "")), CLIP, "step"),
    "a zero between backward and step": (change((BACKWARD, f"{BACKWARD}    opt.zero_grad()\n")), ZERO, "throws"),
    "no zero": (change(("        opt.zero_grad()\n", "")), CLIP, "zero_grad"),
    "another function": (change((BACKWARD, "    pass\n"), (STEPS, "        pass\n")), CLIP, "loses or makes a loop"),
}


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_there_is_not_lost(name: str) -> None:
    after, mends = RIGHT[name]
    assert lost(works(LOOP), works(after), mends) == ""


@pytest.mark.parametrize("name", WRONG)
def test_what_is_lost_or_doubled_is_told(name: str) -> None:
    after, mends, reason = WRONG[name]
    assert reason in lost(works(LOOP), works(after), mends)


def test_more_steps_go_with_more_of_what_stands_beside_them() -> None:
    dropped = change((" or i == len(loader)", ""), of=MOVED_SCHEDULE)
    assert lost(works(dropped), works(MOVED_SCHEDULE), STEP) == ""
    assert lost(works(dropped), works(MOVED_SCHEDULE), ZERO) != ""


def test_a_condition_is_not_left_behind() -> None:
    asked = change((CLIPS, f"    if cfg.clip:\n        print(i)\n    {CLIPS}"))
    assert "no longer asks" in lost(works(asked), works(MOVED_CLIP), CLIP)
    kept = change((CLIPS, ""), (STEPS, f"        if cfg.clip:\n        {CLIPS}{STEPS}"))
    assert lost(works(asked), works(kept), CLIP) == ""


def test_a_step_that_finds_nothing_is_told() -> None:
    flushed = change((STEPS, f"{STEPS}        opt.step()\n"))
    flushed_after_zero = change(("opt.zero_grad()", "opt.zero_grad()\n        opt.step()"))
    assert "nothing was computed" in lost(works(LOOP), works(flushed_after_zero), STEP)
    assert lost(works(LOOP), works(flushed), CLIP) != ""


def test_clips_of_two_branches_do_not_meet() -> None:
    branches = change((CLIPS, f"    if cfg.amp:\n    {CLIPS}    else:\n    {CLIPS.replace('1.0', '2.0')}"))
    both = change((CLIPS, CLIPS * 2))
    assert lost(works(branches), works(LOOP), CLIP) == ""
    assert "clips twice" in lost(works(branches), works(both), CLIP)


def test_a_part_of_the_gradients_thrown_away_elsewhere_is_told() -> None:
    """Only where the settings say so, but there: the main world alone does not show it."""
    before = change((BACKWARD, f"{BACKWARD}    if cfg.extra:\n    {BACKWARD}"))
    after = change((BACKWARD, f"{BACKWARD}    if cfg.extra:\n        pass\n"))
    assert lost(works(before), works(after), CLIP) != ""


def test_a_world_that_was_cut_short_is_not_compared() -> None:
    from dataclasses import replace

    after = tuple(replace(work, truncated=True) for work in works(WRONG["backward twice"][0]))
    assert lost(works(LOOP), after, CLIP) == ""


def test_nothing_is_counted_unasked() -> None:
    assert look(HEAD + "    pass\n", "train.py", lambda rule: False).works == ()
