import torch


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    hits = count = 0
    for x, y in loader:
        hits += (model(x).argmax(1) == y).sum().item()
        count += len(y)
    return hits / count
