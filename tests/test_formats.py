"""The reports for services, all the way down: real loops, the real engine, the published schemas."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import jsonschema
import pytest
import xmlschema

ROOT = Path(__file__).parents[1]
DATA = ROOT / "tests" / "data"
SERVICES = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR")


def gradlint(*words: object, cwd: Path = ROOT, **environ: str) -> subprocess.CompletedProcess[str]:
    clean = {key: value for key, value in os.environ.items() if key not in SERVICES}
    command = [sys.executable, "-m", "gradlint", *map(str, words)]
    return subprocess.run(
        command, capture_output=True, text=True, encoding="utf-8", cwd=cwd, env=clean | environ, check=False
    )


def rules_of(ran: subprocess.CompletedProcess[str]) -> list[str]:
    return sorted(one["rule"] for one in json.loads(ran.stdout)["findings"])


@pytest.fixture(scope="module")
def expected() -> list[str]:
    found = rules_of(gradlint("check", "fixtures", "--output-format", "json"))
    assert len(found) > 20
    return found


def test_sarif(expected: list[str]) -> None:
    ran = gradlint("check", "fixtures", "--output-format", "sarif")
    assert (ran.returncode, ran.stderr) == (1, "")
    log = json.loads(ran.stdout)
    schema = json.loads((DATA / "sarif-2.1.0-rtm.5.json").read_text(encoding="utf-8"))
    jsonschema.Draft4Validator(schema, format_checker=jsonschema.FormatChecker()).validate(log)
    results = log["runs"][0]["results"]
    assert sorted(one["ruleId"] for one in results) == expected
    flows = [one["ruleId"] for one in results if "codeFlows" in one]
    assert set(expected) - set(flows) <= {"missing-set-epoch"}  # it is about a loop in which nothing of it happens
    fixable = [one for one in results if "fixes" in one]
    assert len(fixable) > 20
    marks = [one["partialFingerprints"]["primaryLocationLineHash"] for one in results]
    assert len(set(marks)) == len(marks)


def test_the_replacements_in_sarif_are_the_repair(tmp_path: Path) -> None:
    source = ROOT / "fixtures" / "clip-after-step" / "buggy.py"
    file = tmp_path / "train.py"
    file.write_bytes(source.read_bytes())
    log = json.loads(gradlint("check", "train.py", "--output-format", "sarif", cwd=tmp_path).stdout)
    (fix,) = log["runs"][0]["results"][0]["fixes"]
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    for one in sorted(
        fix["artifactChanges"][0]["replacements"], key=lambda one: one["deletedRegion"]["startLine"], reverse=True
    ):
        region = one["deletedRegion"]
        assert (region["startColumn"], region["endColumn"]) == (1, 1)
        lines[region["startLine"] - 1 : region["endLine"] - 1] = [one["insertedContent"]["text"]]
    gradlint("fix", "--apply", "train.py", cwd=tmp_path)
    assert file.read_text(encoding="utf-8") == "".join(lines)


def test_gitlab(expected: list[str]) -> None:
    ran = gradlint("check", "fixtures", "--output-format", "gitlab")
    issues = json.loads(ran.stdout)
    jsonschema.validate(issues, json.loads((DATA / "gitlab-code-quality.json").read_text(encoding="utf-8")))
    assert sorted(one["check_name"] for one in issues) == expected
    assert len({one["fingerprint"] for one in issues}) == len(issues)


def test_junit(expected: list[str]) -> None:
    ran = gradlint("check", "fixtures", "--output-format", "junit")
    xmlschema.XMLSchema(str(DATA / "junit-10.xsd")).validate(ran.stdout)
    assert len(list(ET.fromstring(ran.stdout.encode()).iter("failure"))) == len(expected)


def test_github(expected: list[str]) -> None:
    ran = gradlint("check", "fixtures", "--output-format", "github")
    lines = ran.stdout.splitlines()
    assert sorted(line.partition("(")[2].partition(")")[0] for line in lines) == expected
    assert all(line.startswith(("::error title=", "::warning title=")) for line in lines)


@pytest.mark.parametrize("service", SERVICES)
def test_files_are_named_from_the_root_of_the_checkout(tmp_path: Path, service: str) -> None:
    folder = tmp_path / "my code"
    folder.mkdir()
    (folder / "train.py").write_bytes((ROOT / "fixtures" / "clip-after-step" / "buggy.py").read_bytes())
    words = ("check", ".", "--output-format", "gitlab")
    (inside,) = json.loads(gradlint(*words, cwd=folder, **{service: str(tmp_path)}).stdout)
    assert inside["location"]["path"] == "my code/train.py"
    (alone,) = json.loads(gradlint(*words, cwd=folder).stdout)
    assert alone["location"]["path"] == "train.py"
    (elsewhere,) = json.loads(gradlint(*words, cwd=folder, **{service: str(tmp_path / "other")}).stdout)
    assert elsewhere["location"]["path"] == (folder / "train.py").as_posix()


@pytest.mark.parametrize("output_format", ["sarif", "github", "gitlab", "junit"])
def test_odd_names_and_bad_files(tmp_path: Path, output_format: str) -> None:
    buggy = (ROOT / "fixtures" / "clip-after-step" / "buggy.py").read_bytes()
    for name in ("a b,c%.py", "odd-\udcff.py", "é.py"):
        (tmp_path / name).write_bytes(buggy)
    (tmp_path / "bad.py").write_bytes(b"def f(:\n")
    ran = gradlint("check", "--output-format", output_format, "--output-file", "out", cwd=tmp_path)
    assert (ran.returncode, ran.stdout) == (3, "")
    assert "internal" not in ran.stderr
    text = (tmp_path / "out").read_text(encoding="utf-8")
    assert "cannot be parsed" in text
    if output_format in ("sarif", "gitlab"):
        json.loads(text)
    if output_format == "junit":
        assert len(list(ET.fromstring(text.encode()).iter("failure"))) == 3
