"""Which settings a file has: those of the nearest configuration file, with the command line on top.

The file nearest to a checked file decides for it, as in ruff. Files are not merged; one may `extend`
another.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from gradlint.files.globs import matcher
from gradlint.model.settings import ConfigError, Settings, override

if TYPE_CHECKING:
    from collections.abc import Callable

FILE_NAMES = ("gradlint.toml", "pyproject.toml")


def read_file(file: str) -> Settings | None:
    """Settings from one configuration file; `None` for a pyproject.toml of other tools only.

    Raises:
        ConfigError: The file, or one that it extends, cannot be read, is no TOML, or says something unknown.
    """
    from gradlint.config import file as configfile

    return configfile.read_file(file)


class Project:
    """Settings by folder: each folder has those of the nearest configuration file.

    Args:
        file: A configuration file that is used for every folder instead.
        adjust: Applied to every folder's settings, once; the command line's layer.
    """

    def __init__(
        self,
        file: str | None = None,
        adjust: Callable[[Settings], Settings] = lambda settings: settings,
    ) -> None:
        self._adjust = adjust
        self._folders: dict[str, Settings] = {}
        self._default = adjust(Settings())
        self._fixed = None if file is None else adjust(_read_chosen(file))

    def settings(self, folder: str) -> Settings:
        """The settings for files in `folder`.

        Raises:
            ConfigError: The folder's configuration file cannot be used.
        """
        return self._fixed or self._nearest(os.path.abspath(folder))

    def of_file(self, file: str) -> Settings:
        """The settings for one file: its folder's, without the rules that `per-file-ignores` switches off.

        Raises:
            ConfigError: The folder's configuration file cannot be used.
        """
        settings = self.settings(os.path.dirname(file) or os.curdir)
        off = [
            rule for glob, rules in settings.per_file_ignores if matcher((glob,), settings.root)(file) for rule in rules
        ]
        return override(settings, ignore=tuple(off)) if off else settings

    def _nearest(self, folder: str) -> Settings:
        found = self._folders.get(folder)
        if found is None:
            own, parent = _read_folder(folder), os.path.dirname(folder)
            if own is not None:
                found = self._adjust(own)
            else:
                found = self._default if parent == folder else self._nearest(parent)
            self._folders[folder] = found
        return found


def _read_chosen(file: str) -> Settings:
    """Settings from the file that the user named; it must exist and have something to say."""
    if not os.path.isfile(file):
        raise ConfigError(f"{file}: no such configuration file")
    settings = read_file(file)
    if settings is None:
        raise ConfigError(f"{file}: has no [tool.gradlint] table")
    return settings


def _read_folder(folder: str) -> Settings | None:
    for name in FILE_NAMES:
        file = os.path.join(folder, name)
        if os.path.isfile(file) and (settings := read_file(file)) is not None:
            return settings
    return None
