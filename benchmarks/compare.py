# /// script
# requires-python = ">=3.10"
# ///
"""How much processor time gradlint takes, beside the linters that people would run instead.

    python benchmarks/compare.py --repeat 5 transformers=path/to/transformers torch=path/to/torch loops=path/to/repos

The peers are installed into an environment of their own, outside of this tree. Each run is a process of its own,
so start-up counts, and all tools take turns on each case, after one run each that is not counted. The time is
that of the processor, user and system, of the process and its children: on a busy machine it is steadier than
the clock. Compare the ratios of one invocation; milliseconds of different machines or days say little.

Besides the trees that are named, it makes its own cases: single files, and folders of up to 50,000 files.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

PEERS = ("ruff", "torchfix", "fixit", "flake8", "torch-preflight")
ROOT = Path(__file__).resolve().parents[1]
SLOW_FILES = 500
"""Peers that take minutes for a large tree check this many of its files that hold a training loop."""


@dataclass(frozen=True)
class Tool:
    """A command that checks paths; what it finds is no failure, status 0 to 3."""

    name: str
    command: tuple[str, ...]
    fast: bool = False


@dataclass(frozen=True)
class Case:
    """Something to check: paths, and which tools check it."""

    name: str
    paths: tuple[str, ...]
    tools: tuple[Tool, ...]


@dataclass(frozen=True)
class Spent:
    """One run: milliseconds of the processor and of the clock, and MiB of the largest process."""

    cpu: float
    wall: float
    memory: float


def gradlint(*words: str) -> tuple[str, ...]:
    """The command of this Python's gradlint."""
    script = Path(sys.executable).with_name("gradlint")
    start = (str(script),) if script.exists() else (sys.executable, "-m", "gradlint")
    return (*start, "check", "--exit-zero", *words)


def peers(folder: Path) -> tuple[Tool, ...]:
    """The other tools, installed into `folder` unless they are there; one that cannot be had is left out."""
    binaries = folder / ("Scripts" if os.name == "nt" else "bin")
    if not binaries.exists():
        venv.create(folder, with_pip=True)
    for name in PEERS:
        if not (binaries / name).exists():
            command = [binaries / "python", "-m", "pip", "install", "--quiet", name]
            if subprocess.run(command, check=False, stderr=subprocess.DEVNULL).returncode:  # noqa: S603  # its own pip
                sys.stderr.write(f"{name} cannot be installed and is left out\n")
    commands = {
        "ruff": ("check", "--no-cache", "--exit-zero", "--isolated"),
        "torchfix": ("-j", "1"),
        "fixit": ("lint",),
        "flake8": ("-j", "1", "--isolated"),
        "torch-preflight": ("check", "-j", "1"),
    }
    return tuple(
        Tool(name, (str(binaries / name), *commands[name]), fast=name == "ruff")
        for name in PEERS
        if (binaries / name).exists()
    )


def run(tool: Tool, paths: Sequence[str]) -> Spent:
    """One run.

    Raises:
        RuntimeError: it was not carried out.
    """
    command = (*tool.command, *paths)
    silence = [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_WRONLY, 0) for stream in (1, 2)]
    begin = time.perf_counter()
    process = os.posix_spawn(command[0], command, os.environ, file_actions=silence)
    _, status, usage = os.wait4(process, 0)
    wall = time.perf_counter() - begin
    if os.waitstatus_to_exitcode(status) not in range(4):
        raise RuntimeError(f"`{' '.join(command)[:200]}` ended with {os.waitstatus_to_exitcode(status)}")
    unit = 2**20 if sys.platform == "darwin" else 2**10
    return Spent((usage.ru_utime + usage.ru_stime) * 1000, wall * 1000, usage.ru_maxrss / unit)


def medians(case: Case, repeat: int) -> dict[str, Spent]:
    """The medians of each tool, which take turns."""
    runs: dict[str, list[Spent]] = {tool.name: [] for tool in case.tools}
    for number in range(repeat + 1):
        for tool in case.tools:
            spent = run(tool, case.paths)
            if number > 0:  # the first run fills the caches: of the file system, and where that is the case, gradlint's
                runs[tool.name].append(spent)
    return {
        name: Spent(*(statistics.median(getattr(one, part) for one in spent) for part in ("cpu", "wall", "memory")))
        for name, spent in runs.items()
    }


COLD = Tool("gradlint", gradlint("--no-cache"), fast=True)
ALONE = Tool("gradlint, one process", gradlint("--no-cache", "--workers", "1"), fast=True)
CACHED = Tool("gradlint, cached", gradlint(), fast=True)


def looped(tree: str) -> tuple[str, ...]:
    """Files of a tree that call `backward`, at most `SLOW_FILES`."""
    found = (path for path in sorted(Path(tree).rglob("*.py")) if b".backward()" in path.read_bytes())
    return tuple(str(path) for _, path in zip(range(SLOW_FILES), found, strict=False))


