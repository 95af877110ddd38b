# /// script
# requires-python = ">=3.10"
# dependencies = ["tomli; python_version < '3.11'"]
# ///
"""Which of the findings that were read are no longer said: `benchmarks/gone.txt`.

    python benchmarks/still.py FOLDER...

The FOLDERs have what `benchmarks/corpus.txt` and the files beside it name, checked out as `benchmarks/read.py` wants
it. A verdict is about what some version said; a later one may have learned to be silent there. This runs gradlint on
all that is there and writes a line for each finding that was judged and is not said any more, right or wrong:

    gone SOURCE FILE:LINE RULE YYYY-MM-DD COMMIT

A finding is still said when one of its rule stands in its file within a few lines, by its own place or a related one.
Lines about what is not in the FOLDERs stay as they are.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import accuracy
import corpus
import read
import scoring
from corpus import Corpus, CorpusError, Found, Source

GONE = corpus.FOLDER / "gone.txt"
NEAR = 12
"""Lines between where a finding stood when it was read and where it may stand today."""
_HEAD = "# Findings that were read and are no longer said. Made by benchmarks/still.py; facts only.\n"
_LINE = re.compile(
    r"gone (?P<source>\S+) (?P<file>\S.*):(?P<line>\d+) (?P<rule>[a-z0-9-]+) (?P<date>\d{4}-\d\d-\d\d) (?P<version>\S+)"
)


def key(found: Found) -> str:
    """What a line says of the finding."""
    return f"{found.source} {found.file}:{found.line} {found.rule}"


def read_gone(path: Path = GONE) -> dict[str, str]:
    """By finding the line that says it is gone.

    Raises:
        CorpusError: a line is no such line.
    """
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    gone: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        if line.startswith("#") or not line.strip():
            continue
        match = _LINE.fullmatch(line)
        if match is None:
            raise CorpusError(f"{path.name}, line {number}: write `gone SOURCE FILE:LINE RULE YYYY-MM-DD COMMIT`")
        gone[f"{match['source']} {match['file']}:{match['line']} {match['rule']}"] = line
    return gone


def still(found: Found, said: Iterable[read.Said]) -> bool:
    """Is it said today?"""
    return any(
        one.file == found.file
        and one.rule == found.rule
        and any(abs(line - found.line) <= NEAR for line in (one.line, *one.related))
        for one in said
    )


def lines(
    corpora: Iterable[Corpus], said: Mapping[tuple[str, str], Sequence[read.Said]], before: Mapping[str, str], told: str
) -> Iterator[str]:
    """The lines of the file, in the order of the corpora.

    Args:
        corpora: what was read.
        said: what gradlint says today, by the key of the source; sources that are not there are left out.
        before: the lines there were, by finding.
        told: date and commit of today's run.
    """
    for found in (found for each in corpora for found in each.found):
        name = key(found)
        if found.source.key not in said:
            if name in before:
                yield before[name]
        elif not still(found, said[found.source.key]):
            yield before.get(name, f"gone {name} {told}")


def sources(corpora: Iterable[Corpus]) -> dict[tuple[str, str], Source]:
    """All sources of which a finding was read, once each."""
    return {found.source.key: found.source for each in corpora for found in each.found}


def _said(folders: Iterable[Path], source: Source) -> list[read.Said] | None:
    """What gradlint says of a source, if that is there and can be read."""
    there = (read.place(folder, source) for folder in folders)
    root = next((one for one in there if one and not read.moved(one, source)), None)
    if root is None:
        return None
    try:
        return read.said(root, accuracy.OWN)
    except (accuracy.AccuracyError, scoring.ReportError) as error:
        sys.stderr.write(f"{source}: {error}\n")
        return None


def main(arguments: Sequence[str] | None = None) -> int:
    """Run gradlint on what is there, and write the file."""
    made = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    made.add_argument("folders", type=Path, nargs="+", metavar="FOLDER", help="what was read, checked out")
    options = made.parse_args(arguments)
    try:
        corpora = corpus.read_all(corpus.files())
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            asked = {name: pool.submit(_said, options.folders, one) for name, one in sources(corpora).items()}
        said = {name: found for name, one in asked.items() if (found := one.result()) is not None}
        commit = accuracy.commit().partition(" ")[0]
        gone = list(lines(corpora, said, read_gone(), f"{accuracy.today()} {commit}"))
    except CorpusError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    GONE.write_text("".join((_HEAD, *(f"{line}\n" for line in gone))), encoding="utf-8")
    sys.stdout.write(f"{len(said)} of {len(sources(corpora))} sources were there; {len(gone)} findings are gone\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
