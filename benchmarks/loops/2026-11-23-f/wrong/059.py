import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def validate(net, loader, criterion):
    net.eval()
    total = 0.0
    for x, y in loader:
        output = net(x)
        total += criterion(output, y).item()
    net.train()
    return total / len(loader)


def main():
    torch.manual_seed(0)
    x = torch.randn(90, 5)
    y = x.sum(1, keepdim=True).sigmoid()
    train = DataLoader(TensorDataset(x[:70], y[:70]), batch_size=14, shuffle=True)
    val = DataLoader(TensorDataset(x[70:], y[70:]), batch_size=20)
    net = nn.Sequential(nn.Linear(5, 10), nn.ReLU(), nn.Dropout(0.3), nn.Linear(10, 1))
    opt = torch.optim.Adam(net.parameters(), lr=1e-2)
    criterion = nn.MSELoss()
    for epoch in range(3):
        for xb, yb in train:
            opt.zero_grad()
            criterion(net(xb), yb).backward()
            opt.step()
        print(epoch, validate(net, val, criterion))


if __name__ == "__main__":
    main()
