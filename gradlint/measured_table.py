"""Findings that were read: right, wrong, debatable, and the date of the last. Made by benchmarks/measured.py."""

from __future__ import annotations

from collections.abc import Mapping

TABLE: Mapping[str, tuple[int, int, int, str]] = {}
