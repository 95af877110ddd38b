"""Findings that were read: right, wrong, debatable, when the last; right and wrong ones no longer said.

Made by benchmarks/measured.py.
"""

from __future__ import annotations

from collections.abc import Mapping

TABLE: Mapping[str, tuple[int, int, int, str, int, int]] = {
    "accumulation-divisor-mismatch": (30, 25, 3, "2026-11-29", 0, 24),
    "accumulation-off-by-one": (114, 3, 5, "2026-11-29", 0, 1),
    "backward-in-autocast": (154, 3, 8, "2026-11-29", 0, 3),
    "clip-after-step": (16, 3, 1, "2026-11-28", 0, 3),
    "clip-before-backward": (19, 0, 0, "2026-11-29", 0, 0),
    "clip-exhausted-parameters": (16, 0, 0, "2026-11-29", 0, 0),
    "clip-per-micro-batch": (217, 4, 7, "2026-11-29", 0, 3),
    "clip-scaled-gradients": (85, 0, 10, "2026-11-29", 0, 0),
    "double-unscale": (17, 4, 0, "2026-11-28", 1, 4),
    "dropped-accumulation-tail": (455, 10, 12, "2026-11-29", 0, 5),
    "forward-outside-no-sync": (18, 2, 1, "2026-11-28", 0, 2),
    "loss-graph-leak": (245, 18, 17, "2026-11-29", 2, 13),
    "missing-no-sync": (445, 13, 49, "2026-11-29", 3, 10),
    "missing-scaler-update": (3, 1, 0, "2026-11-28", 0, 1),
    "missing-set-epoch": (255, 10, 11, "2026-11-29", 0, 6),
    "missing-train-mode": (100, 49, 36, "2026-11-29", 2, 43),
    "missing-zero-grad": (72, 30, 8, "2026-11-29", 0, 29),
    "scaler-with-bfloat16": (43, 2, 1, "2026-11-28", 3, 2),
    "scheduler-before-optimizer": (142, 9, 44, "2026-11-29", 0, 6),
    "scheduler-per-micro-batch": (0, 19, 1, "2026-11-28", 0, 19),
    "step-bypasses-scaler": (4, 3, 4, "2026-11-28", 0, 3),
    "step-without-sync": (76, 23, 6, "2026-11-28", 0, 20),
    "unscaled-accumulation-loss": (262, 15, 14, "2026-11-29", 0, 10),
    "unscaled-backward": (6, 4, 1, "2026-11-28", 0, 4),
    "validation-without-no-grad": (522, 14, 22, "2026-11-29", 0, 9),
    "zero-grad-before-step": (1, 14, 0, "2026-11-28", 0, 14),
    "zero-grad-in-accumulation": (53, 26, 8, "2026-11-29", 0, 24),
}
