import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train(model, loader, optimizer, criterion, accumulate=4, epochs=2):
    n = len(loader)

    def window_size(i):
        start = i - i % accumulate
        return min(accumulate, n - start)

    def closes_window(i):
        return i % accumulate == window_size(i) - 1

    for epoch in range(epochs):
        model.train()
        epoch_loss = 0.0
        for i, (x, y) in enumerate(loader):
            if i % accumulate == 0:
                optimizer.zero_grad()
            loss = criterion(model(x), y)
            (loss / window_size(i)).backward()
            epoch_loss += loss.item()
            if closes_window(i):
                optimizer.step()
        print(f"epoch {epoch + 1}: {epoch_loss / n:.4f} accuracy {accuracy(model, loader):.2f}")


@torch.no_grad()
def accuracy(model, loader):
    was_training = model.training
    model.eval()
    right = sum((model(x).argmax(1) == y).sum().item() for x, y in loader)
    model.train(was_training)
    return right / len(loader.dataset)


if __name__ == "__main__":
    torch.manual_seed(2)
    x = torch.randn(90, 10)
    y = (x[:, 0] > x[:, 1]).long()
    net = nn.Sequential(nn.Linear(10, 20), nn.Dropout(0.2), nn.ReLU(), nn.Linear(20, 2))
    train(net, DataLoader(TensorDataset(x, y), batch_size=9, shuffle=True), torch.optim.Adam(net.parameters(), lr=1e-2), nn.CrossEntropyLoss())
