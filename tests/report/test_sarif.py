from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import unquote

import jsonschema
import pytest
from builders import LOOP, finding, read, region, report

from gradlint.model.finding import Problem, Severity, Span
from gradlint.report import pages, sarif
from gradlint.report.where import Where
from gradlint.rules.support.rule import all_rules

SCHEMA = json.loads((Path(__file__).parents[1] / "data/sarif-2.1.0-rtm.5.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft4Validator(SCHEMA, format_checker=jsonschema.FormatChecker())


def run(*findings: object, where: Where | None = None, **changes: object) -> dict:
    """The only run of a valid log."""
    whole = report(*findings, **changes)
    log = json.loads(sarif.render(whole, where or Where(read=read), all_rules(), pages.read, "1.2.3"))
    VALIDATOR.validate(log)
    (only,) = log["runs"]
    return only


def result(*args: object, **changes: object) -> dict:
    (only,) = run(*args, **changes)["results"]
    return only


def test_the_schema_is_not_blind() -> None:
    for bad in ({}, {"version": "2.1.0"}, {"version": "2.1.0", "runs": [{}]}, {"version": "2.2", "runs": []}):
        with pytest.raises(jsonschema.ValidationError):
            VALIDATOR.validate(bad)


def test_rules_carry_their_pages() -> None:
    driver = run()["tool"]["driver"]
    assert (driver["name"], driver["semanticVersion"]) == ("gradlint", "1.2.3")
    assert [rule["id"] for rule in driver["rules"]] == [rule.name for rule in all_rules()]
    by_id = {rule["id"]: rule for rule in driver["rules"]}
    clip = by_id["clip-after-step"]
    assert clip["name"] == "ClipAfterStep"
    assert clip["help"]["markdown"] == pages.read("clip-after-step")
    assert clip["defaultConfiguration"] == {"enabled": True, "level": "error"}
    assert all(rule["shortDescription"]["text"] and rule["fullDescription"]["text"] for rule in driver["rules"])


def test_a_result() -> None:
    only = run(finding())
    one = only["results"][0]
    assert only["tool"]["driver"]["rules"][one["ruleIndex"]]["id"] == one["ruleId"] == "clip-after-step"
    assert one["level"] == "error"
    place = one["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "train.py", "uriBaseId": "%SRCROOT%"}
    assert place["region"] == {"startLine": 6, "startColumn": 5, "endLine": 6, "endColumn": 45}
    (related,) = one["relatedLocations"]
    assert (related["id"], related["message"]["text"]) == (1, "spends the gradient")
    assert set(one["partialFingerprints"]) == {"primaryLocationLineHash", "gradlint/v1"}


@pytest.mark.parametrize(
    ("severity", "level"), [(Severity.ERROR, "error"), (Severity.WARNING, "warning"), (Severity.INFO, "note")]
)
def test_levels(severity: Severity, level: str) -> None:
    assert result(finding(severity=severity))["level"] == level


def test_the_trail_is_a_code_flow() -> None:
    where = Where(read=read, traces=lambda path: (region(path=path),))
    (flow,) = result(finding(span=Span(4, 5, 4, 20), related=()), where=where)["codeFlows"]
    (thread,) = flow["threadFlows"]
    first, second = thread["locations"][:2]
    assert first["location"]["message"]["text"] == "forward of model (epoch 0, batch 0)"
    assert second["location"]["message"]["text"] == "backward of loss: weight 1 (epoch 0, batch 0)"
    assert second["location"]["physicalLocation"]["region"] == {"startLine": 4, "startColumn": 5}
    assert [one["importance"] for one in (first, second)] == ["important", "essential"]
    assert first["nestingLevel"] == 2


def test_without_a_trail_there_is_no_code_flow() -> None:
    assert "codeFlows" not in result(finding())


def test_a_fix_replaces_what_the_edit_replaces() -> None:
    (fix,) = result(finding())["fixes"]
    assert fix["description"]["text"] == "move the clip before the step (safe)"
    (change,) = fix["artifactChanges"]
    (replacement,) = change["replacements"]
    assert replacement["deletedRegion"] == {"startLine": 6, "startColumn": 5, "endLine": 6, "endColumn": 45}
    assert replacement["insertedContent"] == {"text": ""}
    assert "fixes" not in result(finding(fix=None))


def test_a_fingerprint_outlives_moved_lines() -> None:
    moved = Where(read=lambda path, cell: "import torch\n" + LOOP)
    before = result(finding())["partialFingerprints"]
    assert result(finding(span=Span(7, 5, 7, 45)), where=moved)["partialFingerprints"] == before
    other = Where(read=lambda path, cell: LOOP.replace("1.0", "2.0"))
    assert result(finding(), where=other)["partialFingerprints"] != before


def test_what_was_not_checked_is_a_notification() -> None:
    (invocation,) = run(problems=(Problem("bad.py", "cannot be parsed"),))["invocations"]
    assert invocation["executionSuccessful"] is False
    (note,) = invocation["toolExecutionNotifications"]
    assert note["message"]["text"] == "Not checked: cannot be parsed"
    assert run()["invocations"] == [{"executionSuccessful": True, "toolExecutionNotifications": []}]


@pytest.mark.parametrize("path", ["my files/train #1.py", "100%.py", "é.py", "a\udcff.py", "C: x.py"])
def test_any_name_is_a_uri(path: str) -> None:
    artifact = result(finding(path=path))["locations"][0]["physicalLocation"]["artifactLocation"]
    assert artifact["uri"].isascii()
    assert " " not in artifact["uri"]
    assert unquote(artifact["uri"], errors="surrogateescape") == path


def test_a_file_elsewhere_has_a_whole_uri() -> None:
    artifact = result(finding(path="/data/a b.py"))["locations"][0]["physicalLocation"]["artifactLocation"]
    assert artifact == {"uri": "file:///data/a%20b.py"}


def test_a_notebook_has_the_file_s_lines_names_the_cell_and_no_fix() -> None:
    where = Where(read=read, span_of=lambda path, cell, span: Span(40 + span.row, 9, 40 + span.row, 12))
    one = result(finding(cell=3), where=where)
    (place,) = one["locations"]
    assert place["logicalLocations"] == [{"name": "cell 3", "kind": "element"}]
    assert place["physicalLocation"]["region"]["startLine"] == 46
    assert "fixes" not in one
