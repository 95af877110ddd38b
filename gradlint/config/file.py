"""Configuration files: TOML in, `Settings` out, errors that name file, key and the nearest known key.

Every key is in `KEYS` with the kind of value it takes; `gradlint.schema.json` says the same to editors,
and a test compares the two.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from gradlint.config.selectors import check_selectors
from gradlint.config.target import TARGETS, unknown_target
from gradlint.model.custom import ROLES, Custom
from gradlint.model.nearest import unknown
from gradlint.model.settings import ConfigError, Settings

if TYPE_CHECKING:
    from collections.abc import Mapping

KEYS = {
    "extend": "path",
    "select": "selectors",
    "ignore": "selectors",
    "extend-select": "selectors",
    "per-file-ignores": "selectors by glob",
    "pedantic": "switch",
    "exclude": "strings",
    "force-exclude": "switch",
    "respect-gitignore": "switch",
    "project": "switch",
    "tests": "strings",
    "target-version": "version",
    "optimizers": "names",
    "clip-functions": "names",
    "backward-functions": "names",
    "scaler-callables": "names",
    "roles": "roles",
}

Table = dict[str, Any]


def read_file(file: str) -> Settings | None:
    """Settings from one configuration file; `None` for a pyproject.toml of other tools only.

    Raises:
        ConfigError: The file, or one that it extends, cannot be read, is no TOML, or says something unknown.
    """
    return _read(file, ())


def _read(file: str, above: tuple[str, ...]) -> Settings | None:
    """`read_file`, for a file that those `above` extend."""
    shown, path = _shown(file), os.path.abspath(file)
    table = _table(file, shown)
    if table is None:
        return None
    values = {key: _value(shown, key, table[key]) for key in _known(shown, table)}
    base = _extended(shown, values.get("extend"), path, above)
    return _settings(values, base, path)


def _extended(shown: str, name: str | None, path: str, above: tuple[str, ...]) -> Settings:
    """The settings that a file builds upon: those of the file it extends, or the defaults."""
    if name is None:
        return Settings()
    base = os.path.normpath(os.path.join(os.path.dirname(path), os.path.expanduser(name)))
    if base in (*above, path):
        raise ConfigError(f"{shown}: extends {name!r}, which extends it in turn")
    if not os.path.isfile(base):
        raise ConfigError(f"{shown}: extends {name!r}, and there is no such file")
    settings = _read(base, (*above, path))
    if settings is None:
        raise ConfigError(f"{shown}: extends {name!r}, which has no [tool.gradlint] table")
    return settings


def _settings(values: Table, base: Settings, path: str) -> Settings:
    """A file's values on top of the settings it extends; globs are meant from the file's own folder."""
    words = Custom(
        optimizers=values.get("optimizers", base.custom.optimizers),
        clip_functions=values.get("clip-functions", base.custom.clip_functions),
        backward_functions=values.get("backward-functions", base.custom.backward_functions),
        scaler_callables=values.get("scaler-callables", base.custom.scaler_callables),
        roles=values.get("roles", base.custom.roles),
    )
    return Settings(
        select=values.get("select"),
        ignore=values.get("ignore", ()),
        extend_select=values.get("extend-select", ()),
        pedantic=values.get("pedantic", base.pedantic),
        exclude=values.get("exclude", base.exclude),
        force_exclude=values.get("force-exclude", base.force_exclude),
        respect_gitignore=values.get("respect-gitignore", base.respect_gitignore),
        project=values.get("project", base.project),
        tests=values.get("tests", base.tests),
        per_file_ignores=values.get("per-file-ignores", base.per_file_ignores),
        custom=words,
        target_version=values.get("target-version", base.target_version),
        root=os.path.dirname(path),
        file=path,
        beneath=None if base == Settings() else base,
    )


def _table(file: str, shown: str) -> Table | None:
    """The file's table for gradlint, if it has one."""
    whole = os.path.basename(file) != "pyproject.toml"
    try:
        with open(file, "rb") as stream:
            data = stream.read()
    except OSError as error:
        raise ConfigError(f"{shown}: cannot be read: {error.strerror}") from None
    if not whole and b"gradlint" not in data:
        return None
    table: Any = _parse(shown, data)
    if not whole:
        tools = table.get("tool", {})
        table = tools.get("gradlint") if isinstance(tools, dict) else None
    if table is not None and not isinstance(table, dict):
        raise ConfigError(f"{shown}: 'tool.gradlint' must be a table")
    return table


