"""Findings that were read: right, wrong, debatable, when the last; right and wrong ones no longer said.

Made by benchmarks/measured.py.
"""

from __future__ import annotations

from collections.abc import Mapping

TABLE: Mapping[str, tuple[int, int, int, str, int, int]] = {
    "accumulation-divisor-mismatch": (3, 4, 1, "2026-11-23", 0, 0),
    "accumulation-off-by-one": (17, 0, 3, "2026-11-22", 0, 0),
    "backward-in-autocast": (9, 0, 2, "2026-11-22", 0, 0),
    "clip-after-step": (3, 0, 0, "2026-11-23", 0, 0),
    "clip-exhausted-parameters": (3, 0, 0, "2026-11-22", 0, 0),
    "clip-per-micro-batch": (28, 0, 2, "2026-11-23", 0, 0),
    "clip-scaled-gradients": (9, 0, 0, "2026-11-23", 0, 0),
    "double-unscale": (1, 1, 0, "2026-11-22", 0, 0),
    "dropped-accumulation-tail": (66, 1, 3, "2026-11-23", 0, 0),
    "forward-outside-no-sync": (3, 0, 0, "2026-11-22", 0, 0),
    "loss-graph-leak": (46, 2, 2, "2026-11-23", 0, 0),
    "missing-no-sync": (72, 2, 11, "2026-11-23", 0, 0),
    "missing-scaler-update": (1, 0, 0, "2026-11-22", 0, 0),
    "missing-set-epoch": (35, 2, 3, "2026-11-23", 0, 0),
    "missing-train-mode": (4, 7, 1, "2026-11-23", 0, 0),
    "missing-zero-grad": (16, 3, 1, "2026-11-23", 0, 0),
    "scaler-with-bfloat16": (5, 2, 0, "2026-11-22", 0, 0),
    "scheduler-before-optimizer": (6, 0, 2, "2026-11-23", 0, 0),
    "scheduler-per-micro-batch": (0, 2, 1, "2026-11-22", 0, 0),
    "step-bypasses-scaler": (0, 0, 2, "2026-11-22", 0, 0),
    "step-without-sync": (5, 3, 0, "2026-11-22", 0, 0),
    "unscaled-accumulation-loss": (52, 4, 1, "2026-11-23", 0, 0),
    "validation-without-no-grad": (24, 1, 0, "2026-11-23", 0, 0),
    "zero-grad-before-step": (0, 4, 0, "2026-11-23", 0, 0),
    "zero-grad-in-accumulation": (9, 4, 0, "2026-11-23", 0, 0),
}
