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

TOKENS = (b"backward", b"loss_scaler", b"NativeScaler")
"""A file that holds none of these has no training loop."""

WORK = (
    r"\.[\s\\]*(?:(?:manual_)?backward|(?:first_|second_|optimizer_)?step|update_params)[\s\\)]*\("
    r"|(?<!def )\b(?:backward|optimizer_step)[\s\\)]*\(|\bbackward\s+as\b|(?i:loss_?scaler)[\s\\)]*\("
)
"""Every spelling of a call that can add to gradients or spend them."""

MARK = b"gradlint:"
"""In every comment that addresses gradlint."""

_PROSE = (b"#", b">>>")


def promising(data: bytes) -> bool:
    """Whether a file's bytes can hold a training loop."""
    return any(token in data for token in TOKENS) and _works(data)


def _works(data: bytes) -> bool:
    """Whether something that works on gradients is called, outside of comments and examples in docstrings."""
    return any(not _is_prose(data, match.start()) for match in _pattern().finditer(data))


def _is_prose(data: bytes, at: int) -> bool:
    start = max(data.rfind(b"\n", 0, at), data.rfind(b"\r", 0, at)) + 1
    return data[start:at].lstrip().startswith(_PROSE)


_compiled: list[re.Pattern[bytes]] = []


def _pattern() -> re.Pattern[bytes]:
    if not _compiled:
        import re

        _compiled.append(re.compile(WORK.encode()))
    return _compiled[0]
