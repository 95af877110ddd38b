"""Shorthands: the verdicts on a text, each text run once."""

from __future__ import annotations

import functools

import pytest

pytest.importorskip("torch", reason="torch is not installed: no loop can be run")

from gradlint.verify.files import verify_text
from gradlint.verify.judge import Asked
from gradlint.verify.result import FileResult, Loop


@functools.cache
def file_result(text: str, asked: Asked = Asked()) -> FileResult:  # noqa: B008 - it is frozen
    return verify_text(text, "train.py", asked)


def loops(text: str, asked: Asked = Asked()) -> tuple[Loop, ...]:  # noqa: B008
    return file_result(text, asked).loops


def said(loop: Loop) -> tuple[str, list[str], str]:
    """What a failing test should show."""
    return loop.verdict.value, sorted(loop.rules), f"{loop.reason}: {loop.detail}"


CONFIRMED = ("confirmed", [], ": ")
