import torch
from torch import nn

import settings
from data import get_loaders
from evaluate import accuracy
from mlp import MLP
from report import Report


def train(model, loader, test_loader):
    loss_fn = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=settings.LR)
    report = Report()
    for epoch in range(settings.EPOCHS):
        model.train()
        running = 0.0
        for i, (x, y) in enumerate(loader):
            loss = loss_fn(model(x), y)
            running += loss.item()
            loss = loss / settings.ACCUM_STEPS
            loss.backward()
            if (i + 1) % settings.ACCUM_STEPS == 0:
                optimizer.step()
                optimizer.zero_grad()
        acc, sure = accuracy(model, test_loader)
        report.add(epoch, running / len(loader), acc, sure)
    return report


if __name__ == "__main__":
    torch.manual_seed(settings.SEED)
    train_loader, test_loader = get_loaders()
    result = train(MLP(), train_loader, test_loader)
    print(result)
    print("best epoch:", result.best()[0])
