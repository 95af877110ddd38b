"""The oldest Python that a project runs on: repairs write nothing that it could not read.

Source may be newer than that, and is checked as it is: which Python runs a file is not ours to judge.
"""

from __future__ import annotations

import re

from gradlint.model.nearest import nearest

OLDEST, NEWEST = 7, 14


TARGETS = tuple(f"py3{minor}" for minor in range(OLDEST, NEWEST + 1))
"""What `target-version` may be, in the words of ruff."""


def unknown_target(name: str) -> str:
    """A message for a version that is none of `TARGETS`, with the one that is nearest."""
    minor = re.search(r"3\.?(\d{1,2})", name)
    near = f"py3{min(max(int(minor[1]), OLDEST), NEWEST)}" if minor else nearest(name, TARGETS)
    hint = f"did you mean {near!r}?" if near else f"known are {TARGETS[0]!r} to {TARGETS[-1]!r}"
    return f"unknown version {name!r}; {hint}"
