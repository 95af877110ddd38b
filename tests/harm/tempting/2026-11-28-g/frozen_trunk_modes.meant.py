import torch
from torch import nn


class Transfer(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(6, 10), nn.BatchNorm1d(10), nn.ReLU())
        self.head = nn.Sequential(nn.Linear(10, 10), nn.Dropout(0.3), nn.ReLU(), nn.Linear(10, 3))

    def forward(self, x):
        return self.head(self.trunk(x))


def warm_statistics(trunk):
    trunk.train()
    with torch.no_grad():
        for _ in range(5):
            trunk(1 + 2 * torch.randn(32, 6))


def validate(model, x, y):
    model.eval()
    with torch.no_grad():
        return nn.functional.cross_entropy(model(x), y).item()


def train(record):
    torch.manual_seed(4)
    model = Transfer()
    warm_statistics(model.trunk)
    for p in model.trunk.parameters():
        p.requires_grad_(False)
    optimizer = torch.optim.Adam(model.head.parameters(), lr=1e-2)
    x, y = torch.randn(5, 16, 6), torch.randint(0, 3, (5, 16))
    held_x, held_y = torch.randn(30, 6), torch.randint(0, 3, (30,))

    for epoch in range(3):
        model.train()
        model.trunk.eval()
        for inputs, labels in zip(x, y):
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(inputs), labels).backward()
            optimizer.step()
            record(list(model.parameters()))
        print(epoch, validate(model, held_x, held_y))


if __name__ == "__main__":
    train(lambda parameters: None)
