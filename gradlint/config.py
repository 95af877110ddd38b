"""Settings: what to report, from defaults, the nearest configuration file and the command line.

    defaults  <  [tool.gradlint] in pyproject.toml, or gradlint.toml  <  command line

The file nearest to a checked file decides for it, as in ruff; files are not merged. Selections
are layers: within one, the more specific selector wins (rule before category before `all`, and
`ignore` on a tie); where a layer is silent, the one beneath decides.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from gradlint.nearest import unknown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

EVERY_RULE = "all"
FILE_NAMES = ("gradlint.toml", "pyproject.toml")
_SELECTIONS = ("select", "ignore", "extend-select")


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
        root: Folder of the configuration file.
        beneath: The layer that decides where this one is silent.
    """

    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    pedantic: bool = False
    exclude: tuple[str, ...] = ()
    root: str = ""
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


def _rank(selectors: Iterable[str], rule: str, category: str) -> int:
    """How specifically one of `selectors` names the rule: 3 rule, 2 category, 1 all, 0 not."""
    ranks = {rule: 3, category: 2, EVERY_RULE: 1}
    return max((ranks.get(selector, 0) for selector in selectors), default=0)


def override(
    beneath: Settings,
    *,
    select: tuple[str, ...] | None = None,
    ignore: tuple[str, ...] = (),
    extend_select: tuple[str, ...] = (),
    pedantic: bool = False,
) -> Settings:
    """The command line's layer on top of `beneath`."""
    return replace(
        beneath,
        select=select,
        ignore=ignore,
        extend_select=extend_select,
        pedantic=pedantic or beneath.pedantic,
        beneath=beneath,
    )


def known_selectors() -> frozenset[str]:
    """Every rule, every category and `all`."""
    from gradlint.rule import all_rules

    rules = all_rules()
    return frozenset({EVERY_RULE} | {r.name for r in rules} | {r.category for r in rules})


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


def read_file(file: str) -> Settings | None:
    """Settings from one configuration file; `None` for a pyproject.toml of other tools only.

    Raises:
        ConfigError: The file cannot be read, is no TOML, or says something unknown.
    """
    whole = os.path.basename(file) != "pyproject.toml"
    try:
        with open(file, "rb") as stream:
            data = stream.read()
    except OSError as error:
        raise ConfigError(f"{_shown(file)}: cannot be read: {error.strerror}") from None
    if not whole and b"gradlint" not in data:
        return None
    table: Any = _parse(_shown(file), data)
    if not whole:
        tools = table.get("tool", {})
        table = tools.get("gradlint") if isinstance(tools, dict) else None
    if table is None:
        return None
    if not isinstance(table, dict):
        raise ConfigError(f"{_shown(file)}: 'tool.gradlint' must be a table")
    return _settings(_shown(file), table, os.path.dirname(os.path.abspath(file)))


def _parse(shown: str, data: bytes) -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        return dict(tomllib.loads(data.decode("utf-8")))
    except UnicodeDecodeError:
        raise ConfigError(f"{shown}: is not UTF-8, as TOML must be") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{shown}: is not valid TOML: {error}") from None


def _settings(shown: str, table: Mapping[str, Any], root: str) -> Settings:
    keys = {"select", "ignore", "extend-select", "pedantic", "exclude"}
    for key in table:
        if key not in keys:
            raise ConfigError(f"{shown}: {unknown('key', key, keys)}")
    names = {key: _strings(shown, key, table[key]) for key in _SELECTIONS if key in table}
    for key, selectors in names.items():
        check_selectors(f"{shown}: {key}", selectors)
    pedantic = table.get("pedantic", False)
    if not isinstance(pedantic, bool):
        raise ConfigError(f"{shown}: 'pedantic' must be true or false, not {pedantic!r}")
    return Settings(
        select=names.get("select"),
        ignore=names.get("ignore", ()),
        extend_select=names.get("extend-select", ()),
        pedantic=pedantic,
        exclude=_strings(shown, "exclude", table.get("exclude", [])),
        root=root,
    )


def _strings(shown: str, key: str, value: object) -> tuple[str, ...]:
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(value)
    raise ConfigError(f"{shown}: {key!r} must be a list of strings, not {value!r}")


def check_selectors(where: str, selectors: Iterable[str]) -> None:
    """Make sure that every selector names a rule, a category or `all`.

    Raises:
        ConfigError: One does not; the message begins with `where`.
    """
    wanted = [name for name in selectors if name != EVERY_RULE]
    known = known_selectors() if wanted else frozenset()
    for name in wanted:
        if name not in known:
            raise ConfigError(f"{where}: {unknown('rule', name, known)}")


def _shown(file: str) -> str:
    """`file` as a reader in the current folder would write it."""
    here = os.getcwd() + os.sep
    return file.removeprefix(here)
