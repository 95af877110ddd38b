"""`fix --project`, all the way down: one patch for all files, written all or none."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gradlint.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable

CONTEXTS = """\
from contextlib import contextmanager


@contextmanager
def fresh(optimizer):
    optimizer.zero_grad()
    yield
"""
TRAIN = """\
import torch
from torch import nn

from contexts import fresh

WINDOW = 4


def main():
    model = nn.Linear(3, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i in range(8):
        with fresh(optimizer):
            loss = model(torch.randn(5, 3)).pow(2).mean()
            (loss / WINDOW).backward()
        if (i + 1) % WINDOW == 0:
            optimizer.step()


if __name__ == "__main__":
    main()
"""
MENDED = {
    "contexts.py": CONTEXTS.replace("    optimizer.zero_grad()\n", ""),
    "train.py": TRAIN.replace("optimizer.step()\n", "optimizer.step()\n            optimizer.zero_grad()\n"),
}
FILES = {"contexts.py": CONTEXTS, "train.py": TRAIN}


@dataclass(frozen=True)
class Ran:
    status: int
    out: str
    err: str


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    for name, text in {"pyproject.toml": "", **FILES}.items():
        Path(name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture
def run(here: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    assert here

    def call(*words: str) -> Ran:
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", err)
            status = main(list(words))
        texts = [one.buffer.getvalue().decode() for one in (out, err)]  # type: ignore[attr-defined]
        return Ran(int(status), *texts)

    return call


def held() -> dict[str, str]:
    assert not list(Path().glob(".gradlint-*"))
    return {name: Path(name).read_text(encoding="utf-8") for name in FILES}


def test_without_it_the_finding_stays_and_says_what_it_takes(run: Callable[..., Ran]) -> None:
    ran = run("fix", "--apply")
    assert held() == FILES
    assert (ran.status, ran.err) == (1, "")
    assert "(the repair changes contexts.py and train.py: use `gradlint fix --project`)" in ran.out
    assert ran.out.endswith("Nothing to fix in 2 files; 1 problem remains (1 fixable with --project).\n")
    shown = run("check", "--no-cache")
    assert "  help: the repair changes contexts.py and train.py: use `gradlint fix --project`" in shown.out
    assert shown.out.endswith("1 fixable with `gradlint fix --apply --project`.\n")
    (found,) = json.loads(run("check", "--no-cache", "--output-format", "json").out)["findings"]
    assert (found["fix"], found["fix_elsewhere"]) == (None, ["contexts.py", "train.py"])


@pytest.mark.parametrize("paths", [(), ("contexts.py",), ("./contexts.py", "train.py")])
def test_one_patch_for_all_files(run: Callable[..., Ran], paths: tuple[str, ...]) -> None:
    ran = run("fix", "--project", *paths)
    assert held() == FILES
    assert ran.status == 1
    assert [line for line in ran.out.splitlines() if line.startswith("+++")] == ["+++ b/contexts.py", "+++ b/train.py"]
    assert "\n    changes train.py\n" in ran.err
    assert ran.err.endswith("Would fix 1 problem in 2 files.\n")
    subprocess.run(["git", "init", "-q"], check=True)
    subprocess.run(["git", "apply"], input=ran.out.encode(), check=True)
    assert held() == MENDED


@pytest.mark.parametrize("name", ["contexts.py", os.path.join("{here}", "contexts.py"), "."])
def test_all_files_are_written(run: Callable[..., Ran], here: Path, name: str) -> None:
    ran = run("fix", "--project", "--apply", name.replace("{here}", str(here)))
    assert (ran.status, ran.err) == (0, "")
    assert held() == MENDED
    assert run("fix", "--project", "--apply").out.startswith("Nothing to fix in 2 files.")


def test_where_one_file_cannot_be_written_none_is(run: Callable[..., Ran]) -> None:
    Path("train.py").chmod(0o444)
    ran = run("fix", "--project", "--apply")
    assert ran.status == 3
    assert ran.err == "train.py: not written: it is read-only; make it writable (chmod u+w) and run again\n"
    assert held() == FILES


def test_what_fails_halfway_is_taken_back(run: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch) -> None:
    """The first rename is done, the second is not: the first file gets its old text again."""
    real, done = os.replace, list[str]()

    def replace(source: Any, target: Any) -> None:
        done.append(os.path.basename(target))
        if len(done) == 2:
            raise OSError(28, "No space left on device")
        real(source, target)

    monkeypatch.setattr(os, "replace", replace)
    ran = run("fix", "--project", "--apply")
    assert done == ["contexts.py", "train.py", "contexts.py"]
    assert (ran.status, held()) == (3, FILES)
    assert ran.err == "train.py: not written: no space is left on the device; free some and run again\n"


def test_what_somebody_else_writes_meanwhile_is_kept(run: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch) -> None:
    from gradlint.check import in_turn

    real = in_turn.fix_in_turn

    def slow(*words: Any) -> Any:
        found = real(*words)
        Path("train.py").write_text("mine = 1\n", encoding="utf-8")
        return found

    monkeypatch.setattr(in_turn, "fix_in_turn", slow)
    ran = run("fix", "--project", "--apply")
    assert ran.status == 3
    assert "train.py: not written: it was changed while gradlint was at work; run again\n" in ran.err
    assert held() == {**FILES, "train.py": "mine = 1\n"}


def test_files_that_are_left_out_are_not_changed(run: Callable[..., Ran]) -> None:
    Path("pyproject.toml").write_text('[tool.gradlint]\nexclude = ["train.py"]\n', encoding="utf-8")
    ran = run("fix", "--project", "--apply", "contexts.py")
    assert held() == FILES
    assert "--project" not in ran.out


@pytest.mark.parametrize("words", [("-",), ("--verify",)])
def test_what_it_does_not_go_with(run: Callable[..., Ran], words: tuple[str, ...]) -> None:
    ran = run("fix", "--project", *words)
    assert ran.status == 2
    assert "--project changes several files, and does not go with" in ran.err


LENT = {
    "steps.py": """\
def push(loss):
    loss.backward()
    return loss.item()
""",
    "learning.py": """\
from steps import push


def learn(net, x, y):
    return push((net(x) - y).abs().mean())
""",
    "main.py": """\
import torch
from torch import nn

from learning import learn


def main(batches):
    net, probe = nn.Linear(4, 1), nn.Linear(4, 1)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    probe_opt = torch.optim.SGD(probe.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cuda")
    for x, y in batches:
        opt.zero_grad()
        learn(net, x, y)
        scaler.step(opt)
        scaler.update()
        probe_opt.zero_grad()
        learn(probe, x, y)
        probe_opt.step()
""",
}


def test_what_a_helper_is_lent_goes_through_all_files(run: Callable[..., Ran], here: Path) -> None:
    for name in FILES:
        (here / name).unlink()
    for name, text in LENT.items():
        (here / name).write_text(text, encoding="utf-8")
    ran = run("fix", "--project", "--apply")
    assert (ran.status, ran.err) == (0, "")
    told = {name: (here / name).read_text(encoding="utf-8") for name in LENT}
    assert (
        "def push(loss, scaler=None):\n    if scaler is not None:\n        scaler.scale(loss).backward()"
        in told["steps.py"]
    )
    assert (
        "def learn(net, x, y, scaler=None):\n    return push((net(x) - y).abs().mean(), scaler=scaler)"
        in told["learning.py"]
    )
    assert "        learn(net, x, y, scaler=scaler)\n        scaler.step(opt)\n" in told["main.py"]
    assert "        learn(probe, x, y)\n" in told["main.py"]
