import torch

from dist_utils import grad_sync, reduce_mean


def train_one_epoch(model, loader, optimizer, epoch, accum_iter, max_norm):
    if hasattr(loader.sampler, "set_epoch"):
        loader.sampler.set_epoch(epoch)
    optimizer.zero_grad()
    total = 0.0
    for it, (images, targets) in enumerate(loader):
        update = (it + 1) % accum_iter == 0 or it + 1 == len(loader)
        with grad_sync(model, update):
            losses = model(images, targets)
            loss = sum(losses.values())
            (loss / accum_iter).backward()
        total += loss.item()
        if update:
            torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
            optimizer.step()
            optimizer.zero_grad()
    return {"loss": reduce_mean(total / len(loader)), "epoch": epoch}


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    total = 0.0
    for images, targets in loader:
        losses = model(images, targets)
        total += sum(losses.values()).item()
    return reduce_mean(total / len(loader))
