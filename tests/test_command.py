"""The installed command, all the way down: real files, the real engine, a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BUGGY = ROOT / "fixtures" / "clip-after-step" / "buggy.py"
FIXED = ROOT / "fixtures" / "clip-after-step" / "fixed.py"


def gradlint(*words: str | Path, cwd: Path = ROOT, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "gradlint", *map(str, words)]
    return subprocess.run(command, capture_output=True, cwd=cwd, input=stdin, check=False)


def test_a_buggy_loop() -> None:
    ran = gradlint("check", BUGGY)
    assert (ran.returncode, ran.stderr) == (1, b"")
    out = ran.stdout.decode()
    assert out.startswith(f"error[clip-after-step] {BUGGY}:")
    assert out.endswith("Found 1 problem in 1 file.\n[*] 1 fixable with `gradlint fix --apply`.\n")


def test_its_fixed_twin() -> None:
    ran = gradlint("check", FIXED)
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert ran.stdout.startswith(b"No problems found: 1 file, ")


def test_standard_input() -> None:
    ran = gradlint("check", "-", "--output-format", "json", stdin=BUGGY.read_bytes())
    assert ran.returncode == 1
    (finding,) = json.loads(ran.stdout)["findings"]
    assert (finding["rule"], finding["path"]) == ("clip-after-step", "<stdin>")


def test_trace() -> None:
    ran = gradlint("trace", BUGGY)
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert "ledger of `optimizer`" in ran.stdout.decode()


def test_rules_and_pages_agree() -> None:
    from gradlint.report import pages

    rows = json.loads(gradlint("rules", "--output-format", "json").stdout)
    assert sorted(row["name"] for row in rows) == list(pages.names())


BAD = {
    "syntax.py": b"def f(:\n    loss.backward()\n    optimizer.step()\n",
    "python2.py": b"print 'loss.backward() optimizer.step()'\n",
    "bytes.py": b"# loss.backward() optimizer.step()\nx = '\xff'\n",
    "null.py": b"x = '\x00'  # loss.backward() optimizer.step()\n",
    "encoding.py": b"# -*- coding: klingon -*-\n# loss.backward() optimizer.step()\n",
    "deep.py": b"# loss.backward() optimizer.step()\nx = " + b"(" * 3000 + b")" * 3000 + b"\n",
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_one_line_and_the_rest_is_checked(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(BAD[name])
    (tmp_path / "good.py").write_bytes(BUGGY.read_bytes())
    ran = gradlint("check", "--output-format", "concise", ".", cwd=tmp_path)
    error = ran.stderr.decode()
    assert ran.returncode == 3
    assert error.startswith(f"{name}: ")
    assert error.count("\n") == 1
    assert "internal" not in error
    assert ran.stdout.startswith(b"good.py:")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"# loss.backward() optimizer.step()",
        b"\xef\xbb\xbf# loss.backward() optimizer.step()\n",
        b"# -*- coding: latin-1 -*-\nx = '\xff'  # loss.backward() optimizer.step()\n",
        b"x = [\n" + b"    (1, 2, 3),  # loss.backward() optimizer.step()\n" * 20_000 + b"]\n",
        b"x = " + b"+".join([b"1"] * 500) + b"  # loss.backward() optimizer.step()\n",
        b"if x:\n" + b"".join(b" " * n + b"if x:\n" for n in range(1, 80)) + b" " * 80 + b"pass\n",
    ],
    ids=["empty", "blank", "no-line-end", "bom", "latin-1", "1-MB", "long-sum", "deep"],
)
def test_odd_files_are_fine(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "odd.py").write_bytes(data)
    ran = gradlint("check", "odd.py", cwd=tmp_path)
    assert (ran.returncode, ran.stderr) == (0, b"")


def test_names_that_are_no_text(tmp_path: Path) -> None:
    (tmp_path / "odd-\udcff.py").write_bytes(BUGGY.read_bytes())
    for output_format in ("full", "concise", "json"):
        ran = gradlint("check", "--output-format", output_format, cwd=tmp_path)
        assert (ran.returncode, ran.stderr) == (1, b"")


def test_an_unknown_rule_in_an_ignore_is_a_warning(tmp_path: Path) -> None:
    text = BUGGY.read_text(encoding="utf-8")
    ignored = text.replace("MAX_NORM)\n", "MAX_NORM)  # gradlint: ignore[clip-aftr-step]\n")
    (tmp_path / "a.py").write_text(ignored, encoding="utf-8")
    ran = gradlint("check", "a.py", cwd=tmp_path)
    row = 1 + ignored[: ignored.index("# gradlint")].count("\n")
    message = "unknown rule 'clip-aftr-step'; did you mean 'clip-after-step'?"
    assert ran.stderr.decode() == f"warning: a.py:{row}: {message}\n"
    assert ran.returncode == 1


def test_an_ignore_silences(tmp_path: Path) -> None:
    text = BUGGY.read_text(encoding="utf-8")
    ignored = text.replace("MAX_NORM)\n", "MAX_NORM)  # gradlint: ignore[clip-after-step]\n")
    (tmp_path / "a.py").write_text(ignored, encoding="utf-8")
    ran = gradlint("check", "a.py", cwd=tmp_path)
    assert (ran.returncode, ran.stderr) == (0, b"")


def test_fix_prints_a_patch_that_git_applies(tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    file.write_bytes(BUGGY.read_bytes())
    shown = gradlint("fix", "train.py", cwd=tmp_path)
    assert (shown.returncode, file.read_bytes()) == (1, BUGGY.read_bytes())
    subprocess.run(["git", "init", "--quiet", "."], cwd=tmp_path, check=True)
    subprocess.run(["git", "apply", "-"], cwd=tmp_path, input=shown.stdout, check=True)
    assert gradlint("check", "train.py", cwd=tmp_path).returncode == 0
    patched = file.read_bytes()
    file.write_bytes(BUGGY.read_bytes())
    assert gradlint("fix", "--apply", ".", cwd=tmp_path).returncode == 0
    assert file.read_bytes() == patched


def test_fix_twice_is_fix_once(tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    file.write_bytes(BUGGY.read_bytes())
    gradlint("fix", "--apply", file)
    once = file.read_bytes()
    again = gradlint("fix", "--apply", file)
    assert (again.returncode, again.stdout, file.read_bytes()) == (0, b"Nothing to fix in 1 file.\n", once)


def test_fix_of_standard_input(tmp_path: Path) -> None:
    ran = gradlint("fix", "-", stdin=BUGGY.read_bytes())
    assert ran.returncode == 0
    assert b"Fixed 1 problem in 1 file.\n" in ran.stderr
    assert gradlint("check", "-", stdin=ran.stdout).returncode == 0


UNUSED = """\
import torch  # gradlint: ignore[clip-after-step]
# gradlint: ignore-file[missing-no-sync]


