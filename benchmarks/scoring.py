"""The output of any linter against the labelled loops of `benchmarks/loops/`.

A labelled mistake is found when a finding of its rule stands on one of its lines: by its own line first, else by one of
its related places. A finding finds one mistake at most; several findings may find the same one. Further, it is found
*anywhere* when a finding of its rule that has found nothing else stands anywhere in the file: linters point at
different places of one mistake, and the label knows only what its author thought of.

A finding on a right file is wrong. On a wrong file one that finds a labelled mistake is right, any other is unlabelled:
nobody has said what it is, so it counts neither way until somebody reads it. A finding whose code stands for no rule is
of another kind: it is neither right nor wrong here, and does not flag a right file.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

LOOPS = Path(__file__).resolve().parent / "loops"
MAPPED = Path(__file__).resolve().parent / "mapped.toml"
Mapped = Mapping[str, Sequence[str]]
"""The rules that each code of a linter may stand for; the code itself where a linter has no table."""


class ReportError(Exception):
    """A report that cannot be read."""


@dataclass(frozen=True)
class Finding:
    """What any linter says: a place, and a code."""

    path: str
    line: int
    code: str
    related: tuple[int, ...] = ()
    message: str = ""


@dataclass(frozen=True)
class Label:
    """A mistake in a labelled file."""

    rule: str
    lines: frozenset[int]


@dataclass(frozen=True)
class Labels:
    """A folder of labelled loops: the mistakes of each file, none for a right one."""

    name: str
    files: Mapping[str, tuple[Label, ...]]
    siblings: frozenset[str] = frozenset()
    """The other sets in the same folder: their files have the same names."""

    @property
    def wrong(self) -> int:
        """How many files have a mistake."""
        return sum(map(bool, self.files.values()))

    @property
    def mistakes(self) -> int:
        """How many mistakes all files have."""
        return sum(map(len, self.files.values()))


COLUMNS = ("mistakes", "found", "anywhere", "right", "wrong", "unlabelled")


@dataclass(frozen=True)
class Tally:
    """The mistakes of a rule, and the findings that say it."""

    mistakes: int = 0
    found: int = 0
    anywhere: int = 0
    right: int = 0
    wrong: int = 0
    unlabelled: int = 0

    def __add__(self, other: Tally) -> Tally:
        """Both together."""
        return Tally(*(own + its for own, its in zip(self.numbers, other.numbers, strict=True)))

    @property
    def numbers(self) -> tuple[int, ...]:
        """In the order of `COLUMNS`."""
        return self.mistakes, self.found, self.anywhere, self.right, self.wrong, self.unlabelled


@dataclass(frozen=True)
class Score:
    """What a linter did on a set.

    Args:
        clean: how many right files there are.
        flagged: on how many of them it has a finding.
        other: its findings whose code stands for no rule.
        rules: by rule.
        unlabelled: the findings that somebody has to read, as text.
    """

    clean: int = 0
    flagged: int = 0
    other: int = 0
    rules: Mapping[str, Tally] = field(default_factory=dict)
    unlabelled: tuple[str, ...] = ()

    def __add__(self, other: Score) -> Score:
        """Both together."""
        names = sorted({*self.rules, *other.rules})
        rules = {name: self.rules.get(name, Tally()) + other.rules.get(name, Tally()) for name in names}
        flagged, read = self.flagged + other.flagged, (*self.unlabelled, *other.unlabelled)
        return Score(self.clean + other.clean, flagged, self.other + other.other, rules, read)

    @property
    def total(self) -> Tally:
        """Of all rules."""
        return sum(self.rules.values(), Tally())


def read_labels(folder: Path) -> Labels:
    """The labels of a set."""
    files = {}
    for line in (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        mistakes = (Label(one["rule"], frozenset(one.get("lines", [one["line"]]))) for one in row["mistakes"])
        files[row["file"]] = tuple(mistakes)
    siblings = {path.name for path in sets(folder.parent)} - {folder.name}
    return Labels(folder.name, files, frozenset(siblings))


def sets(folder: Path = LOOPS) -> list[Path]:
    """The folders that have labels."""
    return sorted(path.parent for path in folder.glob("*/labels.jsonl"))


# What linters print


def _gradlint(text: str) -> Iterator[Finding]:
    for one in read_json(text)["findings"]:
        related = tuple(place["row"] for place in one["related"])
        yield Finding(one["path"], one["row"], one["rule"], related, one["message"])


def _torch_preflight(text: str) -> Iterator[Finding]:
    for one in read_json(text)["diagnostics"]:
        yield Finding(one["path"], one["line"], one["code"], message=one["message"])


def _semgrep(text: str) -> Iterator[Finding]:
    for one in read_json(text)["results"]:
        code = one["check_id"].rpartition(".")[2]  # what stands before it is the folder of the rules
        yield Finding(one["path"], one["start"]["line"], code, message=one["extra"]["message"])


_TEXT = re.compile(r"(?P<path>.+?):(?P<line>\d+):(?:\d+:?)?\s*(?P<code>[\w./-]+)(?::|\b)\s*(?P<message>.*)")


def _text(text: str) -> Iterator[Finding]:
    for line in text.splitlines():
        match = _TEXT.fullmatch(line.strip())
        if match:
            yield Finding(match["path"], int(match["line"]), match["code"], message=match["message"])


def read_json(text: str) -> dict[str, Any]:
    """A report that is JSON.

    Raises:
        ReportError: it is none.
    """
    try:
        read: object = json.loads(text)
    except ValueError as error:
        raise ReportError(f"this is no JSON: {error}") from None
    if not isinstance(read, dict):
        raise ReportError("this is JSON of another kind")
    return read


FORMATS: Mapping[str, Callable[[str], Iterator[Finding]]] = {
    "gradlint": _gradlint,
    "torch-preflight": _torch_preflight,
    "semgrep": _semgrep,
    "text": _text,
}
"""Reports that can be read: JSON of three linters, and lines `PATH:LINE[:COLUMN]: CODE MESSAGE` of any."""


def read_report(text: str, kind: str) -> list[Finding]:
    """The findings of a report.

    Raises:
        ReportError: it is of another kind.
    """
    try:
        return list(FORMATS[kind](text))
    except (KeyError, TypeError) as error:
        raise ReportError(f"this is no report of the kind {kind!r}: {error}") from None


def read_mapped(file: Path, tool: str) -> Mapped | None:
    """What the codes of a linter stand for; None when the file has no table of it, and codes are names of rules."""
    tables = read_tables(file)
    if tool not in tables:
        return None
    return {code: one["rules"] for code, one in tables[tool].items()}


def read_tables(file: Path) -> dict[str, dict[str, dict[str, Any]]]:
    """Linter, code, and what is said of it."""
    tables: dict[str, dict[str, dict[str, Any]]] = tomllib.loads(file.read_text(encoding="utf-8"))
    return tables


# The score


@dataclass(frozen=True)
class _Settled:
    """A finding that stands for some rules, and the mistake that it finds, if any."""

    finding: Finding
    rules: tuple[str, ...]
    mistake: Label | None
    placed: bool

    def right(self, anywhere: bool) -> bool:
        return self.mistake is not None and (self.placed or anywhere)


def score(
    labels: Labels, findings: Iterable[Finding], mapped: Mapped | None = None, *, anywhere: bool = False
) -> Score:
    """What a linter did on a set.

    Args:
        labels: of the set.
        findings: of the linter; those on other files are passed over.
        mapped: the rules that its codes may stand for.
        anywhere: a finding that stands anywhere in the file of the mistake is right, too.
    """
    said: dict[str, list[tuple[Finding, tuple[str, ...]]]] = {file: [] for file in labels.files}
    other = 0
    for finding in _distinct(findings):
        file = _file(finding.path, labels)
        rules = (finding.code,) if mapped is None else tuple(mapped.get(finding.code, ()))
        if file is not None and rules:
            said[file].append((finding, rules))
        elif file is not None:
            other += 1
    columns: dict[str, Counter[str]] = {name: Counter() for name in COLUMNS}
    unlabelled: list[str] = []
    for file, mistakes in labels.files.items():
        columns["mistakes"].update(mistake.rule for mistake in mistakes)
        if not mistakes:
            columns["wrong"].update(rules[0] for _, rules in said[file])
            continue
        settled = _settle(mistakes, said[file])
        columns["found"].update(one.rule for one in {one.mistake for one in settled if one.placed} if one)
        columns["anywhere"].update(one.rule for one in {one.mistake for one in settled} if one)
        columns["right"].update(one.mistake.rule for one in settled if one.mistake and one.right(anywhere))
        left = [one for one in settled if not one.right(anywhere)]
        columns["unlabelled"].update(one.rules[0] for one in left)
        unlabelled += [
            f"{labels.name}/{file}:{one.finding.line}: {one.finding.code} {one.finding.message}" for one in left
        ]
    names = sorted(set().union(*columns.values()))
    tallies = {name: Tally(*(columns[column][name] for column in COLUMNS)) for name in names}
    clean = [file for file, mistakes in labels.files.items() if not mistakes]
    return Score(len(clean), sum(bool(said[file]) for file in clean), other, tallies, tuple(unlabelled))


def _settle(mistakes: Sequence[Label], said: Iterable[tuple[Finding, tuple[str, ...]]]) -> list[_Settled]:
    """Which mistake each finding finds: by its line, by a related line, else one that no other has found."""
    taken: set[Label] = set()
    placed: list[_Settled] = []
    for finding, rules in said:
        fits = [mistake for mistake in mistakes if mistake.rule in rules]
        on = [one for one in fits if finding.line in one.lines]
        on = on or [one for one in fits if one.lines & set(finding.related)]
        found = _first(on, taken)
        if found:
            taken.add(found)
        placed.append(_Settled(finding, rules, found, found is not None))
    settled = []
    for one in placed:
        found = one.mistake or _first([mistake for mistake in mistakes if mistake.rule in one.rules], taken)
        if found:
            taken.add(found)
        settled.append(_Settled(one.finding, one.rules, found, one.placed))
    return settled


def _first(mistakes: Sequence[Label], taken: set[Label]) -> Label | None:
    """One that is not found yet, else any."""
    return next((one for one in mistakes if one not in taken), mistakes[0] if mistakes else None)


def _distinct(findings: Iterable[Finding]) -> list[Finding]:
    """Without those that say the same of the same line."""
    found: dict[tuple[str, int, str], Finding] = {}
    for one in findings:
        path = PurePath(one.path).as_posix()
        same = found.get((path, one.line, one.code), one)
        related = tuple(sorted({*same.related, *one.related}))
        found[path, one.line, one.code] = Finding(path, one.line, one.code, related, same.message)
    return [found[key] for key in sorted(found)]


def _file(path: str, labels: Labels) -> str | None:
    """The labelled file that a path names: `.../013.py` below `wrong/` or `right/`, and not of another set."""
    parts = PurePath(path).parts
    file = "/".join(parts[-2:])
    elsewhere = len(parts) > 2 and parts[-3] in labels.siblings
    return file if file in labels.files and not elsewhere else None
