"""Findings that were read: right, wrong, debatable, when the last; right and wrong ones no longer said.

Made by benchmarks/measured.py.
"""

from __future__ import annotations

from collections.abc import Mapping

TABLE: Mapping[str, tuple[int, int, int, str, int, int]] = {
    "accumulation-divisor-mismatch": (10, 12, 1, "2026-11-23", 0, 12),
    "accumulation-off-by-one": (44, 0, 5, "2026-11-23", 0, 0),
    "backward-in-autocast": (31, 0, 3, "2026-11-23", 0, 0),
    "clip-after-step": (5, 2, 0, "2026-11-23", 0, 2),
    "clip-before-backward": (4, 0, 0, "2026-11-23", 0, 0),
    "clip-exhausted-parameters": (3, 0, 0, "2026-11-22", 0, 0),
    "clip-per-micro-batch": (78, 0, 4, "2026-11-23", 0, 0),
    "clip-scaled-gradients": (22, 0, 8, "2026-11-23", 0, 0),
    "double-unscale": (4, 1, 0, "2026-11-23", 0, 1),
    "dropped-accumulation-tail": (178, 2, 7, "2026-11-23", 0, 0),
    "forward-outside-no-sync": (11, 0, 0, "2026-11-23", 0, 0),
    "loss-graph-leak": (62, 3, 4, "2026-11-23", 0, 2),
    "missing-no-sync": (197, 2, 15, "2026-11-23", 3, 2),
    "missing-scaler-update": (1, 0, 0, "2026-11-22", 0, 0),
    "missing-set-epoch": (95, 3, 8, "2026-11-23", 0, 3),
    "missing-train-mode": (25, 13, 7, "2026-11-23", 0, 13),
    "missing-zero-grad": (25, 6, 7, "2026-11-23", 0, 5),
    "scaler-with-bfloat16": (6, 2, 1, "2026-11-23", 3, 2),
    "scheduler-before-optimizer": (36, 1, 5, "2026-11-23", 0, 1),
    "scheduler-per-micro-batch": (0, 3, 1, "2026-11-23", 0, 3),
    "step-bypasses-scaler": (1, 2, 2, "2026-11-23", 0, 2),
    "step-without-sync": (17, 3, 1, "2026-11-23", 0, 3),
    "unscaled-accumulation-loss": (80, 4, 6, "2026-11-23", 0, 2),
    "validation-without-no-grad": (89, 1, 3, "2026-11-23", 0, 1),
    "zero-grad-before-step": (0, 6, 0, "2026-11-23", 0, 6),
    "zero-grad-in-accumulation": (18, 5, 0, "2026-11-23", 0, 5),
}
