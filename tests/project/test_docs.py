"""What the pages in docs/ claim, and the site that is made of them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from gradlint.cli.formats import FORMATS
from gradlint.config.file import KEYS
from gradlint.config.resolve import read_file
from gradlint.model.custom import ROLES

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


def blocks(page: str, language: str) -> list[str]:
    text = (DOCS / page).read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def test_the_configuration_shown_is_valid_and_whole(tmp_path: Path) -> None:
    (block,) = blocks("configuration.md", "toml")
    file = tmp_path / "gradlint.toml"
    file.write_text(block, encoding="utf-8")
    assert read_file(str(file)) is not None
    shown = {re.split(r"[ =\]]", line.lstrip("["))[0] for line in block.splitlines() if re.match(r"[a-z\[]", line)}
    assert set(KEYS) - shown == {"extend", "extend-select"}


def test_every_key_and_no_other_is_explained() -> None:
    text = (DOCS / "configuration.md").read_text(encoding="utf-8")
    table = text.partition("| key | meaning | default |")[2].partition("\n\n")[0]
    named = [name for row in table.splitlines()[2:] for name in re.findall(r"`([a-z-]+)`", row.split("|")[1])]
    assert sorted(named) == sorted(KEYS)


def test_every_role_and_no_other_is_explained() -> None:
    text = (DOCS / "configuration.md").read_text(encoding="utf-8")
    table = text.partition("| role | the name is |")[2].partition("\n\n")[0]
    named = [name for row in table.splitlines()[2:] for name in re.findall(r"`([a-z-]+)`", row.split("|")[1])]
    assert sorted(named) == sorted(ROLES)


def test_every_reason_for_what_was_not_judged_is_explained() -> None:
    text = (DOCS / "limits.md").read_text(encoding="utf-8")
    table = text.partition("| kind | why | proposed |")[2].partition("\n\n")[0]
    named = [name for row in table.splitlines()[2:] for name in re.findall(r"`([a-z-]+)`", row.split("|")[1])]
    schema = json.loads((ROOT / "gradlint" / "report.schema.json").read_text(encoding="utf-8"))
    assert sorted(named) == sorted(schema["$defs"]["unjudged"]["properties"]["kind"]["enum"])


def test_every_format_is_explained() -> None:
    text = (DOCS / "ci.md").read_text(encoding="utf-8")
    table = text.partition("| format | for |")[2].partition("\n\n")[0]
    assert tuple(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == FORMATS


def test_what_is_shown_of_the_recipes_is_in_them() -> None:
    hooks, action, job = (yaml.safe_load(block) for block in blocks("ci.md", "yaml"))
    recipe = {path.name: yaml.safe_load(path.read_text(encoding="utf-8")) for path in (ROOT / "recipes").glob("*.y*ml")}
    assert hooks == recipe["pre-commit-config.yaml"]
    assert action == recipe["github-workflow.yml"]["jobs"]["gradlint"]["steps"]
    assert job == recipe["gitlab-ci.yml"]


def test_the_readme_s_hooks_are_those_of_the_recipe() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)
    assert block in (ROOT / "recipes" / "pre-commit-config.yaml").read_text(encoding="utf-8")


def test_vim_is_told_the_same_with_and_without_the_file() -> None:
    (shown,) = blocks("editors.md", "vim")
    file = (ROOT / "editors" / "vim" / "compiler" / "gradlint.vim").read_text(encoding="utf-8")
    assert [line.removeprefix("set ") for line in shown.splitlines()] == re.findall(
        r"^CompilerSet (.*)$", file, re.MULTILINE
    )


def test_the_picture_is_what_gradlint_prints() -> None:
    ran = subprocess.run([sys.executable, "docs/picture.py", "--check"], cwd=ROOT, check=False)
    assert ran.returncode == 0, "draw it again: python docs/picture.py"


@pytest.mark.slow
def test_the_site_is_built_without_a_warning(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONWARNINGS": "ignore"}
    ran = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout + ran.stderr) == (0, "")
    rules = {path.stem for path in (ROOT / "rules").glob("*.md")}
    assert {path.parent.name for path in (tmp_path / "rules").glob("*/index.html")} == rules
    pages = {path.stem for path in DOCS.glob("*.md")} | {"changelog", "contributing"}
    assert {path.parent.name for path in tmp_path.glob("*/index.html")} == pages
    first = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert 'href="rules/clip-after-step/"' in first
    assert 'src="terminal.svg"' in first
    assert (tmp_path / "terminal.svg").exists()
    assert "rules: made by" not in first
    page = (tmp_path / "rules" / "clip-after-step" / "index.html").read_text(encoding="utf-8")
    assert "fixed</span>" in page
