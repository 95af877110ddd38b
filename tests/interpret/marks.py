"""The mark of a test that shows a bug or a limit of the machine which is known."""

from __future__ import annotations

import pytest


def known(reason: str) -> pytest.MarkDecorator:
    """Expected to fail, in its assertion and in no other way; once it passes, the mark must go."""
    return pytest.mark.xfail(strict=True, raises=AssertionError, reason=reason)
