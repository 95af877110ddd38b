from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from gradlint.config.resolve import read_file

if TYPE_CHECKING:
    from collections.abc import Callable

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


def test_show_files_checks_nothing(run: Callable) -> None:
    for name in ("b.py", "a.py", "old/c.py", "notes.md"):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text("BUG\n")
    Path("gradlint.toml").write_text('exclude = ["old"]\n')
    ran = run("check", "--show-files")
    assert (ran.status, ran.out, ran.err) == (0, "a.py\nb.py\n", "")
    assert run("check", "--show-files", "old/c.py").out == "old/c.py\n"
    assert run("check", "--show-files", "old/c.py", "--force-exclude").out == ""


def test_show_files_tells_what_is_not_there(run: Callable) -> None:
    ran = run("check", "--show-files", "gone.py")
    assert (ran.status, ran.out, ran.err) == (3, "", "gone.py: no such file or folder\n")


def test_show_settings_is_a_configuration_that_gives_the_same(run: Callable) -> None:
    Path("a.py").write_text("")
    Path("gradlint.toml").write_text(
        'ignore = ["missing-no-sync"]\ntarget-version = "py310"\noptimizers = ["my.Lion"]\nexclude = ["x"]\n'
        '[per-file-ignores]\n"tests/*" = ["clipping"]\n'
    )
    ran = run("check", "--show-settings", "--pedantic", "--extend-select", "tiny-max-norm")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith(f"# {Path('gradlint.toml').absolute()}: a.py\n")
    whole = tomllib.loads(ran.out)
    assert whole["select"] == ["clip-after-step", "clip-per-tensor", "tiny-max-norm"]
    assert (whole["pedantic"], whole["optimizers"], whole["exclude"]) == (True, ["my.Lion"], ["x"])
    assert whole["target-version"] == "py310"
    Path("gradlint.toml").write_text(ran.out)
    assert read_file("gradlint.toml") is not None
    assert run("check", "--show-settings").out == ran.out


def test_show_settings_of_several_folders(run: Callable) -> None:
    for name in ("one", "two"):
        Path(name).mkdir()
        Path(name, "gradlint.toml").write_text(f"pedantic = {'true' if name == 'one' else 'false'}\n")
        Path(name, "a.py").write_text("")
        Path(name, "b.py").write_text("")
    heads = [line for line in run("check", "--show-settings").out.splitlines() if line.startswith("#")]
    here = Path.cwd()
    assert heads == [f"# {here}/{name}/gradlint.toml: 2 files, such as {name}/a.py" for name in ("one", "two")]


def test_show_settings_without_files(run: Callable) -> None:
    ran = run("check", "--show-settings")
    assert ran.out.startswith("# defaults: no file\n")
    assert "target-version" not in ran.out
