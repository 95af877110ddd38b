"""Forecast the next value of a noisy sine with a GRU (half precision)."""
import math

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Forecaster(nn.Module):
    def __init__(self, hidden=16):
        super().__init__()
        self.inp = nn.Linear(20, hidden)
        self.mid = nn.Linear(hidden, hidden)
        self.out = nn.Linear(hidden, 1)

    def forward(self, window):
        return self.out(torch.tanh(self.mid(torch.tanh(self.inp(window))))).squeeze(-1)


def make_windows(length=260, size=20):
    t = torch.arange(length, dtype=torch.float32)
    series = torch.sin(2 * math.pi * t / 25) + 0.1 * torch.randn(length)
    x = series.unfold(0, size, 1)[:-1]
    return TensorDataset(x, series[size:])


def train_one_epoch(model, loader, optimizer, scaler, loss_fn, max_value):
    model.train()
    running_loss = 0
    for window, target in loader:
        optimizer.zero_grad()
        with torch.autocast(device_type="cpu", dtype=torch.float16):
            loss = loss_fn(model(window), target)
        scaler.scale(loss).backward()
        torch.nn.utils.clip_grad_value_(model.parameters(), max_value)
        scaler.step(optimizer)
        scaler.update()
        running_loss += loss
    return running_loss / len(loader)


def validate(model, loader, loss_fn):
    model.eval()
    losses = []
    with torch.no_grad():
        for window, target in loader:
            losses.append(loss_fn(model(window), target))
    return torch.stack(losses).mean().item()


def run():
    torch.manual_seed(3)
    data = make_windows()
    train_dl = DataLoader(torch.utils.data.Subset(data, range(0, 192)), batch_size=32, shuffle=True)
    val_dl = DataLoader(torch.utils.data.Subset(data, range(192, len(data))), batch_size=32)
    model = Forecaster()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
    loss_fn = nn.SmoothL1Loss()
    best = float("inf")
    for epoch in range(3):
        train_loss = train_one_epoch(model, train_dl, optimizer, scaler, loss_fn, max_value=0.5)
        val_loss = validate(model, val_dl, loss_fn)
        best = min(best, val_loss)
        print(f"[{epoch}] train={float(train_loss):.4f} val={val_loss:.4f} best={best:.4f}")


if __name__ == "__main__":
    run()
