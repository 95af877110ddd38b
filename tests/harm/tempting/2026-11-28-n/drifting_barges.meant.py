"""Barges drift past a gauge; only the heavy ones are measured, however many there are."""
import torch
from torch import nn
from torch.nn import functional as F
from torch.optim.lr_scheduler import ExponentialLR

TOW, DAYS = 4, 5


def heavy_barges(day):
    gen = torch.Generator().manual_seed(200 + day)
    for _ in range(14):
        hull = torch.rand(5, 3, generator=gen)
        if hull.sum() > 7.0:
            yield hull, (hull[:, 0] * hull[:, 2]).unsqueeze(1)


def train(record):
    torch.manual_seed(28)
    gauge = nn.Sequential(nn.Linear(3, 10), nn.SiLU(), nn.Linear(10, 1))
    optimizer = torch.optim.SGD(gauge.parameters(), lr=0.5, momentum=0.9)
    schedule = ExponentialLR(optimizer, gamma=0.9)
    optimizer.zero_grad()
    for day in range(DAYS):
        n = 0
        for n, (hull, draught) in enumerate(heavy_barges(day), start=1):
            loss = F.mse_loss(gauge(hull), draught)
            (loss / TOW).backward()
            if n % TOW == 0:
                optimizer.step()
                record(list(gauge.parameters()))
                optimizer.zero_grad()
        if n % TOW:
            optimizer.step()
            record(list(gauge.parameters()))
            optimizer.zero_grad()
        schedule.step()


if __name__ == "__main__":
    train(lambda parameters: None)
