# /// script
# requires-python = ">=3.10"
# dependencies = ["pyyaml", "tomli; python_version < '3.11'"]
# ///
"""How much of what is wrong gradlint and other linters find, and how often they speak where nothing is wrong.

    python benchmarks/accuracy.py run                       # gradlint and its peers on every set of benchmarks/loops
    python benchmarks/accuracy.py run --write               # ... and keep the figures: what `make accuracy` does
    python benchmarks/accuracy.py score REPORT --format text --tool pylint --codes my.toml
    python benchmarks/accuracy.py tables [--check]          # the tables of docs/accuracy.md, from the figures kept

`run` installs the peers as `benchmarks/peers.py` does, each into an environment of its own, copies the sets to a
temporary folder, and runs each linter there once. semgrep's public rules come from the repositories named below;
`--repository trailofbits=FOLDER` names a clone. `--without semgrep` leaves one out; `--write` allows that for gradlint
only, whose first run on a new set is nobody's to make who still mends it.

`score` takes the output of any linter that was run on a set: JSON of gradlint, torch-preflight and semgrep, or lines
`PATH:LINE[:COLUMN]: CODE MESSAGE`. What its codes stand for is read from a table like `benchmarks/mapped.toml`; without
one its codes have to be names of gradlint's rules. `benchmarks/scoring.py` says what counts. Which files a finding
stands on is printed with `--show` only: a set is spent for whoever has read that.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

import corpus
import figures
import scoring
from figures import FiguresError, Latest, Result
from peers import Bench
from scoring import LOOPS, MAPPED, Labels, Score, Tally

ROOT = Path(__file__).resolve().parents[1]
OWN = (sys.executable, "-m", "gradlint")
RULES = {
    "trailofbits": (
        "https://github.com/trailofbits/semgrep-rules",
        "d51949b7a1d8a984119c64ed2339377123fc5eca",
        ("python",),
    ),
    "semgrep": (
        "https://github.com/semgrep/semgrep-rules",
        "157ae4706d7f54aa33647332f234dd68f30da195",
        ("python", "ai/python"),
    ),
}
"""Public rules of semgrep: where they are, the commit that is used, and the folders that are about Python."""


@dataclass(frozen=True)
class Tool:
    """A linter: how it is called in a table, whose package it is, and what it runs in the folder of a set."""

    name: str
    package: str
    words: tuple[str, ...]
    kind: str
    anywhere: bool = True


TOOLS = (
    Tool("gradlint", "gradlint", ("check", "--no-cache", "--output-format", "json"), "gradlint", anywhere=False),
    Tool("torch-preflight", "torch-preflight", ("check", "-j", "1", "--format", "json"), "torch-preflight"),
    Tool("torchfix --select ALL", "torchfix", ("--select", "ALL", "-j", "1"), "text"),
    Tool("ruff", "ruff", ("check", "--isolated", "--no-cache", "--output-format", "concise"), "text"),
    Tool(
        "ruff --select ALL",
        "ruff",
        ("check", "--isolated", "--no-cache", "--output-format", "concise", "--select", "ALL"),
        "text",
    ),
    Tool(
        "semgrep",
        "semgrep",
        ("scan", "--metrics", "off", "--disable-version-check", "--no-git-ignore", "-j", "1", "--quiet", "--json"),
        "semgrep",
    ),
)


class AccuracyError(Exception):
    """Something that cannot be run, read or kept."""


class Linters:
    """Runs linters on sets.

    Args:
        peers: where they are installed, each in a folder of its name.
        repositories: clones of semgrep's rules to use instead of the public ones.
    """

    def __init__(self, peers: Path, repositories: Mapping[str, str]) -> None:
        self.bench = Bench(peers, {})
        self.repositories = {**{name: place for name, (place, _, _) in RULES.items()}, **repositories}

    def version(self, tool: Tool) -> str:
        """The number of the installed version."""
        ran = subprocess.run(  # noqa: S603  # the commands of this file
            [*self._start(tool), "--version"], cwd=ROOT, capture_output=True, text=True, check=False
        )
        found = re.search(r"\d+(\.\d+)+", ran.stdout + ran.stderr)
        return found[0] if found else "?"

    def scores(self, tool: Tool, folders: Sequence[Path]) -> dict[str, Score]:
        """What a linter does on each set, from one run on all.

        Raises:
            AccuracyError: it cannot be run.
        """
        command = [*self._start(tool), *tool.words]
        if tool.package == "semgrep":
            command += ["--config", str(self._rules())]
        environment = {**os.environ, "NO_COLOR": "1", "COLUMNS": "200"}
        if tool.package == "gradlint":
            environment["PYTHONPATH"] = str(ROOT)
        with tempfile.TemporaryDirectory() as name:
            for folder in folders:
                ignored = shutil.ignore_patterns("*.jsonl", "__pycache__")
                shutil.copytree(folder, Path(name, folder.name), ignore=ignored)
            ran = subprocess.run(  # noqa: S603  # the commands of this file
                [*command, "."], cwd=name, env=environment, capture_output=True, text=True, check=False
            )
        if ran.returncode not in {0, 1}:
            raise AccuracyError(f"{tool.name} ended with {ran.returncode}: {ran.stderr[-2000:]}")
        findings = scoring.read_report(ran.stdout, tool.kind)
        mapped = scoring.read_mapped(MAPPED, tool.package)
        labels = [scoring.read_labels(folder) for folder in folders]
        return {one.name: scoring.score(one, findings, mapped, anywhere=tool.anywhere) for one in labels}

    def _start(self, tool: Tool) -> tuple[str, ...]:
        if tool.package == "gradlint":
            return OWN
        return (str(self.bench.binaries(tool.package).absolute() / tool.package),)

    def _rules(self) -> Path:
        """The public rules of semgrep, cloned unless they are there, in one file: it takes a second to read each."""
        import yaml  # type: ignore[import-untyped]

        rules = []
        for name, (_, commit, folders) in RULES.items():
            clone = self.bench.folder / f"semgrep-rules-{name}"
            if not clone.exists():
                git = ["git", "clone", "--quiet", "--no-checkout", self.repositories[name], str(clone)]
                subprocess.run(git, check=True)  # noqa: S603  # the repositories of this file
            git = ["git", "-C", str(clone), "checkout", "--quiet", commit, "--", *folders]
            subprocess.run(git, check=True)  # noqa: S603  # the same
            for file in sorted(path for folder in folders for path in (clone / folder).rglob("*.yaml")):
                rules += (yaml.safe_load(file.read_text(encoding="utf-8")) or {}).get("rules", [])
        bundle = self.bench.folder / "semgrep-rules.yaml"
        bundle.write_text(yaml.safe_dump({"rules": rules}), encoding="utf-8")
        return bundle


def commit() -> str:
    """The commit of this tree; of one with changes in gradlint, that it has them."""
    said = [
        subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()  # noqa: S603, S607  # git
        for words in (("rev-parse", "--short=7", "HEAD"), ("status", "--porcelain", "--", "gradlint"))
    ]
    return f"{said[0]} and changes" if said[1] else said[0]


def today() -> str:
    """The date of the figures."""
    return str(datetime.now(tz=timezone.utc).date())


# What is printed


def report(labels: Labels, score: Score) -> Iterator[str]:
    """The score on a set, line by line."""
    yield f"{labels.name}: {labels.wrong} wrong files with {labels.mistakes} mistakes, {score.clean} right files"
    yield f"{'':32} {'mistakes':>8} {'found':>6} {'any line':>8} {'right':>6} {'wrong':>6} {'unlabelled':>10}"
    for rule, tally in (*score.rules.items(), ("all", score.total)):
        mistakes, found, anywhere, right, wrong, unlabelled = tally.numbers
        yield f"{rule:32} {mistakes:8} {found:6} {anywhere:8} {right:6} {wrong:6} {unlabelled:10}"
    total = score.total
    recall, loose = figures.share(total.found, total.mistakes, 1), figures.share(total.anywhere, total.mistakes, 1)
    yield f"found: {recall}, {loose} on any line"
    yield f"right files flagged: {figures.of(score.flagged, score.clean)}"
    yield f"precision: {_precision(total)}; {score.other} findings of other kinds"


def _precision(total: Tally) -> str:
    least = (
        f", {figures.share(total.right, total.right + total.wrong + total.unlabelled, 1)} if all unlabelled are wrong"
    )
    return figures.share(total.right, total.right + total.wrong, 1) + (least if total.unlabelled else "")


def summary(latest: Latest) -> Iterator[str]:
    """All linters on all sets, a line each."""
    yield f"{'':24} {'found':>20} {'on any line':>20} {'right files flagged':>20}  precision"
    for one in latest.results:
        for name, score in (*one.sets.items(), ("all", one.whole)):
            total = score.total
            found, anywhere = figures.of(total.found, total.mistakes), figures.of(total.anywhere, total.mistakes)
            flagged = figures.of(score.flagged, score.clean)
            yield f"{one.name:24} {found:>20} {anywhere:>20} {flagged:>20}  {figures.precision(total)}  {name}"


# The commands


def run(options: argparse.Namespace) -> int:
    """Run the linters; print, and keep the figures if that is wanted."""
    tools = [tool for tool in TOOLS if tool.package not in options.without]
    if options.write and set(options.without) - {"gradlint"}:
        raise AccuracyError("--write keeps the figures of all peers; leave --without out")
    linters = Linters(options.peers.resolve(), dict(one.split("=", 1) for one in options.repository))
    folders = scoring.sets(options.loops)
    results = []
    for tool in tools:
        version = linters.version(tool)
        scores = linters.scores(tool, folders)
        results.append(Result(tool.name, version, tool.anywhere, scores))
        if options.rules:
            for folder in folders:
                lines = report(scoring.read_labels(folder), scores[folder.name])
                sys.stdout.write("\n".join((f"{tool.name} {version}", *lines, "", "")))
        sys.stderr.write(f"{tool.name} {version} has run\n")
    latest = Latest(today(), results)
    sys.stdout.write("\n".join((*summary(latest), "")))
    if options.write:
        keep(latest)
    return 0


def keep(latest: Latest) -> None:
    """Write the figures of a run, and of gradlint the first run on each set that nobody has run it on."""
    figures.LATEST.write_text(figures.write_latest(latest), encoding="utf-8")
    for own in (one for one in latest.results if one.name == "gradlint"):
        version = (f"gradlint {own.version}", commit())
        for name, score in own.sets.items():
            text = figures.RUNS.read_text(encoding="utf-8")
            if not any(run.what == name and run.kind in figures.KINDS for run in figures.read_runs(text)):
                text = figures.add_run(text, figures.of_score(name, "first", latest.date, version, score))
                figures.RUNS.write_text(text, encoding="utf-8")
    tables(check=False)


def scored(options: argparse.Namespace) -> int:
    """Score one report on the sets that it is of."""
    mapped = scoring.read_mapped(options.codes, options.tool or "gradlint")
    text = sys.stdin.read() if str(options.report) == "-" else options.report.read_text(encoding="utf-8")
    findings = scoring.read_report(text, options.format)
    folders = [folder for folder in scoring.sets(options.loops) if not options.set or folder.name in options.set]
    if not folders:
        raise AccuracyError(f"there is no such set in {options.loops}")
    for folder in folders:
        labels = scoring.read_labels(folder)
        score = scoring.score(labels, findings, mapped, anywhere=options.anywhere)
        sys.stdout.write("\n".join((*report(labels, score), *(score.unlabelled if options.show else ()), "", "")))
        if options.record:
            tool, _, at = options.record.rpartition("@")
            run = figures.of_score(folder.name, "before", today(), (tool, at), score)
            figures.RUNS.write_text(figures.add_run(figures.RUNS.read_text(encoding="utf-8"), run), encoding="utf-8")
    return 0


def tables(*, check: bool) -> int:
    """Write the tables, or with `check` name the pages that would change."""
    sys.path.insert(0, str(ROOT))
    from gradlint.rules.support.rule import all_rules

    errors = {rule.name for rule in all_rules() if rule.severity.value == "error"}
    corpora = corpus.read_all(corpus.files(), {rule.name for rule in all_rules()})
    found = list(figures.changes(corpora, errors))
    for page, text in found:
        sys.stdout.write(f"{page.relative_to(ROOT)}\n")
        if not check:
            page.write_text(text, encoding="utf-8")
    return int(check and bool(found))


def parser() -> argparse.ArgumentParser:
    """The command line."""
    top = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    commands = top.add_subparsers(dest="command", required=True)
    one = commands.add_parser("run", help="run gradlint and its peers on every set")
    one.add_argument("--peers", type=Path, default=ROOT / "build" / "peers", help="where the peers are installed")
    one.add_argument("--repository", action="append", default=[], metavar="NAME=CLONE", help="rules of semgrep")
    one.add_argument("--without", action="append", default=[], metavar="LINTER", help="leave this one out")
    one.add_argument("--rules", action="store_true", help="print each set by rule, too")
    one.add_argument("--write", action="store_true", help="keep the figures, and write the tables")
    two = commands.add_parser("score", help="score one report of any linter")
    two.add_argument("report", type=Path, help="what the linter printed; - is standard input")
    two.add_argument("--format", choices=scoring.FORMATS, default="gradlint", help="%(default)s")
    two.add_argument("--tool", help="whose table of codes; without, codes are names of rules")
    two.add_argument("--codes", type=Path, default=MAPPED, metavar="TOML", help="the tables of codes")
    two.add_argument("--set", action="append", default=[], metavar="NAME", help="only this set")
    two.add_argument("--anywhere", action="store_true", help="a finding on another line of the file is right, too")
    two.add_argument("--show", action="store_true", help="list the unlabelled findings")
    two.add_argument("--record", metavar="LINTER@COMMIT", help="keep it as the run of a version older than the set")
    for command in (one, two):
        command.add_argument("--loops", type=Path, default=LOOPS, metavar="FOLDER", help="where the sets are")
    three = commands.add_parser("tables", help="write the tables of docs/accuracy.md from the figures kept")
    three.add_argument("--check", action="store_true", help="write nothing; fail if something would change")
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what is asked."""
    options = parser().parse_args(arguments)
    try:
        if options.command == "run":
            return run(options)
        return scored(options) if options.command == "score" else tables(check=options.check)
    except (AccuracyError, FiguresError, scoring.ReportError, corpus.CorpusError) as error:
        sys.stderr.write(f"{error}\n")
        return 2


if __name__ == "__main__":
    sys.exit(main())
