"""Plans: the choices one run of the machine is made under.

Bindings and the window are global to a region: when a modulus or a counter shows that an unknown
number is a window, it is bound and everything starts over, so that divisors, sync and scheduler
tests then simply compute. Decisions belong to one scenario.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from copy import copy
from dataclasses import field
from typing import Any

from gradlint.model.finding import Span
from gradlint.model.program import Const
from gradlint.model.record import dataclass
from gradlint.model.written import names_of

DEFAULT_WINDOW = 3
LARGE_WINDOW = 5
"""The window of a second look, with a tail that is longer than one."""
MAX_WINDOW = 64
MAX_DEFAULT = 8
"""A default up to here is the size of a window; a larger one is as good as any other number, and slow."""

GROWS = 3
"""So many sizes of windows, one larger than the other, may a guard show: `i == first + size - 1` shows no window."""


@dataclass(frozen=True, slots=True)
class Accident:
    """A rare way out that is taken once: the guard of this text in this function, at its `iteration`-th time (from 0).

    A second guard of the same text has a number behind it.
    """

    site: str
    iteration: int

    @property
    def guard(self) -> str:
        """The text of the guard."""
        return self.site.rpartition("@")[0]


@dataclass(frozen=True, slots=True)
class Probe:
    """The sizes a region is run with, and what goes wrong on the way.

    `window` is the size of windows that the source leaves open; `rest` how many micro-batches are left over at the
    end of an epoch; `accident` the way out that is taken.
    """

    window: int = DEFAULT_WINDOW
    rest: int = 1
    accident: Accident | None = None


PLAIN = Probe()
"""Windows of three, a tail of one, and all goes well."""


class Restart(Exception):
    """A binding was learned: run again under the changed plan."""


@dataclass(slots=True)
class Numbers:
    """Which keys stand for which numbers.

    `bindings` gives values to symbolic keys, `windows` says which of them are windows, `starts` which are counters
    whose start nobody can see, `guessed` steps of counters taken as 1, `defaults` what the source has for a name where
    nobody gives another number, `texts` the same of words, `asserted` what it says that a name is. `named` are windows
    that have a name and a known number, `shipped` switches as a file of settings has them, and nothing for
    what else is no table or list there. `units` has for each limit of a counter of samples what it goes on by in a
    batch, both empty where they have no name. `begun` are loops whose
    first number nobody can see, taken as 0, or as 1 where they count `from_one`.
    """

    bindings: dict[str, int] = field(default_factory=dict)
    windows: set[str] = field(default_factory=set)
    starts: set[str] = field(default_factory=set)
    guessed: set[str] = field(default_factory=set)
    defaults: dict[str, int] = field(default_factory=dict)
    asserted: Mapping[str, int] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    named: dict[str, int] = field(default_factory=dict)
    shipped: dict[str, bool | None] = field(default_factory=dict)
    units: dict[str, str] = field(default_factory=dict)
    begun: set[str] = field(default_factory=set)
    from_one: set[str] = field(default_factory=set)

    def default_of(self, key: str) -> int:
        """What the source has as default for a key, 0 where it has none."""
        return self.defaults.get(key) or self.defaults.get(last_name(key), 0)

    def is_zero(self, key: str) -> bool:
        """Whether a key is an option of the command line that is 0 where nobody gives it."""
        return "parse_args(" in key and self.defaults.get(last_name(key)) == 0

    def note_default(self, name: str, default: object) -> None:
        """A parameter has a number as default."""
        value = default.value if isinstance(default, Const) else None
        if isinstance(value, int) and not isinstance(value, bool):
            self.defaults.setdefault(name, value)


@dataclass(slots=True)
class Loops:
    """What loops go over, by keys.

    `loaders` are what a batch loop iterates, `groups` what one over micro-batches does, `outer` those of loops around
    such loops, `measured` those of which somebody asks the length. `counts` are the batches that a list of made-up data
    holds, `lengths` the loops over batches whose length was chosen, and how many times something it is.
    """

    loaders: set[str] = field(default_factory=set)
    groups: set[str] = field(default_factory=set)
    outer: set[str] = field(default_factory=set)
    measured: set[str] = field(default_factory=set)
    counts: dict[str, int] = field(default_factory=dict)
    lengths: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class Marks:
    """What a loop was seen to do.

    One that computes how long its tail is `asks` for it, and is run a second time with a long one. One that is `phased`
    asks for the first of a window (`i % n == 1`), one that is `shifted` steps where a window has begun (`i % n == 0`):
    what the usual loader leaves over is just what ends there. `chunked` is one that cuts its batches into
    micro-batches, or divides a loss and drops the quotient, one with `samples` counts its window in these. Windows of
    more than one may be `forbidden` by an option.
    """

    asks: bool = False
    phased: bool = False
    shifted: bool = False
    chunked: bool = False
    samples: bool = False
    forbidden: bool = False


@dataclass(slots=True)
class Tries:
    """What was tried where a loop refuses to go on.

    Where it refuses sizes (`if len(loader) % n: raise`), it is run with others; `refused` says how often which place
    did, `shown` which sizes a guard has shown. A run `ended` where a guard that is known to be true raised, or where
    what a loop should train on was empty. Where all did, before any backward, what was thought to be known was wrong (a
    list that somebody fills out of sight): a plan that `presses` on goes the other way, and takes the list for one that
    nobody knows. One that is `bound` takes the sizes for all that an option asks for: without it nothing trains.
    """

    refused: dict[Span, int] = field(default_factory=dict)
    shown: dict[Span, tuple[int, ...]] = field(default_factory=dict)
    ended: bool = False
    presses: bool = False
    bound: bool = False


@dataclass(frozen=True, slots=True)
class Options:
    """How a region is run: under which probe, and with a tail that is longer than one where it has a `long_tail`.

    With `every_iteration`, those that have become alike are run nevertheless. A `curious` run flips guards, too, on
    which only objects hang that the books do not depend on (a sampler).
    """

    probe: Probe = PLAIN
    long_tail: bool = False
    every_iteration: bool = False
    curious: bool = False


@dataclass(slots=True)
class Plan:
    """What every scenario of a region shares: the size of windows, and all that was learned of the region.

    A window that stands in the source was `seen`. The plan has `whole` windows only, no tail, where a loop refuses
    others; it was `stretched` where a number was the length of a list by chance. One that is `frozen` learns no more.
    Runs were `shortened` that left out what only a run of every iteration shows.
    """

    window: int = DEFAULT_WINDOW
    options: Options = Options()
    numbers: Numbers = field(default_factory=Numbers)
    loops: Loops = field(default_factory=Loops)
    marks: Marks = field(default_factory=Marks)
    tries: Tries = field(default_factory=Tries)
    whole: bool = False
    stretched: bool = False
    frozen: bool = False
    shortened: bool = False
    seen: int = 0
    spent: int = 0

    def again(self, options: Options, *, frozen: bool | None = None, spent: int | None = None) -> Plan:
        """All that is known, in a plan of its own."""
        own = {name: getattr(self, name) for name in names_of(Plan)}
        own |= {name: _own(part) for name, part in own.items() if isinstance(part, (Numbers, Loops, Marks, Tries))}
        frozen, spent = self.frozen if frozen is None else frozen, self.spent if spent is None else spent
        return Plan(**{**own, "options": options, "frozen": frozen, "spent": spent})

    def restart(self) -> None:
        """Start over under the changed plan.

        Raises:
            Restart: always, unless nothing changes any more.
        """
        if not self.frozen:
            raise Restart

    def below_nought(self) -> None:
        """A count has come out below 0, so a loop begins with 1: `len(loader) * (epoch - 1) + i`.

        Raises:
            Restart: where there is a loop whose first number was taken as 0.
        """
        if not self.numbers.begun <= self.numbers.from_one:
            self.numbers.from_one |= self.numbers.begun
            self.restart()

    @property
    def usual(self) -> int:
        """The window where the source says nothing of it."""
        return self.window if self.options.long_tail else self.options.probe.window

    @property
    def knows_windows(self) -> bool:
        """Whether something in the source counts to a window, or asks where the epoch ends."""
        return bool(
            self.numbers.windows
            or self.seen
            or self.numbers.named
            or self.marks.samples
            or self.marks.chunked
            or self.marks.asks
        )

    @property
    def batches(self) -> int:
        """Length of a loader: two windows, and what the probe leaves over."""
        if self.whole:
            return 2 * self.window
        return 2 * self.window + (max(1, self.window - 1) if self.options.long_tail else self.options.probe.rest)

    def length(self, key: str) -> int:
        """Batches of one loader: two windows, and a tail unless its known number leaves none."""
        if key not in self.loops.counts:
            return self.batches
        return (2 + self.stretched) * self.window + self.loops.counts[key] % self.window

    def stretch(self) -> None:
        """A number is the length of a loader, perhaps by chance: one of a known length is run a window longer.

        Raises:
            Restart: it is from now on.
        """
        if self.loops.counts and not self.stretched and not self.frozen:
            self.stretched = True
            raise Restart

    def is_end(self, number: object) -> bool:
        """Whether a number is the length of a loader, or its last index."""
        lengths = {self.batches, *(self.length(key) for key in self.loops.counts)}
        lengths.update(self.numbers.bindings[key] for key in self.loops.lengths)
        return number in lengths or any(number == length - 1 for length in lengths)

    def bind(self, key: str, value: int) -> None:
        """Give a symbolic key a value, for good.

        Raises:
            Restart: always.
        """
        if not self.frozen:
            self.numbers.bindings[key] = value
            raise Restart

    def bind_length(self, key: str, count: int, times: int) -> None:
        """Give the length of a loop a number; that of one over batches, so many `times` something, fits the window."""
        self.numbers.bindings[key] = count
        if times:
            self.loops.lengths[key] = times
            self._cut_all()

    def _cut_all(self) -> None:
        for key, times in self.loops.lengths.items():
            self.numbers.bindings[key] = self.cut(times)

    def cut(self, times: int) -> int:
        """How long a loop is that runs so many `times` something: without a tail where that is whole windows."""
        return self.batches if times % self.window else 2 * self.window

    def bind_window(self, key: str) -> None:
        """Bind a key as a window of the usual size, or of its own where the source has a default for it.

        Raises:
            Restart: always.
        """
        if key not in self.numbers.bindings:
            if last_name(key) in self.numbers.asserted:
                self.bind(key, self.numbers.asserted[last_name(key)])
            self.numbers.windows.add(key)
            if 1 < self.numbers.default_of(key) <= MAX_DEFAULT and self.window == DEFAULT_WINDOW == self.usual:
                self._resize(self.numbers.default_of(key))
            self.bind(key, self.window)

    def forbids(self, divides: bool) -> bool:
        """Whether an option that is on refuses this window, as it may: `if adversarial: assert accum == 1`.

        What it does beside windows of one is run apart.
        """
        if divides or self.frozen or self.window == 1 or not self.numbers.windows or self.tries.bound:
            return False
        self.marks.forbidden = True
        return True

    def refuse(self, where: Span, *, divides: bool) -> None:
        """Sizes are refused there: others are tried, and if none helps, those of before.

        Raises:
            Restart: there are others.
        """
        size, tries = self.seen or self.usual, self.tries.refused.get(where, 0)
        ways = [*([(True, size)] if divides else []), *([(False, 1)] if self.numbers.windows else []), (False, size)]
        if self.frozen or tries >= len(ways):
            return
        self.tries.refused[where] = tries + 1
        self.whole, window = ways[tries]
        self._resize(window)
        raise Restart

    def enlarge(self, name: str) -> None:
        """A size beside the windows has to be a multiple of one (`log_step % accum == 0`): it is, rather than they one.

        Raises:
            Restart: it was another one.
        """
        keys = [key for key in self.numbers.bindings if last_name(key) == name]
        for key in keys:
            if not self.frozen and key not in self.numbers.windows and self.numbers.bindings[key] % self.window:
                self.numbers.bindings[key] = self.window
                raise Restart

    def _resize(self, window: int) -> None:
        self.window = window
        for key in self.numbers.windows:
            self.numbers.bindings[key] = window
        self._cut_all()

    def count_samples(self, unit: str | None, limit: str | None) -> None:
        """A counter goes on by a batch's samples, whose number is `unit` or not known, up to `limit`: to the window.

        Raises:
            Restart: always, the first time.
        """
        if self.frozen or self.marks.samples or unit in self.numbers.bindings:
            return
        self.numbers.units[limit or ""] = unit or ""
        if unit is not None:
            self.numbers.bindings[unit] = 1
        else:
            self.marks.samples = True
            if limit is not None and limit not in self.numbers.bindings:
                self.numbers.windows.add(limit)
                self.numbers.bindings[limit] = self.window
        raise Restart

    def widen(self, window: int, where: Span | None = None) -> None:
        """Use a window that stands in the source; `where` is the guard that shows it.

        Raises:
            Restart: when it was another one.
        """
        if (
            self.frozen
            or not 2 <= window <= MAX_WINDOW
            or window <= self.seen
            or (self.options.long_tail and self.numbers.windows)
        ):
            return
        if where is not None and not self._is_steady(where, window):
            return
        self.seen = window
        if window != self.window:
            self._resize(window)
            raise Restart

    def _is_steady(self, where: Span, window: int) -> bool:
        """Whether a guard does not show more and more, as one that asks for a place in the epoch does.

        Raises:
            Restart: it does, which shows only now: what it has said so far but the first is taken back.
        """
        shown = self.tries.shown.get(where, ())
        if len(shown) > GROWS:
            return False
        self.tries.shown[where] = (*shown, window)
        if len(shown) < GROWS:
            return True
        self.seen = shown[0]
        self._resize(shown[0])
        raise Restart


def _own(part: Any) -> Any:
    """A part of a plan, for another plan to go on with."""
    return type(part)(**{name: copy(getattr(part, name)) for name in names_of(type(part))})


def last_name(key: str) -> str:
    """`accum` of `args.accum` and of `config['accum']`."""
    return re.split(r"[.\[]", key)[-1].strip("'\"]")


@dataclass(frozen=True, slots=True)
class Stride:
    """A loop over micro-batches that goes through the samples of a batch: `for i in range(0, stop, step)`.

    `name` is its variable, `step` and `stop` are keys, `depth` is its place among the loops that are running.
    """

    name: str
    step: str
    stop: str
    depth: int


@dataclass(frozen=True, slots=True)
class Fork:
    """A guard that could go either way: its key, how it went, and how much hangs on it."""

    key: str
    went: bool
    priority: int
