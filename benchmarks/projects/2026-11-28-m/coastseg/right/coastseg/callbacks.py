from __future__ import annotations

from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from coastseg.engine import Engine


class Callback:
    def before_backward(self, engine: Engine) -> None: ...

    def before_step(self, engine: Engine) -> None: ...

    def epoch_end(self, engine: Engine) -> None: ...


class GradClip(Callback):
    def __init__(self, max_norm: float) -> None:
        self.max_norm = max_norm

    def before_step(self, engine: Engine) -> None:
        torch.nn.utils.clip_grad_norm_(engine.model.parameters(), self.max_norm)


class NormLog(Callback):
    """Keeps the largest true gradient norm of the epoch."""

    def before_step(self, engine: Engine) -> None:
        norm = torch.nn.utils.get_total_norm([p.grad for p in engine.model.parameters()])
        engine.stats["norm"] = max(engine.stats.get("norm", 0.0), norm.item())


class History(Callback):
    def __init__(self) -> None:
        self.rows: list[dict[str, float]] = []

    def epoch_end(self, engine: Engine) -> None:
        self.rows.append({k: round(v, 4) for k, v in engine.stats.items()})
        engine.stats.clear()
