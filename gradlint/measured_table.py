"""Findings that were read: right, wrong, debatable, when the last; right and wrong ones no longer said.

Made by benchmarks/measured.py.
"""

from __future__ import annotations

from collections.abc import Mapping

TABLE: Mapping[str, tuple[int, int, int, str, int, int]] = {
    "accumulation-divisor-mismatch": (11, 15, 1, "2026-11-24", 0, 15),
    "accumulation-off-by-one": (49, 0, 5, "2026-11-24", 0, 0),
    "backward-in-autocast": (34, 0, 3, "2026-11-24", 0, 0),
    "clip-after-step": (6, 2, 0, "2026-11-24", 0, 2),
    "clip-before-backward": (8, 0, 0, "2026-11-24", 0, 0),
    "clip-exhausted-parameters": (5, 0, 0, "2026-11-24", 0, 0),
    "clip-per-micro-batch": (88, 0, 6, "2026-11-24", 0, 0),
    "clip-scaled-gradients": (23, 0, 8, "2026-11-24", 0, 0),
    "double-unscale": (7, 1, 0, "2026-11-24", 0, 1),
    "dropped-accumulation-tail": (188, 2, 8, "2026-11-24", 0, 0),
    "forward-outside-no-sync": (11, 0, 0, "2026-11-23", 0, 0),
    "loss-graph-leak": (68, 4, 4, "2026-11-24", 0, 3),
    "missing-no-sync": (212, 2, 15, "2026-11-24", 3, 2),
    "missing-scaler-update": (1, 0, 0, "2026-11-22", 0, 0),
    "missing-set-epoch": (104, 3, 8, "2026-11-24", 0, 3),
    "missing-train-mode": (27, 14, 8, "2026-11-24", 0, 14),
    "missing-zero-grad": (30, 6, 7, "2026-11-24", 0, 5),
    "scaler-with-bfloat16": (6, 2, 1, "2026-11-23", 3, 2),
    "scheduler-before-optimizer": (50, 1, 5, "2026-11-24", 0, 1),
    "scheduler-per-micro-batch": (0, 3, 1, "2026-11-23", 0, 3),
    "step-bypasses-scaler": (1, 2, 2, "2026-11-23", 0, 2),
    "step-without-sync": (34, 3, 1, "2026-11-24", 0, 3),
    "unscaled-accumulation-loss": (92, 5, 9, "2026-11-24", 0, 2),
    "validation-without-no-grad": (118, 3, 3, "2026-11-24", 0, 3),
    "zero-grad-before-step": (0, 6, 0, "2026-11-23", 0, 6),
    "zero-grad-in-accumulation": (19, 8, 1, "2026-11-24", 0, 8),
}
