import torch
from torch import nn


class TwoStage(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(6, 12), nn.BatchNorm1d(12), nn.ReLU(), nn.Dropout(0.3))
        self.neck = nn.Sequential(nn.Linear(12, 12), nn.BatchNorm1d(12), nn.ReLU())
        self.head = nn.Linear(12, 4)

    def forward(self, x):
        return self.head(self.neck(self.trunk(x)))


def accuracy(model, batches):
    model.eval()
    with torch.no_grad():
        return sum((model(x).argmax(1) == y).float().mean().item() for x, y in batches) / len(batches)


def epoch_of_training(model, optimizer, batches, record):
    model.neck.train()
    model.head.train()
    for x, y in batches:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
        record(list(model.parameters()))


def train(record):
    torch.manual_seed(111)
    make = lambda count: [(torch.randn(16, 6), torch.randint(0, 4, (16,))) for _ in range(count)]
    batches, held_out = make(6), make(2)
    model = TwoStage()
    model.trunk.requires_grad_(False)
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-2)
    best = accuracy(model, held_out)
    for _ in range(3):
        epoch_of_training(model, optimizer, batches, record)
        found = accuracy(model, held_out)
        if found < best:
            optimizer.param_groups[0]["lr"] *= 0.5
        best = max(best, found)


if __name__ == "__main__":
    train(lambda parameters: None)
