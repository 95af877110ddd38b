import torch
from data import build_loader
from models import Net
from torch import nn


def run_epoch(model, loader, optimizer=None):
    training = optimizer is not None
    model.train(training)
    total, count = 0.0, 0
    with torch.set_grad_enabled(training):
        for x, y in loader:
            loss = nn.functional.cross_entropy(model(x), y)
            if training:
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            total += loss.item() * len(y)
            count += len(y)
    return total / count


model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
scheduler = torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(optimizer, T_0=2)
for epoch in range(4):
    train = run_epoch(model, build_loader("train"), optimizer)
    val = run_epoch(model, build_loader("val"))
    scheduler.step()
    print(f"{epoch} train {train:.3f} val {val:.3f}")
