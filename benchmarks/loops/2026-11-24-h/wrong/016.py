import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def get_loaders(n=240, feats=9):
    torch.manual_seed(8)
    x = torch.randn(n, feats)
    y = (x.pow(2).sum(1, keepdim=True) > feats).float()
    cut = int(n * 0.8)
    return (
        DataLoader(TensorDataset(x[:cut], y[:cut]), batch_size=24, shuffle=True),
        DataLoader(TensorDataset(x[cut:], y[cut:]), batch_size=48),
    )


def train(model, loader, optimizer, criterion):
    model.train()
    for xb, yb in loader:
        xb, yb = xb.to(device), yb.to(device)
        loss = criterion(model(xb), yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def test(model, loader, criterion):
    model.eval()
    test_loss, correct = 0.0, 0
    for xb, yb in loader:
        xb, yb = xb.to(device), yb.to(device)
        out = model(xb)
        test_loss += criterion(out, yb).item() * len(xb)
        correct += ((out > 0) == yb.bool()).sum().item()
    size = len(loader.dataset)
    return test_loss / size, correct / size


def main():
    train_dl, test_dl = get_loaders()
    model = nn.Sequential(nn.Linear(9, 40), nn.ReLU(), nn.Dropout(0.1), nn.Linear(40, 1)).to(device)
    criterion = nn.BCEWithLogitsLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=1)
    for t in range(4):
        train(model, train_dl, optimizer, criterion)
        vloss, acc = test(model, test_dl, criterion)
        plateau.step(vloss)
        print(f"Epoch {t + 1}: val loss {vloss:.4f}, accuracy {100 * acc:.1f}%")


if __name__ == "__main__":
    main()
