"""What the wet run says about a loop: plain data, for reports and for other processes."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from enum import Enum
from typing import Any

from gradlint.model.ledger import Clip, Ledger, Row, Weight
from gradlint.verify.books import Books


class Verdict(Enum):
    """CONFIRMED: nothing of any rule shows. DIFFERS: something does. INCONCLUSIVE: nobody can say, for a reason."""

    CONFIRMED = "confirmed"
    DIFFERS = "differs"
    INCONCLUSIVE = "inconclusive"


@dataclass(frozen=True)
class Shown:
    """One observation: the rule whose mistake it is, where, and what was measured.

    `path` names another file, `cell` a notebook's cell.
    """

    rule: str
    row: int
    text: str
    path: str = ""
    cell: int | None = None

    @property
    def where(self) -> str:
        """The place, for people."""
        if self.cell is not None:
            return f"cell {self.cell} line {self.row}"
        return f"{self.path} line {self.row}" if self.path else f"line {self.row}"


@dataclass(frozen=True)
class Judged:
    """One configuration in one regime."""

    configuration: tuple[tuple[str, bool], ...]
    regime: str
    verdict: Verdict
    shown: tuple[Shown, ...] = ()
    reason: str = ""
    detail: str = ""
    books: Books = field(default_factory=Books)

    @property
    def key(self) -> str:
        """Which run this is, for telling two forms of a loop apart."""
        return f"{self.configuration} {self.regime}"


@dataclass(frozen=True)
class Figures:
    """One optimizer update in numbers: what the table prints and the picture draws."""

    optimizer: str
    number: int
    weights: tuple[tuple[str, float, bool], ...]
    meant: tuple[tuple[str, float], ...]
    norm: float
    reference_norm: float
    error: float
    clip: str
    all_reduces: int | None
    scheduler_moves: int
    turns: int


@dataclass(frozen=True)
class Binding:
    """A value the run chose, and why."""

    name: str
    value: str
    origin: str


@dataclass(frozen=True)
class Loop:
    """One training loop of one text.

    `unseen` is what a confirmation does not cover, `errors` what the linter is sure of in it.
    """

    name: str
    row: int
    end_row: int
    verdict: Verdict
    reason: str = ""
    detail: str = ""
    window: int | None = None
    runs: tuple[Judged, ...] = ()
    figures: tuple[Figures, ...] = ()
    clipped: tuple[Figures, ...] = ()
    limit: float | None = None
    bindings: tuple[Binding, ...] = ()
    notes: tuple[str, ...] = ()
    unseen: tuple[str, ...] = ()
    errors: tuple[Shown, ...] = ()
    wrapper: str = ""
    device: str = "cpu"
    precision: str = "float64"
    plan: tuple[str, ...] = field(default=())
    cell: int | None = None
    end_cell: int | None = None

    @property
    def where(self) -> str:
        """Its rows, for people: `9-21`, and `cell 3:9-21` in a notebook."""
        if self.cell is None:
            return f"{self.row}-{self.end_row}"
        end = f"cell {self.end_cell}:" if self.end_cell != self.cell else ""
        return f"cell {self.cell}:{self.row}-{end}{self.end_row}"

    @property
    def shown(self) -> tuple[Shown, ...]:
        """Every observation, each rule and line once."""
        found: dict[tuple[str, str], Shown] = {}
        for run in self.runs:
            for one in run.shown:
                found.setdefault((one.rule, one.where), one)
        return tuple(found.values())

    @property
    def rules(self) -> frozenset[str]:
        """The rules whose mistakes show."""
        return frozenset(one.rule for one in self.shown)

    def ledgers(self) -> tuple[Ledger, ...]:
        """The measured ledger of each optimizer."""
        names = list(dict.fromkeys(one.optimizer for one in self.figures))
        windows = (self.window,) if self.window else ()
        return tuple(
            Ledger(name, windows, tuple(_row(one) for one in self.figures if one.optimizer == name)) for name in names
        )


def _row(figures: Figures) -> Row:
    from fractions import Fraction

    weights = tuple(
        Weight(label, Fraction(value).limit_denominator(4096), extra) for label, value, extra in figures.weights
    )
    clip = {"-": Clip.NONE, "clipped": Clip.RIGHT}.get(figures.clip, Clip.UNKNOWN)
    return Row(figures.number, weights, False, clip, figures.all_reduces, figures.scheduler_moves)


@dataclass(frozen=True)
class FileResult:
    """All loops of one text; `reason` when there is none to run."""

    path: str
    loops: tuple[Loop, ...] = ()
    reason: str = ""
    detail: str = ""


@dataclass(frozen=True)
class Trial:
    """A loop as written, and where it was repaired as repaired; `reason` says why the repair is not confirmed."""

    path: str
    before: Loop
    after: Loop | None = None
    reason: str = ""

    @property
    def confirmed(self) -> bool:
        """Whether there is a repair, and the wet run confirms it."""
        return self.after is not None and not self.reason


def to_plain(value: Any) -> Any:
    """Dataclasses as dictionaries, verdicts as their names."""
    if isinstance(value, Verdict):
        return value.value
    if isinstance(value, dict):
        return {key: to_plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_plain(one) for one in value]
    return to_plain(asdict(value)) if hasattr(value, "__dataclass_fields__") else value


def loop_from_plain(data: dict[str, Any]) -> Loop:
    """A loop that came from another process."""
    runs = tuple(
        Judged(
            tuple((str(key), bool(answer)) for key, answer in one["configuration"]),
            one["regime"],
            Verdict(one["verdict"]),
            tuple(Shown(**shown) for shown in one["shown"]),
            one["reason"],
            one["detail"],
            Books.from_plain(one["books"]),
        )
        for one in data["runs"]
    )
    return Loop(
        **{
            **data,
            "verdict": Verdict(data["verdict"]),
            "runs": runs,
            "figures": tuple(_figures(one) for one in data["figures"]),
            "clipped": tuple(_figures(one) for one in data["clipped"]),
            "bindings": tuple(Binding(**one) for one in data["bindings"]),
            "notes": tuple(data["notes"]),
            "unseen": tuple(data["unseen"]),
            "errors": tuple(Shown(**one) for one in data["errors"]),
            "plan": tuple(data["plan"]),
        }
    )


def _figures(data: dict[str, Any]) -> Figures:
    weights = tuple((str(label), float(value), bool(extra)) for label, value, extra in data["weights"])
    meant = tuple((str(label), float(value)) for label, value in data["meant"])
    return Figures(**{**data, "weights": weights, "meant": meant})
