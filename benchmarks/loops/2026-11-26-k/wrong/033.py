import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

ap = argparse.ArgumentParser()
ap.add_argument("--epochs", type=int, default=3)
ap.add_argument("--batch-size", type=int, default=20)
opts = ap.parse_args()

torch.manual_seed(24)
audio = torch.randn(240, 1, 64)
genre = (audio[:, 0, :32].std(1) > audio[:, 0, 32:].std(1)).long()
parts = [DataLoader(TensorDataset(audio[s], genre[s]), opts.batch_size) for s in (slice(0, 180), slice(180, 240))]

net = nn.Sequential(
    nn.Conv1d(1, 8, 9, stride=4), nn.BatchNorm1d(8), nn.ReLU(), nn.AdaptiveAvgPool1d(4), nn.Flatten(), nn.Linear(32, 2)
)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.5)

for epoch in range(opts.epochs):
    net.train()
    train_loss = 0.0
    for wave, label in parts[0]:
        optimizer.zero_grad()
        loss = criterion(net(wave), label)
        loss.backward()
        optimizer.step()
        train_loss += loss.item()
    scheduler.step()

    net.eval()
    val_loss = 0.0
    for wave, label in parts[1]:
        out = net(wave)
        val_loss += criterion(out, label)
    print(f"{epoch}: train {train_loss / len(parts[0]):.4f} val {val_loss / len(parts[1]):.4f}")
