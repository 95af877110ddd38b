# /// script
# requires-python = ">=3.10"
# ///
"""What the dry run costs in two versions of gradlint, and whether both leave the same events.

    python benchmarks/dryrun.py OLD NEW FILE_OR_FOLDER... [--rounds 3] [--show 20]

OLD and NEW are source trees, or revisions of this repository, which are checked out for the while. The files are
lowered, every region of them is run, and the rules are asked, in processes of their own that take turns; of each figure
the least of all rounds counts. Printed are CPU seconds by folder, statements that were run, and the files in which
events differ: in kind, place, subject, iteration, guards, calls or detail. Loss terms and loops may have other numbers,
as long as their order is the same. `benchmarks/dryrun.txt` lists the files behind the figures.
"""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
import importlib.util
import inspect
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PARTS = ("lower", "dry run", "rules")
_ORIGINS = ("bases", "smooth")
"""Fields that hold the numbers of loss terms."""
_ORIGIN, _LOOP = "origin", "loop"
"""What is numbered in the order in which it was met or lowered."""
_FILE = "module"
"""Which file a place is in: each is run by itself here, and older versions know of no other."""


@dataclass(slots=True)
class Cost:
    """CPU seconds by part, statements that were run, and what the event logs of a file have come to."""

    seconds: dict[str, float] = field(default_factory=lambda: dict.fromkeys(PARTS, 0.0))
    statements: int = 0
    scenarios: int = 0
    said: str = ""
    answers: str = ""

    def least(self, other: Cost) -> Cost:
        """The same with the smaller of all times."""
        seconds = {part: min(self.seconds[part], other.seconds[part]) for part in PARTS}
        return dataclasses.replace(self, seconds=seconds)


# ------------------------------------------------------------------------------ in the process of one version


class Clock:
    """CPU seconds of several parts, of which one runs at a time."""

    def __init__(self) -> None:
        self.spent = dict.fromkeys(PARTS, 0.0)
        self._parts = ["dry run"]
        self._since = time.process_time()

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """Count what is done here to one part, and no longer to the one around it."""
        self._change()
        self._parts.append(name)
        try:
            yield
        finally:
            self._change()
            self._parts.pop()

    def _change(self) -> None:
        now = time.process_time()
        self.spent[self._parts[-1]] += now - self._since
        self._since = now


class Version:
    """The version of gradlint that this process imports, whatever its modules are called."""

    def __init__(self) -> None:
        explore = _first("gradlint.interpret.explore", "gradlint.dryrun.explore")
        judge = _first("gradlint.check.judge", "gradlint.judge")
        self.regions, self.second_look, self.exceptions = explore.regions, explore.second_look, explore.exceptions
        self.deep, self.cases, self.judging = judge.deep, judge.cases, judge.Judging
        self.of_programs = "program" in inspect.signature(judge.Judging).parameters
        self.lower = _first("gradlint.lower").lower
        self.program = _first("gradlint.model.program", "gradlint.program")
        self.clock = Clock()
        for name in ("inside", "gates", "_targets"):
            self._time(name)

    def _time(self, name: str) -> None:
        """Functions are lowered when they are first looked into: that is no part of the dry run."""
        function, clock = self.program.Function, self.clock
        asked = function.__dict__[name].func

        def timed(self: Any) -> Any:
            with clock.part("lower"):
                return asked(self)

        lazy = cached_property(timed)
        lazy.__set_name__(function, name)
        setattr(function, name, lazy)

    def cost(self, path: str, text: str) -> Cost:
        """What one file costs."""
        clock, cost = Clock(), Cost()
        self.clock.__dict__, clock = clock.__dict__, self.clock
        ran = []
        with self.deep():
            with clock.part("lower"):
                program = self.lower(text, path)
            with clock.part("dry run"):
                for region in self.regions(program):
                    again = self.second_look(program, region)
                    usual = [region] if again is None else [region, again]
                    ran.append((usual, list(self.exceptions(program, region))))
            with clock.part("rules"):
                judging = self.judging(program if self.of_programs else path, lambda _: True)
                for number, (usual, rare) in enumerate(ran):
                    for case in (case for one in usual for case in self.cases(one, program)):
                        judging.hear(case, number)
                    for case in (case for one in rare for case in self.cases(one, program)):
                        judging.hear_exception(case, number)
                judging.findings(judging.said())
            with clock.part("dry run"):
                pass
        said, answers = hashlib.sha256(), hashlib.sha256()
        for region in (region for usual, rare in ran for region in (*usual, *rare)):
            cost.statements += region.plan.spent
            for log in _logs(region):
                cost.scenarios += 1
                said.update(repr(events_of(log)).encode())
                answers.update(repr(plain(log.decisions)).encode())
        cost.seconds, cost.said, cost.answers = dict(clock.spent), said.hexdigest(), answers.hexdigest()
        return cost


