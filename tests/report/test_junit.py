from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
import xmlschema
from builders import finding, report

from gradlint.model.finding import Problem
from gradlint.report import junit
from gradlint.report.where import Where

SCHEMA = xmlschema.XMLSchema(str(Path(__file__).parents[1] / "data/junit-10.xsd"))


def suites(*findings: object, **changes: object) -> ET.Element:
    text = junit.render(report(*findings, **changes), Where())
    SCHEMA.validate(text)
    return ET.fromstring(text.encode())


def test_nothing_found_is_a_case_that_passed() -> None:
    root = suites(files=3, regions=2)
    (case,) = root.iter("testcase")
    assert case.attrib["name"] == "no findings: 3 files, 2 training loops"
    assert list(case) == []
    assert (root.attrib["tests"], root.attrib["failures"], root.attrib["errors"]) == ("1", "0", "0")


def test_a_suite_a_file_and_a_failure_a_finding() -> None:
    root = suites(finding(path="a.py"), finding(path="a.py"), finding(path="b.py"))
    assert [(one.attrib["name"], one.attrib["failures"]) for one in root] == [("a.py", "2"), ("b.py", "1")]
    assert (root.attrib["tests"], root.attrib["failures"]) == ("3", "3")
    case = root[0][0]
    assert (case.attrib["name"], case.attrib["classname"]) == ("clip-after-step at 6:5", "a.py")
    failure = case.find("failure")
    assert failure.attrib["message"] == finding().message
    assert "a.py:6:5: error\n" in failure.text
    assert "help: move the clip before the step (safe fix)" in failure.text


def test_a_file_that_was_not_checked_is_an_error() -> None:
    root = suites(problems=(Problem("bad.py", "cannot be parsed"),))
    assert root.attrib["errors"] == "1"
    assert root.find("testsuite/testcase/error").attrib["message"] == "cannot be parsed"


@pytest.mark.parametrize("text", ["a < b & c > 'd' \"e\"", "]]>", "a\x00b\x1b[31m", "é\u2028\udcff", "\ufffe"])
def test_any_text_is_xml(text: str) -> None:
    root = suites(finding(message=text, why=text, path=f"{text}.py"), problems=(Problem(text, text),))
    assert len(list(root.iter("testcase"))) == 2


def test_the_cell_of_a_notebook() -> None:
    (case,) = suites(finding(cell=2)).iter("testcase")
    assert case.attrib["name"] == "clip-after-step at cell 2:6:5"
