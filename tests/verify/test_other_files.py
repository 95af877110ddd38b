"""Helpers in other files of the project: read and followed, never imported."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

pytest.importorskip("torch", reason="torch is not installed: no loop can be run")

from gradlint.verify.files import verify_text
from gradlint.verify.judge import Asked
from gradlint.verify.result import Loop
from verify.wet import CONFIRMED, said

LATE = """
    import os
    import torch
    import torch.nn.utils as U

    LIMIT = 1.0
    os.remove("/nothing/of/this/is/run")

    def finish(model, optimizer):
        optimizer.step()
        U.clip_grad_norm_(model.parameters(), LIMIT)
        optimizer.zero_grad()

    def train(anything):
        raise SystemExit
"""
LOOP = """
    import torch
    IMPORT

    def train(model, optimizer, loader):
        for batch in loader:
            model(batch).loss.backward()
            CALL(model, optimizer)
"""
WAYS = {
    "from .utils": ("from .utils import finish", "finish"),
    "as": ("from .utils import finish as done", "done"),
    "from package": ("from pack.utils import finish", "finish"),
    "from . import": ("from . import utils", "utils.finish"),
    "import as": ("import pack.utils as u", "u.finish"),
    "import": ("import pack.utils", "pack.utils.finish"),
    "star": ("from .utils import *", "finish"),
    "through another": ("from .again import finish", "finish"),
    "through a package": ("from .inner import finish", "finish"),
    "optional": ("try:\n        from .utils import finish\n    except ImportError:\n        finish = None", "finish"),
}


def project(folder: Path, **files: str) -> Path:
    """A project with a package, and files in it: `inner__init` is `pack/inner/__init__.py`."""
    folder.mkdir(exist_ok=True)
    (folder / "pyproject.toml").write_text("")
    for name, text in {"__init__": "", **files}.items():
        head, _, tail = name.partition("__") if not name.startswith("__") else ("", "", "")
        place = folder / "pack" / (f"{head}/__{tail}__.py" if tail else f"{name}.py")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(dedent(text))
    return folder / "pack"


def verified(folder: Path, name: str = "train") -> tuple[Loop, ...]:
    file = folder / f"{name}.py"
    return verify_text(file.read_text(), str(file), Asked()).loops


def loop(importing: str, call: str) -> str:
    return LOOP.replace("IMPORT", importing).replace("CALL", call)


@pytest.mark.parametrize("way", WAYS)
def test_a_mistake_in_a_helper_is_seen(way: str, tmp_path: Path) -> None:
    again, inner = "from .utils import finish", "from ..utils import finish"
    folder = project(tmp_path, utils=LATE, again=again, inner__init=inner, train=loop(*WAYS[way]))
    (found,) = verified(folder)
    assert found.rules == {"clip-after-step"}, said(found)
    (shown,) = found.shown
    assert (shown.path, shown.row, shown.where) == ("pack/utils.py", 11, "pack/utils.py line 11")
    assert "helpers are followed into pack/utils.py" in found.notes


def test_names_that_are_taken_get_others(tmp_path: Path) -> None:
    helper = """
        from torch.nn.utils import clip_grad_norm_ as limit
        LIMIT = 4.0

        def inner(model):
            limit(model.parameters(), LIMIT)

        def finish(model, optimizer):
            inner(model)
            optimizer.step()
            optimizer.zero_grad()
    """
    text = loop("from .utils import finish", "finish") + "\n    LIMIT = 9\n\n    def inner(x):\n        return x\n"
    (found,) = verified(project(tmp_path, utils=helper, train=text))
    assert said(found) == CONFIRMED
    assert found.limit == 4.0


def test_methods_of_a_base_in_another_file(tmp_path: Path) -> None:
    base = """
        from .steps import spend

        class Base:
            def __init__(self, model, optimizer):
                self.model, self.optimizer = model, optimizer

            def finish(self):
                spend(self.optimizer)
    """
    steps = """
        def spend(optimizer):
            optimizer.zero_grad()
            optimizer.step()
    """
    text = """
        from .base import Base

        class Trainer(Base):
            def fit(self, loader):
                for batch in loader:
                    self.model(batch).loss.backward()
                    self.finish()
    """
    (found,) = verified(project(tmp_path, base=base, steps=steps, train=text))
    assert found.rules == {"zero-grad-before-step"}, said(found)
    assert found.shown[0].path == "pack/steps.py"


def test_a_loop_of_another_file_is_that_files(tmp_path: Path) -> None:
    engine = """
        def train_one_epoch(model, optimizer, loader):
            for batch in loader:
                optimizer.zero_grad()
                model(batch).loss.backward()
                optimizer.step()
    """
    text = """
        from .engine import train_one_epoch

        def main(model, optimizer, loader, args):
            for epoch in range(args.epochs):
                train_one_epoch(model, optimizer, loader)
    """
    folder = project(tmp_path, engine=engine, train=text)
    assert verified(folder) == ()
    assert [said(one) for one in verified(folder, "engine")] == [CONFIRMED]


def test_nothing_outside_of_the_project_is_read(tmp_path: Path) -> None:
    (tmp_path / "secret.py").write_text(dedent(LATE))
    folder = project(tmp_path / "inside", train=loop("from ...secret import finish", "finish"))
    (folder / "linked.py").symlink_to(tmp_path / "secret.py")
    (folder / "other.py").write_text(dedent(loop("from .linked import finish", "finish")))
    for name in ("train", "other"):
        assert all(not one.rules and not one.notes for one in verified(folder, name))


def test_what_must_not_run_is_not_followed(tmp_path: Path) -> None:
    helper = """
        def finish(model, optimizer):
            eval("1")
            optimizer.step()
            optimizer.zero_grad()
    """
    assert verified(project(tmp_path, utils=helper, train=loop("from .utils import finish", "finish"))) == ()


def test_files_that_import_each_other_or_are_broken(tmp_path: Path) -> None:
    one = "from .two import finish\ndef other(o):\n    finish(o)\n    o.zero_grad()\n"
    two = "from .one import other\ndef finish(m, o):\n    o.step()\n    other(o)\n"
    folder = project(tmp_path, one=one, two=two, bad="def (", train=loop("from .two import finish", "finish"))
    (folder / "broken.py").write_text(dedent(loop("from .bad import finish", "finish")))
    assert [one.verdict.value for one in verified(folder)] == ["inconclusive"]  # they call each other for ever
    assert verified(folder, "broken") == ()


def test_a_library_with_a_stand_in_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "opacus").mkdir()
    (tmp_path / "opacus" / "__init__.py").write_text(
        "class PrivacyEngine:\n    def make_private(self):\n        p.grad = 1\n"
    )
    text = """
from opacus import PrivacyEngine


def train(model, optimizer, loader):
    model, optimizer, loader = PrivacyEngine().make_private(module=model, optimizer=optimizer, data_loader=loader)
    for x in loader:
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()
"""
    (tmp_path / "train.py").write_text(text)
    (loop,) = verify_text(text, str(tmp_path / "train.py"), Asked()).loops
    assert loop.verdict.value == "confirmed", loop
    assert loop.wrapper == "a shim of Opacus without noise"
