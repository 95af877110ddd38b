"""Findings that were read: right, wrong, debatable, when the last; right and wrong ones no longer said.

Made by benchmarks/measured.py.
"""

from __future__ import annotations

from collections.abc import Mapping

TABLE: Mapping[str, tuple[int, int, int, str, int, int]] = {
    "accumulation-divisor-mismatch": (30, 25, 3, "2026-11-29", 0, 24),
    "accumulation-off-by-one": (116, 5, 5, "2026-11-29", 0, 2),
    "backward-in-autocast": (168, 3, 8, "2026-11-29", 0, 3),
    "clip-after-step": (16, 4, 1, "2026-11-29", 0, 4),
    "clip-before-backward": (19, 0, 0, "2026-11-29", 0, 0),
    "clip-exhausted-parameters": (18, 1, 0, "2026-11-29", 0, 0),
    "clip-per-micro-batch": (226, 5, 7, "2026-11-29", 0, 3),
    "clip-scaled-gradients": (89, 0, 10, "2026-11-29", 0, 0),
    "double-unscale": (17, 4, 0, "2026-11-28", 1, 4),
    "dropped-accumulation-tail": (483, 10, 12, "2026-11-29", 0, 5),
    "forward-outside-no-sync": (18, 2, 1, "2026-11-28", 0, 2),
    "loss-graph-leak": (337, 21, 17, "2026-11-29", 2, 15),
    "missing-no-sync": (470, 13, 49, "2026-11-29", 3, 10),
    "missing-scaler-update": (5, 4, 0, "2026-11-29", 0, 4),
    "missing-set-epoch": (265, 11, 11, "2026-11-29", 0, 7),
    "missing-train-mode": (113, 59, 36, "2026-11-29", 2, 49),
    "missing-zero-grad": (75, 30, 8, "2026-11-29", 0, 29),
    "scaler-with-bfloat16": (46, 3, 1, "2026-11-29", 3, 2),
    "scheduler-before-optimizer": (167, 11, 44, "2026-11-29", 0, 6),
    "scheduler-per-micro-batch": (0, 19, 1, "2026-11-28", 0, 19),
    "step-bypasses-scaler": (4, 3, 4, "2026-11-28", 0, 3),
    "step-without-sync": (78, 23, 6, "2026-11-29", 0, 20),
    "unscaled-accumulation-loss": (270, 16, 14, "2026-11-29", 0, 11),
    "unscaled-backward": (6, 4, 1, "2026-11-28", 0, 4),
    "validation-without-no-grad": (621, 17, 25, "2026-11-29", 0, 11),
    "zero-grad-before-step": (1, 14, 0, "2026-11-28", 0, 14),
    "zero-grad-in-accumulation": (57, 33, 8, "2026-11-29", 0, 31),
}
