from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

GOOD = "for x in y:\n    pass\n"
BAD = "for x in y:\n    BUG\n"


def test_clean_file_exits_0(run: Callable) -> None:
    Path("a.py").write_text(GOOD)
    ran = run("check", "a.py")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == "No problems found: 1 file, 1 training loop.\n"


def test_no_loop_is_not_called_balanced(run: Callable) -> None:
    Path("a.py").write_text("x = 1\n")
    assert run("check", "a.py").out == "No training loop found: 1 file.\n"


def test_the_current_folder_is_the_default(run: Callable) -> None:
    Path("a.py").write_text(GOOD)
    assert run("check").out == "No problems found: 1 file, 1 training loop.\n"


def test_findings_exit_1(run: Callable) -> None:
    Path("a.py").write_text(BAD)
    ran = run("check", "--select", "clip-after-step", "--output-format", "concise", "a.py")
    assert (ran.status, ran.err) == (1, "")
    line, summary = ran.out.splitlines()
    assert line.startswith("a.py:2:1: clip-after-step The gradient is clipped after")
    assert summary == "Found 1 problem in 1 file."


def test_exit_zero_forgives_findings_only(run: Callable) -> None:
    Path("a.py").write_text(BAD)
    assert run("check", "--exit-zero", "a.py").status == 0
    assert run("check", "--exit-zero", "a.py", "gone.py").status == 3


def test_full_is_the_default_and_shows_the_code(run: Callable) -> None:
    Path("a.py").write_text(BAD)
    out = run("check", "--select", "clip-after-step").out
    assert out.startswith("error[clip-after-step] a.py:2:1\n")
    assert "2 |     BUG" in out


# What cannot be checked is told, and the rest is checked all the same.


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("syntax.py", b"def f(:\n", "cannot be parsed at line 1"),
        ("python2.py", b"print 'hello'\n", "cannot be parsed at line 1"),
        ("bytes.py", b"x = '\xff'\n", "cannot be decoded"),
        ("huge.py", b"#" * 5_000_000, "5,000,000 bytes"),
        ("crash.py", b"CRASH\n", "internal: RuntimeError: planted"),
    ],
)
def test_a_bad_file_is_one_line_and_the_rest_is_checked(run: Callable, name: str, data: bytes, message: str) -> None:
    Path("good.py").write_text(BAD)
    Path(name).write_bytes(data)
    ran = run("check", "--output-format", "concise", ".")
    assert ran.status == 3
    assert ran.err.count("\n") == 1
    assert ran.err.startswith(f"{name}: ")
    assert message in ran.err
    assert "good.py:2:1: clip-after-step" in ran.out
    assert ran.out.endswith("; 1 file could not be checked.\n")


def test_missing_path_is_one_line_and_the_rest_is_checked(run: Callable) -> None:
    Path("good.py").write_text(BAD)
    ran = run("check", "gone.py", "good.py")
    assert (ran.status, ran.err) == (3, "gone.py: no such file or folder\n")
    assert "good.py:2:1" in ran.out


def test_problems_without_findings_are_not_called_balanced(run: Callable) -> None:
    Path("good.py").write_text(GOOD)
    ran = run("check", "gone.py", "good.py")
    expected = "No problems found: 1 file, 1 training loop; 1 file could not be checked.\n"
    assert (ran.status, ran.out) == (3, expected)


def test_folder_without_python_is_a_warning(run: Callable) -> None:
    Path("docs").mkdir()
    ran = run("check", "docs")
    assert (ran.status, ran.err) == (0, "warning: docs: no Python files here\n")
    assert ran.out == "No Python files were checked.\n"


def test_json_holds_the_problems_and_standard_error_is_silent(run: Callable) -> None:
    Path("a.py").write_text(BAD)
    ran = run("check", "--output-format", "json", "a.py", "gone.py")
    assert (ran.status, ran.err) == (3, "")
    whole = json.loads(ran.out)
    assert whole["errors"] == [{"path": "gone.py", "message": "no such file or folder"}]
    assert whole["summary"] == {
        "files": 1,
        "regions": 1,
        "judged": 1,
        "judged_in_part": 0,
        "not_judged": 0,
        "findings": 3,
        "fixable": 0,
    }


