"""What a rule says about a place, in the form every report and editor reads.

Rows and columns are 1-based and count characters, as in the JSON format. A `Finding` is
plain frozen data: picklable, comparable, and free of syntax trees.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple, TypeAlias

from gradlint.model.ledger import Row
from gradlint.model.record import dataclass


class Severity(Enum):
    """ERROR: wrong gradient or crash. WARNING: wasted work or fragile. INFO: advice."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Confidence(Enum):
    """HIGH is reported by default; the others only with `--pedantic`."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class Safety(Enum):
    """Whether a repair is certain to give the loop it means."""

    SAFE = "safe"
    UNSAFE = "unsafe"
    NONE = "none"


Line: TypeAlias = "tuple[int, int]"
"""A module's number, and a row in it."""


class Span(NamedTuple):
    """A half-open stretch of source: (row, column) up to but excluding (end_row, end_column).

    `module` is the number of the file among those of its program.
    """

    row: int
    column: int
    end_row: int
    end_column: int
    module: int = 0

    @property
    def line(self) -> Line:
        """Where it begins: the module and the row."""
        return self.module, self.row

    @property
    def begins(self) -> str:
        """Where it begins, as a text: `12:5`, with the module where there are several."""
        return f"{self.row}:{self.column}:{self.module}" if self.module else f"{self.row}:{self.column}"


@dataclass(frozen=True, slots=True)
class Related:
    """Another line that takes part in the mistake: the step, the guard, the backward; with a `path` if elsewhere."""

    span: Span
    message: str
    cell: int | None = None
    path: str = ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The ledger row as executed beside the row the loop means."""

    optimizer: str
    window: int | None
    executed: Row
    meant: Row


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the text of `span` by `content`, in the finding's file or in that at `path`."""

    span: Span
    content: str
    cell: int | None = None
    path: str = ""


@dataclass(frozen=True, slots=True)
class Fix:
    """A repair: all of its edits together, or none.

    `reason` says why it is safe, or what makes it unsafe; `effect` says what it changes in training.
    """

    safety: Safety
    title: str
    edits: tuple[Edit, ...]
    reason: str = ""
    effect: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """One mistake at one place.

    `message` says what is wrong and names the lines involved, `why` says why that is so, and
    `impact` says in numbers what it does to training. `doubts` are reasons why it may be wrong.
    `elsewhere` are the files that its repair would change, where that is one that `fix` makes only if it may.
    """

    rule: str
    category: str
    severity: Severity
    confidence: Confidence
    path: str
    span: Span
    message: str
    why: str
    impact: str
    cell: int | None = None
    evidence: Evidence | None = None
    related: tuple[Related, ...] = ()
    fix: Fix | None = None
    doubts: tuple[str, ...] = ()
    elsewhere: tuple[str, ...] = ()

    @property
    def row(self) -> int:
        """First row, 1-based."""
        return self.span.row

    @property
    def url(self) -> str:
        """Where the rule's page is published."""
        return f"https://github.com/torch-gradlint/gradlint/blob/main/rules/{self.rule}.md"


@dataclass(frozen=True, slots=True)
class Problem:
    """A file that could not be checked, and what to do about it."""

    path: str
    message: str


@dataclass(frozen=True, slots=True)
class Cure:
    """One line that would let a loop be judged, if what it says is true.

    It is configuration, or with a `row` a comment at the end of that row; `says` is what it tells.
    """

    line: str
    says: str
    row: int | None = None
    cell: int | None = None


@dataclass(frozen=True, slots=True)
class Unjudged:
    """A training loop that was not judged, or only in part.

    `function` is where it begins, `span` the backward or the step that says that it is one, `kind` a word for the
    `reason`.
    """

    path: str
    span: Span
    function: str
    partly: bool
    kind: str
    reason: str
    cure: Cure | None = None
    cell: int | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """Everything one run of `check` learned; `warnings` are about comments that silence nothing.

    `regions` counts all training loops, `unjudged` those among them of which not all was judged.
    """

    findings: tuple[Finding, ...]
    problems: tuple[Problem, ...]
    files: int
    regions: int
    warnings: tuple[Problem, ...] = ()
    unjudged: tuple[Unjudged, ...] = ()
