"""Findings that were read: right, wrong, debatable, when the last; right and wrong ones no longer said.

Made by benchmarks/measured.py.
"""

from __future__ import annotations

from collections.abc import Mapping

TABLE: Mapping[str, tuple[int, int, int, str, int, int]] = {
    "accumulation-divisor-mismatch": (9, 9, 1, "2026-11-23", 0, 9),
    "accumulation-off-by-one": (29, 0, 3, "2026-11-23", 0, 0),
    "backward-in-autocast": (28, 0, 3, "2026-11-23", 0, 0),
    "clip-after-step": (4, 2, 0, "2026-11-23", 0, 2),
    "clip-before-backward": (1, 0, 0, "2026-11-23", 0, 0),
    "clip-exhausted-parameters": (3, 0, 0, "2026-11-22", 0, 0),
    "clip-per-micro-batch": (59, 0, 3, "2026-11-23", 0, 0),
    "clip-scaled-gradients": (20, 0, 8, "2026-11-23", 0, 0),
    "double-unscale": (1, 1, 0, "2026-11-22", 0, 1),
    "dropped-accumulation-tail": (133, 2, 4, "2026-11-23", 0, 0),
    "forward-outside-no-sync": (9, 0, 0, "2026-11-23", 0, 0),
    "loss-graph-leak": (57, 3, 3, "2026-11-23", 0, 2),
    "missing-no-sync": (161, 2, 15, "2026-11-23", 3, 2),
    "missing-scaler-update": (1, 0, 0, "2026-11-22", 0, 0),
    "missing-set-epoch": (66, 3, 4, "2026-11-23", 0, 3),
    "missing-train-mode": (13, 8, 2, "2026-11-23", 0, 7),
    "missing-zero-grad": (22, 6, 4, "2026-11-23", 0, 5),
    "scaler-with-bfloat16": (6, 2, 1, "2026-11-23", 3, 2),
    "scheduler-before-optimizer": (31, 1, 5, "2026-11-23", 0, 1),
    "scheduler-per-micro-batch": (0, 2, 1, "2026-11-22", 0, 2),
    "step-bypasses-scaler": (1, 1, 2, "2026-11-23", 0, 1),
    "step-without-sync": (5, 3, 1, "2026-11-23", 0, 3),
    "unscaled-accumulation-loss": (71, 4, 2, "2026-11-23", 0, 2),
    "validation-without-no-grad": (45, 1, 3, "2026-11-23", 0, 1),
    "zero-grad-before-step": (0, 6, 0, "2026-11-23", 0, 6),
    "zero-grad-in-accumulation": (16, 5, 0, "2026-11-23", 0, 5),
}
