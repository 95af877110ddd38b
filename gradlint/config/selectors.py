"""Selectors: the names of rules and categories that a configuration may use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gradlint.model.nearest import unknown
from gradlint.model.settings import EVERY_RULE, ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterable


def known_selectors() -> frozenset[str]:
    """Every rule, every category and `all`."""
    from gradlint.rules.support.rule import all_rules

    rules = all_rules()
    return frozenset({EVERY_RULE} | {r.name for r in rules} | {r.category for r in rules})


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
