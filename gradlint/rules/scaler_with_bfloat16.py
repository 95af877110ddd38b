"""Loss scaling where nothing can underflow."""

from __future__ import annotations

from collections.abc import Iterator

from gradlint.account.case import Case
from gradlint.model.edits import Argument, Repair
from gradlint.model.events import Backward, Event, Forward, Kind
from gradlint.model.finding import Related, Safety, Severity
from gradlint.model.ledger import Field
from gradlint.rules.support.moves import scaler_of
from gradlint.rules.support.rule import Hit, Rule
from gradlint.rules.support.telling import related


class ScalerWithBfloat16(Rule):
    """A `GradScaler` scales the loss of a bfloat16 forward."""

    name = "scaler-with-bfloat16"
    category = "mixed-precision"
    severity = Severity.WARNING
    safety = Safety.UNSAFE
    speaks = frozenset({Field.SCALE})
    summary = "A `GradScaler` scales the loss of a forward that runs in bfloat16, which needs no loss scaling."
    reason = "float16 with an active scaler would be right, too"
    effect = "No step is skipped or spent on scaling."
    mends = frozenset({Kind.UNSCALE, Kind.UPDATE})

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each scaled backward whose forwards all ran in bfloat16."""
        for event in case.of(Kind.BACKWARD):
            detail = event.detail
            if not isinstance(detail, Backward) or not detail.scaled_by:
                continue
            forwards = [case.events[number] for number in detail.forwards] or _before(case, event)
            types = {forward.detail.autocast for forward in forwards if isinstance(forward.detail, Forward)}
            if types == {"bfloat16"}:
                yield Hit(
                    event.span,
                    "The loss of a bfloat16 forward pass is multiplied by a GradScaler.",
                    "bfloat16 has the range of float32, so gradients do not underflow and need no loss scaling.",
                    "The gradients are right, but every step pays for scaling, unscaling and a search for infinities, and may be skipped.",
                    related=(related(forwards[0], "this forward runs in bfloat16"), *_made(detail)),
                    doubts=_doubts(detail),
                    repairs=_repairs(event),
                )


def _doubts(detail: Backward) -> tuple[str, ...]:
    if not detail.scaler_sure:
        return ("the scaler may be switched off",)
    return () if detail.scaler_made is not None else ("nobody in sight makes the scaler, and it may be switched off",)


def _made(detail: Backward) -> tuple[Related, ...]:
    return () if detail.scaler_made is None else (Related(detail.scaler_made, "the scaler is made here"),)


def _before(case: Case, backward: Event) -> list[Event]:
    """The forwards that a loss can have come from where that was lost sight of: a model that writes into what it is given."""
    plain: list[Event] = []
    assumed: list[Event] = []
    for event in reversed(case.events[: backward.number]):
        if event.kind in (Kind.BACKWARD, Kind.STEP) or event.stamp[: len(backward.stamp)] != backward.stamp:
            break
        if isinstance(event.detail, Forward) and event.detail.attached:
            (assumed if event.detail.assumed else plain).append(event)
    return plain + assumed if plain else []


def _repairs(backward: Event) -> tuple[Repair, ...]:
    scaler = scaler_of(backward)
    if scaler is None:
        return ()
    return (Repair("Switch the scaler off", (Argument(scaler, "GradScaler", "enabled", "False"),)),)
