"""Findings that were read: right, wrong, debatable, when the last; right and wrong ones no longer said.

Made by benchmarks/measured.py.
"""

from __future__ import annotations

from collections.abc import Mapping

TABLE: Mapping[str, tuple[int, int, int, str, int, int]] = {
    "accumulation-divisor-mismatch": (11, 15, 1, "2026-11-24", 0, 15),
    "accumulation-off-by-one": (57, 0, 5, "2026-11-25", 0, 0),
    "backward-in-autocast": (42, 0, 3, "2026-11-25", 0, 0),
    "clip-after-step": (6, 2, 0, "2026-11-24", 0, 2),
    "clip-before-backward": (8, 0, 0, "2026-11-24", 0, 0),
    "clip-exhausted-parameters": (5, 0, 0, "2026-11-24", 0, 0),
    "clip-per-micro-batch": (100, 0, 6, "2026-11-25", 0, 0),
    "clip-scaled-gradients": (24, 0, 8, "2026-11-25", 0, 0),
    "double-unscale": (9, 1, 0, "2026-11-25", 0, 1),
    "dropped-accumulation-tail": (205, 3, 8, "2026-11-25", 0, 1),
    "forward-outside-no-sync": (12, 0, 0, "2026-11-25", 0, 0),
    "loss-graph-leak": (74, 5, 4, "2026-11-25", 0, 4),
    "missing-no-sync": (235, 2, 28, "2026-11-25", 3, 2),
    "missing-scaler-update": (1, 0, 0, "2026-11-22", 0, 0),
    "missing-set-epoch": (117, 3, 8, "2026-11-25", 0, 3),
    "missing-train-mode": (34, 19, 9, "2026-11-25", 0, 19),
    "missing-zero-grad": (31, 6, 7, "2026-11-25", 0, 5),
    "scaler-with-bfloat16": (9, 2, 1, "2026-11-25", 3, 2),
    "scheduler-before-optimizer": (56, 1, 8, "2026-11-25", 0, 1),
    "scheduler-per-micro-batch": (0, 3, 1, "2026-11-23", 0, 3),
    "step-bypasses-scaler": (1, 3, 2, "2026-11-25", 0, 3),
    "step-without-sync": (35, 3, 1, "2026-11-25", 0, 3),
    "unscaled-accumulation-loss": (96, 6, 10, "2026-11-25", 0, 3),
    "validation-without-no-grad": (145, 3, 5, "2026-11-25", 0, 3),
    "zero-grad-before-step": (0, 7, 0, "2026-11-25", 0, 7),
    "zero-grad-in-accumulation": (20, 8, 1, "2026-11-25", 0, 8),
}
