"""The rules' pages: one Markdown file a rule, documentation and specification in one.

A wheel carries them inside the package; a checkout, and so an editable install, reads them from
`rules/` at the root of the repository.
"""

from __future__ import annotations

import os

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_FOLDERS = (
    os.path.join(_PACKAGE, "_pages"),
    os.path.join(os.path.dirname(_PACKAGE), "rules"),
)
_NOT_RULES = {"README", "index"}


class PageError(Exception):
    """There is no page of that name."""


def names() -> tuple[str, ...]:
    """The names of all rules that have a page, sorted."""
    folder = _folder()
    if folder is None:
        return ()
    stems = (os.path.splitext(file) for file in os.listdir(folder))
    return tuple(sorted(stem for stem, ext in stems if ext == ".md" and stem not in _NOT_RULES))


def read(name: str) -> str:
    """The Markdown text of the page of rule `name`.

    Raises:
        PageError: No rule of that name has a page.
    """
    folder = _folder()
    if folder is None or name not in names():
        raise PageError(name)
    with open(os.path.join(folder, f"{name}.md"), encoding="utf-8") as file:
        return file.read()


def _folder() -> str | None:
    return next((folder for folder in _FOLDERS if os.path.isdir(folder)), None)
