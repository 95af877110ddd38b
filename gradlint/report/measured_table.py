"""Findings that were read: right, wrong, debatable, when the last; right and wrong ones no longer said.

Made by benchmarks/measured.py.
"""

from __future__ import annotations

from collections.abc import Mapping

TABLE: Mapping[str, tuple[int, int, int, str, int, int]] = {
    "accumulation-divisor-mismatch": (21, 23, 1, "2026-11-27", 0, 23),
    "accumulation-off-by-one": (82, 1, 5, "2026-11-27", 0, 0),
    "backward-in-autocast": (118, 3, 8, "2026-11-27", 0, 3),
    "clip-after-step": (11, 3, 1, "2026-11-27", 0, 3),
    "clip-before-backward": (13, 0, 0, "2026-11-27", 0, 0),
    "clip-exhausted-parameters": (11, 0, 0, "2026-11-27", 0, 0),
    "clip-per-micro-batch": (186, 3, 7, "2026-11-27", 0, 3),
    "clip-scaled-gradients": (77, 0, 10, "2026-11-27", 0, 0),
    "double-unscale": (16, 4, 0, "2026-11-27", 1, 4),
    "dropped-accumulation-tail": (354, 7, 10, "2026-11-27", 0, 5),
    "forward-outside-no-sync": (16, 2, 1, "2026-11-27", 0, 2),
    "loss-graph-leak": (137, 10, 5, "2026-11-27", 0, 8),
    "missing-no-sync": (359, 12, 42, "2026-11-27", 3, 10),
    "missing-scaler-update": (3, 0, 0, "2026-11-27", 0, 0),
    "missing-set-epoch": (204, 6, 11, "2026-11-27", 0, 4),
    "missing-train-mode": (63, 30, 19, "2026-11-27", 0, 29),
    "missing-zero-grad": (47, 13, 8, "2026-11-27", 0, 12),
    "scaler-with-bfloat16": (23, 2, 1, "2026-11-27", 3, 2),
    "scheduler-before-optimizer": (96, 6, 25, "2026-11-27", 0, 6),
    "scheduler-per-micro-batch": (0, 16, 1, "2026-11-27", 0, 16),
    "step-bypasses-scaler": (1, 3, 2, "2026-11-25", 0, 3),
    "step-without-sync": (41, 7, 1, "2026-11-27", 0, 6),
    "unscaled-accumulation-loss": (182, 12, 11, "2026-11-27", 0, 8),
    "unscaled-backward": (5, 3, 0, "2026-11-27", 0, 3),
    "validation-without-no-grad": (298, 5, 13, "2026-11-27", 0, 5),
    "zero-grad-before-step": (0, 13, 0, "2026-11-27", 0, 13),
    "zero-grad-in-accumulation": (44, 12, 4, "2026-11-27", 0, 12),
}
