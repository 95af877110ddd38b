import torch
from lightning.fabric import Fabric


def windows(loader, size):
    group = []
    for batch in loader:
        group.append(batch)
        if len(group) == size:
            yield group
            group = []
    if group:
        yield group


def train(fabric: Fabric, model, optimizer, loader, loss_fn, accumulate: int, epochs: int):
    model, optimizer = fabric.setup(model, optimizer)
    loader = fabric.setup_dataloaders(loader)
    for epoch in range(epochs):
        model.train()
        for group in windows(loader, accumulate):
            optimizer.zero_grad()
            for x, y in group:
                loss = loss_fn(model(x), y)
                fabric.backward(loss)
            fabric.clip_gradients(model, optimizer, max_norm=1.0)
            optimizer.step()
        fabric.print(f"epoch {epoch} done, loss {loss.item():.4f}")
        fabric.save(f"epoch-{epoch}.ckpt", {"model": model, "optimizer": optimizer})


if __name__ == "__main__":
    from project import build

    parts = build("tiny")
    fabric = Fabric(accelerator="auto", devices=1)
    fabric.launch()
    train(fabric, parts.model, parts.optimizer, parts.loader, torch.nn.functional.cross_entropy, 16, 10)
