"""The scorer of labelled loops, on tiny sets; what it measures is in docs/accuracy.md."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import accuracy
import corpus
import figures
import pytest
import scoring
from scoring import Finding, Label, Labels, Score, Tally

from gradlint.rules.support.rule import all_rules

BENCHMARKS = Path(accuracy.__file__).parent
RULES = {rule.name for rule in all_rules()}
CLIP, LEAK = "clip-after-step", "loss-graph-leak"


def labels(**files: list[tuple[str, set[int]]]) -> Labels:
    """`wrong_1=[(rule, lines)]` is the file wrong/1.py."""
    return Labels(
        "tiny",
        {
            f"{name.replace('_', '/')}.py": tuple(Label(rule, frozenset(lines)) for rule, lines in mistakes)
            for name, mistakes in files.items()
        },
    )


def at(place: str, code: str, *related: int) -> Finding:
    path, _, line = place.partition(":")
    return Finding(path, int(line), code, related, "a message")


def numbers(score: Score) -> tuple[int, ...]:
    return score.total.numbers


# What counts


def test_a_mistake_is_found_on_any_of_its_lines() -> None:
    one = labels(wrong_1=[(CLIP, {4, 7})])
    for line in (4, 7):
        assert numbers(scoring.score(one, [at(f"wrong/1.py:{line}", CLIP)])) == (1, 1, 1, 1, 0, 0)


def test_a_related_place_is_as_good() -> None:
    one = labels(wrong_1=[(CLIP, {4})])
    assert numbers(scoring.score(one, [at("wrong/1.py:9", CLIP, 2, 4)])) == (1, 1, 1, 1, 0, 0)


def test_another_line_finds_it_only_where_lines_are_not_asked_for() -> None:
    one = labels(wrong_1=[(CLIP, {4})])
    said = [at("wrong/1.py:9", CLIP)]
    assert numbers(scoring.score(one, said)) == (1, 0, 1, 0, 0, 1)
    assert numbers(scoring.score(one, said, anywhere=True)) == (1, 0, 1, 1, 0, 0)


def test_another_rule_on_the_line_is_unlabelled() -> None:
    score = scoring.score(labels(wrong_1=[(CLIP, {4})]), [at("wrong/1.py:4", LEAK)], anywhere=True)
    assert score.rules == {CLIP: Tally(1), LEAK: Tally(unlabelled=1)}
    assert score.unlabelled == ("tiny/wrong/1.py:4: loss-graph-leak a message",)


def test_two_findings_of_one_mistake_are_both_right() -> None:
    said = [at("wrong/1.py:4", CLIP), at("wrong/1.py:5", CLIP)]
    assert numbers(scoring.score(labels(wrong_1=[(CLIP, {4, 5})]), said)) == (1, 1, 1, 2, 0, 0)


def test_the_same_said_twice_is_one_finding() -> None:
    said = [at("wrong/1.py:4", CLIP), at("./wrong/1.py:4", CLIP, 9)]
    assert numbers(scoring.score(labels(wrong_1=[(CLIP, {4})]), said)) == (1, 1, 1, 1, 0, 0)
    assert numbers(scoring.score(labels(wrong_1=[(CLIP, {9})]), said)) == (1, 1, 1, 1, 0, 0)
    said = [at("right/1.py:4", CLIP), at("right/1.py:4", CLIP)]
    assert numbers(scoring.score(labels(right_1=[]), said)) == (0, 0, 0, 0, 1, 0)


def test_one_finding_finds_one_mistake() -> None:
    two = labels(wrong_1=[(CLIP, {4}), (CLIP, {8})])
    assert numbers(scoring.score(two, [at("wrong/1.py:4", CLIP, 8)])) == (2, 1, 1, 1, 0, 0)
    said = [at("wrong/1.py:4", CLIP, 8), at("wrong/1.py:20", CLIP, 4, 8)]
    assert numbers(scoring.score(two, said)) == (2, 2, 2, 2, 0, 0)


def test_two_mistakes_on_one_line_take_two_findings() -> None:
    two = labels(wrong_1=[(CLIP, {4}), (LEAK, {4})])
    said = [at("wrong/1.py:4", CLIP), at("wrong/1.py:4", LEAK)]
    assert numbers(scoring.score(two, said[:1])) == (2, 1, 1, 1, 0, 0)
    assert numbers(scoring.score(two, said)) == (2, 2, 2, 2, 0, 0)


def test_any_finding_flags_a_right_file_once() -> None:
    files = labels(wrong_1=[(CLIP, {4})], right_1=[], right_2=[])
    score = scoring.score(files, [at("right/1.py:2", CLIP), at("right/1.py:3", LEAK)])
    assert (score.clean, score.flagged, score.rules[CLIP].wrong, score.rules[LEAK].wrong) == (2, 1, 1, 1)
    assert (score.total.right, score.total.unlabelled) == (0, 0)


def test_files_of_others_are_passed_over() -> None:
    one = Labels("tiny", labels(right_1=[]).files, frozenset({"other"}))
    for path in ("right/2.py", "other/right/1.py", "x/other/right/1.py"):
        assert scoring.score(one, [at(f"{path}:1", CLIP)]).flagged == 0
    for path in ("right/1.py", "./right/1.py", "tiny/right/1.py", "/tmp/copy/right/1.py"):
        assert scoring.score(one, [at(f"{path}:1", CLIP)]).flagged == 1


# Other linters


def test_a_code_counts_as_the_rules_it_stands_for() -> None:
    mapped = {"T1": [CLIP, LEAK], "T2": []}
    said = [at("wrong/1.py:4", "T1"), at("wrong/1.py:4", "T2"), at("wrong/1.py:4", "T3"), at("right/1.py:1", "T2")]
    score = scoring.score(labels(wrong_1=[(LEAK, {4})], right_1=[]), said, mapped)
    assert (score.rules, score.flagged, score.other) == ({LEAK: Tally(1, 1, 1, 1)}, 0, 3)


def test_every_code_has_a_reason_and_rules_that_exist() -> None:
    tables = scoring.read_tables(scoring.MAPPED)
    assert set(tables) == {tool.package for tool in accuracy.TOOLS} - {"gradlint"}
    for codes in tables.values():
        for code, one in codes.items():
            assert set(one) == {"rules", "reason"}, code
            assert set(one["rules"]) <= RULES, code
            assert len(one["reason"]) > 4, code
    assert scoring.read_mapped(scoring.MAPPED, "gradlint") is None


PREFLIGHT = {"diagnostics": [{"code": "TG001", "path": "a.py", "line": 3, "message": "kept"}]}
SEMGREP = {
    "results": [{"check_id": "rules.python.TG001", "path": "a.py", "start": {"line": 3}, "extra": {"message": "kept"}}]
}


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("torch-preflight", json.dumps(PREFLIGHT)),
        ("semgrep", json.dumps(SEMGREP)),
        ("text", "a.py:3: TG001 kept"),
        ("text", "a.py:3:14: TG001 kept\nFound 1 error.\n"),
        ("text", "  a.py:3:0: TG001: kept\n\n************* Module a"),
        ("text", "a.py:3:TG001 kept"),
    ],
)
def test_reports_of_others_are_read(kind: str, text: str) -> None:
    assert scoring.read_report(text, kind) == [Finding("a.py", 3, "TG001", (), "kept")]


@pytest.mark.parametrize(("kind", "text"), [("gradlint", "a.py:3: x"), ("semgrep", "[]"), ("semgrep", '{"a": 1}')])
def test_a_report_of_another_kind_is_refused(kind: str, text: str) -> None:
    with pytest.raises(scoring.ReportError):
        scoring.read_report(text, kind)


# From files to a table


WRONG = """\
import torch

