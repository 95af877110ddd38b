import torch

from comm import reducing
from objective import price_loss


def one_epoch(model, loader, opt, accum):
    model.train()
    opt.zero_grad()
    shown = 0.0
    for i, batch in enumerate(loader):
        last = (i + 1) % accum == 0 or i + 1 == len(loader)
        loss = price_loss(model, batch)
        with reducing(model, last):
            (loss / accum).backward()
        shown += loss.item()
        if last:
            opt.step()
            opt.zero_grad()
    return shown / len(loader)


@torch.no_grad()
def holdout(model, loader):
    model.eval()
    return sum(price_loss(model, b).item() for b in loader) / len(loader)
