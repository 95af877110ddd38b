"""What each rule's mistake looks like in a record: one row of data a rule.

    rule                          regime     what is measured                     right     wrong
    clip-after-step               hi         norm consumed / max_norm             1         50
    zero-grad-in-accumulation     lo         micro-batches without weight         0         N - 1

The table knows nothing of the linter's rules but their names. A sign is found or not; who reports what is decided
elsewhere.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from gradlint.verify.measures import (
    CLOSE,
    LEFT_BEHIND,
    Finder,
    Observable,
    Sign,
    clips_of,
    divided_alone,
    full,
    highest,
    leftovers,
    near,
    singles,
    sites,
    too_long,
    unscaled,
)
from gradlint.verify.ranks import moves_each, moves_first, not_reduced, reduced_each, reduced_outside
from gradlint.verify.record import HI, INF, LO, TAIL, Clip, Record
from gradlint.verify.windows import Window, fold

EVERY = (LO, TAIL)


TURNS, MOVES, BACKWARDS = "turns", "moves", "backwards"
"""What only some repairs change: micro-batches an update, scheduler moves an update, how many backwards there are."""


def _value_clips(record: Record) -> list[Clip]:
    return [clip for clip in record.clips if clip.by_value and math.isfinite(clip.limit)]


def _clip_after_step(record: Record) -> Iterator[tuple[int, str]]:
    for window, clips in too_long(record):
        if any(clip.spent for clip in clips) and not any(clip.fresh and clip.parameters for clip in clips):
            row = next(clip.row for clip in clips if clip.spent)
            yield row, f"consumed a gradient of norm {window.update.norm:.3g} under a limit of {highest(clips):g}"
            return
    values = _value_clips(record)
    if values and all(clip.spent for clip in values):
        yield values[0].row, "every clip by value saw a gradient that had been spent"


def _clip_before_backward(record: Record) -> Iterator[tuple[int, str]]:
    for window, clips in too_long(record):
        empty = [clip for clip in clips if clip.parameters and not clip.fresh and not clip.spent]
        early = [clip for clip in clips if clip.parameters and clip.fresh and clip.fresh < len(window.feeds)]
        stale = any(one.stale for one in fold(record))
        if (empty or early) and not stale and not _all_seen(window, clips):
            row = (empty or early)[0].row
            yield row, f"consumed a gradient of norm {window.update.norm:.3g} under a limit of {highest(clips):g}"
            return
    values = _value_clips(record)
    if values and all(not clip.fresh and not clip.spent for clip in values):
        yield values[0].row, "every clip by value saw no gradient"


def _all_seen(window: Window, clips: list[Clip]) -> bool:
    return any(clip.fresh >= len(window.feeds) > 0 for clip in window.update.clips) and all(
        clip.fresh for clip in clips
    )


def _clip_nothing(record: Record) -> Iterator[tuple[int, str]]:
    for window, clips in too_long(record):
        empty = [clip for clip in clips if not clip.parameters]
        if empty:
            yield empty[0].row, f"the clip saw no parameter; a norm of {window.update.norm:.3g} was consumed"
            return


def _clip_each(record: Record) -> Iterator[tuple[int, str]]:
    for window in fold(record):
        clips = [clip for clip in window.update.clips if math.isfinite(clip.limit) and clip.fresh]
        turns = window.turns
        if turns < 2 or len(clips) < 2 or window.stale:
            continue
        weights = [abs(window.weight(number)) for number in window.consumed]
        if any(clip.by_value for clip in clips) and len(clips) >= turns:
            yield clips[0].row, f"clipped by value {len(clips)} times in a window of {turns}"
            return
        if len(weights) > 1 and max(weights) > 1.05 * min(weights) and len({clip.fresh for clip in clips}) > 1:
            ratio = max(weights) / min(weights)
            yield clips[0].row, f"the heaviest micro-batch of a window has {ratio:.3g} times the weight of the lightest"
            return


def _clip_scaled(record: Record) -> Iterator[tuple[int, str]]:
    for window in fold(record):
        clips = clips_of(record, window.update.optimizer)
        limit = highest(clips)
        scale = window.update.scale
        if limit and scale > 1 and near(window.update.norm, limit / scale, 0.1):
            row = next(clip.row for clip in window.update.clips) if window.update.clips else window.update.row
            yield row, f"norm consumed {window.update.norm:.3g} is the limit {limit:g} over the loss scale {scale:g}"
            return
        by_value = [clip for clip in clips if clip.by_value]
        most = max((clip.limit for clip in by_value), default=0.0)
        if scale > 1 and by_value and near(window.update.peak, most / scale, 0.1):
            text = f"largest entry consumed {window.update.peak:.3g} is the limit {most:g} over the scale {scale:g}"
            yield by_value[0].row, text
            return


def _raised(kinds: tuple[str, ...]) -> Finder:
    def find(record: Record) -> Iterator[tuple[int, str]]:
        if record.error_kind in kinds:
            yield record.error_row, f"torch raises: {record.error}"

    return find


def _bypass(record: Record) -> Iterator[tuple[int, str]]:
    for window in fold(record):
        update = window.update
        scaled = [number for number in window.consumed if record.columns[number].scaled]
        if any(
            abs(window.weight(number)) * math.prod(record.columns[number].divisors) > update.scale / 4 > 1
            for number in scaled
        ):
            yield update.row, f"consumed gradients still multiplied by the loss scale {update.scale:g}"
            return


def _bypass_infinite(record: Record) -> Iterator[tuple[int, str]]:
    for update in record.updates:
        if not update.finite and any(record.columns[number].scaled for number in update.feeds):
            yield update.row, "consumed a gradient that is not finite; a scaler skips that step"
            return


def _unscaled_backward(record: Record) -> Iterator[tuple[int, str]]:
    if record.error_kind == "scaler without scale":
        since = record.updates[-1].backwards if record.updates else 0
        if any(not column.scaled for column in record.columns[since:]):
            yield record.error_row, f"torch raises: {record.error}"
        return
    for window in fold(record):
        scale = window.update.scale
        for number in window.consumed:
            column = record.columns[number]
            weight = abs(window.weight(number)) * math.prod(column.divisors)
            if scale > 1 and not column.scaled and near(weight, 1 / scale, 0.05):
                yield column.row, f"this loss counts 1/{scale:g} of its weight"
                return


def _bfloat16(record: Record) -> Iterator[tuple[int, str]]:
    if record.precision_guessed:
        return  # which precision it is was only assumed
    for column in record.columns:
        if column.scaled and column.dtype == "torch.bfloat16":
            yield column.row, "a bfloat16 loss was scaled"
            return


def _in_autocast(record: Record) -> Iterator[tuple[int, str]]:
    for column in record.columns:
        if column.autocast:
            yield column.row, "backward ran under autocast"
            return


def _judged(record: Record) -> Iterator[Window]:
    for window in fold(record):
        if (
            record.knob
            and window.update.finite
            and not window.crosses
            and full(window)
            and window.update.residual < CLOSE
        ):
            yield window


def _undivided(record: Record) -> Iterator[tuple[int, str]]:
    if record.divided_elsewhere or record.vague:
        return
    for window in _judged(record):
        for number, turns, share in sites(window):
            if near(share, 1.0):
                yield (
                    record.columns[number].row,
                    f"each of {turns} micro-batches has weight 1 where 1/{turns} is the mean",
                )
                return


def _mismatch(record: Record) -> Iterator[tuple[int, str]]:
    for window in _judged(record):
        for number, turns, share in sites(window):
            right = [1.0, 1 / turns, 1 / window.turns, *([1 / record.window] if record.window else [])]
            if not any(near(share, one) for one in right) and not window.lost:
                yield record.columns[number].row, f"each micro-batch has weight {share:.4g} in a window of {turns}"
                return


def _divided_alone(record: Record) -> Iterator[tuple[int, str]]:
    """A library divides by its window, and every update takes one micro-batch."""
    for window in singles(record):
        number = window.consumed[0]
        column = record.columns[number]
        by = column.library
        made_up = any(near(one, 1 / by) for one in column.divisors)
        if by > 1 and by in column.divisors and not made_up and near(abs(unscaled(window, number)), 1 / by):
            yield column.row, f"each update takes one micro-batch, and the library divides its loss by {by:g}"
            return


def _lost(record: Record) -> Iterator[tuple[int, str]]:
    for window in fold(record):
        others = _others(record, window)
        same = {record.columns[number].site for number in window.consumed}
        lost = [n for n in window.lost if record.columns[n].site in same and n not in others]
        if lost and window.update.finite and window.update.residual < CLOSE:
            yield window.update.row, f"{len(lost)} of {len(window.feeds)} micro-batches of a window have no weight"
            return


def _others(record: Record, window: Window) -> set[int]:
    """Columns that other optimizers spent before this update: where optimizers take turns, they are theirs."""
    before = record.updates[: window.number]
    return {n for one in before if one.optimizer != window.update.optimizer for n in one.weights}


def _short_window(record: Record) -> Iterator[tuple[int, str]]:
    windows = [one for one in fold(record) if one.feeds and not one.crosses]
    size = record.window
    if size is None or not record.knob or (record.regime == TAIL and record.endless):
        return
    accumulating = {one.update.optimizer for one in windows if one.turns == size}
    for window in windows:
        if window.update.optimizer in accumulating and window.turns != size and not window.closes_epoch:
            yield window.update.row, f"an update in the middle of an epoch has {window.turns} micro-batches, not {size}"
            return


def _tail(record: Record) -> Iterator[tuple[int, str]]:
    size = record.window
    windows = fold(record)
    regular = {one.update.optimizer for one in windows if one.turns == size and not one.crosses}
    for window in windows:
        if (
            size
            and record.knob
            and window.update.optimizer in regular
            and window.crosses
            and window.turns > size
            and len(window.consumed) == len(window.feeds)
        ):
            yield window.update.row, f"an update has {window.turns} micro-batches of two epochs in a window of {size}"
            return


def _stale(record: Record) -> Iterator[tuple[int, str]]:
    """Once may be the first window of a second call; a loop that never clears does it again and again.

    Each line that steps is judged by itself, from its first update to its last: another loop, before it, may clear.
    """
    spent: dict[str, set[int]] = {}
    found: dict[tuple[str, int], list[int]] = {}
    rows: dict[str, list[int]] = {}
    for window in fold(record):
        name, row = window.update.optimizer, window.update.row
        before = spent.setdefault(name, set())
        again = [number for number in window.stale if number in before]
        if again and window.feeds and window.update.residual < CLOSE:
            found.setdefault((name, row), []).append(len(again))
        rows.setdefault(name, []).append(row)
        before.update(window.update.weights)
    for (name, row), places in found.items():
        if _again_and_again(rows[name], row, len(places)):
            yield row, f"up to {max(places)} micro-batches that were spent before have weight again"
            return


def _again_and_again(rows: list[int], row: int, times: int) -> bool:
    """Whether a line does something in most of its updates; `rows` are the lines of all updates of its optimizer."""
    last = len(rows) - rows[::-1].index(row)
    others = len(rows[rows.index(row) : last]) - 1
    if len(set(rows)) == 1:
        return 2 * times >= others
    return times > 1 and 2 * times > others


def _foreign(record: Record) -> Iterator[tuple[int, str]]:
    """Of an earlier batch than all of its own, and not once: the optimizer's clear comes too early for it."""
    if record.frozen:
        return  # a call out of sight may have kept the other backward away
    found = [
        window
        for window in leftovers(record)
        if window.feeds and max(record.columns[n].turn for n in window.foreign) < min(c.turn for c in window.columns)
    ]
    if len(found) > 1:
        window = found[0]
        rows = sorted({record.columns[n].row for n in window.foreign})
        yield window.update.row, f"the backward of line {rows[0]} {LEFT_BEHIND}"


