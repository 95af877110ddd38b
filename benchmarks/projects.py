"""Labelled projects of several files, each in a wrong and a right version: what `gradlint check` says of them.

    python benchmarks/projects.py [SET...]      recall by where the other half of a mistake stands, false alarms

Every mistake needs two files or more to be seen. It is found when a finding of its rule stands on one of its lines, or
has one among its related places. A finding on a right version is wrong; on a wrong one, of a rule that is not labelled
there, it is told and counts neither way. Each version is checked in a folder of its own, outside of this repository.
"""

from __future__ import annotations

import functools
import json
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

out = functools.partial(print, flush=True)
PROJECTS = Path(__file__).resolve().parent / "projects"


@dataclass
class Score:
    """What was found of a set, by scope, and which right versions were flagged."""

    found: Counter[str] = field(default_factory=Counter)
    mistakes: Counter[str] = field(default_factory=Counter)
    right: int = 0
    flagged: int = 0


def said(folder: Path) -> list[dict[str, Any]]:
    """The findings of one version of a project, as `check --output-format json` gives them."""
    with tempfile.TemporaryDirectory() as room:
        copy = shutil.copytree(folder, Path(room) / folder.parent.name)
        command = [sys.executable, "-P", "-m", "gradlint", "check", "--no-cache", "--output-format", "json", "."]
        ran = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)  # noqa: S603  # gradlint
    if ran.returncode > 1:
        raise SystemExit(f"{folder}: {ran.stderr}")
    found: list[dict[str, Any]] = json.loads(ran.stdout)["findings"]
    return found


def places(finding: dict[str, Any]) -> Iterator[tuple[str, int]]:
    """Where a finding stands, and its related places."""
    for one in (finding, *finding["related"]):
        yield Path(one.get("path") or finding["path"]).as_posix(), one["row"]


def score(folder: Path) -> Score:
    """Check every version of every project of a set, and tell what is missed, wrong or unlabelled."""
    total = Score()
    for line in (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines():
        label = json.loads(line)
        where = f"{label['project']}/{label['version']}"
        findings = said(folder / label["project"] / label["version"])
        for mistake in label["mistakes"]:
            total.mistakes[mistake["scope"]] += 1
            wanted = {(file, row) for file, row in mistake["lines"]} | {(mistake["file"], mistake["line"])}
            hit = any(one["rule"] == mistake["rule"] and wanted & set(places(one)) for one in findings)
            total.found[mistake["scope"]] += hit
            if not hit:
                out(f"MISSED {where} {mistake['file']}:{mistake['line']} {mistake['rule']} ({mistake['scope']})")
        labelled = {mistake["rule"] for mistake in label["mistakes"]}
        word = "FALSE" if label["version"] == "right" else "UNLABELLED"
        for one in findings:
            if one["rule"] not in labelled:
                out(f"{word} {where} {one['path']}:{one['row']} {one['rule']}: {one['message']}")
        total.right += label["version"] == "right"
        total.flagged += label["version"] == "right" and bool(findings)
    return total


def main() -> None:
    """Score the sets that are named, or all."""
    names = sys.argv[1:] or sorted(path.name for path in PROJECTS.iterdir())
    for name in names:
        total = score(PROJECTS / name)
        by = sorted(total.mistakes.items())
        scopes = ", ".join(f"{scope} {total.found[scope]}/{number}" for scope, number in by)
        found, mistakes = sum(total.found.values()), sum(total.mistakes.values())
        out(f"{name}: {found} of {mistakes} found ({scopes}); {total.flagged} of {total.right} right versions flagged")


if __name__ == "__main__":
    main()
