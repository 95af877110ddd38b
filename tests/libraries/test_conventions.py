"""Conventions: every pattern stands once, with evidence and examples on both sides."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections import Counter
from pathlib import Path

import pytest

from gradlint.libraries import conventions, packages
from gradlint.libraries.convention import Convention
from gradlint.libraries.conventions.roles import NAME_HINTS

ROOT = Path(__file__).parents[2]
MODULES = [
    packages,
    *(
        importlib.import_module(f"{conventions.__name__}.{found.name}")
        for found in pkgutil.iter_modules(conventions.__path__)
    ),
]
ALL = {name: one for module in MODULES for name, one in vars(module).items() if isinstance(one, Convention)}


@pytest.mark.parametrize("name", ALL)
def test_examples(name: str) -> None:
    convention = ALL[name]
    assert convention.yes
    assert convention.no
    assert [text for text in convention.yes.split() if not convention.search(text)] == []
    assert [text for text in convention.no.split() if convention.search(text)] == []
    assert len(convention.meaning) > 5
    assert convention.evidence
    cited = re.findall(r"tests/[\w/]+(?:\.py)?", convention.evidence)
    assert [path for path in cited if not (ROOT / path).exists()] == []


def test_a_pattern_stands_once() -> None:
    assert [pattern for pattern, number in Counter(one.pattern for one in ALL.values()).items() if number > 1] == []


def test_the_first_hint_is_the_role_of_its_examples() -> None:
    """An example of a later hint that an earlier one takes would show nothing."""
    taken = {
        text: first
        for convention, role in NAME_HINTS
        for text in convention.yes.split()
        if (first := next(one for pattern, one in NAME_HINTS if pattern.search(text))) is not role
    }
    assert taken == {}


def test_answers_are_remembered() -> None:
    convention = Convention(r"(?i)loss", "losses", "here", "loss", "lr")
    assert convention.search("Loss")
    assert not convention["lr"]
    assert dict(convention) == {"Loss": True, "lr": False}
    assert re.compile(convention.pattern).search("Loss")
