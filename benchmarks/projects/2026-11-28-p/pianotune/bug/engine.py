import torch.nn.functional as F

from utils.meters import Meter


def run_epoch(model, loader, optimizer, accum):
    model.train()
    meter = Meter()
    optimizer.zero_grad()
    last = len(loader)
    for n, (partials, cents) in enumerate(loader, start=1):
        boundary = n % accum == 0 or n == last
        loss = F.mse_loss(model(partials), cents)
        (loss / accum).backward()
        meter.add(loss, len(cents))
        if boundary:
            optimizer.step()
            optimizer.zero_grad()
    return meter.mean()
