"""Regression of a damped oscillator with a small GRU."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split


class Oscillator(nn.Module):
    def __init__(self, hidden=16):
        super().__init__()
        self.gru = nn.GRU(1, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 1)

    def forward(self, seq):
        h, _ = self.gru(seq)
        return self.out(h[:, -1])


def build(n=200, length=20):
    phase = torch.rand(n, 1) * 6.28
    time = torch.linspace(0, 6, length + 1)
    wave = torch.exp(-0.1 * time) * torch.sin(time + phase)
    return TensorDataset(wave[:, :-1, None], wave[:, -1:])


def fit_one(model, loader, optimizer, loss_fn):
    model.train()
    for seq, target in loader:
        optimizer.zero_grad()
        loss_fn(model(seq), target).backward()
        optimizer.step()


def validate(model, loader, loss_fn):
    model.eval()
    val_loss = 0.0
    for seq, target in loader:
        pred = model(seq)
        val_loss += loss_fn(pred, target)
    return val_loss / len(loader)


def main():
    torch.manual_seed(0)
    ds = build()
    train_ds, val_ds = random_split(ds, [160, 40])
    train_dl = DataLoader(train_ds, batch_size=20, shuffle=True)
    val_dl = DataLoader(val_ds, batch_size=20)

    model = Oscillator()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    loss_fn = nn.MSELoss()
    best = float("inf")
    for epoch in range(3):
        fit_one(model, train_dl, optimizer, loss_fn)
        current = float(validate(model, val_dl, loss_fn))
        best = min(best, current)
        print(f"epoch {epoch}: val {current:.5f} best {best:.5f}")


if __name__ == "__main__":
    main()
