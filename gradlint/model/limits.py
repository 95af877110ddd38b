"""Limits that several rooms hold to."""

from __future__ import annotations

MAX_BYTES = 4_000_000
"""Larger files are not checked."""
