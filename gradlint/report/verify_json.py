"""The wet run as JSON: stable and versioned, one object for each training loop."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gradlint.model.finding import Problem
    from gradlint.verify.result import Figures, Loop, Trial

VERSION = 1


def render(trials: Sequence[Trial], problems: Sequence[Problem], files: int) -> str:
    """Everything that was measured."""
    verdicts = [one.before.verdict.value for one in trials]
    data = {
        "version": VERSION,
        "loops": [_trial(one) for one in trials],
        "errors": [{"path": one.path, "message": one.message} for one in problems],
        "summary": {
            "files": files,
            "loops": len(trials),
            "confirmed": verdicts.count("confirmed"),
            "differs": verdicts.count("differs"),
            "inconclusive": verdicts.count("inconclusive"),
            "repairs_confirmed": sum(one.confirmed for one in trials),
        },
    }
    return json.dumps(data, indent=2, allow_nan=False) + "\n"


def _trial(trial: Trial) -> dict[str, Any]:
    loop = trial.before
    return {
        "path": trial.path,
        "name": loop.name,
        "cell": loop.cell,
        "row": loop.row,
        "end_cell": loop.end_cell,
        "end_row": loop.end_row,
        "written": _loop(loop),
        "fixed": _loop(trial.after) if trial.after is not None else None,
        "repair": _repair(trial),
    }


def _repair(trial: Trial) -> dict[str, Any] | None:
    if trial.after is None and not trial.reason:
        return None
    return {"confirmed": trial.confirmed, "reason": trial.reason}


def _loop(loop: Loop) -> dict[str, Any]:
    return {
        "verdict": loop.verdict.value,
        "reason": loop.reason,
        "detail": loop.detail,
        "window": loop.window,
        "limit": loop.limit,
        "device": loop.device,
        "precision": loop.precision,
        "wrapper": loop.wrapper,
        "shown": [
            {"rule": one.rule, "path": one.path or None, "cell": one.cell, "row": one.row, "text": one.text}
            for one in loop.shown
        ],
        "runs": [
            {
                "configuration": dict(one.configuration),
                "regime": one.regime,
                "verdict": one.verdict.value,
                "rules": [shown.rule for shown in one.shown],
                "reason": one.reason,
                "detail": one.detail,
            }
            for one in loop.runs
        ],
        "updates": [_update(one) for one in loop.figures],
        "updates_clipped": [_update(one) for one in loop.clipped],
        "bindings": [{"name": one.name, "value": one.value, "origin": one.origin} for one in loop.bindings],
        "notes": list(loop.notes),
        "not_looked_at": list(loop.unseen),
        "linter_errors": [
            {"rule": one.rule, "cell": one.cell, "row": one.row, "text": one.text} for one in loop.errors
        ],
    }


def _update(one: Figures) -> dict[str, Any]:
    return {
        "optimizer": one.optimizer,
        "number": one.number,
        "weights": [{"label": label, "value": value, "extra": extra} for label, value, extra in one.weights],
        "reference": [{"label": label, "value": value} for label, value in one.meant],
        "norm": _finite(one.norm),
        "reference_norm": _finite(one.reference_norm),
        "gradient_error": _finite(one.error),
        "clip": one.clip,
        "all_reduces": one.all_reduces,
        "scheduler_moves": one.scheduler_moves,
    }


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
