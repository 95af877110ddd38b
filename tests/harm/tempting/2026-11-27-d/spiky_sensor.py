import torch
from torch import nn

WINDOW = 3


def sensor_batches():
    batches = []
    for k in range(14):
        x = torch.randn(10, 4)
        y = x.abs().sum(1, keepdim=True)
        if k in (4, 9):
            y[3] = float("inf")
        batches.append((x, y))
    return batches


def train(record):
    torch.manual_seed(8)
    batches = sensor_batches()
    model = nn.Sequential(nn.Linear(4, 12), nn.Softplus(), nn.Linear(12, 1))
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.02)
    criterion = nn.SmoothL1Loss()
    discarded = pending = 0
    for epoch in range(3):
        for x, y in batches:
            loss = criterion(model(x), y) / WINDOW
            if not torch.isfinite(loss):
                optimizer.zero_grad()
                discarded += pending + 1
                pending = 0
                continue
            loss.backward()
            pending += 1
            if pending == WINDOW:
                optimizer.step()
                record(list(model.parameters()))
                optimizer.zero_grad()
                pending = 0
    return discarded


if __name__ == "__main__":
    train(lambda parameters: None)
