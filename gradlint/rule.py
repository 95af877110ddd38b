"""Rules: what they see, what they say, and how they are found.

A rule is one short file in `gradlint/rules/` with one class. It sees a `Case`: the books and the
trail of one region in one world. It yields `Hit`s. It never sees source code or syntax. Rules are
discovered by module, so adding one edits no other file.

    class ClipAfterStep(Rule):
        name = "clip-after-step"
        ...
        def check(self, case: Case) -> Iterator[Hit]: ...

Presence rules (a wrong thing happens) need one feasible world. Absence rules (`absence = True`)
also say in `cleared` at which sites the missing thing does happen; one such world excuses the site.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from abc import ABC, ABCMeta, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import ClassVar

from gradlint.books import Book, Clip, Update, real, related_parts
from gradlint.edits import Repair
from gradlint.finding import Evidence, Related, Safety, Severity, Span
from gradlint.ledger import Field, Ledger
from gradlint.rows import executed_row, meant_row
from gradlint.trail import Backward, Deed, Event, Forward, Kind, Schedule, Stamp, Step, Write, Zero
from gradlint.vocabulary import WINDOW_NAME


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """One region in one world.

    `windows` maps the names of symbolic windows to the value chosen for them; `starts` are
    counters whose first value nobody can see; `looped` is false when the loop is elsewhere.
    `size` is the window that the loop was run for, `decisions` are what this world assumes of the switches,
    `chunked` says that a loop cuts its batches into micro-batches, or means to divide its losses. `faults` are calls
    on `None` in this world,
    `accident` is when a rare way out was taken (number of the next event, turn), `way_out` the guard that did.
    `spared` are models whose `train()` a switch has left out, with the number of the next event, `renewed` those that
    may be others from there on. `samples` says that windows are counted in samples, or words, of which each batch may
    have another number. `dated` is what the file says that no PyTorch since 0.4 knows, one is `early` that reads rates
    as before 1.4.
    `noted` are the rows of loops that note the rate of a schedule in each turn, `searches` those of functions that
    return what they have noted so.
    """

    function: str
    events: tuple[Event, ...]
    books: tuple[Book, ...]
    looped: bool
    windows: dict[str, int]
    starts: frozenset[str]
    truncated: bool = False
    uncalled: tuple[tuple[Span, str, str], ...] = ()
    clears: bool = True
    unscales: bool = True
    switches: frozenset[int] = frozenset()
    freezes: bool = True
    averages_ranks: bool = False
    looks: bool = True
    size: int = 0
    decisions: tuple[tuple[str, bool], ...] = ()
    chunked: bool = False
    faults: tuple[str, ...] = ()
    accident: tuple[int, Stamp] | None = None
    way_out: str = ""
    spared: tuple[tuple[int, str], ...] = ()
    samples: bool = False
    renewed: tuple[tuple[int, str], ...] = ()
    dated: str = ""
    early: bool = False
    noted: frozenset[int] = frozenset()
    searches: frozenset[int] = frozenset()

    @property
    def off(self) -> frozenset[str]:
        """The switches that this world has off."""
        return frozenset(key for key, on in self.decisions if not on)

    def of(self, *kinds: Kind) -> list[Event]:
        """All events of some kinds, in order."""
        return [event for event in self.events if event.kind in kinds]

    def times(self, number: int, update: Update) -> str:
        """A window's size in words: its name where the source has one (the step's guard's first), or `accum - 1`."""
        sizes = self.windows.values()
        for more, words in ((1, " + 1"), (-1, " - 1")):
            if number > 1 and number not in sizes and number - more > 1 and number - more in sizes:
                name = self.times(number - more, update)
                return str(number) if name.isdecimal() else f"{name}{words}"
        text = update.guard.text if update.guard is not None else ""
        keys = [key for key, value in self.windows.items() if value == number]
        names = [name.split(").")[-1] for name in keys]
        names = [found[1] if (found := _QUOTIENT.fullmatch(name)) else name for name in names]
        names = [_short(name) for name in names]
        names = [name for name in names if len(name) <= 40 and not name.endswith(")")]
        names.sort(key=lambda name: (tail(name) not in text, len(name)))
        if not names and keys:  # `accum = config.get("accum", 1)`: by its variable, else by the setting
            names = [*_LIMIT.findall(text), *(name for key in keys for name in _settings(key))]
        return names[0] if names else str(number)


