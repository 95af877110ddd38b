import torch
from torch import nn


class Probe(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(12, 24), nn.BatchNorm1d(24), nn.ReLU(), nn.Dropout(0.2))
        self.head = nn.Sequential(nn.Dropout(0.3), nn.Linear(24, 3))
        self.trunk.requires_grad_(False)

    def forward(self, x):
        with torch.no_grad():
            h = self.trunk(x)
        return self.head(h)


@torch.no_grad()
def score(model, held_out):
    model.eval()
    return sum((model(x).argmax(1) == y).float().mean().item() for x, y in held_out) / len(held_out)


def fit(model, loader, held_out, epochs, record):
    model.eval()
    opt = torch.optim.Adam(model.head.parameters(), lr=1e-2)
    best = -1.0
    for epoch in range(epochs):
        model.head.train()
        for x, y in loader:
            opt.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            opt.step()
            record(list(model.parameters()))
        best = max(best, score(model, held_out))
    return best


def train(record):
    torch.manual_seed(90)
    model = Probe()
    with torch.no_grad():
        for _ in range(5):
            model.trunk(2 * torch.randn(64, 12) + 1)
    rows = [(torch.randn(18, 12), torch.randint(0, 3, (18,))) for _ in range(8)]
    fit(model, rows[:6], rows[6:], 3, record)


if __name__ == "__main__":
    train(lambda parameters: None)
