"""The funnel: which files can hold a training loop, by their bytes alone.

    every file ──a token?──► few ──a call that works on gradients?──► fewer ──ast──► regions

Nearly every file of a tree falls through at the first question, which costs about as much as reading it.
Both questions may say yes too often, never no where the dry run would find something to run. This module
imports nothing: it is loaded before it is known whether anything else is needed.
"""

from __future__ import annotations

TYPE_CHECKING = False


if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Sequence


TOKENS = (b"backward", b"loss_scaler", b"NativeScaler")
"""A file that holds none of these has no training loop."""


WORK = (
    r"\.[\s\\]*(?:(?:manual_)?backward|(?:first_|second_|optimizer_)?step|update_params)[\s\\)]*\("
    r"|(?<!def )\b(?:backward|optimizer_step)[\s\\)]*\(|\bbackward\s+as\b|(?i:loss_?scaler)[\s\\)]*\("
)
"""Every spelling of a call that can add to gradients or spend them."""


MARK = b"gradlint:"
"""In every comment that addresses gradlint."""


PARSED = 250_000
"""Files without a loop are parsed, so that a broken one is told, until a run has parsed so many bytes of them.

A small project is looked through whole. A large tree is not the place to look for errors of syntax, and parsing
it would take ten times as long as everything else.
"""


_ENDINGS = (b"backward", b"step", b"update_params", b"caler")


_OPENING = r"[\s\\)]*\(|\s+as\b"


STRINGS = (
    r'"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*"""|\'\'\'[^\'\\]*(?:(?:\\.|\'(?!\'\'))[^\'\\]*)*\'\'\''
    r'|"[^"\\\n]*(?:\\.[^"\\\n]*)*"|\'[^\'\\\n]*(?:\\.[^\'\\\n]*)*\'|#[^\r\n]*'
)


def promising(data: bytes, words: Sequence[str] = ()) -> bool:
    """Whether a file's bytes can hold a training loop.

    Args:
        data: the file.
        words: names that a project has for what works on gradients.
    """
    if any(word.encode() in data for word in words):
        return True
    held = TOKENS[0] in data or (_ENDINGS[-1] in data and any(token in data for token in TOKENS))
    return held and _works(data)


def _works(data: bytes) -> bool:
    """Whether something that works on gradients is called: not in a comment, a docstring or another string."""
    if not _spelled(data):
        return False
    places = sorted({at for word, text in _sources(data) for at in _places(text, word)})
    work = _pattern(WORK)
    start = 0
    for match in _pattern(f"(?s:{STRINGS})").finditer(data):
        end = match.start()
        if _any_between(places, start, end) and work.search(data, start, end):
            return True
        start = match.end()
        if start > places[-1]:
            return False
    return work.search(data, start) is not None


def _sources(data: bytes) -> list[tuple[bytes, bytes]]:
    """What every spelling of a call that works holds, and where to look for it; one of them in any case."""
    return [(word, data) for word in _ENDINGS[:-1]] + [(_ENDINGS[-1], data.lower())]


def _places(data: bytes, word: bytes) -> Iterator[int]:
    at = data.find(word)
    while at >= 0:
        yield at
        at = data.find(word, at + 1)


def _any_between(places: list[int], start: int, end: int) -> bool:
    from bisect import bisect_left

    at = bisect_left(places, start)
    return at < len(places) and places[at] < end


def _spelled(data: bytes) -> bool:
    """Whether a call that works on gradients is spelled anywhere; far cheaper than to look at every byte."""
    return any(True for _ in spellings(data))


def spellings(data: bytes) -> Iterator[int]:
    """Where calls that work on gradients are spelled, comments and strings included."""
    opening, work = _pattern(_OPENING), _pattern(WORK)
    for ending in _ENDINGS:
        at = data.find(ending)
        while at >= 0:
            end = at + len(ending)
            opened = opening.match(data, end)
            if opened and work.search(data, max(0, at - 60), opened.end()):
                yield at
            at = data.find(ending, end)


_compiled: dict[str, re.Pattern[bytes]] = {}


def _pattern(text: str) -> re.Pattern[bytes]:
    if text not in _compiled:
        import re

        _compiled[text] = re.compile(text.encode())
    return _compiled[text]
