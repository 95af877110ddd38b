"""Programs of several modules: held against Python, and against themselves with two modules of one text."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from typing import TYPE_CHECKING

import pytest

from gradlint.check.engine import check_text
from gradlint.check.judge import deep
from gradlint.check.surroundings import within
from gradlint.interpret.explore import Region, regions
from gradlint.interpret.limits import nodes
from gradlint.lower import Linked
from gradlint.model.events import Backward, EventLog, Kind
from gradlint.model.program import If
from gradlint.model.settings import Settings
from gradlint.project.project import Project
from interpret.projects import Deed, executed, grown

if TYPE_CHECKING:
    from pathlib import Path

    from gradlint.model.finding import Finding
    from gradlint.model.program import Program

KINDS = {Kind.BACKWARD: "backward", Kind.STEP: "step", Kind.ZERO: "zero_grad"}


@dataclass(frozen=True)
class Told:
    """What the dry run says of a project: in which scenarios, and whether it says that it does not know."""

    scenarios: list[list[Deed]]
    open: bool


def dry(root: Path) -> Told:
    """The region that `main.py` is, all its turns."""
    main = str(root / "main.py")
    linked = Linked(Project.around(main))
    with deep():
        region = next(iter(regions(linked.program(main), every_iteration=True)))
    assert region.entry.name == "<module>"
    logs = region.scenarios
    doubts = any(log.truncated or log.decisions or any(one.kind is Kind.OPAQUE for one in log.events) for log in logs)
    return Told([_deeds(linked, log) for log in logs], doubts)


def _deeds(linked: Linked, log: EventLog) -> list[Deed]:
    return [
        (KINDS[event.kind], linked.module(event.span.module).path, event.span.row, _weight(event.detail))
        for event in log.events
        if event.kind in KINDS
    ]


def _weight(detail: object) -> str:
    """The factor of a backward, `?` where gradlint does not say that it knows it."""
    if not isinstance(detail, Backward):
        return "None"
    factor = detail.factor
    return "?" if factor.weight is None or factor.open or factor.drawn else str(factor.weight)


def differ(real: list[Deed], told: list[Deed]) -> list[str]:
    """Where two stories part; a number that is not known is none."""
    if [one[:3] for one in real] != [one[:3] for one in told]:
        first = next((pair for pair in zip(real, told, strict=False) if pair[0][:3] != pair[1][:3]), None)
        return [f"order: {first or (real[len(told) :], told[len(real) :])}"]
    return [f"number: {one}, told {other[3]}" for one, other in zip(real, told, strict=True) if not _agree(one, other)]


def _agree(one: Deed, other: Deed) -> bool:
    if one[0] != "backward" or other[3] == "?":
        return True
    return abs(Fraction(one[3]) - Fraction(other[3])) < Fraction(1, 1000)


@dataclass
class Tally:
    """What a comparison of many projects has found."""

    differences: dict[str, list[str]]
    ran: int = 0
    open: int = 0
    numbers: int = 0
    known: int = 0


def compared(tmp_path: Path, seeds: range, *, twins: bool = False) -> Tally:
    """Random projects by Python and by the dry run; what Python does not run is left out."""
    roots = [grown(seed, tmp_path, twins=twins) for seed in seeds]
    tally = Tally({})
    for root, real in zip(roots, executed(roots, tmp_path), strict=True):
        if isinstance(real, str):
            continue
        told = dry(root)
        tally.ran += 1
        tally.open += told.open
        found = min((differ(real, one) for one in told.scenarios), key=len)
        if found and not told.open:
            tally.differences[root.name] = found
        weights = [one[3] for one in told.scenarios[0] if one[0] == "backward"]
        tally.numbers += len(weights)
        tally.known += len(weights) - weights.count("?")
    return tally


PROJECTS = 80


@pytest.mark.parametrize("twins", [False, True], ids=["several modules", "two of one text"])
def test_random_projects_do_what_python_does(tmp_path: Path, twins: bool) -> None:
    tally = compared(tmp_path, range(PROJECTS), twins=twins)
    assert tally.differences == {}
    assert tally.ran >= 0.95 * PROJECTS
    assert tally.open <= 0.05 * tally.ran
    assert tally.known >= 0.9 * tally.numbers


@pytest.mark.long
@pytest.mark.parametrize("twins", [False, True], ids=["several modules", "two of one text"])
def test_many_random_projects_do_what_python_does(tmp_path: Path, twins: bool) -> None:
    assert compared(tmp_path, range(1000, 1500), twins=twins).differences == {}


# ------------------------------------------------------------------- one name, bound twice

BINDS = {
    "def": "def scale(n):\n    return n * 2\n",
    "assign": "scale = lambda n: n * 3\n",
    "import": "from one import scale\n",
    "as": "from one import other as scale\n",
    "star": "from two import *\n",
    "star of a star": "from three import *\n",
    "star without it": "from four import *\n",
    "perhaps": "if torch:\n    def scale(n):\n        return n * 11\n",
}
USES = {
    "in main": "{binds}",
    "from": "from m import scale\n",
    "by its module": "import m\nscale = m.scale\n",
    "star": "from m import *\n",
    "in a function": "import m\ndef scale(n):\n    return m.scale(n)\n",
}
OTHERS = {
    "one.py": "def scale(n):\n    return n * 5\n\n\ndef other(n):\n    return n * 7\n",
    "two.py": "scale = lambda n: n * 13\n",
    "three.py": "from two import *\n",
    "four.py": "__all__ = ['other']\nother = 3\n\n\ndef scale(n):\n    return n * 17\n",
}
SPENDS = """
def run():
    model = torch.nn.Linear(1, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
    (model(torch.ones(1)).mean() * scale(2)).backward()
    optimizer.step()


run()
"""


def written(root: Path, files: dict[str, str]) -> Path:
    """A project of these files."""
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


def test_last_statement_that_binds_a_name_counts(tmp_path: Path) -> None:
    """Definitions, assignments, imports and star imports in any order, read where they stand and from outside."""
    roots = []
    for first, second in permutations(BINDS, 2):
        for use, text in USES.items():
            binds = f"import torch\n{BINDS[first]}{BINDS[second]}"
            main = f"import torch\n{text.format(binds=binds)}{SPENDS}"
            name = f"{first}, {second}, {use}".replace(" ", "_")
            roots.append(written(tmp_path / name, {**OTHERS, "m.py": binds, "main.py": main}))
    ran = 0
    for root, real in zip(roots, executed(roots, tmp_path), strict=True):
        assert not isinstance(real, str), root.name
        ran += 1
        assert min((differ(real, one) for one in dry(root).scenarios), key=len) == [], root.name
    assert ran == len(roots)


def test_star_import_of_the_package_itself(tmp_path: Path) -> None:
    """`from . import *` brings what the package's own file has, `from .. import *` that of the package around it."""
    files = {
        "kit/__init__.py": "def scale(n):\n    return n * 5\n",
        "kit/use.py": "from . import *\n",
        "kit/inner/__init__.py": "",
        "kit/inner/use.py": "from .. import *\n",
        "kit/inner/deep/__init__.py": "from ... import *\n",
        "kit/inner/deep/use.py": "from . import *\n",
    }
    ways = ["kit.use", "kit.inner.use", "kit.inner.deep.use"]
    mains = [f"import torch\nfrom {way} import scale\n{SPENDS}" for way in ways]
    roots = [written(tmp_path / str(number), {**files, "main.py": main}) for number, main in enumerate(mains)]
    for root, real in zip(roots, executed(roots, tmp_path), strict=True):
        assert not isinstance(real, str), real
        assert differ(real, dry(root).scenarios[0]) == []
        assert [one[3] for one in real if one[0] == "backward"] == ["10"]


# ------------------------------------------------------------------- two modules of one text

TRAINING = """\
import torch

WINDOW = 4


class Config:
    epochs = 2


model = torch.nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
losses = []


def train(loader):
    for epoch in range(Config.epochs):
        optimizer.zero_grad()
        for i, x in enumerate(loader):
            loss = model(x).mean() / WINDOW
            loss.backward()
            losses.append(loss.item())
            if (i + 1) % WINDOW == 0:
                optimizer.step()
                optimizer.zero_grad()


def update(net, owner, x):
    owner.zero_grad()
    net(x).mean().backward()
    owner.step()
"""
CALLER = """\
import torch

import a
import b


def main():
    loader = torch.utils.data.DataLoader(torch.randn(40, 2), batch_size=4)
    a.train(loader)
    b.train(loader)
    for x in loader:
        a.update(a.model, a.optimizer, x)
        b.update(b.model, b.optimizer, x)


main()
"""
MISTAKES = {
    "unscaled-accumulation-loss": ("model(x).mean() / WINDOW", "model(x).mean()"),
    "loss-graph-leak": ("losses.append(loss.item())", "losses.append(loss)"),
    "zero-grad-in-accumulation": (
        "            loss.backward()\n",
        "            optimizer.zero_grad()\n            loss.backward()\n",
    ),
    "missing-zero-grad": ("    owner.zero_grad()\n", ""),
}


def project(root: Path, a: str, b: str) -> Path:
    """Two modules and their caller."""
    for name, text in {"a.py": a, "b.py": b, "main.py": CALLER, "pyproject.toml": ""}.items():
        (root / name).write_text(text, encoding="utf-8")
    return root


def findings(root: Path) -> dict[str, list[Finding]]:
    """What is told of each file where that is checked."""
    paths = {name: str(root / name) for name in ("a.py", "b.py", "main.py")}
    with within(Project.around(paths["main.py"])):
        found = {name: check_text((root / name).read_text(), path, Settings()).findings for name, path in paths.items()}
    for name, told in found.items():
        assert all(one.path == paths[name] for one in told), name
    return found


def placed(found: list[Finding]) -> list[tuple[str, int, str, list[int]]]:
    """What is told, and where, with the rows of the same file that take part."""
    return [(one.rule, one.row, one.message, [near.span.row for near in one.related if not near.path]) for one in found]


def region(root: Path) -> tuple[Linked, Program, Region]:
    """The region that calls both."""
    linked = Linked(Project.around(str(root / "main.py")))
    program = linked.program(str(root / "main.py"))
    with deep():
        return linked, program, next(iter(regions(program, every_iteration=True)))


def test_right_twins_are_silent(tmp_path: Path) -> None:
    assert not any(findings(project(tmp_path, TRAINING, TRAINING)).values())


@pytest.mark.parametrize("rule", MISTAKES)
@pytest.mark.parametrize("wrong", ["a.py", "b.py"])
def test_a_mistake_in_one_of_two_twins_is_told_there_only(tmp_path: Path, rule: str, wrong: str) -> None:
    planted = TRAINING.replace(*MISTAKES[rule])
    assert planted != TRAINING
    texts = {"a.py": TRAINING, "b.py": TRAINING, wrong: planted}
    found = findings(project(tmp_path, texts["a.py"], texts["b.py"]))
    assert [one.rule for one in found.pop(wrong)] == [rule]
    assert not any(found.values())


@pytest.mark.parametrize("rule", MISTAKES)
def test_the_same_mistake_in_both_is_told_of_each_with_its_own_places(tmp_path: Path, rule: str) -> None:
    planted = TRAINING.replace(*MISTAKES[rule])
    found = findings(project(tmp_path, planted, planted))
    assert [one.rule for one in found["a.py"]] == [rule]
    assert placed(found["a.py"]) == placed(found["b.py"])
    callers = [
        {near.path.rpartition("/")[2] for one in found[name] for near in one.related} for name in ("a.py", "b.py")
    ]
    assert callers[0] == callers[1] <= {"", "main.py"}
    assert not found["main.py"]


def test_objects_loops_and_places_of_twins_are_their_own(tmp_path: Path) -> None:
    linked, _, both = region(project(tmp_path, TRAINING, TRAINING))
    (log,) = both.scenarios
    subjects: dict[str, set[str]] = {}
    loops: dict[str, set[int]] = {}
    for event in log.events:
        name = linked.module(event.span.module).path.rpartition("/")[2]
        if event.kind is Kind.STEP:
            subjects.setdefault(name, set()).add(event.subject)
            loops.setdefault(name, set()).update(one.loop for one in event.stamp if event.function == "train")
    assert subjects["a.py"].isdisjoint(subjects["b.py"])
    assert loops["a.py"].isdisjoint(loops["b.py"])
    assert [one.span.row for one in log.events if one.kind is Kind.STEP and one.function == "train"] == [23] * 8
    modules = {one.span.module for one in log.events if one.function in ("train", "update")}
    assert {linked.module(number).path.rpartition("/")[2] for number in modules} == {"a.py", "b.py"}


def test_what_is_set_in_one_twin_is_not_set_in_the_other(tmp_path: Path) -> None:
    root = project(tmp_path, TRAINING, TRAINING)
    changed = CALLER.replace(
        "    a.train(loader)\n", "    a.Config.epochs = 1\n    a.WINDOW = 2\n    a.train(loader)\n"
    )
    (root / "main.py").write_text(changed, encoding="utf-8")
    linked, _, both = region(root)
    weights: dict[str, set[Fraction | None]] = {}
    for event in both.scenarios[0].events:
        if isinstance(event.detail, Backward) and event.function == "train":
            path = linked.module(event.span.module).path
            weights.setdefault(path.rpartition("/")[2], set()).add(event.detail.factor.weight)
    assert weights == {"a.py": {Fraction(1, 2)}, "b.py": {Fraction(1, 4)}}


def test_facts_of_guards_are_found_out_for_each_text(tmp_path: Path) -> None:
    linked, program, _ = region(project(tmp_path, TRAINING, TRAINING))
    modules = [linked.module(linked.numbers[str(tmp_path / name)]) for name in ("a.py", "b.py")]
    guards = [[one for one in nodes(module.functions["train"].body) if isinstance(one, If)] for module in modules]
    facts = [[program.facts[id(guard)] for guard in each] for each in guards]
    assert [len(each) for each in facts] == [1, 1]
    assert facts[0] != facts[1]
    assert [guard.span.module for each in guards for guard in each] == [module.number for module in modules]


# ------------------------------------------------------------------- one option, declared in two files

PARSES = """\
    parser = argparse.ArgumentParser()
    parser.add_argument("--accum", type=int, default={default})
    args = parser.parse_args()
"""
TRAINS = """\
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, x in enumerate(loader):
        (model(x).mean() / args.accum).backward()
        if (i + 1) % args.accum == 0:
            optimizer.step()
            optimizer.zero_grad()
"""
READS = "import argparse\nimport torch\n"
RUNS = "\n\nmain(torch.nn.Linear(1, 1), torch.utils.data.DataLoader(range(100)))\n"


def region_of(root: Path, files: dict[str, str]) -> Region:
    """The region that `main.py` is."""
    main = str(written(root, files) / "main.py")
    with deep():
        return next(iter(regions(Linked(Project.around(main)).program(main))))


@pytest.mark.parametrize(("here", "there"), [(2, 1), (2, 5), (4, 2), (1, 4)])
def test_option_is_that_of_the_file_in_which_a_run_begins(tmp_path: Path, here: int, there: int) -> None:
    """Another file that is run by itself, too, has another number under its name."""
    engine = f"{READS}\n\ndef fit(model, loader, args):\n{TRAINS}\n\nif __name__ == '__main__':\n"
    main = f"{READS}from engine import fit\n\n\ndef main(model, loader):\n"
    files = {
        "engine.py": engine + PARSES.format(default=there),
        "main.py": f"{main}{PARSES.format(default=here)}    fit(model, loader, args){RUNS}",
    }
    region = region_of(tmp_path, files)
    assert region.plan.window == (here if here > 1 else 3)
    assert len(region.plan.numbers.windows) == 1


def test_option_is_that_of_another_file_where_this_has_none(tmp_path: Path) -> None:
    options = f"{READS}\n\ndef read():\n{PARSES.format(default=4)}    return args\n"
    main = f"{READS}from options import read\n\n\ndef main(model, loader):\n    args = read()\n{TRAINS}{RUNS}"
    assert region_of(tmp_path, {"options.py": options, "main.py": main}).plan.window == 4


@pytest.mark.parametrize(("there", "windows"), [(4, 1), (2, 2)])
def test_settings_of_two_parsers_are_two_where_they_differ(tmp_path: Path, there: int, windows: int) -> None:
    second = f"{READS}\n\ndef again(model, loader):\n{PARSES.format(default=there)}{TRAINS}"
    main = f"{READS}from second import again\n\n\ndef main(model, loader):\n{PARSES.format(default=4)}{TRAINS}"
    region = region_of(tmp_path, {"second.py": second, "main.py": f"{main}    again(model, loader){RUNS}"})
    assert region.plan.window == 4
    assert len(region.plan.numbers.windows) == windows
