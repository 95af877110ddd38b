"""Scripts that tempt a repair, written by people who had not seen gradlint: none is harmed; what is mended stays so.

A part is judged here each time, with all that were ever harmed; `make harm` judges all.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="torch is not installed: no loop can be run")

from harm.judge import Verdict
from harm.reality import Reality
from harm.tempts import FOLDER, Tempt, discover, judged, trajectory

SETS = (
    *(f"2026-11-27-{letter}" for letter in "abcdef"),
    *(f"2026-11-28-{letter}" for letter in "ghijklmno"),
    "2026-11-29-p",
    "2026-11-29-q",
    "2026-11-29-r",
    "2026-11-29-s",
)
EACH = 16  # every so many-th script is judged here

# Scripts that a safe repair harmed when their set was first run.
HARMED_ONCE = frozenset(
    {
        "2026-11-27-a/bounded_memory",
        "2026-11-27-a/hook_makes_mean",
        "2026-11-27-a/pulse_rate",
        "2026-11-27-b/still_trunk",
        "2026-11-27-c/rehearsal_epochs",
        "2026-11-27-d/meter_book",
        "2026-11-27-f/skip_first",
        "2026-11-28-g/dann_trunk_hook",
        "2026-11-28-h/adapter_then_backbone",
        "2026-11-28-h/due_helper_targets",
        "2026-11-28-h/gradient_carry_over",
        "2026-11-28-i/langevin_decay",
        "2026-11-28-i/rounds_of_epochs",
        *(
            f"2026-11-28-j/{name}"
            for name in (
                "error_feedback frozen_statistics langevin_walk moving_dials paired_members pulls_on_the_net"
            ).split()
        ),
        "2026-11-28-k/mixup_boundary",
        "2026-11-28-o/slow_listener",
        "2026-11-28-o/waking_trunk",
        *(f"2026-11-29-q/{name}" for name in ("copper_coil", "orchard_meter")),
        *(f"2026-11-29-s/{name}" for name in ("closing_bracket", "falling_sand")),
        *(
            f"2026-11-29-r/{name}"
            for name in (
                "flat_ledger heads_of_state noisy_letters on_the_way_out remembered_views sleepers_roll"
            ).split()
        ),
        *(
            f"2026-11-29-p/{name}"
            for name in "criterion_that_scales resting_layers shared_roots sparse_shrinkage".split()
        ),
        *(
            f"2026-11-28-l/{name}"
            for name in "adaptive_limit cached_contrast norm_driven_rate polish_without_noise".split()
        ),
    }
)

# Wrong ones that are repaired right, one a line.
MENDED = frozenset((Path(__file__).parent / "mended.txt").read_text(encoding="utf-8").split())

ALL = list(discover())
SAMPLED = [one for place, one in enumerate(ALL) if place % EACH == EACH // 2 or one.id in HARMED_ONCE]


@pytest.fixture(scope="module")
def reality() -> Iterator[Reality]:
    with Reality() as reality:
        yield reality


def test_every_set_is_whole() -> None:
    assert tuple(sorted({one.path.parent.name for one in ALL})) == SETS
    for name in SETS:
        kinds = [one.kind for one in ALL if one.path.parent.name == name]
        assert (kinds.count("right"), kinds.count("wrong")) == (20, 20)
    assert all(one.path.is_file() and len(one.ways) == (1 if one.kind == "right" else len(one.ways)) for one in ALL)
    assert {one.id for one in ALL if one.kind == "wrong"} >= MENDED
    assert {path.name.partition(".")[0] for path in FOLDER.glob("*/*.py")} == {one.path.stem for one in ALL}


@pytest.mark.slow
@pytest.mark.parametrize("tempt", SAMPLED, ids=lambda tempt: tempt.id)
def test_no_repair_does_harm(tempt: Tempt, reality: Reality) -> None:
    told = judged(tempt, reality)
    assert told.verdict is not Verdict.HARM, (told.ended, told.repaired)
    assert not told.flawed
    if tempt.id in MENDED:
        assert told.verdict is Verdict.RIGHT


@pytest.mark.slow
def test_a_planted_harm_is_seen(reality: Reality) -> None:
    """The mistake of a wrong one is seen in its parameters, and a right one differs once it is spoilt."""
    tempt = next(one for one in ALL if one.id == "2026-11-27-b/still_trunk")
    written, *meant = (trajectory(text, reality) for text in (tempt.text, *tempt.ways))
    assert all(one != written for one in meant)
    woken = tempt.text.replace("        for part in torch.rand", "        net.train()\n        for part in torch.rand")
    assert woken != tempt.text
    assert judged(tempt, reality, lambda _: woken).verdict is Verdict.HARM
    put_back = woken.replace("net.train()\n", "net.train()\n        net.trunk.eval()\n")
    assert judged(tempt, reality, lambda _: put_back).verdict is Verdict.RIGHT
