import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train_one_epoch(model, loader, criterion, optimizer):
    model.train()
    for inputs, targets in loader:
        optimizer.zero_grad()
        criterion(model(inputs), targets).backward()
        optimizer.step()


def validate(model, loader, criterion):
    model.eval()
    total, correct = 0.0, 0
    for inputs, targets in loader:
        outputs = model(inputs)
        total += criterion(outputs, targets).item() * len(targets)
        correct += outputs.argmax(dim=1).eq(targets).sum().item()
    n = len(loader.dataset)
    return total / n, correct / n


def run():
    torch.manual_seed(33)
    x, y = torch.randn(90, 5), torch.randint(0, 3, (90,))
    train_dl = DataLoader(TensorDataset(x[:60], y[:60]), batch_size=12, shuffle=True)
    valid_dl = DataLoader(TensorDataset(x[60:], y[60:]), batch_size=15)
    model = nn.Sequential(nn.Linear(5, 20), nn.ReLU(), nn.Dropout(0.1), nn.Linear(20, 3))
    optimizer = torch.optim.NAdam(model.parameters(), lr=2e-3)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(3):
        train_one_epoch(model, train_dl, criterion, optimizer)
        loss, acc = validate(model, valid_dl, criterion)
        print(f"{epoch}\t{loss:.4f}\t{acc:.3f}")


run()
