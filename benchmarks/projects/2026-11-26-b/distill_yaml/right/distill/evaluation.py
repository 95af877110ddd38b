import torch


@torch.no_grad()
def evaluate(model, loader):
    was_training = model.training
    model.eval()
    hits = count = 0
    for x, y in loader:
        hits += (model(x).argmax(1) == y).sum().item()
        count += len(y)
    model.train(was_training)
    return hits / count
