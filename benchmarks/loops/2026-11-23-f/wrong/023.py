import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split


def evaluate(net, loader):
    net.eval()
    right = 0
    with torch.no_grad():
        for x, y in loader:
            right += (net(x).argmax(1) == y).sum().item()
    return right / len(loader.dataset)


def main():
    torch.manual_seed(21)
    x = torch.randn(120, 6)
    train, val = random_split(TensorDataset(x, (x[:, 0] > x[:, 1]).long()), [90, 30])
    train_loader, val_loader = DataLoader(train, 15, shuffle=True), DataLoader(val, 30)
    net = nn.Sequential(nn.Linear(6, 24), nn.ReLU(), nn.Dropout(0.4), nn.Linear(24, 2))
    optimizer = torch.optim.Adam(net.parameters(), lr=5e-3)
    best = 0.0
    net.train()
    for epoch in range(4):
        for x, y in train_loader:
            loss = nn.functional.cross_entropy(net(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        acc = evaluate(net, val_loader)
        best = max(best, acc)
        print(epoch, acc, best)


if __name__ == "__main__":
    main()
