"""Draws docs/terminal.svg: what gradlint really prints about a shipped loop, as on a dark terminal.

python docs/picture.py            # draw it
python docs/picture.py --check    # fail if it is not what would be drawn
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from xml.sax.saxutils import escape

ROOT = Path(__file__).parents[1]
FILE = ROOT / "docs" / "terminal.svg"
WORDS = ("check", "fixtures/unscaled-accumulation-loss/buggy.py")
COLUMNS = 100
CELL, LINE, PAD, BAR = 8.4, 19, 18, 34
COLOURS = {31: "#ff7b72", 32: "#7ee787", 33: "#e3b341", 34: "#79c0ff", 36: "#76e3ea"}
HARD = "\u00a0"  # a space that no renderer takes away
_CODE = re.compile(r"\x1b\[([\d;]*)m")


def printed() -> list[str]:
    """The command and what it prints, in colour."""
    environment = {**os.environ, "FORCE_COLOR": "1", "COLUMNS": str(COLUMNS), "PYTHONIOENCODING": "utf-8"}
    environment.pop("NO_COLOR", None)
    command = [sys.executable, "-m", "gradlint", *WORDS]
    ran = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=False)
    return [f"\x1b[2m$\x1b[0m gradlint {' '.join(WORDS)}", *ran.stdout.decode().rstrip("\n").split("\n")]


def runs(line: str) -> list[tuple[str, int, str]]:
    """(style, column, text) of each stretch of a line."""
    style, column, out = "", 0, []
    for number, piece in enumerate(_CODE.split(line)):
        if number % 2:
            style = styled([int(code) for code in piece.split(";") if code])
        elif piece:
            out.append((style, column, piece))
            column += len(piece)
    return out


def styled(codes: list[int]) -> str:
    """The attributes of SVG for the codes of a terminal."""
    parts = [f'fill="{COLOURS[code]}"' for code in codes if code in COLOURS]
    parts += ['font-weight="bold"'] if 1 in codes else []
    parts += ['opacity="0.6"'] if 2 in codes else []
    return " ".join(parts)


def drawn(lines: list[str]) -> str:
    """The picture; every stretch has its place and length, so that any fixed-width font will do."""
    width, height = COLUMNS * CELL + 2 * PAD, len(lines) * LINE + BAR + PAD
    body = [
        f'<text x="{PAD + column * CELL:.1f}" y="{BAR + number * LINE + 14}" '
        f'textLength="{len(text) * CELL:.1f}" {style}>{escape(text.replace(" ", HARD))}</text>'.replace(" >", ">")
        for number, line in enumerate(lines)
        for style, column, text in runs(line)
        if text.strip()
    ]
    dots = [f'<circle cx="{PAD + 6 + 18 * number}" cy="17" r="5.5" fill="#6e7681"/>' for number in range(3)]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" role="img" '
        f'font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" fill="#e6edf3">'
    )
    title = "<title>gradlint reports a loss that is never divided by the accumulation window</title>"
    back = f'<rect width="{width:.0f}" height="{height}" rx="8" fill="#0d1117"/>'
    return "\n".join([head, title, back, *dots, *body, "</svg>"]) + "\n"


def main() -> int:
    """Draw the picture, or compare it."""
    text = drawn(printed())
    if "--check" in sys.argv[1:]:
        return int(FILE.read_text(encoding="utf-8") != text)
    FILE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