def _nothing(record: Record) -> Iterator[tuple[int, str]]:
    by_optimizer: dict[str, list[Window]] = {}
    for window in fold(record):
        by_optimizer.setdefault(window.update.optimizer, []).append(window)
    for windows in by_optimizer.values():
        empty = [one for one in windows if not one.update.norm and one.update.feeds and one.update.wiped]
        if empty and not any(one.update.weights for one in windows):
            yield empty[0].update.row, "every update consumes nothing"
            return


def _uncalled(record: Record) -> Iterator[tuple[int, str]]:
    for row, text in record.uncalled[:1]:
        yield row, f"`{text}` is named and not called"


def _leak(record: Record) -> Iterator[tuple[int, str]]:
    if record.unseen or not record.passes:
        return  # what a call out of sight returns beside the loss may be detached
    last = {record.columns[update.backwards - 1].epoch: update for update in record.updates if update.backwards}
    for epoch, update in last.items():  # what an inner loop keeps for a moment is gone by the end of the epoch
        turns = len({column.turn for column in record.columns[: update.backwards] if column.epoch == epoch})
        if update.live_losses >= turns >= 4:
            yield record.columns[0].row, f"{update.live_losses} losses of one epoch are alive at one update"
            return


def _eval_mode(record: Record) -> Iterator[tuple[int, str]]:
    places: dict[str, list[tuple[int, bool]]] = {}
    for column in record.columns:  # another phase may have networks in evaluation mode on purpose
        places.setdefault(column.site, []).append((column.row, column.training))
    for modes in places.values():
        if any(mode for _, mode in modes) and not modes[-1][1]:
            share = sum(mode for _, mode in modes) / len(modes)
            yield modes[-1][0], f"{share:.0%} of the training forwards run in training mode"
            return


