import torch
from torch.utils.data import Dataset


class Clouds(Dataset):
    def __init__(self, count, points=24):
        self.labels = torch.randint(0, 3, (count,))
        stretch = torch.eye(3)[self.labels].unsqueeze(1) * 2 + 1
        self.points = torch.randn(count, points, 3) * stretch

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, at):
        return self.points[at], self.labels[at]
