"""Plans: the choices one run of the machine is made under.

Bindings and the window are global to a region: when a modulus or a counter shows that an unknown
number is a window, it is bound and everything starts over, so that divisors, sync and scheduler
tests then simply compute. Decisions belong to one scenario.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field, fields
from typing import Any

from gradlint.model.finding import Span
from gradlint.model.program import Const

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
    """A rare way out that is taken once: the guard of this text in this function, at its `turn`-th time (from 0).

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


@dataclass
class Plan:
    """What every scenario of a region shares.

    `bindings` gives values to symbolic keys, `windows` says which of them are windows, `starts`
    which are counters whose start nobody can see, `guessed` steps of counters taken as 1, `defaults` what
    the source has for a name where nobody gives another number.
    `loaders` are keys that a batch loop iterates, `groups` those that a loop over micro-batches does, `outer` those of
    loops around such loops.
    `named` are windows that have a name and a known number, `counts` the batches that a list of made-up
    data holds, `lengths` the loops over batches whose length was chosen, and how many times something it is. A
    loop that computes how long its tail is `asks` for it, and is run a second time with a long one. One that is
    `phased` asks for the first of a window (`i % n == 1`), one that is `shifted` steps where a window has begun (`i % n
    == 0`): what the usual loader leaves over is just what ends there. `chunked` is one that cuts its batches into
    micro-batches, or divides a loss and drops the quotient, one with `samples` counts its window in these.
    With `every_turn`, turns that have become alike are run nevertheless. `probe` are the sizes it was made for.
    Where a loop has refused sizes (`if len(loader) % n: raise`), it is run with others: with `whole` windows only, or
    with windows of 1; `refused` says how often which place did, `shown` which sizes a guard has shown.
    A run `ended` where a guard that is known to be true raised, or where what a loop should train on was empty.
    Where all did, before any backward, what was thought to be known was wrong (a list that somebody fills out of
    sight): a plan that `presses` on goes the other way, and takes the list for one that nobody knows.
    One was `stretched` where a number was the length of a list by chance.
    A `curious` one flips guards, too, on which only objects hang that the books do not depend on (a sampler).
    """

    bindings: dict[str, int] = field(default_factory=dict)
    windows: set[str] = field(default_factory=set)
    starts: set[str] = field(default_factory=set)
    guessed: set[str] = field(default_factory=set)
    defaults: dict[str, int] = field(default_factory=dict)
    asserted: Mapping[str, int] = field(default_factory=dict)
    loaders: set[str] = field(default_factory=set)
    groups: set[str] = field(default_factory=set)
    outer: set[str] = field(default_factory=set)
    measured: set[str] = field(default_factory=set)
    named: dict[str, int] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    lengths: dict[str, int] = field(default_factory=dict)
    window: int = DEFAULT_WINDOW
    long_tail: bool = False
    asks: bool = False
    phased: bool = False
    shifted: bool = False
    samples: bool = False
    chunked: bool = False
    every_iteration: bool = False
    curious: bool = False
    frozen: bool = False
    probe: Probe = PLAIN
    whole: bool = False
    stretched: bool = False
    refused: dict[Span, int] = field(default_factory=dict)
    shown: dict[Span, tuple[int, ...]] = field(default_factory=dict)
    seen: int = 0
    ended: bool = False
    presses: bool = False
    spent: int = 0

    def again(self, **changes: Any) -> Plan:
        """All that is known, in a plan of its own."""
        own = {one.name: copy(getattr(self, one.name)) for one in fields(self)}
        return Plan(**{**own, **changes})

    @property
    def usual(self) -> int:
        """The window where the source says nothing of it."""
        return self.window if self.long_tail else self.probe.window

    @property
    def knows_windows(self) -> bool:
        """Whether something in the source counts to a window, or asks where the epoch ends."""
        return bool(self.windows or self.seen or self.named or self.samples or self.chunked or self.asks)

    @property
    def batches(self) -> int:
        """Length of a loader: two windows, and what the probe leaves over."""
        if self.whole:
            return 2 * self.window
        return 2 * self.window + (max(1, self.window - 1) if self.long_tail else self.probe.rest)

    def length(self, key: str) -> int:
        """Batches of one loader: two windows, and a tail unless its known number leaves none."""
        if key not in self.counts:
            return self.batches
        return (2 + self.stretched) * self.window + self.counts[key] % self.window

    def stretch(self) -> None:
        """A number is the length of a loader, perhaps by chance: one of a known length is run a window longer.

        Raises:
            Restart: it is from now on.
        """
        if self.counts and not self.stretched and not self.frozen:
            self.stretched = True
            raise Restart

    def is_end(self, number: object) -> bool:
        """Whether a number is the length of a loader, or its last index."""
        lengths = {self.batches, *(self.length(key) for key in self.counts)}
        lengths.update(self.bindings[key] for key in self.lengths)
        return number in lengths or any(number == length - 1 for length in lengths)

    def bind(self, key: str, value: int) -> None:
        """Give a symbolic key a value, for good.

        Raises:
            Restart: always.
        """
        if not self.frozen:
            self.bindings[key] = value
            raise Restart

    def bind_length(self, key: str, count: int, times: int) -> None:
        """Give the length of a loop a number; that of one over batches, so many `times` something, fits the window."""
        self.bindings[key] = count
        if times:
            self.lengths[key] = times
            self._cut_all()

    def _cut_all(self) -> None:
        for key, times in self.lengths.items():
            self.bindings[key] = self.cut(times)

    def cut(self, times: int) -> int:
        """How long a loop is that runs so many `times` something: without a tail where that is whole windows."""
        return self.batches if times % self.window else 2 * self.window

    def bind_window(self, key: str) -> None:
        """Bind a key as a window of the usual size, or of its own where the source has a default for it.

        Raises:
            Restart: always.
        """
        if key not in self.bindings:
            if last_name(key) in self.asserted:
                self.bind(key, self.asserted[last_name(key)])
            self.windows.add(key)
            if 1 < self.default_of(key) <= MAX_DEFAULT and self.window == DEFAULT_WINDOW == self.usual:
                self._resize(self.default_of(key))
            self.bind(key, self.window)

    def note_default(self, name: str, default: object) -> None:
        """A parameter has a number as default."""
        value = default.value if isinstance(default, Const) else None
        if isinstance(value, int) and not isinstance(value, bool):
            self.defaults.setdefault(name, value)

    def default_of(self, key: str) -> int:
        """What the source has as default for a key, 0 where it has none."""
        return self.defaults.get(key) or self.defaults.get(last_name(key), 0)

    def refuse(self, where: Span, *, divides: bool) -> None:
        """Sizes are refused there: others are tried, and if none helps, those of before.

        Raises:
            Restart: there are others.
        """
        size, tries = self.seen or self.usual, self.refused.get(where, 0)
        ways = [*([(True, size)] if divides else []), *([(False, 1)] if self.windows else []), (False, size)]
        if self.frozen or tries >= len(ways):
            return
        self.refused[where] = tries + 1
        self.whole, window = ways[tries]
        self._resize(window)
        raise Restart

    def enlarge(self, name: str) -> None:
        """A size beside the windows has to be a multiple of one (`log_step % accum == 0`): it is, rather than they one.

        Raises:
            Restart: it was another one.
        """
        keys = [key for key in self.bindings if last_name(key) == name]
        for key in keys:
            if not self.frozen and key not in self.windows and self.bindings[key] % self.window:
                self.bindings[key] = self.window
                raise Restart

    def _resize(self, window: int) -> None:
        self.window = window
        for key in self.windows:
            self.bindings[key] = window
        self._cut_all()

    def count_samples(self, unit: str | None, limit: str | None) -> None:
        """A counter goes on by a batch's samples, whose number is `unit` or not known, up to `limit`: to the window.

        Raises:
            Restart: always, the first time.
        """
        if self.frozen or self.samples or unit in self.bindings:
            return
        if unit is not None:
            self.bindings[unit] = 1
        else:
            self.samples = True
            if limit is not None and limit not in self.bindings:
                self.windows.add(limit)
                self.bindings[limit] = self.window
        raise Restart

    def widen(self, window: int, where: Span | None = None) -> None:
        """Use a window that stands in the source; `where` is the guard that shows it.

        Raises:
            Restart: when it was another one.
        """
        if self.frozen or not 2 <= window <= MAX_WINDOW or window <= self.seen or (self.long_tail and self.windows):
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
        shown = self.shown.get(where, ())
        if len(shown) > GROWS:
            return False
        self.shown[where] = (*shown, window)
        if len(shown) < GROWS:
            return True
        self.seen = shown[0]
        self._resize(shown[0])
        raise Restart


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
