"""Settings: what to report, in layers.

    defaults  <  configuration file  <  what it says of single files  <  command line

Selections are layers: within one, the more specific selector wins (rule before category before `all`,
and `ignore` on a tie); where a layer is silent, the one beneath decides.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from gradlint.model.custom import NONE, Custom
from gradlint.model.record import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Collection

EVERY_RULE = "all"
TESTS = ("**/tests/**", "test_*.py", "*_test.py", "conftest.py")
"""Globs of files that are tests."""


class ConfigError(Exception):
    """A configuration that cannot be used; the message names file, key and the nearest key."""


@dataclass(frozen=True, slots=True)
class Settings:
    """One layer of settings, on top of the layer `beneath`.

    Attributes:
        select: Selectors that replace everything beneath; `None` keeps it.
        ignore: Selectors switched off.
        extend_select: Selectors switched on, beside what is on already.
        pedantic: Report findings of medium and low confidence too.
        exclude: Globs of files and folders that a walk leaves out, relative to `root`.
        force_exclude: Leave them out even where they are named.
        respect_gitignore: Whether a walk leaves out what git ignores.
        project: Whether a file is checked with the other files of its project in sight.
        tests: Globs of files that are tests, relative to the project: callers there count where there are no others.
        per_file_ignores: Selectors that are switched off in the files that a glob names, relative to `root`.
        custom: The project's own words.
        target_version: The oldest Python that a repair must be readable for, such as `py310`; empty for any.
        root: Folder of the configuration file.
        file: The configuration file itself.
        beneath: The layer that decides where this one is silent.
    """

    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    pedantic: bool = False
    exclude: tuple[str, ...] = ()
    force_exclude: bool = False
    respect_gitignore: bool = True
    project: bool = True
    tests: tuple[str, ...] = TESTS
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    custom: Custom = NONE
    target_version: str = ""
    root: str = ""
    file: str = field(default="", compare=False)
    beneath: Settings | None = None

    def enabled(self, rule: str, category: str, default: bool) -> bool:
        """Whether to report `rule`, which is in `category` and on by `default` or not."""
        if self.beneath is not None:
            default = self.beneath.enabled(rule, category, default)
        on = _rank((*(self.select or ()), *self.extend_select), rule, category)
        off = _rank(self.ignore, rule, category)
        if on or off:
            return on > off
        return default if self.select is None else False

    @property
    def narrowed(self) -> bool:
        """Whether some rules that are on by default may be off."""
        own = self.select is not None or bool(self.ignore)
        return own or (self.beneath is not None and self.beneath.narrowed)


def _rank(selectors: Collection[str], rule: str, category: str) -> int:
    """How specifically one of `selectors` names the rule: 3 rule, 2 category, 1 all, 0 not."""
    if not selectors:
        return 0
    ranks = {rule: 3, category: 2, EVERY_RULE: 1}
    return max(ranks.get(selector, 0) for selector in selectors)


def override(
    beneath: Settings,
    *,
    select: tuple[str, ...] | None = None,
    ignore: tuple[str, ...] = (),
    extend_select: tuple[str, ...] = (),
    pedantic: bool = False,
    force_exclude: bool = False,
) -> Settings:
    """The command line's layer on top of `beneath`."""
    return replace(
        beneath,
        select=select,
        ignore=ignore,
        extend_select=extend_select,
        pedantic=pedantic or beneath.pedantic,
        force_exclude=force_exclude or beneath.force_exclude,
        beneath=beneath,
    )
