"""Findings that were read: right, wrong, debatable, when the last; right and wrong ones no longer said.

Made by benchmarks/measured.py.
"""

from __future__ import annotations

from collections.abc import Mapping

TABLE: Mapping[str, tuple[int, int, int, str, int, int]] = {
    "accumulation-divisor-mismatch": (27, 25, 3, "2026-11-28", 0, 24),
    "accumulation-off-by-one": (112, 3, 5, "2026-11-28", 0, 1),
    "backward-in-autocast": (149, 3, 8, "2026-11-28", 0, 3),
    "clip-after-step": (16, 3, 1, "2026-11-28", 0, 3),
    "clip-before-backward": (18, 0, 0, "2026-11-28", 0, 0),
    "clip-exhausted-parameters": (15, 0, 0, "2026-11-27", 0, 0),
    "clip-per-micro-batch": (209, 4, 7, "2026-11-28", 0, 3),
    "clip-scaled-gradients": (84, 0, 10, "2026-11-28", 0, 0),
    "double-unscale": (17, 4, 0, "2026-11-28", 1, 4),
    "dropped-accumulation-tail": (452, 9, 12, "2026-11-28", 0, 5),
    "forward-outside-no-sync": (18, 2, 1, "2026-11-28", 0, 2),
    "loss-graph-leak": (241, 18, 14, "2026-11-28", 2, 13),
    "missing-no-sync": (438, 13, 48, "2026-11-28", 3, 10),
    "missing-scaler-update": (3, 1, 0, "2026-11-28", 0, 1),
    "missing-set-epoch": (248, 10, 11, "2026-11-28", 0, 6),
    "missing-train-mode": (98, 49, 34, "2026-11-28", 0, 43),
    "missing-zero-grad": (72, 20, 8, "2026-11-28", 0, 19),
    "scaler-with-bfloat16": (43, 2, 1, "2026-11-28", 3, 2),
    "scheduler-before-optimizer": (138, 9, 44, "2026-11-28", 0, 6),
    "scheduler-per-micro-batch": (0, 19, 1, "2026-11-28", 0, 19),
    "step-bypasses-scaler": (4, 3, 4, "2026-11-28", 0, 3),
    "step-without-sync": (76, 23, 6, "2026-11-28", 0, 20),
    "unscaled-accumulation-loss": (261, 15, 14, "2026-11-28", 0, 10),
    "unscaled-backward": (6, 4, 1, "2026-11-28", 0, 4),
    "validation-without-no-grad": (490, 14, 16, "2026-11-28", 0, 9),
    "zero-grad-before-step": (1, 14, 0, "2026-11-28", 0, 14),
    "zero-grad-in-accumulation": (53, 25, 6, "2026-11-28", 0, 23),
}
