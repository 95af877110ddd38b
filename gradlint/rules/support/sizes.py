"""Sizes in words: a window's as the source has it, and how much too large or too small something is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from gradlint.account.case import Case
from gradlint.account.names import tail
from gradlint.model.books import Update
from gradlint.model.pattern import pattern


def in_words(case: Case, number: int, update: Update) -> str:
    """A number of micro-batches: a window's name where the source has one (the step's guard's first), or `accum - 1`."""
    windows = case.scenario.windows
    sizes = windows.values()
    for more, words in ((1, " + 1"), (-1, " - 1")):
        if number > 1 and number not in sizes and number - more > 1 and number - more in sizes:
            name = in_words(case, number - more, update)
            return str(number) if name.isdecimal() else f"{name}{words}"
    text = update.guard.text if update.guard is not None else ""
    keys = [key for key, value in windows.items() if value == number]
    names = [_short(_without_brackets(key.split(").")[-1])) for key in keys]
    names = [name for name in names if len(name) <= 40 and not name.endswith(")") and not _NAMELESS.match(name)]
    names.sort(key=lambda name: (tail(name) not in text, len(name)))
    limits = set(_PERIOD.findall(text))
    if names and tail(names[0]) not in text and len(limits) == 1:
        names = [*limits]  # a helper calls it otherwise than who hands it over
    units = case.scenario.units
    counted = [units[key] for key in (keys or [""]) if key in units] if number in (case.scenario.size, *sizes) else []
    if counted:
        return f"{names[0]} / {counted[0]}" if names and _PLAIN.fullmatch(counted[0]) else SO_MANY
    if not names and keys:  # `accum = config.get("accum", 1)`: by its variable, else by the setting
        names = [*_LIMIT.findall(text), *_shares(text), *(name for key in keys for name in _settings(key))]
    return names[0] if names else str(number)


def first_in_words(case: Case, update: Update) -> str:
    """How many micro-batches the first window of a loop has, which may be so many whatever the window is."""
    guard = update.guard.text if update.guard is not None else ""
    number = len(update.batches)
    return str(number) if _FROM_A_NUMBER.search(guard) else in_words(case, number, update)


_FROM_A_NUMBER = pattern(r"-\s*\d+\s*\)\s*%|%\s*[\w.]+\s*==\s*[1-9]\d*\b")
"""Guards whose first window has as many micro-batches whatever the window is: `(i - 1) % n == 0`, `i % n == 1`."""


def share_in_words(case: Case, number: int, update: Update) -> str:
    """The same, or that of a window whose batches come in pieces: of so many of so many, the source has the one."""
    words = in_words(case, number, update)
    named = [size for size in case.scenario.windows.values() if 1 < size < number and number % size == 0]
    inside = [told for size in sorted(named) if not (told := in_words(case, size, update)).isdecimal()]
    return inside[-1] if words.isdecimal() and inside else words


SO_MANY = "N"
"""How many micro-batches a window has that counts samples, where these have no number and no name."""

_NAMELESS = pattern(r"(?:Table|Series|Partial|Context)\[")
"""An entry of what has no name of its own, only a kind."""

_PLAIN = pattern(r"[A-Za-z_]\w*(?:\.\w+)*")
_QUOTIENT = pattern(r"\((\w[\w.]* //? \w[\w.]*)\)")
_PERIOD = pattern(r"% *([A-Za-z_]\w*(?:\.\w+)*)(?![\w.(\[])")
_LIMIT = pattern(r"(?:%|==|>=) *([A-Za-z_]\w*(?:\.\w+)*)(?![\w.(\[])")
_SHARE = pattern(r"(?:%|==|>=) *(\([A-Za-z_][\w.]* //? [A-Za-z_0-9][\w.]*\))")
_SETTING = pattern(r"""['"]([A-Za-z_][\w.-]*)['"]""")
_ENTRY = pattern(r"""\[['"]([A-Za-z_][\w.-]*)['"]\]$""")


def _shares(text: str) -> list[str]:
    """What a guard counts to where that is a quotient, without what owns its parts where it is long."""
    found = [part[1:-1] for part in _SHARE.findall(text)]
    return [re.sub(r"[A-Za-z_][\w.]*", lambda name: tail(name[0]), one) if len(one) > 40 else one for one in found]


def _without_brackets(name: str) -> str:
    found = _QUOTIENT.fullmatch(name)
    return found[1] if found else name


def _short(name: str) -> str:
    """Without what owns it: of `self.config.batch_size // self.config.micro` what is divided by what."""
    if " / " in name or " // " in name:
        return re.sub(r"\w+(?:\.\w+){2,}", lambda found: tail(found[0]), name)
    return tail(name) if name.count(".") > 1 or ")[" in name else name


def _settings(key: str) -> Sequence[str]:
    """The settings in a key: of `load("main")["train"]["accum"]` the entry that is read last."""
    found = _ENTRY.search(key)
    return [found[1]] if found else _SETTING.findall(key)


def ratio(total: Fraction) -> str:
    """`3 times too large` for 3, `1.5 times too small` for 2/3.

    Args:
        total: what something is, measured by what it should be; positive.
    """
    return f"{_number(total)} times too large" if total > 1 else f"{_number(1 / total)} times too small"


def _number(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else f"{float(value):.3g}"
