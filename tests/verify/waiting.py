"""The mark of what the wet run learns when it shares the linter's machine, and its own reading of Python goes."""

from __future__ import annotations

import pytest


def waiting(what: str) -> pytest.MarkDecorator:
    """Expected to fail until then, in its assertion and in no other way; once it passes, the mark must go."""
    reason = f"issue 16: the wet run on the one machine: {what}"
    return pytest.mark.xfail(strict=True, raises=AssertionError, reason=reason)
