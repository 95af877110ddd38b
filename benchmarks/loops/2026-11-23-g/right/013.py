import torch
import torch.nn as nn
import torch.nn.functional as F
from lightning_fabric import Fabric


def spectrogram_batches(n, seed):
    g = torch.Generator().manual_seed(seed)
    for _ in range(n):
        y = torch.randint(0, 3, (6,), generator=g)
        yield torch.randn(6, 1, 8, 8, generator=g) + y.view(-1, 1, 1, 1), y


def main(window=4, epochs=2, n=12):
    fabric = Fabric(accelerator="cpu", devices=1)
    fabric.seed_everything(1, verbose=False)
    model = nn.Sequential(nn.Conv2d(1, 4, 3, stride=2), nn.ReLU(), nn.Flatten(), nn.Linear(36, 3))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    model, optimizer = fabric.setup(model, optimizer)
    model.train()

    for epoch in range(epochs):
        for k, (x, y) in enumerate(spectrogram_batches(n, epoch), start=1):
            accumulating = k % window != 0
            with fabric.no_backward_sync(model, enabled=accumulating):
                loss = F.cross_entropy(model(x), y)
                fabric.backward(loss / window)
            if not accumulating:
                fabric.clip_gradients(model, optimizer, max_norm=2.0)
                optimizer.step()
                optimizer.zero_grad()
        fabric.print(f"epoch {epoch}: {loss.item():.4f}")


if __name__ == "__main__":
    main()
