"""`gradlint explain` on a terminal."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

pty = pytest.importorskip("pty")


def on_a_terminal(**environ: str) -> str:
    """What `explain` writes to a terminal."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "gradlint", "explain", "clip-after-step"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**{key: value for key, value in os.environ.items() if key != "NO_COLOR"}, "TERM": "xterm", **environ},
    )
    os.close(theirs)
    shown = b""
    try:
        while piece := os.read(ours, 4096):
            shown += piece
    except OSError:  # the terminal has been closed at its other end
        pass
    assert process.wait(timeout=30) == 0
    os.close(ours)
    return shown.decode()


def test_it_is_paged_and_coloured() -> None:
    shown = on_a_terminal(PAGER="sed s/^/>>/")
    assert shown.startswith(">>\x1b[1mclip-after-step\x1b[0m\r\n")
    assert shown.count("\n>>") > 20


def test_without_colour_where_none_is_wanted() -> None:
    assert "\x1b" not in on_a_terminal(PAGER="cat", NO_COLOR="1")
