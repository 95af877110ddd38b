"""Loss scaling where nothing can underflow."""

from __future__ import annotations

from collections.abc import Iterator

from gradlint.account.case import Case
from gradlint.model.edits import Argument, Repair
from gradlint.model.events import Backward, Event, Forward, Kind
from gradlint.model.finding import Safety, Severity
from gradlint.model.ledger import Field
from gradlint.rules.support.hit import Hit
from gradlint.rules.support.rule import Rule
from gradlint.rules.support.scaling import scaler_of


class ScalerWithBfloat16(Rule):
    """A `GradScaler` scales the loss of a bfloat16 forward."""

    name = "scaler-with-bfloat16"
    category = "mixed-precision"
    severity = Severity.WARNING
    safety = Safety.UNSAFE
    summary = "A `GradScaler` scales the loss of a forward that runs in bfloat16, which needs no loss scaling."
    reason = "float16 with an active scaler would be right, too"
    effect = "No step is skipped or spent on scaling."
    speaks = frozenset({Field.SCALE})
    mends = frozenset({Kind.UNSCALE, Kind.UPDATE})

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each scaled backward whose forwards ran in bfloat16, or outside of autocast: none in float16."""
        for event in case.of(Kind.BACKWARD):
            detail = event.detail
            if isinstance(detail, Backward) and detail.scaled_by:
                forwards = [case.events[number] for number in detail.forwards] or _before(case, event)
                forwards = [
                    one for one in forwards if isinstance(one.detail, Forward) and one.detail.attached
                ] or forwards
                low = [one for one in forwards if isinstance(one.detail, Forward) and one.detail.autocast]
                if low and all(isinstance(one.detail, Forward) and one.detail.autocast == "bfloat16" for one in low):
                    yield _hit(event, detail, low[0])


def _hit(event: Event, detail: Backward, forward: Event) -> Hit:
    scaler, made = scaler_of(event), detail.scaler_made
    doubt = "nobody in sight makes the scaler, and it may be switched off"
    return (
        Hit.at(event)
        .says("The loss of a bfloat16 forward pass is multiplied by a GradScaler.")
        .because("bfloat16 has the range of float32, so gradients do not underflow and need no loss scaling.")
        .costs(
            "The gradients are right, but every step pays for scaling, unscaling and a search for infinities, and may be skipped."
        )
        .shows(forward, "this forward runs in bfloat16")
        .shows(made, "the scaler is made here")
        .unless(
            doubt if detail.scaler_sure else "the scaler may be switched off",
            when=made is None or not detail.scaler_sure,
        )
        .mended(
            *(
                [Repair("Switch the scaler off", (Argument(scaler, "GradScaler", "enabled", "False"),))]
                if scaler and not detail.scaler_meant
                else []
            )
        )
    )


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
