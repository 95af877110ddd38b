"""The command, all the way down, on loops that cannot be judged: what it prints, with a cache and without."""

from __future__ import annotations

import json
import os
from pathlib import Path
from xml.etree import ElementTree as ET

import jsonschema
import pytest

import gradlint as package
from gradlint.cli import main
from gradlint.files import cache

SCHEMA = json.loads((Path(package.__file__).parent / "report.schema.json").read_text(encoding="utf-8"))

GOOD = """\
def train(model, loader, optimizer):
    for x in loader:
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()
"""
BLIND = """\
def train(state, model, loader):
    optimizer = state[0]
    for x in loader:
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()
"""
HALF = """\
def train(model, loader, optimizer, policy):
    for i, x in enumerate(loader):
        model(x).mean().backward()
        if policy(i):
            optimizer.step()
            optimizer.zero_grad()
"""
ALONE = "class Loss:\n    def accumulate(self, x):\n        self.run(x).mean().backward()\n"
LATE = GOOD + "        clip_grad_norm_(model.parameters(), 1.0)\n"
CURE = '    `roles = {optimizer = "optimizer"}` in [tool.gradlint] says that it is one\n'


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GRADLINT_CACHE_DIR", raising=False)
    return tmp_path


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> object:
    def ran(*words: str) -> tuple[int, str]:
        status = main(list(words))
        return status, capsys.readouterr().out

    return ran


def write(**files: str) -> None:
    for name, text in files.items():
        path = Path(f"{name}.py")
        path.write_text(text, encoding="utf-8")
        os.utime(path, (1_000_000_000, 1_000_000_000))


# The summary


def test_a_project_of_which_all_was_judged_sees_the_short_message(run) -> None:
    write(a=GOOD)
    assert run("check") == (0, "No problems found: 1 file, 1 training loop.\n")


def test_a_project_of_which_nothing_was_judged_is_not_told_that_there_are_no_problems(run) -> None:
    write(engine=BLIND)
    assert run("check") == (
        0,
        "Nothing was judged: 1 file, 1 of 1 training loop not judged:\n"
        "  engine.py:5 train: nobody in sight makes `optimizer`\n" + CURE,
    )


def test_a_project_of_which_a_part_was_judged(run) -> None:
    write(a=GOOD, b=BLIND, c=HALF)
    status, out = run("check")
    assert status == 0
    assert out == (
        "No problems found: 3 files, 1 of 3 training loops not judged, 1 in part:\n"
        "  b.py:5 train: nobody in sight makes `optimizer`\n"
        + CURE
        + "  c.py:3 train: in part: nobody in sight can say when `policy(i)` is true\n"
        "    `# gradlint: assume window=4` on line 4 says that it is true once in 4 micro-batches\n"
    )


def test_beside_findings(run) -> None:
    write(a=LATE, b=BLIND)
    status, out = run("check", "--output-format", "concise")
    assert status == 1
    assert out.splitlines()[1:] == [
        "Found 1 problem in 1 file.",
        "[*] 1 fixable with `gradlint fix --apply`.",
        "1 of 2 training loops not judged:",
        "  b.py:5 train: nobody in sight makes `optimizer`",
        CURE.rstrip("\n"),
    ]


def test_of_many_the_first_few_are_told_each_cure_once(run) -> None:
    write(a=BLIND, b=BLIND, c=HALF, d=ALONE, e=ALONE.replace("Loss", "Other"))
    _, out = run("check")
    lines = out.splitlines()
    assert lines[0] == "No problems found: 5 files, 4 of 5 training loops not judged, 1 in part:"
    assert [line.split(":")[0].strip() for line in lines[1:-1] if not line.startswith("    ")] == [
        "a.py",
        "c.py",
        "d.py",
    ]
    assert lines[-1] == "`gradlint check --show-unjudged` lists all 5."


def test_all_of_them_are_listed_when_asked_for(run) -> None:
    write(a=BLIND, b=BLIND, c=HALF, d=ALONE, e=ALONE.replace("Loss", "Other"))
    for form in ("full", "concise"):
        status, out = run("check", "--show-unjudged", "--output-format", form)
        assert status == 0
        assert [line.split()[0] for line in out.splitlines() if line.startswith("  ") and line[2] != " "] == [
            f"{name}.py:{row}" for name, row in (("a", 5), ("b", 5), ("c", 3), ("d", 3), ("e", 3))
        ]
        assert "lists all" not in out


def test_the_exit_status_stays(run) -> None:
    write(a=BLIND)
    for words in ((), ("--no-cache",), ("--show-unjudged",), ("--pedantic",), ("--exit-zero",)):
        assert run("check", *words)[0] == 0


def test_standard_input(run, monkeypatch: pytest.MonkeyPatch) -> None:
    import io
    import sys

    class Input(io.StringIO):
        buffer = io.BytesIO(BLIND.encode())

    monkeypatch.setattr(sys, "stdin", Input())
    status, out = run("check", "-", "--stdin-filename", "engine.py")
    assert (status, out.splitlines()[1]) == (0, "  engine.py:5 train: nobody in sight makes `optimizer`")


# The lines do what they say


def test_the_line_of_configuration(run) -> None:
    write(engine=BLIND)
    Path("pyproject.toml").write_text('[tool.gradlint]\nroles = {optimizer = "optimizer"}\n')
    assert run("check") == (0, "No problems found: 1 file, 1 training loop.\n")


def test_the_comment(run) -> None:
    write(a=HALF.replace("policy(i):", "policy(i):  # gradlint: assume window=4"))
    assert run("check")[1].startswith("Found 1 problem in 1 file.") or "not judged" not in run("check")[1]
    assert run("check", "--ignore", "accumulation") == (0, "No problems found: 1 file, 1 training loop.\n")


