import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset


def make_loader():
    x = torch.randn(64, 5)
    y = (x[:, 0] > 0).long() + (x[:, 1] > 0).long()
    return DataLoader(TensorDataset(x, y), batch_size=8, shuffle=True)


def lower_rate(optimizer, value):
    for group in optimizer.param_groups:
        group["lr"] = value


def train(record, accum=4):
    torch.manual_seed(47)
    loader = make_loader()
    model = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 3))
    criterion = nn.CrossEntropyLoss()
    optimizer = optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    optimizer.zero_grad()
    for epoch in range(3):
        running = 0.0
        for step, (x, y) in enumerate(loader, start=1):
            logits = model(x)
            loss = criterion(logits, y)
            loss.backward()
            running += loss.item()
            if step % accum == 0 or step == len(loader):
                optimizer.step()
                optimizer.zero_grad()
                record(list(model.parameters()))
            if loss.item() < 0.7:
                lower_rate(optimizer, 0.02)
        mean = running / len(loader)
        if mean < 0.85:
            lower_rate(optimizer, 0.01)
        print(epoch, round(mean, 4), optimizer.param_groups[0]["lr"])


if __name__ == "__main__":
    train(lambda parameters: None)