def _same_order(record: Record) -> Iterator[tuple[int, str]]:
    if record.shuffled and len(record.orders) >= 2 and len(set(record.orders)) == 1:
        yield record.columns[0].row if record.columns else 0, f"{len(record.orders)} epochs have one order"


WINDOWED = frozenset((TURNS,))


SCHEDULED = frozenset((MOVES,))


UNCALLED = frozenset((BACKWARDS, MOVES))


OBSERVABLES: tuple[Observable, ...] = (
    Observable("clip-after-step", (HI,), "norm consumed / max_norm", "1", "50", _clip_after_step),
    Observable("clip-before-backward", (HI,), "norm consumed / max_norm", "1", "50", _clip_before_backward),
    Observable("clip-exhausted-parameters", (HI,), "norm consumed / max_norm", "1", "50", _clip_nothing),
    Observable("clip-per-micro-batch", (HI,), "heaviest / lightest micro-batch", "1", "more", _clip_each),
    Observable("clip-scaled-gradients", (HI,), "norm consumed / max_norm", "1", "1/S", _clip_scaled),
    Observable("double-unscale", (LO, HI), "RuntimeError", "none", "raised", _raised(("unscale twice",))),
    Observable(
        "missing-scaler-update",
        (LO, HI),
        "RuntimeError",
        "none",
        "raised",
        _raised(("step twice", "unscale after step")),
    ),
    Observable("step-bypasses-scaler", EVERY, "weight", "1/N", "S/N", _bypass),
    Observable("step-bypasses-scaler", (INF,), "non-finite gradients consumed", "0", "1", _bypass_infinite),
    Observable("unscaled-backward", EVERY, "weight of the lightest loss", "1/N", "1/(S N)", _unscaled_backward),
    Observable("scaler-with-bfloat16", (LO,), "bfloat16 losses scaled", "0", "all", _bfloat16),
    Observable("backward-in-autocast", (LO,), "backward under autocast", "no", "yes", _in_autocast),
    Observable("unscaled-accumulation-loss", EVERY, "weight", "1/N", "1", _undivided),
    Observable("accumulation-divisor-mismatch", EVERY, "weight times N", "1", "another constant", _mismatch),
    Observable("accumulation-divisor-mismatch", EVERY, "weight in a window of one", "1", "1/N", _divided_alone),
    Observable("zero-grad-in-accumulation", EVERY, "micro-batches without weight", "0", "N - 1", _lost),
    Observable("accumulation-off-by-one", EVERY, "micro-batches per update", "N", "1, then N", _short_window, WINDOWED),
    Observable("dropped-accumulation-tail", (TAIL,), "micro-batches per update", "N", "N + 1", _tail, WINDOWED),
    Observable("missing-zero-grad", EVERY, "weight of earlier windows", "0", "1", _stale),
    Observable("missing-zero-grad", EVERY, "weight of another optimizer's earlier micro-batches", "0", "1", _foreign),
    Observable("zero-grad-before-step", EVERY, "norm consumed", "above 0", "0", _nothing),
    Observable("method-not-called", (LO,), "lifecycle methods named, not called", "0", "1", _uncalled, UNCALLED),
    Observable("loss-graph-leak", EVERY, "losses alive", "1", "all", _leak),
    Observable("missing-train-mode", EVERY, "training forwards in training mode", "all", "some", _eval_mode),
    Observable("missing-set-epoch", EVERY, "different orders", "one an epoch", "1", _same_order),
    Observable("missing-no-sync", EVERY, "all-reduces per update", "1", "N", reduced_each),
    Observable("forward-outside-no-sync", EVERY, "all-reduces per update", "1", "N", reduced_outside),
    Observable("step-without-sync", EVERY, "all-reduces per update", "1", "0, and ranks disagree", not_reduced),
    Observable("scheduler-per-micro-batch", EVERY, "scheduler moves per update", "1", "N", moves_each, SCHEDULED),
    Observable("scheduler-before-optimizer", (LO,), "moves before the first update", "0", "1", moves_first),
)


