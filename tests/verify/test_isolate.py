"""What a run may not do, tried from inside a run."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gradlint.verify.isolate import MEGABYTE, Limits, isolated, supported
from gradlint.verify.reasons import Reason

pytestmark = pytest.mark.skipif(not supported(), reason="this system cannot fork")

QUICK = Limits(patience=10, processor=2, memory=256 * MEGABYTE, file_size=MEGABYTE)


def ran(job: Callable[[], Any], limits: Limits = QUICK) -> tuple[Any, Reason | None]:
    outcome = isolated(lambda rank: job(), limits)
    return outcome.value, outcome.reason


def test_what_a_run_returns_arrives() -> None:
    assert ran(lambda: {"a": [1, 2.5, None, "x"]}) == ({"a": [1, 2.5, None, "x"]}, None)


def test_a_long_answer_arrives_whole() -> None:
    assert ran(lambda: "x" * MEGABYTE) == ("x" * MEGABYTE, None)


def test_each_rank_is_a_process_and_the_first_answers() -> None:
    outcome = isolated(lambda rank: [rank, Path.cwd().name.startswith("gradlint-")], QUICK, ranks=2)
    assert outcome.value == [0, True]


def endless() -> None:
    while True:
        pass


def test_the_processor_is_limited() -> None:
    before = time.monotonic()
    outcome = isolated(lambda rank: endless(), Limits(processor=1))
    assert (outcome.reason, outcome.detail) == (Reason.ENDLESS, "stopped after 1 seconds of CPU time")
    assert outcome.spent == pytest.approx(1, abs=0.3)
    assert time.monotonic() - before < 30


def test_the_wall_clock_is_only_a_safety_net_and_says_so() -> None:
    before = time.monotonic()
    outcome = isolated(lambda rank: time.sleep(60), Limits(patience=0.5))
    assert outcome.reason is Reason.LIMIT
    assert outcome.detail.startswith("waited 0.5 seconds for a run that had used 0.0 of CPU time: the machine is busy")
    assert outcome.spent < 0.3
    assert time.monotonic() - before < 10


def test_a_machine_that_is_busy_with_others_costs_a_run_nothing() -> None:
    """Waiting is not counted: many seconds of the clock, no CPU time to speak of."""
    outcome = isolated(lambda rank: time.sleep(1.5), Limits(processor=1))
    assert (outcome.reason, outcome.spent < 0.5) == (None, True)


def test_memory_is_limited() -> None:
    assert ran(lambda: len(bytearray(1 << 30)))[1] is Reason.LIMIT


def test_files_are_limited(tmp_path: Path) -> None:
    def write() -> None:
        Path("big").write_bytes(b"x" * (8 * MEGABYTE))

    assert ran(write)[1] is not None


def test_the_folder_is_its_own_and_goes_away() -> None:
    def place() -> str:
        Path("kept").write_text("x", encoding="utf-8")
        return str(Path.cwd())

    folder, reason = ran(place)
    assert reason is None
    assert folder != str(Path.cwd())
    assert not Path(folder).exists()


def test_the_environment_is_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "1")
    names, _ = ran(lambda: sorted(os.environ))
    assert set(names) <= {"HOME", "TMPDIR", "OMP_NUM_THREADS", "GLOO_SOCKET_IFNAME"}


def test_files_of_the_parent_are_closed(tmp_path: Path) -> None:
    with open(tmp_path / "open", "w", encoding="utf-8") as file:
        number = file.fileno()

        def written() -> bool:
            try:
                os.write(number, b"x")
            except OSError:
                return False
            return True

        assert ran(written) == (False, None)
    assert (tmp_path / "open").read_text(encoding="utf-8") == ""


def connect() -> None:
    with socket.socket() as one:
        one.connect(("127.0.0.1", 9))


@pytest.mark.parametrize(
    "job",
    [
        pytest.param(lambda: os.system("true"), id="shell"),
        pytest.param(lambda: subprocess.run(["true"], check=False), id="subprocess"),
        pytest.param(os.fork, id="fork"),
        pytest.param(lambda: os.kill(os.getppid(), signal.SIGTERM), id="kill"),
        pytest.param(connect, id="network"),
        pytest.param(lambda: socket.getaddrinfo("localhost", 80), id="names"),
        pytest.param(lambda: os.execv("/bin/true", ["true"]), id="exec"),
    ],
)
def test_processes_and_network_are_refused(job: Callable[[], Any]) -> None:
    assert ran(job) == (None, Reason.REFUSED)


def test_nothing_is_written_elsewhere(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.write_text("x", encoding="utf-8")
    for job in (
        lambda: (tmp_path / "new").write_text("x", encoding="utf-8"),
        lambda: os.open(tmp_path / "new", os.O_CREAT | os.O_WRONLY),
        lambda: os.remove(kept),
        lambda: os.mkdir(tmp_path / "folder"),
        lambda: os.rename(kept, tmp_path / "moved"),
    ):
        assert ran(job) == (None, Reason.REFUSED)
    assert [one.name for one in tmp_path.iterdir()] == ["kept"]


def test_an_answer_that_is_no_json_is_no_answer() -> None:
    assert ran(object)[1] is Reason.LIMIT


def test_a_run_that_kills_itself_is_told() -> None:
    outcome = isolated(lambda rank: os.abort(), QUICK)
    assert (outcome.reason, "signal" in outcome.detail) == (Reason.LIMIT, True)


def test_a_failure_inside_is_told() -> None:
    outcome = isolated(lambda rank: 1 // 0, QUICK)
    assert (outcome.reason, outcome.detail[:27]) == (Reason.SURROGATE, "internal: ZeroDivisionError")


def test_what_a_run_left_behind_is_killed() -> None:
    """The second rank outlives the first, and is killed with the group."""

    def job(rank: int) -> int:
        if rank:
            time.sleep(60)
        return os.getpgrp()

    group = isolated(job, QUICK, ranks=2).value
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    pytest.fail("the group is still there")