def test_a_comment_that_is_wrong_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    write(a=GOOD.replace("step()", "step()  # gradlint: assume opt=optimiser"))
    assert main(["check"]) == 0
    told = capsys.readouterr()
    assert told.err == "warning: a.py:5: `assume opt=optimiser`: unknown role 'optimiser'; did you mean 'optimizer'?\n"


# However it comes about, the same is said


@pytest.mark.parametrize("form", ["full", "concise", "json", "sarif", "github", "gitlab", "junit"])
@pytest.mark.parametrize("words", [(), ("--show-unjudged",)])
def test_a_cached_run_says_the_same(run, form: str, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_QUIET_NS", -(10**12))  # what was written just now is learned of no project
    write(a=GOOD, b=BLIND, c=HALF, d=LATE)
    plain = run("check", "--output-format", form, *words, "--no-cache")
    first = run("check", "--output-format", form, *words)
    again = run("check", "--output-format", form, *words)
    assert first == again == plain
    assert list(Path(".gradlint_cache").glob("*.found"))


def test_a_glance_says_the_same(run) -> None:
    write(a=GOOD, b="x = 1\n")
    assert run("check") == run("check") == (0, "No problems found: 2 files, 1 training loop.\n")
    write(b=BLIND)
    expected = run("check", "--no-cache")
    assert run("check") == run("check") == expected
    assert expected[1].startswith("No problems found: 2 files, 1 of 2 training loops not judged:")


def test_several_processes_say_the_same(run) -> None:
    write(a=GOOD, b=BLIND, c=HALF)
    assert run("check", "--workers", "2", "--no-cache") == run("check", "--no-cache")


def test_what_was_told_goes_into_the_key_of_the_cache(run) -> None:
    write(engine=BLIND)
    Path("gradlint.toml").write_text("")
    assert "not judged" in run("check")[1]
    Path("gradlint.toml").write_text('roles = {optimizer = "optimizer"}\n')
    assert run("check")[1] == "No problems found: 1 file, 1 training loop.\n"


# For programs


def test_json(run) -> None:
    write(a=GOOD, b=BLIND, c=HALF, d=ALONE, e=LATE)
    status, out = run("check", "--output-format", "json", "--pedantic")
    whole = json.loads(out)
    jsonschema.validate(whole, SCHEMA)
    assert status == 1
    counts = whole["summary"]
    assert (counts["regions"], counts["judged"], counts["judged_in_part"], counts["not_judged"]) == (5, 2, 1, 2)
    blind, half, alone = whole["unjudged"]
    assert blind == {
        "path": "b.py",
        "cell": None,
        "row": 5,
        "column": 9,
        "end_row": 5,
        "end_column": 35,
        "function": "train",
        "judged": "no",
        "kind": "unknown-optimizer",
        "reason": "nobody in sight makes `optimizer`",
        "cure": {
            "kind": "configuration",
            "line": 'roles = {optimizer = "optimizer"}',
            "says": "that it is one",
            "cell": None,
            "row": None,
        },
    }
    assert (half["judged"], half["cure"]["kind"], half["cure"]["row"]) == ("in part", "comment", 4)
    assert (alone["function"], alone["cure"]) == ("Loss.accumulate", None)
    assert {bool(one["doubts"]) for one in whole["findings"]} == {True, False}
    assert all((one["confidence"] == "high") is (not one["doubts"]) for one in whole["findings"])


def test_the_schema_is_not_blind() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    for broken in ({}, {"version": 2}, {"version": 1, "findings": [{}]}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(broken, SCHEMA)


def test_the_schema_knows_every_kind_of_reason() -> None:
    source = "".join(
        path.read_text(encoding="utf-8") for path in (Path(package.__file__).parent / "check" / "sight").glob("*.py")
    )
    kinds = SCHEMA["$defs"]["unjudged"]["properties"]["kind"]["enum"]
    assert [kind for kind in kinds if f'"{kind}"' not in source] == []


def test_sarif_notes_it(run) -> None:
    write(a=BLIND)
    log = json.loads(run("check", "--output-format", "sarif")[1])
    (only,) = log["runs"]
    (note,) = only["invocations"][0]["toolExecutionNotifications"]
    assert (note["level"], only["results"], only["invocations"][0]["executionSuccessful"]) == ("note", [], True)
    assert note["message"]["text"].startswith("Not judged: nobody in sight makes `optimizer`; `roles = ")
    assert note["locations"][0]["physicalLocation"]["region"]["startLine"] == 5


def test_junit_skips_it(run) -> None:
    write(a=BLIND, b=HALF)
    root = ET.fromstring(run("check", "--output-format", "junit")[1].encode())
    assert (root.attrib["tests"], root.attrib["failures"]) == ("2", "0")
    assert [case.attrib["name"] for case in root.iter("testcase")] == ["not judged at 5:9", "judged in part at 3:9"]
    assert all(case.find("skipped") is not None for case in root.iter("testcase"))


def test_others_say_nothing_of_it(run) -> None:
    write(a=BLIND)
    assert run("check", "--output-format", "github") == (0, "")
    assert json.loads(run("check", "--output-format", "gitlab")[1]) == []


# Doubts


def test_doubts_are_printed(run) -> None:
    write(a=HALF)
    out = run("check", "--pedantic")[1]
    assert "  doubt: low confidence, for the guard around the step cannot be computed, and nothing shows" in out
    assert "doubt" not in run("check")[1]
