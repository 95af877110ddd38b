"""Findings that were read: right, wrong, debatable, when the last; right and wrong ones no longer said.

Made by benchmarks/measured.py.
"""

from __future__ import annotations

from collections.abc import Mapping

TABLE: Mapping[str, tuple[int, int, int, str, int, int]] = {
    "accumulation-divisor-mismatch": (23, 23, 1, "2026-11-27", 0, 23),
    "accumulation-off-by-one": (83, 1, 5, "2026-11-27", 0, 0),
    "backward-in-autocast": (127, 3, 8, "2026-11-27", 0, 3),
    "clip-after-step": (11, 3, 1, "2026-11-27", 0, 3),
    "clip-before-backward": (16, 0, 0, "2026-11-27", 0, 0),
    "clip-exhausted-parameters": (15, 0, 0, "2026-11-27", 0, 0),
    "clip-per-micro-batch": (201, 3, 7, "2026-11-27", 0, 3),
    "clip-scaled-gradients": (78, 0, 10, "2026-11-27", 0, 0),
    "double-unscale": (16, 4, 0, "2026-11-27", 1, 4),
    "dropped-accumulation-tail": (373, 7, 11, "2026-11-27", 0, 5),
    "forward-outside-no-sync": (16, 2, 1, "2026-11-27", 0, 2),
    "loss-graph-leak": (140, 10, 5, "2026-11-27", 0, 8),
    "missing-no-sync": (374, 12, 42, "2026-11-27", 3, 10),
    "missing-scaler-update": (3, 0, 0, "2026-11-27", 0, 0),
    "missing-set-epoch": (210, 7, 11, "2026-11-27", 0, 5),
    "missing-train-mode": (65, 30, 20, "2026-11-27", 0, 29),
    "missing-zero-grad": (51, 19, 8, "2026-11-27", 0, 18),
    "scaler-with-bfloat16": (24, 2, 1, "2026-11-27", 3, 2),
    "scheduler-before-optimizer": (99, 6, 26, "2026-11-27", 0, 6),
    "scheduler-per-micro-batch": (0, 17, 1, "2026-11-27", 0, 17),
    "step-bypasses-scaler": (1, 3, 4, "2026-11-27", 0, 3),
    "step-without-sync": (43, 7, 1, "2026-11-27", 0, 6),
    "unscaled-accumulation-loss": (202, 13, 12, "2026-11-27", 0, 9),
    "unscaled-backward": (6, 3, 0, "2026-11-27", 0, 3),
    "validation-without-no-grad": (318, 7, 14, "2026-11-27", 0, 5),
    "zero-grad-before-step": (0, 13, 0, "2026-11-27", 0, 13),
    "zero-grad-in-accumulation": (47, 12, 5, "2026-11-27", 0, 12),
}
