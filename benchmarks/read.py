# /// script
# requires-python = ">=3.10"
# dependencies = ["tomli; python_version < '3.11'"]
# ///
"""gradlint on what was labelled by reading: what it found and missed, and a worksheet of all that it said.

    python benchmarks/read.py FOLDER [--labels benchmarks/corpus.txt] [--worksheet FILE]

FOLDER has what the labels name, checked out: OWNER__NAME (or OWNER__NAME@COMMIT, OWNER/NAME) for a repository,
NAME-VERSION (or NAME==VERSION, NAME) for a package. Nothing is written there. What is missing is named and left out.

A mistake is found when a finding of its rule stands in its loop, or within 12 lines of where the mistake shows (of
another file than the loop's, where the label says so), by its own place or a related one. A clean loop is flagged when
a finding stands in it that says no doubt of its reader.

The worksheet has a line `found` for each finding that nobody has judged yet, with a `?` where the verdict belongs and
the severity, the confidence and the message in a remark. Read the code, write `right`, `wrong` or `debatable` instead,
and append the lines to the labels; `python benchmarks/measured.py` and `python benchmarks/accuracy.py tables` count
them.
"""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

import accuracy
import corpus
import figures
import scoring
from corpus import Corpus, CorpusError, Loop, Mistake, Source

NEAR = 12
"""Lines between where a reader saw a mistake and where a finding of it may stand."""


@dataclass(frozen=True)
class Said:
    """A finding of gradlint; `related` are lines of its own file, `beside` places in others."""

    file: str
    line: int
    related: tuple[int, ...]
    rule: str
    severity: str
    confidence: str
    message: str
    beside: tuple[tuple[str, int], ...] = ()

    def inside(self, loop: Loop) -> bool:
        """Does it stand in the loop?"""
        return self.file == loop.file and loop.first <= self.line <= loop.last

    def says(self, mistake: Mistake, loop: Loop) -> bool:
        """Is it of this mistake?"""
        if self.rule != mistake.rule:
            return False
        file = mistake.file or loop.file
        places = ((self.file, self.line), *((self.file, line) for line in self.related), *self.beside)
        lines = [line for path, line in places if path == file]
        within = [line for line in lines if file == loop.file and loop.first <= line <= loop.last]
        return bool(within) or any(abs(line - mistake.line) <= NEAR for line in lines)


@dataclass(frozen=True)
class Reading:
    """What became of the labelled loops of one kind: mistakes found and missed, clean loops flagged."""

    found: tuple[tuple[Loop, Mistake], ...]
    missed: tuple[tuple[Loop, Mistake], ...]
    clean: tuple[Loop, ...]
    flagged: tuple[tuple[Loop, Said], ...]
    unlabelled: tuple[tuple[Loop, Said], ...]

    @property
    def flags(self) -> int:
        """How many clean loops are flagged."""
        return len({loop.name for loop, _ in self.flagged})


def place(folder: Path, source: Source) -> Path | None:
    """Where a source lies, if it is there."""
    owner, _, name = source.name.rpartition("/")
    if source.package:
        names = (f"{name}-{source.version}", f"{name}=={source.version}", name)
    else:
        names = (f"{owner}__{name}@{source.version[:8]}", f"{owner}__{name}", f"{owner}/{name}")
    return next((folder / one for one in names if (folder / one).is_dir()), None)


def moved(root: Path, source: Source) -> str | None:
    """The commit of a clone, if it is another than the one that was read."""
    if not (root / ".git").exists():
        return None
    git = ["git", "-C", str(root), "rev-parse", "HEAD"]
    head = subprocess.run(git, capture_output=True, text=True, check=False).stdout.strip()  # noqa: S603  # git
    return None if head.startswith(source.version) else head


def said(root: Path, command: Sequence[str]) -> list[Said]:
    """What gradlint says of a folder.

    Raises:
        accuracy.AccuracyError: it cannot be run.
    """
    words = [*command, "check", "--no-cache", "--output-format", "json", "."]
    environment = {**os.environ, "PYTHONPATH": str(figures.ROOT)} if command == accuracy.OWN else None
    ran = subprocess.run(words, cwd=root, env=environment, capture_output=True, text=True, check=False)  # noqa: S603  # as above
    if ran.returncode not in {0, 1, 3}:  # with 3 some file could not be read, and the others were
        raise accuracy.AccuracyError(f"{root}: {' '.join(words)} ended with {ran.returncode}: {ran.stderr[-2000:]}")
    return [_said(one) for one in scoring.read_json(ran.stdout)["findings"]]


def _said(one: Mapping[str, Any]) -> Said:
    file = _file(one)
    related = [(_file(other), other["row"]) for other in one["related"]]
    own = tuple(row for path, row in related if path == file)
    beside = tuple((path, row) for path, row in related if path != file)
    return Said(file, one["row"], own, one["rule"], one["severity"], one["confidence"], one["message"], beside)


def _file(one: Mapping[str, Any]) -> str:
    cell = f" cell {one['cell']}" if one["cell"] else ""
    return PurePath(one["path"]).as_posix() + cell


