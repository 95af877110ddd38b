"""The figures that are kept, and the tables that are made of them.

`benchmarks/first_runs.toml` has what a linter did when it was first run on a set, `benchmarks/accuracy.json` the latest
run of gradlint and its peers. The tables stand between marks in `docs/accuracy.md` and `benchmarks/loops/README.md`.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from corpus import Corpus
from scoring import LOOPS, MAPPED, Labels, Score, Tally, read_labels, read_mapped, sets

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[1]
RUNS = ROOT / "benchmarks" / "first_runs.toml"
LATEST = ROOT / "benchmarks" / "accuracy.json"
PAGES = (ROOT / "docs" / "accuracy.md", LOOPS / "README.md")
KINDS = {"before": "version older than the set", "first": "first run"}
_MARKED = re.compile(
    r"(?<=<!-- )(?P<name>[a-z-]+)(?P<made>: made by [^\n]+ -->\n).*?(?=<!-- end of (?P=name) -->)", re.DOTALL
)


class FiguresError(Exception):
    """Figures that cannot be kept or read."""


@dataclass(frozen=True)
class Run:
    """One run of one version on one set or corpus. `anywhere` and what follows `flagged` are of sets only."""

    what: str
    kind: str
    date: str
    tool: str
    commit: str
    mistakes: int
    found: int
    clean: int
    flagged: int
    anywhere: int = 0
    right: int = 0
    wrong: int = 0
    unlabelled: int = 0


@dataclass(frozen=True)
class Result:
    """What one linter did in the latest run."""

    name: str
    version: str
    anywhere: bool
    sets: Mapping[str, Score]

    @property
    def about(self) -> set[str]:
        """The rules that its codes stand for."""
        mapped = read_mapped(MAPPED, self.name.partition(" ")[0])
        return set(self.whole.rules) if mapped is None else {rule for rules in mapped.values() for rule in rules}

    @property
    def whole(self) -> Score:
        """On all sets together."""
        return sum(self.sets.values(), Score())


@dataclass(frozen=True)
class Latest:
    """The latest run of all linters."""

    date: str = ""
    results: Sequence[Result] = ()


# What is kept


def read_runs(text: str) -> list[Run]:
    """The runs of `first_runs.toml`.

    Raises:
        FiguresError: one is told twice, or of no known kind.
    """
    runs = [Run(**row) for row in tomllib.loads(text).get("run", ())]
    for (what, kind), count in Counter((run.what, run.kind) for run in runs).items():
        if count > 1 or kind not in KINDS:
            raise FiguresError(f"{what}: {count} runs of the kind {kind!r}")
    return runs


def add_run(text: str, run: Run) -> str:
    """The text with one more run, as it stays: a first run is never made again.

    Raises:
        FiguresError: there is one already.
    """
    if any((one.what, one.kind) == (run.what, run.kind) for one in read_runs(text)):
        raise FiguresError(f"{run.what} has its run of the kind {run.kind!r} already, which stays as it is")
    rows = (f"{key} = {json.dumps(value)}" for key, value in asdict(run).items())
    return "\n".join((text.rstrip("\n"), "", "[[run]]", *rows)) + "\n"


def of_score(what: str, kind: str, date: str, version: tuple[str, str], score: Score) -> Run:
    """A run on a set. `version` is that of the linter, and its commit."""
    total = score.total
    return Run(
        what,
        kind,
        date,
        *version,
        total.mistakes,
        total.found,
        score.clean,
        score.flagged,
        total.anywhere,
        total.right,
        total.wrong,
        total.unlabelled,
    )


def read_latest(text: str) -> Latest:
    """The run of `accuracy.json`."""
    data = json.loads(text)
    return Latest(data["date"], [_result(row) for row in data["tools"]])


def _result(row: dict[str, Any]) -> Result:
    scores = {}
    for name, one in row["sets"].items():
        rules = {rule: Tally(*numbers) for rule, numbers in one["rules"].items()}
        scores[name] = Score(one["clean"], one["flagged"], one["other"], rules)
    return Result(row["name"], row["version"], row["anywhere"], scores)


def write_latest(latest: Latest) -> str:
    """The text of `accuracy.json`: a rule a line."""
    tools = [
        {
            "name": one.name,
            "version": one.version,
            "anywhere": one.anywhere,
            "sets": {
                name: {
                    "clean": score.clean,
                    "flagged": score.flagged,
                    "other": score.other,
                    "rules": {rule: tally.numbers for rule, tally in score.rules.items()},
                }
                for name, score in one.sets.items()
            },
        }
        for one in latest.results
    ]
    text = json.dumps({"date": latest.date, "tools": tools}, indent=1)
    return re.sub(r"\[([\d,\s]+)\]", lambda found: f"[{', '.join(found[1].replace(',', ' ').split())}]", text) + "\n"


# How it is shown


def share(part: int, whole: int, digits: int = 0) -> str:
    """`92 %`, a dash of nothing."""
    return f"{100 * part / whole:.{digits}f} %" if whole else "-"


def of(part: int, whole: int) -> str:
    """`3 of 81 (3.7 %)`."""
    return f"{part} of {whole} ({share(part, whole, 1)})" if whole else "-"


def precision(tally: Tally) -> str:
    """The share of right findings, and what it would be if every unlabelled one were wrong."""
    read = tally.right + tally.wrong
    least = share(tally.right, read + tally.unlabelled)
    return f"{share(tally.right, read)} ({least})" if tally.unlabelled and read else share(tally.right, read)


def markdown(head: Sequence[str], rows: Iterable[Sequence[object]], left: int = 1) -> str:
    """A table; its first columns are words, the others numbers."""
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * left}{'---:|' * (len(head) - left)}"]
    lines += [f"| {' | '.join(map(str, row))} |" for row in rows]
    return "\n".join(lines) + "\n"


def tables(
    labels: Sequence[Labels], runs: Sequence[Run], latest: Latest, corpora: Sequence[Corpus], errors: set[str]
) -> dict[str, str]:
    """Every table by its name. `errors` are the rules whose findings are errors, not warnings."""
    return {
        "sets": _sets(labels, runs),
        "first-runs": _first_runs(labels, runs),
        "tools": _tools(latest),
        "tools-by-set": _tools_by_set(latest),
        "rules": _rules(latest),
        "corpora": _corpora(corpora, errors),
        "labelled": _labelled(corpora, runs),
    }


def _sets(labels: Sequence[Labels], runs: Sequence[Run]) -> str:
    unseen = {run.what: run for kind in KINDS for run in runs if run.kind == kind}

    def row(one: Labels) -> tuple[object, ...]:
        run = unseen.get(one.name)
        said = f"{run.date}: {share(run.found, run.mistakes)} found, {run.flagged} flagged" if run else "not yet"
        said += ", by a version older than the set" if run is not None and run.kind == "before" else ""
        return f"`{one.name}`", said, one.wrong, one.mistakes, len(one.files) - one.wrong

    return markdown(("set", "first run", "wrong files", "mistakes", "right files"), map(row, labels), 2)


def _first_runs(labels: Sequence[Labels], runs: Sequence[Run]) -> str:
    def rows() -> Iterator[tuple[object, ...]]:
        for one in labels:
            known = {run.kind: run for run in runs if run.what == one.name and run.kind in KINDS}
            for kind, said in KINDS.items():
                run = known.get(kind)
                if run:
                    tally = Tally(run.mistakes, run.found, run.anywhere, run.right, run.wrong, run.unlabelled)
                    found, near = of(run.found, run.mistakes), of(run.anywhere, run.mistakes)
                    version = f"{run.tool} ({run.commit}), {run.date}"
                    yield f"`{one.name}`", said, version, found, near, of(run.flagged, run.clean), precision(tally)
                elif kind == "first" and not known:
                    yield f"`{one.name}`", said, "not yet", "", "", "", ""

    return markdown(("set", "run", "version", *_COLUMNS), rows(), 3)


_COLUMNS = ("found", "found, any line", "right files flagged", "precision")


def _score(score: Score) -> tuple[str, ...]:
    total = score.total
    found, anywhere = of(total.found, total.mistakes), of(total.anywhere, total.mistakes)
    return found, anywhere, of(score.flagged, score.clean), precision(total)


def _tools(latest: Latest) -> str:
    def row(one: Result) -> tuple[object, ...]:
        found, anywhere, flagged, right = _score(one.whole)
        total = one.whole.total
        about = [tally for rule, tally in one.whole.rules.items() if rule in one.about]
        own = of(sum(tally.anywhere for tally in about), sum(tally.mistakes for tally in about))
        return f"{one.name} {one.version}", found, anywhere, own, flagged, right, total.unlabelled, one.whole.other

    head = ("linter", *_COLUMNS[:2], "of those it is about", *_COLUMNS[2:], "unlabelled", "of other kinds")
    own = any(one.name == "gradlint" for one in latest.results)
    said = "" if own else " gradlint is missing: its first run on a set is not made while somebody still mends it."
    return f"Run on {latest.date or 'no day yet'}.{said}\n\n{markdown(head, map(row, latest.results))}"


def _tools_by_set(latest: Latest) -> str:
    names = sorted({name for one in latest.results for name in one.sets})
    rows = ((f"`{name}`", one.name, *_score(one.sets[name])) for name in names for one in latest.results)
    return markdown(("set", "linter", *_COLUMNS), rows, 2)


def _rules(latest: Latest) -> str:
    speaking = [one for one in latest.results if one.whole.total.right or one.whole.total.wrong]
    wholes = {one.name: one.whole.rules for one in speaking}
    rules = sorted(set().union(*(one.whole.rules for one in latest.results)))

    def cell(tool: Result, rule: str) -> str:
        tally = wholes[tool.name].get(rule, Tally())
        found = tally.anywhere if tool.anywhere else tally.found
        return f"{found}, {tally.wrong} wrong" if tally.wrong else str(found)

    def mistakes(rule: str) -> int:
        return max(one.whole.rules.get(rule, Tally()).mistakes for one in latest.results)

    rows = ((f"`{rule}`", mistakes(rule), *(cell(one, rule) for one in speaking)) for rule in rules)
    return markdown(("rule", "mistakes", *(one.name for one in speaking)), rows)


def _corpora(corpora: Sequence[Corpus], errors: set[str]) -> str:
    def row(corpus: Corpus) -> tuple[object, ...]:
        said = Counter(found.verdict for found in corpus.found)
        strict = Counter(found.verdict for found in corpus.found if found.rule in errors)
        last = max((found.date for found in corpus.found), default="not read yet")
        right = of(said["right"], said["right"] + said["wrong"])
        return (
            f"`{corpus.name}`",
            last,
            len(corpus.sources) or len({found.source.key for found in corpus.found}),
            len(corpus.found),
            right,
            of(strict["right"], strict["right"] + strict["wrong"]),
            said["debatable"],
        )

    head = ("file", "last read", "sources", "findings read", "right", "right of the errors", "debatable")
    return markdown(head, map(row, corpora), 2)


def _labelled(corpora: Sequence[Corpus], runs: Sequence[Run]) -> str:
    def rows() -> Iterator[tuple[object, ...]]:
        for corpus in corpora:
            for drawn in ("random", "searched"):
                loops = [loop for loop in corpus.loops if loop.drawn == drawn]
                what = f"{corpus.name}, {drawn}"
                sure = sum(mistake.sure for loop in loops for mistake in loop.mistakes)
                clean = sum(loop.clean for loop in loops)
                run = next((run for run in runs if (run.what, run.kind) == (what, "first")), None)
                said = (
                    (f"{run.tool} ({run.commit}), {run.date}", of(run.found, run.mistakes), of(run.flagged, run.clean))
                    if run
                    else ("not yet", "", "")
                )
                if loops:
                    yield f"`{corpus.name}`", drawn, said[0], len(loops), sure, clean, *said[1:]

    head = ("file", "loops", "first run", "read", "mistakes", "clean", "found", "clean loops flagged")
    return markdown(head, rows(), 3)


def filled(text: str, made: Mapping[str, str]) -> str:
    """A page with its tables between their marks.

    Raises:
        FiguresError: a mark names no table.
    """

    def between(match: re.Match[str]) -> str:
        if match["name"] not in made:
            raise FiguresError(f"there is no table {match['name']!r}")
        return f"{match['name']}{match['made']}\n{made[match['name']]}\n"

    return _MARKED.sub(between, text)


def changes(corpora: Sequence[Corpus], errors: set[str]) -> Iterator[tuple[Path, str]]:
    """(page, text) of every page whose tables are not those of the figures.

    Raises:
        FiguresError: the figures cannot be read, or are of a set that is not there.
    """
    labels = [read_labels(folder) for folder in sets()]
    runs = read_runs(RUNS.read_text(encoding="utf-8"))
    latest = read_latest(LATEST.read_text(encoding="utf-8")) if LATEST.exists() else Latest()
    known = {one.name for one in labels}
    known |= {f"{corpus.name}, {drawn}" for corpus in corpora for drawn in ("random", "searched")}
    told = {run.what for run in runs} | {name for one in latest.results for name in one.sets}
    if told - known:
        raise FiguresError(f"there is no set {', '.join(sorted(told - known))}")
    made = tables(labels, runs, latest, corpora, errors)
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        if filled(text, made) != text:
            yield page, filled(text, made)