for x in loader:
    optimizer.zero_grad()
    model(x).backward()
    optimizer.step()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
"""


@pytest.fixture
def loops(tmp_path: Path) -> Path:
    swapped = WRONG.splitlines(keepends=True)
    for name, text in (("wrong", WRONG), ("right", "".join((*swapped[:5], swapped[6], swapped[5])))):
        file = tmp_path / "tiny" / name / "001.py"
        file.parent.mkdir(parents=True)
        file.write_text(text, encoding="utf-8")
    rows: list[dict[str, Any]] = [
        {"file": "wrong/001.py", "mistakes": [{"rule": CLIP, "line": 7}], "style": "plain"},
        {"file": "right/001.py", "mistakes": [], "tempts": [CLIP], "style": "plain"},
    ]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (tmp_path / "tiny" / "labels.jsonl").write_text(text, encoding="utf-8")
    return tmp_path


def test_gradlint_is_run_and_scored(loops: Path, tmp_path: Path) -> None:
    own = next(tool for tool in accuracy.TOOLS if tool.package == "gradlint")
    linters = accuracy.Linters(tmp_path / "peers", {})
    scores = linters.scores(own, scoring.sets(loops))
    assert scores == {"tiny": Score(1, 0, 0, {CLIP: Tally(1, 1, 1, 1)})}
    assert linters.version(own) != "?"


def test_a_report_is_scored(loops: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, codes = tmp_path / "out.txt", tmp_path / "codes.toml"
    out.write_text("tiny/wrong/001.py:1: T1 late\ntiny/right/001.py:1: T2 long\n", encoding="utf-8")
    codes.write_text(f'[mine]\nT1 = {{rules = ["{CLIP}"], reason = "the same"}}\n', encoding="utf-8")
    words = ["score", str(out), "--format", "text", "--tool", "mine", "--codes", str(codes), "--loops", str(loops)]
    assert accuracy.main(words) == 0
    said = capsys.readouterr().out
    assert "tiny: 1 wrong files with 1 mistakes, 1 right files" in said
    assert "found: 0.0 %, 100.0 % on any line" in said
    assert "right files flagged: 0 of 1 (0.0 %)" in said
    assert "1 findings of other kinds" in said
    assert "001.py" not in said
    assert accuracy.main([*words, "--anywhere"]) == 0
    assert "precision: 100.0 %;" in capsys.readouterr().out
    assert accuracy.main([*words, "--show"]) == 0
    assert "tiny/wrong/001.py:1: T1 late" in capsys.readouterr().out
    assert accuracy.main([*words, "--set", "other"]) == 2
    assert accuracy.main(["score", str(out), "--loops", str(loops)]) == 2
    assert "this is no JSON" in capsys.readouterr().err


def test_figures_are_kept_and_a_first_run_only_once(
    loops: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs, latest, page = tmp_path / "runs.toml", tmp_path / "latest.json", tmp_path / "page.md"
    runs.write_text("# runs\n", encoding="utf-8")
    marks = (
        "<!-- first-runs: made by x -->\n<!-- end of first-runs -->\n<!-- tools: made by x -->\n<!-- end of tools -->"
    )
    page.write_text(marks, encoding="utf-8")
    for name, value in {"RUNS": runs, "LATEST": latest, "PAGES": (page,), "ROOT": tmp_path}.items():
        monkeypatch.setattr(figures, name, value)
    monkeypatch.setattr(figures, "sets", lambda: scoring.sets(loops))
    monkeypatch.setattr(accuracy, "ROOT", tmp_path)
    monkeypatch.setattr(accuracy, "commit", lambda: "0123456")
    for found in (1, 0):
        score = Score(1, 0, 0, {CLIP: Tally(1, found, 1, found, 0, 1 - found)})
        run = figures.Latest("2026-01-02", [figures.Result("gradlint", "0.1", False, {"tiny": score})])
        accuracy.keep(run)
        assert figures.read_latest(latest.read_text(encoding="utf-8")) == run
    (first,) = figures.read_runs(runs.read_text(encoding="utf-8"))
    assert (first.what, first.kind, first.found, first.commit) == ("tiny", "first", 1, "0123456")
    text = page.read_text(encoding="utf-8")
    assert "| `tiny` | first run | gradlint 0.1 (0123456), 2026-01-02 | 1 of 1 (100.0 %) |" in text
    assert "| gradlint 0.1 | 0 of 1 (0.0 %) | 1 of 1 (100.0 %) |" in text
    with pytest.raises(figures.FiguresError, match="stays as it is"):
        figures.add_run(runs.read_text(encoding="utf-8"), first)
    assert accuracy.tables(check=True) == 0
    page.write_text(text.replace("1 of 1", "2 of 1"), encoding="utf-8")
    assert accuracy.tables(check=True) == 1


def test_peers_are_all_there_when_figures_are_kept(capsys: pytest.CaptureFixture[str]) -> None:
    assert accuracy.main(["run", "--write", "--without", "ruff"]) == 2
    assert "all peers" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("tally", "said"),
    [
        (Tally(), "-"),
        (Tally(unlabelled=2), "-"),
        (Tally(right=9, wrong=1), "90 %"),
        (Tally(right=9, wrong=1, unlabelled=8), "90 % (50 %)"),
    ],
)
def test_precision_has_a_lower_end(tally: Tally, said: str) -> None:
    assert figures.precision(tally) == said


def test_the_tables_shown_are_those_of_the_figures() -> None:
    """If this fails, run `python benchmarks/accuracy.py tables`."""
    ran = subprocess.run(
        [sys.executable, str(BENCHMARKS / "accuracy.py"), "tables", "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stdout + ran.stderr) == (0, "")


def test_the_linters_have_run_on_every_set() -> None:
    """If this fails, run `make accuracy`: the tables say that all sets are in them."""
    latest = figures.read_latest(figures.LATEST.read_text(encoding="utf-8"))
    sets = {folder.name for folder in scoring.sets()}
    assert {one.name: sets - set(one.sets) for one in latest.results} == {one.name: set() for one in latest.results}


def test_every_table_is_shown_once() -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in figures.PAGES)
    for name in figures.tables([], [], figures.Latest(), [], set()):
        assert text.count(f"<!-- {name}: made by `python benchmarks/accuracy.py tables` -->") == 1
        assert text.count(f"<!-- end of {name} -->") == 1


def test_verdicts_and_labelled_loops_are_counted() -> None:
    read = corpus.read(
        "repo A/b 0123456\n"
        "loop 1 A/b x.py 1-9 random wrong\n"
        f"wrong 1 {CLIP} 4 0.90 one-file\n"
        "loop 2 A/b y.py 1-9 random clean\n"
        f"found A/b@0123456 x.py:4 {CLIP} right 2026-01-02\n"
        f"found A/b@0123456 y.py:4 {LEAK} wrong 2026-01-03\n"
        f"found A/b@0123456 y.py:5 {LEAK} debatable 2026-01-01\n",
        "corpus-x.txt",
    )
    run = figures.Run("corpus-x.txt, random", "first", "2026-01-04", "gradlint 0.1", "0123456", 1, 1, 1, 0)
    made = figures.tables([], [run], figures.Latest(), [read], {CLIP})
    row = "| `corpus-x.txt` | 2026-01-03 | 1 | 3 | 1 of 2 (50.0 %) | 1 of 1 (100.0 %) | 1 |"
    assert made["corpora"].splitlines()[-1] == row
    row = "| `corpus-x.txt` | random | gradlint 0.1 (0123456), 2026-01-04 | 2 | 1 | 1 | 1 of 1 (100.0 %) |"
    assert made["labelled"].splitlines()[-1] == f"{row} 0 of 1 (0.0 %) |"
