"""Each run is a process of its own: it leaves nothing behind, and takes nobody with it."""

from __future__ import annotations

import ast
import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="torch is not installed: no loop can be run")

import torch

from gradlint.verify import runs
from gradlint.verify.files import _judged_together, verify_text, warm
from gradlint.verify.isolate import Limits, supported
from gradlint.verify.judge import Asked
from gradlint.verify.reasons import Reason
from gradlint.verify.record import HI, LO, Record
from gradlint.verify.result import Verdict
from gradlint.verify.run import run
from gradlint.verify.runs import Forked
from gradlint.verify.slice.regions import Region, Slice, slice_text
from gradlint.verify.world.plan import Plan

pytestmark = pytest.mark.skipif(not supported(), reason="this system cannot fork")

FIXTURES = Path(__file__).parents[2] / "fixtures"
BUGGY = (FIXTURES / "clip-after-step" / "buggy.py").read_text(encoding="utf-8")
SOUND = (FIXTURES / "clip-after-step" / "fixed.py").read_text(encoding="utf-8")


def sliced(text: str = BUGGY) -> tuple[Slice, Region]:
    warm()
    found = slice_text(text, ast.parse(text), "train.py")
    return found, found.regions[0]


Fake = Callable[[Slice, Region, Plan], Record]


def stand_in(monkeypatch: pytest.MonkeyPatch, fake: Fake) -> None:
    """What every child does instead of running the loop; it is forked, so it inherits this."""
    monkeypatch.setattr(runs, "run", fake)


def test_each_run_is_another_process(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(monkeypatch, lambda found, region, plan: Record(notes=[str(os.getpid())]))
    found, region = sliced()
    forked = Forked(found, Limits())
    seen = {forked(region, Plan()).notes[0] for _ in range(3)} | {str(os.getpid())}
    assert len(seen) == 4


def test_the_runs_of_one_loop_are_as_many_processes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def counted(found: Slice, region: Region, plan: Plan) -> Record:
        record = run(found, region, plan)
        record.notes.append(f"process {os.getpid()}")
        return record

    asked: list[str] = []
    forked = Forked.__call__

    def told(self: Forked, region: Region, plan: Plan) -> Record:
        record = forked(self, region, plan)
        asked.extend(note for note in record.notes if note.startswith("process "))
        return record

    stand_in(monkeypatch, counted)
    monkeypatch.setattr(Forked, "__call__", told)
    (loop,) = verify_text(BUGGY, "train.py", Asked()).loops
    assert loop.verdict is Verdict.DIFFERS
    assert len(asked) == len(set(asked)) > len(loop.runs)  # the probe and the second run under one seed come on top


def test_what_comes_back_is_what_was_recorded() -> None:
    found, region = sliced()
    forked = Forked(found, Limits())
    once, again = forked(region, Plan()), forked(region, Plan())
    assert once.updates
    assert once.same(again)
    assert Record.from_plain(json.loads(json.dumps(once.plain()))) == once


def test_a_run_leaves_nothing_in_the_warm_process() -> None:
    found, region = sliced()
    torch.manual_seed(3)
    before = torch.random.get_rng_state()
    Forked(found, Limits())(region, Plan(seed=9))
    assert torch.equal(before, torch.random.get_rng_state())
    assert not torch.distributed.is_initialized()


def test_a_run_that_dies_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def dies(found: Slice, region: Region, plan: Plan) -> Record:
        os.abort()

    stand_in(monkeypatch, dies)
    found, region = sliced()
    record = Forked(found, Limits())(region, Plan(regime=LO))
    assert record.reason == Reason.LIMIT.value
    assert "signal 6" in record.detail


def test_a_run_that_dies_takes_no_other_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def dies(found: Slice, region: Region, plan: Plan) -> Record:
        if plan.regime == HI:
            os.abort()
        return run(found, region, plan)

    stand_in(monkeypatch, dies)
    (loop,) = verify_text(SOUND, "train.py", Asked()).loops
    told = {one.regime: one.verdict for one in loop.runs if not one.configuration}
    assert told[LO] is Verdict.CONFIRMED
    assert told[HI] is Verdict.INCONCLUSIVE
    assert loop.verdict is Verdict.INCONCLUSIVE


def test_all_runs_of_a_loop_share_one_allowance_of_cpu_time(monkeypatch: pytest.MonkeyPatch) -> None:
    def works(found: Slice, region: Region, plan: Plan) -> Record:
        begin = time.process_time()
        while time.process_time() - begin < 0.3:
            pass
        return Record()

    stand_in(monkeypatch, works)
    found, region = sliced()
    forked = Forked(found, Limits(processor=0.8))
    records = [forked(region, Plan()) for _ in range(20)]
    assert [one.reason for one in records[:2]] == ["", ""]
    assert {one.reason for one in records[4:]} == {Reason.ENDLESS.value}
    assert {one.detail for one in records[4:]} == {"stopped after 0.8 seconds of CPU time"}


def test_all_runs_of_a_loop_wait_together_no_longer_than_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """As ranks do that wait for each other."""

    def waits(found: Slice, region: Region, plan: Plan) -> Record:
        time.sleep(60)
        return Record()

    stand_in(monkeypatch, waits)
    found, region = sliced()
    forked = Forked(found, Limits(patience=1.5))
    begin = time.monotonic()
    records = [forked(region, Plan()) for _ in range(3)]
    assert {one.reason for one in records} == {Reason.LIMIT.value}
    assert "the machine is busy, or the run waits for something" in records[0].detail
    assert time.monotonic() - begin < 8


def test_waiting_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A loaded machine makes a run wait; that changes no verdict."""

    def sleeps(found: Slice, region: Region, plan: Plan) -> Record:
        time.sleep(0.3)
        return Record()

    stand_in(monkeypatch, sleeps)
    found, region = sliced()
    forked = Forked(found, Limits(processor=0.5))
    assert {forked(region, Plan()).reason for _ in range(5)} == {""}


@pytest.mark.parametrize("text", [BUGGY, SOUND], ids=["buggy", "sound"])
def test_all_runs_in_one_process_say_the_same(text: str) -> None:
    """As it is done on a GPU."""
    together = _judged_together(*sliced(text), Asked())
    (apart,) = verify_text(text, "train.py", Asked()).loops
    assert (together.verdict, together.rules, together.plan) == (apart.verdict, apart.rules, apart.plan)
