"""Findings that were read: right, wrong, debatable, and when the last. Made by benchmarks/measured.py."""

from __future__ import annotations

from collections.abc import Mapping

TABLE: Mapping[str, tuple[int, int, int, str]] = {}
