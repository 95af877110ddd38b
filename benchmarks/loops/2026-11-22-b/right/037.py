import torch
from torch import nn
from torch.utils.data import DataLoader

from sentiment.data import ReviewDataset, collate
from sentiment.model import HierarchicalAttention


class NormLimit:
    def __init__(self, max_norm: float):
        self.max_norm = max_norm
        self.last = None

    def __call__(self, optimizer, args, kwargs):
        params = [p for group in optimizer.param_groups for p in group["params"]]
        self.last = nn.utils.clip_grad_norm_(params, self.max_norm)


def run_epoch(model, loader, optimizer, criterion, device):
    model.train()
    total = 0.0
    for docs, lengths, labels in loader:
        optimizer.zero_grad()
        loss = criterion(model(docs.to(device), lengths), labels.to(device))
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total / len(loader)


@torch.no_grad()
def accuracy(model, loader, device):
    model.eval()
    hits = n = 0
    for docs, lengths, labels in loader:
        hits += (model(docs.to(device), lengths).argmax(1).cpu() == labels).sum().item()
        n += len(labels)
    return hits / n


def main(root, epochs=12, device="cuda"):
    train = DataLoader(ReviewDataset(root, "train"), 64, shuffle=True, collate_fn=collate)
    dev = DataLoader(ReviewDataset(root, "dev"), 128, collate_fn=collate)
    model = HierarchicalAttention(vocab=50_000, classes=5).to(device)
    optimizer = torch.optim.Adagrad(model.parameters(), lr=0.05)
    limit = NormLimit(2.0)
    handle = optimizer.register_step_pre_hook(limit)
    plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, mode="max", patience=1)
    for epoch in range(epochs):
        loss = run_epoch(model, train, optimizer, nn.CrossEntropyLoss(), device)
        score = accuracy(model, dev, device)
        plateau.step(score)
        print(f"{epoch} loss {loss:.4f} acc {score:.4f} norm {float(limit.last):.3f}")
    handle.remove()
    return model


if __name__ == "__main__":
    main("data/yelp")
