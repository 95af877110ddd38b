"""Backward under autocast."""

from __future__ import annotations

from collections.abc import Iterator

from gradlint.account.case import Case
from gradlint.model.edits import Leave, Repair
from gradlint.model.events import Backward, Kind
from gradlint.model.finding import Safety, Severity
from gradlint.model.ledger import Field
from gradlint.rules.support.hit import Hit
from gradlint.rules.support.rule import Rule


class BackwardInAutocast(Rule):
    """`backward` runs inside the autocast block instead of after it."""

    name = "backward-in-autocast"
    category = "mixed-precision"
    severity = Severity.WARNING
    safety = Safety.SAFE
    summary = "The backward runs inside the autocast context, which should hold the forward and the loss only."
    reason = "backward uses the types that the forward pass chose"
    effect = "No operation of the backward pass is cast a second time."
    speaks = frozenset({Field.BACKWARD})

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each backward with autocast switched on."""
        inside = [one for one in case.of(Kind.BACKWARD) if isinstance(one.detail, Backward) and one.detail.autocast]
        also = tuple(dict.fromkeys(span for one in inside for span in (one.span, *one.calls)))
        for event in inside:
            places = (event.span, *reversed(event.calls))
            ways = [
                Leave(span, also, split, places[:depth]) for depth, span in enumerate(places) for split in (False, True)
            ]
            yield (
                Hit.at(event)
                .says(f"`{event.text}` runs inside an autocast block.")
                .because(
                    "Backward operations already use the types autocast chose for the forward pass; PyTorch advises against both."
                )
                .costs(
                    "Operations that backward starts itself are cast again, which costs time and can cost precision."
                )
                .mended(*(Repair("Run backward outside autocast", (way,)) for way in ways))
            )