def tree_cases(trees: Sequence[str], others: Sequence[Tool]) -> Iterator[Case]:
    """Whole trees beside what is fast; files with loops beside all others."""
    fast = tuple(tool for tool in others if tool.fast)
    for tree in trees:
        name, _, path = tree.rpartition("=")
        yield Case(f"{name or path}, whole tree", (path,), (COLD, ALONE, CACHED, *fast))
        files = looped(path)
        if files:
            yield Case(f"{name or path}, {len(files)} files with loops", files, (ALONE, *others))


def small_cases(folder: Path, others: Sequence[Tool]) -> Iterator[Case]:
    """Single files: start-up is most of it."""
    nothing = Tool("python -c pass", (sys.executable, "-c", "pass"))
    plain = folder / "plain.py"
    plain.write_text("x = 1\n")
    clean = shutil.copy(ROOT / "fixtures" / "clip-after-step" / "fixed.py", folder / "clean.py")
    buggy = shutil.copy(ROOT / "fixtures" / "clip-after-step" / "buggy.py", folder / "buggy.py")
    aged()
    yield Case("nothing at all", (), (nothing,))
    yield Case("one file without a loop", (str(plain),), (COLD, CACHED, *others))
    yield Case("one clean loop", (str(clean),), (COLD, CACHED, *others))
    yield Case("one loop with a finding", (str(buggy),), (COLD, CACHED, *others))


def large_cases(folder: Path, sizes: Sequence[int], others: Sequence[Tool]) -> Iterator[Case]:
    """Folders of many files; one of fifty has a loop."""
    fast = tuple(tool for tool in others if tool.fast)
    loop = (ROOT / "fixtures" / "clip-after-step" / "fixed.py").read_text(encoding="utf-8")
    plain = (ROOT / "gradlint" / "finding.py").read_text(encoding="utf-8")
    for size in sizes:
        tree = folder / str(size)
        for number in range(size):
            file = tree / f"package{number // 100}" / f"module{number}.py"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"{plain if number % 50 else loop}\nNUMBER = {number}\n", encoding="utf-8")
        aged()
        yield Case(f"{size:,} files, {size // 50:,} with loops", (str(tree),), (COLD, ALONE, CACHED, *fast))


def aged() -> None:
    """Let the files grow older than the moment in which a cache would not trust their times."""
    time.sleep(1.1)


def table(case: Case, found: dict[str, Spent]) -> Iterator[str]:
    """The rows of one case; each ratio is gradlint's time over the other's."""
    own = next(iter(found.values())).cpu
    for name, spent in found.items():
        ratio = "" if name.startswith("gradlint") or len(found) == 1 else f"{own / spent.cpu:.2f}"
        yield f"| {case.name} | {name} | {spent.cpu:,.0f} | {spent.wall:,.0f} | {spent.memory:,.0f} | {ratio} |\n"


def machine() -> str:
    """What it was measured on."""
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        lines = cpuinfo.read_text(encoding="utf-8").splitlines()
        model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), model)
    today = datetime.now(tz=timezone.utc).date()
    return f"{today}, Python {platform.python_version()}, {os.cpu_count()} processors ({model}), {platform.system()}"


def versions(tools: Sequence[Tool]) -> str:
    """The versions of the peers."""
    said = []
    for tool in tools:
        command = [tool.command[0], "--version"]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  # what it installed
        lines = (ran.stdout or ran.stderr).strip().splitlines()
        said.append(f"{tool.name}: {lines[0].strip() if lines else '?'}")
    return "; ".join(said)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table, case by case."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("trees", nargs="*", metavar="NAME=TREE", help="folders to check, and what to call them")
    parser.add_argument("--repeat", type=int, default=5, metavar="N", help="counted runs (5)")
    parser.add_argument("--sizes", default="5000,10000,20000,50000", metavar="N,N", help="numbers of files to make")
    parser.add_argument("--only", default="", metavar="WORD", help="only cases whose name holds WORD")
    parser.add_argument(
        "--peers",
        type=Path,
        default=Path(tempfile.gettempdir()) / "gradlint-peers",
        metavar="FOLDER",
        help="environment of the other tools (%(default)s)",
    )
    options = parser.parse_args(arguments)
    if options.repeat < 1:
        parser.error("--repeat must be at least 1")
    if importlib.util.find_spec("gradlint") is None:
        parser.error(f"{sys.executable} has no gradlint; install it there")
    others = peers(options.peers)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # pip has compiled the peers; a checkout compiles in the first run
    sys.stdout.write(f"{machine()}\n{versions(others)}\n\n")
    sys.stdout.write("| case | tool | CPU ms | wall ms | MiB | gradlint's CPU / its |\n")
    sys.stdout.write("| --- | --- | --: | --: | --: | --: |\n")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["GRADLINT_CACHE_DIR"] = str(folder / "cache")
        sizes = [int(size) for size in options.sizes.split(",") if size]
        made: tuple[Callable[[], Iterator[Case]], ...] = (
            lambda: small_cases(folder, others),
            lambda: tree_cases(options.trees, others),
            lambda: large_cases(folder, sizes, others),
        )
        for cases in made:
            for case in cases():
                if options.only in case.name:
                    sys.stdout.writelines(table(case, medians(case, options.repeat)))
                    sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