# Selection


@pytest.mark.parametrize(
    ("words", "rules"),
    [
        ((), {"clip-after-step", "clip-per-tensor", "missing-no-sync"}),
        (("--select", "clipping"), {"clip-after-step", "clip-per-tensor"}),
        (("--select", "clip-after-step, tiny-max-norm"), {"clip-after-step", "tiny-max-norm"}),
        (
            ("--select", "clip-after-step", "--select", "advice"),
            {"clip-after-step", "tiny-max-norm"},
        ),
        (("--select", "all", "--ignore", "clipping"), {"missing-no-sync", "tiny-max-norm"}),
        (("--ignore", "clipping", "--select", "clip-per-tensor"), {"clip-per-tensor"}),
        (("--ignore", "all", "--extend-select", "tiny-max-norm"), {"tiny-max-norm"}),
    ],
)
def test_selection(run: Callable, words: tuple[str, ...], rules: set[str]) -> None:
    Path("a.py").write_text("BUG\n")
    found = json.loads(run("check", "--output-format", "json", *words, "a.py").out)["findings"]
    assert {one["rule"] for one in found} == rules


@pytest.mark.parametrize("option", ["--select", "--ignore", "--extend-select"])
def test_unknown_rule_exits_2_and_names_the_nearest(run: Callable, option: str) -> None:
    ran = run("check", option, "clip-aftr-step")
    assert (ran.status, ran.out) == (2, "")
    message = f"Error: {option}: unknown rule 'clip-aftr-step'; did you mean 'clip-after-step'?"
    assert message in ran.err


def test_configuration_decides_and_the_command_line_wins(run: Callable) -> None:
    Path("pyproject.toml").write_text('[tool.gradlint]\nselect = ["missing-no-sync"]\n')
    Path("a.py").write_text("BUG\n")
    assert "missing-no-sync" in run("check", "--output-format", "concise").out
    out = run("check", "--output-format", "concise", "--select", "clip-after-step").out
    assert "clip-after-step" in out
    assert "missing-no-sync" not in out


def test_each_file_has_the_settings_of_its_own_folder(run: Callable) -> None:
    for name, rule in (("one", "clip-after-step"), ("two", "missing-no-sync")):
        Path(name).mkdir()
        Path(name, "gradlint.toml").write_text(f'select = ["{rule}"]\n')
        Path(name, "a.py").write_text("BUG\n")
    lines = run("check", "--output-format", "concise").out.splitlines()
    assert [line.split(" ")[:2] for line in lines[:2]] == [
        ["one/a.py:1:1:", "clip-after-step"],
        ["two/a.py:1:1:", "missing-no-sync"],
    ]


def test_config_option_replaces_the_nearest(run: Callable) -> None:
    Path("gradlint.toml").write_text('select = ["missing-no-sync"]\n')
    Path("other.toml").write_text('select = ["clip-after-step"]\n')
    Path("a.py").write_text("BUG\n")
    out = run("check", "--config", "other.toml", "--output-format", "concise").out
    assert "clip-after-step" in out
    assert "missing-no-sync" not in out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("selct = []", "error: gradlint.toml: unknown key 'selct'; did you mean 'select'?\n"),
        ("select = [", "error: gradlint.toml: is not valid TOML: "),
        ('ignore = "x"', "error: gradlint.toml: 'ignore' must be a list of strings, not 'x'\n"),
    ],
)
def test_bad_configuration_exits_2(run: Callable, text: str, message: str) -> None:
    Path("gradlint.toml").write_text(text)
    Path("a.py").write_text("BUG\n")
    ran = run("check")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(message)


def test_missing_config_file_exits_2(run: Callable) -> None:
    ran = run("check", "--config", "gone.toml")
    assert (ran.status, ran.err) == (2, "error: gone.toml: no such configuration file\n")


# Standard input


