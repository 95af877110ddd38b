import torch
from lightning.fabric import Fabric
from torch import nn


def main(steps=20):
    fabric = Fabric(accelerator="cpu", devices=1)
    fabric.launch()
    fabric.seed_everything(5)
    model = nn.Sequential(nn.Linear(6, 18), nn.Tanh(), nn.Linear(18, 1))
    optimizer = torch.optim.AdamW((p for p in model.parameters() if p.requires_grad), lr=1e-3)
    model, optimizer = fabric.setup(model, optimizer)
    for step in range(steps):
        x = torch.randn(16, 6, device=fabric.device)
        loss = nn.functional.mse_loss(model(x), x.norm(dim=1, keepdim=True))
        optimizer.zero_grad()
        fabric.backward(loss)
        fabric.clip_gradients(model, optimizer, max_norm=0.5)
        optimizer.step()
        if step % 10 == 0:
            fabric.print(step, loss.item())


if __name__ == "__main__":
    main()
