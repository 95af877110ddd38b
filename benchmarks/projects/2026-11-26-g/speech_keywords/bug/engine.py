from torch.nn.functional import cross_entropy

from cluster import span


def train_one_epoch(model, loader, optimizer, accum):
    model.train()
    optimizer.zero_grad()
    total = 0.0
    for i, (wave, label) in enumerate(loader, 1):
        closing = i % accum == 0 or i == len(loader)
        with span(model, closing):
            loss = cross_entropy(model(wave), label)
            (loss / accum).backward()
        total += loss.item()
        if closing:
            optimizer.step()
            optimizer.zero_grad()
    return total / len(loader)