def _first(*names: str) -> Any:
    """The first of some modules that there is."""
    for name in names:
        if importlib.util.find_spec(name.rpartition(".")[0]) and importlib.util.find_spec(name):
            return importlib.import_module(name)
    raise ImportError(names[0])


def _logs(region: Any) -> list[Any]:
    return list(region.scenarios if hasattr(region, "scenarios") else region.worlds)


def events_of(log: Any) -> list[object]:
    """The events of a log without what they are called, and whether it came to an end."""
    numbers = sorted({number for event in log.events for number in _origins(event.detail)})
    loops = dict.fromkeys(one.loop for event in log.events for one in event.stamp)
    places = {_ORIGIN: _numbered(numbers), _LOOP: _numbered(loops)}
    return [log.truncated, [plain(event, places) for event in log.events]]


def _numbered(found: Iterable[int]) -> dict[int, int]:
    return {one: place for place, one in enumerate(found)}


def _origins(detail: Any) -> Iterator[int]:
    for name in _ORIGINS:
        yield from getattr(detail, name, ())


def plain(value: Any, places: Mapping[str, Mapping[int, int]] | None = None) -> object:
    """A value as tuples and texts: classes and fields may have other names in another version."""
    if isinstance(value, Enum):
        return value.value
    if dataclasses.is_dataclass(value):
        held = ((one.name, getattr(value, one.name)) for one in dataclasses.fields(value) if one.name != _FILE)
        return tuple(_placed(name, inner, places) for name, inner in held)
    if isinstance(value, (tuple, list)):
        return [plain(one, places) for one in value]
    if isinstance(value, dict):
        return sorted((str(key), repr(plain(one, places))) for key, one in value.items())
    if isinstance(value, (set, frozenset)):
        return sorted(repr(plain(one, places)) for one in value)
    return repr(value)


def _placed(name: str, value: Any, places: Mapping[str, Mapping[int, int]] | None) -> object:
    """What a field holds; numbers that only tell things apart by the order in which these come."""
    if places and name in _ORIGINS:
        return sorted(places[_ORIGIN].get(one, one) for one in value)
    return places[_LOOP].get(value, value) if places and name == _LOOP else plain(value, places)


def serve() -> None:
    """Answer each path on the standard input with what its file costs."""
    version = Version()
    for line in sys.stdin:
        path = line.rstrip("\n")
        try:
            cost = version.cost(path, Path(path).read_text(encoding="utf-8"))
        except Exception as error:  # noqa: BLE001 - whatever happens there, the other files count
            cost = Cost(said=f"{type(error).__name__}: {error}")
        sys.stdout.write(json.dumps(dataclasses.asdict(cost)) + "\n")
        sys.stdout.flush()


# ------------------------------------------------------------------------------ in the process that compares