CLIPS = frozenset(
    "clip-after-step clip-before-backward clip-exhausted-parameters clip-per-micro-batch clip-scaled-gradients".split()
)


ATTRIBUTED = frozenset(
    """zero-grad-in-accumulation missing-zero-grad zero-grad-before-step clip-per-micro-batch missing-train-mode
    dropped-accumulation-tail accumulation-off-by-one""".split()
)
"""What depends on which optimizer owns which parameters."""


ENDS = frozenset(("dropped-accumulation-tail",))
"""What is told by where the data ends."""


SYNCED = frozenset("missing-no-sync forward-outside-no-sync step-without-sync".split())


WEIGHED = frozenset(("unscaled-accumulation-loss", "accumulation-divisor-mismatch"))


SCALED = frozenset(
    """clip-scaled-gradients double-unscale missing-scaler-update step-bypasses-scaler unscaled-backward""".split()
)


GUESS = "which optimizer owns which parameters is out of sight"


Doubt = tuple[Callable[[Record], bool], frozenset[str], str]


DOUBTS: tuple[Doubt, ...] = (
    (lambda record: record.guessed, ATTRIBUTED, GUESS),
    (lambda record: record.yielded, ENDS, "an iterator of the file decides which batches come, and was not run"),
    (lambda record: record.handed, frozenset(("missing-zero-grad",)), "the loss is handed in: who hands it may clear"),
    (
        lambda record: record.passed_clear,
        frozenset(("missing-zero-grad",)),
        "the only clear stands behind a guard that this run does not pass",
    ),
    (lambda record: record.sync_guessed, SYNCED, "when ranks synchronise is decided by what nobody can compute"),
    (lambda record: record.sharded, SYNCED, "FSDP reduces by rules of its own"),
    (
        lambda record: record.cached,
        WEIGHED,
        "outputs are computed without gradient first: a loss may be of all",
    ),
    (lambda record: record.own_scaler, SCALED, "how a scaler of another kind than torch's scales is out of sight"),
    (lambda record: not all(clip.sure for clip in record.clips), CLIPS, "whose gradients a clip sees is out of sight"),
)
"""When a rule's sign rests on something that is only assumed: it accuses nobody, and the run says nothing."""


def doubt(record: Record) -> str:
    """Why something that shows is not believed, or nothing."""
    shown = {one.rule for one in every_sign(record)}
    found = next((text for holds, rules, text in DOUBTS if shown & rules and holds(record)), "")
    if record.uncleared and not found:
        return f"`{record.uncleared}` is never cleared by itself, and {GUESS}"
    row = divided_alone(record)
    if row and not found:
        return f"line {row}: the window divides the loss, and every update takes one micro-batch"
    return found


def signs(record: Record) -> list[Sign]:
    """Everything a record shows; what rests on an assumption is left out."""
    doubtful = frozenset[str]().union(*(rules for holds, rules, _ in DOUBTS if holds(record)))
    return [one for one in every_sign(record) if one.rule not in doubtful]


def every_sign(record: Record) -> list[Sign]:
    """Everything a record shows, doubtful or not."""
    found = []
    for one in OBSERVABLES:
        if record.regime in one.regimes:
            found += [Sign(one.rule, row, text) for row, text in one.find(record)]
    return found