def judged(loops: Iterable[Loop], findings: Mapping[Source, Sequence[Said]]) -> Reading:
    """What became of some loops."""
    found: list[tuple[Loop, Mistake]] = []
    missed: list[tuple[Loop, Mistake]] = []
    flagged: list[tuple[Loop, Said]] = []
    unlabelled: list[tuple[Loop, Said]] = []
    clean: list[Loop] = []
    for loop in loops:
        here = findings[loop.source]
        for mistake in loop.mistakes:
            if mistake.sure:
                (found if any(one.says(mistake, loop) for one in here) else missed).append((loop, mistake))
        rest = [one for one in here if one.inside(loop) and not any(one.says(each, loop) for each in loop.mistakes)]
        (flagged if loop.clean else unlabelled).extend((loop, one) for one in rest)
        if loop.clean:
            clean.append(loop)
    return Reading(tuple(found), tuple(missed), tuple(clean), tuple(flagged), tuple(unlabelled))


def lines(reading: Reading, name: str) -> Iterator[str]:
    """What is printed of the loops of one kind."""
    sure = len(reading.found) + len(reading.missed)
    alone = [sum(mistake.one_file for _, mistake in part) for part in (reading.found, reading.missed)]
    yield f"{name}: {figures.of(len(reading.found), sure)} mistakes found"
    yield f"  {figures.of(alone[0], sum(alone))} of those that one file shows"
    yield f"  {figures.of(reading.flags, len(reading.clean))} clean loops flagged"
    rules = Counter(mistake.rule for _, mistake in (*reading.found, *reading.missed))
    hits = Counter(mistake.rule for _, mistake in reading.found)
    yield from (f"  {rule:32} {hits[rule]:3} of {count:3}" for rule, count in sorted(rules.items()))
    for word, part in (("found", reading.found), ("missed", reading.missed)):
        for loop, mistake in part:
            yield f"  {word:10} {loop.source.name} {loop.file}:{mistake.line} {mistake.rule} (loop {loop.name})"
    for word, ones in (("flagged", reading.flagged), ("unlabelled", reading.unlabelled)):
        for loop, one in ones:
            yield f"  {word:10} {loop.source.name} {one.file}:{one.line} {one.rule} (loop {loop.name}): {one.message}"


def worksheet(
    findings: Mapping[Source, Sequence[Said]], known: Iterable[Corpus], version: str, date: str
) -> Iterator[str]:
    """A line for each finding that nobody has judged yet."""
    verdicts = {found.key for one in known for found in one.found}
    for source, ones in findings.items():
        short = source if source.package else Source(source.name, source.version[:12], package=False)
        for one in ones:
            if (*source.key, one.file, one.line, one.rule) not in verdicts:
                remark = f"{one.severity}, {one.confidence} confidence: {one.message}"
                yield f"found  {short} {one.file}:{one.line} {one.rule} ? {date} {version}  # {remark}"


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    made.add_argument("folder", type=Path, help="what was read, checked out")
    made.add_argument("--labels", type=Path, default=corpus.FOLDER / "corpus.txt", help="%(default)s")
    made.add_argument("--worksheet", type=Path, metavar="FILE", help="write it there, not to standard output")
    made.add_argument("--gradlint", metavar="COMMAND", help="another gradlint than that of this tree")
    made.add_argument("--version", help="of gradlint, for the worksheet; by default the commit of this tree")
    made.add_argument("--record", action="store_true", help="keep the figures as the first run on these loops")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the labels, run gradlint, print."""
    options = parser().parse_args(arguments)
    try:
        return read(options)
    except (CorpusError, accuracy.AccuracyError, scoring.ReportError, figures.FiguresError) as error:
        sys.stderr.write(f"{error}\n")
        return 2


def read(options: argparse.Namespace) -> int:
    """The same, with options that were read."""
    labels = corpus.read(options.labels.read_text(encoding="utf-8"), options.labels.name)
    known = corpus.read_all(dict.fromkeys((*corpus.files(), options.labels.resolve())))
    command = tuple(shlex.split(options.gradlint)) if options.gradlint else accuracy.OWN
    findings: dict[Source, list[Said]] = {}
    for source in labels.sources:
        root = place(options.folder, source)
        if root is None:
            sys.stderr.write(f"{source} is not there\n")
            continue
        other = moved(root, source)
        if other:
            sys.stderr.write(f"{source} is there as {other}, and is left out\n")
            continue
        findings[source] = said(root, command)
    if options.record and len(findings) < len(labels.sources):
        raise figures.FiguresError("a first run is kept only of all that was read")
    there = [loop for loop in labels.loops if loop.source in findings]
    sys.stdout.write(f"{len(findings)} of {len(labels.sources)} sources, {len(there)} of {len(labels.loops)} loops\n")
    version = options.version or accuracy.commit().partition(" ")[0]
    for drawn in ("random", "searched"):
        reading = judged((loop for loop in there if loop.drawn == drawn), findings)
        if reading.found or reading.missed or reading.clean:
            sys.stdout.write("\n".join((*lines(reading, drawn), "")))
            if options.record:
                keep(f"{labels.name}, {drawn}", reading, version)
    sheet = [f"{line}\n" for line in worksheet(findings, known, version, accuracy.today())]
    if options.worksheet:
        options.worksheet.write_text("".join(sheet), encoding="utf-8")
        sys.stdout.write(f"{len(sheet)} findings to be judged are in {options.worksheet}\n")
    else:
        sys.stdout.writelines(("\n", *sheet))
    return 0


def keep(what: str, reading: Reading, version: str) -> None:
    """Keep the figures as a first run."""
    sure = len(reading.found) + len(reading.missed)
    run = figures.Run(
        what,
        "first",
        accuracy.today(),
        "gradlint",
        version,
        sure,
        len(reading.found),
        len(reading.clean),
        reading.flags,
    )
    figures.RUNS.write_text(figures.add_run(figures.RUNS.read_text(encoding="utf-8"), run), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