def _parse(shown: str, data: bytes) -> Table:
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


def _known(shown: str, table: Mapping[str, Any]) -> list[str]:
    for key in table:
        if key not in KEYS:
            raise ConfigError(f"{shown}: {unknown('key', key, KEYS)}")
    return list(table)


def _value(shown: str, key: str, value: object) -> Any:
    """A key's value in the form that `Settings` takes."""
    kind = KEYS[key]
    if kind == "switch":
        if not isinstance(value, bool):
            raise ConfigError(f"{shown}: {key!r} must be true or false, not {value!r}")
        return value
    if kind == "path":
        if not isinstance(value, str):
            raise ConfigError(f"{shown}: {key!r} must be a file's name, not {value!r}")
        return value
    if kind == "version":
        return _target(shown, key, value)
    if kind == "selectors by glob":
        return _by_glob(shown, key, value)
    if kind == "roles":
        return _roles(shown, key, value)
    strings = _strings(shown, key, value)
    if kind == "selectors":
        check_selectors(f"{shown}: {key}", strings)
    if kind == "names":
        _check_names(shown, key, strings)
    return strings


def _by_glob(shown: str, key: str, value: object) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if not isinstance(value, dict):
        raise ConfigError(f"{shown}: {key!r} must be a table of globs, each with a list of rules, not {value!r}")
    rows = tuple((glob, _strings(shown, f"{key}.{glob}", rules)) for glob, rules in value.items())
    for glob, rules in rows:
        check_selectors(f"{shown}: {key}.{glob}", rules)
    return rows


def _target(shown: str, key: str, value: object) -> str:
    if not isinstance(value, str):
        raise ConfigError(f"{shown}: {key!r} must be a version such as 'py310', not {value!r}")
    if value not in TARGETS:
        raise ConfigError(f"{shown}: {key}: {unknown_target(value)}")
    return value


def _check_names(shown: str, key: str, names: tuple[str, ...]) -> None:
    for name in names:
        if not all(part.isidentifier() for part in name.split(".")):
            raise ConfigError(f"{shown}: {key}: {name!r} is no name; write it as it is imported, such as 'my_pkg.Lion'")


def _roles(shown: str, key: str, value: object) -> tuple[tuple[str, str], ...]:
    """Names, each with what it stands for."""
    if not isinstance(value, dict):
        raise ConfigError(f'{shown}: {key!r} must be a table such as {{optimizer = "optimizer"}}, not {value!r}')
    for name, role in value.items():
        if not all(part.isidentifier() for part in name.split(".")):
            raise ConfigError(f"{shown}: {key}: {name!r} is no name; write it as the source does, such as 'self.opt'")
        if not isinstance(role, str):
            raise ConfigError(f"{shown}: {key}.{name} must be the name of a role, not {role!r}; quote a name with dots")
        if role not in ROLES:
            raise ConfigError(f"{shown}: {key}.{name}: {unknown('role', role, ROLES)}")
    return tuple(sorted(value.items()))


def _strings(shown: str, key: str, value: object) -> tuple[str, ...]:
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(value)
    raise ConfigError(f"{shown}: {key!r} must be a list of strings, not {value!r}")


def _shown(file: str) -> str:
    """`file` as a reader in the current folder would write it."""
    return file.removeprefix(os.getcwd() + os.sep)
