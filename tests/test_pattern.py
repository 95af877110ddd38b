"""Patterns that are compiled late answer like others."""

from __future__ import annotations

import re

import pytest

from gradlint.model.pattern import pattern


@pytest.mark.parametrize("name", ["search", "match", "fullmatch", "findall", "split"])
@pytest.mark.parametrize("text", ["", "Loss", "a loss, a LOSS", "loss"])
def test_a_pattern_answers_like_any_other(name: str, text: str) -> None:
    late, plain = pattern(r"(?m)^loss|loss$", re.IGNORECASE), re.compile(r"(?m)^loss|loss$", re.IGNORECASE)
    for _ in range(2):
        assert str(getattr(late, name)(text)) == str(getattr(plain, name)(text))


def test_a_pattern_knows_what_it_is() -> None:
    late = pattern(rb"(?P<name>\w+)")
    assert late.pattern == rb"(?P<name>\w+)"
    assert late.groupindex == {"name": 1}
    assert late.sub(rb"<\1>", b"a b") == b"<a> <b>"
    assert [match["name"] for match in late.finditer(b"a b")] == [b"a", b"b"]
    with pytest.raises(AttributeError):
        _ = late.unknown  # type: ignore[attr-defined]
