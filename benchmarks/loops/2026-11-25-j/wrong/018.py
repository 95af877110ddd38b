import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class LeafClassifier:
    def __init__(self, n_classes, lr):
        self.cnn = nn.Sequential(
            nn.Conv2d(3, 6, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(6 * 16, n_classes)
        )
        self.optim = torch.optim.Adam(self.cnn.parameters(), lr=lr)
        self.criterion = nn.CrossEntropyLoss(label_smoothing=0.1)

    def run_epoch(self, loader):
        self.cnn.train()
        self.optim.zero_grad()
        total = 0.0
        for pics, species in loader:
            loss = self.criterion(self.cnn(pics), species)
            loss.backward()
            self.optim.step()
            total += loss.item() * pics.size(0)
        return total / len(loader.dataset)

    @torch.no_grad()
    def accuracy(self, pics, species):
        self.cnn.eval()
        return (self.cnn(pics).argmax(1) == species).float().mean().item()


if __name__ == "__main__":
    torch.manual_seed(33)
    pics, species = torch.rand(40, 3, 10, 10), torch.randint(0, 4, (40,))
    dl = DataLoader(TensorDataset(pics, species), batch_size=8, shuffle=True)
    leaf = LeafClassifier(4, 1e-3)
    for e in range(3):
        print(e, leaf.run_epoch(dl), leaf.accuracy(pics, species))
