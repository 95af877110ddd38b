"""What is shipped for editors, on what gradlint really prints: by Python, by JavaScript, by Vim and by Emacs."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from builders import finding, report
from notebooks import IMPORTS, LATE, SETUP, code, notebook

from gradlint.report import concise
from gradlint.report.style import Style

ROOT = Path(__file__).parents[2]
EDITORS = ROOT / "editors"
BUGGY = ROOT / "fixtures" / "clip-after-step" / "buggy.py"
VSCODE = json.loads((EDITORS / "vscode" / "tasks.json").read_text(encoding="utf-8"))
GITHUB = json.loads((EDITORS / "github" / "gradlint-matcher.json").read_text(encoding="utf-8"))
MATCHERS = {
    "vscode": VSCODE["tasks"][0]["problemMatcher"]["pattern"],
    "github": GITHUB["problemMatcher"][0]["pattern"][0],
}
PATHS = [
    "train.py",
    "my code/train loop.py",
    "C:\\my code\\train.py",
    "C:/code/train.py",
    "/home/é/1:2: odd.py",
    "a:3.py",
    "\\\\server\\share\\train.py",
]
NODE = shutil.which("node")
VIM = shutil.which("vim")
EMACS = shutil.which("emacs")


def gradlint(*words: object, cwd: Path) -> str:
    command = [sys.executable, "-m", "gradlint", "check", "--output-format", "concise", *map(str, words)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, encoding="utf-8", check=False).stdout


def lines(path: str) -> list[str]:
    """A finding with a repair and one without, and the summary, as they are printed."""
    found = report(finding(path=path), finding(path=path, fix=None))
    return concise.render(found, Style()).splitlines()


def fields(matcher: dict, match: re.Match[str] | list[str] | None) -> dict[str, str] | None:
    names = ("file", "line", "column", "code", "message")
    return None if match is None else {name: match[matcher[name]] for name in names}


EXPECTED = {"line": "6", "column": "5", "code": "clip-after-step", "message": finding().message}


@pytest.mark.parametrize("name", MATCHERS)
@pytest.mark.parametrize("path", PATHS)
def test_problem_matchers(name: str, path: str) -> None:
    matcher = MATCHERS[name]
    with_repair, without, *rest = [fields(matcher, re.search(matcher["regexp"], line)) for line in lines(path)]
    assert with_repair == without == {"file": path, **EXPECTED}
    assert rest
    assert set(rest) == {None}


@pytest.mark.parametrize("name", MATCHERS)
def test_problem_matchers_on_a_notebook(name: str) -> None:
    matcher = MATCHERS[name]
    line = concise.render(report(finding(path="a b.ipynb", cell=12)), Style()).splitlines()[0]
    assert fields(matcher, re.search(matcher["regexp"], line)) == {"file": "a b.ipynb", **EXPECTED}


@pytest.mark.skipif(NODE is None, reason="needs node, whose regular expressions are those of VS Code")
@pytest.mark.parametrize("name", MATCHERS)
def test_problem_matchers_in_javascript(name: str) -> None:
    matcher = MATCHERS[name]
    script = (
        "const [r, ls] = JSON.parse(process.argv[1]); console.log(JSON.stringify(ls.map(l => l.match(new RegExp(r)))))"
    )
    shown = [line for path in PATHS for line in lines(path)]
    given = json.dumps([matcher["regexp"], shown])
    ran = subprocess.run([NODE, "-e", script, given], capture_output=True, text=True, encoding="utf-8", check=True)
    found = [fields(matcher, match) for match in json.loads(ran.stdout)]
    assert [one["file"] for one in found if one] == [path for path in PATHS for _ in range(2)]
    assert all(one == {"file": one["file"], **EXPECTED} for one in found if one)


def test_the_task_runs_what_the_matcher_reads(tmp_path: Path) -> None:
    task = VSCODE["tasks"][0]
    assert (task["command"], task["args"]) == ("gradlint", ["check", "--output-format", "concise"])
    (tmp_path / "my code").mkdir()
    shutil.copy(BUGGY, tmp_path / "my code" / "train.py")
    (tmp_path / "a.ipynb").write_text(notebook(code(IMPORTS + SETUP), code(LATE)), encoding="utf-8")
    found = [
        fields(MATCHERS["vscode"], re.search(MATCHERS["vscode"]["regexp"], line))
        for line in gradlint(cwd=tmp_path).splitlines()
    ]
    assert [(one["file"], one["line"]) for one in found if one] == [("a.ipynb", "6"), ("my code/train.py", "31")]


@pytest.mark.skipif(VIM is None, reason="needs vim")
def test_vim(tmp_path: Path) -> None:
    (tmp_path / "my code").mkdir()
    shutil.copy(BUGGY, tmp_path / "my code" / "train.py")
    (tmp_path / "a.ipynb").write_text(notebook(code(IMPORTS + SETUP), code(LATE)), encoding="utf-8")
    show = "[bufname(v:val.bufnr), v:val.lnum, v:val.col, v:val.text, v:val.valid]"
    script = tmp_path / "t.vim"
    script.write_text(
        f"set nocompatible\nset runtimepath^={EDITORS}/vim\ncompiler gradlint\nsilent make\n"
        f"call writefile([json_encode(map(getqflist(), '{show}'))], 'found.json')\nqa!\n"
    )
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    subprocess.run(
        [VIM, "-Nu", "NONE", "-es", "-S", script],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        check=False,
        timeout=60,
    )
    found = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))
    assert [one[:3] + one[4:] for one in found] == [["a.ipynb", 6, 5, 1], ["my code/train.py", 31, 13, 1]]
    assert all(one[3].startswith("clip-after-step [*] Gradients are clipped") for one in found)


@pytest.mark.skipif(EMACS is None, reason="needs emacs")
def test_emacs(tmp_path: Path) -> None:
    (tmp_path / "my code").mkdir()
    file = tmp_path / "my code" / "train.py"
    shutil.copy(BUGGY, file)
    script = tmp_path / "t.el"
    script.write_text(
        f"""
(require 'flymake)
(load "{EDITORS}/emacs-flymake.el")
(find-file "{file}")
(python-mode)
(goto-char (point-min)) (insert "\\n")
(let (found (end (+ (float-time) 30)))
  (gradlint-flymake (lambda (diagnostics) (setq found (or diagnostics 'none))))
  (while (and (not found) (< (float-time) end)) (accept-process-output nil 0.1))
  (dolist (one found)
    (message "%d %s" (line-number-at-pos (flymake-diagnostic-beg one)) (flymake-diagnostic-text one))))
"""
    )
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    ran = subprocess.run(
        [EMACS, "--batch", "-Q", "-l", script], env=environment, capture_output=True, text=True, check=True, timeout=90
    )
    assert "32 clip-after-step [*] Gradients are clipped" in ran.stderr
