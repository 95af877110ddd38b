# /// script
# requires-python = ">=3.10"
# dependencies = ["tomli; python_version < '3.11'"]
# ///
"""How often each rule was right: from the findings that were read to what gradlint says of its rules.

    python benchmarks/measured.py [--check]

Counts the lines `found` of `benchmarks/corpus.txt` and `benchmarks/corpus-*.txt`; `benchmarks/corpus.py` reads them,
and what they mean stands at the top of `benchmarks/corpus.txt`. Which of them are no longer said is in
`benchmarks/gone.txt`, made by `benchmarks/still.py`.

Writes `gradlint/report/measured_table.py`, the section *How sure* of every page in `rules/`, and the table of
`README.md`.
With `--check` it writes nothing, names what would change, and exits with 1 if anything would.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Container, Iterable, Iterator
from pathlib import Path

from corpus import Corpus, CorpusError, Found, files, read_all
from still import key, read_gone

ROOT = Path(__file__).resolve().parents[1]
Row = tuple[int, int, int, str, int, int]
_HEAD = '''"""Findings that were read: right, wrong, debatable, when the last; right and wrong ones no longer said.

Made by benchmarks/measured.py.
"""

from __future__ import annotations

from collections.abc import Mapping

TABLE: Mapping[str, tuple[int, int, int, str, int, int]] = {'''
_SECTION = re.compile(r"^## How sure\n\n(?:[^\n]+\n)*\n?", re.MULTILINE)
_ROWS = re.compile(r"^\| rule \| category .*\n(?:\|.*\n)+", re.MULTILINE)


def table(found: Iterable[Found], gone: Container[str] = ()) -> dict[str, Row]:
    """By rule how many were right, wrong and debatable, when the last was read, and how many are no longer said."""
    counts: dict[str, Counter[str]] = {}
    silent: dict[str, Counter[str]] = {}
    dates: dict[str, str] = {}
    for one in found:
        counts.setdefault(one.rule, Counter())[one.verdict] += 1
        silent.setdefault(one.rule, Counter())[one.verdict] += key(one) in gone
        dates[one.rule] = max(dates.get(one.rule, ""), one.date)
    return {
        rule: (
            each["right"],
            each["wrong"],
            each["debatable"],
            dates[rule],
            silent[rule]["right"],
            silent[rule]["wrong"],
        )
        for rule, each in sorted(counts.items())
    }


def module(rows: dict[str, Row]) -> str:
    """The text of `gradlint/report/measured_table.py`."""
    if not rows:
        return f"{_HEAD}}}\n"
    lines = [
        f'    "{rule}": ({row[0]}, {row[1]}, {row[2]}, "{row[3]}", {row[4]}, {row[5]}),' for rule, row in rows.items()
    ]
    return "\n".join([_HEAD, *lines, "}"]) + "\n"


def page(text: str, sentence: str) -> str:
    """A rule's page with its section *How sure*, which stands before its sources."""
    section = f"## How sure\n\n{sentence}\n\n"
    if _SECTION.search(text):
        return _SECTION.sub(lambda _: section, text, count=1)
    return text.replace("## Sources\n", f"{section}## Sources\n", 1)


def readme(text: str, rows: str) -> str:
    """README.md with the table of rules."""
    return _ROWS.sub(lambda _: rows, text, count=1)


def rules() -> set[str]:
    """The names of the rules there are."""
    from gradlint.rules.support.rule import all_rules

    return {rule.name for rule in all_rules()}


def changes(root: Path, corpora: Iterable[Corpus], gone: Container[str] = ()) -> Iterator[tuple[Path, str]]:
    """(file, text) of everything that is made of the corpora and is not what it should be."""
    from gradlint.report import measured
    from gradlint.report.rules_table import render_markdown
    from gradlint.rules.support.rule import all_rules

    rows = table((found for corpus in corpora for found in corpus.found), gone)
    known = {rule: measured.Measured(*row) for rule, row in rows.items()}
    wanted = {root / "gradlint" / "report" / "measured_table.py": module(rows)}
    for name in sorted(rules()):
        file = root / "rules" / f"{name}.md"
        wanted[file] = page(file.read_text(encoding="utf-8"), known.get(name, measured.NOTHING).sentence())
    file = root / "README.md"
    wanted[file] = readme(file.read_text(encoding="utf-8"), render_markdown(all_rules(), known))
    for file, text in wanted.items():
        if file.read_text(encoding="utf-8") != text:
            yield file, text


def main() -> int:
    """Write, or with `--check` compare."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; fail if something would change")
    arguments = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    try:
        found = list(changes(ROOT, read_all(files(), rules()), read_gone()))
    except CorpusError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    for file, text in found:
        sys.stdout.write(f"{file.relative_to(ROOT)}\n")
        if not arguments.check:
            file.write_text(text, encoding="utf-8")
    return int(arguments.check and bool(found))


if __name__ == "__main__":
    sys.exit(main())
