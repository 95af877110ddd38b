"""The commands in README.md print what it shows."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BLOCKS = re.findall(r"```console\n\$ ([^\n]*)\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)


def test_there_are_some() -> None:
    assert {line.split()[1] for line, _ in BLOCKS} >= {"check", "fix"}


@pytest.mark.parametrize(("line", "shown"), BLOCKS, ids=[line for line, _ in BLOCKS])
def test_it_prints_what_is_shown(line: str, shown: str) -> None:
    name, *words = line.split()
    assert name == "gradlint"
    if words[0] == "verify":
        pytest.importorskip("torch", reason="torch is not installed: no loop can be run")
    environment = {key: value for key, value in os.environ.items() if key not in {"NO_COLOR", "FORCE_COLOR"}}
    ran = subprocess.run(
        [sys.executable, "-m", "gradlint", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=ROOT,
        env={**environment, "COLUMNS": "100", "PYTHONIOENCODING": "utf-8"},
        check=False,
    )
    assert ran.stdout == shown
