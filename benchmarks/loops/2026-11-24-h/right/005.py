from itertools import cycle, islice

import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset


class Autoencoder(nn.Module):
    def __init__(self, n=30, z=5):
        super().__init__()
        self.enc, self.dec = nn.Linear(n, z), nn.Linear(z, n)

    def forward(self, x):
        return self.dec(torch.tanh(self.enc(x)))


def fit(model, loader, micro_per_update, epochs):
    # windows run on across epoch boundaries; only the very end is flushed
    opt = optim.Adam(model.parameters(), lr=5e-3)
    mse = nn.MSELoss()
    micro = 0
    budget = epochs * len(loader)
    model.train()
    for epoch in range(epochs):
        err = 0.0
        for (x,) in loader:
            loss = mse(model(x), x)
            err += loss.item()
            loss.div(micro_per_update).backward()
            micro += 1
            if micro % micro_per_update == 0 or micro == budget:
                opt.step()
                opt.zero_grad()
        print(f"epoch {epoch + 1}/{epochs} mse {err / len(loader):.4f} updates {micro // micro_per_update}")


if __name__ == "__main__":
    torch.manual_seed(9)
    base = torch.randn(5, 30)
    x = torch.randn(110, 5) @ base
    fit(Autoencoder(), DataLoader(TensorDataset(x), batch_size=10, shuffle=True), micro_per_update=4, epochs=4)
