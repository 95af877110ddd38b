"""Files of what was read: one format, and gradlint beside their labels."""

from __future__ import annotations

import subprocess
from pathlib import Path

import corpus
import figures
import pytest
import read

from gradlint.rules.support.rule import all_rules

RULES = {rule.name for rule in all_rules()}
TEXT = """\
# what was read
repo     OWNER/NAME 0123456789abcdef
package  some-package 1.2
loop     1 OWNER/NAME a folder/train.py 3-9 random wrong   # a remark
wrong    1 clip-after-step 8 0.90 one-file
wrong    1 missing-no-sync 5 0.40 other-file
loop     2 some-package lib/loop.py 1-20 searched clean
found    OWNER/NAME@0123456 a folder/train.py:8 clip-after-step right 2026-11-20 0.1.0
found    some-package==1.2 lib/loop.py:7 loss-graph-leak wrong 2026-11-21  # it is detached in a helper
"""


def test_a_corpus_is_read() -> None:
    one = corpus.read(TEXT, "corpus-x.txt", RULES)
    assert [str(source) for source in one.sources] == ["OWNER/NAME@0123456789abcdef", "some-package==1.2"]
    first, second = one.loops
    assert (first.source, first.file, first.first, first.last) == (one.sources[0], "a folder/train.py", 3, 9)
    assert (first.drawn, first.clean, [mistake.sure for mistake in first.mistakes]) == ("random", False, [True, False])
    assert (second.source.package, second.drawn, second.clean) == (True, "searched", True)
    assert [(found.rule, found.verdict, found.version) for found in one.found] == [
        ("clip-after-step", "right", "0.1.0"),
        ("loss-graph-leak", "wrong", ""),
    ]
    assert one.found[1].remark == "it is detached in a helper"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("finding x", "'finding' is none of repo, package, loop, wrong, found"),
        ("repo OWNER/NAME", "write `repo OWNER/NAME COMMIT`"),
        ("repo OWNER/NAME 0123456789abcdef", "is told twice"),
        ("loop 3 OTHER/NAME x.py 1-2 random clean", "no lines `repo` or `package` above name OTHER/NAME"),
        ("loop 1 OWNER/NAME x.py 1-2 random clean", "loop 1 is told twice"),
        ("loop 3 OWNER/NAME x.py 1-2 found clean", "write `loop ID SOURCE FILE"),
        ("wrong 9 clip-after-step 3 0.90 one-file", "there is no loop 9"),
        ("wrong 1 clip-afterstep 3 0.90 one-file", "there is no rule 'clip-afterstep'"),
        ("wrong 1 clip-after-step 3 90 one-file", "write `wrong ID RULE [FILE:]LINE SURENESS"),
        ("found some-package==1.3 x.py:1 clip-after-step right 2026-11-20", "is not what was read: some-package==1.2"),
        ("found some-package==1.2 x.py:1 clip-after-step ? 2026-11-20", "write `found SOURCE FILE:LINE"),
        ("found OWNER/NAME@0123456789a a folder/train.py:8 clip-after-step wrong 2026-11-21", "is told twice"),
    ],
)
def test_a_line_that_does_not_go_with_the_others_is_named(line: str, message: str) -> None:
    with pytest.raises(corpus.CorpusError) as told:
        corpus.read(f"{TEXT}{line}\n", "corpus-x.txt", RULES)
    assert str(told.value).startswith("corpus-x.txt, line 10: ")
    assert message in str(told.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (TEXT.replace("clean", "wrong"), "corpus-x.txt: loop 2 is wrong, and has no sure mistake"),
        (TEXT.replace("random wrong", "random clean"), "corpus-x.txt: loop 1 is clean, and has a sure mistake"),
        (TEXT.replace("3-9", "9-3"), "corpus-x.txt: loop 1 ends before it begins"),
    ],
)
def test_a_loop_is_what_its_mistakes_say(text: str, message: str) -> None:
    with pytest.raises(corpus.CorpusError, match=message):
        corpus.read(text, "corpus-x.txt")


def test_a_finding_is_judged_in_one_file_only(tmp_path: Path) -> None:
    for name in ("corpus.txt", "corpus-a.txt"):
        (tmp_path / name).write_text(TEXT, encoding="utf-8")
    paths = corpus.files(tmp_path)
    assert [path.name for path in paths] == ["corpus.txt", "corpus-a.txt"]
    with pytest.raises(corpus.CorpusError, match=r"corpus-a\.txt: clip-after-step at .* is told in corpus\.txt, too"):
        corpus.read_all(paths)


def test_the_files_of_the_repository_can_be_read() -> None:
    assert corpus.read_all(corpus.files(), RULES)


# gradlint beside the labels

