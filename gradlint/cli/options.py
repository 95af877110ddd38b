"""Options that several commands take, and what they mean: which rules, which configuration, which files."""

from __future__ import annotations

from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gradlint.cli.console import complain
from gradlint.config.resolve import Project
from gradlint.config.selectors import check_selectors
from gradlint.model.record import dataclass
from gradlint.model.settings import ConfigError, Settings, override

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gradlint.files.discovery import Discovery

STDIN = "-"


@dataclass(frozen=True, slots=True)
class Selection:
    """The command line's layer of settings."""

    select: tuple[str, ...]
    extend_select: tuple[str, ...]
    ignore: tuple[str, ...]
    pedantic: bool
    config: str | None
    force_exclude: bool = False

    def project(self) -> Project:
        """The settings of every folder, with this layer on top."""
        return Project(self.config, self._adjust)

    def _adjust(self, settings: Settings) -> Settings:
        return override(
            settings,
            select=self.select or None,
            extend_select=self.extend_select,
            ignore=self.ignore,
            pedantic=self.pedantic,
            force_exclude=self.force_exclude,
        )


def names(values: Sequence[str]) -> tuple[str, ...]:
    """The names in repeated, comma-separated values of an option."""
    return tuple(name.strip() for value in values for name in value.split(",") if name.strip())


def _selectors(context: click.Context, option: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Split and check the names given to an option."""
    selectors = names(values)
    try:
        check_selectors(f"--{str(option.name).replace('_', '-')}", selectors)
    except ConfigError as error:
        raise click.UsageError(str(error), context) from None
    return selectors


def complete_selectors(_context: click.Context, _option: click.Parameter, begun: str) -> list[str]:
    """What a shell may put for the last of several names that were begun."""
    from gradlint.config.selectors import known_selectors

    before, comma, last = begun.rpartition(",")
    return [f"{before}{comma}{name}" for name in sorted(known_selectors()) if name.startswith(last)]


_RULES: dict[str, Any] = {
    "multiple": True,
    "callback": _selectors,
    "metavar": "RULES",
    "shell_complete": complete_selectors,
}
_SELECTION = (
    click.option("--select", help="Only these.", **_RULES),
    click.option("--extend-select", help="These too.", **_RULES),
    click.option("--ignore", help="Not these.", **_RULES),
    click.option("--pedantic", is_flag=True, help="Consider what is less than certain, too."),
    click.option("--config", metavar="FILE", help="Use this configuration and no other."),
    click.option("--force-exclude", is_flag=True, help="Leave out excluded files even where they are named."),
)


def selection(command: Callable[..., int]) -> Callable[..., int]:
    """Give a command the options that select rules; it gets them as one `selection`."""

    @wraps(command)
    def call(
        *,
        select: tuple[str, ...],
        extend_select: tuple[str, ...],
        ignore: tuple[str, ...],
        pedantic: bool,
        config: str | None,
        force_exclude: bool,
        **rest: Any,
    ) -> int:
        return command(selection=Selection(select, extend_select, ignore, pedantic, config, force_exclude), **rest)

    for option in reversed(_SELECTION):
        call = option(call)
    return call


def stdin_name(paths: Sequence[str], name: str | None) -> str | None:
    """The name of standard input where that is meant, else `None`.

    Raises:
        click.UsageError: it is meant, and so are files.
    """
    if name is None and STDIN not in paths:
        return None
    if any(path != STDIN for path in paths):
        raise click.UsageError("standard input cannot be taken together with files")
    return name or "<stdin>"


def find_files(paths: Sequence[str], project: Project) -> Discovery:
    """The files that are meant, by default those of the current folder; folders without any are told."""
    from gradlint.files.discovery import discover

    found = discover(paths or (".",), project.settings)
    for folder in found.barren:
        complain(f"warning: {folder}: no Python files here")
    return found


def settings_of(file: str | Path, project: Project) -> Settings:
    """The settings of one file."""
    return project.of_file(str(file))
