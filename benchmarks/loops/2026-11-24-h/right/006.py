import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 8, 3, 2, 1), nn.BatchNorm2d(8), nn.ReLU(), nn.Dropout2d(0.5))

    def forward(self, x):
        return self.stem(x).mean((2, 3))


class LinearProbe:
    """Frozen features, one linear layer on top."""

    def __init__(self, backbone, n_out):
        self.backbone = backbone.eval().requires_grad_(False)
        self.head = nn.Linear(8, n_out)
        self.optimizer = torch.optim.SGD(self.head.parameters(), lr=0.5, momentum=0.9)
        self.criterion = nn.CrossEntropyLoss()

    def fit(self, loader, epochs):
        for ep in range(epochs):
            self.backbone.eval()
            good = 0
            for img, lab in loader:
                feats = self.backbone(img)
                logits = self.head(feats)
                loss = self.criterion(logits, lab)
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
                good += (logits.argmax(1) == lab).sum().item()
            print(f"probe epoch {ep}: train acc {good / len(loader.dataset):.3f}")
        return self

    @torch.inference_mode()
    def score(self, loader):
        return sum((self.head(self.backbone(x)).argmax(1) == y).sum().item() for x, y in loader) / len(loader.dataset)


torch.manual_seed(0)
x = torch.randn(90, 3, 10, 10)
y = (x.mean((1, 2, 3)) > 0).long()
dl = DataLoader(TensorDataset(x[:70], y[:70]), 14, shuffle=True)
print("test", LinearProbe(Backbone(), 2).fit(dl, 3).score(DataLoader(TensorDataset(x[70:], y[70:]), 20)))
