"""Findings that were read: right, wrong, debatable, and when the last. Made by benchmarks/measured.py."""

from __future__ import annotations

from collections.abc import Mapping

TABLE: Mapping[str, tuple[int, int, int, str]] = {
    "accumulation-divisor-mismatch": (0, 1, 0, "2026-11-22"),
    "clip-after-step": (1, 0, 0, "2026-11-22"),
    "clip-exhausted-parameters": (2, 0, 0, "2026-11-22"),
    "clip-per-micro-batch": (11, 0, 2, "2026-11-22"),
    "clip-scaled-gradients": (3, 0, 0, "2026-11-22"),
    "dropped-accumulation-tail": (21, 0, 2, "2026-11-22"),
    "forward-outside-no-sync": (3, 0, 0, "2026-11-22"),
    "loss-graph-leak": (9, 0, 0, "2026-11-22"),
    "missing-no-sync": (17, 1, 7, "2026-11-22"),
    "missing-set-epoch": (6, 0, 2, "2026-11-22"),
    "missing-train-mode": (1, 0, 1, "2026-11-22"),
    "missing-zero-grad": (4, 2, 0, "2026-11-22"),
    "scaler-with-bfloat16": (2, 0, 0, "2026-11-22"),
    "scheduler-before-optimizer": (0, 0, 1, "2026-11-22"),
    "scheduler-per-micro-batch": (0, 2, 0, "2026-11-22"),
    "step-without-sync": (4, 0, 0, "2026-11-22"),
    "unscaled-accumulation-loss": (16, 1, 0, "2026-11-22"),
    "validation-without-no-grad": (5, 0, 0, "2026-11-22"),
    "zero-grad-before-step": (0, 1, 0, "2026-11-22"),
    "zero-grad-in-accumulation": (1, 0, 0, "2026-11-22"),
}
