"""How often each rule was right: read from the corpus, and the same everywhere it is told."""

from __future__ import annotations

import json
from pathlib import Path

import corpus
import measured as script
import pytest
import read
import still

from gradlint.cli import main
from gradlint.report.measured import NOTHING, Measured, measured
from gradlint.report.rules_table import render_json, render_markdown, render_text
from gradlint.report.style import Style
from gradlint.rules.support.rule import all_rules

ROOT = Path(__file__).parents[2]
CORPUS = """\
# facts only
repo   OWNER/NAME 0123456789abcdef
found  OWNER/NAME@0123456 train.py:12 clip-after-step right 2026-11-20
found  OWNER/NAME@0123456 a folder/train.py:12 clip-after-step right 2026-11-22
found  package==1.2 lib/loop.py:7 clip-after-step wrong 2026-11-21
found  package==1.2 lib/loop.py:9 clip-after-step debatable 2026-11-23
found  package==1.2 lib/loop.py:9 missing-no-sync debatable 2026-11-23
"""


def test_everything_that_is_made_of_the_corpora_is_up_to_date() -> None:
    """If this fails, run `python benchmarks/measured.py`."""
    corpora = corpus.read_all(corpus.files(), script.rules())
    assert [file.name for file, _ in script.changes(ROOT, corpora, still.read_gone())] == []


def test_corpora_are_counted() -> None:
    assert script.table(corpus.read(CORPUS).found) == {
        "clip-after-step": (2, 1, 1, "2026-11-23", 0, 0),
        "missing-no-sync": (0, 0, 1, "2026-11-23", 0, 0),
    }
    assert script.table([]) == {}


def test_a_new_verdict_changes_the_table_the_page_and_the_readme() -> None:
    corpora = [corpus.read(CORPUS)]
    changed = {file.relative_to(ROOT).as_posix(): text for file, text in script.changes(ROOT, corpora)}
    assert {"gradlint/report/measured_table.py", "rules/clip-after-step.md", "README.md"} <= set(changed)
    names: dict[str, object] = {}
    exec(compile(changed["gradlint/report/measured_table.py"], "table", "exec"), names)  # what was just made
    assert names["TABLE"] == script.table(corpora[0].found)
    page = changed["rules/clip-after-step.md"]
    told = "Findings in real code that were read: 2 of 3 right (67 %), and 1 could be argued about; the last of them on"
    assert f"## How sure\n\n{told} 2026-11-23.\n\n## Sources\n" in page
    assert script.page(page, "Again.").count("## How sure\n\nAgain.\n\n## Sources\n") == 1
    assert "| error | on | safe | 67 % of 3 | Gradients are clipped after" in changed["README.md"]


@pytest.mark.parametrize(
    ("measured", "short", "share"),
    [
        (NOTHING, "not measured yet", None),
        (Measured(0, 0, 3, "2026-11-20"), "not measured yet", None),
        (Measured(12, 1, 0, "2026-11-20"), "92 % of 13", 12 / 13),
        (Measured(0, 2, 0, "2026-11-20"), "0 % of 2", 0.0),
        (Measured(14, 3, 0, "2026-11-20", 1, 2), "82 % of 17, now 93 % of 14", 14 / 17),
        (Measured(0, 2, 0, "2026-11-20", 0, 2), "0 % of 2, now none said", 0.0),
    ],
)
def test_what_is_told(measured: Measured, short: str, share: float | None) -> None:
    assert (measured.short(), measured.share) == (short, share)
    assert measured.sentence().endswith(".")
    assert (short == "not measured yet") is measured.sentence().startswith("Not measured yet")


def test_rules_tell_it() -> None:
    known = {"clip-after-step": Measured(12, 1, 2, "2026-11-20", 1, 1)}
    rules = all_rules()
    lines = render_text(rules, known, Style()).splitlines()
    assert [line.split("right: ")[1] for line in lines if "  clip-after-step " in line] == [
        "92 % of 13, now 100 % of 11"
    ]
    assert sum("right: not measured yet" in line for line in lines) == len(rules) - 1
    rows = {row["name"]: row["measured"] for row in json.loads(render_json(rules, known))}
    assert rows["clip-after-step"] == {
        "right": 12,
        "wrong": 1,
        "debatable": 2,
        "share": 0.923,
        "date": "2026-11-20",
        "now": {"right": 11, "wrong": 0, "share": 1.0},
    }
    assert rows["missing-no-sync"] is None
    assert "| safe | 92 % of 13, now 100 % of 11 | Gradients are clipped after" in render_markdown(rules, known)


def test_explain_tells_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "clip-after-step"]) == 0
    assert "How sure" in capsys.readouterr().out


def test_what_is_no_longer_said_is_kept_apart(tmp_path: Path) -> None:
    corpora = [corpus.read(CORPUS)]
    first, second, wrong, argued, other = corpora[0].found
    said = {
        first.source.key: [read.Said("train.py", 14, (), "clip-after-step", "error", "certain", "")],
        wrong.source.key: [read.Said("lib/loop.py", 70, (), "clip-after-step", "error", "certain", "")],
    }
    gone = list(still.lines(corpora, said, {}, "2026-11-24 0123456"))
    assert gone == [f"gone {still.key(one)} 2026-11-24 0123456" for one in (second, wrong, argued, other)]
    kept = tmp_path / "gone.txt"
    kept.write_text("".join(f"{line}\n" for line in gone), encoding="utf-8")
    known = still.read_gone(kept)
    assert script.table(corpora[0].found, known)["clip-after-step"] == (2, 1, 1, "2026-11-23", 1, 1)
    assert list(still.lines(corpora, {}, known, "2026-11-25 89abcde")) == gone
    said[second.source.key].append(read.Said("a folder/train.py", 30, (11,), "clip-after-step", "error", "certain", ""))
    assert list(still.lines(corpora, said, known, "2026-11-25 89abcde")) == gone[1:]


def test_a_line_of_what_is_gone_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "gone.txt").write_text("# made\ngone somewhere\n", encoding="utf-8")
    with pytest.raises(corpus.CorpusError, match=r"gone\.txt, line 2: write"):
        still.read_gone(tmp_path / "gone.txt")


@pytest.mark.parametrize("rule", [one.name for one in all_rules() if one.default])
def test_a_rule_that_is_on_by_default_is_right_nine_times_in_ten(rule: str) -> None:
    """Of what was read and is still said; a rule that says too much that is wrong is not on by default."""
    known = measured(rule)
    assert known.now is None or known.now >= 0.9
