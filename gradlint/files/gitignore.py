"""What git ignores below a folder, without git: the .gitignore files there, and those above it in the repository.

As gitignore(5) has it: the last pattern that matches decides, and a deeper file counts more. What is
tracked all the same is not known here.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from gradlint.model.record import dataclass

if TYPE_CHECKING:
    import re

FILE = ".gitignore"


@dataclass(frozen=True, slots=True)
class _Pattern:
    """One line: matches paths below its file's folder; `keeps` begins with `!`, `folders` ends with `/`.

    One that is not anchored matches a name, in whichever folder.
    """

    regex: str
    keeps: bool
    folders: bool
    anchored: bool

    def matches(self, inside: str) -> bool:
        """Whether it matches a path."""
        import re

        return re.fullmatch(self.regex, inside if self.anchored else inside.rpartition("/")[2], re.DOTALL) is not None


@dataclass(frozen=True, slots=True)
class Ignored:
    """The patterns of one folder's file, on top of those above; `names` and `paths` match what any of them matches."""

    folder: str
    patterns: tuple[_Pattern, ...]
    names: re.Pattern[str] | None
    paths: re.Pattern[str] | None
    above: Ignored | None

    def may_decide(self, inside: str) -> bool:
        """Whether some pattern matches: most paths are settled by that."""
        name = inside.rpartition("/")[2]
        return (self.names is not None and self.names.fullmatch(name) is not None) or (
            self.paths is not None and self.paths.fullmatch(inside) is not None
        )


def hidden(ignored: Ignored | None, path: str, *, folder: bool) -> bool:
    """Whether git ignores `path` (absolute, in the folders of all patterns), given that it ignores no folder above."""
    while ignored is not None:
        inside = path[len(ignored.folder) :].replace(os.sep, "/").lstrip("/")
        for pattern in reversed(ignored.patterns) if ignored.may_decide(inside) else ():
            if (folder or not pattern.folders) and pattern.matches(inside):
                return not pattern.keeps
        ignored = ignored.above
    return False


def above(folder: str) -> Ignored | None:
    """What counts beside `folder` (absolute): the files above it, up to the root of the repository it is in."""
    chain = [folder]
    while not os.path.exists(os.path.join(chain[-1], ".git")):
        parent = os.path.dirname(chain[-1])
        if parent == chain[-1]:
            return None
        chain.append(parent)
    found = _level(chain[-1], os.path.join(chain[-1], ".git", "info", "exclude"), None)
    for one in reversed(chain[1:]):
        found = within(one, found)
    return found


def within(folder: str, outer: Ignored | None) -> Ignored | None:
    """What counts in `folder` (absolute), given what counts beside it."""
    return _level(folder, os.path.join(folder, FILE), outer)


def _level(folder: str, file: str, outer: Ignored | None) -> Ignored | None:
    try:
        with open(file, encoding="utf-8", errors="surrogateescape", newline="") as stream:
            lines = stream.read().split("\n")
    except OSError:
        return outer
    patterns = tuple(pattern for line in lines if (pattern := _read(line)) is not None)
    if not patterns:
        return outer
    names, paths = (_any([one.regex for one in patterns if one.anchored is anchored]) for anchored in (False, True))
    return Ignored(folder, patterns, names, paths, outer)


def _any(regexes: list[str]) -> re.Pattern[str] | None:
    """What matches whatever one of some expressions does."""
    import re

    return re.compile("|".join(f"(?:{regex})" for regex in regexes), re.DOTALL) if regexes else None


def _read(line: str) -> _Pattern | None:
    """The pattern in a line; `None` for a comment or a blank one."""
    import re

    text = line.removesuffix("\r")
    while text.endswith(" ") and not text.endswith("\\ "):
        text = text[:-1]
    keeps = text.startswith("!")
    text = text[keeps:]
    if not text or (text.startswith("#") and not keeps):
        return None
    folders = text.endswith("/")
    text = text.rstrip("/") if folders else text
    anchored = "/" in text
    regex = _regex(text.removeprefix("/"))
    try:
        if "[" in regex:
            re.compile(regex)
    except re.error:
        return None
    return _Pattern(regex, keeps, folders, anchored)


def _regex(glob: str) -> str:
    """A glob of git's as a regular expression."""
    import re

    out, at = "", 0
    while at < len(glob):
        if glob.startswith("**/", at) and (at == 0 or glob[at - 1] == "/"):
            out, at = out + "(?:.*/)?", at + 3
        elif glob[at:] == "**" and glob[at - 1 : at] in ("/", ""):
            out, at = out + ".+", at + 2
        elif glob[at] == "*":
            out, at = out + "[^/]*", at + 1
        elif glob[at] == "?":
            out, at = out + "[^/]", at + 1
        elif glob[at] == "[" and (end := _closing(glob, at)):
            out, at = out + _class(glob[at + 1 : end]), end + 1
        else:
            at += glob[at] == "\\" and at + 1 < len(glob)
            out, at = out + re.escape(glob[at]), at + 1
    return out


def _closing(glob: str, at: int) -> int:
    """Where the bracket at `at` is closed; 0 where it is not."""
    first = at + 1 + (glob[at + 1 : at + 2] in ("!", "^"))
    return max(0, glob.find("]", first + 1))


def _class(inside: str) -> str:
    """A class of characters; a backslash means in it what it means in a regular expression."""
    negated = inside[:1] in ("!", "^")
    body = inside[negated:].replace("--", "\\--")
    for char in "[&|~":  # Python warns of sets in sets
        body = body.replace(char, f"\\{char}")
    return f"(?!/)[{'^' if negated else ''}{body}]"
