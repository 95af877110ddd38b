"""Findings that were read: right, wrong, debatable, and when the last. Made by benchmarks/measured.py."""

from __future__ import annotations

from collections.abc import Mapping

TABLE: Mapping[str, tuple[int, int, int, str]] = {
    "accumulation-divisor-mismatch": (2, 2, 1, "2026-11-22"),
    "accumulation-off-by-one": (17, 0, 1, "2026-11-22"),
    "backward-in-autocast": (7, 0, 2, "2026-11-22"),
    "clip-after-step": (1, 0, 0, "2026-11-22"),
    "clip-exhausted-parameters": (2, 0, 0, "2026-11-22"),
    "clip-per-micro-batch": (18, 0, 2, "2026-11-22"),
    "clip-scaled-gradients": (4, 0, 0, "2026-11-22"),
    "dropped-accumulation-tail": (37, 0, 2, "2026-11-22"),
    "forward-outside-no-sync": (3, 0, 0, "2026-11-22"),
    "loss-graph-leak": (12, 2, 1, "2026-11-22"),
    "missing-no-sync": (42, 1, 8, "2026-11-22"),
    "missing-scaler-update": (1, 0, 0, "2026-11-22"),
    "missing-set-epoch": (29, 1, 3, "2026-11-22"),
    "missing-train-mode": (2, 6, 1, "2026-11-22"),
    "missing-zero-grad": (14, 3, 1, "2026-11-22"),
    "scaler-with-bfloat16": (5, 1, 0, "2026-11-22"),
    "scheduler-before-optimizer": (4, 0, 1, "2026-11-22"),
    "scheduler-per-micro-batch": (0, 2, 0, "2026-11-22"),
    "step-bypasses-scaler": (0, 0, 2, "2026-11-22"),
    "step-without-sync": (4, 1, 0, "2026-11-22"),
    "unscaled-accumulation-loss": (30, 4, 0, "2026-11-22"),
    "validation-without-no-grad": (18, 1, 0, "2026-11-22"),
    "zero-grad-before-step": (0, 2, 0, "2026-11-22"),
    "zero-grad-in-accumulation": (2, 0, 0, "2026-11-22"),
}
