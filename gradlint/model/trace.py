"""What `gradlint trace` shows of a loop: its events in order, its scenarios, its ledgers; and of one rule what it said.

Plain data made by the engine and drawn by `gradlint.report.trace` and `gradlint.report.explanation`.
"""

from __future__ import annotations

from enum import Enum

from gradlint.model.ledger import Ledger
from gradlint.model.record import dataclass


@dataclass(frozen=True, slots=True)
class TraceCall:
    """A call on the way to an event; `source` is what is called, `path` its file."""

    path: str
    row: int
    column: int
    source: str


@dataclass(frozen=True, slots=True)
class TraceEvent:
    """One gradient event, in the order in which the dry run executed it.

    `stamp` tells the iteration of every enclosing loop, outermost first, for example
    `(("epoch", 0), ("batch", 2))`. `kind` is the event's name (`backward`, `step`, `clip`, ...),
    `subject` what it acts on (`optimizer`), `detail` a remark such as `weight 1/4, scaled`. `path` is its file where
    that is not the region's. Where several files take part, `calls` have led to it, outermost first.
    """

    kind: str
    row: int
    column: int
    source: str
    subject: str
    detail: str
    stamp: tuple[tuple[str, int], ...]
    function: str = ""
    cell: int | None = None
    path: str = ""
    calls: tuple[TraceCall, ...] = ()


@dataclass(frozen=True, slots=True)
class LedgerPair:
    """One optimizer's books as executed, beside the books the loop means."""

    executed: Ledger
    meant: Ledger


@dataclass(frozen=True, slots=True)
class ScenarioTrace:
    """One run of the region: the guards as they were assumed, and what then happened."""

    decisions: tuple[tuple[str, bool], ...]
    events: tuple[TraceEvent, ...]
    ledgers: tuple[LedgerPair, ...]


@dataclass(frozen=True, slots=True)
class RegionTrace:
    """A region (function, method or module body) and all the scenarios it was run in.

    `bindings` lists the values the dry run chose for what nobody can know statically
    (`accumulation_steps` = 3); `notes` says what lowers confidence (a call it could not follow).
    """

    path: str
    name: str
    row: int
    end_row: int
    bindings: tuple[tuple[str, int], ...]
    scenarios: tuple[ScenarioTrace, ...]
    notes: tuple[str, ...]
    cell: int | None = None
    end_cell: int | None = None

    def file(self, event: TraceEvent) -> str:
        """The file in which an event happens."""
        return event.path or self.path


class Outcome(Enum):
    """What became of what a rule said at a place."""

    SPOKE = "spoke"
    DOUBTED = "doubted"
    EXCUSED = "excused"
    BACK = "stood back"
    SILENCED = "silenced"


@dataclass(frozen=True, slots=True)
class Answer:
    """One thing that a rule said, or would have said, and what became of it.

    `text` is empty for a rule that had nothing to say, because what it misses happens. `region` and `decisions` name
    the scenario that excuses it, `other` and `other_row` the mistake for which it stood back, `other_path` its file
    where that is another one.
    """

    outcome: Outcome
    row: int
    text: str
    doubts: tuple[str, ...] = ()
    region: str = ""
    decisions: tuple[tuple[str, bool], ...] = ()
    other: str = ""
    other_row: int = 0
    other_path: str = ""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a rule spoke, stood back, was excused or doubted at a row; or what was seen there instead.

    `elsewhere` are the rows of the file at which it said something, `blind` why the loop around was not judged.
    """

    path: str
    row: int
    rule: str
    answers: tuple[Answer, ...]
    events: tuple[TraceEvent, ...]
    elsewhere: tuple[int, ...]
    blind: tuple[str, ...] = ()
    cell: int | None = None
