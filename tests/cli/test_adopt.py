"""An old code base starts today: baselines and comments for all that is there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

ONE = ("--select", "clip-after-step", "--output-format", "concise")


def test_what_the_baseline_knows_is_not_reported(run: Callable) -> None:
    Path("a.py").write_text("BUG\n")
    ran = run("check", *ONE, "--write-baseline", "known.json")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == "Wrote 1 finding to known.json; `--baseline known.json` leaves them out.\n"
    ran = run("check", *ONE, "--baseline", "known.json")
    assert (ran.status, ran.err) == (0, "baseline known.json: 1 known finding not shown\n")
    assert "a.py" not in ran.out


def test_what_is_new_is(run: Callable) -> None:
    Path("a.py").write_text("BUG\n")
    run("check", *ONE, "--write-baseline", "known.json")
    Path("a.py").write_text("import x\n\nBUG\nANOTHER_BUG\n")
    ran = run("check", *ONE, "--baseline", "known.json")
    assert ran.status == 1
    assert [line.split(":")[:2] for line in ran.out.splitlines()[:-1]] == [["a.py", "4"]]


def test_a_baseline_means_the_same_from_another_folder(run: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("src").mkdir()
    Path("src/a.py").write_text("BUG\n")
    run("check", *ONE, "--write-baseline", "known.json")
    (row,) = json.loads(Path("known.json").read_text())["findings"]
    assert row["path"] == "src/a.py"
    monkeypatch.chdir("src")
    assert run("check", *ONE, "--baseline", "../known.json", str(Path("a.py").absolute())).status == 0


def test_a_baseline_is_the_same_however_the_files_are_named(run: Callable) -> None:
    for name in ("b.py", "a.py"):
        Path(name).write_text("BUG\nBUG\n")
    run("check", *ONE, "--write-baseline", "one.json")
    run("check", *ONE, "--write-baseline", "two.json", "./b.py", str(Path("a.py").absolute()))
    assert Path("one.json").read_bytes() == Path("two.json").read_bytes()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "cannot be read: No such file or directory; `--write-baseline` makes one"),
        ("{", "is not JSON; `--write-baseline` makes a baseline"),
        ("[]", "is not a baseline of version 1"),
        ('{"version": 2, "findings": []}', "is not a baseline of version 1"),
    ],
)
def test_a_bad_baseline_exits_2(run: Callable, text: str | None, message: str) -> None:
    Path("a.py").write_text("BUG\n")
    if text is not None:
        Path("known.json").write_text(text)
    ran = run("check", "--baseline", "known.json")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(f"error: known.json: {message}")


def test_what_could_not_be_checked_is_told_when_a_baseline_is_written(run: Callable) -> None:
    ran = run("check", "gone.py", "--write-baseline", "known.json")
    assert (ran.status, ran.err) == (3, "gone.py: no such file or folder\n")


def test_a_baseline_that_cannot_be_written_exits_2(run: Callable) -> None:
    ran = run("check", "--write-baseline", "no/such/known.json")
    assert ran.status == 2
    assert "--write-baseline: no/such/known.json: No such file or directory" in ran.err


# Comments


def test_add_ignores_writes_comments(run: Callable) -> None:
    Path("a.py").write_bytes(b"BUG\r\nBUG  # noqa\r\n")
    ran = run("check", "--add-ignores", "--select", "clipping")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == "Silenced 4 findings in 1 file; say in each comment why it is right.\n"
    names = b"# gradlint: ignore[clip-after-step, clip-per-tensor]"
    assert Path("a.py").read_bytes() == b"BUG  " + names + b"\r\nBUG  # noqa  " + names + b"\r\n"


def test_add_ignores_where_no_comment_can_stand_changes_nothing(run: Callable) -> None:
    Path("a.py").write_text('BUG\nx = """BUG\n"""\n')
    ran = run("check", "--add-ignores", "--select", "clip-after-step")
    assert ran.status == 3
    assert ran.err == "a.py: not changed: no comment can stand at line 2; use ignore-file or a baseline\n"
    assert ran.out.startswith("Silenced 0 findings")
    assert "gradlint" not in Path("a.py").read_text()


def test_add_ignores_leaves_what_the_baseline_knows(run: Callable) -> None:
    Path("a.py").write_text("BUG\n")
    run("check", *ONE, "--write-baseline", "known.json")
    assert run("check", *ONE, "--baseline", "known.json", "--add-ignores").out.startswith("Silenced 0 findings")
    assert Path("a.py").read_text() == "BUG\n"


def test_add_ignores_of_standard_input_is_bad_usage(run: Callable) -> None:
    ran = run("check", "-", "--add-ignores", stdin=b"BUG")
    assert ran.status == 2
    assert "--add-ignores writes to files, and standard input is none" in ran.err
