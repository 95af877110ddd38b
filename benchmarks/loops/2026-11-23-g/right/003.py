"""The optimizer clears its own gradients: a post-step hook does it once and for all."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader


class Sales(torch.utils.data.Dataset):
    def __init__(self, days=120, history=14):
        t = torch.arange(days, dtype=torch.float32)
        self.y = torch.sin(t * 2 * torch.pi / 7) + 0.01 * t
        self.history = history

    def __len__(self):
        return len(self.y) - self.history

    def __getitem__(self, i):
        return self.y[i : i + self.history], self.y[i + self.history]


def self_clearing(optimizer):
    def clear(opt, args, kwargs):
        opt.zero_grad()

    optimizer.register_step_post_hook(clear)
    return optimizer


def fit(model, loader, epochs=3):
    optimizer = self_clearing(torch.optim.Adam(model.parameters(), lr=1e-2))
    schedule = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.8)
    for epoch in range(epochs):
        model.train()
        mae = 0.0
        for past, target in loader:
            loss = (model(past).squeeze(-1) - target).abs().mean()
            loss.backward()
            optimizer.step()
            mae += loss.item() / len(loader)
        schedule.step()
        print("epoch", epoch, "mae", round(mae, 4))
    return model


if __name__ == "__main__":
    torch.manual_seed(2)
    net = nn.Sequential(nn.Linear(14, 20), nn.ReLU(), nn.Linear(20, 1))
    fit(net, DataLoader(Sales(), batch_size=16, shuffle=True))
