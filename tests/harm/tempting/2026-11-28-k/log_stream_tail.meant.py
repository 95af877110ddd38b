"""Anomaly scores for log lines, read from a generator that filters as it goes."""
import torch
from torch import nn


def lines(day, count=40):
    g = torch.Generator().manual_seed(day)
    for _ in range(count):
        yield torch.randn(7, generator=g)


def batches(day, size=4, loudest=1.2):
    held = []
    for line in lines(day):
        if line.abs().mean() > loudest:
            continue
        held.append(line)
        if len(held) == size:
            yield torch.stack(held)
            held = []


class AutoEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.down, self.up = nn.Linear(7, 3), nn.Linear(3, 7)

    def forward(self, x):
        return self.up(torch.tanh(self.down(x)))


def train(record, days=3, accum=4):
    torch.manual_seed(5)
    model = AutoEncoder()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
    schedule = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.8)
    for day in range(days):
        worst = 0.0
        for i, x in enumerate(batches(day)):
            loss = nn.functional.mse_loss(model(x), x)
            (loss / accum).backward()
            worst = max(worst, loss.item())
            if (i + 1) % accum == 0:
                optimizer.step()
                record(list(model.parameters()))
                optimizer.zero_grad()
        if (i + 1) % accum != 0:
            optimizer.step()
            record(list(model.parameters()))
            optimizer.zero_grad()
        schedule.step()
        print(day, i + 1, f"{worst:.4f}")


if __name__ == "__main__":
    train(lambda parameters: None)
