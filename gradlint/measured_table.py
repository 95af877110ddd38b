"""Findings that were read: right, wrong, debatable, and when the last. Made by benchmarks/measured.py."""

from __future__ import annotations

from collections.abc import Mapping

TABLE: Mapping[str, tuple[int, int, int, str]] = {
    "accumulation-divisor-mismatch": (2, 2, 1, "2026-11-22"),
    "accumulation-off-by-one": (17, 0, 3, "2026-11-22"),
    "backward-in-autocast": (9, 0, 2, "2026-11-22"),
    "clip-after-step": (1, 0, 0, "2026-11-22"),
    "clip-exhausted-parameters": (3, 0, 0, "2026-11-22"),
    "clip-per-micro-batch": (24, 0, 2, "2026-11-22"),
    "clip-scaled-gradients": (7, 0, 0, "2026-11-22"),
    "double-unscale": (1, 1, 0, "2026-11-22"),
    "dropped-accumulation-tail": (57, 0, 3, "2026-11-22"),
    "forward-outside-no-sync": (3, 0, 0, "2026-11-22"),
    "loss-graph-leak": (37, 2, 2, "2026-11-22"),
    "missing-no-sync": (69, 1, 11, "2026-11-22"),
    "missing-scaler-update": (1, 0, 0, "2026-11-22"),
    "missing-set-epoch": (33, 2, 3, "2026-11-22"),
    "missing-train-mode": (4, 6, 1, "2026-11-22"),
    "missing-zero-grad": (14, 3, 1, "2026-11-22"),
    "scaler-with-bfloat16": (5, 2, 0, "2026-11-22"),
    "scheduler-before-optimizer": (5, 0, 2, "2026-11-22"),
    "scheduler-per-micro-batch": (0, 2, 1, "2026-11-22"),
    "step-bypasses-scaler": (0, 0, 2, "2026-11-22"),
    "step-without-sync": (5, 3, 0, "2026-11-22"),
    "unscaled-accumulation-loss": (49, 4, 0, "2026-11-22"),
    "validation-without-no-grad": (20, 1, 0, "2026-11-22"),
    "zero-grad-before-step": (0, 2, 0, "2026-11-22"),
    "zero-grad-in-accumulation": (9, 0, 0, "2026-11-22"),
}
