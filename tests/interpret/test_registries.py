"""Registries: modules that fill what another one looks up are run for that, as Python has run them, and no others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gradlint.check.judge import deep
from gradlint.interpret.explore import regions
from gradlint.lower import Linked
from gradlint.lower.registries import ways_of
from gradlint.project.project import Project
from interpret.projects import executed
from interpret.test_modules import differ, dry, written

if TYPE_CHECKING:
    from pathlib import Path

LOOP = """\
import torch
{imports}

model = torch.nn.Linear(1, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in [torch.ones(1), torch.ones(1)]:
    loss = model(x).mean() * {used}
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
"""
BY_FUNCTION = """\
_SCALES = {}


def register(name):
    def keep(function):
        _SCALES[name] = function
        return function
    return keep


def build(name):
    return _SCALES[name]
"""
BY_OBJECT = """\
class Registry:
    def __init__(self):
        self._held = {}

    def register(self, name):
        def keep(function):
            self._held[name] = function
            return function
        return keep

    def get(self, name):
        return self._held[name]


SCALES = Registry()
"""
BY_CALL = """\
SCALES = {}


def register_scale(name, function):
    _keep(name, function)


def _keep(name, function):
    SCALES[name] = function
"""
HALF = "def half(n):\n    return n / 2\n"

STYLES = {
    "decorator": {
        "registry.py": BY_FUNCTION,
        "scales.py": f"from registry import register\n\n\n@register('half')\n{HALF}",
        "main.py": LOOP.format(imports="import scales\nfrom registry import build", used="build('half')(1)"),
    },
    "decorator under another name": {
        "registry.py": BY_FUNCTION,
        "scales.py": f"from registry import register as scale\n\n\n@scale('half')\n{HALF}",
        "main.py": LOOP.format(imports="import registry\nimport scales", used="registry.build('half')(1)"),
    },
    "decorator of a module": {
        "registry.py": BY_FUNCTION,
        "scales.py": f"import registry\n\n\n@registry.register('half')\n{HALF}",
        "main.py": LOOP.format(imports="import scales\nimport registry", used="registry.build('half')(1)"),
    },
    "object": {
        "registry.py": BY_OBJECT,
        "scales.py": f"from registry import SCALES\n\n\n@SCALES.register('half')\n{HALF}",
        "main.py": LOOP.format(imports="import scales\nfrom registry import SCALES", used="SCALES.get('half')(1)"),
    },
    "object under another name": {
        "registry.py": BY_OBJECT,
        "scales.py": f"from registry import SCALES as S\n\n\n@S.register('half')\n{HALF}",
        "main.py": LOOP.format(imports="import scales\nfrom registry import SCALES as T", used="T.get('half')(1)"),
    },
    "call that leaves it to another": {
        "registry.py": BY_CALL,
        "scales.py": f"from registry import register_scale\n\n\n{HALF}\n\nregister_scale('half', half)\n",
        "main.py": LOOP.format(imports="import scales\nfrom registry import SCALES", used="SCALES['half'](1)"),
    },
    "item": {
        "registry.py": "SCALES = {}\n",
        "scales.py": f"from registry import SCALES\n\n\n{HALF}\n\nSCALES['half'] = half\n",
        "main.py": LOOP.format(imports="import scales\nimport registry", used="registry.SCALES['half'](1)"),
    },
    "what a module looks up that the run began in": {
        "registry.py": BY_CALL,
        "scales.py": f"from registry import register_scale\n\n\n{HALF}\n\nregister_scale('half', half)\n",
        "main.py": LOOP.format(
            imports="import scales\nfrom registry import SCALES\n\nchosen = SCALES['half']", used="chosen(1)"
        ),
    },
    "package": {
        "scales/__init__.py": "from scales import fine\nfrom scales.registry import build\n",
        "scales/registry.py": BY_FUNCTION,
        "scales/fine.py": f"from .registry import register\n\n\n@register('half')\n{HALF}",
        "main.py": LOOP.format(imports="from scales import build", used="build('half')(1)"),
    },
}


@pytest.mark.parametrize("style", STYLES)
def test_what_is_looked_up_is_what_python_finds(tmp_path: Path, style: str) -> None:
    root = written(tmp_path / "project", STYLES[style])
    (real,) = executed([root], tmp_path)
    assert not isinstance(real, str), real
    told = dry(root)
    assert not told.open
    assert min((differ(real, one) for one in told.scenarios), key=len) == []
    assert [one[3] for one in told.scenarios[0] if one[0] == "backward"] == ["1/2", "1/2"]


MANY = 40
BUSY = "numbers = []\n" + "".join(f"numbers.append({number})\n" for number in range(200))


def spent(root: Path) -> int:
    """How many statements are run for all scenarios of `main.py`."""
    main = str(root / "main.py")
    with deep():
        region = next(iter(regions(Linked(Project.around(main)).program(main))))
    assert [log.truncated for log in region.scenarios] == [False]
    return region.plan.spent


def busy(head: str) -> dict[str, str]:
    """Many modules that have a lot to do when they are imported, and a package that imports them all."""
    modules = {f"zoo/m{number}.py": f"{head}{BUSY}" for number in range(MANY)}
    return {**modules, "zoo/__init__.py": "".join(f"from . import m{number}\n" for number in range(MANY))}


def test_modules_are_not_run_that_fill_what_nobody_looks_up(tmp_path: Path) -> None:
    files = {
        **busy(f"from registry import register_scale\n\n\n{HALF}\n\nregister_scale('half', half)\n"),
        "registry.py": BY_CALL,
        "main.py": LOOP.format(imports="import zoo\n\nKNOWN = {}\nNAMES = ['a', 'b']", used="len(NAMES)"),
    }
    assert spent(written(tmp_path, files)) < 100


def test_decorators_of_libraries_fill_nothing(tmp_path: Path) -> None:
    files = {
        **busy(f"from somewhere import app, register_half\n\n\n@app.get('/half')\n{HALF}\n\nregister_half(half)\n"),
        "main.py": LOOP.format(imports="import zoo\n\nKNOWN = {'half': 0.5}", used="KNOWN['half']"),
    }
    assert spent(written(tmp_path, files)) < 100


def test_only_those_modules_are_run_that_fill_what_is_looked_up(tmp_path: Path) -> None:
    other = "OTHERS = {}\n\n\ndef register_other(name, function):\n    OTHERS[name] = function\n"
    files = {
        **busy(f"from others import register_other\n\n\n{HALF}\n\nregister_other('half', half)\n"),
        "others.py": other,
        "registry.py": BY_CALL,
        "scales.py": f"from registry import register_scale\n\n\n{HALF}\n\nregister_scale('half', half)\n",
        "main.py": LOOP.format(imports="import zoo, scales\nfrom registry import SCALES", used="SCALES['half'](1)"),
    }
    assert spent(written(tmp_path, files)) < 150


def test_what_one_run_adds_to_a_list_of_a_module_is_not_there_in_the_next(tmp_path: Path) -> None:
    texts = {
        "held.py": "SCALES = []\nBY_NAME = {}\n",
        "main.py": "import held\n"
        + LOOP.format(imports="import sys", used="len(held.SCALES)").replace(
            "model = ", "if sys.argv:\n    held.SCALES.append(1)\nheld.SCALES.append(1)\nmodel = "
        ),
    }
    written(tmp_path, texts)
    main = str(tmp_path / "main.py")
    linked = Linked(Project.around(main))
    program = linked.program(main)

    def told() -> list[list[str]]:
        with deep():
            logs = [log for region in regions(program) for log in region.scenarios]
        return [[f"{event.kind} {event.span} {event.detail}" for event in log.events] for log in logs]

    assert told()[0]
    assert told() == told()


def test_a_changed_project_fills_the_same_registries_as_one_that_is_looked_at_afresh(tmp_path: Path) -> None:
    texts = {**STYLES["decorator under another name"], "other.py": "import scales\n\n\ndef more():\n    return 1\n"}
    written(tmp_path, texts)
    paths = [str(tmp_path / name) for name in texts]
    project = Project.around(paths[0])
    base = Linked(project)
    for changed, name in ((path, name) for path, name in zip(paths, texts, strict=True)):
        later = project.with_text(changed, texts[name] + "\n\ndef further(n):\n    return [n]\n")
        again, afresh = Linked(later, base, frozenset({changed})), Linked(later)
        assert {path: again.filled(path) for path in paths} == {path: afresh.filled(path) for path in paths}


def test_a_name_that_an_import_gives_to_what_registers_is_known_as_what_it_is() -> None:
    text = "from a import register_it as put, other as it\n\n\n@put('x')\n@it.register\ndef f(): ...\n"
    assert ways_of(text) == {("register_it",), ("other", "register")}