_QUOTIENT = re.compile(r"\((\w[\w.]* //? \w[\w.]*)\)")
_LIMIT = re.compile(r"(?:%|==|>=) *([A-Za-z_]\w*(?:\.\w+)*)(?![\w.(\[])")
_SETTING = re.compile(r"""['"]([A-Za-z_][\w.-]*)['"]""")
_ENTRY = re.compile(r"""\[['"]([A-Za-z_][\w.-]*)['"]\]$""")


def _short(name: str) -> str:
    """Without what owns it: of `self.config.batch_size // self.config.micro` what is divided by what."""
    if " / " in name or " // " in name:
        return re.sub(r"\w+(?:\.\w+){2,}", lambda found: tail(found[0]), name)
    return tail(name) if name.count(".") > 1 or ")[" in name else name


def _settings(key: str) -> list[str]:
    """The settings in a key: of `load("main")["train"]["accum"]` the entry that is read last."""
    found = _ENTRY.search(key)
    return [found[1]] if found else _SETTING.findall(key)


def tail(name: str) -> str:
    """The last component of a name or key."""
    return re.split(r"[.\[]", name)[-1].strip("'\"]")


def window_names(windows: Iterable[str]) -> frozenset[str]:
    """What windows are called in a loop: the keys they have, and the last components of these."""
    return frozenset(windows) | {tail(name) for name in windows}


@dataclass(frozen=True, slots=True)
class Hit:
    """A mistake at a place in one world.

    `doubts` are reasons to be less than sure; `subject` names whose books are wrong, so that
    rules which `yield_to` others can stand back; `update` is where the evidence is read from.
    A mistake that `stands` would be left when those others are mended: it never stands back. What would excuse it
    happens in its `stretch`, from one event's number to another's; without one there is no excuse.
    """

    span: Span
    message: str
    why: str
    impact: str
    subject: str = ""
    related: tuple[Related, ...] = ()
    evidence: Evidence | None = None
    doubts: tuple[str, ...] = ()
    repairs: tuple[Repair, ...] = ()
    stands: bool = False
    stretch: tuple[int, int] | None = None


class Rule(ABC):
    """One rule; the class attributes are its entry in the table of rules.

    `reason` says why its repair is safe or unsafe, `effect` what the repair changes in training. `mends`
    are the kinds of events that a repair may add and take away; of all others as many must be left. It `speaks` of the
    fields of the ledger that a safe repair changes, to what they mean; all others stay as they are. What it finds is
    `excused_by` these deeds, where they may happen out of sight (`gradlint.excuses`). A `rare` one is asked about the
    rare ways out, too.
    """

    name: ClassVar[str]
    category: ClassVar[str]
    severity: ClassVar[Severity]
    safety: ClassVar[Safety]
    summary: ClassVar[str]
    default: ClassVar[bool] = True
    absence: ClassVar[bool] = False
    rare: ClassVar[bool] = False
    yields_to: ClassVar[frozenset[str]] = frozenset()
    mends: ClassVar[frozenset[Kind]] = frozenset()
    speaks: ClassVar[frozenset[Field]] = frozenset()
    excused_by: ClassVar[frozenset[Deed]] = frozenset()
    reason: ClassVar[str] = ""
    effect: ClassVar[str] = ""

    @abstractmethod
    def check(self, case: Case) -> Iterator[Hit]:
        """Every mistake of this kind in one world."""

    def cleared(self, case: Case) -> Iterable[Span]:
        """Sites at which what this rule misses does happen (absence rules only)."""
        return ()


@cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule in `gradlint/rules/`, by category and name."""
    from gradlint import rules

    found: list[Rule] = []
    for module in pkgutil.iter_modules(rules.__path__):
        loaded = importlib.import_module(f"gradlint.rules.{module.name}")
        found += [
            value()
            for value in vars(loaded).values()
            if isinstance(value, ABCMeta) and issubclass(value, Rule) and value.__module__ == loaded.__name__
        ]
    return tuple(sorted(found, key=lambda rule: (rule.category, rule.name)))


# ------------------------------------------------------------------- words for messages


def line(event: Event) -> str:
    """`line 12`."""
    return f"line {event.span.row}"


def related(event: Event, message: str) -> Related:
    """Another line of the mistake."""
    return Related(event.span, message)


def place(event: Event, against: Event) -> Span:
    """Where an event is out of place against another.

    Its own line, or, when it happens inside a helper that the other is not in, the call of that helper.
    """
    shared = 0
    for one, two in zip(event.calls, against.calls, strict=False):
        if one != two:
            break
        shared += 1
    return event.calls[shared] if shared < len(event.calls) else event.span


def spot(case: Case, event: Event, against: Event) -> Span:
    """Where a mistake stands that an event makes.

    The call of a helper that does nothing else (`clip(model)` comes too early); in a helper that does
    more, or one that runs the schedule, the statement in it.
    """
    call = place(event, against)
    if call == event.span:
        return call
    depth = event.calls.index(call) + 1
    kinds = {
        other.kind
        for other in case.events
        if other.calls[:depth] == event.calls[:depth] and other.stamp == event.stamp and other.kind in _BOOKED
    }
    only = kinds <= {event.kind, Kind.UNSCALE} and event.kind is not Kind.SCHEDULE
    return call if only else event.span


_BOOKED = frozenset({Kind.ZERO, Kind.BACKWARD, Kind.UNSCALE, Kind.CLIP, Kind.STEP, Kind.UPDATE, Kind.SCHEDULE})


def inside(event: Event, span: Span, against: Event | None = None) -> tuple[Related, ...]:
    """The event itself, when the finding stands at the call of its helper; that call, when it stands in the helper."""
    if span != event.span:
        return (Related(event.span, "it happens here"),)
    call = span if against is None else place(event, against)
    return () if call == span else (Related(call, "it is called here"),)


def guard_related(update: Update) -> tuple[Related, ...]:
    """The guard around the step, when it has one of its own."""
    guard = update.guard
    return () if guard is None else (Related(guard.span, "the window ends here"),)


def used_forwards(case: Case) -> set[int]:
    """The forwards, by their number, that some backward goes through."""
    return {
        number
        for event in case.of(Kind.BACKWARD)
        if isinstance(event.detail, Backward)
        for number in event.detail.forwards
        if isinstance(detail := case.events[number].detail, Forward) and detail.attached
    }


def wasted_forwards(case: Case) -> set[int]:
    """The forwards whose gradients no step uses, as those of an attack on the network, which are cleared again."""
    gathered = {number for book in case.books for item in book.gathered() for number in item.detail.forwards}
    updates = [update for book in case.books for update in book.updates]
    return gathered - {number for update in updates for item in update.consumed for number in item.detail.forwards}


def owns(params: frozenset[str] | None, root: str) -> bool | None:
    """Whether an optimizer that was built with parameters of these models has some of this one's; `None`: unknown."""
    if not params:
        return None
    return any(related_parts(one, root) for one in params)


def called(name: str) -> str:
    """An object's name as the source has it.

    `optimizer` for `optimizer#1`, `Adam` for an unnamed one, `self.optimizer` for what an unnamed
    object of the file's own class holds, `optimizer` for `make(args)['optimizer']`.
    """
    if ")[" in name:
        return tail(name)
    owner, dot, attribute = name.partition(".")
    if dot and owner.startswith("new:"):
        name = f"self.{attribute}"
    return name.removeprefix("new:").split("@")[0].split("#")[0]


NO_WINDOW = ("the guard around the step cannot be computed", "nothing shows that the loop means to accumulate")
"""What is doubtful of an update whose window nobody can tell."""


