"""Sets of training scripts that tempt a repair into harm, written by people who had not seen gradlint.

tests/harm/tempting/SET/NAME.py             as it was written; `train(record)` tells of its parameters behind each step
tests/harm/tempting/SET/NAME.meant.py       of a wrong one, as a careful engineer would have it; NAME.meant2.py, too
tests/harm/tempting/SET/labels.jsonl        whether it is right or wrong, of which rule and line, and what is tempting

cd tests && python -m harm.tempts [SET]
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from harm.judge import Verdict
from harm.outcome import Floats, near
from harm.reality import Reality

FOLDER = Path(__file__).parent / "tempting"
CLOSE = 1e-5  # single precision, summed in another order perhaps

_RUNS = """

def main():
    import torch

    told = torch.nn.ParameterList()

    def record(parameters):
        kept = [each.detach().clone().double().flatten() for each in parameters]
        told.append(torch.nn.Parameter(torch.cat(kept), requires_grad=False))

    train(record)
    return told
"""


@dataclass(frozen=True)
class Tempt:
    """One script, and what its author said of it."""

    path: Path
    kind: str
    rule: str
    line: int

    @property
    def id(self) -> str:
        """`2026-11-27-a/late_head`."""
        return f"{self.path.parent.name}/{self.path.stem}"

    @property
    def text(self) -> str:
        """As it was written."""
        return self.path.read_text(encoding="utf-8")

    @property
    def ways(self) -> list[str]:
        """As it is meant, in a way or two; as it is, where it is right."""
        found = sorted(self.path.parent.glob(f"{self.path.stem}.meant*.py"))
        return [one.read_text(encoding="utf-8") for one in found] or [self.text]


@dataclass(frozen=True)
class Told:
    """What became of one: `found` says whether its mistake is told; of a `flawed` one a text as meant crashes.

    `ended` holds the errors that its runs ended with: as meant, then as repaired.
    """

    tempt: Tempt
    verdict: Verdict
    found: bool
    repaired: str
    flawed: bool
    ended: tuple[str, ...] = ()


def discover() -> Iterator[Tempt]:
    """All scripts of all sets."""
    for labels in sorted(FOLDER.glob("*/labels.jsonl")):
        for row in labels.read_text(encoding="utf-8").splitlines():
            one = json.loads(row)
            yield Tempt(labels.parent / f"{one['name']}.py", one["kind"], one.get("rule", ""), one.get("line", 0))


def judged(tempt: Tempt, reality: Reality, repair: Callable[[str], str] | None = None) -> Told:
    """Check and repair a script, and run it as written, as repaired and as meant."""
    from gradlint.api import check_source, fix_source

    found = any(one.rule == tempt.rule for one in check_source(tempt.text, tempt.path.name))
    repaired = fix_source(tempt.text, tempt.path.name).text if repair is None else repair(tempt.text)
    meant = [trajectory(text, reality) for text in tempt.ways]
    flawed = any(isinstance(one, str) for one in meant)
    if repaired == tempt.text:
        return Told(tempt, Verdict.UNTOUCHED, found, repaired, flawed)
    ours, wrong = trajectory(repaired, reality), tempt.kind == "wrong"
    ended = tuple(one for one in (*meant, ours) if isinstance(one, str))
    if any(_alike(ours, one) for one in meant):
        verdict = Verdict.RIGHT if wrong else Verdict.KEPT
    else:
        kept = wrong and _alike(ours, trajectory(tempt.text, reality))
        verdict = Verdict.KEPT if kept else Verdict.HARM
    return Told(tempt, verdict, found, repaired, flawed, ended)


def trajectory(text: str, reality: Reality) -> tuple[Floats, ...] | str:
    """All parameters behind each step; or the error that a script ends with."""
    (outcome,) = reality.run(text + _RUNS, watched=False).ranks
    return outcome.error or tuple(outcome.state.values())


def _alike(ours: tuple[Floats, ...] | str, theirs: tuple[Floats, ...] | str) -> bool:
    """Whether two runs have the same parameters behind each step, or both crash."""
    if isinstance(ours, str) or isinstance(theirs, str):
        return isinstance(ours, str) and isinstance(theirs, str)
    return len(ours) == len(theirs) and all(near(one, other, CLOSE) for one, other in zip(ours, theirs, strict=True))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what became of each set; the exit status is 1 where a repair did harm."""
    chosen = list(sys.argv[1:] if arguments is None else arguments)
    counts: Counter[tuple[str, str]] = Counter()
    with Reality() as reality:
        for tempt in discover():
            if chosen and tempt.path.parent.name not in chosen:
                continue
            told = judged(tempt, reality)
            name = tempt.path.parent.name
            counts[name, "loops"] += 1
            counts[name, "wrong"] += tempt.kind == "wrong"
            counts[name, "found"] += told.found and tempt.kind == "wrong"
            counts[name, told.verdict.value] += 1
            sys.stdout.write(f"{told.verdict.value:10} {tempt.kind:6} {tempt.id} ({tempt.rule})\n")
            sys.stdout.flush()
    for name in sorted({name for name, _ in counts}):
        harmed, wrong, right, found = (counts[name, what] for what in ("harm", "wrong", "right", "found"))
        sys.stdout.write(
            f"{name}: {counts[name, 'loops']} loops, {harmed} harmed; "
            f"{right} of {wrong} wrong ones repaired right, {found} found\n"
        )
    return int(any(counts[name, "harm"] for name, _ in list(counts)))


if __name__ == "__main__":
    sys.exit(main())
