"""Completion in a real shell."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

BASH = shutil.which("bash")
PATH = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"


def script(shell: str) -> str:
    ran = subprocess.run(
        ["gradlint", "completion", shell], env={**os.environ, "PATH": PATH}, capture_output=True, check=True
    )
    return ran.stdout.decode()


@pytest.mark.skipif(BASH is None, reason="needs bash")
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["ver"], {"verify"}),
        (["explain", "clip-after"], {"clip-after-step"}),
        (["check", "--select", "clip-after"], {"clip-after-step"}),
        (["check", "--select", "clipping,all"], {"clipping,all"}),
        (["check", "--output-format", "s"], {"sarif"}),
        (["check", "--write-b"], {"--write-baseline"}),
        (["fix", "--unsa"], {"--unsafe-fixes"}),
    ],
)
def test_bash_completes(words: list[str], expected: set[str]) -> None:
    line = " ".join(f"'{word}'" for word in ["gradlint", *words])
    text = (
        f"{script('bash')}\nCOMP_WORDS=({line}); COMP_CWORD={len(words)}; "
        '_gradlint_completion gradlint; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    ran = subprocess.run(
        [BASH, "--norc", "-c", text], env={**os.environ, "PATH": PATH}, capture_output=True, text=True, check=True
    )
    assert {word.strip() for word in ran.stdout.split()} == expected


@pytest.mark.parametrize(
    ("shell", "piece"), [("zsh", "#compdef gradlint"), ("fish", "complete --no-files --command gradlint")]
)
def test_other_shells_have_a_script(shell: str, piece: str) -> None:
    assert piece in script(shell)