def doubts(update: Update, case: Case) -> tuple[str, ...]:
    """Why a finding about this update might be wrong, but for what happens out of sight."""
    found: list[str] = []
    if update.unsure:
        found.append(NO_WINDOW[0])
    if not all(item.sure for item in (*update.consumed, *update.stale)):
        found.append("several optimizers share this backward")
    if len(update.batches) > 1 and not update.windowed:
        found.append(NO_WINDOW[1])
    managed = any(_counted_by(item.detail) is not None for item in update.consumed)
    if managed and _take_turns(case, update) and not (update.detail.params and _counted_once(case)):
        found.append("Accelerate counts the micro-batches of several optimizers")
    elif managed and _several_each(case):
        found.append("Accelerate counts several backwards of one batch")
    if case.truncated:
        found.append("the loop is too long to run to its end")
    return (*found, *dict.fromkeys(said for _, zero in update.wiped for said in partly_cleared(zero, update)))


def _several_each(case: Case) -> bool:
    """True when a batch goes backward at two places, each under an `accumulate` of its own: both are counted."""
    first: dict[Stamp, int] = {}
    for event in case.of(Kind.BACKWARD):
        number = _counted_by(event.detail) if isinstance(event.detail, Backward) else None
        if number is not None and first.setdefault(event.stamp, number) != number:
            return True
    return False


def _counted_once(case: Case) -> bool:
    """True when all backwards of a batch stand in one `accumulate`, and each batch has its own: so is each counted."""
    counts: dict[Stamp, int | None] = {}
    for event in case.of(Kind.BACKWARD):
        if isinstance(event.detail, Backward):
            batches = [place for place, turn in enumerate(event.stamp, 1) if turn.kind == "batch"]
            number = _counted_by(event.detail)
            if not batches or counts.setdefault(event.stamp[: batches[-1]], number) != number:
                return False
    return None not in counts.values() and len(set(counts.values())) == len(counts)


def _counted_by(backward: Backward) -> int | None:
    return backward.counted if backward.framework == "accelerate" else None


def _take_turns(case: Case, update: Update) -> bool:
    """True when another optimizer is at work while this update's is: that of the next fold comes afterwards."""
    spans = {book: _lifetime(book) for book in case.books if book.updates}
    own = next((book for book in spans if update in book.updates), None)
    if own is None:
        return len(case.books) > 1
    start, end = spans[own]
    return any(book is not own and first <= end and start <= last for book, (first, last) in spans.items())


def _lifetime(book: Book) -> tuple[int, int]:
    """The places in the trail of an optimizer's first gradient and of its last step."""
    numbers = [item.event.number for item in book.updates[0].consumed]
    return min(numbers, default=book.updates[0].step.number), book.updates[-1].step.number


def brought_back(update: Update, zero: Event) -> bool:
    """Whether gradients that were kept are put back before the step (an attack, a projection, private training)."""
    later = [write.detail for write in update.writes if write.number > zero.number]
    return any(isinstance(detail, Write) and detail.brought for detail in later)


def partly_cleared(zero: Event, update: Update) -> Iterator[str]:
    """Doubts about a zero: one of parameters that nobody can see leaves the others theirs, and it may begin a sum."""
    over = zero.detail.over if isinstance(zero.detail, Zero) else ""
    if over and update.detail.given != over:
        yield f"{line(zero)} may clear some of the parameters only"
    begins = isinstance(zero.detail, Zero) and zero.detail.hand_written
    later = [write for write in update.writes if write.number > zero.number] if begins else []
    filled = next((one for one in later if isinstance(one.detail, Write) and one.detail.adds), None)
    if filled is not None:
        yield f"{line(filled)} fills gradients by hand"


def cleared_later(book: Book) -> bool:
    """Whether gradients that several steps use are cleared in their own loop after all: now and then."""
    return any(len(zero.stamp) >= len(one.step.stamp) for one in book.updates for zero in one.zeros)


def rewrites_spent(update: Update, write: Event) -> bool:
    """Whether this optimizer's gradients are written by hand at a time at which no fresh one is there."""
    if isinstance(write.detail, Write) and write.detail.factor.weight == 1:
        return False
    fresh = any(item.order < write.number for item in update.consumed)
    mistaken = update.wiped and not update.stale and _scales(write)  # they were meant, and cleared too early
    return not (fresh or mistaken) and _whose(update, write)


