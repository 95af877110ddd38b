"""What GitHub's runner reads in the log: workflow commands, by the rules that it documents."""

from __future__ import annotations

import pytest
from builders import finding, report

from gradlint.model.finding import Problem, Severity, Span
from gradlint.report import github
from gradlint.report.where import Where


def command(line: str) -> tuple[str, dict[str, str], str]:
    """(name, properties, message) of one command: `::name key=value,key=value::message`."""
    assert line.startswith("::")
    head, _, text = line[2:].partition("::")
    name, _, rest = head.partition(" ")
    properties = dict(pair.split("=", 1) for pair in rest.split(",") if pair)
    return name, {key: unescaped(value) for key, value in properties.items()}, unescaped(text)


def unescaped(text: str) -> str:
    for code, char in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(code, char)
    return text


def test_one_command_a_finding() -> None:
    name, properties, text = command(github.render(report(finding()), Where()).removesuffix("\n"))
    assert name == "error"
    assert properties == {
        "title": "gradlint (clip-after-step)",
        "file": "train.py",
        "line": "6",
        "endLine": "6",
        "col": "5",
        "endColumn": "44",
    }
    assert text == (
        "The gradient is clipped after `optimizer.step()` on line 5 has consumed it. "
        "Every update is unclipped: one bad batch can move the weights without bound."
    )


def test_nothing_found_is_nothing_said() -> None:
    assert github.render(report(), Where()) == ""


@pytest.mark.parametrize(
    ("severity", "level"), [(Severity.ERROR, "error"), (Severity.WARNING, "warning"), (Severity.INFO, "notice")]
)
def test_levels(severity: Severity, level: str) -> None:
    assert command(github.render(report(finding(severity=severity)), Where()))[0] == level


def test_columns_are_for_one_line_only() -> None:
    _, properties, _ = command(github.render(report(finding(span=Span(2, 5, 4, 6))), Where()))
    assert (properties["line"], properties["endLine"]) == ("2", "4")
    assert not {"col", "endColumn"} & set(properties)


@pytest.mark.parametrize("path", ["a,b.py", "a::b.py", "100%.py", "C:/my files/a=b.py", "%2C.py"])
def test_odd_names_come_through(path: str) -> None:
    (line,) = github.render(report(finding(path=path)), Where()).splitlines()
    name, properties, _ = command(line)
    assert (name, properties["file"], properties["line"]) == ("error", path, "6")


def test_a_message_cannot_forge_a_second_command() -> None:
    text = "x\n::set-env name=PATH::evil\r%0A"
    out = github.render(report(finding(message=text, impact="")), Where())
    assert out.count("\n") == 1
    assert command(out.removesuffix("\n"))[2] == "x?::set-env name=PATH::evil?%0A"


def test_what_was_not_checked_is_an_error() -> None:
    out = github.render(report(problems=(Problem("a.py", "cannot be parsed"),)), Where())
    assert command(out.removesuffix("\n")) == (
        "error",
        {"title": "gradlint", "file": "a.py"},
        "Not checked: cannot be parsed",
    )


def test_a_notebook_s_cell_is_named_and_its_line_is_the_file_s() -> None:
    where = Where(span_of=lambda _path, cell, span: Span(100 + span.row, 9, 100 + span.row, 12) if cell else span)
    _, properties, text = command(github.render(report(finding(cell=3)), where))
    assert properties["line"] == "106"
    assert text.startswith("Cell 3, line 6: The gradient")
