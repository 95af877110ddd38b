from torch.nn import functional as F

from .contexts import inspection, quiet, seeded


def burn(model, batches, optimizer, window):
    model.train()
    total = 0.0
    optimizer.zero_grad()
    for n, (stone, heat) in enumerate(batches, 1):
        last = n % window == 0 or n == len(batches)
        loss = F.mse_loss(model(stone), heat)
        with quiet(model, on=not last):
            (loss / window).backward()
        total += loss.item()
        if last:
            optimizer.step()
            optimizer.zero_grad()
    return total / len(batches)


def check(model, held):
    errors = []
    with inspection(model) as still, seeded(0):
        for stone, heat in held:
            errors.append(F.l1_loss(still(stone), heat).item())
    return sum(errors) / len(errors)
