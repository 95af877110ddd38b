"""A baseline: the findings that a code base is known to have, so that only new ones are reported.

    {"version": 1, "findings": [{"fingerprint": "...", "rule": "...", "path": "src/train.py", "message": "..."}]}

Paths are relative to the file's folder, so that it means the same wherever gradlint is started.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from gradlint.check.fingerprint import fingerprints
from gradlint.files.globs import inside
from gradlint.model.record import dataclass
from gradlint.model.settings import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gradlint.model.finding import Finding

    Read = Callable[[str, int | None], str]

VERSION = 1


@dataclass(frozen=True, slots=True)
class Baseline:
    """The known findings by fingerprint, each with the path it was found in."""

    known: dict[str, str]

    def new(self, findings: Sequence[Finding], prints: Sequence[str]) -> tuple[Finding, ...]:
        """The findings that are not known, given the fingerprint of each."""
        return tuple(one for one, mark in zip(findings, prints, strict=True) if mark not in self.known)


def namer(file: str) -> Callable[[str], str]:
    """What the baseline in `file` calls other files: their path from its folder, with slashes."""
    folder = os.path.dirname(os.path.abspath(file))
    return lambda path: inside(path, folder)


def render(findings: Sequence[Finding], read: Read, file: str) -> str:
    """The text of a baseline at `file` that knows `findings`."""
    name_of = namer(file)
    rows = [
        {"fingerprint": mark, "rule": one.rule, "path": name_of(one.path), "message": one.message}
        for one, mark in zip(findings, fingerprints(findings, read, name_of), strict=True)
    ]
    rows.sort(key=lambda row: (row["path"], row["rule"], row["fingerprint"]))
    return json.dumps({"version": VERSION, "findings": rows}, indent=2) + "\n"


def load(file: str) -> Baseline:
    """The baseline in `file`.

    Raises:
        ConfigError: it cannot be read, or is no baseline.
    """
    try:
        with open(file, encoding="utf-8") as stream:
            whole: Any = json.load(stream)
    except OSError as error:
        raise ConfigError(f"{file}: cannot be read: {error.strerror}; `--write-baseline` makes one") from None
    except ValueError:
        raise ConfigError(f"{file}: is not JSON; `--write-baseline` makes a baseline") from None
    if not isinstance(whole, dict) or whole.get("version") != VERSION or not isinstance(whole.get("findings"), list):
        raise ConfigError(f"{file}: is not a baseline of version {VERSION}; renew it with `--write-baseline`")
    rows = [row for row in whole["findings"] if isinstance(row, dict) and isinstance(row.get("fingerprint"), str)]
    return Baseline({row["fingerprint"]: str(row.get("path", "")) for row in rows})
