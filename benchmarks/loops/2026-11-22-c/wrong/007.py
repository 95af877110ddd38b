from itertools import islice

import torch
import torch.nn.functional as F
from lightning.fabric import Fabric

from weather.data import forecast_loader
from weather.model import GridNet

GROUP = 4
UPDATES = 500


def groups(loader, size):
    while True:
        it = iter(loader)
        while len(group := list(islice(it, size))) == size:
            yield group


def main():
    fabric = Fabric(accelerator="cpu", devices=1, precision="32-true")
    fabric.seed_everything(7)
    model = GridNet(channels=69)
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-4, weight_decay=0.1)
    model, optimizer = fabric.setup(model, optimizer)
    loader = fabric.setup_dataloaders(forecast_loader(batch_size=2))
    model.train()
    for update, group in zip(range(UPDATES), groups(loader, GROUP)):
        mean = 0.0
        for now, later in group:
            loss = F.mse_loss(model(now), later) / len(group)
            fabric.backward(loss)
            fabric.clip_gradients(model, optimizer, max_norm=32.0)
            mean += loss.item()
        optimizer.step()
        optimizer.zero_grad()
        if update % 25 == 0:
            fabric.print(update, mean)


if __name__ == "__main__":
    main()
