import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def shares(sizes):
    total = float(sum(sizes))
    return [torch.tensor(size / total) for size in sizes]


def windows(loader, length):
    held = []
    for batch in loader:
        held.append(batch)
        if len(held) == length:
            yield held
            held = []
    if held:
        yield held


def train(record):
    torch.manual_seed(603)
    x = torch.randn(75, 6)
    y = (x.abs().sum(1) > 4.6).long()
    loader = DataLoader(TensorDataset(x, y), batch_size=7, shuffle=True)
    net = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 2))
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.2, momentum=0.9)
    for epoch in range(3):
        logged = 0.0
        for window in windows(loader, 4):
            weights = shares([len(labels) for _, labels in window])
            optimizer.zero_grad()
            for (inputs, labels), weight in zip(window, weights):
                loss = criterion(net(inputs), labels)
                loss.backward(gradient=weight)
                logged += loss.item() * len(labels)
            optimizer.step()
            record(list(net.parameters()))
        print(f"epoch {epoch}: {logged / len(x):.4f}")


if __name__ == "__main__":
    train(lambda parameters: None)
