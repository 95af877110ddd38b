import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def make_split(n, seed):
    g = torch.Generator().manual_seed(seed)
    x = torch.randn(n, 2, generator=g)
    y = (x.pow(2).sum(1) < 1.4).float()
    return TensorDataset(x, y)


class BNNet(nn.Sequential):
    def __init__(self):
        super().__init__(
            nn.Linear(2, 16),
            nn.BatchNorm1d(16),
            nn.ReLU(),
            nn.Dropout(0.1),
            nn.Linear(16, 1),
            nn.Flatten(0),
        )


def train_epoch(net, loader, optimizer, criterion):
    net.train()
    running = 0.0
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(net(x), y)
        loss.backward()
        optimizer.step()
        running += loss.item()
    return running / len(loader)


def test_epoch(net, loader, criterion):
    net.eval
    losses, right = [], 0
    with torch.no_grad():
        for x, y in loader:
            out = net(x)
            losses.append(criterion(out, y).item())
            right += ((out > 0) == (y > 0.5)).sum().item()
    return sum(losses) / len(losses), right / len(loader.dataset)


if __name__ == "__main__":
    torch.manual_seed(0)
    train_loader = DataLoader(make_split(256, 0), batch_size=32, shuffle=True)
    test_loader = DataLoader(make_split(64, 1), batch_size=32)
    net = BNNet()
    criterion = nn.BCEWithLogitsLoss()
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
    plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=1)
    for epoch in range(1, 5):
        tr = train_epoch(net, train_loader, optimizer, criterion)
        te, acc = test_epoch(net, test_loader, criterion)
        plateau.step(te)
        print(f"{epoch:2d}  {tr:.4f}  {te:.4f}  {acc:.2%}")
