import math

import torch
from torch.utils.data import DataLoader, TensorDataset


def water_level(hours):
    t = torch.arange(hours, dtype=torch.float32)
    lunar = torch.sin(2 * math.pi * t / 12.42)
    solar = 0.4 * torch.sin(2 * math.pi * t / 12.0)
    return lunar + solar + 0.05 * torch.randn(hours)


def make_loader(history, horizon, batch):
    level = water_level(12 * 16 + history + horizon - 1)
    frames = level.unfold(0, history + horizon, 1)
    data = TensorDataset(frames[:, :history].clone(), frames[:, history:].clone())
    return DataLoader(data, batch_size=batch, shuffle=True)
