"""The projects of a command's files: one for all files of the same root, and the settings of its other files."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from gradlint.model.record import replace
from gradlint.model.settings import ConfigError
from gradlint.project.disk import Options
from gradlint.project.project import Project
from gradlint.project.roots import Roots, absolute

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gradlint.config.resolve import Project as Configuration
    from gradlint.model.settings import Settings


class Projects:
    """The projects around the files of one command."""

    def __init__(
        self, configuration: Configuration, *, texts: Mapping[str, str] | None = None, cache: str = ""
    ) -> None:
        """With the settings of all folders, the texts of files that are not saved, and the cache's folder."""
        self._configuration = configuration
        self._texts = {absolute(path): text for path, text in (texts or {}).items()}
        self._cache = cache
        self._roots = Roots()
        self._by_root: dict[str, Project] = {}

    def around(self, path: str, settings: Settings) -> Project | None:
        """The project that a file belongs to, if it is to be checked within one."""
        if not settings.project or not path.endswith(".py"):
            return None
        root = self._roots.of(os.path.dirname(absolute(path)))
        if root not in self._by_root:
            self._by_root[root] = self._made(root)
        return self._by_root[root]

    def change(self, path: str, settings: Settings, text: str) -> None:
        """From now on a file has another text, written or not."""
        project = self.around(path, settings)
        if project is not None:
            self._by_root[project.root] = project.with_text(path, text)

    def settings(self, path: str) -> Settings | None:
        """The settings of a file that nobody has named; `None` where they cannot be used, or it is left out."""
        try:
            return self._configuration.of_file(path)
        except ConfigError:
            return None

    def _made(self, root: str) -> Project:
        own = self.of_folder(root)
        options = Options(self.of_folder, cache=self._cache)
        if own is not None:
            options = replace(options, tests=own.tests)
        texts = {path: text for path, text in self._texts.items() if path.startswith(os.path.join(root, ""))}
        return Project(root, texts=texts, options=options)

    def of_folder(self, folder: str) -> Settings | None:
        """The settings of a folder, as far as they can be used."""
        try:
            return self._configuration.settings(folder)
        except ConfigError:
            return None
