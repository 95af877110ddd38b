from itertools import islice

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Settings:
    accumulation = 5
    batch = 8
    epochs = 3


def full_windows(loader, size):
    """Lists of `size` batches; an incomplete rest is never drawn."""
    it = iter(loader)
    for _ in range(len(loader) // size):
        yield list(islice(it, size))


class Wavelet(nn.Module):
    def __init__(self, n=16, k=4):
        super().__init__()
        self.lo, self.hi = nn.Conv1d(1, k, 4, 2, 1), nn.Conv1d(1, k, 4, 2, 1)
        self.fc = nn.Linear(2 * k, 2)

    def forward(self, x):
        f = torch.cat([self.lo(x), self.hi(x)], 1)
        return self.fc(f.abs().mean(-1))


def main():
    torch.manual_seed(0)
    y = torch.randint(0, 2, (180,))
    t = torch.linspace(0, 6.28, 16)
    x = torch.sin(t * (1 + 3 * y[:, None])) + 0.3 * torch.randn(180, 16)
    loader = DataLoader(TensorDataset(x[:, None], y), batch_size=Settings.batch, shuffle=True)

    model = Wavelet()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    loss_fn = nn.CrossEntropyLoss()
    for epoch in range(Settings.epochs):
        for window in full_windows(loader, Settings.accumulation):
            for xb, yb in window:
                loss = loss_fn(model(xb), yb)
                (loss / len(window)).backward()
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
        print(f"epoch {epoch} loss {loss.item():.3f}")


if __name__ == "__main__":
    main()
