"""Findings that were read: right, wrong, debatable, when the last; right and wrong ones no longer said.

Made by benchmarks/measured.py.
"""

from __future__ import annotations

from collections.abc import Mapping

TABLE: Mapping[str, tuple[int, int, int, str, int, int]] = {
    "accumulation-divisor-mismatch": (17, 17, 1, "2026-11-26", 0, 17),
    "accumulation-off-by-one": (68, 0, 5, "2026-11-26", 0, 0),
    "backward-in-autocast": (87, 0, 6, "2026-11-26", 0, 0),
    "clip-after-step": (8, 3, 0, "2026-11-26", 0, 3),
    "clip-before-backward": (10, 0, 0, "2026-11-26", 0, 0),
    "clip-exhausted-parameters": (6, 0, 0, "2026-11-26", 0, 0),
    "clip-per-micro-batch": (137, 3, 7, "2026-11-26", 0, 3),
    "clip-scaled-gradients": (41, 0, 10, "2026-11-26", 0, 0),
    "double-unscale": (12, 3, 0, "2026-11-26", 1, 3),
    "dropped-accumulation-tail": (278, 7, 10, "2026-11-26", 0, 5),
    "forward-outside-no-sync": (14, 0, 0, "2026-11-26", 0, 0),
    "loss-graph-leak": (131, 9, 4, "2026-11-26", 0, 8),
    "missing-no-sync": (312, 7, 31, "2026-11-26", 3, 5),
    "missing-scaler-update": (1, 0, 0, "2026-11-22", 0, 0),
    "missing-set-epoch": (154, 5, 9, "2026-11-26", 0, 4),
    "missing-train-mode": (46, 21, 15, "2026-11-26", 0, 20),
    "missing-zero-grad": (34, 11, 8, "2026-11-26", 0, 10),
    "scaler-with-bfloat16": (10, 2, 1, "2026-11-26", 3, 2),
    "scheduler-before-optimizer": (86, 5, 14, "2026-11-26", 0, 5),
    "scheduler-per-micro-batch": (0, 6, 1, "2026-11-26", 0, 6),
    "step-bypasses-scaler": (1, 3, 2, "2026-11-25", 0, 3),
    "step-without-sync": (38, 4, 1, "2026-11-26", 0, 3),
    "unscaled-accumulation-loss": (158, 11, 11, "2026-11-26", 0, 8),
    "unscaled-backward": (0, 1, 0, "2026-11-26", 0, 1),
    "validation-without-no-grad": (262, 5, 11, "2026-11-26", 0, 5),
    "zero-grad-before-step": (0, 9, 0, "2026-11-26", 0, 9),
    "zero-grad-in-accumulation": (31, 11, 2, "2026-11-26", 0, 11),
}
