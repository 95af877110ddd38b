import torch

from .constants import FIRST_BATCH
from .losses import segmentation_loss
from .metrics import MeanIoU, Running


def fit_epoch(model, loader, optimizer, accum):
    model.train()
    running = Running()
    final = len(loader) - 1 + FIRST_BATCH
    optimizer.zero_grad()
    for number, (images, masks) in enumerate(loader, FIRST_BATCH):
        loss = segmentation_loss(model(images), masks)
        (loss / accum).backward()
        running.update(loss)
        if (number + 1) % accum == 0 or number == final:
            optimizer.step()
            optimizer.zero_grad()
    return running.mean()


@torch.no_grad()
def validate(model, loader):
    model.eval()
    metric = MeanIoU(model.classes)
    for images, masks in loader:
        metric.update(model(images).argmax(1), masks)
    return metric.compute()
