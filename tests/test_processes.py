"""Processes: results do not depend on who does the work, and nothing that a task does stops the others."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gradlint.check import batch
from gradlint.check.batch import How, check_files
from gradlint.files.workers import processors, run
from gradlint.model.finding import Report
from gradlint.model.settings import Settings

ROOT = Path(__file__).parents[1]
FIXTURES = sorted((ROOT / "fixtures").rglob("*.py"))
METHODS = [name for name in ("fork", "spawn") if name in multiprocessing.get_all_start_methods()]


def square(number: int) -> int:
    return number * number


def fragile(number: int) -> int:
    if number % 3 == 0:
        os._exit(9)
    return number


def slow(number: int) -> int:
    time.sleep(60)
    return number


@pytest.mark.parametrize("method", METHODS)
def test_every_task_is_done_once(method: str) -> None:
    found = list(run(range(20), square, 3, method))
    assert sorted(found) == [(number, number * number) for number in range(20)]


@pytest.mark.parametrize("size", [1, 2, 5])
def test_a_process_that_dies_takes_one_task_with_it(size: int) -> None:
    found = dict(run(range(10), fragile, size))
    assert found == {number: number if number % 3 else None for number in range(10)}


def test_there_are_no_more_processes_than_tasks() -> None:
    seen = [len(multiprocessing.active_children()) for _ in run(range(2), square, 50)]
    assert max(seen) <= 2
    assert list(run([], square, 4)) == []


def test_nothing_is_left_running_when_nobody_listens_any_more() -> None:
    results = run([0, 1, *range(2, 40)], fragile, 2)
    next(results)
    results.close()  # type: ignore[attr-defined]  # it is a generator
    assert multiprocessing.active_children() == []


def test_processes_end_with_the_one_that_started_them(tmp_path: Path) -> None:
    code = (
        "import os, sys, time\nfrom gradlint.files.workers import run\n"
        "def work(number):\n    open(f'{os.getpid()}.pid', 'w').close()\n    time.sleep(0.2)\n"
        "for _ in run(range(10_000), work, 2): pass\n"
    )
    started = subprocess.Popen([sys.executable, "-c", code], cwd=tmp_path)
    while len(list(tmp_path.glob("*.pid"))) < 2:
        time.sleep(0.02)
    started.send_signal(signal.SIGKILL)
    started.wait()
    numbers = [int(path.stem) for path in tmp_path.glob("*.pid")]
    for _ in range(200):
        if not any(alive(number) for number in numbers):
            return
        time.sleep(0.05)
    pytest.fail("a process outlived the one that started it")


def alive(number: int) -> bool:
    try:
        state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


HEEDED = "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])"
"""Runs a command that heeds the interrupt key, which a job in the background is started without."""


def test_the_interrupt_key_ends_everything_quietly(tmp_path: Path) -> None:
    lines = "".join(f"        x{number} = {number}\n" for number in range(3_000))
    for number in range(60):
        (tmp_path / f"{number}.py").write_text(f"def f{number}():\n    for x in loader:\n{lines}        x.backward()\n")
    command = [sys.executable, "-m", "gradlint", "check", "--workers", "2", "--no-cache", "."]
    started = subprocess.Popen(
        [sys.executable, "-c", HEEDED, *command],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    time.sleep(1.5)
    os.killpg(started.pid, signal.SIGINT)
    out, err = started.communicate(timeout=60)
    assert (started.returncode, out, err.strip()) == (130, b"", b"")


def test_this_process_may_use_a_processor() -> None:
    assert processors() >= 1


# Findings are the same, however they are found.


def check(paths: list[Path], **how: object) -> Report:
    return check_files([(path, Settings()) for path in paths], How(**how))  # type: ignore[arg-type]  # by name


@pytest.fixture(scope="module")
def alone() -> Report:
    return check(FIXTURES, workers=1)


def test_there_is_something_to_find(alone: Report) -> None:
    assert len(alone.findings) > 20
    assert alone.files == len(FIXTURES)


@pytest.mark.parametrize("workers", [2, 3])
def test_many_processes_find_the_same(alone: Report, workers: int) -> None:
    assert check(FIXTURES, workers=workers) == alone


def test_file_by_file_is_the_same(alone: Report) -> None:
    reports = [check([path]) for path in FIXTURES]
    assert tuple(one for report in reports for one in report.findings) == alone.findings
    assert sum(report.regions for report in reports) == alone.regions


def test_the_cache_says_the_same(alone: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRADLINT_CACHE_DIR", str(tmp_path))
    assert check(FIXTURES, cached=True, workers=2) == alone
    assert check(FIXTURES, cached=True) == alone


def test_the_command_prints_the_same_to_the_byte(tmp_path: Path) -> None:
    base = [sys.executable, "-m", "gradlint", "check", "--output-format", "json", str(ROOT / "fixtures")]
    environment = {**os.environ, "GRADLINT_CACHE_DIR": str(tmp_path)}
    words = (["--no-cache", "--workers", "1"], ["--no-cache", "--workers", "3"], ["--workers", "2"], [])
    outs = [subprocess.run([*base, *more], capture_output=True, env=environment, check=False).stdout for more in words]
    assert len(outs[0]) > 10_000
    assert len(set(outs)) == 1


def test_a_process_that_dies_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("a.py", "deadly.py", "z.py"):
        (tmp_path / name).write_text("loss.backward()\noptimizer.step()\n")
    real = batch.check_file

    def deadly(task: tuple[Path, Settings]) -> object:
        if task[0].name == "deadly.py":
            os.kill(os.getpid(), signal.SIGKILL)
        return real(task)

    monkeypatch.setattr(batch, "check_file", deadly)
    report = check(sorted(tmp_path.iterdir()), workers=2)
    (problem,) = report.problems
    assert problem.path.endswith("deadly.py")
    assert problem.message == "internal: the process that checked it died"
    assert report.regions == 2


@pytest.mark.parametrize(
    ("files", "size", "workers", "expected"),
    [
        (1, 10**9, 8, 1),
        (50, 10**9, 3, 3),
        (2, 10**9, 3, 2),
        (50, 1_000, None, 1),
        (50, 2 * batch.WORTH_A_PROCESS, None, 2),
        (50, 10**9, None, 4),
        (3, 10**9, None, 3),
    ],
)
def test_processes_are_started_where_they_are_worth_it(
    monkeypatch: pytest.MonkeyPatch, files: int, size: int, workers: int | None, expected: int
) -> None:
    monkeypatch.setattr("gradlint.files.workers.processors", lambda: 4)
    assert batch._processes(files, size, workers) == expected


def test_progress_is_told_file_by_file() -> None:
    told: list[tuple[int, int]] = []
    check(FIXTURES[:3], progress=lambda done, total: told.append((done, total)))
    assert told == [(0, 3), (1, 3), (2, 3), (3, 3)]