def train(model, optimizer, loader):
    for x in loader:  # noqa: B007  # gradlint: ignore
        optimizer.zero_grad()
        model(x).sum().backward()
        optimizer.step()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # gradlint: ignore[clip-after-step, double-unscale] so
"""
TIDY = """\
import torch


def train(model, optimizer, loader):
    for x in loader:  # noqa: B007
        optimizer.zero_grad()
        model(x).sum().backward()
        optimizer.step()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # gradlint: ignore[clip-after-step] so
"""


def test_fix_takes_away_unused_comments(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text(UNUSED, encoding="utf-8")
    assert gradlint("check", "a.py", cwd=tmp_path).stderr.decode().count("unused `# gradlint: ignore") == 4
    assert gradlint("fix", "--apply", "a.py", cwd=tmp_path).stdout == b"Nothing to fix in 1 file.\n"
    shown = gradlint("fix", "--unused-ignores", "a.py", cwd=tmp_path)
    assert (shown.returncode, shown.stderr) == (1, b"Nothing to fix in 1 file.\nWould remove 4 unused comments.\n")
    ran = gradlint("fix", "--unused-ignores", "--apply", "a.py", cwd=tmp_path)
    assert (ran.returncode, ran.stdout) == (0, b"Nothing to fix in 1 file.\nRemoved 4 unused comments.\n")
    assert file.read_text(encoding="utf-8") == TIDY
    again = gradlint("check", "a.py", cwd=tmp_path)
    assert (again.returncode, again.stderr) == (0, b"")


def test_what_may_be_used_elsewhere_is_not_taken_away(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text(UNUSED, encoding="utf-8")
    ran = gradlint("fix", "--unused-ignores", "--apply", "--select", "hygiene", "a.py", cwd=tmp_path)
    assert (ran.returncode, file.read_text(encoding="utf-8")) == (0, UNUSED)


def test_repairs_and_comments_go_together(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    text = BUGGY.read_text(encoding="utf-8")
    file.write_text(f"# gradlint: ignore-file[missing-no-sync]\n{text}", encoding="utf-8")
    ran = gradlint("fix", "--unused-ignores", "--apply", "a.py", cwd=tmp_path)
    assert ran.returncode == 0
    assert ran.stdout.endswith(b"Fixed 1 problem in 1 file.\nRemoved 1 unused comment.\n")
    assert "gradlint" not in file.read_text(encoding="utf-8")
