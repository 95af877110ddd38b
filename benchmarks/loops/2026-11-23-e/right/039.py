import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class NeuralODE(nn.Module):
    """Four explicit Euler steps of a learned vector field."""

    def __init__(self, d=2, h=24, steps=4):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(d + 1, h), nn.Tanh(), nn.Linear(h, d))
        self.steps = steps

    def forward(self, z):
        dt = 1.0 / self.steps
        for k in range(self.steps):
            t = torch.full_like(z[:, :1], k * dt)
            z = z + dt * self.f(torch.cat([z, t], -1))
        return z


def rotation(x, angle=1.2):
    a = torch.tensor(angle)
    m = torch.stack([torch.stack([a.cos(), -a.sin()]), torch.stack([a.sin(), a.cos()])])
    return x @ m.t()


def main(accum=4):
    torch.manual_seed(0)
    x = torch.randn(200, 2)
    loader = DataLoader(TensorDataset(x, rotation(x)), batch_size=10, shuffle=True, drop_last=True)
    model = NeuralODE()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    weight = torch.tensor(1.0 / accum)

    for epoch in range(4):
        epoch_loss = 0.0
        optimizer.zero_grad()
        for i, (a, b) in enumerate(loader, 1):
            loss = nn.functional.mse_loss(model(a), b)
            loss.backward(gradient=weight)
            epoch_loss += loss.item()
            if i % accum == 0 or i == len(loader):
                optimizer.step()
                optimizer.zero_grad()
        print(f"epoch {epoch} mse {epoch_loss / len(loader):.5f}")


if __name__ == "__main__":
    main()
