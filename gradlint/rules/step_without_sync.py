"""Stepping with gradients that the ranks never shared."""

from __future__ import annotations

from collections.abc import Iterator

from gradlint.account.case import Case, owns
from gradlint.account.ledgers import evidence
from gradlint.model.books import Book, Update
from gradlint.model.edits import Repair, Sync
from gradlint.model.events import Backward, Deed, Event, Forward
from gradlint.model.finding import Safety, Severity
from gradlint.model.ledger import Field
from gradlint.rules.support.doubts import doubts
from gradlint.rules.support.moves import boundary
from gradlint.rules.support.rule import Hit, Rule
from gradlint.rules.support.telling import line, related


class StepWithoutSync(Rule):
    """The last backward of the window ran inside `no_sync()`."""

    name = "step-without-sync"
    category = "distributed"
    severity = Severity.ERROR
    safety = Safety.SAFE
    speaks = frozenset({Field.SYNC})
    excused_by = frozenset({Deed.REDUCE, Deed.SYNC})
    summary = "The optimizer steps on gradients that were not averaged over the ranks."
    reason = "only the window's last all-reduce comes back"
    effect = "All ranks step with the same gradients."
    yields_to = frozenset({"forward-outside-no-sync"})

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each update whose last backward did not all-reduce."""
        for book in case.books:
            for update in book.updates:
                silent = update.consumed and update.consumed[-1].detail.synced is False
                framework = update.detail.framework or any(item.detail.framework for item in update.consumed)
                alone = _one_of_several(case, update) is not None
                if ((silent or alone) and not framework) or _put_aside(update):
                    yield self._hit(case, book, update)
                    break

    def _hit(self, case: Case, book: Book, update: Update) -> Hit:
        last = update.consumed[-1].event
        found = list(doubts(update, case))
        if update.writes:
            found.append("the gradients are reduced by hand")
        elif case.averages_ranks:
            found.append("parameters or gradients are made alike by hand elsewhere")
        past = _past_the_wrapper(case, last) or _one_of_several(case, update)
        if past is not None:
            return Hit(
                update.step.span,
                f"`{update.step.text}` uses gradients that are not synchronised: the forward before it, on {line(past)}, "
                "calls the network inside DDP.",
                "DDP all-reduces only what its own `forward` has got ready; one that goes past it trains each rank by itself.",
                "Each rank steps with its own gradients: the copies of the model drift apart.",
                book.optimizer,
                (related(past, "goes past the wrapper"),),
                evidence(update, book),
                tuple(found),
                stretch=(last.number, update.step.number),
            )
        if _put_aside(update):
            return _alone(book, update, tuple(found))
        return Hit(
            update.step.span,
            f"`{update.step.text}` uses gradients that are not synchronised: the last backward before it, on {line(last)}, "
            "ran without synchronising.",
            "The last micro-batch of a window must run outside `no_sync()`, so that its backward all-reduces the sum.",
            "Each rank steps with its own gradients: the copies of the model drift apart.",
            book.optimizer,
            (related(last, "still not synchronised here"),),
            evidence(update, book),
            tuple(found),
            (Repair("Synchronise in the last micro-batch", (Sync(last.span, *boundary(update)),)),),
            stretch=(last.number, update.step.number),
        )


def _put_aside(update: Update) -> bool:
    """Whether micro-batches wait for an all-reduce that never sees them: Apex puts them aside before each backward."""
    details = [item.detail for item in update.consumed]
    before, last = details[:-1], details[-1] if details else None
    return (
        last is not None and last.stashed and last.synced is True and any(detail.synced is False for detail in before)
    )


def _alone(book: Book, update: Update, found: tuple[str, ...]) -> Hit:
    waiting = next(item.event for item in update.consumed if item.detail.synced is False)
    return Hit(
        update.step.span,
        f"`{update.step.text}` uses gradients that are not synchronised: Apex's `scale_loss` on "
        f"{line(update.consumed[-1].event)} puts aside what earlier micro-batches have left.",
        "Without `delay_unscale=True` the all-reduce averages what the last backward brings; the rest is added behind it.",
        "Each rank steps with its own gradients: the copies of the model drift apart.",
        book.optimizer,
        (related(waiting, "never synchronised"),),
        evidence(update, book),
        found,
        stretch=(waiting.number, update.step.number),
    )


def _past_the_wrapper(case: Case, backward: Event) -> Event | None:
    """The forward of a loss that came from the network inside DDP and not through the wrapper."""
    detail = backward.detail
    if not isinstance(detail, Backward) or detail.wrapper != "ddp":
        return None
    forwards = [case.events[number] for number in detail.forwards]
    through = any(isinstance(forward.detail, Forward) and forward.detail.wrapper for forward in forwards)
    return None if through or not forwards else forwards[-1]


def _one_of_several(case: Case, update: Update) -> Event | None:
    """The forward past its wrapper of the one network that an optimizer has, where others' go through theirs."""
    last, begun = (update.consumed or (None,))[-1], update.previous.number if update.previous else 0
    if last is None or last.detail.synced is not True:
        return None
    since = (event for event in case.events[begun : last.event.number] if isinstance(event.detail, Forward))
    own = [event for event in since if owns(update.detail.params, event.subject)]
    past = all(isinstance(event.detail, Forward) and event.detail.past and not event.detail.assumed for event in own)
    return own[-1] if past and own and own[-1].number in last.detail.forwards else None
