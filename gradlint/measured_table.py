"""Findings that were read: right, wrong, debatable, when the last; right and wrong ones no longer said.

Made by benchmarks/measured.py.
"""

from __future__ import annotations

from collections.abc import Mapping

TABLE: Mapping[str, tuple[int, int, int, str, int, int]] = {
    "accumulation-divisor-mismatch": (13, 15, 1, "2026-11-26", 0, 15),
    "accumulation-off-by-one": (60, 0, 5, "2026-11-26", 0, 0),
    "backward-in-autocast": (45, 0, 3, "2026-11-26", 0, 0),
    "clip-after-step": (6, 2, 0, "2026-11-24", 0, 2),
    "clip-before-backward": (8, 0, 0, "2026-11-24", 0, 0),
    "clip-exhausted-parameters": (5, 0, 0, "2026-11-24", 0, 0),
    "clip-per-micro-batch": (104, 3, 6, "2026-11-26", 0, 0),
    "clip-scaled-gradients": (25, 0, 8, "2026-11-26", 0, 0),
    "double-unscale": (9, 1, 0, "2026-11-25", 0, 1),
    "dropped-accumulation-tail": (224, 3, 8, "2026-11-26", 0, 1),
    "forward-outside-no-sync": (12, 0, 0, "2026-11-25", 0, 0),
    "loss-graph-leak": (74, 5, 4, "2026-11-25", 0, 4),
    "missing-no-sync": (258, 3, 29, "2026-11-26", 3, 2),
    "missing-scaler-update": (1, 0, 0, "2026-11-22", 0, 0),
    "missing-set-epoch": (133, 4, 8, "2026-11-26", 0, 3),
    "missing-train-mode": (35, 19, 10, "2026-11-26", 0, 19),
    "missing-zero-grad": (31, 6, 7, "2026-11-25", 0, 5),
    "scaler-with-bfloat16": (9, 2, 1, "2026-11-25", 3, 2),
    "scheduler-before-optimizer": (61, 3, 11, "2026-11-26", 0, 1),
    "scheduler-per-micro-batch": (0, 3, 1, "2026-11-23", 0, 3),
    "step-bypasses-scaler": (1, 3, 2, "2026-11-25", 0, 3),
    "step-without-sync": (35, 3, 1, "2026-11-25", 0, 3),
    "unscaled-accumulation-loss": (107, 6, 10, "2026-11-26", 0, 3),
    "validation-without-no-grad": (163, 3, 5, "2026-11-26", 0, 3),
    "zero-grad-before-step": (0, 7, 0, "2026-11-25", 0, 7),
    "zero-grad-in-accumulation": (20, 11, 1, "2026-11-26", 0, 8),
}
