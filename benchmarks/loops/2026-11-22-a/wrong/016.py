import lightning as L
import torch
from torch.utils.data import DataLoader

from tft.dataset import ElectricityDataset
from tft.model import TemporalFusion


def quantile_loss(pred, target, quantiles=(0.1, 0.5, 0.9)):
    total = 0.0
    for i, q in enumerate(quantiles):
        err = target - pred[..., i]
        total = total + torch.maximum(q * err, (q - 1) * err).mean()
    return total


def train(epochs: int = 15, lr: float = 1e-3, clip: float = 0.1):
    fabric = L.Fabric(accelerator="cuda", devices=1, precision="16-mixed")
    fabric.launch()
    fabric.seed_everything(7)

    with fabric.init_module():
        model = TemporalFusion(hidden=160, heads=4)
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    model, optimizer = fabric.setup(model, optimizer)
    loader = fabric.setup_dataloaders(DataLoader(ElectricityDataset("train"), batch_size=256, shuffle=True))

    for epoch in range(epochs):
        model.train()
        seen = 0.0
        for x, y in loader:
            optimizer.zero_grad()
            loss = quantile_loss(model(x), y)
            fabric.backward(loss)
            torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
            optimizer.step()
            seen += loss.item()
        fabric.print(f"epoch {epoch}: {seen / len(loader):.4f}")
        fabric.save("tft.ckpt", {"model": model, "optimizer": optimizer})


if __name__ == "__main__":
    train()