@pytest.mark.parametrize("words", [("-",), ("--stdin-filename", "train.py"), ("-", "--stdin-filename", "train.py")])
def test_standard_input(run: Callable, words: tuple[str, ...]) -> None:
    name = "train.py" if len(words) > 1 else "<stdin>"
    ran = run("check", "--select", "clip-after-step", *words, stdin=b"x = 1\nBUG\n")
    assert ran.status == 1
    assert ran.out.startswith(f"error[clip-after-step] {name}:2:1\n")
    assert "2 | BUG" in ran.out


def test_standard_input_that_is_no_text(run: Callable) -> None:
    ran = run("check", "-", stdin=b"\xff")
    assert ran.status == 3
    assert ran.err.startswith("<stdin>: cannot be decoded")


def test_standard_input_on_which_gradlint_fails(run: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = run("check", "-", stdin=b"CRASH")
    assert (ran.status, ran.err) == (3, "<stdin>: internal: RuntimeError: planted\n")
    monkeypatch.setenv("GRADLINT_DEBUG", "1")
    with pytest.raises(RuntimeError, match="planted"):
        run("check", "-", stdin=b"CRASH")


def test_standard_input_beside_files_is_bad_usage(run: Callable) -> None:
    ran = run("check", "-", "a.py")
    assert ran.status == 2
    assert "standard input cannot be taken together with files" in ran.err


def test_standard_input_has_the_settings_of_its_name(run: Callable) -> None:
    Path("sub").mkdir()
    Path("sub/gradlint.toml").write_text('select = ["missing-no-sync"]\n')
    out = run("check", "-", "--stdin-filename", "sub/a.py", stdin=b"BUG").out
    assert "missing-no-sync" in out
    assert "clip-after-step" not in out


# Output


def test_output_file_takes_the_report(run: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    Path("a.py").write_text(BAD)
    ran = run("check", "a.py", "--output-format", "concise", "--output-file", "report.txt")
    assert (ran.status, ran.out) == (1, "")
    written = Path("report.txt").read_text()
    assert written.startswith("a.py:2:1: clip-after-step ")
    assert "\x1b" not in written


def test_output_file_that_cannot_be_written_exits_2(run: Callable) -> None:
    Path("a.py").write_text(GOOD)
    ran = run("check", "a.py", "--output-file", "no/such/folder.txt")
    assert ran.status == 2
    assert "--output-file: no/such/folder.txt: No such file or directory" in ran.err


def test_statistics(run: Callable) -> None:
    Path("a.py").write_text("BUG\nBUG\n")
    lines = run("check", "--statistics", "--ignore", "missing-no-sync").out.splitlines()
    assert [line.split() for line in lines[:2]] == [
        ["2", "clip-after-step", "error"],
        ["2", "clip-per-tensor", "error"],
    ]
    assert lines[-1] == "Found 4 problems in 1 file."


def test_statistics_as_json(run: Callable) -> None:
    Path("a.py").write_text("BUG\n")
    rows = json.loads(run("check", "--statistics", "--output-format", "json").out)
    assert [row["rule"] for row in rows] == [
        "clip-after-step",
        "clip-per-tensor",
        "missing-no-sync",
    ]


@pytest.mark.parametrize("words", [("--no-cache",), ("--workers", "4")])
def test_options_that_change_nothing_yet_are_accepted(run: Callable, words: tuple[str, ...]) -> None:
    Path("a.py").write_text(GOOD)
    assert run("check", *words, "a.py").status == 0


def test_findings_are_in_the_order_of_places(run: Callable) -> None:
    for name in ("b.py", "a.py"):
        Path(name).write_text("\nBUG\nBUG\n")
    ran = run("check", "--select", "clipping", "--output-format", "concise", "b.py", "a.py", "b.py")
    places = [line.split(" ")[:2] for line in ran.out.splitlines()[:-1]]
    assert places == sorted(places)
    assert len(places) == 8


@pytest.mark.parametrize("name", ["sarif", "github", "gitlab", "junit"])
def test_statistics_are_not_for_services(run: Callable, name: str) -> None:
    ran = run("check", "--statistics", "--output-format", name)
    assert ran.status == 2
    assert f"--statistics has no form {name}" in ran.err
