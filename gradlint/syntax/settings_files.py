"""Files of settings: JSON, TOML and YAML as Python's own dictionaries and lists."""

from __future__ import annotations

import sys


def settings_of(text: str, name: str) -> object:
    """What a file of settings says; nothing where it cannot be read.

    Args:
        text: what is in it.
        name: what it is called, which tells the format.
    """
    ending = name.rpartition(".")[2].lower()
    try:
        if ending == "json":
            return _json(text)
        if ending == "toml":
            return _toml(text)
        return _yaml(text) if ending in ("yaml", "yml") else None
    except (ValueError, RecursionError):
        return None


def _json(text: str) -> object:
    import json

    return json.loads(text)


def _toml(text: str) -> object:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    return tomllib.loads(text)


def _yaml(text: str) -> object:
    """YAML is read by what LibCST brings along."""
    import yaml

    try:
        return yaml.safe_load(text)
    except yaml.YAMLError:
        return None
