import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from engine import GuardedRunner


class SmallUNet(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.down = nn.Sequential(nn.Conv2d(3, width, 3, padding=1), nn.BatchNorm2d(width), nn.ReLU())
        self.mid = nn.Sequential(nn.MaxPool2d(2), nn.Conv2d(width, width, 3, padding=1), nn.Dropout2d(0.1), nn.ReLU())
        self.up = nn.Upsample(scale_factor=2)
        self.out = nn.Conv2d(2 * width, 1, 1)

    def forward(self, x):
        skip = self.down(x)
        return self.out(torch.cat([skip, self.up(self.mid(skip))], 1)).squeeze(1)


def blobs(n, seed):
    g = torch.Generator().manual_seed(seed)
    x = torch.randn(n, 3, 16, 16, generator=g)
    return TensorDataset(x, (x.mean(1) > 0).float())


def loaders(batch_size):
    return (
        DataLoader(blobs(48, 0), batch_size=batch_size, shuffle=True),
        DataLoader(blobs(16, 1), batch_size=batch_size),
    )


class PolypRunner(GuardedRunner):
    def dice(self, logits, mask):
        p = logits.sigmoid()
        return (2 * (p * mask).sum() + 1) / (p.sum() + mask.sum() + 1)

    def objective(self, batch):
        x, mask = (t.to(self.device) for t in batch)
        logits = self.net(x)
        bce = nn.functional.binary_cross_entropy_with_logits(logits, mask)
        return bce + 1 - self.dice(logits, mask)

    def metric(self, batch):
        x, mask = (t.to(self.device) for t in batch)
        return self.dice(self.net(x), mask).item()
