import torch
from lightning.fabric import Fabric
from torch.nn import functional as F

from project.data import make_dataset
from project.net import TemporalConvNet

ACCUMULATE = 4
EPOCHS = 6


def main():
    fabric = Fabric(accelerator="cpu", devices=2, strategy="ddp")
    fabric.launch()
    model = TemporalConvNet(channels=[64, 64, 128])
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    model, optimizer = fabric.setup(model, optimizer)
    loader = torch.utils.data.DataLoader(make_dataset("train"), batch_size=32, shuffle=True)
    loader = fabric.setup_dataloaders(loader)
    micro = 0

    for epoch in range(EPOCHS):
        model.train()
        batches = len(loader)
        for index, (series, target) in enumerate(loader):
            begin = index - index % ACCUMULATE
            size = min(ACCUMULATE, batches - begin)
            accumulating = index + 1 < begin + size
            with fabric.no_backward_sync(model, enabled=accumulating):
                loss = F.mse_loss(model(series), target) / size
                fabric.backward(loss)
            micro += 1
            if not accumulating:
                fabric.clip_gradients(model, optimizer, max_norm=2.0)
                optimizer.step()
                optimizer.zero_grad()
        fabric.print(f"epoch {epoch} after {micro} micro-batches: {loss.item() * size:.4f}")


main()
