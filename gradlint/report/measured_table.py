"""Findings that were read: right, wrong, debatable, when the last; right and wrong ones no longer said.

Made by benchmarks/measured.py.
"""

from __future__ import annotations

from collections.abc import Mapping

TABLE: Mapping[str, tuple[int, int, int, str, int, int]] = {
    "accumulation-divisor-mismatch": (19, 20, 1, "2026-11-27", 0, 20),
    "accumulation-off-by-one": (77, 1, 5, "2026-11-27", 0, 0),
    "backward-in-autocast": (104, 3, 7, "2026-11-27", 0, 3),
    "clip-after-step": (10, 3, 0, "2026-11-27", 0, 3),
    "clip-before-backward": (11, 0, 0, "2026-11-27", 0, 0),
    "clip-exhausted-parameters": (7, 0, 0, "2026-11-27", 0, 0),
    "clip-per-micro-batch": (163, 3, 7, "2026-11-27", 0, 3),
    "clip-scaled-gradients": (54, 0, 10, "2026-11-27", 0, 0),
    "double-unscale": (14, 3, 0, "2026-11-27", 1, 3),
    "dropped-accumulation-tail": (315, 7, 10, "2026-11-27", 0, 5),
    "forward-outside-no-sync": (14, 0, 0, "2026-11-26", 0, 0),
    "loss-graph-leak": (134, 10, 5, "2026-11-27", 0, 8),
    "missing-no-sync": (346, 9, 36, "2026-11-27", 3, 7),
    "missing-scaler-update": (2, 0, 0, "2026-11-27", 0, 0),
    "missing-set-epoch": (181, 5, 10, "2026-11-27", 0, 4),
    "missing-train-mode": (58, 25, 15, "2026-11-27", 0, 24),
    "missing-zero-grad": (45, 13, 8, "2026-11-27", 0, 12),
    "scaler-with-bfloat16": (19, 2, 1, "2026-11-27", 3, 2),
    "scheduler-before-optimizer": (90, 5, 24, "2026-11-27", 0, 5),
    "scheduler-per-micro-batch": (0, 16, 1, "2026-11-27", 0, 16),
    "step-bypasses-scaler": (1, 3, 2, "2026-11-25", 0, 3),
    "step-without-sync": (40, 5, 1, "2026-11-27", 0, 4),
    "unscaled-accumulation-loss": (171, 12, 11, "2026-11-27", 0, 8),
    "unscaled-backward": (0, 2, 0, "2026-11-27", 0, 2),
    "validation-without-no-grad": (281, 5, 11, "2026-11-27", 0, 5),
    "zero-grad-before-step": (0, 9, 0, "2026-11-26", 0, 9),
    "zero-grad-in-accumulation": (36, 12, 2, "2026-11-27", 0, 12),
}
