"""Findings that were read: right, wrong, debatable, when the last; right and wrong ones no longer said.

Made by benchmarks/measured.py.
"""

from __future__ import annotations

from collections.abc import Mapping

TABLE: Mapping[str, tuple[int, int, int, str, int, int]] = {
    "accumulation-divisor-mismatch": (26, 23, 1, "2026-11-28", 0, 23),
    "accumulation-off-by-one": (102, 1, 5, "2026-11-28", 0, 0),
    "backward-in-autocast": (134, 3, 8, "2026-11-28", 0, 3),
    "clip-after-step": (15, 3, 1, "2026-11-28", 0, 3),
    "clip-before-backward": (16, 0, 0, "2026-11-27", 0, 0),
    "clip-exhausted-parameters": (15, 0, 0, "2026-11-27", 0, 0),
    "clip-per-micro-batch": (204, 4, 7, "2026-11-28", 0, 3),
    "clip-scaled-gradients": (79, 0, 10, "2026-11-28", 0, 0),
    "double-unscale": (17, 4, 0, "2026-11-28", 1, 4),
    "dropped-accumulation-tail": (424, 8, 11, "2026-11-28", 0, 5),
    "forward-outside-no-sync": (17, 2, 1, "2026-11-28", 0, 2),
    "loss-graph-leak": (170, 12, 6, "2026-11-28", 0, 9),
    "missing-no-sync": (406, 12, 44, "2026-11-28", 3, 10),
    "missing-scaler-update": (3, 0, 0, "2026-11-27", 0, 0),
    "missing-set-epoch": (225, 9, 11, "2026-11-28", 0, 6),
    "missing-train-mode": (93, 31, 28, "2026-11-28", 0, 30),
    "missing-zero-grad": (54, 20, 8, "2026-11-28", 0, 19),
    "scaler-with-bfloat16": (28, 2, 1, "2026-11-28", 3, 2),
    "scheduler-before-optimizer": (106, 6, 34, "2026-11-28", 0, 6),
    "scheduler-per-micro-batch": (0, 19, 1, "2026-11-28", 0, 19),
    "step-bypasses-scaler": (4, 3, 4, "2026-11-28", 0, 3),
    "step-without-sync": (75, 22, 6, "2026-11-28", 0, 20),
    "unscaled-accumulation-loss": (244, 14, 12, "2026-11-28", 0, 10),
    "unscaled-backward": (6, 3, 0, "2026-11-27", 0, 3),
    "validation-without-no-grad": (386, 9, 15, "2026-11-28", 0, 7),
    "zero-grad-before-step": (0, 14, 0, "2026-11-28", 0, 14),
    "zero-grad-in-accumulation": (49, 25, 5, "2026-11-28", 0, 23),
}
