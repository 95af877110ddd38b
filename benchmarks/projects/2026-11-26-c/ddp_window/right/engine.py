import torch

from parallel import micro_batch


def fit_epoch(model, loader, optimizer, objective, every=1):
    model.train()
    optimizer.zero_grad()
    total = len(loader)
    running = 0.0
    for index, batch in enumerate(loader):
        with micro_batch(model, index, every, total):
            loss = objective(model, batch)
            (loss / every).backward()
        running += loss.item()
        if (index + 1) % every == 0 or index + 1 == total:
            optimizer.step()
            optimizer.zero_grad()
    return running / total


@torch.no_grad()
def score(model, loader, objective):
    model.eval()
    values = [objective(model, batch).item() for batch in loader]
    return sum(values) / len(values)
