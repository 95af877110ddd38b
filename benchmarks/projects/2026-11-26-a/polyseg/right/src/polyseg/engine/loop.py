import logging

from polyseg.utils.optim import commit, limit_gradients

logger = logging.getLogger(__name__)


def train_epoch(model, loader, criterion, optimizer, scheduler, *, max_norm, device, log_every=4):
    model.train()
    seen, running = 0, 0.0
    for step, (images, masks) in enumerate(loader):
        images, masks = images.to(device), masks.to(device)
        optimizer.zero_grad(set_to_none=True)
        loss = criterion(model(images), masks)
        loss.backward()
        norm = limit_gradients(model, max_norm)
        commit(optimizer, scheduler)

        running += loss.item() * images.size(0)
        seen += images.size(0)
        if step % log_every == 0:
            logger.info("step %d loss %.4f grad %.3f", step, loss.item(), norm)
    return running / max(seen, 1)
