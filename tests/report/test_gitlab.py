from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from builders import LOOP, finding, read, report

from gradlint.model.finding import Problem, Severity, Span
from gradlint.report import gitlab
from gradlint.report.where import Where

SCHEMA = json.loads((Path(__file__).parents[1] / "data/gitlab-code-quality.json").read_text(encoding="utf-8"))
WHERE = Where(read=read)


def issues(*findings: object, **changes: object) -> list[dict]:
    found = json.loads(gitlab.render(report(*findings, **changes), WHERE))
    jsonschema.validate(found, SCHEMA)
    return found


def test_nothing_found_is_an_empty_list() -> None:
    assert issues() == []


def test_one_issue_a_finding() -> None:
    (issue,) = issues(finding())
    assert issue["check_name"] == "clip-after-step"
    assert issue["location"] == {"path": "train.py", "lines": {"begin": 6, "end": 6}}
    assert issue["description"].startswith("clip-after-step: The gradient is clipped after")
    assert issue["severity"] == "critical"


def test_the_schema_refuses_what_gitlab_ignores() -> None:
    (issue,) = issues(finding())
    for key in ("description", "check_name", "fingerprint", "severity", "location"):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate([{name: value for name, value in issue.items() if name != key}], SCHEMA)


@pytest.mark.parametrize("severity", list(Severity))
def test_severities_are_ones_that_gitlab_knows(severity: Severity) -> None:
    assert issues(finding(severity=severity))


def test_what_was_not_checked_is_an_issue() -> None:
    (issue,) = issues(problems=(Problem("a.py", "cannot be parsed at line 1"),))
    assert (issue["check_name"], issue["severity"]) == ("not-checked", "blocker")
    assert issue["location"]["path"] == "a.py"


def test_fingerprints_are_all_different() -> None:
    found = issues(finding(), finding(), finding(span=Span(4, 5, 4, 10)), finding(path="b.py"))
    assert len({issue["fingerprint"] for issue in found}) == 4


def test_a_fingerprint_outlives_moved_lines() -> None:
    moved = Where(read=lambda path, cell: "import torch\n\n" + LOOP)
    below = finding(span=Span(8, 5, 8, 45), message="... on line 7 has consumed it.")
    (before,), (after,) = issues(finding()), json.loads(gitlab.render(report(below), moved))
    assert before["fingerprint"] == after["fingerprint"]
    assert before["location"] != after["location"]
