from torch.nn import functional as F

from utils.dist import quiet_unless
from utils.meters import Average


def run_epoch(model, loader, optimizer, accum):
    model.train()
    meter = Average()
    optimizer.zero_grad()
    total = len(loader)
    for i, (levels, following) in enumerate(loader):
        closing = (i + 1) % accum == 0 or i + 1 == total
        with quiet_unless(closing, model):
            loss = F.mse_loss(model(levels), following)
            (loss / accum).backward()
        meter.add(loss.item(), len(levels))
        if closing:
            optimizer.step()
            optimizer.zero_grad()
    return meter.mean
