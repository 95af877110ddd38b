import torch

from utils.dist import mean_over_ranks


def train_epoch(model, loader, criterion, optimizer, accum):
    model.train()
    optimizer.zero_grad(set_to_none=True)
    total, batches = 0.0, len(loader)
    for step, (x, y) in enumerate(loader):
        closing = (step + 1) % accum == 0 or step + 1 == batches
        loss = criterion(model(x), y) / accum
        loss.backward()
        total += loss.item() * accum
        if closing:
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
    return mean_over_ranks(total / batches)


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    hits = seen = 0
    for x, y in loader:
        hits += (model(x).argmax(1) == y).sum().item()
        seen += len(y)
    return hits / seen
