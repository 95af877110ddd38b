# /// script
# requires-python = ">=3.10"
# ///
"""How much processor time `gradlint check` takes for whole trees, beside ruff where installed.

    python benchmarks/check_tree.py --repeat 5 path/to/tree another/tree

Each run is a process of its own, so start-up counts. The time is that of the processor, user and
system, of the process and its children: on a busy machine it is steadier than the clock. The
commands take turns, after one run each that is not counted, and the median is printed. Compare the
ratio of one invocation; milliseconds of different machines or days say little.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import shutil
import statistics
import sys
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Tool:
    """A command that checks a tree, and the exit statuses of a run that was carried out."""

    name: str
    command: tuple[str, ...]
    statuses: frozenset[int]


def tools() -> list[Tool]:
    """The gradlint of this Python, and ruff with its own default rules where it is installed."""
    found = [
        Tool(
            "gradlint",
            (sys.executable, "-m", "gradlint", "check", "--no-cache", "--exit-zero"),
            frozenset((0, 3)),  # 3: a file of the tree cannot be parsed
        )
    ]
    ruff = shutil.which("ruff", path=_search_path())
    if ruff is not None:
        command = (ruff, "check", "--no-cache", "--exit-zero", "--isolated")
        found.append(Tool("ruff", command, frozenset((0,))))
    return found


def _search_path() -> str:
    """The folder of this Python before those of the shell: a virtual environment has its own."""
    return os.pathsep.join((os.path.dirname(sys.executable), os.environ.get("PATH", "")))


def cpu_milliseconds(tool: Tool, tree: str) -> float:
    """Processor time of one run.

    Raises:
        RuntimeError: the run was not carried out.
    """
    command = (*tool.command, tree)
    silence = [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_WRONLY, 0) for stream in (1, 2)]
    process = os.posix_spawn(command[0], command, os.environ, file_actions=silence)
    _, status, usage = os.wait4(process, 0)
    code = os.waitstatus_to_exitcode(status)
    if code not in tool.statuses:
        raise RuntimeError(f"`{' '.join(command)}` ended with {code}")
    return (usage.ru_utime + usage.ru_stime) * 1000


def medians(tree: str, repeat: int) -> dict[str, float]:
    """The median of each tool, which take turns."""
    present = tools()
    times: dict[str, list[float]] = {tool.name: [] for tool in present}
    for number in range(repeat + 1):
        for tool in present:
            spent = cpu_milliseconds(tool, tree)
            if number > 0:  # the first run fills the caches of the file system
                times[tool.name].append(spent)
    return {name: statistics.median(values) for name, values in times.items()}


def python_files(tree: str) -> int:
    """How many files below `tree` end in `.py`, excluded folders and all."""
    if os.path.isfile(tree):
        return 1
    return sum(name.endswith(".py") for _, _, names in os.walk(tree) for name in names)


def row(tree: str, repeat: int) -> str:
    """One line of the table."""
    found = medians(tree, repeat)
    ruff = found.get("ruff")
    beside = "" if ruff is None else f"{ruff:12.0f}{found['gradlint'] / ruff:8.2f}"
    return f"{python_files(tree):8d}{found['gradlint']:12.0f}{beside}  {tree}\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a table with one line for each tree."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("trees", nargs="+", metavar="TREE", help="folders or files to check")
    parser.add_argument("--repeat", type=int, default=5, metavar="N", help="counted runs (5)")
    options = parser.parse_args(arguments)
    if options.repeat < 1:
        parser.error("--repeat must be at least 1")
    for tree in options.trees:
        if not os.path.exists(tree):
            parser.error(f"{tree}: no such file or folder")
    if importlib.util.find_spec("gradlint") is None:
        parser.error(f"{sys.executable} has no gradlint; install it there")
    beside = f"{'ruff ms':>12}{'ratio':>8}" if len(tools()) > 1 else ""
    sys.stdout.write(f"{'files':>8}{'gradlint ms':>12}{beside}  tree\n")
    for tree in options.trees:
        sys.stdout.write(row(tree, options.repeat))
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