def _scales(write: Event) -> bool:
    """Whether a write multiplies by a number that is known, rather than putting something else there."""
    return isinstance(write.detail, Write) and write.detail.factor.weight is not None


def _whose(update: Update, write: Event) -> bool:
    """Whether a write may concern the parameters of an update, as far as can be seen."""
    params = update.detail.params
    roots = write.detail.roots if isinstance(write.detail, Write) else None
    return not (params and roots) or any(owns(params, root) for root in roots)


def stretch(update: Update) -> tuple[int, int]:
    """The numbers of the first and the last event of an update: from the step before to its own."""
    return (update.previous.number + 1 if update.previous is not None else 0, update.step.number)


def window_stretch(update: Update) -> tuple[int, int]:
    """The same, from its first backward on: what a caller does before the loop is left out."""
    items = (*update.consumed, *(item for item, _ in update.wiped))
    return (min((item.event.number for item in items), default=update.step.number), update.step.number)


def intends_window(case: Case, update: Update) -> bool:
    """True when the source plainly counts micro-batches: a modulus, a counter, or a named window."""
    guard = update.guard
    if guard is not None and guard.plain and guard.text:
        return True
    if len(update.batches) > 1 and all(item.detail.counted for item in update.consumed):
        return True  # Accelerate counts them
    return case.chunked or any(WINDOW_NAME.search(name) for name in case.windows)


def divided_twice(case: Case) -> list[tuple[Event, str, str]]:
    """Backwards whose loss the loop has divided by the window that the library divides by: window and library, too.

    A loop that steps DeepSpeed's engine less often than it runs backward has a window of its own.
    """
    backwards = [(event, event.detail) for event in case.of(Kind.BACKWARD) if isinstance(event.detail, Backward)]
    steps = [event for event in case.of(Kind.STEP) if isinstance(event.detail, Step) and event.detail.via == "engine"]
    found: dict[Span, tuple[Event, str, str]] = {}
    for event, detail in backwards:
        if detail.twice:
            found.setdefault(event.span, (event, detail.twice, "Accelerate"))
        if detail.framework == "engine" and len(backwards) == len(steps):
            for name in filter(WINDOW_NAME.search, detail.factor.texts):
                found.setdefault(event.span, (event, name, "DeepSpeed"))
    return list(found.values())


def by_engine(case: Case) -> list[tuple[Event, Event, str]]:
    """Moves of the loop's own schedule beside every step of an engine that accumulates, with step and window."""
    backwards = [event.detail for event in case.of(Kind.BACKWARD) if isinstance(event.detail, Backward)]
    steps = [event for event in case.of(Kind.STEP) if isinstance(event.detail, Step)]
    parts = {part.number for detail in backwards for part in detail.factor.parts if part.library == "DeepSpeed"}
    engines = all(event.detail.via == "engine" for event in steps if isinstance(event.detail, Step))
    if len(parts) != 1 or not engines or len(backwards) != len(steps):
        return []
    found: dict[str, tuple[Event, Event, str]] = {}
    for move in case.of(Kind.SCHEDULE):
        own = isinstance(move.detail, Schedule) and move.detail.origin == "made" and not move.detail.framework
        step = next((step for step in steps if step.stamp == move.stamp and step.guards == move.guards), None)
        if own and step is not None and not getattr(move.detail, "positional", True):
            found.setdefault(move.subject, (move, step, str(1 / min(parts))))
    return list(found.values())


