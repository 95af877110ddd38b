"""Writes docs/libraries.md: the calls that gradlint knows, out of their records.

python docs/libraries.py            # write it
python docs/libraries.py --check    # fail if it is not what would be written
"""

from __future__ import annotations

import sys
from pathlib import Path

from gradlint.libraries.page import page

FILE = Path(__file__).with_name("libraries.md")


def main() -> int:
    """Write the page, or compare it."""
    if "--check" in sys.argv[1:]:
        return int(FILE.read_text(encoding="utf-8") != page())
    FILE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
