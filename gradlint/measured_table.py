"""Findings that were read: right, wrong, debatable, when the last; right and wrong ones no longer said.

Made by benchmarks/measured.py.
"""

from __future__ import annotations

from collections.abc import Mapping

TABLE: Mapping[str, tuple[int, int, int, str, int, int]] = {
    "accumulation-divisor-mismatch": (6, 8, 1, "2026-11-23", 0, 8),
    "accumulation-off-by-one": (19, 0, 3, "2026-11-23", 0, 0),
    "backward-in-autocast": (19, 0, 3, "2026-11-23", 0, 0),
    "clip-after-step": (3, 1, 0, "2026-11-23", 0, 1),
    "clip-exhausted-parameters": (3, 0, 0, "2026-11-22", 0, 0),
    "clip-per-micro-batch": (30, 0, 3, "2026-11-23", 0, 0),
    "clip-scaled-gradients": (10, 0, 8, "2026-11-23", 0, 0),
    "double-unscale": (1, 1, 0, "2026-11-22", 0, 1),
    "dropped-accumulation-tail": (85, 2, 3, "2026-11-23", 0, 0),
    "forward-outside-no-sync": (4, 0, 0, "2026-11-23", 0, 0),
    "loss-graph-leak": (47, 3, 2, "2026-11-23", 0, 2),
    "missing-no-sync": (88, 2, 11, "2026-11-23", 3, 2),
    "missing-scaler-update": (1, 0, 0, "2026-11-22", 0, 0),
    "missing-set-epoch": (37, 2, 3, "2026-11-23", 0, 2),
    "missing-train-mode": (6, 7, 2, "2026-11-23", 0, 7),
    "missing-zero-grad": (20, 3, 1, "2026-11-23", 0, 2),
    "scaler-with-bfloat16": (5, 2, 0, "2026-11-22", 3, 2),
    "scheduler-before-optimizer": (11, 0, 4, "2026-11-23", 0, 0),
    "scheduler-per-micro-batch": (0, 2, 1, "2026-11-22", 0, 2),
    "step-bypasses-scaler": (0, 1, 2, "2026-11-23", 0, 1),
    "step-without-sync": (5, 3, 1, "2026-11-23", 0, 3),
    "unscaled-accumulation-loss": (52, 4, 1, "2026-11-23", 0, 2),
    "validation-without-no-grad": (32, 1, 2, "2026-11-23", 0, 1),
    "zero-grad-before-step": (0, 4, 0, "2026-11-23", 0, 4),
    "zero-grad-in-accumulation": (10, 4, 0, "2026-11-23", 0, 4),
}