def made_longer(case: Case, move: Event, step: Event) -> Iterator[str]:
    """A doubt, when the schedule was made that many times longer: it may count micro-batches on purpose.

    `total_steps=epochs * len(loader)` has one move for each batch; divided by the window it has not.
    """
    detail = move.detail if isinstance(move.detail, Schedule) else None
    made = detail.made if detail is not None else ""
    if detail is not None and detail.long:
        yield "the schedule is as long as all batches"
    if detail is not None and detail.origin == "factory":
        yield "how long the schedule was made cannot be seen"
    asked = (name for guard in step.guards for name in re.findall(r"%\s*([A-Za-z_][\w.]*)", guard.text))
    if detail is not None and detail.cls in ("MultiStepLR", "StepLR") and re.search(r"\b\d{4,}\b|\b\d+e[3-9]\b", made):
        yield "so large numbers may be counted in batches"
    names = "|".join({re.escape(tail(name)) for name in (*case.windows, *asked)})
    if names and re.search(rf"\*\s*(?:\w+\.)*(?:{names})\b|\b(?:{names})\s*\*", made):
        yield "the schedule was made for micro-batches"


def contradictory(one: Event, two: Event) -> bool:
    """True when two events stand under different open guards that may exclude each other."""
    shared = {guard.span for guard in one.guards} & {guard.span for guard in two.guards}
    first = [guard for guard in one.guards if not guard.known and guard.span not in shared]
    second = [guard for guard in two.guards if not guard.known and guard.span not in shared]
    return bool(first) and bool(second) and {guard.text for guard in first} != {guard.text for guard in second}


# ------------------------------------------------------------------------------ evidence


def evidence(update: Update, book: Book) -> Evidence:
    """An update as executed beside the update the loop means."""
    return Evidence(called(book.optimizer), book.window_of(update), executed_row(update, book), meant_row(update, book))


def ledgers(book: Book) -> tuple[Ledger, Ledger]:
    """A whole book as (executed, meant)."""
    name = called(book.optimizer)
    executed = tuple(executed_row(update, book) for update in book.updates)
    meant = tuple(meant_row(update, book) for update in book.updates)
    return Ledger(name, book.windows, executed), Ledger(name, book.windows, meant)


@dataclass(frozen=True, slots=True, eq=False)
class ClipSite:
    """All that happened at one clip call: (book, update or `None` after the last, clip)."""

    span: Span
    uses: list[tuple[Book, Update | None, Clip]] = field(default_factory=list)

    @property
    def useless(self) -> bool:
        """True when it never found a fresh gradient in any book."""
        return not any(clip.live for _, _, clip in self.uses)


def early_clip(update: Update) -> tuple[Clip, Event] | None:
    """The one clip of a window that stands in its last micro-batch before the last backward, with that backward.

    Where one micro-batch has several losses, it stands behind several of them: one alone may be clipped on purpose.
    """
    clips = [clip for clip in update.clips if not clip.detail.infinite]
    if len(clips) != 1 or len(update.consumed) < 2:
        return None
    last = update.consumed[-1].event
    stands = clips[0].event.number < last.number and real(clips[0].event.stamp) == real(last.stamp)
    inside = [item for item in update.consumed if item.batch == update.consumed[-1].batch]
    alone = len(inside) == 1 if len(update.consumed_batches) > 1 else _but_one(update, clips[0], last)
    return (clips[0], last) if stands and clips[0].live and alone else None


def _but_one(update: Update, clip: Clip, last: Event) -> bool:
    """Whether a clip holds the gradients of several losses, and only that of the last is missing."""
    before = {item.event.span for item in update.consumed if item.order < clip.event.number}
    behind = [item for item in update.consumed if item.order > clip.event.number]
    roots, models = clip.detail.roots or frozenset(), behind[0].detail.models if behind else frozenset()
    same = any(related_parts(one, other) for one in roots for other in models)
    functions = {last.function, clip.event.function, update.step.function}
    return len(before) > 1 and len(behind) == 1 and same and len(functions) == 1 and update.sure and not update.writes


def clip_sites(case: Case) -> list[ClipSite]:
    """Every clip call of a case; infinite limits only measure and are left out."""
    found: dict[Span, ClipSite] = {}
    for book in case.books:
        places: list[tuple[Update | None, Clip]] = [(update, clip) for update in book.updates for clip in update.clips]
        places += [(None, clip) for clip in book.trailing]
        for update, clip in places:
            if not clip.detail.infinite:
                site = found.setdefault(clip.event.span, ClipSite(clip.event.span))
                site.uses.append((book, update, clip))
    return list(found.values())
