"""A choir rehearses week by week; the generator of the weeks lowers the rate between them."""
import torch
from torch import nn
from torch.nn import functional as F


def weeks(count, schedule):
    week = 0
    while week < count:
        if week:
            schedule.step()
        yield week
        week += 1


def songs(week):
    gen = torch.Generator().manual_seed(40 + week)
    for _ in range(4):
        score = torch.randn(8, 5, generator=gen)
        yield score, score.cumsum(1)


def train(record):
    torch.manual_seed(8)
    choir = nn.GRU(1, 6, batch_first=True)
    out = nn.Linear(6, 1)
    weights = [*choir.parameters(), *out.parameters()]
    optimizer = torch.optim.Adam(weights, lr=0.03)
    schedule = torch.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[2, 4], gamma=0.3)
    for week in weeks(6, schedule):
        total = 0.0
        for score, melody in songs(week):
            optimizer.zero_grad()
            sung = out(choir(score.unsqueeze(2))[0]).squeeze(2)
            loss = F.mse_loss(sung, melody)
            loss.backward()
            optimizer.step()
            record(weights)
            total += loss.item()
        if total < 0.2:
            break


if __name__ == "__main__":
    train(lambda parameters: None)
