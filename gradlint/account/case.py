"""A case: one region in one scenario, as rules see it, and facts that several of them ask for."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from gradlint.model.books import Book, Update, related_parts
from gradlint.model.events import Backward, Event, Forward, Kind, Stamp
from gradlint.model.finding import Span


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """One region in one scenario.

    `windows` maps the names of symbolic windows to the value chosen for them; `starts` are
    counters whose first value nobody can see; `looped` is false when the loop is elsewhere.
    `size` is the window that the loop was run for, `decisions` are what this scenario assumes of the switches,
    `chunked` says that a loop cuts its batches into micro-batches, or means to divide its losses. `faults` are calls
    on `None` in this scenario,
    `accident` is when a rare way out was taken (number of the next event, turn), `way_out` the guard that did.
    `spared` are models whose `train()` a switch has left out, with the number of the next event, `renewed` those that
    may be others from there on. `samples` says that windows are counted in samples, or words, of which each batch may
    have another number. `dated` is what the file says that no PyTorch since 0.4 knows, one is `early` that reads rates
    as before 1.4.
    `noted` are the rows of loops that note the rate of a schedule in each iteration, `searches` those of functions that
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
        """The switches that this scenario has off."""
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
