"""Findings that were read: right, wrong, debatable, when the last; right and wrong ones no longer said.

Made by benchmarks/measured.py.
"""

from __future__ import annotations

from collections.abc import Mapping

TABLE: Mapping[str, tuple[int, int, int, str, int, int]] = {
    "accumulation-divisor-mismatch": (21, 20, 1, "2026-11-27", 0, 20),
    "accumulation-off-by-one": (78, 1, 5, "2026-11-27", 0, 0),
    "backward-in-autocast": (117, 3, 7, "2026-11-27", 0, 3),
    "clip-after-step": (10, 3, 0, "2026-11-27", 0, 3),
    "clip-before-backward": (12, 0, 0, "2026-11-27", 0, 0),
    "clip-exhausted-parameters": (11, 0, 0, "2026-11-27", 0, 0),
    "clip-per-micro-batch": (185, 3, 7, "2026-11-27", 0, 3),
    "clip-scaled-gradients": (75, 0, 10, "2026-11-27", 0, 0),
    "double-unscale": (16, 4, 0, "2026-11-27", 1, 4),
    "dropped-accumulation-tail": (344, 7, 10, "2026-11-27", 0, 5),
    "forward-outside-no-sync": (14, 2, 1, "2026-11-27", 0, 2),
    "loss-graph-leak": (137, 10, 5, "2026-11-27", 0, 8),
    "missing-no-sync": (354, 11, 38, "2026-11-27", 3, 9),
    "missing-scaler-update": (2, 0, 0, "2026-11-27", 0, 0),
    "missing-set-epoch": (182, 5, 10, "2026-11-27", 0, 4),
    "missing-train-mode": (60, 25, 15, "2026-11-27", 0, 24),
    "missing-zero-grad": (46, 13, 8, "2026-11-27", 0, 12),
    "scaler-with-bfloat16": (23, 2, 1, "2026-11-27", 3, 2),
    "scheduler-before-optimizer": (92, 5, 24, "2026-11-27", 0, 5),
    "scheduler-per-micro-batch": (0, 16, 1, "2026-11-27", 0, 16),
    "step-bypasses-scaler": (1, 3, 2, "2026-11-25", 0, 3),
    "step-without-sync": (40, 7, 1, "2026-11-27", 0, 6),
    "unscaled-accumulation-loss": (179, 12, 11, "2026-11-27", 0, 8),
    "unscaled-backward": (5, 3, 0, "2026-11-27", 0, 3),
    "validation-without-no-grad": (293, 5, 13, "2026-11-27", 0, 5),
    "zero-grad-before-step": (0, 9, 0, "2026-11-26", 0, 9),
    "zero-grad-in-accumulation": (39, 12, 4, "2026-11-27", 0, 12),
}
