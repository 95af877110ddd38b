"""Steps inside the backward to save memory for gradients."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Tower(nn.Module):
    def __init__(self, d=8, width=20, depth=3):
        super().__init__()
        dims = [d] + [width] * depth
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in zip(dims, dims[1:]))
        self.out = nn.Linear(width, 1)

    def forward(self, x):
        for layer in self.layers:
            x = torch.relu(layer(x))
        return self.out(x)


def attach(model, lr):
    optimizers = {p: torch.optim.Adam([p], lr=lr) for p in model.parameters()}

    def apply(p):
        optimizers[p].step()
        optimizers[p].zero_grad()

    for p in model.parameters():
        p.register_post_accumulate_grad_hook(apply)
    return optimizers


def main():
    torch.manual_seed(0)
    x = torch.randn(192, 8)
    y = torch.sin(x[:, :1]) + 0.3 * x[:, 1:2] ** 2
    loader = DataLoader(TensorDataset(x, y), batch_size=24, shuffle=True)
    model = Tower()
    attach(model, lr=2e-3)
    for epoch in range(4):
        model.train()
        total = 0.0
        for xb, yb in loader:
            loss = nn.functional.mse_loss(model(xb), yb)
            loss.backward()
            total += loss.item()
        print(f"epoch {epoch} loss {total / len(loader):.4f}")


if __name__ == "__main__":
    main()