class Tree:
    """One version of gradlint, in a process of its own."""

    def __init__(self, folder: Path) -> None:
        command = [sys.executable, "-P", __file__, "--serve"] if sys.version_info >= (3, 11) else []
        command = command or [sys.executable, __file__, "--serve"]
        self._process = subprocess.Popen(  # noqa: S603 - our own command
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(folder), "PYTHONHASHSEED": "0"},
        )

    def cost(self, path: Path) -> Cost:
        """What a file costs there."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.write(f"{path}\n")
        stdin.flush()
        return Cost(**json.loads(stdout.readline()))

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


@contextmanager
def checked_out(version: str) -> Iterator[Path]:
    """The folder of a version: a source tree as it stands, or a revision in a worktree for the while."""
    if Path(version, "gradlint").is_dir():
        yield Path(version).resolve()
        return
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder, "tree")
        _git("worktree", "add", "--quiet", "--detach", str(tree), version)
        try:
            yield tree
        finally:
            _git("worktree", "remove", "--force", str(tree))


def _git(*words: str) -> None:
    subprocess.run(["git", "-C", str(ROOT), *words], check=True)  # noqa: S603, S607 - our own command


def files_of(paths: Iterable[Path]) -> Iterator[tuple[str, Path]]:
    """Every Python file with the argument that named it; a text file names others, one a line."""
    for path in paths:
        if path.suffix == ".txt":
            yield from ((path.stem, Path(line)) for line in path.read_text(encoding="utf-8").split("\n") if line)
        elif path.is_dir():
            yield from ((path.name, file) for file in sorted(path.rglob("*.py")))
        else:
            yield path.name, path


def main(arguments: list[str] | None = None) -> int:
    """Measure both, and print tables; 1 where events differ."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", help="a source tree or a revision")
    parser.add_argument("new", help="another one")
    parser.add_argument("paths", nargs="+", type=Path, metavar="FILE_OR_FOLDER")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="how often everything is run (3)")
    parser.add_argument("--show", type=int, default=20, metavar="N", help="how many differing files to show (20)")
    options = parser.parse_args(arguments)
    if missing := [str(path) for path in options.paths if not path.exists()]:
        parser.error(f"no such file or folder: {', '.join(missing)}")
    files = list(dict.fromkeys(files_of(options.paths)))
    costs: dict[tuple[int, Path], Cost] = {}
    with ExitStack() as stack:
        folders = [stack.enter_context(checked_out(version)) for version in (options.old, options.new)]
        for _ in range(options.rounds):
            trees = [Tree(folder) for folder in folders]
            for place, (_, file) in enumerate(files):
                for which in (0, 1) if place % 2 else (1, 0):
                    cost = trees[which].cost(file)
                    known = costs.get((which, file))
                    costs[which, file] = cost if known is None else known.least(cost)
            for tree in trees:
                tree.close()
    return _tell(files, costs, options.show)


def _tell(files: list[tuple[str, Path]], costs: Mapping[tuple[int, Path], Cost], shown: int) -> int:
    """Print what was measured; 1 where events differ."""
    head = "".join(f" {part} old | new | ratio |" for part in PARTS)
    table = [f"| files | there are |{head} statements old | new | ratio |"]
    table.append("| --- | --: |" + " --: |" * (3 * len(PARTS) + 3))
    groups = [*dict.fromkeys(name for name, _ in files), "all"]
    for group in groups:
        own = [file for name, file in files if group in (name, "all")]
        cells = [group, f"{len(own):,}"]
        for part in PARTS:
            old, new = (sum(costs[which, file].seconds[part] for file in own) for which in (0, 1))
            cells += [f"{old:.2f}", f"{new:.2f}", f"{new / old:.2f}" if old else "-"]
        old, new = (sum(costs[which, file].statements for file in own) for which in (0, 1))
        cells += [f"{old:,}", f"{new:,}", f"{new / old:.2f}" if old else "-"]
        table.append("| " + " | ".join(cells) + " |")
    differ = [file for _, file in files if costs[0, file].said != costs[1, file].said]
    answers = [file for _, file in files if costs[0, file].answers != costs[1, file].answers]
    table.append(f"\nscenarios {sum(costs[1, file].scenarios for _, file in files):,}")
    table.append(f"files in which events differ: {len(differ)}; in which answers differ: {len(answers)}")
    table += [f"    {file}" for file in differ[:shown]]
    sys.stdout.write("\n".join(table) + "\n")
    return int(bool(differ))


if __name__ == "__main__":
    if sys.argv[1:] == ["--serve"]:
        serve()
    else:
        sys.exit(main())
