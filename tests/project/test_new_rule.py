"""`make new-rule`: what it writes is a rule with a page, and the tests of pages say what is left to do."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from rules.pages import HEADINGS, read

ROOT = Path(__file__).parents[2]


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clone with what rules and their tests need."""
    for name in ("gradlint", "rules", "tests/rules"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def begin(clone: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "docs" / "new_rule.py"), *arguments, "--root", str(clone)]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)


def failures(clone: Path, rule: str) -> dict[str, str]:
    """The tests of a rule's page that fail, with what they say first."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=line", "tests/rules", "-k", rule]
    environment = os.environ | {"PYTHONPATH": str(clone), "COLUMNS": "400"}
    ran = subprocess.run(
        command, cwd=clone, env=environment, capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert ran.returncode in (0, 1), ran.stdout + ran.stderr
    return dict(re.findall(r"^FAILED \S+::(\w+)\[\S+\](?: - )?(.*)$", ran.stdout, re.MULTILINE))


def fill_in(path: Path, *pairs: tuple[str, str]) -> None:
    text = path.read_text(encoding="utf-8")
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new)
    path.write_text(re.sub(r"FILL IN(: )?", "", text), encoding="utf-8")


SUMMARY = ("FILL IN: the sentence that the page begins with.", "Gradients are cleared twice.")
TWICE = ("        optimizer.zero_grad()\n", "        optimizer.zero_grad()\n        optimizer.zero_grad()  # error\n")
CHECK = (
    ("return update.number < 0", "return len(update.zeros) > 1"),
    ("Hit.at(update.step)", "Hit.at(update.zeros[-1])"),
)


@pytest.mark.slow
def test_a_rule_that_repairs(clone: Path) -> None:
    begun = begin(clone, "twice-cleared", "--repair", "safe")
    assert (begun.returncode, begun.stderr) == (0, "")
    page, file = clone / "rules" / "twice-cleared.md", clone / "gradlint" / "rules" / "twice_cleared.py"
    assert read(page).headings == HEADINGS
    left = failures(clone, "twice-cleared")
    assert "mark the line of a wrong loop" in left["test_what_is_right_is_shown_as_often_as_what_is_wrong"]
    assert "rules/twice-cleared.md:5: FILL IN" in left["test_nothing_is_left_to_fill_in"]
    fill_in(
        file,
        SUMMARY,
        *CHECK,
        ("Delete(update.step.span)", "Delete(update.zeros[-1].span)"),
        ("Field.WINDOW", "Field.KEPT"),
        ("Kind.STEP", "Kind.ZERO"),
    )
    text = page.read_text(encoding="utf-8")
    page.write_text(text.replace(*TWICE, 1), encoding="utf-8")
    fill_in(page, SUMMARY)
    assert failures(clone, "twice-cleared") == {}


@pytest.mark.slow
def test_a_rule_that_is_off_and_has_no_repair(clone: Path) -> None:
    kind = ("--category", "advice", "--severity", "info", "--repair", "none", "--off")
    assert begin(clone, "twice-cleared", *kind).returncode == 0
    page, file = clone / "rules" / "twice-cleared.md", clone / "gradlint" / "rules" / "twice_cleared.py"
    assert (read(page).category, read(page).severity, read(page).default) == ("advice", "info", "off by default")
    fill_in(file, SUMMARY, *CHECK)
    text = page.read_text(encoding="utf-8")
    page.write_text(text.replace(*TWICE, 1), encoding="utf-8")
    fill_in(page, SUMMARY)
    assert failures(clone, "twice-cleared") == {}


@pytest.mark.parametrize(
    ("name", "reason"),
    [("clip-after-step", "is there already"), ("Clip_after", "is no name of a rule"), ("../x", "is no name of a rule")],
)
def test_a_rule_that_cannot_be_begun(tmp_path: Path, name: str, reason: str) -> None:
    (tmp_path / "gradlint" / "rules").mkdir(parents=True)
    (tmp_path / "gradlint" / "rules" / "clip_after_step.py").touch()
    refused = begin(tmp_path, name)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert reason in refused.stderr


@pytest.mark.parametrize("more", [(), ("--repair", "none"), ("--off",)])
def test_what_is_written_is_in_the_house_format(tmp_path: Path, more: tuple[str, ...]) -> None:
    pytest.importorskip("ruff")
    for folder in ("gradlint/rules", "rules"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "gradlint" / "rules" / "__init__.py").touch()
    assert begin(tmp_path, "some-rule", *more).returncode == 0
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    file = str(tmp_path / "gradlint" / "rules" / "some_rule.py")
    for arguments in (["check"], ["format", "--check"]):
        command = [sys.executable, "-m", "ruff", *arguments, "--no-cache", file]
        ran = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
        assert ran.returncode == 0, ran.stdout + ran.stderr
