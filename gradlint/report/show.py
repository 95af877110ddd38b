"""The settings that files have, as the configuration that would give them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from gradlint.report.counts import count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gradlint.model.settings import Settings
    from gradlint.rules.support.rule import Rule


def render(settings: Settings, files: Sequence[str], rules: Sequence[Rule]) -> str:
    """One table of TOML, with a comment that says where it comes from and for which files it holds.

    Args:
        settings: with the command line's layer.
        files: those that have them.
        rules: all rules.
    """
    enabled = [one.name for one in rules if settings.enabled(one.name, one.category, one.default)]
    words = settings.custom
    values = {
        "select": enabled,
        "pedantic": settings.pedantic,
        "exclude": list(settings.exclude),
        "force-exclude": settings.force_exclude,
        "respect-gitignore": settings.respect_gitignore,
        "project": settings.project,
        "tests": list(settings.tests),
        **({"target-version": settings.target_version} if settings.target_version else {}),
        "optimizers": list(words.optimizers),
        "clip-functions": list(words.clip_functions),
        "backward-functions": list(words.backward_functions),
        "scaler-callables": list(words.scaler_callables),
        **({"roles": dict(words.roles)} if words.roles else {}),
    }
    held = f"{count(len(files), 'file')}, such as {files[0]}" if len(files) > 1 else (files[0] if files else "no file")
    lines = [f"# {settings.file or 'defaults'}: {held}"]
    lines += [f"{key} = {_value(value)}" for key, value in values.items()]
    if settings.per_file_ignores:
        lines += ["", "[per-file-ignores]"]
        lines += [f"{json.dumps(glob)} = {_value(list(names))}" for glob, names in settings.per_file_ignores]
    return "\n".join(lines) + "\n"


def _value(value: object) -> str:
    """A value in TOML; a long list has a line for each item."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(name)} = {json.dumps(held)}" for name, held in value.items()) + "}"
    text = json.dumps(value)
    if isinstance(value, list) and len(text) > 80:
        items = "".join(f"  {json.dumps(item)},\n" for item in value)
        return f"[\n{items}]"
    return text


def _key(name: str) -> str:
    """A key in TOML: a name with dots is quoted."""
    return json.dumps(name) if "." in name else name