LOOP = """\
import torch

def train(model, loader, optimizer):
    for x in loader:
        optimizer.zero_grad()
        model(x).backward()
        {}
        {}
"""
STEP, CLIP = "optimizer.step()", "torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)"
LABELS = """\
repo     OWNER/NAME 0123456789abcdef
package  some-package 1.2
package  not-there 1.0
loop     1 OWNER/NAME train.py 4-8 random wrong
wrong    1 clip-after-step 8 0.90 one-file
wrong    1 missing-no-sync 8 0.70 other-file
loop     2 OWNER/NAME right.py 4-8 random clean
loop     3 some-package lib/loop.py 4-8 random clean
loop     4 some-package lib/doubted.py 4-8 random clean
wrong    4 clip-after-step 8 0.30 one-file
loop     5 not-there x.py 1-2 searched clean
found    some-package==1.2 lib/loop.py:8 clip-after-step wrong 2026-11-20
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    late, timely = LOOP.format(STEP, CLIP), LOOP.format(CLIP, STEP)
    for name, text in {
        "OWNER__NAME/train.py": late,
        "OWNER__NAME/right.py": timely,
        "some-package-1.2/lib/loop.py": late,
        "some-package-1.2/lib/doubted.py": late,
    }.items():
        file = tmp_path / "read" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    (tmp_path / "labels.txt").write_text(LABELS, encoding="utf-8")
    return tmp_path / "read"


def test_what_was_found_and_missed_and_a_worksheet(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    labels, sheet = folder.parent / "labels.txt", folder.parent / "sheet.txt"
    words = [str(folder), "--labels", str(labels), "--worksheet", str(sheet), "--version", "0.1.0"]
    assert read.main(words) == 0
    said = capsys.readouterr()
    assert said.err == "not-there==1.0 is not there\n"
    assert "2 of 3 sources, 4 of 5 loops\nrandom: 1 of 2 (50.0 %) mistakes found\n" in said.out
    assert "  1 of 1 (100.0 %) of those that one file shows\n  1 of 3 (33.3 %) clean loops flagged\n" in said.out
    assert "  found      OWNER/NAME train.py:8 clip-after-step (loop 1)\n" in said.out
    assert "  missed     OWNER/NAME train.py:8 missing-no-sync (loop 1)\n" in said.out
    assert "  flagged    some-package lib/loop.py:8 clip-after-step (loop 3): " in said.out
    assert "doubted" not in said.out
    lines = sheet.read_text(encoding="utf-8").splitlines()
    assert [line.split(" ? ")[0] for line in lines] == [
        "found  OWNER/NAME@0123456789ab train.py:8 clip-after-step",
        "found  some-package==1.2 lib/doubted.py:8 clip-after-step",
    ]
    assert all("  # error, high confidence: " in line for line in lines)
    judged = LABELS + "".join(line.replace(" ? ", " right ") + "\n" for line in lines)
    assert len(corpus.read(judged, rules=RULES).found) == 3
    assert sorted(path.name for path in folder.rglob("*") if path.is_file()) == [
        "doubted.py",
        "loop.py",
        "right.py",
        "train.py",
    ]


def test_a_mistake_may_show_in_another_file_than_its_loop() -> None:
    text = TEXT.replace("missing-no-sync 5 0.40", "missing-no-sync a folder/engine.py:50 0.90")
    loop = corpus.read(text).loops[0]
    mistake = loop.mistakes[1]
    assert (mistake.file, mistake.line) == ("a folder/engine.py", 50)

    def found(file: str, line: int, *beside: tuple[str, int]) -> bool:
        return read.Said(file, line, (), "missing-no-sync", "warning", "high", "", beside).says(mistake, loop)

    assert found("a folder/engine.py", 55)
    assert found("main.py", 7, ("a folder/engine.py", 50))
    assert not found("a folder/engine.py", 5)
    assert not found("a folder/train.py", 5)
    assert not found("main.py", 50, ("other.py", 50))


def test_a_first_run_is_kept_when_all_is_there(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    labels, runs = folder.parent / "labels.txt", folder.parent / "runs.toml"
    runs.write_text("", encoding="utf-8")
    monkeypatch.setattr(figures, "RUNS", runs)
    late = read.Said("train.py", 9, (8,), "clip-after-step", "error", "high", "a message")
    flag = read.Said("lib/loop.py", 8, (), "clip-after-step", "error", "high", "a message")
    monkeypatch.setattr(read, "said", lambda root, command: [late] if "__" in root.name else [flag])
    words = [str(folder), "--labels", str(labels), "--version", "0.1.0", "--record"]
    assert read.main(words) == 2
    (folder / "not-there").mkdir()
    assert read.main(words) == 0
    kept = {run.what: run for run in figures.read_runs(runs.read_text(encoding="utf-8"))}
    one = kept["labels.txt, random"]
    assert (one.mistakes, one.found, one.clean, one.flagged) == (2, 1, 3, 1)
    assert kept["labels.txt, searched"].clean == 1
    assert read.main(words) == 2
    assert "stays as it is" in capsys.readouterr().err


def test_a_clone_at_another_commit_is_left_out(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(read, "said", lambda root, command: [])
    root = folder / "OWNER__NAME"
    for words in (
        ["init", "-q", "."],
        ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "--allow-empty", "-qm", "a"],
    ):
        subprocess.run(["git", *words], cwd=root, check=True)
    assert read.main([str(folder), "--labels", str(folder.parent / "labels.txt")]) == 0
    said = capsys.readouterr()
    assert "OWNER/NAME@0123456789abcdef is there as " in said.err
    assert "1 of 3 sources, 2 of 5 loops\n" in said.out


def test_places_of_sources(tmp_path: Path) -> None:
    repository = corpus.Source("OWNER/NAME", "0123456789abcdef", package=False)
    assert read.place(tmp_path, repository) is None
    for name in ("OWNER/NAME", "OWNER__NAME", "OWNER__NAME@01234567"):
        (tmp_path / name).mkdir(parents=True)
        assert read.place(tmp_path, repository) == tmp_path / name
    package = corpus.Source("some-package", "1.2", package=True)
    for name in ("some-package", "some-package==1.2", "some-package-1.2"):
        (tmp_path / name).mkdir()
        assert read.place(tmp_path, package) == tmp_path / name
