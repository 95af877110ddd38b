import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    hits = total = 0
    for x, y in loader:
        hits += (model(x).argmax(dim=1) == y).sum().item()
        total += len(y)
    return hits / total


def main():
    torch.manual_seed(10)
    x = torch.randn(400, 16)
    y = (x[:, :8].sum(1) > x[:, 8:].sum(1)).long()
    train_loader = DataLoader(TensorDataset(x[:320], y[:320]), batch_size=32, shuffle=True)
    test_loader = DataLoader(TensorDataset(x[320:], y[320:]), batch_size=80)
    model = nn.Sequential(nn.Linear(16, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Dropout(0.3), nn.Linear(64, 2))
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    criterion = nn.CrossEntropyLoss()
    model.train()
    best = 0.0
    for epoch in range(6):
        for xb, yb in train_loader:
            optimizer.zero_grad()
            loss = criterion(model(xb), yb)
            loss.backward()
            optimizer.step()
        acc = evaluate(model, test_loader)
        best = max(best, acc)
        print(f"epoch {epoch} acc {acc:.3f} best {best:.3f}")


if __name__ == "__main__":
    main()
