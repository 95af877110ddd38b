"""Help: every command has examples, and every option in them exists."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from gradlint.cli.app import COMMANDS, app

if TYPE_CHECKING:
    from collections.abc import Callable


def options(name: str) -> set[str]:
    command = app.get_command(None, name)
    return {word for parameter in command.params for word in parameter.opts} | {"--help", "-h", "-"}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_examples_that_are_real(run: Callable, name: str) -> None:
    ran = run(name, "--help")
    assert ran.status == 0
    assert "Examples:\n" in ran.out
    examples = re.findall(rf"gradlint ({'|'.join(COMMANDS)})\b([^|>\n]*)", ran.out.partition("Examples:")[2])
    assert name in {command for command, _ in examples}
    for command, rest in examples:
        used = {word.split("=")[0] for word in rest.split("  ")[0].split() if word.startswith("--")}
        assert used <= options(command), f"gradlint {command}{rest}"


@pytest.mark.parametrize("name", COMMANDS)
def test_help_fits_a_terminal(run: Callable, name: str) -> None:
    assert max(map(len, run(name, "--help").out.splitlines())) <= 100


def test_help_lists_every_command(run: Callable) -> None:
    out = run("--help").out
    assert all(re.search(rf"^  {name} +\S", out, re.MULTILINE) for name in COMMANDS)
