"""Speech commands: cosine with a warm-up, measured in batches that have been read."""
import math
from dataclasses import dataclass

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class Config:
    epochs: int = 3
    batch: int = 4
    accum: int = 3
    peak: float = 0.05
    warm_share: float = 0.2


def batch_cosine(total, warm):
    def factor(read):
        if read < warm:
            return (read + 1) / warm
        return 0.5 * (1 + math.cos(math.pi * (read - warm) / max(1, total - warm)))

    return factor


def train(record):
    cfg = Config()
    torch.manual_seed(2)
    x = torch.randn(48, 20)
    data = TensorDataset(x, (x[:, 0] > 0).long() + (x[:, 1] > 0.5).long())
    loader = DataLoader(data, batch_size=cfg.batch, shuffle=True)
    net = nn.Sequential(nn.Linear(20, 16), nn.SiLU(), nn.Linear(16, 3))
    optimizer = torch.optim.SGD(net.parameters(), lr=cfg.peak, momentum=0.9, nesterov=True)
    batches = cfg.epochs * len(loader)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, batch_cosine(batches, math.ceil(cfg.warm_share * batches))
    )
    for epoch in range(cfg.epochs):
        for i, (features, target) in enumerate(loader):
            loss = nn.functional.cross_entropy(net(features), target)
            (loss / cfg.accum).backward()
            if (i + 1) % cfg.accum == 0 or i + 1 == len(loader):
                optimizer.step()
                record(list(net.parameters()))
                optimizer.zero_grad()
            schedule.step()
        print(epoch, f"{loss.item():.4f}", schedule.get_last_lr())


if __name__ == "__main__":
    train(lambda parameters: None)
