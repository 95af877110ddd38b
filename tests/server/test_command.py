"""`gradlint server` on the command line, and what docs/editors.md says about it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gradlint.server.options import Options, read

PAGE = (Path(__file__).parents[2] / "docs" / "editors.md").read_text(encoding="utf-8")
SECTION = PAGE[PAGE.index("## Language server") :]


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", SECTION, re.DOTALL)


def test_without_pygls_it_says_how_to_get_it() -> None:
    program = "import sys; sys.modules['pygls'] = None; from gradlint.cli import main; sys.exit(main(['server']))"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == (
        "error: the language server needs pygls; install it with: pip install 'torch-gradlint[lsp]'\n"
    )


def test_it_ends_when_its_input_does() -> None:
    command = [sys.executable, "-m", "gradlint", "server"]
    ran = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")


def test_other_commands_do_not_import_it() -> None:
    program = "import sys; from gradlint.cli import main; main(['--help']); print('pygls' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "server " in ran.stdout
    assert ran.stdout.endswith("False\n")


def test_the_documented_options_are_the_options() -> None:
    rows = re.findall(r"^\| `(\w+)` \| `([^`]*)` \|", SECTION, re.MULTILINE)
    assert read({name: json.loads(default) for name, default in rows}) == (Options(), ())
    assert {name for name, _ in rows} == {"inlayHints", "delay", "configuration"}


def test_the_documented_settings_are_well_formed() -> None:
    package, on_save = blocks("json")
    names = {
        name.removeprefix("gradlint.") for name in json.loads(package)["contributes"]["configuration"]["properties"]
    }
    assert names == {"command", "inlayHints", "delay", "configuration"}
    assert "source.fixAll.gradlint" in json.loads(f"{{{on_save}}}")["[python]"]["editor.codeActionsOnSave"]


@pytest.mark.skipif(sys.version_info < (3, 11), reason="tomllib came with 3.11")
def test_the_settings_of_helix_are_toml() -> None:
    import tomllib

    (text,) = blocks("toml")
    server = tomllib.loads(text)["language-server"]["gradlint"]
    assert [server["command"], *server["args"]] == ["gradlint", "server"]
    assert read(server["config"]) == (Options(hints=True), ())


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_the_extension_is_javascript(tmp_path: Path) -> None:
    (script,) = blocks("js")
    file = tmp_path / "extension.js"
    file.write_text(script, encoding="utf-8")
    ran = subprocess.run(["node", "--check", file], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
