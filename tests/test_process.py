"""The whole process: it leaves at once, and loses nothing on the way out."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

FIXTURES = Path(__file__).parents[1] / "fixtures"
BUGGY = str(FIXTURES / "clip-after-step" / "buggy.py")
SOUND = str(FIXTURES / "clip-after-step" / "fixed.py")
LEAVES = "import atexit, sys\natexit.register(print, 'taken apart')\nsys.argv = ['gradlint', 'check', *sys.argv[1:]]\n"


def run(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("path", "status"), [(BUGGY, 1), (SOUND, 0), ("nowhere.py", 3)])
def test_status_and_output_are_those_of_the_command(path: str, status: int) -> None:
    fast = run(f"{LEAVES}from gradlint.cli import process\nprocess()", "--no-cache", path)
    slow = run(f"{LEAVES}from gradlint.cli import main\nsys.exit(main())", "--no-cache", path)
    assert fast.returncode == slow.returncode == status
    assert fast.stdout + "taken apart\n" == slow.stdout
    assert fast.stderr == slow.stderr


def test_a_long_report_arrives_whole_through_a_pipe(tmp_path: Path) -> None:
    for number in range(60):
        shutil.copy(BUGGY, tmp_path / f"train_{number}.py")
    ran = run(
        f"{LEAVES}from gradlint.cli import process\nprocess()", "--no-cache", "--output-format", "json", str(tmp_path)
    )
    assert len(ran.stdout) > 1 << 16
    assert len(json.loads(ran.stdout)["findings"]) == 60


def test_a_profiler_gets_its_turn() -> None:
    ran = run(f"{LEAVES}import cProfile\ncProfile.run('from gradlint.cli import process; process()')", SOUND)
    assert "function calls" in ran.stdout
    assert "taken apart" in ran.stdout


def test_the_module_may_be_imported() -> None:
    assert run("import gradlint.__main__\nprint('still here')").stdout == "still here\n"
