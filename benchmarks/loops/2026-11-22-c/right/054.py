import torch
import torch.nn.functional as F
from torch import nn


class FrozenStem(nn.Module):
    def __init__(self, stem, head):
        super().__init__()
        self.stem, self.head = stem, head
        self.stem.requires_grad_(False)

    def train(self, mode=True):
        super().train(mode)
        self.stem.eval()
        return self

    def forward(self, x):
        with torch.no_grad():
            h = self.stem(x)
        return self.head(h)


def run(stem, head, train_loader, val_loader, epochs=15, lr=0.01):
    model = FrozenStem(stem, head)
    optimizer = torch.optim.SGD(head.parameters(), lr=lr, momentum=0.9)
    step_down = torch.optim.lr_scheduler.StepLR(optimizer, 5, gamma=0.2)
    for epoch in range(epochs):
        model.train()
        for x, y in train_loader:
            loss = F.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        step_down.step()

        model.eval()
        correct = rows = 0
        with torch.no_grad():
            for x, y in val_loader:
                correct += (model(x).argmax(1) == y).sum().item()
                rows += len(y)
        print(f"{epoch:2d} loss {loss.item():.4f} accuracy {correct / rows:.4f}")
    return model
