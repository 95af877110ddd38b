"""What an editor may ask for: initialization options, or the section `gradlint` of its settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gradlint.model.nearest import unknown

_WANTED = {
    "inlayHints": "true or false",
    "delay": "a number of milliseconds",
    "configuration": "the path of a configuration file",
}


@dataclass(frozen=True, slots=True)
class Options:
    """The editor's wishes.

    Attributes:
        hints: show the ledger at the line of each step.
        delay: milliseconds of rest after a key press before the text is checked.
        configuration: a configuration file that is used for every file; empty for the nearest one.
    """

    hints: bool = False
    delay: int = 200
    configuration: str = ""


def read(data: object) -> tuple[Options, tuple[str, ...]]:
    """The options in what the editor sent, and a complaint for each part that means nothing.

    Args:
        data: initialization options or settings, with or without the section's name around them.
    """
    if data is None:
        return Options(), ()
    if isinstance(data, Mapping) and "gradlint" in data:
        return read(data["gradlint"])
    if not isinstance(data, Mapping):
        return Options(), (f"the options must be an object, not {data!r}",)
    complaints = [unknown("option", str(key), _WANTED) for key in data if key not in _WANTED]
    hints, delay, configuration = (data.get(key) for key in _WANTED)
    good = {
        "inlayHints": isinstance(hints, bool),
        "delay": type(delay) is int and delay >= 0,
        "configuration": isinstance(configuration, str),
    }
    complaints += [
        f"the option '{key}' must be {wanted}, not {data[key]!r}"
        for key, wanted in _WANTED.items()
        if data.get(key) is not None and not good[key]
    ]
    options = Options(
        hints if isinstance(hints, bool) else Options().hints,
        delay if type(delay) is int and delay >= 0 else Options().delay,
        configuration if isinstance(configuration, str) else Options().configuration,
    )
    return options, tuple(complaints)
