from __future__ import annotations

import torch
from lightning.fabric import Fabric
from torch import nn
from torch.utils.data import DataLoader

from forecast.data import WindowedSeries
from forecast.model import PatchTransformer


class SampleCounter:
    def __init__(self, target: int) -> None:
        self.target = target
        self.seen = 0

    def add(self, n: int) -> bool:
        self.seen += n
        if self.seen >= self.target:
            self.seen = 0
            return True
        return False


def quantile_loss(pred: torch.Tensor, target: torch.Tensor, quantiles: torch.Tensor) -> torch.Tensor:
    error = target.unsqueeze(-1) - pred
    return torch.maximum(quantiles * error, (quantiles - 1) * error).sum()


def run(fabric: Fabric, model: nn.Module, optimizer, loader: DataLoader, epochs: int, samples: int) -> None:
    quantiles = fabric.to_device(torch.tensor([0.1, 0.5, 0.9]))
    counter = SampleCounter(samples)
    model.train()
    for epoch in range(epochs):
        for past, future in loader:
            loss = quantile_loss(model(past), future, quantiles) / (samples * future.size(1))
            fabric.backward(loss)
            if counter.add(past.size(0)):
                fabric.clip_gradients(model, optimizer, max_norm=1.0)
                optimizer.step()
                optimizer.zero_grad()
        fabric.print(f"epoch {epoch}: {loss.item():.4f}")


def main() -> None:
    fabric = Fabric(accelerator="gpu", devices=8, strategy="ddp", precision="32-true")
    fabric.launch()
    fabric.seed_everything(7)
    model = PatchTransformer(context=512, horizon=96, quantiles=3)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    model, optimizer = fabric.setup(model, optimizer)
    loader = fabric.setup_dataloaders(
        DataLoader(WindowedSeries("electricity", 512, 96), batch_size=32, shuffle=True, drop_last=True)
    )
    run(fabric, model, optimizer, loader, epochs=20, samples=256)


if __name__ == "__main__":
    main()
