import torch
import torch.nn as nn
from torch.nn.utils import clip_grad_norm_
from torch.utils.data import DataLoader, TensorDataset


def make_loader():
    src = torch.randn(128, 6, 4)
    tgt = src.flip(1).cumsum(1)
    return DataLoader(TensorDataset(src, tgt), batch_size=8, shuffle=True)


class Rev(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(4, 16, batch_first=True, bidirectional=True)
        self.fc = nn.Linear(32, 4)

    def forward(self, x):
        return self.fc(self.lstm(x)[0])


def train(model, loader, optimizer, epochs, update_freq=4, clip=1.0):
    crit = nn.L1Loss()
    for epoch in range(epochs):
        model.train()
        total = 0
        optimizer.zero_grad()
        for n, (s, t) in enumerate(loader, start=1):
            loss = crit(model(s), t)
            (loss / update_freq).backward()
            clip_grad_norm_(model.parameters(), clip)
            total += loss.item()
            if n % update_freq == 0:
                optimizer.step()
                optimizer.zero_grad()
        print(f"epoch {epoch + 1}/{epochs} l1 {total / n:.4f}")


if __name__ == "__main__":
    m = Rev()
    train(m, make_loader(), torch.optim.Adam(m.parameters(), lr=2e-3), epochs=2)
