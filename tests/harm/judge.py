"""Runs every loop as written, as meant and as repaired, and says what the repair did to it.

cd tests && python -m harm [--only SKELETON] [--show] [--jobs N]
"""

from __future__ import annotations

import argparse
import difflib
import enum
import math
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from typing import TypeVar

from harm.case import Case, discover
from harm.outcome import Outcome, differences, same
from harm.reality import Reality

T = TypeVar("T")


class Verdict(enum.Enum):
    """What a repair did to a loop."""

    RIGHT = "right"  # there was a mistake, and the outcome is a careful engineer's
    UNTOUCHED = "untouched"  # the text is as it was
    KEPT = "kept"  # edited, and the outcome is as it was or cheaper
    HARM = "harm"  # anything else


@dataclass(frozen=True)
class Judgement:
    """One case, judged."""

    case: Case
    verdict: Verdict
    repairable: bool
    rules: tuple[str, ...]
    repaired: str
    reasons: tuple[str, ...] = ()  # of harm: how the outcome differs from that of `written`, then of `careful`

    @property
    def diff(self) -> str:
        """What the repair changed in the text."""
        lines = difflib.unified_diff(self.case.written.splitlines(), self.repaired.splitlines(), lineterm="", n=2)
        return "\n".join(list(lines)[2:])


@dataclass(frozen=True)
class Repaired:
    """A text after its safe repairs."""

    text: str
    rules: tuple[str, ...] = ()


def gradlint_repair(text: str) -> Repaired:
    """The text after gradlint's safe repairs, with default settings."""
    from gradlint.api import fix_source

    result = fix_source(text, "train.py")
    return Repaired(result.text, tuple(finding.rule for finding in result.applied))


def flaws(case: Case, reality: Reality) -> list[str]:
    """What is wrong with a case itself: its texts do not run as they are meant to."""
    found = []
    written = reality.run(case.written, case.ranks)
    if not same(written, reality.run(case.written, case.ranks)):
        found.append("two runs differ")
    if written.error.partition(":")[0] != case.raises:
        found.append(f"written ends with {written.error or 'no error'}")
    if not any(rank.updates for rank in written.ranks) and not case.raises:
        found.append("written makes no update")
    for text in case.careful:
        if text != case.written:
            found += _flaws_of_careful(reality.run(text, case.ranks), written)
    return found


def _flaws_of_careful(careful: Outcome, written: Outcome) -> list[str]:
    found = [f"careful ends with {careful.error}"] if careful.error else []
    if not all(rank.state for rank in careful.ranks):
        found.append("careful returns no module")
    if not all(math.isfinite(x) for rank in careful.ranks for values in rank.state.values() for x in values):
        found.append("careful does not stay finite")
    if same(written, careful):
        found.append("written and careful differ in text only")
    return found


def judge(case: Case, reality: Reality, repair: Callable[[str], Repaired] = gradlint_repair) -> Judgement:
    """Repair one case and hold its outcome against those of its texts."""
    written = reality.run(case.written, case.ranks)
    meant = [written if text == case.written else reality.run(text, case.ranks) for text in case.careful]
    repairable = not any(same(written, careful) for careful in meant)
    repaired = repair(case.written)
    if repaired.text == case.written:
        return Judgement(case, Verdict.UNTOUCHED, repairable, repaired.rules, repaired.text)
    ours = reality.run(repaired.text, case.ranks)
    verdict = _verdict(ours, written, meant, repairable=repairable)
    reasons = _reasons(ours, written, meant) if verdict is Verdict.HARM else ()
    return Judgement(case, verdict, repairable, repaired.rules, repaired.text, reasons)


def _verdict(ours: Outcome, written: Outcome, meant: Sequence[Outcome], *, repairable: bool) -> Verdict:
    if repairable and any(same(ours, careful) for careful in meant):
        return Verdict.RIGHT
    if same(ours, written) or any(same(ours, careful) for careful in meant):
        return Verdict.KEPT
    return Verdict.HARM


