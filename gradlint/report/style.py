"""What the reader's screen can show: colour or not, Unicode or not, and how wide."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gradlint.model.finding import Severity
from gradlint.model.record import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping

WIDEST = 100
_CODES = {"bold": 1, "dim": 2, "red": 31, "green": 32, "yellow": 33, "blue": 34, "cyan": 36}
_SEVERITIES = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.INFO: "cyan"}
TIMES = "\N{MULTIPLICATION SIGN}"
_ASCII = str.maketrans({"…": "~", "·": ".", "│": "|", "├": "|", "└": "`", "─": "-", "✓": "+", TIMES: "x"})


@dataclass(frozen=True, slots=True)
class Style:
    """How to draw. The default is a plain page: no colour, Unicode, 100 columns."""

    colour: bool = False
    unicode: bool = True
    width: int = WIDEST

    def paint(self, text: str, *looks: str) -> str:
        """`text` in the given looks: `bold`, `dim` or a colour's name."""
        if not self.colour or not text:
            return text
        codes = ";".join(str(_CODES[look]) for look in looks)
        return f"\x1b[{codes}m{text}\x1b[0m"

    def severity(self, severity: Severity, text: str) -> str:
        """`text` bold, in the colour of `severity`."""
        return self.paint(text, "bold", _SEVERITIES[severity])

    def glyphs(self, text: str) -> str:
        """`text` with its few drawing characters in ASCII where Unicode cannot be shown."""
        return text if self.unicode else text.translate(_ASCII)


def wants_colour(environ: Mapping[str, str], terminal: bool) -> bool:
    """Whether to colour: NO_COLOR and FORCE_COLOR decide, then whether it is a terminal."""
    if environ.get("NO_COLOR"):
        return False
    if environ.get("FORCE_COLOR"):
        return True
    return terminal and environ.get("TERM") != "dumb"


def printable(text: str) -> str:
    """`text` with characters that would steer a terminal, or break a line, replaced by `?`."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else "?" for char in text)
