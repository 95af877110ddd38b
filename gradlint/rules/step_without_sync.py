"""Stepping with gradients that the ranks never shared."""

from __future__ import annotations

from collections.abc import Iterator

from gradlint.account.case import Case
from gradlint.model.books import Update
from gradlint.model.events import Deed
from gradlint.model.finding import Safety, Severity
from gradlint.model.ledger import Field
from gradlint.rules.support.hit import Hit
from gradlint.rules.support.reducing import never_reduced, past_the_wrapper, synchronise_last, waiting
from gradlint.rules.support.rule import Rule
from gradlint.rules.support.telling import line


class StepWithoutSync(Rule):
    """The last backward of the window ran inside `no_sync()`."""

    name = "step-without-sync"
    category = "distributed"
    severity = Severity.ERROR
    safety = Safety.SAFE
    summary = "The optimizer steps on gradients that were not averaged over the ranks."
    reason = "only the window's last all-reduce comes back"
    effect = "All ranks step with the same gradients."
    speaks = frozenset({Field.SYNC})
    excused_by = frozenset({Deed.REDUCE, Deed.SYNC})
    yields_to = frozenset({"forward-outside-no-sync"})

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each optimizer with an update whose last backward did not all-reduce."""
        for book in case.books:
            found = (update for update in book.updates if never_reduced(case, update) or waiting(update))
            for update in found:
                yield _hit(case, update)
                break


def _hit(case: Case, update: Update) -> Hit:
    last = update.consumed[-1].event
    past, aside = past_the_wrapper(case, update), waiting(update)
    hit = (
        Hit.at(update.step)
        .costs("Each rank steps with its own gradients: the copies of the model drift apart.")
        .of(case, update)
        .whenever(when=not update.unsure)
        .unless("the gradients are reduced by hand", when=update.writes)
        .unless(
            "parameters or gradients are made alike by hand elsewhere",
            when=case.program.averages_ranks and not update.writes,
        )
        .between(last, update.step)
    )
    start = f"`{update.step.text}` uses gradients that are not synchronised:"
    if past is not None:
        return (
            hit.says(f"{start} the forward before it, on {line(past)}, calls the network inside DDP.")
            .because(
                "DDP all-reduces only what its own `forward` has got ready; one that goes past it trains each rank by itself."
            )
            .shows(past, "goes past the wrapper")
        )
    if aside is not None:
        return (
            hit.says(f"{start} Apex's `scale_loss` on {line(last)} puts aside what earlier micro-batches have left.")
            .because(
                "Without `delay_unscale=True` the all-reduce averages what the last backward brings; the rest is added behind it."
            )
            .shows(aside, "never synchronised")
            .between(aside, update.step)
        )
    return (
        hit.says(f"{start} the last backward before it, on {line(last)}, ran without synchronising.")
        .because(
            "The last micro-batch of a window must run outside `no_sync()`, so that its backward all-reduces the sum."
        )
        .shows(last, "still not synchronised here")
        .mended(*synchronise_last(update))
    )