def _reasons(ours: Outcome, written: Outcome, meant: Sequence[Outcome]) -> tuple[str, ...]:
    nearest = min((differences(ours, careful) for careful in meant), key=len)
    return (
        "from written: " + "; ".join(differences(ours, written)[:4]),
        "from careful: " + "; ".join(nearest[:4]),
    )


def in_parallel(work: Callable[[Case], T], cases: Sequence[Case], jobs: int = 2) -> Iterator[T]:
    """Carry out `work` in several processes; the order is that of the cases."""
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield from pool.map(work, cases, chunksize=4)


_reality = Reality()  # one for each process; it starts nothing before it is asked


def _judge_here(case: Case) -> Judgement:
    return judge(case, _reality)


def _flaws_here(case: Case) -> list[str]:
    return flaws(case, _reality)


def table(judgements: Iterable[Judgement]) -> str:
    """The figures of each skeleton, and their sums."""
    rows: dict[str, Counter[str]] = {}
    for judgement in judgements:
        for name in (judgement.case.skeleton, "all"):
            row = rows.setdefault(name, Counter())
            row["cases"] += 1
            row["repairable"] += judgement.repairable
            row[judgement.verdict.value] += 1
    columns = ["cases", "repairable", *(verdict.value for verdict in Verdict)]
    rows["all"] = rows.pop("all", Counter())
    width = max(map(len, rows)) + 2
    lines = [" " * width + "".join(f"{column:>12}" for column in columns)]
    lines += [name.ljust(width) + "".join(f"{row[column]:>12}" for column in columns) for name, row in rows.items()]
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; the exit status is 1 where a repair did harm."""
    parser = argparse.ArgumentParser(prog="python -m harm", description="Judge safe repairs by running them.")
    parser.add_argument("--only", metavar="SKELETON", help="judge the cases whose id begins with this")
    parser.add_argument("--show", action="store_true", help="show every repair that was made")
    parser.add_argument(
        "--texts", action="store_true", help="repair nothing; say whether the texts run as they are meant to"
    )
    parser.add_argument("--jobs", type=int, default=2, help="processes (default: 2)")
    options = parser.parse_args(arguments)
    chosen = [case for case in discover() if case.id.startswith(options.only or "")]
    if options.texts:
        return _check_texts(chosen, options.jobs)
    judgements = []
    for judgement in in_parallel(_judge_here, chosen, options.jobs):
        judgements.append(judgement)
        if judgement.verdict is Verdict.HARM or (options.show and judgement.verdict is not Verdict.UNTOUCHED):
            sys.stdout.write(_told(judgement) + "\n\n")
            sys.stdout.flush()
    harmed = sum(judgement.verdict is Verdict.HARM for judgement in judgements)
    sys.stdout.write(table(judgements) + "\n\n" + _summary(judgements, harmed) + "\n")
    return min(harmed, 1)


def _check_texts(cases: Sequence[Case], jobs: int) -> int:
    flawed = 0
    for case, found in zip(cases, in_parallel(_flaws_here, cases, jobs), strict=True):
        if found:
            flawed += 1
            sys.stdout.write(f"{case.id}: {'; '.join(found)}\n")
    sound = sum(case.sound for case in cases)
    skeletons = len({case.skeleton for case in cases})
    sys.stdout.write(f"{len(cases)} loops from {skeletons} skeletons, {sound} sound; {flawed} flawed\n")
    return min(flawed, 1)


def _summary(judgements: Sequence[Judgement], harmed: int) -> str:
    repairable = [judgement for judgement in judgements if judgement.repairable]
    right = sum(judgement.verdict is Verdict.RIGHT for judgement in repairable)
    return f"{len(judgements)} loops, {harmed} harmed; {right} of {len(repairable)} repairable ones repaired right"


def _told(judgement: Judgement) -> str:
    head = f"{judgement.verdict.value}: {judgement.case.id} ({', '.join(judgement.rules)})"
    return "\n".join([head, *("  " + reason for reason in judgement.reasons), judgement.diff])
