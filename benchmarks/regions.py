# /// script
# requires-python = ">=3.10"
# ///
"""What the dry run costs by the size of what it runs: statements executed, against lines.

    python benchmarks/regions.py [--largest 50] FILE_OR_FOLDER...

A region is as long as its function and all functions of the file that it calls. Printed are the largest as a table,
with what each cost in all its worlds and restarts, and how cost grows with size: a slope of 1 is linear.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from gradlint.check.judge import deep
from gradlint.files.prefilter import promising
from gradlint.interpret.explore import Region, regions
from gradlint.lower import lower
from gradlint.model.limits import MAX_BYTES
from gradlint.model.program import Define, Program
from gradlint.syntax.source import SourceError, decode


@dataclass(frozen=True, slots=True, order=True)
class Row:
    """A region: its size, and what it cost."""

    lines: int
    statements: int
    scenarios: int
    milliseconds: float
    name: str


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--largest", type=int, default=50, metavar="N", help="how many regions to show")
    parser.add_argument("paths", nargs="+", type=Path)
    options = parser.parse_args()
    rows = sorted((row for path in _files(options.paths) for row in _rows(path)), reverse=True)
    table = ["| lines | statements | per line | worlds | ms | region |", "| --: | --: | --: | --: | --: | --- |"]
    for row in rows[: options.largest]:
        each = row.statements / row.lines
        table.append(
            f"| {row.lines:,} | {row.statements:,} | {each:.1f} "
            f"| {row.scenarios} | {row.milliseconds:.0f} | {row.name} |"
        )
    table += [
        "",
        "| regions of so many lines | there are | statements per line: median | most |",
        "| --- | --: | --: | --: |",
    ]
    for first, last in ((1, 30), (31, 100), (101, 300), (301, 1_000), (1_001, 100_000)):
        each_of = sorted(row.statements / row.lines for row in rows if first <= row.lines <= last)
        if each_of:
            table.append(
                f"| {first:,} to {last:,} | {len(each_of)} | {each_of[len(each_of) // 2]:.1f} | {each_of[-1]:.0f} |"
            )
    table += ["", f"Of {len(rows)} regions, statements grow with lines to the power of {_slope(rows):.2f}."]
    sys.stdout.write("\n".join(table) + "\n")


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            if file.is_file() and file.stat().st_size <= MAX_BYTES and promising(file.read_bytes()):
                yield file


def _rows(path: Path) -> Iterator[Row]:
    try:
        program = lower(decode(path.read_bytes()), str(path))
    except SourceError:
        return
    with deep():
        before = time.process_time()
        for region in regions(program):
            took = time.process_time() - before
            name = f"{path.name} {region.entry.name}"
            yield Row(_lines(program, region), region.plan.spent, len(region.scenarios), took * 1000, name)
            before = time.process_time()


def _lines(program: Program, region: Region) -> int:
    """The rows of all that a region ran, each once."""
    spans = {*region.covered, region.entry.function.span}
    rows = {row for span in spans for row in range(span.row, span.end_row + 1)}
    if region.entry.name == "<module>":
        inside = [node.span for node in program.body.body if isinstance(node, Define)]
        called = {row for span in region.covered for row in range(span.row, span.end_row + 1)}
        rows -= {row for span in inside for row in range(span.row, span.end_row + 1)} - called
    return max(1, len(rows))


def _slope(rows: Sequence[Row]) -> float:
    """The slope of the line through the logarithms."""
    points = [(math.log(row.lines), math.log(row.statements)) for row in rows if row.statements]
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    below = sum((x - mean_x) ** 2 for x, _ in points)
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / below if below else 0.0


if __name__ == "__main__":
    main()
