import torch
from torch.utils.data import DataLoader, TensorDataset


def spiral_loader(batches, batch_size):
    angle = torch.rand(batches * batch_size) * 6
    points = torch.stack([angle * angle.cos(), angle * angle.sin()], 1) / 6
    return DataLoader(TensorDataset(points), batch_size=batch_size, shuffle=True)
