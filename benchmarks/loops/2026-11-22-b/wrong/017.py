from dataclasses import dataclass
from typing import Iterator

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class Precision:
    device: str = "cuda"
    dtype: str = "bfloat16"

    def context(self) -> torch.autocast:
        return torch.autocast(self.device, dtype=getattr(torch, self.dtype))


@dataclass(frozen=True)
class Recipe:
    lr: float = 1e-3
    accumulate: int = 4
    max_norm: float = 1.0
    micro_batches: int = 400_000
    precision: Precision = Precision()


class Loop:
    def __init__(self, model: nn.Module, recipe: Recipe):
        self.model = model.to(recipe.precision.device)
        self.recipe = recipe
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=recipe.lr)
        self.scaler = torch.amp.GradScaler(recipe.precision.device)

    def forward(self, batch: dict[str, Tensor]) -> Tensor:
        with self.recipe.precision.context():
            out = self.model(batch["tokens"], batch["mask"])
            return nn.functional.cross_entropy(out.flatten(0, 1), batch["target"].flatten())

    def update(self) -> float:
        self.scaler.unscale_(self.optimizer)
        norm = nn.utils.clip_grad_norm_(self.model.parameters(), self.recipe.max_norm)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad(set_to_none=True)
        return float(norm)

    def run(self, batches: Iterator[dict[str, Tensor]]) -> None:
        self.model.train()
        n = 0
        while n < self.recipe.micro_batches:
            batch = {k: v.to(self.recipe.precision.device) for k, v in next(batches).items()}
            loss = self.forward(batch) / self.recipe.accumulate
            self.scaler.scale(loss).backward()
            if n % self.recipe.accumulate == 0:
                norm = self.update()
                print(f"{n} loss {loss.item() * self.recipe.accumulate:.4f} norm {norm:.2f}")
            n += 1


def main(model: nn.Module, batches: Iterator[dict[str, Tensor]]) -> None:
    Loop(model, Recipe()).run(batches)
