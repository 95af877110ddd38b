from __future__ import annotations

import json

from builders import finding, report

from gradlint.model.finding import Problem
from gradlint.report import json_report, statistics

ROW = {"update": 1, "scaled": False, "all_reduces": None, "scheduler_moves": 1}
WEIGHTS = [{"label": "g1", "value": "1", "extra": False}]


def test_the_whole_format() -> None:
    whole = report(finding(), problems=(Problem("bad.py", "cannot be read"),), files=2)
    assert json.loads(json_report.render(whole)) == {
        "version": 1,
        "findings": [
            {
                "rule": "clip-after-step",
                "category": "clipping",
                "severity": "error",
                "confidence": "high",
                "doubts": [],
                "path": "train.py",
                "cell": None,
                "row": 6,
                "column": 5,
                "end_row": 6,
                "end_column": 45,
                "message": "The gradient is clipped after `optimizer.step()` on line 5 has consumed it.",
                "why": "The step reads `.grad` before the clip changes it.",
                "impact": "Every update is unclipped: one bad batch can move the weights without bound.",
                "evidence": {
                    "optimizer": "optimizer",
                    "window": 1,
                    "executed": {**ROW, "weights": WEIGHTS, "clip": "late"},
                    "meant": {**ROW, "weights": WEIGHTS, "clip": "clipped"},
                },
                "related": [
                    {"path": "train.py", "cell": None, "row": 5, "column": 5, "message": "spends the gradient"}
                ],
                "fix": {
                    "safety": "safe",
                    "title": "move the clip before the step",
                    "reason": "",
                    "effect": "",
                    "edits": [{"cell": None, "row": 6, "column": 5, "end_row": 6, "end_column": 45, "content": ""}],
                },
                "fix_elsewhere": [],
                "url": "https://github.com/torch-gradlint/gradlint/blob/main/rules/clip-after-step.md",
            }
        ],
        "errors": [{"path": "bad.py", "message": "cannot be read"}],
        "unjudged": [],
        "summary": {
            "files": 2,
            "regions": 1,
            "judged": 1,
            "judged_in_part": 0,
            "not_judged": 0,
            "findings": 1,
            "fixable": 1,
        },
    }


def test_what_is_missing_is_null() -> None:
    whole = report(finding(evidence=None, fix=None, related=()))
    (one,) = json.loads(json_report.render(whole))["findings"]
    assert (one["evidence"], one["fix"], one["related"]) == (None, None, [])


def test_names_that_are_no_text_survive() -> None:
    out = json_report.render(report(finding(path="a\udcff.py")))
    assert out.isascii()
    assert json.loads(out)["findings"][0]["path"] == "a\udcff.py"


def test_statistics() -> None:
    assert json.loads(statistics.render_json(report(finding(), finding(fix=None)))) == [
        {
            "rule": "clip-after-step",
            "category": "clipping",
            "severity": "error",
            "count": 2,
            "fixable": 1,
        }
    ]
